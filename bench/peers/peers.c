/* SPDX-License-Identifier: BSD-3-Clause */
/* The runs behind work and precision. First every point is run once, from coarse to fine, which gives its
 * error; then all run again in turn, for their times. The time of a run is that of all its steps, without
 * setting it up. */
#include "peers.h"
#include "bench/common/numbers.h"
#include "bench/common/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_LEAST = 3 };

const char *const peers_standard[] = {"variational", "rk4", "rk4-projected", "arkode", "cvode"};
const size_t n_peers_standard = sizeof peers_standard / sizeof peers_standard[0];

static const double tolerances[PEER_POINTS] = {1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13};

/* The interval [s] at which the energy is measured. */
static const struct {
    const char *problem;
    double interval;
} intervals[] = {{"double-spherical-pendulum", 20}, {"chain-20", 0.04}};

ph_status peers_available(ph_error *err)
{
    return ph_method_find("arkode", err) && ph_method_find("cvode", err) ? PH_OK : PH_E_UNKNOWN;
}

/* ---- The right-hand side ------------------------------------------------------------------------- */

static const ph_option *find_option(const ph_method *method, const char *name)
{
    for (size_t i = 0; i < method->n_options; i++)
        if (!strcmp(method->options[i].name, name))
            return &method->options[i];
    return NULL;
}

/* Is the word one of the option's? */
static int has_choice(const ph_option *option, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = option ? option->choices : NULL; at && *at; at += strcspn(at, " ") + 1) {
        if (!strncmp(at, word, length) && (at[length] == ' ' || !at[length]))
            return 1;
        if (!at[strcspn(at, " ")])
            break;
    }
    return 0;
}

/* p->form <- the form in which rk4 is the fastest: its steps are four evaluations of the right-hand side and
 * little else. */
static ph_status find_form(peers *p, const peers_plan *plan, ph_error *err)
{
    size_t most = ph_fields(), n = 0;
    contender *list = calloc(most + 1, sizeof *list);
    timing_cell *cells = calloc(most + 1, sizeof *cells);
    timing_session *session = NULL;
    motion start = motion_of(p->scenario);
    const ph_method *method = ph_method_find("rk4", err);
    double h = copysign(p->problem->first_step / 16, ph_scenario_step_size(p->scenario)), least = INFINITY;
    ph_status status = !method           ? PH_E_UNKNOWN
                       : !list || !cells ? ph_fail(err, PH_E_NO_MEMORY, "out of memory")
                                         : PH_OK;
    for (size_t i = 0; i < most && !status; i++) {
        char text[96];
        ph_integrator *it;
        ph_state *state;
        if (!has_choice(find_option(method, "form"), ph_field_at(i)->name))
            continue;
        snprintf(text, sizeof text, "rk4:form=%s", ph_field_at(i)->name);
        if (contender_parse(&list[n], text, err) || contender_start(&list[n], &start, h, &it, &state, err))
            continue; /* not for this system */
        ph_state_free(state);
        ph_integrator_free(it);
        cells[n] = (timing_cell){.contender = &list[n], .h = h, .span = p->problem->short_time};
        n++;
    }
    if (!status)
        status = timing_open(&session, cells, n, &start, 200, 0.001, NULL, err);
    if (!status)
        status = timing_burst(session, 0.1, 15, plan->interrupt, NULL, NULL, err);
    for (size_t i = 0; i < n; i++)
        if (cells[i].result.median < least) {
            least = cells[i].result.median;
            snprintf(p->form, sizeof p->form, "%s", strchr(list[i].label, '=') + 1);
        }
    timing_close(session);
    free(cells);
    free(list);
    if (!status && !p->form[0])
        status = ph_fail(err, PH_E_UNSUPPORTED, "no form of the equations suits this system");
    return status;
}

/* ---- Plans of runs -------------------------------------------------------------------------------- */

static void plan_run(const peers *p, peer_run *r, int adaptive, peer_quantity what, double step)
{
    double sign = copysign(1, ph_scenario_step_size(p->scenario)), horizon = p->horizons[what];
    if (adaptive) /* it starts again at each output, so it has as few as possible */
        step = what == PEER_ENERGY ? horizon / PEER_OUTPUTS : horizon;
    *r = (peer_run){.h = sign * step,
                    .steps = (int64_t)(horizon / step + 0.5),
                    .status = PH_E_INTERRUPTED,
                    .error = NAN,
                    .cpu = NAN,
                    .least = NAN};
}

static ph_status plan_peer(const peers *p, peer *who, const char *name, ph_error *err)
{
    contender c;
    ph_status status = contender_parse(&c, name, err);
    if (status)
        return status;
    int formed = has_choice(find_option(c.method, "form"), p->form) && !strstr(name, ":form=");
    who->adaptive = (c.method->claims & PH_CLAIM_ADAPTIVE) != 0;
    snprintf(who->label, sizeof who->label, "%s%s%s", name, formed ? ":form=" : "", formed ? p->form : "");
    for (size_t k = 0; k < PEER_POINTS && !status; k++) {
        peer_point *point = &who->points[k];
        char text[160];
        point->setting = who->adaptive ? tolerances[k] : p->problem->first_step * pow(0.5, (double)k);
        if (who->adaptive)
            snprintf(text, sizeof text, "%s:rtol=%g:atol=%g", who->label, point->setting, point->setting);
        else
            snprintf(text, sizeof text, "%s", who->label);
        status = contender_parse(&point->contender, text, err);
        if (!status)
            status = ph_method_supports(c.method, ph_scenario_system(p->scenario), err);
        for (int what = 0; what < PEER_QUANTITIES; what++)
            plan_run(p, &point->runs[what], who->adaptive, (peer_quantity)what, point->setting);
    }
    return status;
}

/* The output interval is a whole number of the largest steps. */
static void choose_horizons(peers *p, double horizon)
{
    const problem *row = p->problem;
    double interval = row->short_time;
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++)
        if (!strcmp(intervals[i].problem, row->name))
            interval = intervals[i].interval;
    if (horizon > 0)
        interval = horizon / PEER_OUTPUTS;
    interval = row->first_step * fmax(1, floor(interval / row->first_step + 0.5));
    p->horizons[PEER_TRAJECTORY] = row->short_time;
    p->horizons[PEER_ENERGY] = PEER_OUTPUTS * interval;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

static ph_status see_state(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    ph_status status = ph_monitor_see(self, state, NULL);
    (void)done, (void)total;
    return status ? ph_fail(err, PH_E_DIVERGED, "no longer finite at t = %.10g s", state->t) : PH_OK;
}

/* One run: *seconds <- CPU time of its steps; the run's status and error. Fails only when it cannot start. */
static ph_status run_once(const peers *p, const peer_point *point, peer_quantity what, peer_run *r,
                          const volatile sig_atomic_t *interrupt, double *seconds, ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    ph_diagnostics *diagnostics = NULL;
    ph_monitor *monitor = NULL;
    motion start = motion_of(p->scenario);
    ph_status status = contender_start(&point->contender, &start, r->h, &it, &state, err);
    if (!status)
        status = ph_diagnostics_create(start.system, &diagnostics, err);
    if (!status)
        status =
            ph_monitor_create(diagnostics, start.time, start.time + r->h * (double)r->steps, &monitor, err);
    if (!status) {
        int energy = what == PEER_ENERGY;
        ph_observer observer = {see_state, monitor};
        ph_run_plan plan = {.steps = r->steps,
                            .output = {.steps = energy ? r->steps / PEER_OUTPUTS : r->steps},
                            .observers = &observer,
                            .n_observers = energy ? 1 : 0,
                            .interrupt = interrupt};
        ph_run_report report = {0};
        ph_summary summary;
        ph_error why;
        r->status = ph_run(it, state, &plan, &report, &why);
        *seconds = report.cpu_seconds;
        ph_monitor_summary(monitor, &summary);
        r->error = r->status ? (double)NAN
                   : energy  ? summary.energy_error_max
                             : largest_difference(state->z, p->truth.z, state->nz);
    }
    ph_monitor_free(monitor);
    ph_diagnostics_free(diagnostics);
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* The times of point k of peer i, in times (n x PEER_POINTS x TURNS_MOST). */
static double *times_of(double *times, size_t i, size_t k)
{
    return times + (i * PEER_POINTS + k) * TURNS_MOST;
}

static ph_status fail_interrupted(ph_error *err)
{
    return ph_fail(err, PH_E_INTERRUPTED, "interrupted");
}

/* Run every point once, from coarse to fine; what would take too long is left out. */
static ph_status run_first(peers *p, peer_quantity what, double *times, const peers_plan *plan, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < p->n && !status; i++) {
        double last = 0, before = 0, seconds = 0;
        for (size_t k = 0; k < PEER_POINTS && !status; k++) {
            peer_run *r = &p->list[i].points[k].runs[what];
            double growth = before > 0 ? fmax(2, last / before) : 2;
            watch_share(plan->progress, ((double)i + (double)k / PEER_POINTS) / (double)p->n);
            if (last * growth > plan->limit) {
                r->steps = 0;
                last = INFINITY;
                continue;
            }
            status = run_once(p, &p->list[i].points[k], what, r, plan->interrupt, &seconds, err);
            if (status)
                break;
            if (r->status == PH_E_INTERRUPTED)
                return fail_interrupted(err);
            if (!r->status) {
                turns_enter(times_of(times, i, k), &r->turns, seconds, &r->cpu, &r->least);
                before = last;
                last = seconds;
            }
        }
    }
    return status;
}

/* One more turn of all completed runs, beginning with another peer each time. */
static ph_status run_again(peers *p, peer_quantity what, size_t turn, double *times, const peers_plan *plan,
                           ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t j = 0; j < p->n * PEER_POINTS && !status; j++) {
        size_t i = (j + turn) % p->n, k = (j / p->n + turn) % PEER_POINTS;
        peer_run *r = &p->list[i].points[k].runs[what], again = *r;
        double seconds = 0;
        if (!r->turns)
            continue;
        status = run_once(p, &p->list[i].points[k], what, &again, plan->interrupt, &seconds, err);
        if (!status && again.status == PH_E_INTERRUPTED)
            return fail_interrupted(err);
        if (!status && !again.status)
            turns_enter(times_of(times, i, k), &r->turns, seconds, &r->cpu, &r->least);
    }
    return status;
}

static ph_status measure_quantity(peers *p, peer_quantity what, const peers_plan *plan, ph_error *err)
{
    static const char *const stages[PEER_QUANTITIES][2] = {{"trajectories", "trajectories: times"},
                                                           {"energies", "energies: times"}};
    double *times = calloc(p->n * PEER_POINTS * TURNS_MOST + 1, sizeof *times);
    if (!times)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    watch_stage(plan->progress, "%s: %s", p->problem->name, stages[what][0]);
    ph_status status = run_first(p, what, times, plan, err);
    watch_stage(plan->progress, "%s: %s", p->problem->name, stages[what][1]);
    double start = meter_wall(), spent = 0;
    for (size_t turn = 1; turn < TURNS_MOST && !status && (turn < TURNS_LEAST || spent < plan->budget);
         turn++) {
        status = run_again(p, what, turn, times, plan, err);
        spent = meter_wall() - start;
        watch_share(plan->progress, fmin(1, fmin((double)turn / (TURNS_LEAST - 1), spent / plan->budget)));
    }
    free(times);
    return status;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

ph_status peers_make(peers *p, const problem *row, ph_scenario *scenario, const char *const *names, size_t n,
                     const peers_plan *plan, ph_error *err)
{
    *p = (peers){.problem = row, .scenario = scenario, .list = calloc(n + 1, sizeof *p->list)};
    if (!p->list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    choose_horizons(p, plan->horizon);
    ph_status status = find_form(p, plan, err);
    for (size_t i = 0; i < n && !status; i++) {
        status = plan_peer(p, &p->list[i], names[i], err);
        p->n += !status;
    }
    if (!status) {
        watch_stage(plan->progress, "%s: the truth", p->problem->name);
        status = truth_find(&p->truth, p->problem, p->scenario, plan->interrupt, err);
    }
    for (int what = 0; what < PEER_QUANTITIES && !status; what++)
        status = measure_quantity(p, (peer_quantity)what, plan, err);
    if (status && status != PH_E_INTERRUPTED)
        return status;
    p->status = status;
    return PH_OK;
}

void peers_free(peers *p)
{
    ph_scenario_free(p->scenario);
    truth_free(&p->truth);
    free(p->list);
    *p = (peers){0};
}

double peer_cost(const peer *p, peer_quantity what, double level)
{
    double errors[PEER_POINTS], seconds[PEER_POINTS];
    for (size_t k = 0; k < PEER_POINTS; k++) {
        const peer_run *r = &p->points[k].runs[what];
        errors[k] = r->turns ? r->error : (double)NAN;
        seconds[k] = r->cpu;
    }
    return turns_cost(errors, seconds, PEER_POINTS, level);
}
