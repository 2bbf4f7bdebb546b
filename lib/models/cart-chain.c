/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart on a horizontal plane and a chain that hangs from it (cart.h): R^2 x (S^2)^n. */
#include "cart.h"
#include "gravity.h"

static const ph_parameter parameters[PH_CART_PARAMETERS] = {
    PH_CART_TABLE(PH_VERTICAL_GRAVITY_PARAMETER),
};

static const ph_preset presets[] = {
    PH_CART_PRESETS(PH_LINKS_CURVED_TEXT),
};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    static const ph_symmetry symmetries[] = {
        {"px", "momentum along e1", "kg m/s", {0}, ph_cart_along},
        {"py", "momentum along e2", "kg m/s", {0}, ph_cart_aside},
        {"Jz", "angular momentum about e3", "kg m^2/s", {0, 0, 1}, NULL},
    };
    const ph_parameter_value *gravity = &table[PH_CART_GRAVITY];
    ph_status status = ph_gravity_check_vertical(gravity, "the cart stays on the plane of e1 and e2", err);
    return status ? status : ph_cart_build(table, gravity->values[2], 3, symmetries, 3, system, err);
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
    .n_parameters = PH_CART_PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
