/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator: one method, whose step is written in as many forms as there are kinds of system
 * worth one of their own. They are the same map; the equations stand in their files. */
#include "variational.h"

static const ph_variational_kernel *kernel_for(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    bool spheres = ph_system_inertia(system) != NULL;
    for (size_t i = 0; i < ph_space_factors(space); i++)
        spheres = spheres && ph_space_factor(space, i)->kind == PH_FACTOR_S2;
    if (spheres)
        return &ph_variational_spheres;
    if (ph_system_bodies(system) && ph_system_force_ignores_velocity(system))
        return &ph_variational_bodies;
    return &ph_variational_product;
}

static ph_status supports(const ph_system *system, ph_error *err)
{
    const ph_space *space = ph_system_space(system);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        if (f->kind == PH_FACTOR_EMBEDDED)
            return ph_fail(
                err, PH_E_UNSUPPORTED,
                "factor %zu is an embedded manifold (%s): variational has no step for these; rk4 has, and "
                "rk4-projected",
                i + 1, f->embedding->name);
    }
    return PH_OK;
}

static ph_method_size size(const ph_system *system, const double *options)
{
    return kernel_for(system)->size(system, options);
}

static ph_status init(ph_context *context)
{
    return kernel_for(context->system)->init(context);
}

static ph_status step(ph_context *context, ph_state *state)
{
    const ph_variational_head *head = context->work;
    return head->kernel->step(context, state);
}

const ph_method ph_method_variational = {
    .name = "variational",
    .summary =
        "variational integrator with exponential-map update; implicit, symplectic, momentum-preserving",
    .reference =
        "Lee, Leok, McClamroch, Int. J. Numer. Meth. Eng. 79 (2009) 1147; Marsden, West, Acta Numerica "
        "10 (2001)",
    .order = 2,
    .claims =
        PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .supports = supports,
    .size = size,
    .init = init,
    .step = step,
};
