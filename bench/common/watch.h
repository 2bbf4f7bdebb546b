/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks for the progress of a bench. A NULL pointer to it: no progress is shown. */
#ifndef POLHODE_BENCH_WATCH_H
#define POLHODE_BENCH_WATCH_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

typedef struct bench_watch {
    const volatile sig_atomic_t *interrupt;
    void (*stage)(void *self, const char *label); /* a stage with its own time remaining has begun */
    void (*label)(void *self, const char *label); /* another name for the current work */
    /* t: the time of the motion [s], where `done` counts steps, else NaN */
    void (*progress)(void *self, double t, int64_t done, int64_t total);
    void *self;
    size_t item, items; /* the current item and their number, for labels; items 0: they are not counted */
} bench_watch;

void watch_stage(bench_watch *w, const char *format, ...) PH_PRINTF(2, 3);
void watch_label(bench_watch *w, const char *format, ...) PH_PRINTF(2, 3);
void watch_steps(bench_watch *w, double t, int64_t done, int64_t total);
/* Report the fraction of the stage that is done, from 0 to 1; the argument is a bench_watch, as timing_burst
 * passes it. The other reports the fraction of the item, where all items are one stage. */
void watch_share(void *watch, double share);
void watch_item_share(bench_watch *w, double share);

#endif
