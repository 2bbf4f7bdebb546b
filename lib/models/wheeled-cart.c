/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart with two driven wheels on one axle (and castors that take no part): centre of mass x (R^2), heading q, and the
 * angles l, r of the wheels (S^1), which roll without slipping at b to the left and right of the axle's middle, which is d
 * behind x:
 *     L = (1/2) m |xdot|^2 + (1/2) I |qdot|^2 + (1/2) J (|ldot|^2 + |rdot|^2),
 *     Jq . (xdot - d qdot) = 0,     q . xdot - b w = a w_l,     q . xdot + b w = a w_r,
 * w, w_l, w_r the rates of the angles and a the radius of the wheels. A constant torque drives each wheel.
 * (Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972.) */
#include "lib/scene/list.h"
#include "parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MASS, INERTIA, BEHIND, TRACK, RADIUS, WHEEL, LEFT_TORQUE, RIGHT_TORQUE, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    [MASS] = {"mass", PH_PARAMETER_NUMBER, "kg", DBL_MIN, DBL_MAX, {10}, "mass of the cart with its wheels"},
    [INERTIA] = {"inertia",
                 PH_PARAMETER_NUMBER,
                 "kg m^2",
                 DBL_MIN,
                 DBL_MAX,
                 {0.6},
                 "moment of inertia about the centre of mass"},
    [BEHIND] = {"behind",
                PH_PARAMETER_NUMBER,
                "m",
                -DBL_MAX,
                DBL_MAX,
                {0.1},
                "d, distance of the axle behind the centre of mass"},
    [TRACK] = {"track",
               PH_PARAMETER_NUMBER,
               "m",
               DBL_MIN,
               DBL_MAX,
               {0.25},
               "b, distance of a wheel from the middle of the axle"},
    [RADIUS] = {"radius", PH_PARAMETER_NUMBER, "m", DBL_MIN, DBL_MAX, {0.1}, "radius a of the wheels"},
    [WHEEL] = {"wheel",
               PH_PARAMETER_NUMBER,
               "kg m^2",
               DBL_MIN,
               DBL_MAX,
               {0.01},
               "moment of inertia of a wheel about the axle"},
    [LEFT_TORQUE] =
        {"left_torque", PH_PARAMETER_NUMBER, "N m", -DBL_MAX, DBL_MAX, {0}, "torque on the left wheel"},
    [RIGHT_TORQUE] =
        {"right_torque", PH_PARAMETER_NUMBER, "N m", -DBL_MAX, DBL_MAX, {0}, "torque on the right wheel"},
};

enum { COASTING, STRAIGHT, PRESETS };

static const ph_preset presets[PRESETS] = {
    [COASTING] = {"coasting", "along e1 at 1 m/s, turning at 0.8 rad/s"},
    [STRAIGHT] = {"straight", "along e1 at 1 m/s"}};

typedef struct cart {
    double behind, track, radius, torque[2];
} cart;

/* z = x, q, l, r. */
enum { X = 0, Q = 2, WHEELS = 4, NZ = 8, ROWS = 3 };

/* row (2) += by (-q_2, q_1): by times the rate of the angle of q. */
static void add_rate(const double *q, double by, double *row)
{
    row[0] -= by * q[1];
    row[1] += by * q[0];
}

/* The rows are linear in what they depend on, B = z or a change of it. */
static void fill_rows(const cart *c, const double *B, double *A)
{
    A[X] = -B[Q + 1];
    A[X + 1] = B[Q];
    A[Q] = c->behind * B[Q + 1];
    A[Q + 1] = -c->behind * B[Q];
    for (int side = 0; side < 2; side++) {
        double *row = A + (1 + side) * NZ;
        row[X] = B[Q];
        row[X + 1] = B[Q + 1];
        add_rate(B + Q, side ? c->track : -c->track, row + Q);
        add_rate(B + WHEELS + 2 * side, -c->radius, row + WHEELS + 2 * side);
    }
}

static ph_status roll(void *user, double t, const double *z, double *A, double *b)
{
    (void)t, (void)b;
    fill_rows(user, z, A);
    return PH_OK;
}

static ph_status roll_along(void *user, double t, const double *z, const double *zdot, double dt,
                            const double *dz, double *rate)
{
    double A[ROWS * NZ] = {0};
    (void)t, (void)z, (void)dt;
    fill_rows(user, dz, A);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < NZ; k++)
            rate[i] += A[i * NZ + k] * zdot[k];
    return PH_OK;
}

static ph_status motors(void *user, double t, const double *z, const double *zdot, double *f)
{
    const cart *c = user;
    (void)t, (void)zdot;
    for (int side = 0; side < 2; side++)
        add_rate(z + WHEELS + 2 * side, c->torque[side], f + WHEELS + 2 * side);
    return PH_OK;
}

/* x (3 x 3) <- the centre of mass, and where the left and the right wheel touch the ground. */
static ph_status places(void *user, const double *z, double *x)
{
    const cart *c = user;
    memset(x, 0, 9 * sizeof *x);
    memcpy(x, z + X, 2 * sizeof *x);
    for (int side = 0; side < 2; side++) {
        const double b = side ? -c->track : c->track;
        x[3 * (1 + side)] = z[X] - c->behind * z[Q] - b * z[Q + 1];
        x[3 * (1 + side) + 1] = z[X + 1] - c->behind * z[Q + 1] + b * z[Q];
    }
    return PH_OK;
}

/* The body, and the wheels, which are turned by their angles about the axle to the left. */
static void draw(const cart *c, ph_part_list *parts)
{
    const double a = c->radius, b = c->track;
    ph_part_add(parts, PH_SCENE_PLANE, PH_NO_INDEX, PH_NO_INDEX)->name = "plane";
    ph_part_shift(ph_part_size(ph_part_add(parts, PH_SCENE_BOX, 0, 1), 1.1 * b, 0.8 * b, 0.4 * a), 0, 0,
                  1.1 * a)
        ->name = "cart";
    for (size_t side = 1; side <= 2; side++) {
        ph_scene_part *wheel = ph_part_lay(ph_part_add(parts, PH_SCENE_CYLINDER, side, 1), 1);
        ph_part_shift(ph_part_size(wheel, a, a, 0.12 * a), 0, 0, a)->name = "wheel";
        wheel->spin = 1 + side; /* factors x, q, l, r */
    }
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    const ph_factor factors[] = {{.kind = PH_FACTOR_R, .d = 2},
                                 {.kind = PH_FACTOR_S1},
                                 {.kind = PH_FACTOR_S1},
                                 {.kind = PH_FACTOR_S1}};
    const double inertia[4] = {table[MASS].values[0], table[INERTIA].values[0], table[WHEEL].values[0],
                               table[WHEEL].values[0]};
    double MM[NZ * NZ] = {0};
    ph_space *space = NULL;
    cart *own = malloc(sizeof *own);
    ph_status status =
        own ? ph_space_create(factors, 4, &space, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status) {
        free(own);
        return status;
    }
    *own = (cart){table[BEHIND].values[0],
                  table[TRACK].values[0],
                  table[RADIUS].values[0],
                  {table[LEFT_TORQUE].values[0], table[RIGHT_TORQUE].values[0]}};
    for (size_t k = 0; k < NZ; k++)
        MM[k * (NZ + 1)] = inertia[k / 2];
    ph_system_definition definition = {.space = space,
                                       .ambient_inertia = MM,
                                       .force = own->torque[0] != 0 || own->torque[1] != 0 ? motors : NULL,
                                       .force_ignores_velocity = true,
                                       .constraint = roll,
                                       .constraint_along = roll_along,
                                       .n_constraints = ROWS,
                                       .points = places,
                                       .n_points = 3,
                                       .user = own,
                                       .user_free = free};
    ph_part_list parts = {0};
    draw(own, &parts);
    status = ph_part_create(&parts, &definition, system, err);
    ph_space_free(space);
    return status;
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    const double at[NZ] = {0, 0, 1, 0, 1, 0, 1, 0}, speed = 1, turning = which == COASTING ? 0.8 : 0,
                 a = table[RADIUS].values[0], b = table[TRACK].values[0], d = table[BEHIND].values[0];
    const double velocity[NZ] = {
        speed, d * turning, 0, turning, 0, (speed - b * turning) / a, 0, (speed + b * turning) / a};
    (void)err;
    memcpy(z, at, sizeof at);
    memcpy(zdot, velocity, sizeof velocity);
    return PH_OK;
}

const ph_model ph_model_wheeled_cart = {
    .name = "wheeled-cart",
    .summary = "cart on two driven wheels that roll without slipping",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = PRESETS,
    .build = build,
    .preset = preset,
};
