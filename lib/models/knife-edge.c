/* SPDX-License-Identifier: BSD-3-Clause */
/* The knife edge: a blade at the centre of mass, on an incline (skate.h). */
#include "skate.h"

static const ph_parameter parameters[] = {
    PH_SKATE_ROWS,
    PH_NUMBER("pull", "m/s^2", PH_ANY, 4.905, "gravity along the incline, g sin(slope), towards e1"),
};

static const ph_preset presets[] = {
    {"turning", "at rest but for a turn of 1 rad/s, heading down the incline: a cycloid"},
    {"straight", "heading across the incline at 1 m/s, without a turn"},
};

const ph_model ph_model_knife_edge = {
    .name = "knife-edge",
    .summary = "blade through the centre of mass of a plane body on an incline",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    .variant = PH_SKATE_EDGE,
    PH_SKATE_HERE,
};
