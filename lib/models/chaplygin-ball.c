/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin's ball: balanced, of any inertia, on a plane at rest (ball.h). */
#include "ball.h"

static const ph_parameter parameters[PH_BALL_PARAMETERS] = {PH_BALL_ROWS};

static const ph_preset presets[] = {PH_BALL_PRESET_ROWS};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    ph_ball ball;
    ph_status status = ph_ball_read(table, &ball, err);
    return status ? status : ph_ball_build(&ball, system, err);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_ball ball;
    ph_status status = ph_ball_read(table, &ball, err);
    if (!status)
        ph_ball_preset(&ball, which, z, zdot);
    return status;
}

const ph_model ph_model_chaplygin_ball = {
    .name = "chaplygin-ball",
    .summary = "balanced ball of any inertia that rolls on a plane",
    .reference = "Chaplygin, Mat. Sb. 24 (1903) 139; Regul. Chaotic Dyn. 7 (2002) 131",
    .parameters = parameters,
    .n_parameters = PH_BALL_PARAMETERS,
    .presets = presets,
    .n_presets = PH_BALL_PRESETS,
    .build = build,
    .preset = preset,
};
