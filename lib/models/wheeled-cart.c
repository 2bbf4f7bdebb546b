/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart with two driven wheels on one axle (and castors that take no part): centre of mass x (R^2), heading q, and the
 * angles l, r of the wheels (S^1), which roll without slipping at b to the left and right of the axle's middle, which is d
 * behind x:
 *     L = (1/2) m |xdot|^2 + (1/2) I |qdot|^2 + (1/2) J (|ldot|^2 + |rdot|^2),
 *     Jq . (xdot - d qdot) = 0,     q . xdot - b w = a w_l,     q . xdot + b w = a w_r,
 * w, w_l, w_r the rates of the angles and a the radius of the wheels. A constant torque drives each wheel.
 * (Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972.) */
#include "model.h"

enum { MASS, INERTIA, BEHIND, TRACK, RADIUS, WHEEL, LEFT_TORQUE, RIGHT_TORQUE };

static const ph_parameter parameters[] = {
    [MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 10, "mass of the cart with its wheels"),
    [INERTIA] =
        PH_NUMBER("inertia", "kg m^2", PH_POSITIVE, 0.6, "moment of inertia about the centre of mass"),
    [BEHIND] = PH_NUMBER("behind", "m", PH_ANY, 0.1, "d, distance of the axle behind the centre of mass"),
    [TRACK] =
        PH_NUMBER("track", "m", PH_POSITIVE, 0.25, "b, distance of a wheel from the middle of the axle"),
    [RADIUS] = PH_NUMBER("radius", "m", PH_POSITIVE, 0.1, "radius a of the wheels"),
    [WHEEL] = PH_NUMBER("wheel", "kg m^2", PH_POSITIVE, 0.01, "moment of inertia of a wheel about the axle"),
    [LEFT_TORQUE] = PH_NUMBER("left_torque", "N m", PH_ANY, 0, "torque on the left wheel"),
    [RIGHT_TORQUE] = PH_NUMBER("right_torque", "N m", PH_ANY, 0, "torque on the right wheel"),
};

enum { COASTING, STRAIGHT };

static const ph_preset presets[] = {[COASTING] = {"coasting", "along e1 at 1 m/s, turning at 0.8 rad/s"},
                                    [STRAIGHT] = {"straight", "along e1 at 1 m/s"}};

/* z = x, q, l, r; the user block is the numbers of the table. */
enum { X = 0, Q = 2, WHEELS = 4, NZ = 8, ROWS = 3 };

/* row (2) += by (-q_2, q_1): by times the rate of the angle of q. */
static void add_rate(const double *q, double by, double *row)
{
    row[0] -= by * q[1];
    row[1] += by * q[0];
}

/* The rows are linear in what they depend on, B = z or a change of it. */
static void fill_rows(const double *c, const double *B, double *A)
{
    A[X] = -B[Q + 1];
    A[X + 1] = B[Q];
    A[Q] = c[BEHIND] * B[Q + 1];
    A[Q + 1] = -c[BEHIND] * B[Q];
    for (int side = 0; side < 2; side++) {
        double *row = A + (1 + side) * NZ;
        row[X] = B[Q];
        row[X + 1] = B[Q + 1];
        add_rate(B + Q, side ? c[TRACK] : -c[TRACK], row + Q);
        add_rate(B + WHEELS + 2 * side, -c[RADIUS], row + WHEELS + 2 * side);
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
    const double *c = user;
    (void)t, (void)zdot;
    for (int side = 0; side < 2; side++)
        add_rate(z + WHEELS + 2 * side, c[LEFT_TORQUE + side], f + WHEELS + 2 * side);
    return PH_OK;
}

/* x (3 x 3) <- the centre of mass, and where the left and the right wheel touch the ground. */
static ph_status places(void *user, const double *z, double *x)
{
    const double *c = user;
    memset(x, 0, 9 * sizeof *x);
    memcpy(x, z + X, 2 * sizeof *x);
    for (int side = 0; side < 2; side++) {
        const double b = side ? -c[TRACK] : c[TRACK];
        x[3 * (1 + side)] = z[X] - c[BEHIND] * z[Q] - b * z[Q + 1];
        x[3 * (1 + side) + 1] = z[X + 1] - c[BEHIND] * z[Q + 1] + b * z[Q];
    }
    return PH_OK;
}

/* The body, and the wheels, which are turned by their angles about the axle to the left. */
static void draw(double a, double b, ph_part_list *parts)
{
    ph_part_plane(parts, "plane");
    ph_part_solid(parts, PH_SCENE_BOX, 0, 1, 1.1 * b, 0.8 * b, 0.4 * a, 0, 0, 1.1 * a)->name = "cart";
    for (size_t side = 1; side <= 2; side++) {
        ph_scene_part *wheel = ph_part_wheel(parts, side, 1, a, 0.12 * a, 0);
        wheel->name = "wheel";
        wheel->spin = 1 + side; /* factors x, q, l, r */
    }
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_factor factors[] = {PH_R(2), PH_CIRCLE, PH_CIRCLE, PH_CIRCLE};
    double c[PH_LENGTH(parameters)], MM[NZ * NZ] = {0};
    ph_part_list parts = {0};
    ph_table_numbers(table, c);
    ph_fill_pairs((const double[]){c[MASS], c[INERTIA], c[WHEEL], c[WHEEL]}, NZ, MM);
    draw(c[RADIUS], c[TRACK], &parts);
    ph_system_definition definition = {.ambient_inertia = MM,
                                       .force = c[LEFT_TORQUE] != 0 || c[RIGHT_TORQUE] != 0 ? motors : NULL,
                                       .force_ignores_velocity = true,
                                       .constraint = roll,
                                       .constraint_along = roll_along,
                                       .n_constraints = ROWS,
                                       .points = places,
                                       .n_points = 3};
    return ph_model_create(factors, 4, c, sizeof c, &parts, &definition, system, err);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    const double at[NZ] = {0, 0, 1, 0, 1, 0, 1, 0}, speed = 1, turning = which == COASTING ? 0.8 : 0,
                 a = ph_number(table, RADIUS), b = ph_number(table, TRACK), d = ph_number(table, BEHIND);
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
    PH_MODEL_HERE,
};
