/* SPDX-License-Identifier: BSD-3-Clause */
/* A session that goes on: scenario, state and what was seen before come out of the archive. */
#include "session-parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        return ph_fail(err, PH_E_RANGE,
                       "--until %.15g s is %.10g steps of %g s from the start at %g s; "
                       "a whole number of them, at least 1, is expected: %.15g s, say",
                       until, ratio, h, *t0, *t0 + h * fmax(1, n));
    s->steps = (int64_t)n;
    return PH_OK;
}

/* The column of that name, or how many there are. */
static size_t find_column(const ph_record *record, const char *name)
{
    const size_t n = ph_record_columns(record);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(ph_record_column(record, i), name))
            return i;
    return n;
}

/* Rows of earlier sessions: the monitor has to see their errors again where the plan is another, as far as
 * the archive has them, and trajectory.csv is written anew. */
static ph_status recall_rows(session *s, ph_record *record, bool replanned, ph_error *err)
{
    const size_t columns = ph_record_columns(record), error = find_column(record, "energy_error");
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
    s->rows = s->before.rows;
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
        ph_monitor_replan(s->monitor, session_end_time(s, t0));
    status = recall_rows(s, record, replanned, err);
    return status ? status : recall_events(s, record, err);
}

static ph_status go_on(session *s, ph_record *record, ph_error *err)
{
    double t0 = 0;
    const bool replanned = !isnan(s->wishes->until);
    size_t n_columns;
    const char *const *columns = ph_record_choice(record, &n_columns);
    ph_status status = recall_scenario(s, record, err);
    if (!status)
        status = plan_further(s, record, &t0, err);
    if (!status)
        status = session_open_motion(s, ph_record_meta(record, "options"), err);
    if (!status)
        status = ph_archive_reopen(s->path, ph_scenario_system(s->scenario), session_snapshot_interval(s),
                                   &s->archive, err);
    if (!status)
        status = session_open_csv(s, columns, n_columns, err);
    if (!status)
        status = recall_motion(s, record, t0, replanned, err);
    if (!status)
        status = ph_archive_go_on(s->archive, err);
    if (status || !replanned)
        return status;
    ph_archive_replan(s->archive, s->steps); /* together with a monitor of that plan, or not at all */
    return session_commit(s, s->state, err);
}

ph_status session_recall(session *s, ph_error *err)
{
    ph_record *record = NULL;
    snprintf(s->path, sizeof s->path, "%s", s->wishes->file);
    ph_status status = ph_record_open(s->path, &record, err);
    if (!status)
        status = session_compare(s, record, err);
    if (!status)
        status = go_on(s, record, err);
    ph_record_close(record);
    return status;
}
