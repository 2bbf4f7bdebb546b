/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity where the motion begins: are they apart, and do they stay together? */
#include "parts.h"

#include "lib/run/companions.h"

#include <polhode/domain/elements.h>
#include <polhode/domain/gravitation.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* [m] The smallest half-axis of the homogeneous ellipsoid with the same inertia, at most the radius: within it there is
 * body, if it is not hollow. */
static double depth_of(const ph_mass *mass)
{
    ph_mass turned = *mass;
    double R[9], J[3];
    if (!(mass->radius > 0))
        return 0;
    ph_mass_principal(&turned, R, J);
    return fmin(sqrt(fmax(0, 2.5 * (J[0] + J[1] - J[2]) / mass->moment[0])), mass->radius);
}

/* Lengths that are 1000 times too small are likely in km. */
static const char *explain(double ratio)
{
    return ratio > 1e2 && ratio < 1e4 ? ": are places in km, where m are expected?" : "";
}

enum { MOST = 1000 }; /* of more points there is nothing to be said but that their distance is 0 */

ph_status ph_check_apart(const ph_scenario *s, const ph_node *at, ph_error *err)
{
    if (ph_system_spins(s->system)) {
        const ph_status status = ph_spins_check_apart(s->system, s->z, err);
        return status ? ph_node_blame(at, err, status) : PH_OK;
    }
    const ph_gravitation *g = ph_system_gravitation(s->system);
    const size_t center = g && ph_gravitation_central(g), n = g ? ph_companion_members(g) : 0;
    if (n == 0 || n > MOST)
        return PH_OK;
    double depth[MOST];
    for (size_t i = 0; i < n; i++)
        depth[i] = depth_of(ph_companion_mass(g, i));
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            const double distance = ph_companion_distance(g, s->z, i, j), least = depth[i] + depth[j];
            char pair[80];
            if (distance > least || (least == 0 && distance > 0))
                continue;
            if (center && i == 0)
                snprintf(pair, sizeof pair, "the central body and body %zu", j);
            else
                snprintf(pair, sizeof pair, "bodies %zu and %zu", i + 1 - center, j + 1 - center);
            if (!(distance > 0))
                return ph_node_fail(at, err, PH_E_RANGE,
                                    "%s are at the same place; their attraction is not finite there", pair);
            return ph_node_fail(
                at, err, PH_E_RANGE,
                "%s overlap: their centres are %.6g m apart, but they reach at least %.6g m, %.4g times as "
                "far, towards each other%s",
                pair, distance, least, least / distance, explain(least / distance));
        }
    return PH_OK;
}

void ph_note_open_orbit(ph_scenario *s)
{
    const ph_gravitation *g = ph_system_gravitation(s->system);
    double x[3], v[3], speed;
    ph_elements el;
    if (!g || !s->z || ph_gravitation_bodies(g) != 2 || ph_gravitation_central(g))
        return;
    for (size_t i = 0; i < s->n_events; i++)
        if (s->events[i].action == PH_EVENT_STOP)
            return;
    const bool relative = ph_gravitation_is_relative(g);
    const double *m = ph_gravitation_inertia(g);
    for (size_t k = 0; k < 3; k++) {
        x[k] = relative ? s->z[k] : s->z[3 + k] - s->z[k];
        v[k] = relative ? s->p[k] / m[0] : s->p[3 + k] / m[1] - s->p[k] / m[0];
    }
    const double mu = ph_gravitation_constant(g) *
                      (ph_gravitation_mass(g, 0)->moment[0] + ph_gravitation_mass(g, 1)->moment[0]);
    ph_elements_from_state(mu, x, v, &el);
    if (!(el.e >= 1) || el.q == 0)
        return;
    speed = el.e > 1 ? sqrt(mu * (el.e - 1) / el.q) : 0;
    ph_note(
        s, NULL,
        "initial: the orbit has no end: it is a hyperbola, e = %.6g, on which the bodies part with %.4g m/s for ever; an "
        "event with \"action: stop\", when: escape or a distance, would end the run",
        el.e, speed);
}
