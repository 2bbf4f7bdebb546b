/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball on a turning table, level or tilted (ball.h). A homogeneous one with J = k m r^2 goes round in circles at
 * W k/(1 + k) on a level table: 2/7 W where it is solid. */
#include "ball.h"

enum { TURN = PH_BALL_PARAMETERS, PULL, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    PH_BALL_ROWS,
    [TURN] = {"turn",
              PH_PARAMETER_NUMBER,
              "rad/s",
              -DBL_MAX,
              DBL_MAX,
              {0.8},
              "rate W of the table about its normal e3"},
    [PULL] = {"pull",
              PH_PARAMETER_VECTOR,
              "m/s^2",
              -DBL_MAX,
              DBL_MAX,
              {0, 0, 0},
              "gravity along the table; its third component has no effect"},
};

static const ph_preset presets[] = {PH_BALL_PRESET_ROWS};

static ph_status read(const ph_parameter_value *table, ph_ball *ball, ph_error *err)
{
    ph_status status = ph_ball_read(table, ball, err);
    ball->turn = table[TURN].values[0];
    ball->pull[0] = table[PULL].values[0];
    ball->pull[1] = table[PULL].values[1];
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

const ph_model ph_model_turntable_ball = {
    .name = "turntable-ball",
    .summary = "ball that rolls on a turning table, level or tilted",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = PH_BALL_PRESETS,
    .build = build,
    .preset = preset,
};
