/* SPDX-License-Identifier: BSD-3-Clause */
/* The first and the last tenth of a run. */
#include "tenths.h"

#include <math.h>

int tenths_enter(tenths *t, int64_t sample, int64_t samples, double error)
{
    const int which = sample * 10 <= samples ? 0 : sample * 10 > 9 * samples ? 1 : -1;
    if (which < 0)
        return which;
    t->sum[which] += error;
    t->n[which]++;
    t->most[which] = fmax(t->most[which], fabs(error));
    return which;
}

double tenths_drift(const tenths *t)
{
    return t->n[1] ? t->sum[1] / (double)t->n[1] - t->sum[0] / (double)t->n[0] : (double)NAN;
}

growth growth_judge(ph_status status, double first, double last)
{
    if (status == PH_E_UNKNOWN)
        return GROWTH_ABSENT;
    if (status)
        return GROWTH_FAILED;
    if (fmax(first, last) <= 1e-12)
        return GROWTH_ROUNDING;
    return last > 1.5 * first ? GROWTH_GROWS : GROWTH_FLAT;
}

const char *growth_text(growth g)
{
    static const char *const text[GROWTHS] = {"rounding", "flat", "grows", "ended early",
                                              "not in this build"};
    return (unsigned)g < GROWTHS ? text[g] : "";
}
