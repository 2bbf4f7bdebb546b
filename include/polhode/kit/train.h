/* SPDX-License-Identifier: BSD-3-Clause */
/* A train on wheels in the plane, on R^2 x (S^1)^N: bodies with directions q_1 ... q_N, joined in a tree
 * that the point x carries, and wheels that do not slip sideways: a car with trailers. Points of it are
 * nodes, node 0 is x, each other one hangs on a node before it by a link; with u_j = J q_j, q_j turned by
 * a right angle, and its rate of turn w_j, qdot_j = w_j u_j:
 *     X_i = X_parent + length q_link,     J q_wheel . Xdot_i = 0       (of nodes with a wheel)
 *     T = (1/2) mass |xdot|^2
 *         + sum_j { moment_j Xdot_base . qdot_j + (1/2) inertia_j |qdot_j|^2 }
 * There is a wheel at x, and each other wheel decides how fast the link to its node turns: a recursion over
 * the nodes in their order finds all velocities that the wheels allow from a few free ones, that of x along
 * its wheel and the turns of links that no wheel decides. Equations of motion are those of the free ones;
 * nothing is a matrix of the size of the train.
 *
 * Vectors have np = N + 2 numbers: two of x, then one for each q_j. Nothing here allocates; thread-safe on
 * disjoint data. */
#ifndef POLHODE_TRAIN_H
#define POLHODE_TRAIN_H

#include <stdbool.h>

#include <polhode/kit/memory.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** At most so many free velocities. */
#define PH_TRAIN_FREE 4

/** A point of the train. */
typedef struct ph_train_node {
    int parent;    /**< the node that it hangs on; -1: it is x */
    int link;      /**< the factor q of the link between them, at least 1 */
    int wheel;     /**< the factor along which its wheel rolls; 0: it has none */
    int row;       /**< of the velocity constraint that is this wheel */
    double length; /**< of the link, of either sign [m] */
    double scale;  /**< that row is scale times the condition above */
} ph_train_node;

/** What turns with a factor q. */
typedef struct ph_train_body {
    int base;       /**< the node that it is joined to the rest at */
    double moment;  /**< mass times distance from there, and of all that hangs on it [kg m] */
    double inertia; /**< [kg m^2] likewise */
} ph_train_body;

/** The train. */
typedef struct ph_train {
    size_t factors;            /**< x and N directions */
    size_t nodes;              /**< how many; parents, and wheels that a node needs, are before it */
    size_t free;               /**< free velocities; the first is that of x along its wheel */
    int turns[PH_TRAIN_FREE];  /**< the links that are the others */
    double mass;               /**< of all [kg] */
    const ph_train_node *node; /**< (nodes) */
    const ph_train_body *body; /**< (factors) the first is unused */
} ph_train;

/** The train, where constraints and inertia of the system are those of one at configurations in general
 * position when it is created; of a forced system that of its base. NULL for any other. */
PH_API const ph_train *ph_system_train(const ph_system *system);

/** The velocities that wheels allow at a configuration, by columns of so many as are free. */
typedef struct ph_train_frame {
    double *W; /**< (np x free) */
    double *X; /**< (nodes x free x 2) the same of the nodes */
    double *K; /**< (free^2) Cholesky factor of their inertia */
    double *A; /**< (nodes x 2) scratch */
} ph_train_frame;

/** a . b */
static inline double ph_dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/** J a . b */
static inline double ph_cross2(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

/** out += share J q */
static inline void ph_add_turned2(double out[2], double share, const double q[2])
{
    out[0] -= share * q[1];
    out[1] += share * q[0];
}

/** Lay a frame out behind what is laid out already. */
PH_API void ph_train_lay(const ph_train *train, ph_lay *l, ph_train_frame *frame);
/** Doubles that this takes. */
PH_API size_t ph_train_work(const ph_train *train);

/** *frame <- at z. false where a wheel is nearly across its link, so that it does not decide how that turns,
 * or what is not finite. */
PH_API bool ph_train_find_frame(const ph_train *train, const double *z, ph_train_frame *frame);

/** V (nodes x 2) <- x (np) of the nodes: V_i = V_parent + length (x_link u_link + s_link q_link).
 *   s (factors) nullable: 0 */
PH_API void ph_train_spread(const ph_train *train, const double *z, const double *x, const double *s,
                            double *V);

/** x (np) <- of all with J q_wheel . V_i = sideways_i at the wheels, V those of ph_train_spread, the one for
 * which F less the covector of inertia of (x, s) vanishes on all velocities that the wheels allow.
 *   F (np), s, sideways (nodes)  nullable: 0 */
PH_API void ph_train_solve(const ph_train *train, const ph_train_frame *frame, const double *z,
                           const double *F, const double *s, const double *sideways, double *x);

/** p (np) <- the momentum of the velocity x (np). V (nodes x 2): scratch */
PH_API void ph_train_momentum(const ph_train *train, const double *z, const double *x, double *p, double *V);

/** p (np) <- the sum of impulses of the wheels that is r (np) on x across its wheel and on the links that
 * wheels decide; impulse (rows) <- those. V (nodes x 2): scratch */
PH_API void ph_train_impulses(const ph_train *train, const double *z, const double *r, double *impulse,
                              double *p, double *V);

PH_END_DECLS
#endif
