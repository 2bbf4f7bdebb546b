/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy error that a scenario's method and step will have: measured over the first steps of the run, and
 * extrapolated where the method does not bound it. Nothing is written. */
#include "program.h"

#include <math.h>

#include "bench/advice/advice.h"

/* Measured states, about: more show no larger error, and cost as much as steps. */
enum { LOOKS = 1000 };

/* What a measured run needs; energies are seen by the monitor. */
typedef struct trial {
    ph_integrator *integrator;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
    double seconds; /* of CPU time at most, by counted work */
    double worst;   /* the relative energy error beyond which it ends */
} trial;

/* Is the error beyond the bound? Not in the first tenth, where the energy may not have its size yet that errors are relative
 * to. */
static bool is_beyond(const trial *t, int64_t done, int64_t total)
{
    ph_summary summary;
    if (!isfinite(t->worst) || done < total / 10)
        return false;
    ph_monitor_summary(t->monitor, &summary);
    return summary.energy_error_max > t->worst;
}

static ph_status look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    trial *t = self;
    (void)err;
    ph_status status = ph_monitor_see(t->monitor, state, NULL);
    const double spent = advice_price(NULL, t->integrator, ph_integrator_statistics(t->integrator));
    if (status || *signal_flag())
        return status ? status : PH_E_INTERRUPTED;
    return spent > t->seconds || is_beyond(t, done, total) ? PH_E_STOPPED : PH_OK;
}

static ph_status set_up(trial *t, const ph_scenario *sc, ph_error *err)
{
    const double start = ph_scenario_time(sc);
    ph_status status = ph_scenario_integrator(sc, NULL, &t->integrator, err);
    if (!status)
        status = ph_state_create(t->integrator, &t->state, err);
    if (!status)
        status = ph_state_set(t->integrator, t->state, start, ph_scenario_configuration(sc),
                              ph_scenario_momentum(sc), PH_STRICT, err);
    if (!status)
        status = ph_diagnostics_create(ph_scenario_system(sc), &t->diagnostics, err);
    if (!status)
        status = ph_monitor_create(t->diagnostics, start,
                                   start + (double)ph_scenario_steps(sc) * ph_scenario_step_size(sc),
                                   &t->monitor, err);
    return status;
}

static void release(trial *t)
{
    ph_monitor_free(t->monitor);
    ph_diagnostics_free(t->diagnostics);
    ph_state_free(t->state);
    ph_integrator_free(t->integrator);
}

static unsigned claims_of(const ph_integrator *it)
{
    return ph_method_claims(ph_integrator_method(it), ph_integrator_system(it), ph_integrator_options(it));
}

/* Does the method keep the energy error within bounds? The error of an adaptive one accumulates. */
static bool bounds_energy(const ph_integrator *it)
{
    return claims_of(it) & (PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC);
}

ph_status estimate_energy(const ph_scenario *sc, int64_t most, double seconds, double worst,
                          energy_estimate *e, ph_error *err)
{
    const int64_t steps = ph_scenario_steps(sc), n = steps < most ? steps : most;
    trial t = {.seconds = seconds, .worst = worst};
    ph_run_report report = {0};
    *e = (energy_estimate){.seen = NAN, .expected = NAN};
    ph_status status = set_up(&t, sc, err);
    if (!status) {
        const ph_observer observer = {look, &t};
        const ph_run_plan plan = {.steps = n,
                                  .output = {PH_EVERY_STEPS, n / LOOKS + 1, 0},
                                  .observers = &observer,
                                  .n_observers = 1};
        ph_summary summary;
        status = ph_run(t.integrator, t.state, &plan, &report, err);
        ph_monitor_summary(t.monitor, &summary);
        e->steps = report.steps;
        e->seen = summary.energy_error_max;
        e->bounded = bounds_energy(t.integrator);
        e->expected = e->seen * (e->bounded || !report.steps ? 1 : (double)steps / (double)report.steps);
        status = status == PH_E_STOPPED ? PH_OK : status;
    }
    release(&t);
    return status;
}

/* Two runs at the same times, the second with half the step. */
typedef struct halves {
    ph_integrator *integrator[2];
    ph_state *state[2];
    double difference[2], length; /* of lengths and of unit vectors; the largest length */
} halves;

static void compare_halves(halves *w, const ph_space *space)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const bool length = f->kind == PH_FACTOR_R || f->kind == PH_FACTOR_EMBEDDED;
        for (size_t k = f->z; k < f->z + f->nz; k++) {
            const double a = w->state[0]->z[k], b = w->state[1]->z[k];
            w->difference[length] = fmax(w->difference[length], fabs(a - b));
            w->length = fmax(w->length, length ? fabs(b) : 0);
        }
    }
}

ph_status estimate_by_half(const ph_scenario *sc, int64_t steps, double *error, ph_error *err)
{
    const ph_system *system = ph_scenario_system(sc);
    const int64_t each = steps / LOOKS + 1;
    halves w = {.length = 0};
    *error = NAN;
    ph_status status = ph_scenario_integrator(sc, NULL, &w.integrator[0], err);
    if (!status && (claims_of(w.integrator[0]) & PH_CLAIM_ADAPTIVE)) {
        ph_integrator_free(w.integrator[0]);
        return PH_OK;
    }
    if (!status)
        status = ph_integrator_copy(w.integrator[0], ph_scenario_step_size(sc) / 2, &w.integrator[1], err);
    for (int k = 0; k < 2 && !status; k++) {
        status = ph_state_create(w.integrator[k], &w.state[k], err);
        if (!status)
            status = ph_state_set(w.integrator[k], w.state[k], ph_scenario_time(sc),
                                  ph_scenario_configuration(sc), ph_scenario_momentum(sc), PH_STRICT, err);
    }
    for (int64_t left = steps; left > 0 && !status; left -= each) {
        const int64_t now = left < each ? left : each;
        for (int k = 0; k < 2 && !status; k++)
            if ((status = ph_integrator_step(w.integrator[k], w.state[k], (1 + k) * now)))
                status = ph_fail(err, status, "%s", ph_integrator_message(w.integrator[k]));
        if (!status)
            compare_halves(&w, ph_system_space(system));
    }
    if (!status)
        *error = fmax(w.difference[0], w.length > 0 ? w.difference[1] / w.length : 0);
    for (int k = 0; k < 2; k++) {
        ph_state_free(w.state[k]);
        ph_integrator_free(w.integrator[k]);
    }
    return status;
}
