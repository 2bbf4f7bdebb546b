/* SPDX-License-Identifier: BSD-3-Clause */
/* Spheres as phase space in tables for the terminal and in sentences. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

static const char *label_of(const void *self, size_t i)
{
    return ((const spins *)self)->lines[i].label;
}

static double cost_of_place(const void *self, size_t i, double level)
{
    return spins_cost(&((const spins *)self)->lines[i], SPINS_PLACE, level);
}

static double cost_of_energy(const void *self, size_t i, double level)
{
    return spins_cost(&((const spins *)self)->lines[i], SPINS_ENERGY, level);
}

cost_table spins_costs(const spins *s, spins_quantity what)
{
    static const double levels[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
    cost_table t = {.unit = "",
                    .levels = levels,
                    .n_levels = sizeof levels / sizeof levels[0],
                    .n = s->n,
                    .label = label_of,
                    .cost = what == SPINS_ENERGY ? cost_of_energy : cost_of_place,
                    .self = s};
    snprintf(t.quantity, sizeof t.quantity, "error of the %s",
             what == SPINS_ENERGY ? "energy" : "trajectory");
    return t;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------- */

static void put_costs(FILE *out, const spins *s)
{
    fprintf(out, "  %-32s %12s %12s %12s\n", "a step", "ns", "ns a sphere", "of rk4's");
    for (size_t i = 0; i < s->n; i++)
        if (!s->lines[i].adaptive)
            fprintf(out, "  %-32s %12.0f %12.1f %12.2f\n", s->lines[i].label, s->lines[i].time.median,
                    s->lines[i].time.median / (double)s->of->n, s->lines[i].time.ratio);
}

static void put_run(FILE *out, const spins_line *l)
{
    const spins_run *r = &l->run;
    if (r->status == PH_E_UNKNOWN)
        return;
    fprintf(out, "  %-32s %9.4g %9lld %11.2e %11.2e %11.2e %11.2e %11.2e %9.3f  %s", l->label, r->h,
            (long long)r->steps, r->energy.most[0], r->energy.most[1], tenths_drift(&r->energy), r->momentum,
            r->length, r->cpu, growth_text(spins_judge(r)));
    if (r->status)
        fprintf(out, " at t = %.6g s: %s", r->reached, ph_status_text(r->status));
    fputc('\n', out);
}

void spins_tables(FILE *out, const spins *s)
{
    const char *momentum = s->of->axial ? "J_3" : "J";
    fprintf(out, "%s: %s; H = %.6g\n", s->of->name, s->of->words, s->energy);
    put_costs(out, s);
    for (int what = 0; what < SPINS_QUANTITIES; what++) {
        const cost_table t = spins_costs(s, (spins_quantity)what);
        costs_print(out, &t);
    }
    if (!s->steps)
        return;
    fprintf(out, "  %-32s %9s %9s %11s %11s %11s %11s %11s %9s\n", "long run, equal stages", "h [s]", "steps",
            "H, first", "H, last", "H, drift", momentum, "|s|", "CPU [s]");
    for (size_t i = 0; i < s->n; i++)
        put_run(out, &s->lines[i]);
}

/* ---- Words -------------------------------------------------------------------------------------------------------- */

static void say_verdict(FILE *out, const spins *s, growth g, const char *what)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (spins_judge(&s->lines[i].run) == g)
            fprintf(out, "%s%s", n++ ? ", " : "  ", s->lines[i].label);
    if (n)
        fprintf(out, ": %s.\n", what);
}

static void say_long(FILE *out, const spins *s)
{
    const spins_line *best = NULL;
    for (size_t i = 0; i < s->n; i++)
        if (!s->lines[i].run.status && (!best || s->lines[i].run.energy.most[1] < best->run.energy.most[1]))
            best = &s->lines[i];
    fprintf(out,
            "%s: the energy within %lld steps of order 2 of %.4g s, and as many stages of compositions\n",
            s->of->name, (long long)s->steps, s->of->stage);
    if ((double)s->steps < 10000 * s->of->share)
        fputs("  These are few steps: whether an error grows is known after more of them (--steps).\n", out);
    say_verdict(out, s, GROWTH_ROUNDING, "the energy error is rounding");
    say_verdict(out, s, GROWTH_FLAT, "the energy error is as large in the last tenth as in the first");
    say_verdict(out, s, GROWTH_GROWS, "the energy error grows");
    say_verdict(out, s, GROWTH_FAILED, "the run ended early");
    if (best)
        fprintf(out, "  The smallest energy error in the last tenth is that of %s: %.1e (%s).\n", best->label,
                best->run.energy.most[1], growth_text(spins_judge(&best->run)));
}

static void write_words(FILE *out, const void *self)
{
    const spins *s = self;
    if (s->steps)
        say_long(out, s);
    fprintf(out, "%s: what an accuracy within %.4g s costs\n", s->of->name, s->of->time);
    for (int what = 0; what < SPINS_QUANTITIES; what++) {
        const cost_table t = spins_costs(s, (spins_quantity)what);
        costs_say(out, &t);
    }
    fputs("  That is a short run: errors that grow with time count for more in a longer one.\n", out);
    fprintf(out, "  The truth is %s with small steps; %s differs from it by %.1e.\n",
            s->truth ? s->truth : "", s->second ? s->second : "", s->doubt);
}

char *spins_words(const spins *s)
{
    return report_text(write_words, s);
}
