/* SPDX-License-Identifier: BSD-3-Clause */
/* Links that hang on one another (ph_linkage) as a kind of system, in time in proportion to their number. M, with a cart MM, is kept
 * as well where it is small. */
#include <polhode/kit/tensions.h>

#include "lib/equations/equations.h"
#include "lib/system/system.h"
#include "tree.h"

#include <stdlib.h>

static bool fits(const ph_system_definition *d)
{
    return d->linkage;
}

static ph_status create(ph_system *s, const ph_system_definition *d, ph_error *err)
{
    ph_tree *tree = NULL;
    ph_status status = ph_tree_create(d, &tree, err);
    if (status)
        return status;
    s->own = tree;
    s->own_potential = tree->heavy;
    if (!tree->cart && s->n <= PH_DENSE_PAIRS && (s->M = malloc(s->n * s->n * sizeof *s->M)))
        ph_tree_pair_inertia(tree, s->M);
    else if (tree->cart && s->nz <= PH_DENSE_AMBIENT && (s->MM = malloc(s->nz * s->nz * sizeof *s->MM)))
        ph_tree_ambient_inertia(tree, s->nz, s->MM);
    else if (tree->cart ? s->nz <= PH_DENSE_AMBIENT : s->n <= PH_DENSE_PAIRS)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return PH_OK;
}

static ph_status add_potential(const ph_system *s, const double *z, double *U)
{
    ph_tree_add_potential(s->own, z, U);
    return PH_OK;
}

static ph_status add_gradient(const ph_system *s, const double *z, double *dU)
{
    (void)z;
    ph_tree_add_gradient(s->own, dU);
    return PH_OK;
}

static void apply(const ph_system *s, const double *v, double *mu)
{
    ph_tree_apply_inertia(s->own, v, mu);
}

static double inertia_bound(const ph_system *s)
{
    const ph_linkage *l = ph_system_linkage(s);
    double sum = 0, length = 1;
    for (size_t i = 0; i < s->n; i++) {
        sum += l->mass[i];
        length += l->length[i];
    }
    return sum * length * length;
}

/* q has two coordinates in a plane, a cart one less than its links; what is missing is 0. */
static void place(const ph_system *s, const double *z, double *x)
{
    const ph_linkage *l = ph_system_linkage(s);
    for (size_t i = 0; i < s->n; i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        const size_t parent = l->parent ? l->parent[i] : i ? i - 1 : PH_NO_INDEX;
        const double length = f->kind == PH_FACTOR_R ? 1 : l->length[i];
        for (size_t k = 0; k < 3; k++)
            x[3 * i + k] =
                (parent == PH_NO_INDEX ? 0 : x[3 * parent + k]) + (k < f->nz ? length * z[f->z + k] : 0);
    }
}

static const double *gravity(const ph_system *s)
{
    return ph_system_linkage(s)->gravity;
}

const ph_structure ph_structure_linkage = {
    .name = "linkage",
    .fits = fits,
    .check = ph_definition_check,
    .create = create,
    .release = ph_tree_free,
    .regular = true,
    .no_matrices = PH_SPARSE_MATRICES,
    .add_potential = add_potential,
    .add_gradient = add_gradient,
    .kinetic = ph_linkage_kinetic,
    .apply = apply,
    .sparse = &ph_tree_sparse,
    .inertia_bound = inertia_bound,
    .form = &ph_field_tensions,
    .place = place,
    .gravity = gravity,
    .add_points = ph_linkage_points,
    .add_parts = ph_linkage_parts,
};
