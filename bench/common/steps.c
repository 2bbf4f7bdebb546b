/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of contenders on a motion (steps.h). */
#include "steps.h"

#include <stdlib.h>

ph_status steps_start(const char *text, const motion *start, double h, ph_integrator **it, ph_state **state,
                      ph_error *err)
{
    contender c;
    const ph_status status = contender_parse(&c, text, err);
    return status ? status : contender_start(&c, start, h, it, state, err);
}

ph_status steps_take(meter *watch, const bench_watch *progress, ph_integrator *it, ph_state *state,
                     int64_t steps, double *seconds)
{
    enum { STRETCH = 20000 };
    const volatile sig_atomic_t *interrupt = progress ? progress->interrupt : NULL;
    ph_status status = PH_OK;
    for (int64_t done = 0; done < steps && !status; done += STRETCH) {
        double took = 0;
        status = meter_steps(watch, it, state, steps - done < STRETCH ? steps - done : STRETCH, &took);
        *seconds += took;
        if (interrupt && *interrupt)
            return PH_E_INTERRUPTED;
    }
    return status;
}

ph_status steps_cost(const char *const *texts, size_t n, const motion *start, double h, double budget,
                     meter *watch, bench_watch *progress, timing *times, ph_error *err)
{
    contender *list = calloc(n + 1, sizeof *list);
    timing_cell *cells = calloc(n + 1, sizeof *cells);
    timing_session *session = NULL;
    size_t taken = 0;
    ph_status status =
        list && cells ? contender_parse(&list[0], "rk4", err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        times[i] = no_timing;
    if (!status)
        cells[taken++] = (timing_cell){.contender = &list[0], .h = h, .span = 400 * h, .settle = 8};
    for (size_t i = 0; i < n && !status; i++) {
        if (!texts[i])
            continue;
        status = contender_parse(&list[taken], texts[i], err);
        cells[taken] = (timing_cell){.contender = &list[taken], .h = h, .span = 400 * h, .settle = 8};
        taken++;
    }
    if (!status)
        status = timing_open(&session, cells, taken, start, 400, 0.0005, watch, err);
    if (!status)
        status = timing_burst(session, budget, 15, progress ? progress->interrupt : NULL, watch_share,
                              progress, err);
    for (size_t i = 0, k = 1; i < n && (!status || status == PH_E_INTERRUPTED) && session; i++)
        if (texts[i])
            times[i] = cells[k++].result;
    timing_close(session);
    free(cells);
    free(list);
    return status;
}
