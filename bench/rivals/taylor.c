/* SPDX-License-Identifier: BSD-3-Clause */
/* The rival `taylor`: Taylor series of order up to 20 with automatic steps, as its users would write them, in R^n and without
 * projection. Order and step follow from the tolerance (Jorba and Zou, Exp. Math. 14 (2005) 99, section 3; heyoka has the same
 * rules: Biscani and Izzo, MNRAS 504 (2021) 2614),
 *     p = 1 - (ln rtol) / 2,     rho_k = (size / |c_k|)^(1/k),     h = min(rho_p, rho_p-1) exp(-2 - 0.7 / (p - 1)),
 * size = max(|y|, atol / rtol), in the largest of all unknowns. Between its steps the series are the motion to the same error: states are
 * taken from them, and no step is shortened to end at one. */
#include "rivals.h"
#include "series.h"

#include <polhode/kit/equations.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

enum { RTOL, ATOL };
static const ph_option options[] = {
    {.name = "rtol",
     .type = PH_OPTION_NUMBER,
     .initial = 2e-16,
     .min = 1e-16,
     .max = 0.01,
     .text = "error of an internal step, relative to the largest unknown; the order follows from it"},
    {.name = "atol",
     .type = PH_OPTION_NUMBER,
     .initial = 0,
     .min = 0,
     .max = 0.1,
     .text = "the same, absolute, where that is larger; 0: as rtol, for unknowns of 1"}};

/* Steps of the series in one step of the method; beyond, it fails. */
enum { MOST = 1000000 };

/* The carry: is it set, the time of the state from where the series begin, with its rounding, how far they reach, and the series. */
enum { SET, TIME, TIME_LOW, REACH, HEAD };

typedef struct taylor {
    const series_kind *kind;
    const ph_field *field;
    int p;
    size_t width;
    void *own;
    double least; /* size is no smaller */
    double *c, *y, *work;
    void (*sum)(const struct taylor *w, const double *c, double s, double *y);
    double (*reach)(const struct taylor *w);
} taylor;

/* ---- A step of the series --------------------------------------------------------------------------- */

/* to (width) <- sum_k c_k s^k. */
INLINE void sum_up(const taylor *w, const double *c, double s, double *to)
{
    for (size_t i = 0; i < w->width; i += SERIES_LANES) {
        lanes sum = series_load(c + (size_t)w->p * w->width + i);
        for (size_t k = (size_t)w->p; k-- > 0;)
            sum = sum * s + series_load(c + k * w->width + i);
        series_store(to + i, sum);
    }
}

/* max |c_k| */
INLINE double largest(const taylor *w, int k)
{
    const double *c = w->c + (size_t)k * w->width;
    lanes most = {0};
    for (size_t i = 0; i < w->width; i += SERIES_LANES) {
        const lane_numbers size = (lane_numbers)series_load(c + i) & INT64_MAX,
                           keep = ((lanes)size <= most) | (most != most); /* NaN stays */
        most = (lanes)((keep & (lane_numbers)most) | (~keep & size));
    }
    double one = 0;
    for (int l = 0; l < SERIES_LANES; l++)
        one = most[l] <= one || isnan(one) ? one : most[l];
    return one;
}

INLINE double find_reach(const taylor *w)
{
    const int p = w->p;
    const double y = largest(w, 0), size = y <= w->least ? w->least : y,
                 last = pow(size / largest(w, p), 1.0 / p),
                 before = pow(size / largest(w, p - 1), 1.0 / (p - 1));
    return (last < before ? last : before) * exp(-2 - 0.7 / (p - 1));
}

static void sum_plain(const taylor *w, const double *c, double s, double *to)
{
    sum_up(w, c, s, to);
}

WIDE static void sum_wide(const taylor *w, const double *c, double s, double *to)
{
    sum_up(w, c, s, to);
}

static double reach_plain(const taylor *w)
{
    return find_reach(w);
}

WIDE static double reach_wide(const taylor *w)
{
    return find_reach(w);
}

/* ---- The method ------------------------------------------------------------------------------------- */

static const series_kind *kind_of(const ph_system *system)
{
    static const series_kind *const kinds[] = {&series_links, &series_body};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i]->takes(system))
            return kinds[i];
    return NULL;
}

static ph_status supports(const ph_system *system, ph_error *err)
{
    return kind_of(system)
               ? PH_OK
               : ph_fail(
                     err, PH_E_UNSUPPORTED,
                     "the comparisons have Taylor series for links in a row from a fixed point, under gravity "
                     "alone, and for one rigid body, free or with a weight");
}

static int order_of(const double *values)
{
    return (int)fmin(SERIES_ORDER, ceil(1 - log(values[RTOL]) / 2));
}

static void lay(taylor *w, const ph_system *system, const double *values, ph_lay *l)
{
    taylor found = {.kind = kind_of(system), .p = order_of(values)};
    ph_lay_bytes(l, sizeof *w);
    found.field = ph_field_find(found.kind->field, NULL);
    found.own = found.kind->lay(system, l, &found.width);
    found.c = ph_lay_line(l, (size_t)(found.p + 1) * found.width * sizeof(double));
    found.y = ph_lay_doubles(l, found.width + found.field->size(system));
    found.work = ph_lay_doubles(l, found.field->work(system));
    *w = found;
}

static ph_method_size size(const ph_system *system, const double *values)
{
    taylor counted;
    ph_lay l = {NULL, 0};
    lay(&counted, system, values, &l);
    return (ph_method_size){.work = l.bytes, .carry = HEAD + (size_t)(counted.p + 1) * counted.width};
}

static ph_status init(ph_context *context)
{
    taylor *w = context->work;
    const double *values = context->options;
    ph_lay l = {context->work, 0};
    lay(w, context->system, values, &l);
    w->least = values[ATOL] > 0 ? values[ATOL] / values[RTOL] : 1;
    w->sum = wide_runs() ? sum_wide : sum_plain;
    w->reach = wide_runs() ? reach_wide : reach_plain;
    w->kind->init(w->own, context->system);
    return PH_OK;
}

/* *time + *low <- the same, and t more. */
static void add(double *time, double *low, double t)
{
    double sum, rest;
    ph_two_sum(*time, t, &sum, &rest);
    ph_two_sum(sum, rest + *low, time, low);
}

/* The series from c_0. PH_E_DIVERGED where they have no value. */
static ph_status expand(taylor *w, ph_context *context, double *reach)
{
    w->kind->expand(w->own, w->p, w->c);
    context->statistics->evaluations++;
    *reach = w->reach(w);
    return *reach > 0 ? PH_OK : PH_E_DIVERGED;
}

static ph_status step(ph_context *context, ph_state *state)
{
    taylor *w = context->work;
    double *carry = state->carry, time = carry[TIME], low = carry[TIME_LOW], reach = carry[REACH];
    const double *series = carry + HEAD;
    ph_status status = PH_OK;
    if (carry[SET] == 0) {
        status = w->field->from_momentum(context->system, state->t, state->z, state->p, w->y, w->work);
        if (!status) {
            w->kind->set(w->own, w->y, w->c);
            status = expand(w, context, &reach);
        }
        series = w->c;
    }
    add(&time, &low, context->h);
    for (int n = 0; !status && fabs(time) > reach; n++) {
        const double s = copysign(reach, time);
        add(&time, &low, -s);
        w->sum(w, series, s, w->y);
        memcpy(w->c, w->y, w->width * sizeof *w->c);
        series = w->c;
        status = n < MOST ? expand(w, context, &reach) : PH_E_NO_CONVERGENCE;
    }
    if (status)
        return ph_fail(context->error, status, "step from t = %.10g s, h = %.6g s: %s", state->t, context->h,
                       ph_status_text(status));
    if (series == w->c)
        memcpy(carry + HEAD, w->c, (size_t)(w->p + 1) * w->width * sizeof *w->c);
    carry[SET] = 1;
    carry[TIME] = time;
    carry[TIME_LOW] = low;
    carry[REACH] = reach;
    return PH_OK;
}

static void synchronise(ph_context *context, ph_state *state)
{
    taylor *w = context->work;
    double *y = w->y + w->width;
    w->sum(w, state->carry + HEAD, state->carry[TIME], w->y);
    w->kind->get(w->own, w->y, y);
    w->field->to_momentum(context->system, state->t, y, state->z, state->p, w->work);
}

static const ph_method taylor_method = {
    .name = "taylor",
    .summary = "Taylor series of order up to 20, from the tolerance, with automatic steps",
    .reference = "Jorba, Zou, Exp. Math. 14 (2005) 99",
    .order = SERIES_ORDER,
    .claims = PH_CLAIM_ADAPTIVE,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = supports,
    .size = size,
    .init = init,
    .step = step,
    .synchronise = synchronise,
};

const ph_method *rival_find(const char *name)
{
    return !strcmp(name, taylor_method.name)   ? &taylor_method
           : !strcmp(name, rolling_rival.name) ? &rolling_rival
           : !strcmp(name, spins_rival.name)   ? &spins_rival
                                               : NULL;
}
