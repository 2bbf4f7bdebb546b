/* SPDX-License-Identifier: BSD-3-Clause */
/* The knife edge: a blade at the centre of mass, on an incline (skate.h). */
#include "skate.h"

static const ph_parameter parameters[PH_SKATE_PARAMETERS] = {
    PH_SKATE_ROWS, [PH_SKATE_LAST] = {"pull",
                                      PH_PARAMETER_NUMBER,
                                      "m/s^2",
                                      -DBL_MAX,
                                      DBL_MAX,
                                      {4.905},
                                      "gravity along the incline, g sin(slope), towards e1"}};

enum { TURNING, STRAIGHT, PRESETS };

static const ph_preset presets[PRESETS] = {
    [TURNING] = {"turning", "at rest but for a turn of 1 rad/s, heading down the incline: a cycloid"},
    [STRAIGHT] = {"straight", "heading across the incline at 1 m/s, without a turn"}};

static ph_skate read(const ph_parameter_value *table)
{
    return (ph_skate){table[PH_SKATE_MASS].values[0], table[PH_SKATE_INERTIA].values[0], 0,
                      table[PH_SKATE_LAST].values[0]};
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    const ph_skate s = read(table);
    return ph_skate_build(&s, system, err);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double across = 1.5707963267948966192;
    const ph_skate s = read(table);
    (void)err;
    if (which == TURNING)
        ph_skate_start(&s, 0, 0, 1, z, zdot);
    else
        ph_skate_start(&s, across, 1, 0, z, zdot);
    return PH_OK;
}

const ph_model ph_model_knife_edge = {
    .name = "knife-edge",
    .summary = "blade through the centre of mass of a plane body on an incline",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    .parameters = parameters,
    .n_parameters = PH_SKATE_PARAMETERS,
    .presets = presets,
    .n_presets = PRESETS,
    .build = build,
    .preset = preset,
};
