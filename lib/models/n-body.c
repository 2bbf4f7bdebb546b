/* SPDX-License-Identifier: BSD-3-Clause */
/* Points under mutual gravity (polhode/domain/gravitation.h):
 *     L = sum_i (1/2) m_i |xdot_i|^2 + sum_{i<j} G m_i m_j / |x_i - x_j|. */
#include "gravitating.h"

#include <polhode/kit/elementary.h>

enum { MASSES, G, POINTS };
enum { DEFAULT_POINTS = 3 };

static const ph_parameter parameters[] = {
    [MASSES] = PH_PER_BODY("masses", "kg", PH_POSITIVE, 1, "mass of a point"),
    [G] = PH_G_ROW,
    [POINTS] = PH_COUNT("points", PH_FROM(0, PH_MOST_IN_PAIRS), 0,
                        "number of points; 0: as many as a list of masses has numbers, or 3"),
};

enum { FIGURE_EIGHT, CIRCLE, PYTHAGOREAN, PLANETS };

static const ph_preset presets[] = {
    [FIGURE_EIGHT] =
        {"figure-eight",
         "three equal masses that follow each other on an eight; by default G = 1 and 1 kg: the period is "
         "6.32591398 s"},
    [CIRCLE] =
        {"circle",
         "evenly on a circle of radius 1 m about e3, at the rate at which equal masses stay on it; by default "
         "G = 1"},
    [PYTHAGOREAN] =
        {"pythagorean",
         "Burrau's problem: at rest in the corners of a triangle with the sides 3, 4, 5 m; by default G = 1 "
         "and 3, 4, 5 kg"},
    [PLANETS] =
        {"outer-planets",
         "the Sun with the inner planets, Jupiter, Saturn, Uranus, Neptune and Pluto, on September 5, 1994"},
};

/* ---- The outer planets -------------------------------------------------------------------------------- */

/* Hairer, Lubich, Wanner, Geometric numerical integration, table I.2.2 (after Bartels, Lubich, Ahlers): masses of the Sun,
 * astronomical units and days, with k^2 = 2.95912208286e-4. */
#define SUN (1.32712440018e20 / PH_GRAVITY_CONSTANT) /* [kg] */
#define UNIT 149597870700.0                          /* [m] */
#define DAY 86400.0                                  /* [s] */
enum { BODIES = 6 };
static const double planet_masses[BODIES] = {1.00000597682 * SUN,      0.000954786104043 * SUN,
                                             0.000285583733151 * SUN,  0.0000437273164546 * SUN,
                                             0.0000517759138449 * SUN, SUN / 1.3e8};
static const ph_body_motion planets[BODIES] = {
    {.x = {0, 0, 0}},
    {.x = {-3.5023653, -3.8169847, -1.5507963}, .v = {0.00565429, -0.00412490, -0.00190589}},
    {.x = {9.0755314, -3.0458353, -1.6483708}, .v = {0.00168318, 0.00483525, 0.00192462}},
    {.x = {8.3101420, -16.2901086, -7.2521278}, .v = {0.00354178, 0.00137102, 0.00055029}},
    {.x = {11.4707666, -25.7294829, -10.8169456}, .v = {0.00288930, 0.00114527, 0.00039677}},
    {.x = {-15.5387357, -25.2225594, -3.1902382}, .v = {0.00276725, -0.00170702, -0.00136504}}};

/* ---- Three points ------------------------------------------------------------------------------------- */

/* Chenciner, Montgomery, Ann. of Math. 152 (2000) 881, with the digits of Simo. */
static const ph_body_motion eight[3] = {
    {.x = {0.97000435669734, -0.24308753153583, 0}, .v = {0.46620368589703, 0.43236573000131, 0}},
    {.x = {-0.97000435669734, 0.24308753153583, 0}, .v = {0.46620368589703, 0.43236573000131, 0}},
    {.x = {0, 0, 0}, .v = {-0.93240737179406, -0.86473146000262, 0}}};

/* Burrau, Astron. Nachr. 195 (1913) 113: each opposite to the side of its number. */
static const ph_body_motion triangle[3] = {{.x = {1, 3, 0}}, {.x = {-2, -1, 0}}, {.x = {1, -1, 0}}};

/* ---- The model ---------------------------------------------------------------------------------------- */

static const ph_preset_value own[] = {
    PH_OWN(CIRCLE, "G", 1),
    PH_OWN(FIGURE_EIGHT, "G", 1),
    PH_OWN(PYTHAGOREAN, "G", 1),
    PH_OWN(PYTHAGOREAN, "masses", 3, 4, 5),
    {PLANETS, {"masses", planet_masses, BODIES}},
};

static const ph_numbering numbering =
    PH_NUMBERING("points", POINTS, DEFAULT_POINTS, PH_MOST_IN_PAIRS, MASSES);

static ph_status count(const ph_model_table *table, size_t *n, ph_error *err)
{
    ph_status status = ph_parameter_number(table, &numbering, n, err);
    if (!status && *n < 2)
        status = ph_fail(err, PH_E_RANGE, "points is %zu; it must be at least 2", *n);
    return status;
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    size_t n;
    ph_status status = count(table, &n, err);
    return status ? status : ph_points_build(&table->row[MASSES], n, ph_number(table, G), false, system, err);
}

/* Om^2 = G m / (4 r^3) sum_{d=1}^{n-1} 1 / sin(pi d / n) of equal masses m. */
static void place_on_circle(const ph_model_table *table, size_t n, ph_body_motion *motion)
{
    static const double pi = 3.1415926535897932385;
    double mass = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        mass += ph_entry(table, MASSES, i) / (double)n;
    for (size_t d = 1; d < n; d++)
        sum += 1 / ph_sin(pi * (double)d / (double)n);
    const double rate = sqrt(ph_number(table, G) * mass * sum / 4);
    for (size_t i = 0; i < n; i++) {
        const double angle = 2 * pi * (double)i / (double)n;
        motion[i] = (ph_body_motion){.x = {ph_cos(angle), ph_sin(angle), 0},
                                     .v = {-rate * ph_sin(angle), rate * ph_cos(angle), 0}};
    }
}

static ph_status fill(const ph_model_table *table, size_t which, size_t n, ph_body_motion *motion,
                      ph_error *err)
{
    const size_t needed = which == PLANETS ? BODIES : 3;
    if (which == CIRCLE) {
        place_on_circle(table, n, motion);
        return PH_OK;
    }
    if (n != needed)
        return ph_fail(err, PH_E_SIZE, "there are %zu points; this initial condition is of %zu", n, needed);
    memcpy(motion, which == PLANETS ? planets : which == PYTHAGOREAN ? triangle : eight, n * sizeof *motion);
    for (size_t i = 0; i < n && which == PLANETS; i++)
        for (size_t k = 0; k < 3; k++) {
            motion[i].x[k] *= UNIT;
            motion[i].v[k] *= UNIT / DAY;
        }
    return PH_OK;
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    size_t n;
    ph_status status = count(table, &n, err);
    if (status)
        return status;
    ph_body_motion *motion = malloc(n * sizeof *motion);
    if (!motion)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu points", n);
    status = fill(table, which, n, motion, err);
    if (!status)
        ph_points_start(&table->row[MASSES], motion, n, false, z, zdot);
    free(motion);
    return status;
}

const ph_model ph_model_n_body = {
    .name = "n-body",
    .summary = "points under mutual gravity",
    .reference = "Hairer, Lubich, Wanner, Geometric numerical integration, section I.2",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
};
