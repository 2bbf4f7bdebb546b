/* SPDX-License-Identifier: BSD-3-Clause */
/* What `polhode run` finds out in some milliseconds before it writes anything: can the first step be made, is the
 * step within the stable range of the linearised system, and how do bodies under mutual gravity begin? `polhode check` asks
 * more. */
#include "bodies.h"
#include "program.h"

#include <math.h>

/* Systems up to this size: for more, the trial would take as long as some part of the run. */
enum { COORDINATES = 300 };

/* The fastest rate at the start times the step; 0 where it is not known. */
static double rate_times_step(const ph_scenario *sc)
{
    ph_error err;
    double rate = 0;
    if (ph_system_fastest_rate(ph_scenario_system(sc), ph_scenario_time(sc), ph_scenario_configuration(sc),
                               &rate, &err))
        return 0;
    return rate * fabs(ph_scenario_step_size(sc));
}

bool chooses_steps(const ph_scenario *sc)
{
    enum { OPTIONS = 32 };
    const ph_method *method = ph_scenario_method(sc);
    double values[OPTIONS];
    size_t n;
    const ph_setting *settings = ph_scenario_settings(sc, &n);
    if (ph_scenario_estimate(sc) > 0)
        return true;
    return method->n_options <= OPTIONS && !ph_method_options(method, settings, n, values, NULL) &&
           (ph_method_claims(method, ph_scenario_system(sc), values) & PH_CLAIM_ADAPTIVE);
}

ph_status look_ahead(const ph_scenario *sc, bool quiet, ph_error *err)
{
    energy_estimate e;
    body_report bodies;
    if (!quiet && !report_bodies(sc, &bodies, err))
        for (size_t i = 0; i < bodies.warnings; i++)
            complain(0, "warning: %s", bodies.warning[i]);
    if (ph_space_ambient(ph_system_space(ph_scenario_system(sc))) > COORDINATES)
        return PH_OK;
    ph_status status = estimate_energy(sc, 1, INFINITY, INFINITY, &e, err);
    if (status)
        return status;
    const double product = rate_times_step(sc);
    if (product >= 2 && !quiet && !chooses_steps(sc))
        complain(
            0,
            "warning: the step, %g s, is too large for the fastest motion: %.2g s is the limit of stability "
            "(polhode check shows more)",
            fabs(ph_scenario_step_size(sc)), 2 * fabs(ph_scenario_step_size(sc)) / product);
    return PH_OK;
}
