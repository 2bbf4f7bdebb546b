/* SPDX-License-Identifier: BSD-3-Clause */
/* rk8 with error control: internal steps of its own choice, each projected to the manifold and its tangent space, the last of which
 * ends where the step does. Estimates, the controller and the first step are those of the program dop853: with e_5, e_3 the
 * differences to the formulas of order 5 and 3,
 *     err = |h| E_5 / sqrt((E_5 + 0.01 E_3) B),      E = sum_b |e_b|^2 / s_b^2,      h <- h min(6, max(1/3, 0.9 err^(-1/8))),
 * accepted where err <= 1. The sums are over B blocks of y, a factor of the space or its velocity or momentum each, and not over numbers:
 *     s_b^2 = atol^2 + rtol^2 (max(|y_b|, |y1_b|)^2 + |h ydot_b|^2),
 * so that neither axes nor a velocity that is 0 for a moment matter. The step that the controller has found is kept in the
 * carry, and F at the end of an internal step is the first stage of the next.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4, II.5, II.10. */
#include "rk8-control.h"
#include "rk8-stages.h"

#include <polhode/constraints.h>
#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/memory.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST = 100000 /* internal steps in one step, rejected ones as well, as for arkode; beyond, it fails */
};
static const double least_tolerance = 1e-15, safety = 0.9, most_growth = 6, least_growth = 1. / 3;

typedef struct rk8_control {
    const ph_field *field;
    const ph_system *system;
    size_t n, room, blocks;
    long most; /* internal steps in one step */
    double rtol, atol;
    size_t *begin; /* (blocks + 1) places in y */
    double *y, *k, *y1,
        *store; /* (room); (12 x room); (room), also of a stage; of ph_field_load and ph_field_store, and the field */
} rk8_control;

/* ---- Memory ------------------------------------------------------------------------------------------------ */

/* Places; blocks are at most two for each factor. */
static void lay(rk8_control *w, const ph_field *field, const ph_system *system, ph_lay *l)
{
    const ph_space *space = ph_system_space(system);
    const size_t n = field->size(system), room = ph_rk8_room(n),
                 store = ph_space_ambient(space) + ph_space_momenta(space) + field->work(system);
    ph_lay_bytes(l, sizeof *w);
    w->begin = ph_lay_bytes(l, (2 * ph_space_factors(space) + 1) * sizeof *w->begin);
    w->y = ph_lay_line(l, room * sizeof *w->y);
    w->k = ph_lay_line(l, PH_RK8_STAGES * room * sizeof *w->k);
    w->y1 = ph_lay_line(l, room * sizeof *w->y1);
    w->store = ph_lay_line(l, store * sizeof *w->store);
    w->n = n;
    w->room = room;
}

ph_method_size ph_rk8_control_size(const ph_system *system, const double *options)
{
    const ph_field *field = ph_field_chosen(system, options[PH_RK8_FORM]);
    if (ph_field_supports(field, system, NULL))
        return (ph_method_size){.work = sizeof(rk8_control), .carry = 2};
    rk8_control counted;
    ph_lay l = {NULL, 0};
    lay(&counted, field, system, &l);
    return (ph_method_size){.work = l.bytes,
                            .carry = 2 + counted.n - ph_space_ambient(ph_system_space(system))};
}

/* The places of factors in z, and behind it in velocities, which are like z, or in momenta; spins have neither. */
static void find_blocks(rk8_control *w)
{
    const ph_space *space = ph_system_space(w->system);
    const size_t nz = ph_space_ambient(space), factors = ph_space_factors(space);
    for (size_t i = 0; i < factors; i++)
        w->begin[w->blocks++] = ph_space_factor(space, i)->z;
    for (size_t i = 0; i < factors && w->n > nz; i++)
        w->begin[w->blocks++] =
            nz + (w->n == 2 * nz ? ph_space_factor(space, i)->z : ph_space_factor(space, i)->p);
    w->begin[w->blocks] = w->n;
}

ph_status ph_rk8_control_init(ph_context *context)
{
    rk8_control *w = context->work;
    const ph_system *system = context->system;
    const ph_field *field = ph_field_chosen(system, context->options[PH_RK8_FORM]);
    if (context->options[PH_RK8_RTOL] < least_tolerance)
        return ph_fail(context->error, PH_E_RANGE,
                       "rk8: rtol is %g; it is 0, for steps without error control, or from %g to 0.1",
                       context->options[PH_RK8_RTOL], least_tolerance);
    ph_status status = ph_field_supports(field, system, context->error);
    if (!status)
        status = ph_field_projection_supports(system, context->error);
    if (status)
        return status;
    *w = (rk8_control){.field = field,
                       .system = system,
                       .most = (long)ph_context_most(context, MOST),
                       .rtol = context->options[PH_RK8_RTOL],
                       .atol = context->options[PH_RK8_ATOL]};
    ph_lay l = {context->work, 0};
    lay(w, field, system, &l);
    memset(w->y, 0, w->room * sizeof *w->y);
    memset(w->k, 0, PH_RK8_STAGES * w->room * sizeof *w->k);
    memset(w->y1, 0, w->room * sizeof *w->y1);
    find_blocks(w);
    return PH_OK;
}

/* ---- Errors ------------------------------------------------------------------------------------------------ */

static double squares(const double *x, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += x[i] * x[i];
    return sum;
}

/* 1 / s_b^2; what is 0, and remains so, has no error that counts. NaN beyond the range of numbers. */
static double over_scale(const rk8_control *w, double size, double rate, double h)
{
    const double square = w->atol * w->atol + w->rtol * w->rtol * (size + h * h * rate);
    return square > 0 && square < INFINITY ? 1 / square : square == 0 ? 0 : NAN;
}

static double error_of(const rk8_control *w, const double *y, const double *y1, double h)
{
    const double *rate = w->k, *five = w->k + w->room, *three = five + w->room;
    double E5 = 0, E3 = 0;
    for (size_t b = 0, i = 0; b < w->blocks; b++) {
        double size = 0, size1 = 0, turn = 0, off5 = 0, off3 = 0;
        for (const size_t end = w->begin[b + 1]; i < end; i++) {
            size += y[i] * y[i];
            size1 += y1[i] * y1[i];
            turn += rate[i] * rate[i];
            off5 += five[i] * five[i];
            off3 += three[i] * three[i];
        }
        const double over = over_scale(w, size > size1 ? size : size1, turn, h);
        E5 += over * off5;
        E3 += over * off3;
    }
    const double both = E5 + 0.01 * E3;
    return both > 0 ? fabs(h) * E5 / sqrt(both * (double)w->blocks) : both;
}

/* The first step, at most `most`: h^8 times the larger of the first and the second derivative is 0.01, by one explicit step of Euler. */
static double first_step(const rk8_control *w, double t, double most, double way, int64_t *evaluations)
{
    double *euler = w->y1, *rate = w->k + w->room, size = 0, first = 0, second = 0;
    for (size_t b = 0; b < w->blocks; b++) {
        const size_t from = w->begin[b], to = w->begin[b + 1];
        const double own = squares(w->y, from, to), turn = squares(w->k, from, to),
                     over = over_scale(w, own, turn, most);
        size += over * own;
        first += over * turn;
    }
    double h = first <= 1e-10 || size <= 1e-10 ? 1e-6 * most : fmin(0.01 * sqrt(size / first), most);
    for (size_t i = 0; i < w->n; i++)
        euler[i] = w->y[i] + way * h * w->k[i];
    ++*evaluations;
    if (w->field->evaluate(w->system, t + way * h, euler, rate, w->store) || !ph_all_finite(rate, w->n))
        return h;
    for (size_t i = 0; i < w->n; i++)
        rate[i] -= w->k[i];
    for (size_t b = 0; b < w->blocks; b++) {
        const size_t from = w->begin[b], to = w->begin[b + 1];
        second +=
            over_scale(w, squares(w->y, from, to), squares(w->k, from, to), most) * squares(rate, from, to);
    }
    const double largest = fmax(sqrt(second) / h, sqrt(first)),
                 next = largest <= 1e-15 ? fmax(1e-6 * most, 1e-3 * h) : ph_pow(0.01 / largest, 1. / 8);
    return fmin(fmin(100 * h, next), most);
}

/* ---- Steps ------------------------------------------------------------------------------------------------- */

/* Have the equations no value at a point that a step too long has led to (as for arkode)? */
static bool may_avoid(const rk8_control *w, ph_status status)
{
    return status == PH_E_DIVERGED || (status == PH_E_SINGULAR && ph_system_constraints(w->system) > 0);
}

/* y1 <- the end of an internal step from (t, y), projected, and where it is accepted and another one follows k_2 <- F there. *err: as
 * above. A status where the step leads to where there is no such end. */
static ph_status try_step(const rk8_control *w, double t, double h, bool last, double *err,
                          int64_t *evaluations)
{
    const size_t room = w->room;
    ph_status status = ph_rk8_stages(w->field, w->system, t, h, w->y, w->k, w->y1, w->store);
    *evaluations += PH_RK8_STAGES - 1;
    if (status)
        return status;
    ph_rk8_end_and_estimates(room, h, w->k, w->y, w->y1, w->k + room, w->k + 2 * room);
    *err = error_of(w, w->y, w->y1, h);
    if (!(*err < INFINITY))
        return PH_E_DIVERGED;
    if (*err > 1)
        return PH_OK;
    status = ph_field_project(w->field, w->system, t + h, w->y1, w->store);
    if (status || last)
        return status;
    ++*evaluations;
    status = w->field->evaluate(w->system, t + h, w->y1, w->k + room, w->store);
    return !status && !ph_all_finite(w->k + room, w->n) ? PH_E_DIVERGED : status;
}

/* y <- after a step from t that takes h; *found: the internal step to begin with, 0 where there is none, and the one found. why: told of
 * PH_E_NO_CONVERGENCE. */
static ph_status go(const rk8_control *w, double t, double h, double *found, int64_t *evaluations,
                    char why[160])
{
    const double length = fabs(h), way = h < 0 ? -1 : 1;
    double done = 0, next = *found;
    bool rejected = false;
    ph_status status = w->field->evaluate(w->system, t, w->y, w->k, w->store);
    ++*evaluations;
    if (!status && !(next > 0))
        next = first_step(w, t, length, way, evaluations);
    for (long tried = 0; !status && done < length; tried++) {
        const double rest = length - done, now = t + way * done;
        const bool last = 1.01 * next >= rest;
        const double take = last              ? rest
                            : 2 * next > rest ? rest / 2 /* two equal steps, and none that is tiny */
                                              : next;
        double err = 0;
        if (tried == w->most) {
            snprintf(why, 160, "%ld internal steps come to t = %.10g s only, for rtol = %g", w->most, now,
                     w->rtol);
            return PH_E_NO_CONVERGENCE;
        }
        status = try_step(w, now, way * take, last, &err, evaluations);
        const double grow =
            status ? 0.1 : fmin(most_growth, fmax(least_growth, safety / sqrt(sqrt(sqrt(err)))));
        if (!status && err <= 1) {
            const double longer = take * (rejected ? fmin(grow, 1) : grow);
            done = last ? length : done + take;
            memcpy(w->y, w->y1, w->n * sizeof *w->y);
            memcpy(w->k, w->k + w->room, w->n * sizeof *w->k);
            next = grow == most_growth ? fmax(next, longer)
                                       : longer; /* cut short, it may not tell how long a step may be */
            rejected = false;
            continue;
        }
        if (status && !may_avoid(w, status))
            return status;
        next = take * fmin(grow, 1);
        rejected = true;
        if (0.1 * next <= DBL_EPSILON * fmax(fabs(now), length)) {
            snprintf(why, 160,
                     "at t = %.10g s the error of an internal step of %.3g s is not within rtol = %g", now,
                     take, w->rtol);
            return status ? status : PH_E_NO_CONVERGENCE;
        }
        status = PH_OK;
    }
    *found = next;
    return status;
}

ph_status ph_rk8_control_step(ph_context *context, ph_state *state)
{
    const rk8_control *w = context->work;
    double *kept = &state->carry[state->ncarry - 1], found = *kept;
    char why[160] = "";
    ph_status status = ph_field_load(w->field, w->system, state, w->y, w->store);
    if (!status)
        status = go(w, state->t, context->h, &found, &context->statistics->evaluations, why);
    if (!status)
        status = ph_field_store(w->field, w->system, state->t + context->h, w->y, state, w->store);
    if (status)
        return ph_fail(context->error, status, "step from t = %.10g s, h = %.6g s: %s%s%s", state->t,
                       context->h, ph_status_text(status), *why ? ": " : "", why);
    *kept = found;
    return PH_OK;
}
