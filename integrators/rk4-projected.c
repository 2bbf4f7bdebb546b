/* SPDX-License-Identifier: BSD-3-Clause */
/* The classical Runge-Kutta method of order 4 on the continuous Euler-Lagrange equations of (S^2)^n in the
 * chosen form; after each step q is projected back to the spheres and the velocity to their tangent planes.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table 1.2;
 * projection: Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.4. */
#include <polhode/equations.h>
#include <polhode/method.h>

typedef struct scratch {
    const ph_field *field;
    double *y, *work, *zp; /* (q, v); the field's scratch and the stages; configuration and momentum */
} scratch;

static const ph_option options[] = {
    {.name = "form",
     .type = PH_OPTION_CHOICE,
     .initial = 0,
     .choices = "q-qdot q-omega",
     .text = "formulation of the equations: (q, qdot), eq. (13), or (q, omega), eq. (19) of the two-spheres "
             "paper"},
};

static ph_method_size size(const ph_system *system, const double *values)
{
    const ph_field *field = ph_field_at((size_t)values[0]);
    size_t zp = ph_space_ambient(ph_system_space(system)) + ph_space_momenta(ph_system_space(system));
    size_t doubles = 4 * field->size(system) + field->work(system) + zp;
    return (ph_method_size){.work = sizeof(scratch) + doubles * sizeof(double),
                            .carry = ph_field_carry(field, system)};
}

static ph_status init(ph_context *context)
{
    scratch *w = context->work;
    w->field = ph_field_at((size_t)context->options[0]);
    w->y = (double *)(void *)(w + 1);
    w->work = w->y + w->field->size(context->system);
    w->zp = w->work + 3 * w->field->size(context->system) + w->field->work(context->system);
    return PH_OK;
}

static ph_status step(ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    ph_status status = ph_field_load(w->field, context->system, state, w->y, w->work);
    if (!status)
        status = ph_field_rk4(w->field, context->system, state->t, context->h, w->y, w->y, w->work);
    if (!status)
        status = w->field->project(context->system, w->y) ? PH_E_DIVERGED : PH_OK;
    if (!status)
        status = ph_field_store(w->field, context->system, w->y, state, w->work, w->zp);
    if (status)
        return ph_fail(context->error, status, "step from t = %.10g s, h = %.6g s: %s", state->t, context->h,
                       ph_status_text(status));
    return PH_OK;
}

const ph_method ph_method_rk4_projected = {
    .name = "rk4-projected",
    .summary = "classical Runge-Kutta, then projection to the manifold and its tangent space after each step",
    .reference = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table 1.2",
    .order = 4,
    .claims = PH_CLAIM_MANIFOLD,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .size = size,
    .init = init,
    .step = step,
};
