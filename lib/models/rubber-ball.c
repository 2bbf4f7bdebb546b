/* SPDX-License-Identifier: BSD-3-Clause */
/* A rubber ball: of any inertia, it rolls and does not spin about the normal of the plane (ball.h). */
#include "ball.h"

static const ph_parameter parameters[PH_BALL_PARAMETERS] = {PH_BALL_ROWS};

static const ph_preset presets[] = {PH_BALL_PRESET_ROWS};

static ph_status read(const ph_parameter_value *table, ph_ball *ball, ph_error *err)
{
    ph_status status = ph_ball_read(table, ball, err);
    ball->spins = false;
    return status;
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    ph_ball ball;
    ph_status status = read(table, &ball, err);
    return status ? status : ph_ball_build(&ball, system, err);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_ball ball;
    ph_status status = read(table, &ball, err);
    if (!status)
        ph_ball_preset(&ball, which, z, zdot);
    return status;
}

const ph_model ph_model_rubber_ball = {
    .name = "rubber-ball",
    .summary = "ball of any inertia that rolls on a plane and does not spin about its normal",
    .reference = "Koiller, Ehlers, Regul. Chaotic Dyn. 12 (2007) 127",
    .parameters = parameters,
    .n_parameters = PH_BALL_PARAMETERS,
    .presets = presets,
    .n_presets = PH_BALL_PRESETS,
    .build = build,
    .preset = preset,
};
