/* SPDX-License-Identifier: BSD-3-Clause */
/* The second derivative of the energy of spins by blocks (polhode/domain/spins.h): closed forms of declared
 * parts,
 *
 *     exchange -c 1, axial -c a a^T, twist -c S(a) at (i, j), S(a) v = a x v, field and control 0,
 *     anisotropy -2 K a a^T, f(s_i . s_j): f' 1 + f'' s_j s_i^T at (i, j), f'' s_j s_j^T at (i, i),
 *     vortices f(1 - |d|^2 / 2), d = s_i - s_j: +-(f' 1 - f'' d d^T), + at (i, j) and - at (i, i) and (j, j),
 * and those of the definition's callback. It is the derivative of the gradient in energy.c, off the
 * spheres, too. */
#include "spins.h"

#include <polhode/kit/vector.h>

#include <string.h>

/* A += c a b^T */
static void add_outer(double *A, double c, const double *a, const double *b)
{
    for (size_t k = 0; k < 9; k++)
        A[k] += c * a[k / 3] * b[k % 3];
}

/* A += c 1 */
static void add_multiple(double *A, double c)
{
    A[0] += c;
    A[4] += c;
    A[8] += c;
}

/* A += c S(a) */
static void add_hat(double *A, double c, const double *a)
{
    A[1] -= c * a[2];
    A[2] += c * a[1];
    A[3] += c * a[2];
    A[5] -= c * a[0];
    A[6] -= c * a[1];
    A[7] += c * a[0];
}

/* What a bond of spins i and j adds to the blocks (i, i), (j, j) and the one of both. */
static ph_status add_pair(const ph_spin_system *spins, const ph_bonds *b, void *user, double c, size_t i,
                          size_t j, const double *z, double *values)
{
    const ph_spin_pattern *p = &spins->pattern;
    const size_t row = i > j ? i : j, column = i > j ? j : i;
    double *both = values + 9 * ph_pattern_pair(p, row, column), f[3] = {0, 0, 0}, apart[3];
    ph_status status = PH_OK;
    switch (b->kind) {
    case PH_BOND_EXCHANGE:
        add_multiple(both, -c);
        return PH_OK;
    case PH_BOND_AXIAL:
        add_outer(both, -c, b->axis, b->axis);
        return PH_OK;
    case PH_BOND_TWIST: /* dH/ds_i = c s_j x a = -c S(a) s_j */
        add_hat(both, row == i ? -c : c, b->axis);
        return PH_OK;
    case PH_BOND_VORTICES: {
        double *own = values + 9 * ph_pattern_diagonal(p, i), *other = values + 9 * ph_pattern_diagonal(p, j);
        ph_vortex_slopes(&spins->is, b, c, i, j, z, f);
        for (size_t m = 0; m < 3; m++)
            apart[m] = z[3 * i + m] - z[3 * j + m];
        add_multiple(both, f[1]);
        add_outer(both, -f[2], apart, apart);
        add_multiple(own, -f[1]);
        add_outer(own, f[2], apart, apart);
        add_multiple(other, -f[1]);
        add_outer(other, f[2], apart, apart);
        return PH_OK;
    }
    case PH_BOND_FUNCTION:
        status = b->function(user, ph_dot3(z + 3 * i, z + 3 * j), f);
        f[1] *= c;
        f[2] *= c;
        break;
    }
    const double *upper = z + 3 * row, *lower = z + 3 * column;
    add_multiple(both, f[1]);
    add_outer(both, f[2], lower, upper);
    add_outer(values + 9 * ph_pattern_diagonal(p, row), f[2], lower, lower);
    add_outer(values + 9 * ph_pattern_diagonal(p, column), f[2], upper, upper);
    return status;
}

static ph_status add_bonds(const ph_spin_system *spins, void *user, const double *z, double *values)
{
    const ph_spins *is = &spins->is;
    ph_status status = PH_OK;
    for (size_t g = 0; g < is->n_bonds; g++) {
        const ph_bonds *b = &is->bonds[g];
        for (size_t k = 0; k < b->n && !status; k++)
            status =
                add_pair(spins, b, user, ph_bond_coefficient(b, k), b->first[k], b->second[k], z, values);
        for (size_t i = 0; b->all_pairs && i < is->n; i++)
            for (size_t j = i + 1; j < is->n && !status; j++)
                status = add_pair(spins, b, user, b->c[0], i, j, z, values);
    }
    return status;
}

static void exchange_blocks(double *a, double *b)
{
    double kept[9];
    memcpy(kept, a, sizeof kept);
    memcpy(a, b, sizeof kept);
    memcpy(b, kept, sizeof kept);
}

/* values, which are zeros, <- the blocks of the callback. It writes them at the end of values; sorted
 * there, each in its turn moves to its place, which is never behind where it is: the places ascend. */
static ph_status take_given(const ph_system *system, double t, const double *z, double *values)
{
    const ph_spin_pattern *p = &ph_own_spins(system)->pattern;
    double *given = values + 9 * (p->blocks - p->given);
    if (!p->given)
        return PH_OK;
    ph_status status = system->is.spin_hessian(system->is.user, t, z, given);
    for (size_t k = 0; k < p->given && !status && p->swap; k++)
        if (p->swap[k] != k)
            exchange_blocks(given + 9 * k, given + 9 * p->swap[k]);
    for (size_t k = 0; k < p->given && !status; k++) {
        double *to = values + 9 * p->place[k], *from = given + 9 * k;
        if (to == from)
            continue;
        memcpy(to, from, 9 * sizeof *to);
        memset(from, 0, 9 * sizeof *from);
    }
    return status;
}

/* ---- Times a vector ------------------------------------------------------------------------------------- */

/* What a bond of spins i and j adds to the derivative of the gradient along u. */
static ph_status add_pair_along(const ph_spins *is, const ph_bonds *b, void *user, double c, size_t i,
                                size_t j, const double *z, const double *u, double *dg)
{
    const double *s = z + 3 * i, *r = z + 3 * j, *ds = u + 3 * i, *dr = u + 3 * j;
    double *own = dg + 3 * i, *other = dg + 3 * j, f[3] = {0, 0, 0}, turn[3];
    ph_status status = PH_OK;
    switch (b->kind) {
    case PH_BOND_EXCHANGE:
        f[1] = -c;
        break;
    case PH_BOND_AXIAL:
        for (size_t k = 0; k < 3; k++) {
            own[k] -= c * ph_dot3(b->axis, dr) * b->axis[k];
            other[k] -= c * ph_dot3(b->axis, ds) * b->axis[k];
        }
        return PH_OK;
    case PH_BOND_TWIST:
        ph_cross3(dr, b->axis, turn);
        for (size_t k = 0; k < 3; k++)
            own[k] += c * turn[k];
        ph_cross3(b->axis, ds, turn);
        for (size_t k = 0; k < 3; k++)
            other[k] += c * turn[k];
        return PH_OK;
    case PH_BOND_VORTICES: {
        const double apart[3] = {s[0] - r[0], s[1] - r[1], s[2] - r[2]},
                     dapart[3] = {ds[0] - dr[0], ds[1] - dr[1], ds[2] - dr[2]};
        ph_vortex_slopes(is, b, c, i, j, z, f);
        const double dslope = -f[2] * ph_dot3(apart, dapart);
        for (size_t k = 0; k < 3; k++) {
            const double pull = f[1] * dapart[k] + dslope * apart[k];
            own[k] -= pull;
            other[k] += pull;
        }
        return PH_OK;
    }
    case PH_BOND_FUNCTION:
        status = b->function(user, ph_dot3(s, r), f);
        f[1] *= c;
        f[2] *= c;
        break;
    }
    const double dslope = f[2] != 0 ? f[2] * (ph_dot3(ds, r) + ph_dot3(s, dr)) : 0;
    for (size_t k = 0; k < 3; k++) {
        own[k] += f[1] * dr[k] + dslope * r[k];
        other[k] += f[1] * ds[k] + dslope * s[k];
    }
    return status;
}

ph_status ph_spins_add_gradient_along(const ph_spin_system *spins, void *user, const double *z,
                                      const double *u, double *dg)
{
    const ph_spins *is = &spins->is;
    ph_status status = PH_OK;
    for (size_t g = 0; g < is->n_bonds; g++) {
        const ph_bonds *b = &is->bonds[g];
        for (size_t k = 0; k < b->n && !status; k++)
            status =
                add_pair_along(is, b, user, ph_bond_coefficient(b, k), b->first[k], b->second[k], z, u, dg);
        for (size_t i = 0; b->all_pairs && i < is->n; i++)
            for (size_t j = i + 1; j < is->n && !status; j++)
                status = add_pair_along(is, b, user, b->c[0], i, j, z, u, dg);
    }
    for (size_t g = 0; g < is->n_anisotropies; g++) {
        const ph_anisotropy *a = &is->anisotropies[g];
        for (size_t i = 0; i < is->n; i++) {
            const double twice = -2 * a->K[a->uniform ? 0 : i] * ph_dot3(a->axis, u + 3 * i);
            for (size_t k = 0; k < 3; k++)
                dg[3 * i + k] += twice * a->axis[k];
        }
    }
    return status;
}

/* ---- As its users see it -------------------------------------------------------------------------------- */

size_t ph_spins_hessian_blocks(const ph_system *system)
{
    ph_spin_system *spins = ph_own_spins(system);
    return spins && ph_spins_pattern(spins) ? spins->pattern.blocks : 0;
}

/* The pattern is there behind this. */
static ph_status check_known(ph_spin_system *spins)
{
    return !spins ? PH_E_INVALID : !ph_spins_pattern(spins) ? PH_E_UNSUPPORTED : PH_OK;
}

ph_status ph_spins_hessian_places(const ph_system *system, uint32_t *row, uint32_t *column)
{
    ph_spin_system *spins = ph_own_spins(system);
    ph_status status = check_known(spins);
    if (status)
        return status;
    const ph_spin_pattern *p = &spins->pattern;
    size_t b = 0;
    for (size_t i = 0; i < spins->is.n; i++)
        for (const size_t end = ph_pattern_diagonal(p, i) + 1, first = b; b < end; b++) {
            row[b] = (uint32_t)i;
            column[b] = p->complete ? (uint32_t)(b - first) : p->column[b];
        }
    return PH_OK;
}

ph_status ph_spins_hessian(const ph_system *system, double t, const double *z, double *values)
{
    ph_spin_system *spins = ph_own_spins(system);
    ph_status status = check_known(spins);
    if (status)
        return status;
    const ph_spins *is = &spins->is;
    memset(values, 0, 9 * spins->pattern.blocks * sizeof *values);
    status = take_given(system, t, z, values);
    if (!status)
        status = add_bonds(spins, system->is.user, z, values);
    for (size_t g = 0; g < is->n_anisotropies && !status; g++) {
        const ph_anisotropy *a = &is->anisotropies[g];
        for (size_t i = 0; i < is->n; i++)
            add_outer(values + 9 * ph_pattern_diagonal(&spins->pattern, i), -2 * a->K[a->uniform ? 0 : i],
                      a->axis, a->axis);
    }
    return status;
}
