/* SPDX-License-Identifier: BSD-3-Clause */
/* The classical Runge-Kutta method of order 4 on the continuous equations of motion in the chosen form
 * (ph_field), on any space, as they are: nothing brings z back to the manifold or the velocity to its
 * tangent space. The carry holds the velocity, so that its part off the tangent space survives a step. The
 * step is in lib/equations/rk4.c. */
#include <polhode/kit/equations.h>
#include <polhode/method.h>

static const ph_option options[] = {PH_FIELD_OPTION};

static ph_status init(ph_context *context)
{
    return ph_field_rk4_init(context, false);
}

static const ph_method *lanes(const ph_system *system, const double *values)
{
    return ph_field_rk4_lanes(system, values, false);
}

const ph_method ph_method_rk4 = {
    .name = "rk4",
    .summary = "classical Runge-Kutta on the continuous projected equations; explicit",
    .reference = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table 1.2",
    .order = 4,
    .claims_for = ph_field_linear_claims,
    .takes_constraints = true,
    .takes_spins = true,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .settle = ph_field_method_settle,
    .size = ph_field_rk4_size,
    .init = init,
    .step = ph_field_rk4_step,
    .synchronise = ph_field_rk4_synchronise,
    .lanes = lanes,
};
