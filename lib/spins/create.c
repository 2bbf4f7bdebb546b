/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of a system of spins: what it must fulfil, and its copy, whose bonds are sorted by
 * class. */
#include "spins.h"

#include <polhode/kit/memory.h>

#include "lib/internal/lanes.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t most_spins = ((size_t)1 << (sizeof(size_t) > 4 ? 30 : 22)) / 3;

/* ---- What it must fulfil -------------------------------------------------------------------------------- */

/* The words of the kinds, for messages. */
static const char *const kinds[] = {"exchange", "axial", "twist", "vortices", "function"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static ph_status check_numbers(const double *v, size_t n, const char *what, ph_error *err)
{
    for (size_t i = 0; i < n && v; i++)
        if (!isfinite(v[i]))
            return ph_fail(err, PH_E_NOT_FINITE, "%s: number %zu is %g; it must be finite", what, i + 1,
                           v[i]);
    return PH_OK;
}

static ph_status check_axis(const double *axis, const char *what, size_t i, ph_error *err)
{
    const double size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(fabs(size - 1) <= 1e-12))
        return ph_fail(err, PH_E_INVALID, "%s %zu: the axis has length %.15g; it must be a unit vector", what,
                       i + 1, size);
    return PH_OK;
}

static ph_status check_bond(const ph_bonds *b, size_t group, size_t k, size_t n, ph_error *err)
{
    const size_t i = b->first[k], j = b->second[k];
    if (i >= n || j >= n)
        return ph_fail(err, PH_E_RANGE,
                       "bond %zu of group %zu joins spins %zu and %zu; there are spins 1 to %zu", k + 1,
                       group + 1, i + 1, j + 1, n);
    if (i == j)
        return ph_fail(
            err, PH_E_INVALID,
            "bond %zu of group %zu joins spin %zu with itself; a bond is between two spins, and what "
            "one spin has alone is an anisotropy or a field",
            k + 1, group + 1, i + 1);
    return PH_OK;
}

static ph_status check_bonds(const ph_bonds *b, size_t group, size_t n, ph_error *err)
{
    if ((unsigned)b->kind >= KINDS)
        return ph_fail(err, PH_E_INVALID, "group %zu of bonds has kind %d; there are kinds 0 to %d",
                       group + 1, (int)b->kind, (int)KINDS - 1);
    if (b->all_pairs ? b->n || b->first || b->second : !b->n || !b->first || !b->second)
        return ph_fail(
            err, PH_E_INVALID,
            "group %zu of bonds (%s) needs either all_pairs alone, or n with the lists first and second",
            group + 1, kinds[b->kind]);
    if (b->all_pairs && n < 2)
        return ph_fail(err, PH_E_INVALID, "group %zu of bonds is between all pairs of one spin", group + 1);
    if (b->all_pairs && !b->uniform)
        return ph_fail(err, PH_E_INVALID,
                       "group %zu of bonds is between all pairs: it has one coefficient for all (uniform)",
                       group + 1);
    if (!b->c)
        return ph_fail(err, PH_E_INVALID, "group %zu of bonds (%s) has no coefficients", group + 1,
                       kinds[b->kind]);
    if ((b->kind == PH_BOND_FUNCTION) != (b->function != NULL))
        return ph_fail(err, PH_E_INVALID,
                       "group %zu of bonds: kind function and its callback belong together", group + 1);
    if (!(b->core >= 0) || !isfinite(b->core))
        return ph_fail(err, PH_E_RANGE, "group %zu of bonds: the core is %g; it must be 0 or positive",
                       group + 1, b->core);
    ph_status status = check_numbers(b->c, b->uniform ? 1 : b->n, "the coefficients of bonds", err);
    if (!status && (b->kind == PH_BOND_AXIAL || b->kind == PH_BOND_TWIST))
        status = check_axis(b->axis, "group of bonds", group, err);
    for (size_t k = 0; k < b->n && !status; k++)
        status = check_bond(b, group, k, n, err);
    return status;
}

static ph_status check_strengths(const ph_spins *s, ph_error *err)
{
    ph_status status = check_numbers(s->strengths, s->n, "strengths", err);
    for (size_t i = 0; i < s->n && s->strengths && !status; i++)
        if (s->strengths[i] == 0)
            status = ph_fail(
                err, PH_E_INVALID,
                "the strength of spin %zu is 0; strengths may be positive or negative but not zero", i + 1);
    if (!status)
        status = check_numbers(s->damping, s->n, "damping", err);
    for (size_t i = 0; i < s->n && s->damping && !status; i++)
        if (s->damping[i] < 0)
            status = ph_fail(err, PH_E_RANGE,
                             "the damping of spin %zu is %g; it must be 0 or positive: energy would grow",
                             i + 1, s->damping[i]);
    return status;
}

/* What belongs to a Lagrangian has no place with spins. */
static ph_status check_others(const ph_system_definition *d, ph_error *err)
{
    if (d->inertia || d->ambient_inertia || d->linkage || d->articulation || d->inverse_inertia ||
        d->inertia_at || d->ambient_inertia_at || d->inertia_dz || d->lagrangian || d->lagrangian_complex ||
        d->lagrangian_gradient || d->lagrangian_hessian || d->force || d->force_dv || d->constraint ||
        d->constraint_along || d->n_constraints || d->whole)
        return ph_fail(
            err, PH_E_INVALID,
            "spins have neither inertia nor Lagrangian, forces or velocity constraints: give their "
            "energy by parts, or by potential and gradient");
    if (!d->potential != !d->gradient)
        return ph_fail(err, PH_E_INVALID, "give potential and gradient together, or neither");
    if (d->spin_hessian && !d->potential && !d->potential_in_time)
        return ph_fail(err, PH_E_INVALID,
                       "spin_hessian is given without a potential whose second derivative it is; that of "
                       "declared parts is known");
    if (d->n_hessian && (!d->spin_hessian || !d->hessian_row || !d->hessian_column))
        return ph_fail(err, PH_E_INVALID,
                       "n_hessian is %zu: that needs spin_hessian and the lists hessian_row and "
                       "hessian_column",
                       d->n_hessian);
    for (size_t k = 0; k < d->n_hessian; k++)
        if (d->hessian_row[k] >= d->spins->n || d->hessian_column[k] > d->hessian_row[k])
            return ph_fail(err, PH_E_RANGE,
                           "block %zu of spin_hessian is at (%zu, %zu), counted from 1; its row must be 1 to "
                           "%zu, and its column not more than its row",
                           k + 1, (size_t)d->hessian_row[k] + 1, (size_t)d->hessian_column[k] + 1,
                           d->spins->n);
    for (size_t i = 0; i < d->n_symmetries && d->symmetries; i++)
        if (d->symmetries[i].generator)
            return ph_fail(
                err, PH_E_INVALID,
                "symmetry %zu has a generator; the symmetries of spins are rotations about an axis", i + 1);
    if (d->space && (!ph_space_is_phase_space(d->space) || ph_space_factors(d->space) != d->spins->n))
        return ph_fail(err, PH_E_INVALID,
                       "the space of %zu spins is as many factors PH_FACTOR_SPIN, or NULL: then it is made",
                       d->spins->n);
    return PH_OK;
}

ph_status ph_spins_check(const ph_system_definition *d, ph_error *err)
{
    const ph_spins *s = d->spins;
    if (s->n < 1 || s->n > most_spins)
        return ph_fail(err, PH_E_INVALID, "there are %zu spins; there must be 1 to %zu", s->n, most_spins);
    if ((s->n_bonds && !s->bonds) || (s->n_anisotropies && !s->anisotropies))
        return ph_fail(err, PH_E_INVALID, "a number of groups is given, but their list is NULL");
    ph_status status = check_others(d, err);
    if (!status)
        status = check_strengths(s, err);
    for (size_t g = 0; g < s->n_bonds && !status; g++)
        status = check_bonds(&s->bonds[g], g, s->n, err);
    for (size_t g = 0; g < s->n_anisotropies && !status; g++) {
        const ph_anisotropy *a = &s->anisotropies[g];
        status = check_axis(a->axis, "anisotropy", g, err);
        if (!status && !a->K)
            status = ph_fail(err, PH_E_INVALID, "anisotropy %zu has no coefficients K", g + 1);
        if (!status)
            status = check_numbers(a->K, a->uniform ? 1 : s->n, "K of an anisotropy", err);
    }
    if (!status)
        status = check_numbers(s->field, s->field_is_uniform ? 3 : 3 * s->n, "the field", err);
    if (!status)
        status = check_numbers(&s->constant, 1, "the constant", err);
    return status ? status : check_numbers(s->moments, s->n, "moments", err);
}

/* ---- Its copy ------------------------------------------------------------------------------------------- */

/* A copy of an array in the block; NULL stays NULL. */
static const void *lay_copy(ph_lay *l, const void *from, size_t bytes)
{
    if (!from || !bytes)
        return NULL;
    void *to = ph_lay_bytes(l, bytes);
    return to ? memcpy(to, from, bytes) : NULL;
}

/* to <- the group with its arrays in the block. */
static void lay_bonds(ph_lay *l, const ph_bonds *from, ph_bonds *to)
{
    const void *first = lay_copy(l, from->first, from->n * sizeof *from->first),
               *second = lay_copy(l, from->second, from->n * sizeof *from->second),
               *c = lay_copy(l, from->c, (from->uniform ? 1 : from->n) * sizeof *from->c);
    if (!to)
        return;
    *to = *from;
    to->first = first;
    to->second = second;
    to->c = c;
    to->begin = NULL;
}

/* The system with all its arrays; NULL while the size is counted. */
static ph_spin_system *lay_system(ph_lay *l, const ph_spins *from)
{
    const size_t n = from->n;
    ph_spin_system *s = ph_lay_bytes(l, sizeof *s), made = {.is = *from};
    ph_bonds *bonds = ph_lay_bytes(l, from->n_bonds * sizeof *bonds);
    ph_anisotropy *anisotropies = ph_lay_bytes(l, from->n_anisotropies * sizeof *anisotropies);
    made.is.bonds = bonds;
    made.is.anisotropies = anisotropies;
    made.is.strengths = lay_copy(l, from->strengths, n * sizeof(double));
    made.is.damping = lay_copy(l, from->damping, n * sizeof(double));
    made.is.moments = lay_copy(l, from->moments, n * sizeof(double));
    made.is.field = lay_copy(l, from->field, (from->field_is_uniform ? 3 : 3 * n) * sizeof(double));
    made.runs = ph_lay_bytes(l, from->n_bonds * sizeof *made.runs);
    for (size_t g = 0; g < from->n_bonds; g++) {
        lay_bonds(l, &from->bonds[g], bonds ? &bonds[g] : NULL);
        if (made.runs)
            made.runs[g] = (ph_spin_runs){.run = NULL};
    }
    for (size_t g = 0; g < from->n_anisotropies; g++) {
        const ph_anisotropy *a = &from->anisotropies[g];
        const void *K = lay_copy(l, a->K, (a->uniform ? 1 : n) * sizeof *a->K);
        if (anisotropies) {
            anisotropies[g] = *a;
            anisotropies[g].K = K;
        }
    }
    if (s)
        *s = made;
    return s;
}

/* The bonds of a group of the copy in the order of their classes, and as seen from their spins. */
static ph_status sort_group(ph_spin_system *s, const ph_bonds *from, size_t g, ph_error *err)
{
    ph_bonds *to = (ph_bonds *)(uintptr_t)&s->is.bonds[g];
    if (from->all_pairs) {
        to->colours = s->is.n + s->is.n % 2 - 1;
        return from->colours && from->colours < to->colours
                   ? ph_fail(
                         err, PH_E_INVALID,
                         "group %zu of bonds is between all pairs of %zu spins: their classes are %zu, and at "
                         "most %zu are allowed",
                         g + 1, s->is.n, to->colours, from->colours)
                   : PH_OK;
    }
    ph_status status = ph_spins_sort(from, s->is.n, g, to, err);
    return status || !ph_spin_runs_suit(to) ? status : ph_spin_runs_create(to, s->is.n, &s->runs[g], err);
}

ph_status ph_spins_copy(const ph_system_definition *d, ph_spin_system **made, ph_error *err)
{
    const ph_spins *from = d->spins;
    ph_lay l = {NULL, 0};
    lay_system(&l, from);
    if (!(l = (ph_lay){malloc(l.bytes), 0}).base)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu spins", from->n);
    ph_spin_system *s = lay_system(&l, from);
    ph_status status = PH_OK;
    for (size_t g = 0; g < from->n_bonds && !status; g++)
        status = sort_group(s, &from->bonds[g], g, err);
    for (size_t i = 0; i < from->n; i++) {
        s->size += fabs(ph_spin_strength(from, i));
        s->damped |= from->damping && from->damping[i] > 0;
    }
    s->wide = ph_lanes(PH_KERNEL_AVX);
    s->whole = !d->potential && !d->potential_in_time;
    if (!status)
        status = ph_spins_find_pattern(s, d, err);
    if (status)
        ph_spins_free(s);
    else
        *made = s;
    return status;
}

void ph_spins_free(ph_spin_system *s)
{
    if (!s)
        return;
    for (size_t g = 0; g < s->is.n_bonds; g++) {
        free((void *)(uintptr_t)s->is.bonds[g].begin);
        ph_spin_runs_free(&s->runs[g]);
    }
    free(s->pattern.begin);
    free(s->pattern.column);
    free(s->pattern.place);
    free(s->pattern.swap);
    free(s);
}
