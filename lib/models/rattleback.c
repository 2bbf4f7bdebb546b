/* SPDX-License-Identifier: BSD-3-Clause */
/* The rattleback: half an ellipsoid whose axes of inertia are turned against those of its surface (rolling.h). Spun one
 * way it begins to rattle, stops and turns back; the other way it does so much later. Default numbers: T. R. Kane, D. A. Levinson,
 * Int. J. Non-Linear Mech. 17 (1982) 175. */
#include "body.h"
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

static ph_status read(const ph_model_table *table, ph_rolling *body, ph_error *err)
{
    *body = (ph_rolling){.mass = ph_number(table, MASS), .gravity = ph_number(table, GRAVITY)};
    memcpy(body->axes, ph_vector(table, AXES), sizeof body->axes);
    memcpy(body->centre, ph_vector(table, CENTRE), sizeof body->centre);
    return ph_body_tensor(ph_vector(table, INERTIA), ph_vector(table, PRODUCTS), body->J, err);
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_rolling body;
    ph_status status = read(table, &body, err);
    return status ? status : ph_rolling_build(&body, system, err);
}

/* Omega = w gamma: a turn about the vertical. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
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
    PH_MODEL_HERE,
};
