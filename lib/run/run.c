/* SPDX-License-Identifier: BSD-3-Clause */
/* The run: step, show the state to the observers, stop when asked. */
#include <polhode/run.h>

#include <time.h>

/* Steps between two looks at the interrupt flag: as many as take about this long, at most LONGEST. */
static const double stretch_seconds = 0.02;
enum { LONGEST = 1000 };

static double thread_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now))
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static ph_status show(const ph_run_plan *plan, const ph_state *state, int64_t done, ph_error *err)
{
    for (size_t i = 0; i < plan->n_observers; i++) {
        const ph_observer *o = &plan->observers[i];
        ph_status status = o->see(o->self, state, done, plan->steps, err);
        if (status)
            return status;
    }
    return PH_OK;
}

/* At most `most` steps, in stretches. */
static ph_status advance(ph_integrator *it, ph_state *state, const ph_run_plan *plan, int64_t most,
                         int64_t *stretch, ph_run_report *report, ph_error *err)
{
    while (most > 0) {
        if (plan->interrupt && *plan->interrupt)
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted after %lld steps, at t = %.10g s",
                           (long long)report->steps, state->t);
        int64_t n = most < *stretch ? most : *stretch, before = state->k;
        double start = thread_seconds();
        ph_status status = ph_integrator_step(it, state, n);
        double taken = thread_seconds() - start;
        report->cpu_seconds += taken;
        if (taken > stretch_seconds && *stretch > 1)
            *stretch /= 2;
        else if (taken < 0.25 * stretch_seconds && n == *stretch && *stretch < LONGEST)
            *stretch *= 2;
        report->steps += state->k - before;
        if (status)
            return ph_fail(err, status, "%s", ph_integrator_message(it));
        most -= n;
    }
    return PH_OK;
}

ph_status ph_run(ph_integrator *it, ph_state *state, const ph_run_plan *plan, ph_run_report *report,
                 ph_error *err)
{
    *report = (ph_run_report){0};
    report->time_at_end = state->t;
    if (plan->steps < 0 || plan->every < 1)
        return ph_fail(err, PH_E_RANGE, "a run needs steps >= 0 and every >= 1, not %lld and %lld",
                       (long long)plan->steps, (long long)plan->every);
    int64_t stretch = 1;
    ph_status status = show(plan, state, 0, err);
    while (!status && report->steps < plan->steps) {
        int64_t left = plan->steps - report->steps, seen = report->steps;
        status = advance(it, state, plan, left < plan->every ? left : plan->every, &stretch, report, err);
        report->time_at_end = state->t;
        if (!status) {
            status = show(plan, state, report->steps, err);
        } else if (report->steps > seen) {
            ph_status last = show(plan, state, report->steps, NULL);
            (void)last; /* the first failure is the one to report */
        }
    }
    return status;
}
