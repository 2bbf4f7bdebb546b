/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems that know the inverse of their inertia as something sparse: a linkage
 * (ph_system_definition.linkage), on unit vectors q_i (S^1 or S^2) and perhaps an R^d before them; or M^{-1}
 * entry by entry (inverse_inertia), on unit vectors and R^d's of one length. What needs a dense factorisation
 * elsewhere is done here in time and memory that grow with the number of factors:
 *   - MM^{-1} mu, and the acceleration MM^{-1} (f - dU/dz) that the system would have without |q_i| = 1;
 *   - the matrix of the tensions: forces tau_i q_i along the unit vectors accelerate by MM^{-1} (tau q), and
 *     along directions q'_i by
 *         T tau,   T_ij = q'_i . (MM^{-1})_ij q_j,
 *     symmetric positive definite for q' = q. For a chain it is tridiagonal; for a tree elimination from the
 *     leaves leaves no new entries. It is the matrix of the Lagrange multipliers of |q_i| = 1, in continuous
 *     time (q' = q) as in Newton's iteration for a step (q' at its end).
 * On a linkage everything goes by way of its masses: accelerations of masses from differences of tensions,
 * those of links from differences of masses, so that nothing is lost to cancellation however long a chain is.
 * For an inverse inertia by entries T has the pattern of M^{-1}. Order of elimination and fill are found when
 * the system is created (approximate minimum degree by SuiteSparse's AMD, or reverse Cuthill-McKee where the
 * library was built without it); a ring takes O(n), a square net about O(n log n) memory and O(n^{3/2}) time.
 *
 * Nothing here allocates; all functions are thread-safe on disjoint data. */
#ifndef POLHODE_TENSIONS_H
#define POLHODE_TENSIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** Can the functions below be used? */
PH_API bool ph_system_is_sparse(const ph_system *system);

/** v (nz) <- MM^{-1} mu. v may be mu: of an inverse inertia by entries that takes a product
 * with its factors. */
PH_API void ph_system_apply_inverse_inertia(const ph_system *system, const double *mu, double *v);

/** a (nz) <- MM^{-1} (f - dU/dz) at z: the acceleration without the constraints |q_i| = 1. f (nz)
 * nullable: none. Uniform gravity accelerates exactly: it is not a difference of large forces. A
 * callback's status. No overlap. */
PH_API ph_status ph_system_free_acceleration(const ph_system *system, const double *z, const double *f,
                                             double *a);

/** v (nz) <- MM^{-1} (tau q); tau (factors), of which that of an R^d is not looked at. */
PH_API void ph_tension_pull(const ph_system *system, const double *q, const double *tau, double *v);

/** size (factors) <- sums of the magnitudes of the terms of (MM^{-1} (tau q))_i, which say what
 * rounding leaves in it. */
PH_API void ph_tension_terms(const ph_system *system, const double *tau, double *size);

/** own (factors) <- by how much a force along q_i accelerates q_i itself, at most: its entry of
 * MM^{-1}; of an R^d 1. */
PH_API void ph_tension_own(const ph_system *system, double *own);

/** Doubles that the factors of a matrix of tensions take. */
PH_API size_t ph_tension_size(const ph_system *system);

/** F (ph_tension_size) <- factors of T at (q1, q), each nz numbers, by elimination without interchanges, of a
 * linkage from the leaves. *sign (nullable) <- the sign of det T. PH_E_SINGULAR where a pivot is zero or no
 * number.
 * For an inverse inertia by entries, where that happens or a pivot loses digits (which it never does for
 * q1 = q), by banded elimination with interchanges instead, if the band takes no more than four
 * times the memory of the fill, as in rings and small nets. */
PH_API ph_status ph_tension_factor(const ph_system *system, const double *q1, const double *q, double *F,
                                   int *sign);

/** The same of a linkage on an R^3 that a pull f moves by W f (W: 3 x 3, row-major), in the place of f / m: a
 * body that carries links (ph_system_carrier) once its turn is eliminated. */
PH_API ph_status ph_tension_factor_on(const ph_system *links, const double *W, const double *q1,
                                      const double *q, double *F, int *sign);

/** tau (factors) <- T^{-1} tau; that of an R^d <- 0. */
PH_API void ph_tension_solve(const ph_system *system, const double *F, double *tau);

/** Are there tensions of links in newtons? Of a linkage whose only potential is its gravity: a further
 * potential says how links turn, but not what acts along them. And not where the definition has points of its
 * own: its links stand for something else then. */
PH_API bool ph_system_has_tensions(const ph_system *system);

/** Doubles of work that ph_link_tensions needs. */
PH_API size_t ph_link_tensions_work(const ph_system *system);

/** tension (factors) <- the force along each link at the time t in the state (z, zdot), each nz numbers on
 * the manifold [N]; positive where the link pulls, negative where it pushes; 0 of an R^d. These are the
 * accelerations of constraint of the continuous equations: the multiplier of |q_i| = 1 over -l_i,
 *     m_k xddot_k = m_k G + f_k - T_k q_k + sum of T_j q_j over the links j that hang on mass k.
 * They depend on the state alone, not on the method that led to it. A force that the system was given counts
 * with its part along the links. No overlap; work (ph_link_tensions_work). PH_E_INVALID for a system without
 * tensions; PH_E_DIVERGED where z is far off the manifold, or the force's status: all are NaN
 * then. (Lagrange's equations of the first kind.) */
PH_API ph_status ph_link_tensions(const ph_system *system, double t, const double *z, const double *zdot,
                                  double *tension, double *work);

PH_END_DECLS
#endif
