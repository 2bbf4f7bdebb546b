/* SPDX-License-Identifier: BSD-3-Clause */
/* Veselova's problem (held.h): a body that may not turn about the vertical, omega . e3 = 0. The horizontal components of
 * R J Omega are conserved. */
#include "text.h"

static const ph_parameter parameters[] = {
    PH_VECTOR("inertia", "kg m^2", PH_NOT_NEGATIVE, 0.8, 1.1, 1.3,
              "entries Jxx, Jyy, Jzz of the inertia tensor"),
    PH_PRODUCTS(0.07, -0.1, 0.05),
};

static const ph_preset presets[] = {
    {"turning",
     "R = exp S(0.3, -0.5, 0.8), body angular velocity (0.9, -0.4, 1.1) rad/s without its vertical part"}};

static const ph_text text = {
    .space = {{"R", "SO3"}},
    .where = {PH_TEXT_TENSOR},
    .kinetic = "dot(omega(R), J*omega(R))/2",
    .tensor = "J",
    .constraints = {"vee(Rdot*R.T).z = 0"},
    .symmetries = {{{"Jx", "angular momentum along e1", "kg m^2/s", .axis = {1, 0, 0}}},
                   {{"Jy", "angular momentum along e2", "kg m^2/s", .axis = {0, 1, 0}}}},
    .points = {{NULL, "0*e1"}},
    .starts = {{"[0.3, -0.5, 0.8]", "[0.9, -0.4, 1.1] - dot(R.T*e3, [0.9, -0.4, 1.1])*(R.T*e3)"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_veselova = {
    .name = "veselova",
    .summary = "body with a fixed point that may not turn about the vertical",
    .reference = "Veselov, Veselova, Math. Notes 44 (1988) 810",
    PH_MODEL_HERE,
};
