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

/* The bodies of the row, *n <- how many. */
const ph_model_body *ph_bodies_of(const ph_parameter_value *row, size_t *n);

/* *system <- of these bodies. The errors of ph_gravitation_create and ph_gravitation_build. */
ph_status ph_gravitating_build(const ph_model_body *bodies, size_t n, size_t order, double G, bool relative,
                               ph_system **system, ph_error *err);
/* The same from the rows PH_BODIES, PH_ORDER, PH_G. */
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
/* The same of points with these masses (n, or one for all). */
void ph_points_start(const ph_parameter_value *masses, const ph_body_motion *motion, size_t n, bool relative,
                     double *z, double *zdot);

/* motion (n) <- each body on a circle in the plane of e1 and e2 about the barycentre of those before it, three times as
 * wide as there must be room for, at the rate of two points; all turn at the rate of their circle, the first at that of the
 * second. */
void ph_nest(const ph_model_body *bodies, size_t n, double G, ph_body_motion *motion);

#endif
