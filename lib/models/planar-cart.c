/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart on a rail and a chain that hangs from it in the vertical plane of the rail (cart.h):
 * R x (S^1)^n. The plane is that of e1, along the rail, and e2, up. */
#include "cart.h"

static const ph_parameter parameters[] = {
    PH_CART_ROWS(PH_PLANAR_GRAVITY_ROW("acceleration of gravity, along -e2")),
};

static const ph_preset presets[] = {
    PH_CART_PRESETS("q_i = (cos 0.3(i-1), -sin 0.3(i-1)), turning upwards with l_i |qdot_i| = 0.5/n m/s"),
};

const ph_model ph_model_planar_cart = {
    .name = "planar-cart",
    .summary = "chain of links in a plane that hangs from a cart on a rail",
    .reference = "Lee, Leok, McClamroch, Dynamics and control of a chain pendulum on a cart, CDC 2012",
    .variant = 2,
    PH_MODEL_OF(presets, ph_cart_build, ph_cart_preset),
};
