/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase, locked inertia, amended potential and shape of a reduced system. With the axis e and vectors a_i the shape is
 * given by a_i . e, a_i . a_j and e . (a_i x a_j), which no rotation about e changes. */
#include "reduced.h"

#include <polhode/domain/reduction.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Vector number i: which factor, and which column of its rotation, 3 for none. */
typedef struct arrow {
    size_t factor, column;
    const ph_factor_place *place;
} arrow;

static size_t vectors_of(const ph_factor_place *f)
{
    return f->kind == PH_FACTOR_SO3 ? 3 : f->nz == 3;
}

static bool find_arrow(const ph_space *space, size_t i, arrow *a)
{
    *a = (arrow){0, 3, NULL};
    for (size_t j = 0; j < ph_space_factors(space); j++) {
        const ph_factor_place *f = ph_space_factor(space, j);
        const size_t n = vectors_of(f);
        if (i < n) {
            *a = (arrow){j, n == 3 ? i : 3, f};
            return true;
        }
        i -= n;
    }
    return false;
}

static size_t count_arrows(const ph_space *space)
{
    size_t n = 0;
    for (size_t j = 0; j < ph_space_factors(space); j++)
        n += vectors_of(ph_space_factor(space, j));
    return n;
}

static void read_arrow(const arrow *a, const double *z, double x[3])
{
    const double *q = z + a->place->z;
    for (size_t k = 0; k < 3; k++)
        x[k] = a->column < 3 ? q[3 * k + a->column] : q[k];
}

/* The next pair of vectors of different factors; false behind the last. */
static bool next_pair(const ph_space *space, size_t *i, size_t *j, arrow *a, arrow *b)
{
    for (;;) {
        if (!find_arrow(space, ++*j, b)) {
            *j = ++*i;
            if (!find_arrow(space, *i + 1, b))
                return false;
            continue;
        }
        find_arrow(space, *i, a);
        if (a->factor != b->factor)
            return true;
    }
}

size_t ph_shape_count(const ph_system *system)
{
    const ph_system *whole = ph_system_whole(system, NULL);
    if (!whole)
        return 0;
    const ph_space *space = ph_system_space(whole);
    size_t i = 0, j = 0, n = count_arrows(space);
    arrow a = {0, 3, NULL}, b = a;
    while (next_pair(space, &i, &j, &a, &b))
        n += 2;
    return n;
}

static void write_arrow(const arrow *a, char text[24])
{
    snprintf(text, 24, "%zu%.1s", a->factor + 1, a->column < 3 ? "xyz" + a->column : "");
}

void ph_shape_name(const ph_system *system, size_t at, char *name)
{
    const ph_space *space = ph_system_space(ph_system_whole(system, NULL));
    const size_t n = count_arrows(space);
    char first[24], second[24];
    arrow a = {0, 3, NULL}, b = a;
    if (at < n) {
        find_arrow(space, at, &a);
        write_arrow(&a, first);
        snprintf(name, PH_COLUMN_NAME, "along%s", first);
        return;
    }
    size_t i = 0, j = 0;
    for (at -= n; next_pair(space, &i, &j, &a, &b) && at >= 2; at -= 2)
        ;
    write_arrow(&a, first);
    write_arrow(&b, second);
    snprintf(name, PH_COLUMN_NAME, "%s%s_%s", at ? "twist" : "dot", first, second);
}

void ph_shape_at(const ph_system *system, const double *z, double *shape)
{
    size_t symmetry = 0, i = 0, j = 0;
    const ph_system *whole = ph_system_whole(system, &symmetry);
    const ph_space *space = ph_system_space(whole);
    const double *axis = ph_system_symmetry(whole, symmetry)->axis;
    double x[3], y[3], cross[3];
    arrow a = {0, 3, NULL}, b = a;
    for (size_t k = 0; find_arrow(space, k, &a); k++) {
        read_arrow(&a, z, x);
        *shape++ = ph_dot3(x, axis);
    }
    while (next_pair(space, &i, &j, &a, &b)) {
        read_arrow(&a, z, x);
        read_arrow(&b, z, y);
        ph_cross3(x, y, cross);
        *shape++ = ph_dot3(x, y);
        *shape++ = ph_dot3(axis, cross);
    }
}

const char *ph_reduced_name(size_t at, const char **unit)
{
    static const char *const names[PH_REDUCED_NUMBERS] = {"phase", "locked_inertia", "amended_potential",
                                                          "azimuth"},
                             *const units[PH_REDUCED_NUMBERS] = {"rad", "kg m^2", "J", "rad"};
    *unit = units[at];
    return names[at];
}

size_t ph_reduced_work(const ph_system *system)
{
    const ph_system *whole = ph_system_whole(system, NULL);
    return whole ? ph_reduction_work(whole) : 0;
}

/* The angle about the axis of the first vector that is off it, from the one of e1, e2 that is farther from the axis; NaN
 * without one. */
static double azimuth(const ph_space *space, const double axis[3], const double *z)
{
    const double size = ph_norm3(axis);
    const double e[3] = {axis[0] / size, axis[1] / size, axis[2] / size};
    const double from[3] = {fabs(e[0]) < 0.8, fabs(e[0]) >= 0.8, 0};
    double x[3], across[3];
    arrow a;
    for (size_t i = 0; find_arrow(space, i, &a); i++) {
        read_arrow(&a, z, x);
        const double along = ph_dot3(x, e), whole = ph_dot3(x, x);
        if (!(whole - along * along > 1e-16 * whole))
            continue;
        ph_cross3(e, from, across);
        return ph_atan2(ph_dot3(x, across), ph_dot3(x, from) - along * ph_dot3(e, from));
    }
    return NAN;
}

void ph_reduced_at(const ph_system *system, const double *z, const double *p, double *values, double *work)
{
    size_t i = 0;
    const ph_system *whole = ph_system_whole(system, &i);
    const ph_space *space = ph_system_space(whole);
    values[0] = z[ph_space_ambient(space)];
    if (ph_reduction_locked_inertia(whole, i, z, &values[1], work))
        values[1] = NAN;
    if (ph_reduction_amended_potential(whole, i, z, p[ph_space_momenta(space)], &values[2], NULL, work, NULL))
        values[2] = NAN;
    values[3] = azimuth(space, ph_system_symmetry(whole, i)->axis, z);
}
