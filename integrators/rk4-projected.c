/* SPDX-License-Identifier: BSD-3-Clause */
/* The classical Runge-Kutta method of order 4 on the continuous Euler-Lagrange equations of (S^2)^n in the
 * chosen form; after each step q is projected back to the spheres and the velocity to their tangent planes.
 */
#include <polhode/equations.h>
#include <polhode/method.h>

static const ph_option options[] = {PH_FIELD_OPTION};

static ph_status advance(const ph_field *field, const ph_system *system, double t, double h, double *y,
                         double *work)
{
    ph_status status = ph_field_rk4(field, system, t, h, y, work);
    if (status)
        return status;
    status = field->project(system, y);
    /* what has no projection (zero, NaN) is no longer near the manifold */
    return status == PH_E_NOT_ON_MANIFOLD ? PH_E_DIVERGED : status;
}

static ph_status supports(const ph_system *system, ph_error *err)
{
    if (ph_space_has_retraction(ph_system_space(system)))
        return PH_OK;
    return ph_fail(
        err, PH_E_UNSUPPORTED,
        "rk4-projected needs a nearest point: give the embedded manifold by its constraints, or use rk4");
}

static ph_method_size size(const ph_system *system, const double *values)
{
    return ph_field_method_size(system, values, PH_FIELD_RK4_VECTORS);
}

static ph_status step(ph_context *context, ph_state *state)
{
    return ph_field_method_step(context, state, advance);
}

const ph_method ph_method_rk4_projected = {
    .name = "rk4-projected",
    .summary = "classical Runge-Kutta, then projection to the manifold and its tangent space after each step",
    .reference =
        "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table 1.2; projection: Hairer, "
        "Lubich, Wanner, Geometric Numerical Integration, IV.4",
    .order = 4,
    .claims = PH_CLAIM_MANIFOLD,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = supports,
    .size = size,
    .init = ph_field_method_init,
    .step = step,
};
