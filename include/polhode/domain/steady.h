/* SPDX-License-Identifier: BSD-3-Clause */
/* Steady motions of systems with velocity constraints: z(t) = g(t xi) z(0), where g is a group of motions
 * that leave the Lagrangian, the constraint A zdot = b and the forces as they are, and xi does not change: a
 * disk that rolls in a circle, a rattleback that spins, a car and its trailers in a bend. Such systems have
 * no momentum for every symmetry, and no amended potential (equilibria.h is for systems without
 * constraints); with the generators zeta_a(z) = Z_a z + c_a and v = sum_a xi_a zeta_a a steady motion fulfils
 *
 *     zddot(z, v) = sum_a xi_a Z_a v,      A(z) v = b(z),
 *
 * zddot by the Lagrange-d'Alembert equations. These are solved by Newton's iteration for z and xi, by least
 * squares of least norm: steady motions come in families (whatever the group moves, and often speeds), and
 * of all the nearest is taken. How motions near it behave follows from the derivative of the equations of
 * motion, seen from a frame that moves along, on the states that fulfil the constraint, up to the group.
 *
 * The group is found: of translations of each R^d, turns of the whole about the axes of space, and turns of
 * each rigid body about the axes of its frame (of each circle by itself) those that leave all as it is,
 * tried at some states. Source: Bloch, Krishnaprasad, Marsden, Murray, Arch. Rat. Mech. Anal. 136 (1996) 21;
 * manual, Steady motions. A ph_steady is a workspace: one thread at a time. */
#ifndef POLHODE_STEADY_H
#define POLHODE_STEADY_H

#include <stddef.h>

#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** What a one-parameter group does. */
typedef enum ph_steady_kind {
    PH_STEADY_SHIFT, /**< a factor R^d along a coordinate [m/s] */
    PH_STEADY_TURN,  /**< the whole about an axis of space [rad/s]: as ph_symmetry.axis */
    PH_STEADY_SPIN   /**< an SO(3) about an axis of the body's frame, R exp(s S(e)); an S^1 [rad/s] */
} ph_steady_kind;

/** One of them. */
typedef struct ph_steady_part {
    ph_steady_kind kind; /**< what it does */
    size_t factor;       /**< which; 0 of PH_STEADY_TURN */
    size_t axis;         /**< coordinate or axis, from 0 */
} ph_steady_part;

/** The workspace for a system. */
typedef struct ph_steady ph_steady;

/** *steady <- the workspace for this system, which must outlive it, with its group. PH_E_UNSUPPORTED: forces
 * or constraints that depend on the time, no group at all, or no dense matrices (ph_system_is_dense); a
 * callback's failure; PH_E_NO_MEMORY. */
PH_API ph_status ph_steady_create(const ph_system *system, ph_steady **steady, ph_error *err);
PH_API void ph_steady_free(ph_steady *steady); /**< Free; NULL is allowed. */

PH_API size_t ph_steady_parts(const ph_steady *steady); /**< how many, k */
/** Part i; NULL beyond the last. */
PH_API const ph_steady_part *ph_steady_part_at(const ph_steady *steady, size_t i);

/** A steady motion. Arrays belong to it. */
typedef struct ph_steady_motion {
    double *z, *zdot;  /**< (nz) a configuration and its velocity */
    double *rate;      /**< (k) xi [rad/s, m/s] */
    double energy;     /**< [J] */
    double residual;   /**< the largest component of what is left, relative to the terms */
    size_t iterations; /**< of Newton's method that found it */
    size_t modes;      /**< how many eigenvalues: 2 nx less the constraints and the dimension of the group */
    double *real;      /**< (modes) their real parts [1/s], the largest |lambda| first, of a pair the one with
                        * positive imaginary part */
    double *imaginary; /**< (modes) their imaginary parts */
    size_t zero;       /**< how many are 0, to 1e-5 of the largest: directions of the family */
    double growth;     /**< the largest real part of the others, 0 where none is above 1e-8 of the largest */
    double decay;      /**< likewise the size of the largest negative one: motions are attracted */
} ph_steady_motion;

/** A motion for results, its arrays in the same block; NULL without memory. To be freed by free. */
PH_API ph_steady_motion *ph_steady_motion_create(const ph_steady *steady);

/** *found <- the steady motion to which Newton's iteration leads from z, with the rates that are nearest to
 * zdot, iterated until the step stagnates; where that fails, from there without turns of the whole (a sleigh
 * that turns would lead to rest). PH_E_NO_CONVERGENCE within 100 iterations, or to a least square that is no
 * solution; a callback's failure, or that of the equations of motion (PH_E_SINGULAR: rows that depend on
 * each other). found is unchanged then. */
PH_API ph_status ph_steady_find(ph_steady *steady, const double *z, const double *zdot,
                                ph_steady_motion *found, ph_error *err);

PH_END_DECLS
#endif
