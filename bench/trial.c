/* SPDX-License-Identifier: BSD-3-Clause */
/* One trial of the comparison: a method at a step size on a scenario, watched at times that are dense on a
 * logarithmic axis. */
#include "compare.h"

#include <math.h>
#include <string.h>

/* Outputs in each decade of time at most. */
static const int64_t outputs_per_decade = 4000;

ph_status trial_parse(trial *tr, const char *text, ph_error *err)
{
    double values[32];
    *tr = (trial){0};
    if (strlen(text) >= sizeof tr->words)
        return ph_fail(err, PH_E_SIZE, "the method \"%.40s...\" is too long", text);
    strcpy(tr->label, text);
    strcpy(tr->words, text);
    char *rest = strchr(tr->words, ':');
    if (rest)
        *rest++ = '\0';
    tr->method = ph_method_find(tr->words, err);
    if (!tr->method)
        return PH_E_UNKNOWN;
    while (rest) {
        char *option = rest, *value = strchr(option, '=');
        rest = strchr(option, ':');
        if (rest)
            *rest++ = '\0';
        if (!value || (rest && value >= rest) || tr->n_settings == TRIAL_SETTINGS)
            return ph_fail(err, PH_E_INVALID, "\"%s\": write METHOD:option=value:option=value", text);
        *value++ = '\0';
        tr->settings[tr->n_settings++] = (ph_setting){option, value};
    }
    if (tr->method->n_options > sizeof values / sizeof values[0])
        return ph_fail(err, PH_E_SIZE, "method %s has too many options", tr->method->name);
    return ph_method_options(tr->method, tr->settings, tr->n_settings, values, err);
}

double curve_time(const curve *c, size_t i)
{
    return fmin(c->t_first * pow(10, (double)i / BINS_PER_DECADE), c->t_last);
}

double curve_running_max(const curve *c, size_t i)
{
    double most = NAN;
    for (size_t j = 0; j <= i && j < c->n; j++)
        most = fmax(most, c->bin[j]);
    return most;
}

/* ---- Running ------------------------------------------------------------------------------------ */

typedef struct watch {
    trial *tr;
    ph_monitor *monitor;
    double energy0, t0;
    int64_t before; /* steps of the stages that are over */
    trial_progress show;
    void *self;
} watch;

static void enter(curve *c, double t, double error)
{
    if (!(t > 0.5 * c->t_first))
        return; /* the start itself */
    c->t_last = t;
    double place = ceil(BINS_PER_DECADE * log10(t / c->t_first) - 1e-9); /* a time on a border is below it */
    size_t i = place > 0 ? (size_t)place : 0;
    if (i >= BINS_MOST)
        i = BINS_MOST - 1;
    for (; c->n <= i; c->n++)
        c->bin[c->n] = NAN;
    c->bin[i] = fmax(c->bin[i], error);
}

static ph_status look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    watch *w = self;
    ph_measures m;
    ph_status status = ph_monitor_see(w->monitor, state, &m);
    (void)total;
    if (status)
        return ph_fail(err, PH_E_DIVERGED, "the energy is no longer finite at t = %.10g s", state->t);
    if (state->k == 0)
        w->energy0 = m.energy;
    enter(&w->tr->energy, fabs(state->t - w->t0), fabs(m.energy - w->energy0));
    if (w->show)
        w->show(w->self, w->tr, state->t, w->before + done);
    return PH_OK;
}

/* Stages of 10, 100, 1000, ... steps in all, each with its own output interval. */
static ph_status run_stages(ph_integrator *it, ph_state *state, watch *w,
                            const volatile sig_atomic_t *interrupt, ph_error *err)
{
    trial *tr = w->tr;
    ph_observer observer = {look, w};
    ph_status status = PH_OK;
    for (int64_t end = 10; !status && w->before < tr->steps; end *= 10) {
        ph_run_report part;
        int64_t steps = (end < tr->steps ? end : tr->steps) - w->before;
        int64_t every = steps / outputs_per_decade + 1;
        ph_run_plan plan = {
            .steps = steps, .every = every, .observers = &observer, .n_observers = 1, .interrupt = interrupt};
        status = ph_run(it, state, &plan, &part, err);
        tr->report.steps += part.steps;
        tr->report.cpu_seconds += part.cpu_seconds;
        w->before += part.steps;
    }
    tr->report.time_at_end = state->t;
    return status;
}

static void conclude(trial *tr, const ph_integrator *it, const ph_monitor *monitor)
{
    ph_monitor_summary(monitor, &tr->summary);
    for (size_t i = 0; i < tr->energy.n; i++)
        tr->energy.bin[i] /= tr->summary.energy_scale;
    tr->t_end = tr->report.time_at_end;
    tr->passes = NAN;
    if (tr->method->claims & PH_CLAIM_IMPLICIT && tr->report.steps)
        tr->passes = (double)ph_integrator_statistics(it)->newton_passes / (double)tr->report.steps;
}

ph_status trial_run(trial *tr, const ph_scenario *scenario, double h, double duration,
                    const volatile sig_atomic_t *interrupt, trial_progress show, void *self, ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    ph_diagnostics *diagnostics = NULL;
    watch w = {.tr = tr, .show = show, .self = self, .t0 = ph_scenario_time(scenario)};
    const ph_system *system = ph_scenario_system(scenario);
    tr->h = h;
    tr->steps = (int64_t)(duration / fabs(h) + 0.5);
    tr->energy.t_first = fabs(h);
    ph_status status = ph_integrator_create(system, tr->method, h, tr->settings, tr->n_settings, &it, err);
    if (!status)
        status = ph_state_create(it, &state, err);
    if (!status)
        status = ph_state_set(it, state, w.t0, ph_scenario_configuration(scenario),
                              ph_scenario_momentum(scenario), PH_STRICT, err);
    if (!status)
        status = ph_diagnostics_create(system, &diagnostics, err);
    if (!status)
        status = ph_monitor_create(diagnostics, w.t0, w.t0 + h * (double)tr->steps, &w.monitor, err);
    if (!status) {
        ph_error why = {PH_OK, ""};
        tr->status = run_stages(it, state, &w, interrupt, &why);
        strcpy(tr->message, why.message);
        conclude(tr, it, w.monitor);
    }
    ph_monitor_free(w.monitor);
    ph_diagnostics_free(diagnostics);
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}
