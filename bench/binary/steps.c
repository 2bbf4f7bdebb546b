/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of one contender, and how far two configurations are apart (steps.h). */
#include "steps.h"

#include <math.h>

void binary_differ(const binary_motion *m, const double *z, const double *truth, double *place, double *turn)
{
    *place = *turn = 0;
    for (size_t i = 0; i < m->places; i++) {
        double square = 0;
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            square += (z[k] - truth[k]) * (z[k] - truth[k]);
        *place = isnan(square) ? (double)NAN : fmax(*place, sqrt(square));
    }
    for (size_t i = 0; i < m->attitudes; i++) {
        double square = 0; /* |R - R'|^2 = 8 sin^2(angle/2) */
        for (size_t k = 3 * m->places + 9 * i; k < 3 * m->places + 9 * i + 9; k++)
            square += (z[k] - truth[k]) * (z[k] - truth[k]);
        *turn = isnan(square) ? (double)NAN : fmax(*turn, 2 * asin(fmin(1, sqrt(square / 8))));
    }
}

ph_status binary_start(const char *text, const motion *start, double h, ph_integrator **it, ph_state **state,
                       ph_error *err)
{
    contender c;
    const ph_status status = contender_parse(&c, text, err);
    return status ? status : contender_start(&c, start, h, it, state, err);
}

ph_status binary_steps(const binary_plan *plan, ph_integrator *it, ph_state *state, int64_t steps,
                       double *seconds)
{
    enum { STRETCH = 20000 };
    const volatile sig_atomic_t *interrupt = plan->progress ? plan->progress->interrupt : NULL;
    ph_status status = PH_OK;
    for (int64_t done = 0; done < steps && !status; done += STRETCH) {
        double took = 0;
        status = meter_steps(plan->watch, it, state, steps - done < STRETCH ? steps - done : STRETCH, &took);
        *seconds += took;
        if (interrupt && *interrupt)
            return PH_E_INTERRUPTED;
    }
    return status;
}
