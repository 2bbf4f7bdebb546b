/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity, as one description from which a system is built (ph_gravitation_build) and
 * which methods with kernels of their own read (ph_system_gravitation):
 *
 *     L = sum_i (1/2) m_i |xdot_i|^2 + (1/2) Omega_i . J_i Omega_i - sum_{i<j} U_ij,
 *
 * x_i the place of the centre of mass of body i in space, R_i its attitude (body to space), Omega_i in the
 * body frame, U_ij the mutual potential of gravity.h up to the order N. A body without extension, and any
 * other that is said not to turn, has no attitude: its axes are those of space.
 *
 * Two bodies may be followed by their distance alone, x = x_B - x_A in axes that do not turn, with the
 * reduced mass m_A m_B / (m_A + m_B): the barycentre rests in the origin, x_A = -(m_B/M) x, x_B = (m_A/M) x.
 *
 * The configuration is, in this order: a factor R^3 for each place (one, x, where `relative`), then a factor
 * SO(3) for each body that turns. Momenta likewise: m xdot, then Pi = J Omega.
 *
 * What else may act on them:
 *  - given bodies (a Sun, a planet) on prescribed Kepler motions, which attract and are not attracted: a
 *    potential that depends on time;
 *  - a central body, held in the origin with a given attitude and steady spin, whose field attracts them;
 *  - tides, which dissipate.
 *
 * Const once created: thread-safe. Source: Lee, Leok, McClamroch, Comput. Methods Appl. Mech. Engrg. 196
 * (2007) 2907; manual, Mutual gravity. */
#ifndef POLHODE_GRAVITATION_H
#define POLHODE_GRAVITATION_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/domain/gravity.h>
#include <polhode/domain/mass.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** A prescribed Kepler motion, elliptic or hyperbolic. */
typedef struct ph_given_orbit {
    double mu;   /**< gravitational parameter [m^3/s^2]; 0: G times the mass of the given body */
    double axis; /**< semi-major axis a [m]; negative of a hyperbola */
    /** e, not 1; 0: a circle, on which the periapsis is where the body is at the time `passage`. */
    double eccentricity;
    double inclination; /**< [rad] */
    double node;        /**< longitude of the ascending node [rad] */
    double periapsis;   /**< argument of the periapsis [rad] */
    double passage;     /**< a time at which it passes its periapsis [s] */
} ph_given_orbit;

/** A given body S, a point of mass M_S on the prescribed motion X(t), as seen from the origin: the
 * barycentre of the bodies, or the central body, which falls freely in its field. With d_i = X - x_i and
 * n_i = R_i^T d_i/|d_i|,
 *     U = -G M_S sum_i m_i [1/|d_i| - 1/|X| - x_i . X/|X|^3] + (tr J_i - 3 n_i . J_i n_i)/(2 |d_i|^3),
 * evaluated without the difference of large numbers. */
typedef struct ph_given_body {
    double mass;          /**< M_S [kg], positive */
    ph_given_orbit orbit; /**< X(t) */
    /** Set for the leading terms in x/X alone, the tide of a distant body: with u = X/|X|, n_i = R_i^T u
     *     U = -(G M_S/|X|^3) sum_i (m_i/2) (3 (u . x_i)^2 - x_i^2) + (tr J_i - 3 n_i . J_i n_i)/2;
     * on a circle, in axes that turn with it, these are Hill's equations. */
    bool far;
    bool points; /**< set to leave out the terms with J: the bodies are points for it, without torques */
} ph_given_body;

/** A body that is held in the origin and attracts the others, like an asteroid near a spacecraft. Its
 * attitude at the time t is R_0 exp(t S(spin)). */
typedef struct ph_central_body {
    const ph_mass *mass; /**< copied; about any point: that is held in the origin. NULL: there is none */
    /** Nullable: its exact field, in the same frame, for the others' masses in their centres; terms of their
     * shapes are by the moments. The description owns it once it is created. */
    ph_polyhedron *exact;
    double attitude[9];   /**< R_0; zeros: the identity */
    double spin[3];       /**< angular velocity in its own frame, constant [rad/s] */
    const ph_mesh *shape; /**< nullable, for figures alone: its surface, as those of the others */
} ph_central_body;

/** Tides that the other bodies raise on one, with a constant lag; zeros: none. See ph_gravitation_tides. */
typedef struct ph_tide {
    double love;    /**< k_2 */
    double radius;  /**< reference radius R [m] */
    double lag;     /**< angle epsilon of lag [rad] */
    double density; /**< rho [kg/m^3]: how smooth the law is where spin and orbit are nearly synchronous */
} ph_tide;

/** The most triangles of a surface that is kept for figures. */
#define PH_SHAPE_MOST 5000

/** What a description is made from. Zero-initialise, then fill in. */
typedef struct ph_gravitation_definition {
    size_t bodies;       /**< how many, at least 2; with a central body at least 1 */
    const ph_mass *mass; /**< (bodies) copied; each about its centre of mass: its first moments are 0 */
    const bool *turning; /**< (bodies) has it an attitude? NULL: where its J is not 0 */
    size_t order;        /**< N, at most PH_MASS_DEGREE: terms that count of both bodies of a pair together */
    double G;            /**< [m^3/(kg s^2)], positive */
    bool relative;       /**< of two bodies, their distance alone; not with a central body */
    const ph_given_body *given; /**< (n_given), copied; or NULL */
    size_t n_given;             /**< how many */
    ph_central_body central;    /**< zeros: none */
    const ph_tide *tides;       /**< (bodies), copied; or NULL: none */
    /** (bodies), for figures alone: the surfaces of bodies in the frames of their masses, thinned to
     * PH_SHAPE_MOST triangles and copied; each nullable; or NULL: none. */
    const ph_mesh *const *shapes;
} ph_gravitation_definition;

/** Bodies under mutual gravity, prepared for evaluation. */
typedef struct ph_gravitation ph_gravitation;

/** *gravitation <- from the definition. PH_E_RANGE (bodies, order, G; `relative` with other than two bodies,
 * or with a central one; a number of a given body or a tide), PH_E_INVALID (a body is not about its centre of
 * mass, or is to turn and its J is not positive definite; a tide on a body that does not turn; an attitude
 * that is not a rotation: the body is named), PH_E_NOT_FINITE, PH_E_NO_MEMORY. */
PH_API ph_status ph_gravitation_create(const ph_gravitation_definition *definition,
                                       ph_gravitation **gravitation, ph_error *err);
PH_API void ph_gravitation_free(ph_gravitation *gravitation); /**< Free; NULL is allowed. */

/** *system <- with this description, which it owns from now on, also on failure. Given bodies, and a
 * central body that spins and is not a sphere, are a potential that depends on time; tides are a force.
 * Symmetries: total linear momentum (not where `relative`, with given bodies or a central one) and total
 * angular momentum (not with given bodies, a central one that is not a sphere, or a body without an attitude
 * whose shape counts). Errors of ph_system_create. */
PH_API ph_status ph_gravitation_build(ph_gravitation *gravitation, ph_system **system, ph_error *err);

/** The description that the system (or its base) was built from; NULL for any other. */
PH_API const ph_gravitation *ph_system_gravitation(const ph_system *system);
/** Was the system itself built from one, without a force added by ph_system_create_forced? Then all that
 * acts on it is in the description. */
PH_API bool ph_system_is_gravitation(const ph_system *system);

PH_API size_t ph_gravitation_bodies(const ph_gravitation *gravitation); /**< how many */
PH_API size_t ph_gravitation_places(const ph_gravitation *gravitation); /**< factors R^3 */
/** Factors SO(3). */
PH_API size_t ph_gravitation_attitudes(const ph_gravitation *gravitation);
PH_API bool ph_gravitation_is_relative(const ph_gravitation *gravitation); /**< as defined */
PH_API size_t ph_gravitation_order(const ph_gravitation *gravitation);     /**< N */
PH_API double ph_gravitation_constant(const ph_gravitation *gravitation);  /**< G */
/** The mass distribution of a body, owned by the description; NULL beyond the last. */
PH_API const ph_mass *ph_gravitation_mass(const ph_gravitation *gravitation, size_t body);
/** The surface of a body for figures, owned by the description: that of its definition, of at most
 * PH_SHAPE_MOST triangles; NULL: none is known. body = ph_gravitation_bodies: of the central body. */
PH_API const ph_mesh *ph_gravitation_shape(const ph_gravitation *gravitation, size_t body);
/** Which factor SO(3) is its attitude, from 0; PH_NO_INDEX of a body without. */
PH_API size_t ph_gravitation_attitude(const ph_gravitation *gravitation, size_t body);
/** (places) The inertia of each factor R^3 [kg]: masses, or the reduced mass; owned by the description. */
PH_API const double *ph_gravitation_inertia(const ph_gravitation *gravitation);

/** How many given bodies. */
PH_API size_t ph_gravitation_given(const ph_gravitation *gravitation);
/** The definition of a given body, its mu filled in; owned by the description; NULL beyond the last. */
PH_API const ph_given_body *ph_gravitation_given_body(const ph_gravitation *gravitation, size_t i);
/** x (3) [m], v (3, nullable) [m/s] <- where it is at the time t, X and dX/dt. */
PH_API void ph_gravitation_given_place(const ph_gravitation *gravitation, size_t i, double t, double x[3],
                                       double v[3]);
/** The mass distribution of the central body, owned by the description; NULL: there is none. */
PH_API const ph_mass *ph_gravitation_central(const ph_gravitation *gravitation);
/** Its exact field, owned by the description; NULL: there is none, or it is that of the moments. */
PH_API const ph_polyhedron *ph_gravitation_central_exact(const ph_gravitation *gravitation);
/** R (9) <- the attitude of the central body at the time t; the identity where there is none. */
PH_API void ph_gravitation_central_attitude(const ph_gravitation *gravitation, double t, double R[9]);
/** Does the potential depend on time: are there given bodies, or a central one that spins, no sphere? */
PH_API bool ph_gravitation_depends_on_time(const ph_gravitation *gravitation);

/** Which parts of the attraction are evaluated. */
enum {
    PH_ATTRACT_POINTS = 1 << 0, /**< the bodies' masses in their centres, a central one's too */
    PH_ATTRACT_SHAPES = 1 << 1, /**< the rest of the mutual potential, and of a central body's */
    PH_ATTRACT_GIVEN = 1 << 2,  /**< given bodies, at the time t */
    PH_ATTRACT_ALL = (1 << 3) - 1
};

/** The attraction at the configuration z [m, 1] and the time t [s]:
 *   force (3 x places)      on each place, in space [N]; where `relative`, on B
 *   torque (3 x attitudes)  on each body about its centre of mass, in its own frame [N m]
 *   U (nullable)            potential energy [J]
 * parts: PH_ATTRACT_..., at least one. Not finite where two places are the same. No allocation. */
PH_API void ph_gravitation_forces(const ph_gravitation *gravitation, unsigned parts, double t,
                                  const double *z, double *force, double *torque, double *U);

/** How many systems ph_gravitation_forces_lanes evaluates at most. */
#define PH_GRAVITATION_LANES 8

/** ph_gravitation_forces of the first `count` of eight systems at once, which have the same bodies, in the
 * lanes of vectors where the processor has them: number k of system i is at 8 k + i of z, force, torque and
 * U; those of other systems are room that may be written to. Each gets the bits that it gets alone. False,
 * and nothing is written, where that is not done: with a central body, with given bodies, with 8 or more
 * bodies that count as points (those are evaluated several at once anyway). */
PH_API bool ph_gravitation_forces_lanes(const ph_gravitation *gravitation, size_t count, unsigned parts,
                                        double t, const double *z, double *force, double *torque, double *U);

/** Eight pairs of bodies, each followed by its distance, with masses and shapes of their own: in the scratch
 * of a method. */
typedef struct ph_gravitation_each ph_gravitation_each;

/** Bytes of memory, at a multiple of 64, that ph_gravitation_each_place needs. */
PH_API size_t ph_gravitation_each_size(void);
/** Lay out eight pairs, which outlive it. NULL where they are not evaluated at once: not followed by their
 * distance, with central or given bodies, of different orders or sorts (points, bodies with three planes of
 * symmetry, any), of an order above 4, without wide vectors. */
PH_API ph_gravitation_each *ph_gravitation_each_place(const ph_gravitation *const *gravitations,
                                                      void *memory);
/** ph_gravitation_forces of all parts of each of them, as ph_gravitation_forces_lanes. */
PH_API void ph_gravitation_each_forces(const ph_gravitation_each *each, const double *z, double *force,
                                       double *torque);

/** *rate <- dU/dt of these parts at fixed z [W]: what prescribed motions do to the energy. Room for forces
 * of many bodies is allocated; NaN without memory. */
PH_API void ph_gravitation_rate(const ph_gravitation *gravitation, unsigned parts, double t, const double *z,
                                double *rate);

/** z1, zdot1 <- a motion as seen from axes that have turned by the angle [rad] about e3 and turn at the rate
 * [rad/s]: places, attitudes, and velocities less those of the axes. With the longitude of a given body on a
 * circle and its rate these are Hill's variables. Back: with -angle and -rate. z1 may be z, zdot1 zdot. */
PH_API void ph_gravitation_turn_axes(const ph_gravitation *gravitation, double angle, double rate,
                                     const double *z, const double *zdot, double *z1, double *zdot1);

/* ---- Tides: they dissipate ----------------------------------------------------------------------- */

/** Are there any? */
PH_API bool ph_gravitation_has_tides(const ph_gravitation *gravitation);
/** The tides on a body; NULL where there are none on it. */
PH_API const ph_tide *ph_gravitation_tide(const ph_gravitation *gravitation, size_t body);

/** Forces of the tides at the configuration z and momenta p (m xdot, then Pi), force and torque as in
 * ph_gravitation_forces. On body i, for each other body j, with x from i to j, n = x/|x|, v = xdot, and the
 * spin w_i of body i, all in space,
 *     gam_i = w_i - (x cross v)/x^2 - n (n . w_i),   K_i = (3/2) k_2 G m_j^2 R^5 sin(2 epsilon)/x^6,
 *     T_i = -K_i gam_i/max(|gam_i|, gc_i),           gc_i = K_i/(J_i,zz sqrt(pi G rho/6)),
 * and the force x cross (T_i + T_j)/x^2 on j, its opposite on i: total momenta stay. *power (nullable) [W] <-
 * their work, sum T_i . gam_i <= 0. A central body and given ones raise no tides. Source: Murray, Dermott,
 * Solar System Dynamics (1999), 4.9; smoothed as in Jacobson, Scheeres, Icarus 214 (2011) 161. */
PH_API void ph_gravitation_tides(const ph_gravitation *gravitation, const double *z, const double *p,
                                 double *force, double *torque, double *power);

/** Doubles of work that ph_gravitation_dissipate needs. */
PH_API size_t ph_gravitation_dissipate_work(const ph_gravitation *gravitation);
/** change (as p) <- what the tides change the momenta p by in the time tau [s] at the fixed configuration z:
 * one step of the classical Runge-Kutta method for p' = force, Pi' = torque. A conservative step of order 2
 * between two of these with tau = h/2 is a step of order 2 of the whole. Without tides the change is zero.
 * It can be less than the rounding of p: over many steps add it to sums with lower digits, as p + change
 * alone loses it, and angular momentum with it. */
PH_API void ph_gravitation_dissipate(const ph_gravitation *gravitation, double tau, const double *z,
                                     const double *p, double *change, double *work);

PH_END_DECLS
#endif
