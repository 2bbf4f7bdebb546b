/* SPDX-License-Identifier: BSD-3-Clause */
/* A session that runs: its observer writes rows, its watch shows progress and looks for what is to end it.
 * Rows are those of the schedule, a function of the step count alone; where a run is stopped between two of
 * them its last state makes a row, too, which is dropped when it goes on. */
#include "session-parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

int64_t session_passes(const session *s)
{
    return s->before.newton_passes + ph_integrator_statistics(s->integrator)->newton_passes;
}

/* Does the schedule want this state to be seen? (The last one of a run is seen anyway.) */
bool session_is_scheduled(const session *s, int64_t done)
{
    return !done || ph_schedule_next(ph_scenario_output(s->scenario), ph_integrator_step_size(s->integrator),
                                     done - 1) == done;
}

ph_account session_account(const session *s)
{
    return (ph_account){.rows = s->rows,
                        .newton_passes = session_passes(s),
                        .row_passes = s->row_passes,
                        .cpu_seconds = s->before.cpu_seconds + s->report.cpu_seconds};
}

ph_status session_commit(session *s, const ph_state *state, ph_error *err)
{
    const ph_account account = session_account(s);
    ph_status status = ph_archive_commit(s->archive, state, s->monitor, &account, err);
    s->settled = status != PH_OK;
    return status;
}

/* What belongs to the last state before it makes a row that is no one of the schedule. */
static ph_status keep(session *s, ph_error *err)
{
    const size_t n = ph_monitor_packed_size(s->monitor);
    void *bytes = malloc(n);
    if (!bytes)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_monitor_pack(s->monitor, bytes);
    ph_status status = ph_monitor_unpack(s->kept_monitor, bytes, n, err);
    free(bytes);
    s->kept_account = session_account(s);
    s->kept = !status;
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
    s->reason = "energy-error";
    return ph_fail(err, PH_E_INTERRUPTED,
                   "the energy error, %.3g, is beyond the bound %g of stop.energy-error at t = %.10g s",
                   s->summary.energy_error_final, bound, state->t);
}

/* The observer: measure, write a row. */
ph_status session_look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    session *s = self;
    ph_measures measures;
    const bool scheduled = session_is_scheduled(s, done);
    ph_status status = PH_OK;
    if (!done && s->before.rows) /* the run was killed between its first row and its first step */
        return PH_OK;
    if (!scheduled && !s->settled)
        status = keep(s, err);
    if (status)
        return status;
    s->settled = true;
    status = ph_monitor_see(s->monitor, state, &measures);
    if (status == PH_E_NOT_FINITE)
        return ph_fail(err, PH_E_DIVERGED, "the energy is no longer finite at t = %.10g s", state->t);
    if (status)
        return ph_fail(err, status, "measuring at t = %.10g s: %s", state->t, ph_status_text(status));
    const int64_t now = session_passes(s);
    status = ph_archive_row(s->archive, state, &measures, now - s->row_passes, err);
    if (!status && s->csv)
        status = ph_csv_row(s->csv, state, &measures, now - s->row_passes, err);
    if (status)
        return status;
    s->rows++;
    s->row_passes = now;
    s->settled = !scheduled;
    /* a state at which the run ends is committed together with the word on how it ended */
    if (done < total)
        status = check_energy(s, state, err);
    return !status && scheduled && !s->stops && ph_archive_due(s->archive) ? session_commit(s, state, err)
                                                                           : status;
}

/* Errors are those of the latest output. */
static void show_progress(session *s, const ph_state *state, int64_t done, int64_t total)
{
    if (!progress_is_due(&s->progress))
        return;
    ph_monitor_summary(s->monitor, &s->summary);
    progress_show(&s->progress, state->t, done - s->done_before, total - s->done_before, &s->summary);
}

/* Between the outputs, too: is it time for a snapshot, or for the end? */
ph_status session_watch(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    session *s = self;
    const double now = wall_seconds();
    show_progress(s, state, done, total);
    /* a state that is about to be seen is committed together with its row */
    if (done < total && ph_archive_due(s->archive) && !session_is_scheduled(s, done)) {
        ph_status status = session_commit(s, state, err);
        if (status)
            return status;
    }
    if (done == total)
        return PH_OK;
    if (now >= s->deadline) {
        s->reason = "wall-clock";
        return ph_fail(err, PH_E_INTERRUPTED,
                       "the %g s of the wall clock are over after %" PRId64 " steps, at t = %.10g s",
                       s->wishes->wall_clock, done, state->t);
    }
    if (now - s->looked < 1)
        return PH_OK;
    s->looked = now;
    if (access(s->stop_file, F_OK))
        return PH_OK;
    s->reason = "stop-file";
    s->ended_by = s->stop_file;
    unlink(s->stop_file); /* obeyed: the next session is not to be stopped by it */
    return ph_fail(err, PH_E_INTERRUPTED, "stopped by %s after %" PRId64 " steps, at t = %.10g s",
                   s->stop_file, done, state->t);
}
