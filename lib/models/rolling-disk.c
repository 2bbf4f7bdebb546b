/* SPDX-License-Identifier: BSD-3-Clause */
/* A thin disk that rolls and tilts on a horizontal plane (rolling.h), body e3 its axle. With th the angle of the axle
 * from upwards, Om its precession and n the angular velocity about it, it rolls steadily round a circle where
 *     (C + m a^2) n Om sin th = A Om^2 sin th cos th - m g a cos th.
 * (Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972.) */
#include "body.h"
#include "rolling.h"

enum { MASS, RADIUS, DIAMETRAL, AXIAL, GRAVITY };

static const ph_parameter parameters[] = {
    [MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 15, "mass of the disk"),
    [RADIUS] = PH_NUMBER("radius", "m", PH_POSITIVE, 1, "radius of the disk"),
    [DIAMETRAL] = PH_NUMBER("diametral", "kg m^2", PH_POSITIVE, 3.75, "moment of inertia about a diameter"),
    [AXIAL] = PH_NUMBER("axial", "kg m^2", PH_POSITIVE, 7.5, "moment of inertia about the axle"),
    [GRAVITY] = PH_NUMBER("gravity", "m/s^2", PH_ANY, 9.81, "acceleration of gravity, downwards"),
};

enum { CIRCLE, WOBBLING, STRAIGHT };

static const ph_preset presets[] = {
    [CIRCLE] = {"circle", "axle 60 degrees from upwards, precession -1.7 rad/s, steady"},
    [WOBBLING] = {"wobbling",
                  "near that: turned by 0.4 rad, body angular velocity (0.35, -1.47224, 2) rad/s"},
    [STRAIGHT] = {"straight", "upright along -e2, rolling at 3 rad/s"}};

static ph_status read(const ph_model_table *table, ph_rolling *body, ph_error *err)
{
    const double A = ph_number(table, DIAMETRAL), C = ph_number(table, AXIAL), r = ph_number(table, RADIUS),
                 moments[3] = {A, A, C};
    *body =
        (ph_rolling){.mass = ph_number(table, MASS), .axes = {r, r, 0}, .gravity = ph_number(table, GRAVITY)};
    return ph_body_tensor(moments, NULL, body->J, err);
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_rolling body;
    ph_status status = read(table, &body, err);
    return status ? status : ph_rolling_build(&body, system, err);
}

/* R = R_z(phi) R_x(th), where gamma = (0, sin th, cos th). */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double sixty = 1.0471975511965977462, upright = 1.5707963267948966192, origin[2] = {0, 0};
    const double th = which == STRAIGHT ? upright : sixty, phi = which == WOBBLING ? 0.4 : 0, Om = -1.7;
    const double turn[3] = {0, 0, phi}, tilt[3] = {th, 0, 0};
    ph_rolling body;
    ph_status status = read(table, &body, err);
    if (status)
        return status;
    double about[9], across[9], R[9], Omega[3] = {0, Om * sin(th), 2};
    ph_exp3(turn, about);
    ph_exp3(tilt, across);
    ph_multiply3(about, across, R);
    ph_rotation_correct3(R);
    const double A = body.J[0], C = body.J[8], m = body.mass, a = body.axes[0];
    if (which == CIRCLE)
        Omega[2] = (A * Om * Om * sin(th) * cos(th) - m * body.gravity * a * cos(th)) /
                   ((C + m * a * a) * Om * sin(th));
    else if (which == WOBBLING)
        Omega[0] = 0.35;
    else
        Omega[1] = 0, Omega[2] = 3;
    ph_rolling_start(&body, origin, R, Omega, z, zdot);
    return PH_OK;
}

const ph_model ph_model_rolling_disk = {
    .name = "rolling-disk",
    .summary = "thin disk that rolls and tilts on a plane",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972; "
                 "Borisov, Mamaev, Regul. Chaotic Dyn. 7 (2002) 177",
    PH_MODEL_HERE,
};
