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

#include "model.h"

typedef struct ph_ball {
    double mass, radius;  /* [kg], [m] */
    double J[9];          /* [kg m^2] about the centre, in the body frame */
    double turn, belt[2]; /* W [rad/s], u0 [m/s] */
    double pull[2];       /* [m/s^2] G */
    bool spins;           /* false: rubber */
} ph_ball;

/* The variants, whose rows behind those that all balls have are none; none; W, G; u0. */
enum { PH_BALL_CHAPLYGIN, PH_BALL_RUBBER, PH_BALL_TURNTABLE, PH_BALL_BELT };

enum { PH_BALL_MASS, PH_BALL_RADIUS, PH_BALL_INERTIA, PH_BALL_PRODUCTS, PH_BALL_PARAMETERS };
#define PH_BALL_INERTIA_TEXT "entries Jxx, Jyy, Jzz of the tensor about the centre"
#define PH_BALL_ROWS                                                                                         \
    [PH_BALL_MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 1.3, "mass of the ball"),                          \
    [PH_BALL_RADIUS] = PH_NUMBER("radius", "m", PH_POSITIVE, 0.9, "radius of the ball"),                     \
    [PH_BALL_INERTIA] =                                                                                      \
        PH_VECTOR("inertia", "kg m^2", PH_NOT_NEGATIVE, 0.8, 1.1, 1.3, PH_BALL_INERTIA_TEXT),                \
    [PH_BALL_PRODUCTS] = PH_PRODUCTS(0.07, -0.1, 0.05)

/* Presets: `tumbling`, an attitude and angular velocity along no axis, and `straight`, about e2 at 1 rad/s, with body axes
 * along those of space. */
extern const ph_preset ph_ball_presets[2];
ph_status ph_ball_build(const ph_model_table *table, ph_system **system, ph_error *err);
ph_status ph_ball_preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err);

/* The members of a ph_model with these rows, presets and functions. */
#define PH_BALL_HERE PH_MODEL_OF(ph_ball_presets, ph_ball_build, ph_ball_preset)

#endif
