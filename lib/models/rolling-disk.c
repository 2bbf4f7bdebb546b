/* SPDX-License-Identifier: BSD-3-Clause */
/* A thin disk that rolls and tilts on a horizontal plane (rolling.h), body e3 its axle. With th the angle of the axle
 * from upwards, Om its precession and n the angular velocity about it, it rolls steadily round a circle where
 *     (C + m a^2) n Om sin th = A Om^2 sin th cos th - m g a cos th.
 * (Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972.) */
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

/* R = R_z(phi) R_x(th), where gamma = (0, sin th, cos th). */
static const ph_text text = {
    PH_ROLLING_TEXT(
        PH_SCENE_CYLINDER, "radius*[1, 1, 0.01]", NULL, {"J", "diag(diametral, diametral, axial)"},
        {"axes", "radius*[1, 1, 0]"}, {"centre", "0*e1"}, {"s", "sin(pi/3)"},
        {"spin", "(diametral*1.7^2*s/2 - mass*gravity*radius/2)/(-1.7*(axial + mass*radius^2)*s)"}),
    .starts =
        {{"[0, 0]; pi/3*e1", "[v.x, v.y]; [0, -1.7*s, spin]"},
         {"[0, 0]; [[cos(0.4), -sin(0.4)/2, sin(0.4)*s], [sin(0.4), cos(0.4)/2, -cos(0.4)*s], [0, s, 1/2]]",
          "[v.x, v.y]; [0.35, -1.7*s, 2]"},
         {"[0, 0]; pi/2*e1", "[v.x, v.y]; [0, 0, 3]"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_rolling_disk = {
    .name = "rolling-disk",
    .summary = "thin disk that rolls and tilts on a plane",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972; "
                 "Borisov, Mamaev, Regul. Chaotic Dyn. 7 (2002) 177",
    PH_MODEL_HERE,
};
