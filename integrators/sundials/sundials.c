/* SPDX-License-Identifier: BSD-3-Clause */
/* What the methods that SUNDIALS provides share: the exchange between its vectors and a formulation, the
 * meaning of its failures, and the step of a method around its own. SUNDIALS prints its messages unless it
 * has a handler. */
#include "sundials.h"

#include <polhode/kit/algebra.h>

#include <string.h>

ph_method_size ph_sundials_size(const ph_system *system, const double *options)
{
    const ph_field *field = ph_field_chosen(system, options[0]);
    if (ph_field_supports(field, system, NULL))
        return (ph_method_size){.work = sizeof(ph_sundials), .carry = 1};
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space), store = nz + ph_space_momenta(space), m = field->size(system);
    return (ph_method_size){.work = sizeof(ph_sundials) + (m + store + field->work(system)) * sizeof(double),
                            .carry = 1 + m - nz};
}

ph_status ph_sundials_begin(ph_context *context)
{
    ph_sundials *w = context->work;
    *w = (ph_sundials){.field = ph_field_chosen(context->system, context->options[0]),
                       .system = context->system};
    ph_status status = ph_field_supports(w->field, context->system, context->error);
    if (status)
        return status;
    size_t m = w->field->size(context->system);
    w->y = (double *)(void *)(w + 1);
    w->work = w->y + m;
    if (SUNContext_Create(NULL, &w->sun)) {
        w->sun = NULL;
        return ph_fail(context->error, PH_E_NO_MEMORY, "out of memory (a context of SUNDIALS)");
    }
    w->vector = N_VMake_Serial((sunindextype)m, w->y, w->sun);
    return w->vector ? PH_OK
                     : ph_fail(context->error, PH_E_NO_MEMORY, "out of memory (a vector of SUNDIALS)");
}

void ph_sundials_end(ph_sundials *w)
{
    if (w->fixed_point)
        SUNNonlinSolFree(w->fixed_point);
    if (w->linear)
        SUNLinSolFree(w->linear);
    if (w->matrix)
        SUNMatDestroy(w->matrix);
    if (w->vector)
        N_VDestroy(w->vector);
    if (w->sun)
        SUNContext_Free(&w->sun);
}

/* 0: success; 1: the equations have no value here, and a smaller step may avoid it; -1: a callback failed. */
int ph_sundials_evaluate(realtype t, N_Vector y, N_Vector ydot, void *self)
{
    ph_sundials *w = self;
    double *F = N_VGetArrayPointer(ydot);
    size_t m = w->field->size(w->system);
    if (w->still) {
        memset(F, 0, m * sizeof *F);
        return 0;
    }
    if (w->failed)
        return -1;
    w->evaluations++;
    ph_status status = w->field->evaluate(w->system, w->t + t, N_VGetArrayPointer(y), F, w->work);
    if (!status && !ph_all_finite(F, m))
        status = PH_E_DIVERGED;
    w->status = status;
    if (ph_sundials_may_avoid(w, status))
        return 1;
    w->failed = status;
    return status ? -1 : 0;
}

void ph_sundials_note(int code, const char *module, const char *function, char *message, void *self)
{
    ph_sundials *w = self;
    size_t n = strcspn(message, "\n");
    (void)code, (void)module, (void)function;
    n = n < sizeof w->message ? n : sizeof w->message - 1;
    memcpy(w->message, message, n);
    w->message[n] = '\0';
}

ph_status ph_sundials_ready(ph_context *context, bool made, ph_sundials_advance advance)
{
    ph_sundials *w = context->work;
    memset(w->y, 0, w->field->size(w->system) * sizeof *w->y);
    w->still = true;
    w->longest = 0;
    w->most = PH_SUNDIALS_MOST;
    made = made && advance(w, context->h) >= 0;
    w->most = (long)ph_context_most(context, PH_SUNDIALS_MOST);
    w->still = false;
    return made ? PH_OK
                : ph_fail(context->error, PH_E_NO_MEMORY,
                          "SUNDIALS cannot begin, most likely for want of memory%s%s",
                          w->message[0] ? ": " : "", w->message);
}

ph_status ph_sundials_step(ph_context *context, ph_state *state, ph_sundials_advance advance)
{
    ph_sundials *w = context->work;
    w->t = state->t;
    ph_status status = ph_field_load(w->field, w->system, state, w->y, w->work);
    w->status = w->failed = PH_OK;
    w->message[0] = '\0';
    w->evaluations = 0;
    if (!status && advance(w, context->h) < 0)
        status = w->status ? w->status : PH_E_NO_CONVERGENCE;
    if (w->failed) /* after it the fixed-point iteration of CVODE goes on */
        status = w->failed;
    context->statistics->evaluations += w->evaluations;
    if (!status && w->ends)
        status = ph_field_project(w->field, w->system, w->t + context->h, w->y, w->work);
    if (!status)
        status = ph_field_store(w->field, w->system, w->t + context->h, w->y, state, w->work);
    if (status == PH_E_NO_CONVERGENCE)
        return ph_fail(context->error, status,
                       "step from t = %.10g s, h = %.6g s: %s (SUNDIALS, time from there: %s)", state->t,
                       context->h, ph_status_text(status), w->message);
    if (status)
        return ph_fail(context->error, status, "step from t = %.10g s, h = %.6g s: %s", state->t, context->h,
                       ph_status_text(status));
    return PH_OK;
}
