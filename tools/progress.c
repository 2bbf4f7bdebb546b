/* SPDX-License-Identifier: BSD-3-Clause */
/* What a person at a terminal sees and does while a run goes on: progress, and Ctrl-C. */
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* The one global of the program (the library has none): a signal handler has no other way. */
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

void catch_signals(void)
{
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

const volatile sig_atomic_t *signal_flag(void)
{
    return &caught;
}

double wall_seconds(void)
{
    struct timespec now = {0, 0};
#ifdef CLOCK_MONOTONIC_COARSE /* read at every row; its milliseconds are enough */
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

progress progress_start(const char *label, int quiet)
{
    double now = wall_seconds();
    return (progress){
        .label = label, .started = now, .shown = now, .visible = !quiet && isatty(STDERR_FILENO)};
}

/* "1:02:03", "2:03" or "3 s" */
static void write_duration(char text[32], double seconds)
{
    long s = (long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, 32, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else if (s >= 60)
        snprintf(text, 32, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(text, 32, "%ld s", s);
}

void progress_show(progress *p, double t, int64_t done, int64_t total)
{
    double now = p->visible ? wall_seconds() : 0;
    if (!p->visible || now - p->shown < 0.2 || !done)
        return;
    char left[32];
    double rate = (double)done / (now - p->started);
    write_duration(left, (double)(total - done) / rate);
    fprintf(stderr, "\r\033[K%s  %5.1f %%", p->label, 100 * (double)done / (double)total);
    if (isfinite(t))
        fprintf(stderr, "  t = %.6g s  %.3g steps/s", t, rate);
    fprintf(stderr, "  %s left", left);
    fflush(stderr);
    p->shown = now;
}

void progress_end(progress *p)
{
    if (p->visible)
        fputs("\r\033[K", stderr);
}
