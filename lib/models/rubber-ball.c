/* SPDX-License-Identifier: BSD-3-Clause */
/* A rubber ball: of any inertia, it rolls and does not spin about the normal of the plane (ball.h). */
#include "ball.h"

static const ph_parameter parameters[] = {PH_BALL_ROWS};

const ph_model ph_model_rubber_ball = {
    .name = "rubber-ball",
    .summary = "ball of any inertia that rolls on a plane and does not spin about its normal",
    .reference = "Koiller, Ehlers, Regul. Chaotic Dyn. 12 (2007) 127",
    .variant = PH_BALL_RUBBER,
    PH_BALL_HERE,
};
