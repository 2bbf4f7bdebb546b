/* SPDX-License-Identifier: BSD-3-Clause */
/* What all methods on a formulation of the continuous equations share: the exchange between y and a state
 * whose carry is (1 if filled, velocity part of y), scratch, and a step around the method's own advance of y.
 */
#include <polhode/algebra.h>
#include <polhode/equations.h>

#include <string.h>

/* The scratch. */
typedef struct scratch {
    const ph_field *field;
    double *y, *zp, *work; /* (q, v); configuration and momentum; the advance's and the field's scratch */
} scratch;

static ph_status load(const ph_context *context, const ph_state *state)
{
    const scratch *w = context->work;
    if (state->carry[0] == 0)
        return w->field->from_momentum(context->system, state->z, state->p, w->y, w->work);
    memcpy(w->y, state->z, state->nz * sizeof *w->y);
    memcpy(w->y + state->nz, state->carry + 1, (state->ncarry - 1) * sizeof *w->y);
    return PH_OK;
}

static ph_status store(const ph_context *context, ph_state *state)
{
    const scratch *w = context->work;
    size_t nz = state->nz, np = state->np;
    w->field->to_momentum(context->system, w->y, w->zp, w->zp + nz, w->work);
    if (!ph_all_finite(w->y, w->field->size(context->system)) || !ph_all_finite(w->zp + nz, np))
        return PH_E_DIVERGED;
    memcpy(state->z, w->zp, nz * sizeof *w->zp);
    memcpy(state->p, w->zp + nz, np * sizeof *w->zp);
    memcpy(state->carry + 1, w->y + nz, (state->ncarry - 1) * sizeof *w->y);
    state->carry[0] = 1;
    return PH_OK;
}

ph_method_size ph_field_method_size(const ph_system *system, const double *options, size_t vectors)
{
    const ph_field *field = ph_field_at((size_t)options[0]);
    size_t nz = ph_space_ambient(ph_system_space(system)), np = ph_space_momenta(ph_system_space(system));
    size_t m = field->size(system), doubles = m + nz + np + vectors * m + field->work(system);
    return (ph_method_size){.work = sizeof(scratch) + doubles * sizeof(double), .carry = 1 + m - nz};
}

ph_status ph_field_method_init(ph_context *context)
{
    scratch *w = context->work;
    w->field = ph_field_at((size_t)context->options[0]);
    const ph_space *space = ph_system_space(context->system);
    w->y = (double *)(void *)(w + 1);
    w->zp = w->y + w->field->size(context->system);
    w->work = w->zp + ph_space_ambient(space) + ph_space_momenta(space);
    return PH_OK;
}

ph_status ph_field_method_step(ph_context *context, ph_state *state, ph_field_advance advance)
{
    scratch *w = context->work;
    ph_status status = load(context, state);
    if (!status)
        status = advance(w->field, context->system, state->t, context->h, w->y, w->work);
    if (!status)
        status = store(context, state);
    if (status)
        return ph_fail(context->error, status, "step from t = %.10g s, h = %.6g s: %s", state->t, context->h,
                       ph_status_text(status));
    return PH_OK;
}
