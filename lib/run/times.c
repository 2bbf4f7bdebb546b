/* SPDX-License-Identifier: BSD-3-Clause */
/* Which outputs lie in which step, for schedules that ask for times. */
#include "times.h"

#include <float.h>
#include <math.h>

/* 2^53: beyond this, not every whole number is a double. */
static const double most = 9007199254740992.0;
/* An interval is a multiple of the step where the quotient is a whole number within so many units of rounding. */
static const double multiple = 8;
/* The share of a step below which an interval is a mistake. */
static const double least_part = 1e-6;

ph_clock ph_clock_of(const ph_state *state, double h, int64_t shift)
{
    if (state->h == h)
        return (ph_clock){state->t_base, h, state->k_base - shift};
    return (ph_clock){state->t, h, state->k - shift}; /* which the next step makes of it */
}

bool ph_schedule_is_dense(const ph_schedule *s, double h)
{
    if (s->kind != PH_EVERY_INTERVAL)
        return s->kind == PH_AT_TIMES;
    const double ratio = s->interval / fabs(h), n = nearbyint(ratio);
    return !(n >= 1 && fabs(ratio - n) <= multiple * DBL_EPSILON * ratio);
}

/* Is each time of a list finite, and behind the one before? */
static ph_status check_list(const ph_schedule *s, double h, ph_error *err)
{
    for (size_t i = 0; i < s->n_times; i++) {
        if (!isfinite(s->times[i]))
            return ph_fail(err, PH_E_RANGE, "time %zu is %g; every time must be finite", i + 1, s->times[i]);
        if (i > 0 && !((s->times[i] - s->times[i - 1]) * copysign(1, h) > 0))
            return ph_fail(
                err, PH_E_RANGE,
                "time %zu is %.17g s, not behind time %zu, %.17g s: with a step of %g s the times must be %s",
                i + 1, s->times[i], i, s->times[i - 1], h, h > 0 ? "increasing" : "decreasing");
    }
    return PH_OK;
}

/* Is the interval long enough for so many outputs in a step? */
static ph_status check_interval(const ph_schedule *s, double h, ph_error *err)
{
    if (!(s->interval > 0 && isfinite(s->interval)))
        return ph_fail(err, PH_E_RANGE,
                       "a schedule needs steps >= 1, or an interval > 0 and finite, not %g s", s->interval);
    if (s->interval < least_part * fabs(h))
        return ph_fail(
            err, PH_E_RANGE,
            "each %g s makes %.3g outputs in a step of %g s; an interval of at least %g s is expected",
            s->interval, fabs(h) / s->interval, fabs(h), least_part * fabs(h));
    return PH_OK;
}

ph_status ph_schedule_check(const ph_schedule *s, double h, ph_error *err)
{
    if ((unsigned)s->kind > PH_AT_TIMES)
        return ph_fail(err, PH_E_RANGE, "there is no kind %d of schedules", (int)s->kind);
    if (s->kind == PH_AT_TIMES && (!s->times || !s->n_times))
        return ph_fail(err, PH_E_INVALID, "the list of times is missing: times and n_times are expected");
    if (s->kind == PH_AT_TIMES)
        return check_list(s, h, err);
    if (s->kind == PH_EVERY_INTERVAL)
        return check_interval(s, h, err);
    return s->steps >= 1
               ? PH_OK
               : ph_fail(err, PH_E_RANGE, "a schedule needs steps >= 1, not %lld", (long long)s->steps);
}

static double time_of_step(const ph_clock *c, double k)
{
    return c->base + (k - (double)c->k_base) * c->h;
}

/* [s] Times that differ by so little are the same. */
static double rounding_at(const ph_clock *c, double t)
{
    return fmin(4 * DBL_EPSILON * fmax(fabs(t), fabs(c->base)), 0.25 * fabs(c->h));
}

/* [s] > 0 where t is behind the end of step k in the direction of the run, by more than rounding. */
static double behind(const ph_clock *c, double t, double k)
{
    return (c->h > 0 ? t - time_of_step(c, k) : time_of_step(c, k) - t) - rounding_at(c, t);
}

static double time_of_output(const ph_schedule *s, const ph_clock *c, int64_t j)
{
    if (s->kind == PH_AT_TIMES)
        return s->times[j];
    return time_of_step(c, 0) + copysign((double)j * s->interval, c->h);
}

/* The step that t lies in; `most` where no step is. */
static double step_of(const ph_clock *c, double t)
{
    double k = fmax(0, ceil((t - c->base) / c->h + (double)c->k_base));
    if (!(k < most))
        return most;
    while (k > 0 && behind(c, t, k - 1) <= 0) /* rounding of the division */
        k--;
    while (k < most && behind(c, t, k) > 0)
        k++;
    return k;
}

/* Output j. */
static ph_asked output_at(const ph_schedule *s, const ph_clock *c, int64_t j)
{
    if (s->kind == PH_AT_TIMES ? j >= (int64_t)s->n_times : (double)j >= most)
        return (ph_asked){.number = j, .step = INT64_MAX};
    const double t = time_of_output(s, c, j), k = step_of(c, t);
    ph_asked asked = {.number = j, .step = k < most ? (int64_t)k : INT64_MAX, .t = t};
    if (k < most && fabs(t - time_of_step(c, k)) <= rounding_at(c, t)) {
        const bool last = s->kind == PH_AT_TIMES && j + 1 == (int64_t)s->n_times;
        asked.at_end = last || step_of(c, time_of_output(s, c, j + 1)) > k;
    }
    return asked;
}

/* The first number whose output is behind step k: of a list by bisection. */
static int64_t find_in_list(const ph_schedule *s, const ph_clock *c, int64_t k)
{
    size_t low = 0, high = s->n_times; /* those before low are not behind it, those from high on are */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (step_of(c, s->times[middle]) > (double)k)
            high = middle;
        else
            low = middle + 1;
    }
    return (int64_t)low;
}

static int64_t find_multiple(const ph_schedule *s, const ph_clock *c, int64_t k)
{
    const double about = floor((double)k * fabs(c->h) / s->interval);
    if (!(about + 1 < most))
        return (int64_t)most;
    int64_t j = about < 1 ? 1 : (int64_t)about;
    while (j > 1 && step_of(c, time_of_output(s, c, j - 1)) > (double)k)
        j--;
    while (step_of(c, time_of_output(s, c, j)) <= (double)k)
        j++;
    return j;
}

ph_asked ph_times_first(const ph_schedule *s, const ph_clock *c, int64_t k)
{
    return output_at(s, c, s->kind == PH_AT_TIMES ? find_in_list(s, c, k) : find_multiple(s, c, k));
}

ph_asked ph_times_next(const ph_schedule *s, const ph_clock *c, const ph_asked *asked)
{
    return output_at(s, c, asked->number + 1);
}

ph_asked ph_times_at_end(const ph_schedule *s, const ph_clock *c, int64_t k)
{
    ph_asked asked = ph_times_first(s, c, k - 1);
    while (asked.step == k && !asked.at_end)
        asked = ph_times_next(s, c, &asked);
    return asked;
}

bool ph_schedule_inside(const ph_schedule *s, double t0, double h, int64_t k)
{
    const ph_clock clock = {t0, h, 0};
    if (!ph_schedule_is_dense(s, h))
        return false;
    const ph_asked asked = ph_times_first(s, &clock, k - 1);
    return asked.step == k && !asked.at_end;
}

bool ph_schedule_at_end(const ph_schedule *s, double t0, double h, int64_t k)
{
    const ph_clock clock = {t0, h, 0};
    if (!ph_schedule_is_dense(s, h))
        return ph_schedule_next(s, h, k - 1) == k;
    return ph_times_at_end(s, &clock, k).step == k;
}
