/* SPDX-License-Identifier: BSD-3-Clause */
/* What all methods on a formulation of the continuous equations share: the exchange between y and a state
 * whose carry begins with (1 if filled, w), scratch, and a step around the method's own advance of y. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/equations.h>

#include <string.h>

/* The scratch. */
typedef struct scratch {
    const ph_field *field;
    double *y, *work; /* (z, w); scratch of the advance or of store, then of the field's functions */
} scratch;

unsigned ph_field_linear_claims(const ph_system *system, const double *options)
{
    (void)options;
    return ph_spins_are_declared(system) && !ph_spins_are_damped(system) ? PH_CLAIM_MOMENTUM : 0;
}

/* y <- from the state: where the carry is filled, it has the numbers behind z with all their digits, and
 * also the part of a velocity off the tangent space, which p does not have. */
ph_status ph_field_load(const ph_field *field, const ph_system *system, const ph_state *state, double *y,
                        double *work)
{
    if (!field || !system || !state)
        return PH_E_INVALID;
    if (state->carry[0] == 0)
        return field->from_momentum(system, state->t, state->z, state->p, y, work);
    memcpy(y, state->z, state->nz * sizeof *y);
    memcpy(y + state->nz, state->carry + 1, (field->size(system) - state->nz) * sizeof *y);
    return PH_OK;
}

/* The state <- y, whole or not at all. */
ph_status ph_field_store(const ph_field *field, const ph_system *system, double t, const double *y,
                         ph_state *state, double *work)
{
    if (!field || !system || !state)
        return PH_E_INVALID;
    size_t nz = state->nz, np = state->np, m = field->size(system);
    double *z = work, *p = work + nz;
    ph_status status = field->to_momentum(system, t, y, z, p, p + np);
    if (status)
        return status;
    if (!ph_all_finite(y, m) || !ph_all_finite(p, np))
        return PH_E_DIVERGED;
    memcpy(state->z, z, nz * sizeof *z);
    memcpy(state->p, p, np * sizeof *p);
    memcpy(state->carry + 1, y + nz, (m - nz) * sizeof *y);
    state->carry[0] = 1;
    return PH_OK;
}

ph_method_size ph_field_method_size(const ph_system *system, const double *options, size_t vectors)
{
    const ph_field *field = ph_field_chosen(system, options[0]);
    if (ph_field_supports(field, system, NULL))
        return (ph_method_size){.work = sizeof(scratch), .carry = 1};
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space), store = nz + ph_space_momenta(space), m = field->size(system);
    size_t scratch_size = vectors * m > store ? vectors * m : store;
    return (ph_method_size){.work =
                                sizeof(scratch) + (m + scratch_size + field->work(system)) * sizeof(double),
                            .carry = 1 + m - nz};
}

ph_status ph_field_method_init(ph_context *context)
{
    scratch *w = context->work;
    w->field = ph_field_chosen(context->system, context->options[0]);
    ph_status status = ph_field_supports(w->field, context->system, context->error);
    if (status)
        return status;
    w->y = (double *)(void *)(w + 1);
    w->work = w->y + w->field->size(context->system);
    return PH_OK;
}

ph_status ph_field_method_step(ph_context *context, ph_state *state, ph_field_advance advance)
{
    const scratch *w = context->work;
    ph_status status = ph_field_load(w->field, context->system, state, w->y, w->work);
    if (!status)
        status = advance(w->field, context->system, state->t, context->h, w->y, w->work);
    if (!status)
        status = ph_field_store(w->field, context->system, state->t + context->h, w->y, state, w->work);
    if (status)
        return ph_fail(context->error, status, "step from t = %.10g s, h = %.6g s: %s", state->t, context->h,
                       ph_status_text(status));
    return PH_OK;
}
