/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanical systems: a configuration space, a Lagrangian, generalized forces f(t, z, zdot) in the sense of
 * the Lagrange-d'Alembert principle, and generators of symmetries. The Lagrangian comes in three strengths:
 *
 *     L(z, zdot) = (1/2) zdot . MM zdot - U(z)        constant inertia, what most methods are fastest on
 *     L(z, zdot) = (1/2) zdot . MM(z) zdot - U(z)     inertia that depends on the configuration
 *     L(z, zdot)                                      anything regular, by callbacks
 *
 * on any product of R^d, S^1, S^2, SO(3) and embedded manifolds. Where all factors are vectors of one length,
 * as on (S^2)^n, MM may be given by a number for each pair,
 *
 *     L(q, qdot) = (1/2) sum_ij m_ij(q) qdot_i . qdot_j - U(q)
 *
 * (Lee, Leok, McClamroch, two-spheres, eq. (12)). On SO(3) the kinetic energy of a body with inertia tensor J
 * is (1/2) tr(Rdot J_d Rdot^T), J_d = (tr J / 2) I - J: MM has the block diag(J_d, J_d, J_d) for the three
 * rows of R. Only what MM does to tangent vectors matters: J_d may be indefinite.
 *
 * A system is const once created: it may be shared between threads if its callbacks may be called
 * from several threads. It copies everything but what `user` points to. */
#ifndef POLHODE_SYSTEM_H
#define POLHODE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/space.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/* Callbacks return PH_OK or any other status, which the caller then gets back.
 *   z, zdot (nz)  configuration and velocity, ambient coordinates */

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
/** M <- inertia at z: (n x n), n = factors, or (nz x nz); symmetric, positive definite on tangent vectors. z
 * may be slightly off the manifold: some methods evaluate at midpoints in the ambient space. */
typedef ph_status (*ph_inertia_fn)(void *user, const double *z, double *M);
/** dM <- its derivative: entry (i, j) along z_k at dM[(i m + j) nz + k], m = n or nz. */
typedef ph_status (*ph_inertia_dz_fn)(void *user, const double *z, double *dM);

/** *L <- the Lagrangian [J]. Methods may evaluate it slightly off the manifold, and at velocities that are
 * not quite tangent: the formula that is right on the manifold, continued smoothly. */
typedef ph_status (*ph_lagrangian_fn)(void *user, const double *z, const double *zdot, double *L);
/** Lz, Lv (nz each) <- dL/dz and dL/dzdot in ambient coordinates. */
typedef ph_status (*ph_lagrangian_gradient_fn)(void *user, const double *z, const double *zdot, double *Lz,
                                               double *Lv);
/** Lzz, Lvz, Lvv (nz x nz each, row-major) <- second derivatives; Lvz[i nz + j] = d2L / dzdot_i dz_j. */
typedef ph_status (*ph_lagrangian_hessian_fn)(void *user, const double *z, const double *zdot, double *Lzz,
                                              double *Lvz, double *Lvv);
/** L (2) <- the Lagrangian continued to complex arguments: z, zdot (2 nz each) and L are re, im pairs, as an
 * array of `double complex` (or std::complex<double>) is laid in memory. It must be analytic: no absolute
 * values, no comparisons but of real parts. */
typedef ph_status (*ph_lagrangian_complex_fn)(void *user, const double *z, const double *zdot, double *L);

/** xi (np) <- infinitesimal generator of a symmetry at z, in the form that pairs with the momenta p: on R^d
 * the velocity, on S^1 and S^2 the angular velocity, on SO(3) the angular velocity in the body frame. The
 * momentum map is J = p . xi. */
typedef ph_status (*ph_generator_fn)(void *user, const double *z, double *xi);

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

/** What ph_system_create builds a system from. Zero-initialise, then fill in. */
typedef struct ph_system_definition {
    const ph_space *space; /**< copied */
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
    ph_potential_fn potential;     /**< nullable together with gradient: U = 0; NULL with a lagrangian */
    ph_gradient_fn gradient;       /**< nullable likewise */
    ph_force_fn force;             /**< nullable: conservative */
    ph_force_dv_fn force_dv;       /**< nullable: then by central differences, 2 nz calls of force */
    bool force_ignores_velocity;   /**< set when f depends on t and q only: steps get cheaper */
    const ph_symmetry *symmetries; /**< (n_symmetries), copied with their strings */
    size_t n_symmetries;           /**< how many */
    void *user;                    /**< handed to the callbacks */
    void (*user_free)(void *user); /**< nullable; called once by ph_system_free, also if create fails */

    /** Set when the gradient is that of the potential on the manifold only, and there along tangent vectors:
     * rules that evaluate it elsewhere refuse. */
    bool gradient_on_manifold;

    /* The Lagrangian in its other strengths, in place of inertia and ambient_inertia. */
    ph_inertia_fn inertia_at;         /**< (n x n) m(z), where M depends on the configuration; or NULL */
    ph_inertia_fn ambient_inertia_at; /**< (nz x nz) MM(z) likewise; or NULL */
    ph_inertia_dz_fn inertia_dz;      /**< derivative of whichever of the two is given */
    /** Any L(z, zdot), instead of inertia and potential; NULL where one of the above is given, or only
     * lagrangian_complex. */
    ph_lagrangian_fn lagrangian;
    /** L continued to complex arguments: derivatives by complex step, as good as exact. */
    ph_lagrangian_complex_fn lagrangian_complex;
    /** Nullable: by complex step, or else by differences of order 8 of L, whose width is 1/128 of a unit of z
     * and of the largest velocity: good to about 1e-13 of L where L varies over about a unit, and worthless
     * where on much less, which ph_system_check_derivatives finds. */
    ph_lagrangian_gradient_fn lagrangian_gradient;
    ph_lagrangian_hessian_fn lagrangian_hessian; /**< nullable: by differences of order 8 of the gradient */
} ph_system_definition;

enum {
    /** Factors of a linkage or a sparse inverse inertia up to which M is kept in full, too. */
    PH_DENSE_PAIRS = 512,
    PH_DENSE_AMBIENT = 600, /**< numbers in z up to which MM is */
    PH_DENSE_BODIES = 200   /**< bodies of an articulation up to which its MM is */
};

/** A mechanical system; const once created. */
typedef struct ph_system ph_system;

/** Create a system; free it with ph_system_free after everything that uses it. The Lagrangian is given by one
 * of: inertia, ambient_inertia, linkage, inverse_inertia, inertia_at, ambient_inertia_at (each with a
 * potential or without), articulation, lagrangian or lagrangian_complex.
 * PH_E_INVALID (missing callback, unsymmetric inertia, ...), PH_E_NOT_FINITE, PH_E_SINGULAR
 * (inertia not positive definite), PH_E_RANGE (the factors of inverse_inertia would have more than 2^32
 * entries), a failing callback's status, PH_E_NO_MEMORY. */
PH_API ph_status ph_system_create(const ph_system_definition *definition, ph_system **system, ph_error *err);
PH_API void ph_system_free(ph_system *system); /**< Free; NULL is allowed. */

/** The strengths of a Lagrangian. */
typedef enum ph_lagrangian_kind {
    PH_INERTIA_CONSTANT,  /**< (1/2) zdot . MM zdot - U(z) */
    PH_INERTIA_VARYING,   /**< (1/2) zdot . MM(z) zdot - U(z) */
    PH_LAGRANGIAN_GENERAL /**< L(z, zdot) */
} ph_lagrangian_kind;

/** Create a system like `base` (which must outlive it) with a further force, any function of t, z and zdot: a
 * model with a control law, a gust, a muscle. Fill in force, force_dv, force_ignores_velocity, user,
 * user_free and, if the force leaves any, symmetries; the rest must be NULL. base's symmetries are not taken
 * over, as the force may break them. A torque tau on link i of a chain is the force  -q_i x tau
 * (ph_add_torque3); a force d on the last mass is l_i d on every link i. Errors as ph_system_create, and
 * PH_E_INVALID without a force. */
PH_API ph_status ph_system_create_forced(const ph_system *base, const ph_system_definition *added,
                                         ph_system **system, ph_error *err);

/* ---- Structure ---------------------------------------------------------------------------------- */
PH_API const ph_space *ph_system_space(const ph_system *system);   /**< owned by the system */
PH_API ph_lagrangian_kind ph_system_kind(const ph_system *system); /**< which strength L has */
/** Is the inertia, constant or not, a number for each pair of factors? */
PH_API bool ph_system_has_pair_inertia(const ph_system *system);
/** (n x n) M, or NULL where the inertia was given in full or is not constant; of a linkage without a cart,
 * and of a sparse inverse inertia, up to n = PH_DENSE_PAIRS. */
PH_API const double *ph_system_inertia(const ph_system *system);
/** (nz x nz) MM, or NULL where it was given by M or is not constant; of a linkage with a cart up to
 * nz = PH_DENSE_AMBIENT, of an articulation up to PH_DENSE_BODIES. */
PH_API const double *ph_system_ambient_inertia(const ph_system *system);
/** The linkage that the system was (or its base was) created from, owned by it and with all its arrays;
 * NULL for any other. */
PH_API const ph_linkage *ph_system_linkage(const ph_system *system);
/** The articulation likewise. */
PH_API const ph_articulation *ph_system_articulation(const ph_system *system);
/** The inverse inertia that the system was (or its base was) created from, owned by it; NULL
 * for any other. */
PH_API const ph_sparse *ph_system_inverse_inertia(const ph_system *system);
/** Can matrices of the system's inertia be had, ph_system_tangent_inertia and its like? A linkage, a
 * sparse inverse inertia or an articulation has none beyond the sizes above: what works with dense
 * matrices refuses it. */
PH_API bool ph_system_is_dense(const ph_system *system);
/** The inertia of one rigid body. */
typedef struct ph_body {
    double J[9];       /**< inertia tensor in the body frame [kg m^2], row-major, J = tr(J_d) I - J_d */
    double inverse[9]; /**< its inverse */
} ph_body;
/** (factors) the bodies of a system on SO(3)^n whose kinetic energy is the sum of theirs, (1/2) sum Omega_i .
 * J_i Omega_i; NULL for any other. */
PH_API const ph_body *ph_system_bodies(const ph_system *system);
PH_API bool ph_system_has_potential(const ph_system *system); /**< or has its base one? */
/** Is there a potential in addition to that of a linkage's gravity? */
PH_API bool ph_system_has_potential_beside(const ph_system *system);
PH_API bool ph_system_has_force(const ph_system *system);              /**< or has its base one? */
PH_API bool ph_system_force_ignores_velocity(const ph_system *system); /**< true without one */
PH_API size_t ph_system_symmetries(const ph_system *system);           /**< how many */
/** The i-th symmetry, owned by the system; NULL beyond the last. */
PH_API const ph_symmetry *ph_system_symmetry(const ph_system *system, size_t i);

/* ---- Evaluation; all without allocation --------------------------------------------------------- */
/** *U <- potential energy [J]. The callback's status. PH_E_UNSUPPORTED for a general Lagrangian, of which it
 * is no part: ph_system_energy. */
PH_API ph_status ph_system_potential(const ph_system *system, const double *z, double *U);
/** dU (nz) <- gradient of U in ambient coordinates [J]. The callback's status; PH_E_UNSUPPORTED likewise. */
PH_API ph_status ph_system_gradient(const ph_system *system, const double *z, double *dU);
/** f = 0 for a conservative system. */
PH_API ph_status ph_system_force(const ph_system *system, double t, const double *z, const double *zdot,
                                 double *f);
/** df/dzdot (nz x nz) by the callback, or else by central differences; work (3 nz). */
PH_API ph_status ph_system_force_dv(const ph_system *system, double t, const double *z, const double *zdot,
                                    double *dfdv, double *work);
/** Value of the i-th momentum map, J = p . xi(z); work (np). */
PH_API ph_status ph_system_momentum_map(const ph_system *system, size_t i, const double *z, const double *p,
                                        double *J, double *work);

/** Doubles of scratch that the functions below need at `work`. */
PH_API size_t ph_system_work(const ph_system *system);

/** m (n x n) and dm (n x n x nz, nullable) <- the inertia that is a number for each pair, and its derivative
 * (0 for a constant one): ph_system_has_pair_inertia. PH_E_UNSUPPORTED without, a callback's status. */
PH_API ph_status ph_system_pair_inertia(const ph_system *system, const double *z, double *m, double *dm);

/** Is the gradient of L known to rounding (given, or by complex step), and not by differences of L? */
PH_API bool ph_system_gradient_is_exact(const ph_system *system);

/** Is the gradient of the potential right on the manifold only (ph_system_definition)? */
PH_API bool ph_system_gradient_on_manifold(const ph_system *system);
/** Are L_vv and L_vz, with_zz also L_zz, known without differences? */
PH_API bool ph_system_hessian_is_exact(const ph_system *system, bool with_zz);

/** *L <- the Lagrangian [J], whatever its kind. Failures of callbacks are passed on, here and below. */
PH_API ph_status ph_system_lagrangian(const ph_system *system, const double *z, const double *zdot, double *L,
                                      double *work);
/** Lz (nullable), Lv (nz each) <- dL/dz and dL/dzdot in ambient coordinates. */
PH_API ph_status ph_system_lagrangian_gradient(const ph_system *system, const double *z, const double *zdot,
                                               double *Lz, double *Lv, double *work);
/** Lzz, Lvz (both nullable), Lvv (nz x nz each) <- second derivatives, Lvz[i nz + j] = d2L / dzdot_i dz_j;
 * exact where the callbacks are, else by differences of order 8 of the gradient (about 1e-12; where that is
 * by differences, too, 1e-10). */
PH_API ph_status ph_system_lagrangian_hessian(const ph_system *system, const double *z, const double *zdot,
                                              double *Lzz, double *Lvz, double *Lvv, double *work);
/** A (nz x nz) <- L_vv, b (nz) <- L_vz zdot - L_z: without constraints the Euler-Lagrange equations would be
 * A zddot + b = f. */
PH_API ph_status ph_system_euler_lagrange(const ph_system *system, const double *z, const double *zdot,
                                          double *A, double *b, double *work);

/** mu (nz) <- MM v, for a constant inertia only. No overlap. */
PH_API void ph_system_apply_inertia(const ph_system *system, const double *v, double *mu);

/** A <- E^T L_vv E, lower triangle, row-major (nx x nx): the inertia in the tangent coordinates of the basis
 * E (ph_space_basis) at z; zdot matters for a general Lagrangian only. */
PH_API ph_status ph_system_tangent_inertia(const ph_system *system, const double *z, const double *zdot,
                                           const double *E, double *A, double *work);

/** p <- Legendre transform of zdot: the momenta of dL/dzdot (ph_space_momentum; embedded manifolds paper, eq.
 * (2.4)); on (S^2)^n with an inertia by pairs pi_i = q_i x sum_j m_ij qdot_j (two-spheres, eq. (33)). */
PH_API ph_status ph_system_momentum(const ph_system *system, const double *z, const double *zdot, double *p,
                                    double *work);

/** zdot <- the tangent velocity whose Legendre transform is p (inverse of the above; one Cholesky
 * factorisation of size nx, for an articulation elimination from the leaves in time proportional to n, for a
 * general Lagrangian Newton's iteration). PH_E_SINGULAR where E^T L_vv E is not positive definite (general:
 * is singular, L is not regular): with M never on the manifold. PH_E_NO_CONVERGENCE, PH_E_NOT_FINITE. */
PH_API ph_status ph_system_velocity(const ph_system *system, const double *z, const double *p, double *zdot,
                                    double *work);

/** mu (nz) <- P dL/dzdot, the Legendre transform of zdot as a covector in ambient coordinates that
 * has no normal part (embedded manifolds paper, eq. (2.4); two-spheres, eq. (20)):
 * ph_space_covector of the momenta. */
PH_API ph_status ph_system_covector(const ph_system *system, const double *z, const double *zdot, double *mu,
                                    double *work);

/** zdot <- the tangent velocity at which P dL/dzdot = P mu; of mu (nz) only the tangent part matters. Errors
 * as ph_system_velocity. */
PH_API ph_status ph_system_covector_velocity(const ph_system *system, const double *z, const double *mu,
                                             double *zdot, double *work);

/** *kinetic, *potential <- the parts of the energy E = dL/dzdot . zdot - L [J]; of a general Lagrangian the
 * potential is -L(z, 0) and the kinetic energy the rest. */
PH_API ph_status ph_system_energy(const ph_system *system, const double *z, const double *zdot,
                                  double *kinetic, double *potential, double *work);

/* ---- Checks for people who write a model; both allocate ------------------------------------------ */

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
    PH_DERIVATIVE_FORCE_DV,         /**< df/dzdot */
    /** Condition: E^T L_vv E is not singular, of an inertia positive definite. */
    PH_DERIVATIVE_REGULAR,
    /** Condition: the generators leave L as it is, and the forces do no work along them. */
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
 * is, its conditions are not. Of the gradient of U only the tangent part matters, and U is evaluated on the
 * manifold; other functions are evaluated near it. Where velocities are so small that L hardly depends on
 * them, little can be said about its derivatives by them: check at those that are to be expected. A failing
 * callback's status, PH_E_NOT_FINITE, PH_E_NO_MEMORY; large errors are no failure: they are in the report. */
PH_API ph_status ph_system_check_derivatives(const ph_system *system, double t, const double *z,
                                             const double *zdot, ph_derivative_report *report, ph_error *err);

/** The entry of the report about this; NULL where the system has none. */
PH_API const ph_derivative_entry *ph_derivative_report_entry(const ph_derivative_report *report,
                                                             ph_derivative what);

/** *rate <- sqrt of the largest |eigenvalue| of the second derivative of U (of a general Lagrangian: of
 * -L(z, 0)) along geodesics at z against the inertia (E^T L_vv(z, 0) E) [rad/s]: the fastest frequency of
 * small oscillations when z is a stable equilibrium, the fastest rate of growth or oscillation elsewhere.
 * Forces and terms of L that are linear in the velocity (a magnetic field) are left out. The second
 * derivative is by differences of the gradient; the rate is good to about 1e-8, or 1e-4 where others are
 * close to it. PH_E_SINGULAR where the inertia is not positive definite, a failing callback's status,
 * PH_E_NOT_FINITE, PH_E_NO_MEMORY. */
PH_API ph_status ph_system_fastest_rate(const ph_system *system, const double *z, double *rate,
                                        ph_error *err);

PH_END_DECLS
#endif
