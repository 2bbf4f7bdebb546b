/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball on a turning table, level or tilted (ball.h). A homogeneous one with J = k m r^2 goes round in circles at
 * W k/(1 + k) on a level table: 2/7 W where it is solid. */
#include "ball.h"

static const ph_parameter parameters[] = {
    PH_BALL_ROWS,
    PH_NUMBER("turn", "rad/s", PH_ANY, 0.8, "rate W of the table about its normal e3"),
    PH_VECTOR("pull", "m/s^2", PH_ANY, 0, 0, 0, "gravity along the table; its third component has no effect"),
};

#define PULLED "norm([pull.x, pull.y])"
static const ph_text text = {
    PH_BALL_TEXT("turn*[-x.y, x.x]", PH_TEXT_PLANE("turntable", .when = "turn"),
                 PH_TEXT_PLANE("plane", .unless = "turn")),
    .potential = "-mass*(pull.x*x.x + pull.y*x.y)", .constraints = {"xdot = rolling"},
    .symmetries = {PH_BALL_MOMENTUM("x", "e1", "e1", .unless = PULLED),
                   PH_BALL_MOMENTUM("g", "gravity in the plane", "[pull.x, pull.y, 0]/norm([pull.x, pull.y])",
                                    .when = PULLED),
                   PH_BALL_MOMENTUM("y", "e2", "e2", .unless = PULLED), PH_BALL_MOMENTUM("z", "e3", "e3")},
    PH_BALL_STARTS};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_turntable_ball = {
    .name = "turntable-ball",
    .summary = "ball that rolls on a turning table, level or tilted",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    PH_MODEL_HERE,
};
