/* SPDX-License-Identifier: BSD-3-Clause */
/* Configuration spaces: products of R^d, S^1, S^2, SO(3) and embedded manifolds, in any order and number; and
 * products of spheres that are phase spaces (spins.h).
 *
 * A configuration z is the list of its factors' ambient coordinates; a tangent vector v has the same layout.
 * Momenta p are linear [kg m/s] on R^d and embedded manifolds, angular [kg m^2/s] on the others;
 * mu = dL/dzdot:
 *
 *            z                               v                        p
 *     R^d    d numbers                       any                      mu
 *     S^1    unit vector q = (x, y)          q.v = 0                  x mu_y - y mu_x, 1 number
 *     S^2    unit vector q                   q.v = 0                  pi = q x mu, perpendicular to q
 *     SO(3)  rotation R, body to space,      v = R S(w), w the body   Pi = dL/dw, 3 numbers,
 *            3x3 row after row               angular velocity         in the body frame
 *     M      x in R^n                        tangent to M at x        P(x) mu, n numbers, linear
 *     spin   unit vector s                   s.v = 0                  none: s is the whole state
 *
 * S(w) x = w x x. p on S^1 pairs with the angular velocity (counterclockwise), Pi with w. M is a manifold
 * embedded in R^n that the user gives (ph_embedding), P(x) the orthogonal projection on its tangent space
 * at x (Lee, Leok, McClamroch, Global formulations of Lagrangian and Hamiltonian dynamics on embedded
 * manifolds, sec. 2).
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
    PH_FACTOR_R,        /**< R^d, d >= 1 */
    PH_FACTOR_S2,       /**< the unit sphere in R^3 */
    PH_FACTOR_S1,       /**< the unit circle in R^2 */
    PH_FACTOR_SO3,      /**< the rotations of R^3 */
    PH_FACTOR_EMBEDDED, /**< a manifold in R^n that the user gives: ph_embedding */
    /** The unit sphere in R^3 as a phase space: a spin, a point vortex, a Bloch vector. It has no momentum,
     * and is in products with its like only. */
    PH_FACTOR_SPIN
} ph_factor_kind;

/* ---- Embedded manifolds ---------------------------------------------------------------------------
 * Callbacks return PH_OK or another status. Matrices are row-major. They are called at points of the manifold
 * and near it (stages of a method, Newton's iterates), and by ph_space_project anywhere. They may be
 * called from several threads at once where a space is shared, and should give the same numbers for
 * the same arguments. */

/** g (m) <- the constraint functions at x (n); the manifold is where all are zero. */
typedef ph_status (*ph_constraint_fn)(void *user, const double *x, double *g);
/** A (m x n) <- dg/dx at x (n), of rank m on the manifold. */
typedef ph_status (*ph_constraint_jacobian_fn)(void *user, const double *x, double *A);
/** dA (m x n) <- derivative of the Jacobian A along v (n): row i is v times the second derivative of g_i. */
typedef ph_status (*ph_constraint_bend_fn)(void *user, const double *x, const double *v, double *dA);
/** P (n x n) <- the orthogonal projection on the tangent space at x (n): symmetric, P P = P. */
typedef ph_status (*ph_projection_fn)(void *user, const double *x, double *P);
/** dP (n x n) <- derivative of the projection P along v (n). */
typedef ph_status (*ph_projection_along_fn)(void *user, const double *x, const double *v, double *dP);

/** The largest n of an embedding; more go into several factors. */
#define PH_EMBEDDING_MOST 48

/** A manifold M embedded in R^n, given by constraints, M = {g(x) = 0}, or by its orthogonal projection P(x)
 * alone: one of the two, the other's callbacks are NULL. A projection says what the tangent spaces are, but
 * not how to reach the manifold: such a factor has no retraction and no nearest point
 * (ph_space_has_retraction). Zero-initialise, then fill in. */
typedef struct ph_embedding {
    const char *name;                   /**< nullable; for messages: "ellipsoid" */
    size_t n;                           /**< of R^n, 2 to PH_EMBEDDING_MOST */
    size_t dimension;                   /**< of the manifold, 1 to n - 1; m = n - dimension constraints */
    ph_constraint_fn constraint;        /**< g */
    ph_constraint_jacobian_fn jacobian; /**< A = dg/dx */
    /** Nullable: then by differences of A, whose width is 2e-4 of the largest coordinate: good to some 1e-12
     * of A where it varies on a scale not below a tenth of that coordinate, less where on a smaller one. */
    ph_constraint_bend_fn bend;
    ph_projection_fn projection;             /**< P: symmetric, P P = P, its trace the dimension, to 1e-10 */
    ph_projection_along_fn projection_along; /**< nullable: then by differences of P, likewise */
    /** Handed to the callbacks; must outlive every space and system made of it. */
    void *user;
} ph_embedding;

/** The subspace {A x = 0}: A (m x n, row-major) of rank m < n. */
typedef struct ph_subspace {
    size_t m, n;     /**< constraints, coordinates */
    const double *A; /**< (m x n) */
} ph_subspace;

/** The embedding of a subspace by its constraints A x = 0; its projection is P = I - A^T (A A^T)^{-1} A (Lee,
 * Leok, McClamroch, embedded manifolds, sec. 3.1, with the factors of the inverse put in order). The subspace
 * and its A must outlive every space and system made from it. A rank below m is noticed when a state is set
 * (PH_E_SINGULAR). */
PH_API ph_embedding ph_embedding_subspace(const ph_subspace *subspace);

/* ---- Products ------------------------------------------------------------------------------------- */

/** One factor as the caller asks for it. */
typedef struct ph_factor {
    ph_factor_kind kind;           /**< which manifold */
    size_t d;                      /**< PH_FACTOR_R: the dimension; otherwise 0 */
    const ph_embedding *embedding; /**< PH_FACTOR_EMBEDDED: copied with its name; otherwise ignored */
} ph_factor;

/** One factor as it lies in the product. */
typedef struct ph_factor_place {
    ph_factor_kind kind; /**< which manifold */
    size_t z, nz;        /**< first ambient coordinate, number of them */
    size_t p, np;        /**< first momentum component, number of them */
    size_t x, nx;        /**< first tangent coordinate, number of them (the dimension of the factor) */
    const ph_embedding *embedding; /**< PH_FACTOR_EMBEDDED: the space's own copy; otherwise NULL */
} ph_factor_place;

/** The first number of a factor's angular velocity in a list of them (ph_space_algebra): that of its
 * momentum, and of a spin, which has none, that of its configuration. */
static inline size_t ph_factor_algebra(const ph_factor_place *place)
{
    return place->kind == PH_FACTOR_SPIN ? place->z : place->p;
}
/** How many numbers it has. */
static inline size_t ph_factor_algebra_numbers(const ph_factor_place *place)
{
    return place->kind == PH_FACTOR_SPIN ? place->nz : place->np;
}

/** What a kind of factor is called in messages and reports; static. */
typedef struct ph_factor_words {
    const char *noun;    /**< such a factor: "sphere", "rotation"; with an s the plural */
    const char *whole;   /**< the manifold: "sphere", "rotations" */
    const char *nearest; /**< its points, behind "the nearest": "unit vector" */
    bool angular;        /**< does it turn, with angular velocities and momenta? Otherwise they are linear. */
    bool as_spin;        /**< messages show its velocities as angular ones (np), as there are fewer numbers */
} ph_factor_words;

/** What can be wrong with the data of a factor. */
typedef enum ph_fault {
    PH_FAULT_REMOTE,   /**< a configuration with no nearest point on the manifold */
    PH_FAULT_POINT,    /**< a configuration off the manifold */
    PH_FAULT_VELOCITY, /**< a velocity that is not tangent */
    PH_FAULT_SPIN,     /**< an angular velocity with a part that moves nothing */
    PH_FAULT_MOMENTUM  /**< a momentum that no motion has */
} ph_fault;

/** A product of factors. */
typedef struct ph_space ph_space;

/** Create the product of n >= 1 factors; *space must be freed with ph_space_free.
 * PH_E_INVALID (an embedding with missing callbacks or impossible sizes, too), PH_E_NO_MEMORY. */
PH_API ph_status ph_space_create(const ph_factor *factors, size_t n, ph_space **space, ph_error *err);
/** Create the product of n >= 1 factors like this one: (S^2)^n. As ph_space_create. */
PH_API ph_status ph_space_create_power(const ph_factor *factor, size_t n, ph_space **space, ph_error *err);
PH_API void ph_space_free(ph_space *space); /**< Free; NULL is allowed. */

PH_API size_t ph_space_factors(const ph_space *space);                          /**< how many */
PH_API const ph_factor_place *ph_space_factor(const ph_space *space, size_t i); /**< owned by the space */
/** What the i-th factor is called. */
PH_API const ph_factor_words *ph_space_factor_words(const ph_space *space, size_t i);
PH_API size_t ph_space_ambient(const ph_space *space); /**< nz: numbers in z */
PH_API size_t ph_space_momenta(const ph_space *space); /**< np: numbers in p */
/** Numbers of an angular velocity or an element of the algebra of the group of motions: np, and 3 for each
 * factor of a phase space. */
PH_API size_t ph_space_algebra(const ph_space *space);
/** Are the factors phase spaces (PH_FACTOR_SPIN), so that there are no momenta? */
PH_API bool ph_space_is_phase_space(const ph_space *space);
PH_API size_t ph_space_dimension(const ph_space *space); /**< nx: the dimension */
/** Has every factor exp, log, dexp and a nearest point? All have but embedded manifolds given by P alone. */
PH_API bool ph_space_has_retraction(const ph_space *space);

/* On embedded manifolds the functions below call the user's callbacks. Where one of these fails, or returns a
 * value that is not finite, or the Jacobian is rank-deficient, a function with a status passes it on
 * (PH_E_NOT_FINITE, PH_E_SINGULAR), and one without fills the factor's part of its output with NaN.
 * Nothing here allocates. */

/** z1 <- exp_z(v): the geodesic from z with initial velocity v, after unit time. v must be tangent.
 * On SO(3): R exp(S(w)) for v = R S(w). On an embedded manifold not the geodesic but the orthographic
 * retraction, which has its velocity and acceleration at z: z1 = z + v + A(z)^T lambda with g(z1) = 0 (Absil,
 * Malick, SIAM J. Optim. 22 (2012) 135), to rounding; NaN where v is so long that there is no such point on
 * the sheet of z, and where M is given by P alone. */
PH_API void ph_space_exp(const ph_space *space, const double *z, const double *v, double *z1);

/** v <- log_z(z1): the shortest tangent v with exp_z(v) = z1.
 * PH_E_NO_SOLUTION when some factor's points are antipodal within rounding: the direction (on S^1 and SO(3)
 * its sign) is then undefined. On S^2 its direction loses digits as eps / (pi - angle), its length does not;
 * on S^1 and SO(3) nothing is lost. On an embedded manifold the inverse of the retraction, v = P(z) (z1 - z),
 * and PH_E_NO_SOLUTION where z1 is not in its reach; PH_E_UNSUPPORTED where M is given by P alone. */
PH_API ph_status ph_space_log(const ph_space *space, const double *z, const double *z1, double *v);

/** w <- d/dt exp_z(v + t dv) at t = 0.  dv tangent at z; w is tangent at exp_z(v). On an embedded manifold
 * w = dv + A(z)^T nu with A(z1) w = 0; NaN where exp is. */
PH_API void ph_space_dexp(const ph_space *space, const double *z, const double *v, const double *dv,
                          double *w);

/** z <- the nearest point of the manifold. For input from outside; steps use ph_space_correct.
 * PH_E_NOT_ON_MANIFOLD when there is no nearest point or a number is not finite. There is none for the zero
 * vector, nor for a 3x3 matrix with the singular values s1 >= s2 >= s3 and s2 + sign(det) s3 = 0 (within
 * rounding of s1): rank 1 or less, or a reflection with s2 = s3. Near these the result is as good as
 * eps s1 / (s2 + sign(det) s3). On an embedded manifold the point where the distance is least among those
 * around it: repeated Gauss-Newton corrections lead to the manifold, then Newton's method on it, with the
 * retraction and steps that shorten the distance, to the least one. PH_E_NOT_ON_MANIFOLD, too, where these do
 * not arrive, or at a saddle of the distance; PH_E_UNSUPPORTED where M is given by P alone; a callback's
 * status. All or nothing. */
PH_API ph_status ph_space_project(const ph_space *space, double *z);

/** v <- its orthogonal projection on the tangent space at z (on the manifold), in place. */
PH_API void ph_space_project_tangent(const ph_space *space, const double *z, double *v);

/** P (nz x nz, row-major) <- the orthogonal projection on the tangent space at z, a block for each factor.
 * Off the manifold, too, it is the formula of z: I on R^d; I - q q^T on S^1 and S^2; P Y = (Y - R Y^T R)/2 on
 * SO(3) (Lee, Leok, McClamroch, embedded manifolds, eq. (3.7)); I - A^T (A A^T)^{-1} A, or the callback's, on
 * embedded manifolds. */
PH_API void ph_space_projection(const ph_space *space, const double *z, double *P);

/** out (nz) <- dP(z)[dz] y, the derivative of that formula along dz (nz), times y (nz): 0 on R^d;
 * -(dz q^T + q dz^T) y on S^1 and S^2; -(dz y^T R + R y^T dz)/2 on SO(3); with constraints -(Q + Q^T) y,
 * where Q = A^T (A A^T)^{-1} dA P and dA is the derivative of A along dz. For a motion dP(z)[zdot] zdot is
 * the normal part of its acceleration. */
PH_API void ph_space_projection_along(const ph_space *space, const double *z, const double *dz,
                                      const double *y, double *out);

/** How many numbers ph_space_basis writes: the sum of nx*nz over the factors. */
PH_API size_t ph_space_basis_size(const ph_space *space);
/** E <- orthogonal basis of the tangent space at z, factor after factor: for factor i a block of nx rows of
 * nz numbers, each row a basis vector. Unit length on R^d, S^1: (-y, x), and S^2: two vectors with
 * e1 x e2 = q, off the sphere q/|q|, so that the plane is a smooth function of q where its basis is not. On
 * SO(3) the rows are R S(e_1), R S(e_2), R S(e_3), of length sqrt 2 as lists of 9 numbers, so that tangent
 * coordinates are body angular velocities. On an embedded manifold an orthonormal basis of the null space of
 * A(z), or of the range of P(z), which is no continuous function of z. */
PH_API void ph_space_basis(const ph_space *space, const double *z, double *E);

/* Momenta and angular velocities. A covector mu (nz) acts on tangent vectors v by mu.v; of it only its
 * tangent part matters, which is the momentum p (np). An angular velocity w (np), a velocity on R^d, is the
 * same as a tangent vector v (nz), and p.w = mu.v.
 *     R^d     p = mu                       v = w
 *     S^1     p = q_1 mu_2 - q_2 mu_1      v = w (-q_2, q_1)
 *     S^2     p = q x mu                   v = w x q
 *     SO(3)   p = vee(R^T mu - mu^T R)     v = R S(w)        (body frame; mu, v row-major 3x3)
 *     M       p = P(x) mu                  v = w
 *     spin    none                         v = w x s, w (3) */
/** p <- momentum of mu. */
PH_API void ph_space_momentum(const ph_space *space, const double *z, const double *mu, double *p);
/** mu <- the covector of momentum p that has no normal part. */
PH_API void ph_space_covector(const ph_space *space, const double *z, const double *p, double *mu);
/** v <- the tangent vector of w. */
PH_API void ph_space_turn(const ph_space *space, const double *z, const double *w, double *v);
/** w <- the angular velocity of the tangent vector v; on S^2 the one perpendicular to q. */
PH_API void ph_space_spin(const ph_space *space, const double *z, const double *v, double *w);

/* The group of motions: the product of the translations of R^d and the rotations of S^1, S^2 and SO(3). The
 * elements u of its algebra are angular velocities (ph_space_algebra numbers) as above, and exp(u) moves z to
 *     R^d     z + u
 *     S^1     q turned counterclockwise by u
 *     S^2     exp(S(u)) q, also for a u with a part along q, which ph_space_spin leaves out (spins likewise)
 *     SO(3)   R exp(S(u)) */
/** Is there such a group for every factor? What follows needs it; a manifold without one is stepped in its
 * ambient coordinates. */
PH_API bool ph_space_is_homogeneous(const ph_space *space);
/** z1 <- exp(u).z, whose derivative at u = 0 is ph_space_turn. */
PH_API void ph_space_act(const ph_space *space, const double *z, const double *u, double *z1);
/** w <- [u, v], with exp(u).(exp(v).(exp(-u).z)) = exp(v + [u, v] + [u, [u, v]]/2 + ...).z: u x v on S^2;
 * v x u on SO(3), whose group acts from the right; 0 on R^d and S^1. w (np) does not overlap u or v. */
PH_API void ph_space_bracket(const ph_space *space, const double *u, const double *v, double *w);

/** The largest constraint error over the factors: | |q| - 1 | on S^1 and S^2, evaluated in double as
 * |sqrt(q.q) - 1|; the largest |entry of R^T R - I| on SO(3), to the last place, and at least 2 where
 * det R < 0, so that a reflection is not taken for a rotation; 0 on R^d; NaN if z is not finite. With
 * constraints the largest |g_i| / |row i of A|, which near the manifold is a distance; with P alone the
 * largest |entry of P P - P|. */
PH_API double ph_space_residual(const ph_space *space, const double *z);

/** How far v is from tangent: the largest |q.v| on S^1 and S^2, and |entry of the symmetric part of R^T v| on
 * SO(3); with constraints the largest |A v|_i / |row i of A|, with P alone |entry of v - P v|. */
PH_API double ph_space_tangency(const ph_space *space, const double *z, const double *v);

/** Bring z back to the manifold from within rounding of it, without bias, with c = q.q - 1 and C = R^T R - I
 * to the last place: q <- q - (c/2) q on S^1 and S^2, R <- R - (1/2) R C on SO(3). With constraints one
 * Gauss-Newton correction, x <- x - A^T (A A^T)^{-1} g; with P alone x stays. In place. */
PH_API void ph_space_correct(const ph_space *space, double *z);

/** z1 + low1 <- z + low + D, for an increment D whose errors are relative to D: the configuration with its
 * low-order part (both nz), so that rounding does not add up to more than that of the increments. z1 is the
 * sum rounded, and on the manifold to rounding, as is the sum to that of D, by the corrections of
 * ph_space_correct; on embedded manifolds, where D is that of ph_space_factor_increment_sum, without any. z1
 * may be z, and low1 low. */
PH_API void ph_space_advance(const ph_space *space, const double *z, const double *low, const double *D,
                             double *z1, double *low1);

/** p <- the nearest momentum that a motion can have: on S^2 the part perpendicular to q, on embedded
 * manifolds P(x) p; elsewhere every p is one. In place; z on the manifold. */
PH_API void ph_space_project_momentum(const ph_space *space, const double *z, double *p);

/** How far p is from that: the largest |q.pi| over the factors on S^2, and as for velocities on embedded
 * manifolds; NaN if p is not finite. */
PH_API double ph_space_momentum_tangency(const ph_space *space, const double *z, const double *p);

/** ph_space_residual for the i-th factor alone; z is whole. */
PH_API double ph_space_factor_residual(const ph_space *space, size_t i, const double *z);
/** ph_space_tangency for the i-th factor alone; z and v are whole. */
PH_API double ph_space_factor_tangency(const ph_space *space, size_t i, const double *z, const double *v);
/** ph_space_momentum_tangency for the i-th factor alone; z and p are whole. */
PH_API double ph_space_factor_momentum_tangency(const ph_space *space, size_t i, const double *z,
                                                const double *p);
/** ph_space_projection_along for the i-th factor alone; all are whole. */
PH_API void ph_space_factor_projection_along(const ph_space *space, size_t i, const double *z,
                                             const double *dz, const double *y, double *out);
/** ph_space_project for the i-th factor alone; z is whole. */
PH_API ph_status ph_space_factor_project(const ph_space *space, size_t i, double *z);
/** D <- exp_z(v) - z of the i-th factor, without the cancellation of the difference; z is whole, v and D
 * are the factor's. */
PH_API void ph_space_factor_increment(const ph_space *space, size_t i, const double *z, const double *v,
                                      double *D);
/** The same from z + low, as ph_space_advance leaves them; low (nz) is whole. On an embedded manifold D
 * leads from there to where g, and what A makes of the low-order part there, sum to 0; elsewhere low does
 * not matter to it. */
PH_API void ph_space_factor_increment_sum(const ph_space *space, size_t i, const double *z, const double *low,
                                          const double *v, double *D);
/** ph_space_dexp for the i-th factor alone; z is whole, v, dv and w are the factor's. */
PH_API void ph_space_factor_dexp(const ph_space *space, size_t i, const double *z, const double *v,
                                 const double *dv, double *w);
/** ph_space_project_momentum for the i-th factor alone; z and p are whole. */
PH_API void ph_space_factor_project_momentum(const ph_space *space, size_t i, const double *z, double *p);
/** dp <- p1 - p for the momentum p1 = P(z1) {p + N + push} at z1, N the part of `impulse` that is normal at
 * z, of an embedded factor given by constraints; NaN for any other, or where a callback fails. It is as small
 * as the step, and its rounding, too, also where N is not: p + low + dp, a compensated sum, is p1. z, z1, p
 * and low (np) are whole; impulse, push and dp the factor's. */
PH_API void ph_space_factor_carry_momentum(const ph_space *space, size_t i, const double *z, const double *z1,
                                           const double *p, const double *low, const double *impulse,
                                           const double *push, double *dp);
/** ph_space_momentum for the i-th factor alone; z and p are whole, mu is the factor's. */
PH_API void ph_space_factor_momentum(const ph_space *space, size_t i, const double *z, const double *mu,
                                     double *p);

/** text <- what is wrong with the i-th factor's part of the configuration z or, as the fault says, of v, a
 * velocity (nz), an angular velocity or a momentum (np): the end of a sentence about numbers that were read,
 * as "has length 1.5, not 1", or of a momentum a sentence that names the factor. z is on the manifold but for
 * faults of configurations, which ignore v. Cut to size with the final 0. */
PH_API void ph_space_factor_fault(const ph_space *space, size_t i, ph_fault fault, const double *z,
                                  const double *v, char *text, size_t size);

PH_END_DECLS
#endif
