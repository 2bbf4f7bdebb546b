/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of `initial` in other coordinates than those of the space: rotations by quaternion, axis and angle or
 * Euler angles, points of a sphere or circle by angles, and the rates of Euler angles. Angles are in rad, or in degrees as 90 deg. */
#include "parts.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

enum { QUATERNION, AXIS, ANGLE, EULER, SPIN_STATE, THETA, PHI, KEYS };
static const ph_scenario_key keys[KEYS] = {
    [QUATERNION] = {"quaternion", "`[w, x, y, z]`", "a matrix",
                    "SO(3): a unit quaternion, body to space; a list of four numbers means the same."},
    [AXIS] = {"axis", "`[x, y, z]`", "a matrix", "SO(3): a turn about this axis, of any length, by `angle`."},
    [ANGLE] = {"angle", "an angle in rad, or as 90 deg", "`[x, y]`",
               "SO(3): with `axis`. S¹: counterclockwise from the first axis, q = (cos, sin)."},
    [EULER] =
        {"euler", "`[phi, theta, psi]` in rad, or each as 90 deg", "a matrix",
         "SO(3): Euler angles z-x-z of precession, nutation and spin, R = R_z(phi) R_x(theta) R_z(psi)."},
    [SPIN_STATE] = {"spin-state", "a map", "a matrix",
                    "SO(3): of an asteroid, as DAMIT has it: `spin-state` below."},
    [THETA] =
        {"theta", "an angle in rad, or as 90 deg", "`[x, y, z]`",
         "S², a spin: from the third axis, with `phi`: q = (sin theta cos phi, sin theta sin phi, cos theta)."},
    [PHI] = {"phi", "an angle in rad, or as 90 deg", "`[x, y, z]`",
             "S², a spin: about the third axis, from the first."}};
const ph_scenario_map ph_entry_keys = {"initial.q[i]", keys, KEYS};

/* How far |quaternion| may be from 1. */
static const double admitted = 1e-12;

ph_status ph_read_angle(const ph_node *at, double *angle, ph_error *err)
{
    static const char *const expected = "an angle in rad, or 90 deg,";
    const char *text = "";
    char number[64];
    ph_status status = ph_node_text(at, expected, &text, err);
    const char *unit = strstr(text, " deg");
    if (status || !unit || unit[4] || (size_t)(unit - text) >= sizeof number)
        return status ? status : ph_node_number(at, expected, angle, err);
    snprintf(number, sizeof number, "%.*s", (int)(unit - text), text);
    if (ph_parse_number(number, angle))
        return ph_node_fail(at, err, PH_E_PARSE, "is \"%.40s\"; %s is expected", text, expected);
    *angle *= PI / 180;
    return PH_OK;
}

/* ---- Rotations ------------------------------------------------------------------------------------ */

/* R <- the rotation of a unit quaternion (w, x, y, z), body to space. */
static void turn_by_quaternion(const double c[4], double R[9])
{
    const double w = c[0], x = c[1], y = c[2], z = c[3];
    const double rows[9] = {
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
        2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
    memcpy(R, rows, sizeof rows);
}

static ph_status read_quaternion(const ph_node *at, bool project, double R[9], ph_error *err)
{
    double c[4];
    ph_status status = ph_node_numbers(at, "a quaternion, a list of 4 numbers", c, 4, err);
    if (status)
        return status;
    const double most = fmax(fmax(fabs(c[0]), fabs(c[1])), fmax(fabs(c[2]), fabs(c[3])));
    double square = 0;
    for (int i = 0; i < 4 && most > 0; i++)
        square += (c[i] / most) * (c[i] / most);
    const double length = most * sqrt(square);
    if (!(length > 0))
        return ph_node_fail(at, err, PH_E_NOT_ON_MANIFOLD, "is zero; a quaternion of length 1 is expected");
    if (fabs(length - 1) > admitted && !project)
        return ph_node_fail(
            at, err, PH_E_NOT_ON_MANIFOLD,
            "has the length %.15g; a quaternion of length 1 is expected, as [%.17g, %.17g, %.17g, "
            "%.17g]: write that, or \"project: true\" under \"initial\"",
            length, c[0] / length, c[1] / length, c[2] / length, c[3] / length);
    for (int i = 0; i < 4; i++)
        c[i] /= length;
    turn_by_quaternion(c, R);
    return PH_OK;
}

ph_status ph_read_turn(const ph_node *at, double R[9], ph_error *err)
{
    return read_quaternion(at, true, R, err);
}

static ph_status read_axis(const ph_node *axis, const ph_node *angle, double R[9], ph_error *err)
{
    double a[3], turn = 0;
    ph_status status = ph_node_numbers(axis, "an axis, a list of 3 numbers,", a, 3, err);
    if (!status)
        status = ph_read_angle(angle, &turn, err);
    if (status)
        return status;
    const double most = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
    if (!(most > 0))
        return ph_node_fail(axis, err, PH_E_RANGE, "is zero; an axis that is not zero is expected");
    const double x = a[0] / most, y = a[1] / most, z = a[2] / most, length = sqrt(x * x + y * y + z * z);
    const double s = ph_sin(turn / 2) / length, c[4] = {ph_cos(turn / 2), s * x, s * y, s * z};
    turn_by_quaternion(c, R);
    return PH_OK;
}

static ph_status read_euler_angles(const ph_node *at, double e[3], ph_error *err)
{
    static const char *const expected = "the Euler angles [phi, theta, psi] in rad, or each as 90 deg,";
    size_t n = 0;
    ph_status status = ph_node_list(at, expected, &n, err);
    if (!status && n != 3)
        status = ph_node_fail(at, err, PH_E_SIZE, "has %zu entries; %s are expected", n, expected);
    for (size_t i = 0; i < 3 && !status; i++) {
        const ph_node angle = ph_node_item(at, i);
        status = ph_read_angle(&angle, &e[i], err);
    }
    return status;
}

/* R = R_z(phi) R_x(theta) R_z(psi) (Goldstein, Classical Mechanics, section 4.4, as body to space). */
static ph_status read_euler(const ph_node *at, double R[9], ph_error *err)
{
    double e[3];
    ph_status status = read_euler_angles(at, e, err);
    if (status)
        return status;
    const double cf = ph_cos(e[0]), sf = ph_sin(e[0]), ct = ph_cos(e[1]), st = ph_sin(e[1]),
                 cp = ph_cos(e[2]), sp = ph_sin(e[2]);
    const double rows[9] = {cf * cp - sf * ct * sp,
                            -cf * sp - sf * ct * cp,
                            sf * st,
                            sf * cp + cf * ct * sp,
                            -sf * sp + cf * ct * cp,
                            -cf * st,
                            st * sp,
                            st * cp,
                            ct};
    memcpy(R, rows, sizeof rows);
    return PH_OK;
}

/* ---- Entries of q ----------------------------------------------------------------------------------- */

/* Which keys belong to a kind of factor, and how an entry with them looks. */
static ph_status refuse_entry(const ph_node *at, ph_factor_kind kind, ph_error *err)
{
    static const char *const examples[] = {
        [PH_FACTOR_S2] = "{theta: 0.5, phi: 0} in rad, or a vector [x, y, z]",
        [PH_FACTOR_SPIN] = "{theta: 0.5, phi: 0} in rad, or a vector [x, y, z]",
        [PH_FACTOR_S1] = "{angle: 0.5} in rad, or a vector [x, y]",
        [PH_FACTOR_SO3] = "one of {quaternion: [w, x, y, z]}, {axis: [x, y, z], angle: 0.5} and "
                          "{euler: [phi, theta, psi]} in rad, {spin-state: {...}}, or a matrix"};
    const bool known = kind < sizeof examples / sizeof examples[0] && examples[kind];
    return ph_node_fail(at, err, PH_E_PARSE, "does not say what this factor is; %s is expected",
                        known ? examples[kind] : "a list of numbers");
}

static ph_status read_rotation(const ph_node *at, const ph_node *values, bool project, double R[9],
                               ph_error *err)
{
    const bool turned = values[AXIS].node && values[ANGLE].node;
    double omega[3];
    const int ways = !!values[QUATERNION].node + (values[AXIS].node || values[ANGLE].node) +
                     !!values[EULER].node + !!values[SPIN_STATE].node;
    if (ways != 1 || values[THETA].node || values[PHI].node ||
        (!turned && (values[AXIS].node || values[ANGLE].node)))
        return refuse_entry(at, PH_FACTOR_SO3, err);
    if (values[QUATERNION].node)
        return read_quaternion(&values[QUATERNION], project, R, err);
    if (values[SPIN_STATE].node)
        return ph_read_spin_state(&values[SPIN_STATE], R, omega, err);
    return turned ? read_axis(&values[AXIS], &values[ANGLE], R, err) : read_euler(&values[EULER], R, err);
}

static size_t count_given(const ph_node *values)
{
    size_t n = 0;
    for (size_t i = 0; i < KEYS; i++)
        n += values[i].node != NULL;
    return n;
}

bool ph_is_quaternion(const ph_node *at, ph_factor_kind kind)
{
    size_t n;
    return kind == PH_FACTOR_SO3 && ph_node_is_list(at) && !ph_node_list(at, "", &n, NULL) && n == 4;
}

ph_status ph_read_entry(const ph_node *at, ph_factor_kind kind, bool project, double *q, ph_error *err)
{
    ph_node values[KEYS];
    double theta = 0, phi = 0;
    if (ph_is_quaternion(at, kind))
        return read_quaternion(at, project, q, err);
    ph_status status = ph_node_keys(at, "a list of numbers or a map of angles", &ph_entry_keys, values, err);
    if (status)
        return status;
    const size_t given = count_given(values);
    if (kind == PH_FACTOR_SO3)
        return read_rotation(at, values, project, q, err);
    if (kind == PH_FACTOR_S1 && given == 1 && values[ANGLE].node) {
        status = ph_read_angle(&values[ANGLE], &phi, err);
        q[0] = ph_cos(phi);
        q[1] = ph_sin(phi);
        return status;
    }
    if ((kind != PH_FACTOR_S2 && kind != PH_FACTOR_SPIN) || given != 2 || !values[THETA].node ||
        !values[PHI].node)
        return refuse_entry(at, kind, err);
    status = ph_read_angle(&values[THETA], &theta, err);
    if (!status)
        status = ph_read_angle(&values[PHI], &phi, err);
    q[0] = ph_sin(theta) * ph_cos(phi);
    q[1] = ph_sin(theta) * ph_sin(phi);
    q[2] = ph_cos(theta);
    return status;
}

/* ---- Entries of omega --------------------------------------------------------------------------------- */

static const ph_scenario_key rate_keys[] = {
    {"euler-rates", "`[phi', theta', psi']` in rad/s", "`[x, y, z]`",
     "SO(3): the rates of the Euler angles that the entry of `q` gives."}};
const ph_scenario_map ph_rate_keys = {"initial.omega[i]", rate_keys, 1};

bool ph_is_word(const ph_node *entry, const char *word)
{
    const char *text = NULL;
    return ph_node_is_scalar(entry) && !ph_node_text(entry, "", &text, NULL) && !strcmp(text, word);
}

ph_status ph_read_rates(const ph_node *at, const ph_node *position, ph_factor_kind kind, double *omega,
                        ph_error *err)
{
    ph_node rates = {.node = NULL}, values[KEYS];
    double e[3], r[3], R[9];
    const bool spin = ph_is_word(at, "spin-state");
    ph_status status =
        spin ? PH_OK
             : ph_node_keys(at, "a list of numbers or {euler-rates: [...]}", &ph_rate_keys, &rates, err);
    if (status)
        return status;
    const bool known = kind == PH_FACTOR_SO3 && ph_node_is_map(position) &&
                       !ph_node_keys(position, "", &ph_entry_keys, values, NULL);
    if (!known || (spin ? !values[SPIN_STATE].node : !rates.node || !values[EULER].node))
        return ph_node_fail(
            at, err, PH_E_PARSE,
            "has no meaning here; a list of numbers is expected, or {euler-rates: [phi', theta', "
            "psi']} where \"q\" gives the Euler angles of a rotation, or spin-state where it gives one");
    if (spin)
        return ph_read_spin_state(&values[SPIN_STATE], R, omega, err);
    status = read_euler_angles(&values[EULER], e, err);
    if (!status)
        status = ph_node_numbers(&rates, "the rates [phi', theta', psi'] in rad/s", r, 3, err);
    if (status)
        return status;
    omega[0] = r[0] * ph_sin(e[1]) * ph_sin(e[2]) + r[1] * ph_cos(e[2]);
    omega[1] = r[0] * ph_sin(e[1]) * ph_cos(e[2]) - r[1] * ph_sin(e[2]);
    omega[2] = r[0] * ph_cos(e[1]) + r[2];
    return PH_OK;
}
