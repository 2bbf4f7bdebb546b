/* SPDX-License-Identifier: BSD-3-Clause */
/* Suslov's problem (held.h): the axis k = e3 of the body, about which it may not turn, Omega . k = 0, as a row on Rdot
 *     k . Omega = (1/2) tr((R S(k))^T Rdot). */
#include "held.h"

#include <polhode/vector.h>

#include <string.h>

static const ph_parameter parameters[PH_HELD_PARAMETERS] = {PH_HELD_ROWS(1, 1.6, 2, 0.2, 0.3, 0)};

static const ph_preset presets[] = {{"turning", "R = I, body angular velocity (0.8, -0.5, 0) rad/s"}};

/* row (9) <- (1/2) B S(e3): on Rdot with B = R the component of Omega. */
static void row_of_body(const double *B, double *row)
{
    for (int i = 0; i < 9; i += 3) {
        row[i] = 0.5 * B[i + 1];
        row[i + 1] = -0.5 * B[i];
        row[i + 2] = 0;
    }
}

static ph_status suslov(void *user, double t, const double *z, double *A, double *b)
{
    (void)user, (void)t, (void)b;
    row_of_body(z, A);
    return PH_OK;
}

static ph_status suslov_along(void *user, double t, const double *z, const double *zdot, double dt,
                              const double *dz, double *rate)
{
    double row[9];
    (void)user, (void)t, (void)z, (void)dt;
    row_of_body(dz, row);
    rate[0] = ph_dot(row, zdot, 9);
    return PH_OK;
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    return ph_held_build(table, suslov, suslov_along, NULL, 0, system, err);
}

static ph_status start(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
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
    .parameters = parameters,
    .n_parameters = PH_HELD_PARAMETERS,
    .presets = presets,
    .n_presets = 1,
    .build = build,
    .preset = start,
};
