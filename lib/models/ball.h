/* SPDX-License-Identifier: BSD-3-Clause */
/* A balanced ball that rolls on a plane: its centre x in the plane (R^2) and its attitude R (SO(3)),
 *     L = (1/2) m |xdot|^2 + (1/2) Omega . J Omega + m G . x,      xdot = r omega x e3 + u(x),   omega = R Omega
 * with any inertia J about the centre, a plane that moves with the velocity u(x) = W e3 x x + u0 (a turntable, a
 * belt) and G the part of gravity along it. A rubber ball does not spin, either: omega . e3 = 0.
 * A turn of the ball about its contact, xdot = r e x e3, omega = e, fulfils the constraint without u: its momentum,
 * the component along e of the angular momentum about the contact, is conserved where G leaves it.
 * (A. V. Borisov, I. S. Mamaev, Regul. Chaotic Dyn. 7 (2002) 177.) */
#ifndef PH_MODELS_BALL_H
#define PH_MODELS_BALL_H

#include "text.h"

#define PH_BALL_INERTIA_TEXT "entries Jxx, Jyy, Jzz of the tensor about the centre"
#define PH_BALL_ROWS                                                                                         \
    PH_NUMBER("mass", "kg", PH_POSITIVE, 1.3, "mass of the ball"),                                           \
        PH_NUMBER("radius", "m", PH_POSITIVE, 0.9, "radius of the ball"),                                    \
        PH_VECTOR("inertia", "kg m^2", PH_NOT_NEGATIVE, 0.8, 1.1, 1.3, PH_BALL_INERTIA_TEXT),                \
        PH_PRODUCTS(0.07, -0.1, 0.05)

static const ph_preset presets[] = {
    {"tumbling",
     "centre at (0.4, -0.2) m, R = exp S(0.3, -0.5, 0.8), body angular velocity (0.9, -0.4, 1.1) rad/s"},
    {"straight", "centre at (0, 0), R = I, 1 rad/s about e2"}};

/* The momentum of the turn about the contact along e: its name behind M, e in words and as a formula, conditions. */
#define PH_BALL_MOMENTUM(name, words, e, ...)                                                                \
    {                                                                                                        \
        {"M" name, "angular momentum about the contact along " words, "kg m^2/s",                            \
         .generator =                                                                                        \
             "[radius*(" e ").y, -radius*(" e ").x, (R.T*(" e ")).x, (R.T*(" e ")).y, (R.T*(" e ")).z]"},    \
            __VA_ARGS__                                                                                      \
    }

/* Members of a ph_text: u is the velocity of the plane. */
#define PH_BALL_TEXT(u, ...)                                                                                 \
    .space = {{"x", "R2"}, {"R", "SO3"}},                                                                    \
    .where = {PH_TEXT_TENSOR, {"w", "vee(Rdot*R.T)"}, {"rolling", "radius*[w.y, -w.x] + " u}},               \
    .kinetic = "mass/2*dot(xdot, xdot) + dot(omega(R), J*omega(R))/2", .tensor = "J",                        \
    .points = {{NULL, "[x.x, x.y, radius]"}, {NULL, "x"}},                                                   \
    .parts = {                                                                                               \
        __VA_ARGS__, {PH_SCENE_BALL, 0, 1, "ball", "radius"}, {PH_SCENE_AXES, 0, 1, NULL, "1.25*radius"}}
#define PH_BALL_STARTS                                                                                       \
    .starts = {{"[0.4, -0.2]; [0.3, -0.5, 0.8]", "rolling; [0.9, -0.4, 1.1]"},                               \
               {"[0, 0]; identity", "rolling; e2"}}
#define PH_BALL_LEVEL PH_BALL_MOMENTUM("x", "e1", "e1"), PH_BALL_MOMENTUM("y", "e2", "e2")

#endif
