/* SPDX-License-Identifier: BSD-3-Clause */
/* Method and step of a scenario that gives an accuracy: whoever runs it chooses them, and an archive keeps them. */
#include "parts.h"

#include "lib/internal/missing.h"

#include <math.h>
#include <stdlib.h>

double ph_scenario_accuracy(const ph_scenario *s)
{
    return s->accuracy;
}

ph_accuracy_of ph_scenario_accuracy_of(const ph_scenario *s)
{
    return s->accuracy_of;
}

double ph_scenario_budget(const ph_scenario *s)
{
    return s->budget;
}

double ph_scenario_energy_estimate(const ph_scenario *s)
{
    return s->energy_estimate;
}

double ph_scenario_estimate(const ph_scenario *s)
{
    return s->estimate;
}

double ph_scenario_duration(const ph_scenario *s)
{
    return s->h ? fabs(s->h) * (double)s->steps : s->duration;
}

bool ph_scenario_is_settled(const ph_scenario *s)
{
    return s->method && s->h;
}

/* Is exactly that given which is missing? */
static ph_status check_missing(const ph_scenario *s, const ph_method *method, size_t n, double h,
                               ph_error *err)
{
    if (ph_scenario_is_settled(s))
        return ph_fail(err, PH_E_INVALID, "method and step of the scenario are known already");
    if (!s->method && !method)
        return ph_fail(err, PH_E_INVALID, "there is no method: the scenario gives none, and it is NULL");
    if (s->method && (method || n))
        return ph_fail(err, PH_E_INVALID,
                       "the scenario gives its method, %s; NULL and no settings are expected",
                       s->method->name);
    if (s->h && h)
        return ph_fail(err, PH_E_INVALID, "the scenario gives its step, %g s; 0 is expected, not %g", s->h,
                       h);
    if (!s->h && !(h > 0 && isfinite(h)))
        return ph_fail(err, PH_E_RANGE, "h is %g; a step size in s, > 0, is expected", h);
    return PH_OK;
}

/* Does the method take these options, and the system? */
static ph_status check_method(const ph_scenario *s, const ph_method *method, const ph_setting *settings,
                              size_t n, ph_error *err)
{
    double *values = calloc(method->n_options + 1, sizeof *values);
    if (!values)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_method_options(method, settings, n, values, err);
    free(values);
    return status ? status : ph_method_supports(method, s->system, err);
}

static ph_status keep_settings(ph_scenario *s, const ph_setting *settings, size_t n, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = ph_keep_setting(s, settings[i].name, settings[i].value, err);
    while (status && s->n_settings) {
        s->n_settings--;
        free((void *)(uintptr_t)s->settings[s->n_settings].name);
        free((void *)(uintptr_t)s->settings[s->n_settings].value);
    }
    return status;
}

ph_status ph_scenario_settle(ph_scenario *s, const ph_method *method, const ph_setting *settings, size_t n,
                             double h, double estimate, double energy, ph_error *err)
{
    int64_t steps = 0;
    if (!s)
        return ph_not_created(err, "scenario", "ph_scenario_load");
    ph_status status = check_missing(s, method, n, h, err);
    if (!status && h && (status = ph_count_steps(s->duration, h, &steps, err))) {
        const ph_error why = *err;
        status = ph_fail(err, status, "the duration, %.15g s, %.400s", s->duration, why.message);
    }
    if (!status && method)
        status = check_method(s, method, settings, n, err);
    if (!status && method)
        status = keep_settings(s, settings, n, err);
    if (status)
        return status;
    s->method = method ? method : s->method;
    s->estimate = estimate > 0 && isfinite(estimate) ? estimate : 0;
    s->energy_estimate = energy > 0 && isfinite(energy) ? energy : 0;
    if (h) {
        s->h = h;
        s->steps = steps;
        if (s->output_by_length)
            ph_default_output(s);
    }
    return PH_OK;
}
