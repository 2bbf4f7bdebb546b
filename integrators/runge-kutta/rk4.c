/* SPDX-License-Identifier: BSD-3-Clause */
/* The classical Runge-Kutta method of order 4 on the continuous Euler-Lagrange equations of (S^2)^n in the
 * chosen form, as they are: nothing brings q back to the spheres or the velocity to their tangent planes.
 * The carry holds the velocity, so that its part off the tangent space survives a step. */
#include <polhode/equations.h>
#include <polhode/method.h>

static const ph_option options[] = {PH_FIELD_OPTION};

static ph_status init(ph_context *context)
{
    return ph_field_rk4_init(context, false);
}

const ph_method ph_method_rk4 = {
    .name = "rk4",
    .summary = "classical Runge-Kutta on the continuous projected equations; explicit",
    .reference = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table 1.2",
    .order = 4,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .settle = ph_field_method_settle,
    .size = ph_field_rk4_size,
    .init = init,
    .step = ph_field_rk4_step,
    .synchronise = ph_field_rk4_synchronise,
};
