/* SPDX-License-Identifier: BSD-3-Clause */
/* Suslov's problem (held.h): a body that may not turn about an axis of its own, Omega . e3 = 0. */
#include "text.h"

static const ph_parameter parameters[] = {
    PH_VECTOR("inertia", "kg m^2", PH_NOT_NEGATIVE, 1, 1.6, 2, "entries Jxx, Jyy, Jzz of the inertia tensor"),
    PH_PRODUCTS(0.2, 0.3, 0),
};

static const ph_preset presets[] = {{"turning", "R = I, body angular velocity (0.8, -0.5, 0) rad/s"}};

static const ph_text text = {
    .space = {{"R", "SO3"}},
    .where = {PH_TEXT_TENSOR},
    .kinetic = "dot(omega(R), J*omega(R))/2",
    .tensor = "J",
    .constraints = {"omega(R).z = 0"},
    .points = {{NULL, "0*e1"}},
    .starts = {{"identity", "[0.8, -0.5, 0]"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_suslov = {
    .name = "suslov",
    .summary = "body with a fixed point that may not turn about an axis of its own",
    .reference = "Suslov, Theoretical Mechanics, 1946; Fedorov, Zenkov, Nonlinearity 18 (2005) 2211",
    PH_MODEL_HERE,
};
