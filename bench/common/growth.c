/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule of growth. The run is divided into eight equal parts, and the first is left out, in which errors build up from 0. Each part is divided
 * into four quarters, each of these into blocks; the value of a part is the mean of the largest errors of its blocks.
 *
 * Bounded: the parts differ by little, or by no more than the scatter of their quarters allows (one-way analysis of variance), and the quarters
 * have no upward trend. A run is so long enough to say it: of an oscillation with fewer than about seven periods in the run the parts
 * differ by more than neighbouring blocks let expect, and what has not completed one is a trend. Growing: the parts differ by more, and rise
 * (Kendall's rank correlation with time). The law is the curve, a straight line or a power, from which the parts are no farther than the
 * scatter of neighbouring blocks allows. Where it is neither, it is a random walk if all of the following are so: the exponent of the parts is
 * near 1/2, they are nearer to a square root than to a line, increments grow with their lag like its square root, and none of them makes up most of
 * their squares, as the one of a single jump does. */
#include "growth.h"

#include <math.h>
#include <string.h>

enum { PARTS = 8, USED = PARTS - 1, QUARTERS = 4 };

/* Parts that are all within this share of their mean differ by nothing that matters. */
static const double little = 0.15;
/* F of 7 parts with 4 quarters each, (6, 21) degrees of freedom, that chance exceeds once in a hundred. */
static const double f_hundredth = 3.81;
/* F from which on a law of growth is looked for: quarters of slow motions are not independent, and exceed the other now and then. */
static const double f_growth = 10;
/* A line in proportion to time begins within so large a share of its end of 0: an oscillation adds to its largest errors. */
static const double offset = 0.35;
/* A curve that leaves so many times less of the parts is the better one. */
static const double clearly = 4;
/* A power so near to 1 is a line, which an oscillation bends. */
static const double near_one = 0.05;
/* Kendall's sum of signs of 7 numbers: of their 21 pairs at most 3 fall, which chance does in 76 of 5040 orders. */
static const int rising = 15;
/* Parts or quarters whose trend over the run is a larger share of their mean, and exceeds chance (the first percent of Student's t, 5 and 26
 * degrees of freedom): it is not said that they are bounded. */
static const double drift = 0.1, t_parts = 3.365, t_quarters = 2.479;
/* An error in the last part that exceeds all earlier ones so many times may be the beginning of something. */
static const double sudden = 10;
/* The exponents of a random walk: of its size 1/2, of its increments as well; both within this, as far as one path shows them. */
static const double near_half = 0.2;
/* The share of the squares of all increments that one of a walk may have. */
static const double jump = 0.25;
/* Parts whose variance is so many times what neighbouring blocks let expect are no independent parts: something slow moves them. */
static const double slow = 50;

void growth_enter(growth_blocks *b, double error)
{
    if (!isfinite(error))
        return;
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

/* y = a + b x by least squares, and the standard error of b. */
typedef struct fit {
    double a, b, error;
} fit;

static fit fit_line(const double *x, const double *y, size_t n)
{
    const double mx = mean_between(x, 0, n), my = mean_between(y, 0, n);
    double xx = 0, xy = 0, rest = 0;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
    }
    fit f = {my - xy / xx * mx, xy / xx, 0};
    for (size_t i = 0; i < n; i++)
        rest += (y[i] - f.a - f.b * x[i]) * (y[i] - f.a - f.b * x[i]);
    f.error = sqrt(rest / ((double)n - 2) / xx);
    return f;
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

/* Does the last part have an error that exceeds all before it? */
static int ends_suddenly(const growth_blocks *b)
{
    double before = 0, last = 0;
    for (size_t i = 0; i < b->n; i++)
        *(i < b->n * USED / PARTS ? &before : &last) =
            fmax(i < b->n * USED / PARTS ? before : last, b->most[i]);
    return last > sudden * before;
}

static int moves_slowly(const parts *p)
{
    double between = 0;
    for (size_t i = 0; i < USED; i++)
        between += (p->value[i] - p->mean) * (p->value[i] - p->mean) / (USED - 1);
    return between > slow * p->noise;
}

static int is_trend(const double *time, const double *value, size_t n, double mean, double t)
{
    const fit f = fit_line(time, value, n);
    return f.b > drift * mean && f.b > t * f.error;
}

/* Is there an upward trend that matters? Of parts, over which oscillations cancel; of quarters, which are more. */
static int drifts(const parts *p)
{
    double time[USED * QUARTERS];
    for (size_t i = 0; i < USED * QUARTERS; i++)
        time[i] = (double)i / (QUARTERS * PARTS);
    return is_trend(p->time, p->value, USED, p->mean, t_parts) ||
           is_trend(time, p->quarter[0], USED * QUARTERS, p->mean, t_quarters);
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

/* Squares of what the curve leaves of the parts, for each degree of freedom. */
static double left_by(const parts *p, const double curve[USED])
{
    double left = 0;
    for (size_t i = 0; i < USED; i++)
        left += (p->value[i] - curve[i]) * (p->value[i] - curve[i]) / (USED - 2);
    return left;
}

/* Is that what the scatter of blocks lets expect, or some percent? */
static int is_on(const parts *p, double left)
{
    const double percent = 0.02 * p->mean;
    return left < f_hundredth * p->noise + percent * percent;
}

/* H of mean |x(t + T) - x(t)|^2 ~ T^(2H), by lags of a hundred and twenty-eighth to an eighth of the run. */
enum { LAGS = 5 };
static double increments(const growth_blocks *b)
{
    double log_lag[LAGS], log_size[LAGS];
    for (size_t k = 0; k < LAGS; k++) {
        const size_t lag = b->n * ((size_t)1 << k) / 128 + 1;
        double sum = 0;
        for (size_t i = lag; i < b->n; i++)
            sum += (b->most[i] - b->most[i - lag]) * (b->most[i] - b->most[i - lag]);
        log_lag[k] = log((double)lag);
        log_size[k] = log(sum / (double)(b->n - lag)) / 2;
    }
    return fit_line(log_lag, log_size, LAGS).b;
}

/* The share of the squares of increments between quarters that the largest one has. */
static double largest_share(const parts *p)
{
    const double *quarter = p->quarter[0];
    double sum = 0, most = 0;
    for (size_t i = 1; i < USED * QUARTERS; i++) {
        const double square = (quarter[i] - quarter[i - 1]) * (quarter[i] - quarter[i - 1]);
        sum += square;
        most = fmax(most, square);
    }
    return most / sum;
}

/* Squares of what is left of the parts by c t^power, c by least squares. */
static double rest_of(const parts *p, double power)
{
    double yy = 0, xy = 0, xx = 0;
    for (size_t i = 0; i < USED; i++) {
        const double x = pow(p->time[i], power);
        xx += x * x;
        xy += x * p->value[i];
        yy += p->value[i] * p->value[i];
    }
    return yy - xy * xy / xx;
}

static int is_walk(const growth_blocks *b, const parts *p, double power)
{
    const double h = increments(b);
    return fabs(power - 0.5) < near_half && fabs(h - 0.5) < near_half && largest_share(p) < jump &&
           rest_of(p, 0.5) < rest_of(p, 1);
}

static growth_judgement law_of(const growth_blocks *b, const parts *p)
{
    double log_time[USED], log_value[USED], line[USED], power[USED];
    for (size_t i = 0; i < USED; i++) {
        log_time[i] = log(p->time[i]);
        log_value[i] = log(fmax(p->value[i], 1e-300));
    }
    const fit straight = fit_line(p->time, p->value, USED), bent = fit_line(log_time, log_value, USED);
    for (size_t i = 0; i < USED; i++) {
        line[i] = straight.a + straight.b * p->time[i];
        power[i] = exp(bent.a + bent.b * log_time[i]);
    }
    const double left_by_line = left_by(p, line), left_by_power = left_by(p, power);
    const int on_line = is_on(p, left_by_line), on_power = is_on(p, left_by_power);
    const int from_zero = straight.a > -0.1 * p->mean && straight.a < offset * (straight.a + straight.b);
    if ((on_power && fabs(bent.b - 1) < near_one) || (on_line && from_zero && bent.b < 1))
        return (growth_judgement){LAW_LINEAR, NAN, NAN};
    if (on_power && fabs(bent.b - 1) > 2 * bent.error &&
        (!on_line || straight.a < 0 || clearly * left_by_power < left_by_line))
        return (growth_judgement){LAW_POWER, bent.b, bent.error};
    if (on_line && from_zero)
        return (growth_judgement){LAW_LINEAR, NAN, NAN};
    return (growth_judgement){is_walk(b, p, bent.b) ? LAW_WALK : LAW_GROWS, NAN, NAN};
}

/* As parts of their largest value: squares of it may be no doubles. */
static growth_blocks scaled(const growth_blocks *b)
{
    growth_blocks of = *b;
    double most = 0;
    for (size_t i = 0; i < b->n; i++)
        most = fmax(most, b->most[i]);
    for (size_t i = 0; i < b->n && most > 0; i++)
        of.most[i] /= most;
    return of;
}

growth_judgement growth_find_law(const growth_blocks *b)
{
    if (b->n < GROWTH_LEAST)
        return (growth_judgement){LAW_SHORT, NAN, NAN};
    const growth_blocks relative = scaled(b);
    const parts p = divide(&relative);
    const int drifting = drifts(&p) || ends_suddenly(&relative);
    if (differs_by_little(&p) && !drifting)
        return (growth_judgement){LAW_BOUNDED, NAN, NAN};
    const double f = variance_ratio(&p);
    if (f < f_hundredth && !drifting && !moves_slowly(&p))
        return (growth_judgement){LAW_BOUNDED, NAN, NAN};
    return f > f_growth && rank_trend(&p) >= rising ? law_of(&relative, &p)
                                                    : (growth_judgement){LAW_UNCLEAR, NAN, NAN};
}
