/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart on a horizontal plane and a chain that hangs from it (cart.h): R^2 x (S^2)^n. */
#include "cart.h"

enum { GRAVITY = PH_LINKS_PARAMETERS, CART, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    PH_LINKS_TABLE(PH_MOST_LINKS),
    [GRAVITY] = {"gravity",
                 PH_PARAMETER_GRAVITY,
                 "m/s^2",
                 -DBL_MAX,
                 DBL_MAX,
                 {0, 0, -9.81},
                 "acceleration of gravity, along e3; a number g means (0, 0, -g)"},
    [CART] = {"cart_mass", PH_PARAMETER_NUMBER, "kg", DBL_MIN, DBL_MAX, {0.5}, "mass of the cart"},
};

static const ph_preset presets[] = {
    [PH_LINKS_CURVED] = {"curved", PH_LINKS_CURVED_TEXT "; the cart rests"},
    [PH_LINKS_HANGING] = {"hanging", "all links straight down, at rest: the stable equilibrium"},
    [PH_LINKS_HORIZONTAL] = {"horizontal", "all links along e1, at rest"},
};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    static const ph_symmetry symmetries[] = {
        {"px", "momentum along e1", "kg m/s", {0}, ph_cart_along},
        {"py", "momentum along e2", "kg m/s", {0}, ph_cart_aside},
        {"Jz", "angular momentum about e3", "kg m^2/s", {0, 0, 1}, NULL},
    };
    ph_status status =
        ph_links_check_vertical(&table[GRAVITY], "the cart stays on the plane of e1 and e2", err);
    return status ? status
                  : ph_cart_build(table, table[CART].values[0], table[GRAVITY].values[2], 3, symmetries, 3,
                                  system, err);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    return ph_cart_preset(table, 3, (int)which, z, zdot, err);
}

const ph_model ph_model_cart_chain = {
    .name = "cart-chain",
    .summary = "chain of links that hangs from a cart that slides on a horizontal plane",
    .reference = "Lee, Leok, McClamroch, Dynamics and control of a chain pendulum on a cart, CDC 2012",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
