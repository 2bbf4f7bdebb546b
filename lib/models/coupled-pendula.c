/* SPDX-License-Identifier: BSD-3-Clause */
/* Spherical pendula hung in a row at the distance a, the bobs of neighbours joined by springs. Bob i is at
 * x_i = a i e1 + l_i q_i, and
 *     L = (1/2) sum m_i l_i^2 |qdot_i|^2 + sum m_i l_i G.q_i - (k/2) sum (|x_{i+1} - x_i| - L)^2.
 * A spring of no length has no direction: the gradient then fails with PH_E_NOT_FINITE, unless L = 0. */
#include "apart.h"
#include "gravity.h"
#include "lib/scene/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <polhode/algebra.h>

enum { MASSES, LENGTHS, SPACING, STIFFNESS, REST_LENGTH, GRAVITY, PENDULA, PARAMETERS };
enum { DEFAULT_PENDULA = 3 };

static const ph_parameter parameters[PARAMETERS] = {
    [MASSES] = {"masses", PH_PARAMETER_PER_BODY, "kg", DBL_MIN, DBL_MAX, {1}, "mass of a bob"},
    [LENGTHS] = {"lengths", PH_PARAMETER_PER_BODY, "m", DBL_MIN, DBL_MAX, {1}, "length of a rod"},
    [SPACING] =
        {"spacing", PH_PARAMETER_NUMBER, "m", 0, DBL_MAX, {0.5}, "distance of neighbouring pivots, along e1"},
    [STIFFNESS] = {"stiffness", PH_PARAMETER_NUMBER, "N/m", 0, DBL_MAX, {1}, "stiffness of a spring"},
    [REST_LENGTH] =
        {"rest_length", PH_PARAMETER_NUMBER, "m", 0, DBL_MAX, {0.5}, "length of a spring that does not pull"},
    [GRAVITY] = PH_GRAVITY_PARAMETER(-9.81),
    [PENDULA] = {"pendula",
                 PH_PARAMETER_COUNT,
                 "1",
                 0,
                 PH_MOST_LINKS,
                 {0},
                 "number of pendula; 0: as many as a list of masses or lengths has numbers, or 3"},
};

enum { BEATING, HANGING, ACROSS };

static const ph_preset presets[] = {
    [BEATING] = {"beating", "all hanging at rest, but the first, 30 degrees towards -e1: the motion wanders"},
    [HANGING] = {"hanging", "all hanging, at rest: an equilibrium where the springs do not pull"},
    [ACROSS] = {"across", "all 30 degrees from hanging across the row, at rest"},
};

typedef struct pendula {
    size_t n;
    double spacing, k, rest;
    double *length;  /* (n) */
    double *inertia; /* (n) */
    double *weight;  /* (3n) the constant part of dU */
    double storage[];
} pendula;

/* ---- Callbacks ---------------------------------------------------------------------------------- */

/* d <- x_{i+1} - x_i; returns its length. */
static double stretch(const pendula *p, const double *z, size_t i, double d[3])
{
    for (size_t a = 0; a < 3; a++)
        d[a] = p->length[i + 1] * z[3 * i + 3 + a] - p->length[i] * z[3 * i + a];
    d[0] += p->spacing;
    return ph_norm3(d);
}

/* U = sum w_i . q_i + (k/2) sum (|x_{i+1} - x_i| - L)^2 with w_i = -m_i l_i G. */
static ph_status potential(void *user, const double *z, double *U)
{
    const pendula *p = user;
    double sum = 0, d[3];
    for (size_t i = 0; i < 3 * p->n; i++)
        sum += p->weight[i] * z[i];
    for (size_t i = 0; i + 1 < p->n; i++) {
        double pull = stretch(p, z, i, d) - p->rest;
        sum += 0.5 * p->k * (pull * pull);
    }
    *U = sum;
    return PH_OK;
}

/* With the pull k (1 - L/r) of a spring for each unit of its vector d: dU/dq_i = w_i - l_i pull d of the
 * spring to the next bob, + l_i pull d of the one before. Where L = 0 the pull is k, also for a spring of
 * no length. */
static ph_status gradient(void *user, const double *z, double *dU)
{
    const pendula *p = user;
    double d[3];
    memcpy(dU, p->weight, 3 * p->n * sizeof *dU);
    for (size_t i = 0; i + 1 < p->n; i++) {
        double r = stretch(p, z, i, d), pull = p->k;
        if (p->rest > 0 && p->k > 0)
            pull *= 1 - p->rest / r;
        if (!isfinite(pull))
            return PH_E_NOT_FINITE;
        for (size_t a = 0; a < 3; a++) {
            dU[3 * i + a] -= pull * p->length[i] * d[a];
            dU[3 * i + 3 + a] += pull * p->length[i + 1] * d[a];
        }
    }
    return PH_OK;
}

/* x_i = a i e1 + l_i q_i. */
static ph_status points(void *user, const double *z, double *x)
{
    const pendula *p = user;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t a = 0; a < 3; a++)
            x[3 * i + a] = p->length[i] * z[3 * i + a];
        x[3 * i] += (double)i * p->spacing;
    }
    return PH_OK;
}

/* Each bob on its rod, the row of pivots, and what couples neighbours. */
static void draw(const pendula *p, const double G[3], ph_part_list *parts)
{
    for (size_t i = 0; i < p->n; i++) {
        const double l = p->length[i], pivot = (double)i * p->spacing;
        ph_scene_part *rod =
            ph_part_shift(ph_part_add(parts, PH_SCENE_LINE, PH_NO_INDEX, PH_NO_INDEX), pivot, 0, 0);
        ph_part_size(ph_part_end(rod, i, PH_NO_INDEX, 0, 0, 0), 0.012 * l, 0, 0);
        ph_part_size(ph_part_add(parts, PH_SCENE_BALL, i, PH_NO_INDEX), 0.08 * l, 0, 0);
        ph_part_mark(parts, PH_NO_INDEX, G, "pivot")->a.at[0] = pivot;
        if (i && p->k != 0)
            ph_part_end(ph_part_add(parts, PH_SCENE_LINE, i - 1, PH_NO_INDEX), i, PH_NO_INDEX, 0, 0, 0)
                ->name = "spring";
    }
    ph_scene_part *beam =
        ph_part_shift(ph_part_add(parts, PH_SCENE_LINE, PH_NO_INDEX, PH_NO_INDEX), -0.2 * p->spacing, 0, 0);
    ph_part_end(beam, PH_NO_INDEX, PH_NO_INDEX, ((double)p->n - 0.8) * p->spacing, 0, 0);
    ph_part_size(beam, 0.02 * p->spacing, 0, 0)->name = "beam";
}

/* ---- Building ----------------------------------------------------------------------------------- */

static const ph_numbering numbering = {"pendula", PENDULA,         {MASSES, LENGTHS},
                                       2,         DEFAULT_PENDULA, PH_MOST_LINKS};

/* Do springs tie the turns of the bobs to the row? Not where the pivots coincide. */
static bool is_coupled(const pendula *p)
{
    return p->spacing != 0 && p->n > 1 && p->k != 0;
}

/* Bob i has the inertia m_i l_i^2 and the weight -m_i l_i G. */
static pendula *create_pendula(const ph_parameter_value *table, size_t n)
{
    pendula *p = calloc(1, sizeof *p + 5 * n * sizeof(double));
    if (!p)
        return NULL;
    p->n = n;
    p->spacing = table[SPACING].values[0];
    p->k = table[STIFFNESS].values[0];
    p->rest = table[REST_LENGTH].values[0];
    p->length = p->storage;
    p->inertia = p->storage + n;
    p->weight = p->storage + 2 * n;
    for (size_t i = 0; i < n; i++) {
        double m = ph_parameter_entry(&table[MASSES], i), l = ph_parameter_entry(&table[LENGTHS], i);
        p->length[i] = l;
        p->inertia[i] = m * (l * l);
        for (size_t a = 0; a < 3; a++)
            p->weight[3 * i + a] = -m * l * table[GRAVITY].values[a];
    }
    return p;
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (status)
        return status;
    ph_symmetry symmetries[3];
    pendula *p = create_pendula(table, n);
    const ph_parameter_value inertia = {NULL, p ? p->inertia : NULL, n};
    ph_system_definition definition = {
        .potential = potential,
        .gradient = gradient,
        .points = points,
        .n_points = n,
        .symmetries = symmetries,
        .n_symmetries = p ? ph_gravity_row_symmetries(table[GRAVITY].values, is_coupled(p), symmetries) : 0,
        .user = p,
        .user_free = free,
    };
    ph_part_list parts = {0};
    if (p)
        draw(p, table[GRAVITY].values, &parts);
    ph_part_give(&parts, &definition);
    const ph_status built = ph_apart_build(n, &inertia, &definition, "pendula", system, err);
    free(parts.at);
    return built;
}

/* ---- Initial conditions ------------------------------------------------------------------------- */

/* All hang, but those that are 30 degrees aside: towards -e1 or across the row. */
static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    double back[3], side[3], down[3];
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (status)
        return status;
    ph_gravity_row_frame(table[GRAVITY].values, back, side, down);
    for (size_t i = 0; i < n; i++) {
        bool aside = which == ACROSS || (which == BEATING && i == 0);
        ph_gravity_row_lean(down, !aside ? NULL : which == ACROSS ? side : back, 1, z + 3 * i);
    }
    memset(zdot, 0, 3 * n * sizeof *zdot);
    return PH_OK;
}

const ph_model ph_model_coupled_pendula = {
    .name = "coupled-pendula",
    .summary = "spherical pendula in a row, neighbours joined by springs",
    .reference = "Goldstein, Poole, Safko, Classical Mechanics, 3rd ed., chapter 6, for small motions",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
