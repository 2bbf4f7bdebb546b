/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of ensembles: moments over the members, and whether they grow like a random walk. The standard
 * error of the slope is a bootstrap over members drawn with replacement, since the points of one trajectory
 * are correlated. */
#include "roundoff.h"
#include "bench/common/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 400, LEAST_POINTS = 3 };

/* ---- Ensembles ------------------------------------------------------------------------------------- */

ph_status roundoff_make_room(roundoff *r, ph_error *err)
{
    const size_t n = r->points * r->members + 1;
    r->largest_constraint = malloc((r->members + 1) * sizeof(double));
    int there = r->largest_constraint != NULL;
    for (size_t i = 0; i < r->quantities; i++) {
        r->series[i].errors = malloc(n * sizeof(double));
        there = there && r->series[i].errors;
        for (size_t j = 0; there && j < n; j++)
            r->series[i].errors[j] = NAN;
    }
    for (size_t j = 0; there && j <= r->members; j++)
        r->largest_constraint[j] = NAN;
    return there ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

ph_status roundoff_create(roundoff *r, const roundoff_problem *p, size_t members, int64_t stages,
                          ph_error *err)
{
    const ph_schedule rows = {.kind = PH_PER_DECADE, .steps = ROUNDOFF_PER_DECADE};
    const int64_t last = roundoff_reach(p, stages);
    *r = (roundoff){.h = p->h, .stages = p->stages, .members = members, .quantities = 2 + p->maps};
    snprintf(r->name, sizeof r->name, "%s", p->name);
    snprintf(r->title, sizeof r->title, "%s", p->title);
    snprintf(r->method, sizeof r->method, "%s", p->method);
    for (int64_t k = ph_schedule_next(&rows, p->h, 0); k <= last; k = ph_schedule_next(&rows, p->h, k))
        if (1e5 * (double)k >= (double)last && r->points < ROUNDOFF_POINTS)
            r->steps[r->points++] = (double)(k * p->stages);
    snprintf(r->series[0].name, sizeof r->series[0].name, "energy");
    for (size_t i = 0; i < p->maps; i++)
        snprintf(r->series[1 + i].name, sizeof r->series[0].name, "momentum about e%zu",
                 p->maps == 1 ? 3 : i + 1);
    snprintf(r->series[1 + p->maps].name, sizeof r->series[0].name, "constraint");
    return roundoff_make_room(r, err);
}

void roundoff_free(roundoff *r)
{
    for (size_t i = 0; i < ROUNDOFF_QUANTITIES; i++)
        free(r->series[i].errors);
    free(r->largest_constraint);
    *r = (roundoff){.members = 0};
}

/* ---- Moments --------------------------------------------------------------------------------------- */

roundoff_moments roundoff_at(const roundoff *r, const roundoff_series *s, size_t point)
{
    const double *e = s->errors + point * r->members;
    roundoff_moments m = {0, 0, 0, NAN, 0};
    double spread = 0;
    for (size_t i = 0; i < r->members; i++)
        if (isfinite(e[i])) {
            m.n++;
            m.mean += e[i];
            m.rms += e[i] * e[i];
            m.largest = fmax(m.largest, fabs(e[i]));
        }
    if (!m.n)
        return (roundoff_moments){0, NAN, NAN, NAN, NAN};
    m.mean /= (double)m.n;
    m.rms = sqrt(m.rms / (double)m.n);
    for (size_t i = 0; i < r->members; i++)
        if (isfinite(e[i]))
            spread += (e[i] - m.mean) * (e[i] - m.mean);
    if (m.n > 1)
        m.error = sqrt(spread / (double)(m.n - 1) / (double)m.n);
    return m;
}

/* ---- Growth ---------------------------------------------------------------------------------------- */

/* The slope over the points from `first` on, of the members that are drawn (n of them). */
static double slope_of(const roundoff *r, const roundoff_series *s, size_t first, size_t last,
                       const size_t *drawn)
{
    double x[ROUNDOFF_POINTS], y[ROUNDOFF_POINTS];
    size_t n = 0;
    for (size_t j = first; j <= last; j++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < r->members; i++) {
            const double e = s->errors[j * r->members + drawn[i]];
            sum += isfinite(e) ? e * e : 0;
            count += isfinite(e);
        }
        if (sum > 0) {
            x[n] = r->steps[j];
            y[n++] = sqrt(sum / count);
        }
    }
    return n >= LEAST_POINTS ? log_slope(x, y, n) : NAN;
}

/* A linear congruential sequence (Knuth's), of which the upper bits are taken: the same draws every time. */
static size_t draw(uint64_t *state, size_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((*state >> 33) % n);
}

static double slope_error(const roundoff *r, const roundoff_series *s, size_t first, size_t last,
                          size_t *drawn)
{
    uint64_t state = 1;
    double sum = 0, squares = 0, n = 0;
    for (size_t k = 0; k < DRAWS; k++) {
        for (size_t i = 0; i < r->members; i++)
            drawn[i] = draw(&state, r->members);
        const double slope = slope_of(r, s, first, last, drawn);
        if (!isfinite(slope))
            continue;
        n++;
        sum += slope;
        squares += slope * slope;
    }
    return n > 1 ? sqrt(fmax(0, squares - sum * sum / n) / (n - 1)) : NAN;
}

/* Relative errors below this are rounding. */
static const double rounding = 0x1p-52;
static const double of_a_walk = 0.5, allowed = 0.1, flat = 0.25;

static roundoff_verdict judge(const roundoff_finding *f)
{
    if (f->end.n < 2)
        return ROUNDOFF_UNKNOWN;
    if (f->end.rms < rounding)
        return ROUNDOFF_STAYS;
    if (!isfinite(f->slope) || !(f->slope_error < 2 * allowed))
        return ROUNDOFF_UNKNOWN;
    if (f->slope < flat)
        return ROUNDOFF_STAYS;
    if (fabs(f->end.mean) > 2 * f->end.error)
        return ROUNDOFF_DRIFTS;
    return fabs(f->slope - of_a_walk) <= fmax(allowed, 2 * f->slope_error) ? ROUNDOFF_WALKS : ROUNDOFF_GROWS;
}

roundoff_finding roundoff_find_growth(const roundoff *r, const roundoff_series *s)
{
    roundoff_finding f = {NAN, NAN, NAN, NAN, {0, NAN, NAN, NAN, NAN}, NAN, ROUNDOFF_UNKNOWN};
    size_t *drawn = calloc(r->members + 1, sizeof *drawn), last = r->points, first = 0;
    /* a point that few members have reached says little about the others */
    while (last > 0 && (roundoff_at(r, s, last - 1).n < 2 || 2 * roundoff_at(r, s, last - 1).n < r->members))
        last--;
    if (!drawn || !last--) {
        free(drawn);
        return f;
    }
    while (r->steps[first] < fmin(1e6, r->steps[last] / 100))
        first++;
    for (size_t i = 0; i < r->members; i++)
        drawn[i] = i;
    f.from = r->steps[first];
    f.end = roundoff_at(r, s, last);
    f.end_steps = r->steps[last];
    f.slope = slope_of(r, s, first, last, drawn);
    f.slope_error = slope_error(r, s, first, last, drawn);
    double sum = 0, n = 0;
    for (size_t j = first; j <= last; j++) {
        const double rms = roundoff_at(r, s, j).rms;
        if (rms > 0) {
            sum += log(rms) - 0.5 * log(r->steps[j]);
            n++;
        }
    }
    f.scale = n > 0 ? exp(sum / n) : NAN;
    f.verdict = judge(&f);
    free(drawn);
    return f;
}

const char *roundoff_word(roundoff_verdict verdict)
{
    static const char *const words[] = {[ROUNDOFF_UNKNOWN] = "unknown",
                                        [ROUNDOFF_STAYS] = "stays",
                                        [ROUNDOFF_WALKS] = "walk",
                                        [ROUNDOFF_DRIFTS] = "drift",
                                        [ROUNDOFF_GROWS] = "grows"};
    return words[verdict];
}
