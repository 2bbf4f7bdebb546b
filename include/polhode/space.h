/* SPDX-License-Identifier: BSD-3-Clause */
/* Configuration spaces: products of R^d, S^1, S^2 and SO(3), in any order and number.
 *
 * A configuration z is the list of its factors' ambient coordinates; a tangent vector v has the same layout.
 * Momenta p are linear [kg m/s] on R^d, angular [kg m^2/s] on the others; mu = dL/dzdot:
 *
 *            z                               v                        p
 *     R^d    d numbers                       any                      mu
 *     S^1    unit vector q = (x, y)          q.v = 0                  x mu_y - y mu_x, 1 number
 *     S^2    unit vector q                   q.v = 0                  pi = q x mu, perpendicular to q
 *     SO(3)  rotation R, body to space,      v = R S(w), w the body   Pi = dL/dw, 3 numbers,
 *            3x3 row after row               angular velocity         in the body frame
 *
 * S(w) x = w x x. p on S^1 pairs with the angular velocity (counterclockwise), Pi with w.
 *
 * A space is const once created and may be shared between threads. Arguments z, v of the functions
 * below must not overlap their outputs unless said. */
#ifndef POLHODE_SPACE_H
#define POLHODE_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/status.h>

PH_BEGIN_DECLS

/** The manifolds that a product is made of. */
typedef enum ph_factor_kind {
    PH_FACTOR_R,  /**< R^d, d >= 1 */
    PH_FACTOR_S2, /**< the unit sphere in R^3 */
    PH_FACTOR_S1, /**< the unit circle in R^2 */
    PH_FACTOR_SO3 /**< the rotations of R^3 */
} ph_factor_kind;

/** One factor as the caller asks for it. */
typedef struct ph_factor {
    ph_factor_kind kind; /**< which manifold */
    size_t d;            /**< PH_FACTOR_R: the dimension; otherwise ignored */
} ph_factor;

/** One factor as it lies in the product. */
typedef struct ph_factor_place {
    ph_factor_kind kind; /**< which manifold */
    size_t z, nz;        /**< first ambient coordinate, number of them */
    size_t p, np;        /**< first momentum component, number of them */
    size_t x, nx;        /**< first tangent coordinate, number of them (the dimension of the factor) */
} ph_factor_place;

/** A product of factors. */
typedef struct ph_space ph_space;

/** Create the product of n >= 1 factors; *space must be freed with ph_space_free.
 * PH_E_INVALID, PH_E_NO_MEMORY. */
PH_API ph_status ph_space_create(const ph_factor *factors, size_t n, ph_space **space, ph_error *err);
PH_API void ph_space_free(ph_space *space); /**< Free; NULL is allowed. */

PH_API size_t ph_space_factors(const ph_space *space); /**< how many */
PH_API const ph_factor_place *ph_space_factor(const ph_space *space, size_t i); /**< owned by the space */
PH_API size_t ph_space_ambient(const ph_space *space);   /**< nz: numbers in z */
PH_API size_t ph_space_momenta(const ph_space *space);   /**< np: numbers in p */
PH_API size_t ph_space_dimension(const ph_space *space); /**< nx: dimension of the manifold */

/** z1 <- exp_z(v): the geodesic from z with initial velocity v, after unit time. v must be tangent.
 * On SO(3): R exp(S(w)) for v = R S(w). */
PH_API void ph_space_exp(const ph_space *space, const double *z, const double *v, double *z1);

/** v <- log_z(z1): the shortest tangent v with exp_z(v) = z1.
 * PH_E_NO_SOLUTION when some factor's points are antipodal within rounding: the direction (on S^1 and SO(3)
 * its sign) is then undefined. On S^2 its direction loses digits as eps / (pi - angle), its length does not;
 * on S^1 and SO(3) nothing is lost. */
PH_API ph_status ph_space_log(const ph_space *space, const double *z, const double *z1, double *v);

/** w <- d/dt exp_z(v + t dv) at t = 0.  dv tangent at z; w is tangent at exp_z(v). */
PH_API void ph_space_dexp(const ph_space *space, const double *z, const double *v, const double *dv,
                          double *w);

/** z <- the nearest point of the manifold. For input from outside; steps use ph_space_correct.
 * PH_E_NOT_ON_MANIFOLD when there is no nearest point or a number is not finite. There is none for the zero
 * vector, nor for a 3x3 matrix with the singular values s1 >= s2 >= s3 and s2 + sign(det) s3 = 0 (within
 * rounding of s1): rank 1 or less, or a reflection with s2 = s3. Near these the result is as good as eps s1 /
 * (s2 + sign(det) s3). */
PH_API ph_status ph_space_project(const ph_space *space, double *z);

/** v <- its orthogonal projection on the tangent space at z (on the manifold), in place. */
PH_API void ph_space_project_tangent(const ph_space *space, const double *z, double *v);

/** How many numbers ph_space_basis writes: the sum of nx*nz over the factors. */
PH_API size_t ph_space_basis_size(const ph_space *space);
/** E <- orthogonal basis of the tangent space at z, factor after factor: for factor i a block of nx rows of nz
 * numbers, each row a basis vector. Of unit length on R^d, S^1: (-y, x), and S^2: two vectors with e1 x e2 = q. On
 * SO(3) the rows are R S(e_1), R S(e_2), R S(e_3), of length sqrt 2 as lists of 9 numbers, so that tangent coordinates
 * are body angular velocities. */
PH_API void ph_space_basis(const ph_space *space, const double *z, double *E);

/* Momenta and angular velocities. A covector mu (nz) acts on tangent vectors v by mu.v; of it only its tangent part
 * matters, which is the momentum p (np). An angular velocity w (np), a velocity on R^d, is the same as a tangent
 * vector v (nz), and p.w = mu.v.
 *     R^d     p = mu                       v = w
 *     S^1     p = q_1 mu_2 - q_2 mu_1      v = w (-q_2, q_1)
 *     S^2     p = q x mu                   v = w x q
 *     SO(3)   p = vee(R^T mu - mu^T R)     v = R S(w)        (body frame; mu, v row-major 3x3) */
/** p <- momentum of mu. */
PH_API void ph_space_momentum(const ph_space *space, const double *z, const double *mu, double *p);
/** mu <- the covector of momentum p that has no normal part. */
PH_API void ph_space_covector(const ph_space *space, const double *z, const double *p, double *mu);
/** v <- the tangent vector of w. */
PH_API void ph_space_turn(const ph_space *space, const double *z, const double *w, double *v);
/** w <- the angular velocity of the tangent vector v; on S^2 the one perpendicular to q. */
PH_API void ph_space_spin(const ph_space *space, const double *z, const double *v, double *w);

/* The group of motions: the product of the translations of R^d and the rotations of S^1, S^2 and SO(3). The
 * elements u of its algebra are angular velocities (np) as above, and exp(u) moves z to
 *     R^d     z + u
 *     S^1     q turned counterclockwise by u
 *     S^2     exp(S(u)) q, also for a u with a part along q, which ph_space_spin leaves out
 *     SO(3)   R exp(S(u)) */
/** Is there such a group for every factor? What follows needs it; a manifold without one is stepped in its
 * ambient coordinates. */
PH_API bool ph_space_is_homogeneous(const ph_space *space);
/** z1 <- exp(u).z, whose derivative at u = 0 is ph_space_turn. */
PH_API void ph_space_act(const ph_space *space, const double *z, const double *u, double *z1);
/** w <- [u, v], with exp(u).(exp(v).(exp(-u).z)) = exp(v + [u, v] + [u, [u, v]]/2 + ...).z: u x v on S^2; v x
 * u on SO(3), whose group acts from the right; 0 on R^d and S^1. w (np) does not overlap u or v. */
PH_API void ph_space_bracket(const ph_space *space, const double *u, const double *v, double *w);

/** The largest constraint error over the factors: | |q| - 1 | on S^1 and S^2, evaluated in double as
 * |sqrt(q.q) - 1|; the largest |entry of R^T R - I| on SO(3), by fma, and at least 2 where det R < 0, so that
 * a reflection is not taken for a rotation; 0 on R^d; NaN if z is not finite. */
PH_API double ph_space_residual(const ph_space *space, const double *z);

/** How far v is from tangent: the largest |q.v| on S^1 and S^2, and |entry of the symmetric part of R^T v| on
 * SO(3). */
PH_API double ph_space_tangency(const ph_space *space, const double *z, const double *v);

/** Bring z back to the manifold from within rounding of it, without bias, with c = q.q - 1 and C = R^T R - I
 * by fma: q <- q - (c/2) q on S^1 and S^2, R <- R - (1/2) R C on SO(3). In place. */
PH_API void ph_space_correct(const ph_space *space, double *z);

/** p <- the nearest momentum that a motion can have: on S^2 the part perpendicular to q; elsewhere every p is
 * one. In place; z on the manifold. */
PH_API void ph_space_project_momentum(const ph_space *space, const double *z, double *p);

/** How far p is from that: the largest |q.pi| over the factors on S^2; NaN if p is not finite. */
PH_API double ph_space_momentum_tangency(const ph_space *space, const double *z, const double *p);

/** ph_space_residual for the i-th factor alone; z is whole. */
PH_API double ph_space_factor_residual(const ph_space *space, size_t i, const double *z);
/** ph_space_tangency for the i-th factor alone; z and v are whole. */
PH_API double ph_space_factor_tangency(const ph_space *space, size_t i, const double *z, const double *v);
/** ph_space_project for the i-th factor alone; z is whole. */
PH_API ph_status ph_space_factor_project(const ph_space *space, size_t i, double *z);
/** ph_space_momentum for the i-th factor alone; z and p are whole, mu is the factor's. */
PH_API void ph_space_factor_momentum(const ph_space *space, size_t i, const double *z, const double *mu, double *p);

PH_END_DECLS
#endif
