/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario file run by a program of one's own, without the program polhode:
 *     cc scenario.c $(pkg-config --cflags --libs polhode-io) -o scenario && ./scenario FILE.yaml
 * Prints where the motion ended and the largest errors on the way, with all digits. */
#include <stdio.h>

#include <polhode/polhode.h>

/* The observer: shows the state to the monitor. */
static ph_status look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    if (!ph_monitor_see((ph_monitor *)self, state, NULL))
        return PH_OK;
    return ph_fail(err, PH_E_DIVERGED, "no energy after %.0f of %.0f steps", (double)done, (double)total);
}

int main(int argc, char **argv)
{
    ph_scenario *scenario = NULL;
    ph_integrator *integrator = NULL;
    ph_state *state = NULL;
    ph_diagnostics *diagnostics = NULL;
    ph_monitor *monitor = NULL;
    ph_summary summary;
    ph_error err;

    if (argc != 2) {
        fprintf(stderr, "usage: scenario FILE.yaml\n");
        return 2;
    }
    ph_status status = ph_scenario_load(argv[1], &scenario, &err);
    if (!status) {
        size_t n = 0;
        const ph_system *system = ph_scenario_system(scenario);
        const ph_method *method = ph_scenario_method(scenario);
        const ph_setting *settings = ph_scenario_settings(scenario, &n);
        const double *q = ph_scenario_configuration(scenario), *p = ph_scenario_momentum(scenario);
        const double h = ph_scenario_step_size(scenario), t0 = ph_scenario_time(scenario);
        const double t1 = t0 + h * (double)ph_scenario_steps(scenario);
        if (!(status = ph_integrator_create(system, method, h, settings, n, &integrator, &err)) &&
            !(status = ph_state_create(integrator, &state, &err)) &&
            !(status = ph_state_set(integrator, state, t0, q, p, PH_STRICT, &err)) &&
            !(status = ph_diagnostics_create(system, &diagnostics, &err)) &&
            !(status = ph_monitor_create(diagnostics, t0, t1, &monitor, &err))) {
            const ph_observer observer = {look, monitor};
            const ph_run_plan plan = {ph_scenario_steps(scenario), 0, *ph_scenario_output(scenario), &observer, 1,
                                      NULL, NULL, NULL};
            ph_run_report report;
            status = ph_run(integrator, state, &plan, &report, &err);
            ph_monitor_summary(monitor, &summary);
            printf("time %.17g\n", state->t);
            printf("energy_error_max %.17g\n", summary.energy_error_max);
            printf("constraint_error_max %.17g\n", summary.constraint_error_max);
            for (size_t i = 0; i < state->nz; i++)
                printf("%s%.17g", i ? ", " : "z ", state->z[i]);
            printf("\n");
        }
    }
    if (status)
        fprintf(stderr, "%s\n", err.message);
    ph_monitor_free(monitor);
    ph_diagnostics_free(diagnostics);
    ph_state_free(state);
    ph_integrator_free(integrator);
    ph_scenario_free(scenario);
    return status ? 1 : 0;
}
