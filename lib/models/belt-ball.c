/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball on a belt (ball.h): in the frame of the belt that of Chaplygin. */
#include "ball.h"

static const ph_parameter parameters[] = {
    PH_BALL_ROWS,
    PH_VECTOR("belt", "m/s", PH_ANY, 0.5, 0.2, 0, "velocity of the belt; its third component has no effect"),
};

static const ph_text text = {
    PH_BALL_TEXT("[belt.x, belt.y]", PH_TEXT_PLANE("belt", .when = "norm([belt.x, belt.y])"),
                 PH_TEXT_PLANE("plane", .unless = "norm([belt.x, belt.y])")),
    .constraints = {"xdot = rolling"}, .symmetries = {PH_BALL_LEVEL, PH_BALL_MOMENTUM("z", "e3", "e3")},
    PH_BALL_STARTS};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_belt_ball = {
    .name = "belt-ball",
    .summary = "ball that rolls on a moving belt",
    .reference = "Fasso, Sansonetto, J. Nonlinear Sci. 26 (2016) 519",
    PH_MODEL_HERE,
};
