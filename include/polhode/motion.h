/* SPDX-License-Identifier: BSD-3-Clause */
/* Motion in physical terms: what a state (z, p) means as velocities, angular velocities, attitudes and places
 * of masses and bodies. Columns (columns.h) with these numbers are named
 *   qdot1x, Rdot1xx, xdot1_1    velocities zdot, by the inverse Legendre transform of p
 *   omega1x, omega1             angular velocity of a factor S^2 (perpendicular to q) or S^1 [rad/s]
 *   Omega1x                     of a factor SO(3), in the body frame [rad/s]
 *   v1_1                        of a factor R^d or embedded, its velocity
 *   quaternion1w ... quaternion1z   attitude of a factor SO(3), body to space: the unit quaternion of R with
 *                               the first component that is not 0 positive. (q and -q are one rotation: where
 *                               a body turns through half a turn, the sign changes.)
 *   position1x                  place of point 1 [m]: ph_system_points
 *   tension1                    force along the link that is factor 1 [N], positive where it pulls:
 *                               that of ph_link_tensions
 *   lambda1                     multiplier of velocity constraint 1: ph_system_reactions
 *   velocity_constraint_error   how far zdot is off the velocity constraints: ph_system_constraint_error
 * and of a system that is seen from a turning frame (routh.h), with the axis e of its turning,
 *   phase, locked_inertia, amended_potential    phi [rad], I [kg m^2], V_mu [J]
 *   azimuth                     angle about e of the first vector of r [rad]: where the shape is
 *                               as before, its change is the geometric phase, and
 *                               phase the dynamic one
 *   along1, dot1_2, twist1_2    invariants of the shape: a_1 . e, a_1 . a_2, e . (a_1 x a_2) of
 *                               factors S^2 and R^3; of SO(3) the columns of R are the
 *                               vectors 1x, 1y, 1z */
#ifndef POLHODE_MOTION_H
#define POLHODE_MOTION_H

#include <stddef.h>

#include <polhode/state.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** What it takes to see states of one system in physical terms. */
typedef struct ph_motion ph_motion;

/** One object per thread; system must outlive it. PH_E_NO_MEMORY. */
PH_API ph_status ph_motion_create(const ph_system *system, ph_motion **motion, ph_error *err);
PH_API void ph_motion_free(ph_motion *motion); /**< Free; NULL is allowed. */

/** Look at a state of the system; no allocation. PH_E_SINGULAR, or a failing callback's status: what could
 * not be computed is NaN then. */
PH_API ph_status ph_motion_see(ph_motion *motion, const ph_state *state);

/** (nz) zdot of the state that was seen. Owned by the motion, as the following. */
PH_API const double *ph_motion_velocity(const ph_motion *motion);
/** (np) Angular velocities, as ph_space_spin: on SO(3) in the body frame; on R^d and embedded manifolds
 * zdot. */
PH_API const double *ph_motion_omega(const ph_motion *motion);
/** (4 x *n) Unit quaternions (w, x, y, z) of the factors SO(3), in their order. */
PH_API const double *ph_motion_quaternions(const ph_motion *motion, size_t *n);
/** (3 x *n) Places of the points of the system [m]. */
PH_API const double *ph_motion_points(const ph_motion *motion, size_t *n);
/** (factors) Tensions of the links at the state's time [N], 0 of a cart; NULL where the system has none
 * (ph_system_has_tensions). */
PH_API const double *ph_motion_tensions(const ph_motion *motion);

/** (*n) Multipliers of the velocity constraints at the state (ph_system_reactions); *n is 0 where there are
 * none. */
PH_API const double *ph_motion_reactions(const ph_motion *motion, size_t *n);
/** (1) ph_system_constraint_error of the state; 0 without velocity constraints. */
PH_API const double *ph_motion_constraint_error(const ph_motion *motion);
/** (1) ph_system_power of the state [W]; 0 without forces, NaN where it is not known. */
PH_API const double *ph_motion_power(const ph_motion *motion);

/** (*n = 4) Phase [rad], locked inertia [kg m^2], amended potential [J] and azimuth [rad] of a reduced
 * system; *n is 0 of others. */
PH_API const double *ph_motion_reduced(const ph_motion *motion, size_t *n);
/** (*n) Invariants of the shape of a reduced system: a_i . e of all vectors, then a_i . a_j and e . (a_i x
 * a_j) of the pairs from different factors in turn; *n is 0 of others. */
PH_API const double *ph_motion_shape(const ph_motion *motion, size_t *n);

/** q (4) <- the unit quaternion (w, x, y, z) of a rotation R (9, row-major), its first component that is not
 * 0 positive; without cancellation at any angle (Shepperd 1978). Thread-safe. */
PH_API void ph_rotation_quaternion(const double *R, double *q);

PH_END_DECLS
#endif
