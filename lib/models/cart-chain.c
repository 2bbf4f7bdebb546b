/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart on a horizontal plane and a chain that hangs from it (cart.h): R^2 x (S^2)^n. */
#include "cart.h"

static const ph_parameter parameters[] = {
    PH_CART_ROWS(PH_VERTICAL_GRAVITY),
};

static const ph_preset presets[] = {
    PH_CART_PRESETS(PH_LINKS_CURVED_TEXT),
};

const ph_model ph_model_cart_chain = {
    .name = "cart-chain",
    .summary = "chain of links that hangs from a cart that slides on a horizontal plane",
    .reference = "Lee, Leok, McClamroch, Dynamics and control of a chain pendulum on a cart, CDC 2012",
    .variant = 3,
    PH_MODEL_OF(presets, ph_cart_build, ph_cart_preset),
};
