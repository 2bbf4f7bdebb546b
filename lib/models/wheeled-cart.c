/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart with two driven wheels on one axle (and castors that take no part): centre of mass x (R^2), heading q, and the
 * angles l, r of the wheels (S^1), which roll without slipping at b to the left and right of the axle's middle, which is d
 * behind x:
 *     L = (1/2) m |xdot|^2 + (1/2) I |qdot|^2 + (1/2) J (|ldot|^2 + |rdot|^2),
 *     Jq . (xdot - d qdot) = 0,     q . xdot - b w = a w_l,     q . xdot + b w = a w_r,
 * w, w_l, w_r the rates of the angles and a the radius of the wheels. A constant torque drives each wheel.
 * (Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972.) */
#include "text.h"

static const ph_parameter parameters[] = {
    PH_NUMBER("mass", "kg", PH_POSITIVE, 10, "mass of the cart with its wheels"),
    PH_NUMBER("inertia", "kg m^2", PH_POSITIVE, 0.6, "moment of inertia about the centre of mass"),
    PH_NUMBER("behind", "m", PH_ANY, 0.1, "d, distance of the axle behind the centre of mass"),
    PH_NUMBER("track", "m", PH_POSITIVE, 0.25, "b, distance of a wheel from the middle of the axle"),
    PH_NUMBER("radius", "m", PH_POSITIVE, 0.1, "radius a of the wheels"),
    PH_NUMBER("wheel", "kg m^2", PH_POSITIVE, 0.01, "moment of inertia of a wheel about the axle"),
    PH_NUMBER("left_torque", "N m", PH_ANY, 0, "torque on the left wheel"),
    PH_NUMBER("right_torque", "N m", PH_ANY, 0, "torque on the right wheel"),
};

static const ph_preset presets[] = {{"coasting", "along e1 at 1 m/s, turning at 0.8 rad/s"},
                                    {"straight", "along e1 at 1 m/s"}};

static const ph_text text = {
    .space = {{"x", "R2"}, {"q", "S1"}, {"l", "S1"}, {"r", "S1"}},
    .where = {{"w", "q.x*qdot.y - q.y*qdot.x"}},
    .kinetic =
        "mass/2*dot(xdot, xdot) + inertia/2*dot(qdot, qdot) + wheel/2*(dot(ldot, ldot) + dot(rdot, rdot))",
    .forces = {{.on = "l", .torque = "left_torque"}, {.on = "r", .torque = "right_torque"}},
    .constraints = {"dot([-q.y, q.x], xdot - behind*qdot) = 0",
                    "dot(q, xdot) - track*w - radius*(l.x*ldot.y - l.y*ldot.x) = 0",
                    "dot(q, xdot) + track*w - radius*(r.x*rdot.y - r.y*rdot.x) = 0"},
    .points = {{NULL, "x"},
               {NULL, "x - behind*q + track*[-q.y, q.x]"},
               {NULL, "x - behind*q - track*[-q.y, q.x]"}},
    .parts = {PH_TEXT_PLANE("plane"),
              {PH_SCENE_BOX, 0, 1, "cart", "[1.1*track, 0.8*track, 0.4*radius]", "[0, 0, 1.1*radius]"},
              PH_TEXT_WHEEL(1, 1, "wheel", "radius*[1, 1, 0.12]", "radius*e3", .spin = 2),
              PH_TEXT_WHEEL(2, 1, "wheel", "radius*[1, 1, 0.12]", "radius*e3", .spin = 3)},
    .starts = {{"[0, 0]; 0; 0; 0", "q + behind*qdot; 0.8; (1 - 0.8*track)/radius; (1 + 0.8*track)/radius"},
               {"[0, 0]; 0; 0; 0", "q; 0; 1/radius; 1/radius"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_wheeled_cart = {
    .name = "wheeled-cart",
    .summary = "cart on two driven wheels that roll without slipping",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    PH_MODEL_HERE,
};
