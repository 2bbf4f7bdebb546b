/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule of growth. The run is divided into eight equal parts, and the first is left out, in which errors build up from 0. Each part is divided
 * into four quarters, each of these into blocks; the value of a part is the mean of the largest errors of its blocks.
 *
 * Bounded: the parts differ by little, or by no more than the scatter of their quarters allows (one-way analysis of variance). Growing: they
 * differ by more, and rise (Kendall's rank correlation with time). The law is the curve, a straight line or a power, from which the parts are no
 * farther than the scatter of neighbouring blocks allows; where it is neither, the increments decide whether it is a random walk. */
#include "growth.h"

#include <math.h>
#include <string.h>

enum { PARTS = 8, USED = PARTS - 1, QUARTERS = 4 };

/* Parts that are all within this share of their mean differ by nothing that matters. */
static const double little = 0.15;
/* F of 7 parts with 4 quarters each, (6, 21) degrees of freedom, that chance exceeds once in a hundred. */
static const double f_hundredth = 3.81;
/* Kendall's sum of signs of 7 numbers: of their 21 pairs at most 3 fall, which chance does in 76 of 5040 orders. */
static const int rising = 15;
/* Parts whose variance is so many times what neighbouring blocks let expect are no independent parts: something slow moves them. */
static const double slow = 50;

void growth_enter(growth_blocks *b, double error)
{
    b->each = b->each ? b->each : 1;
    b->open = b->inside ? fmax(b->open, fabs(error)) : fabs(error);
    if (++b->inside < b->each)
        return;
    b->inside = 0;
    if (b->n == GROWTH_BLOCKS) {
        for (size_t i = 0; i < GROWTH_BLOCKS / 2; i++)
            b->most[i] = fmax(b->most[2 * i], b->most[2 * i + 1]);
        b->n = GROWTH_BLOCKS / 2;
        b->each *= 2;
        b->inside = b->each / 2;
        return;
    }
    b->most[b->n++] = b->open;
}

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

/* What is looked at: of each part behind the first its value, that of its quarters, and time in units of the whole. */
typedef struct parts {
    double value[USED], quarter[USED][QUARTERS], time[USED];
    double mean,
        noise; /* of the values; noise: the variance of a value that neighbouring blocks let expect */
} parts;

static double mean_between(const double *x, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += x[i];
    return sum / (double)(to - from);
}

/* The variance of a single block from differences of neighbours, which a trend hardly enters. */
static double block_variance(const double *x, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 1; i < n; i++) {
        sum += x[i] - x[i - 1];
        squares += (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
    }
    const double mean = sum / (double)(n - 1);
    return fmax(0, squares / (double)(n - 1) - mean * mean) / 2;
}

static parts divide(const growth_blocks *b)
{
    parts p = {.mean = 0};
    const size_t n = b->n, first = n / PARTS;
    for (size_t i = 0; i < USED; i++) {
        const size_t from = n * (i + 1) / PARTS, to = n * (i + 2) / PARTS;
        p.value[i] = mean_between(b->most, from, to);
        p.time[i] = (double)(from + to) / (2 * (double)n);
        for (size_t k = 0; k < QUARTERS; k++)
            p.quarter[i][k] = mean_between(b->most, from + (to - from) * k / QUARTERS,
                                           from + (to - from) * (k + 1) / QUARTERS);
        p.mean += p.value[i] / USED;
    }
    p.noise = block_variance(b->most + first, n - first) / ((double)n / PARTS);
    return p;
}

/* ---- Do they differ? ------------------------------------------------------------------------------------------------ */

static int differs_by_little(const parts *p)
{
    for (size_t i = 0; i < USED; i++)
        if (fabs(p->value[i] - p->mean) > little * p->mean)
            return 0;
    return 1;
}

/* The mean square between parts over that within them. */
static double variance_ratio(const parts *p)
{
    double between = 0, within = 0;
    for (size_t i = 0; i < USED; i++) {
        const double mean = mean_between(p->quarter[i], 0, QUARTERS);
        between += QUARTERS * (mean - p->mean) * (mean - p->mean) / (USED - 1);
        for (size_t k = 0; k < QUARTERS; k++)
            within += (p->quarter[i][k] - mean) * (p->quarter[i][k] - mean) / (USED * (QUARTERS - 1));
    }
    return within > 0 ? between / within : INFINITY;
}

static int moves_slowly(const parts *p)
{
    double between = 0;
    for (size_t i = 0; i < USED; i++)
        between += (p->value[i] - p->mean) * (p->value[i] - p->mean) / (USED - 1);
    return between > slow * p->noise;
}

static int rank_trend(const parts *p)
{
    int sum = 0;
    for (size_t i = 0; i < USED; i++)
        for (size_t k = i + 1; k < USED; k++)
            sum += (p->value[k] > p->value[i]) - (p->value[k] < p->value[i]);
    return sum;
}

/* ---- How do they grow? ---------------------------------------------------------------------------------------------- */

/* y = a + b x by least squares, and the standard error of b. */
typedef struct fit {
    double a, b, error;
} fit;

static fit fit_line(const double x[USED], const double y[USED])
{
    const double mx = mean_between(x, 0, USED), my = mean_between(y, 0, USED);
    double xx = 0, xy = 0, rest = 0;
    for (size_t i = 0; i < USED; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
    }
    fit f = {my - xy / xx * mx, xy / xx, 0};
    for (size_t i = 0; i < USED; i++)
        rest += (y[i] - f.a - f.b * x[i]) * (y[i] - f.a - f.b * x[i]);
    f.error = sqrt(rest / (USED - 2) / xx);
    return f;
}

/* Are the parts on the curve, as far as the scatter of blocks lets expect, or to some percent? */
static int is_on(const parts *p, const double curve[USED])
{
    double rest = 0;
    for (size_t i = 0; i < USED; i++)
        rest += (p->value[i] - curve[i]) * (p->value[i] - curve[i]) / (USED - 2);
    const double percent = 0.02 * p->mean;
    return rest < f_hundredth * p->noise + percent * percent;
}

/* H of mean |x(t + T) - x(t)|^2 ~ T^(2H), by lags of a thirty-second, a sixteenth and an eighth of the run. */
static double increments(const growth_blocks *b)
{
    double log_lag[3], log_size[3], xy = 0, xx = 0;
    for (size_t k = 0; k < 3; k++) {
        const size_t lag = b->n * ((size_t)1 << k) / 32;
        double sum = 0;
        for (size_t i = lag; i < b->n; i++)
            sum += (b->most[i] - b->most[i - lag]) * (b->most[i] - b->most[i - lag]);
        log_lag[k] = log((double)lag);
        log_size[k] = log(sum / (double)(b->n - lag)) / 2;
    }
    const double x = mean_between(log_lag, 0, 3), y = mean_between(log_size, 0, 3);
    for (size_t k = 0; k < 3; k++) {
        xy += (log_lag[k] - x) * (log_size[k] - y);
        xx += (log_lag[k] - x) * (log_lag[k] - x);
    }
    return xy / xx;
}

static growth_judgement law_of(const growth_blocks *b, const parts *p)
{
    double log_time[USED], log_value[USED], line[USED], power[USED];
    for (size_t i = 0; i < USED; i++) {
        log_time[i] = log(p->time[i]);
        log_value[i] = log(fmax(p->value[i], 1e-300));
    }
    const fit straight = fit_line(p->time, p->value), bent = fit_line(log_time, log_value);
    for (size_t i = 0; i < USED; i++) {
        line[i] = straight.a + straight.b * p->time[i];
        power[i] = exp(bent.a + bent.b * log_time[i]);
    }
    const int on_line = is_on(p, line), on_power = is_on(p, power);
    if (on_power && fabs(bent.b - 1) > 2 * bent.error && (!on_line || bent.b > 1 || straight.a < 0))
        return (growth_judgement){LAW_POWER, bent.b, bent.error};
    if (on_line && straight.a > -0.1 * p->mean)
        return (growth_judgement){LAW_LINEAR, NAN, NAN};
    const double h = increments(b);
    return (growth_judgement){h > 0.25 && h < 0.75 ? LAW_WALK : LAW_GROWS, NAN, NAN};
}

growth_judgement growth_find_law(const growth_blocks *b)
{
    if (b->n < GROWTH_LEAST)
        return (growth_judgement){LAW_SHORT, NAN, NAN};
    const parts p = divide(b);
    const int trend = rank_trend(&p);
    if (differs_by_little(&p))
        return (growth_judgement){LAW_BOUNDED, NAN, NAN};
    if (variance_ratio(&p) < f_hundredth)
        return (growth_judgement){moves_slowly(&p) ? LAW_UNCLEAR : LAW_BOUNDED, NAN, NAN};
    return trend >= rising ? law_of(b, &p) : (growth_judgement){LAW_UNCLEAR, NAN, NAN};
}
