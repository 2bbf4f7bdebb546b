/* SPDX-License-Identifier: BSD-3-Clause */
/* A session runs, by ph_run, to the planned end or to a pause, and is closed. What is looked at on the way
 * is in look.c. */
#include "parts.h"

#include "lib/internal/missing.h"

#include <math.h>
#include <stdio.h>

/* From an earlier call of this session: what it did is part of the sum. */
static void begin_report(ph_session *s)
{
    s->passed.steps += s->report.steps;
    s->passed.cpu_seconds += s->report.cpu_seconds;
    s->report = (ph_run_report){.time_at_end = s->state->t};
}

/* From where it is until so many steps from the start are taken. */
static ph_status run_to(ph_session *s, int64_t steps, ph_error *err)
{
    const ph_watch watcher = {ph_session_watch, s};
    const int64_t from = s->state->k;
    const ph_run_plan plan = {.steps = steps,
                              .done = from,
                              .output = s->output,
                              .dense = s->dense,
                              .observers = s->observers,
                              .n_observers = 1 + s->options.n_observers,
                              .watch = &watcher,
                              .events = s->events,
                              .interrupt = &s->wished};
    begin_report(s);
    ph_session_ask(s);
    ph_status status = ph_run(s->integrator, s->state, &plan, &s->report, err);
    /* a run that was through: its last row has been dropped if the schedule did not want it */
    if (!status && from && from == s->steps && !ph_session_is_scheduled(s, s->steps))
        status = ph_session_look(s, s->state, s->steps, s->steps, err);
    return status;
}

/* Can the session still run? */
static ph_status check_open(const ph_session *s, ph_error *err)
{
    if (!s)
        return ph_not_created(err, "session", "ph_session_open");
    if (s->ended)
        return ph_fail(err, PH_E_INVALID, "%.300s: this session has ended; resume the run from its archive",
                       s->paths[PH_SESSION_ARCHIVE]);
    return PH_OK;
}

ph_status ph_session_run(ph_session *s, ph_error *err)
{
    ph_error why = {PH_OK, ""};
    ph_status status = check_open(s, err);
    if (status)
        return status;
    status = run_to(s, s->steps, &why);
    return ph_session_finish(s, status, why.message, err);
}

/* The first step at or after the time, by whole steps from the start, of which rounding takes nothing away.
 * */
static double step_at(const ph_session *s, double t)
{
    const double ratio = (t - s->t0) / ph_integrator_step_size(s->integrator), n = round(ratio);
    return fabs(ratio - n) <= 1e-6 + 4 * 0x1p-52 * fabs(ratio) ? n : ceil(ratio);
}

ph_status ph_session_run_until(ph_session *s, double t, ph_error *err)
{
    ph_error why = {PH_OK, ""};
    ph_status status = check_open(s, err);
    if (status)
        return status;
    if (isnan(t))
        return ph_fail(err, PH_E_NOT_FINITE, "the time to run to is NaN");
    const double k = step_at(s, t);
    if (k >= (double)s->steps)
        return ph_session_run(s, err);
    if (k <= (double)s->state->k)
        return PH_OK;
    status = run_to(s, (int64_t)k, &why);
    return status ? ph_session_finish(s, status, why.message, err) : PH_OK;
}

/* A run whose steps were all taken before it was resumed is through; any other one ends where it is. */
static ph_status end_here(ph_session *s, ph_error *err)
{
    char message[128];
    if (s->state->k == s->steps)
        return ph_session_run(s, err);
    snprintf(message, sizeof message, "closed after %lld steps, at t = %.10g s", (long long)s->state->k,
             s->state->t);
    s->reason = "closed";
    ph_status status = ph_session_finish(s, PH_E_INTERRUPTED, message, err);
    return status == PH_E_INTERRUPTED ? PH_OK : status;
}

ph_status ph_session_close(ph_session *s, ph_error *err)
{
    ph_error why = {PH_OK, ""};
    if (!s)
        return ph_not_created(err, "session", "ph_session_open");
    ph_status status = s->ended ? PH_OK : end_here(s, &why);
    ph_session_release(s);
    return status ? ph_fail(err, status, "%s", why.message) : PH_OK;
}
