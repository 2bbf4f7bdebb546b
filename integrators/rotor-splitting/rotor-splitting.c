/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies and points in a potential, or under forces that do not depend on velocities, by splittings H = T(p) + V(q, t):
 *     drift   every body turns freely, in closed form where two of its moments of inertia are equal, else by the map of
 *             shared/rotor-turn.c, exact to rounding; points move in straight lines; time goes on;
 *     kick    the momenta in space change by the torques and forces at that time.
 * T is quadratic in the momenta, with coefficients that depend on the configuration; V does not depend on momenta. A Poisson
 * bracket lowers the degree in the momenta by 1, so that [V, [V, T]] is a function of the configuration and [V, [V, [V, T]]] = 0,
 * for rotations as for points: the order conditions of Runge-Kutta-Nystroem methods are enough (nystroem.h).
 *
 * What survives a step: attitudes of principal axes, momenta in space, coordinates, all with low-order parts, and the torques
 * and forces at the end of the step, which are those of its first kick.
 *
 * Sources: Blanes, Moan, J. Comput. Appl. Math. 142 (2002) 313; Celledoni, Fasso, Saefstroem, Zanna, SIAM J. Sci. Comput. 30
 * (2008) 2084 (splittings with exact free rotors); Touma, Wisdom, Astron. J. 107 (1994) 1189. */
#include "bodies.h"

#include <string.h>

enum { ORDER, BOUND };
enum { SECOND, FOURTH };

static const ph_option options[] = {
    [ORDER] = {.name = "order",
               .type = PH_OPTION_CHOICE,
               .initial = FOURTH,
               .choices = "2 4 6",
               .text = "of convergence, by 1, 6 and 14 evaluations of torques and forces in a step"},
    [BOUND] = PH_ITERATIONS_OPTION,
};

/* ---- The scratch ----------------------------------------------------------------------------------- */

static size_t carry_size(size_t bodies, size_t coordinates)
{
    return 1 + (bodies * sizeof(rotor_motion) + coordinates * sizeof(rotor_coordinate)) / sizeof(double);
}

static void lay(rotor_scratch *w, const ph_system *system, ph_lay *l)
{
    const size_t nz = ph_space_ambient(ph_system_space(system));
    size_t bodies, coordinates;
    rotor_count(system, &bodies, &coordinates);
    ph_lay_bytes(l, sizeof *w);
    w->body = ph_lay_bytes(l, bodies * sizeof *w->body);
    w->mass = ph_lay_bytes(l, coordinates * sizeof *w->mass);
    w->now = ph_lay_doubles(l, carry_size(bodies, coordinates));
    double **all[] = {&w->z, &w->g, &w->f, &w->v};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = ph_lay_doubles(l, nz);
}

static ph_method_size rotor_size(const ph_system *system, const double *values)
{
    rotor_scratch none;
    size_t bodies, coordinates;
    ph_lay l = {NULL, 0};
    (void)values;
    lay(&none, system, &l);
    rotor_count(system, &bodies, &coordinates);
    return (ph_method_size){.work = l.bytes, .carry = carry_size(bodies, coordinates)};
}

static ph_status rotor_init(ph_context *context)
{
    rotor_scratch *w = context->work;
    const ph_system *system = context->system;
    const size_t nz = ph_space_ambient(ph_system_space(system));
    const ph_nystroem *s = ph_nystroem_at((size_t)context->options[ORDER]);
    ph_lay l = {context->work, 0};
    double at = 0;
    lay(w, system, &l);
    rotor_count(system, &w->n_bodies, &w->n_coordinates);
    w->heavy = ph_system_has_potential(system);
    w->forced = ph_system_has_force(system);
    rotor_read(w, system);
    memset(w->g, 0, nz * sizeof *w->g);
    memset(w->v, 0, nz * sizeof *w->v);
    w->drifts = s->drifts;
    for (size_t i = 0; i <= s->drifts; i++)
        w->kick[i] = ph_nystroem_kick(s, i) * context->h;
    for (size_t i = 0; i < s->drifts; i++) {
        at += ph_nystroem_drift(s, i);
        w->drift[i] = ph_nystroem_drift(s, i) * context->h;
        w->at[i] = i + 1 < s->drifts ? at * context->h : context->h;
    }
    if (!w->heavy && !w->forced) { /* nothing kicks: all drifts as one */
        w->drifts = 1;
        w->drift[0] = context->h;
    }
    if (w->top.axis >= 0)
        rotor_top_begin(w);
    return PH_OK;
}

/* ---- A step ---------------------------------------------------------------------------------------- */

static ph_status move(ph_context *context, double t, rotor_course *m)
{
    const rotor_scratch *w = context->work;
    const bool pushed = w->heavy || w->forced;
    ph_status status = PH_OK;
    for (size_t i = 0; i < w->drifts && !status; i++) {
        status = ph_context_allow(context, t);
        if (status)
            break;
        if (pushed && w->kick[i] != 0)
            rotor_kick(w, w->kick[i], m);
        if (!rotor_drift(w, w->drift[i], m, &context->statistics->newton_passes))
            return ph_fail(context->error, PH_E_DIVERGED,
                           "at t = %.10g s a body turns too far to be followed in a step of %.6g s", t,
                           context->h);
        if (pushed && w->kick[i + 1] != 0)
            status = rotor_find_forces(context, t + w->at[i], m);
    }
    if (!status && pushed && w->kick[w->drifts] != 0)
        rotor_kick(w, w->kick[w->drifts], m);
    return status;
}

static ph_status lost(const ph_context *context, double t)
{
    return ph_fail(context->error, PH_E_DIVERGED, "the motion is not finite after t = %.10g s", t);
}

static ph_status rotor_step(ph_context *context, ph_state *state)
{
    rotor_scratch *w = context->work;
    rotor_course m = rotor_course_at(w, state->carry);
    ph_status status = PH_OK;
    if (*m.set != 0 && w->top.axis >= 0) /* which needs no torques from the step before */
        return rotor_top_step(w, &m.body->turn) ? PH_OK : lost(context, state->t);
    m = rotor_course_at(w, w->now);
    memcpy(w->now, state->carry, state->ncarry * sizeof *w->now);
    if (*m.set == 0) {
        rotor_enter(w, state->z, state->p, &m);
        if ((w->heavy || w->forced) && w->top.axis < 0 && w->kick[0] != 0)
            status = rotor_find_forces(context, state->t, &m);
        *m.set = 1;
    }
    const bool top = w->top.axis >= 0;
    if (!status && !top)
        status = move(context, state->t, &m);
    if (status)
        return status;
    for (size_t i = 0; i < w->n_bodies && !top; i++)
        rotor_settle(&m.body[i].turn);
    if (top ? !rotor_top_step(w, &m.body->turn) : !ph_all_finite(w->now, state->ncarry))
        return lost(context, state->t);
    memcpy(state->carry, w->now, state->ncarry * sizeof *w->now);
    return PH_OK;
}

static void rotor_synchronise(ph_context *context, ph_state *state)
{
    const rotor_scratch *w = context->work;
    const rotor_course m = rotor_course_at(w, state->carry);
    if (*m.set != 0)
        rotor_leave(w, &m, state->z, state->p);
}

/* ---- The method ------------------------------------------------------------------------------------ */

static int rotor_order_for(const ph_system *system, const double *values)
{
    (void)system; /* the same for all */
    return ph_nystroem_at((size_t)values[ORDER])->order;
}

static unsigned rotor_claims_for(const ph_system *system, const double *values)
{
    (void)values;
    return rotor_is_general(system) ? PH_CLAIM_IMPLICIT : 0;
}

const ph_method ph_method_rotor_splitting = {
    .name = "rotor-splitting",
    .summary =
        "bodies and points in a potential: free motion exact, kicks by torques and forces, of order 2 to 6; "
        "symmetric, symplectic, explicit",
    .reference =
        "Blanes, Moan, J. Comput. Appl. Math. 142 (2002) 313; Celledoni, Fasso, Saefstroem, Zanna, SIAM J. "
        "Sci. Comput. 30 (2008) 2084",
    .order = 2,
    .order_for = rotor_order_for,
    .claims = PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD,
    .claims_for = rotor_claims_for,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = rotor_judge,
    .size = rotor_size,
    .init = rotor_init,
    .step = rotor_step,
    .synchronise = rotor_synchronise,
};
