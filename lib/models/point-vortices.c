/* SPDX-License-Identifier: BSD-3-Clause */
/* Point vortices on the unit sphere with circulations Gamma_i, and a core that lets them pass:
 *     H = -(1/4 pi) sum_{i<j} Gamma_i Gamma_j log(2 - 2 s_i.s_j + core^2),      Gamma_i s_i' = (dH/ds_i) x s_i,
 *     s_i' = (1/4 pi) sum_j Gamma_j s_j x s_i / (1 - s_i.s_j + core^2/2).
 * sum Gamma_i s_i is conserved. Known exactly: two vortices, rings, and three that collapse into a point in a finite time.
 * (R. Kidambi, P. K. Newton, Physica D 116 (1998) 143; S. Boatto, H. E. Cabral, SIAM J. Appl. Math. 64 (2003) 216.) */
#include "direction.h"
#include "model.h"
#include <polhode/domain/scene.h>
#include <polhode/domain/spins.h>
#include <polhode/kit/elementary.h>

enum { VORTICES, CIRCULATIONS, CORE, COLATITUDE, SEED };

enum { DEFAULT_VORTICES = 5 };

static const ph_parameter parameters[] = {
    [VORTICES] = PH_COUNT("vortices", PH_FROM(0, PH_MOST_IN_PAIRS), 0,
                          "number of vortices; 0: as many as there are circulations, else 5"),
    [CIRCULATIONS] =
        PH_PER_BODY("circulations", "m^2/s", PH_ANY, 1, "Gamma of a vortex, of either sign but not 0"),
    [CORE] = PH_NUMBER("core", "m", PH_NOT_NEGATIVE, 0,
                       "size of the cores, added to chords as in sqrt(d^2 + core^2); 0: points"),
    [COLATITUDE] = PH_NUMBER("colatitude", "rad", PH_FROM(DBL_MIN, 3.1415926535897932385), 0.7,
                             "of the rings in initial conditions, from e3"),
    [SEED] = PH_COUNT("seed", PH_FROM(0, 4294967295.), 1, "of the initial condition cloud"),
};

enum { RING, POLE, TWO, COLLAPSE, EXPANSION, FIVE, STREET, CLOUD };

static const ph_preset presets[] = {
    [RING] = {"ring", "equally spaced at one colatitude; with equal circulations it turns as a whole"},
    [POLE] = {"ring-with-pole",
              "the same, and the last vortex at the pole e3: of 6, circulations 1 and -0.7"},
    [TWO] = {"two",
             "circulations 1 and 0.5, both 0.5 rad from e3: they turn about Gamma_1 s_1 + Gamma_2 s_2"},
    [COLLAPSE] = {"collapse",
                  "circulations 1, 1, -1/2, which shrink to a point in 4 pi (sqrt 23 - sqrt 17) = 8.45 s "
                  "and keep their shape: stop before, by an event on least_distance"},
    [EXPANSION] =
        {"expansion",
         "the same with -1, -1, 1/2: it grows, until it collapses on the other side at 4 pi (sqrt 17 + sqrt 23) = 112.08 s"},
    [FIVE] = {"five", "circulations 1, -1/2, 3/4, 5/4, -1 at rational places: chaotic"},
    [STREET] = {"street",
                "two rings of 6, one north with 1 and one as far south with -1, staggered: a vortex street, "
                "which turns as a whole"},
    [CLOUD] = {"cloud",
               "200 at random by the seed, circulations 1 and -1 in turn, none closer than 0.7/sqrt(n)"},
};

#define TEN_PAIRS 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1
static const ph_preset_value own[] = {
    PH_OWN(POLE, "circulations", 1, 1, 1, 1, 1, -0.7),
    PH_OWN(TWO, "circulations", 1, 0.5),
    PH_OWN(COLLAPSE, "circulations", 1, 1, -0.5),
    PH_OWN(EXPANSION, "circulations", -1, -1, 0.5),
    PH_OWN(FIVE, "circulations", 1, -0.5, 0.75, 1.25, -1),
    PH_OWN(STREET, "circulations", 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1),
    PH_OWN(CLOUD, "circulations", TEN_PAIRS, TEN_PAIRS, TEN_PAIRS, TEN_PAIRS, TEN_PAIRS, TEN_PAIRS, TEN_PAIRS,
           TEN_PAIRS, TEN_PAIRS, TEN_PAIRS),
};

/* ---- Building ------------------------------------------------------------------------------------------- */

static ph_status read_number(const ph_model_table *table, size_t *n, ph_error *err)
{
    static const ph_numbering numbering =
        PH_NUMBERING("vortices", VORTICES, DEFAULT_VORTICES, PH_MOST_IN_PAIRS, CIRCULATIONS);
    ph_status status = ph_parameter_number(table, &numbering, n, err);
    return !status && *n < 2
               ? ph_fail(err, PH_E_RANGE, "vortices is 1; one vortex rests: there must be at least 2")
               : status;
}

/* A globe, and for each vortex a ball; which way it turns is the sign of the strength of its factor. */
static void draw(size_t n, ph_part_list *parts)
{
    ph_part_size(ph_part_add(parts, PH_SCENE_GLOBE, PH_NO_INDEX, PH_NO_INDEX), 1, 0, 0);
    for (size_t i = 0; i < n && n <= PH_SCENE_MOST; i++) {
        ph_scene_part *ball = ph_part_shift(ph_part_add(parts, PH_SCENE_BALL, PH_NO_INDEX, i), 1, 0, 0);
        ph_part_size(ball, 0.04, 0, 0)->name = "vortex";
    }
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const double one = 1;
    static const ph_symmetry symmetries[3] = {
        {"Jx", "sum of circulations times s, component e1", "m^2/s", {1, 0, 0}, NULL},
        {"Jy", "sum of circulations times s, component e2", "m^2/s", {0, 1, 0}, NULL},
        {"Jz", "sum of circulations times s, component e3", "m^2/s", {0, 0, 1}, NULL},
    };
    size_t n;
    ph_status status = read_number(table, &n, err);
    if (status)
        return status;
    double *circulations = malloc(n * sizeof *circulations);
    if (!circulations)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu vortices", n);
    for (size_t i = 0; i < n && !status; i++) {
        circulations[i] = ph_entry(table, CIRCULATIONS, i);
        if (circulations[i] == 0)
            status = ph_fail(
                err, PH_E_RANGE,
                "the circulation of vortex %zu is 0; circulations may be positive or negative but not zero",
                i + 1);
    }
    const ph_bonds all = {.kind = PH_BOND_VORTICES,
                          .all_pairs = true,
                          .c = &one,
                          .uniform = true,
                          .core = ph_number(table, CORE)};
    const ph_spins spins = {.n = n, .strengths = circulations, .bonds = &all, .n_bonds = 1};
    ph_system_definition definition = {.spins = &spins, .symmetries = symmetries, .n_symmetries = 3};
    if (!status) {
        ph_part_list parts = {0};
        draw(n, &parts);
        status = ph_part_create(&parts, &definition, system, err);
    }
    free(circulations);
    return status;
}

/* ---- Initial conditions --------------------------------------------------------------------------------- */

static const double pi = 3.1415926535897932385;

static void place_ring(size_t n, double colatitude, double first, double *z)
{
    for (size_t i = 0; i < n; i++)
        ph_direction(z + 3 * i, colatitude, first + 2 * pi * (double)i / (double)n);
}

/* Squares of the chords 3/4 (1 and 2), 1/2 (2 and 3), 1 (3 and 1) on the circle at the height sqrt(17/23), counterclockwise
 * seen from outside: sum 1/Gamma_i = 0, sum Gamma_i Gamma_j c_ij^2 = 0. */
static void place_triangle(double *z)
{
    const double height = sqrt(17. / 23), radius = sqrt(6. / 23),
                 azimuth[3] = {0, 2 * ph_asin(sqrt(0.75) / (2 * radius)), -2 * ph_asin(1 / (2 * radius))};
    for (size_t i = 0; i < 3; i++) {
        z[3 * i] = radius * ph_cos(azimuth[i]);
        z[3 * i + 1] = radius * ph_sin(azimuth[i]);
        z[3 * i + 2] = height;
        ph_unit_correct3(z + 3 * i);
    }
}

static void scatter(size_t n, uint64_t seed, double *z)
{
    const double least = 0.49 / (double)n;
    for (size_t i = 0; i < n; i++) {
        bool close = true;
        while (close) {
            ph_scatter_unit(&seed, z + 3 * i);
            close = false;
            for (size_t j = 0; j < i && !close; j++) {
                const double d[3] = {z[3 * i] - z[3 * j], z[3 * i + 1] - z[3 * j + 1],
                                     z[3 * i + 2] - z[3 * j + 2]};
                close = ph_dot3(d, d) < least;
            }
        }
    }
}

/* Presets of a certain number of vortices; 0: of any. */
static size_t vortices_of(size_t which)
{
    return which == TWO ? 2 : which == COLLAPSE || which == EXPANSION ? 3 : which == FIVE ? 5 : 0;
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double places[15] = {1. / 3, 2. / 3,   2. / 3,   -2. / 7,  3. / 7, 6. / 7,  4. / 9, -8. / 9,
                                      1. / 9, -6. / 11, -2. / 11, -9. / 11, 2. / 3, -2. / 3, 1. / 3};
    const double colatitude = ph_number(table, COLATITUDE);
    size_t n;
    ph_status status = read_number(table, &n, err);
    if (status)
        return status;
    if (vortices_of(which) && vortices_of(which) != n)
        return ph_fail(err, PH_E_SIZE, "the initial condition %s is one of %zu vortices, but there are %zu",
                       presets[which].name, vortices_of(which), n);
    if (which == STREET && n % 2)
        return ph_fail(
            err, PH_E_SIZE,
            "the initial condition street is one of two equal rings, but there are %zu vortices; give an "
            "even number",
            n);
    memset(zdot, 0, 3 * n * sizeof *zdot);
    if (which == RING) {
        place_ring(n, colatitude, 0, z);
    } else if (which == POLE) {
        place_ring(n - 1, colatitude, 0, z);
        memcpy(z + 3 * (n - 1), (const double[3]){0, 0, 1}, 3 * sizeof *z);
    } else if (which == TWO) {
        ph_direction(z, 0.5, 0);
        ph_direction(z + 3, 0.5, pi);
    } else if (which == FIVE) {
        memcpy(z, places, sizeof places);
        for (size_t i = 0; i < 5; i++)
            ph_unit_correct3(z + 3 * i);
    } else if (which == STREET) {
        place_ring(n / 2, colatitude, 0, z);
        place_ring(n / 2, pi - colatitude, 2 * pi / (double)n, z + 3 * (n / 2));
    } else if (which == CLOUD) {
        scatter(n, (uint64_t)ph_number(table, SEED), z);
    } else {
        place_triangle(z);
    }
    return PH_OK;
}

const ph_model ph_model_point_vortices = {
    .name = "point-vortices",
    .summary = "point vortices on the unit sphere: rings, streets, collapse, clouds",
    .reference =
        "Kidambi, Newton, Physica D 116 (1998) 143; Boatto, Cabral, SIAM J. Appl. Math. 64 (2003) 216",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
};
