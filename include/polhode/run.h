/* SPDX-License-Identifier: BSD-3-Clause */
/* A run: iterate the integrator, let observers look on, stop when asked. */
#ifndef POLHODE_RUN_H
#define POLHODE_RUN_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/integrator.h>
#include <polhode/state.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** Sees the state, cannot change it. */
typedef struct ph_observer {
    /** Called for every output. A failure ends the run with that status.
     *   done, total  steps taken and planned in this run */
    ph_status (*see)(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err);
    void *self; /**< handed to see */
} ph_observer;

/** How long to run, and who looks on. */
typedef struct ph_run_plan {
    int64_t steps;                        /**< >= 0 */
    int64_t every;                        /**< >= 1: observers see steps 0, every, 2 every, ..., the last */
    const ph_observer *observers;         /**< (n_observers), called in order */
    size_t n_observers;                     /**< how many */
    const volatile sig_atomic_t *interrupt; /**< nullable: the run ends soon after it becomes non-zero */
} ph_run_plan;

/** What a run did. */
typedef struct ph_run_report {
    int64_t steps;      /**< steps taken */
    double cpu_seconds; /**< CPU time of this thread in steps, without observers (the clock itself costs
                             some 0.2 us a stretch between outputs) */
    double time_at_end; /**< state->t */
} ph_run_report;

/** Run. The trajectory has the same bits whatever the observers and the interval.
 * PH_OK; PH_E_INTERRUPTED after the current stretch of steps (about 0.02 s, or one step); the status of
 * a failing step or observer. However it ends, the state is a whole one, the observers have seen the last
 * state (unless one of them failed), and the report is filled. */
PH_API ph_status ph_run(ph_integrator *integrator, ph_state *state, const ph_run_plan *plan,
                        ph_run_report *report, ph_error *err);

PH_END_DECLS
#endif
