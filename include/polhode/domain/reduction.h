/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction by a rotation: where a system is invariant under the rotations about an axis (ph_symmetry.axis),
 * with zeta(z) the velocity of the whole turning at unit rate,
 *
 *     J = zeta . MM zdot           the momentum map,
 *     I(z) = zeta . MM zeta        the locked inertia: that of the system with its joints locked,
 *     J / I                        the mechanical connection: the rate at which it turns as a whole,
 *     V_mu = U + mu^2 / (2 I)      the amended potential of the motions with J = mu.
 *
 * Critical points of V_mu are relative equilibria: they turn as a whole at the rate mu / I. Where nothing is
 * off the axis, I = 0, there is no connection. Source: manual, Reduction by a rotation. Nothing here
 * allocates; all is thread-safe. `i` is the number of the symmetry, z is on the manifold.
 *
 * All functions return PH_E_RANGE where there is no such symmetry and PH_E_UNSUPPORTED where it is given by a
 * callback, where L is general, or where the system has velocity constraints (its momentum is not conserved);
 * and a failing callback's status. */
#ifndef POLHODE_REDUCTION_H
#define POLHODE_REDUCTION_H

#include <stddef.h>

#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** Doubles of scratch that the functions below need at `work`. */
PH_API size_t ph_reduction_work(const ph_system *system);

/** zeta (nz) <- the velocity at z of turning about the axis of symmetry i, at the rate |axis| [rad/s]. */
PH_API ph_status ph_reduction_generator(const ph_system *system, size_t i, const double *z, double *zeta);

/** *inertia <- the locked inertia I(z) about that axis [kg m^2]; 0 where nothing is off it. */
PH_API ph_status ph_reduction_locked_inertia(const ph_system *system, size_t i, const double *z,
                                             double *inertia, double *work);

/** dI (nz) <- a covector whose tangent part is the derivative of I: exact where the inertia is constant, else
 * as good as its derivative. */
PH_API ph_status ph_reduction_locked_inertia_gradient(const ph_system *system, size_t i, const double *z,
                                                      double *dI, double *work);

/** *rate <- the mechanical connection J / I of the velocity zdot: 1 for zeta, 0 for a velocity that is
 * orthogonal to it in the kinetic energy (horizontal). PH_E_SINGULAR where no factor is off the axis by more
 * than 1e-6 of the size of z: the message names the configuration. */
PH_API ph_status ph_reduction_connection(const ph_system *system, size_t i, const double *z,
                                         const double *zdot, double *rate, double *work, ph_error *err);

/** *V <- the amended potential U + mu^2/(2 I) [J], dV (nz, nullable) <- a covector whose tangent part is its
 * derivative. With mu = 0 it is U, everywhere; else PH_E_SINGULAR as ph_reduction_connection. */
PH_API ph_status ph_reduction_amended_potential(const ph_system *system, size_t i, const double *z, double mu,
                                                double *V, double *dV, double *work, ph_error *err);

PH_END_DECLS
#endif
