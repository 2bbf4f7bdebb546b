/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of asteroids: see asteroids.h. The barycentre is put to rest in the origin. */
#include "asteroids.h"
#include "didymos.h"
#include <stdio.h>

/* ---- Their data ---------------------------------------------------------------------------------------- */

/* clang-format off */
#define ELLIPSOIDS                                                                                           \
    {.mass = 3.5e11, .size = {400, 350, 280}, .words = "{mass: 3.5e11, half-axes: [400, 350, 280]}",         \
     .motion = {.q = {1, 0, 0, 0}, .W = {1e-5, 2e-5, 6e-4}}},                                                \
    {.mass = 2e10, .size = {120, 90, 70}, .words = "{mass: 2e10, half-axes: [120, 90, 70]}",                 \
     .motion = {.x = {1100, 50, 30}, .v = {0.01, 0.15, 0.02}, .q = {7, 1, 2, 1}, .W = {2e-5, -3e-5, 1.5e-4}}}

static const ph_asteroid ellipsoids[] = {ELLIPSOIDS};
const ph_asteroids ph_ellipsoids = {2, ellipsoids};

static const ph_asteroid triple[] = {
    ELLIPSOIDS,
    {.mass = 5e9, .size = {70}, .words = "{mass: 5e9, radius: 70}",
     .motion = {.x = {-300, 2600, 200}, .v = {-0.098, -0.012, 0.015}, .q = {1, 0, 0, 0}, .W = {0, 0, 1e-4}}}};
const ph_asteroids ph_triple = {3, triple};

static const ph_asteroid kw4[] = {
    {.mass = 2.353e12, .size = {708.5, 680.5, 591.5}, .words = "{mass: 2.353e12, half-axes: [708.5, 680.5, 591.5]}",
     .motion = {.q = {0.8759, 0.0494, 0.0718, -0.4745}, .W = {0, 0, 6.3134e-4}}},
    {.mass = 1.35e11, .size = {285.5, 231.5, 174.5}, .words = "{mass: 1.35e11, half-axes: [285.5, 231.5, 174.5]}",
     .motion = {.x = {-2565.905, 0, 0}, .v = {0, -0.253119, 0}, .q = {0, 0, 0, 1}, .W = {0, 0, 9.9992e-5}}}};
const ph_asteroids ph_kw4 = {2, kw4};

static const ph_asteroid didymos[] = {
    {.known = &ph_didymos_primary, .motion = {.q = {1, 0, 0, 0}, .W = {0, 0, 0.000772269580528}}},
    {.density = PH_DIDYMOS_DENSITY, .size = {103.16, 79.35, 66.13},
     .words = "{density: 2203.111036687207, half-axes: [103.16, 79.35, 66.13]}",
     .motion = {.x = {1200, 0, 0}, .v = {0, 0.175704287113523, 0}, .q = {1, 0, 0, 0}, .W = {0, 0, 0.000146420239261}}}};
const ph_asteroids ph_didymos = {2, didymos};

static const ph_asteroid octahedra[] = {
    {.density = 2500, .size = {1, 1.5, 0.9}, .octahedron = true,
     .words = "{density: 2500, octahedron: [1, 1.5, 0.9]}",
     .motion = {.q = {8, -1, 2, 5}, .W = {0, 0, 9.2e-5}}},
    {.density = 2500, .size = {1, 0.36787944117144233, 0.3183098861837907}, .octahedron = true,
     .words = "{density: 2500, octahedron: [1, 0.36787944117144233, 0.3183098861837907]}",
     .motion = {.x = {2.7, 0.8, 0.2}, .v = {-8e-5, 3.6e-4, 3e-5}, .q = {3, 1, 0, 4}, .W = {0, 0, 5e-5}}}};
const ph_asteroids ph_octahedra = {2, octahedra};
/* clang-format on */

/* ---- Bodies -------------------------------------------------------------------------------------------- */

static ph_status make_octahedron(const ph_asteroid *of, ph_mass *mass)
{
    static const uint32_t face[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    double vertex[18] = {0};
    const ph_mesh mesh = {6, vertex, 8, face};
    for (size_t k = 0; k < 3; k++) {
        vertex[6 * k + k] = of->size[k];
        vertex[6 * k + 3 + k] = -of->size[k];
    }
    return ph_mass_polyhedron(&mesh, of->density, mass, NULL, NULL);
}

static ph_status make_mass(const ph_asteroid *of, ph_mass *mass)
{
    static const double volume = 4.1887902047863909846; /* of the sphere of radius 1 */
    const double *s = of->size;
    if (of->known) {
        *mass = *of->known;
        return PH_OK;
    }
    if (of->octahedron)
        return make_octahedron(of, mass);
    if (!(s[1] > 0))
        return ph_mass_sphere(of->mass, s[0], mass, NULL);
    return ph_mass_ellipsoid(of->mass > 0 ? of->mass : of->density * volume * s[0] * s[1] * s[2], s, mass,
                             NULL);
}

ph_status ph_asteroid_bodies(const ph_asteroids *of, ph_model_body *bodies,
                             char (*words)[PH_MODEL_BODY_WORDS], size_t *n)
{
    ph_status status = PH_OK;
    *n = of->n;
    for (size_t i = 0; i < of->n && !status; i++) {
        if (bodies) {
            status = make_mass(&of->body[i], &bodies[i].mass);
            bodies[i].turning = 1;
            bodies[i].tide = (ph_tide){0, 0, 0, 0};
            bodies[i].surface = bodies[i].shape = NULL;
        }
        if (words)
            snprintf(words[i], PH_MODEL_BODY_WORDS, "%s", of->body[i].words ? of->body[i].words : "");
    }
    return status;
}

ph_status ph_asteroid_preset(const ph_model_table *table, const ph_asteroids *of, double *z, double *zdot,
                             ph_error *err)
{
    size_t n;
    const ph_model_body *bodies = ph_bodies_of(table, &n);
    if (of && n != of->n)
        return ph_fail(err, PH_E_SIZE, "bodies has %zu entries; this initial condition is of %zu bodies", n,
                       of->n);
    ph_body_motion *motion = calloc(n, sizeof *motion);
    if (!motion)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu bodies", n);
    if (!of)
        ph_nest(bodies, n, ph_number(table, PH_G), motion);
    for (size_t i = 0; i < n && of; i++)
        motion[i] = of->body[i].motion;
    ph_gravitating_start(bodies, motion, n, table->model->variant, z, zdot);
    free(motion);
    return PH_OK;
}
