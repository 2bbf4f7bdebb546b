/* SPDX-License-Identifier: BSD-3-Clause */
/* A session: rows and states go to the archive, so that whatever ends it, the run goes on from there with the
 * same bits. Rows are those of the schedule, a function of the step count alone; where a run is stopped
 * between two of them its last state makes a row, too, which is dropped when it goes on. */
#include "session.h"

#include "command.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATHS = 4096 + 300 };

typedef struct session {
    const wishes *wishes;
    ph_scenario *scenario;
    ph_integrator *integrator;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
    ph_archive *archive;
    ph_csv *csv;
    ph_events *events;       /* NULL where the scenario has none */
    ph_event_csv *event_csv; /* NULL, as csv, where none is wanted */
    progress progress;
    char path[PATHS], stop_file[PATHS];
    int64_t steps;      /* planned */
    int64_t row_passes; /* Newton passes at the row before */
    ph_account before;  /* of earlier sessions */
    int64_t done_before;
    double deadline, looked; /* of the wall clock: the end, and when STOP was looked for */
    bool settled; /* this state is not to be committed: it was, or cannot be, or its row is missing */
    ph_run_report report;
    ph_summary summary;
} session;

static double wall_seconds(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

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
    else if (option == 'q')
        w->quiet = true;
    else
        return complain(EXIT_INPUT, "try: polhode %s --help", command), -1;
    return 0;
}

/* ---- Looking on ---------------------------------------------------------------------------------- */

static int64_t passes(const session *s)
{
    return s->before.newton_passes + ph_integrator_statistics(s->integrator)->newton_passes;
}

/* Does the schedule want this state to be seen? (The last one of a run is seen anyway.) */
static bool is_scheduled(const session *s, int64_t done)
{
    return !done || ph_schedule_next(ph_scenario_output(s->scenario), ph_integrator_step_size(s->integrator),
                                     done - 1) == done;
}

static ph_status commit(session *s, const ph_state *state, ph_error *err)
{
    const ph_account account = {.newton_passes = passes(s),
                                .row_passes = s->row_passes,
                                .cpu_seconds = s->before.cpu_seconds + s->report.cpu_seconds};
    ph_status status = ph_archive_commit(s->archive, state, s->monitor, &account, err);
    s->settled = status != PH_OK;
    return status;
}

static ph_status check_energy(session *s, const ph_state *state, ph_error *err)
{
    const double bound = ph_scenario_energy_bound(s->scenario);
    if (!isfinite(bound))
        return PH_OK;
    ph_monitor_summary(s->monitor, &s->summary);
    if (!(fabs(s->summary.energy_error_final) > bound))
        return PH_OK;
    return ph_fail(err, PH_E_INTERRUPTED,
                   "the energy error, %.3g, is beyond the bound %g of stop.energy-error at t = %.10g s",
                   s->summary.energy_error_final, bound, state->t);
}

/* The observer: measure, write a row, show progress. */
static ph_status look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    session *s = self;
    ph_measures measures;
    const bool scheduled = is_scheduled(s, done);
    ph_status status = PH_OK;
    if (!done && s->before.rows) /* the run was killed between its first row and its first step */
        return PH_OK;
    if (!scheduled && !s->settled)
        status = commit(s, state, err); /* before this row is there, and seen by the monitor */
    if (status)
        return status;
    s->settled = true;
    status = ph_monitor_see(s->monitor, state, &measures);
    if (status == PH_E_NOT_FINITE)
        return ph_fail(err, PH_E_DIVERGED, "the energy is no longer finite at t = %.10g s", state->t);
    if (status)
        return ph_fail(err, status, "measuring at t = %.10g s: %s", state->t, ph_status_text(status));
    const int64_t now = passes(s);
    status = ph_archive_row(s->archive, state, &measures, now - s->row_passes, err);
    if (!status && s->csv)
        status = ph_csv_row(s->csv, state, &measures, now - s->row_passes, err);
    if (status)
        return status;
    s->row_passes = now;
    s->settled = !scheduled;
    if (scheduled && ph_archive_due(s->archive))
        status = commit(s, state, err);
    progress_show(&s->progress, state->t, done - s->done_before, total - s->done_before);
    return status || done == total ? status : check_energy(s, state, err);
}

/* Between the outputs, too: is it time for a snapshot, or for the end? */
static ph_status watch(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    session *s = self;
    const double now = wall_seconds();
    /* a state that is about to be seen is committed together with its row */
    if (done < total && ph_archive_due(s->archive) && !is_scheduled(s, done)) {
        ph_status status = commit(s, state, err);
        if (status)
            return status;
    }
    if (done == total)
        return PH_OK;
    if (now >= s->deadline)
        return ph_fail(err, PH_E_INTERRUPTED,
                       "the %g s of the wall clock are over after %" PRId64 " steps, at t = %.10g s",
                       s->wishes->wall_clock, done, state->t);
    if (now - s->looked < 1)
        return PH_OK;
    s->looked = now;
    if (access(s->stop_file, F_OK))
        return PH_OK;
    unlink(s->stop_file); /* obeyed: the next session is not to be stopped by it */
    return ph_fail(err, PH_E_INTERRUPTED, "stopped by %s after %" PRId64 " steps, at t = %.10g s",
                   s->stop_file, done, state->t);
}

/* ---- Opening ------------------------------------------------------------------------------------- */

static double end_time(const session *s, double t0)
{
    return t0 + ph_integrator_step_size(s->integrator) * (double)s->steps;
}

static ph_status note_event(void *self, const ph_occurrence *o, ph_error *err)
{
    session *s = self;
    const char *name = ph_events_name(s->events, o->event);
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

/* What both kinds of session need; the state has still to be set. */
static ph_status open_motion(session *s, ph_error *err)
{
    size_t n = 0;
    const ph_system *system = ph_scenario_system(s->scenario);
    const ph_setting *settings = ph_scenario_settings(s->scenario, &n);
    ph_status status =
        ph_integrator_create(system, ph_scenario_method(s->scenario), ph_scenario_step_size(s->scenario),
                             settings, n, &s->integrator, err);
    if (!status)
        status = ph_state_create(s->integrator, &s->state, err);
    if (!status)
        status = ph_diagnostics_create(system, &s->diagnostics, err);
    if (!status)
        status = ph_monitor_create(s->diagnostics, ph_scenario_time(s->scenario),
                                   end_time(s, ph_scenario_time(s->scenario)), &s->monitor, err);
    if (!status)
        status = open_events(s, err);
    snprintf(s->stop_file, sizeof s->stop_file, "%s/STOP", s->wishes->directory);
    s->looked = wall_seconds();
    s->deadline = s->looked + s->wishes->wall_clock;
    return status;
}

static double snapshot_interval(const session *s)
{
    return isnan(s->wishes->snapshot) ? ph_scenario_snapshot(s->scenario) : s->wishes->snapshot;
}

static bool wants_csv(const session *s)
{
    return s->wishes->csv || ph_scenario_csv(s->scenario);
}

static ph_status open_csv(session *s, ph_error *err)
{
    char path[PATHS];
    if (!wants_csv(s))
        return PH_OK;
    snprintf(path, sizeof path, "%s/trajectory.csv", s->wishes->directory);
    ph_status status = ph_csv_create(path, ph_scenario_system(s->scenario), &s->csv, err);
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

static ph_status begin_session(session *s, ph_error *err)
{
    const ph_scenario *sc = s->scenario;
    const char *slash = strrchr(s->wishes->file, '/');
    char name[280];
    default_directory(s->wishes->file, ".polhode", name, sizeof name);
    snprintf(s->path, sizeof s->path, "%s/%s", s->wishes->directory, name);
    s->steps = ph_scenario_steps(sc);
    ph_status status = open_motion(s, err);
    if (!status)
        status = ph_state_set(s->integrator, s->state, ph_scenario_time(sc), ph_scenario_configuration(sc),
                              ph_scenario_momentum(sc), PH_STRICT, err);
    if (!status)
        status = ph_archive_prepare(s->wishes->directory, name, s->wishes->force, err);
    ph_archive_plan plan = {.name = slash ? slash + 1 : s->wishes->file,
                            .model = ph_scenario_model(sc)->name,
                            .integrator = s->integrator,
                            .steps = s->steps};
    plan.scenario = ph_scenario_text(sc, &plan.length);
    if (!status)
        status =
            ph_archive_create(s->path, &plan, s->state, s->monitor, snapshot_interval(s), &s->archive, err);
    if (!status)
        remove_old_tables(s);
    return status ? status : open_csv(s, err);
}

/* ---- Going on ------------------------------------------------------------------------------------ */

static ph_status recall_scenario(session *s, const ph_record *record, ph_error *err)
{
    const char *text = ph_record_meta(record, "scenario"), *name = ph_record_meta(record, "name");
    const char *steps = ph_record_meta(record, "steps");
    if (!text || !steps || ph_parse_count(steps, &s->steps))
        return ph_fail(err, PH_E_PARSE,
                       "%s: has no scenario; another program has written it, which alone can go on with it",
                       s->path);
    return ph_scenario_recall(text, strlen(text), name ? name : s->path, &s->scenario, err);
}

/* The time t0 of the start, and the number of steps to the time that is wished. */
static ph_status plan_further(session *s, const ph_record *record, double *t0, ph_error *err)
{
    const char *start = ph_record_meta(record, "t0");
    const double h = ph_scenario_step_size(s->scenario), until = s->wishes->until;
    if (!start || ph_parse_number(start, t0))
        return ph_fail(err, PH_E_PARSE, "%s: does not say when it began", s->path);
    if (isnan(until))
        return PH_OK;
    const double ratio = (until - *t0) / h, n = round(ratio);
    if (!(ratio < 9e15) || fabs(ratio - n) > 1e-6 + 4 * 0x1p-52 * fabs(ratio) || n < 1)
        return ph_fail(
            err, PH_E_RANGE,
            "--until %.15g s is %.10g steps of %g s from the start at %g s; a whole number of them, at least "
            "1, is expected: %.15g s, say",
            until, ratio, h, *t0, *t0 + h * fmax(1, n));
    s->steps = (int64_t)n;
    return PH_OK;
}

/* A row of the archive into trajectory.csv. */
static ph_status copy_row(session *s, double *row, size_t columns, ph_error *err)
{
    ph_state state = *s->state;
    double *measured = row + 2 + state.nz + state.np;
    state.t = row[0];
    state.k = (int64_t)row[1];
    state.z = row + 2;
    state.p = state.z + state.nz;
    const ph_measures m = {.energy = measured[0],
                           .constraint_error = measured[2],
                           .tangency = measured[3],
                           .momenta = measured + 4};
    return ph_csv_row(s->csv, &state, &m, (int64_t)row[columns - 1], err);
}

/* Rows of earlier sessions: the monitor has to see their errors again where the plan is another, and
 * trajectory.csv is written anew. */
static ph_status recall_rows(session *s, ph_record *record, bool replanned, ph_error *err)
{
    const size_t columns = ph_record_columns(record), error = 2 + s->state->nz + s->state->np + 1;
    const int64_t at_once = columns < 65536 ? (int64_t)(65536 / columns) : 1;
    if (!replanned && !s->csv)
        return PH_OK;
    double *values = malloc((size_t)at_once * columns * sizeof *values);
    if (!values)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = PH_OK;
    for (int64_t first = 0, read = 0, next = 0; first < s->before.rows && !status; first = next) {
        const int64_t left = s->before.rows - first;
        status = ph_record_read(record, first, left < at_once ? left : at_once, values, &read, &next, err);
        for (int64_t i = 0; i < read && !status; i++) {
            double *row = values + (size_t)i * columns;
            if (replanned && first + i > 0)
                ph_monitor_recall(s->monitor, row[0], row[error]);
            if (s->csv)
                status = copy_row(s, row, columns, err);
        }
    }
    free(values);
    return status;
}

/* Events of earlier sessions: how many there were, and events.csv anew. */
static ph_status recall_events(session *s, ph_record *record, ph_error *err)
{
    const int64_t n = s->event_csv ? ph_record_events(record) : 0;
    ph_recorded_event event;
    ph_status status = PH_OK;
    for (size_t i = 0; s->events && i < ph_events_listed(s->events); i++)
        ph_events_recall(s->events, i, ph_record_found(record, ph_events_name(s->events, i)));
    for (int64_t i = 0; i < n && !status; i++) {
        status = ph_record_event(record, i, &event, err);
        if (status)
            continue;
        ph_state state = *s->state;
        state.z = (double *)(uintptr_t)event.values; /* which nobody changes */
        state.p = state.z + state.nz;
        const ph_occurrence o = {.t = event.t,
                                 .theta = event.theta,
                                 .step = event.step,
                                 .direction = event.direction,
                                 .state = &state};
        status = ph_event_csv_row(s->event_csv, event.name, &o, err);
    }
    return status;
}

static ph_status recall_state(session *s, ph_record *record, ph_error *err)
{
    ph_status status = ph_record_state(record, s->state, s->monitor, &s->before, err);
    s->row_passes = s->before.row_passes;
    s->done_before = s->state->k;
    return status;
}

static ph_status recall_motion(session *s, ph_record *record, double t0, bool replanned, ph_error *err)
{
    ph_status status = recall_state(s, record, err);
    if (!status && s->state->k > s->steps)
        status = ph_fail(err, PH_E_RANGE, "--until %.15g s: the run is at t = %.10g s already",
                         s->wishes->until, s->state->t);
    if (status)
        return status;
    if (replanned)
        ph_monitor_replan(s->monitor, end_time(s, t0));
    status = recall_rows(s, record, replanned, err);
    return status ? status : recall_events(s, record, err);
}

static ph_status go_on(session *s, ph_record *record, ph_error *err)
{
    double t0 = 0;
    const bool replanned = !isnan(s->wishes->until);
    ph_status status = recall_scenario(s, record, err);
    if (!status)
        status = plan_further(s, record, &t0, err);
    if (!status)
        status = open_motion(s, err);
    if (!status)
        status = ph_archive_reopen(s->path, snapshot_interval(s), &s->archive, err);
    if (!status)
        status = open_csv(s, err);
    if (!status)
        status = recall_motion(s, record, t0, replanned, err);
    if (status || !replanned)
        return status;
    ph_archive_replan(s->archive, s->steps); /* together with a monitor of that plan, or not at all */
    return commit(s, s->state, err);
}

static ph_status continue_session(session *s, ph_error *err)
{
    ph_record *record = NULL;
    snprintf(s->path, sizeof s->path, "%s", s->wishes->file);
    ph_status status = ph_record_open(s->path, &record, err);
    if (!status)
        status = go_on(s, record, err);
    ph_record_close(record);
    return status;
}

/* ---- The end ------------------------------------------------------------------------------------- */

static void close_session(session *s)
{
    ph_csv_abandon(s->csv);
    ph_event_csv_abandon(s->event_csv);
    ph_events_free(s->events);
    ph_archive_abandon(s->archive);
    ph_monitor_free(s->monitor);
    ph_diagnostics_free(s->diagnostics);
    ph_state_free(s->state);
    ph_integrator_free(s->integrator);
    ph_scenario_free(s->scenario);
}

static void print_summary(const session *s, int64_t steps, double seconds)
{
    const ph_summary *y = &s->summary;
    const char *energy =
        ph_system_has_force(ph_scenario_system(s->scenario)) ? "energy change" : "energy error";
    printf("%s by %s, h = %g s: %" PRId64 " steps to t = %.10g s, %.0f ns a step\n",
           ph_scenario_model(s->scenario)->name, ph_scenario_method(s->scenario)->name,
           ph_scenario_step_size(s->scenario), steps, s->state->t,
           steps ? 1e9 * seconds / (double)steps : 0.0);
    printf("  %-16s %.3g at most", energy, y->energy_error_max);
    if (isfinite(y->energy_error_max_first_tenth) && isfinite(y->energy_error_max_last_tenth))
        printf(" (first tenth %.3g, last tenth %.3g)", y->energy_error_max_first_tenth,
               y->energy_error_max_last_tenth);
    printf(" of %.6g J\n", y->energy_scale);
    if (ph_system_symmetries(ph_scenario_system(s->scenario)))
        printf("  %-16s %.3g at most of %.6g kg m^2/s\n", "momentum error", y->momentum_error_max,
               y->momentum_scale);
    printf("  %-16s %.3g at most\n", "constraint error", y->constraint_error_max);
    for (size_t i = 0; s->events && i < ph_events_listed(s->events); i++)
        printf("  %-16s %s: %" PRId64 "\n", i ? "" : "events", ph_events_name(s->events, i),
               ph_events_found(s->events, i));
    printf("  written          %s, summary.json%s%s\n", s->path, wants_csv(s) ? ", trajectory.csv" : "",
           wants_csv(s) && s->events ? ", events.csv" : "");
}

static bool is_about_output(ph_status status)
{
    return status == PH_E_IO || status == PH_E_EXISTS;
}

/* No room for the rows: those that were committed stay, and the final state is still worth its few bytes. */
static void give_up(session *s)
{
    ph_archive_abandon(s->archive);
    ph_csv_abandon(s->csv);
    ph_event_csv_abandon(s->event_csv);
    s->archive = NULL;
    s->csv = NULL;
    s->event_csv = NULL;
}

static ph_status complete(session *s, ph_status ended, const char *message, ph_error *err)
{
    ph_status status = s->settled ? PH_OK : commit(s, s->state, err);
    if (status)
        return status;
    status = ph_archive_close(s->archive, ended, message, err);
    s->archive = NULL;
    if (!status && s->csv) {
        status = ph_csv_close(s->csv, err);
        s->csv = NULL;
    }
    if (!status && s->event_csv) {
        status = ph_event_csv_close(s->event_csv, err);
        s->event_csv = NULL;
    }
    return status;
}

static ph_status write_summary(session *s, ph_status ended, const char *message, const char *path,
                               ph_error *err)
{
    const ph_statistics here = *ph_integrator_statistics(s->integrator);
    const ph_statistics all = {.steps = s->done_before + here.steps, .newton_passes = passes(s)};
    const ph_run_report report = {.steps = s->done_before + s->report.steps,
                                  .cpu_seconds = s->before.cpu_seconds + s->report.cpu_seconds,
                                  .time_at_end = s->state->t};
    const ph_result result = {.model = ph_scenario_model(s->scenario)->name,
                              .integrator = s->integrator,
                              .state = s->state,
                              .report = &report,
                              .summary = &s->summary,
                              .statistics = &all,
                              .status = ended,
                              .message = message,
                              .events = s->events};
    return ph_summary_write(path, &result, err);
}

/* Complete the files whatever ended the run, and say how it ended. */
static int finish(session *s, ph_status ended, const ph_error *why)
{
    ph_error err;
    char path[PATHS];
    const char *message = ended ? why->message : NULL;
    ph_status status = PH_OK;
    snprintf(path, sizeof path, "%s/summary.json", s->wishes->directory);
    ph_monitor_summary(s->monitor, &s->summary);
    if (is_about_output(ended))
        give_up(s);
    else if ((status = complete(s, ended, message, &err))) {
        give_up(s);
        ended = status;
        message = err.message;
    }
    ph_error lost;
    status = write_summary(s, ended, message, path, &lost);
    if (is_about_output(ended) && !status)
        return complain(EXIT_OUTPUT,
                        "%s; the state reached, t = %.10g s, is in %s; when there is room: polhode resume %s",
                        message, s->state->t, path, s->path);
    if (is_about_output(ended))
        return complain(EXIT_OUTPUT, "%s; when there is room: polhode resume %s", message, s->path);
    if (status)
        return complain(EXIT_OUTPUT, "%s", lost.message);
    if (!s->wishes->quiet)
        print_summary(s, s->report.steps, s->report.cpu_seconds);
    if (ended == PH_E_INTERRUPTED)
        return complain(*signal_flag() ? EXIT_SIGNAL + (int)*signal_flag() : EXIT_ENDED_EARLY,
                        "%s; what there is was written; to go on: polhode resume %s", message, s->path);
    if (ended == PH_E_STOPPED) {
        if (!s->wishes->quiet)
            printf("  %s; to go on: polhode resume %s\n", message, s->path);
        return EXIT_OK;
    }
    return ended ? complain(EXIT_ENDED_EARLY, "%s", message) : EXIT_OK;
}

/* ---- The session --------------------------------------------------------------------------------- */

static int run(session *s)
{
    ph_error err = {PH_OK, ""};
    const ph_observer observer = {look, s};
    const ph_watch watcher = {watch, s};
    const ph_run_plan plan = {.steps = s->steps,
                              .done = s->done_before,
                              .output = *ph_scenario_output(s->scenario),
                              .observers = &observer,
                              .n_observers = 1,
                              .watch = &watcher,
                              .events = s->events,
                              .interrupt = signal_flag()};
    catch_signals();
    s->progress = progress_start(ph_scenario_model(s->scenario)->name, s->wishes->quiet);
    ph_status status = ph_run(s->integrator, s->state, &plan, &s->report, &err);
    /* a run that was through: its last row has been dropped if the schedule did not want it */
    if (!status && s->done_before && !s->report.steps && !is_scheduled(s, s->steps))
        status = look(s, s->state, s->steps, s->steps, &err);
    progress_end(&s->progress);
    return finish(s, status, &err);
}

int session_run(const wishes *w)
{
    session s = {.wishes = w};
    ph_error err;
    ph_status status = ph_scenario_load(w->file, &s.scenario, &err);
    if (status)
        return complain(EXIT_INPUT, "%s", err.message);
    status = begin_session(&s, &err);
    int code = status ? complain(is_about_output(status) ? EXIT_OUTPUT : EXIT_INPUT, "%s%s", err.message,
                                 status == PH_E_EXISTS && !w->force ? " (--force)" : "")
                      : run(&s);
    close_session(&s);
    return code;
}

int session_resume(const wishes *w)
{
    session s = {.wishes = w};
    ph_error err;
    ph_status status = continue_session(&s, &err);
    int code =
        status ? complain(is_about_output(status) ? EXIT_OUTPUT : EXIT_INPUT, "%s", err.message) : run(&s);
    close_session(&s);
    return code;
}
