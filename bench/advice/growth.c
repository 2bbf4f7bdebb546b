/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast nearby trajectories separate, which decides how errors grow beyond the measured span. */
#include "advisor.h"

#include "bench/common/numbers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double for_growth = 0.5; /* [s of CPU], for small systems, of ADVICE_BUDGET */

/* b is brought nearer to a, to `size` times their distance. */
static ph_status bring_near(const advisor *w, ph_integrator *it, ph_state *b, const ph_state *a, double size,
                            double *scratch)
{
    double *z = scratch, *p = scratch + a->nz;
    for (size_t i = 0; i < a->nz; i++)
        z[i] = a->z[i] + size * (b->z[i] - a->z[i]);
    for (size_t i = 0; i < a->np; i++)
        p[i] = a->p[i] + size * (b->p[i] - a->p[i]);
    return ph_state_set(it, b, w->start.time + (a->t - w->start.time), z, p, PH_PROJECT, NULL);
}

/* b <- a state about 1e-8 from the start, in a random direction that is the same every time. */
static ph_status set_neighbour(const advisor *w, ph_integrator *it, ph_state *b, double *scratch)
{
    uint64_t seed = 2027;
    double size = 1;
    for (size_t i = 0; i < w->nz; i++)
        size = fmax(size, fabs(w->start.z[i]));
    for (size_t i = 0; i < w->nz; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        scratch[i] = w->start.z[i] + 1e-8 * size * ((double)(int64_t)(seed >> 11) * 0x1p-52 - 1);
    }
    return ph_state_set(it, b, w->start.time, scratch, w->start.p, PH_PROJECT, NULL);
}

/* w->logs <- the logarithm of the distance of the pair, from its first one, at equidistant times. */
static ph_status follow_pair(advisor *w, ph_integrator *it, ph_state *a, ph_state *b, int64_t m,
                             double *scratch, ph_error *err)
{
    static const double rescale_at = 1e3;
    ph_status status = set_neighbour(w, it, b, scratch);
    double distance = largest_difference(a->z, b->z, w->nz), begin = distance, log_scale = 0, took;
    w->logs[0] = 0;
    if (!(distance > 0))
        status = PH_E_SINGULAR;
    for (size_t k = 1; k <= ADVICE_DISTANCES && !status; k++) {
        status = meter_steps(w->watch, it, a, m, &took);
        if (!status)
            status = meter_steps(w->watch, it, b, m, &took);
        distance = largest_difference(a->z, b->z, w->nz);
        w->logs[k] = log_scale + log(fmax(distance, 1e-3 * begin) / begin);
        if (!status && distance > rescale_at * begin) {
            log_scale += log(distance / begin);
            status = bring_near(w, it, b, a, begin / distance, scratch);
        }
        if (!status && k % 32 == 0 &&
            advisor_pause(w, "nearby trajectories", 0.05 + 0.1 * (double)k / ADVICE_DISTANCES, err))
            return PH_E_INTERRUPTED;
    }
    return status;
}

/* In a regular motion the distance grows like t, so that its logarithm gains log 2 in the second half; in a
 * chaotic one exponentially. Where the pair cannot be followed, nothing is known (watched = 0): the
 * candidates will show what fails. */
ph_status advisor_watch_growth(advisor *w, double ns, ph_error *err)
{
    static const double much = 4; /* in units of the logarithm; fluctuations are 1 or 2 */
    ph_integrator *it;
    ph_state *a, *b = NULL;
    advice *own = w->a;
    const double fine = 0.4 / own->rate, steps = advisor_share(w, for_growth) / (2e-9 * ns);
    const double most = fmax(own->span, fmin(w->plan->horizon, steps * fine));
    const int64_t m = (int64_t)fmax(1, ceil(most / ADVICE_DISTANCES / fine));
    double *scratch = malloc((w->nz + ph_space_momenta(ph_system_space(w->system)) + 1) * sizeof *scratch);
    ph_status status = scratch ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    own->watched = most;
    if (!status)
        status = contender_start(&w->guide, &w->start, w->sign * most / ADVICE_DISTANCES / (double)m, &it, &a,
                                 err);
    if (status) {
        free(scratch);
        return status;
    }
    status = ph_state_create(it, &b, err);
    if (!status) {
        ph_status followed = follow_pair(w, it, a, b, m, scratch, err);
        double first = 0, second = 0;
        for (size_t k = 1; k <= ADVICE_DISTANCES; k++)
            *(2 * k <= ADVICE_DISTANCES ? &first : &second) =
                fmax(2 * k <= ADVICE_DISTANCES ? first : second, w->logs[k]);
        if (followed == PH_E_INTERRUPTED)
            status = followed;
        else if (followed)
            own->watched = 0;
        else if (second - first > much)
            own->exponent = (second - first) / (0.5 * own->watched);
    }
    ph_state_free(a);
    ph_state_free(b);
    ph_integrator_free(it);
    free(scratch);
    return status;
}

double advisor_log_growth(const advisor *w, double t)
{
    const advice *a = w->a;
    if (!(a->watched > 0))
        return log1p(t * a->rate);
    double most = 0;
    const double place = fmin(1, t / a->watched) * ADVICE_DISTANCES;
    for (size_t k = 0; (double)k <= place + 1e-9; k++)
        most = fmax(most, w->logs[k]);
    if (t <= a->watched)
        return most;
    return most + (a->exponent > 0 ? a->exponent * (t - a->watched) : log(t / a->watched));
}

double advisor_growth(const advisor *w, double power)
{
    const advice *a = w->a;
    if (a->span >= a->horizon)
        return 1;
    const double separation =
        a->exponent > 0 ? advisor_log_growth(w, a->horizon) - advisor_log_growth(w, a->span) : 0;
    return exp(fmin(700, fmax(separation, power * log(a->horizon / a->span))));
}

double advisor_log_rounding(const advisor *w, double t)
{
    return log(2 * DBL_EPSILON) + advisor_log_growth(w, t);
}
