/* SPDX-License-Identifier: BSD-3-Clause */
/* A run: iterate the integrator, let observers see its states, stop when asked. */
#ifndef POLHODE_RUN_H
#define POLHODE_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/dense.h>
#include <polhode/events.h>
#include <polhode/integrator.h>
#include <polhode/state.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** Sees the state, cannot change it. */
typedef struct ph_observer {
    /** Called for every output. A failure ends the run with that status.
     *   state        for an output between two steps the interpolated one, which has k of the step before it
     *   done, total  steps taken and planned in this run; a step that an output lies in is not counted */
    ph_status (*see)(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err);
    void *self; /**< handed to see */
} ph_observer;

/** How the steps are chosen that observers see. */
typedef enum ph_schedule_kind {
    PH_EVERY_STEPS, /**< each `steps`-th */
    /** Each multiple of `interval` seconds from the start: the first step at or after it. With
     * ph_run_plan.dense and an interval that is no multiple of the step, that time itself. */
    PH_EVERY_INTERVAL,
    /** `steps` in each decade of the step count, as evenly on a logarithmic scale as whole numbers allow:
     * with 1 the steps 1, 10, 100, ... */
    PH_PER_DECADE,
    PH_AT_TIMES /**< the given `times`; needs ph_run_plan.dense */
} ph_schedule_kind;

/** What observers see, in addition to the first and the last step of a run. */
typedef struct ph_schedule {
    ph_schedule_kind kind; /**< how it counts */
    int64_t steps;         /**< >= 1 for PH_EVERY_STEPS and PH_PER_DECADE */
    double interval;       /**< [s] > 0 for PH_EVERY_INTERVAL */
    /** (n_times) [s] for PH_AT_TIMES: of the motion, each finite and behind the one before it in the
     * direction of the run. Those not behind the start or behind the end of the run are left out. */
    const double *times;
    size_t n_times; /**< how many, >= 1 for PH_AT_TIMES */
} ph_schedule;

/** The first step after k (>= 0, counted from the start of the trajectory) at which this schedule has an
 * output, with steps of h [s] and without outputs between steps; INT64_MAX if there is none, and for
 * PH_AT_TIMES. Depends on nothing else, so that a resumed run has the same outputs as an uninterrupted
 * one. */
PH_API int64_t ph_schedule_next(const ph_schedule *schedule, double h, int64_t k);

/** Is this a schedule for a run with ph_run_plan.dense and steps of h [s]? PH_E_RANGE: no such kind, steps
 * < 1, an interval that is not positive and finite or is less than a millionth of h, times that are not
 * finite or not in the order of the run; PH_E_INVALID: no list of times. */
PH_API ph_status ph_schedule_check(const ph_schedule *schedule, double h, ph_error *err);
/** Has this schedule outputs between steps of h [s]? A list of times has, and an interval that is no
 * multiple of h (within rounding). ph_run makes them by ph_run_plan.dense. */
PH_API bool ph_schedule_is_dense(const ph_schedule *schedule, double h);
/** Has a schedule, of any kind, an output at the end of step k (>= 1) of a run with ph_run_plan.dense that
 * begins at t0 [s]? Times that differ by rounding are the same. */
PH_API bool ph_schedule_at_end(const ph_schedule *schedule, double t0, double h, int64_t k);
/** Has it outputs in step k before its end? */
PH_API bool ph_schedule_inside(const ph_schedule *schedule, double t0, double h, int64_t k);

/** Something that looks between the outputs, too: at the end of each stretch of steps (about 0.02 s), and
 * of each step with outputs inside, after these. */
typedef struct ph_watch {
    /** A failure ends the run with that status, after a last output. */
    ph_status (*see)(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err);
    void *self; /**< handed to see */
} ph_watch;

/** How long to run, and what observes it. Steps are counted from the start of the trajectory: of one that is
 * continued `done` are taken already. */
typedef struct ph_run_plan {
    int64_t steps;      /**< >= done: of the whole trajectory */
    int64_t done;       /**< >= 0: taken before; if > 0, the first state is not seen */
    ph_schedule output; /**< what observers see */
    /** Nullable: for outputs between two steps, of this integrator. Without it each output is at a step. */
    ph_dense *dense;
    const ph_observer *observers;           /**< (n_observers), called in order */
    size_t n_observers;                     /**< how many */
    const ph_watch *watch;                  /**< nullable */
    ph_events *events;                      /**< nullable: to look for; steps are then made one at a time */
    const volatile sig_atomic_t *interrupt; /**< nullable: the run ends soon after it becomes non-zero */
} ph_run_plan;

/** What a run did. */
typedef struct ph_run_report {
    int64_t steps; /**< steps taken */
    /** CPU time of this thread in steps and in looking for events, without observers (stretches between
     * outputs of less than 50 us by the wall clock, which takes less time to read). */
    double cpu_seconds;
    double time_at_end; /**< state->t */
} ph_run_report;

/** Run. The trajectory has the same bits whatever the observers, the outputs and the events. PH_OK;
 * PH_E_INTERRUPTED after the current stretch of steps (about 0.02 s, or one step); PH_E_STOPPED when an
 * event was found that stops, with the state at the end of the step in which it lies: the point itself,
 * which the sink has seen, is on a step of another size and not on the discrete trajectory; the status of
 * a failing step, observer or event. Events of a step are reported before observers see its end, or
 * outputs within it. However it ends, the state is a whole one, the observers have seen the last state
 * (unless one of them failed), and the report is filled. */
PH_API ph_status ph_run(ph_integrator *integrator, ph_state *state, const ph_run_plan *plan,
                        ph_run_report *report, ph_error *err);

PH_END_DECLS
#endif
