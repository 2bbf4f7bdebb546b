/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart on a rail and a chain that hangs from it in the vertical plane of the rail (cart.h):
 * R x (S^1)^n. The plane is that of e1, along the rail, and e2, up. */
#include "cart.h"

static const ph_parameter parameters[PH_CART_PARAMETERS] = {
    PH_CART_TABLE(PH_PLANAR_GRAVITY_PARAMETER("acceleration of gravity, along -e2")),
};

static const ph_preset presets[] = {
    PH_CART_PRESETS("q_i = (cos 0.3(i-1), -sin 0.3(i-1)), turning upwards with l_i |qdot_i| = 0.5/n m/s"),
};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    static const ph_symmetry along = {"px", "momentum along the rail", "kg m/s", {0}, ph_cart_along};
    return ph_cart_build(table, -table[PH_CART_GRAVITY].values[0], 2, &along, 1, system, err);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    return ph_cart_preset(table, 2, (int)which, z, zdot, err);
}

const ph_model ph_model_planar_cart = {
    .name = "planar-cart",
    .summary = "chain of links in a plane that hangs from a cart on a rail",
    .reference = "Lee, Leok, McClamroch, Dynamics and control of a chain pendulum on a cart, CDC 2012",
    .parameters = parameters,
    .n_parameters = PH_CART_PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
