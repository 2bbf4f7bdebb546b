/* SPDX-License-Identifier: BSD-3-Clause */
/* The continuous gearbox: xdot + sin(y) zdot = 0 of unit masses on R^2 x S^1, coordinates x, z, (cos y, sin y),
 *     U = (x^2 + z^2)/2 - cos y + eps sin 2y:
 * two oscillators whose ratio a turning pendulum changes. With eps not 0 no reversal maps its orbit to itself.
 * (K. Modin, O. Verdier, Numer. Math. 145 (2020) 405.) */
#include "text.h"

static const ph_parameter parameters[] = {
    PH_NUMBER("asymmetry", "J", PH_ANY, 0, "strength of sin 2y in the driver's potential")};

static const ph_preset presets[] = {
    {"driven", "x = 1, z = 0.3 m at 0.5 m/s, driver at y = 0 with 2.4 rad/s: it turns over"}};

static const ph_text text = {
    .space = {{"x", "R2"}, {"q", "S1"}},
    .kinetic = "(dot(xdot, xdot) + dot(qdot, qdot))/2",
    .potential = "dot(x, x)/2 - q.x + 2*asymmetry*q.x*q.y",
    .constraints = {"xdot.x + q.y*xdot.y = 0"},
    .points = {{NULL, "[x.x, 0]"}, {NULL, "[0, x.y]"}, {NULL, "q"}},
    .parts = {{PH_SCENE_BALL, 0, PH_NO_INDEX, "first mass"},
              {PH_SCENE_BALL, 1, PH_NO_INDEX, "second mass"},
              {PH_SCENE_LINE, PH_NO_INDEX, PH_NO_INDEX, "driver", .to = 3},
              {PH_SCENE_BALL, 2, PH_NO_INDEX, "driver"},
              {PH_SCENE_LINE, PH_NO_INDEX, PH_NO_INDEX, "first axis", .shift = "[-2, 0]", .end = "[2, 0]"},
              {PH_SCENE_LINE, PH_NO_INDEX, PH_NO_INDEX, "second axis", .shift = "[0, -2]", .end = "[0, 2]"}},
    .starts = {{"[1, 0.3]; 0", "[0, 0.5]; 2.4"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_gearbox = {
    .name = "gearbox",
    .summary = "two oscillators coupled by a gear whose ratio a turning pendulum changes: a test problem",
    .reference = "Modin, Verdier, Numer. Math. 145 (2020) 405",
    PH_MODEL_HERE,
};
