/* SPDX-License-Identifier: BSD-3-Clause */
/* What a session needs before it can run, whether it is begun or resumed: its options, the names of its
 * files, and the objects of the run. */
#include "parts.h"

#include "lib/archive/place.h"
#include "lib/internal/clock.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Options ------------------------------------------------------------------------------------- */

/* *to <- the number, if there is one: finite and at least `least`. */
static ph_status take_number(const char *name, const double *from, double least, double *to, ph_error *err)
{
    if (!from)
        return PH_OK;
    if (!isfinite(*from) || *from < least)
        return ph_fail(err, PH_E_RANGE, "options.%s is %g: a time in s is expected%s", name, *from,
                       least == 0 ? ", not negative" : "");
    *to = *from;
    return PH_OK;
}

/* The options of the caller, checked; numbers that are not given keep their defaults. */
static ph_status take_options(ph_session *s, const ph_session_options *o, ph_error *err)
{
    s->options = *o;
    ph_status status = take_number("wall_clock", o->wall_clock, 0, &s->wall_clock, err);
    if (!status)
        status = take_number("snapshot", o->snapshot, 0, &s->snapshot, err);
    if (!status)
        status = take_number("until", o->until, -INFINITY, &s->until, err);
    if (!status && o->largest && !((s->largest = *o->largest) > 0))
        return ph_fail(err, PH_E_RANGE, "options.largest is %g: a positive number of bytes is expected",
                       s->largest);
    if (!status && ((o->n_columns && !o->columns) || (o->n_observers && !o->observers)))
        return ph_fail(err, PH_E_INVALID,
                       "options: there are %zu columns and %zu observers, but no list of them", o->n_columns,
                       o->n_observers);
    return status;
}

/* The session's own observer is the first: a row is made before others look. */
static ph_status take_observers(ph_session *s, ph_error *err)
{
    const size_t n = s->options.n_observers;
    s->observers = malloc((1 + n) * sizeof *s->observers);
    if (!s->observers)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->observers[0] = (ph_observer){ph_session_look, s};
    for (size_t i = 0; i < n; i++)
        s->observers[1 + i] = s->options.observers[i];
    return PH_OK;
}

ph_status ph_session_create(const ph_session_options *options, ph_session **session, ph_error *err)
{
    ph_session *s = calloc(1, sizeof *s);
    if (!s)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->wall_clock = s->energy_bound = s->largest = INFINITY;
    s->until = s->snapshot = NAN;
    s->monitored = -1;
    s->sums = calloc(1, sizeof *s->sums);
    ph_status status = s->sums ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status && options)
        status = take_options(s, options, err);
    if (!status)
        status = take_observers(s, err);
    if (status)
        ph_session_release(s);
    else
        *session = s;
    return status;
}

ph_status ph_session_place(ph_session *s, const char *directory, const char *archive, ph_error *err)
{
    static const char *const names[PH_SESSION_FILES] = {[PH_SESSION_SUMMARY] = "summary.json",
                                                        [PH_SESSION_TRAJECTORY] = "trajectory.csv",
                                                        [PH_SESSION_EVENTS] = "events.csv"};
    bool whole = (s->directory = strdup(directory)) && (s->stop_file = ph_path_join(directory, "/", "STOP"));
    for (size_t i = 0; i < PH_SESSION_FILES && whole; i++) {
        s->paths[i] = names[i] ? ph_path_join(directory, "/", names[i]) : strdup(archive);
        whole = s->paths[i];
    }
    return whole ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

/* ---- What is run ---------------------------------------------------------------------------------- */

/* What scenarios and plans have in common, when there is an integrator: the name of the model, a state,
 * and diagnostics. */
static ph_status take_motion(ph_session *s, const char *model, ph_error *err)
{
    s->model = strdup(model);
    if (!s->model)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_state_create(s->integrator, &s->state, err);
    return status ? status : ph_diagnostics_create(ph_integrator_system(s->integrator), &s->diagnostics, err);
}

ph_status ph_session_take_scenario(ph_session *s, const char *recorded, ph_error *err)
{
    ph_scenario *sc = s->scenario;
    s->output = *ph_scenario_output(sc);
    s->energy_bound = ph_scenario_energy_bound(sc);
    s->csv_wanted = s->options.csv || ph_scenario_csv(sc);
    s->steps = ph_scenario_steps(sc);
    s->t0 = ph_scenario_time(sc);
    if (isnan(s->snapshot))
        s->snapshot = ph_scenario_snapshot(sc);
    ph_status status = ph_scenario_compile(sc, err);
    status = status ? status : ph_scenario_integrator(sc, recorded, &s->integrator, err);
    return status ? status : take_motion(s, ph_scenario_model(sc)->name, err);
}

/* Has the plan a name that can be that of a file, an integrator, a schedule, a bound? */
static ph_status check_plan(const ph_session_plan *plan, ph_error *err)
{
    const ph_schedule *o = &plan->output;
    const bool by_interval = o->kind == PH_EVERY_INTERVAL, by_times = o->kind == PH_AT_TIMES;
    if (!plan->name || !*plan->name || strchr(plan->name, '/'))
        return ph_fail(err, PH_E_INVALID, "a run needs a name, for its files: not empty and without a slash");
    if (!plan->integrator)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    if (o->kind == PH_EVERY_STEPS && o->interval != 0)
        return ph_fail(
            err, PH_E_INVALID,
            "output: has an interval, %g s, but counts steps: set output.kind to PH_EVERY_INTERVAL",
            o->interval);
    if (!by_times && (o->times || o->n_times))
        return ph_fail(err, PH_E_INVALID,
                       "output: has a list of times, but another kind: set output.kind to PH_AT_TIMES");
    if (by_times && (!o->times || !o->n_times))
        return ph_fail(err, PH_E_INVALID,
                       "output: the list of times is missing: times and n_times are expected");
    if ((unsigned)o->kind > PH_AT_TIMES || o->steps < 0 ||
        (by_interval ? !(o->interval > 0 && isfinite(o->interval)) : o->kind == PH_PER_DECADE && !o->steps))
        return ph_fail(
            err, PH_E_RANGE,
            "output: a schedule needs steps >= 1, or an interval > 0 and finite, not %lld and %g s",
            (long long)o->steps, o->interval);
    if (!(plan->energy_bound >= 0))
        return ph_fail(err, PH_E_RANGE, "energy_bound is %g: a relative error is expected, or 0 for none",
                       plan->energy_bound);
    if (plan->n_events && !plan->events)
        return ph_fail(err, PH_E_INVALID, "there are %zu events, but no list of them", plan->n_events);
    return PH_OK;
}

ph_status ph_session_take_plan(ph_session *s, const ph_session_plan *plan, ph_error *err)
{
    static const double snapshot = 60; /* [s], as scenarios have it */
    ph_status status = check_plan(plan, err);
    if (status)
        return status;
    s->output = plan->output;
    if (s->output.n_times) {
        s->times = malloc(s->output.n_times * sizeof *s->times);
        if (!s->times)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        memcpy(s->times, s->output.times, s->output.n_times * sizeof *s->times);
        s->output.times = s->times;
    }
    if (s->output.kind == PH_EVERY_STEPS && !s->output.steps)
        s->output.steps = 1;
    if (plan->energy_bound > 0)
        s->energy_bound = plan->energy_bound;
    s->csv_wanted = s->options.csv;
    s->steps = plan->steps;
    if (isnan(s->snapshot))
        s->snapshot = snapshot;
    status =
        ph_integrator_copy(plan->integrator, ph_integrator_step_size(plan->integrator), &s->integrator, err);
    return status ? status : take_motion(s, plan->model ? plan->model : plan->name, err);
}

/* Whole steps from the start: a time between two of them is refused, with the nearest one that is
 * possible. */
ph_status ph_session_replan(ph_session *s, ph_error *err)
{
    const double h = ph_integrator_step_size(s->integrator), until = s->until;
    if (isnan(until))
        return PH_OK;
    const double ratio = (until - s->t0) / h, n = round(ratio);
    if (!(ratio < 9e15) || fabs(ratio - n) > 1e-6 + 4 * 0x1p-52 * fabs(ratio) || n < 1)
        return ph_fail(
            err, PH_E_RANGE,
            "options.until %.15g s is %.10g steps of %g s from the start at %g s; a whole number of them, at "
            "least 1, is expected: %.15g s, say",
            until, ratio, h, s->t0, s->t0 + h * fmax(1, n));
    s->steps = (int64_t)n;
    return PH_OK;
}

/* ---- The rest ------------------------------------------------------------------------------------- */

double ph_session_end_time(const ph_session *s)
{
    return s->t0 + ph_integrator_step_size(s->integrator) * (double)s->steps;
}

/* What is looked for along the trajectory; which of the events stop the run is kept apart. */
static ph_status take_events(ph_session *s, const ph_event *events, size_t n, ph_error *err)
{
    const ph_event_sink sink = {ph_session_note_event, s};
    if (!n)
        return PH_OK;
    s->stops_at = malloc(n * sizeof *s->stops_at);
    if (!s->stops_at)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        s->stops_at[i] = events[i].action == PH_EVENT_STOP;
    s->n_events = n;
    return ph_events_create(s->integrator, events, n, &sink, &s->events, err);
}

/* For outputs between steps, if there are any. */
static ph_status take_dense(ph_session *s, ph_error *err)
{
    ph_error why;
    const double h = ph_integrator_step_size(s->integrator);
    if (!ph_schedule_is_dense(&s->output, h))
        return PH_OK;
    ph_status status = ph_schedule_check(&s->output, h, &why);
    if (!status)
        status = ph_dense_create(s->integrator, &s->dense, &why);
    return status ? ph_fail(err, status, "output: %.400s", why.message) : PH_OK;
}

ph_status ph_session_equip(ph_session *s, const ph_event *events, size_t n, ph_error *err)
{
    ph_status status = take_dense(s, err);
    if (!status)
        status = ph_monitor_create(s->diagnostics, s->t0, ph_session_end_time(s), &s->monitor, err);
    if (!status)
        status = ph_monitor_create(s->diagnostics, 0, 0, &s->kept_monitor, err);
    s->looked = ph_coarse_clock();
    s->deadline = s->looked + s->wall_clock;
    return status ? status : take_events(s, events, n, err);
}

ph_status ph_session_open_csv(ph_session *s, const char *const *columns, size_t n, ph_error *err)
{
    const ph_system *system = ph_integrator_system(s->integrator);
    if (!s->csv_wanted)
        return PH_OK;
    ph_status status = ph_csv_create(s->paths[PH_SESSION_TRAJECTORY], system, columns, n, &s->csv, err);
    if (status || !s->events)
        return status;
    return ph_event_csv_create(s->paths[PH_SESSION_EVENTS], system, &s->event_csv, err);
}
