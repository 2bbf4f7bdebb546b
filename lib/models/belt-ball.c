/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball on a belt (ball.h): in the frame of the belt that of Chaplygin. */
#include "ball.h"

enum { BELT = PH_BALL_PARAMETERS, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    PH_BALL_ROWS,
    [BELT] = {"belt",
              PH_PARAMETER_VECTOR,
              "m/s",
              -DBL_MAX,
              DBL_MAX,
              {0.5, 0.2, 0},
              "velocity of the belt; its third component has no effect"},
};

static const ph_preset presets[] = {PH_BALL_PRESET_ROWS};

static ph_status read(const ph_parameter_value *table, ph_ball *ball, ph_error *err)
{
    ph_status status = ph_ball_read(table, ball, err);
    ball->belt[0] = table[BELT].values[0];
    ball->belt[1] = table[BELT].values[1];
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

const ph_model ph_model_belt_ball = {
    .name = "belt-ball",
    .summary = "ball that rolls on a moving belt",
    .reference = "Fasso, Sansonetto, J. Nonlinear Sci. 26 (2016) 519",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = PH_BALL_PRESETS,
    .build = build,
    .preset = preset,
};
