/* SPDX-License-Identifier: BSD-3-Clause */
/* A balanced ball that rolls on a plane: its centre x in the plane (R^2) and its attitude R (SO(3)),
 *     L = (1/2) m |xdot|^2 + (1/2) Omega . J Omega + m G . x,      xdot = r omega x e3 + u(x),   omega = R Omega
 * with any inertia J about the centre, a plane that moves with the velocity u(x) = W e3 x x + u0 (a turntable, a
 * belt) and G the part of gravity along it. A rubber ball does not spin, either: omega . e3 = 0. As rows,
 *     xdot_1 - r omega_2 = u_1,   xdot_2 + r omega_1 = u_2,   k . omega = (1/2) tr((S(k) R)^T Rdot).
 * A turn of the ball about its contact, xdot = r e x e3, omega = e, fulfils the constraint without u: its momentum,
 * the component along e of the angular momentum about the contact, is conserved where G leaves it.
 * (A. V. Borisov, I. S. Mamaev, Regul. Chaotic Dyn. 7 (2002) 177.) */
#ifndef PH_MODELS_BALL_H
#define PH_MODELS_BALL_H

#include <stdbool.h>

#include "parameters.h"

typedef struct ph_ball {
    double mass, radius;  /* [kg], [m] */
    double J[9];          /* [kg m^2] about the centre, in the body frame */
    double turn, belt[2]; /* W [rad/s], u0 [m/s] */
    double pull[2];       /* [m/s^2] G */
    bool spins;           /* false: rubber */
} ph_ball;

/* The rows that all balls have, and the start of their table. */
enum { PH_BALL_MASS, PH_BALL_RADIUS, PH_BALL_INERTIA, PH_BALL_PRODUCTS, PH_BALL_PARAMETERS };
#define PH_BALL_ROWS                                                                                         \
    [PH_BALL_MASS] = {"mass", PH_PARAMETER_NUMBER, "kg", DBL_MIN, DBL_MAX, {1.3}, "mass of the ball"},       \
    [PH_BALL_RADIUS] = {"radius", PH_PARAMETER_NUMBER, "m", DBL_MIN, DBL_MAX, {0.9}, "radius of the ball"},  \
    [PH_BALL_INERTIA] = {"inertia",                                                                          \
                         PH_PARAMETER_VECTOR,                                                                \
                         "kg m^2",                                                                           \
                         0,                                                                                  \
                         DBL_MAX,                                                                            \
                         {0.8, 1.1, 1.3},                                                                    \
                         "entries Jxx, Jyy, Jzz of the tensor about the centre"},                            \
    [PH_BALL_PRODUCTS] = {                                                                                   \
        "products",                                                                                          \
        PH_PARAMETER_VECTOR,                                                                                 \
        "kg m^2",                                                                                            \
        -DBL_MAX,                                                                                            \
        DBL_MAX,                                                                                             \
        {0.07, -0.1, 0.05},                                                                                  \
        "entries Jyz, Jxz, Jxy of the tensor, such as Jxy = -(integral of x y over the mass)"}

/* Mass, radius, J <- those rows; the rest of *ball <- a ball on a plane at rest, which spins. PH_E_RANGE. */
ph_status ph_ball_read(const ph_parameter_value *table, ph_ball *ball, ph_error *err);

/* *system <- the ball. */
ph_status ph_ball_build(const ph_ball *ball, ph_system **system, ph_error *err);

/* z, zdot <- centre at x, attitude R, angular velocity Omega in the body frame (of a rubber ball without its spin),
 * rolling. */
void ph_ball_start(const ph_ball *ball, const double x[2], const double R[9], const double Omega[3],
                   double *z, double *zdot);

/* The same for the presets: `tumbling`, an attitude and angular velocity along no axis, and `straight`, about e2 at
 * 1 rad/s, with body axes along those of space. */
enum { PH_BALL_TUMBLING, PH_BALL_STRAIGHT, PH_BALL_PRESETS };
#define PH_BALL_PRESET_ROWS                                                                                  \
    [PH_BALL_TUMBLING] = {"tumbling", "centre at (0.4, -0.2) m, R = exp S(0.3, -0.5, 0.8), body angular "    \
                                      "velocity (0.9, -0.4, 1.1) rad/s"},                                    \
    [PH_BALL_STRAIGHT] = {"straight", "centre at (0, 0), R = I, 1 rad/s about e2"}
void ph_ball_preset(const ph_ball *ball, size_t which, double *z, double *zdot);

#endif
