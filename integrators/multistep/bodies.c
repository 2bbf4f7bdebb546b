/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a multistep method on rigid bodies, by themselves or joined to a tree (ph_articulation): those of tangent.c in
 * time proportional to n. With F the turn of a body in space, D = (F - I) R, and the other letters of variational/articulated.c,
 *     MM D = D J_d + m Dx c^T + sum over children L d^T,      spin(M) = sum over columns R_k x M_k,
 *     spin(MM D - h (W + h sigma (f - dU))) = 0,
 * which is what joints-solve.c solves, with spin(W + h sigma (f - dU)) in the place of the momentum and no torque. Velocities and
 * accelerations are covectors here, MM v and MM a; of MM D only the normal part R sym(R^T M) is taken, see tangent.c. */
#include "integrators/shared/joints.h"
#include "multistep.h"
#include "push.h"

typedef struct bodies_scratch {
    joints_scratch j;
    multistep_push push;
    double *S, *none; /* (3n) the load over h; no torque */
    double *guess;    /* (3n) turns */
    double *mu, *v;   /* (9n) */
} bodies_scratch;

static void bodies_lay(const ph_system *system, ph_lay *l)
{
    bodies_scratch counted, *place = ph_lay_bytes(l, sizeof counted), *w = place ? place : &counted;
    double **three[] = {&w->S, &w->none, &w->guess}, **nine[] = {&w->mu, &w->v};
    ph_joints_lay(&w->j, system, l);
    multistep_push_lay(&w->push, system, l);
    for (size_t i = 0; i < sizeof three / sizeof three[0]; i++)
        *three[i] = ph_lay_doubles(l, 3 * w->j.n);
    for (size_t i = 0; i < sizeof nine / sizeof nine[0]; i++)
        *nine[i] = ph_lay_doubles(l, 9 * w->j.n);
}

static ph_status bodies_init(void *work, ph_context *context)
{
    bodies_scratch *w = work;
    ph_joints_set(&w->j, context->system);
    w->j.h = context->h;
    multistep_push_init(&w->push, context->system);
    memset(w->none, 0, 3 * w->j.n * sizeof *w->none);
    return PH_OK;
}

/* M += a b^T */
INLINE void add_product(const double a[3], const double b[3], double M[9])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            M[3 * r + c] += a[r] * b[c];
}

/* u, a, v1 of body i, and its next place. The step is a copy, of which nothing that is written can be a part. */
INLINE void bodies_end_one(const bodies_scratch *w, const ph_multistep_step s, size_t i)
{
    const joints_body *b = &w->j.bodies[i];
    const joints_node *k = &w->j.nodes[i];
    const size_t at = 9 * i;
    const double *R = s.q + at, *push = w->push.push + at;
    const double half = 0.5 * (b->J[0] + b->J[1] + b->J[2]),
                 Jd[6] = {half - b->J[0], half - b->J[1], half - b->J[2], -b->J[3], -b->J[4], -b->J[5]};
    double X[9], D[9], M[9], N[9], pushed[9];
    turn_matrix(k->v, k->q0, X);
    ph_multiply3(X, R, D);
    for (int r = 0; r < 3; r++)
        apply_symmetric(Jd, D + 3 * r, M + 3 * r);
    if (b->mass > 0)
        add_product(k->P, b->c, M);
    for (ptrdiff_t c = b->child; c != NONE; c = w->j.bodies[c].sibling)
        add_product(w->j.nodes[c].L, w->j.bodies[c].d, M);
    for (size_t e = 0; e < 9; e++) {
        pushed[e] = s.h * s.sigma * push[e];
        M[e] = ((M[e] / s.h - s.v[at + e]) - s.v_low[at + e]) - pushed[e];
    }
    joints_normal_part(R, M, N);
    for (size_t e = 0; e < 9; e++)
        M[e] = push[e] + N[e] / s.h / s.sigma;
    for (size_t e = 0; e < 9; e++) {
        const double u = pushed[e] + N[e];
        double v1, v1_low;
        ph_two_sum(s.v[at + e], u + s.v_low[at + e], &v1, &v1_low);
        s.u[at + e] = u;
        s.a[at + e] = M[e];
        s.v1[at + e] = v1;
        s.v1_low[at + e] = v1_low;
    }
    for (size_t e = 0; e < 9; e++)
        ph_two_sum(R[e], D[e] + s.low[at + e], &D[e], &X[e]);
    ph_rotation_correct_sum3(D, X);
    memcpy(s.q1 + at, D, sizeof D);
    memcpy(s.low1 + at, X, sizeof X);
}

PH_WITH_FMA static void bodies_begin(const bodies_scratch *w, const ph_multistep_step s)
{
    for (size_t i = 0; i < w->j.n; i++) {
        const double *push = w->push.push + 9 * i, *v = s.v + 9 * i, *low = s.v_low + 9 * i;
        double load[9];
        for (size_t e = 0; e < 9; e++)
            load[e] = (s.h * s.sigma * push[e] + low[e]) + v[e];
        joints_spin(s.q + 9 * i, load, w->S + 3 * i);
        joints_expect(9 * w->j.n, s.q + 9 * i, w->guess + 3 * i);
    }
}

PH_WITH_FMA static void bodies_end(const bodies_scratch *w, const ph_multistep_step s)
{
    for (size_t i = 0; i < w->j.n; i++)
        bodies_end_one(w, s, i);
}

static ph_status bodies_advance(void *work, ph_context *context, const ph_state *state,
                                const ph_multistep_step *s)
{
    static const double whole[] = {1};
    bodies_scratch *w = work;
    const joints_start start = {.S = w->S, .tau = w->none, .count = 1, .turns = {w->guess}, .weights = whole};
    ph_status status = multistep_push_find(&w->push, context, s->t, s->q);
    if (status)
        return status;
    bodies_begin(w, *s);
    if (!ph_joints_solve_fast(&w->j, s->q, &start, &context->statistics->newton_passes))
        status = ph_joints_solve_slowly(&w->j, context, state->t, s->q, &start);
    if (!status)
        bodies_end(w, *s);
    return status;
}

/* zdotdot = S(e) R + N, N normal: spin(MM (S(e) R + N)) = spin(push). */
static ph_status bodies_acceleration(void *work, ph_context *context, double t, const double *z,
                                     const double *v, double *a)
{
    bodies_scratch *w = work;
    ph_status status = multistep_push_find(&w->push, context, t, z);
    if (status)
        return status;
    ph_space_projection_along(ph_system_space(context->system), z, v, v, a);
    ph_system_apply_inertia(context->system, a, w->mu);
    for (size_t k = 0; k < w->push.nz; k++)
        w->mu[k] = w->push.push[k] - w->mu[k];
    for (size_t i = 0; i < w->j.n; i++)
        joints_spin(z + 9 * i, w->mu + 9 * i, w->S + 3 * i);
    status = ph_joints_respond(&w->j, z, w->S);
    if (status)
        return ph_fail(context->error, status, "the inertia is not positive definite at t = %.10g s", t);
    for (size_t i = 0; i < w->j.n; i++) {
        double turn[9], more[9];
        ph_hat3(w->j.nodes[i].e, turn);
        ph_multiply3(turn, z + 9 * i, more);
        for (size_t e = 0; e < 9; e++)
            a[9 * i + e] += more[e];
    }
    return PH_OK;
}

static void bodies_represent(void *work, double *v)
{
    const bodies_scratch *w = work;
    memcpy(w->v, v, w->push.nz * sizeof *v);
    ph_system_apply_inertia(w->push.system, w->v, v);
}

static void bodies_momentum(void *work, const double *z, const double *v, double *p)
{
    const bodies_scratch *w = work;
    ph_space_momentum(ph_system_space(w->push.system), z, v, p);
}

const ph_multistep_form ph_multistep_bodies = {.lay = bodies_lay,
                                               .init = bodies_init,
                                               .advance = bodies_advance,
                                               .acceleration = bodies_acceleration,
                                               .represent = bodies_represent,
                                               .momentum = bodies_momentum};
