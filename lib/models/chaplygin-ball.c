/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin's ball: balanced, of any inertia, on a plane at rest (ball.h). */
#include "ball.h"

static const ph_parameter parameters[] = {PH_BALL_ROWS};

static const ph_text text = {
    PH_BALL_TEXT("[0, 0]", PH_TEXT_PLANE("plane")), .constraints = {"xdot = rolling"},
    .symmetries = {PH_BALL_LEVEL, PH_BALL_MOMENTUM("z", "e3", "e3")}, PH_BALL_STARTS};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_chaplygin_ball = {
    .name = "chaplygin-ball",
    .summary = "balanced ball of any inertia that rolls on a plane",
    .reference = "Chaplygin, Mat. Sb. 24 (1903) 139; Regul. Chaotic Dyn. 7 (2002) 131",
    PH_MODEL_HERE,
};
