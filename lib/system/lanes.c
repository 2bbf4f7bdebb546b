/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks of eight systems at once, and steps of single states among eight: see polhode/kit/lanes.h. */
#include <polhode/kit/lanes.h>

#include "system.h"

#include <string.h>

enum { EIGHT = PH_METHOD_LANES };

/* Numbers of one system from those of all, and back. */
static void gather(const double *from, size_t n, size_t l, double *to)
{
    for (size_t k = 0; k < n; k++)
        to[k] = from[EIGHT * k + l];
}

static void scatter(const double *from, size_t n, size_t l, double *to)
{
    for (size_t k = 0; k < n; k++)
        to[EIGHT * k + l] = from[k];
}

/* ---- Which systems ----------------------------------------------------------------------------------------------- */

size_t ph_lanes_work(const ph_system *s)
{
    return s ? s->nz * s->nz + 5 * s->nz + ph_system_work(s) : 0;
}

/* Has the system this callback? */
static bool has(const ph_system *s, ph_lanes_part part)
{
    const ph_system_definition *is = &s->is;
    switch (part) {
    case PH_LANES_GRADIENT:
        return is->gradient != NULL;
    case PH_LANES_GRADIENT_IN_TIME:
        return is->gradient_in_time != NULL;
    case PH_LANES_FORCE:
        return is->force != NULL;
    case PH_LANES_FORCE_DV:
        return is->force_dv != NULL && !is->force_ignores_velocity;
    case PH_LANES_LAGRANGIAN_GRADIENT:
        return is->lagrangian_gradient != NULL;
    }
    return false;
}

/* Is a callback evaluated at once, or has none of them one? False where their kind has a part in it, or they have not one function. */
static bool is_together(const ph_lanes_systems *of, ph_lanes_part part)
{
    size_t count = 0;
    for (size_t l = 0; l < EIGHT; l++) {
        const ph_system *s = of->systems[l];
        if (!s->is.lanes || s->is.lanes != of->systems[0]->is.lanes || s->base ||
            (part == PH_LANES_GRADIENT && (s->of->sets_gradient || s->of->add_gradient)) ||
            (part == PH_LANES_GRADIENT_IN_TIME && s->of->add_gradient_in_time))
            return false;
        count += has(s, part);
    }
    return count == 0 || (count == EIGHT && of->systems[0]->is.lanes((void *const *)of->users, part, EIGHT,
                                                                     NULL, NULL, NULL, NULL));
}

void ph_lanes_place(ph_lanes_systems *of, const ph_context *context, double *work)
{
    *of = (ph_lanes_systems){.count = EIGHT, .work = work};
    for (size_t l = 0; l < EIGHT; l++) {
        of->systems[l] = context->systems ? context->systems[l] : context->system;
        of->users[l] = of->systems[l]->is.user;
    }
    const bool forces = is_together(of, PH_LANES_FORCE);
    bool known = true; /* the derivative of each force */
    for (size_t l = 0; l < EIGHT; l++)
        known = known && has(of->systems[l], PH_LANES_FORCE) == has(of->systems[l], PH_LANES_FORCE_DV);
    if (is_together(of, PH_LANES_GRADIENT))
        of->together |= 1u << PH_LANES_GRADIENT;
    if (forces && is_together(of, PH_LANES_GRADIENT_IN_TIME))
        of->together |= 1u << PH_LANES_FORCE;
    if (forces && known && is_together(of, PH_LANES_FORCE_DV))
        of->together |= 1u << PH_LANES_FORCE_DV;
    if (has(of->systems[0], PH_LANES_LAGRANGIAN_GRADIENT) && is_together(of, PH_LANES_LAGRANGIAN_GRADIENT))
        of->together |= 1u << PH_LANES_LAGRANGIAN_GRADIENT;
}

/* out <- or += a callback of all, if there is one. Has it evaluated them? */
static bool call(const ph_lanes_systems *of, ph_lanes_part part, const double *t, const double *z,
                 const double *zdot, double *out)
{
    return !has(of->systems[0], part) ||
           of->systems[0]->is.lanes((void *const *)of->users, part, of->count, t, z, zdot, out);
}

/* ---- Evaluations ------------------------------------------------------------------------------------------------- */

unsigned ph_lanes_gradient(const ph_lanes_systems *of, const double *z, double *dU)
{
    static const double none[EIGHT] = {0};
    const size_t nz = of->systems[0]->nz;
    unsigned failed = 0;
    if (of->together & 1u << PH_LANES_GRADIENT) {
        if (!has(of->systems[0], PH_LANES_GRADIENT))
            memset(dU, 0, EIGHT * nz * sizeof *dU);
        if (call(of, PH_LANES_GRADIENT, none, z, NULL, dU))
            return 0;
    }
    for (size_t l = 0; l < of->count; l++) {
        gather(z, nz, l, of->work);
        if (ph_system_gradient(of->systems[l], of->work, of->work + nz))
            failed |= 1u << l;
        scatter(of->work + nz, nz, l, dU);
    }
    return failed;
}

static void change_signs(size_t n, double *f)
{
    for (size_t k = 0; k < n; k++)
        f[k] = -f[k];
}

/* f <- the forces by callbacks of all, as in ph_system_force. Have these evaluated them? */
static bool force_together(const ph_lanes_systems *of, const double *t, const double *z, const double *zdot,
                           double *f)
{
    const size_t numbers = EIGHT * of->systems[0]->nz;
    memset(f, 0, numbers * sizeof *f);
    if (!call(of, PH_LANES_FORCE, t, z, zdot, f))
        return false;
    if (!has(of->systems[0], PH_LANES_GRADIENT_IN_TIME))
        return true;
    change_signs(numbers, f);
    const bool done = call(of, PH_LANES_GRADIENT_IN_TIME, t, z, NULL, f);
    change_signs(numbers, f);
    return done;
}

unsigned ph_lanes_force(const ph_lanes_systems *of, const double *t, const double *z, const double *zdot,
                        double *f)
{
    const size_t nz = of->systems[0]->nz;
    unsigned failed = 0;
    if (of->together & 1u << PH_LANES_FORCE && force_together(of, t, z, zdot, f))
        return 0;
    for (size_t l = 0; l < of->count; l++) {
        gather(z, nz, l, of->work);
        gather(zdot, nz, l, of->work + nz);
        if (ph_system_force(of->systems[l], t[l], of->work, of->work + nz, of->work + 2 * nz))
            failed |= 1u << l;
        scatter(of->work + 2 * nz, nz, l, f);
    }
    return failed;
}

unsigned ph_lanes_force_dv(const ph_lanes_systems *of, const double *t, const double *z, const double *zdot,
                           double *dfdv)
{
    const size_t nz = of->systems[0]->nz;
    double *own = of->work + 2 * nz;
    unsigned failed = 0;
    if (of->together & 1u << PH_LANES_FORCE_DV) {
        memset(dfdv, 0, EIGHT * nz * nz * sizeof *dfdv);
        if (call(of, PH_LANES_FORCE_DV, t, z, zdot, dfdv))
            return 0;
    }
    for (size_t l = 0; l < of->count; l++) {
        gather(z, nz, l, of->work);
        gather(zdot, nz, l, of->work + nz);
        if (ph_system_force_dv(of->systems[l], t[l], of->work, of->work + nz, own, own + nz * nz))
            failed |= 1u << l;
        scatter(own, nz * nz, l, dfdv);
    }
    return failed;
}

unsigned ph_lanes_lagrangian_gradient(const ph_lanes_systems *of, const double *t, const double *z,
                                      const double *zdot, double *L)
{
    const size_t nz = of->systems[0]->nz;
    double *own = of->work + 2 * nz;
    unsigned failed = 0;
    if (of->together & 1u << PH_LANES_LAGRANGIAN_GRADIENT &&
        call(of, PH_LANES_LAGRANGIAN_GRADIENT, t, z, zdot, L))
        return 0;
    for (size_t l = 0; l < of->count; l++) {
        gather(z, nz, l, of->work);
        gather(zdot, nz, l, of->work + nz);
        if (ph_system_lagrangian_gradient(of->systems[l], t[l], of->work, of->work + nz, own, own + nz,
                                          own + 2 * nz))
            failed |= 1u << l;
        scatter(own, 2 * nz, l, L);
    }
    return failed;
}

/* ---- Steps of single states --------------------------------------------------------------------------------------- */

void ph_lanes_alone_lay(ph_lanes_alone *alone, ph_method_size size, const ph_system *system, ph_lay *l)
{
    const ph_space *space = ph_system_space(system);
    const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
    for (size_t lane = 0; lane < EIGHT; lane++) {
        ph_state *one = &alone->ones[lane];
        *one = (ph_state){.nz = nz, .np = np, .ncarry = size.carry};
        one->carry = ph_lay_line(l, size.carry * sizeof *one->carry);
        one->z = ph_lay_doubles(l, nz);
        one->p = ph_lay_doubles(l, np);
    }
    alone->context.work = ph_lay_line(l, size.work);
}

void ph_lanes_alone_begin(ph_lanes_alone *alone, const ph_method *method, const ph_context *context)
{
    void *work = alone->context.work;
    alone->method = method;
    alone->gather = NULL;
    alone->scatter = NULL;
    for (size_t lane = 0; lane < EIGHT; lane++)
        alone->systems[lane] = context->systems ? context->systems[lane] : context->system;
    alone->ready = NULL;
    alone->context = *context;
    alone->context.work = work;
    alone->context.systems = NULL;
    alone->context.failed = NULL;
}

void ph_lanes_alone_finish(ph_lanes_alone *alone)
{
    if (alone->ready && alone->method->finish)
        alone->method->finish(&alone->context);
    alone->ready = NULL;
}

ph_status ph_lanes_alone_ready(ph_lanes_alone *alone, size_t lane)
{
    if (alone->ready == alone->systems[lane])
        return PH_OK;
    ph_lanes_alone_finish(alone);
    alone->ready = alone->context.system = alone->systems[lane];
    const ph_status status = alone->method->init(&alone->context);
    if (status)
        ph_lanes_alone_finish(alone);
    return status;
}

static void take_lane(ph_lanes_alone *alone, const ph_state *state, size_t lane)
{
    ph_state *one = &alone->ones[lane];
    one->t = state->t;
    one->t_base = state->t_base;
    one->h = state->h;
    one->k = state->k;
    one->k_base = state->k_base;
    gather(state->z, one->nz, lane, one->z);
    gather(state->p, one->np, lane, one->p);
    if (alone->gather)
        alone->gather(alone->user, state, lane, one);
    else
        gather(state->carry, one->ncarry, lane, one->carry);
}

/* The method is prepared for the h of the whole step, and makes one of h. */
static ph_status step_one(ph_lanes_alone *alone, double h, const ph_state *state, size_t lane)
{
    ph_status status = ph_lanes_alone_ready(alone, lane);
    if (status)
        return status;
    const double whole = alone->context.h;
    take_lane(alone, state, lane);
    alone->context.h = h;
    status = alone->method->step(&alone->context, &alone->ones[lane]);
    alone->context.h = whole;
    return status;
}

ph_status ph_lanes_alone_step(ph_lanes_alone *alone, ph_context *context, const ph_state *state,
                              unsigned lanes)
{
    ph_status first = PH_OK;
    ph_error later;
    alone->context.error = context->error;
    for (size_t lane = 0; lane < EIGHT; lane++) {
        const ph_status status = lanes & 1u << lane ? step_one(alone, context->h, state, lane) : PH_OK;
        if (!status)
            continue;
        first = first ? first : status;
        if (status == first && context->failed)
            *context->failed |= 1u << lane;
        alone->context.error = &later;
    }
    alone->context.error = context->error;
    return first;
}

void ph_lanes_alone_scatter(const ph_lanes_alone *alone, ph_state *state, unsigned lanes)
{
    for (size_t lane = 0; lane < EIGHT; lane++) {
        const ph_state *one = &alone->ones[lane];
        if (!(lanes & 1u << lane))
            continue;
        scatter(one->z, one->nz, lane, state->z);
        scatter(one->p, one->np, lane, state->p);
        if (alone->scatter)
            alone->scatter(alone->user, one, lane, state);
        else
            scatter(one->carry, one->ncarry, lane, state->carry);
    }
}

void ph_lanes_alone_synchronise(ph_lanes_alone *alone, ph_state *state)
{
    for (size_t lane = 0; lane < EIGHT; lane++) {
        ph_state *one = &alone->ones[lane];
        if (ph_lanes_alone_ready(alone, lane))
            continue;
        take_lane(alone, state, lane);
        if (alone->method->synchronise)
            alone->method->synchronise(&alone->context, one);
        scatter(one->z, one->nz, lane, state->z);
        scatter(one->p, one->np, lane, state->p);
    }
}
