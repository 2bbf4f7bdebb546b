/* SPDX-License-Identifier: BSD-3-Clause */
/* The snakeboard: a board on two axles that can be steered, with a rotor above its middle. x is the middle (R^2); the
 * directions of board, rotor and axles are q, r, b and f on S^1, all in space:
 *     L = (1/2) m |xdot|^2 + (1/2) J |qdot|^2 + (1/2) J_r |rdot|^2 + (1/2) J_w (|bdot|^2 + |fdot|^2)
 *         - (1/2) k (beta^2 + phi^2),      beta, phi the angles of b and f from q,
 *     Jb . (xdot - l qdot) = 0,   Jf . (xdot + l qdot) = 0,      Jb = (-b_2, b_1).
 * Motors between board and rotor, and between board and axles, turn with the torques T_r cos(w t) and
 * +-T_s sin(w t). Where both axles are across the board the constraints depend on each other.
 * (Ostrowski, Lewis, Murray, Burdick, Proc. IEEE ICRA 1994, 2391.) */
#include "text.h"

static const ph_parameter parameters[] = {
    PH_NUMBER("mass", "kg", PH_POSITIVE, 6, "mass of the whole"),
    PH_NUMBER("length", "m", PH_POSITIVE, 0.2, "from the middle to an axle"),
    PH_NUMBER("board", "kg m^2", PH_POSITIVE, 0.016, "moment of inertia of the board"),
    PH_NUMBER("rotor", "kg m^2", PH_POSITIVE, 0.072, "moment of inertia of the rotor"),
    PH_NUMBER("axle", "kg m^2", PH_POSITIVE, 0.0013, "moment of inertia of an axle"),
    PH_NUMBER("spring", "N m", PH_NOT_NEGATIVE, 0.2, "of an axle against the board, for each rad"),
    PH_NUMBER("rotor_torque", "N m", PH_ANY, 0.05,
              "T_r of the torque T_r cos(w t) on the rotor, and its opposite on the board"),
    PH_NUMBER("steering_torque", "N m", PH_ANY, 0.06,
              "T_s of the torque T_s sin(w t) on the back axle, -T_s sin(w t) on the front one"),
    PH_NUMBER("rate", "rad/s", PH_ANY, 2, "w of both torques"),
};

static const ph_preset presets[] = {{"wriggling", "axles at 0.4 and -0.5 rad, all of it moving"},
                                    {"rolling", "along e1 at 1 m/s, axles across it, at rest otherwise"}};

/* Angles beta and phi as 2 atan(s/(n + c)) of their cosines c and sines s, n = sqrt(s^2 + c^2). */
static const ph_text text = {
    .space = {{"x", "R2"}, {"q", "S1"}, {"r", "S1"}, {"b", "S1"}, {"f", "S1"}},
    .where = {{"l", "length"},
              {"sb", "q.x*b.y - q.y*b.x"},
              {"cb", "dot(q, b)"},
              {"beta", "2*atan(sb/(sqrt(sb^2 + cb^2) + cb))"},
              {"sf", "q.x*f.y - q.y*f.x"},
              {"cf", "dot(q, f)"},
              {"phi", "2*atan(sf/(sqrt(sf^2 + cf^2) + cf))"},
              {"on_rotor", "rotor_torque*cos(rate*t)"},
              {"steering", "steering_torque*sin(rate*t)"},
              {"back", "l*(b.x*qdot.y - b.y*qdot.x)"},
              {"front", "l*(f.y*qdot.x - f.x*qdot.y)"}},
    .kinetic =
        "mass/2*dot(xdot, xdot) + board/2*dot(qdot, qdot) + rotor/2*dot(rdot, rdot) + axle/2*(dot(bdot, bdot) + dot(fdot, fdot))",
    .potential = "spring/2*(beta^2 + phi^2)",
    .forces = {{.at = "q", .force = "-on_rotor/dot(q, q)*[-q.y, q.x]"},
               {.at = "r", .force = "on_rotor/dot(r, r)*[-r.y, r.x]"},
               {.at = "b", .force = "steering/dot(b, b)*[-b.y, b.x]"},
               {.at = "f", .force = "-steering/dot(f, f)*[-f.y, f.x]"}},
    .constraints = {"dot([-b.y, b.x], xdot - l*qdot) = 0", "dot([-f.y, f.x], xdot + l*qdot) = 0"},
    .points = {{NULL, "x"}, {NULL, "x - l*q"}, {NULL, "x + l*q"}},
    .parts = {PH_TEXT_PLANE("plane"),
              {PH_SCENE_BOX, 0, 1, "board", "l*[1.1, 0.18, 0.02]", "l*[0, 0, 0.2]"},
              {PH_SCENE_BOX, 0, 2, "rotor", "l*[0.5, 0.06, 0.04]", "l*[0, 0, 0.35]"},
              {PH_SCENE_BOX, 1, 3, "axle", "l*[0.04, 0.3, 0.03]", "l*[0, 0, 0.1]"},
              PH_TEXT_WHEEL(1, 3, NULL, "l*[0.1, 0.1, 0.03]", "l*[0, -0.3, 0.1]"),
              PH_TEXT_WHEEL(1, 3, NULL, "l*[0.1, 0.1, 0.03]", "l*[0, 0.3, 0.1]"),
              {PH_SCENE_BOX, 2, 4, "axle", "l*[0.04, 0.3, 0.03]", "l*[0, 0, 0.1]"},
              PH_TEXT_WHEEL(2, 4, NULL, "l*[0.1, 0.1, 0.03]", "l*[0, -0.3, 0.1]"),
              PH_TEXT_WHEEL(2, 4, NULL, "l*[0.1, 0.1, 0.03]", "l*[0, 0.3, 0.1]")},
    .starts = {{"[0, 0]; 0.3; 0.3; 0.7; -0.2", "(back*f - front*b)/(b.x*f.y - b.y*f.x); 0.6; 1.6; 0.9; 0.4"},
               {"[0, 0]; 0; 0; 0; 0", "[1, 0]; 0; 0; 0; 0"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_snakeboard = {
    .name = "snakeboard",
    .summary = "board on two steered axles that a rotor drives",
    .reference = "Ostrowski, Lewis, Murray, Burdick, Proc. IEEE ICRA 1994, 2391",
    PH_MODEL_HERE,
};
