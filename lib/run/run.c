/* SPDX-License-Identifier: BSD-3-Clause */
/* The run: step, show the state to the observers, stop when asked. */
#include <polhode/run.h>

#include "lib/internal/missing.h"
#include "times.h"

#include <math.h>
#include <stdbool.h>
#include <time.h>

/* [s] A stretch, the steps between two checks of the interrupt flag, takes about this long; it has at most
 * LONGEST steps. */
static const double stretch_seconds = 0.02;
enum { LONGEST = 1000 };

/* [s] Reading the thread's CPU clock is a system call of up to some microseconds. Stretches expected to be
 * shorter than this are timed with the wall clock, which is not. Even that takes as long as a step of a small
 * system, so only one of such stretches is timed; the next MANY are assumed to take as long. */
static const double short_stretch = 50e-6;
enum { MANY = 16 };

/* The clock [s]; 0 where it cannot be read. */
static double read_clock(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now))
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Shows the state to all observers. A status that is not PH_OK ends the run. */
static ph_status show_state(const ph_run_plan *plan, const ph_state *state, int64_t done, ph_error *err)
{
    for (size_t i = 0; i < plan->n_observers; i++) {
        const ph_observer *o = &plan->observers[i];
        ph_status status = o->see(o->self, state, done, plan->steps, err);
        if (status)
            return status;
    }
    return PH_OK;
}

/* n steps; with events one at a time. */
static ph_status take_steps(ph_integrator *it, ph_state *state, const ph_run_plan *plan, int64_t n,
                            ph_error *err)
{
    const int64_t part = plan->events ? 1 : n;
    ph_status status = PH_OK;
    for (; n > 0 && !status; n -= part) {
        status = ph_integrator_step(it, state, part);
        if (status)
            ph_fail(err, status, "%s", ph_integrator_message(it));
        else if (plan->events)
            status = ph_events_look(plan->events, state, err);
    }
    return status;
}

/* The length of a stretch, and how long steps take. */
typedef struct pace {
    int64_t stretch;
    double step_seconds; /* of the latest stretch that was timed; 0: unknown */
    int untimed;         /* short stretches since that one */
} pace;

/* Adapts the length of the next stretch to the time that n steps took. */
static void adapt_stretch(pace *p, int64_t n, double taken)
{
    if (taken > stretch_seconds && p->stretch > 1)
        p->stretch /= 2;
    else if (taken < 0.25 * stretch_seconds && n == p->stretch && p->stretch < LONGEST)
        p->stretch *= 2;
}

/* Takes n steps; *taken [s] <- their time, measured or assumed. */
static ph_status step_in_time(ph_integrator *it, ph_state *state, const ph_run_plan *plan, int64_t n, pace *p,
                              double *taken, ph_error *err)
{
    const int64_t before = state->k;
    const double expected = (double)n * p->step_seconds;
    const bool by_wall = expected > 0 && expected < short_stretch;
    const clockid_t clock = by_wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    if (by_wall && p->untimed < MANY) {
        p->untimed++;
        *taken = expected;
        return take_steps(it, state, plan, n, err);
    }
    const double start = read_clock(clock);
    ph_status status = take_steps(it, state, plan, n, err);
    *taken = fmax(0, read_clock(clock) - start); /* a clock may be set back, or fail */
    /* too long: other threads had the processor, or steps have become slower. The next stretch uses the CPU
     * clock */
    const bool odd = by_wall && *taken > expected + short_stretch;
    if (odd)
        *taken = expected;
    p->step_seconds = odd || state->k == before ? 0 : *taken / (double)(state->k - before);
    p->untimed = by_wall ? 0 : MANY; /* the first short stretch is timed */
    return status;
}

static ph_status check_interrupt(const ph_run_plan *plan, const ph_state *state, const ph_run_report *report,
                                 ph_error *err)
{
    if (!plan->interrupt || !*plan->interrupt)
        return PH_OK;
    return ph_fail(err, PH_E_INTERRUPTED, "interrupted after %lld steps, at t = %.10g s",
                   (long long)(plan->done + report->steps), state->t);
}

/* At most `most` steps, in stretches. */
static ph_status advance(ph_integrator *it, ph_state *state, const ph_run_plan *plan, int64_t most, pace *p,
                         ph_run_report *report, ph_error *err)
{
    while (most > 0) {
        ph_status status = check_interrupt(plan, state, report, err);
        if (status)
            return status;
        const int64_t n = most < p->stretch ? most : p->stretch, before = state->k;
        double taken;
        status = step_in_time(it, state, plan, n, p, &taken, err);
        report->cpu_seconds += taken;
        adapt_stretch(p, n, taken);
        report->steps += state->k - before;
        if (!status && plan->watch)
            status = plan->watch->see(plan->watch->self, state, plan->done + report->steps, plan->steps, err);
        if (status)
            return status;
        most -= n;
    }
    return PH_OK;
}

/* ---- Outputs between steps ------------------------------------------------------------------------- */

/* A run on its way. */
typedef struct course {
    ph_integrator *it;
    ph_state *state;
    const ph_run_plan *plan;
    ph_run_report *report;
    pace pace;
    bool dense;     /* may outputs be between steps? */
    ph_clock clock; /* of the dense ones */
    bool lost;      /* an observer has failed within a step: the state at its end is not shown */
} course;

/* Shows the outputs in the step that the state is at the end of, but for the one at its end. */
static ph_status show_inside(course *c, int64_t done, ph_error *err)
{
    const ph_state *there;
    ph_status status = ph_dense_end(c->plan->dense, c->state, err);
    ph_asked asked = ph_times_first(&c->plan->output, &c->clock, done - 1);
    for (; !status && asked.step == done && !asked.at_end;
         asked = ph_times_next(&c->plan->output, &c->clock, &asked)) {
        status = ph_dense_at(c->plan->dense, asked.t, &there, err);
        if (!status)
            status = show_state(c->plan, there, done - 1, err);
    }
    c->lost = status != PH_OK;
    return status;
}

/* One step with outputs inside, and the watch after these. They are shown whenever the step was taken, also where an event
 * in it stops the run: who resumes it begins at its end. */
static ph_status cross_step(course *c, ph_error *err)
{
    const ph_run_plan *plan = c->plan;
    const int64_t before = c->state->k;
    double taken;
    ph_status status = check_interrupt(plan, c->state, c->report, err);
    if (!status)
        status = ph_dense_begin(plan->dense, c->state, err);
    if (status)
        return status;
    status = step_in_time(c->it, c->state, plan, 1, &c->pace, &taken, err);
    c->report->cpu_seconds += taken;
    if (c->state->k == before)
        return status;
    const int64_t done = plan->done + ++c->report->steps;
    const ph_status inside = show_inside(c, done, status ? NULL : err);
    if (status || inside)
        return status ? status : inside;
    return plan->watch ? plan->watch->see(plan->watch->self, c->state, done, plan->steps, err) : PH_OK;
}

/* Shows the state at the end of a step: at the time that was asked for, which may differ from its own by rounding. */
static ph_status show_end(const course *c, const ph_asked *asked, int64_t done, ph_error *err)
{
    ph_state view = *c->state;
    if (asked->step != done)
        return show_state(c->plan, c->state, done, err);
    view.t = asked->t;
    return show_state(c->plan, &view, done, err);
}

/* The next output behind `done` steps: *inside <- is it before the end of its step? */
static int64_t next_output(const course *c, int64_t done, bool *inside)
{
    *inside = false;
    if (!c->dense)
        return ph_schedule_next(&c->plan->output, c->clock.h, done);
    const ph_asked asked = ph_times_first(&c->plan->output, &c->clock, done);
    *inside = asked.step <= c->plan->steps && !asked.at_end;
    return asked.step;
}

/* To the next output, at most to the end of the run. */
static ph_status proceed(course *c, int64_t done, ph_error *err)
{
    bool inside;
    const int64_t next = next_output(c, done, &inside);
    const int64_t to = (next < c->plan->steps ? next : c->plan->steps) - inside;
    ph_status status = advance(c->it, c->state, c->plan, to - done, &c->pace, c->report, err);
    return status || !inside ? status : cross_step(c, err);
}

/* ---- The run --------------------------------------------------------------------------------------- */

static ph_status check_plan(const ph_run_plan *plan, double h, ph_error *err)
{
    const ph_schedule *s = &plan->output;
    if (plan->done < 0 || plan->steps < plan->done)
        return ph_fail(err, PH_E_RANGE, "a run needs steps >= done >= 0, not %lld and %lld",
                       (long long)plan->steps, (long long)plan->done);
    if (s->kind == PH_AT_TIMES && !plan->dense)
        return ph_fail(err, PH_E_INVALID,
                       "outputs at given times need a dense output: ph_run_plan.dense, by ph_dense_create");
    if (s->kind == PH_EVERY_INTERVAL && !plan->dense && s->interval > 0 && isfinite(s->interval))
        return PH_OK; /* however short it is */
    return ph_schedule_check(s, h, err);
}

ph_status ph_run(ph_integrator *it, ph_state *state, const ph_run_plan *plan, ph_run_report *report,
                 ph_error *err)
{
    if (!it)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    const double h = ph_integrator_step_size(it);
    course c = {.it = it, .state = state, .plan = plan, .report = report, .pace = {.stretch = 1}};
    *report = (ph_run_report){0};
    report->time_at_end = state->t;
    ph_status status = check_plan(plan, h, err);
    int64_t done = plan->done, shown = done;
    c.clock = ph_clock_of(state, h, state->k - done);
    c.dense = plan->dense && ph_schedule_is_dense(&plan->output, h);
    if (!status && done == 0)
        status = show_state(plan, state, 0, err);
    if (!status && plan->events)
        status = ph_events_begin(plan->events, state, err);
    while (!status && done < plan->steps) {
        status = proceed(&c, done, err);
        report->time_at_end = state->t;
        done = plan->done + report->steps;
        const ph_asked asked =
            c.dense ? ph_times_at_end(&plan->output, &c.clock, done) : (ph_asked){.step = INT64_MAX};
        const bool due = !c.dense || done == plan->steps || asked.step == done;
        if (!status && due) {
            status = show_end(&c, &asked, done, err);
            shown = done;
        } else if (status && done > shown && !c.lost) {
            ph_status last = show_end(&c, &asked, done, NULL);
            (void)last; /* the first failure is the one to report */
        }
    }
    return status;
}
