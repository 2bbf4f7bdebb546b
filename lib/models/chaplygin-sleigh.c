/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin's sleigh: a blade behind the centre of mass, on a level plane (skate.h). */
#include "skate.h"

static const ph_parameter parameters[] = {
    PH_SKATE_ROWS,
    PH_NUMBER("ahead", "m", PH_ANY, 0.3, "distance a of the centre of mass ahead of the blade"),
};

static const ph_preset presets[] = {
    {"turning", "backwards at 0.4 m/s, turning at 0.9 rad/s, heading 0.2 rad from e1"},
    {"straight", "forwards along e1 at 1 m/s, turning at 0.001 rad/s: stable"},
};

const ph_model ph_model_chaplygin_sleigh = {
    .name = "chaplygin-sleigh",
    .summary = "plane body on a blade that does not slide sideways",
    .reference =
        "Chaplygin, Mat. Sb. 28 (1911) 303; Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    .variant = PH_SKATE_SLEIGH,
    PH_SKATE_HERE,
};
