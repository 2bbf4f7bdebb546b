/* SPDX-License-Identifier: BSD-3-Clause */
/* Times that can be trusted on a machine that others use too. Cells that are compared take turns in short
 * slices, one right after the other, along the same stretch of motion, in rounds whose order changes. Turns
 * in which most of them were slow were disturbed by somebody else, and do not count (unless they belong to
 * the quietest tenth). Load does not slow all methods alike: what waits for its own results loses less to a
 * neighbour on the same core than what keeps the core busy. Ratios taken under changing load would change
 * with it. What is reported are medians; a ratio is the median of ratios within one turn. CPU time of the
 * process, steps only, without observers. */
#ifndef POLHODE_BENCH_TIMING_H
#define POLHODE_BENCH_TIMING_H

#include <signal.h>

#include "contender.h"
#include "meter.h"

/* NaN and 0 where nothing could be timed. */
typedef struct timing {
    double median, low, high; /* ns a step: median and quartiles over the quiet turns */
    double all;               /* ns a step: median over all turns, quiet or not */
    double least;             /* ns a step: the quickest turn of all */
    double ratio, ratio_low,
        ratio_high;       /* time for the same stretch of motion, to that of the reference cell:
                             median and its 95 per cent interval (order statistics), quiet turns */
    size_t rounds, quiet; /* all turns, and those that count */
} timing;

extern const timing no_timing;

typedef struct timing_cell {
    const contender *contender;
    double h;
    double span;      /* [s] of motion from the start that slices go through before they start anew */
    int64_t settle;   /* steps that are taken and not timed after each start: the first ones after it may
                         cost more, since there is nothing to extrapolate from */
    int64_t batch;    /* steps in a call at least: a method may do something once a call */
    size_t reference; /* index of the cell that this one is compared with; may be itself */
    timing result;
} timing_cell;

/* A timing in bursts: the more time they are spread over, the more surely some of it is quiet. */
typedef struct timing_session timing_session;

/* The cells stay the caller's and must outlive the session; what the motion points to, too.
 *   rounds_most  that may be kept
 *   slice        [s of CPU] of a cell in a round, about
 *   watch        what steps take; the caller's, NULL: CPU time, as it is measured
 * PH_E_NO_MEMORY, or the error of a contender that cannot start. */
ph_status timing_open(timing_session **session, timing_cell *cells, size_t n, const motion *start,
                      size_t rounds_most, double slice, meter *watch, ph_error *err);
/* Rounds for `seconds` of wall clock (where steps have a price: of that), and at least rounds_least; then the results in the cells are those of
 * all rounds so far. Called now and then with the fraction done: progress (nullable). PH_E_INTERRUPTED (the
 * results are made). */
ph_status timing_burst(timing_session *session, double seconds, size_t rounds_least,
                       const volatile sig_atomic_t *interrupt, void (*progress)(void *self, double fraction),
                       void *self, ph_error *err);
void timing_close(timing_session *session); /* NULL is allowed */

#endif
