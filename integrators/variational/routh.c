/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of a system that is seen from a turning frame (polhode/domain/routh.h): a step, or stage, of the whole by the
 * kernel that it would have, and the frame turned on by the discrete mechanical connection,
 *     f = atan2(h mu, zeta(q) . MM zeta(q+)),   phi+ = phi + f,   r+ = R(-phi+) q+.
 * Since h J = zeta(q) . MM (q+ - q) for the discrete Lagrangian `ends`, r is discretely horizontal then. What is
 * carried is the motion of the whole, so that nothing is lost by turning to and fro; r and its momentum are
 * written when they are needed. Source: Jalnapurkar, Leok, Marsden, West, J. Phys. A 39 (2006) 5521. */
#include "variational.h"

#include <polhode/domain/reduction.h>
#include <polhode/domain/routh.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

/* In the carry, before that of the kernel of the whole: is it filled, phi and its low part, q, p. */
enum { FILLED, PHASE, LOW, HEAD = 8 };

typedef struct routh {
    ph_variational inner; /* of the whole */
    ph_context context;   /* likewise */
    size_t symmetry, nz, np, inner_carry, carry;
    double *zeta, *c; /* (nz) each: at the end of a step, MM zeta at its start */
    double *saved;    /* (carry) at the start */
    double *work;
} routh;

/* A multiple of a cache line: kernels read their carry in vectors. */
static size_t round_up(size_t doubles)
{
    return (doubles + 7) / 8 * 8;
}

static size_t lay(const ph_system *system, const double *options, ph_lay *l)
{
    routh counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_system *whole = ph_system_whole(system, NULL);
    const ph_variational_kernel *kernel = ph_variational_choose(whole, options);
    const size_t nz = ph_space_ambient(ph_system_space(whole)), np = ph_space_momenta(ph_system_space(whole));
    const ph_method_size inner = ph_variational_measure(kernel, whole, options);
    const size_t turning = 2 * nz, evaluating = ph_system_work(whole);
    w->nz = nz;
    w->np = np;
    w->inner_carry = inner.carry;
    w->carry = HEAD + round_up(nz) + round_up(np) + inner.carry;
    w->zeta = ph_lay_doubles(l, nz);
    w->c = ph_lay_doubles(l, nz);
    w->saved = ph_lay_doubles(l, w->carry);
    w->work = ph_lay_doubles(l, turning > evaluating ? turning : evaluating);
    w->inner = (ph_variational){.kernel = kernel, .work = ph_lay_line(l, inner.work)};
    return w->carry;
}

static ph_status init(ph_variational *method, ph_context *context)
{
    routh *w = method->work;
    w->context = *context;
    w->context.system = ph_system_whole(context->system, &w->symmetry);
    w->inner.composition = method->composition;
    return ph_variational_begin(&w->inner, &w->context);
}

/* The state of the whole, whose memory is the carry's. */
static ph_state look_at_whole(const routh *w, const ph_state *state)
{
    ph_state whole = *state;
    whole.z = state->carry + HEAD;
    whole.p = whole.z + round_up(w->nz);
    whole.carry = whole.p + round_up(w->np);
    whole.nz = w->nz;
    whole.np = w->np;
    whole.ncarry = w->inner_carry;
    return whole;
}

/* The carry <- the motion of the whole, from a state that was just set. */
static void fill(const routh *w, ph_state *state)
{
    ph_state whole = look_at_whole(w, state);
    const double phase = state->z[w->nz];
    state->carry[FILLED] = 1;
    state->carry[PHASE] = phase;
    memcpy(whole.z, state->z, w->nz * sizeof *whole.z);
    memcpy(whole.p, state->p, w->np * sizeof *whole.p);
    if (phase == 0)
        return;
    ph_routh_turn(w->context.system, w->symmetry, phase, whole.z, w->work);
    ph_space_correct(ph_system_space(w->context.system), whole.z);
    ph_routh_turn_momentum(w->context.system, w->symmetry, phase, whole.p);
}

/* Where nothing is off the axis the frame has no angle. */
static ph_status fail_on_axis(const ph_context *context, double t)
{
    return ph_fail(
        context->error, PH_E_SINGULAR,
        "at t = %.17g the locked inertia is 0: the reduced motion has reached the axis, where it ends; without "
        "reduction it continues",
        t);
}

/* A step of the whole from w->c = MM zeta(q), and the frame turned on. */
static ph_status turn_on(routh *w, const ph_context *context, ph_state *state, ph_state *whole)
{
    ph_status status = w->inner.kernel->step(&w->inner, &w->context, whole);
    if (status)
        return status;
    if (w->inner.kernel->synchronise)
        w->inner.kernel->synchronise(&w->inner, whole);
    ph_reduction_generator(w->context.system, w->symmetry, whole->z, w->zeta);
    const double mu = state->p[w->np], B = ph_dot(w->c, w->zeta, w->nz);
    const double scale = ph_max_norm(w->c, w->nz) * ph_max_norm(whole->z, w->nz);
    if (!(ph_hypot(context->h * mu, B) > 1e-12 * scale))
        return fail_on_axis(context, state->t);
    double *phase = &state->carry[PHASE], *low = &state->carry[LOW], error;
    ph_two_sum(*phase, *low + (mu != 0 ? ph_atan2(context->h * mu, B) : 0), phase, &error);
    *low = error;
    return PH_OK;
}

static ph_status step(ph_variational *method, ph_context *context, ph_state *state)
{
    routh *w = method->work;
    memcpy(w->saved, state->carry, w->carry * sizeof *w->saved);
    if (state->carry[FILLED] == 0)
        fill(w, state);
    ph_state whole = look_at_whole(w, state);
    w->context.h = context->h;
    w->context.statistics = context->statistics;
    w->context.error = context->error;
    w->inner.stage = method->stage;
    ph_status status = ph_reduction_generator(w->context.system, w->symmetry, whole.z, w->zeta);
    if (!status)
        status = ph_system_lagrangian_gradient(w->context.system, 0, whole.z, w->zeta, NULL, w->c, w->work);
    if (!status)
        status = turn_on(w, context, state, &whole);
    if (status)
        memcpy(state->carry, w->saved, w->carry * sizeof *w->saved);
    return status;
}

static void synchronise(ph_variational *method, ph_state *state)
{
    const routh *w = method->work;
    if (state->carry[FILLED] == 0)
        return;
    const ph_state whole = look_at_whole(w, state);
    const ph_system *system = w->context.system;
    const double phase = state->carry[PHASE];
    memcpy(state->z, whole.z, w->nz * sizeof *whole.z);
    memcpy(state->p, whole.p, w->np * sizeof *whole.p);
    ph_routh_turn(system, w->symmetry, -phase, state->z, w->work);
    ph_space_correct(ph_system_space(system), state->z);
    ph_routh_turn_momentum(system, w->symmetry, -phase, state->p);
    state->z[w->nz] = phase;
}

const ph_variational_kernel ph_variational_routh = {
    .lay = lay, .init = init, .step = step, .synchronise = synchronise, .dense = true};
