/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of dla with the rule `exponential` (general.c, general-constraints.c) of a rigid body that rolls on a plane
 * (polhode/kit/rolling.h), by three unknowns, the turn f = h xi. In the frame of the body at the beginning, with F = exp S(f),
 * T(f) of exp S(f + df) = exp S(f) exp S(T df), mu the impulse of the contact and mu_3 that of the normal (rubber balls),
 *     D/h = (first two components of R w) + (u(x) + u(x+))/2,      w = xi x (nu + F nu+)/2,
 *     mu  = m D/h - (h/2) pull - p_x,                              b = J xi + (m/2) (a a^T + a+ a+^T) xi,
 *     K(f) = T(f)^{-1} b - (h/2) l - Pi + nu x R^T mu - gamma mu_3 = 0,    gamma . f = 0 (rubber balls),
 * l the moment of L at a fixed body velocity. At the end the inertia about the contact, J + m (|nu|^2 - nu nu^T), is what the
 * momentum on the constraint is found by. The carry is that of the general step, which does the step instead where there
 * is no history or Newton's iteration with one Jacobian does not contract at once; it chooses the root. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/rolling.h>

#include "integrators/shared/carry.h"
#include "variational.h"

#include <float.h>
#include <string.h>

enum { NZ = 11, NP = 5, CORRECTIONS = 12 };
/* Larger turns [rad], larger first corrections and slower contraction are left to the general step. */
static const double largest_turn = 0.5, correction_wanted = 0.05, contraction_wanted = 0.05,
                    contraction_at_start = 0.5; /* where the guess is the beginning of the branch */

/* An attitude, by its third row. */
typedef struct place {
    double y[3], nu[3], a[3], H[9]; /* H: not of balls */
} place;

typedef struct scratch {
    ph_variational general; /* the general step, with scratch of its own */
    const ph_rolling *body;
    double h, inverse[4]; /* (1 - (h/2) carried)^{-1} */
    const double *x, *R;
    double p[2], Pi[3];
    place from, to;
    double f[3], xi[3], arm[3];  /* (nu + F nu+)/2 */
    double b[3], slope[3];       /* slope: (da/dgamma)^T xi at the beginning */
    double D[2], mu[3], back[3]; /* back: R^T mu */
    double Ly[3];                /* dL/dgamma at the beginning: l = Ly x gamma */
    double K[3], size;           /* size: of the terms of K */
} scratch;

static size_t lay(const ph_system *system, const double *options, ph_lay *l)
{
    scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_method_size general = ph_variational_measure(&ph_variational_general, system, options);
    w->general = (ph_variational){.kernel = &ph_variational_general, .work = ph_lay_line(l, general.work)};
    return general.carry;
}

static ph_status init(ph_variational *method, ph_context *context)
{
    scratch *w = method->work;
    w->body = ph_system_rolling(context->system);
    return ph_variational_begin(&w->general, context);
}

/* ---- Small algebra ------------------------------------------------------------------------------ */

static inline void add3(double out[3], double weight, const double v[3])
{
    for (int k = 0; k < 3; k++)
        out[k] += weight * v[k];
}

/* out <- R^T (mu, 0) */
static inline void turn_back(const double R[9], const double mu[2], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = R[k] * mu[0] + R[3 + k] * mu[1];
}

/* A += weight u v^T */
static inline void add_outer(double A[9], double weight, const double u[3], const double v[3])
{
    for (int i = 0; i < 9; i++)
        A[i] += weight * u[i / 3] * v[i % 3];
}

/* A += weight S(v) */
static inline void add_hat(double A[9], double weight, const double v[3])
{
    A[1] -= weight * v[2];
    A[2] += weight * v[1];
    A[3] += weight * v[2];
    A[5] -= weight * v[0];
    A[6] -= weight * v[1];
    A[7] += weight * v[0];
}

/* inverse <- A^{-1} */
static inline void invert3(const double A[9], double inverse[9])
{
    double c[9];
    for (int i = 0; i < 3; i++)
        ph_cross3(A + 3 * ((i + 1) % 3), A + 3 * ((i + 2) % 3), c + 3 * i);
    const double share = 1 / ph_dot3(A, c);
    for (int i = 0; i < 9; i++)
        inverse[i] = share * c[i % 3 * 3 + i / 3];
}

/* out <- exp(S(f)) v, or exp(-S(f)) v, by the coefficients of f. */
static inline void turn3(const double f[3], double a, double b, const double v[3], double out[3])
{
    double once[3], twice[3];
    ph_cross3(f, v, once);
    ph_cross3(f, once, twice);
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + (a * once[k] + b * twice[k]);
}

/* e of T(f)^{-1} = I + S(f)/2 + e S(f)^2, by |B_2n| / (2n)!, for turns up to half a radian. */
static inline double inverse_coefficient(double t2)
{
    return 1. / 12 +
           t2 * (1. / 720 +
                 t2 * (1. / 30240 +
                       t2 * (1. / 1209600 +
                             t2 * (1. / 47900160 +
                                   t2 * (691. / 1307674368000. +
                                         t2 * (1. / 74724249600. + t2 * (3617. / 10670622842880000.)))))));
}

/* u <- the velocity of the plane at x. */
static inline void find_drift(const scratch *w, const double *x, double u[2])
{
    const ph_rolling *r = w->body;
    for (int i = 0; i < 2; i++)
        u[i] = r->plane[i] + (r->carried[2 * i] * x[0] + r->carried[2 * i + 1] * x[1]);
}

/* ---- Equations ---------------------------------------------------------------------------------- */

/* nu, a and H of a place whose y is known; those of a ball are nu = radius y, a = 0. */
static inline void shape(const ph_rolling *r, place *at)
{
    if (r->radius > 0)
        for (int k = 0; k < 3; k++) {
            at->nu[k] = r->radius * at->y[k];
            at->a[k] = 0;
        }
    else
        ph_rolling_shape(r, at->y, at->nu, at->a, at->H);
}

/* out <- dL/dgamma at a place; slope (3) <- (da/dgamma)^T xi. */
static inline void find_slope(const scratch *w, const place *at, double slope[3], double out[3])
{
    const ph_rolling *r = w->body;
    ph_rolling_lift(at->y, at->nu, at->H, w->xi, slope);
    const double rise = r->mass * ph_dot3(at->a, w->xi);
    for (int k = 0; k < 3; k++)
        out[k] = rise * slope[k] - r->weight * at->nu[k];
}

/* K at f, but for gamma mu_3, and all that it is made of. */
static void evaluate(scratch *w)
{
    const ph_rolling *r = w->body;
    const double *f = w->f, h = w->h, t2 = ph_dot3(f, f), *R = w->R;
    double a, b, c, turned[3], once[3], twice[3], lever[3], move[3], v[2], moment[3];
    ph_sphere_coefficients(t2, &a, &b, &c);
    turn3(f, -a, b, w->from.y, w->to.y);
    shape(r, &w->to);
    for (int k = 0; k < 3; k++)
        w->xi[k] = f[k] / h;
    ph_apply3(r->J, w->xi, w->b);
    if (r->radius > 0) {
        memcpy(w->arm, w->from.nu, sizeof w->arm);
        memset(moment, 0, sizeof moment);
    } else {
        turn3(f, a, b, w->to.nu, turned);
        for (int k = 0; k < 3; k++)
            w->arm[k] = 0.5 * (w->from.nu[k] + turned[k]);
        add3(w->b, 0.5 * r->mass * ph_dot3(w->from.a, w->xi), w->from.a);
        add3(w->b, 0.5 * r->mass * ph_dot3(w->to.a, w->xi), w->to.a);
        find_slope(w, &w->from, w->slope, w->Ly);
        ph_cross3(w->Ly, w->from.y, moment);
    }
    ph_cross3(w->xi, w->arm, move);
    find_drift(w, w->x, v);
    for (int i = 0; i < 2; i++)
        v[i] += ph_dot3(R + 3 * i, move);
    for (int i = 0; i < 2; i++) {
        const double speed = w->inverse[2 * i] * v[0] + w->inverse[2 * i + 1] * v[1];
        w->D[i] = h * speed;
        w->mu[i] = r->mass * speed - 0.5 * h * r->pull[i] - w->p[i];
    }
    turn_back(R, w->mu, w->back);
    ph_cross3(w->from.nu, w->back, lever);
    ph_cross3(f, w->b, once);
    ph_cross3(f, once, twice);
    const double e = inverse_coefficient(t2);
    w->size = 0;
    for (int k = 0; k < 3; k++) {
        const double push = 0.5 * h * moment[k];
        w->K[k] = (w->b[k] - w->Pi[k]) + (0.5 * once[k] + e * twice[k]) - push + lever[k];
        w->size = fmax(w->size, fabs(w->b[k]) + fabs(push));
    }
}

/* dK/df: exact but for terms of order f^2 relative to the inertia, which contract Newton's iteration fast enough. */
static void differentiate(const scratch *w, double A[9])
{
    const ph_rolling *r = w->body;
    const double *R = w->R, *f = w->f, h = w->h, share = 0.5 * r->mass;
    double B[9], C[9], W[9] = {0}, S[9] = {0};
    for (int i = 0; i < 9; i++)
        B[i] = r->J[i] / h;
    add_hat(W, -1 / h, w->arm);
    if (!(r->radius > 0)) {
        /* L = (da/dgamma)^T at the end, of a+ by f: L^T S(y+) (1 - S(f)/2); of F nu+: (1 + S(f)) L (1 - S(f)/2) */
        double L[9] = {0}, half[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, full[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, G[9],
               Y[9];
        add_hat(half, -0.5, f);
        add_hat(full, 1, f);
        ph_hat3(w->to.y, Y);
        ph_multiply3(w->to.H, Y, L);
        add_hat(L, -1, w->to.nu);
        add_outer(B, share / h, w->from.a, w->from.a);
        add_outer(B, share / h, w->to.a, w->to.a);
        ph_multiply3(Y, half, C);
        ph_transposed_multiply3(L, C, G);
        double along[3], rise = ph_dot3(w->to.a, w->xi);
        ph_apply_transposed3(G, w->xi, along);
        add_outer(B, share, w->to.a, along);
        for (int i = 0; i < 9; i++)
            B[i] += share * rise * G[i];
        ph_multiply3(L, half, C);
        ph_multiply3(full, C, G);
        ph_hat3(w->xi, S);
        ph_multiply3(S, G, C);
        for (int i = 0; i < 9; i++)
            W[i] += 0.5 * C[i];
        /* -(h/2) dl */
        double Q[9] = {0};
        ph_hat3(w->from.y, Y);
        ph_multiply3(w->from.H, Y, Q);
        add_hat(Q, -1, w->from.nu);
        rise = ph_dot3(w->from.a, w->xi);
        for (int i = 0; i < 9; i++)
            Q[i] *= rise;
        add_outer(Q, 1, w->slope, w->from.a);
        ph_multiply3(Y, Q, S);
        for (int i = 0; i < 9; i++)
            S[i] *= share;
    }
    ph_hat3(f, C);
    ph_multiply3(C, B, A); /* T^{-1} b */
    for (int i = 0; i < 9; i++)
        A[i] = 0.5 * A[i] + B[i] + S[i];
    add_hat(A, -0.5, w->b);
    /* nu x R^T mu, dmu = m inverse (R W)_{1, 2} df */
    double rows[2][3], turn[2][3];
    for (int i = 0; i < 2; i++) {
        ph_apply_transposed3(W, R + 3 * i, rows[i]);
        ph_cross3(w->from.nu, R + 3 * i, turn[i]);
    }
    for (int i = 0; i < 2; i++) {
        const double c0 = r->mass * w->inverse[i], c1 = r->mass * w->inverse[2 + i];
        double by[3];
        for (int k = 0; k < 3; k++)
            by[k] = c0 * turn[0][k] + c1 * turn[1][k];
        add_outer(A, 1, by, rows[i]);
    }
}

/* inverse <- of dK/df at f; false where the symmetric part of h dK/df is not positive definite, as it is on the branch from h = 0. */
static bool linearise(const scratch *w, double inverse[9])
{
    double A[9];
    differentiate(w, A);
    invert3(A, inverse);
    const double s = w->h > 0 ? 1 : -1, b = 0.5 * (A[1] + A[3]), c = 0.5 * (A[2] + A[6]),
                 d = 0.5 * (A[5] + A[7]), minor = A[0] * A[4] - b * b;
    return s * A[0] > 0 && minor > 0 && s * (minor * A[8] - A[0] * d * d - A[4] * c * c + 2 * b * c * d) > 0;
}

/* d <- the correction of f by K; for rubber balls K is without gamma mu_3, which is found again by gamma . f = 0. Returns |d|. */
static double find_correction(scratch *w, const double inverse[9], double d[3])
{
    const double *y = w->from.y;
    double lift[3];
    ph_apply3(inverse, w->K, d);
    w->mu[2] = 0;
    if (!w->body->spins) {
        ph_apply3(inverse, y, lift);
        w->mu[2] = (ph_dot3(y, d) - ph_dot3(y, w->f)) / ph_dot3(y, lift);
        add3(d, -w->mu[2], lift);
    }
    return ph_max_norm(d, 3);
}

/* f, and all that evaluate leaves, by Newton's iteration from the guess in it; false where it is not beyond doubt that this is the
 * root: each correction is at most `contraction` times the one before, and all Jacobians on the way have a positive definite
 * symmetric part, with which no combination of them is singular. One is used as long as each iteration gains two digits. */
static bool solve(scratch *w, double contraction, int64_t *passes)
{
    double inverse[9], d[3], before = INFINITY;
    for (int pass = 0; pass < CORRECTIONS; pass++) {
        evaluate(w);
        if (pass == 0 && !linearise(w, inverse))
            return false;
        double step = find_correction(w, inverse, d);
        const double level = DBL_EPSILON * fmax(ph_max_norm(w->f, 3), w->size * ph_max_norm(inverse, 9));
        if (pass > 0 && step > 0.01 * before && step > level) {
            if (!linearise(w, inverse))
                return false;
            step = find_correction(w, inverse, d);
        }
        if (!(step <= (pass == 0 ? correction_wanted : contraction * before + 4 * level)))
            return false;
        add3(w->f, -1, d);
        ++*passes;
        if (pass > 0 && (step <= level || step * step <= 0.1 * level * before)) {
            evaluate(w);
            return ph_dot3(w->f, w->f) <= largest_turn * largest_turn; /* false of what is not finite, too */
        }
        before = step;
    }
    return false;
}

/* From the increments before; or, where the motion changes too fast for that, from the velocity at the beginning, where the branch
 * begins that is meant. */
static bool solve_from_guesses(scratch *w, const ph_carry *c, const ph_stage *stage, int64_t *passes)
{
    double off[2], back[3], lever[3], b[3];
    for (int k = 0; k < 3; k++) {
        const double *y = c->y + 2 + k;
        w->f[k] = ph_extrapolate(stage, *c->count, y[0], y[NP], y[2 * NP]);
    }
    if (solve(w, contraction_wanted, passes))
        return true;
    find_drift(w, w->x, off);
    for (int i = 0; i < 2; i++)
        off[i] = w->p[i] - w->body->mass * off[i];
    turn_back(w->R, off, back);
    ph_cross3(w->from.nu, back, lever);
    for (int k = 0; k < 3; k++)
        b[k] = w->Pi[k] + lever[k];
    ph_rolling_solve(w->body, w->from.y, w->from.nu, b, w->f);
    for (int k = 0; k < 3; k++)
        w->f[k] *= w->h;
    return solve(w, contraction_at_start, passes);
}

/* ---- The step ----------------------------------------------------------------------------------- */

/* push (2 + 3) += the impulse mu (3) at an attitude, and h/2 times l = Ly x gamma, in the frame of the surroundings: there
 * gamma is e3, and of a ball nu is radius e3, which leaves the momentum about the normal as it is. Ly: nullable. */
static void add_impulse(const scratch *w, const double R[9], const place *at, const double mu[3],
                        const double *Ly, double push[NP])
{
    double arm[3] = {0, 0, w->body->radius}, pull[3] = {0, 0, 0};
    if (!(w->body->radius > 0))
        ph_apply3(R, at->nu, arm);
    if (Ly)
        ph_apply3(R, Ly, pull);
    push[0] += mu[0];
    push[1] += mu[1];
    push[2] += mu[1] * arm[2] + 0.5 * w->h * pull[1];
    push[3] -= mu[0] * arm[2] + 0.5 * w->h * pull[0];
    push[4] += mu[0] * arm[1] - mu[1] * arm[0] + mu[2];
}

/* mu <- the impulse at the end that puts the momentum S (2 + 3, in the frame of the surroundings) on the constraint. */
static void find_impulse(const scratch *w, const double *x, const double R[9], const double *S, double mu[3])
{
    const ph_rolling *r = w->body;
    const place *at = &w->to;
    double u[2], off[2], Pi[3], back[3], lever[3], Omega[3], move[3];
    find_drift(w, x, u);
    for (int i = 0; i < 2; i++)
        off[i] = S[i] - r->mass * u[i];
    ph_apply_transposed3(R, S + 2, Pi);
    turn_back(R, off, back);
    ph_cross3(at->nu, back, lever);
    add3(Pi, 1, lever);
    mu[2] = ph_rolling_solve(r, at->y, at->nu, Pi, Omega);
    ph_cross3(Omega, at->nu, move);
    for (int i = 0; i < 2; i++)
        mu[i] = r->mass * (ph_dot3(R + 3 * i, move) + u[i]) - S[i];
}

/* z1, low1 (11), S1, S_low (5), p1 (5) <- the end of the step. */
static void finish(const scratch *w, const ph_carry *c, const double *z, double *z1, double *low1, double *S1,
                   double *S_low, double *p1)
{
    double X[9], D[NZ], Ly[3], slope[3], S[NP], mu[3],
        push[NP] = {w->h * w->body->pull[0], w->h * w->body->pull[1]};
    const double none[3] = {0};
    const bool ball = w->body->radius > 0;
    ph_exp_increment3(w->f, X);
    memcpy(D, w->D, sizeof w->D);
    ph_multiply3(w->R, X, D + 2);
    for (int k = 0; k < NZ; k++)
        ph_two_sum(z[k], D[k] + c->z_low[k], &z1[k], &low1[k]);
    ph_rotation_correct_sum3(z1 + 2, low1 + 2);
    add_impulse(w, w->R, &w->from, w->mu, ball ? NULL : w->Ly, push);
    if (!ball) {
        find_slope(w, &w->to, slope, Ly);
        add_impulse(w, z1 + 2, &w->to, none, Ly, push);
    }
    for (int k = 0; k < NP; k++)
        S[k] = c->S[k] + (c->low[k] + push[k]);
    find_impulse(w, z1, z1 + 2, S, mu);
    add_impulse(w, z1 + 2, &w->to, mu, NULL, push);
    for (int k = 0; k < NP; k++)
        ph_two_sum(c->S[k], c->low[k] + push[k], &S1[k], &S_low[k]);
    memcpy(p1, S1, 2 * sizeof *p1);
    ph_apply_transposed3(z1 + 2, S1 + 2, p1 + 2);
}

static void prepare(scratch *w, const ph_state *state, double h)
{
    const ph_rolling *r = w->body;
    const double half = 0.5 * h, a = 1 - half * r->carried[0], d = 1 - half * r->carried[3],
                 b = half * r->carried[1], e = half * r->carried[2], det = a * d - b * e;
    w->h = h;
    w->x = state->z;
    w->R = state->z + 2;
    w->inverse[0] = d / det;
    w->inverse[1] = b / det;
    w->inverse[2] = e / det;
    w->inverse[3] = a / det;
    memcpy(w->p, state->p, sizeof w->p);
    memcpy(w->Pi, state->p + 2, sizeof w->Pi);
    memcpy(w->from.y, w->R + 6, sizeof w->from.y);
    shape(r, &w->from);
}

/* What the general step keeps: the increments, the one of R^2 in its unit of length, and the impulses. */
static void keep_history(const scratch *w, const ph_carry *c)
{
    const size_t m = w->body->spins ? 2 : 3;
    double *mu =
        c->more + 4 + m; /* behind the noise of two factors, the length, the unit and the noise of m rows */
    memmove(c->y + NP, c->y, (PH_CARRY_HISTORY - 1) * NP * sizeof *c->y);
    memmove(mu + m, mu, (PH_CARRY_HISTORY - 1) * m * sizeof *mu);
    memcpy(mu, w->mu, m * sizeof *mu);
    for (int k = 0; k < 2; k++)
        c->y[k] = w->D[k] / c->more[2];
    memcpy(c->y + 2, w->f, sizeof w->f);
    *c->count = *c->count < PH_CARRY_HISTORY ? *c->count + 1 : PH_CARRY_HISTORY;
}

static ph_status step(ph_variational *method, ph_context *context, ph_state *state)
{
    scratch *w = method->work;
    ph_carry c = ph_carry_at(state->carry, NP, NZ);
    double z1[NZ], low1[NZ], S1[NP], S_low[NP], p1[NP];
    bool done = ph_carry_is_warm(&c, ph_stage_stamp(method->stage, context->h));
    if (done) {
        prepare(w, state, context->h);
        done = solve_from_guesses(w, &c, method->stage, &context->statistics->newton_passes);
    }
    if (done) {
        finish(w, &c, state->z, z1, low1, S1, S_low, p1);
        done = ph_all_finite(z1, NZ) && ph_all_finite(p1, NP);
    }
    if (!done) {
        w->general.stage = method->stage;
        return ph_variational_general.step(&w->general, context, state);
    }
    keep_history(w, &c);
    memcpy(state->z, z1, sizeof z1);
    memcpy(c.z_low, low1, sizeof low1);
    memcpy(c.S, S1, sizeof S1);
    memcpy(c.low, S_low, sizeof S_low);
    memcpy(state->p, p1, sizeof p1);
    return PH_OK;
}

const ph_variational_kernel ph_variational_rolling = {.lay = lay, .init = init, .step = step, .dense = true};
