/* SPDX-License-Identifier: BSD-3-Clause */
/* Which form of the variational integrator's step suits a system, by what it is seen to be. */
#include "integrators/shared/tensions.h"
#include "variational.h"

#include <polhode/domain/gravitation.h>
#include <polhode/kit/kernels.h>
#include <polhode/kit/tensions.h>

/* The kernel for a sparse system. Links in space that nothing but gravity acts on have kernels of their own. */
static const ph_variational_kernel *sparse_kernel(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const ph_linkage *linkage = ph_system_linkage(system);
    const unsigned paths = ph_fast_paths();
    size_t n = ph_space_factors(space), links;
    const bool chain = ph_is_row_of_links(system, &links), cart = links < n;
    if (!linkage || ph_system_has_force(system) || ph_system_has_further_potential(system) ||
        ph_space_factor(space, n - 1)->kind != PH_FACTOR_S2)
        return &ph_variational_multipliers;
    if (chain && links <= 2 && paths & PH_PATH_SHORT_CHAINS)
        return &ph_variational_short_chain;
    if (chain && paths & PH_PATH_CHAINS)
        return &ph_variational_chain;
    return cart || !(paths & PH_PATH_TREES) ? &ph_variational_multipliers : &ph_variational_tree;
}

/* That for links which a body carries. */
static const ph_variational_kernel *carried_kernel(const ph_system *system, const ph_system *links)
{
    size_t n;
    return ph_fast_paths() & PH_PATH_CHAINS && !ph_system_has_further_potential(system) &&
                   ph_is_row_of_links(links, &n)
               ? &ph_variational_cable
               : &ph_variational_carried;
}

const ph_variational_kernel *ph_variational_choose(const ph_system *system, const double *values)
{
    const ph_space *space = ph_system_space(system);
    const unsigned paths = ph_fast_paths();
    const ph_system *links;
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
    if (ph_system_carrier(system, &links) && ph_system_force_ignores_velocity(system))
        return carried_kernel(system, links);
    if (paths & PH_PATH_ARTICULATED && ph_system_articulation(system) &&
        ph_system_force_ignores_velocity(system))
        return &ph_variational_articulated;
    if (ph_system_is_gravitation(system))
        return &ph_variational_gravitation;
    return &ph_variational_product;
}

const ph_variational_kernel *ph_variational_choose_lanes(const ph_system *system, const double *values)
{
    const ph_variational_kernel *kernel = ph_variational_choose(system, values);
    const ph_space *space = ph_system_space(system);
    if (kernel == &ph_variational_gravitation)
        return ph_gravitation_has_tides(ph_system_gravitation(system)) ? NULL
                                                                       : &ph_variational_gravitation_lanes;
    if (kernel == &ph_variational_short_chain)
        return ph_space_factor(space, 0)->kind == PH_FACTOR_S2 ? &ph_variational_short_chain_lanes : NULL;
    if (kernel == &ph_variational_bodies)
        return ph_space_factors(space) == 1 && !ph_system_has_force(system) ? &ph_variational_bodies_lanes
                                                                            : NULL;
    if (kernel == &ph_variational_product)
        return ph_variational_product_has_lanes(system) ? &ph_variational_product_lanes : NULL;
    return NULL;
}
