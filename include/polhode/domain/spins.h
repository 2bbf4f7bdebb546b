/* SPDX-License-Identifier: BSD-3-Clause */
/* Spheres as phase space: spins, point vortices, the Bloch vector, a free rigid body reduced by rotations.
 * A point (s_1, ..., s_n) of (S^2)^n is the whole state; there is no momentum. With strengths Gamma_i of
 * either sign and an energy H the equations are of first order,
 *
 *     Gamma_i s_i' = (dH/ds_i) x s_i + Gamma_i lambda_i s_i x (s_i x dH/ds_i),
 *     {s_ia, s_ib} = eps_abc s_ic / Gamma_i,
 *     Omega(u, v) = sum_i Gamma_i s_i . (u_i x v_i),       J = sum_i Gamma_i s_i
 *
 * (McLachlan, Modin, Verdier, Phys. Rev. E 89 (2014) 061301; lambda_i >= 0: the damping of Landau, Lifshitz
 * and Gilbert, 0 in a Hamiltonian system). In the other usual sign, s' = s x dH/ds, Gamma is negative. The
 * energy is declared by parts, given by callbacks (potential and gradient, potential_in_time and
 * gradient_in_time of ph_system_definition), or both: then it is their sum. Parts make the fast methods
 * possible. Only the part of a gradient that is tangent to the spheres matters.
 *
 * A system of spins is created from a ph_system_definition whose member `spins` is this description. Its kind
 * is PH_PHASE_SPACE; it has no Lagrangian, inertia, forces or velocity constraints, and its symmetries are
 * rotations about axes, whose momentum maps are axis . J. Units are the caller's, H/Gamma
 * is in 1/s. */
#ifndef POLHODE_SPINS_H
#define POLHODE_SPINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

PH_BEGIN_DECLS

struct ph_system;

/** What two spins i, j add to the energy. c: the coefficient of the bond. */
typedef enum ph_bond_kind {
    PH_BOND_EXCHANGE, /**< -c s_i . s_j: Heisenberg's exchange */
    PH_BOND_AXIAL,    /**< -c (a . s_i) (a . s_j), a the unit vector `axis` */
    PH_BOND_TWIST,    /**< c a . (s_i x s_j): Dzyaloshinskii and Moriya's; it distinguishes i from j */
    /** -(c / 4 pi) Gamma_i Gamma_j log(|s_i - s_j|^2 + core^2): point vortices on the unit sphere, where
     * |s_i - s_j|^2 = 2 - 2 s_i . s_j */
    PH_BOND_VORTICES,
    PH_BOND_FUNCTION /**< c f(s_i . s_j) by callback */
} ph_bond_kind;

/** f[0], f[1], f[2] <- f, f' and f'' at x = s_i . s_j in [-1, 1] (and a rounding beyond). user: that of the
 * definition. */
typedef ph_status (*ph_bond_fn)(void *user, double x, double *f);

/** A group of bonds of one kind. */
typedef struct ph_bonds {
    ph_bond_kind kind;              /**< the energy of each */
    bool all_pairs;                 /**< every pair i < j once; then n is 0 and first, second are NULL */
    size_t n;                       /**< bonds */
    const uint32_t *first, *second; /**< (n) the spins i, j of each, from 0; i != j; a pair at most once */
    const double *c;                /**< (n) coefficients, or one for all */
    bool uniform;                   /**< one coefficient for all, in c[0] */
    double axis[3];                 /**< unit vector of AXIAL and TWIST; ignored for other kinds */
    double core;                    /**< of VORTICES, >= 0: with a core vortices may meet */
    ph_bond_fn function;            /**< of FUNCTION */
    /** The most classes of bonds without a common spin that may be needed (2: an even ring); 0: as many as it
     * takes. */
    size_t colours;
    /** Set in the system's own copy: bonds are sorted by class, class k from begin[k] to begin[k + 1]; NULL
     * for all_pairs, whose classes are the rounds of a tournament. `colours` is their number. */
    const size_t *begin;
} ph_bonds;

/** -K_i (a . s_i)^2 of every spin: an easy axis a where K > 0, an easy plane where K < 0. */
typedef struct ph_anisotropy {
    double axis[3];  /**< unit vector a */
    const double *K; /**< (spins), or one for all */
    bool uniform;    /**< one K for all, in K[0] */
} ph_anisotropy;

/** B (3) <- the field at time t [s] that all spins see: energy -B(t) . sum_i moment_i s_i. dB (3, nullable)
 * <- dB/dt. user: that of the definition. */
typedef ph_status (*ph_control_fn)(void *user, double t, double *B, double *dB);

/** A system of spins, as a part of ph_system_definition. Zero-initialise, then fill in; arrays are copied. */
typedef struct ph_spins {
    size_t n;                /**< spins, 1 to 2^30/3 */
    const double *strengths; /**< (n) Gamma_i, not 0; NULL: all 1 */
    const double *damping;   /**< (n) lambda_i >= 0; NULL: none */
    const ph_bonds *bonds;   /**< (n_bonds) groups */
    size_t n_bonds;          /**< how many groups */
    const double *field;     /**< (n x 3) B_i, or one B for all: energy -sum_i B_i . s_i; NULL: none */
    bool field_is_uniform;   /**< one B for all */
    const ph_anisotropy *anisotropies; /**< (n_anisotropies) */
    size_t n_anisotropies;             /**< how many */
    double constant;                   /**< added to the energy */
    ph_control_fn control;             /**< nullable: a field that depends on time */
    const double *moments;             /**< (n) what the control acts on; NULL: all 1 */
} ph_spins;

/** The description, the system's own copy with its bonds sorted; NULL for a system of another kind. */
PH_API const ph_spins *ph_system_spins(const struct ph_system *system);
/** Is the whole energy declared by parts, so that it can be split? */
PH_API bool ph_spins_are_declared(const struct ph_system *system);
/** Is one of the damping coefficients not 0? */
PH_API bool ph_spins_are_damped(const struct ph_system *system);

/* All without allocation, thread-safe where the callbacks are. z (3n) is on the spheres or near them. A
 * callback's status; PH_E_INVALID for a system of another kind. */

/** *H <- the energy at t and z: parts, potential and potential_in_time. */
PH_API ph_status ph_spins_energy(const struct ph_system *system, double t, const double *z, double *H);
/** g (3n) <- dH/ds of the whole energy in ambient coordinates. */
PH_API ph_status ph_spins_gradient(const struct ph_system *system, double t, const double *z, double *g);
/** T (3n) <- the torques (dH/ds_i) x s_i: without damping Gamma_i s_i' = T_i. What a pair adds by a
 * function of s_i . s_j are two opposite torques, so that in their sum, and in J, only the rounding of
 * sums is left, which has no mean. T may not overlap z. */
PH_API ph_status ph_spins_torque(const struct ph_system *system, double t, const double *z, double *T);
/** v (3n) <- the vector field: s' at t and z. v may not overlap z. */
PH_API ph_status ph_spins_flow(const struct ph_system *system, double t, const double *z, double *v);
/** J (3) <- sum_i Gamma_i s_i. */
PH_API ph_status ph_spins_momentum(const struct ph_system *system, const double *z, double *J);
/** The least |s_i - s_j| of all pairs; 2 of one spin, NaN where a number is not finite and for a system of
 * another kind. */
PH_API double ph_spins_least_distance(const struct ph_system *system, const double *z);
/** Are vortices without a core apart? PH_E_INVALID where two are at one point, which the message names. (A
 * state is checked when it is set.) */
PH_API ph_status ph_spins_check_apart(const struct ph_system *system, const double *z, ph_error *err);
/** B (3) <- the control at t; zeros where there is none. */
PH_API ph_status ph_spins_control(const struct ph_system *system, double t, double *B);
/** f (3) <- f, f' and f'' at x of a group of bonds, from 0, of kind FUNCTION (PH_E_INVALID for others). */
PH_API ph_status ph_spins_bond_function(const struct ph_system *system, size_t group, double x, double *f);

/* ---- The second derivative of the energy --------------------------------------------------------------- */

/** blocks (n_blocks x 9, row-major) <- d2H/ds_row ds_column in ambient coordinates, of potential and
 * potential_in_time together; on entry zeros. n_blocks, row and column are n_hessian, hessian_row and
 * hessian_column of the definition; of two spins each block is given once, with the later one as its row. */
typedef ph_status (*ph_spin_hessian_fn)(void *user, double t, const double *z, double *blocks);

/* It is the derivative of ph_spins_gradient in ambient coordinates, where bonds are functions of s_i . s_j
 * and vortices of |s_i - s_j|^2; H_ij = H_ji^T. The second derivative of H along the geodesic that leaves z
 * along a tangent vector u is sum_ij u_i . H_ij u_j - sum_i (g_i . s_i) |u_i|^2, g the gradient. */

/** How many blocks of the second derivative are not 0 everywhere: the lower triangle and the whole diagonal,
 * row by row; 0 where it is not known (a potential by callback without a hessian) and for a system of another
 * kind. With all_pairs n (n + 1) / 2, else the number of pairs that have a bond and n. */
PH_API size_t ph_spins_hessian_blocks(const struct ph_system *system);
/** row, column (blocks) <- their places, column <= row; in a row columns ascend, up to the diagonal.
 * PH_E_UNSUPPORTED where it is not known, PH_E_INVALID for a system of another kind. */
PH_API ph_status ph_spins_hessian_places(const struct ph_system *system, uint32_t *row, uint32_t *column);
/** values (blocks x 9, row-major) <- d2H/ds_row ds_column at t and z in ambient coordinates. No allocation,
 * thread-safe where the callbacks are. Errors as of the places, a callback's status. */
PH_API ph_status ph_spins_hessian(const struct ph_system *system, double t, const double *z, double *values);

PH_END_DECLS
#endif
