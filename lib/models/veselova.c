/* SPDX-License-Identifier: BSD-3-Clause */
/* Veselova's problem (held.h): the vertical e3, about which the body may not turn, e3 . omega = 0, as a row on Rdot
 *     e3 . omega = (1/2) tr((S(e3) R)^T Rdot).
 * Turns about horizontal axes fulfil it: the horizontal components of R J Omega are conserved. */
#include "held.h"

#include <polhode/algebra.h>

#include <string.h>

static const ph_parameter parameters[PH_HELD_PARAMETERS] = {PH_HELD_ROWS(0.8, 1.1, 1.3, 0.07, -0.1, 0.05)};

static const ph_preset presets[] = {
    {"turning",
     "R = exp S(0.3, -0.5, 0.8), body angular velocity (0.9, -0.4, 1.1) rad/s without its vertical part"}};

/* row (9) <- (1/2) S(e3) B: on Rdot with B = R the vertical component of omega. */
static void row_of_space(const double *B, double *row)
{
    for (int k = 0; k < 3; k++) {
        row[k] = -0.5 * B[3 + k];
        row[3 + k] = 0.5 * B[k];
        row[6 + k] = 0;
    }
}

static ph_status veselova(void *user, double t, const double *z, double *A, double *b)
{
    (void)user, (void)t, (void)b;
    row_of_space(z, A);
    return PH_OK;
}

static ph_status veselova_along(void *user, double t, const double *z, const double *zdot, double dt,
                                const double *dz, double *rate)
{
    double row[9];
    (void)user, (void)t, (void)z, (void)dt;
    row_of_space(dz, row);
    rate[0] = ph_dot(row, zdot, 9);
    return PH_OK;
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    static const ph_symmetry horizontal[] = {
        {"Jx", "angular momentum along e1", "kg m^2/s", {1, 0, 0}, NULL},
        {"Jy", "angular momentum along e2", "kg m^2/s", {0, 1, 0}, NULL}};
    return ph_held_build(table, veselova, veselova_along, horizontal, 2, system, err);
}

/* Row 3 of R is the vertical in the body frame. */
static ph_status start(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
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
    .parameters = parameters,
    .n_parameters = PH_HELD_PARAMETERS,
    .presets = presets,
    .n_presets = 1,
    .build = build,
    .preset = start,
};
