/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart on a rail and a chain that hangs from it in the vertical plane of the rail (cart.h):
 * R x (S^1)^n. The plane is that of e1, along the rail, and e2, up. */
#include "cart.h"

enum { GRAVITY = PH_LINKS_PARAMETERS, CART, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    PH_LINKS_TABLE(PH_MOST_LINKS),
    [GRAVITY] = {"gravity",
                 PH_PARAMETER_NUMBER,
                 "m/s^2",
                 -DBL_MAX,
                 DBL_MAX,
                 {9.81},
                 "acceleration of gravity, along -e2"},
    [CART] = {"cart_mass", PH_PARAMETER_NUMBER, "kg", DBL_MIN, DBL_MAX, {0.5}, "mass of the cart"},
};

static const ph_preset presets[] = {
    [PH_LINKS_CURVED] = {"curved", "q_i = (cos 0.3(i-1), -sin 0.3(i-1)), "
                                   "turning upwards with l_i |qdot_i| = 0.5/n m/s; the cart rests"},
    [PH_LINKS_HANGING] = {"hanging", "all links straight down, at rest: the stable equilibrium"},
    [PH_LINKS_HORIZONTAL] = {"horizontal", "all links along e1, at rest"},
};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    static const ph_symmetry along = {"px", "momentum along the rail", "kg m/s", {0}, ph_cart_along};
    return ph_cart_build(table, table[CART].values[0], -table[GRAVITY].values[0], 2, &along, 1, system, err);
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
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
