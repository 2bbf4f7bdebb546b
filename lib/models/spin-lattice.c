/* SPDX-License-Identifier: BSD-3-Clause */
/* Classical spins on a rectangle or block of sites, s_i on S^2, which is the phase space of a spin:
 *     H = -J sum (s_i.s_j + (Delta - 1) s_i3 s_j3) + sum D_a.(s_i x s_j) - K sum s_i3^2 - B . sum s_i
 * over the bonds from a site i to the next one j along each axis a, with the twist of Dzyaloshinskii and Moriya
 * D_a = D e_a + D' e3 x e_a (a bulk and an interface). Conical waves s = (sin th cos(k.x + w t), sin th sin(..), cos th)
 * are exact, without a twist and on periodic axes or where k has no component, for
 *     Gamma w = 2 cos th (J sum_a (cos k_a - Delta) - K) - B_3,   a: the axes with bonds. */
#include "direction.h"
#include "magnet.h"

#include <polhode/kit/elementary.h>

enum { SIDE_X, SIDE_Y, SIDE_Z, PERIODIC_X, PERIODIC_Y, PERIODIC_Z, EXCHANGE, DELTA, ANISOTROPY };
enum { BULK = ANISOTROPY + 1, INTERFACE, FIELD, STRENGTHS, DAMPING, ANGLE, WAVES, SEED };

#define SIDE(axis, initial)                                                                                  \
    PH_COUNT("side_" axis, PH_FROM(1, PH_MOST_SITES), initial, "number of sites along " axis)
#define PERIODIC(axis, initial)                                                                              \
    PH_COUNT("periodic_" axis, PH_FROM(0, 1), initial,                                                       \
             "1: lines along " axis " are rings, of at least 3 sites; 0: they are open")

static const ph_parameter parameters[] = {
    [SIDE_X] = SIDE("x", 4),
    [SIDE_Y] = SIDE("y", 4),
    [SIDE_Z] = SIDE("z", 1),
    [PERIODIC_X] = PERIODIC("x", 1),
    [PERIODIC_Y] = PERIODIC("y", 1),
    [PERIODIC_Z] = PERIODIC("z", 0),
    [EXCHANGE] = PH_EXCHANGE_ROWS,
    [BULK] =
        PH_NUMBER("bulk_twist", "J", PH_ANY, 0, "D: the vector of Dzyaloshinskii and Moriya along a bond"),
    [INTERFACE] = PH_NUMBER("interface_twist", "J", PH_ANY, 0,
                            "D': the one perpendicular to a bond in the plane, e3 x e_a"),
    [FIELD] = PH_FIELD_ROWS,
    [ANGLE] = PH_NUMBER("angle", "rad", PH_ANY, 0.6, "from e3, of the initial conditions conical and tilted"),
    [WAVES] = PH_VECTOR("waves", "1", PH_ANY, 1, 1, 0,
                        "wave lengths along the sides, of conical; whole numbers on periodic sides"),
    [SEED] = PH_SEED("of random initial conditions"),
};

enum { CONICAL, RANDOM, TILTED, WALL, VORTEX, SKYRMION, WAVE };

static const ph_preset presets[] = {
    [CONICAL] =
        {"conical",
         "a conical spin wave: all at `angle` from e3, turned by 2 pi waves/side from one to the next"},
    [RANDOM] = {"random", "independent directions, uniform on the sphere, by the seed"},
    [TILTED] = {"tilted",
                "all at `angle` from e3 towards e1, in a field of 1 along e3: they turn at -B/Gamma"},
    [WALL] = {"domain-wall",
              "32 x 4, open along x, Delta = 1.5, K = -0.5: from -e3 to e3 in the middle of x, at rest"},
    [VORTEX] = {"vortex",
                "an open square of 16 with e3 as a hard axis, K = -0.2: once round in the plane, and "
                "along e3 in the middle"},
    [SKYRMION] = {"skyrmion", "24 x 24, D = 0.7, B = 0.3 along e3, damping 0.2: along -e3 in the middle, and "
                              "turned over within 4 sites: relaxes, and stays wound once"},
    [WAVE] = {"wave", "12 x 12, as conical: two wave lengths along x and one along y"},
};

static const ph_preset_value own[] = {
    PH_OWN(TILTED, "field", 0, 0, 1),
    PH_OWN(WALL, "side_x", 32),
    PH_OWN(WALL, "side_y", 4),
    PH_OWN(WALL, "periodic_x", 0),
    PH_OWN(WALL, "delta", 1.5),
    PH_OWN(WALL, "anisotropy", -0.5),
    PH_OWN(VORTEX, "side_x", 16),
    PH_OWN(VORTEX, "side_y", 16),
    PH_OWN(VORTEX, "periodic_x", 0),
    PH_OWN(VORTEX, "periodic_y", 0),
    PH_OWN(VORTEX, "anisotropy", -0.2),
    PH_OWN(SKYRMION, "side_x", 24),
    PH_OWN(SKYRMION, "side_y", 24),
    PH_OWN(SKYRMION, "bulk_twist", 0.7),
    PH_OWN(SKYRMION, "field", 0, 0, 0.3),
    PH_OWN(SKYRMION, "damping", 0.2),
    PH_OWN(WAVE, "side_x", 12),
    PH_OWN(WAVE, "side_y", 12),
    PH_OWN(WAVE, "waves", 2, 1, 0),
};

/* ---- Building ------------------------------------------------------------------------------------------- */

static ph_status read_lattice(const ph_model_table *table, ph_lattice *l, ph_error *err)
{
    static const char *const names[3] = {"side_x", "side_y", "side_z"};
    for (size_t a = 0; a < 3; a++) {
        l->side[a] = ph_count(table, SIDE_X + a);
        l->periodic[a] = ph_number(table, PERIODIC_X + a) == 1;
    }
    ph_status status = ph_lattice_check(l, names, err);
    const ph_numbering numbering =
        PH_NUMBERING("sites", PH_NO_INDEX, ph_lattice_sites(l), PH_MOST_SITES, STRENGTHS, DAMPING);
    return status ? status : ph_parameter_check_lists(table, &numbering, ph_lattice_sites(l), err);
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    const double D = ph_number(table, BULK), across = ph_number(table, INTERFACE);
    const double twist[3][3] = {{D, across, 0}, {-across, D, 0}, {0, 0, D}};
    ph_magnet m;
    ph_magnet_read(table, EXCHANGE, FIELD, &m);
    memcpy(m.twist, twist, sizeof twist);
    ph_status status = read_lattice(table, &m.lattice, err);
    return status ? status : ph_magnet_build(&m, system, err);
}

/* ---- Initial conditions --------------------------------------------------------------------------------- */

/* The site at x from the middle of a skyrmion: the angle from e3 is that of two walls, 2 atan(sinh(R/w)/sinh(r/w)), and
 * the spins turn about the direction that the twist prefers: across the radius (Bloch) or along it (Neel). */
static void place_in_skyrmion(const ph_model_table *table, double x, double y, double *s)
{
    static const double radius = 4, width = 2, pi = 3.1415926535897932385;
    const double r = ph_hypot(x, y), D = ph_number(table, BULK), across = ph_number(table, INTERFACE);
    ph_direction(s, r > 0 ? 2 * ph_atan(ph_sinh(radius / width) / ph_sinh(r / width)) : pi,
                 ph_atan2(y, x) + ph_atan2(-D, across));
}

static void place_at(const ph_model_table *table, size_t which, const double *at, const double *middle,
                     double steepness, double *s)
{
    static const double pi = 3.1415926535897932385;
    const double x = at[0] - middle[0], y = at[1] - middle[1], angle = ph_number(table, ANGLE);
    double phase = 0;
    if (which == WALL) {
        ph_direction(s, 2 * ph_atan(ph_exp(-steepness * x)), 0);
    } else if (which == VORTEX) { /* out of the plane within two sites */
        ph_direction(s, pi / 2 * -ph_expm1(-0.25 * (x * x + y * y)), ph_atan2(y, x) + pi / 2);
    } else if (which == SKYRMION) {
        place_in_skyrmion(table, x, y, s);
    } else {
        for (size_t a = 0; a < 3 && (which == CONICAL || which == WAVE); a++)
            phase += 2 * pi * ph_vector(table, WAVES)[a] * at[a] / (2 * middle[a] + 1);
        ph_direction(s, angle, phase);
    }
}

/* For a wall across x: the bonds along another periodic axis are between equal spins, and add J (Delta - 1) to K. (Those along an
 * open one do so only within its ends, where the wall is another one: they are not counted.) */
static ph_status find_steepness(const ph_model_table *table, const ph_lattice *l, double *steepness,
                                ph_error *err)
{
    const double J = ph_number(table, EXCHANGE), delta = ph_number(table, DELTA);
    return ph_magnet_steepness(
        J, delta, ph_number(table, ANISOTROPY) + J * (delta - 1) * (double)(l->periodic[1] + l->periodic[2]),
        steepness, err);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_lattice l;
    uint64_t seed = (uint64_t)ph_number(table, SEED);
    double steepness = 0, middle[3];
    ph_status status = read_lattice(table, &l, err);
    if (!status && which == WALL)
        status = find_steepness(table, &l, &steepness, err);
    if (status)
        return status;
    for (size_t a = 0; a < 3; a++)
        middle[a] = 0.5 * (double)(l.side[a] - 1);
    const size_t n = ph_lattice_sites(&l);
    memset(zdot, 0, 3 * n * sizeof *zdot);
    for (size_t i = 0; i < n; i++) {
        const double at[3] = {(double)(i % l.side[0]), (double)(i / l.side[0] % l.side[1]),
                              (double)(i / l.side[0] / l.side[1])};
        if (which == RANDOM)
            ph_scatter_unit(&seed, z + 3 * i);
        else
            place_at(table, which, at, middle, steepness, z + 3 * i);
    }
    return PH_OK;
}

const ph_model ph_model_spin_lattice = {
    .name = "spin-lattice",
    .summary = "classical spins on a square or cubic lattice: exchange, anisotropy, field, twist, damping",
    .reference = "McLachlan, Modin, Verdier, Phys. Rev. E 89 (2014) 061301",
    PH_MODEL_HERE,
    .start = WAVE,
    PH_MODEL_OWN,
};
