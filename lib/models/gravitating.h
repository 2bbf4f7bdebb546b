/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of bodies under mutual gravity (polhode/domain/gravitation.h): their rows, building from them, and states from places,
 * velocities, attitudes and spins of the bodies. */
#ifndef PH_INTERNAL_GRAVITATING_H
#define PH_INTERNAL_GRAVITATING_H

#include <polhode/domain/gravitation.h>

#include "model.h"

/* clang-format off */
/* The rows that these models begin with. */
enum {
    PH_BODIES, PH_ORDER, PH_G, PH_GIVEN_MASS, PH_GIVEN_AXIS, PH_GIVEN_ECCENTRICITY, PH_GIVEN_INCLINATION, PH_GIVEN_NODE,
    PH_GIVEN_PERIAPSIS, PH_GIVEN_PASSAGE, PH_GIVEN_FAR, PH_GRAVITATING_PARAMETERS
};
#define PH_G_ROW PH_NUMBER("G", "m^3/(kg s^2)", PH_POSITIVE, PH_GRAVITY_CONSTANT, "constant of gravity")
#define PH_GRAVITATING_ROWS(text) \
    [PH_BODIES] = PH_ROW(BODIES, "bodies", "kg, m", PH_ANY, 0, text), \
    [PH_ORDER] = PH_COUNT("order", PH_FROM(0, PH_MASS_DEGREE), 4, \
                          "order N of the mutual potential: the degrees of both bodies together; 0: points"), \
    [PH_G] = PH_G_ROW, \
    [PH_GIVEN_MASS] = PH_PER_BODY("given_mass", "kg", PH_NOT_NEGATIVE, 0, \
                                  "of a given body, as a Sun or planet, on a prescribed Kepler motion about the " \
                                  "barycentre; 0: none. Several: a list, here and below"), \
    [PH_GIVEN_AXIS] = PH_PER_BODY("given_axis", "m", PH_ANY, 149597870700., \
                                  "semi-major axis of its motion; negative of a hyperbola"), \
    [PH_GIVEN_ECCENTRICITY] = PH_PER_BODY("given_eccentricity", "1", PH_NOT_NEGATIVE, 0, "of its motion"), \
    [PH_GIVEN_INCLINATION] = PH_PER_BODY("given_inclination", "rad", PH_ANY, 0, "against the plane of e1 and e2"), \
    [PH_GIVEN_NODE] = PH_PER_BODY("given_node", "rad", PH_ANY, 0, "longitude of the ascending node, from e1"), \
    [PH_GIVEN_PERIAPSIS] = PH_PER_BODY("given_periapsis", "rad", PH_ANY, 0, "argument of the periapsis, from the node"), \
    [PH_GIVEN_PASSAGE] = PH_PER_BODY("given_passage", "s", PH_ANY, 0, "a time at which it is in the periapsis"), \
    [PH_GIVEN_FAR] = PH_COUNT("given_far", PH_FROM(0, 1), 0, \
                              "1: only the tide of distant bodies; on a circle this is Hill's problem")
/* clang-format on */

/* The bodies of the table, *n <- how many. */
const ph_model_body *ph_bodies_of(const ph_model_table *table, size_t *n);

/* *system <- of these bodies near a central one, whose exact field is owned from now on, also on failure, and with given
 * ones of the rows of the table. */
ph_status ph_gravitating_build_near(const ph_model_body *bodies, size_t n, const ph_central_body *central,
                                    const ph_model_table *table, ph_system **system, ph_error *err);
/* The `build` of models of bodies alone, whose variant says whether they are two, relative to each other. The errors of
 * ph_gravitation_create and ph_gravitation_build. */
ph_status ph_gravitating_build(const ph_model_table *table, ph_system **system, ph_error *err);

/* *system <- points of these masses (n, or one for all). */
ph_status ph_points_build(const ph_parameter_value *masses, size_t n, double G, bool relative,
                          ph_system **system, ph_error *err);

/* How a body moves. */
typedef struct ph_body_motion {
    double x[3], v[3]; /* [m], [m/s], in space */
    double q[4];       /* quaternion (w, x, y, z), body to space, of any length; 0 stands for (1, 0, 0, 0) */
    double W[3];       /* angular velocity in its own frame [rad/s] */
} ph_body_motion;

/* R <- the rotation of a quaternion of any length; the identity of 0. */
void ph_quaternion_turn(const double q[4], double R[9]);
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
