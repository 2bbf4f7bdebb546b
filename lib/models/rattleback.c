/* SPDX-License-Identifier: BSD-3-Clause */
/* The rattleback: half an ellipsoid whose axes of inertia are turned against those of its surface (rolling.h). Spun one
 * way it begins to rattle, stops and turns back; the other way it does so much later. Default numbers: T. R. Kane, D. A. Levinson,
 * Int. J. Non-Linear Mech. 17 (1982) 175. */
#include "rolling.h"

enum { MASS, AXES, CENTRE, INERTIA, PRODUCTS, GRAVITY };

static const ph_parameter parameters[] = {
    [MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 1, "mass of the body"),
    [AXES] = PH_VECTOR("axes", "m", PH_POSITIVE, 0.2, 0.03, 0.02, "half axes of the ellipsoid"),
    [CENTRE] = PH_VECTOR("centre", "m", PH_ANY, 0, 0, 0.01,
                         "centre of the ellipsoid from the centre of mass, in the body frame"),
    [INERTIA] = PH_VECTOR("inertia", "kg m^2", PH_NOT_NEGATIVE, 2e-4, 1.6e-3, 1.7e-3,
                          "entries Jxx, Jyy, Jzz of the tensor about the centre of mass"),
    [PRODUCTS] = PH_PRODUCTS(0, 0, -2e-5),
    [GRAVITY] = PH_NUMBER("gravity", "m/s^2", PH_ANY, 9.81, "acceleration of gravity, downwards"),
};

enum { SPUN, OTHER_WAY, TAPPED, PRESETS };

static const ph_preset presets[] = {
    [SPUN] = {"spun", "turning at -5 rad/s about the vertical, tilted by 0.01 rad about the long axis"},
    [OTHER_WAY] = {"other-way", "the same at 5 rad/s"},
    [TAPPED] = {"tapped", "at rest, tilted by 0.05 rad about the short axis"}};

/* Omega = w gamma: a turn about the vertical. */
static const ph_text text = {
    PH_ROLLING_TEXT(PH_SCENE_ELLIPSOID, "axes", "-centre", PH_TEXT_TENSOR),
    .starts = {{"[0, 0]; 0.01*e1", "[v.x, v.y]; -5*y"},
               {"[0, 0]; 0.01*e1", "[v.x, v.y]; 5*y"},
               {"[0, 0]; 0.05*e2", "[0, 0]; 0*e1"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_rattleback = {
    .name = "rattleback",
    .summary = "half an ellipsoid with skew inertia that rolls on a plane and turns back",
    .reference = "Kane, Levinson, Int. J. Non-Linear Mech. 17 (1982) 175",
    PH_MODEL_HERE,
};
