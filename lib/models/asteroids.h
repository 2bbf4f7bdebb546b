/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of asteroids that presets of several models show: their bodies, and how these move. */
#ifndef PH_INTERNAL_ASTEROIDS_H
#define PH_INTERNAL_ASTEROIDS_H

#include "gravitating.h"

/* A body: `known`, or of this mass [kg] (0: by the density [kg/m^3]) an ellipsoid with these half-axes [m], an octahedron
 * with its corners at these distances along its axes, or a sphere, where only the first is given. */
typedef struct ph_asteroid {
    const ph_mass *known;
    double mass, density, size[3];
    bool octahedron;
    const char *words; /* how a scenario writes it; NULL where that is long */
    ph_body_motion motion;
} ph_asteroid;

typedef struct ph_asteroids {
    size_t n;
    const ph_asteroid *body;
} ph_asteroids;

/* Two triaxial ellipsoids, tilted, that turn at other rates than their orbit. */
extern const ph_asteroids ph_ellipsoids;
/* (66391) Moshup, 1999 KW4: dynamically equivalent ellipsoids and masses after Ostro et al., Science 314 (2006) 1276; orbit
 * and spins of Hou, Scheeres, Xin (2017), section 5.2. */
extern const ph_asteroids ph_kw4;
/* (65803) Didymos as the example of GUBAS has it. */
extern const ph_asteroids ph_didymos;
/* Two octahedra of some metres, after Fahnestock et al. (2006), table 1. */
extern const ph_asteroids ph_octahedra;
/* The ellipsoids with a sphere farther out. */
extern const ph_asteroids ph_triple;

/* *n <- how many; bodies, words (*n, nullable) as ph_model's `bodies`. */
ph_status ph_asteroid_bodies(const ph_asteroids *of, ph_model_body *bodies,
                             char (*words)[PH_MODEL_BODY_WORDS], size_t *n);

/* z, zdot <- as they move, PH_E_SIZE where the bodies of the table are not as many; `of` NULL: as ph_nest says. The variant of
 * the model is that of ph_gravitating_build. */
ph_status ph_asteroid_preset(const ph_model_table *table, const ph_asteroids *of, double *z, double *zdot,
                             ph_error *err);

#endif
