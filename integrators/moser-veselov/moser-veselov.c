/* SPDX-License-Identifier: BSD-3-Clause */
/* The preprocessed discrete Moser-Veselov map, for rigid bodies whose kinetic energy is the sum of theirs. In
 * principal axes a free body with momentum y turns in a step by the quaternion
 *     (1, u) / sqrt(1 + |u|^2),
 *     u_i = w_i (b + b x u + (b.u) u)_i,      b = (h/2) y,      w_i = 1 / It_i,
 * where It are moments with which this map, of order 2 by itself, makes the motion of the body of moments I
 * to order 2r (series.c): they depend on I, h, and the body's energy and |y|, which the map
 * keeps. In a potential or under forces: half a kick, that motion, half a kick (Strang), of order 2.
 *
 * A motion is kept as S = R Pi, the momentum in space, which without a moment is constant, and as the
 * orientation of the principal axes, a quaternion with its low-order part; y = R^T S is read off. Nothing is
 * divided by a norm: what a unit quaternion lacks is part of the next increment, and a factor common to all
 * of it turns nothing.
 *
 * Sources: Moser, Veselov, Commun. Math. Phys. 139 (1991) 217;
 * Hairer, Vilmart, J. Phys. A 39 (2006) 13225. */
#include <polhode/algebra.h>
#include <polhode/implicit.h>
#include <polhode/method.h>
#include <polhode/solve.h>

#include "integrators/shared/increments.h"
#include "moser-veselov.h"

#include <float.h>
#include <string.h>

enum { ORDER, OPTIONS };
enum { HISTORY = 5, MAX_PASSES = 8 };

static const ph_option options[OPTIONS] = {{
    .name = "order",
    .type = PH_OPTION_CHOICE,
    .initial = PH_MOSER_VESELOV_DEGREE,
    .choices = "2 4 6 8 10",
    .text = "of the motion of free bodies (all take the same time; that of order 2 is symplectic, too); "
            "in a potential or under forces the order is 2 with each of them",
}};

/* Where the guess is trusted: turns below 1 rad, corrections that are small and contract fast. */
static const double largest_u2 = 0.3, correction_wanted = 0.02, contraction_wanted = 0.05;
/* Up to this correction the inverse Jacobian of the pass before does. */
static const double same_jacobian = 1e-5;
/* What the last correction may leave in u, relative to u. */
static const double left_over = 1e-18;
/* How much of what rounding has done to the energy a step takes back at most. */
static const double return_rate = 1. / 16;

/* What is in the carry of each body; zeros: not set. */
typedef struct rigid_motion {
    double q[4], low[4];              /* orientation of the principal axes, and its low-order part */
    double S[3], S_low[3], moment[3]; /* in space: R Pi, its low-order part; the moment where the body is */
    double H, C;                      /* when it was set, in units of the body */
    double h;                         /* of the increments and of the map */
    double count;                     /* increments there are, at most HISTORY */
    double w[3], y[3], pull;          /* of a free body: 1 / It; y; by which its energy is kept */
    double u[HISTORY][3];             /* increments, the latest first */
} rigid_motion;

/* What a step makes of it. */
typedef struct rigid_leap {
    double q[4], low[4], S[3], S_low[3], y[3], u[3];
} rigid_leap;

typedef struct rigid {
    ph_moser_veselov_series series;
    double axes[9]; /* its columns are the principal axes */
} rigid;

typedef struct moser_veselov_scratch {
    size_t n;
    int degree; /* of the series in h^2 */
    bool forced, pushed;
    ph_part *parts;
    rigid *bodies;
    rigid_leap *next;
    rigid_motion *fresh;
    ph_newton_work newton;  /* of three unknowns */
    double *z1, *g, *f, *v; /* (9n) */
    double *moment;         /* (3n) in space */
} moser_veselov_scratch;

/* ---- One body --------------------------------------------------------------------------------- */

/* A <- |q|^2 times the rotation. */
static void rigid_matrix(const double q[4], double A[9])
{
    double xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3], ww = q[0] * q[0];
    double xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
    double wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
    A[0] = (ww + xx) - (yy + zz);
    A[4] = (ww + yy) - (xx + zz);
    A[8] = (ww + zz) - (xx + yy);
    A[1] = 2 * (xy - wz);
    A[3] = 2 * (xy + wz);
    A[2] = 2 * (xz + wy);
    A[6] = 2 * (xz - wy);
    A[5] = 2 * (yz - wx);
    A[7] = 2 * (yz + wx);
}

/* q <- the unit quaternion of the rotation R: 4 times its largest entry times all of it, from sums in which
 * nothing cancels but what is small. */
static void rigid_quaternion(const double R[9], double q[4])
{
    double trace = R[0] + R[4] + R[8], size = 0;
    int i = 0;
    for (int k = 1; k < 3; k++)
        i = R[4 * k] > R[4 * i] ? k : i;
    if (trace > R[4 * i]) {
        q[0] = 1 + trace;
        q[1] = R[7] - R[5];
        q[2] = R[2] - R[6];
        q[3] = R[3] - R[1];
    } else {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q[0] = R[3 * k + j] - R[3 * j + k];
        q[1 + i] = 1 + 2 * R[4 * i] - trace;
        q[1 + j] = R[3 * i + j] + R[3 * j + i];
        q[1 + k] = R[3 * i + k] + R[3 * k + i];
    }
    for (int k = 0; k < 4; k++)
        size += q[k] * q[k];
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(size);
}

/* w <- 1 / It_i = A / I_i + B; false where these are not within half of 1 / I_i: steps are too long for the
 * series then, which has no other motion to tell of than a wrong one. */
static bool rigid_find_inertia(const ph_moser_veselov_series *series, int degree, double h, double H,
                               double C, double w[3])
{
    double A, B;
    ph_moser_veselov_inertia(series, degree, h * h * H, h * h * C, &A, &B);
    bool near = true;
    for (int i = 0; i < 3; i++) {
        w[i] = A * series->inverse[i] + B;
        near = near && fabs(w[i] - series->inverse[i]) <= 0.5 * series->inverse[i];
    }
    return near;
}

/* r <- u - w (b + b x u + (b.u) u), w times each component its own */
static inline void rigid_residual(const double w[3], const double b[3], const double u[3], double r[3])
{
    double along = ph_dot3(b, u);
    r[0] = u[0] - w[0] * (b[0] + ((b[1] * u[2] - b[2] * u[1]) + along * u[0]));
    r[1] = u[1] - w[1] * (b[1] + ((b[2] * u[0] - b[0] * u[2]) + along * u[1]));
    r[2] = u[2] - w[2] * (b[2] + ((b[0] * u[1] - b[1] * u[0]) + along * u[2]));
}

static inline void rigid_jacobian(const double w[3], const double b[3], const double u[3], double J[9])
{
    double along = ph_dot3(b, u);
    J[0] = 1 - w[0] * (along + b[0] * u[0]);
    J[1] = -w[0] * (b[1] * u[0] - b[2]);
    J[2] = -w[0] * (b[2] * u[0] + b[1]);
    J[3] = -w[1] * (b[0] * u[1] + b[2]);
    J[4] = 1 - w[1] * (along + b[1] * u[1]);
    J[5] = -w[1] * (b[2] * u[1] - b[0]);
    J[6] = -w[2] * (b[0] * u[2] - b[1]);
    J[7] = -w[2] * (b[1] * u[2] + b[0]);
    J[8] = 1 - w[2] * (along + b[2] * u[2]);
}

/* N <- J^{-1}; det J. */
static inline double rigid_invert(const double J[9], double N[9])
{
    double c0[3], c1[3], c2[3];
    ph_cross3(J + 3, J + 6, c0);
    ph_cross3(J + 6, J, c1);
    ph_cross3(J, J + 3, c2);
    double det = ph_dot3(J, c0), over = 1 / det;
    for (int i = 0; i < 3; i++) {
        N[3 * i] = c0[i] * over;
        N[3 * i + 1] = c1[i] * over;
        N[3 * i + 2] = c2[i] * over;
    }
    return det;
}

/* Newton from the guess in u; false where it is not beyond doubt that this is the root on the branch from
 * h = 0. What a correction leaves behind is |u| times its own size times that of those since the Jacobian. */
static bool rigid_solve(const double w[3], const double b[3], double u[3], int64_t *passes)
{
    double N[9], last = INFINITY, since = 0, first = 0;
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        double r[3], d[3], J[9], size = 0, change = 0;
        rigid_residual(w, b, u, r);
        if (last > same_jacobian) {
            rigid_jacobian(w, b, u, J);
            if (!(rigid_invert(J, N) > 0))
                return false;
            since = 0;
        }
        ph_apply3(N, r, d);
        for (int i = 0; i < 3; i++) {
            u[i] -= d[i];
            size += fabs(u[i]);
            change += fabs(d[i]);
        }
        ++*passes;
        since += change;
        first = pass ? first : change;
        if (!(change <= (pass ? contraction_wanted * first + 1e-14 : correction_wanted)))
            return false;
        if (since * change <= left_over || change <= 2 * DBL_EPSILON * size)
            return ph_dot3(u, u) <= largest_u2;
        last = change;
    }
    return false;
}

/* ---- The branch from h = 0 ---------------------------------------------------------------------- */

/* The same with s b for b. */
typedef struct branch {
    const double *w, *b;
    double s, u[3];
} branch;

static ph_status branch_residual(void *self, double s, const double *u, double *r, double *scale)
{
    branch *br = self;
    double sb[3] = {s * br->b[0], s * br->b[1], s * br->b[2]}, size = 0, longest = 0;
    br->s = s;
    memcpy(br->u, u, sizeof br->u);
    rigid_residual(br->w, sb, u, r);
    for (int i = 0; i < 3; i++) {
        size += fabs(sb[i]);
        longest = fmax(longest, fabs(u[i]));
    }
    for (int i = 0; i < 3; i++)
        scale[i] = fabs(u[i]) + br->w[i] * (fabs(sb[i]) + size * longest * (1 + fabs(u[i])));
    return PH_OK;
}

static ph_status branch_jacobian(void *self, double *J)
{
    const branch *br = self;
    double sb[3] = {br->s * br->b[0], br->s * br->b[1], br->s * br->b[2]};
    rigid_jacobian(br->w, sb, br->u, J);
    return PH_OK;
}

/* R is linear in s b, and R = u where that is 0. */
static ph_status branch_derivative(void *self, double *rs)
{
    const branch *br = self;
    rigid_residual(br->w, br->b, br->u, rs);
    for (int i = 0; i < 3; i++)
        rs[i] -= br->u[i];
    return PH_OK;
}

/* u <- the solution on the branch, wherever it is. */
static ph_status branch_follow(ph_context *context, double t, size_t body, const double w[3],
                               const double b[3], double u[3])
{
    moser_veselov_scratch *sc = context->work;
    double reached = 0;
    branch br = {.w = w, .b = b};
    const ph_equations equations = {.n = 3,
                                    .size = 1,
                                    .self = &br,
                                    .residual = branch_residual,
                                    .jacobian = branch_jacobian,
                                    .parameter_derivative = branch_derivative};
    ph_newton_report report = {0};
    memset(u, 0, 3 * sizeof *u);
    ph_status status = ph_follow_branch(&equations, u, &sc->newton, &report, &reached);
    context->statistics->newton_passes += report.passes;
    context->statistics->branches++;
    if (status)
        return ph_fail(context->error, status,
                       "no solution at t = %.10g s: body %zu turns too far in a step of %.12g s; "
                       "the branch of solutions of its equation from h = 0 leads no farther than h = %.6g s. "
                       "Take a smaller step%s",
                       t, body, context->h, reached * context->h,
                       context->options[ORDER] < PH_MOSER_VESELOV_DEGREE ? ", or a higher order" : "");
    return PH_OK;
}

/* ---- The free motion ------------------------------------------------------------------------------ */

/* sum <- a + low + more, and its low-order part (Knuth). */
static inline double rigid_add_low(double a, double low, double more, double *low1)
{
    double rest = low + more, sum = a + rest, added = sum - a;
    *low1 = (a - (sum - added)) + (rest - added);
    return sum;
}

/* q1 <- q (1, u) / sqrt(alpha), brought back to length 1, and turned by the small angles 2 aside. */
static void rigid_turn(const double q[4], const double low[4], const double u[3], const double aside[3],
                       double q1[4], double low1[4])
{
    double x = ph_dot3(u, u), root = sqrt(1 + x), over = 1 / (root * (1 + root)), v[3];
    double lacks = ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])) - 1;
    double e = -x * over - 0.5 * lacks, along = (1 + root) * over - 0.5 * lacks;
    for (int i = 0; i < 3; i++)
        v[i] = along * u[i] + aside[i];
    const double d[4] = {e * q[0] - ((q[1] * v[0] + q[2] * v[1]) + q[3] * v[2]),
                         e * q[1] + ((q[0] * v[0] + q[2] * v[2]) - q[3] * v[1]),
                         e * q[2] + ((q[0] * v[1] + q[3] * v[0]) - q[1] * v[2]),
                         e * q[3] + ((q[0] * v[2] + q[1] * v[1]) - q[2] * v[0])};
    for (int i = 0; i < 4; i++)
        q1[i] = rigid_add_low(q[i], low[i], d[i], &low1[i]);
}

/* The turn that brings the energy of a free body with momentum y back towards H: a turn by a changes it by
 * a.(w x y), w the angular velocity. Rounding alone has moved it, but walks, and of some bodies leans to one
 * side. */
static void rigid_turn_back(const rigid *r, const rigid_motion *m, const double y[3], double aside[3])
{
    double own[3], w[3], H = 0;
    for (int i = 0; i < 3; i++) {
        own[i] = r->series.unit * y[i];
        w[i] = r->series.inverse[i] * own[i];
        H += 0.5 * own[i] * w[i];
    }
    ph_cross3(w, own, aside);
    for (int i = 0; i < 3; i++)
        aside[i] *= m->pull * (m->H - H);
}

/* y1 <- y0 + (F^T - I) y */
static void rigid_turn_momentum(const double y0[3], const double y[3], const double u[3], double y1[3])
{
    double once[3], twice[3], factor = 2 / (1 + ph_dot3(u, u));
    ph_cross3(y, u, once);
    ph_cross3(once, u, twice);
    for (int i = 0; i < 3; i++)
        y1[i] = y0[i] + factor * (once[i] + twice[i]);
}

/* u <- the last increments extrapolated. */
static void rigid_guess(const rigid_motion *m, double u[3])
{
    static const double weight[HISTORY + 1][HISTORY] = {
        {0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};
    const double *w = weight[(int)m->count];
    for (int i = 0; i < 3; i++)
        u[i] = w[0] * m->u[0][i] +
               (w[1] * m->u[1][i] + (w[2] * m->u[2][i] + (w[3] * m->u[3][i] + w[4] * m->u[4][i])));
}

static ph_status rigid_too_long(const ph_context *context, double t, size_t body)
{
    return ph_fail(
        context->error, PH_E_NO_SOLUTION,
        "no solution at t = %.10g s: body %zu turns so far in a step of %.12g s "
        "that the series of order %d for its moments of inertia does not hold; take a smaller step",
        t, body, context->h, 2 * (int)context->options[ORDER] + 2);
}

/* The body with momentum S in space moves freely for h. One that is free goes on from the y of the step
 * before, to which only the increment has been added since it was last read off the orientation: so this one
 * need not wait for that. */
static ph_status rigid_move(ph_context *context, double t, double h, size_t body, const rigid_motion *m,
                            const double S[3], rigid_leap *next)
{
    const moser_veselov_scratch *sc = context->work;
    const rigid *r = &sc->bodies[body];
    double A[9], read_off[3], b[3], own[3], aside[3] = {0, 0, 0};
    const double *w = m->w, *y = m->y;
    rigid_matrix(m->q, A);
    ph_apply_transposed3(A, S, read_off);
    if (sc->pushed) {
        double H, C;
        ph_moser_veselov_invariants(&r->series, read_off, &H, &C);
        if (!rigid_find_inertia(&r->series, sc->degree, h, H, C, own))
            return rigid_too_long(context, t, body);
        w = own;
        y = read_off;
    } else {
        rigid_turn_back(r, m, read_off, aside);
    }
    for (int i = 0; i < 3; i++)
        b[i] = 0.5 * h * r->series.unit * y[i];
    rigid_guess(m, next->u);
    if (m->count == 0 || !rigid_solve(w, b, next->u, &context->statistics->newton_passes)) {
        ph_status status = branch_follow(context, t, body, w, b, next->u);
        if (status)
            return status;
    }
    rigid_turn_momentum(read_off, y, next->u, next->y);
    rigid_turn(m->q, m->low, next->u, aside, next->q, next->low);
    return PH_OK;
}

/* ---- A step ------------------------------------------------------------------------------------------ */

/* R (body to space) <- that of the principal axes */
static void rigid_orientation(const rigid *r, const double q[4], double R[9])
{
    double A[9];
    rigid_matrix(q, A);
    for (int i = 0; i < 3; i++) /* A axes^T */
        ph_apply3(r->axes, A + 3 * i, R + 3 * i);
}

/* moment (3n) <- that of potential and force at (t, z), in space. */
static ph_status moser_veselov_find_moments(ph_context *context, double t, const double *z, double *moment)
{
    moser_veselov_scratch *w = context->work;
    ph_status status = PH_OK;
    memset(moment, 0, 3 * w->n * sizeof *moment);
    memset(w->g, 0, 9 * w->n * sizeof *w->g);
    if (ph_system_has_potential(context->system))
        status = ph_context_judge(context, "the gradient of the potential", t,
                                  ph_system_gradient(context->system, z, w->g), w->g, 9 * w->n);
    if (!status && w->forced)
        status = ph_context_judge(context, "the force", t, ph_system_force(context->system, t, z, w->v, w->f),
                                  w->f, 9 * w->n);
    if (status)
        return status;
    for (size_t k = 0; k < 9 * w->n; k++)
        w->g[k] -= w->f[k];
    ph_add_moments(ph_system_space(context->system), w->parts, z, w->g, -1, moment);
    return PH_OK;
}

/* So that a step takes back at most return_rate: |w x y|^2 <= |w|^2 |y|^2. */
static double rigid_pull(const rigid *r, double H, double C)
{
    double most = 4 * H * C * fmax(r->series.inverse[0], fmax(r->series.inverse[1], r->series.inverse[2]));
    return most > 0 ? 0.5 * return_rate / most : 0;
}

/* fresh <- the motion of a state that was just set, or goes on with another step size. */
static ph_status rigid_begin(ph_context *context, const ph_state *state, double h)
{
    moser_veselov_scratch *w = context->work;
    const rigid_motion *old = (const rigid_motion *)(const void *)state->carry;
    bool set = old->h == 0;
    if (set && w->pushed) {
        ph_status status = moser_veselov_find_moments(context, state->t, state->z, w->moment);
        if (status)
            return status;
    }
    for (size_t i = 0; i < w->n; i++) {
        const rigid *r = &w->bodies[i];
        rigid_motion *m = &w->fresh[i];
        double A[9];
        *m = old[i];
        m->h = h;
        m->count = 0;
        if (set) {
            ph_multiply3(state->z + 9 * i, r->axes, A);
            rigid_quaternion(A, m->q);
            rigid_matrix(m->q, A);
            ph_apply3(state->z + 9 * i, state->p + 3 * i, m->S);
            ph_apply_transposed3(A, m->S, m->y);
            ph_moser_veselov_invariants(&r->series, m->y, &m->H, &m->C);
            m->pull = rigid_pull(r, m->H, m->C);
            memcpy(m->moment, w->moment + 3 * i, sizeof m->moment);
        }
        if (!w->pushed && !rigid_find_inertia(&r->series, w->degree, h, m->H, m->C, m->w))
            return rigid_too_long(context, state->t, i);
    }
    return PH_OK;
}

/* S1 <- S + (h/2) moment, with its low-order part. */
static void rigid_kick(const double S[3], const double low[3], const double moment[3], double h, double S1[3],
                       double low1[3])
{
    for (int k = 0; k < 3; k++)
        S1[k] = rigid_add_low(S[k], low[k], 0.5 * h * moment[k], &low1[k]);
}

/* next <- the motions `from`, at t, a step of h later. */
static ph_status rigid_substep(ph_context *context, const rigid_motion *from, double t, double h)
{
    moser_veselov_scratch *w = context->work;
    for (size_t i = 0; i < w->n; i++) {
        rigid_leap *next = &w->next[i];
        const double *S = from[i].S;
        if (w->pushed) {
            rigid_kick(S, from[i].S_low, from[i].moment, h, next->S, next->S_low);
            S = next->S;
        }
        ph_status status = rigid_move(context, t, h, i, &from[i], S, next);
        if (status)
            return status;
    }
    if (!w->pushed)
        return PH_OK;
    for (size_t i = 0; i < w->n; i++)
        rigid_orientation(&w->bodies[i], w->next[i].q, w->z1 + 9 * i);
    ph_status status = moser_veselov_find_moments(context, t + h, w->z1, w->moment);
    for (size_t i = 0; i < w->n && !status; i++) {
        rigid_leap *next = &w->next[i];
        rigid_kick(next->S, next->S_low, w->moment + 3 * i, h, next->S, next->S_low);
        if (!ph_all_finite(next->S, 3))
            status =
                ph_fail(context->error, PH_E_DIVERGED, "the momentum is not finite after t = %.10g s", t);
    }
    return status;
}

static void moser_veselov_commit(const moser_veselov_scratch *w, rigid_motion *m)
{
    for (size_t i = 0; i < w->n; i++, m++) {
        const rigid_leap *next = &w->next[i];
        memcpy(m->q, next->q, sizeof m->q);
        memcpy(m->low, next->low, sizeof m->low);
        memcpy(m->y, next->y, sizeof m->y);
        if (w->pushed) {
            memcpy(m->S, next->S, sizeof m->S);
            memcpy(m->S_low, next->S_low, sizeof m->S_low);
            memcpy(m->moment, w->moment + 3 * i, sizeof m->moment);
        }
        memmove(m->u[1], m->u[0], (HISTORY - 1) * sizeof m->u[0]);
        memcpy(m->u[0], next->u, sizeof m->u[0]);
        m->count = m->count < HISTORY ? m->count + 1 : HISTORY;
    }
}

static ph_status moser_veselov_step(ph_context *context, ph_state *state)
{
    const moser_veselov_scratch *w = context->work;
    rigid_motion *carry = (rigid_motion *)(void *)state->carry;
    bool goes_on = carry->h == context->h;
    ph_status status = goes_on ? PH_OK : rigid_begin(context, state, context->h);
    if (!status)
        status = rigid_substep(context, goes_on ? carry : w->fresh, state->t, context->h);
    if (status)
        return status;
    if (!goes_on)
        memcpy(carry, w->fresh, w->n * sizeof *carry);
    moser_veselov_commit(w, carry);
    return PH_OK;
}

static void moser_veselov_synchronise(ph_context *context, ph_state *state)
{
    const moser_veselov_scratch *w = context->work;
    const rigid_motion *m = (const rigid_motion *)(const void *)state->carry;
    for (size_t i = 0; i < w->n; i++, m++) {
        double *R = state->z + 9 * i;
        rigid_orientation(&w->bodies[i], m->q, R);
        ph_rotation_correct3(R);
        ph_apply_transposed3(R, m->S, state->p + 3 * i);
    }
}

/* ---- The method ---------------------------------------------------------------------------------- */

/* J = axes diag(I) axes^T by Jacobi's rotations, none where J is diagonal; axes is a rotation. */
static void rigid_find_axes(const double J[9], double axes[9], double I[3])
{
    enum { SWEEPS = 30 };
    double M[9];
    memcpy(M, J, sizeof M);
    memset(axes, 0, 9 * sizeof *axes);
    axes[0] = axes[4] = axes[8] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            double off = 0.5 * (M[3 * i + j] + M[3 * j + i]), gap = M[4 * j] - M[4 * i];
            M[3 * i + j] = M[3 * j + i] = 0;
            if (fabs(off) <= DBL_MIN + 0.125 * DBL_EPSILON * fmin(fabs(M[4 * i]), fabs(M[4 * j])))
                continue;
            double ratio = 0.5 * gap / off, t = copysign(1, ratio) / (fabs(ratio) + hypot(1, ratio));
            double c = 1 / hypot(1, t), s = t * c, aik = M[3 * i + k], ajk = M[3 * j + k];
            M[4 * i] -= t * off;
            M[4 * j] += t * off;
            M[3 * i + k] = M[3 * k + i] = c * aik - s * ajk;
            M[3 * j + k] = M[3 * k + j] = s * aik + c * ajk;
            for (int row = 0; row < 9; row += 3) {
                double a = axes[row + i], b = axes[row + j];
                axes[row + i] = c * a - s * b;
                axes[row + j] = s * a + c * b;
            }
        }
    for (int i = 0; i < 3; i++)
        I[i] = M[4 * i];
    ph_rotation_correct3(axes);
}

static ph_status moser_veselov_supports(const ph_system *system, ph_error *err)
{
    if (!ph_system_bodies(system))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "moser-veselov turns rigid bodies: a system on SO(3) or a product of them, "
                       "whose kinetic energy is the sum of those of the bodies; use variational");
    if (!ph_system_force_ignores_velocity(system))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "moser-veselov takes forces as kicks between free motions, "
                       "and this force depends on the velocity; use variational");
    return PH_OK;
}

/* Doubles that hold so many bytes. */
static size_t moser_veselov_doubles_for(size_t bytes)
{
    return (bytes + sizeof(double) - 1) / sizeof(double);
}

/* The struct and what is behind it. */
static void moser_veselov_lay(moser_veselov_scratch *w, const ph_system *system, ph_lay *l)
{
    ph_lay_bytes(l, sizeof *w);
    size_t n = ph_space_factors(ph_system_space(system));
    double **large[] = {&w->z1, &w->g, &w->f, &w->v};
    ph_newton_place(&w->newton, 3, l);
    w->parts = ph_lay_bytes(l, n * sizeof *w->parts);
    w->bodies = ph_lay_bytes(l, n * sizeof *w->bodies);
    w->next = ph_lay_bytes(l, n * sizeof *w->next);
    w->fresh = ph_lay_bytes(l, n * sizeof *w->fresh);
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        *large[i] = ph_lay_doubles(l, 9 * n);
    w->moment = ph_lay_doubles(l, 3 * n);
}

static ph_method_size moser_veselov_size(const ph_system *system, const double *values)
{
    moser_veselov_scratch counted;
    ph_lay l = {NULL, 0};
    (void)values;
    moser_veselov_lay(&counted, system, &l);
    return (ph_method_size){
        .work = l.bytes,
        .carry = ph_space_factors(ph_system_space(system)) * moser_veselov_doubles_for(sizeof(rigid_motion)),
    };
}

static ph_status moser_veselov_init(ph_context *context)
{
    moser_veselov_scratch *w = context->work;
    const ph_system *system = context->system;
    const ph_body *bodies = ph_system_bodies(system);
    ph_lay l = {context->work, 0};
    moser_veselov_lay(w, system, &l);
    w->n = ph_space_factors(ph_system_space(system));
    w->degree = (int)context->options[ORDER];
    w->forced = ph_system_has_force(system);
    w->pushed = w->forced || ph_system_has_potential(system);
    ph_lay_parts(ph_system_space(system), w->parts);
    memset(w->f, 0, 9 * w->n * sizeof *w->f);
    memset(w->v, 0, 9 * w->n * sizeof *w->v);
    for (size_t i = 0; i < w->n; i++) {
        double I[3];
        rigid_find_axes(bodies[i].J, w->bodies[i].axes, I);
        ph_moser_veselov_begin(I, &w->bodies[i].series);
    }
    return PH_OK;
}

/* Is it the motion of free bodies? */
static bool moser_veselov_is_free(const ph_system *system)
{
    return !ph_system_has_potential(system) && !ph_system_has_force(system);
}

static int moser_veselov_order_for(const ph_system *system, const double *values)
{
    return moser_veselov_is_free(system) ? 2 + 2 * (int)values[ORDER] : 2;
}

/* The map of order 2 is that of a discrete Lagrangian; preprocessed it keeps the Poisson bracket of y, but
 * not the symplectic form of T*SO(3). */
static unsigned moser_veselov_claims_for(const ph_system *system, const double *values)
{
    (void)system;
    return values[ORDER] == 0 ? PH_CLAIM_SYMPLECTIC : 0;
}

const ph_method ph_method_moser_veselov = {
    .name = "moser-veselov",
    .summary = "preprocessed discrete Moser-Veselov map of rigid bodies: "
               "order up to 10 where they are free; implicit",
    .reference =
        "Moser, Veselov, Commun. Math. Phys. 139 (1991) 217; Hairer, Vilmart, J. Phys. A 39 (2006) 13225",
    .order = 2,
    .order_for = moser_veselov_order_for,
    .claims = PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .claims_for = moser_veselov_claims_for,
    .options = options,
    .n_options = OPTIONS,
    .supports = moser_veselov_supports,
    .size = moser_veselov_size,
    .init = moser_veselov_init,
    .step = moser_veselov_step,
    .synchronise = moser_veselov_synchronise,
};
