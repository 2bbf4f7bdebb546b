/* SPDX-License-Identifier: BSD-3-Clause */
/* The knife edge: a plane body with the centre of mass x and the heading q on a blade below x, on an incline. The rate w of turning is
 * constant, and the speed along q changes by G (sin theta - sin theta_0)/w.
 * (Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972.) */
#include "text.h"

static const ph_parameter parameters[] = {
    PH_NUMBER("mass", "kg", PH_POSITIVE, 1, "mass of the body"),
    PH_NUMBER("inertia", "kg m^2", PH_POSITIVE, 0.5, "moment of inertia about the centre of mass"),
    PH_NUMBER("pull", "m/s^2", PH_ANY, 4.905, "gravity along the incline, g sin(slope), towards e1"),
};

static const ph_preset presets[] = {
    {"turning", "at rest but for a turn of 1 rad/s, heading down the incline: a cycloid"},
    {"straight", "heading across the incline at 1 m/s, without a turn"},
};

/* A square plate with its inertia, I = (2/3) m a^2 for half an edge a. */
static const ph_text text = {
    .space = {{"x", "R2"}, {"q", "S1"}},
    .where = {{"a", "sqrt(1.5*inertia/mass)"}},
    .kinetic = "mass/2*dot(xdot, xdot) + inertia/2*dot(qdot, qdot)",
    .potential = "-mass*pull*x.x",
    .constraints = {"dot([-q.y, q.x], xdot) = 0"},
    .symmetries = {{{"L", "angular momentum about the blade", "kg m^2/s", .generator = "[0, 0, 1]"}}},
    .points = {{NULL, "x"}, {NULL, "x"}},
    .parts = {PH_TEXT_PLANE("plane"),
              {PH_SCENE_BOX, 0, 1, "body", "[a, a, 0.04*a]", "[0, 0, 0.24*a]"},
              {PH_SCENE_BOX, 1, 1, "blade", "[0.5*a, 0.015*a, 0.12*a]", "[0, 0, 0.12*a]"}},
    .starts = {{"[0, 0]; 0", "[0, 0]; 1"}, {"[0, 0]; pi/2", "q; 0"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_knife_edge = {
    .name = "knife-edge",
    .summary = "blade through the centre of mass of a plane body on an incline",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    PH_MODEL_HERE,
};
