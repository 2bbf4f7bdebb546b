/* SPDX-License-Identifier: BSD-3-Clause */
/* The discrete Lagrange-d'Alembert integrator, for systems with velocity constraints A(t, z) zdot = b(t, z):
 * the variational step for any Lagrangian with the discrete constraint by the same points, and the momentum
 * put on the constraint at its end (general-constraints.c). A self-adjoint map of the states on the constraint into themselves,
 * of order 2, and composed of order 4, 6 and 8. It is not symplectic, as the motion is not. */
#include "variational.h"

#include <polhode/constraints.h>
#include <polhode/kit/rolling.h>
#include <polhode/kit/train.h>

static const ph_option options[] = {PH_VARIATIONAL_OPTION_ROWS("exponential")};

_Static_assert(sizeof options / sizeof options[0] == PH_VARIATIONAL_OPTIONS, "options in shared/methods.h");

static ph_status supports(const ph_system *system, ph_error *err)
{
    if (!ph_system_constraints(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "dla is for systems with velocity constraints, and this one has none: use variational");
    return ph_variational_supports(system, "dla", err);
}

/* A body that rolls on a plane has a kernel, and a train on wheels, unless a rule is named. */
static const ph_variational_kernel *choose(const ph_system *system, const double *values)
{
    if (values[PH_VARIATIONAL_RULE] != PH_RULE_AUTOMATIC)
        return &ph_variational_general;
    return ph_system_rolling(system)                                             ? &ph_variational_rolling
           : ph_system_train(system) && ph_system_force_ignores_velocity(system) ? &ph_variational_train
                                                                                 : &ph_variational_general;
}

static ph_method_size size(const ph_system *system, const double *values)
{
    return ph_variational_size(choose(system, values), system, values);
}

static ph_status init(ph_context *context)
{
    return ph_variational_init(choose(context->system, context->options), context);
}

const ph_method ph_method_dla = {
    .name = "dla",
    .summary = "discrete Lagrange-d'Alembert integrator for velocity constraints (nonholonomic systems); "
               "implicit, symmetric, keeps the constraints",
    .reference = "Cortes, Martinez, Nonlinearity 14 (2001) 1365; "
                 "McLachlan, Perlmutter, J. Nonlinear Sci. 16 (2006) 283",
    .order = 2,
    .order_for = ph_variational_order,
    .claims = PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .options = options,
    .n_options = PH_VARIATIONAL_OPTIONS,
    .takes_constraints = true,
    .supports = supports,
    .size = size,
    .init = init,
    .step = ph_variational_step,
    .synchronise = ph_variational_synchronise,
};
