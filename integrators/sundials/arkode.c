/* SPDX-License-Identifier: BSD-3-Clause */
/* Explicit Runge-Kutta methods with their error estimates, those that SUNDIALS's ARKODE (ERKStep) takes for an
 * order, by default Fehlberg's of order 8, estimate of order 7, 13 stages, in steps of its own choice; after each of
 * them the configuration is projected to the manifold and the velocity to its tangent space. The longest internal step survives in the carry, as
 * the first to be tried in the next step: to find one costs evaluations. */
#include <arkode/arkode_erkstep.h>

#include <math.h>
#include <stdio.h>

#include "sundials.h"

enum { ORDER = PH_SUNDIALS_BOUND + 1, PROJECTION };
static const ph_option options[] = {
    PH_FIELD_OPTION, PH_SUNDIALS_TOLERANCES(1e-14, 1e-14),
    [ORDER] = {.name = "order",
               .type = PH_OPTION_CHOICE,
               .initial = 3,
               .choices = "4 5 6 8",
               .text = "of the formula: Zonneveld's, Cash and Karp's, Verner's or Fehlberg's"},
    [PROJECTION] = {
        .name = "projection",
        .type = PH_OPTION_CHOICE,
        .choices = "internal-steps ends",
        .text =
            "to the manifold: after each internal step, or at the end of a step alone, as ARKODE is called without"}};

static int arkode_order_for(const ph_system *system, const double *values)
{
    static const int orders[] = {4, 5, 6, 8};
    (void)system;
    return orders[(int)values[ORDER]];
}

static ph_method_size arkode_size(const ph_system *system, const double *values)
{
    ph_method_size sizes = ph_sundials_size(system, values);
    sizes.carry++;
    return sizes;
}

/* After each internal step, which then evaluates F again there. Without it SUNDIALS before 6.7.0 takes the
 * last stage for that, as its node is 1; but this method's last stage is not the end of the step, and the
 * first stage of the next step is wrong: order and error estimate are lost. */
static int arkode_project(realtype t, N_Vector y, void *self)
{
    ph_sundials *w = self;
    (void)t;
    if (!w->still && !w->ends)
        w->status = ph_field_project(w->field, w->system, w->t + t, N_VGetArrayPointer(y), w->work);
    return w->status ? -1 : 0;
}

/* From the time `from`, with this internal step first (0: it finds one). */
static int arkode_begin(ph_sundials *w, double from, double first, double h)
{
    int flag = ERKStepReInit(w->memory, ph_sundials_evaluate, from, w->vector);
    if (flag >= 0)
        flag = ERKStepSetInitStep(w->memory, copysign(first, h));
    return flag < 0 ? flag : ERKStepSetStopTime(w->memory, h);
}

/* Internal steps one by one: of the last, which is cut to end at h, nothing can be learnt. One that led to
 * where the equations have no value was too long: SUNDIALS gives up there, and a tenth of it is tried. */
static int arkode_advance(ph_sundials *w, double h)
{
    enum { TENTHS = 8 };
    double longest = 0, done = 0, reached, last = 0;
    int flag = arkode_begin(w, 0, w->longest, h);
    for (long k = 0, shorter = 0; flag >= 0 && flag != ARK_TSTOP_RETURN; k++) {
        if (k == w->most) {
            snprintf(w->message, sizeof w->message, "%ld internal steps do not reach the end", w->most);
            return ARK_TOO_MUCH_WORK;
        }
        flag = ERKStepEvolve(w->memory, h, w->vector, &reached, ARK_ONE_STEP);
        if (flag >= 0) {
            ERKStepGetLastStep(w->memory, &last);
            longest = fmax(longest, fabs(last));
            done = reached;
            shorter = 0;
        } else if (ph_sundials_may_avoid(w, w->status) && shorter++ < TENTHS) {
            ERKStepGetCurrentStep(w->memory, &last);
            flag = arkode_begin(w, done, fabs(last) / 10, h);
        }
    }
    w->longest = longest;
    return flag;
}

static ph_status arkode_init(ph_context *context)
{
    ph_sundials *w = context->work;
    static const ARKODE_ERKTableID tables[] = {ARKODE_ZONNEVELD_5_3_4, ARKODE_CASH_KARP_6_4_5,
                                               ARKODE_VERNER_8_5_6, ARKODE_FEHLBERG_13_7_8};
    const double *values = context->options;
    ph_status status = ph_sundials_begin(context);
    if (status)
        return status;
    w->ends = values[PROJECTION] != 0;
    w->memory = ERKStepCreate(ph_sundials_evaluate, 0, w->vector, w->sun);
    return ph_sundials_ready(
        context,
        w->memory && !ERKStepSetErrHandlerFn(w->memory, ph_sundials_note, w) &&
            !ERKStepSetUserData(w->memory, w) && !ERKStepSetTableNum(w->memory, tables[(int)values[ORDER]]) &&
            !ERKStepSetPostprocessStepFn(w->memory, arkode_project) &&
            !ERKStepSetInterpolantDegree(w->memory, 1) && /* it is asked at its ends only */
            !ERKStepSStolerances(w->memory, values[PH_SUNDIALS_RTOL], values[PH_SUNDIALS_ATOL]),
        arkode_advance);
}

static void arkode_finish(ph_context *context)
{
    ph_sundials *w = context->work;
    if (w->memory)
        ERKStepFree(&w->memory);
    ph_sundials_end(w);
}

static ph_status arkode_step(ph_context *context, ph_state *state)
{
    ph_sundials *w = context->work;
    double *first = &state->carry[state->ncarry - 1];
    w->longest = *first;
    ph_status status = ph_sundials_step(context, state, arkode_advance);
    if (!status)
        *first = w->longest;
    return status;
}

const ph_method ph_method_arkode = {
    .name = "arkode",
    .summary =
        "explicit Runge-Kutta of order 4 to 8 with error control (SUNDIALS), each internal step projected",
    .reference = "Fehlberg, NASA TR R-287 (1968), by ARKODE: Reynolds et al., ACM TOMS 49 (2023) 19",
    .order = 4,
    .order_for = arkode_order_for,
    .claims = PH_CLAIM_MANIFOLD | PH_CLAIM_ADAPTIVE,
    .takes_constraints = true,
    .takes_spins = true,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = ph_field_projection_supports,
    .settle = ph_field_method_settle,
    .size = arkode_size,
    .init = arkode_init,
    .finish = arkode_finish,
    .step = arkode_step,
};
