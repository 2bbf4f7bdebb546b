/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin's sleigh: a plane body with the centre of mass x and the heading q on a blade at x - a q, which slides along itself and
 * not across. With u the speed along q of the blade and w the rate of turning
 *     u = V tanh(k (t - t0)),  w = W sech(k (t - t0)),   V = sqrt(2E/m),  W = sqrt(2E/J),  k = a m V/J,  J = I + m a^2.
 * (Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972.) */
#include "text.h"

static const ph_parameter parameters[] = {
    PH_NUMBER("mass", "kg", PH_POSITIVE, 1, "mass of the body"),
    PH_NUMBER("inertia", "kg m^2", PH_POSITIVE, 0.5, "moment of inertia about the centre of mass"),
    PH_NUMBER("ahead", "m", PH_ANY, 0.3, "distance a of the centre of mass ahead of the blade"),
};

static const ph_preset presets[] = {
    {"turning", "backwards at 0.4 m/s, turning at 0.9 rad/s, heading 0.2 rad from e1"},
    {"straight", "forwards along e1 at 1 m/s, turning at 0.001 rad/s: stable"},
};

/* A square plate with its inertia, I = (2/3) m a^2 for half an edge a. */
static const ph_text text = {
    .space = {{"x", "R2"}, {"q", "S1"}},
    .where = {{"a", "sqrt(1.5*inertia/mass)"}},
    .kinetic = "mass/2*dot(xdot, xdot) + inertia/2*dot(qdot, qdot)",
    .constraints = {"dot([-q.y, q.x], xdot - ahead*qdot) = 0"},
    .symmetries = {{{"L", "angular momentum about the blade", "kg m^2/s", .generator = "[0, 0, 1]"},
                    .unless = "ahead"}},
    .points = {{NULL, "x"}, {NULL, "x - ahead*q"}},
    .parts = {PH_TEXT_PLANE("plane"),
              {PH_SCENE_BOX, 0, 1, "body", "[a, a, 0.04*a]", "[0, 0, 0.24*a]"},
              {PH_SCENE_BOX, 1, 1, "blade", "[0.5*a, 0.015*a, 0.12*a]", "[0, 0, 0.12*a]"}},
    .starts = {{"[0, 0]; 0.2", "-0.4*q + ahead*qdot; 0.9"}, {"[0, 0]; 0", "q + ahead*qdot; 0.001"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_chaplygin_sleigh = {
    .name = "chaplygin-sleigh",
    .summary = "plane body on a blade that does not slide sideways",
    .reference =
        "Chaplygin, Mat. Sb. 28 (1911) 303; Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    PH_MODEL_HERE,
};
