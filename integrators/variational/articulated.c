/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator on trees of rigid bodies with ball joints (ph_articulation), of order 2: the
 * step of product.c in time proportional to n, without the matrix of the inertia. F_i is the turn
 * of body i in space (R+ = F R), c_i leads from its joint to its centre of mass and d_i from its parent's
 * joint to its own, all in space at the start of the step. Increments of joints and centres of mass are
 *     Dy_i = Dy_parent + (F_parent - I) d_i,   Dx_i = Dy_i + (F_i - I) c_i,
 * h times what passes through the joint is L_i = m_i Dx_i + sum of the children's L, and -D_1 L_d = p says
 *     R_i = spin(F_i) + c_i x m_i Dx_i + sum over children d x L - h S_i - (h^2/2) tau_i = 0,
 *     spin(F) = vee(F J_d - J_d F^T),   S_i = R_i Pi_i,
 * tau_i the torque of gravity (w x G, w the mass times the lever of all that hangs on the body) and of forces
 * that do not look at the velocity.
 *
 * Unknowns are the vectors v_i of the turns' unit quaternions (q0, v), without trigonometric functions:
 *     spin = 2 q0 J v + 2 v x J v,   (F - I) c = 2 q0 v x c + 2 v x (v x c).
 * Newton's equation for small turns e_i of R+ (on the left) has
 *     d spin = K e,   K = tr(B) I - B,   B = F J_d;   d(F c) = e x c+,   c+ = F c,
 * and is solved by elimination from the leaves, where dL = A dy + beta is known of the children:
 *     Q = K - m S(c) S(c+) - sum S(d) A S(d+),
 *     T = m S(c) + sum S(d) A,   W = -m S(c+) - sum A S(d+),
 *     e = -Q^{-1} (T dy + rho),   rho = R + sum d x beta,
 *     A <- m I + sum A - W Q^{-1} T,   beta <- sum beta - W Q^{-1} rho,
 * 3 x 3 matrices throughout. On the branch from h = 0 every Q begins symmetric and positive definite; a root
 * where one has det Q < 0 is not taken, and where turns are large or Newton is slow the branch is followed.
 *
 * The momentum in the frame of the surroundings is summed up:
 *     S+ - S = (1/h) { (c+ - c) x m Dx + sum (d+ - d) x L } + (h/2) (tau + tau+),
 * whose first part sums to zero over the bodies for any turns (as sum Dx x m Dx), so that what Newton leaves
 * stays out of the momentum map.
 *
 * Sources: Marsden, West, Acta Numerica 10 (2001), parts 1 and 3; Lee, Leok, McClamroch, Comput. Methods
 * Appl. Mech. Engrg. 196 (2007) 2907; Featherstone, Rigid Body Dynamics Algorithms, Springer 2008,
 * chapter 7. */
#include "integrators/shared/joints.h"
#include "variational.h"

typedef struct articulated_scratch {
    joints_scratch j;
    const ph_variational *method;
    const ph_context *context;
    bool forced;
    double G[3];
    double *z1, *z1_low;           /* (9n) */
    double *f, *none;              /* (9n) force, velocity 0 */
    double *p1, *S1, *low1, *tau1; /* (3n) */
    double *S0, *tau, *end; /* (3n) at the start of a fresh state; torques at the start and at the end */
} articulated_scratch;

/* Where the parts of the carry are. */
typedef struct joints_carry {
    double *h;       /* (1) step size of the turns; 0: empty */
    double *count;   /* (1) how many turns are known, at most HISTORY */
    double *last;    /* (1) index of the latest */
    double *S, *low; /* (3n) momentum in the frame of the surroundings, a compensated sum */
    double *z_low;   /* (9n) low-order part of the rotations */
    double *weight;  /* (3n) torque of gravity */
    double *turns;   /* (HISTORY x 3n) v */
} joints_carry;

/* Row m - 1: the weights of the last m turns in the guess, the latest first, by the polynomial through them. */
static const double extrapolation[HISTORY][HISTORY] = {
    {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};

static const double *joints_weights_of(const articulated_scratch *w, size_t count)
{
    return w->method->stage ? w->method->stage->increments[count - 1] : extrapolation[count - 1];
}

/* ---- Memory ------------------------------------------------------------------------------------- */

static size_t joints_lay(const ph_system *system, const double *options, ph_lay *l)
{
    articulated_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const size_t n = ph_space_factors(ph_system_space(system));
    double **nine[] = {&w->z1, &w->z1_low, &w->f, &w->none}, /* the last two for forces */
        **three[] = {&w->p1, &w->S1, &w->low1, &w->tau1, &w->S0, &w->tau, &w->end};
    (void)options;
    ph_joints_lay(&w->j, system, l);
    for (size_t i = 0; i < (ph_system_has_force(system) ? 4 : 2); i++)
        *nine[i] = ph_lay_doubles(l, 9 * n);
    for (size_t i = 0; i < sizeof three / sizeof three[0]; i++)
        *three[i] = ph_lay_doubles(l, 3 * n);
    return 3 + (6 + HISTORY) * 3 * n;
}

static joints_carry joints_carry_at(double *memory, size_t n)
{
    double *S = memory + 3;
    return (joints_carry){.h = memory,
                          .count = memory + 1,
                          .last = memory + 2,
                          .S = S,
                          .low = S + 3 * n,
                          .z_low = S + 6 * n,
                          .weight = S + 15 * n,
                          .turns = S + 18 * n};
}

/* ---- The kernel's scratch, once ------------------------------------------------------------------ */

static ph_status joints_init(ph_variational *method, ph_context *context)
{
    articulated_scratch *w = method->work;
    w->method = method;
    w->context = context;
    w->forced = ph_system_has_force(context->system);
    w->j.h = context->h;
    ph_joints_set(&w->j, context->system);
    memcpy(w->G, ph_system_articulation(context->system)->gravity, sizeof w->G);
    if (w->forced)
        memset(w->none, 0, 9 * w->j.n * sizeof *w->none);
    return PH_OK;
}

/* ---- The end of the step ------------------------------------------------------------------------ */

/* z1 + z1_low <- R+ = R + (F - I) R, corrected. */
static void joints_turn_bodies(const articulated_scratch *w, const double *z, const double *z_low)
{
    for (size_t i = 0; i < w->j.n; i++) {
        const joints_node *k = &w->j.nodes[i];
        const double *R = z + 9 * i;
        double *R1 = w->z1 + 9 * i, *low1 = w->z1_low + 9 * i, X[9], D[9];
        turn_matrix(k->v, k->q0, X);
        ph_multiply3(X, R, D);
        for (size_t a = 0; a < 9; a++)
            ph_two_sum(R[a], D[a] + z_low[9 * i + a], &R1[a], &low1[a]);
        ph_rotation_correct_sum3(R1, low1);
    }
}

/* tau (3n) <- torque of gravity at z. */
static inline void joints_weight_at(const articulated_scratch *w, size_t i, const double *R, double tau[3])
{
    double lever[3];
    ph_apply3(R, w->j.bodies[i].w, lever);
    ph_cross3(lever, w->G, tau);
}

/* tau (3n) <- from + the torque of the force f. */
static void joints_add_force(const articulated_scratch *w, const double *z, const double *from, double *tau)
{
    for (size_t i = 0; i < w->j.n; i++) {
        const double *R = z + 9 * i, *f = w->f + 9 * i;
        for (size_t k = 0; k < 3; k++) {
            size_t a = 3 * ((k + 1) % 3), b = 3 * ((k + 2) % 3);
            tau[3 * i + k] = from[3 * i + k] + (ph_dot3(R + a, f + b) - ph_dot3(R + b, f + a));
        }
    }
}

/* S1 + low1 <- S + low + its increment, exact by Knuth's two-sum; p1 from it. tau at the start, end at the
 * end. Returns a number that is not finite if one of p1 is not. */
static double joints_new_momenta(const articulated_scratch *w, const double *S, const double *low,
                                 const double *tau, const double *end)
{
    double total = 0;
    for (size_t i = 0; i < w->j.n; i++) {
        const joints_node *k = &w->j.nodes[i];
        double dS[3];
        ph_cross3(k->Dc, k->P, dS);
        for (ptrdiff_t at = w->j.bodies[i].child; at != NONE; at = w->j.bodies[at].sibling)
            joints_add_cross(dS, w->j.nodes[at].Dd, w->j.nodes[at].L);
        for (size_t a = 0; a < 3; a++) {
            size_t at = 3 * i + a;
            /* divided by h: a rounded 1/h would err to one side in all steps */
            ph_two_sum(S[at], low[at] + (dS[a] / w->j.h + 0.5 * w->j.h * (tau[at] + end[at])), &w->S1[at],
                       &w->low1[at]);
        }
        ph_apply_transposed3(w->z1 + 9 * i, w->S1 + 3 * i, w->p1 + 3 * i);
        total += sum_of_sizes(w->p1 + 3 * i);
    }
    return total;
}

static void joints_commit(const articulated_scratch *w, ph_state *state, const joints_carry *c)
{
    size_t n = w->j.n, bytes = 3 * n * sizeof(double);
    const double stamp = ph_stage_stamp(w->method->stage, w->j.h);
    size_t next = *c->h == stamp && *c->count > 0 ? ((size_t)*c->last + 1) % HISTORY : 0;
    double *turns = c->turns + next * 3 * n;
    memcpy(state->z, w->z1, 3 * bytes);
    memcpy(c->z_low, w->z1_low, 3 * bytes);
    memcpy(state->p, w->p1, bytes);
    memcpy(c->S, w->S1, bytes);
    memcpy(c->low, w->low1, bytes);
    memcpy(c->weight, w->tau1, bytes);
    for (size_t i = 0; i < n; i++)
        memcpy(turns + 3 * i, w->j.nodes[i].v, 3 * sizeof *turns);
    *c->count = *c->h != stamp ? 1 : *c->count < HISTORY ? *c->count + 1 : HISTORY;
    *c->last = (double)next;
    *c->h = stamp;
}

static ph_status joints_call_force(articulated_scratch *w, const double *z, double t)
{
    return ph_context_judge(w->context, "the force", t,
                            ph_system_force(w->context->system, t, z, w->none, w->f), w->f, 9 * w->j.n);
}

/* S and the torque of gravity of a state that was just set. */
static void joints_begin_fresh(const articulated_scratch *w, const ph_state *state)
{
    for (size_t i = 0; i < w->j.n; i++) {
        ph_apply3(state->z + 9 * i, state->p + 3 * i, w->S0 + 3 * i);
        joints_weight_at(w, i, state->z + 9 * i, w->tau1 + 3 * i);
    }
    memset(w->low1, 0, 3 * w->j.n * sizeof *w->low1);
}

/* The last turns, where they are of steps of this size. */
static joints_start joints_start_from(const articulated_scratch *w, const joints_carry *c, const double *S,
                                      const double *tau)
{
    joints_start from = {.S = S, .tau = tau};
    if (*c->count == 0 || *c->h != ph_stage_stamp(w->method->stage, w->j.h))
        return from;
    from.count = (size_t)*c->count;
    from.weights = joints_weights_of(w, from.count);
    for (size_t m = 0; m < from.count; m++)
        from.turns[m] = c->turns + ((size_t)*c->last + HISTORY - m) % HISTORY * 3 * w->j.n;
    return from;
}

static ph_status joints_step(ph_variational *method, ph_context *context, ph_state *state)
{
    articulated_scratch *w = method->work;
    joints_carry c = joints_carry_at(state->carry, w->j.n);
    w->j.h = context->h;
    double t1 = state->t_base + (double)(state->k + 1 - state->k_base) * w->j.h;
    bool fresh = *c.count == 0;
    const double *S = c.S, *low = c.low, *tau = c.weight, *end = w->tau1;
    ph_status status = PH_OK;
    if (fresh) {
        joints_begin_fresh(w, state);
        S = w->S0;
        low = w->low1;
        memcpy(w->tau, w->tau1, 3 * w->j.n * sizeof *w->tau);
        tau = w->tau;
    }
    if (w->forced) {
        status = joints_call_force(w, state->z, state->t);
        if (status)
            return status;
        joints_add_force(w, state->z, tau, w->tau);
        tau = w->tau;
    }
    const joints_start start = joints_start_from(w, &c, S, tau);
    if (!start.count || !ph_joints_solve_fast(&w->j, state->z, &start, &context->statistics->newton_passes))
        status = ph_joints_solve_slowly(&w->j, context, state->t, state->z, &start);
    if (status)
        return status;
    joints_turn_bodies(w, state->z, c.z_low);
    for (size_t i = 0; i < w->j.n; i++)
        joints_weight_at(w, i, w->z1 + 9 * i, w->tau1 + 3 * i);
    if (w->forced) {
        status = joints_call_force(w, w->z1, t1);
        if (status)
            return status;
        joints_add_force(w, w->z1, w->tau1, w->end);
        end = w->end;
    }
    if (!isfinite(joints_new_momenta(w, S, low, tau, end)))
        return ph_fail(context->error, PH_E_DIVERGED, "the momentum is not finite after t = %.10g s",
                       state->t);
    joints_commit(w, state, &c);
    return PH_OK;
}

const ph_variational_kernel ph_variational_articulated = {
    .lay = joints_lay, .init = joints_init, .step = joints_step};
