/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator on (S^2)^n with an inertia M_ij for each pair of spheres, of order 2.
 *
 * Discrete Lagrangian, with D_i = q_i+ - q_i:
 *     L_d = (1/2h) sum M_ij D_i . D_j - (h/2) (U(q) + U(q+))
 * Discrete Lagrange-d'Alembert principle with f_d^- = (h/2) f(t, q, v), f_d^+ = (h/2) f(t + h, q+, v),
 * v = D/h the chord velocity. Discrete Legendre transforms (g = dU/dq; angular momenta pi = q x mu):
 *     pi_i  = q_i  x { (1/h) sum_j M_ij D_j + (h/2) (g_i  - f_i)  }      implicit for q+
 *     pi_i+ = q_i+ x { (1/h) sum_j M_ij D_j - (h/2) (g_i+ - f_i+) }      explicit
 *
 * Unknowns: q_i+ = exp(S(f_i)) q_i with f_i perpendicular to q_i, written in tangent coordinates as
 * u_i = f_i x q_i = E_i x_i, x_i in R^2, so that
 *     D_i = (cos|x_i| - 1) q_i + (sin|x_i|/|x_i|) E_i x_i.
 * Equations, 2n of them (h times the tangent part of the first transform):
 *     R_i = E_i^T { sum_j M_ij D_j + h q_i x pi_i + (h^2/2) (g_i - f_i) } = 0.
 * Their solution is not unique. The step is the root on the branch that starts at D = 0 for h = 0: the
 * guess extrapolated from the last increments is accepted only when Newton contracts fast from it and the
 * Jacobian at the root is positive definite, as it is for small h; otherwise the branch is followed from
 * h = 0, and where it turns back there is no solution.
 *
 * The new momentum is the old one plus an increment, the difference of the two transforms:
 *     pi_i+ - pi_i = (1/h) sum_j M_ij D_i x D_j - (h/2) { q_i x (g_i - f_i) + q_i+ x (g_i+ - f_i+) }.
 * Its first part sums to zero over i for any D whatever, so the momentum map does not see what Newton leaves;
 * it is computed pair by pair, and the sum is compensated (the carry keeps its low part), so that round-off
 * does not add up either.
 *
 * Sources: Marsden, West, Acta Numerica 10 (2001), parts 1 and 3; Lee, Leok, McClamroch, Int. J.
 * Numer. Meth. Eng. 79 (2009) 1147 (Lagrangian mechanics and variational integrators on two-spheres). */
#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>

#include "variational.h"

#include <stdbool.h>
#include <string.h>

/* Increments from which the guess is extrapolated. */
enum { HISTORY = 3 };

/* Where the parts of the carry are. */
typedef struct spheres_carry {
    double *h;     /* (1) step size of the increments; 0: empty */
    double *count; /* (1) how many increments are known, at most HISTORY */
    double *low;   /* (3n) low-order part of the momentum: p + low is the compensated sum; ... */
    double *q_low; /* (3n) ... and that of the configuration */
    double *g;     /* (3n) dU/dq at z */
    double *D;     /* (HISTORY x 3n) increments, the latest first */
} spheres_carry;

/* Arrays have n vectors of three numbers where no size is given. */
typedef struct spheres_scratch {
    const ph_variational *method;
    ph_implicit_notes notes;
    const ph_system *system;
    const ph_context *context;
    const double *M; /* (n x n) */
    size_t n;
    bool forced, velocity; /* is there a force; does it depend on the velocity */
    double t, h;
    const double *q, *g;   /* at the start of the step */
    double *E;             /* (n x 2 x 3) tangent bases */
    double *turn;          /* q_i x pi_i; after the solve the increment of pi_i from the start */
    double *f, *v;         /* force and chord velocity */
    double *D;             /* increments */
    double *x;             /* (2n) unknowns */
    double *dD;            /* (n x 2 x 3) dD_i/dx_i */
    double *a, *c;         /* (n) coefficients of exp */
    double *dfdv, *fwork;  /* (3n x 3n), (9n): velocity-dependent forces only */
    double *q1, *pi1, *g1; /* at the end of the step */
    double *low1, *q1_low;
    double small_turn; /* [rad] no turns up to this make E^T M dD indefinite */
    double s;          /* where the latest residual was taken: parameter ... */
    const double *at;  /* ... and unknowns */
    ph_newton_work newton;
} spheres_scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static spheres_carry spheres_carry_of(const ph_state *state, size_t n)
{
    double *c = state->carry;
    return (spheres_carry){
        .h = c, .count = c + 1, .low = c + 2, .q_low = c + 2 + 3 * n, .g = c + 2 + 6 * n, .D = c + 2 + 9 * n};
}

static size_t spheres_lay(const ph_system *system, const double *options, ph_lay *l)
{
    spheres_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const size_t n = ph_space_factors(ph_system_space(system));
    (void)options;
    double **vectors[] = {&w->turn, &w->f, &w->v, &w->D, &w->q1, &w->pi1, &w->g1, &w->low1, &w->q1_low};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, 3 * n);
    w->E = ph_lay_doubles(l, 6 * n);
    w->dD = ph_lay_doubles(l, 6 * n);
    w->x = ph_lay_doubles(l, 2 * n);
    w->a = ph_lay_doubles(l, n);
    w->c = ph_lay_doubles(l, n);
    if (!ph_system_force_ignores_velocity(system)) {
        w->dfdv = ph_lay_doubles(l, 9 * n * n);
        w->fwork = ph_lay_doubles(l, 9 * n);
    }
    ph_newton_place(&w->newton, 2 * n, l);
    return 2 + 3 * n * (3 + HISTORY);
}

/* A turn up to which E^T M dD is certainly positive definite. With |x_j| <= t the columns of dD_j differ from
 * E_j by at most t, so that this holds for t < sqrt(smallest / largest eigenvalue of M), M scaled to a unit
 * diagonal. The trace of the inverse bounds the smallest one, row sums the largest. 0 (unknown) for large n,
 * where computing the bound would take longer than examining the matrix at the root. */
static double spheres_small_turn(spheres_scratch *w)
{
    size_t n = w->n;
    double *A = w->newton.J, *column = w->newton.dx, inverse = 0, largest = 0;
    if (n > PH_SMALL_LU)
        return 0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            A[i * n + j] = w->M[i * n + j] / sqrt(w->M[i * n + i] * w->M[j * n + j]);
            sum += fabs(A[i * n + j]);
        }
        largest = fmax(largest, sum);
    }
    if (ph_cholesky_factor(n, A))
        return 0;
    for (size_t i = 0; i < n; i++) {
        memset(column, 0, n * sizeof *column);
        column[i] = 1;
        ph_cholesky_solve(n, A, column);
        inverse += column[i];
    }
    return 0.99 / sqrt(inverse * largest); /* 0.99: for rounding */
}

static ph_status spheres_init(ph_variational *method, ph_context *context)
{
    spheres_scratch *w = method->work;
    w->method = method;
    w->system = context->system;
    w->context = context;
    w->M = ph_system_inertia(context->system);
    w->n = ph_space_factors(ph_system_space(context->system));
    w->forced = ph_system_has_force(context->system);
    w->velocity = !ph_system_force_ignores_velocity(context->system);
    w->h = context->h;
    memset(w->f, 0, 3 * w->n * sizeof *w->f);
    w->small_turn = spheres_small_turn(w);
    return PH_OK;
}

/* ---- Callbacks, with messages ------------------------------------------------------------------- */

static ph_status spheres_call_gradient(spheres_scratch *w, const double *q, double t, double *g)
{
    return ph_context_judge(w->context, "the gradient of the potential", t,
                            ph_system_gradient(w->system, q, g), g, 3 * w->n);
}

/* f at q and the chord velocity v. */
static ph_status spheres_call_force(spheres_scratch *w, const double *q, double t)
{
    return ph_context_judge(w->context, "the force", t, ph_system_force(w->system, t, q, w->v, w->f), w->f,
                            3 * w->n);
}

/* ---- The equations ------------------------------------------------------------------------------ */

/* D_i and its coefficients from x. */
static void spheres_find_increments(spheres_scratch *w, const double *x)
{
    for (size_t i = 0; i < w->n; i++) {
        const double *e1 = w->E + 6 * i, *e2 = e1 + 3, *q = w->q + 3 * i;
        double x1 = x[2 * i], x2 = x[2 * i + 1], t2 = x1 * x1 + x2 * x2, a, b, c;
        ph_sphere_coefficients(t2, &a, &b, &c);
        for (size_t k = 0; k < 3; k++)
            w->D[3 * i + k] = a * (x1 * e1[k] + x2 * e2[k]) - b * t2 * q[k];
        w->a[i] = a;
        w->c[i] = c;
    }
}

/* f at (t, q, D/(s h)); at s = 0 it has no weight. */
static ph_status spheres_chord_force(spheres_scratch *w, double s)
{
    if (!w->velocity)
        return PH_OK;
    if (s == 0) {
        memset(w->f, 0,
               3 * w->n * sizeof *w->f); /* 0 * NaN, which an earlier failure may have left, is NaN */
        return PH_OK;
    }
    for (size_t i = 0; i < 3 * w->n; i++)
        w->v[i] = w->D[i] / (s * w->h);
    return ph_implicit_note(&w->notes, "the force", ph_system_force(w->system, w->t, w->q, w->v, w->f));
}

static ph_status spheres_residual(void *self, double s, const double *x, double *r, double *scale)
{
    spheres_scratch *w = self;
    const double h = s * w->h,
                 half = 0.5 * h; /* h^2 / 2 would be rounded differently from the kick of the momentum */
    w->s = s;
    w->at = x;
    spheres_find_increments(w, x);
    ph_status status = spheres_chord_force(w, s);
    if (status)
        return status;
    for (size_t i = 0; i < w->n; i++) {
        const double *row = w->M + i * w->n;
        double sum[3] = {0, 0, 0}, size = 0, rest[3];
        for (size_t j = 0; j < w->n; j++) {
            for (size_t k = 0; k < 3; k++)
                sum[k] += row[j] * w->D[3 * j + k];
            size += fabs(row[j]) * (fabs(x[2 * j]) + fabs(x[2 * j + 1]));
        }
        for (size_t k = 0; k < 3; k++) {
            double turn = h * w->turn[3 * i + k], push = h * (half * (w->g[3 * i + k] - w->f[3 * i + k]));
            rest[k] = sum[k] + (turn + push);
            size += fabs(turn) + fabs(push);
        }
        for (size_t l = 0; l < 2; l++) {
            r[2 * i + l] = ph_dot3(w->E + 6 * i + 3 * l, rest);
            scale[2 * i + l] = size;
        }
    }
    return PH_OK;
}

/* dD_j/dx_jl = a e_l - a x_l q + c x_l u. */
static void spheres_find_derivatives(spheres_scratch *w, const double *x)
{
    for (size_t j = 0; j < w->n; j++) {
        const double *e = w->E + 6 * j, *q = w->q + 3 * j;
        double a = w->a[j], c = w->c[j], x1 = x[2 * j], x2 = x[2 * j + 1];
        for (size_t k = 0; k < 3; k++) {
            double along = c * (x1 * e[k] + x2 * e[3 + k]) - a * q[k];
            w->dD[6 * j + k] = a * e[k] + x1 * along;
            w->dD[6 * j + 3 + k] = a * e[3 + k] + x2 * along;
        }
    }
}

static ph_status spheres_call_force_dv(spheres_scratch *w)
{
    return ph_implicit_note(&w->notes, "the derivative of the force",
                            ph_system_force_dv(w->system, w->t, w->q, w->v, w->dfdv, w->fwork));
}

/* J <- J - (s h/2) E^T (df/dv) dD. */
static ph_status spheres_add_force_jacobian(spheres_scratch *w, double *J)
{
    size_t n = w->n, m = 2 * n;
    double weight = 0.5 * w->s * w->h;
    ph_status status = spheres_call_force_dv(w);
    for (size_t i = 0; i < n && !status; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t l = 0; l < 2; l++) {
                double push[3];
                for (size_t k = 0; k < 3; k++)
                    push[k] = ph_dot3(w->dfdv + (3 * i + k) * 3 * n + 3 * j, w->dD + 6 * j + 3 * l);
                J[2 * i * m + 2 * j + l] -= weight * ph_dot3(w->E + 6 * i, push);
                J[(2 * i + 1) * m + 2 * j + l] -= weight * ph_dot3(w->E + 6 * i + 3, push);
            }
    return status;
}

static ph_status spheres_jacobian(void *self, double *J)
{
    spheres_scratch *w = self;
    size_t n = w->n, m = 2 * n;
    spheres_find_derivatives(w, w->at);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double Mij = w->M[i * n + j];
            for (size_t k = 0; k < 2; k++)
                for (size_t l = 0; l < 2; l++)
                    J[(2 * i + k) * m + 2 * j + l] =
                        Mij * ph_dot3(w->E + 6 * i + 3 * k, w->dD + 6 * j + 3 * l);
        }
    return w->velocity && w->s != 0 ? spheres_add_force_jacobian(w, J) : PH_OK;
}

/* dR_i/ds = E_i^T { h q_i x pi_i + s h^2 (g_i - f_i) + (h/2) (df/dv D)_i }. */
static ph_status spheres_parameter_derivative(void *self, double *rs)
{
    spheres_scratch *w = self;
    size_t n = w->n;
    bool velocity = w->velocity && w->s != 0;
    ph_status status = PH_OK;
    if (velocity)
        status = spheres_call_force_dv(w);
    for (size_t i = 0; i < n && !status; i++) {
        double rest[3];
        for (size_t k = 0; k < 3; k++) {
            size_t at = 3 * i + k;
            rest[k] = w->h * w->turn[at] + w->s * w->h * w->h * (w->g[at] - w->f[at]);
            for (size_t j = 0; j < 3 * n && velocity; j++)
                rest[k] += 0.5 * w->h * w->dfdv[at * 3 * n + j] * w->D[j];
        }
        rs[2 * i] = ph_dot3(w->E + 6 * i, rest);
        rs[2 * i + 1] = ph_dot3(w->E + 6 * i + 3, rest);
    }
    return status;
}

/* ---- The step ----------------------------------------------------------------------------------- */

/* x <- the guess, with the tangent part of D extrapolated: E^T D = (sin|x|/|x|) x. */
static void spheres_extrapolate(spheres_scratch *w, const spheres_carry *c)
{
    const double *D1 = c->D, *D2 = D1 + 3 * w->n, *D3 = D2 + 3 * w->n;
    for (size_t i = 0; i < w->n; i++) {
        double D[3];
        for (size_t k = 0; k < 3; k++) {
            size_t at = 3 * i + k;
            D[k] = ph_extrapolate(w->method->stage, *c->count, D1[at], D2[at], D3[at]);
        }
        double y1 = ph_dot3(w->E + 6 * i, D), y2 = ph_dot3(w->E + 6 * i + 3, D), y = y1 * y1 + y2 * y2;
        double stretch = y < 0.01  ? 1 + y * (1. / 6 + y * (3. / 40 + y * (15. / 336 + y * (105. / 3456))))
                         : y < 0.9 ? ph_asin(sqrt(y)) / sqrt(y)
                                   : 1;
        w->x[2 * i] = stretch * y1;
        w->x[2 * i + 1] = stretch * y2;
    }
}

/* Is the symmetric part of E^T (M - (h/2) df/dv) Y positive definite, for Y (n x 2 x 3) like E, with df/dv as
 * the solver left it? */
static bool spheres_is_positive(spheres_scratch *w, const double *Y)
{
    size_t n = w->n, m = 2 * n;
    double *S = w->newton.J;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++) {
            const double *ei = w->E + 3 * i, *ej = w->E + 3 * j, *yi = Y + 3 * i, *yj = Y + 3 * j;
            double sum = 0;
            for (size_t k = 0; k < 3 && w->velocity; k++)
                for (size_t l = 0; l < 3; l++) {
                    size_t row = 3 * (i / 2) + k, column = 3 * (j / 2) + l;
                    sum += ei[k] * yj[l] * w->dfdv[row * 3 * n + column] +
                           ej[l] * yi[k] * w->dfdv[column * 3 * n + row];
                }
            S[i * m + j] =
                0.5 * (w->M[i / 2 * n + j / 2] * (ph_dot3(ei, yj) + ph_dot3(ej, yi)) - 0.5 * w->h * sum);
        }
    return ph_cholesky_factor(m, S) == PH_OK;
}

/* Is the Jacobian positive definite at the root x, as it is at the start of the branch? (The sign of det J
 * alone does not show two eigenvalues that have changed sign.) For small turns it is, unless the force
 * depends on the velocity: strong damping backwards in time, or driving forwards, may have made the matrix
 * singular between 0 and h. It was not if the matrix at D = 0, which is linear in h, is positive definite,
 * too; for small turns that is the one at the root. */
static bool spheres_on_the_branch(void *self)
{
    spheres_scratch *w = self;
    double turn = 0;
    for (size_t i = 0; i < w->n; i++)
        turn = fmax(turn, ph_hypot(w->x[2 * i], w->x[2 * i + 1]));
    if (!w->velocity && turn <= w->small_turn)
        return true;
    spheres_find_derivatives(w, w->x);
    return spheres_is_positive(w, w->dD) &&
           (!w->velocity || turn <= w->small_turn || spheres_is_positive(w, w->E));
}

/* Solves for x; D and f are then those of the solution. */
static ph_status spheres_solve(spheres_scratch *w, ph_context *context, const ph_state *state,
                               const spheres_carry *c)
{
    bool warm = *c->h == ph_stage_stamp(w->method->stage, w->h) && *c->count > 0;
    const ph_implicit_root root = {.equations = {.n = 2 * w->n,
                                                 .size = 1,
                                                 .self = w,
                                                 .residual = spheres_residual,
                                                 .jacobian = spheres_jacobian,
                                                 .parameter_derivative = spheres_parameter_derivative},
                                   .guessed = warm,
                                   .on_the_branch = spheres_on_the_branch,
                                   .notes = &w->notes};
    if (warm)
        spheres_extrapolate(w, c);
    return ph_implicit_solve(&root, context, state->t, w->x, &w->newton);
}

/* turn_i <- (1/h) sum_j M_ij D_i x D_j - (h/2) q_i x (g_i - f_i): while f is still the force at the start.
 * D_i x D_j is computed once for both spheres, so that what one gains the other loses to the last bit. It is
 * divided by h: a rounded 1/h would err to the same side in every step. */
static void spheres_first_increment(spheres_scratch *w)
{
    for (size_t i = 0; i < w->n; i++) {
        double push[3], pull[3];
        for (size_t k = 0; k < 3; k++)
            push[k] = w->g[3 * i + k] - w->f[3 * i + k];
        ph_cross3(w->q + 3 * i, push, pull);
        for (size_t k = 0; k < 3; k++)
            w->turn[3 * i + k] = -0.5 * w->h * pull[k];
    }
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = i + 1; j < w->n; j++) {
            double turn[3], weight = w->M[i * w->n + j];
            ph_cross3(w->D + 3 * i, w->D + 3 * j, turn);
            for (size_t k = 0; k < 3; k++) {
                double gain = weight * turn[k] / w->h;
                w->turn[3 * i + k] += gain;
                w->turn[3 * j + k] -= gain;
            }
        }
}

/* pi1 + low1 <- pi + low + turn - (h/2) q1 x (g1 - f1). */
static void spheres_new_momentum(spheres_scratch *w, const double *pi, const double *low)
{
    for (size_t i = 0; i < w->n; i++) {
        double push[3], pull[3];
        for (size_t k = 0; k < 3; k++)
            push[k] = w->g1[3 * i + k] - w->f[3 * i + k];
        ph_cross3(w->q1 + 3 * i, push, pull);
        for (size_t k = 0; k < 3; k++) {
            size_t at = 3 * i + k;
            ph_two_sum(pi[at], low[at] + (w->turn[at] - 0.5 * w->h * pull[k]), &w->pi1[at], &w->low1[at]);
        }
    }
}

static void spheres_commit(spheres_scratch *w, ph_state *state, spheres_carry *c)
{
    size_t m = 3 * w->n;
    memcpy(state->z, w->q1, m * sizeof(double));
    memcpy(state->p, w->pi1, m * sizeof(double));
    memcpy(c->low, w->low1, m * sizeof(double));
    memcpy(c->q_low, w->q1_low, m * sizeof(double));
    memcpy(c->g, w->g1, m * sizeof(double));
    memmove(c->D + m, c->D, (HISTORY - 1) * m * sizeof(double));
    memcpy(c->D, w->D, m * sizeof(double));
    const double stamp = ph_stage_stamp(w->method->stage, w->h);
    *c->count = *c->h != stamp ? 1 : *c->count < HISTORY ? *c->count + 1 : HISTORY;
    *c->h = stamp;
}

static ph_status spheres_step(ph_variational *method, ph_context *context, ph_state *state)
{
    spheres_scratch *w = method->work;
    spheres_carry c = spheres_carry_of(state, w->n);
    w->h = context->h;
    double t1 = state->t_base + (double)(state->k + 1 - state->k_base) * w->h;
    ph_status status = PH_OK;
    w->t = state->t;
    w->q = state->z;
    w->g = c.g;
    if (*c.count == 0) {
        status = spheres_call_gradient(w, w->q, w->t, w->g1);
        if (status)
            return status;
        w->g = w->g1;
    }
    for (size_t i = 0; i < w->n; i++) {
        ph_tangent_basis3(w->q + 3 * i, w->E + 6 * i, w->E + 6 * i + 3);
        ph_cross3(w->q + 3 * i, state->p + 3 * i, w->turn + 3 * i);
    }
    if (w->forced && !w->velocity) {
        memset(w->v, 0, 3 * w->n * sizeof *w->v);
        status = spheres_call_force(w, w->q, w->t);
    }
    if (!status)
        status = spheres_solve(w, context, state, &c);
    if (status)
        return status;
    ph_space_advance(ph_system_space(w->system), w->q, c.q_low, w->D, w->q1, w->q1_low);
    spheres_first_increment(w);
    status = spheres_call_gradient(w, w->q1, t1, w->g1);
    if (!status && w->forced)
        status = spheres_call_force(w, w->q1, t1);
    if (status)
        return status;
    spheres_new_momentum(w, state->p, c.low);
    if (!ph_all_finite(w->pi1, 3 * w->n))
        return ph_fail(context->error, PH_E_DIVERGED, "the momentum is not finite after t = %.10g s", w->t);
    spheres_commit(w, state, &c);
    return PH_OK;
}

const ph_variational_kernel ph_variational_spheres = {
    .lay = spheres_lay, .init = spheres_init, .step = spheres_step, .dense = true};
