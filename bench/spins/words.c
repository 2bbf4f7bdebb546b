/* SPDX-License-Identifier: BSD-3-Clause */
/* Spheres as phase space in tables for the terminal and in sentences. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

static const double levels[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
enum { LEVELS = sizeof levels / sizeof levels[0] };
static const char *const quantities[SPINS_QUANTITIES] = {"trajectory", "energy"};

/* ---- Tables ------------------------------------------------------------------------------------------------------- */

static void put_costs(FILE *out, const spins *s)
{
    fprintf(out, "  %-32s %12s %12s %12s\n", "a step", "ns", "ns a sphere", "of rk4's");
    for (size_t i = 0; i < s->n; i++)
        if (!s->lines[i].adaptive)
            fprintf(out, "  %-32s %12.0f %12.1f %12.2f\n", s->lines[i].label, s->lines[i].time.median,
                    s->lines[i].time.median / (double)s->of->n, s->lines[i].time.ratio);
}

static void put_points(FILE *out, const spins_line *l)
{
    for (size_t k = 0; k < SPINS_POINTS; k++) {
        const spins_point *p = &l->points[k];
        if (!p->steps)
            continue;
        fprintf(out, "  %-32s %10.4g", k ? "" : l->label, p->setting);
        if (p->status)
            fprintf(out, "   %s\n", ph_status_text(p->status));
        else
            fprintf(out, " %11.2e %11.2e %11.2e %11.2e %11.4g\n", p->errors.place, p->errors.energy,
                    p->errors.momentum, p->errors.length, 1e3 * p->median);
    }
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
    fprintf(out, "  %-32s %10s %11s %11s %11s %11s %11s\n", "errors within the trajectory", "h or rtol",
            "trajectory", "H", momentum, "|s|", "CPU [ms]");
    for (size_t i = 0; i < s->n; i++)
        put_points(out, &s->lines[i]);
    if (!s->steps)
        return;
    fprintf(out, "  %-32s %9s %9s %11s %11s %11s %11s %11s %9s\n", "long run, equal stages", "h [s]", "steps",
            "H, first", "H, last", "H, drift", momentum, "|s|", "CPU [s]");
    for (size_t i = 0; i < s->n; i++)
        put_run(out, &s->lines[i]);
}

/* ---- Words -------------------------------------------------------------------------------------------------------- */

static void say_level(FILE *out, const spins *s, spins_quantity what, double level)
{
    size_t best = s->n;
    double least = INFINITY;
    for (size_t i = 0; i < s->n; i++)
        if (spins_cost(&s->lines[i], what, level) < least) {
            least = spins_cost(&s->lines[i], what, level);
            best = i;
        }
    if (best == s->n) {
        fprintf(out, "  No method has an error of the %s of %.0e in these runs.\n", quantities[what], level);
        return;
    }
    fprintf(out, "  For an error of the %s of %.0e: %s %.3g ms", quantities[what], level,
            s->lines[best].label, 1e3 * least);
    for (size_t i = 0; i < s->n; i++) {
        const double cost = spins_cost(&s->lines[i], what, level);
        if (i == best)
            continue;
        fprintf(out, ", %s", s->lines[i].label);
        if (isfinite(cost))
            fprintf(out, " %.3g times that", cost / least);
        else
            fputs(" not reached", out);
    }
    fputs(".\n", out);
}

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
    fprintf(out, "Within %lld steps of order 2 of %.4g s, and as many stages of compositions\n",
            (long long)s->steps, s->of->stage);
    if (best)
        fprintf(out, "  The smallest energy error in the last tenth has %s: %.1e.\n", best->label,
                best->run.energy.most[1]);
    say_verdict(out, s, GROWTH_ROUNDING, "the energy error is rounding");
    say_verdict(out, s, GROWTH_FLAT, "the energy error is as large in the last tenth as in the first");
    say_verdict(out, s, GROWTH_GROWS, "the energy error grows");
    say_verdict(out, s, GROWTH_FAILED, "the run ended early");
}

static void write_words(FILE *out, const void *self)
{
    const spins *s = self;
    fprintf(out, "%s: what an accuracy within %.4g s costs\n", s->of->name, s->of->time);
    for (int what = 0; what < SPINS_QUANTITIES; what++)
        for (size_t i = 0; i < LEVELS; i++)
            say_level(out, s, (spins_quantity)what, levels[i]);
    fprintf(out, "  The truth is %s with small steps; %s differs from it by %.1e.\n",
            s->truth ? s->truth : "", s->second ? s->second : "", s->doubt);
    if (s->steps)
        say_long(out, s);
}

char *spins_words(const spins *s)
{
    return report_text(write_words, s);
}
