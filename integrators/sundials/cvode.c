/* SPDX-License-Identifier: BSD-3-Clause */
/* Backward differentiation formulas of orders 1 to 5 in steps of their own choice by SUNDIALS's CVODE, each
 * projected to the manifold and its tangent space; Newton's iteration with a dense matrix by differences. For
 * stiff systems; or Adams formulas of orders 1 to 12, and a fixed-point iteration, for others. It is a multistep method, and begins at order 1 in each step of ours: let these be long. */
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <polhode/kit/algebra.h>

#include "sundials.h"

enum { METHOD = PH_SUNDIALS_BOUND + 1, ITERATION };
enum { BDF, ADAMS };
enum { NEWTON, FIXED_POINT };
static const ph_option options[] = {
    PH_FIELD_OPTION, PH_SUNDIALS_TOLERANCES(1e-10, 1e-10),
    [METHOD] =
        {.name = "method",
         .type = PH_OPTION_CHOICE,
         .choices = "bdf adams",
         .text =
             "backward differentiation, of order 1 to 5, for stiff systems; Adams-Moulton, of order 1 to 12, which SUNDIALS "
             "does not project after internal steps: the end of a step is"},
    [ITERATION] = {.name = "iteration",
                   .type = PH_OPTION_CHOICE,
                   .choices = "newton fixed-point",
                   .text = "for the equations of an internal step; without a matrix: fixed-point"}};

static int cvode_order_for(const ph_system *system, const double *values)
{
    (void)system;
    return values[METHOD] == ADAMS ? 12 : 5;
}

/* correction <- projection of y less y. */
static int cvode_project(realtype t, N_Vector y, N_Vector correction, realtype tolerance, N_Vector error,
                         void *self)
{
    ph_sundials *w = self;
    size_t m = w->field->size(w->system);
    const double *from = N_VGetArrayPointer(y);
    double *to = N_VGetArrayPointer(correction);
    (void)tolerance, (void)error;
    memcpy(to, from, m * sizeof *to);
    if (!w->still)
        w->status = ph_field_project(w->field, w->system, w->t + t, to, w->work);
    if (w->status)
        return ph_sundials_may_avoid(w, w->status) ? 1 : -1; /* 1: a smaller step may do */
    for (size_t i = 0; i < m; i++)
        to[i] -= from[i];
    return 0;
}

/* J <- dF/dy by differences. SUNDIALS's own asks for memory each time. */
static int cvode_jacobian(realtype t, N_Vector y, N_Vector F, SUNMatrix J, void *self, N_Vector moved,
                          N_Vector spare1, N_Vector spare2)
{
    ph_sundials *w = self;
    size_t m = w->field->size(w->system);
    double *at = N_VGetArrayPointer(y), largest = ph_max_norm(at, m);
    const double *F0 = N_VGetArrayPointer(F), *F1 = N_VGetArrayPointer(moved);
    double step = sqrt(DBL_EPSILON) * (largest > 0 ? largest : 1);
    int flag = 0;
    (void)spare1, (void)spare2;
    for (size_t j = 0; j < m && !flag; j++) {
        double *column = SUNDenseMatrix_Column(J, (sunindextype)j), here = at[j];
        volatile double there = here + step; /* volatile: what is stored, and nothing longer */
        at[j] = there;
        flag = ph_sundials_evaluate(t, y, moved, w);
        at[j] = here;
        for (size_t i = 0; i < m && !flag; i++)
            column[i] = (F1[i] - F0[i]) / (there - here);
    }
    return flag;
}

static int cvode_advance(ph_sundials *w, double h)
{
    double reached;
    int flag = CVodeReInit(w->memory, 0, w->vector);
    if (flag >= 0)
        flag = CVodeSetStopTime(w->memory, h);
    if (flag >= 0)
        flag = CVodeSetMaxNumSteps(w->memory, w->most);
    return flag < 0 ? flag : CVode(w->memory, h, w->vector, &reached, CV_NORMAL);
}

static ph_status cvode_init(ph_context *context)
{
    ph_sundials *w = context->work;
    const double *values = context->options;
    ph_status status = ph_sundials_begin(context);
    if (status)
        return status;
    const bool newton = values[ITERATION] == NEWTON;
    sunindextype m = (sunindextype)w->field->size(w->system);
    w->ends = values[METHOD] == ADAMS;
    w->memory = CVodeCreate(w->ends ? CV_ADAMS : CV_BDF, w->sun);
    w->matrix = newton ? SUNDenseMatrix(m, m, w->sun) : NULL;
    w->linear = w->matrix ? SUNLinSol_Dense(w->vector, w->matrix, w->sun) : NULL;
    w->fixed_point = newton ? NULL : SUNNonlinSol_FixedPoint(w->vector, 0, w->sun);
    return ph_sundials_ready(
        context,
        w->memory && (newton ? w->linear != NULL : w->fixed_point != NULL) &&
            !CVodeSetErrHandlerFn(w->memory, ph_sundials_note, w) && !CVodeSetUserData(w->memory, w) &&
            !CVodeInit(w->memory, ph_sundials_evaluate, 0, w->vector) &&
            !CVodeSStolerances(w->memory, values[PH_SUNDIALS_RTOL], values[PH_SUNDIALS_ATOL]) &&
            !(newton ? CVodeSetLinearSolver(w->memory, w->linear, w->matrix)
                     : CVodeSetNonlinearSolver(w->memory, w->fixed_point)) &&
            !(newton ? CVodeSetJacFn(w->memory, cvode_jacobian) : 0) &&
            !(w->ends ? 0 : CVodeSetProjFn(w->memory, cvode_project)) &&
            !(w->ends ? 0 : CVodeSetProjErrEst(w->memory, SUNFALSE)),
        cvode_advance);
}

static void cvode_finish(ph_context *context)
{
    ph_sundials *w = context->work;
    if (w->memory)
        CVodeFree(&w->memory);
    ph_sundials_end(w);
}

static ph_status cvode_step(ph_context *context, ph_state *state)
{
    ph_sundials *w = context->work;
    long passes = 0;
    ph_status status = ph_sundials_step(context, state, cvode_advance);
    if (!status && !CVodeGetNumNonlinSolvIters(w->memory, &passes))
        context->statistics->newton_passes += passes;
    return status;
}

const ph_method ph_method_cvode = {
    .name = "cvode",
    .summary = "backward differentiation or Adams formulas with error control (SUNDIALS), "
               "projected; implicit",
    .reference = "Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005) 363; "
                 "projection: Eich, SIAM J. Numer. Anal. 30 (1993) 1467",
    .order = 5,
    .order_for = cvode_order_for,
    .claims = PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT | PH_CLAIM_ADAPTIVE,
    .takes_constraints = true,
    .takes_spins = true,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = ph_field_projection_supports,
    .settle = ph_field_method_settle,
    .size = ph_sundials_size,
    .init = cvode_init,
    .finish = cvode_finish,
    .step = cvode_step,
};
