/* SPDX-License-Identifier: BSD-3-Clause */
/* Links that a rigid body carries (ph_linkage.body) as a kind of system, in time in proportion to their number. MM is kept as well
 * where it is small. */
#include <polhode/kit/tensions.h>
#include <polhode/kit/vector.h>

#include "carried.h"
#include "lib/equations/equations.h"
#include "lib/kinds/articulation/articulation.h"
#include "lib/system/system.h"

#include <math.h>
#include <stdlib.h>

/* ---- Creation ----------------------------------------------------------------------------------- */

static ph_status check_body(const ph_system_definition *d, ph_error *err)
{
    const size_t n = ph_space_factors(d->space);
    const ph_factor_place *x = ph_space_factor(d->space, 0), *R = n > 2 ? ph_space_factor(d->space, 1) : x;
    const ph_linkage *l = d->linkage;
    if (x->kind != PH_FACTOR_R || x->nz != 3 || R->kind != PH_FACTOR_SO3)
        return ph_fail(err, PH_E_INVALID,
                       "a linkage on a body needs the factors R^3, SO(3) and then its links, S^2 each");
    if (!l->length || !l->mass)
        return ph_fail(err, PH_E_INVALID, "a linkage needs the lengths and masses of its links");
    for (size_t i = 0; i < n; i++) {
        if (i != 1 && !(isfinite(l->mass[i]) && l->mass[i] > 0))
            return ph_fail(err, isfinite(l->mass[i]) ? PH_E_RANGE : PH_E_NOT_FINITE,
                           "mass[%zu] of the linkage is %g; it must be positive", i, l->mass[i]);
        if (i < 2)
            continue;
        if (!(isfinite(l->length[i]) && l->length[i] > 0))
            return ph_fail(err, isfinite(l->length[i]) ? PH_E_RANGE : PH_E_NOT_FINITE,
                           "length[%zu] of the linkage is %g; it must be positive", i, l->length[i]);
        if (ph_space_factor(d->space, i)->kind != PH_FACTOR_S2)
            return ph_fail(err, PH_E_INVALID, "factor %zu is no link of the linkage: links on a body are S^2",
                           i + 1);
        if (l->parent && !(l->parent[i] >= 1 && l->parent[i] < i))
            return ph_fail(
                err, PH_E_INVALID,
                "parent[%zu] of the linkage is %zu; a link must come behind the one that it hangs on, 1 is the body",
                i, l->parent[i]);
    }
    for (size_t k = 0; k < 3; k++)
        if (!isfinite(l->body->hitch[k]))
            return ph_fail(err, PH_E_NOT_FINITE, "hitch[%zu] of the linkage's body is not a finite number",
                           k);
    const ph_status status =
        ph_articulated_check_tensor(l->body->inertia, "linkage: the inertia of its body", err);
    if (!status && !(ph_determinant3(l->body->inertia) > 0))
        return ph_fail(
            err, PH_E_SINGULAR,
            "the body of the linkage has a turn that moves no mass, as of a thin rod about itself: give it a thickness");
    return status;
}

/* c->links, the same links on an R^3. */
static ph_status create_links(ph_carried *c, const ph_system_definition *d, ph_error *err)
{
    const ph_linkage *l = d->linkage;
    const size_t n = ph_space_factors(d->space) - 1;
    ph_space *space = NULL;
    ph_factor *factors = calloc(n, sizeof *factors);
    size_t *parent = malloc(n * sizeof *parent);
    double *mass = malloc(n * sizeof *mass);
    ph_status status = factors && parent && mass ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        factors[i].kind = i ? PH_FACTOR_S2 : PH_FACTOR_R;
        factors[i].d = i ? 0 : 3;
        mass[i] = l->mass[i ? i + 1 : 0];
        parent[i] = !i ? PH_NO_INDEX : l->parent ? l->parent[i + 1] - 1 : i - 1;
    }
    if (!status)
        status = ph_space_create(factors, n, &space, err);
    const ph_linkage made = {.parent = parent,
                             .length = l->length + 1,
                             .mass = mass,
                             .gravity = {l->gravity[0], l->gravity[1], l->gravity[2]}};
    if (!status)
        status = ph_system_create_of(
            &ph_structure_linkage, &(ph_system_definition){.space = space, .linkage = &made}, &c->links, err);
    ph_space_free(space);
    free(factors);
    free(parent);
    free(mass);
    return status;
}

/* *carried <- that of a definition. */
static ph_status create_carried(const ph_system_definition *d, ph_carried **carried, ph_error *err)
{
    ph_status status = check_body(d, err);
    if (status)
        return status;
    ph_carried *c = calloc(1, sizeof *c);
    if (!c)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *carried = c;
    c->body = *d->linkage->body;
    double *J = c->body.inertia;
    for (size_t k = 0; k < 9; k++) { /* exactly symmetric */
        const double mean = 0.5 * (J[k] + J[k % 3 * 3 + k / 3]);
        J[k] = J[k % 3 * 3 + k / 3] = mean;
    }
    const double determinant = ph_determinant3(J);
    for (size_t a = 0; a < 3; a++)
        ph_cross3(J + 3 * ((a + 1) % 3), J + 3 * ((a + 2) % 3), c->inverse + 3 * a);
    for (size_t k = 0; k < 9; k++) {
        c->inverse[k] /= determinant;
        c->second[k] = (k % 4 ? 0 : 0.5 * (J[0] + J[4] + J[8])) - J[k];
    }
    for (size_t a = 0; a < 3; a++) { /* by columns, which are rows */
        const double e[3] = {a == 0, a == 1, a == 2};
        double turn[3], omega[3];
        ph_cross3(c->body.hitch, e, turn);
        ph_apply3(c->inverse, turn, omega);
        ph_cross3(omega, c->body.hitch, c->turned + 3 * a);
    }
    status = create_links(c, d, err);
    if (!status)
        c->tree = ph_system_tree(c->links);
    return status;
}

static bool fits(const ph_system_definition *d)
{
    return d->linkage && d->linkage->body;
}

static ph_status create(ph_system *s, const ph_system_definition *d, ph_error *err)
{
    ph_carried *c = NULL;
    const ph_status status = create_carried(d, &c, err);
    s->own = c;
    if (status)
        return status;
    s->own_potential = c->tree->heavy;
    if (s->nz > PH_DENSE_AMBIENT)
        return PH_OK;
    s->MM = malloc(s->nz * s->nz * sizeof *s->MM);
    if (!s->MM)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_carried_inertia(c, s->nz, s->MM);
    return PH_OK;
}

/* U = - G . (m x + sum m_i x_i), dU/dz a constant. */
static ph_status add_gradient(const ph_system *s, const double *z, double *dU)
{
    const ph_carried *c = s->own;
    const ph_tree *t = c->tree;
    const double *G = t->is.gravity, carried = t->hanging[0] - t->mass[0];
    (void)z;
    for (size_t a = 0; a < 3 && t->heavy; a++) {
        dU[a] -= t->hanging[0] * G[a];
        for (size_t k = 0; k < 3; k++)
            dU[3 + 3 * a + k] -= carried * G[a] * c->body.hitch[k];
        for (size_t i = 1; i < t->n; i++)
            dU[9 + 3 * i + a] -= t->hanging[i] * t->length[i] * G[a];
    }
    return PH_OK;
}

static ph_status add_potential(const ph_system *s, const double *z, double *U)
{
    const ph_carried *c = s->own;
    const ph_tree *t = c->tree;
    const double *G = t->is.gravity, carried = t->hanging[0] - t->mass[0];
    double hitch[3], sum;
    ph_apply3(z + 3, c->body.hitch, hitch);
    sum = t->hanging[0] * ph_dot3(G, z) + carried * ph_dot3(G, hitch);
    for (size_t i = 1; i < t->n; i++)
        sum += t->hanging[i] * t->length[i] * ph_dot3(G, z + 9 + 3 * i);
    *U -= t->heavy ? sum : 0;
    return PH_OK;
}

static void apply(const ph_system *s, const double *v, double *mu)
{
    ph_carried_apply(s->own, v, mu);
}

static size_t work_size(const ph_system *s)
{
    return 2 * s->nz + ph_carried_work(s->own) + ph_lagrangian_work(s);
}

static ph_status invert(const ph_system *s, const double *z, const double *mu, double *zdot, double *work,
                        bool *singular)
{
    const ph_status status = ph_carried_velocity(s->own, z, mu, zdot, work);
    *singular = status == PH_E_SINGULAR;
    return status;
}

static double inertia_bound(const ph_system *s)
{
    const ph_carried *c = ph_system_own(s, ph_carried_free);
    const double *J = c->body.inertia;
    double length = 1 + ph_norm3(c->body.hitch);
    for (size_t i = 1; i < c->tree->n; i++)
        length += c->tree->length[i];
    return (c->tree->hanging[0] + J[0] + J[4] + J[8]) * length * length;
}

/* x, then the point that the links hang on, then their masses. */
static void place(const ph_system *s, const double *z, double *x)
{
    const ph_carried *c = s->own;
    const ph_tree *t = c->tree;
    ph_apply3(z + 3, c->body.hitch, x + 3);
    for (size_t a = 0; a < 3; a++) {
        x[a] = z[a];
        x[3 + a] += z[a];
        for (size_t i = 1; i < t->n; i++)
            x[3 + 3 * i + a] = x[3 + 3 * t->parent[i] + a] + t->length[i] * z[9 + 3 * i + a];
    }
}

/* Of a forced system, too, as the bound above. */
static const double *gravity(const ph_system *s)
{
    const ph_carried *c = ph_system_own(s, ph_carried_free);
    return c->tree->is.gravity;
}

const ph_structure ph_structure_carried = {
    .name = "carried",
    .fits = fits,
    .check = ph_definition_check,
    .create = create,
    .release = ph_carried_free,
    .regular = true,
    .no_matrices = PH_SPARSE_MATRICES,
    .add_potential = add_potential,
    .add_gradient = add_gradient,
    .apply = apply,
    .work = work_size,
    .invert = invert,
    .spin = ph_carried_spin,
    .spin_work = ph_carried_spin_work,
    .spin_project = ph_carried_spin_project,
    .inertia_bound = inertia_bound,
    .place = place,
    .gravity = gravity,
};
