/* SPDX-License-Identifier: BSD-3-Clause */
/* A session that ends: its files are completed whatever ended it, and it keeps how. */
#include "parts.h"

#include "lib/internal/missing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A failure of what is written, not of the input? */
static bool is_about_output(ph_status status)
{
    return status == PH_E_IO || status == PH_E_EXISTS;
}

/* Close what is still being written: those rows that were committed stay. */
static void abandon_files(ph_session *s)
{
    ph_archive_abandon(s->archive);
    ph_csv_abandon(s->csv);
    ph_event_csv_abandon(s->event_csv);
    s->archive = NULL;
    s->csv = NULL;
    s->event_csv = NULL;
}

/* The status and the message that callers and files are given. */
static void keep_ending(ph_session *s, ph_status status, const char *message)
{
    s->status = status;
    snprintf(s->message, sizeof s->message, "%s", message);
}

/* The archive, then the tables that are written next to it. */
static ph_status complete_files(ph_session *s, ph_error *err)
{
    const ph_ending ending = ph_session_ending(s);
    const ph_account account = s->kept ? s->kept_account : ph_session_account(s);
    const bool rows_alone = s->settled && !s->kept;
    ph_status status = rows_alone
                           ? ph_archive_close(s->archive, &ending, err)
                           : ph_archive_finish(s->archive, s->state, s->kept ? s->kept_monitor : s->monitor,
                                               &account, &ending, err);
    s->archive = NULL;
    s->archived = !status && !rows_alone;
    if (!status && s->csv) {
        status = ph_csv_close(s->csv, err);
        s->csv = NULL;
        s->written[PH_SESSION_TRAJECTORY] = !status;
    }
    if (!status && s->event_csv) {
        status = ph_event_csv_close(s->event_csv, err);
        s->event_csv = NULL;
        s->written[PH_SESSION_EVENTS] = !status;
    }
    return status;
}

/* Where rows could not be written, the summary has the final state, however long it is. */
ph_status ph_session_finish(ph_session *s, ph_status ended, const char *message, ph_error *err)
{
    ph_error lost = {PH_OK, ""};
    ph_result result;
    keep_ending(s, ended, message);
    ph_status status = is_about_output(ended) ? PH_OK : complete_files(s, &lost);
    if (status)
        keep_ending(s, status, lost.message);
    abandon_files(s);
    s->ended = true;
    ph_session_result(s, &result);
    status = ph_summary_write(s->paths[PH_SESSION_SUMMARY], &result, &lost);
    s->written[PH_SESSION_SUMMARY] = !status;
    if (s->status && (is_about_output(s->status) || !status))
        return ph_fail(err, s->status, "%s", s->message);
    return status ? ph_fail(err, status, "%s", lost.message) : PH_OK;
}

void ph_session_release(ph_session *s)
{
    abandon_files(s);
    ph_events_free(s->events);
    ph_dense_free(s->dense);
    ph_monitor_free(s->monitor);
    ph_monitor_free(s->kept_monitor);
    ph_diagnostics_free(s->diagnostics);
    ph_state_free(s->state);
    ph_integrator_free(s->integrator);
    ph_scenario_free(s->scenario);
    for (size_t i = 0; i < PH_SESSION_FILES; i++)
        free(s->paths[i]);
    free(s->stop_file);
    free(s->directory);
    free(s->observers);
    free(s->stops_at);
    free(s->times);
    free(s->model);
    free(s->sums);
    free(s);
}

void ph_session_abandon(ph_session *s)
{
    if (s)
        ph_session_release(s);
}
