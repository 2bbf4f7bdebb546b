/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity, as one description from which a system is built (ph_gravitation_build) and
 * which methods with kernels of their own read (ph_system_gravitation):
 *
 *     L = sum_i (1/2) m_i |xdot_i|^2 + (1/2) Omega_i . J_i Omega_i - sum_{i<j} U_ij,
 *
 * x_i the place of the centre of mass of body i in space, R_i its attitude (body to space), Omega_i in the
 * body frame, U_ij the mutual potential of gravity.h up to the order N. A body without extension, and any
 * other that is said not to turn, has no attitude.
 *
 * Two bodies may be followed by their distance alone, x = x_B - x_A in axes that do not turn, with the
 * reduced mass m_A m_B / (m_A + m_B): the barycentre rests in the origin, x_A = -(m_B/M) x, x_B = (m_A/M) x.
 *
 * The configuration is, in this order: a factor R^3 for each place (one, x, where `relative`), then a factor
 * SO(3) for each body that turns. Momenta likewise: m xdot, then Pi = J Omega.
 *
 * Const once created: thread-safe. Source: Lee, Leok, McClamroch, Comput. Methods Appl. Mech. Engrg. 196
 * (2007) 2907; manual, Mutual gravity. */
#ifndef POLHODE_GRAVITATION_H
#define POLHODE_GRAVITATION_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/gravity.h>
#include <polhode/mass.h>
#include <polhode/status.h>
#include <polhode/system.h>

PH_BEGIN_DECLS

/** What a description is made from. Zero-initialise, then fill in. */
typedef struct ph_gravitation_definition {
    size_t bodies;       /**< how many, at least 2 */
    const ph_mass *mass; /**< (bodies) copied; each about its centre of mass: its first moments are 0 */
    const bool *turning; /**< (bodies) has it an attitude? NULL: where its J is not 0 */
    size_t order;        /**< N, at most PH_MASS_DEGREE: terms that count of both bodies of a pair together */
    double G;            /**< [m^3/(kg s^2)], positive */
    bool relative;       /**< of two bodies, their distance alone */
} ph_gravitation_definition;

/** Bodies under mutual gravity, prepared for evaluation. */
typedef struct ph_gravitation ph_gravitation;

/** *gravitation <- from the definition. PH_E_RANGE (bodies, order, G; `relative` with other than two bodies),
 * PH_E_INVALID (a body is not about its centre of mass, or is to turn and its J is not positive definite: it
 * is named), PH_E_NOT_FINITE, PH_E_NO_MEMORY. */
PH_API ph_status ph_gravitation_create(const ph_gravitation_definition *definition,
                                       ph_gravitation **gravitation, ph_error *err);
PH_API void ph_gravitation_free(ph_gravitation *gravitation); /**< Free; NULL is allowed. */

/** *system <- with this description, which it owns from now on, also on failure; symmetries: total linear
 * momentum (not where `relative`) and total angular momentum. Errors of ph_system_create. */
PH_API ph_status ph_gravitation_build(ph_gravitation *gravitation, ph_system **system, ph_error *err);

/** The description that the system (or its base) was built from; NULL for any other. */
PH_API const ph_gravitation *ph_system_gravitation(const ph_system *system);

PH_API size_t ph_gravitation_bodies(const ph_gravitation *gravitation); /**< how many */
PH_API size_t ph_gravitation_places(const ph_gravitation *gravitation); /**< factors R^3 */
/** Factors SO(3). */
PH_API size_t ph_gravitation_attitudes(const ph_gravitation *gravitation);
PH_API bool ph_gravitation_is_relative(const ph_gravitation *gravitation); /**< as defined */
PH_API size_t ph_gravitation_order(const ph_gravitation *gravitation);     /**< N */
PH_API double ph_gravitation_constant(const ph_gravitation *gravitation);  /**< G */
/** The mass distribution of a body, owned by the description; NULL beyond the last. */
PH_API const ph_mass *ph_gravitation_mass(const ph_gravitation *gravitation, size_t body);
/** Which factor SO(3) is its attitude, from 0; PH_NO_INDEX of a body without. */
PH_API size_t ph_gravitation_attitude(const ph_gravitation *gravitation, size_t body);
/** (places) The inertia of each factor R^3 [kg]: masses, or the reduced mass; owned by the description. */
PH_API const double *ph_gravitation_inertia(const ph_gravitation *gravitation);

/** Which parts of the attraction are evaluated. */
enum {
    PH_ATTRACT_POINTS = 1 << 0, /**< the bodies' masses in their centres */
    PH_ATTRACT_SHAPES = 1 << 1, /**< all else of the mutual potential */
    PH_ATTRACT_ALL = (1 << 2) - 1
};

/** The attraction at the configuration z [m, 1] and the time t [s]:
 *   force (3 x places)      on each place, in space [N]; where `relative`, on B
 *   torque (3 x attitudes)  on each body about its centre of mass, in its own frame [N m]
 *   U (nullable)            potential energy [J]
 * parts: PH_ATTRACT_..., at least one. Not finite where two places are the same. No allocation. */
PH_API void ph_gravitation_forces(const ph_gravitation *gravitation, unsigned parts, double t,
                                  const double *z, double *force, double *torque, double *U);

PH_END_DECLS
#endif
