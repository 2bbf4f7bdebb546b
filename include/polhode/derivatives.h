/* SPDX-License-Identifier: BSD-3-Clause */
/* A check for people who write a system: every derivative that its definition has is compared with
 * differences of what it is the derivative of, and the conditions are tried that a Lagrangian should meet. */
#ifndef POLHODE_DERIVATIVES_H
#define POLHODE_DERIVATIVES_H

#include <stddef.h>

#include <polhode/definition.h>

PH_BEGIN_DECLS

/** What ph_system_check_derivatives looks at, as far as a system has it. */
typedef enum ph_derivative {
    PH_DERIVATIVE_JACOBIAN,         /**< of the constraints of an embedded manifold, dg/dx */
    PH_DERIVATIVE_RANK,             /**< condition: that it has the rank that belongs to the dimension */
    PH_DERIVATIVE_BEND,             /**< its derivative along a vector */
    PH_DERIVATIVE_PROJECTION,       /**< condition: P = P^T, P P = P, its rank the dimension */
    PH_DERIVATIVE_PROJECTION_ALONG, /**< its derivative along a tangent vector */
    PH_DERIVATIVE_POTENTIAL,        /**< gradient of U, as far as it is tangent */
    PH_DERIVATIVE_INERTIA,          /**< symmetry of an inertia that depends on the configuration */
    PH_DERIVATIVE_INERTIA_DZ,       /**< its derivative */
    PH_DERIVATIVE_COMPLEX,          /**< L of lagrangian_complex, compared with that of lagrangian */
    PH_DERIVATIVE_COMPLEX_DZ,       /**< dL/dz by a complex step, which asks for an analytic function */
    PH_DERIVATIVE_COMPLEX_DV,       /**< dL/dzdot likewise */
    PH_DERIVATIVE_LZ,               /**< dL/dz */
    PH_DERIVATIVE_LV,               /**< dL/dzdot */
    PH_DERIVATIVE_LZZ,              /**< d2L/dz2 */
    PH_DERIVATIVE_LVZ,              /**< d2L/dzdot dz */
    PH_DERIVATIVE_LVV,              /**< d2L/dzdot2 */
    PH_DERIVATIVE_LT,               /**< dL/dt of a Lagrangian that depends on time */
    PH_DERIVATIVE_LVT,              /**< d2L/dzdot dt */
    PH_DERIVATIVE_FORCE_DV,         /**< df/dzdot */
    PH_DERIVATIVE_IN_TIME,          /**< gradient of the potential that depends on time, as far as tangent */
    PH_DERIVATIVE_RATE,             /**< its derivative by time */
    PH_DERIVATIVE_CONTROL,          /**< dB/dt of the field that spins see */
    /** For spins: spin_hessian, with the second derivative of declared parts, by tangent vectors (`column`:
     * which of them), as far as tangent. */
    PH_DERIVATIVE_SPINS,
    /** A zdot - b of velocity constraints: row i, along tangent direction `column`, the last of which is
     * time. */
    PH_DERIVATIVE_CONSTRAINT,
    /** Condition: E^T L_vv E is not singular, of an inertia positive definite. */
    PH_DERIVATIVE_REGULAR,
    /** Condition: the generators leave L as it is, and the forces do no work along them; of spins: rotations
     * about the axis leave H as it is, and damping leaves the momentum map. */
    PH_DERIVATIVE_SYMMETRY,
    PH_DERIVATIVE_ENTRIES /**< how many there are */
} ph_derivative;

/** From this relative error on a derivative is taken for wrong: differences are good to about 1e-10. */
#define PH_DERIVATIVE_WRONG 1e-6
/** The worst entry of a derivative, or what a condition comes to. */
typedef struct ph_derivative_entry {
    ph_derivative what; /**< what was looked at, and ... */
    const char *name;   /**< ... its name in words: "gradient of the potential"; static */
    /** |given - expected| relative to the largest entry, or where this is more to a thousandth of the
     * function (in units of z, or of the velocity). Regularity, rank: 0 or 1. Symmetries: change of L, or
     * work of f, relative to its terms. */
    double error;
    size_t factor; /**< of embedded manifolds: which factor, and row and column are its own; or PH_NO_INDEX */
    size_t row;    /**< of the entry, in ambient coordinates; symmetries: which of them */
    size_t column; /**< likewise; PH_NO_INDEX of a gradient */
    size_t along;  /**< the coordinate that an inertia is differentiated by, else PH_NO_INDEX */
    /** The entry; rank: what it is; regularity: the reciprocal condition number (0: singular);
     * symmetries: the change. */
    double given;
    double expected; /**< the entry by differences */
    /** What would explain it: "the sign is wrong", "transposed", ...; "" where all is right or
     * nothing fits. */
    char mistake[160];
} ph_derivative_entry;

/** What ph_system_check_derivatives found, an entry for each derivative and condition that there is. */
typedef struct ph_derivative_report {
    size_t n;                                         /**< how many */
    ph_derivative_entry entry[PH_DERIVATIVE_ENTRIES]; /**< (n), in the order of ph_derivative */
} ph_derivative_report;

/** Compare all derivatives that the definition of the system carries with differences of order 8 of what they
 * are derivatives of, at (t, z, zdot), z on the manifold and zdot tangent; and look at the conditions. Where
 * something about an embedded manifold is wrong, that is all that is looked at, and where a derivative of L
 * is, its conditions are not. Only the tangent part of the gradients of U(z) and U(t, z) matters, and U is
 * evaluated on the manifold; other functions are evaluated near it. Where velocities are so small that L
 * hardly depends on them, little can be said about its derivatives by them: check at those that are to be
 * expected. In more than 1024 dimensions potentials are looked at along 32 directions that move
 * everything, and coordinate by coordinate only where these say that something is wrong, up to 8192
 * dimensions. For spins (zdot: any vector) gradients, rates in time, dB/dt, spin_hessian and symmetries
 * are looked at, spin_hessian where there are up to 2^22 blocks in all. A failing callback's status,
 * PH_E_NOT_FINITE, PH_E_NO_MEMORY; large errors are no failure: they are in the report. */
PH_API ph_status ph_system_check_derivatives(const ph_system *system, double t, const double *z,
                                             const double *zdot, ph_derivative_report *report, ph_error *err);

/** The entry of the report about this; NULL where the system has none. */
PH_API const ph_derivative_entry *ph_derivative_report_entry(const ph_derivative_report *report,
                                                             ph_derivative what);

PH_END_DECLS
#endif
