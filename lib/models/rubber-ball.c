/* SPDX-License-Identifier: BSD-3-Clause */
/* A rubber ball: of any inertia, it rolls and does not spin about the normal of the plane (ball.h). */
#include "ball.h"

static const ph_parameter parameters[] = {PH_BALL_ROWS};

static const ph_text text = {PH_BALL_TEXT("[0, 0]", PH_TEXT_PLANE("plane")),
                             .constraints = {"xdot = rolling", "w.z = 0"}, .symmetries = {PH_BALL_LEVEL},
                             .starts = {{"[0.4, -0.2]; [0.3, -0.5, 0.8]",
                                         "rolling; R.T*(R*[0.9, -0.4, 1.1] - (R*[0.9, -0.4, 1.1]).z*e3)"},
                                        {"[0, 0]; identity", "rolling; e2"}}};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_rubber_ball = {
    .name = "rubber-ball",
    .summary = "ball of any inertia that rolls on a plane and does not spin about its normal",
    .reference = "Koiller, Ehlers, Regul. Chaotic Dyn. 12 (2007) 127",
    PH_MODEL_HERE,
};
