/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles in sentences and in a table for the terminal. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

static double largest_constraint(const roundoff *r)
{
    double largest = NAN;
    for (size_t i = 0; i < r->members; i++)
        largest = fmax(largest, r->largest_constraint[i]);
    return largest;
}

static void say_mean(FILE *f, const roundoff_moments *m)
{
    if (isfinite(m->error))
        fprintf(f, "mean (%.1e ± %.1e)", m->mean, m->error);
    if (m->error > 0)
        fprintf(f, ", %.1f standard errors from 0", fabs(m->mean) / m->error);
}

static void say_series(FILE *f, const roundoff *r, const roundoff_series *s)
{
    const roundoff_finding g = roundoff_find_growth(r, s);
    if (!g.end.n)
        return;
    fprintf(f, "  %s after %.3g steps, %zu members: rms %.1e, largest %.1e, ", s->name, g.end_steps, g.end.n,
            g.end.rms, g.end.largest);
    say_mean(f, &g.end);
    if (isfinite(g.slope))
        fprintf(f, "; from %.0e steps on like steps^(%.2f ± %.2f)", g.from, g.slope, g.slope_error);
    switch (g.verdict) {
    case ROUNDOFF_STAYS:
        fputs(": it stays at rounding.\n", f);
        break;
    case ROUNDOFF_WALKS:
        fprintf(f, ": a random walk of %.1e a step, without drift.\n", g.scale);
        break;
    case ROUNDOFF_DRIFTS:
        fprintf(f, ": a drift of %.1e a step%s.\n", g.end.mean / g.end_steps,
                fabs(g.end.mean) > 3 * g.end.error
                    ? ""
                    : ", or chance: one in twenty is beyond two standard errors");
        break;
    case ROUNDOFF_GROWS:
        fputs(": it grows, but not like a random walk.\n", f);
        break;
    default:
        fputs(": too few members or points to judge its growth.\n", f);
    }
}

static void write_words(FILE *f, const void *self)
{
    const roundoff *r = self;
    fprintf(f, "%s by %s, h = %g s", r->name, r->method, r->h);
    if (r->stages > 1)
        fprintf(f, ", %d steps of order 2 in each", (int)r->stages);
    fputc('\n', f);
    for (size_t i = 0; i < r->quantities; i++)
        say_series(f, r, &r->series[i]);
    if (isfinite(largest_constraint(r)))
        fprintf(f, "  The largest constraint error that was measured: %.2e.\n", largest_constraint(r));
}

char *roundoff_words(const roundoff *r)
{
    return report_text(write_words, r);
}

/* The largest rms of the momentum maps, and the largest constraint error of any member at a point. */
static double momenta_at(const roundoff *r, size_t point)
{
    double rms = NAN;
    for (size_t i = 1; i + 1 < r->quantities; i++)
        rms = fmax(rms, roundoff_at(r, &r->series[i], point).rms);
    return rms;
}

void roundoff_table(FILE *out, const roundoff *r)
{
    fprintf(out, "%s: %s\n%8s %7s | %8s %9s %8s %10s %8s | %8s | %10s\n", r->name, r->title, "steps",
            "members", "energy", "mean", "its", "mean/error", "largest", "momentum", "constraint");
    fprintf(out, "%8s %7s | %8s %9s %8s %10s %8s | %8s | %10s\n", "", "", "rms", "", "error", "", "", "rms",
            "largest");
    for (size_t j = 0; j < r->points; j++) {
        const roundoff_moments m = roundoff_at(r, &r->series[0], j);
        if (m.n > 1)
            fprintf(out, "%8.3g %7zu | %8.1e %9.1e %8.1e %10.1f %8.1e | %8.1e | %10.1e\n", r->steps[j], m.n,
                    m.rms, m.mean, m.error, m.error > 0 ? m.mean / m.error : 0, m.largest, momenta_at(r, j),
                    roundoff_at(r, &r->series[r->quantities - 1], j).largest);
    }
}
