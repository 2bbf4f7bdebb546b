/* SPDX-License-Identifier: BSD-3-Clause */
/* A session that runs: its observer writes rows, its watch shows progress and looks for what is to end it.
 * Rows are those of the schedule, a function of the step count alone; where a run is stopped between two of
 * them its last state makes a row, too, which is dropped when it is resumed. A pause makes none. Rows inside a
 * step are interpolated after the step; the state at its end is committed together with all of them. */
#include "parts.h"

#include "lib/internal/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

ph_status ph_session_commit(ph_session *s, const ph_state *state, ph_error *err)
{
    const ph_account account = ph_session_account(s);
    ph_status status = ph_archive_commit(s->archive, state, s->monitor, &account, err);
    s->settled = status != PH_OK;
    return status;
}

void ph_session_ask(ph_session *s)
{
    const ph_session_options *o = &s->options;
    if (!s->wished && o->stop && o->stop(o->self, &s->wish_reason, &s->wish_by))
        s->wished = 1;
}

/* What belongs to the last state before it makes a row that is no one of the schedule. */
static ph_status keep_last_state(ph_session *s, ph_error *err)
{
    const size_t n = ph_monitor_packed_size(s->monitor);
    void *bytes = malloc(n);
    if (!bytes)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_monitor_pack(s->monitor, bytes);
    ph_status status = ph_monitor_unpack(s->kept_monitor, bytes, n, err);
    free(bytes);
    s->kept_account = ph_session_account(s);
    s->kept = !status;
    return status;
}

/* Ends the run where the relative energy error is beyond the bound. */
static ph_status check_energy(ph_session *s, const ph_state *state, ph_error *err)
{
    if (!isfinite(s->energy_bound))
        return PH_OK;
    ph_monitor_summary(s->monitor, &s->summary);
    if (!(fabs(s->summary.energy_error_final) > s->energy_bound))
        return PH_OK;
    s->reason = "energy-error";
    return ph_fail(err, PH_E_INTERRUPTED, "the energy error, %.3g, is beyond the bound %g%s at t = %.10g s",
                   s->summary.energy_error_final, s->energy_bound, s->scenario ? " of stop.energy-error" : "",
                   state->t);
}

/* The measures of the state, which the monitor sees, too, unless it has. */
static ph_status measure(ph_session *s, const ph_state *state, ph_measures *measures, ph_error *err)
{
    ph_status status = s->monitored == state->k ? ph_diagnostics_measure(s->diagnostics, state, measures)
                                                : ph_monitor_see(s->monitor, state, measures);
    if (status == PH_E_NOT_FINITE)
        return ph_fail(err, PH_E_DIVERGED, "the energy is no longer finite at t = %.10g s", state->t);
    return status ? ph_fail(err, status, "measuring at t = %.10g s: %s", state->t, ph_status_text(status))
                  : PH_OK;
}

/* A row in the archive and in trajectory.csv, if that is wanted. */
static ph_status write_row(ph_session *s, const ph_state *state, const ph_measures *measures, ph_error *err)
{
    const int64_t now = ph_session_passes(s), passes = now - s->row_passes;
    ph_status status = ph_archive_row(s->archive, state, measures, passes, err);
    if (!status && s->csv)
        status = ph_csv_row(s->csv, state, measures, passes, err);
    if (status)
        return status;
    s->rows++;
    s->row_passes = now;
    return PH_OK;
}

static ph_status make_row(ph_session *s, const ph_state *state, ph_error *err)
{
    ph_measures measures;
    ph_status status = measure(s, state, &measures, err);
    return status ? status : write_row(s, state, &measures, err);
}

/* A warning, once, where rows between steps are less accurate than the scenario requires: long steps of a method of high
 * order. */
static void judge_interpolation(ph_session *s)
{
    const double accuracy = s->scenario ? ph_scenario_accuracy(s->scenario) : 0;
    double error;
    char text[300];
    if (s->warned || !(accuracy > 0) || !s->options.message || ph_dense_error(s->dense, &error, NULL) ||
        !(error > accuracy))
        return;
    s->warned = true;
    snprintf(
        text, sizeof text,
        "rows between steps have an error of about %.1e by interpolation (estimated at t = %.10g s), more than the "
        "accuracy %g that is required; with a smaller step they are more accurate",
        error, s->state->t, accuracy);
    s->options.message(s->options.self, text);
}

/* A row inside a step. The monitor sees the end of the step, once: errors that it keeps are those of the method. Until
 * all rows of the step are there its end is not to be committed. */
static ph_status look_inside(ph_session *s, const ph_state *state, ph_error *err)
{
    ph_measures measures;
    s->settled = s->inside = true;
    if (s->monitored != s->state->k) {
        ph_status status = measure(s, s->state, &measures, err);
        if (status)
            return status;
        s->monitored = s->state->k;
    }
    if (ph_diagnostics_measure(s->diagnostics, state, &measures))
        measures.energy = measures.kinetic = measures.potential = NAN;
    return write_row(s, state, &measures, err);
}

/* All rows inside the step are made. */
static void leave_step(ph_session *s)
{
    if (!s->inside)
        return;
    s->settled = s->inside = false;
    judge_interpolation(s);
}

ph_status ph_session_look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    ph_session *s = self;
    if (state->z != s->state->z) /* interpolated */
        return look_inside(s, state, err);
    const bool scheduled = ph_session_is_scheduled(s, done);
    ph_status status = PH_OK;
    leave_step(s);
    if (!done && s->before.rows) /* the run was killed between its first row and its first step */
        return PH_OK;
    if (!scheduled && done == total && total < s->steps && !s->reason) /* a pause */
        return PH_OK;
    if (!scheduled && !s->settled)
        status = keep_last_state(s, err);
    if (status)
        return status;
    s->settled = true;
    status = make_row(s, state, err);
    if (status)
        return status;
    s->settled = !scheduled;
    /* a state at which the run ends is committed together with the word on how it ended */
    if (done < s->steps)
        status = check_energy(s, state, err);
    if (!status && scheduled && !s->stops && ph_archive_due(s->archive))
        status = ph_session_commit(s, s->state, err);
    ph_session_ask(s);
    return status;
}

/* The file STOP ends the run. */
static ph_status stop_by_file(ph_session *s, const ph_state *state, int64_t done, ph_error *err)
{
    s->reason = "stop-file";
    s->ended_by = s->stop_file;
    unlink(s->stop_file); /* obeyed: the next session is not to be stopped by it */
    return ph_fail(err, PH_E_INTERRUPTED, "stopped by %s after %" PRId64 " steps, at t = %.10g s",
                   s->stop_file, done, state->t);
}

ph_status ph_session_watch(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    ph_session *s = self;
    const double now = ph_coarse_clock();
    (void)total;
    leave_step(s);
    if (s->options.progress)
        s->options.progress(s->options.self, s);
    ph_session_ask(s);
    /* a state that is about to be seen is committed together with its row */
    const bool scheduled = ph_session_is_scheduled(s, done);
    ph_status status = PH_OK;
    if (done < s->steps && !scheduled && s->monitored == done)
        status = check_energy(s, state, err);
    if (!status && done < s->steps && !scheduled && ph_archive_due(s->archive))
        status = ph_session_commit(s, state, err);
    if (status)
        return status;
    if (done == s->steps)
        return PH_OK;
    if (now >= s->deadline) {
        s->reason = "wall-clock";
        return ph_fail(err, PH_E_INTERRUPTED,
                       "the time limit of %g s was reached after %" PRId64 " steps, at t = %.10g s",
                       s->wall_clock, done, state->t);
    }
    if (now - s->looked < 1)
        return PH_OK;
    s->looked = now;
    return access(s->stop_file, F_OK) ? PH_OK : stop_by_file(s, state, done, err);
}

ph_status ph_session_note_event(void *self, const ph_occurrence *o, ph_error *err)
{
    ph_session *s = self;
    const char *name = ph_events_name(s->events, o->event);
    if (s->stops_at[o->event]) {
        s->stops = true;
        if (!s->reason) {
            s->reason = "event";
            s->ended_by = name;
        }
    }
    ph_status status = ph_archive_event(s->archive, name, o, err);
    if (!status && s->event_csv)
        status = ph_event_csv_row(s->event_csv, name, o, err);
    return status || !s->options.found ? status : s->options.found(s->options.self, name, o, err);
}
