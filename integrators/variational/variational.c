/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator: one method, whose step is written in as many forms as there are kinds of system
 * worth one of their own. They are the same map; the equations stand in their files. */
#include "variational.h"
#include "integrators/shared/tensions.h"

#include <polhode/tensions.h>

static const ph_option options[] = {
    PH_VARIATIONAL_OPTION_ROWS("exponential for a general L(z, zdot), else ends")};

_Static_assert(sizeof options / sizeof options[0] == PH_VARIATIONAL_OPTIONS, "options in shared/methods.h");

int ph_variational_order(const ph_system *system, const double *values)
{
    int order;
    (void)system; /* of all the same */
    ph_composition_chosen(values[PH_VARIATIONAL_ORDER], values[PH_VARIATIONAL_COMPOSITION], &order);
    return order;
}

/* Of those for sparse systems: links in space that nothing but gravity acts on have kernels of their own. */
static const ph_variational_kernel *sparse_kernel(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const ph_linkage *linkage = ph_system_linkage(system);
    size_t n = ph_space_factors(space), links;
    const bool chain = ph_is_row_of_links(system, &links), cart = links < n;
    if (!linkage || ph_system_has_force(system) || ph_system_has_further_potential(system) ||
        ph_space_factor(space, n - 1)->kind != PH_FACTOR_S2)
        return &ph_variational_multipliers;
    if (chain && links <= 2)
        return &ph_variational_few;
    if (chain)
        return &ph_variational_chain;
    return cart ? &ph_variational_multipliers : &ph_variational_tree;
}

const ph_variational_kernel *ph_variational_kernel_for(const ph_system *system, const double *values)
{
    if (ph_system_whole(system, NULL))
        return &ph_variational_routh;
    const ph_space *space = ph_system_space(system);
    ph_discrete_rule rule = (ph_discrete_rule)values[PH_VARIATIONAL_RULE];
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

ph_status ph_variational_supports(const ph_system *system, const char *name, ph_error *err)
{
    if (ph_space_has_retraction(ph_system_space(system)))
        return PH_OK;
    return ph_fail(err, PH_E_UNSUPPORTED,
                   "%s moves the configuration on the manifold, "
                   "and one that is given by its projection alone has no retraction: "
                   "give its constraints, or use rk4",
                   name);
}

/* Does this kernel work with dense matrices, which the system does not have? */
static bool too_large(const ph_system *system, const ph_variational_kernel *kernel)
{
    return kernel->dense && !ph_system_is_dense(system);
}

/* The struct, the scratch of a kernel with this need, and the composition; the latter, or NULL. */
static void *lay_scratch(ph_variational *method, const ph_system *system, const double *values,
                         const ph_method_size *needed, ph_lay *l)
{
    ph_lay_bytes(l, sizeof *method);
    method->work = ph_lay_line(l, needed->work);
    return ph_variational_composition_of(values)
               ? ph_lay_line(l, ph_variational_composition_size(system, needed->carry))
               : NULL;
}

ph_method_size ph_variational_size(const ph_variational_kernel *kernel, const ph_system *system,
                                   const double *values)
{
    if (too_large(system, kernel))
        return (ph_method_size){.work = sizeof(ph_variational)};
    ph_variational counted;
    ph_lay l = {NULL, 0};
    ph_method_size own = kernel->size(system, values);
    lay_scratch(&counted, system, values, &own, &l);
    own.work = l.bytes;
    return own;
}

ph_status ph_variational_init(const ph_variational_kernel *kernel, ph_context *context)
{
    if (too_large(context->system, kernel))
        return ph_fail(
            context->error, PH_E_UNSUPPORTED,
            "this system has too many factors for dense matrices, and only the discrete Lagrangian `ends` "
            "(or automatic), without forces that depend on the velocity, does without them");
    const ph_composition *composition = ph_variational_composition_of(context->options);
    if (!ph_variational_order(context->system, context->options))
        return ph_fail(context->error, PH_E_INVALID,
                       "the composition %s is of order %d; leave out the order, or the composition",
                       composition->name, composition->order);
    ph_variational *method = context->work;
    const ph_method_size own = kernel->size(context->system, context->options);
    ph_lay l = {context->work, 0};
    *method = (ph_variational){.kernel = kernel};
    void *memory = lay_scratch(method, context->system, context->options, &own, &l);
    if (composition)
        ph_variational_composition_init(method, context->h, composition, memory);
    return kernel->init(method, context);
}

ph_status ph_variational_step(ph_context *context, ph_state *state)
{
    ph_variational *method = context->work;
    return method->composition ? ph_variational_composition_step(method, context, state)
                               : method->kernel->step(method, context, state);
}

void ph_variational_synchronise(ph_context *context, ph_state *state)
{
    ph_variational *method = context->work;
    if (method->kernel->synchronise)
        method->kernel->synchronise(method, state);
}

/* ---- The method ---------------------------------------------------------------------------------- */

static ph_status supports(const ph_system *system, ph_error *err)
{
    return ph_variational_supports(system, "variational", err);
}

static ph_method_size size(const ph_system *system, const double *values)
{
    return ph_variational_size(ph_variational_kernel_for(system, values), system, values);
}

static ph_status init(ph_context *context)
{
    return ph_variational_init(ph_variational_kernel_for(context->system, context->options), context);
}

const ph_method ph_method_variational = {
    .name = "variational",
    .summary =
        "variational integrator with exponential-map update; implicit, symplectic, momentum-preserving",
    .reference = "Lee, Leok, McClamroch, Int. J. Numer. Meth. Eng. 79 (2009) 1147; "
                 "Marsden, West, Acta Numerica 10 (2001)",
    .order = 2,
    .order_for = ph_variational_order,
    .claims =
        PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .options = options,
    .n_options = PH_VARIATIONAL_OPTIONS,
    .supports = supports,
    .size = size,
    .init = init,
    .step = ph_variational_step,
    .synchronise = ph_variational_synchronise,
    .takes_reduced = true,
};
