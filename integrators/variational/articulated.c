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
#include "articulated.h"

/* The rounding of the residual of one body, relative to the magnitudes of its terms; how it grows with the
 * number of bodies, as places are sums from the root on, whose roundings are a random walk; and up to where a
 * residual may be rounding. */
static const double rounding_floor = 0.5 * DBL_EPSILON, rounding_walk = 0.3, rounding_level = 1e-12;

/* ---- Memory ------------------------------------------------------------------------------------- */

static size_t joints_lay(const ph_system *system, const double *options, ph_lay *l)
{
    joints_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const size_t n = ph_space_factors(ph_system_space(system));
    double **nine[] = {&w->z1, &w->z1_low, &w->f, &w->none}, /* the last two for forces */
        **three[] = {&w->p1, &w->S1, &w->low1, &w->tau1, &w->S0, &w->tau, &w->x};
    (void)options;
    w->nodes = ph_lay_bytes(l, n * sizeof(joints_node));
    w->bodies = ph_lay_bytes(l, n * sizeof(joints_body));
    for (size_t i = 0; i < (ph_system_has_force(system) ? 4 : 2); i++)
        *nine[i] = ph_lay_doubles(l, 9 * n);
    for (size_t i = 0; i < sizeof three / sizeof three[0]; i++)
        *three[i] = ph_lay_doubles(l, 3 * n);
    ph_newton_sparse_place(&w->newton, 3 * n, l);
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

/* ---- Structure, once ---------------------------------------------------------------------------- */

static void joints_fill_body(joints_body *b, const ph_articulation *a, size_t i)
{
    const double *J = a->inertia + 9 * i;
    size_t p = a->parent[i];
    *b = (joints_body){.mass = a->mass[i],
                       .J = {J[0], J[4], J[8], J[5], J[2], J[1]},
                       .parent = p == PH_NO_INDEX ? NONE : (ptrdiff_t)p,
                       .child = NONE,
                       .sibling = NONE};
    for (size_t k = 0; k < 3; k++) {
        b->c[k] = -a->joint[3 * i + k];
        b->d[k] = p == PH_NO_INDEX ? 0 : a->anchor[3 * i + k] - a->joint[3 * p + k];
    }
}

/* Finds w of each body, with the mass below it in `reach` of its node meanwhile, and the lists of
 * children. */
static void joints_link_bodies(joints_scratch *w)
{
    for (size_t i = w->n; i-- > 0;) {
        joints_body *b = &w->bodies[i], *p = b->parent == NONE ? NULL : &w->bodies[b->parent];
        double *below = &w->nodes[i].reach;
        *below += b->mass;
        for (size_t k = 0; k < 3; k++)
            b->w[k] += b->mass * b->c[k];
        if (!p)
            continue;
        w->nodes[b->parent].reach += *below;
        for (size_t k = 0; k < 3; k++)
            p->w[k] += *below * b->d[k];
    }
    for (size_t i = 0; i < w->n; i++) { /* the last child first, the order in which elimination meets them */
        joints_body *b = &w->bodies[i];
        if (b->parent == NONE)
            continue;
        b->sibling = w->bodies[b->parent].child;
        w->bodies[b->parent].child = (ptrdiff_t)i;
    }
}

static ph_status joints_init(ph_variational *method, ph_context *context)
{
    joints_scratch *w = method->work;
    const ph_articulation *a = ph_system_articulation(context->system);
    w->method = method;
    w->context = context;
    w->n = ph_space_factors(ph_system_space(context->system));
    w->forced = ph_system_has_force(context->system);
    w->h = context->h;
    w->floor = rounding_floor * (1 + rounding_walk * sqrt((double)w->n));
    w->level = rounding_level / rounding_floor * w->floor;
    memcpy(w->G, a->gravity, sizeof w->G);
    if (w->forced)
        memset(w->none, 0, 9 * w->n * sizeof *w->none);
    memset(w->nodes, 0, w->n * sizeof *w->nodes);
    for (size_t i = 0; i < w->n; i++)
        joints_fill_body(&w->bodies[i], a, i);
    joints_link_bodies(w);
    return PH_OK;
}

/* ---- The end of the step ------------------------------------------------------------------------ */

/* z1 + z1_low <- R+ = R + (F - I) R, corrected. */
static void joints_turn_bodies(const joints_scratch *w, const double *z, const double *z_low)
{
    for (size_t i = 0; i < w->n; i++) {
        const joints_node *k = &w->nodes[i];
        const double *v = k->v, *R = z + 9 * i;
        double *R1 = w->z1 + 9 * i, *low1 = w->z1_low + 9 * i, D[9];
        double u[3] = {2 * v[0], 2 * v[1], 2 * v[2]}, x[3] = {k->q0 * u[0], k->q0 * u[1], k->q0 * u[2]};
        double X[9] = {
            -(v[1] * u[1] + v[2] * u[2]), v[0] * u[1] - x[2],           v[0] * u[2] + x[1],
            v[1] * u[0] + x[2],           -(v[0] * u[0] + v[2] * u[2]), v[1] * u[2] - x[0],
            v[2] * u[0] - x[1],           v[2] * u[1] + x[0],           -(v[0] * u[0] + v[1] * u[1])};
        ph_multiply3(X, R, D);
        for (size_t a = 0; a < 9; a++)
            ph_two_sum(R[a], D[a] + z_low[9 * i + a], &R1[a], &low1[a]);
        ph_rotation_correct_sum3(R1, low1);
    }
}

/* tau (3n) <- torque of gravity at z. */
static inline void joints_weight_at(const joints_scratch *w, size_t i, const double *R, double tau[3])
{
    double lever[3];
    ph_apply3(R, w->bodies[i].w, lever);
    ph_cross3(lever, w->G, tau);
}

/* tau (3n) <- from + the torque of the force f. */
static void joints_add_force(const joints_scratch *w, const double *z, const double *from, double *tau)
{
    for (size_t i = 0; i < w->n; i++) {
        const double *R = z + 9 * i, *f = w->f + 9 * i;
        for (size_t k = 0; k < 3; k++) {
            size_t a = 3 * ((k + 1) % 3), b = 3 * ((k + 2) % 3);
            tau[3 * i + k] = from[3 * i + k] + (ph_dot3(R + a, f + b) - ph_dot3(R + b, f + a));
        }
    }
}

/* S1 + low1 <- S + low + its increment, exact by Knuth's two-sum; p1 from it. tau at the start, end at the
 * end. Returns a number that is not finite if one of p1 is not. */
static double joints_new_momenta(const joints_scratch *w, const double *S, const double *low,
                                 const double *tau, const double *end)
{
    double total = 0;
    for (size_t i = 0; i < w->n; i++) {
        const joints_node *k = &w->nodes[i];
        double dS[3];
        ph_cross3(k->Dc, k->P, dS);
        for (ptrdiff_t at = w->bodies[i].child; at != NONE; at = w->bodies[at].sibling)
            joints_add_cross(dS, w->nodes[at].Dd, w->nodes[at].L);
        for (size_t a = 0; a < 3; a++) {
            size_t at = 3 * i + a;
            /* divided by h: a rounded 1/h would err to one side in all steps */
            ph_two_sum(S[at], low[at] + (dS[a] / w->h + 0.5 * w->h * (tau[at] + end[at])), &w->S1[at],
                       &w->low1[at]);
        }
        ph_apply_transposed3(w->z1 + 9 * i, w->S1 + 3 * i, w->p1 + 3 * i);
        total += sum_of_sizes(w->p1 + 3 * i);
    }
    return total;
}

static void joints_commit(const joints_scratch *w, ph_state *state, const joints_carry *c)
{
    size_t n = w->n, bytes = 3 * n * sizeof(double);
    const double stamp = ph_stage_stamp(w->method->stage, w->h);
    size_t next = *c->h == stamp && *c->count > 0 ? ((size_t)*c->last + 1) % HISTORY : 0;
    double *turns = c->turns + next * 3 * n;
    memcpy(state->z, w->z1, 3 * bytes);
    memcpy(c->z_low, w->z1_low, 3 * bytes);
    memcpy(state->p, w->p1, bytes);
    memcpy(c->S, w->S1, bytes);
    memcpy(c->low, w->low1, bytes);
    memcpy(c->weight, w->tau1, bytes);
    for (size_t i = 0; i < n; i++)
        memcpy(turns + 3 * i, w->nodes[i].v, 3 * sizeof *turns);
    *c->count = *c->h != stamp ? 1 : *c->count < HISTORY ? *c->count + 1 : HISTORY;
    *c->last = (double)next;
    *c->h = stamp;
}

static ph_status joints_call_force(joints_scratch *w, const double *z, double t)
{
    return ph_context_judge(w->context, "the force", t,
                            ph_system_force(w->context->system, t, z, w->none, w->f), w->f, 9 * w->n);
}

/* S and the torque of gravity of a state that was just set. */
static void joints_begin_fresh(const joints_scratch *w, const ph_state *state)
{
    for (size_t i = 0; i < w->n; i++) {
        ph_apply3(state->z + 9 * i, state->p + 3 * i, w->S0 + 3 * i);
        joints_weight_at(w, i, state->z + 9 * i, w->tau1 + 3 * i);
    }
    memset(w->low1, 0, 3 * w->n * sizeof *w->low1);
}

static ph_status joints_step(ph_variational *method, ph_context *context, ph_state *state)
{
    joints_scratch *w = method->work;
    joints_carry c = joints_carry_at(state->carry, w->n);
    w->h = context->h;
    double t1 = state->t_base + (double)(state->k + 1 - state->k_base) * w->h;
    bool fresh = *c.count == 0;
    const double *S = c.S, *low = c.low, *tau = c.weight, *end = w->tau1;
    ph_status status = PH_OK;
    if (fresh) {
        joints_begin_fresh(w, state);
        S = w->S0;
        low = w->low1;
        memcpy(w->tau, w->tau1, 3 * w->n * sizeof *w->tau);
        tau = w->tau;
    }
    if (w->forced) {
        status = joints_call_force(w, state->z, state->t);
        if (status)
            return status;
        joints_add_force(w, state->z, tau, w->tau);
        tau = w->tau;
    }
    bool warm = !fresh && *c.h == ph_stage_stamp(w->method->stage, w->h);
    if (!warm || !ph_joints_solve_fast(w, state, &c, tau, &context->statistics->newton_passes))
        status = ph_joints_solve_slowly(w, context, state, &c, S, tau);
    if (status)
        return status;
    joints_turn_bodies(w, state->z, c.z_low);
    for (size_t i = 0; i < w->n; i++)
        joints_weight_at(w, i, w->z1 + 9 * i, w->tau1 + 3 * i);
    if (w->forced) {
        status = joints_call_force(w, w->z1, t1);
        if (status)
            return status;
        joints_add_force(w, w->z1, w->tau1, w->x);
        end = w->x;
    }
    if (!isfinite(joints_new_momenta(w, S, low, tau, end)))
        return ph_fail(context->error, PH_E_DIVERGED, "the momentum is not finite after t = %.10g s",
                       state->t);
    joints_commit(w, state, &c);
    return PH_OK;
}

const ph_variational_kernel ph_variational_articulated = {
    .lay = joints_lay, .init = joints_init, .step = joints_step};
