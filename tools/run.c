/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode run: a scenario from file to trajectory.csv, events.csv and summary.json. */
#include "command.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: polhode run FILE [-o DIR] [--force] [--quiet]\n"
    "Run a scenario and write DIR/trajectory.csv, DIR/summary.json and, if the scenario has events, "
    "DIR/events.csv.\n\n"
    "  -o, --output DIR  where to write (default: the scenario's name + .out)\n"
    "  -f, --force       overwrite results that are there\n"
    "  -q, --quiet       print nothing but errors\n"
    "  -h, --help        this text\n\n"
    "Ctrl-C finishes the step, writes what there is and exits 130; twice ends at once.\n"
    "Exit status: 0 done, or stopped by an event, 1 the run ended early, 2 wrong usage or scenario, 3 cannot "
    "write.\n";

typedef struct arguments {
    const char *file;
    char directory[4096];
    int force, quiet;
} arguments;

typedef struct session {
    const arguments *arguments;
    ph_scenario *scenario;
    ph_integrator *integrator;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
    ph_csv *csv;
    ph_event_csv *event_csv; /* NULL, as events, where the scenario has none */
    ph_events *events;
    progress progress;
    int64_t passes; /* Newton passes at the row before */
    ph_run_report report;
    ph_summary summary;
} session;

/* 0: go on; otherwise exit code + 1. */
static int read_arguments(int argc, char **argv, arguments *a)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"force", no_argument, NULL, 'f'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *directory = NULL;
    int c;
    *a = (arguments){0};
    while ((c = getopt_long(argc, argv, "o:fqh", options, NULL)) != -1) {
        if (c == 'o')
            directory = optarg;
        else if (c == 'f')
            a->force = 1;
        else if (c == 'q')
            a->quiet = 1;
        else if (c == 'h')
            return fputs(usage, stdout), EXIT_OK + 1;
        else
            return complain(EXIT_INPUT, "try: polhode run --help") + 1;
    }
    if (argc - optind != 1)
        return complain(EXIT_INPUT, "run takes one scenario file, not %d\nTry: polhode run --help",
                        argc - optind) +
               1;
    a->file = argv[optind];
    if (directory && (!*directory || strlen(directory) >= sizeof a->directory - 32))
        return complain(EXIT_INPUT, "the output directory's name is empty or too long") + 1;
    if (directory)
        strcpy(a->directory, directory);
    else
        default_directory(a->file, ".out", a->directory, sizeof a->directory - 32);
    return 0;
}

/* The observer: measure, write a row, show progress. */
static ph_status look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    session *s = self;
    ph_measures measures;
    ph_status status = ph_monitor_see(s->monitor, state, &measures);
    if (status == PH_E_NOT_FINITE)
        return ph_fail(err, PH_E_DIVERGED, "the energy is no longer finite at t = %.10g s", state->t);
    if (status)
        return ph_fail(err, status, "measuring at t = %.10g s: %s", state->t, ph_status_text(status));
    int64_t passes = ph_integrator_statistics(s->integrator)->newton_passes;
    status = ph_csv_row(s->csv, state, &measures, passes - s->passes, err);
    s->passes = passes;
    progress_show(&s->progress, state->t, done, total);
    return status;
}

static ph_status note_event(void *self, const ph_occurrence *o, ph_error *err)
{
    session *s = self;
    return ph_event_csv_row(s->event_csv, ph_events_name(s->events, o->event), o, err);
}

static ph_status open_events(session *s, ph_error *err)
{
    char path[4128];
    size_t n = 0;
    const ph_event *list = ph_scenario_events(s->scenario, &n);
    const ph_event_sink sink = {note_event, s};
    if (!n)
        return PH_OK;
    ph_status status = ph_events_create(s->integrator, list, n, &sink, &s->events, err);
    snprintf(path, sizeof path, "%s/events.csv", s->arguments->directory);
    return status ? status : ph_event_csv_create(path, ph_scenario_system(s->scenario), &s->event_csv, err);
}

static ph_status open_session(session *s, ph_error *err)
{
    const ph_scenario *sc = s->scenario;
    const ph_system *system = ph_scenario_system(sc);
    char path[4128];
    size_t n = 0;
    const ph_setting *settings = ph_scenario_settings(sc, &n);
    double h = ph_scenario_step_size(sc), t0 = ph_scenario_time(sc);
    ph_status status =
        ph_integrator_create(system, ph_scenario_method(sc), h, settings, n, &s->integrator, err);
    if (!status)
        status = ph_state_create(s->integrator, &s->state, err);
    if (!status)
        status = ph_state_set(s->integrator, s->state, t0, ph_scenario_configuration(sc),
                              ph_scenario_momentum(sc), PH_STRICT, err);
    if (!status)
        status = ph_diagnostics_create(system, &s->diagnostics, err);
    if (!status)
        status =
            ph_monitor_create(s->diagnostics, t0, t0 + h * (double)ph_scenario_steps(sc), &s->monitor, err);
    if (!status)
        status = ph_archive_prepare(s->arguments->directory, s->arguments->force, err);
    snprintf(path, sizeof path, "%s/trajectory.csv", s->arguments->directory);
    if (!status)
        status = ph_csv_create(path, system, &s->csv, err);
    return status ? status : open_events(s, err);
}

static void abandon_tables(session *s)
{
    ph_csv_abandon(s->csv);
    ph_event_csv_abandon(s->event_csv);
    s->csv = NULL;
    s->event_csv = NULL;
}

static void close_session(session *s)
{
    abandon_tables(s);
    ph_events_free(s->events);
    ph_monitor_free(s->monitor);
    ph_diagnostics_free(s->diagnostics);
    ph_state_free(s->state);
    ph_integrator_free(s->integrator);
    ph_scenario_free(s->scenario);
}

static void print_summary(const session *s)
{
    const ph_summary *y = &s->summary;
    const char *energy =
        ph_system_has_force(ph_scenario_system(s->scenario)) ? "energy change" : "energy error";
    printf("%s by %s, h = %g s: %" PRId64 " steps to t = %.10g s, %.0f ns a step\n",
           ph_scenario_model(s->scenario)->name, ph_scenario_method(s->scenario)->name,
           ph_scenario_step_size(s->scenario), s->report.steps, s->state->t,
           s->report.steps ? 1e9 * s->report.cpu_seconds / (double)s->report.steps : 0.0);
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
    printf("  written          %s/trajectory.csv, %ssummary.json\n", s->arguments->directory,
           s->events ? "events.csv, " : "");
}

static int is_about_output(ph_status status)
{
    return status == PH_E_IO || status == PH_E_EXISTS;
}

static ph_status close_tables(session *s, ph_error *err)
{
    char path[4128];
    ph_status status = ph_csv_close(s->csv, err);
    s->csv = NULL;
    if (!status && s->events) {
        status = ph_event_csv_close(s->event_csv, err);
        s->event_csv = NULL;
    } else if (!status) { /* what an earlier run left does not belong to this one */
        snprintf(path, sizeof path, "%s/events.csv", s->arguments->directory);
        remove(path);
    }
    return status;
}

/* Complete the files whatever ended the run, and say how it ended. */
static int finish(session *s, ph_status ended, const ph_error *why)
{
    ph_error err;
    char path[4128];
    ph_monitor_summary(s->monitor, &s->summary);
    ph_status status = PH_OK;
    if (is_about_output(ended)) /* no room for the rows: the final state is still worth its few bytes */
        abandon_tables(s);
    else
        status = close_tables(s, &err);
    snprintf(path, sizeof path, "%s/summary.json", s->arguments->directory);
    ph_result result = {.model = ph_scenario_model(s->scenario)->name,
                        .integrator = s->integrator,
                        .state = s->state,
                        .report = &s->report,
                        .summary = &s->summary,
                        .status = ended,
                        .message = ended ? why->message : NULL,
                        .events = s->events};
    if (!status)
        status = ph_summary_write(path, &result, &err);
    if (status)
        return complain(EXIT_OUTPUT, "%s", err.message);
    if (is_about_output(ended))
        return complain(EXIT_OUTPUT, "%s; the state reached, t = %.10g s, is in %s", why->message,
                        s->state->t, path);
    if (!s->arguments->quiet)
        print_summary(s);
    if (ended == PH_E_INTERRUPTED)
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "%s; what there is was written", why->message);
    if (ended == PH_E_STOPPED) {
        if (!s->arguments->quiet)
            printf("  %s\n", why->message);
        return EXIT_OK;
    }
    return ended ? complain(EXIT_ENDED_EARLY, "%s", why->message) : EXIT_OK;
}

int command_run(int argc, char **argv)
{
    arguments a;
    session s = {.arguments = &a};
    ph_error err;
    int code = read_arguments(argc, argv, &a);
    if (code)
        return code - 1;
    ph_status status = ph_scenario_load(a.file, &s.scenario, &err);
    if (status)
        return complain(EXIT_INPUT, "%s", err.message);
    status = open_session(&s, &err);
    if (status) {
        code = complain(is_about_output(status) ? EXIT_OUTPUT : EXIT_INPUT, "%s%s", err.message,
                        status == PH_E_EXISTS ? " (--force)" : "");
        close_session(&s);
        return code;
    }
    catch_signals();
    s.progress = progress_start(ph_scenario_model(s.scenario)->name, a.quiet);
    ph_observer observer = {look, &s};
    ph_run_plan plan = {.steps = ph_scenario_steps(s.scenario),
                        .output = *ph_scenario_output(s.scenario),
                        .observers = &observer,
                        .n_observers = 1,
                        .events = s.events,
                        .interrupt = signal_flag()};
    status = ph_run(s.integrator, s.state, &plan, &s.report, &err);
    progress_end(&s.progress);
    code = finish(&s, status, &err);
    close_session(&s);
    return code;
}
