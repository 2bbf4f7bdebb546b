/* SPDX-License-Identifier: BSD-3-Clause */
/* What is shown during a run, at a terminal or in a log, and Ctrl-C. */
#include "program.h"

#include "bench/common/meter.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The one global variable of the program (the library has none): a signal handler needs it. */
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

progress progress_start_lines(const char *label, bool quiet, double interval)
{
    const double now = meter_wall();
    const bool in_place = isatty(STDERR_FILENO);
    return (progress){.label = label,
                      .started = now,
                      .shown = now,
                      .interval = in_place ? 0.2 : interval,
                      .visible = !quiet && (in_place || interval > 0),
                      .in_place = in_place};
}

progress progress_start(const char *label, bool quiet)
{
    return progress_start_lines(label, quiet, 0);
}

/* A line of a terminal, less the last place, which would begin the next one; and room for more. */
enum { COLUMNS = 79, LINE = 160 };

void write_duration(char text[32], double seconds)
{
    long s = (long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, 32, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else if (s >= 60)
        snprintf(text, 32, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(text, 32, "%ld s", s);
}

bool progress_is_due(const progress *p)
{
    return p->visible && meter_wall() - p->shown >= p->interval;
}

/* line <- line + more, unless it would be too long. */
static void PH_PRINTF(2, 3) append(char *line, const char *format, ...)
{
    char more[LINE];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(more, sizeof more, format, args);
    va_end(args);
    if (n > 0 && strlen(line) + (size_t)n <= COLUMNS)
        strcat(line, more);
}

/* What matters most comes first; at the left the label, where there is room for it. */
void progress_show(progress *p, double t, int64_t done, int64_t total, const ph_summary *errors)
{
    if (!done || !progress_is_due(p))
        return;
    char line[LINE] = "", left[32];
    const double now = meter_wall(), rate = (double)done / (now - p->started);
    const size_t label = strlen(p->label) + 2;
    write_duration(left, (double)(total - done) / rate);
    append(line, "%5.1f%%", 100 * (double)done / (double)total);
    if (isfinite(t))
        append(line, "  t = %.6g s  %.3g steps/s", t, rate);
    append(line, "  %s left", left);
    if (errors && isfinite(errors->energy_error_final))
        append(line, "  energy error %.1e", fabs(errors->energy_error_final));
    if (errors && isfinite(errors->momentum_error_final))
        append(line, "  momentum error %.1e", fabs(errors->momentum_error_final));
    const bool fits = label > 2 && strlen(line) + label <= COLUMNS;
    fprintf(stderr, "%s%s%s%s%s", p->in_place ? "\r\033[K" : "", fits ? p->label : "", fits ? "  " : "", line,
            p->in_place ? "" : "\n");
    fflush(stderr);
    p->shown = now;
}

void progress_end(progress *p)
{
    if (p->visible && p->in_place)
        fputs("\r\033[K", stderr);
}
