/* SPDX-License-Identifier: BSD-3-Clause */
/* Balls on massless rods, hung in a row at the distance d in an ideal fluid that is at rest far away: the
 * inertia of the fluid that they move depends on where they are. Ball i, of radius a_i and volume V_i, is at
 * x_i = d i e1 + l_i q_i. To the leading order of a/r the fluid's kinetic energy is (Lamb, Hydrodynamics, 6th
 * ed., articles 92, 138, 139)
 *     T = sum_i (rho V_i / 4) |xdot_i|^2
 *         - sum_{i<j} (pi rho a_i^3 a_j^3 / r^3) xdot_i . (3 n n^T - I) xdot_j,
 * with the distance r of the centres and its direction n: each ball carries half its volume of fluid along,
 * and is moved by the dipole flow of the others. Neglected are terms smaller by another (a/r)^3 (reflected
 * dipoles), and the boundaries of the fluid. Buoyancy reduces gravity:
 *     U = - sum (m_i - rho V_i) l_i G.q_i. */
#include "row.h"

enum { MASSES, RADII, LENGTHS, SPACING, DENSITY, GRAVITY, PENDULA };
/* The derivative of the inertia has 27 n^3 entries. */
enum { DEFAULT_PENDULA = 2, MOST_PENDULA = 40 };

static const ph_parameter parameters[] = {
    [MASSES] = PH_PER_BODY("masses", "kg", PH_POSITIVE, 5, "mass of a ball"),
    [RADII] = PH_PER_BODY("radii", "m", PH_POSITIVE, 0.1, "radius of a ball"),
    [LENGTHS] = PH_PER_BODY("lengths", "m", PH_POSITIVE, 0.12, "from the pivot to the centre of a ball"),
    [SPACING] = PH_NUMBER("spacing", "m", PH_POSITIVE, 0.46,
                          "distance of neighbouring pivots, along e1; so large that balls cannot touch"),
    [DENSITY] = PH_NUMBER("density", "kg/m^3", PH_NOT_NEGATIVE, 1000, "density of the fluid"),
    [GRAVITY] = PH_GRAVITY(-9.81),
    [PENDULA] =
        PH_COUNT("pendula", PH_FROM(0, MOST_PENDULA), 0,
                 "number of pendula; 0: as many as a list of masses, radii or lengths has numbers, or 2"),
};

static const ph_preset presets[] = {
    [PH_ROW_BEATING] =
        {"beating",
         "all settled at rest, but the first, 30 degrees towards -e1: the fluid carries the motion on"},
    [PH_ROW_HANGING] = {"settled",
                        "all at rest at the stable equilibrium: a ball lighter than its fluid stands up"},
    [PH_ROW_ACROSS] = {"across", "all 30 degrees from there across the row, at rest"},
};

/* Ball i has the inertia (m + rho V / 2) l^2. A pair has the factor pi rho a_i^3 l_i a_j^3 l_j, the product
 * of their members `dipole`. */
typedef struct balls {
    ph_row row;
    double *dipole; /* (n) */
    double storage[];
} balls;

/* ---- Callbacks ---------------------------------------------------------------------------------- */

/* r <- x_i - x_j; returns |r|^-2, infinite where there is no direction. */
static double look(const balls *b, const double *z, size_t i, size_t j, double r[3])
{
    for (size_t k = 0; k < 3; k++)
        r[k] = b->row.length[i] * z[3 * i + k] - b->row.length[j] * z[3 * j + k];
    r[0] += b->row.spacing * ((double)i - (double)j);
    return 1 / ph_dot3(r, r);
}

/* The field of a dipole, (3 n n^T - I) / r^3, entry (k, l). */
static ph_status inertia(void *user, const double *z, double *MM)
{
    const balls *b = user;
    size_t nz = 3 * b->row.n;
    double r[3];
    memset(MM, 0, nz * nz * sizeof *MM);
    for (size_t i = 0; i < b->row.n; i++) {
        for (size_t k = 0; k < 3; k++)
            MM[(3 * i + k) * (nz + 1)] = b->row.inertia[i];
        for (size_t j = 0; j < i; j++) {
            double s = look(b, z, i, j, r), strength = -b->dipole[i] * b->dipole[j] * s * sqrt(s);
            if (!isfinite(strength))
                return PH_E_NOT_FINITE;
            for (size_t k = 0; k < 9; k++) {
                double entry = strength * (3 * r[k / 3] * r[k % 3] * s - (k % 4 == 0));
                MM[(3 * i + k / 3) * nz + 3 * j + k % 3] = entry;
                MM[(3 * j + k % 3) * nz + 3 * i + k / 3] = entry;
            }
        }
    }
    return PH_OK;
}

/* d/dr_m of entry (k, l) of the field, without its factor r^-4, for n = r/|r|:
 *     3 (delta_km n_l + delta_lm n_k + delta_kl n_m) - 15 n_k n_l n_m. */
static double field_derivative(const double n[3], size_t k, size_t l, size_t m)
{
    double deltas = (k == m ? n[l] : 0) + (l == m ? n[k] : 0) + (k == l ? n[m] : 0);
    return 3 * deltas - 15 * n[k] * n[l] * n[m];
}

/* dMM (nz x nz x nz): entry (row, column, l) is dMM/dz_l. r depends on q_i by l_i and on q_j by -l_j, so
 * that of a pair 27 numbers stand in four places, with signs. */
static ph_status inertia_dz(void *user, const double *z, double *dMM)
{
    const balls *b = user;
    size_t nz = 3 * b->row.n;
    double r[3];
    memset(dMM, 0, nz * nz * nz * sizeof *dMM);
    for (size_t i = 0; i < b->row.n; i++)
        for (size_t j = 0; j < i; j++) {
            double s = look(b, z, i, j, r), strength = -b->dipole[i] * b->dipole[j] * s * s;
            if (!isfinite(strength))
                return PH_E_NOT_FINITE;
            for (size_t k = 0; k < 3; k++)
                r[k] *= sqrt(s);
            for (size_t at = 0; at < 27; at++) {
                size_t k = at / 9, l = at / 3 % 3, m = at % 3;
                double slope = strength * field_derivative(r, k, l, m);
                double *entry = dMM + ((3 * i + k) * nz + 3 * j + l) * nz,
                       *mirror = dMM + ((3 * j + l) * nz + 3 * i + k) * nz;
                entry[3 * i + m] = mirror[3 * i + m] = slope * b->row.length[i];
                entry[3 * j + m] = mirror[3 * j + m] = -slope * b->row.length[j];
            }
        }
    return PH_OK;
}

/* The balls in their true size, on rods from the row of pivots. */
static void draw(const balls *b, const ph_parameter_value *radii, const double G[3], ph_part_list *parts)
{
    for (size_t i = 0; i < b->row.n; i++) {
        const double radius = ph_parameter_entry(radii, i);
        ph_row_draw(&b->row, i, 0.08 * radius, radius, "ball", G, parts);
    }
    ph_row_draw_beam(&b->row, parts);
}

/* ---- Building ----------------------------------------------------------------------------------- */

static const ph_numbering numbering =
    PH_NUMBERING("pendula", PENDULA, DEFAULT_PENDULA, MOST_PENDULA, MASSES, RADII, LENGTHS);

/* Balls must not touch even if their rods point at each other: the flow is then not that of dipoles. */
static ph_status check_room(const ph_model_table *table, size_t n, ph_error *err)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double wanted = 0, given = (double)(i - j) * ph_number(table, SPACING);
            for (size_t which = RADII; which <= LENGTHS; which++)
                wanted += ph_entry(table, which, i) + ph_entry(table, which, j);
            if (!(given > wanted))
                return ph_fail(err, PH_E_RANGE,
                               "balls %zu and %zu can touch: their pivots are %g m apart, "
                               "lengths and radii are %g m together; give a spacing above %g",
                               j, i, given, wanted, wanted / (double)(i - j));
        }
    return PH_OK;
}

/* rho V_i [kg] */
static double displaced_mass(const ph_model_table *table, size_t i)
{
    double a = ph_entry(table, RADII, i);
    return 4.1887902047863909846 * ph_number(table, DENSITY) * (a * a * a); /* 4 pi/3 */
}

/* The numbers of the head of this file, one set for each ball. */
static balls *create_balls(const ph_model_table *table, size_t n)
{
    static const double pi = 3.1415926535897932385;
    balls *b = calloc(1, sizeof *b + 6 * n * sizeof(double));
    if (!b)
        return NULL;
    b->dipole = ph_row_lay(&b->row, n, b->storage);
    b->row.spacing = ph_number(table, SPACING);
    for (size_t i = 0; i < n; i++) {
        double m = ph_entry(table, MASSES, i), l = ph_entry(table, LENGTHS, i);
        double a = ph_entry(table, RADII, i), displaced = displaced_mass(table, i);
        b->row.length[i] = l;
        b->row.inertia[i] = (m + 0.5 * displaced) * (l * l);
        b->dipole[i] = sqrt(pi * ph_number(table, DENSITY)) * (a * a * a) * l;
        for (size_t k = 0; k < 3; k++)
            b->row.weight[3 * i + k] = (displaced - m) * l * ph_vector(table, GRAVITY)[k];
    }
    return b;
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    size_t n;
    ph_space *space = NULL;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (!status)
        status = check_room(table, n, err);
    if (!status)
        status = ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, n, &space, err);
    if (status)
        return status;
    balls *b = create_balls(table, n);
    if (b) {
        ph_symmetry symmetries[3];
        ph_system_definition definition = {
            .space = space,
            .ambient_inertia_at = inertia,
            .inertia_dz = inertia_dz,
            .potential = ph_row_potential,
            .gradient = ph_row_gradient,
            .points = ph_row_points,
            .n_points = b->row.n,
            .symmetries = symmetries,
            .n_symmetries =
                ph_row_symmetries(ph_vector(table, GRAVITY), b->row.n > 1 && b->dipole[0] != 0, symmetries),
            .user = b,
            .user_free = free,
        };
        ph_part_list parts = {0};
        draw(b, &table->row[RADII], ph_vector(table, GRAVITY), &parts);
        status = ph_part_create(&parts, &definition, system, err);
    } else {
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu pendula", n);
    }
    ph_space_free(space);
    return status;
}

/* A ball that is lighter than its fluid settles upwards. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    bool up[MOST_PENDULA];
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        up[i] = ph_entry(table, MASSES, i) < displaced_mass(table, i);
    ph_row_preset(n, ph_vector(table, GRAVITY), up, which, z, zdot);
    return PH_OK;
}

const ph_model ph_model_submerged_pendula = {
    .name = "submerged-pendula",
    .summary = "balls on rods in a row in an ideal fluid, which they move and feel each other through",
    .reference = "Lamb, Hydrodynamics, 6th ed., articles 92, 138, 139",
    PH_MODEL_HERE,
};
