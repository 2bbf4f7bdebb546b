/* SPDX-License-Identifier: BSD-3-Clause */
/* What callers read of a session, and what it amounts to: its position, sums over all sessions of the run,
 * how it ended. */
#include "parts.h"

const ph_state *ph_session_state(const ph_session *s)
{
    return s->state;
}

const ph_integrator *ph_session_integrator(const ph_session *s)
{
    return s->integrator;
}

const ph_system *ph_session_system(const ph_session *s)
{
    return ph_integrator_system(s->integrator);
}

const ph_scenario *ph_session_scenario(const ph_session *s)
{
    return s->scenario;
}

int64_t ph_session_steps(const ph_session *s)
{
    return s->steps;
}

int64_t ph_session_rows(const ph_session *s)
{
    return s->rows;
}

bool ph_session_has_ended(const ph_session *s)
{
    return s->ended;
}

int64_t ph_session_passes(const ph_session *s)
{
    return s->before.newton_passes + ph_integrator_statistics(s->integrator)->newton_passes;
}

/* The first state is. */
bool ph_session_is_scheduled(const ph_session *s, int64_t done)
{
    return !done || ph_schedule_at_end(&s->output, s->t0, ph_integrator_step_size(s->integrator), done);
}

/* Sums over this session and earlier ones. */
ph_account ph_session_account(const ph_session *s)
{
    return (ph_account){.rows = s->rows,
                        .newton_passes = ph_session_passes(s),
                        .row_passes = s->row_passes,
                        .cpu_seconds = s->before.cpu_seconds + s->passed.cpu_seconds + s->report.cpu_seconds};
}

/* Why, in a word: what has set it between two steps; else the caller wished it. */
ph_ending ph_session_ending(const ph_session *s)
{
    const bool ours = s->status == PH_E_INTERRUPTED || s->status == PH_E_STOPPED;
    const char *message = s->status ? s->message : NULL;
    if (s->status == PH_E_INTERRUPTED && !s->reason)
        return (ph_ending){s->status, s->wish_reason ? s->wish_reason : "caller", s->wish_by, message};
    return (ph_ending){s->status, ours ? s->reason : NULL, ours ? s->ended_by : NULL, message};
}

/* Sums over the calls of this session, and with earlier sessions; the errors of the latest output. */
static void add_up(const ph_session *s)
{
    const ph_statistics *now = ph_integrator_statistics(s->integrator);
    ph_session_sums *sums = s->sums;
    sums->here = (ph_run_report){.steps = s->passed.steps + s->report.steps,
                                 .cpu_seconds = s->passed.cpu_seconds + s->report.cpu_seconds,
                                 .time_at_end = s->state->t};
    sums->whole = (ph_run_report){.steps = s->done_before + sums->here.steps,
                                  .cpu_seconds = s->before.cpu_seconds + sums->here.cpu_seconds,
                                  .time_at_end = s->state->t};
    sums->statistics =
        (ph_statistics){.steps = s->done_before + now->steps, .newton_passes = ph_session_passes(s)};
    ph_monitor_summary(s->monitor, &sums->summary);
}

const ph_run_report *ph_session_report(const ph_session *s)
{
    add_up(s);
    return &s->sums->here;
}

void ph_session_result(const ph_session *s, ph_result *result)
{
    add_up(s);
    *result =
        (ph_result){.model = s->model,
                    .integrator = s->integrator,
                    .state = s->state,
                    .report = &s->sums->whole,
                    .summary = &s->sums->summary,
                    .statistics = &s->sums->statistics,
                    .ending = ph_session_ending(s),
                    .events = s->events,
                    .accuracy = s->scenario ? ph_scenario_accuracy(s->scenario) : 0,
                    .estimate = s->scenario ? ph_scenario_estimate(s->scenario) : 0,
                    .archive = s->archived ? ph_session_base_name(s->paths[PH_SESSION_ARCHIVE]) : NULL,
                    .energy_estimate = s->scenario ? ph_scenario_energy_estimate(s->scenario) : 0,
                    .of_energy = s->scenario && ph_scenario_accuracy_of(s->scenario) == PH_ACCURACY_ENERGY};
}

const char *ph_session_path(const ph_session *s, ph_session_file file)
{
    return (unsigned)file < PH_SESSION_FILES && s->written[file] ? s->paths[file] : NULL;
}
