/* SPDX-License-Identifier: BSD-3-Clause */
/* What all parts of advice measure with: what is spent, shares of the budget, pauses in which progress is reported and an interruption
 * seen; steps that divide the span, which methods take the system, and how far configurations are apart. */
#include "advisor.h"

#include <math.h>

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
    static const double first = 0.6; /* of two searches */
    const double part = !w->plan->both || w->a->forced ? fraction
                        : w->a->by_energy              ? first + (1 - first) * fraction
                                                       : first * fraction;
    if (w->plan->progress)
        w->plan->progress(w->plan->self, what, part);
    if (w->plan->interrupt && *w->plan->interrupt)
        return ph_fail(err, PH_E_INTERRUPTED, "interrupted: %s", what);
    return PH_OK;
}

double advisor_step(const advisor *w, int64_t m)
{
    return w->sign * w->stretch / (double)m;
}

bool advisor_takes(const advisor *w, const contender *c)
{
    ph_integrator *it;
    ph_state *state;
    ph_error err;
    if (contender_start(c, &w->start, 1e-3 * w->sign * w->plan->horizon, &it, &state, &err))
        return false;
    ph_state_free(state);
    ph_integrator_free(it);
    return true;
}

double advisor_distance(const advisor *w, const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < w->nz; k++) {
            const double d = w->weights[k] * fabs(a[i * w->nz + k] - b[i * w->nz + k]);
            if (!isfinite(d))
                return NAN;
            most = fmax(most, d);
        }
    return most;
}
