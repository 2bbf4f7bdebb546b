/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is told how far a bench is. NULL in its place: nobody. */
#ifndef POLHODE_BENCH_WATCH_H
#define POLHODE_BENCH_WATCH_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

typedef struct bench_watch {
    const volatile sig_atomic_t *interrupt;
    void (*stage)(void *self, const char *label); /* a stage has begun, whose time is its own */
    void (*label)(void *self, const char *label); /* another name for what is going on */
    /* t: the time of the motion [s], where `done` counts steps, else NaN */
    void (*progress)(void *self, double t, int64_t done, int64_t total);
    void *self;
    size_t item, items; /* which of how many is made, which labels say; items 0: they are not counted */
} bench_watch;

void watch_stage(bench_watch *w, const char *format, ...) PH_PRINTF(2, 3);
void watch_label(bench_watch *w, const char *format, ...) PH_PRINTF(2, 3);
void watch_steps(bench_watch *w, double t, int64_t done, int64_t total);
/* A share of the stage, from 0 to 1: of a bench_watch, as timing_burst calls it. And one of the item, where all items
 * are one stage. */
void watch_share(void *watch, double share);
void watch_item_share(bench_watch *w, double share);

#endif
