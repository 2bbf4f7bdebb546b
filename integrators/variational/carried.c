/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator on links that a rigid body carries (ph_system_carrier), of order 2: the map of product.c in time in
 * proportion to the links. Between steps it carries velocities U in the middle of the last step, of x and of the masses, and the moment of
 * momentum M of the body about its centre of mass: from the middle of a step h1 to q to that of a step h from it
 *     m (U+ - U) = (1/2) (h1 + h) m A + pulls / h,      M+ - M = (1/2) (h1 + h) tau - c x sum of pulls on the hitch / h,
 * A the accelerations that masses have without links, tau the moment of forces, and the pulls lambda q with the turn of the body from the
 * equations of shared/carried.h. What Newton leaves of these does not turn the momentum: pulls act along links. Guesses are extrapolated.
 * The momentum at the end of a step (discrete Legendre transform) is synchronised when somebody asks, from U + (h/2) A, M + (h/2) tau.
 *
 * Sources: as multipliers.c and articulated.c. */
/* See shared/carried.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-loop-vectorize")
#endif

#include "carried.h"
#include "variational.h"

#include <polhode/kit/tensions.h>

typedef struct carried_scratch {
    carried_step eq;
    const ph_variational *method;
    const ph_system *system;
    size_t n, nz;
    double G[3];
    bool forced, pushed;
    double *z1, *z1_low, *f, *still, *g, *v; /* (nz) */
    double *U0, *U1, *U1_low, *A0, *A1;      /* (3n) */
    double M0[3], M1[3], M1_low[3], tau0[3], tau1[3];
    double *work;
} carried_scratch;

static size_t carried_lay(const ph_system *system, const double *options, ph_lay *l)
{
    carried_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    (void)options;
    w->system = system;
    ph_carried_lay(&w->eq, system, l);
    w->n = w->eq.n;
    w->nz = ph_space_ambient(ph_system_space(system));
    double **ambient[] = {&w->z1, &w->z1_low, &w->f, &w->still, &w->g, &w->v},
           **masses[] = {&w->U0, &w->U1, &w->U1_low, &w->A0, &w->A1};
    for (size_t i = 0; i < sizeof ambient / sizeof ambient[0]; i++)
        *ambient[i] = ph_lay_doubles(l, w->nz);
    for (size_t i = 0; i < sizeof masses / sizeof masses[0]; i++)
        *masses[i] = ph_lay_doubles(l, 3 * w->n);
    w->work = ph_lay_doubles(l, ph_system_work(system));
    return carried_carry_size(w->n);
}

const carried_step *ph_carried_equations(const void *work)
{
    return &((const carried_scratch *)work)->eq;
}

static ph_status carried_init(ph_variational *method, ph_context *context)
{
    carried_scratch *w = method->work;
    w->method = method;
    w->forced = ph_system_has_force(context->system);
    w->pushed = ph_system_has_further_potential(context->system);
    ph_carried_set(&w->eq, context->system);
    memcpy(w->G, ph_system_linkage(w->eq.links)->gravity, sizeof w->G);
    memset(w->still, 0, w->nz * sizeof *w->still); /* forces do not look at it */
    memset(w->f, 0, w->nz * sizeof *w->f);
    return PH_OK;
}

/* A, tau <- at (t, z). Gravity accelerates all alike, and only where there is nothing else in the potential it is taken by itself. */
static ph_status carried_accelerate(carried_scratch *w, const ph_context *context, double t, const double *z,
                                    double *A, double tau[3])
{
    ph_status status = PH_OK;
    if (w->forced)
        status = ph_context_judge(context, "the force", t, ph_system_force(w->system, t, z, w->still, w->f),
                                  w->f, w->nz);
    if (!status && w->pushed)
        status = ph_context_judge(context, "the gradient of the potential", t,
                                  ph_system_gradient(w->system, z, w->g), w->g, w->nz);
    if (status)
        return status;
    if (!w->forced && !w->pushed) {
        for (size_t i = 0; i < w->n; i++)
            memcpy(A + 3 * i, w->G, sizeof w->G);
        memset(tau, 0, 3 * sizeof *tau);
        return PH_OK;
    }
    for (size_t k = 0; k < w->nz && w->pushed; k++)
        w->g[k] = w->f[k] - w->g[k];
    ph_carried_accelerate(&w->eq, z, w->pushed ? w->g : w->f, A, tau);
    for (size_t k = 0; k < 3 * w->n && !w->pushed; k++)
        A[k] += w->G[k % 3];
    return PH_OK;
}

/* U0, M0 <- of the state's momentum. */
static ph_status carried_start(carried_scratch *w, const ph_context *context, const ph_state *state)
{
    const double *z = state->z, *R = z + 3;
    ph_status status =
        ph_context_judge(context, "the velocity", state->t,
                         ph_system_velocity(w->system, state->t, z, state->p, w->v, w->work), w->v, w->nz);
    double A[9], own[3], turned[3], moved[3];
    if (status)
        return status;
    ph_transposed_multiply3(R, w->v + 3, A);
    ph_vee3(A, own);
    apply_symmetric(w->eq.J, own, turned);
    ph_apply3(R, turned, w->M0);
    ph_apply3(w->v + 3, w->eq.hitch, moved);
    for (size_t k = 0; k < 3; k++)
        w->U0[k] = w->v[k];
    for (size_t i = 1; i < w->n; i++)
        for (size_t k = 0; k < 3; k++) {
            const double on = w->eq.parent[i] ? w->U0[3 * w->eq.parent[i] + k] : w->v[k] + moved[k];
            w->U0[3 * i + k] = on + w->eq.l[i] * w->v[CARRIED_BODY + 3 * i + k];
        }
    return PH_OK;
}

PH_WITH_FMA static void carried_guess(const carried_scratch *w, const carried_carry *c)
{
    const size_t many = (size_t)*c->count;
    const ph_stage *stage = w->method->stage;
    const double *of = stage ? stage->tensions[many - 1] : carried_weights[many - 1];
    double *restrict lambda = w->eq.lambda;
    const double *restrict past = c->lambda;
    const size_t n = w->n;
    if (many == GUESSES) {
        for (size_t i = 0; i < n; i++)
            lambda[i] =
                (of[0] * past[i] + of[1] * past[n + i]) + (of[2] * past[2 * n + i] + of[3] * past[3 * n + i]);
    } else {
        for (size_t i = 0; i < n; i++) {
            lambda[i] = of[0] * past[i];
            for (size_t j = 1; j < many; j++)
                lambda[i] += of[j] * past[j * n + i];
        }
    }
    carried_guess_turn(stage, many, c->v, (double *)(uintptr_t)w->eq.body.v);
}

/* a_1, a_2 of the step from U and A behind one by h1. */
PH_WITH_FMA static void carried_load(const carried_step *eq, double h, double h1, const double *restrict U,
                                     const double *restrict A)
{
    double *restrict a1 = eq->a1, *restrict a2 = eq->a2;
    for (size_t k = 0; k < 3 * eq->n; k++) {
        a1[k] = h * (U[k] + 0.5 * h1 * A[k]);
        a2[k] = h * (0.5 * h * A[k]);
    }
}

/* s + e = a + b, Knuth's, for vectors of the compiler */
INLINE void carried_sum(const double a, const double b, double *restrict s, double *restrict e)
{
    const double sum = a + b, added = sum - a;
    *e = (a - (sum - added)) + (b - added);
    *s = sum;
}

/* U1, M1, z1 and their low-order parts */
PH_WITH_FMA static void carried_end(carried_scratch *w, double h, double kick, const carried_carry *c,
                                    const double *restrict U, const double *M, const double *restrict A,
                                    const double *tau, const double *z, bool fresh)
{
    const carried_step *eq = &w->eq;
    const size_t m = 3 * w->n;
    const double *restrict low = c->U_low, *restrict q_low = c->z_low + CARRIED_BODY,
                           *restrict q = z + CARRIED_BODY;
    double on[3],
        turn[3], *restrict U1 = w->U1, *restrict U1_low = w->U1_low, *restrict D = eq->D, *restrict X = eq->X,
                           *restrict q1 = w->z1 + CARRIED_BODY, *restrict q1_low = w->z1_low + CARRIED_BODY;
    for (size_t k = 0; k < m && fresh; k++)
        X[k] = kick * A[k];
    for (size_t k = 0; k < m && !fresh; k++)
        X[k] = kick * A[k] + low[k];
    carried_pull(eq, eq->lambda, h, on);
    carried_add(true, eq, X);
    ph_cross3(eq->body.c, on, turn);
    for (size_t k = 0; k < 3; k++) {
        X[k] += eq->w[0] * on[k];
        ph_two_sum(M[k], (kick * tau[k] + turn[k]) + (fresh ? 0 : c->M_low[k]), &w->M1[k], &w->M1_low[k]);
    }
    for (size_t k = 0; k < m; k++)
        carried_sum(U[k], X[k], &U1[k], &U1_low[k]);
    for (size_t k = 0; k < 3; k++) {
        ph_two_sum(z[k], h * U1[k] + (h * U1_low[k] + c->z_low[k]), &w->z1[k], &w->z1_low[k]);
        turn[k] = U1[k] + eq->body.Dc[k] / h;
    }
    carried_turn(eq->body.v, eq->body.q0, z + 3, c->z_low + 3, w->z1 + 3, w->z1_low + 3);
    carried_differ(eq, U1, turn, D);
    turn[0] = U1_low[0], turn[1] = U1_low[1], turn[2] = U1_low[2];
    carried_differ(eq, U1_low, turn, X);
    for (size_t k = 3; k < m; k++)
        carried_sum(q[k], h * (D[k] + X[k]) + q_low[k], &q1[k], &q1_low[k]);
}

static void carried_commit(const carried_scratch *w, ph_state *state, const carried_carry *c, double stamp,
                           double h)
{
    const size_t bytes = 3 * w->n * sizeof(double);
    const int many = *c->h != stamp ? 0 : (int)*c->count;
    memcpy(state->z, w->z1, w->nz * sizeof(double));
    memcpy(c->z_low, w->z1_low, w->nz * sizeof(double));
    memcpy(c->U, w->U1, bytes);
    memcpy(c->U_low, w->U1_low, bytes);
    memcpy(c->A, w->A1, bytes);
    memcpy(c->M, w->M1, sizeof w->M1);
    memcpy(c->M_low, w->M1_low, sizeof w->M1_low);
    memcpy(c->tau, w->tau1, sizeof w->tau1);
    memmove(c->lambda + w->n, c->lambda, (GUESSES - 1) * w->n * sizeof(double));
    memcpy(c->lambda, w->eq.lambda, w->n * sizeof(double));
    memmove(c->v + 3, c->v, (GUESSES - 1) * 3 * sizeof(double));
    memcpy(c->v, w->eq.body.v, 3 * sizeof(double));
    *c->count = many < GUESSES ? many + 1 : GUESSES;
    *c->h = stamp;
    *c->last = h;
}

static ph_status carried_step_once(ph_variational *method, ph_context *context, ph_state *state)
{
    carried_scratch *w = method->work;
    carried_step *eq = &w->eq;
    const carried_carry c = carried_carry_of(w->n, state->carry);
    const bool fresh = *c.h == 0;
    const double h = context->h, stamp = ph_stage_stamp(method->stage, h), h1 = fresh ? 0 : *c.last,
                 t1 = state->t_base + (double)(state->k + 1 - state->k_base) * h;
    const double *U = c.U, *M = c.M, *A = c.A, *tau = c.tau;
    ph_status status = PH_OK;
    if (fresh) {
        status = carried_start(w, context, state);
        if (!status)
            status = carried_accelerate(w, context, state->t, state->z, w->A0, w->tau0);
        memset(c.z_low, 0, w->nz * sizeof(double));
        U = w->U0, M = w->M0, A = w->A0, tau = w->tau0;
    }
    if (status)
        return status;
    eq->z = state->z;
    eq->low = c.z_low;
    carried_load(eq, h, h1, U, A);
    for (size_t k = 0; k < 3; k++) {
        eq->L1[k] = h * (M[k] + 0.5 * h1 * tau[k]);
        eq->L2[k] = h * (0.5 * h * tau[k]);
    }
    bool solved = false;
    if (*c.h == stamp) {
        carried_guess(w, &c);
        solved = ph_carried_solve_fast(eq, &context->statistics->newton_passes);
    }
    if (!solved)
        status = ph_carried_solve_slowly(eq, context, state->t);
    if (status)
        return status;
    carried_end(w, h, 0.5 * (h1 + h), &c, U, M, A, tau, state->z, fresh);
    if (!ph_all_finite(w->z1, w->nz))
        return ph_fail(context->error, PH_E_DIVERGED, "the configuration is not finite after t = %.10g s",
                       state->t);
    status = carried_accelerate(w, context, t1, w->z1, w->A1, w->tau1);
    if (!status)
        carried_commit(w, state, &c, stamp, h);
    return status;
}

static void carried_synchronise(ph_variational *method, ph_state *state)
{
    carried_scratch *w = method->work;
    const carried_carry c = carried_carry_of(w->n, state->carry);
    const double half = 0.5 * *c.last, *R = state->z + 3;
    double M[3], S[3];
    if (*c.h == 0)
        return;
    for (size_t k = 0; k < 3 * w->n; k++)
        w->U0[k] = c.U[k] + (c.U_low[k] + half * c.A[k]);
    for (size_t k = 0; k < 3; k++)
        M[k] = c.M[k] + (c.M_low[k] + half * c.tau[k]);
    ph_carried_momenta(&w->eq, state->z, w->U0, M, w->v, S);
    memcpy(state->p, w->v, 3 * sizeof(double));
    ph_apply_transposed3(R, S, state->p + 3);
    for (size_t k = CARRIED_BODY + 3; k < w->nz; k += 3)
        ph_cross3(state->z + k, w->v + k, state->p + k - 6);
}

const ph_variational_kernel ph_variational_carried = {
    .lay = carried_lay, .init = carried_init, .step = carried_step_once, .synchronise = carried_synchronise};
