/* SPDX-License-Identifier: BSD-3-Clause */
/* initial.q[i].spin-state: the attitude of an asteroid that turns steadily, by the numbers that catalogues have, in their units:
 *
 *     r_ecl = R_z(lambda) R_y(90 deg - beta) R_z(phi0 + 360 deg (t - t0)/P) r_ast
 *
 * (Kaasalainen, Torppa, Muinonen, Icarus 153 (2001) 37; Durech, Sidorin, Kaasalainen, A&A 513 (2010) A46). */
#include "parts.h"

#include <polhode/kit/elementary.h>

#include <math.h>
#include <string.h>

enum { LAMBDA, BETA, PERIOD, PHI0, T0, T, KEYS };
static const ph_scenario_key keys[KEYS] = {
    [LAMBDA] = {"lambda", "degrees", NULL, "Ecliptic longitude of the pole."},
    [BETA] = {"beta", "degrees, −90 to 90", NULL, "Ecliptic latitude of the pole."},
    [PERIOD] = {"period", "hours, > 0", NULL, "Sidereal period of the rotation."},
    [PHI0] = {"phi0", "degrees", "0", "The angle of rotation at `t0`."},
    [T0] = {"t0", "a Julian date in days", "`t`", "When the angle of rotation is `phi0`."},
    [T] = {"t", "a Julian date in days", "`t0`", "When the run begins."}};
const ph_scenario_map ph_spin_state_keys = {"initial.q[i].spin-state", keys, KEYS};

/* numbers (KEYS) <- checked, with their defaults. */
static ph_status read_numbers(const ph_node *at, double *numbers, ph_error *err)
{
    static const char *const expected[KEYS] = {
        "an angle in degrees",      "an angle in degrees from -90 to 90",
        "a positive time in hours", "an angle in degrees",
        "a Julian date in days",    "a Julian date in days"};
    ph_node values[KEYS];
    ph_status status = ph_node_keys(at, "a map, as in {lambda: 137, beta: -58, period: 8},",
                                    &ph_spin_state_keys, values, err);
    for (size_t k = 0; k < KEYS && !status; k++) {
        numbers[k] = 0;
        if (values[k].node)
            status = ph_node_number(&values[k], expected[k], &numbers[k], err);
        else if (k <= PERIOD)
            status =
                ph_node_fail(at, err, PH_E_PARSE, "has no \"%s\"; %s is expected", keys[k].name, expected[k]);
    }
    if (!status && !(fabs(numbers[BETA]) <= 90))
        status = ph_node_fail(&values[BETA], err, PH_E_RANGE, "is %.10g; %s is expected", numbers[BETA],
                              expected[BETA]);
    if (!status && !(numbers[PERIOD] > 0))
        status = ph_node_fail(&values[PERIOD], err, PH_E_RANGE, "is %.10g; %s is expected", numbers[PERIOD],
                              expected[PERIOD]);
    if (!values[T].node || !values[T0].node)
        numbers[T] = numbers[T0] = 0;
    return status;
}

ph_status ph_read_spin_state(const ph_node *at, double R[9], double omega[3], ph_error *err)
{
    static const double degree = 3.14159265358979323846 / 180;
    double v[KEYS];
    ph_status status = read_numbers(at, v, err);
    if (status)
        return status;
    const double turns = (v[T] - v[T0]) * 24 / v[PERIOD];
    const double angle = degree * (v[PHI0] + 360 * (turns - floor(turns)));
    const double cl = ph_cos(degree * v[LAMBDA]), sl = ph_sin(degree * v[LAMBDA]),
                 cb = ph_cos(degree * (90 - v[BETA])), sb = ph_sin(degree * (90 - v[BETA])),
                 ca = ph_cos(angle), sa = ph_sin(angle);
    const double rows[9] = {cl * cb * ca - sl * sa,
                            -cl * cb * sa - sl * ca,
                            cl * sb,
                            sl * cb * ca + cl * sa,
                            -sl * cb * sa + cl * ca,
                            sl * sb,
                            -sb * ca,
                            sb * sa,
                            cb};
    memcpy(R, rows, sizeof rows);
    omega[0] = omega[1] = 0;
    omega[2] = 360 * degree / (3600 * v[PERIOD]);
    return PH_OK;
}
