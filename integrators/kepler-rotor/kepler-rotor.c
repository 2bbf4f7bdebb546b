/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity by splittings
 *     H = [Kepler motion of each pair of a hierarchy + free rotors] + [the rest of the potential],
 * the first part solved exactly (shared/kepler.c, shared/rotor-turn.c), the second one by kicks: what shapes add to the
 * attraction of points, what points do to each other beyond the pairs' Kepler motion (hierarchy.c), given bodies and
 * forces that do not depend on velocities, at the time of the kick. About a central body that is held, the barycentre of
 * the others moves as in Kepler's problem, too. The rest is small, like (size/distance)^2 or like the ratio of masses or
 * distances, eps, and the error of a splitting is a sum of terms eps^n h^p (splittings.h). Tides act at both ends of a
 * step, for half of its time each.
 *
 * What survives a step: the pairs' coordinates and velocities, place and velocity of the barycentre, and of each body
 * that turns its momentum R Pi in space and the orientation of its principal axes, all with low-order parts; and how long
 * the drift is that the next step begins with. As steps begin and end with drifts, two of them are made as one; z and p
 * are written when they are needed (synchronise).
 *
 * Sources: Wisdom, Holman, Astron. J. 102 (1991) 1528; Touma, Wisdom, Astron. J. 107 (1994) 1189 (with rotors); Blanes,
 * Casas, Farres, Laskar, Makazaga, Murua, Appl. Numer. Math. 68 (2013) 58. */
#include <polhode/kit/algebra.h>

#include "motion.h"

#include <string.h>

enum { SPLITTING, HIERARCHY, BOUND, OPTIONS };
enum { BY_PERIODS, AS_LISTED };

static const ph_option options[OPTIONS] = {
    {.name = "splitting",
     .type = PH_OPTION_CHOICE,
     .initial = PH_SPLITTING_aba_8_6_4,
     .choices = "strang aba-4-2 aba-6-2 aba-8-2 aba-8-4 aba-10-4 aba-8-6-4 aba-10-6-4",
     .text = "what a step is made of: 1, 2, 3, 4, 5, 7, 7 and 8 kicks; the numbers are the exponents of h "
             "in the error, for the first, second and further powers of what disturbs the pairs"},
    {.name = "hierarchy",
     .type = PH_OPTION_CHOICE,
     .initial = BY_PERIODS,
     .choices = "periods listed",
     .text = "of more than two bodies, which pairs move as in Kepler's problem: joined in order of their "
             "periods at the start, or as the bodies are listed, each with all before it"},
    [BOUND] = PH_ITERATIONS_OPTION,
};

/* ---- The scratch ---------------------------------------------------------------------------------------------------- */

static ph_method_size kepler_rotor_size(const ph_system *system, const double *values)
{
    ph_kepler_rotor counted;
    ph_lay l = {NULL, 0};
    (void)values;
    ph_kepler_rotor_lay(&counted, system, &l);
    return (ph_method_size){.work = l.bytes, .carry = ph_motion_size(ph_system_gravitation(system))};
}

static ph_status kepler_rotor_init(ph_context *context)
{
    ph_kepler_rotor *w = context->work;
    const ph_system *system = context->system;
    const ph_gravitation *g = ph_system_gravitation(system);
    ph_lay l = {context->work, 0};
    ph_kepler_rotor_lay(w, system, &l);
    w->gravitation = g;
    w->splitting = ph_splitting_at((size_t)context->options[SPLITTING]);
    w->n = ph_gravitation_bodies(g);
    w->places = ph_gravitation_places(g);
    w->attitudes = ph_gravitation_attitudes(g);
    w->relative = ph_gravitation_is_relative(g);
    w->central = ph_gravitation_central(g) != NULL;
    w->tides = ph_gravitation_has_tides(g);
    w->forced = !ph_system_is_gravitation(system); /* whose forces contain those of given bodies */
    w->pushed = !w->relative && (w->central || w->forced || ph_gravitation_given(g) > 0);
    w->parts = (ph_gravitation_order(g) >= 2 || w->central ? PH_ATTRACT_SHAPES : 0) |
               (ph_gravitation_given(g) > 0 && !w->forced ? PH_ATTRACT_GIVEN : 0);
    w->G = ph_gravitation_constant(g);
    w->held = w->central ? ph_gravitation_central(g)->moment[0] : 0;
    w->total = 0;
    w->hierarchy.n = w->n;
    w->hierarchy.mass = w->mass;
    for (size_t i = 0; i < w->n; i++) {
        const ph_mass *mass = ph_gravitation_mass(g, i);
        const size_t at = ph_gravitation_attitude(g, i);
        w->total += w->mass[i] = mass->moment[0];
        if (at != PH_NO_INDEX)
            ph_free_rotor_begin(mass->J, &w->rotor[at]);
    }
    memset(w->v, 0, ph_space_ambient(ph_system_space(system)) * sizeof *w->v);
    return PH_OK;
}

/* ---- A step ------------------------------------------------------------------------------------------------------------ */

static ph_status lost(const ph_context *context, double t)
{
    return ph_fail(
        context->error, PH_E_DIVERGED,
        "the motion cannot be followed beyond t = %.10g s: bodies met, a body met the barycentre of those that the "
        "hierarchy puts before it, or one turns too far in a step of %.6g s",
        t, context->h);
}

static ph_status kepler_rotor_step(ph_context *context, ph_state *state)
{
    ph_kepler_rotor *w = context->work;
    const ph_splitting *s = w->splitting;
    const double h = context->h;
    ph_motion m = ph_motion_take(w, context->options[HIERARCHY] == BY_PERIODS, state);
    double at = 0, ahead = *m.ahead; /* in units of h; [s] */
    ph_status status = PH_OK;
    if (w->tides)
        ph_motion_dissipate(w, 0.5 * h, &m);
    for (size_t i = 0; i < s->kicks && !status; i++) {
        const double a = ph_splitting_drift(s, i);
        at += a;
        status = ph_context_allow(context, state->t);
        if (status)
            break;
        if (!ph_motion_drift(w, &m, ahead + a * h, &context->statistics->newton_passes))
            return lost(context, state->t);
        ahead = 0;
        status = ph_motion_kick(context, state->t + at * h, ph_splitting_kick(s, i) * h, &m);
    }
    if (status)
        return status;
    *m.ahead = ph_splitting_drift(s, s->kicks) * h;
    if (!ph_motion_is_sound(w, &m))
        return lost(context, state->t);
    if (w->tides) {
        if (!ph_motion_drift(w, &m, *m.ahead, &context->statistics->newton_passes))
            return lost(context, state->t);
        *m.ahead = 0;
        ph_motion_dissipate(w, 0.5 * h, &m);
        if (!ph_motion_is_sound(w, &m))
            return lost(context, state->t);
    }
    memcpy(state->carry, w->now, state->ncarry * sizeof *w->now);
    return PH_OK;
}

static void kepler_rotor_synchronise(ph_context *context, ph_state *state)
{
    ph_kepler_rotor *w = context->work;
    int64_t iterations = 0;
    ph_motion m = ph_motion_take(w, context->options[HIERARCHY] == BY_PERIODS, state);
    (void)ph_motion_drift(w, &m, *m.ahead, &iterations);
    ph_motion_write(w, &m, state->z, state->p);
}

/* ---- The method ---------------------------------------------------------------------------------------------------------- */

static ph_status kepler_rotor_supports(const ph_system *system, ph_error *err)
{
    if (!ph_system_gravitation(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "kepler-rotor takes bodies under mutual gravity (polhode/domain/gravitation.h) and no others; "
            "use variational");
    const ph_gravitation *g = ph_system_gravitation(system);
    if (ph_system_is_gravitation(system))
        return PH_OK;
    if (!ph_system_force_ignores_velocity(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "kepler-rotor takes forces as kicks, and one of these depends on the velocity; use variational");
    if (ph_gravitation_central(g) && ph_gravitation_depends_on_time(g))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "kepler-rotor does not take a further force where a central body spins; use variational");
    return PH_OK;
}

static int kepler_rotor_order_for(const ph_system *system, const double *values)
{
    return ph_gravitation_has_tides(ph_system_gravitation(system))
               ? 2
               : ph_splitting_at((size_t)values[SPLITTING])->order;
}

const ph_method ph_method_kepler_rotor = {
    .name = "kepler-rotor",
    .summary =
        "bodies under mutual gravity: Kepler motion of pairs and free rotors exact, kicks by the rest; "
        "symmetric, symplectic; implicit",
    .reference = "Blanes, Casas, Farres, Laskar, Makazaga, Murua, Appl. Numer. Math. 68 (2013) 58; "
                 "Wisdom, Holman, Astron. J. 102 (1991) 1528; Touma, Wisdom, Astron. J. 107 (1994) 1189",
    .order = 2,
    .order_for = kepler_rotor_order_for,
    .claims =
        PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .options = options,
    .n_options = OPTIONS,
    .supports = kepler_rotor_supports,
    .size = kepler_rotor_size,
    .init = kepler_rotor_init,
    .step = kepler_rotor_step,
    .synchronise = kepler_rotor_synchronise,
};
