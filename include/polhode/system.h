/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanical systems: a configuration space, a Lagrangian, a further potential U(t, z) that depends on time,
 * generalized forces f(t, z, zdot) in the sense of the Lagrange-d'Alembert principle, and generators of
 * symmetries. The Lagrangian comes in three strengths:
 *
 *     L(z, zdot) = (1/2) zdot . MM zdot - U(z)        constant inertia, what most methods are fastest on
 *     L(z, zdot) = (1/2) zdot . MM(z) zdot - U(z)     inertia that depends on the configuration
 *     L(z, zdot)                                      anything regular, by callbacks
 *
 * on any product of R^d, S^1, S^2, SO(3) and embedded manifolds. (Spheres as phase space have an energy in
 * place of it: spins.h. What is said of velocities, momenta and the Legendre transform is not for
 * these: PH_E_UNSUPPORTED.) Where all factors are vectors of one length,
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

#include <polhode/definition.h>
#include <polhode/derivatives.h>
#include <polhode/space.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

enum {
    /** Factors of a linkage or a sparse inverse inertia up to which M is kept in full, too. */
    PH_DENSE_PAIRS = 512,
    PH_DENSE_AMBIENT = 600, /**< numbers in z up to which MM is */
    PH_DENSE_BODIES = 200   /**< bodies of an articulation up to which its MM is */
};

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
    PH_INERTIA_CONSTANT,   /**< (1/2) zdot . MM zdot - U(z) */
    PH_INERTIA_VARYING,    /**< (1/2) zdot . MM(z) zdot - U(z) */
    PH_LAGRANGIAN_GENERAL, /**< L(z, zdot) */
    PH_PHASE_SPACE         /**< none: z is the whole state, of first order (spins.h) */
} ph_lagrangian_kind;

/** Create a system like `base` (which must outlive it) with a further force, any function of t, z and zdot: a
 * model with a control law, a gust, a muscle; or with a potential that depends on time. Fill in force,
 * force_dv, force_ignores_velocity or potential_in_time, gradient_in_time, potential_rate (or all of these),
 * user, user_free and, if they leave any, symmetries; the rest must be NULL. base's symmetries are not taken
 * over, as the force may break them. A torque tau on link i of a chain is the force  -q_i x tau
 * (ph_add_torque3); a force d on the last mass is l_i d on every link i. Errors as ph_system_create, and
 * PH_E_INVALID without a force and a potential. */
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
 * NULL for any other, and where a body carries it (ph_system_carrier). */
PH_API const ph_linkage *ph_system_linkage(const ph_system *system);
/** The body that carries the links of the system (or of its base), owned by it, and *links <- these, as a
 * linkage on an R^3 of the body's mass in its place; both NULL for any other system. */
PH_API const ph_linkage_body *ph_system_carrier(const ph_system *system, const ph_system **links);
/** The articulation likewise. */
PH_API const ph_articulation *ph_system_articulation(const ph_system *system);
/** Points of the system in space: of a linkage its masses (a cart is the first), of an articulation the
 * centres of mass of its bodies, of other systems those of the definition; 0 where there are none. */
PH_API size_t ph_system_points(const ph_system *system);
/** x (3 x ph_system_points) <- their places [m] at t [s] and the configuration z (nz); what a plane does
 * not have is 0. No allocation; thread-safe. A callback's status. */
PH_API ph_status ph_system_places(const ph_system *system, double t, const double *z, double *x);
/** (*n) The parts that its definition (or its base's) states, owned by the system; NULL and 0 without.
 * scene.h adds what follows from the rest. */
PH_API const ph_scene_part *ph_system_parts(const ph_system *system, size_t *n);
/** up (3) <- the definition's direction against gravity, for figures; zeros where it has none. */
PH_API void ph_system_up(const ph_system *system, double up[3]);
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
/** Is the inertia E^T MM E the same at every configuration, in the frames of the bodies (ph_space_basis):
 * constant, and that of each body, sphere and circle its own? */
PH_API bool ph_system_inertia_is_uniform(const ph_system *system);
PH_API bool ph_system_has_potential(const ph_system *system); /**< or has its base one? */
/** Is there a potential in addition to that of a linkage's gravity? */
PH_API bool ph_system_has_further_potential(const ph_system *system);
/** Is there a generalized force, a potential that depends on time, which acts like one, or a Lagrangian that
 * depends on time, whose energy changes likewise? Or in its base? */
PH_API bool ph_system_has_force(const ph_system *system);
/** Does its potential (potential_in_time) or its Lagrangian (lagrangian_rate) depend on time? Or in its
 * base? */
PH_API bool ph_system_depends_on_time(const ph_system *system);
/** Is the energy conserved: are there no forces, does nothing depend on time, and is b of its velocity
 * constraints (if any) 0? (That is tried at some configurations when a system is created.) */
PH_API bool ph_system_is_conservative(const ph_system *system);
PH_API bool ph_system_force_ignores_velocity(const ph_system *system); /**< true without one */
/** The system that this one is, seen from a frame that turns along its symmetry *symmetry (nullable): see
 * routh.h; NULL of any other. */
PH_API const ph_system *ph_system_whole(const ph_system *system, size_t *symmetry);
/** What factor i is called by the definition, owned by the system; NULL where it has no names. */
PH_API const ph_factor_label *ph_system_label(const ph_system *system, size_t i);
PH_API size_t ph_system_symmetries(const ph_system *system); /**< how many */
/** The i-th symmetry, owned by the system; NULL beyond the last. */
PH_API const ph_symmetry *ph_system_symmetry(const ph_system *system, size_t i);

/** How many columns of its own its definition has, unlisted ones included; of a forced system without any,
 * those of its base. */
PH_API size_t ph_system_columns(const ph_system *system);
/** Column i < ph_system_columns. */
PH_API const ph_own_column *ph_system_column(const ph_system *system, size_t i);
/** out (ph_system_columns) <- their numbers, by the callback, whose status is returned. */
PH_API ph_status ph_system_columns_at(const ph_system *system, double t, const double *z, const double *zdot,
                                      double *out);

/* ---- Evaluation; all without allocation --------------------------------------------------------- */
/** *U <- potential energy [J]. The callback's status. PH_E_UNSUPPORTED for a general Lagrangian, of which it
 * is no part: ph_system_energy. */
PH_API ph_status ph_system_potential(const ph_system *system, const double *z, double *U);
/** dU (nz) <- gradient of U in ambient coordinates [J]. The callback's status; PH_E_UNSUPPORTED likewise. */
PH_API ph_status ph_system_gradient(const ph_system *system, const double *z, double *dU);
/** *U <- the potential that depends on time, at t [s] and z, with that of the base [J]; 0 where there is
 * none. The callback's status. */
PH_API ph_status ph_system_potential_in_time(const ph_system *system, double t, const double *z, double *U);
/** dU (nz) <- its gradient by z in ambient coordinates [J]; zeros where there is none. */
PH_API ph_status ph_system_gradient_in_time(const ph_system *system, double t, const double *z, double *dU);
/** f (nz) <- generalized forces, and those of a potential that depends on time: f - dU(t, z)/dz; 0 for a
 * conservative system. */
PH_API ph_status ph_system_force(const ph_system *system, double t, const double *z, const double *zdot,
                                 double *f);
/** df/dzdot (nz x nz) by the callback, or else by central differences; work (3 nz). */
PH_API ph_status ph_system_force_dv(const ph_system *system, double t, const double *z, const double *zdot,
                                    double *dfdv, double *work);
/** *power <- the rate at which the energy (with U(t, z)) changes [W]: work of the generalized forces f .
 * zdot, dU/dt at fixed z, and -dL/dt of a Lagrangian that depends on time; work (nz). (Velocity constraints
 * whose b is not 0 do work in addition.) PH_E_UNSUPPORTED where a potential that depends on time has no
 * potential_rate; a callback's status. */
PH_API ph_status ph_system_power(const ph_system *system, double t, const double *z, const double *zdot,
                                 double *power, double *work);
/** Can ph_system_power be had? */
PH_API bool ph_system_has_power(const ph_system *system);
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

/** *L <- the Lagrangian [J], whatever its kind, at t [s], which matters to a Lagrangian that depends on
 * time alone, here and below. Failures of callbacks are passed on. */
PH_API ph_status ph_system_lagrangian(const ph_system *system, double t, const double *z, const double *zdot,
                                      double *L, double *work);
/** Lz (nullable), Lv (nz each) <- dL/dz and dL/dzdot in ambient coordinates. */
PH_API ph_status ph_system_lagrangian_gradient(const ph_system *system, double t, const double *z,
                                               const double *zdot, double *Lz, double *Lv, double *work);
/** Lzz, Lvz (both nullable), Lvv (nz x nz each) <- second derivatives, Lvz[i nz + j] = d2L / dzdot_i dz_j;
 * exact where the callbacks are, else by differences of order 8 of the gradient (about 1e-12; where that is
 * by differences, too, 1e-10). */
PH_API ph_status ph_system_lagrangian_hessian(const ph_system *system, double t, const double *z,
                                              const double *zdot, double *Lzz, double *Lvz, double *Lvv,
                                              double *work);
/** A (nz x nz) <- L_vv, b (nz) <- L_vz zdot + L_vt - L_z: without constraints the Euler-Lagrange equations
 * would be A zddot + b = f. */
PH_API ph_status ph_system_euler_lagrange(const ph_system *system, double t, const double *z,
                                          const double *zdot, double *A, double *b, double *work);

/** mu (nz) <- MM v, for a constant inertia only. No overlap. */
PH_API void ph_system_apply_inertia(const ph_system *system, const double *v, double *mu);

/** A <- E^T L_vv E, lower triangle, row-major (nx x nx): the inertia in the tangent coordinates of the basis
 * E (ph_space_basis) at z; zdot matters for a general Lagrangian only. */
PH_API ph_status ph_system_tangent_inertia(const ph_system *system, double t, const double *z,
                                           const double *zdot, const double *E, double *A, double *work);

/** p <- Legendre transform of zdot: the momenta of dL/dzdot (ph_space_momentum; embedded manifolds paper, eq.
 * (2.4)); on (S^2)^n with an inertia by pairs pi_i = q_i x sum_j m_ij qdot_j (two-spheres, eq. (33)). */
PH_API ph_status ph_system_momentum(const ph_system *system, double t, const double *z, const double *zdot,
                                    double *p, double *work);

/** zdot <- the velocity of the state (z, p) at t [s]: ph_system_velocity, or of spins, which have no
 * momentum, the vector field (ph_spins_flow). Errors of either. */
PH_API ph_status ph_system_velocity_at(const ph_system *system, double t, const double *z, const double *p,
                                       double *zdot, double *work);

/** zdot <- the tangent velocity whose Legendre transform is p (inverse of the above; one Cholesky
 * factorisation of size nx, for an articulation elimination from the leaves in time proportional to n, for a
 * general Lagrangian Newton's iteration). PH_E_SINGULAR where E^T L_vv E is not positive definite (general:
 * is singular, L is not regular): with M never on the manifold. PH_E_NO_CONVERGENCE, PH_E_NOT_FINITE. */
PH_API ph_status ph_system_velocity(const ph_system *system, double t, const double *z, const double *p,
                                    double *zdot, double *work);

/** mu (nz) <- P dL/dzdot, the Legendre transform of zdot as a covector in ambient coordinates that
 * has no normal part (embedded manifolds paper, eq. (2.4); two-spheres, eq. (20)):
 * ph_space_covector of the momenta. */
PH_API ph_status ph_system_covector(const ph_system *system, double t, const double *z, const double *zdot,
                                    double *mu, double *work);

/** zdot <- the tangent velocity at which P dL/dzdot = P mu; of mu (nz) only the tangent part matters. Errors
 * as ph_system_velocity. */
PH_API ph_status ph_system_covector_velocity(const ph_system *system, double t, const double *z,
                                             const double *mu, double *zdot, double *work);

/** *kinetic, *potential <- the parts of the energy E = dL/dzdot . zdot - L [J]; of a general Lagrangian the
 * potential is -L(z, 0) and the kinetic energy the rest. A potential that depends on time is no part of it:
 * ph_system_potential_in_time. */
PH_API ph_status ph_system_energy(const ph_system *system, double t, const double *z, const double *zdot,
                                  double *kinetic, double *potential, double *work);

/* ---- The fastest rate; allocates ------------------------------------------------------------------ */

/** *rate <- sqrt of the largest |eigenvalue| of the second derivative of U at t [s] (of a general
 * Lagrangian: of -L(z, 0)) along geodesics at z against the inertia (E^T L_vv(z, 0) E) [rad/s]: the fastest
 * frequency of small oscillations when z is a stable equilibrium, the fastest rate of growth or oscillation
 * elsewhere. Forces, velocity constraints and terms of L that are linear in the velocity (a magnetic field)
 * are left out. For spins: the largest |eigenvalue| of their vector field linearised at z, at time 0, or
 * the rate at which one of them turns, where that is larger. The second derivative is by differences of the
 * gradient; the rate is good to about 1e-8, or 1e-4 where others are close to it. Up to 300 products with
 * it, each some 10 gradients, and as many solutions with the inertia. PH_E_SINGULAR where the inertia is
 * not positive definite, a failing callback's status, PH_E_NOT_FINITE, PH_E_NO_MEMORY. */
PH_API ph_status ph_system_fastest_rate(const ph_system *system, double t, const double *z, double *rate,
                                        ph_error *err);

PH_END_DECLS
#endif
