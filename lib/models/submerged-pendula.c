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
/* The derivative of the inertia, which polhode check takes, has 27 n^3 entries. */
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

/* n, *inverse <- the direction of x_i - x_j and one over its length r; returns the factor of 3 n n^T - I, not finite where
 * there is no direction. */
static double couple(const balls *b, const double *z, size_t i, size_t j, double n[3], double *inverse)
{
    for (size_t k = 0; k < 3; k++)
        n[k] = b->row.length[i] * z[3 * i + k] - b->row.length[j] * z[3 * j + k];
    n[0] += b->row.spacing * ((double)i - (double)j);
    const double s = 1 / ph_dot3(n, n);
    *inverse = sqrt(s);
    for (size_t k = 0; k < 3; k++)
        n[k] *= *inverse;
    return -b->dipole[i] * b->dipole[j] * s * *inverse;
}

/* The field of a dipole, (3 n n^T - I) / r^3, entry (k, l). */
static ph_status inertia(void *user, const double *z, double *MM)
{
    const balls *b = user;
    size_t nz = 3 * b->row.n;
    double n[3], inverse;
    memset(MM, 0, nz * nz * sizeof *MM);
    for (size_t i = 0; i < b->row.n; i++) {
        for (size_t k = 0; k < 3; k++)
            MM[(3 * i + k) * (nz + 1)] = b->row.inertia[i];
        for (size_t j = 0; j < i; j++) {
            const double strength = couple(b, z, i, j, n, &inverse);
            if (!isfinite(strength))
                return PH_E_NOT_FINITE;
            for (size_t k = 0; k < 9; k++) {
                const double entry = strength * (3 * n[k / 3] * n[k % 3] - (k % 4 == 0));
                MM[(3 * i + k / 3) * nz + 3 * j + k % 3] = entry;
                MM[(3 * j + k % 3) * nz + 3 * i + k / 3] = entry;
            }
        }
    }
    return PH_OK;
}

/* D <- d/dr of ((3 n n^T - I) / r^3) v, column m that along r_m, times `strength` r^4:
 *     3 ((n.v) I + n v^T + v n^T) - 15 (n.v) n n^T. */
static void field_derivative(const double n[3], const double v[3], double strength, double D[9])
{
    const double along = ph_dot3(n, v);
    for (size_t k = 0; k < 3; k++)
        for (size_t m = 0; m < 3; m++)
            D[3 * k + m] =
                strength * (3 * ((k == m) * along + v[m] * n[k] + v[k] * n[m]) - 15 * along * n[k] * n[m]);
}

/* dMM (nz x nz x nz): entry (row, column, l) is dMM/dz_l. r depends on q_i by l_i and on q_j by -l_j, so
 * that of a pair 27 numbers stand in four places, with signs. */
static ph_status inertia_dz(void *user, const double *z, double *dMM)
{
    const balls *b = user;
    size_t nz = 3 * b->row.n;
    double n[3], inverse, D[9];
    memset(dMM, 0, nz * nz * nz * sizeof *dMM);
    for (size_t i = 0; i < b->row.n; i++)
        for (size_t j = 0; j < i; j++) {
            const double strength = couple(b, z, i, j, n, &inverse) * inverse;
            if (!isfinite(strength))
                return PH_E_NOT_FINITE;
            for (size_t l = 0; l < 3; l++) {
                const double unit[3] = {l == 0, l == 1, l == 2};
                field_derivative(n, unit, strength, D);
                for (size_t k = 0; k < 3; k++) {
                    double *entry = dMM + ((3 * i + k) * nz + 3 * j + l) * nz,
                           *mirror = dMM + ((3 * j + l) * nz + 3 * i + k) * nz;
                    for (size_t m = 0; m < 3; m++) {
                        entry[3 * i + m] = mirror[3 * i + m] = D[3 * k + m] * b->row.length[i];
                        entry[3 * j + m] = mirror[3 * j + m] = -D[3 * k + m] * b->row.length[j];
                    }
                }
            }
        }
    return PH_OK;
}

/* By pairs: n^2 numbers where dMM/dz has n^3. */
static ph_status slopes(void *user, double t, const double *z, const double *v, double *Lz, double *Lv)
{
    const balls *b = user;
    double n[3], inverse, D[9];
    (void)t;
    for (size_t i = 0; i < 3 * b->row.n; i++) {
        Lz[i] = -b->row.weight[i];
        Lv[i] = b->row.inertia[i / 3] * v[i];
    }
    for (size_t i = 0; i < b->row.n; i++)
        for (size_t j = 0; j < i; j++) {
            const double *vi = v + 3 * i, *vj = v + 3 * j, strength = couple(b, z, i, j, n, &inverse),
                         along_i = ph_dot3(n, vi), along_j = ph_dot3(n, vj);
            if (!isfinite(strength))
                return PH_E_NOT_FINITE;
            field_derivative(n, vj, strength * inverse, D);
            for (size_t k = 0; k < 3; k++) {
                const double slope = D[k] * vi[0] + D[3 + k] * vi[1] + D[6 + k] * vi[2];
                Lv[3 * i + k] += strength * (3 * along_j * n[k] - vj[k]);
                Lv[3 * j + k] += strength * (3 * along_i * n[k] - vi[k]);
                Lz[3 * i + k] += b->row.length[i] * slope;
                Lz[3 * j + k] -= b->row.length[j] * slope;
            }
        }
    return PH_OK;
}

/* d2/dr2 of the pair's energy, times `strength` r^5, column m: field_derivative's own along r_m, for the velocities u, v. */
static void field_curvature(const double n[3], const double u[3], const double v[3], double strength,
                            double H[9])
{
    const double a = ph_dot3(n, u), c = ph_dot3(n, v), w = ph_dot3(u, v);
    for (size_t k = 0; k < 3; k++)
        for (size_t m = 0; m < 3; m++)
            H[3 * k + m] = strength * (3 * (u[k] * v[m] + v[k] * u[m] + (k == m) * (w - 5 * a * c)) +
                                       15 * (7 * a * c - w) * n[k] * n[m] -
                                       15 * ((c * u[k] + a * v[k]) * n[m] + (c * u[m] + a * v[m]) * n[k]));
}

static ph_status hessian(void *user, double t, const double *z, const double *v, double *Lzz, double *Lvz,
                         double *Lvv)
{
    const balls *b = user;
    const size_t nz = 3 * b->row.n;
    double n[3], inverse, D[2][9], H[9];
    (void)t;
    memset(Lzz, 0, nz * nz * sizeof *Lzz);
    memset(Lvz, 0, nz * nz * sizeof *Lvz);
    for (size_t i = 0; i < b->row.n; i++)
        for (size_t j = 0; j < i; j++) {
            const double strength = couple(b, z, i, j, n, &inverse), li = b->row.length[i],
                         lj = b->row.length[j];
            field_derivative(n, v + 3 * j, strength * inverse, D[0]);
            field_derivative(n, v + 3 * i, strength * inverse, D[1]);
            field_curvature(n, v + 3 * i, v + 3 * j, strength * inverse * inverse, H);
            for (size_t at = 0; at < 9; at++) {
                const size_t ki = (3 * i + at / 3) * nz, kj = (3 * j + at / 3) * nz, mi = 3 * i + at % 3,
                             mj = 3 * j + at % 3;
                Lvz[ki + mi] += li * D[0][at];
                Lvz[ki + mj] = -lj * D[0][at];
                Lvz[kj + mi] = li * D[1][at];
                Lvz[kj + mj] -= lj * D[1][at];
                Lzz[ki + mi] += li * li * H[at];
                Lzz[kj + mj] += lj * lj * H[at];
                Lzz[ki + mj] = Lzz[kj + mi] = -li * lj * H[at];
            }
        }
    return inertia(user, z, Lvv);
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
            .lagrangian_gradient = slopes,
            .lagrangian_hessian = hessian,
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
