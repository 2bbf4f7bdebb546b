/* SPDX-License-Identifier: BSD-3-Clause */
/* Veselova's problem (held.h): a body that may not turn about the vertical, omega . e3 = 0. The horizontal components of
 * R J Omega are conserved. */
#include "held.h"

static const ph_parameter parameters[] = {PH_HELD_ROWS(0.8, 1.1, 1.3, 0.07, -0.1, 0.05)};

static const ph_preset presets[] = {
    {"turning",
     "R = exp S(0.3, -0.5, 0.8), body angular velocity (0.9, -0.4, 1.1) rad/s without its vertical part"}};

/* Row 3 of R is the vertical in the body frame. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double turned[3] = {0.3, -0.5, 0.8};
    double omega[3] = {0.9, -0.4, 1.1};
    (void)table, (void)which, (void)err;
    ph_exp3(turned, z);
    ph_rotation_correct3(z);
    const double spin = ph_dot3(omega, z + 6);
    for (int k = 0; k < 3; k++)
        omega[k] -= spin * z[6 + k];
    ph_body_turn(z, omega, zdot);
    return PH_OK;
}

const ph_model ph_model_veselova = {
    .name = "veselova",
    .summary = "body with a fixed point that may not turn about the vertical",
    .reference = "Veselov, Veselova, Math. Notes 44 (1988) 810",
    .variant = PH_HELD_IN_SPACE,
    PH_MODEL_OF(presets, ph_held_build, preset),
};
