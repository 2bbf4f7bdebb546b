/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin reduction: motions on a product Q = B x G with a velocity constraint that a Lie group G leaves
 * as it is. The base B is a product of R^d, S^1, S^2 and SO(3), points x with velocities v in ambient
 * coordinates (polhode/space.h). G moves its own elements h from the left; the velocity of h is zeta, hdot =
 * h zeta:
 *
 *               h                       zeta                                      h exp(f)
 *     R^k       k numbers               k numbers                                 h + f
 *     S^1       unit vector             angular velocity                          h turned by f
 *     SE(2)     (x, y), unit vector     (velocity in the moving frame, angular    the screw motion f
 *                                       velocity)
 *     SO(3)     rotation, row-major     angular velocity in the body frame        h exp(S(f))
 *
 * With data that do not depend on h, the metric K, the potential V, the connection w and the affine part xi,
 *
 *     l(x, v, zeta) = (1/2) (v, zeta) . K(x) (v, zeta) - V(x),      zeta = xi(x) - w(x) v,
 *
 * the equations close on B: nb of them, without multipliers. h follows by hdot = h zeta. The reduced
 * momentum is the horizontal one,
 *
 *     y = l_v - w^T l_zeta  in T*B, in the layout of the momenta of B.
 *
 * Nothing but the functions that create allocates. A bundle is const once created, and may be shared between
 * threads if its callbacks, or its system's, may be called from several; a ph_bundle_motion belongs to one.
 * Statuses of callbacks are passed on; PH_E_NOT_FINITE where they write what is not finite.
 *
 * Source: manual, Chaplygin reduction. */
#ifndef POLHODE_BUNDLE_H
#define POLHODE_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/space.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** The groups that a bundle may have. */
typedef enum ph_group_kind {
    PH_GROUP_R,   /**< R^k, the translations */
    PH_GROUP_S1,  /**< the rotations of the plane */
    PH_GROUP_SE2, /**< the rigid motions of the plane */
    PH_GROUP_SO3  /**< the rotations of space */
} ph_group_kind;

/** The largest k of a group R^k. */
#define PH_GROUP_MOST 16

/** A group. */
typedef struct ph_group {
    ph_group_kind kind; /**< which */
    size_t k;           /**< PH_GROUP_R: its dimension, 1 to PH_GROUP_MOST; otherwise 0 */
} ph_group;

/** What a bundle consists of at a point of its base, or the derivative of it. na = ph_space_ambient of the
 * base, g the dimension of the group. All zeros on entry of a callback. */
typedef struct ph_bundle_data {
    double
        *K; /**< (na + g square, row-major) metric on (v, zeta); symmetric, positive definite on tangent v */
    double *V;  /**< (1) potential [J] */
    double *w;  /**< (g x na) connection: only what it does to tangent vectors matters */
    double *xi; /**< (g) affine part */
} ph_bundle_data;

/** data <- the bundle at x (na). x may be slightly off the base. */
typedef ph_status (*ph_bundle_data_fn)(void *user, const double *x, const ph_bundle_data *data);
/** rate <- its derivative along dx (na). */
typedef ph_status (*ph_bundle_along_fn)(void *user, const double *x, const double *dx,
                                        const ph_bundle_data *rate);
/** f (na + g) += the force at t [s] as a covector on (v, zeta): virtual work f . (delta x, h^{-1} delta h).
 * On entry zeros. */
typedef ph_status (*ph_bundle_force_fn)(void *user, double t, const double *x, const double *v,
                                        const double *zeta, double *f);

/** What ph_bundle_create builds a bundle from. Zero-initialise, then fill in. */
typedef struct ph_bundle_definition {
    const ph_space *base;   /**< copied; no embedded manifolds */
    ph_group group;         /**< G */
    ph_bundle_data_fn data; /**< K, V, w, xi */
    /** Nullable: then by differences of order 8 along the base, whose width is 1/128 of its unit. */
    ph_bundle_along_fn along;
    ph_bundle_force_fn force;      /**< nullable: none */
    void *user;                    /**< handed to the callbacks */
    void (*user_free)(void *user); /**< nullable; called once by ph_bundle_free, also if create fails */
} ph_bundle_definition;

/** How a group acts on a system (polhode/system.h): some of its factors are the group, the others the base.
 * */
typedef struct ph_bundle_action {
    ph_group group; /**< G */
    /** (n_factors) Which factors of the system's space are h: for R^k factors R^d with k dimensions
     * together, for S^1 one S^1, for SE(2) an R^2 and an S^1, in this order, for SO(3) one SO(3). */
    const size_t *factor;
    size_t n_factors; /**< how many */
    /** S^1 and SO(3): the factor is h^{-1}, so that a group that acts on it from the right acts on h from
     * the left: on SO(3) zeta = -(the angular velocity in space). */
    bool inverse;
} ph_bundle_action;

/** A bundle. */
typedef struct ph_bundle ph_bundle;

/** Create a bundle from its data; free it with ph_bundle_free. No callback is called here: ph_bundle_check
 * tries them. PH_E_INVALID, PH_E_UNSUPPORTED (an embedded manifold in the base), PH_E_NO_MEMORY. */
PH_API ph_status ph_bundle_create(const ph_bundle_definition *definition, ph_bundle **bundle, ph_error *err);
/** Create the bundle of a system with velocity constraints A zdot = b, which must outlive it: with A = (a_B,
 * a_G) on (v, zeta), w = a_G^{-1} a_B and xi = a_G^{-1} b, all at h = e and t = 0. Whether the group leaves
 * the system as it is and w is a connection everywhere is for ph_bundle_check; where w is none, a function
 * below returns PH_E_SINGULAR. PH_E_INVALID (an action that does not fit the space), PH_E_UNSUPPORTED: fewer
 * constraints than dim G, so that there is a momentum equation and no Chaplygin reduction; or more, which no
 * connection meets; a general Lagrangian; PH_E_NO_MEMORY. */
PH_API ph_status ph_bundle_create_from_system(const ph_system *system, const ph_bundle_action *action,
                                              ph_bundle **bundle, ph_error *err);
PH_API void ph_bundle_free(ph_bundle *bundle); /**< Free; NULL is allowed. */

PH_API const ph_space *ph_bundle_base(const ph_bundle *bundle);   /**< B; owned by the bundle */
PH_API const ph_space *ph_bundle_fibre(const ph_bundle *bundle);  /**< G as a space; owned by the bundle */
PH_API size_t ph_bundle_group_dimension(const ph_bundle *bundle); /**< g */

/* ---- Whether it is one ------------------------------------------------------------------------------ */

/** What can be wrong with a bundle, in the order in which it is looked for. */
typedef enum ph_bundle_fault {
    PH_BUNDLE_SOUND,             /**< nothing */
    PH_BUNDLE_METRIC,            /**< the metric is not symmetric and positive definite */
    PH_BUNDLE_DERIVATIVE,        /**< the callback `along` is not the derivative of `data` */
    PH_BUNDLE_CONNECTION,        /**< w is none: a_G is singular */
    PH_BUNDLE_METRIC_VARIES,     /**< the metric is not invariant */
    PH_BUNDLE_POTENTIAL_VARIES,  /**< the potential is not invariant */
    PH_BUNDLE_CONNECTION_VARIES, /**< the constraint is not invariant */
    PH_BUNDLE_AFFINE_VARIES,     /**< the affine part is not equivariant */
    PH_BUNDLE_FORCE_VARIES,      /**< the force is not equivariant */
    PH_BUNDLE_TIME               /**< the constraint depends on the time */
} ph_bundle_fault;

/** What ph_bundle_check has found. Errors are relative to the largest entry (at least 1). */
typedef struct ph_bundle_report {
    ph_bundle_fault fault; /**< the first in the order above, or PH_BUNDLE_SOUND */
    double metric;         /**< largest |K_ij - K_ji| */
    double derivative;     /**< largest error of `along` against differences; 0 without it */
    double condition;      /**< least reciprocal condition number of a_G (1-norm); 1 of a bundle from data */
    double metric_varies;  /**< largest change of K over G; of a bundle from data 0, as the next five */
    double potential_varies;  /**< of V */
    double connection_varies; /**< of w */
    double affine_varies;     /**< of xi, moved to the identity: Ad_h^{-1} of what it is at h */
    double force_varies;      /**< of the force on (v, zeta) */
    double time;              /**< of w and xi over the time */
} ph_bundle_report;

/** From here on a variation over the group is a failure: rounding is at 1e-15, differences at 1e-12. */
#define PH_BUNDLE_VARIES 1e-9
/** From here on downward a_G is singular. */
#define PH_BUNDLE_SINGULAR 1e-10

/** Test the Constraint Hypothesis at `samples` random points of B (normal numbers on R^d, uniform elsewhere,
 * the same each time), and for each at two random h against the identity. Allocates. PH_OK: nothing is
 * wrong. PH_E_SINGULAR: w is not a connection; PH_E_UNSUPPORTED, another fault: the message names it. The
 * report (nullable) is filled in both cases. PH_E_NO_MEMORY, the status of a callback. */
PH_API ph_status ph_bundle_check(const ph_bundle *bundle, size_t samples, ph_bundle_report *report,
                                 ph_error *err);

/* ---- The continuous equations ----------------------------------------------------------------------- */

/** Doubles of scratch that the functions below need at `work`. */
PH_API size_t ph_bundle_work(const ph_bundle *bundle);

/** zeta (g) <- xi(x) - w(x) v. */
PH_API ph_status ph_bundle_group_velocity(const ph_bundle *bundle, const double *x, const double *v,
                                          double *zeta, double *work);
/** curvature (g) <- d w(u, v) - [w u, w v] of the tangent vectors u, v at x, where d w(u, v) = (Dw u) v -
 * (Dw v) u. */
PH_API ph_status ph_bundle_curvature(const ph_bundle *bundle, const double *x, const double *u,
                                     const double *v, double *curvature, double *work);
/** y (momenta of B) <- the horizontal momentum of the velocity v at x; pzeta (g, nullable) <- l_zeta, and px
 * (momenta of B, nullable) <- l_v: (px, pzeta) is the full momentum in the left trivialisation. */
PH_API ph_status ph_bundle_momentum(const ph_bundle *bundle, const double *x, const double *v, double *y,
                                    double *px, double *pzeta, double *work);
/** v <- the velocity whose horizontal momentum is y. PH_E_SINGULAR where the metric on horizontal vectors is
 * not positive definite. */
PH_API ph_status ph_bundle_velocity(const ph_bundle *bundle, const double *x, const double *y, double *v,
                                    double *work);
/** *energy <- the full energy at (x, v): (1/2) (v, zeta) . K (v, zeta) + V [J]. */
PH_API ph_status ph_bundle_energy(const ph_bundle *bundle, const double *x, const double *v, double *energy,
                                  double *work);
/** a (na) <- xddot by the reduced equation, in ambient coordinates; lambda (g, nullable) <- the multipliers
 * of zeta + w v = xi, whose reaction is (w^T lambda, lambda) on (v, zeta). */
PH_API ph_status ph_bundle_acceleration(const ph_bundle *bundle, double t, const double *x, const double *v,
                                        double *a, double *lambda, double *work);
/** h1 <- h exp(f). h1 may be h. */
PH_API void ph_bundle_group_move(const ph_bundle *bundle, const double *h, const double *f, double *h1);

/* ---- Motions ------------------------------------------------------------------------------------------ */

/** How a motion is followed. */
typedef enum ph_bundle_rule {
    PH_BUNDLE_ENDS,     /**< the reduced discrete step, with the points of `exponential`: both ends */
    PH_BUNDLE_MIDPOINT, /**< the same with that of `exponential-midpoint` */
    PH_BUNDLE_RK4       /**< the reduced equation by the Runge-Kutta-Munthe-Kaas method of order 4 */
} ph_bundle_rule;

/** A motion of a bundle that is followed step by step: the state (t, x, y, h) and its scratch. The discrete
 * step solves nb equations for x1 on the branch from a step size of 0 (polhode/implicit.h; the Jacobian by
 * differences of order 8), gives y1 and h1 = h exp(f), and is symmetric and of order 2. */
typedef struct ph_bundle_motion ph_bundle_motion;

/** Create a motion of a bundle, which must outlive it, with steps of h [s] (not 0; negative: backwards).
 * composition: the name of a composition of the discrete step, as of `variational`, "kahan-li-9", or NULL:
 * the step itself. PH_E_UNKNOWN (no such composition), PH_E_INVALID (of RK4), PH_E_RANGE, PH_E_NO_MEMORY. */
PH_API ph_status ph_bundle_motion_create(const ph_bundle *bundle, ph_bundle_rule rule,
                                         const char *composition, double h, ph_bundle_motion **motion,
                                         ph_error *err);
PH_API void ph_bundle_motion_free(ph_bundle_motion *motion); /**< Free; NULL is allowed. */

/** Start at time t [s] at x with the velocity v, and at h in the group.
 * PH_E_NOT_ON_MANIFOLD, PH_E_NOT_TANGENT (by more than 1e-9), PH_E_NOT_FINITE; nothing is changed then. */
PH_API ph_status ph_bundle_motion_set(ph_bundle_motion *motion, double t, const double *x, const double *v,
                                      const double *h, ph_error *err);
/** Change the step size [s]; the motion continues. PH_E_RANGE. */
PH_API ph_status ph_bundle_motion_set_step_size(ph_bundle_motion *motion, double h, ph_error *err);
/** Take n steps, each whole or not at all: the state is that after the last one that succeeded.
 * PH_E_NO_SOLUTION (the step is too long), PH_E_NO_CONVERGENCE, PH_E_SINGULAR, PH_E_NOT_FINITE, a callback's
 * status; PH_E_INVALID before ph_bundle_motion_set. */
PH_API ph_status ph_bundle_motion_step(ph_bundle_motion *motion, int64_t n, ph_error *err);

PH_API double ph_bundle_motion_time(const ph_bundle_motion *motion);         /**< t [s] */
PH_API const double *ph_bundle_motion_base(const ph_bundle_motion *motion);  /**< x; owned by the motion */
PH_API const double *ph_bundle_motion_y(const ph_bundle_motion *motion);     /**< y; likewise */
PH_API const double *ph_bundle_motion_group(const ph_bundle_motion *motion); /**< h; likewise */
/** Corrections of Newton's iteration so far. */
PH_API int64_t ph_bundle_motion_newton_passes(const ph_bundle_motion *motion);

/* ---- A circle bundle over S^2 ------------------------------------------------------------------------- */

/** The reduced step of a body with gamma . Omega = 0, gamma = R^T e3 the vertical in the body (Veselova): two
 * unknowns in place of three and a multiplier. The bundle SO(3) -> S^2 is not a product; R is the horizontal
 * lift.
 *   J   (9) inertia tensor [kg m^2], symmetric, positive definite; for a ball of rubber that rolls
 *       without spinning J + m r^2, and its centre moves by r (R f) x e3 in the step, R from
 *       before it
 *   h   [s] not 0; negative: backwards
 *   R   (9) the rotation, in place: R exp(S(f))
 *   y   (3) [kg m^2/s] reduced momentum, perpendicular to gamma, in place; at the start the part
 *       of J Omega that is perpendicular to gamma
 *   f   (3) <- the turn in the body frame [rad], perpendicular to gamma
 * Symmetric, of order 2. No allocation; thread-safe. PH_E_RANGE, PH_E_NOT_FINITE, PH_E_NO_SOLUTION (the step
 * is too long), PH_E_NO_CONVERGENCE; nothing is changed then. */
PH_API ph_status ph_bundle_sphere_step(const double *J, double h, double *R, double *y, double *f,
                                       ph_error *err);

PH_END_DECLS
#endif
