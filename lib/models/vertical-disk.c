/* SPDX-License-Identifier: BSD-3-Clause */
/* A disk that rolls upright: centre x (R^2), heading q and rolling angle r (S^1 each),
 *     L = (1/2) m |xdot|^2 + (1/2) I |qdot|^2 + (1/2) J |rdot|^2,      xdot = R psi' q,   psi' = r_1 rdot_2 - r_2 rdot_1.
 * It goes round in a circle of radius R psi'/phi', or straight on; both rates are constant.
 * (Bloch, Krishnaprasad, Marsden, Murray, Arch. Rational Mech. Anal. 136 (1996) 21.) */
#include "text.h"

static const ph_parameter parameters[] = {
    PH_NUMBER("mass", "kg", PH_POSITIVE, 1, "mass of the disk"),
    PH_NUMBER("radius", "m", PH_POSITIVE, 1, "radius of the disk"),
    PH_NUMBER("diametral", "kg m^2", PH_POSITIVE, 0.25, "moment of inertia about a diameter"),
    PH_NUMBER("axial", "kg m^2", PH_POSITIVE, 0.5, "moment of inertia about the axle"),
};

static const ph_preset presets[] = {
    {"circle", "heading 0.4 rad from e1, turning at 0.7 rad/s and rolling at 1.3 rad/s"},
    {"straight", "along e1, rolling at 1 rad/s"}};

/* The disk, its axis to the left of its heading, is turned by the rolling angle about it. */
static const ph_text text = {
    .space = {{"x", "R2"}, {"q", "S1"}, {"r", "S1"}},
    .kinetic = "mass/2*dot(xdot, xdot) + diametral/2*dot(qdot, qdot) + axial/2*dot(rdot, rdot)",
    .constraints = {"xdot = radius*(r.x*rdot.y - r.y*rdot.x)*q"},
    .symmetries = {{{"L", "angular momentum of the heading", "kg m^2/s", .generator = "[0, 0, 1, 0]"}}},
    .points = {{NULL, "[x.x, x.y, radius]"}, {NULL, "x"}},
    .parts = {PH_TEXT_PLANE("plane"),
              {PH_SCENE_CYLINDER, 0, 1, "disk", "[radius, radius, 0.03*radius]", .laid = true, .spin = 2}},
    .starts = {{"[0, 0]; 0.4; 0", "radius*1.3*q; 0.7; 1.3"}, {"[0, 0]; 0; 0", "radius*q; 0; 1"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_vertical_disk = {
    .name = "vertical-disk",
    .summary = "disk that rolls upright on a plane",
    .reference = "Bloch, Krishnaprasad, Marsden, Murray, Arch. Rational Mech. Anal. 136 (1996) 21",
    PH_MODEL_HERE,
};
