/* SPDX-License-Identifier: BSD-3-Clause */
/* The classical Runge-Kutta method of order 4 on the continuous equations of motion in the chosen form
 * (ph_field), on any space; after each step z is projected to the nearest point of the manifold, and the
 * velocity to the tangent space there. The step is in lib/equations/rk4.c. */
#include <polhode/kit/equations.h>
#include <polhode/method.h>

static const ph_option options[] = {PH_FIELD_OPTION};

static ph_status init(ph_context *context)
{
    return ph_field_rk4_init(context, true);
}

static const ph_method *lanes(const ph_system *system, const double *values)
{
    return ph_field_rk4_lanes(system, values, true);
}

const ph_method ph_method_rk4_projected = {
    .name = "rk4-projected",
    .summary = "classical Runge-Kutta, then projection to the manifold and its tangent space after each step",
    .reference = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table 1.2; "
                 "projection: Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.4",
    .order = 4,
    .claims = PH_CLAIM_MANIFOLD,
    .takes_constraints = true,
    .takes_spins = true,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = ph_field_projection_supports,
    .settle = ph_field_method_settle,
    .size = ph_field_rk4_size,
    .init = init,
    .step = ph_field_rk4_step,
    .synchronise = ph_field_rk4_synchronise,
    .lanes = lanes,
};
