/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary asteroids in tables for the terminal and in sentences. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

static const char *label_of(const void *self, size_t i)
{
    return ((const binary *)self)->lines[i].label;
}

static double cost_of(const void *self, size_t i, double level)
{
    return binary_cost(&((const binary *)self)->lines[i], level);
}

cost_table binary_costs(const binary *b)
{
    static const double levels[] = {1e0, 1e-2, 1e-4, 1e-6, 1e-8};
    return (cost_table){.quantity = "error of the place",
                        .unit = " m",
                        .levels = levels,
                        .n_levels = sizeof levels / sizeof levels[0],
                        .n = b->n,
                        .label = label_of,
                        .cost = cost_of,
                        .self = b};
}

growth binary_judge(const binary_run *r)
{
    return growth_judge(r->status, r->first, r->last);
}

/* "43200 s", "a day", "100 days", "10 years" */
static void put_time(FILE *out, double seconds)
{
    const double day = 86400, year = 365.25 * day;
    if (seconds >= 0.999 * year)
        fprintf(out, "%.4g years", seconds / year);
    else if (seconds == day)
        fputs("a day", out);
    else if (seconds > day)
        fprintf(out, "%.4g days", seconds / day);
    else
        fprintf(out, "%.4g s", seconds);
}

/* ---- Tables ------------------------------------------------------------------------------------------------------- */

static void put_costs(FILE *out, const binary *b)
{
    fprintf(out, "  %-36s %12s %12s\n", "a step", "ns", "of rk4's");
    for (size_t i = 0; i < b->n; i++)
        if (!b->lines[i].adaptive)
            fprintf(out, "  %-36s %12.0f %12.2f\n", b->lines[i].label, b->lines[i].time.median,
                    b->lines[i].time.ratio);
}

static void put_run(FILE *out, const binary_line *l)
{
    const binary_run *r = &l->run;
    if (r->status == PH_E_UNKNOWN)
        return;
    fprintf(out, "  %-36s %10.4g %11.2e %11.2e %11.2e %11.2e %11.2e %9.3f  %s", l->label, r->h, r->first,
            r->last, r->drift, r->place, r->turn, r->cpu, growth_text(binary_judge(r)));
    if (r->status)
        fprintf(out, " at t = %.6g s: %s", r->reached, ph_status_text(r->status));
    fputc('\n', out);
}

void binary_tables(FILE *out, const binary *b)
{
    fprintf(out, "%s: %s, potential of order %zu\n", b->of->name, b->of->words, b->order);
    put_costs(out, b);
    fputs("  after ", out);
    put_time(out, b->day);
    fputc('\n', out);
    const cost_table t = binary_costs(b);
    costs_print(out, &t);
    if (!(b->time > 0))
        return;
    fprintf(out, "  %-36s %10s %11s %11s %11s %11s %11s %9s\n", "long run, equal cost", "h [s]", "E, first",
            "E, last", "E, drift", "place [m]", "turn [rad]", "CPU [s]");
    for (size_t i = 0; i < b->n; i++)
        put_run(out, &b->lines[i]);
}

/* ---- Words -------------------------------------------------------------------------------------------------------- */

static void say_verdict(FILE *out, const binary *b, growth v, const char *what)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        if (b->lines[i].run.status != PH_E_UNKNOWN && binary_judge(&b->lines[i].run) == v)
            fprintf(out, "%s%s", n++ ? ", " : "  ", b->lines[i].label);
    if (n)
        fprintf(out, ": %s.\n", what);
}

static void say_long(FILE *out, const binary *b)
{
    const binary_line *best = NULL;
    for (size_t i = 0; i < b->n; i++)
        if (!b->lines[i].run.status && (!best || b->lines[i].run.last < best->run.last))
            best = &b->lines[i];
    fputs("Within ", out);
    put_time(out, b->time);
    fputs(", all at the cost of variational of order 2\n", out);
    if (best)
        fprintf(
            out,
            "  The smallest energy error in the last tenth has %s: %.1e of the potential energy, with an error of "
            "the place of %.1e m.\n",
            best->label, best->run.last, best->run.place);
    say_verdict(out, b, GROWTH_ROUNDING, "the energy error is rounding");
    say_verdict(out, b, GROWTH_FLAT, "the energy error is as large in the last tenth as in the first");
    say_verdict(out, b, GROWTH_GROWS, "the energy error grows");
    say_verdict(out, b, GROWTH_FAILED, "the run ended early");
    fprintf(out, "  The truth there is known to %.1e m and %.1e rad.\n", b->long_doubt.place,
            b->long_doubt.turn);
}

static void write_words(FILE *out, const void *self)
{
    const binary *b = self;
    fprintf(out, "%s: what an accuracy after ", b->of->name);
    put_time(out, b->day);
    fputs(" costs\n", out);
    const cost_table t = binary_costs(b);
    costs_say(out, &t);
    fprintf(
        out,
        "  The truth is variational of order 8 with small steps; rk8 differs from it by %.1e m and %.1e rad.\n",
        b->doubt.place, b->doubt.turn);
    if (b->time > 0)
        say_long(out, b);
}

char *binary_words(const binary *b)
{
    return report_text(write_words, b);
}
