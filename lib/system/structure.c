/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system is made of, as callers see it (polhode/system.h): its space, the kind of its Lagrangian, its
 * inertia in the forms that there are, its forces and symmetries. */
#include <polhode/kit/tensions.h>

#include "system.h"

const ph_structure *ph_structure_of(const ph_system *s)
{
    return s->of;
}

/* ---- Space and inertia -------------------------------------------------------------------------- */

const ph_space *ph_system_space(const ph_system *s)
{
    return s->space;
}

ph_lagrangian_kind ph_system_kind(const ph_system *s)
{
    return s->kind;
}

bool ph_system_has_pair_inertia(const ph_system *s)
{
    return s->M || ph_system_root(s)->is.inertia_at;
}

const double *ph_system_inertia(const ph_system *s)
{
    return s->M;
}

const double *ph_system_ambient_inertia(const ph_system *s)
{
    return s->MM;
}

bool ph_system_is_dense(const ph_system *s)
{
    return s->M || s->MM || !(ph_system_is_sparse(s) || s->of->no_matrices || s->kind == PH_PHASE_SPACE);
}

const ph_body *ph_system_bodies(const ph_system *s)
{
    return s->bodies;
}

/* ---- Potential, forces and symmetries ----------------------------------------------------------- */

bool ph_system_has_potential(const ph_system *s)
{
    const ph_system *r = ph_system_root(s);
    return r->own_potential || r->is.gradient;
}

bool ph_system_has_further_potential(const ph_system *s)
{
    return ph_system_root(s)->is.gradient != NULL;
}

bool ph_system_is_conservative(const ph_system *s)
{
    return !ph_system_has_force(s) && !ph_system_root(s)->affine;
}

bool ph_system_has_force(const ph_system *s)
{
    return s->own_force || s->is.force || s->is.gradient_in_time || s->is.lagrangian_rate ||
           (s->base && ph_system_has_force(s->base));
}

bool ph_system_has_potential_in_time(const ph_system *s)
{
    return s->own_time || s->is.gradient_in_time || (s->base && ph_system_has_potential_in_time(s->base));
}

bool ph_system_depends_on_time(const ph_system *s)
{
    return ph_system_has_potential_in_time(s) || ph_system_root(s)->is.lagrangian_rate;
}

bool ph_system_has_power(const ph_system *s)
{
    bool own = !s->is.potential_in_time || s->is.potential_rate;
    return own && (!s->base || ph_system_has_power(s->base));
}

bool ph_system_force_ignores_velocity(const ph_system *s)
{
    bool own = !s->is.force || s->is.force_ignores_velocity;
    return own && (!s->base || ph_system_force_ignores_velocity(s->base));
}

const ph_system *ph_system_whole(const ph_system *s, size_t *symmetry)
{
    if (s && s->is.whole && symmetry)
        *symmetry = s->is.whole_symmetry;
    return s ? s->is.whole : NULL;
}

size_t ph_system_symmetries(const ph_system *s)
{
    return s->is.n_symmetries;
}

const ph_symmetry *ph_system_symmetry(const ph_system *s, size_t i)
{
    return i < s->is.n_symmetries ? &s->symmetries[i] : NULL;
}

const ph_factor_label *ph_system_label(const ph_system *s, size_t i)
{
    const ph_system *root = ph_system_root(s);
    return root->labels && i < root->n ? &root->labels[i] : NULL;
}

/* Whose columns those of the system are. */
static const ph_system *with_columns(const ph_system *s)
{
    while (!s->is.n_columns && s->base)
        s = s->base;
    return s;
}

size_t ph_system_columns(const ph_system *s)
{
    return with_columns(s)->is.n_columns;
}

const ph_own_column *ph_system_column(const ph_system *s, size_t i)
{
    return &with_columns(s)->columns[i];
}

ph_status ph_system_columns_at(const ph_system *s, double t, const double *z, const double *zdot, double *out)
{
    if (!s)
        return PH_E_INVALID;
    s = with_columns(s);
    return s->is.n_columns ? s->is.columns(s->is.user, t, z, zdot, out) : PH_OK;
}
