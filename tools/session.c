/* SPDX-License-Identifier: BSD-3-Clause */
/* A session: rows and states go to the archive, so that whatever ends it, the run goes on from there with the
 * same bits. */
#include "session-parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The command line ---------------------------------------------------------------------------- */

wishes session_wishes(void)
{
    return (wishes){.wall_clock = INFINITY, .snapshot = NAN, .until = NAN};
}

int session_time(const char *option, const char *text, double least, double *value)
{
    if (!ph_parse_number(text, value) && isfinite(*value) && *value >= least)
        return 0;
    complain(EXIT_INPUT, "%s %s: a time in s is expected%s", option, text,
             least == 0 ? ", not negative" : "");
    return -1;
}

int session_option(wishes *w, const char *command, int option, const char *value)
{
    if (option == 'w')
        return session_time("--wall-clock", value, 0, &w->wall_clock);
    if (option == 'i')
        return session_time("--snapshot-interval", value, 0, &w->snapshot);
    if (option == 'c')
        w->csv = true;
    else if (option == 'j')
        w->json = true;
    else if (option == 'q')
        w->quiet = true;
    else
        return complain(EXIT_INPUT, "try: polhode %s --help", command), -1;
    return 0;
}

/* ---- Opening ------------------------------------------------------------------------------------- */

double session_end_time(const session *s, double t0)
{
    return t0 + ph_integrator_step_size(s->integrator) * (double)s->steps;
}

static ph_status note_event(void *self, const ph_occurrence *o, ph_error *err)
{
    session *s = self;
    const char *name = ph_events_name(s->events, o->event);
    size_t n;
    if (ph_scenario_events(s->scenario, &n)[o->event].action == PH_EVENT_STOP) {
        s->stops = true;
        if (!s->reason) {
            s->reason = "event";
            s->ended_by = name;
        }
    }
    ph_status status = ph_archive_event(s->archive, name, o, err);
    return status || !s->event_csv ? status : ph_event_csv_row(s->event_csv, name, o, err);
}

static ph_status open_events(session *s, ph_error *err)
{
    size_t n = 0;
    const ph_event *list = ph_scenario_events(s->scenario, &n);
    const ph_event_sink sink = {note_event, s};
    return n ? ph_events_create(s->integrator, list, n, &sink, &s->events, err) : PH_OK;
}

/* What both kinds of session need; the state has still to be set. options: as the archive tells them, or
 * NULL. */
ph_status session_open_motion(session *s, const char *options, ph_error *err)
{
    const ph_system *system = ph_scenario_system(s->scenario);
    ph_status status = bind_recorded(s->scenario, options, &s->integrator, err);
    if (!status)
        status = ph_state_create(s->integrator, &s->state, err);
    if (!status)
        status = ph_diagnostics_create(system, &s->diagnostics, err);
    if (!status)
        status = ph_monitor_create(s->diagnostics, ph_scenario_time(s->scenario),
                                   session_end_time(s, ph_scenario_time(s->scenario)), &s->monitor, err);
    if (!status)
        status = ph_monitor_create(s->diagnostics, 0, 0, &s->kept_monitor, err);
    if (!status)
        status = open_events(s, err);
    snprintf(s->stop_file, sizeof s->stop_file, "%s/STOP", s->wishes->directory);
    s->looked = wall_seconds();
    s->deadline = s->looked + s->wishes->wall_clock;
    return status;
}

double session_snapshot_interval(const session *s)
{
    return isnan(s->wishes->snapshot) ? ph_scenario_snapshot(s->scenario) : s->wishes->snapshot;
}

bool session_wants_csv(const session *s)
{
    return s->wishes->csv || ph_scenario_csv(s->scenario);
}

ph_status session_open_csv(session *s, const char *const *columns, size_t n, ph_error *err)
{
    char path[PATHS];
    if (!session_wants_csv(s))
        return PH_OK;
    snprintf(path, sizeof path, "%s/trajectory.csv", s->wishes->directory);
    ph_status status = ph_csv_create(path, ph_scenario_system(s->scenario), columns, n, &s->csv, err);
    if (status || !s->events)
        return status;
    snprintf(path, sizeof path, "%s/events.csv", s->wishes->directory);
    return ph_event_csv_create(path, ph_scenario_system(s->scenario), &s->event_csv, err);
}

/* Tables that an earlier run left do not belong to this one. */
static void remove_old_tables(const session *s)
{
    static const char *const tables[] = {"trajectory.csv", "events.csv"};
    char path[PATHS];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", s->wishes->directory, tables[i]);
        remove(path);
    }
}

/* Those of the command line, or of the scenario. They are looked at before anything is written. */
static ph_status choose_columns(const session *s, ph_archive_plan *plan, ph_error *err)
{
    ph_columns *columns = NULL;
    ph_error why;
    plan->columns = ph_scenario_columns(s->scenario, &plan->n_columns);
    if (!s->wishes->n_columns)
        return PH_OK;
    plan->columns = s->wishes->columns;
    plan->n_columns = s->wishes->n_columns;
    ph_status status =
        ph_columns_create(ph_scenario_system(s->scenario), plan->columns, plan->n_columns, &columns, &why);
    ph_columns_free(columns);
    return status ? ph_fail(err, status, "--columns: %.400s", why.message) : PH_OK;
}

static int64_t planned_rows(const session *s)
{
    const ph_schedule *output = ph_scenario_output(s->scenario);
    const double h = fabs(ph_scenario_step_size(s->scenario)), steps = (double)s->steps;
    switch (output->kind) {
    case PH_EVERY_STEPS:
        return s->steps / output->steps;
    case PH_EVERY_INTERVAL:
        return (int64_t)fmin(steps, steps * h / output->interval);
    default:
        return 0; /* so many a decade: few */
    }
}

static ph_status begin_session(session *s, ph_error *err)
{
    const ph_scenario *sc = s->scenario;
    const char *slash = strrchr(s->wishes->file, '/');
    char name[280], *source = realpath(s->wishes->file, NULL);
    default_directory(s->wishes->file, ".polhode", name, sizeof name);
    snprintf(s->path, sizeof s->path, "%s/%s", s->wishes->directory, name);
    s->steps = ph_scenario_steps(sc);
    ph_status status = session_open_motion(s, NULL, err);
    ph_archive_plan plan = {.name = slash ? slash + 1 : s->wishes->file,
                            .source = source,
                            .model = ph_scenario_model(sc)->name,
                            .integrator = s->integrator,
                            .steps = s->steps,
                            .rows = planned_rows(s)};
    plan.scenario = ph_scenario_text(sc, &plan.length);
    if (!status)
        status = ph_state_set(s->integrator, s->state, ph_scenario_time(sc), ph_scenario_configuration(sc),
                              ph_scenario_momentum(sc), PH_STRICT, err);
    if (!status)
        status = choose_columns(s, &plan, err);
    if (!status)
        status = ph_archive_prepare(s->wishes->directory, name, s->wishes->force, err);
    if (!status)
        status = ph_archive_create(s->path, &plan, s->state, s->monitor, session_snapshot_interval(s),
                                   &s->archive, err);
    free(source);
    if (!status)
        remove_old_tables(s);
    return status ? status : session_open_csv(s, plan.columns, plan.n_columns, err);
}

static void close_session(session *s)
{
    ph_csv_abandon(s->csv);
    ph_event_csv_abandon(s->event_csv);
    ph_events_free(s->events);
    ph_archive_abandon(s->archive);
    ph_monitor_free(s->monitor);
    ph_monitor_free(s->kept_monitor);
    ph_diagnostics_free(s->diagnostics);
    ph_state_free(s->state);
    ph_integrator_free(s->integrator);
    ph_scenario_free(s->scenario);
}

/* ---- The session --------------------------------------------------------------------------------- */

static int run(session *s)
{
    ph_error err = {PH_OK, ""};
    const ph_observer observer = {session_look, s};
    const ph_watch watcher = {session_watch, s};
    const ph_run_plan plan = {.steps = s->steps,
                              .done = s->done_before,
                              .output = *ph_scenario_output(s->scenario),
                              .observers = &observer,
                              .n_observers = 1,
                              .watch = &watcher,
                              .events = s->events,
                              .interrupt = signal_flag()};
    s->progress = progress_start(ph_scenario_model(s->scenario)->name, s->wishes->quiet);
    ph_status status = ph_run(s->integrator, s->state, &plan, &s->report, &err);
    /* a run that was through: its last row has been dropped if the schedule did not want it */
    if (!status && s->done_before && !s->report.steps && !session_is_scheduled(s, s->steps))
        status = session_look(s, s->state, s->steps, s->steps, &err);
    progress_end(&s->progress);
    return session_finish(s, status, &err);
}

int session_run(const wishes *w)
{
    session s = {.wishes = w};
    ph_error err;
    ph_status status = ph_scenario_load(w->file, &s.scenario, &err);
    if (status)
        return complain(EXIT_INPUT, "%s", err.message);
    catch_signals(); /* from when there is an archive that says that it has begun */
    status = begin_session(&s, &err);
    int code = status ? complain(session_is_about_output(status) ? EXIT_OUTPUT : EXIT_INPUT, "%s%s",
                                 err.message, status == PH_E_EXISTS && !w->force ? " (--force)" : "")
                      : run(&s);
    close_session(&s);
    return code;
}

int session_resume(const wishes *w)
{
    session s = {.wishes = w};
    ph_error err;
    catch_signals();
    ph_status status = session_recall(&s, &err);
    int code = status
                   ? complain(session_is_about_output(status) ? EXIT_OUTPUT : EXIT_INPUT, "%s", err.message)
                   : run(&s);
    close_session(&s);
    return code;
}
