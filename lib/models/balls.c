/* SPDX-License-Identifier: BSD-3-Clause */
/* The four balls of the catalogue (ball.h): Chaplygin's, of any inertia on a plane at rest; a rubber ball, which does
 * not spin about the normal of the plane; a ball on a turntable, level or tilted; and one on a belt. A homogeneous
 * ball on a level turntable goes round in circles at W k/(1 + k), with J = k m r^2 (2/7 W of a solid one). */
#include "ball.h"

enum { TURN = PH_BALL_PARAMETERS, PULL, TURNTABLE_PARAMETERS };
enum { BELT = PH_BALL_PARAMETERS, BELT_PARAMETERS };

static const ph_parameter plain[PH_BALL_PARAMETERS] = {PH_BALL_ROWS};

static const ph_parameter on_turntable[TURNTABLE_PARAMETERS] = {
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

static const ph_parameter on_belt[BELT_PARAMETERS] = {
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

static ph_status read_rubber(const ph_parameter_value *table, ph_ball *ball, ph_error *err)
{
    ph_status status = ph_ball_read(table, ball, err);
    ball->spins = false;
    return status;
}

static ph_status read_turntable(const ph_parameter_value *table, ph_ball *ball, ph_error *err)
{
    ph_status status = ph_ball_read(table, ball, err);
    ball->turn = table[TURN].values[0];
    ball->pull[0] = table[PULL].values[0];
    ball->pull[1] = table[PULL].values[1];
    return status;
}

static ph_status read_belt(const ph_parameter_value *table, ph_ball *ball, ph_error *err)
{
    ph_status status = ph_ball_read(table, ball, err);
    ball->belt[0] = table[BELT].values[0];
    ball->belt[1] = table[BELT].values[1];
    return status;
}

/* What ph_model wants of each of them. */
#define BALL(id, read)                                                                                       \
    static ph_status build_##id(const ph_parameter_value *table, ph_system **system, ph_error *err)          \
    {                                                                                                        \
        ph_ball ball;                                                                                        \
        ph_status status = read(table, &ball, err);                                                          \
        return status ? status : ph_ball_build(&ball, system, err);                                          \
    }                                                                                                        \
    static ph_status preset_##id(const ph_parameter_value *table, size_t which, double *z, double *zdot,     \
                                 ph_error *err)                                                              \
    {                                                                                                        \
        ph_ball ball;                                                                                        \
        ph_status status = read(table, &ball, err);                                                          \
        if (!status)                                                                                         \
            ph_ball_preset(&ball, which, z, zdot);                                                           \
        return status;                                                                                       \
    }

BALL(chaplygin, ph_ball_read)
BALL(rubber, read_rubber)
BALL(turntable, read_turntable)
BALL(belt, read_belt)

const ph_model ph_model_chaplygin_ball = {
    .name = "chaplygin-ball",
    .summary = "balanced ball of any inertia that rolls on a plane",
    .reference = "Chaplygin, Mat. Sb. 24 (1903) 139; Regul. Chaotic Dyn. 7 (2002) 131",
    .parameters = plain,
    .n_parameters = PH_BALL_PARAMETERS,
    .presets = presets,
    .n_presets = PH_BALL_PRESETS,
    .build = build_chaplygin,
    .preset = preset_chaplygin,
};

const ph_model ph_model_rubber_ball = {
    .name = "rubber-ball",
    .summary = "ball of any inertia that rolls on a plane and does not spin about its normal",
    .reference = "Koiller, Ehlers, Regul. Chaotic Dyn. 12 (2007) 127",
    .parameters = plain,
    .n_parameters = PH_BALL_PARAMETERS,
    .presets = presets,
    .n_presets = PH_BALL_PRESETS,
    .build = build_rubber,
    .preset = preset_rubber,
};

const ph_model ph_model_turntable_ball = {
    .name = "turntable-ball",
    .summary = "ball that rolls on a turning table, level or tilted",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    .parameters = on_turntable,
    .n_parameters = TURNTABLE_PARAMETERS,
    .presets = presets,
    .n_presets = PH_BALL_PRESETS,
    .build = build_turntable,
    .preset = preset_turntable,
};

const ph_model ph_model_belt_ball = {
    .name = "belt-ball",
    .summary = "ball that rolls on a moving belt",
    .reference = "Fasso, Sansonetto, J. Nonlinear Sci. 26 (2016) 519",
    .parameters = on_belt,
    .n_parameters = BELT_PARAMETERS,
    .presets = presets,
    .n_presets = PH_BALL_PRESETS,
    .build = build_belt,
    .preset = preset_belt,
};
