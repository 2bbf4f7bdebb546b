/* SPDX-License-Identifier: BSD-3-Clause */
/* output.at: a list of times, as in [0.5, 1, 2.25]. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>

/* Time i is behind the one before, and none is outside of the run. recalled: where the run begins is not known. */
static ph_status check_time(const ph_scenario *s, const ph_node *at, size_t i, bool recalled, ph_error *err)
{
    const double way = s->h < 0 ? -1 : 1, length = s->h ? s->h * (double)s->steps : s->duration;
    const double end = s->time + length, rounding = 1e-9 * (s->h ? fabs(s->h) : length);
    const double t = s->times[i];
    if (i > 0 && !((t - s->times[i - 1]) * way > 0))
        return ph_node_fail(at, err, PH_E_RANGE,
                            "is %.17g s, not behind %.17g s, the time before it; %s times are expected", t,
                            s->times[i - 1], way > 0 ? "increasing" : "as the step is negative, decreasing");
    if (recalled || ((t - s->time) * way >= -rounding && (t - end) * way <= rounding))
        return PH_OK;
    return ph_node_fail(at, err, PH_E_RANGE, "is %.15g s; the run is from %.15g s to %.15g s", t, s->time,
                        end);
}

ph_status ph_read_times(ph_scenario *s, const ph_node *at, bool recalled, ph_error *err)
{
    size_t n = 0;
    ph_status status = ph_node_list(at, "a list of times in s, as in [0.5, 1, 2.25],", &n, err);
    if (status)
        return status;
    if (!n)
        return ph_node_fail(at, err, PH_E_SIZE,
                            "has no time; a list of times in s, as in [0.5, 1, 2.25], is expected");
    s->times = malloc(n * sizeof *s->times);
    if (!s->times)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        const ph_node item = ph_node_item(at, i);
        status = ph_node_number(&item, "a time in s", &s->times[i], err);
        if (!status)
            status = check_time(s, &item, i, recalled, err);
    }
    s->output = (ph_schedule){.kind = PH_AT_TIMES, .times = s->times, .n_times = n};
    return status;
}
