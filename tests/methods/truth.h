/* SPDX-License-Identifier: BSD-3-Clause */
/* The motion of a system on a product of R^d, S^1, S^2 and SO(3), as no method of the library finds it:
 * accelerations by the multipliers of the constraints q.q = 1 and R^T R = I in the ambient space
 * (Lagrange-d'Alembert's principle),
 *     L_vv zddot + L_vz zdot - L_z = f + C^T l,      C zddot = -(dC/dt) zdot,
 * with the velocity constraints of the system among them,
 * solved by LAPACK, and followed by extrapolation of the midpoint rule. Of the library it calls no form of
 * the equations, no exponential map, no Legendre transform: only the derivatives of L and the force, as they
 * are given by the model. */
#ifndef POLHODE_TESTS_TRUTH_H
#define POLHODE_TESTS_TRUTH_H

#include "tests/kit/testkit.h"

/* z1, p1 <- configuration and momentum at time T of the motion that is at (z, zdot) at time 0, by steps of
 * at most `longest` (a radian or so of the fastest turn), which are halved until the error is that of
 * rounding. */
void truth_follow(const ph_system *system, const double *z, const double *zdot, double T, double longest,
                  double *z1, double *p1);

/* a (nz) <- the acceleration at (t, z, zdot). */
void truth_acceleration(const ph_system *system, double t, const double *z, const double *zdot, double *a);

#endif
