/* SPDX-License-Identifier: BSD-3-Clause */
/* Outputs at times that need not be those of steps: which times a schedule asks for, and in which step each lies. They
 * depend on the schedule and the clock alone, so that a resumed run has the same outputs as an uninterrupted one.
 *
 * A time lies in step k where it is behind the end of step k - 1, up to the end of step k; within rounding of that end it
 * is the end's own. Outputs are counted: of a list from 0, of an interval by its multiples. */
#ifndef PH_RUN_TIMES_H
#define PH_RUN_TIMES_H

#include <polhode/run.h>

#include <stdbool.h>

/* The clock of a trajectory: step k ends at base + (k - k_base) h, as states have it. */
typedef struct ph_clock {
    double base, h;
    int64_t k_base;
} ph_clock;

/* The clock of a state that is stepped by h; its own count of steps is `shift` more than that of the run. */
ph_clock ph_clock_of(const ph_state *state, double h, int64_t shift);

/* The output at or before the end of some step, and what belongs to it. */
typedef struct ph_asked {
    int64_t number; /* which output it is */
    int64_t step;   /* the step it lies in; INT64_MAX: there is none */
    double t;       /* [s] as it was asked for */
    bool at_end;    /* is it the end of the step, and the last output in it? */
} ph_asked;

/* The first output behind step k (>= 0), of a schedule that is dense (ph_schedule_is_dense). */
ph_asked ph_times_first(const ph_schedule *schedule, const ph_clock *clock, int64_t k);
/* The one after it. */
ph_asked ph_times_next(const ph_schedule *schedule, const ph_clock *clock, const ph_asked *asked);
/* The output at the end of step k (>= 1): its step is k where there is one. */
ph_asked ph_times_at_end(const ph_schedule *schedule, const ph_clock *clock, int64_t k);

#endif
