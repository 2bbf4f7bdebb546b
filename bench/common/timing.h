/* SPDX-License-Identifier: BSD-3-Clause */
/* Times that can be trusted on a shared machine. Cells that are compared take turns in short slices, one
 * right after the other, along the same stretch of motion, in rounds whose order changes. Turns in which most
 * of them were slow were disturbed by other load and do not count (unless they belong to the quietest tenth).
 * Load does not slow all methods alike: a method whose steps wait for their own results loses less to another
 * process on the same core than one that keeps the core busy. Ratios taken under changing load would change
 * with it. Medians are reported; a ratio is the median of ratios within one turn. Times are CPU time of the
 * process, for steps only, without observers. */
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
    /* time for the same stretch of motion, relative to that of the reference cell: median and its 95 per cent
     * interval (order statistics), quiet turns */
    double ratio, ratio_low, ratio_high;
    size_t rounds, quiet; /* all turns, and those that count */
} timing;

extern const timing no_timing;

typedef struct timing_cell {
    const contender *contender;
    double h;
    double span; /* [s] of motion from the start that slices cover before they restart */
    /* steps after each start that are not timed: they may cost more, having nothing to extrapolate from */
    int64_t settle;
    int64_t batch;    /* steps in a call at least: a method may do some work once a call */
    size_t reference; /* index of the cell that this one is compared with; may be itself */
    timing result;
} timing_cell;

/* A timing in bursts: spread over a longer time, some of them are more likely to be undisturbed. */
typedef struct timing_session timing_session;

/* The caller owns the cells, which must outlive the session, and so must what the motion points to.
 *   rounds_most  the most that may be kept
 *   slice        [s of CPU] of a cell in a round, about
 *   watch        what steps cost; owned by the caller; NULL: measured CPU time
 * PH_E_NO_MEMORY, or the error of a contender that cannot start. */
ph_status timing_open(timing_session **session, timing_cell *cells, size_t n, const motion *start,
                      size_t rounds_most, double slice, meter *watch, ph_error *err);
/* Take rounds for `seconds` of wall clock (or of the price of steps), and at least rounds_least of them; the
 * results in the cells then are those of all rounds so far. progress (nullable) is called from time to time with
 * the fraction done. PH_E_INTERRUPTED (the results are set). */
ph_status timing_burst(timing_session *session, double seconds, size_t rounds_least,
                       const volatile sig_atomic_t *interrupt, void (*progress)(void *self, double fraction),
                       void *self, ph_error *err);
void timing_close(timing_session *session); /* NULL is allowed */

#endif
