/* SPDX-License-Identifier: BSD-3-Clause */
/* Routh reduction by a rotation: a system that is invariant under the rotations about an axis, seen from a
 * frame that turns so that the motion in it is horizontal. With the generator zeta, beta = MM zeta, the
 * locked inertia I = zeta . beta and the momentum mu = J,
 *
 *     q = R(phi) r,   beta(r) . rdot = 0,   phidot = mu / I(r),
 *     E = rdot . MM rdot / 2 + V_mu(r),   V_mu = U + mu^2 / (2 I).
 *
 * No shape coordinates are chosen: r, on the manifold of q, is the horizontal lift of the motion of the
 * shape, and phi the phase that reconstructs it. The reduced system is a ph_system on (factors of the whole)
 * x R^1 with z = (r, phi) and p = (momentum of the whole at r, mu),
 *
 *     L = rdot . MM rdot / 2 + phidot beta . rdot + I phidot^2 / 2 + (beta . rdot)^2 / (2 I) - U,
 *     beta(r) . rdot = 0,
 *
 * whose last term is 0 on the constraint and makes L regular. Its reactions are 0, its energy is that of the
 * whole, and mu is the momentum of phi, conserved exactly. Methods that keep velocity constraints step it,
 * and phi with their order; `variational` makes steps of the whole and turns back by the discrete connection
 *
 *     f = atan2(h mu, zeta(q) . MM zeta(q+)),   phi+ = phi + f:
 *
 * exactly the trajectory of the whole, reduced, and discretely horizontal with the discrete Lagrangian
 * `ends`. Source: Jalnapurkar, Leok, Marsden, West, J. Phys. A 39 (2006) 5521; manual, Reduction by a
 * rotation. */
#ifndef POLHODE_ROUTH_H
#define POLHODE_ROUTH_H

#include <stddef.h>

#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** *reduced <- the system seen from a frame that turns along symmetry i of `whole`, which must outlive it;
 * to be freed by ph_system_free. Its points are those of the whole, in space.
 * PH_E_RANGE: there is no such symmetry; PH_E_UNSUPPORTED: it is given by a callback, or the whole has
 * velocity constraints, forces, an inertia that is not constant, or more than PH_ROUTH_MOST coordinates. */
PH_API ph_status ph_routh_create(const ph_system *whole, size_t i, ph_system **reduced, ph_error *err);

/** Ambient coordinates of the whole at most. */
#define PH_ROUTH_MOST 90

/** z, zdot (nz + 1 each) <- (r, phi) and its velocity of the motion (q, qdot) of the whole, from the frame
 * at phi: r = R(-phi) q, phidot = J / I. work (ph_routh_work). Thread-safe. PH_E_SINGULAR where nothing is
 * off the axis; PH_E_INVALID where the system is no reduced one. */
PH_API ph_status ph_routh_reduce(const ph_system *reduced, const double *q, const double *qdot, double phi,
                                 double *z, double *zdot, double *work, ph_error *err);
/** q, qdot (nz each) <- the motion of the whole. */
PH_API ph_status ph_routh_reconstruct(const ph_system *reduced, const double *z, const double *zdot,
                                      double *q, double *qdot, double *work);
/** Doubles of scratch that the two need. */
PH_API size_t ph_routh_work(const ph_system *reduced);

/** *third <- the number of the rotation about the third axis of a system that is invariant under all
 * rotations; PH_E_UNSUPPORTED if it is not. */
PH_API ph_status ph_routh_all_rotations(const ph_system *whole, size_t *third, ph_error *err);
/** q, qdot (nz each) <- the motion of such a system seen from axes whose third is along its angular momentum
 * J: reduced about it (ph_routh_all_rotations), the system is reduced by SO(3), as no other rotation leaves J
 * where it is. The smallest rotation that does it, or half a turn about the second axis before. For a free
 * body mu is |Pi|, and what is left of R is the direction Pi / |Pi| = R^T e3, the reduced orbit.
 * work (ph_reduction_work(whole)). Thread-safe. PH_E_SINGULAR: J is 0.
 * Source: Marsden, Ratiu, Introduction to Mechanics and Symmetry (2nd ed.), section 15.8. */
PH_API ph_status ph_routh_align(const ph_system *whole, double *q, double *qdot, double *work, ph_error *err);

/** x (nz of the space) <- R(angle) x about the axis of symmetry i, of configurations and velocities alike;
 * work (2 nz). */
PH_API void ph_routh_turn(const ph_system *whole, size_t i, double angle, double *x, double *work);
/** p (np of the space) <- the same of momenta: those in the body frame stay. */
PH_API void ph_routh_turn_momentum(const ph_system *whole, size_t i, double angle, double *p);

PH_END_DECLS
#endif
