/* SPDX-License-Identifier: BSD-3-Clause */
/* A bundle is made of a system: does the action fit its space, are there as many constraints as dimensions
 * of the group, and which numbers of z belong to base and group. */
#include <polhode/constraints.h>

#include "bundle.h"
#include "lib/internal/missing.h"
#include "lib/system/structure.h"

#include <stdlib.h>

/* Is this factor where the action has one of the group? *dimension += its own. */
static bool fits(const ph_bundle_action *action, size_t i, const ph_factor_place *f, size_t *dimension)
{
    *dimension += f->nx;
    switch (action->group.kind) {
    case PH_GROUP_R:
        return f->kind == PH_FACTOR_R;
    case PH_GROUP_S1:
        return i == 0 && f->kind == PH_FACTOR_S1;
    case PH_GROUP_SE2:
        return i == 0 ? f->kind == PH_FACTOR_R && f->nx == 2 : i == 1 && f->kind == PH_FACTOR_S1;
    case PH_GROUP_SO3:
        return i == 0 && f->kind == PH_FACTOR_SO3;
    }
    return false;
}

static ph_status check_action(const ph_system *system, const ph_bundle_action *action, ph_error *err)
{
    static const char *const wanted[] = {"R^d with k dimensions together", "one S^1", "an R^2 and an S^1",
                                         "one SO(3)"};
    const ph_space *space = ph_system_space(system);
    const size_t factors = ph_space_factors(space), g = ph_group_dimension(action->group);
    size_t dimension = 0;
    bool right = action->factor && action->n_factors;
    if ((unsigned)action->group.kind > PH_GROUP_SO3)
        return ph_fail(err, PH_E_INVALID, "group.kind is %d: it is to be R^k, S^1, SE(2) or SO(3)",
                       (int)action->group.kind);
    for (size_t i = 0; i < action->n_factors && right; i++) {
        const size_t k = action->factor[i];
        if (k >= factors)
            return ph_fail(err, PH_E_INVALID, "factor %zu of the action is number %zu, of %zu", i, k,
                           factors);
        for (size_t j = 0; j < i; j++)
            if (action->factor[j] == k)
                return ph_fail(err, PH_E_INVALID, "factor %zu is twice in the action", k);
        right = fits(action, i, ph_space_factor(space, k), &dimension);
    }
    if (!right || dimension != g || g > PH_GROUP_MOST)
        return ph_fail(err, PH_E_INVALID, "the factors of the action do not make the group: it takes %s",
                       wanted[action->group.kind]);
    if (action->inverse && action->group.kind != PH_GROUP_S1 && action->group.kind != PH_GROUP_SO3)
        return ph_fail(err, PH_E_INVALID, "only S^1 and SO(3) can be the inverse of a factor");
    if (action->n_factors == factors)
        return ph_fail(err, PH_E_INVALID, "all factors of the space are in the group: no base is left");
    return PH_OK;
}

static ph_status check_system(const ph_system *system, const ph_bundle_action *action, ph_error *err)
{
    const size_t m = ph_system_constraints(system), g = ph_group_dimension(action->group);
    const char *bare = ph_structure_of(system)->no_velocities;
    if (bare)
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "Chaplygin reduction is of systems with velocity constraints; %s", bare);
    if (!ph_space_is_homogeneous(ph_system_space(system)))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "the space has an embedded manifold; it is to be a product of R^d, S^1, S^2 and SO(3)");
    if (ph_system_kind(system) == PH_LAGRANGIAN_GENERAL || !ph_system_is_dense(system))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "Chaplygin reduction needs a Lagrangian with a (dense) inertia and a potential");
    if (m < g)
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "the system has %zu constraints, fewer than the %zu dimensions of the group: there is a "
            "momentum equation besides the constraints, which is not Chaplygin's case; take a "
            "smaller group",
            m, g);
    if (m > g)
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "the system has %zu constraints, more than the %zu dimensions of the group: a_G is not "
            "square, so that there is no connection; take a larger group",
            m, g);
    return PH_OK;
}

/* base_z, fibre_z, and the base. */
static ph_status split(ph_bundle *b, const ph_bundle_action *action, ph_error *err)
{
    const ph_space *space = ph_system_space(b->system);
    const size_t n = ph_space_factors(space), nz = ph_space_ambient(space);
    ph_factor *factor = calloc(n, sizeof *factor);
    ph_space *base = NULL;
    size_t bases = 0, at = 0;
    b->base_z = calloc(nz, sizeof *b->base_z);
    b->fibre_z = calloc(nz, sizeof *b->fibre_z);
    ph_status status = PH_OK;
    if (!factor || !b->base_z || !b->fibre_z)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        bool in_group = false;
        for (size_t j = 0; j < action->n_factors; j++)
            in_group = in_group || action->factor[j] == i;
        if (in_group)
            continue;
        factor[bases++] = (ph_factor){.kind = f->kind, .d = f->kind == PH_FACTOR_R ? f->nx : 0};
        for (size_t k = 0; k < f->nz; k++)
            b->base_z[at++] = f->z + k;
    }
    at = 0;
    for (size_t j = 0; j < action->n_factors && !status; j++) {
        const ph_factor_place *f = ph_space_factor(space, action->factor[j]);
        for (size_t k = 0; k < f->nz; k++)
            b->fibre_z[at++] = f->z + k;
    }
    if (!status)
        status = ph_space_create(factor, bases, &base, err);
    if (!status)
        status = ph_bundle_shape(b, base, action->group, err);
    ph_space_free(base);
    free(factor);
    return status;
}

ph_status ph_bundle_create_from_system(const ph_system *system, const ph_bundle_action *action,
                                       ph_bundle **bundle, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    if (!action)
        return ph_fail(err, PH_E_INVALID, "there is no action (it is NULL)");
    ph_status status = check_action(system, action, err);
    if (!status)
        status = check_system(system, action, err);
    if (status)
        return status;
    ph_bundle *b = calloc(1, sizeof *b);
    if (!b)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    b->system = system;
    b->inverse = action->inverse;
    status = split(b, action, err);
    if (status)
        ph_bundle_free(b);
    else
        *bundle = b;
    return status;
}
