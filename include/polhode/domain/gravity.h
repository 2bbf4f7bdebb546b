/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutual gravity of two bodies with mass distributions A and B: with r from the origin of A's frame to that
 * of B's, in frame A, C the rotation from frame B to frame A (B's axes are its columns) and d = d/dr,
 *
 *     U = -G A(-d) B(C^T d) 1/|r| = -G sum_(k+l <= N) (-1)^k sum a_alpha b'_beta D_(alpha+beta),
 *     D_alpha = d^alpha 1/|r|,
 *
 * all terms up to the order N of both bodies together. The torques need the rotation operators T_q of the
 * bodies, the force nothing more: U_n is homogeneous of degree -(n + 1) in r, and U does not change when
 * everything is turned,
 *
 *     F = r/|r|^2 sum_n (n + 1) U_n - (T_A + T_B) x r/|r|^2.
 *
 * The series converges where |r| exceeds the sum of the radii of the bodies. Thread-safe; nothing allocates.
 * Source: Hou, Scheeres, Xin, Celest. Mech. Dyn. Astron. 127 (2017) 369; Werner, Scheeres, ibid. 91 (2005)
 * 337; manual, Mutual gravity. */
#ifndef POLHODE_GRAVITY_H
#define POLHODE_GRAVITY_H

#include <stddef.h>

#include <polhode/domain/mass.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** G [m^3/(kg s^2)], CODATA 2018. */
#define PH_GRAVITY_CONSTANT 6.6743e-11

/** What two bodies do to each other. */
typedef struct ph_attraction {
    double potential;                    /**< U [J] */
    double by_order[PH_MASS_DEGREE + 1]; /**< U_n, n = k + l: how fast the series converges */
    double force[3];                     /**< F on B, frame A [N]; that on A is -F */
    double torque_a[3];                  /**< on A about its origin, frame A [N m] */
    double torque_b[3];                  /**< on B about its origin, frame B [N m] */
} ph_attraction;

/** The attraction of two bodies, terms up to this order (at most PH_MASS_DEGREE).
 * r (3) [m], C (9) row-major, a rotation. Where r = 0 the numbers are not finite. */
PH_API void ph_attract(const ph_mass *a, const ph_mass *b, size_t order, double G, const double r[3],
                       const double C[9], ph_attraction *out);

/** A homogeneous polyhedron, for its exact field. */
typedef struct ph_polyhedron ph_polyhedron;

/** *polyhedron <- with this surface and density [kg/m^3]; the mesh is copied. Errors of ph_mass_polyhedron,
 * and PH_E_INVALID for faces that are all clockwise, or one without area (it is named). */
PH_API ph_status ph_polyhedron_create(const ph_mesh *mesh, double density, ph_polyhedron **polyhedron,
                                      ph_error *err);
PH_API void ph_polyhedron_free(ph_polyhedron *polyhedron); /**< Free; NULL is allowed. */

/** *U <- the potential energy of a point of this mass at p (3, frame of the vertices) in the field of the
 * polyhedron, force (3, nullable) <- that on the point, *inside (nullable) <- 1 inside of it, 0 outside, 1/2
 * on a face: the solid angle over 4 pi. Exact, without a series, also close to the surface and in it; the
 * work is proportional to the number of faces. Thread-safe; nothing allocates. NaN where polyhedron is NULL.
 * The torque on the polyhedron about the origin is force x p. Source: Werner, Scheeres, Celest. Mech. Dyn.
 * Astron. 65 (1996) 313. */
PH_API void ph_polyhedron_attract(const ph_polyhedron *polyhedron, double G, double mass, const double p[3],
                                  double *U, double force[3], double *inside);

PH_END_DECLS
#endif
