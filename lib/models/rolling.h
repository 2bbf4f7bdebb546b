/* SPDX-License-Identifier: BSD-3-Clause */
/* A rigid body whose surface is an ellipsoid and that rolls on a horizontal plane without slipping: the horizontal place x
 * of its centre of mass (R^2) and its attitude R (SO(3)). With gamma = R^T e3, D = diag of the half axes and c the
 * centre of the ellipsoid from the centre of mass, in the body frame,
 *     height of the centre of mass   h(gamma) = |D gamma| - c . gamma,        nu = dh/dgamma = D^2 gamma/|D gamma| - c
 *     contact from it                -nu,                                     hdot = nu . gammadot
 *     L = (1/2) m (|xdot|^2 + hdot^2) + (1/2) Omega . J Omega - m g h,
 *     (xdot, hdot) = Rdot nu      of which the third component is an identity.
 * A disk has the half axes (r, r, 0); where it lies flat h has no derivative.
 * (A. V. Borisov, I. S. Mamaev, Regul. Chaotic Dyn. 7 (2002) 177.) */
#ifndef PH_MODELS_ROLLING_H
#define PH_MODELS_ROLLING_H

#include "text.h"

/* Members of a ph_text, with parameters mass and gravity: names J, axes and centre, where they are no parameters, and the body's
 * part of the scene. By Rdot itself, not by Omega, the derivatives of the inertia and of the constraint have few entries; the turn has a
 * constant inertia. */
#define PH_ROLLING_TEXT(solid, size, shift, ...)                                                             \
    .space = {{"x", "R2"}, {"R", "SO3"}},                                                                    \
    .where = {__VA_ARGS__,                                                                                   \
              {"y", "R.T*e3"},                                                                               \
              {"D", "diag(axes.x, axes.y, axes.z)"},                                                         \
              {"h", "norm(D*y) - dot(centre, y)"},                                                           \
              {"nu", "D*(D*y)/norm(D*y) - centre"},                                                          \
              {"v", "Rdot*nu"},                                                                              \
              {"at", "[x.x, x.y, h]"}},                                                                      \
    .kinetic =                                                                                               \
        "mass/2*(dot(xdot, xdot) + dot(nu, d(y))^2) + trace(Rdot*(trace(J)/2*identity - J)*Rdot.T)/2",       \
    .potential = "mass*gravity*h", .constraints = {"xdot = [v.x, v.y]"}, .tensor = "J",                      \
    .points = {{NULL, "at"}, {NULL, "at - R*nu"}},                                                           \
    .parts = {PH_TEXT_PLANE("plane"),                                                                        \
              {solid, 0, 1, "body", size, shift},                                                            \
              {PH_SCENE_AXES, 0, 1, NULL, "1.2*max(axes.x, max(axes.y, axes.z))"},                           \
              {PH_SCENE_BALL, 1, PH_NO_INDEX, "contact"}}

#endif
