/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart of mass m_0 that slides without friction on a horizontal plane (or a rail), and a chain that
 * hangs from it in space, d = 3, or in a plane, d = 2: R^(d-1) x (S^(d-1))^n. The Lagrangian is that of
 * linkage.h. */
#ifndef PH_INTERNAL_CART_H
#define PH_INTERNAL_CART_H

#include "linkage.h"

/* The rows of a cart's parameters. */
enum { PH_CART_NUMBER = PH_LINKS_LENGTH + 1, PH_CART_GRAVITY, PH_CART_MASS };
#define PH_CART_ROWS(gravity)                                                                                \
    PH_LINKS_ROWS(PER_LINK, "masses", 0.1, "lengths", 0.1, "link"),                                          \
        [PH_CART_NUMBER] = PH_LINKS_NUMBER(PH_MOST_LINKS, "masses or lengths"), [PH_CART_GRAVITY] = gravity, \
        [PH_CART_MASS] = PH_NUMBER("cart_mass", "kg", PH_POSITIVE, 0.5, "mass of the cart")

/* The presets of a cart; that of curved links is the model's. */
#define PH_CART_PRESETS(curved)                                                                              \
    [PH_LINKS_CURVED] = {"curved", curved "; the cart rests"},                                               \
    [PH_LINKS_HANGING] = {"hanging", "all links straight down, at rest: the stable equilibrium"},            \
    [PH_LINKS_HORIZONTAL] = {"horizontal", "all links along e1, at rest"}

/* The variant of a model is d. PH_E_SIZE, PH_E_INVALID where gravity is not vertical, the errors of ph_system_create. */
ph_status ph_cart_build(const ph_model_table *table, ph_system **system, ph_error *err);
ph_status ph_cart_preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err);

#endif
