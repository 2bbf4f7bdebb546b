/* SPDX-License-Identifier: BSD-3-Clause */
/* Which steps are output: a function of the step count alone, so that an interrupted and resumed run has the
 * same outputs as an uninterrupted one. */
#include <polhode/kit/elementary.h>
#include <polhode/run.h>

#include <float.h>
#include <math.h>

/* 2^53: beyond this, not every whole number is a double. */
static const double most = 9007199254740992.0;

/* The first step at or behind the time j * interval. Both products are rounded: 3 * 0.1 is more than 30 * 0.01. */
static double step_at(double j, double interval, double h)
{
    const double time = j * interval * (1 - 4 * DBL_EPSILON);
    double k = ceil(time / h);
    if (k >= most)
        return most;
    while (k > 0 && (k - 1) * h >= time) /* rounding of the division */
        k--;
    while (k * h < time)
        k++;
    return k;
}

/* The first step behind k that is the first one at or behind some j * interval. */
static double next_interval(double interval, double h, double k)
{
    double j = floor(k * h / interval), next;
    if (interval <= h)
        return k + 1;
    do
        next = step_at(j++, interval, h);
    while (next <= k);
    return next;
}

/* The whole numbers next to 10^(j / n), each once. */
static double next_of_decade(double n, double k)
{
    double j = fmax(0, floor(n * ph_log10(k + 0.5))), next;
    if (n * ph_log10((k + 1.5) / (k + 0.5)) >= 1) /* k + 1 is next to at least one of them */
        return k + 1;
    do
        next = nearbyint(ph_pow(10, j++ / n));
    while (next <= k);
    return next;
}

/* The first output behind step k; INT64_MAX where there is none that a double can count. */
int64_t ph_schedule_next(const ph_schedule *schedule, double h, int64_t k)
{
    double next;
    if (schedule->kind == PH_EVERY_STEPS)
        return k / schedule->steps > INT64_MAX / schedule->steps - 1
                   ? INT64_MAX
                   : (k / schedule->steps + 1) * schedule->steps;
    if ((double)k >= most || schedule->kind == PH_AT_TIMES)
        return INT64_MAX;
    next = schedule->kind == PH_EVERY_INTERVAL ? next_interval(schedule->interval, fabs(h), (double)k)
                                               : next_of_decade((double)schedule->steps, (double)k);
    return next >= most ? INT64_MAX : (int64_t)next;
}
