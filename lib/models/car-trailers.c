/* SPDX-License-Identifier: BSD-3-Clause */
/* A car that pulls n trailers, each coupled to the axle before it. x is the middle of the car's rear axle (R^2); on S^1 are the
 * heading q_0 of the car, the direction s of its front wheels and those q_i of the trailers. With the axle of trailer i at
 * x_i = x - d (q_1 + ... + q_i), its centre of mass,
 *     L = (1/2) m_0 |xdot + c qdot_0|^2 + (1/2) I_0 |qdot_0|^2 + (1/2) I_s |sdot|^2
 *         + sum (1/2) m |xdot_i|^2 + (1/2) I |qdot_i|^2 - (1/2) k delta^2,      delta the angle of s from q_0,
 *     Jq_0 . xdot = 0,   Js . (xdot + l qdot_0) = 0,   Jq_i . xdot_i = 0.
 * A force drives the car along q_0, and a torque T cos(w t) turns the front wheels against it.
 * (R. M. Murray, S. S. Sastry, IEEE Trans. Autom. Control 38 (1993) 700; J.-P. Laumond, IROS 1991.) */
#include "text.h"

/* Reactions, and steps that the kernel leaves to the general form, take dense matrices. */
enum { MOST_TRAILERS = 100 };

static const ph_parameter parameters[] = {
    PH_COUNT("trailers", PH_FROM(1, MOST_TRAILERS), 2, "number of trailers"),
    PH_NUMBER("mass", "kg", PH_POSITIVE, 1000, "mass m_0 of the car"),
    PH_NUMBER("centre", "m", PH_ANY, 1.2, "c, distance of its centre of mass ahead of the rear axle"),
    PH_NUMBER("length", "m", PH_POSITIVE, 2.5, "l, distance of the front axle from the rear axle"),
    PH_NUMBER("inertia", "kg m^2", PH_POSITIVE, 1500,
              "moment of inertia I_0 of the car about its centre of mass"),
    PH_NUMBER("steering", "kg m^2", PH_POSITIVE, 5,
              "moment of inertia I_s of the front wheels about the vertical"),
    PH_NUMBER("spring", "N m", PH_NOT_NEGATIVE, 50,
              "stiffness k (torque for 1 rad) that turns the front wheels straight"),
    PH_NUMBER("trailer_mass", "kg", PH_POSITIVE, 400, "mass m of each trailer"),
    PH_NUMBER("hitch", "m", PH_POSITIVE, 2, "d, distance of a trailer's axle from the axle before it"),
    PH_NUMBER("trailer_inertia", "kg m^2", PH_POSITIVE, 300,
              "moment of inertia I of a trailer about the middle of its axle"),
    PH_NUMBER("drive", "N", PH_ANY, 0, "force on the car along its heading"),
    PH_NUMBER("steering_torque", "N m", PH_ANY, 0, "amplitude T of the torque on the front wheels"),
    PH_NUMBER("rate", "rad/s", PH_ANY, 1, "angular frequency w of that torque"),
};

enum { TURNING, STRAIGHT, EIGHTS };

static const ph_preset presets[] = {
    {"turning", "along e1 at 3 m/s, front wheels at 0.3 rad, trailers in a line"},
    {"straight", "along e1 at 3 m/s"},
    {"eights",
     "along e1 at 3 m/s, front wheels at 0.5 rad, turned to both sides by a torque of 25 N m: figures of eight"}};

/* The front wheels follow the torque, delta = (T/k) cos(w t), and the heading turns to both sides by (u/(l w)) tan(T/k) or so: at the first
 * zero of the Bessel function J_0, 2.405, the path closes. */
static const ph_preset_value own[] = {
    PH_OWN(EIGHTS, "steering_torque", 25),
    PH_OWN(EIGHTS, "rate", 0.262),
};

#define WHEEL "0.13*l*[1, 1, 0.3]"
#define LEFT "l*[0, 0.3, 0.13]"
#define RIGHT "l*[0, -0.3, 0.13]"
/* The angle delta as 2 atan(s/(n + c)) of its cosine c and sine s, n = sqrt(s^2 + c^2). Points are the front axle, the rear axle and those of
 * the trailers. */
static const ph_text text = {
    .space = {{"x", "R2"}, {"h", "S1"}, {"f", "S1"}, {"q", "S1[trailers]"}},
    .where = {{"l", "length"},
              {"side", "h.x*f.y - h.y*f.x"},
              {"cosine", "dot(h, f)"},
              {"delta", "2*atan(side/(sqrt(side^2 + cosine^2) + cosine))"},
              {"steer", "steering_torque*cos(rate*t)"},
              {"front", "x + l*h"},
              {"p[0]", "x"},
              {"p[i=1..trailers]", "p[i-1] - hitch*q[i]"},
              {"row[i=1..trailers]", "dot([-q[i].y, q[i].x], d(p[i]))"}},
    .kinetic =
        "mass/2*dot(d(x + centre*h), d(x + centre*h)) + inertia/2*dot(hdot, hdot) + steering/2*dot(fdot, fdot) + "
        "sum(i=1..trailers, trailer_mass/2*dot(d(p[i]), d(p[i])) + trailer_inertia/2*dot(qdot[i], qdot[i]))",
    .potential = "spring/2*delta^2",
    .forces = {{.at = "x", .force = "drive*h"},
               {.at = "f", .force = "steer/dot(f, f)*[-f.y, f.x]"},
               {.at = "h", .force = "-steer/dot(h, h)*[-h.y, h.x]"}},
    .constraints = {"dot([-h.y, h.x], xdot) = 0", "dot([-f.y, f.x], d(front)) = 0", "row[i=1..trailers]"},
    .points = {{NULL, "front"}, {NULL, "p[i=0..trailers]"}},
    .parts = {PH_TEXT_PLANE("plane"),
              {PH_SCENE_BOX, 1, 1, "car", "l*[0.7, 0.3, 0.12]", "l*[0.5, 0, 0.25]"},
              PH_TEXT_WHEEL(0, 2, NULL, WHEEL, RIGHT),
              PH_TEXT_WHEEL(0, 2, NULL, WHEEL, LEFT),
              PH_TEXT_WHEEL(1, 1, NULL, WHEEL, RIGHT),
              PH_TEXT_WHEEL(1, 1, NULL, WHEEL, LEFT),
              {PH_SCENE_BOX, 2, 3, "trailer", "[0.35*hitch, 0.3*l, 0.12*l]", "l*[0, 0, 0.25]",
               .each = "trailers"},
              {PH_SCENE_LINE, 1, PH_NO_INDEX, NULL, "0.02*l", .to = 3, .each = "trailers"},
              PH_TEXT_WHEEL(2, 3, NULL, WHEEL, RIGHT, .each = "trailers"),
              PH_TEXT_WHEEL(2, 3, NULL, WHEEL, LEFT, .each = "trailers")},
    .starts = {{"[0, 0]; 0; 0.3; 0", "[3, 0]; 3*tan(0.3)/l; 3*tan(0.3)/l; 0"},
               {"[0, 0]; 0; 0; 0", "[3, 0]; 0; 0; 0"},
               {"[0, 0]; 0; 0.5; 0", "[3, 0]; 3*tan(0.5)/l; 3*tan(0.5)/l; 0"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_car_trailers = {
    .name = "car-trailers",
    .summary = "car that pulls trailers, wheels rolling without slipping",
    .reference = "Murray, Sastry, IEEE Trans. Autom. Control 38 (1993) 700",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
    .start = EIGHTS,
};
