/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems whose motion is known to many digits, computed by other codes: each stands here once, with what it is and
 * where its digits are from, and the tests take it from here. */
#ifndef POLHODE_TESTS_KNOWN_H
#define POLHODE_TESTS_KNOWN_H

#include "testkit.h"

/* Problem 1, the double spherical pendulum: masses 1 kg, links 9.81 m, gravity 9.81 m/s^2 along +e3. Its start, and
 * q [1], dq/dt [1/s] at t = 10 s by Taylor series of order 40. */
typedef struct known_pendulum {
    double mass[2], length[2], gravity[3];
    double q0[6], omega0[6]; /* [1], [rad/s] in the frame of space */
    double time, q[6], v[6];
} known_pendulum;
extern const known_pendulum known_problem1;

/* chain, q and v <- its parts and start, from the definition and not from the model. */
void known_problem1_start(tk_chain *chain, double q[6], double v[6]);
/* The same as a linkage, which is stepped in multiplier form. */
ph_system *known_problem1_linkage(double q[6], double v[6]);

/* A free rigid body, turned from the identity: body angular momentum [kg m^2/s] and quaternion (scalar first) at
 * t = 10 s, by Taylor series. */
typedef struct known_rotor {
    double inertia[3], p0[3];
    double time, p[3], quaternion[4];
} known_rotor;
extern const known_rotor known_tumbling;
/* R <- the rotation matrix of a unit quaternion, row by row. */
void known_rotation(const double quaternion[4], double R[9]);

/* The heavy top of Bruels, Cardona and Arnold (2012): 15 kg, centre of mass at body (0, 1 m, 0) from the pivot, under
 * 9.81 m/s^2; the inertia is about the pivot. From the identity; body angular velocity [rad/s] and centre of mass [m]
 * at `time`, by Gauss methods with forty digits, and the energy [J]. The fast one turns some 24 times in its second. */
typedef struct known_top {
    double inertia[3], weight[3], omega0[3];
    double time, omega[3], centre[3], energy;
} known_top;
extern const known_top known_slow_top, known_fast_top;

#endif
