/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels and progress of a bench. */
#include "watch.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { LABEL = 256 };

/* label <- "[2/3] " and the text */
static void PH_PRINTF(3, 0)
    write_label(char label[LABEL], const bench_watch *w, const char *format, va_list args)
{
    int n = w->items ? snprintf(label, LABEL, "[%zu/%zu] ", w->item + 1, w->items) : 0;
    vsnprintf(label + n, LABEL - (size_t)n, format, args);
}

void watch_stage(bench_watch *w, const char *format, ...)
{
    char label[LABEL];
    va_list args;
    va_start(args, format);
    if (w && w->stage) {
        write_label(label, w, format, args);
        w->stage(w->self, label);
    }
    va_end(args);
}

void watch_label(bench_watch *w, const char *format, ...)
{
    char label[LABEL];
    va_list args;
    va_start(args, format);
    if (w && w->label) {
        write_label(label, w, format, args);
        w->label(w->self, label);
    }
    va_end(args);
}

void watch_steps(bench_watch *w, double t, int64_t done, int64_t total)
{
    if (w && w->progress)
        w->progress(w->self, t, done, total);
}

void watch_share(void *watch, double share)
{
    watch_steps(watch, (double)NAN, (int64_t)(1e6 * share), 1000000);
}

void watch_item_share(bench_watch *w, double share)
{
    if (w && w->items)
        watch_share(w, ((double)w->item + share) / (double)w->items);
}
