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

static ph_status complete(session *s, ph_status ended, const char *message, ph_error *err)
{
    const ph_account account = s->kept ? s->kept_account : session_account(s);
    ph_status status = s->settled && !s->kept
                           ? ph_archive_close(s->archive, ended, message, err)
                           : ph_archive_finish(s->archive, s->state, s->kept ? s->kept_monitor : s->monitor,
                                               &account, ended, message, err);
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
                              .status = ended,
                              .message = message,
                              .events = s->events};
    return ph_summary_write(path, &result, err);
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
    ph_error lost;
    status = write_summary(s, ended, message, path, &lost);
    if (session_is_about_output(ended) && !status)
        return complain(EXIT_OUTPUT,
                        "%s; the state reached, t = %.10g s, is in %s; when there is room: polhode resume %s",
                        message, s->state->t, path, s->path);
    if (session_is_about_output(ended))
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
