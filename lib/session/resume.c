/* SPDX-License-Identifier: BSD-3-Clause */
/* A session that is resumed: scenario, state and what was seen before come out of the archive. */
#include "parts.h"

#include "lib/internal/missing.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What the archive says ------------------------------------------------------------------------ */

/* The number of steps that are planned, and the time t0 of the start. */
static ph_status recall_plan(ph_session *s, const ph_record *record, ph_error *err)
{
    const char *path = s->paths[PH_SESSION_ARCHIVE];
    const char *steps = ph_record_meta(record, "steps"), *start = ph_record_meta(record, "t0");
    if (!steps || ph_parse_count(steps, &s->steps))
        return ph_fail(err, PH_E_PARSE, "%s: does not say how many steps are planned", path);
    if (!start || ph_parse_number(start, &s->t0))
        return ph_fail(err, PH_E_PARSE, "%s: does not say when it began", path);
    return ph_session_replan(s, err);
}

/* Rows of earlier sessions: the monitor has to see their errors again where the plan is another, as far as
 * the archive has them, and trajectory.csv is written again. */
static ph_status recall_rows(ph_session *s, ph_record *record, bool replanned, ph_error *err)
{
    const size_t columns = ph_record_columns(record), error = ph_record_find(record, "energy_error");
    const int64_t at_once = columns < 65536 ? (int64_t)(65536 / columns) : 1;
    if (!replanned && !s->csv)
        return PH_OK;
    ph_monitor_summary(s->monitor, &s->summary);
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
                ph_monitor_recall(s->monitor, row[0], error < columns ? row[error] : NAN);
            if (s->csv)
                status = ph_csv_recall(s->csv, row, s->summary.energy_initial, err);
        }
    }
    free(values);
    return status;
}

/* Events of earlier sessions: how many there were, and events.csv again. */
static ph_status recall_events(ph_session *s, ph_record *record, ph_error *err)
{
    const int64_t n = s->event_csv ? ph_record_events(record) : 0;
    ph_recorded_event event;
    ph_status status = PH_OK;
    for (size_t i = 0; i < s->n_events; i++)
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
    return status ? status : ph_record_starved(record, err);
}

/* The latest committed state, with the monitor and the account that belong to it. */
static ph_status recall_state(ph_session *s, ph_record *record, ph_error *err)
{
    ph_status status = ph_record_state(record, s->state, s->monitor, &s->before, err);
    s->rows = s->before.rows;
    s->row_passes = s->before.row_passes;
    s->done_before = s->state->k;
    if (!status && s->state->k &&
        ph_schedule_inside(&s->output, s->t0, ph_integrator_step_size(s->integrator), s->state->k))
        s->monitored = s->state->k;
    return status;
}

/* State, rows and events; replanned: the run is to end at another time than before. */
static ph_status recall_motion(ph_session *s, ph_record *record, bool replanned, ph_error *err)
{
    ph_status status = recall_state(s, record, err);
    if (!status && s->state->k > s->steps)
        status = ph_fail(err, PH_E_RANGE, "options.until %.15g s: the run is at t = %.10g s already",
                         s->until, s->state->t);
    if (!status)
        status = ph_session_check_size(s, err);
    if (status)
        return status;
    if (replanned)
        ph_monitor_replan(s->monitor, ph_session_end_time(s));
    status = recall_rows(s, record, replanned, err);
    return status ? status : recall_events(s, record, err);
}

/* ---- Resuming ------------------------------------------------------------------------------------- */

/* What is run has been set up. */
static ph_status resume_motion(ph_session *s, ph_record *record, const ph_event *events, size_t n_events,
                               ph_error *err)
{
    const bool replanned = !isnan(s->until);
    size_t n_columns;
    const char *const *columns = ph_record_choice(record, &n_columns);
    s->n_columns = ph_record_columns(record);
    ph_status status = recall_plan(s, record, err);
    if (!status)
        status = ph_session_equip(s, events, n_events, err);
    if (!status)
        status = ph_archive_reopen(s->paths[PH_SESSION_ARCHIVE], ph_integrator_system(s->integrator),
                                   s->snapshot, &s->archive, err);
    if (!status)
        status = ph_session_open_csv(s, columns, n_columns, err);
    if (!status)
        status = recall_motion(s, record, replanned, err);
    if (!status)
        status = ph_archive_go_on(s->archive, err);
    if (status)
        return status;
    s->written[PH_SESSION_ARCHIVE] = true;
    if (!replanned)
        return PH_OK;
    ph_archive_replan(s->archive, s->steps); /* together with a monitor of that plan, or not at all */
    return ph_session_commit(s, s->state, err);
}

static ph_status resume_scenario(ph_session *s, const char *wished, ph_record *record, ph_error *err)
{
    size_t n = 0;
    ph_status status = ph_session_compare(s, wished, s->paths[PH_SESSION_ARCHIVE], record, err);
    if (!status)
        status = ph_session_recall(record, s->paths[PH_SESSION_ARCHIVE], &s->scenario, err);
    if (!status)
        status = ph_session_take_scenario(s, ph_record_meta(record, "options"), err);
    if (status)
        return status;
    const ph_event *events = ph_scenario_events(s->scenario, &n);
    return resume_motion(s, record, events, n, err);
}

static ph_status resume_plan(ph_session *s, const ph_session_plan *plan, ph_record *record, ph_error *err)
{
    const char *path = s->paths[PH_SESSION_ARCHIVE];
    ph_status status = ph_session_take_plan(s, plan, err);
    if (!status)
        status = ph_session_compare_plan(plan, path, record, err);
    if (!status)
        status = ph_session_compare(s, NULL, path, record, err);
    return status ? status : resume_motion(s, record, plan->events, plan->n_events, err);
}

/* The directory of the archive is that of its files. */
static ph_status place(ph_session *s, const char *archive, ph_error *err)
{
    const char *slash = strrchr(archive, '/');
    char *directory = slash ? strndup(archive, (size_t)(slash - archive) + (slash == archive)) : strdup(".");
    ph_status status = directory ? ph_session_place(s, directory, archive, err)
                                 : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    free(directory);
    return status;
}

/* plan: NULL for a scenario. */
static ph_status resume(const ph_session_plan *plan, const char *archive, const ph_session_options *options,
                        ph_session **session, ph_error *err)
{
    ph_session *s = NULL;
    ph_record *record = NULL;
    ph_status status = ph_session_create(options, &s, err);
    if (status)
        return status;
    status = place(s, archive, err);
    if (!status)
        status = ph_record_open(archive, &record, err);
    if (!status && ph_record_swept(record, NULL))
        status =
            ph_fail(err, PH_E_UNSUPPORTED,
                    "%s: is the archive of a sweep; it is continued by sweeping its scenario again (polhode "
                    "sweep FILE, ph_sweep_open)",
                    archive);
    if (!status)
        status = ph_record_verify(record, err);
    if (!status)
        status =
            plan ? resume_plan(s, plan, record, err) : resume_scenario(s, s->options.scenario, record, err);
    ph_record_close(record);
    if (status)
        ph_session_release(s);
    else
        *session = s;
    return status;
}

ph_status ph_session_resume(const char *archive, const ph_session_options *options, ph_session **session,
                            ph_error *err)
{
    if (!archive)
        return ph_fail(err, PH_E_INVALID, "there is no archive: its path is NULL");
    return resume(NULL, archive, options, session, err);
}

ph_status ph_session_resume_system(const ph_session_plan *plan, const char *archive,
                                   const ph_session_options *options, ph_session **session, ph_error *err)
{
    if (!plan)
        return ph_fail(err, PH_E_INVALID, "there is no plan: it is NULL");
    if (!archive)
        return ph_fail(err, PH_E_INVALID, "there is no archive: its path is NULL");
    return resume(plan, archive, options, session, err);
}
