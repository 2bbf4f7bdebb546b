/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of one contender of a study that can be interrupted (study.h). */
#include "study.h"

ph_status study_start(const study *s, const char *text, double h, ph_integrator **it, ph_state **state,
                      ph_error *err)
{
    contender c;
    const ph_status status = contender_parse(&c, text, err);
    return status ? status : contender_start(&c, &s->start, h, it, state, err);
}

ph_status study_take(const study_plan *plan, ph_integrator *it, ph_state *state, int64_t steps,
                     double *seconds)
{
    enum { STRETCH = 20000 };
    const volatile sig_atomic_t *interrupt = plan->progress ? plan->progress->interrupt : NULL;
    ph_status status = PH_OK;
    for (int64_t done = 0; done < steps && !status; done += STRETCH) {
        double took = 0;
        status = meter_steps(NULL, it, state, steps - done < STRETCH ? steps - done : STRETCH, &took);
        *seconds += took;
        if (interrupt && *interrupt)
            return PH_E_INTERRUPTED;
    }
    return status;
}
