/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin's sleigh: a blade behind the centre of mass, on a level plane (skate.h). */
#include "skate.h"

static const ph_parameter parameters[PH_SKATE_PARAMETERS] = {
    PH_SKATE_ROWS, [PH_SKATE_LAST] = {"ahead",
                                      PH_PARAMETER_NUMBER,
                                      "m",
                                      -DBL_MAX,
                                      DBL_MAX,
                                      {0.3},
                                      "distance a of the centre of mass ahead of the blade"}};

enum { TURNING, STRAIGHT, PRESETS };

static const ph_preset presets[PRESETS] = {
    [TURNING] = {"turning", "backwards at 0.4 m/s, turning at 0.9 rad/s, heading 0.2 rad from e1"},
    [STRAIGHT] = {"straight", "forwards along e1 at 1 m/s, turning at 0.001 rad/s: stable"}};

static ph_skate read(const ph_parameter_value *table)
{
    return (ph_skate){table[PH_SKATE_MASS].values[0], table[PH_SKATE_INERTIA].values[0],
                      table[PH_SKATE_LAST].values[0], 0};
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    const ph_skate s = read(table);
    return ph_skate_build(&s, system, err);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    const ph_skate s = read(table);
    (void)err;
    if (which == TURNING)
        ph_skate_start(&s, 0.2, -0.4, 0.9, z, zdot);
    else
        ph_skate_start(&s, 0, 1, 0.001, z, zdot);
    return PH_OK;
}

const ph_model ph_model_chaplygin_sleigh = {
    .name = "chaplygin-sleigh",
    .summary = "plane body on a blade that does not slide sideways",
    .reference =
        "Chaplygin, Mat. Sb. 28 (1911) 303; Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    .parameters = parameters,
    .n_parameters = PH_SKATE_PARAMETERS,
    .presets = presets,
    .n_presets = PRESETS,
    .build = build,
    .preset = preset,
};
