/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball on a turning table, level or tilted (ball.h). A homogeneous one with J = k m r^2 goes round in circles at
 * W k/(1 + k) on a level table: 2/7 W where it is solid. */
#include "ball.h"

static const ph_parameter parameters[] = {
    PH_BALL_ROWS,
    PH_NUMBER("turn", "rad/s", PH_ANY, 0.8, "rate W of the table about its normal e3"),
    PH_VECTOR("pull", "m/s^2", PH_ANY, 0, 0, 0, "gravity along the table; its third component has no effect"),
};

const ph_model ph_model_turntable_ball = {
    .name = "turntable-ball",
    .summary = "ball that rolls on a turning table, level or tilted",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    .variant = PH_BALL_TURNTABLE,
    PH_BALL_HERE,
};
