/* SPDX-License-Identifier: BSD-3-Clause */
/* 3D pendulum: a rigid body of any shape that swings and turns about a pivot (body.h),
 *     L = (1/2) Omega . J Omega + m G . R rho,   J = Jc + m (|rho|^2 I - rho rho^T)
 * with the full inertia tensor Jc about the centre of mass. */
#include "body.h"

#include <string.h>

enum { MASS, CENTRE, INERTIA, PRODUCTS, GRAVITY, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    [MASS] = {"mass", PH_PARAMETER_NUMBER, "kg", DBL_MIN, DBL_MAX, {1}, "mass of the body"},
    [CENTRE] = PH_BODY_VECTOR("centre", 0, 0, -0.5, "centre of mass from the pivot, in the body frame"),
    [INERTIA] =
        PH_BODY_INERTIA(0.1, 0.12, 0.05, 0, "entries Jxx, Jyy, Jzz of the tensor about the centre of mass"),
    [PRODUCTS] = {"products",
                  PH_PARAMETER_VECTOR,
                  "kg m^2",
                  -DBL_MAX,
                  DBL_MAX,
                  {0, 0, 0},
                  "entries Jyz, Jxz, Jxy of the tensor, such as Jxy = -(integral of x y over the mass)"},
    [GRAVITY] = PH_GRAVITY_PARAMETER(-9.81),
};

enum { PUSHED, HANGING, INCLINED, UPRIGHT };

static const ph_preset presets[] = {
    [PUSHED] = {"pushed", "hanging, with the body angular velocity (1, 2, 3) rad/s"},
    [HANGING] = {"hanging", "centre of mass below the pivot, at rest: the stable equilibrium"},
    [INCLINED] = {"inclined", "centre of mass 60 degrees from hanging, at rest"},
    [UPRIGHT] = {"upright", "centre of mass above the pivot, at rest: the unstable equilibrium"},
};

static ph_status read(const ph_parameter_value *table, ph_bodies *body, ph_error *err)
{
    *body = (ph_bodies){.n = 1, .mass = &table[MASS]};
    memcpy(body->centre, table[CENTRE].values, sizeof body->centre);
    memcpy(body->G, table[GRAVITY].values, sizeof body->G);
    return ph_body_tensor(table[INERTIA].values, table[PRODUCTS].values, body->J, err);
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    ph_bodies body;
    ph_status status = read(table, &body, err);
    return status ? status : ph_bodies_build(&body, system, err);
}

/* The angle of the centre of mass from hanging, and for `pushed` Rdot = R S(Omega). */
static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double push[3] = {1, 2, 3};
    static const double from_hanging[] = {
        [PUSHED] = 0, [HANGING] = 0, [INCLINED] = 1.0471975511965977462, [UPRIGHT] = 3.1415926535897932385};
    ph_bodies body;
    ph_status status = read(table, &body, err);
    if (status)
        return status;
    ph_bodies_incline(&body, &from_hanging[which], z);
    memset(zdot, 0, 9 * sizeof *zdot);
    if (which == PUSHED)
        ph_body_turn(z, push, zdot);
    return PH_OK;
}

const ph_model ph_model_pendulum_3d = {
    .name = "pendulum-3d",
    .summary = "rigid body of any shape swinging about a pivot",
    .reference =
        "Shen, Sanyal, Chaturvedi, Bernstein, McClamroch, Dynamics and control of a 3D pendulum, CDC 2004",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
