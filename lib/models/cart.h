/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart of mass m_0 at x that slides without friction on a horizontal plane (or a rail), and a chain that
 * hangs from it (links.h), in space (d = 3) or in a plane (d = 2), the last coordinate up:
 *     L = (1/2)(m_0 + m_c)|xdot|^2 + xdot . sum c_i (qdot_i)_h + (1/2) sum M_ij qdot_i . qdot_j
 *         - g sum c_i (q_i)_up
 * on R^(d-1) x (S^(d-1))^n, (.)_h the horizontal part (Lee, Leok, McClamroch, Dynamics and control of a chain
 * pendulum on a cart, CDC 2012). */
#ifndef PH_INTERNAL_CART_H
#define PH_INTERNAL_CART_H

#include "links.h"

/* *system <- the cart of this mass with the links of the table; gravity is the acceleration upwards. Takes
 * symmetries whose generators get the cart as user: ph_cart_along, ph_cart_aside. */
ph_status ph_cart_build(const ph_parameter_value *table, double mass, double gravity, size_t d,
                        const ph_symmetry *symmetries, size_t n_symmetries, ph_system **system,
                        ph_error *err);

ph_status ph_cart_along(void *user, const double *z, double *xi); /* the whole moves along e1 */
ph_status ph_cart_aside(void *user, const double *z, double *xi); /* ... along e2 (d = 3) */

/* The cart at rest at the origin, the links by the preset PH_LINKS_CURVED, ... */
ph_status ph_cart_preset(const ph_parameter_value *table, size_t d, int preset, double *z, double *zdot,
                         ph_error *err);

#endif
