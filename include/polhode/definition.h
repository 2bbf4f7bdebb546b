/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system is created from (ph_system_create, polhode/system.h): its space, its Lagrangian in one of
 * the three strengths, forces, symmetries, as data and as callbacks. */
#ifndef POLHODE_DEFINITION_H
#define POLHODE_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/domain/parts.h>
#include <polhode/domain/spins.h>
#include <polhode/space.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/* Callbacks return PH_OK or any other status, which the caller then gets back.
 *   z, zdot (nz)  configuration and velocity, ambient coordinates */

/** x (3 x n_points) <- places of points in space, of the configuration z at t [s]. */
typedef ph_status (*ph_points_fn)(void *user, double t, const double *z, double *x);
/** *U <- potential energy [J]. */
typedef ph_status (*ph_potential_fn)(void *user, const double *z, double *U);
/** dU (nz) <- gradient of U in ambient coordinates [J]; on the manifold only its tangent part matters.
 * (Methods that evaluate it off the manifold, variational at the `midpoint`, need the whole of it, of the
 * same smooth U; a system that has no such gradient says so by gradient_on_manifold.) (On SO(3) the 3x3
 * matrix dU/dR, row-major; the moment on the body is -vee(R^T dU/dR - dU/dR^T R).) */
typedef ph_status (*ph_gradient_fn)(void *user, const double *z, double *dU);
/** f (nz) += generalized force: virtual work sum f_i . delta z_i. On entry f holds zeros, or the forces that
 * other callbacks have added. ph_add_torque3 adds a torque on a unit vector, ph_add_moment3 a moment on a
 * body. */
typedef ph_status (*ph_force_fn)(void *user, double t, const double *z, const double *zdot, double *f);
/** dfdv (nz x nz, row-major) += df/dzdot; on entry likewise. */
typedef ph_status (*ph_force_dv_fn)(void *user, double t, const double *z, const double *zdot, double *dfdv);
/** *U <- potential energy U(t, z) [J], in addition to that of ph_potential_fn; t [s]. */
typedef ph_status (*ph_potential_in_time_fn)(void *user, double t, const double *z, double *U);
/** dU (nz) += gradient of U(t, z) by z in ambient coordinates [J]; on entry dU holds zeros, or what other
 * callbacks have added. On the manifold only its tangent part matters. */
typedef ph_status (*ph_gradient_in_time_fn)(void *user, double t, const double *z, double *dU);
/** *rate <- dU/dt at fixed z [W]. */
typedef ph_status (*ph_potential_rate_fn)(void *user, double t, const double *z, double *rate);
/** M <- inertia at z: (n x n), n = factors, or (nz x nz); symmetric, positive definite on tangent vectors. z
 * may be slightly off the manifold: some methods evaluate at midpoints in the ambient space. */
typedef ph_status (*ph_inertia_fn)(void *user, const double *z, double *M);
/** dM <- its derivative: entry (i, j) along z_k at dM[(i m + j) nz + k], m = n or nz. */
typedef ph_status (*ph_inertia_dz_fn)(void *user, const double *z, double *dM);

/** *L <- the Lagrangian [J] at t [s], which matters where it depends on time (lagrangian_rate). Methods may
 * evaluate it slightly off the manifold, and at velocities that are not quite tangent: the formula that is
 * right on the manifold, continued smoothly. */
typedef ph_status (*ph_lagrangian_fn)(void *user, double t, const double *z, const double *zdot, double *L);
/** Lz, Lv (nz each) <- dL/dz and dL/dzdot in ambient coordinates. */
typedef ph_status (*ph_lagrangian_gradient_fn)(void *user, double t, const double *z, const double *zdot,
                                               double *Lz, double *Lv);
/** *Lt, Lvt (nz) <- the derivatives by time of L and of dL/dzdot at fixed z, zdot. */
typedef ph_status (*ph_lagrangian_rate_fn)(void *user, double t, const double *z, const double *zdot,
                                           double *Lt, double *Lvt);
/** Lzz, Lvz, Lvv (nz x nz each, row-major) <- second derivatives; Lvz[i nz + j] = d2L / dzdot_i dz_j. */
typedef ph_status (*ph_lagrangian_hessian_fn)(void *user, double t, const double *z, const double *zdot,
                                              double *Lzz, double *Lvz, double *Lvv);
/** L (2) <- the Lagrangian continued to complex arguments: z, zdot (2 nz each) and L are re, im pairs, as an
 * array of `double complex` (or std::complex<double>) is laid in memory. It must be analytic: no absolute
 * values, no comparisons but of real parts. */
typedef ph_status (*ph_lagrangian_complex_fn)(void *user, double t, const double *z, const double *zdot,
                                              double *L);

/** xi (np) <- infinitesimal generator of a symmetry at z, in the form that pairs with the momenta p: on R^d
 * the velocity, on S^1 and S^2 the angular velocity, on SO(3) the angular velocity in the body frame. The
 * momentum map is J = p . xi. */
typedef ph_status (*ph_generator_fn)(void *user, const double *z, double *xi);

/** A (m x nz, row-major), b (m) <- velocity constraints A zdot = b at t [s] and z; on entry both hold zeros,
 * so that a linear constraint leaves b alone. Only what A does to tangent vectors matters. On SO(3), where
 * the velocity is R S(Omega), a row that is to act on Omega as k . Omega is (1/2) R S(k), row-major; one
 * that acts on the angular velocity in space is (1/2) S(k) R. z may be slightly off the manifold, as for
 * ph_inertia_fn. */
typedef ph_status (*ph_velocity_constraint_fn)(void *user, double t, const double *z, double *A, double *b);
/** rate (m) <- the derivative of A(t, z) zdot - b(t, z) at fixed zdot as t advances by dt and z by dz (nz,
 * tangent); on entry zeros. */
typedef ph_status (*ph_velocity_constraint_along_fn)(void *user, double t, const double *z,
                                                     const double *zdot, double dt, const double *dz,
                                                     double *rate);

/** out (n_columns) <- the columns of a definition's own at t [s], z and zdot. */
typedef ph_status (*ph_own_columns_fn)(void *user, double t, const double *z, const double *zdot,
                                       double *out);

/** A column of a definition's own. */
typedef struct ph_own_column {
    const char *name; /**< one word, "height"; no other column should have it */
    const char *unit; /**< nullable */
    bool unlisted;    /**< for events alone: it is not among the columns of rows, and its name is any text */
} ph_own_column;

/** A callback of a definition that may be evaluated at eight points at once (ph_lanes_fn). */
typedef enum ph_lanes_part {
    PH_LANES_GRADIENT,           /**< gradient */
    PH_LANES_GRADIENT_IN_TIME,   /**< gradient_in_time */
    PH_LANES_FORCE,              /**< force */
    PH_LANES_FORCE_DV,           /**< force_dv */
    PH_LANES_LAGRANGIAN_GRADIENT /**< lagrangian_gradient: out has Lz, then Lv */
} ph_lanes_part;
/** A callback at `count` points at once, of eight systems or of one, as it would write, or add, at each, with
 * the same bits: number i of point l is [8 i + l] in z, zdot (NULL where nothing depends on it) and out.
 *   users  (8) of the points, whose definitions have this same function; of one system the same
 *   count  1 to 8: the first ones; of the others z has finite numbers, and out may get any
 *   t      (8) [s], of each point its own; 0 for gradient
 *   out    NULL: nothing is evaluated, and t, z, zdot are NULL
 * Can it be evaluated so? Asked first, with out NULL; where not, it is not called otherwise. Where it says
 * false later, as where one point has no value, the callback itself is called at each, and its status counts.
 */
typedef bool (*ph_lanes_fn)(void *const *users, ph_lanes_part part, size_t count, const double *t,
                            const double *z, const double *zdot, double *out);

/** What people call a factor of the space, and the units of its columns where they are not those of m. */
typedef struct ph_factor_label {
    const char *name;          /**< "theta", "c[2]" */
    const char *unit;          /**< nullable: of its coordinates, R^d */
    const char *rate_unit;     /**< with it: of their rates */
    const char *momentum_unit; /**< with it: of their momenta */
} ph_factor_label;

/** A one-parameter group that leaves the Lagrangian invariant. */
typedef struct ph_symmetry {
    const char *name; /**< one word, a column name: "Jg" */
    const char *text; /**< what is conserved, for people */
    const char *unit; /**< of the momentum map: "kg m^2/s" */
    /** Where generator is NULL: rotation of the whole about this axis (through the origin): every S^2, R^3
     * and SO(3) (from the left); S^1 and R^2, which are in the plane of the first two axes, by its third
     * component; manifolds embedded in R^3 or R^2 like these (they must be invariant); other R^d stay. */
    double axis[3];
    ph_generator_fn generator; /**< nullable */
} ph_symmetry;

/** No index. */
#define PH_NO_INDEX ((size_t)-1)

/** A rigid body that carries links, x the place of its centre of mass and R its attitude (from its frame to
 * space). */
typedef struct ph_linkage_body {
    /** J about the centre of mass in the body frame [kg m^2], row-major: of no thin rod, and the largest
     * principal moment at most the sum of the others. */
    double inertia[9];
    double hitch[3]; /**< from the centre of mass to where the links hang, in the body frame [m] */
} ph_linkage_body;

/** Links that hang on one another, massless but for a point mass at the end of each: a chain or a tree,
 *     x_i = x_parent(i) + length_i q_i,   T = (1/2) sum_i mass_i |xdot_i|^2,
 * in a uniform field of gravity. The links are the factors, all of them S^2 or all S^1; the first factor may
 * be an R^d instead, a cart at x_0 that moves along the first d axes, whose length is not looked at. The
 * inverse inertia is sparse then, and what is done with it costs O(n) (tensions.h): where several links hang
 * on one mass, the square of their number. */
typedef struct ph_linkage {
    /** (factors) On whose end factor i hangs, parent[i] < i; PH_NO_INDEX: on the fixed point. NULL: a chain,
     * parent[i] = i - 1. */
    const size_t *parent;
    const double *length; /**< (factors) [m], positive */
    const double *mass;   /**< (factors) at the end of link i [kg], positive */
    /** G, acceleration [m/s^2]: U = - sum_i mass_i G . x_i, in addition to potential; its first two
     * components in a plane. */
    double gravity[3];
    /** Nullable: a body that the links hang on. The first factors are then x, an R^3, and R, an SO(3), before
     * links in space. mass[0] is its mass; mass[1], length[0] and length[1] are not looked at; parent[i] = 1
     * is its hitch, x_i = x + R hitch + length_i q_i, and every link hangs on it, by others or not. */
    const ph_linkage_body *body;
} ph_linkage;

/** Rigid bodies joined by ball joints to a tree, on SO(3)^n: body i turns by R_i (from its frame to space),
 * and hangs by one joint on its parent, or on a fixed point. With x_i the place of its centre of mass,
 *     x_i = x_parent + R_parent anchor_i - R_i joint_i    (x_i = anchor_i - R_i joint_i from a fixed point)
 *     L = sum_i (1/2) m_i |xdot_i|^2 + (1/2) Omega_i . J_i Omega_i + m_i gravity . x_i,
 * which is (1/2) zdot . MM zdot - U with a constant MM: but nobody needs to write that matrix down, and what
 * is evaluated from this description takes time and memory in proportion to n. */
typedef struct ph_articulation {
    const double *mass; /**< (n) [kg], positive */
    /** (n x 9) Tensors about the centre of mass in the body frame [kg m^2], row-major, as a body has them:
     * the largest principal moment at most the sum of the others. */
    const double *inertia;
    /** (n) Of each body, less than its own index; PH_NO_INDEX: hangs on a fixed point. NULL: a chain, body 0
     * on a fixed point and i on i - 1. */
    const size_t *parent;
    const double *joint; /**< (n x 3) from the body's centre of mass to its joint, in its own frame [m] */
    /** (n x 3) From the parent's centre of mass to that joint, in the parent's frame [m]; from the origin to
     * the fixed point, in space. */
    const double *anchor;
    double gravity[3]; /**< acceleration [m/s^2]; zeros: none, U = 0 */
} ph_articulation;

/** A sparse symmetric matrix: the entries of its lower triangle, diagonal included, in any order, each place
 * at most once; what is not given is 0. */
typedef struct ph_sparse {
    size_t n;             /**< rows and columns */
    size_t entries;       /**< how many are given */
    const size_t *row;    /**< (entries) counted from 0 */
    const size_t *column; /**< (entries) column[e] <= row[e] */
    const double *value;  /**< (entries) */
} ph_sparse;

/** How simply functions of a system are made: what their numbers at some places say of all others. */
typedef enum ph_plain {
    PH_PLAIN_UNKNOWN,  /**< nothing is promised */
    PH_PLAIN_RATIONAL, /**< rational functions of coordinates and velocities, without t, of coordinates of
                        * factors R^d to the first degree at most; no square roots, corners, cases */
    PH_PLAIN_ROOT      /**< and of one square root of a polynomial */
} ph_plain;

/** What ph_system_create builds a system from. Zero-initialise, then fill in. */
typedef struct ph_system_definition {
    const ph_space *space; /**< copied; with spins it may be NULL */
    /** (n x n) M, n = factors, all of the same nz (no SO(3)); symmetric (to 1e-12; the mean is taken),
     * positive definite; or NULL with ambient_inertia or another of those below. */
    const double *inertia;
    /** (nz x nz) MM, symmetric likewise, positive definite on tangent vectors (tried at some configurations,
     * if the space has a retraction); or NULL. */
    const double *ambient_inertia;
    /** Copied: links that hang on one another, in place of these two; or NULL. The potential is added to
     * that of its gravity. */
    const ph_linkage *linkage;
    /** Copied: rigid bodies joined to a tree, in place of these, and of potential and gradient; or NULL. */
    const ph_articulation *articulation;
    /** (n x n) Copied: M^{-1} in place of these, where it is sparse: closed loops, nets. All factors S^1, S^2
     * or R^d of the same nz. Positive definite, and not by less than a rounding (n eps of each pivot); the
     * whole of the diagonal is given. */
    const ph_sparse *inverse_inertia;
    /** Copied: spheres as phase space, in place of a Lagrangian (spins.h); or NULL. potential,
     * gradient, potential_in_time and gradient_in_time are then parts of the energy H in addition to those
     * that are declared. */
    const ph_spins *spins;
    /** For spins: the second derivative of what potential and potential_in_time add to H; NULL if it is not
     * known or they add nothing. */
    ph_spin_hessian_fn spin_hessian;
    /** (n_hessian) The places of its blocks: spins, from 0, column <= row, each place once, in any order;
     * what is not among them is 0. Copied. */
    const uint32_t *hessian_row;
    const uint32_t *hessian_column; /**< (n_hessian) likewise */
    size_t n_hessian;            /**< how many blocks; 0: H is linear in each spin and no pair is coupled */
    ph_potential_fn potential;   /**< nullable together with gradient: U = 0; NULL with a lagrangian */
    ph_gradient_fn gradient;     /**< nullable likewise */
    ph_force_fn force;           /**< nullable: conservative */
    ph_force_dv_fn force_dv;     /**< nullable: then by central differences, 2 nz calls of force */
    bool force_ignores_velocity; /**< set when f depends on t and q only: steps get cheaper */

    /** Nullable together with gradient_in_time: a further potential U(t, z), in addition to the one above, or
     * to a general Lagrangian. Every method evaluates its gradient at the times of its nodes, stages and
     * substeps, as a force -dU/dz that does not depend on the velocity; in a variational step it is the term
     * -(h/2) (U(t_k, z_k) + U(t_k+1, z_k+1)) of the discrete Lagrangian, or its quadrature at the nodes, so
     * that the step stays symplectic. The energy is not conserved: it changes at the rate dU/dt. */
    ph_potential_in_time_fn potential_in_time;
    ph_gradient_in_time_fn gradient_in_time; /**< nullable likewise */
    ph_potential_rate_fn potential_rate;     /**< nullable: then ph_system_power is not known */

    const ph_symmetry *symmetries; /**< (n_symmetries), copied with their strings */
    size_t n_symmetries;           /**< how many */
    void *user;                    /**< handed to the callbacks */
    void (*user_free)(void *user); /**< nullable; called once by ph_system_free, also if create fails */

    /** Set when the gradient is that of the potential on the manifold only, and there along tangent vectors:
     * rules that evaluate it elsewhere refuse. */
    bool gradient_on_manifold;

    /** Nullable: x (3 x n_points) <- the places [m] of masses and bodies in space, for results and pictures.
     * Those of a linkage or an articulation are known without it; with it, they are these (ph_system_points),
     * and links have no tensions (ph_system_has_tensions). */
    ph_points_fn points;
    size_t n_points; /**< how many; not 0 with points */

    /* The Lagrangian in its other strengths, in place of inertia and ambient_inertia. */
    ph_inertia_fn inertia_at;         /**< (n x n) m(z), where M depends on the configuration; or NULL */
    ph_inertia_fn ambient_inertia_at; /**< (nz x nz) MM(z) likewise; or NULL */
    ph_inertia_dz_fn inertia_dz;      /**< derivative of whichever of the two is given */
    /** Any L(z, zdot), or L(t, z, zdot), instead of inertia and potential; NULL where one of the above is
     * given, or only lagrangian_complex. */
    ph_lagrangian_fn lagrangian;
    /** L continued to complex arguments: derivatives by complex step, as good as exact. */
    ph_lagrangian_complex_fn lagrangian_complex;
    /** Nullable: by complex step, or else by differences of order 8 of L, whose width is 1/128 of a unit of z
     * and of the largest velocity: good to about 1e-13 of L where L varies over about a unit, and worthless
     * where on much less, which ph_system_check_derivatives finds. With ambient_inertia_at this and
     * lagrangian_hessian may be given, both or none, of L = T - U: cheaper than products with inertia_dz. */
    ph_lagrangian_gradient_fn lagrangian_gradient;
    ph_lagrangian_hessian_fn lagrangian_hessian; /**< nullable: by differences of order 8 of the gradient */
    /** Given where L depends on time, L(t, z, zdot), NULL where it does not. L is then evaluated at the
     * times of nodes and stages, and the energy E = dL/dzdot . zdot - L changes at the rate -dL/dt. What of
     * time is in the potential alone is better given as potential_in_time. */
    ph_lagrangian_rate_fn lagrangian_rate;

    /** Nullable: velocity constraints (polhode/constraints.h). */
    ph_velocity_constraint_fn constraint;
    /** Nullable: then by differences of order 8, whose width is 1/128 of a unit of z and 1/128 s. */
    ph_velocity_constraint_along_fn constraint_along;
    size_t n_constraints; /**< rows, m, fewer than the space has dimensions; not 0 with constraint */
    /** A promise: b is 0, and A consists of polynomials of coordinates of factors other than R^d, without t.
     * Then a train on wheels is looked for (polhode/kit/train.h), whose steps do not call the constraint. */
    bool constraint_is_steady;
    /** A promise on L, A and b: then a body that rolls on a plane is looked for (polhode/kit/rolling.h),
     * whose steps call neither. */
    ph_plain is_plain;

    /** Set by ph_routh_create (routh.h) alone: the system that this one is seen from a turning frame,
     * which must outlive it; else NULL. */
    const struct ph_system *whole;
    size_t whole_symmetry; /**< the number of the symmetry that the frame turns along */

    /** (n_parts) What is drawn of the system, copied with the names; NULL: what follows from the rest
     * (scene.h). Points that parts name are those above, of a linkage, or of an articulation;
     * where there are none, the factors R^d, d <= 3, in their order. PH_E_INVALID, PH_E_NOT_FINITE and
     * PH_E_RANGE name the part. */
    const ph_scene_part *parts;
    size_t n_parts; /**< how many */

    /** Nullable: columns of its own (columns.h), in addition to those that all systems have; output, events
     * and figures may name them. */
    ph_own_columns_fn columns;
    const ph_own_column *own_columns; /**< (n_columns), copied with their strings; those unlisted come last */
    size_t n_columns;                 /**< how many; not 0 with columns */

    /** Nullable: callbacks at eight points at once, for ensembles (ensemble.h) and for stages of `gauss`;
     * without it they are called one after the other. */
    ph_lanes_fn lanes;

    const ph_factor_label *labels; /**< (factors) names and units, copied with their strings; nullable */

    double up[3]; /**< for figures: direction against gravity, of any length; zeros: as known, or e3 */
} ph_system_definition;

/** A mechanical system (polhode/system.h); const once created. */
typedef struct ph_system ph_system;

PH_END_DECLS
#endif
