/* SPDX-License-Identifier: BSD-3-Clause */
/* Dipoles on the sites of a row or a rectangle, free to turn: with r_ij and e_ij the distance and direction
 * of two sites, L = (1/2) J sum |qdot_i|^2 - k sum_{i<j} [q_i.q_j - 3 (q_i.e_ij)(q_j.e_ij)] / r_ij^3. */
#include "internal/gravity.h"
#include "internal/parameters.h"
#include "internal/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <polhode/algebra.h>

enum { DIPOLES, COLUMNS, SPACING, INERTIA, COUPLING, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    [DIPOLES] = {"dipoles", PH_PARAMETER_COUNT, "1", 1, 1000, {8}, "number of dipoles"},
    [COLUMNS] = {"columns",
                 PH_PARAMETER_COUNT,
                 "1",
                 0,
                 1000,
                 {0},
                 "dipoles in a row along e1, rows following along e2; 0: all in one row"},
    [SPACING] =
        {"spacing", PH_PARAMETER_NUMBER, "m", DBL_MIN, DBL_MAX, {1}, "distance of neighbouring sites"},
    [INERTIA] =
        {"inertia", PH_PARAMETER_NUMBER, "kg m^2", DBL_MIN, DBL_MAX, {1}, "moment of inertia of a dipole"},
    [COUPLING] = {"coupling", PH_PARAMETER_NUMBER, "J m^3", 0, DBL_MAX, {1}, "strength k of the interaction"},
};

enum { TWISTED, ALIGNED, TURNED };

static const ph_preset presets[] = {
    [TWISTED] = {"twisted",
                 "each turned by 0.5 rad against the one before, turning about e1 at sqrt(k/(J a^3))"},
    [ALIGNED] = {"aligned", "all along e1, at rest: for one row the stable equilibrium"},
    [TURNED] = {"turned", "all along e1 at rest, but the first, which points 0.5 rad towards e3"},
};

/* ---- Callbacks ---------------------------------------------------------------------------------- */

typedef struct array {
    size_t n, columns;
    double spacing, k;
} array;

/* e <- direction from site j to site i; returns k/r^3. */
static double couple(const array *d, size_t i, size_t j, double e[2])
{
    e[0] = (double)(i % d->columns) - (double)(j % d->columns);
    e[1] = (double)(i / d->columns) - (double)(j / d->columns);
    double sites = hypot(e[0], e[1]), r = sites * d->spacing;
    e[0] /= sites;
    e[1] /= sites;
    return d->k / (r * r * r);
}

static ph_status potential(void *user, const double *z, double *U)
{
    const array *d = user;
    double sum = 0, e[2];
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < i; j++) {
            const double *q = z + 3 * i, *other = z + 3 * j, strength = couple(d, i, j, e);
            sum += strength * (ph_dot3(q, other) -
                               3 * (q[0] * e[0] + q[1] * e[1]) * (other[0] * e[0] + other[1] * e[1]));
        }
    *U = sum;
    return PH_OK;
}

/* dU += strength (other - 3 (other.e) e) */
static void add_field(double strength, const double *other, const double e[2], double *dU)
{
    double along = 3 * (other[0] * e[0] + other[1] * e[1]);
    dU[0] += strength * (other[0] - along * e[0]);
    dU[1] += strength * (other[1] - along * e[1]);
    dU[2] += strength * other[2];
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const array *d = user;
    double e[2];
    memset(dU, 0, 3 * d->n * sizeof *dU);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < i; j++) {
            double strength = couple(d, i, j, e);
            add_field(strength, z + 3 * j, e, dU + 3 * i);
            add_field(strength, z + 3 * i, e, dU + 3 * j);
        }
    return PH_OK;
}

/* ---- Building ----------------------------------------------------------------------------------- */

static array read(const ph_parameter_value *table)
{
    array d = {.n = (size_t)table[DIPOLES].values[0],
               .columns = (size_t)table[COLUMNS].values[0],
               .spacing = table[SPACING].values[0],
               .k = table[COUPLING].values[0]};
    if (!d.columns || d.columns > d.n)
        d.columns = d.n;
    return d;
}

/* Of a single row or column the turns about it; of a single dipole all. */
static size_t find_symmetries(const array *d, ph_symmetry symmetries[3])
{
    static const double no_gravity[3] = {0, 0, 0};
    size_t all = ph_gravity_symmetries(no_gravity, symmetries);
    if (d->n == 1)
        return all;
    if (d->columns == 1)
        symmetries[0] = symmetries[1];
    return d->columns == d->n || d->columns == 1;
}

/* The system; takes the array. */
static ph_status create(array *d, const double *M, const ph_space *space, ph_system **system, ph_error *err)
{
    ph_symmetry symmetries[3];
    ph_system_definition definition = {
        .space = space,
        .inertia = M,
        .potential = potential,
        .gradient = gradient,
        .symmetries = symmetries,
        .n_symmetries = find_symmetries(d, symmetries),
        .user = d,
        .user_free = free,
    };
    return ph_system_create(&definition, system, err);
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    array values = read(table), *d;
    ph_space *space = NULL;
    ph_status status = ph_space_create_power(PH_FACTOR_S2, values.n, &space, err);
    if (status)
        return status;
    d = malloc(sizeof *d);
    double *M = calloc(values.n * values.n, sizeof *M);
    if (d && M) {
        *d = values;
        for (size_t i = 0; i < values.n; i++)
            M[i * values.n + i] = table[INERTIA].values[0];
        status = create(d, M, space, system, err);
    } else {
        free(d);
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu dipoles", values.n);
    }
    free(M);
    ph_space_free(space);
    return status;
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    const array d = read(table);
    const double a = d.spacing,
                 rate = which == TWISTED ? sqrt(d.k / (table[INERTIA].values[0] * a * a * a)) : 0;
    (void)err;
    for (size_t i = 0; i < d.n; i++) {
        double angle = which == TWISTED ? 0.5 * (double)i : which == TURNED && i == 0 ? 0.5 : 0;
        double *q = z + 3 * i, *qdot = zdot + 3 * i;
        q[0] = cos(angle);
        q[1] = which == TWISTED ? sin(angle) : 0;
        q[2] = which == TWISTED ? 0 : sin(angle);
        ph_unit_correct3(q);
        qdot[0] = 0; /* rate e1 x q */
        qdot[1] = -rate * q[2];
        qdot[2] = rate * q[1];
    }
    return PH_OK;
}

const ph_model ph_model_dipole_array = {
    .name = "dipole-array",
    .summary = "dipoles on fixed sites in a row or rectangle, turning in each other's field",
    .reference = "Jackson, Classical Electrodynamics, 3rd ed., eq. (4.26)",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
