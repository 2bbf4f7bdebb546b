/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart of mass m_0 that slides without friction on a horizontal plane (or a rail), and a chain that
 * hangs from it in space, d = 3, or in a plane, d = 2: R^(d-1) x (S^(d-1))^n. The Lagrangian is that of
 * linkage.h. */
#ifndef PH_INTERNAL_CART_H
#define PH_INTERNAL_CART_H

#include "linkage.h"

/* The rows of a cart's parameters. */
enum { PH_CART_NUMBER = PH_LINKS_LENGTH + 1, PH_CART_GRAVITY, PH_CART_MASS, PH_CART_PARAMETERS };

#define PH_CART_TABLE(gravity)                                                                               \
    [PH_LINKS_MASS] = PH_LINKS_MASS_ROW("masses", PH_PARAMETER_PER_LINK, 0.1, "link"),                       \
    [PH_LINKS_LENGTH] = PH_LINKS_LENGTH_ROW("lengths", PH_PARAMETER_PER_LINK, 0.1, "link"),                  \
    [PH_CART_NUMBER] = PH_LINKS_NUMBER_ROW(PH_MOST_LINKS, "masses or lengths"), [PH_CART_GRAVITY] = gravity, \
    [PH_CART_MASS] = {"cart_mass", PH_PARAMETER_NUMBER, "kg", DBL_MIN, DBL_MAX, {0.5}, "mass of the cart"}

/* The presets of a cart; that of curved links is the model's. */
#define PH_CART_PRESETS(curved)                                                                              \
    [PH_LINKS_CURVED] = {"curved", curved "; the cart rests"},                                               \
    [PH_LINKS_HANGING] = {"hanging", "all links straight down, at rest: the stable equilibrium"},            \
    [PH_LINKS_HORIZONTAL] = {"horizontal", "all links along e1, at rest"}

/* *system <- the cart and its links; gravity is the acceleration upwards. Takes symmetries whose
 * generators get the cart as user: ph_cart_along, ph_cart_aside. PH_E_SIZE, and the errors of
 * ph_system_create. */
ph_status ph_cart_build(const ph_parameter_value *table, double gravity, size_t d,
                        const ph_symmetry *symmetries, size_t n_symmetries, ph_system **system,
                        ph_error *err);

ph_status ph_cart_along(void *user, const double *z, double *xi); /* the whole moves along e1 */
ph_status ph_cart_aside(void *user, const double *z, double *xi); /* ... along e2 (d = 3) */

/* z, zdot <- that preset, PH_LINKS_CURVED, ... PH_E_SIZE. */
ph_status ph_cart_preset(const ph_parameter_value *table, size_t d, int preset, double *z, double *zdot,
                         ph_error *err);

#endif
