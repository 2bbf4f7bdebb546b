/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of bodies under mutual gravity (polhode/gravitation.h): their rows, building from them, and states from places,
 * velocities, attitudes and spins of the bodies. */
#ifndef PH_INTERNAL_GRAVITATING_H
#define PH_INTERNAL_GRAVITATING_H

#include <stdbool.h>

#include <polhode/gravitation.h>

#include "parameters.h"

/* The rows that these models begin with. */
enum { PH_BODIES, PH_ORDER, PH_G, PH_GRAVITATING_PARAMETERS };
/* Those of what else acts, after them. */
enum {
    PH_SUN_MASS = PH_GRAVITATING_PARAMETERS,
    PH_SUN_AXIS,
    PH_SUN_ECCENTRICITY,
    PH_SUN_INCLINATION,
    PH_SUN_NODE,
    PH_SUN_PERIAPSIS,
    PH_SUN_PASSAGE,
    PH_SUN_FAR,
    PH_TIDE_LOVE,
    PH_TIDE_RADIUS,
    PH_TIDE_LAG,
    PH_TIDE_DENSITY,
    PH_PERTURBED_PARAMETERS
};

#define PH_BODIES_PARAMETER(text)                                                                            \
    {                                                                                                        \
        "bodies", PH_PARAMETER_BODIES, "kg, m", -DBL_MAX, DBL_MAX, {0}, text                                 \
    }
#define PH_ORDER_PARAMETER                                                                                   \
    {                                                                                                        \
        "order", PH_PARAMETER_COUNT, "1", 0, PH_MASS_DEGREE, {4},                                            \
            "order N of the mutual potential: the degrees of both bodies together; 0: points"                \
    }
#define PH_G_PARAMETER                                                                                       \
    {                                                                                                        \
        "G", PH_PARAMETER_NUMBER, "m^3/(kg s^2)", DBL_MIN, DBL_MAX, {PH_GRAVITY_CONSTANT},                   \
            "constant of gravity"                                                                            \
    }

/* clang-format off */
#define PH_PERTURBATION_PARAMETERS                                                                           \
    [PH_SUN_MASS] = {"sun_mass", PH_PARAMETER_NUMBER, "kg", 0, DBL_MAX, {0},                                 \
        "mass of a Sun or planet on a prescribed orbit about the barycentre; 0: there is none"},             \
    [PH_SUN_AXIS] = {"sun_axis", PH_PARAMETER_NUMBER, "m", -DBL_MAX, DBL_MAX, {149597870700.0},              \
        "its semi-major axis; negative of a hyperbola, a flyby"},                                            \
    [PH_SUN_ECCENTRICITY] = {"sun_eccentricity", PH_PARAMETER_NUMBER, "1", 0, DBL_MAX, {0},                  \
        "its eccentricity"},                                                                                 \
    [PH_SUN_INCLINATION] = {"sun_inclination", PH_PARAMETER_NUMBER, "rad", -DBL_MAX, DBL_MAX, {0},           \
        "its inclination"},                                                                                  \
    [PH_SUN_NODE] = {"sun_node", PH_PARAMETER_NUMBER, "rad", -DBL_MAX, DBL_MAX, {0},                         \
        "longitude of its ascending node"},                                                                  \
    [PH_SUN_PERIAPSIS] = {"sun_periapsis", PH_PARAMETER_NUMBER, "rad", -DBL_MAX, DBL_MAX, {0},               \
        "argument of its periapsis"},                                                                        \
    [PH_SUN_PASSAGE] = {"sun_passage", PH_PARAMETER_NUMBER, "s", -DBL_MAX, DBL_MAX, {0},                     \
        "a time at which it is in its periapsis"},                                                           \
    [PH_SUN_FAR] = {"sun_far", PH_PARAMETER_COUNT, "1", 0, 1, {0},                                           \
        "1: its tide alone, the leading terms of a distant body (Hill's problem on a circle)"},              \
    [PH_TIDE_LOVE] = {"tide_love", PH_PARAMETER_PER_BODY, "1", 0, DBL_MAX, {0},                              \
        "Love number k2 of tides that the other bodies raise; 0: none"},                                     \
    [PH_TIDE_RADIUS] = {"tide_radius", PH_PARAMETER_PER_BODY, "m", 0, DBL_MAX, {0},                          \
        "reference radius of the tides"},                                                                    \
    [PH_TIDE_LAG] = {"tide_lag", PH_PARAMETER_PER_BODY, "rad", 0, 0.78539816339744830962, {0},               \
        "angle by which the tides lag behind"},                                                              \
    [PH_TIDE_DENSITY] = {"tide_density", PH_PARAMETER_PER_BODY, "kg/m^3", DBL_MIN, DBL_MAX, {2000},          \
        "density in the law that smooths the tides where spin and orbit are nearly synchronous"}
/* clang-format on */

/* The bodies of the row, *n <- how many. */
const ph_model_body *ph_bodies_of(const ph_parameter_value *row, size_t *n);

/* *system <- of these bodies, what else there is as in `rest` (bodies, mass, turning are not read). The errors of
 * ph_gravitation_create and ph_gravitation_build. */
ph_status ph_gravitating_build(const ph_model_body *bodies, size_t n, const ph_gravitation_definition *rest,
                               ph_system **system, ph_error *err);
/* The same from the rows of a table up to PH_PERTURBED_PARAMETERS. */
ph_status ph_gravitating_build_rows(const ph_parameter_value *table, bool relative, ph_system **system,
                                    ph_error *err);

/* *system <- points of these masses (n, or one for all). */
ph_status ph_points_build(const ph_parameter_value *masses, size_t n, double G, bool relative,
                          ph_system **system, ph_error *err);

/* How a body moves. */
typedef struct ph_body_motion {
    double x[3], v[3]; /* [m], [m/s], in space */
    double q[4];       /* quaternion (w, x, y, z), body to space, of any length; 0 stands for (1, 0, 0, 0) */
    double W[3];       /* angular velocity in its own frame [rad/s] */
} ph_body_motion;

/* z, zdot <- of bodies that move so, the barycentre at rest in the origin; where relative, that of two bodies. */
void ph_gravitating_start(const ph_model_body *bodies, const ph_body_motion *motion, size_t n, bool relative,
                          double *z, double *zdot);
/* z, zdot <- as they are, whatever the barycentre does: with a central body. */
void ph_bodies_start(const ph_model_body *bodies, const ph_body_motion *motion, size_t n, double *z,
                     double *zdot);
/* The same as ph_gravitating_start of points with these masses (n, or one for all). */
void ph_points_start(const ph_parameter_value *masses, const ph_body_motion *motion, size_t n, bool relative,
                     double *z, double *zdot);

/* motion (n) <- each body on a circle in the plane of e1 and e2 about the barycentre of those before it, three times as
 * wide as there must be room for, at the rate of two points; all turn at the rate of their circle, the first at that of the
 * second. */
void ph_nest(const ph_model_body *bodies, size_t n, double G, ph_body_motion *motion);

#endif
