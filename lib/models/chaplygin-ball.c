/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin's ball: balanced, of any inertia, on a plane at rest (ball.h). */
#include "ball.h"

static const ph_parameter parameters[] = {PH_BALL_ROWS};

const ph_model ph_model_chaplygin_ball = {
    .name = "chaplygin-ball",
    .summary = "balanced ball of any inertia that rolls on a plane",
    .reference = "Chaplygin, Mat. Sb. 24 (1903) 139; Regul. Chaotic Dyn. 7 (2002) 131",
    .variant = PH_BALL_CHAPLYGIN,
    PH_BALL_HERE,
};
