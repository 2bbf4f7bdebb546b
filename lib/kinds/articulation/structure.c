/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of rigid bodies on ball joints (ph_articulation) as a kind of system, whose evaluation takes time in proportion to the
 * number of bodies. MM is kept as well where it is small. */
#include "articulation.h"

#include <polhode/kit/vector.h>

#include "lib/equations/equations.h"
#include "lib/system/check.h"

#include <stdlib.h>
#include <string.h>

/* ---- Creation ----------------------------------------------------------------------------------- */

static bool fits(const ph_system_definition *d)
{
    return d->articulation;
}

static ph_status check(const ph_system_definition *d, ph_error *err)
{
    ph_status status = ph_definition_check(d, err);
    return status ? status : ph_articulated_check(d->articulation, d->space, err);
}

static ph_status create(ph_system *s, const ph_system_definition *d, ph_error *err)
{
    ph_articulated *tree = s->own = ph_articulated_create(d->articulation, s->n);
    const bool dense = s->n <= PH_DENSE_BODIES;
    if (!tree || (dense && !(s->MM = malloc(s->nz * s->nz * sizeof *s->MM))))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->own_potential = ph_articulated_is_heavy(tree);
    if (dense)
        ph_articulated_inertia(tree, s->MM);
    return PH_OK;
}

/* ---- Evaluation --------------------------------------------------------------------------------- */

static ph_status add_potential(const ph_system *s, const double *z, double *U)
{
    *U = ph_articulated_potential(s->own, z); /* there are no callbacks */
    return PH_OK;
}

static ph_status add_gradient(const ph_system *s, const double *z, double *dU)
{
    (void)z;
    ph_articulated_gradient(s->own, dU);
    return PH_OK;
}

static void apply(const ph_system *s, const double *v, double *mu)
{
    ph_articulated_apply(s->own, v, mu);
}

static size_t work_size(const ph_system *s)
{
    return 2 * s->nz + ph_space_dimension(s->space) + ph_articulated_work(s->n) + ph_lagrangian_work(s);
}

/* From the leaves to the root. */
static ph_status invert(const ph_system *s, const double *z, const double *mu, double *zdot, double *work,
                        bool *singular)
{
    ph_space_momentum(s->space, z, mu, work);
    const ph_status status =
        ph_articulated_velocity(s->own, z, work, zdot, work + ph_space_dimension(s->space));
    *singular = status == PH_E_SINGULAR;
    return status;
}

static ph_status in_momenta(const ph_system *s, const double *y, double *ydot, double *work)
{
    return ph_articulated_rate(ph_system_own(s, ph_articulated_free), y, ydot, work);
}

/* By the 3 x 3 matrices of the elimination. */
static ph_status check_regular(const ph_system *s, const double *z, double *work, double *condition)
{
    const ph_status status = ph_articulated_regular(s->own, z, work, condition);
    return status || *condition <= 1e13 ? status : PH_E_SINGULAR;
}

static bool is_regular(const ph_system *s)
{
    const ph_articulated *tree = s->own;
    return tree->regular;
}

static double inertia_bound(const ph_system *s)
{
    const ph_articulation *a = ph_system_articulation(s);
    double sum = 0, length = 1;
    for (size_t i = 0; i < s->n; i++) {
        sum += a->mass[i] + a->inertia[9 * i] + a->inertia[9 * i + 4] + a->inertia[9 * i + 8];
        length += ph_norm3(a->joint + 3 * i) + ph_norm3(a->anchor + 3 * i);
    }
    return sum * length * length;
}

static void place(const ph_system *s, const double *z, double *x)
{
    const ph_articulated *tree = s->own;
    const ph_articulation *a = &tree->is;
    double joint[3], anchor[3];
    for (size_t i = 0; i < s->n; i++) {
        const size_t parent = a->parent ? a->parent[i] : i ? i - 1 : PH_NO_INDEX;
        ph_apply3(z + 9 * i, a->joint + 3 * i, joint);
        if (parent == PH_NO_INDEX)
            memcpy(anchor, a->anchor + 3 * i, sizeof anchor);
        else
            ph_apply3(z + 9 * parent, a->anchor + 3 * i, anchor);
        for (size_t k = 0; k < 3; k++)
            x[3 * i + k] = (parent == PH_NO_INDEX ? 0 : x[3 * parent + k]) + anchor[k] - joint[k];
    }
}

static const double *gravity(const ph_system *s)
{
    return ph_system_articulation(s)->gravity;
}

static ph_status check_derivatives(ph_checks *c)
{
    return ph_system_is_dense(c->system)
               ? ph_check_by_callbacks(c)
               : ph_fail(
                     c->err, PH_E_UNSUPPORTED,
                     "derivatives are checked with dense matrices, and an articulation has them up to %d bodies",
                     (int)PH_DENSE_BODIES);
}

_Static_assert(PH_DENSE_BODIES == 200, "the words below say so");

const ph_structure ph_structure_articulation = {
    .name = "articulation",
    .fits = fits,
    .check = check,
    .create = create,
    .release = ph_articulated_free,
    .no_matrices =
        "an articulation has up to 200 bodies; forms of the equations take any number without velocity constraints",
    .singular =
        "the articulation has a turn that moves no mass, as of a thin rod about itself: give every body a thickness",
    .add_potential = add_potential,
    .add_gradient = add_gradient,
    .sets_gradient = true,
    .apply = apply,
    .work = work_size,
    .invert = invert,
    .check_regular = check_regular,
    .is_regular = is_regular,
    .inertia_bound = inertia_bound,
    .place = place,
    .gravity = gravity,
    .check_derivatives = check_derivatives,
    .form = &ph_field_q_pi,
    .in_momenta = in_momenta,
    .add_points = ph_articulated_points,
    .add_parts = ph_articulated_parts,
};
