/* SPDX-License-Identifier: BSD-3-Clause */
/* The explicit Runge-Kutta method of order 8 with twelve stages of Dormand and Prince on the continuous equations of motion in the
 * chosen form (ph_field), on any space,
 *     k_i = F(t + c_i h, y + h sum_j a_ij k_j),      y <- y + h sum_i b_i k_i.
 * With fixed steps it brings nothing back to the manifold, like rk4; with error control see rk8-control.c. Fixed steps of chains of more than two links under
 * gravity alone are computed in one piece (ph_field_explicit_takes). */
#include "rk8-control.h"
#include "rk8-stages.h"

#include <string.h>

static const ph_option options[] = {
    [PH_RK8_FORM] = PH_FIELD_OPTION,
    [PH_RK8_RTOL] =
        {.name = "rtol",
         .type = PH_OPTION_NUMBER,
         .initial = 0,
         .min = 0,
         .max = 0.1,
         .text =
             "error of an internal step, relative to each factor and its velocity, from 1e-15 on; 0: steps as "
             "they are, without error control"},
    [PH_RK8_ATOL] = {.name = "atol",
                     .type = PH_OPTION_NUMBER,
                     .initial = 0,
                     .min = 0,
                     .max = 0.1,
                     .text = "the same, absolute, in the units of each unknown, in addition"},
    [PH_RK8_BOUND] = PH_ITERATIONS_OPTION,
};

/* Scratch of a fixed step, in vectors and some numbers: k_1 to k_12 and the stage, each with its room; y, in front of it, is read to
 * the end of a room, too. */
enum { VECTORS = PH_RK8_STAGES + 1, ROOM = 4 * VECTORS };

static ph_status advance(const ph_field *field, const ph_system *system, double t, double h, double *y,
                         double *work)
{
    const size_t n = field->size(system), room = ph_rk8_room(n);
    double *k = work, *stage = k + PH_RK8_STAGES * room, *rest = stage + room;
    ph_status status = field->evaluate(system, t, y, k, rest);
    if (!status)
        status = ph_rk8_stages(field, system, t, h, y, k, stage, rest);
    if (status)
        return status;
    ph_rk8_end(room, h, k, y, stage);
    memcpy(y, stage, n * sizeof *y);
    return PH_OK;
}

#define ENTRY(i, j, value) [(i)-1][(j)-1] = (value),
static const double table[PH_RK8_STAGES + 1][PH_RK8_STAGES] = {PH_RK8_TABLE(ENTRY)};
static const ph_explicit rk8 = {PH_RK8_STAGES, table[0]};

static bool is_controlled(const double *values)
{
    return values[PH_RK8_RTOL] > 0;
}

/* Is a step computed in one piece? */
static bool is_in_one(const ph_system *system, const double *values)
{
    return !is_controlled(values) &&
           ph_field_explicit_takes(ph_field_chosen(system, values[PH_RK8_FORM]), system);
}

static ph_method_size size(const ph_system *system, const double *values)
{
    if (is_controlled(values))
        return ph_rk8_control_size(system, values);
    if (is_in_one(system, values))
        return ph_field_explicit_size(system, values, &rk8);
    ph_method_size sizes = ph_field_method_size(system, values, VECTORS);
    sizes.work += ROOM * sizeof(double);
    return sizes;
}

static ph_status init(ph_context *context)
{
    if (is_controlled(context->options))
        return ph_rk8_control_init(context);
    if (context->options[PH_RK8_ATOL] > 0)
        return ph_fail(context->error, PH_E_INVALID,
                       "rk8: atol is for error control, which rtol turns on: give rtol as well");
    return is_in_one(context->system, context->options) ? ph_field_explicit_init(context, &rk8)
                                                        : ph_field_method_init(context);
}

static ph_status step(ph_context *context, ph_state *state)
{
    return is_controlled(context->options)                ? ph_rk8_control_step(context, state)
           : is_in_one(context->system, context->options) ? ph_field_rk4_step(context, state)
                                                          : ph_field_method_step(context, state, advance);
}

static void synchronise(ph_context *context, ph_state *state)
{
    if (is_in_one(context->system, context->options))
        ph_field_rk4_synchronise(context, state);
}

static unsigned claims(const ph_system *system, const double *values)
{
    return is_controlled(values) ? PH_CLAIM_MANIFOLD | PH_CLAIM_ADAPTIVE
                                 : ph_field_linear_claims(system, values);
}

const ph_method ph_method_rk8 = {
    .name = "rk8",
    .summary =
        "Runge-Kutta of order 8, twelve stages, on the continuous projected equations; explicit; on request with error control",
    .reference = "Dormand, Prince: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5 "
                 "(DOP853)",
    .order = 8,
    .claims_for = claims,
    .takes_constraints = true,
    .takes_spins = true,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .settle = ph_field_method_settle,
    .size = size,
    .init = init,
    .step = step,
    .synchronise = synchronise,
};
