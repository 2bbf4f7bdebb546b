/* SPDX-License-Identifier: BSD-3-Clause */
/* A session that ends: its files are completed whatever ended it, and it says how. */
#include "session-parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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
    printf("  written          %s, summary.json%s%s\n", s->path,
           session_wants_csv(s) ? ", trajectory.csv" : "",
           session_wants_csv(s) && s->events ? ", events.csv" : "");
}

bool session_is_about_output(ph_status status)
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

/* Why, in a word: what has set it between two steps; an interruption that nobody did was a signal's. */
static ph_ending ending_of(const session *s, ph_status ended, const char *message)
{
    const bool ours = ended == PH_E_INTERRUPTED || ended == PH_E_STOPPED;
    if (ended == PH_E_INTERRUPTED && !s->reason)
        return (ph_ending){ended, "signal", *signal_flag() == SIGTERM ? "SIGTERM" : "SIGINT", message};
    return (ph_ending){ended, ours ? s->reason : NULL, ours ? s->ended_by : NULL, message};
}

static ph_status complete(session *s, ph_status ended, const char *message, ph_error *err)
{
    const ph_ending ending = ending_of(s, ended, message);
    const ph_account account = s->kept ? s->kept_account : session_account(s);
    ph_status status = s->settled && !s->kept
                           ? ph_archive_close(s->archive, &ending, err)
                           : ph_archive_finish(s->archive, s->state, s->kept ? s->kept_monitor : s->monitor,
                                               &account, &ending, err);
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

/* Into summary.json, or with the names of the files to the standard output. */
static ph_status write_summary(session *s, ph_status ended, const char *message, const char *path,
                               const char *const *files, size_t n, ph_error *err)
{
    const ph_statistics here = *ph_integrator_statistics(s->integrator);
    const ph_statistics all = {.steps = s->done_before + here.steps, .newton_passes = session_passes(s)};
    const ph_run_report report = {.steps = s->done_before + s->report.steps,
                                  .cpu_seconds = s->before.cpu_seconds + s->report.cpu_seconds,
                                  .time_at_end = s->state->t};
    const ph_result result = {.model = ph_scenario_model(s->scenario)->name,
                              .integrator = s->integrator,
                              .state = s->state,
                              .report = &report,
                              .summary = &s->summary,
                              .statistics = &all,
                              .ending = ending_of(s, ended, message),
                              .events = s->events};
    return files ? ph_summary_print(stdout, &result, files, n, err) : ph_summary_write(path, &result, err);
}

/* The one document of --json, as summary.json; that one is named where it could be written. */
static ph_status print_json(session *s, ph_status ended, const char *message, const char *path, bool written,
                            ph_error *err)
{
    char csv[PATHS], events[PATHS];
    const char *files[4] = {s->path};
    size_t n = 1;
    const bool tables = session_wants_csv(s) && !session_is_about_output(ended);
    snprintf(csv, sizeof csv, "%s/trajectory.csv", s->wishes->directory);
    snprintf(events, sizeof events, "%s/events.csv", s->wishes->directory);
    if (written)
        files[n++] = path;
    if (tables)
        files[n++] = csv;
    if (tables && s->events)
        files[n++] = events;
    return write_summary(s, ended, message, path, files, n, err);
}

/* Complete the files whatever ended the run, and say how it ended. */
int session_finish(session *s, ph_status ended, const ph_error *why)
{
    ph_error err;
    char path[PATHS];
    const char *message = ended ? why->message : NULL;
    ph_status status = PH_OK;
    snprintf(path, sizeof path, "%s/summary.json", s->wishes->directory);
    ph_monitor_summary(s->monitor, &s->summary);
    if (session_is_about_output(ended))
        give_up(s);
    else if ((status = complete(s, ended, message, &err))) {
        give_up(s);
        ended = status;
        message = err.message;
    }
    ph_error lost, broken;
    status = write_summary(s, ended, message, path, NULL, 0, &lost);
    if (s->wishes->json && print_json(s, ended, message, path, !status, &broken))
        return complain(EXIT_OUTPUT, "%s", broken.message);
    if (session_is_about_output(ended) && !status)
        return complain(EXIT_OUTPUT,
                        "%s; the state reached, t = %.10g s, is in %s; when there is room: polhode resume %s",
                        message, s->state->t, path, s->path);
    if (session_is_about_output(ended))
        return complain(EXIT_OUTPUT, "%s; when there is room: polhode resume %s", message, s->path);
    if (status)
        return complain(EXIT_OUTPUT, "%s", lost.message);
    const bool words = !s->wishes->quiet && !s->wishes->json;
    if (words)
        print_summary(s, s->report.steps, s->report.cpu_seconds);
    if (ended == PH_E_INTERRUPTED)
        return complain(*signal_flag() ? EXIT_SIGNAL + (int)*signal_flag() : EXIT_ENDED_EARLY,
                        "%s; what there is was written; to go on: polhode resume %s", message, s->path);
    if (ended == PH_E_STOPPED) {
        if (words)
            printf("  %s; to go on: polhode resume %s\n", message, s->path);
        return EXIT_OK;
    }
    return ended ? complain(EXIT_ENDED_EARLY, "%s", message) : EXIT_OK;
}
