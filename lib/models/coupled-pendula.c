/* SPDX-License-Identifier: BSD-3-Clause */
/* Spherical pendula hung in a row at the distance a, the bobs of neighbours joined by springs. Bob i is at
 * x_i = a i e1 + l_i q_i, and
 *     L = (1/2) sum m_i l_i^2 |qdot_i|^2 + sum m_i l_i G.q_i - (k/2) sum (|x_{i+1} - x_i| - L)^2.
 * A spring of no length has no direction: the gradient then fails with PH_E_NOT_FINITE, unless L = 0. */
#include "apart.h"
#include "row.h"

enum { MASSES, LENGTHS, SPACING, STIFFNESS, REST_LENGTH, GRAVITY, PENDULA };
enum { DEFAULT_PENDULA = 3 };

static const ph_parameter parameters[] = {
    [MASSES] = PH_PER_BODY("masses", "kg", PH_POSITIVE, 1, "mass of a bob"),
    [LENGTHS] = PH_PER_BODY("lengths", "m", PH_POSITIVE, 1, "length of a rod"),
    [SPACING] = PH_NUMBER("spacing", "m", PH_NOT_NEGATIVE, 0.5, "distance of neighbouring pivots, along e1"),
    [STIFFNESS] = PH_NUMBER("stiffness", "N/m", PH_NOT_NEGATIVE, 1, "stiffness of a spring"),
    [REST_LENGTH] =
        PH_NUMBER("rest_length", "m", PH_NOT_NEGATIVE, 0.5, "length of a spring that does not pull"),
    [GRAVITY] = PH_GRAVITY(-9.81),
    [PENDULA] = PH_COUNT("pendula", PH_FROM(0, PH_MOST_LINKS), 0,
                         "number of pendula; 0: as many as a list of masses or lengths has numbers, or 3"),
};

static const ph_preset presets[] = {
    [PH_ROW_BEATING] = {"beating",
                        "all hanging at rest, but the first, 30 degrees towards -e1: the motion wanders"},
    [PH_ROW_HANGING] = {"hanging", "all hanging, at rest: an equilibrium where the springs do not pull"},
    [PH_ROW_ACROSS] = {"across", "all 30 degrees from hanging across the row, at rest"},
};

typedef struct pendula {
    ph_row row;
    double k, rest;
    double storage[];
} pendula;

/* ---- Callbacks ---------------------------------------------------------------------------------- */

/* d <- x_{i+1} - x_i; returns its length. */
static double stretch(const pendula *p, const double *z, size_t i, double d[3])
{
    for (size_t a = 0; a < 3; a++)
        d[a] = p->row.length[i + 1] * z[3 * i + 3 + a] - p->row.length[i] * z[3 * i + a];
    d[0] += p->row.spacing;
    return ph_norm3(d);
}

/* U = sum w_i . q_i + (k/2) sum (|x_{i+1} - x_i| - L)^2 with w_i = -m_i l_i G. */
static ph_status potential(void *user, const double *z, double *U)
{
    const pendula *p = user;
    double d[3];
    ph_row_potential(user, z, U);
    for (size_t i = 0; i + 1 < p->row.n; i++) {
        double pull = stretch(p, z, i, d) - p->rest;
        *U += 0.5 * p->k * (pull * pull);
    }
    return PH_OK;
}

/* With the pull k (1 - L/r) of a spring for each unit of its vector d: dU/dq_i = w_i - l_i pull d of the
 * spring to the next bob, + l_i pull d of the one before. Where L = 0 the pull is k, also for a spring of
 * no length. */
static ph_status gradient(void *user, const double *z, double *dU)
{
    const pendula *p = user;
    double d[3];
    ph_row_gradient(user, z, dU);
    for (size_t i = 0; i + 1 < p->row.n; i++) {
        double r = stretch(p, z, i, d), pull = p->k;
        if (p->rest > 0 && p->k > 0)
            pull *= 1 - p->rest / r;
        if (!isfinite(pull))
            return PH_E_NOT_FINITE;
        for (size_t a = 0; a < 3; a++) {
            dU[3 * i + a] -= pull * p->row.length[i] * d[a];
            dU[3 * i + 3 + a] += pull * p->row.length[i + 1] * d[a];
        }
    }
    return PH_OK;
}

/* Each bob on its rod, the row of pivots, and what couples neighbours. */
static void draw(const pendula *p, const double G[3], ph_part_list *parts)
{
    for (size_t i = 0; i < p->row.n; i++) {
        const double l = p->row.length[i];
        ph_row_draw(&p->row, i, 0.012 * l, 0.08 * l, NULL, G, parts);
        if (i && p->k != 0)
            ph_part_rod(parts, i - 1, i, 0)->name = "spring";
    }
    ph_row_draw_beam(&p->row, parts);
}

/* ---- Building ----------------------------------------------------------------------------------- */

static const ph_numbering numbering =
    PH_NUMBERING("pendula", PENDULA, DEFAULT_PENDULA, PH_MOST_LINKS, MASSES, LENGTHS);

/* Do springs tie the turns of the bobs to the row? Not where the pivots coincide. */
static bool is_coupled(const pendula *p)
{
    return p->row.spacing != 0 && p->row.n > 1 && p->k != 0;
}

/* Bob i has the inertia m_i l_i^2 and the weight -m_i l_i G. */
static pendula *create_pendula(const ph_model_table *table, size_t n)
{
    pendula *p = calloc(1, sizeof *p + 5 * n * sizeof(double));
    if (!p)
        return NULL;
    ph_row_lay(&p->row, n, p->storage);
    p->row.spacing = ph_number(table, SPACING);
    p->k = ph_number(table, STIFFNESS);
    p->rest = ph_number(table, REST_LENGTH);
    for (size_t i = 0; i < n; i++) {
        double m = ph_entry(table, MASSES, i), l = ph_entry(table, LENGTHS, i);
        p->row.length[i] = l;
        p->row.inertia[i] = m * (l * l);
        for (size_t a = 0; a < 3; a++)
            p->row.weight[3 * i + a] = -m * l * ph_vector(table, GRAVITY)[a];
    }
    return p;
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (status)
        return status;
    ph_symmetry symmetries[3];
    pendula *p = create_pendula(table, n);
    const ph_parameter_value inertia = {NULL, p ? p->row.inertia : NULL, n};
    ph_system_definition definition = {
        .potential = potential,
        .gradient = gradient,
        .points = ph_row_points,
        .n_points = n,
        .symmetries = symmetries,
        .n_symmetries = p ? ph_row_symmetries(ph_vector(table, GRAVITY), is_coupled(p), symmetries) : 0,
        .user = p,
        .user_free = free,
    };
    ph_part_list parts = {0};
    if (p)
        draw(p, ph_vector(table, GRAVITY), &parts);
    return ph_apart_build(n, &inertia, &parts, &definition, "pendula", system, err);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (!status)
        ph_row_preset(n, ph_vector(table, GRAVITY), NULL, which, z, zdot);
    return status;
}

const ph_model ph_model_coupled_pendula = {
    .name = "coupled-pendula",
    .summary = "spherical pendula in a row, neighbours joined by springs",
    .reference = "Goldstein, Poole, Safko, Classical Mechanics, 3rd ed., chapter 6, for small motions",
    PH_MODEL_HERE,
};
