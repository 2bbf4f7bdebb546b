/* SPDX-License-Identifier: BSD-3-Clause */
/* The rattleback: half an ellipsoid whose axes of inertia are turned against those of its surface (rolling.h). Spun one
 * way it begins to rattle, stops and turns back; the other way it does so much later. Default numbers: T. R. Kane, D. A. Levinson,
 * Int. J. Non-Linear Mech. 17 (1982) 175. */
#include "body.h"
#include "rolling.h"

#include <polhode/algebra.h>

#include <string.h>

enum { MASS, AXES, CENTRE, INERTIA, PRODUCTS, GRAVITY, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    [MASS] = {"mass", PH_PARAMETER_NUMBER, "kg", DBL_MIN, DBL_MAX, {1}, "mass of the body"},
    [AXES] =
        {"axes", PH_PARAMETER_VECTOR, "m", DBL_MIN, DBL_MAX, {0.2, 0.03, 0.02}, "half axes of the ellipsoid"},
    [CENTRE] = PH_BODY_VECTOR("centre", 0, 0, 0.01,
                              "centre of the ellipsoid from the centre of mass, in the body frame"),
    [INERTIA] = PH_BODY_INERTIA(2e-4, 1.6e-3, 1.7e-3, 0,
                                "entries Jxx, Jyy, Jzz of the tensor about the centre of mass"),
    [PRODUCTS] = {"products",
                  PH_PARAMETER_VECTOR,
                  "kg m^2",
                  -DBL_MAX,
                  DBL_MAX,
                  {0, 0, -2e-5},
                  "entries Jyz, Jxz, Jxy of the tensor, such as Jxy = -(integral of x y over the mass)"},
    [GRAVITY] = {"gravity",
                 PH_PARAMETER_NUMBER,
                 "m/s^2",
                 -DBL_MAX,
                 DBL_MAX,
                 {9.81},
                 "acceleration of gravity, downwards"},
};

enum { SPUN, OTHER_WAY, TAPPED, PRESETS };

static const ph_preset presets[PRESETS] = {
    [SPUN] = {"spun", "turning at -5 rad/s about the vertical, tilted by 0.01 rad about the long axis"},
    [OTHER_WAY] = {"other-way", "the same at 5 rad/s"},
    [TAPPED] = {"tapped", "at rest, tilted by 0.05 rad about the short axis"}};

static ph_status read(const ph_parameter_value *table, ph_rolling *body, ph_error *err)
{
    *body = (ph_rolling){.mass = table[MASS].values[0], .gravity = table[GRAVITY].values[0]};
    memcpy(body->axes, table[AXES].values, sizeof body->axes);
    memcpy(body->centre, table[CENTRE].values, sizeof body->centre);
    return ph_body_tensor(table[INERTIA].values, table[PRODUCTS].values, body->J, err);
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    ph_rolling body;
    ph_status status = read(table, &body, err);
    return status ? status : ph_rolling_build(&body, system, err);
}

/* Omega = w gamma: a turn about the vertical. */
static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double tilt[PRESETS][3] =
        {[SPUN] = {0.01, 0, 0}, [OTHER_WAY] = {0.01, 0, 0}, [TAPPED] = {0, 0.05, 0}},
                        rate[PRESETS] = {[SPUN] = -5, [OTHER_WAY] = 5}, origin[2] = {0, 0};
    ph_rolling body;
    ph_status status = read(table, &body, err);
    if (status)
        return status;
    double R[9], Omega[3];
    ph_exp3(tilt[which], R);
    ph_rotation_correct3(R);
    for (int k = 0; k < 3; k++)
        Omega[k] = rate[which] * R[6 + k];
    ph_rolling_start(&body, origin, R, Omega, z, zdot);
    return PH_OK;
}

const ph_model ph_model_rattleback = {
    .name = "rattleback",
    .summary = "half an ellipsoid with skew inertia that rolls on a plane and turns back",
    .reference = "Kane, Levinson, Int. J. Non-Linear Mech. 17 (1982) 175",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = PRESETS,
    .build = build,
    .preset = preset,
};
