/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator: one method, whose step is written in as many forms as there are kinds of system
 * worth one of their own. They are the same map; the equations stand in their files. */
#include "variational.h"

#include <polhode/tensions.h>

static const ph_option options[] = {{
    .name = "discrete-lagrangian",
    .type = PH_OPTION_CHOICE,
    .initial = PH_RULE_AUTOMATIC,
    .choices = PH_RULE_WORDS,
    .text = "quadrature of the Lagrangian over a step: at its ends or its midpoint, with the chord as "
            "velocity or "
            "with that of the exponential map; automatic: exponential for a general L(z, zdot), else ends",
}};

/* Of those for sparse systems: links in space that nothing but gravity acts on have kernels of their own. */
static const ph_variational_kernel *sparse_kernel(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const ph_linkage *linkage = ph_system_linkage(system);
    size_t n = ph_space_factors(space);
    bool chain = true;
    if (!linkage || ph_system_has_force(system) || ph_system_has_potential_beside(system) ||
        ph_space_factor(space, n - 1)->kind != PH_FACTOR_S2)
        return &ph_variational_multipliers;
    for (size_t i = 0; i < n; i++)
        chain = chain && linkage->parent[i] == (i ? i - 1 : PH_NO_INDEX);
    return chain && (n > 2 || ph_space_factor(space, 0)->kind != PH_FACTOR_S2) ? &ph_variational_chain
           : ph_space_factor(space, 0)->kind == PH_FACTOR_S2 && chain          ? &ph_variational_tree
           : ph_space_factor(space, 0)->kind == PH_FACTOR_S2                   ? &ph_variational_forest
                                                                               : &ph_variational_multipliers;
}

static const ph_variational_kernel *kernel_for(const ph_system *system, const double *values)
{
    const ph_space *space = ph_system_space(system);
    ph_discrete_rule rule = (ph_discrete_rule)values[0];
    bool spheres = ph_system_inertia(system) != NULL;
    bool general =
        ph_system_kind(system) != PH_INERTIA_CONSTANT || (rule != PH_RULE_AUTOMATIC && rule != PH_RULE_ENDS);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        spheres = spheres && ph_space_factor(space, i)->kind == PH_FACTOR_S2;
        general = general || ph_space_factor(space, i)->kind == PH_FACTOR_EMBEDDED;
    }
    if (general)
        return &ph_variational_general;
    if (ph_system_is_sparse(system) && ph_system_force_ignores_velocity(system))
        return sparse_kernel(system);
    if (spheres)
        return &ph_variational_spheres;
    if (ph_system_bodies(system) && ph_system_force_ignores_velocity(system))
        return &ph_variational_bodies;
    if (ph_system_articulation(system) && ph_system_force_ignores_velocity(system))
        return &ph_variational_articulated;
    return &ph_variational_product;
}

static ph_status supports(const ph_system *system, ph_error *err)
{
    if (ph_space_has_retraction(ph_system_space(system)))
        return PH_OK;
    return ph_fail(
        err, PH_E_UNSUPPORTED,
        "variational moves the configuration on the manifold, and one that is given by its projection "
        "alone has no retraction: give its constraints, or use rk4");
}

/* Does this kernel work with dense matrices, which the system does not have? */
static bool too_large(const ph_system *system, const ph_variational_kernel *kernel)
{
    return kernel->dense && !ph_system_is_dense(system);
}

static ph_method_size size(const ph_system *system, const double *values)
{
    const ph_variational_kernel *kernel = kernel_for(system, values);
    return too_large(system, kernel) ? (ph_method_size){.work = sizeof(ph_variational_head)}
                                     : kernel->size(system, values);
}

static ph_status init(ph_context *context)
{
    const ph_variational_kernel *kernel = kernel_for(context->system, context->options);
    if (too_large(context->system, kernel))
        return ph_fail(
            context->error, PH_E_UNSUPPORTED,
            "this system has too many factors for dense matrices, and only the discrete Lagrangian `ends` "
            "(or automatic), without forces that depend on the velocity, does without them");
    return kernel->init(context);
}

static ph_status step(ph_context *context, ph_state *state)
{
    const ph_variational_head *head = context->work;
    return head->kernel->step(context, state);
}

static void synchronise(ph_context *context, ph_state *state)
{
    const ph_variational_head *head = context->work;
    if (head->kernel->synchronise)
        head->kernel->synchronise(context, state);
}

static ph_status init_plain(ph_context *context)
{
    ph_status status = init(context);
    const ph_variational_head *head = context->work;
    if (!status && head->kernel->plain)
        head->kernel->plain(context);
    return status;
}

#define PH_VARIATIONAL(start)                                                                                \
    {                                                                                                        \
        .name = "variational",                                                                               \
        .summary =                                                                                           \
            "variational integrator with exponential-map update; implicit, symplectic, momentum-preserving", \
        .reference =                                                                                         \
            "Lee, Leok, McClamroch, Int. J. Numer. Meth. Eng. 79 (2009) 1147; Marsden, West, Acta Numerica " \
            "10 (2001)",                                                                                     \
        .order = 2,                                                                                          \
        .claims = PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD |         \
                  PH_CLAIM_IMPLICIT,                                                                         \
        .options = options, .n_options = sizeof options / sizeof options[0], .supports = supports,           \
        .size = size, .init = (start), .step = step, .synchronise = synchronise,                             \
    }

const ph_method ph_method_variational = PH_VARIATIONAL(init);
const ph_method ph_method_variational_plain = PH_VARIATIONAL(init_plain);
