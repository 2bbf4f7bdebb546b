/* SPDX-License-Identifier: BSD-3-Clause */
/* Suslov's problem (held.h): a body that may not turn about an axis of its own, Omega . e3 = 0. */
#include "held.h"

static const ph_parameter parameters[] = {PH_HELD_ROWS(1, 1.6, 2, 0.2, 0.3, 0)};

static const ph_preset presets[] = {{"turning", "R = I, body angular velocity (0.8, -0.5, 0) rad/s"}};

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, omega[3] = {0.8, -0.5, 0};
    (void)table, (void)which, (void)err;
    memcpy(z, identity, sizeof identity);
    ph_body_turn(z, omega, zdot);
    return PH_OK;
}

const ph_model ph_model_suslov = {
    .name = "suslov",
    .summary = "body with a fixed point that may not turn about an axis of its own",
    .reference = "Suslov, Theoretical Mechanics, 1946; Fedorov, Zenkov, Nonlinearity 18 (2005) 2211",
    .variant = PH_HELD_IN_BODY,
    PH_MODEL_OF(presets, ph_held_build, preset),
};
