/* SPDX-License-Identifier: BSD-3-Clause */
/* The work that advice takes: what is spent, shares of its budget, and pauses in which it reports progress and can be
 * interrupted. */
#include "advisor.h"

double advisor_now(const advisor *w)
{
    return w->watch->spent;
}

double advisor_share(const advisor *w, double seconds)
{
    return seconds * w->a->budget / ADVICE_BUDGET;
}

ph_status advisor_pause(const advisor *w, const char *what, double fraction, ph_error *err)
{
    if (w->plan->progress)
        w->plan->progress(w->plan->self, what, fraction);
    if (w->plan->interrupt && *w->plan->interrupt)
        return ph_fail(err, PH_E_INTERRUPTED, "interrupted: %s", what);
    return PH_OK;
}
