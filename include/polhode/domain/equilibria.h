/* SPDX-License-Identifier: BSD-3-Clause */
/* Relative equilibria: motions that a system performs as if it were rigid, z(t) = exp(t xi) z, along one or
 * several commuting symmetries with the generators zeta_a(z). With
 *
 *     I_ab(z) = zeta_a . MM zeta_b     the locked inertia,     mu = I xi     the momenta,
 *     V_mu(z) = U + mu . I^{-1} mu / 2     the amended potential,
 *
 * they are the critical points of V_mu, found by Newton's iteration orthogonal to the symmetries (so that of
 * all solutions the nearest is taken). With mu = 0 they are the equilibria at rest. How motions near one
 * behave, up to the symmetries, follows from V_mu'' and the gyroscopic terms on the horizontal space,
 *
 *     lambda^2 + lambda G + V_mu'' = 0,   G(u, v) = d(MM zeta . xi)(v, u),
 *
 * in coordinates that are orthonormal in the kinetic energy. Families are followed by continuation in one of
 * the momenta. Source: Marsden, Lectures on Mechanics (1992), chapters 4 and 5; manual, Reduction by a
 * rotation.
 *
 * A ph_equilibria is the workspace for one system: one thread at a time. Functions that take an `err` fill
 * it. Statuses: PH_E_UNSUPPORTED for a general Lagrangian, velocity constraints or forces; PH_E_SINGULAR
 * where the locked inertia is singular and mu is not 0; PH_E_NO_CONVERGENCE; a failing callback's status. */
#ifndef POLHODE_EQUILIBRIA_H
#define POLHODE_EQUILIBRIA_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** How many symmetries at most. */
#define PH_EQUILIBRIA_SYMMETRIES 3

/** The workspace for a system and some of its symmetries. */
typedef struct ph_equilibria ph_equilibria;

/** What motions near a relative equilibrium do, up to the symmetries. */
typedef enum ph_stability {
    /** V_mu has a strict minimum: they stay near it for ever (energy-momentum method). */
    PH_STABILITY_STABLE,
    /** V_mu has none, but all eigenvalues are imaginary: gyroscopically stabilised in the linear
     * approximation; friction may destroy it. */
    PH_STABILITY_SPECTRAL,
    PH_STABILITY_UNSTABLE,   /**< an eigenvalue has a positive real part */
    PH_STABILITY_DEGENERATE, /**< V_mu'' is singular and nothing grows: undecided, as where families meet or
                              * there are further symmetries */
    PH_STABILITIES           /**< how many */
} ph_stability;

/** "stable", "spectrally stable", "unstable", "degenerate"; NULL for any other number. */
PH_API const char *ph_stability_text(ph_stability stability);

/** A relative equilibrium. Arrays belong to it. */
typedef struct ph_equilibrium {
    double *z, *zdot;                          /**< (nz) configuration and velocity */
    double momentum[PH_EQUILIBRIA_SYMMETRIES]; /**< mu, in the order of the symmetries */
    double rate[PH_EQUILIBRIA_SYMMETRIES];     /**< xi: mu = I xi [rad/s] */
    double energy;                             /**< V_mu = the energy of the motion [J] */
    double residual;   /**< largest component of dV_mu on the horizontal space, relative to its terms */
    size_t iterations; /**< of Newton's method that found it */
    size_t modes;      /**< dimension of the horizontal space: nx less the symmetries that move z */
    double *curvature; /**< (modes) eigenvalues of V_mu'' relative to the kinetic energy [1/s^2], ascending */
    double *real;      /**< (2 modes) real parts of the eigenvalues of the linear motion [1/s], the
                               * largest |lambda| first, of a pair the one with positive imaginary part */
    double *imaginary; /**< (2 modes) their imaginary parts */
    size_t negative, zero;  /**< how many curvatures are below 0, and 0 to 1e-9 of the largest */
    double growth;          /**< the largest real part; 0 where it is below 1e-9 of the largest |lambda|,
                             * where zero > 0 below 1e-5: a double eigenvalue 0 is known no better */
    ph_stability stability; /**< see there */
} ph_equilibrium;

/** *equilibria <- the workspace for these symmetries of the system (n of them, distinct numbers), which must
 * commute; the system must outlive it. n = 0: equilibria at rest only. PH_E_RANGE: there is no such
 * symmetry, or there are too many; PH_E_INVALID: two of them are the same, or do not commute;
 * PH_E_UNSUPPORTED: a general Lagrangian, velocity constraints, forces, or too many factors for dense
 * matrices; PH_E_NO_MEMORY. */
PH_API ph_status ph_equilibria_create(const ph_system *system, const size_t *symmetries, size_t n,
                                      ph_equilibria **equilibria, ph_error *err);
PH_API void ph_equilibria_free(ph_equilibria *equilibria); /**< Free; NULL is allowed. */

/** A relative equilibrium for results, its arrays in the same block; NULL without memory. To be freed by
 * free. */
PH_API ph_equilibrium *ph_equilibrium_create(const ph_equilibria *equilibria);
/** to <- from, of the same workspace. */
PH_API void ph_equilibrium_copy(const ph_equilibria *equilibria, const ph_equilibrium *from,
                                ph_equilibrium *to);

/** *found <- the relative equilibrium with these momenta (as many as symmetries) to which Newton's iteration
 * leads from z (on the manifold), iterated until the step stagnates. Where it does not converge within 100
 * iterations: PH_E_NO_CONVERGENCE. PH_E_SINGULAR: it came to where the symmetries move nothing, with a
 * momentum that is not 0; PH_E_NOT_FINITE. found is unchanged after a failure. */
PH_API ph_status ph_equilibria_find(ph_equilibria *equilibria, const double *z, const double *momentum,
                                    ph_equilibrium *found, ph_error *err);

/** *distance <- the largest difference of a coordinate between two configurations after the symmetries have
 * brought the second as near to the first as they can (one rotation about an axis is exact; several are tried
 * once each, in their order; a symmetry that a callback gives is not used, so that configurations which it
 * alone brings together stay different). */
PH_API ph_status ph_equilibria_distance(ph_equilibria *equilibria, const double *z, const double *other,
                                        double *distance);

/** What is remarkable about a point of a family. */
typedef enum ph_family_mark {
    PH_FAMILY_POINT,  /**< nothing */
    PH_FAMILY_FOLD,   /**< the momentum has an extremum along the family */
    PH_FAMILY_BRANCH, /**< another family meets it (a bifurcation) */
    PH_FAMILY_CHANGE, /**< its stability changes here, without one of these */
    PH_FAMILY_MARKS   /**< how many */
} ph_family_mark;

/** "", "fold", "bifurcation", "stability changes"; NULL for any other number. */
PH_API const char *ph_family_mark_text(ph_family_mark mark);

/** Why a family was followed no further. */
typedef enum ph_family_end {
    PH_FAMILY_REACHED, /**< the momentum left its interval; the last point is at its end */
    PH_FAMILY_AXIS,    /**< the locked inertia tends to 0: the family ends at a configuration that the
                        * symmetry does not move */
    PH_FAMILY_CLOSED,  /**< it came back to where it began */
    PH_FAMILY_STOPPED, /**< by the visitor */
    PH_FAMILY_LONG,    /**< `most` points */
    PH_FAMILY_LOST,    /**< the iteration did not converge even with the smallest step */
    PH_FAMILY_ENDS     /**< how many */
} ph_family_end;

/** For people, one line; NULL for any other number. */
PH_API const char *ph_family_end_text(ph_family_end end);

/** A point of a family, in order; false: stop. `at` is valid during the call. */
typedef bool (*ph_family_fn)(void *user, const ph_equilibrium *at, ph_family_mark mark);

/** How a family is followed. */
typedef struct ph_family_plan {
    size_t symmetry; /**< whose momentum varies: its position in the workspace's list */
    double from, to; /**< the interval of that momentum; start is in it; first towards `to` */
    double step;     /**< largest change of a coordinate between points; 0: 0.05 (rad, or m on R^d) */
    size_t most;     /**< points at most; 0: 5000 */
} ph_family_plan;

/** Follow the family of `start` by continuation in arc length, through folds, and hand its points to `visit`:
 * start, points on the way, folds, bifurcations and changes of stability at their places (to 1e-8 of a step).
 * At a bifurcation it goes straight on. *end <- why it was followed no further. PH_E_RANGE: there is no such
 * symmetry, or the momentum of `start` is outside the interval; PH_E_NOT_FINITE: the plan is not finite;
 * PH_E_SINGULAR: two families meet at `start`; PH_E_NO_MEMORY. */
PH_API ph_status ph_equilibria_follow(ph_equilibria *equilibria, const ph_equilibrium *start,
                                      const ph_family_plan *plan, ph_family_fn visit, void *user,
                                      ph_family_end *end, ph_error *err);

PH_END_DECLS
#endif
