/* SPDX-License-Identifier: BSD-3-Clause */
/* 3D pendulum: a rigid body of any shape that swings and turns about a pivot (body.h),
 *     L = (1/2) Omega . J Omega + m G . R rho,   J = Jc + m (|rho|^2 I - rho rho^T)
 * with the full inertia tensor Jc about the centre of mass. */
#include "body.h"

enum { MASS, CENTRE, INERTIA, PRODUCTS, GRAVITY };

static const ph_parameter parameters[] = {
    [MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 1, "mass of the body"),
    [CENTRE] =
        PH_VECTOR("centre", "m", PH_ANY, 0, 0, -0.5, "centre of mass from the pivot, in the body frame"),
    [INERTIA] = PH_VECTOR("inertia", "kg m^2", PH_NOT_NEGATIVE, 0.1, 0.12, 0.05,
                          "entries Jxx, Jyy, Jzz of the tensor about the centre of mass"),
    [PRODUCTS] = PH_PRODUCTS(0, 0, 0),
    [GRAVITY] = PH_GRAVITY(-9.81),
};

enum { PUSHED, HANGING, INCLINED, UPRIGHT };

static const ph_preset presets[] = {
    [PUSHED] = {"pushed", "hanging, with the body angular velocity (1, 2, 3) rad/s"},
    [HANGING] = {"hanging", "centre of mass below the pivot, at rest: the stable equilibrium"},
    [INCLINED] = {"inclined", "centre of mass 60 degrees from hanging, at rest"},
    [UPRIGHT] = {"upright", "centre of mass above the pivot, at rest: the unstable equilibrium"},
};

static ph_status read(const ph_model_table *table, ph_bodies *body, ph_error *err)
{
    *body = (ph_bodies){.n = 1, .mass = &table->row[MASS]};
    memcpy(body->centre, ph_vector(table, CENTRE), sizeof body->centre);
    memcpy(body->G, ph_vector(table, GRAVITY), sizeof body->G);
    return ph_body_tensor(ph_vector(table, INERTIA), ph_vector(table, PRODUCTS), body->J, err);
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_bodies body;
    ph_status status = read(table, &body, err);
    return status ? status : ph_bodies_build(&body, system, err);
}

/* The angle of the centre of mass from hanging, and for `pushed` Rdot = R S(Omega). */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
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
    PH_MODEL_HERE,
};
