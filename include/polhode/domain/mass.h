/* SPDX-License-Identifier: BSD-3-Clause */
/* Mass distributions of bodies that attract each other (gravity.h): the body operator
 *
 *     A(d) = int exp(x . d) dm = sum_n A_n(d),      A_n = sum_{a+b+c=n} T_abc dx^a dy^b dz^c / (a! b! c!),
 *     T_abc = int x^a y^b z^c dm,
 *
 * a polynomial in the derivative d. As 1/|r| is harmonic it counts modulo dx^2 + dy^2 + dz^2 only: with dz^2
 * replaced by -(dx^2 + dy^2) until there is none, 2n + 1 numbers are left of degree n. They begin at n^2 of
 * one array: the n + 1 of dx^(n-b) dy^b, b = 0 ... n, and then the n of dx^(n-1-b) dy^b dz, b = 0 ... n-1.
 *
 * What a body needs for turning is its inertia tensor J, which does not follow from these numbers. Places
 * are from the origin of the body's frame; gravity and turning want the centre of mass there
 * (ph_mass_center). SI units. Plain data: everything is thread-safe and nothing allocates but
 * ph_mass_polyhedron. Source: Hou, Scheeres, Xin, Celest. Mech. Dyn. Astron. 127 (2017) 369; manual, Mutual
 * gravity. */
#ifndef POLHODE_MASS_H
#define POLHODE_MASS_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

PH_BEGIN_DECLS

/** Degree of the moments. */
#define PH_MASS_DEGREE 8
/** How many numbers that are. */
#define PH_MASS_MOMENTS ((PH_MASS_DEGREE + 1) * (PH_MASS_DEGREE + 1))

/** A mass distribution. moment[0] is the mass [kg], moment[n^2 + ...] are those of degree n [kg m^n]. */
typedef struct ph_mass {
    double moment[PH_MASS_MOMENTS]; /**< the reduced operator, see above */
    double J[9];   /**< inertia tensor about the origin of the frame, row-major [kg m^2]; 0 of a point */
    double radius; /**< of a sphere about the origin that holds all of the mass [m]; 0 of a point */
} ph_mass;

/** A point of this mass, or a homogeneous sphere (radius 0: a point). PH_E_RANGE: a mass that is not
 * positive, a negative radius; PH_E_NOT_FINITE. */
PH_API ph_status ph_mass_sphere(double mass, double radius, ph_mass *body, ph_error *err);

/** A homogeneous ellipsoid with these half-axes along those of its frame, of degree 8. Errors as above. */
PH_API ph_status ph_mass_ellipsoid(double mass, const double half_axes[3], ph_mass *body, ph_error *err);

/** From moments T_abc up to this degree, in the order of a (slowest), b, c with a + b + c <= degree, all of
 * them: for (a) for (b <= degree - a) for (c <= degree - a - b). Degree at least 2 gives J. radius: of the
 * body. PH_E_RANGE: degree above PH_MASS_DEGREE, a mass that is not positive. */
PH_API ph_status ph_mass_from_moments(const double *T, size_t degree, double radius, ph_mass *body,
                                      ph_error *err);

/** From spherical harmonics of the potential outside, not normalised, without the phase (-1)^m:
 *     U = -(G M / r) sum_n (R/r)^n sum_m P_nm(cos theta) (C_nm cos m phi + S_nm sin m phi),
 * C and S at n (n + 1) / 2 + m, C_00 = 1. They have no J: it is given (9), or NULL for 0.
 * PH_E_RANGE as above. */
PH_API ph_status ph_mass_from_harmonics(double mass, double reference_radius, size_t degree, const double *C,
                                        const double *S, const double *J, double radius, ph_mass *body,
                                        ph_error *err);

/** A closed surface of triangles. */
typedef struct ph_mesh {
    size_t vertices;      /**< how many */
    const double *vertex; /**< (vertices x 3) [m] */
    size_t faces;         /**< how many */
    const uint32_t *face; /**< (faces x 3) numbers of vertices, from 0, counter-clockwise seen from outside */
} ph_mesh;

/** A homogeneous polyhedron of this density [kg/m^3], any shape, moments exact up to degree 8, about the
 * origin of its vertices. *turned (nullable) <- 1 where all faces were clockwise and were taken the other
 * way round, else 0. PH_E_INVALID names the face: numbers of vertices that do not exist or are equal, an
 * edge that is not in exactly two faces (the surface is open), two faces that go along an edge in the same
 * direction (one is inside out), a surface without volume; PH_E_NOT_FINITE, PH_E_RANGE, PH_E_NO_MEMORY.
 * Source: Werner, Scheeres, Celest. Mech. Dyn. Astron. 91 (2005) 337; manual, Mutual gravity. */
PH_API ph_status ph_mass_polyhedron(const ph_mesh *mesh, double density, ph_mass *body, int *turned,
                                    ph_error *err);

/** whole <- whole + part, whose frame has its origin at `place` and the axes that are the columns of R (9).
 * Begin with a whole that is all zeros. */
PH_API void ph_mass_add(const ph_mass *part, const double place[3], const double R[9], ph_mass *whole);

/** body <- seen from a frame with its origin in the centre of mass; center (3, nullable) <- where that was.
 * The radius grows by the distance. */
PH_API void ph_mass_center(ph_mass *body, double center[3]);

/** R (9) <- the principal axes in the frame of the body, columns in order of ascending moments and a
 * rotation; moments (3). body <- seen from these axes. The centre of mass is in the origin. */
PH_API void ph_mass_principal(ph_mass *body, double R[9], double moments[3]);

PH_END_DECLS
#endif
