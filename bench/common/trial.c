/* SPDX-License-Identifier: BSD-3-Clause */
/* A contender followed for a long time, in stages of 10, 100, 1000, ... steps with an output interval each,
 * so that outputs are dense on a logarithmic axis of time and cost little. */
#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Outputs in each decade of time at most. */
static const int64_t outputs_per_decade = 4000;

typedef struct trial_watch {
    trial *tr;
    ph_monitor *monitor;
    const ph_system *system;
    double energy0, t0;
    double *momenta0; /* (symmetries) */
    curve *momenta;   /* (symmetries) */
    int64_t before;   /* steps of finished stages */
    double length;    /* [s] planned */
    trial_progress show;
    void *self;
} trial_watch;

/* The time at which point k of a path is taken: evenly, but shifted by fractions of golden sections, so that no
 * period of the motion is met always at the same phase. */
static double path_time(const trial_watch *w, size_t k)
{
    static const double golden = 0.6180339887498949;
    double shift = golden * (double)k;
    return w->length * ((double)k + shift - floor(shift)) / PATH_MOST;
}

static void record_path(trial_watch *w, const ph_state *state, double t)
{
    trial *tr = w->tr;
    if (!tr->path || tr->n_path == PATH_MOST || t < path_time(w, tr->n_path))
        return;
    memcpy(&tr->path[3 * tr->n_path++], state->p, 3 * sizeof *tr->path);
}

static ph_status look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    trial_watch *w = self;
    ph_measures m;
    ph_status status = ph_monitor_see(w->monitor, state, &m);
    double t = fabs(state->t - w->t0);
    size_t maps = ph_system_symmetries(w->system);
    (void)total;
    if (status)
        return ph_fail(err, PH_E_DIVERGED, "the energy is no longer finite at t = %.10g s", state->t);
    if (state->k == 0) {
        w->energy0 = m.energy;
        memcpy(w->momenta0, m.momenta, maps * sizeof *m.momenta);
    }
    curve_enter(&w->tr->energy, t, m.energy - w->energy0);
    curve_enter(&w->tr->constraint, t, m.constraint_error);
    for (size_t i = 0; i < maps; i++)
        curve_enter(&w->momenta[i], t, m.momenta[i] - w->momenta0[i]);
    record_path(w, state, t);
    if (w->show)
        w->show(w->self, w->tr, state->t, w->before + done);
    return PH_OK;
}

static ph_status run_stages(ph_integrator *it, ph_state *state, trial_watch *w,
                            const volatile sig_atomic_t *interrupt, ph_error *err)
{
    trial *tr = w->tr;
    ph_observer observer = {look, w};
    ph_status status = PH_OK;
    for (int64_t end = 10; !status && w->before < tr->steps; end *= 10) {
        ph_run_report part;
        int64_t steps = (end < tr->steps ? end : tr->steps) - w->before;
        int64_t every = steps / outputs_per_decade + 1;
        ph_run_plan plan = {.steps = steps,
                            .output = {.steps = every},
                            .observers = &observer,
                            .n_observers = 1,
                            .interrupt = interrupt};
        status = ph_run(it, state, &plan, &part, err);
        w->before += part.steps;
    }
    tr->steps_done = w->before;
    tr->t_end = fabs(state->t - w->t0);
    return status;
}

/* The momentum curve is that of the map whose error the summary gives. */
static void choose_momentum(trial_watch *w)
{
    const ph_summary *s = &w->tr->summary;
    double nearest = INFINITY;
    for (size_t i = 0; i < ph_system_symmetries(w->system); i++) {
        double most = curve_running_max(&w->momenta[i], BINS_MOST) / s->momentum_scale;
        if (fabs(most - s->momentum_error_max) < nearest) {
            nearest = fabs(most - s->momentum_error_max);
            w->tr->momentum = w->momenta[i];
        }
    }
}

static void conclude(trial_watch *w, const ph_integrator *it)
{
    trial *tr = w->tr;
    ph_monitor_summary(w->monitor, &tr->summary);
    choose_momentum(w);
    curve_scale(&tr->energy, 1 / tr->summary.energy_scale);
    curve_scale(&tr->momentum, 1 / tr->summary.momentum_scale);
    tr->passes = NAN;
    if (tr->contender->method->claims & PH_CLAIM_IMPLICIT && tr->steps_done)
        tr->passes = (double)ph_integrator_statistics(it)->newton_passes / (double)tr->steps_done;
}

static ph_status watch_start(trial_watch *w, ph_diagnostics *diagnostics, ph_error *err)
{
    size_t maps = ph_system_symmetries(w->system);
    double h = w->tr->h;
    w->momenta0 = calloc(maps + 1, sizeof *w->momenta0);
    w->momenta = calloc(maps + 1, sizeof *w->momenta);
    if (!w->momenta0 || !w->momenta)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (ph_space_factors(ph_system_space(w->system)) == 1 && ph_system_bodies(w->system)) {
        w->tr->path = calloc(3 * PATH_MOST, sizeof *w->tr->path);
        if (!w->tr->path)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    w->length = fabs(h) * (double)w->tr->steps;
    w->tr->energy = w->tr->constraint = w->tr->momentum = curve_start(fabs(h));
    for (size_t i = 0; i < maps; i++)
        w->momenta[i] = curve_start(fabs(h));
    return ph_monitor_create(diagnostics, w->t0, w->t0 + h * (double)w->tr->steps, &w->monitor, err);
}

ph_status trial_run(trial *tr, const ph_scenario *scenario, const volatile sig_atomic_t *interrupt,
                    trial_progress show, void *self, ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    ph_diagnostics *diagnostics = NULL;
    trial_watch w = {.tr = tr,
                     .system = ph_scenario_system(scenario),
                     .t0 = ph_scenario_time(scenario),
                     .show = show,
                     .self = self};
    motion start = motion_of(scenario);
    ph_status status = contender_start(tr->contender, &start, tr->h, &it, &state, err);
    if (!status)
        status = ph_diagnostics_create(w.system, &diagnostics, err);
    if (!status)
        status = watch_start(&w, diagnostics, err);
    if (!status) {
        ph_error why = {PH_OK, ""};
        tr->status = run_stages(it, state, &w, interrupt, &why);
        snprintf(tr->message, sizeof tr->message, "%s", why.message);
        conclude(&w, it);
    }
    free(w.momenta0);
    free(w.momenta);
    ph_monitor_free(w.monitor);
    ph_diagnostics_free(diagnostics);
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

void trial_free(trial *tr)
{
    free(tr->path);
    tr->path = NULL;
    tr->n_path = 0;
}

double trial_growth(const trial *tr)
{
    const ph_summary *s = &tr->summary;
    return s->energy_error_max_last_tenth / s->energy_error_max_first_tenth;
}
