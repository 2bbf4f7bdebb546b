/* SPDX-License-Identifier: BSD-3-Clause */
/* The preprocessed discrete Moser-Veselov map, for rigid bodies whose kinetic energy is the sum of theirs. In
 * principal axes a free body with momentum y turns in a step by the quaternion
 *     (1, u) / sqrt(1 + |u|^2),
 *     u_i = w_i (b + b x u + (b.u) u)_i,      b = (h/2) y,      w_i = 1 / It_i,
 * where It are moments with which this map, of order 2 by itself, makes the motion of the body of moments I
 * to order 2r (rotor-series.c): they depend on I, h, and the body's energy and |y|, which the map
 * keeps. In a potential or under forces: half a kick, that motion, half a kick (Strang), of order 2.
 *
 * A motion is kept as S = R Pi, the momentum in space, which without a moment is constant, and as the
 * orientation of the principal axes, a quaternion with its low-order part; y = R^T S is read off. Nothing is
 * divided by a norm: what a unit quaternion lacks is part of the next increment, and a factor common to all
 * of it turns nothing.
 *
 * Sources: Moser, Veselov, Commun. Math. Phys. 139 (1991) 217;
 * Hairer, Vilmart, J. Phys. A 39 (2006) 13225. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/implicit.h>
#include <polhode/kit/solve.h>
#include <polhode/method.h>

#include "integrators/shared/increments.h"
#include "rigid.h"

#include <float.h>
#include <string.h>

enum { OPTIONS = PH_MOSER_VESELOV_BOUND + 1 };

static const ph_option options[OPTIONS] = {
    [PH_MOSER_VESELOV_ORDER] =
        {
            .name = "order",
            .type = PH_OPTION_CHOICE,
            .initial = PH_ROTOR_DEGREE,
            .choices = "2 4 6 8 10",
            .text =
                "of the motion of free bodies (all take the same time; that of order 2 is symplectic, too); "
                "in a potential or under forces the order is 2 with each of them",
        },
    [PH_MOSER_VESELOV_BOUND] = PH_ITERATIONS_OPTION,
};

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

static ph_status rigid_too_long(const ph_context *context, double t, size_t body)
{
    return ph_fail(
        context->error, PH_E_NO_SOLUTION,
        "no solution at t = %.10g s: body %zu turns so far in a step of %.12g s "
        "that the series of order %d for its moments of inertia does not hold; take a smaller step",
        t, body, context->h, 2 * (int)context->options[PH_MOSER_VESELOV_ORDER] + 2);
}

/* next <- the free motion for the time h of a body with momentum S in space. A free body (one on which no
 * moment acts) uses the y that the step before predicted, so that the solution need not wait for the y = R^T
 * S that is computed from the present orientation; that one serves the next prediction. */
static ph_status rigid_move(ph_context *context, double t, double h, size_t body, const rigid_motion *m,
                            const double S[3], rigid_leap *next)
{
    moser_veselov_scratch *sc = context->work;
    const rigid *r = &sc->bodies[body];
    double A[9], read_off[3], b[3], own[3], aside[3] = {0, 0, 0};
    const double *w = m->w, *y = m->y;
    ph_rotor_matrix(m->q, A);
    ph_apply_transposed3(A, S, read_off);
    if (sc->pushed) {
        double H, C;
        ph_rotor_invariants(&r->series, read_off, &H, &C);
        if (!ph_rotor_find_inertia(&r->series, sc->degree, h, H, C, own))
            return rigid_too_long(context, t, body);
        w = own;
        y = read_off;
    } else {
        rigid_turn_back(r, m, read_off, aside);
    }
    for (int i = 0; i < 3; i++)
        b[i] = 0.5 * h * r->series.unit * y[i];
    rigid_guess(m, next->u);
    if (m->count == 0 || !ph_rotor_solve(w, b, next->u, &context->statistics->newton_passes)) {
        ph_status status = ph_moser_veselov_follow(context, t, body, w, b, &sc->newton, next->u);
        if (status)
            return status;
    }
    ph_rotor_turn_momentum(read_off, y, next->u, next->y);
    ph_rotor_turn(m->q, m->low, next->u, aside, next->q, next->low);
    return PH_OK;
}

/* ---- A step ------------------------------------------------------------------------------------------ */

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

/* fresh <- the motion of a state that was just set, or whose step size has changed. */
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
            ph_rotor_quaternion(A, m->q);
            ph_rotor_matrix(m->q, A);
            ph_apply3(state->z + 9 * i, state->p + 3 * i, m->S);
            ph_apply_transposed3(A, m->S, m->y);
            ph_rotor_invariants(&r->series, m->y, &m->H, &m->C);
            m->pull = rigid_pull(r, m->H, m->C);
            memcpy(m->moment, w->moment + 3 * i, sizeof m->moment);
        }
        if (!w->pushed && !ph_rotor_find_inertia(&r->series, w->degree, h, m->H, m->C, m->w))
            return rigid_too_long(context, state->t, i);
    }
    return PH_OK;
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

/* The struct and its arrays. */
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
    w->degree = (int)context->options[PH_MOSER_VESELOV_ORDER];
    w->forced = ph_system_has_force(system);
    w->pushed = w->forced || ph_system_has_potential(system);
    ph_lay_parts(ph_system_space(system), w->parts);
    memset(w->f, 0, 9 * w->n * sizeof *w->f);
    memset(w->v, 0, 9 * w->n * sizeof *w->v);
    for (size_t i = 0; i < w->n; i++) {
        double I[3];
        ph_principal_axes(bodies[i].J, w->bodies[i].axes, I);
        ph_rotor_begin(I, &w->bodies[i].series);
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
    return moser_veselov_is_free(system) ? 2 + 2 * (int)values[PH_MOSER_VESELOV_ORDER] : 2;
}

/* The map of order 2 is that of a discrete Lagrangian; preprocessed it keeps the Poisson bracket of y, but
 * not the symplectic form of T*SO(3). */
static unsigned moser_veselov_claims_for(const ph_system *system, const double *values)
{
    (void)system;
    return values[PH_MOSER_VESELOV_ORDER] == 0 ? PH_CLAIM_SYMPLECTIC : 0;
}

/* ---- Eight at once ------------------------------------------------------------------------------- */

static ph_method_size moser_veselov_lanes_size(const ph_system *system, const double *values)
{
    return ph_moser_veselov_eight_size(moser_veselov_size(system, values), system);
}

static ph_status moser_veselov_lanes_init(ph_context *context)
{
    static const ph_method single = {.init = moser_veselov_init, .step = moser_veselov_step};
    return ph_moser_veselov_eight_init(context, &single,
                                       moser_veselov_size(context->system, context->options));
}

static const ph_method *moser_veselov_lanes(const ph_system *system, const double *values)
{
    static const ph_method eight = {.name = "moser-veselov",
                                    .size = moser_veselov_lanes_size,
                                    .init = moser_veselov_lanes_init,
                                    .step = ph_moser_veselov_eight_step,
                                    .synchronise = ph_moser_veselov_eight_synchronise,
                                    .takes_systems = true};
    (void)values;
    return ph_space_factors(ph_system_space(system)) == 1 && moser_veselov_is_free(system) ? &eight : NULL;
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
    .lanes = moser_veselov_lanes,
};
