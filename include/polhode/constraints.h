/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity constraints of a system, A(t, z) zdot = b(t, z): what rolls without slipping, a skate, a blade.
 * They need not come from constraints on z (nonholonomic); b = 0 is linear, any other affine: a turntable,
 * a belt. A definition gives the rows by a callback (ph_system_definition.constraint); here they are
 * evaluated.
 *
 * A state of such a system has a momentum whose velocity fulfils the constraint (ph_state_set). A method
 * takes the system if it says so (ph_method.takes_constraints): `dla`, and those on the continuous equations,
 * which have the reactions in the forms q-qdot and q-omega. */
#ifndef POLHODE_CONSTRAINTS_H
#define POLHODE_CONSTRAINTS_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** How many velocity constraints, m; 0: none. A forced system has those of its base. */
PH_API size_t ph_system_constraints(const ph_system *system);

/** A (m x nz, row-major), b (m) <- the constraint at t [s] and z. No allocation; thread-safe. The callback's
 * status; PH_E_NOT_FINITE where it wrote what is not finite. */
PH_API ph_status ph_system_constraint_rows(const ph_system *system, double t, const double *z, double *A,
                                           double *b);

/** Doubles of scratch that the functions below need at `work`. */
PH_API size_t ph_system_constraint_work(const ph_system *system);

/** rate (m) <- the derivative of A zdot - b at fixed zdot along (dt, dz): by the callback, or else by
 * differences of order 8 (about 1e-13 of A zdot where the constraint varies over about a unit of z). dz (nz)
 * is tangent. With dz = zdot and dt = 1 it is what the reactions must balance besides A zddot. No allocation;
 * thread-safe. Errors of ph_system_constraint_rows. */
PH_API ph_status ph_system_constraint_along(const ph_system *system, double t, const double *z,
                                            const double *zdot, double dt, const double *dz, double *rate,
                                            double *work);

/** *error <- the largest |A_i zdot - b_i| / (|A_i| |zdot| + |b_i|) of the rows, A_i without its part normal
 * to the manifold; 0 without constraints. No allocation; thread-safe. Errors of ph_system_constraint_rows. */
PH_API ph_status ph_system_constraint_error(const ph_system *system, double t, const double *z,
                                            const double *zdot, double *error, double *work);

/** zdot <- the velocity on the constraint that is nearest to it, in the norm of the kinetic energy,
 *     zdot + MM^{-1} A^T mu,   (A MM^{-1} A^T) mu = b - A zdot,
 * in place: all velocities change, not only those that a row names (a rolling disk whose spin alone was
 * given loses a part of it). As it is where it is on the constraint to rounding. zdot is tangent at z. No
 * allocation; thread-safe. Without constraints nothing is done.
 * PH_E_SINGULAR, zdot unchanged, where the rows depend on each other at z: the message names the row, and
 * says whether it contradicts the others or follows from them. Errors of ph_system_constraint_rows and of
 * ph_system_covector_velocity.
 * Source: manual, Continuous equations, section 1.4. */
PH_API ph_status ph_system_constraint_project(const ph_system *system, double t, const double *z,
                                              double *zdot, double *work, ph_error *err);

/** Doubles of scratch that ph_system_reactions needs. */
PH_API size_t ph_system_reactions_work(const ph_system *system);

/** lambda (m) <- the multipliers of the reactions A^T lambda at (t, z, zdot), z on the manifold and zdot on
 * the constraint, by the continuous equations: they depend on the state alone, not on the method that led to
 * it. Units: lambda_i times an entry of row i is a generalized force. No allocation; thread-safe.
 * PH_E_UNSUPPORTED where there are no dense matrices (ph_system_is_dense); PH_E_SINGULAR where the rows
 * depend on each other; failures of the callbacks. Source: manual, Continuous equations, section 1.4. */
PH_API ph_status ph_system_reactions(const ph_system *system, double t, const double *z, const double *zdot,
                                     double *lambda, double *work);

/** zdot <- with the velocities of some factors computed from those of the others, which stay: those that
 * fulfil the constraint, of several the ones with the least kinetic energy. For a rolling ball the velocity
 * of the centre follows from the turn; the given one is ignored. Allocates.
 *   follows  (factors) which ones are computed; what zdot has there does not matter
 * PH_E_NOT_TANGENT, zdot unchanged, where no velocities of theirs fulfil the constraint: the message names
 * the row. PH_E_INVALID without constraints; errors of ph_system_constraint_rows and of
 * ph_system_tangent_inertia; PH_E_NO_MEMORY. */
PH_API ph_status ph_system_constraint_follow(const ph_system *system, double t, const double *z,
                                             const bool *follows, double *zdot, ph_error *err);

PH_END_DECLS
#endif
