/* SPDX-License-Identifier: BSD-3-Clause */
/* The snakeboard: a board on two axles that can be steered, with a rotor above its middle. x is the middle (R^2); the
 * directions of board, rotor and axles are q, r, b and f on S^1, all in space:
 *     L = (1/2) m |xdot|^2 + (1/2) J |qdot|^2 + (1/2) J_r |rdot|^2 + (1/2) J_w (|bdot|^2 + |fdot|^2)
 *         - (1/2) k (beta^2 + phi^2),      beta, phi the angles of b and f from q,
 *     Jb . (xdot - l qdot) = 0,   Jf . (xdot + l qdot) = 0,      Jb = (-b_2, b_1).
 * Motors between board and rotor, and between board and axles, turn with the torques T_r cos(w t) and
 * +-T_s sin(w t). Where both axles are across the board the constraints depend on each other.
 * (Ostrowski, Lewis, Murray, Burdick, Proc. IEEE ICRA 1994, 2391.) */
#include "model.h"

enum { MASS, LENGTH, BOARD, ROTOR, AXLE, SPRING, ROTOR_TORQUE, STEERING_TORQUE, RATE };

static const ph_parameter parameters[] = {
    [MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 6, "mass of the whole"),
    [LENGTH] = PH_NUMBER("length", "m", PH_POSITIVE, 0.2, "from the middle to an axle"),
    [BOARD] = PH_NUMBER("board", "kg m^2", PH_POSITIVE, 0.016, "moment of inertia of the board"),
    [ROTOR] = PH_NUMBER("rotor", "kg m^2", PH_POSITIVE, 0.072, "moment of inertia of the rotor"),
    [AXLE] = PH_NUMBER("axle", "kg m^2", PH_POSITIVE, 0.0013, "moment of inertia of an axle"),
    [SPRING] = PH_NUMBER("spring", "N m", PH_NOT_NEGATIVE, 0.2, "of an axle against the board, for each rad"),
    [ROTOR_TORQUE] = PH_NUMBER("rotor_torque", "N m", PH_ANY, 0.05,
                               "T_r of the torque T_r cos(w t) on the rotor, and its opposite on the board"),
    [STEERING_TORQUE] =
        PH_NUMBER("steering_torque", "N m", PH_ANY, 0.06,
                  "T_s of the torque T_s sin(w t) on the back axle, -T_s sin(w t) on the front one"),
    [RATE] = PH_NUMBER("rate", "rad/s", PH_ANY, 2, "w of both torques"),
};

enum { WRIGGLING, ROLLING };

static const ph_preset presets[] = {
    [WRIGGLING] = {"wriggling", "axles at 0.4 and -0.5 rad, all of it moving"},
    [ROLLING] = {"rolling", "along e1 at 1 m/s, axles across it, at rest otherwise"}};

/* z = x, q, r, b, f; the user block is the numbers of the table. */
enum { X = 0, Q = 2, ROTATION = 4, BACK = 6, FRONT = 8, NZ = 10 };

/* ---- Constraints -------------------------------------------------------------------------------------- */

static ph_status wheels(void *user, double t, const double *z, double *A, double *b)
{
    const double *s = user;
    (void)t, (void)b;
    for (int i = 0; i < 2; i++) {
        const double *w = z + (i ? FRONT : BACK), l = i ? s[LENGTH] : -s[LENGTH];
        double *row = A + i * NZ;
        row[X] = -w[1];
        row[X + 1] = w[0];
        row[Q] = -l * w[1];
        row[Q + 1] = l * w[0];
    }
    return PH_OK;
}

static ph_status wheels_along(void *user, double t, const double *z, const double *zdot, double dt,
                              const double *dz, double *rate)
{
    const double *s = user;
    (void)t, (void)z, (void)dt;
    for (int i = 0; i < 2; i++) {
        const double *dw = dz + (i ? FRONT : BACK), l = i ? s[LENGTH] : -s[LENGTH];
        rate[i] = -dw[1] * (zdot[X] + l * zdot[Q]) + dw[0] * (zdot[X + 1] + l * zdot[Q + 1]);
    }
    return PH_OK;
}

/* ---- Springs and motors ------------------------------------------------------------------------------- */

/* The angle of w from q. */
static double angle_between(const double *q, const double *w)
{
    return atan2(q[0] * w[1] - q[1] * w[0], q[0] * w[0] + q[1] * w[1]);
}

static ph_status springs(void *user, const double *z, double *U)
{
    const double *s = user;
    const double beta = angle_between(z + Q, z + BACK), phi = angle_between(z + Q, z + FRONT);
    *U = 0.5 * s[SPRING] * (beta * beta + phi * phi);
    return PH_OK;
}

/* f (2) += the force of a torque on the direction q: torque Jq/|q|^2. */
static void add_torque(const double *q, double torque, double *f)
{
    const double by = torque / (q[0] * q[0] + q[1] * q[1]);
    f[0] -= by * q[1];
    f[1] += by * q[0];
}

static ph_status springs_gradient(void *user, const double *z, double *dU)
{
    const double *s = user;
    memset(dU, 0, NZ * sizeof *dU);
    for (int i = BACK; i <= FRONT; i += 2) {
        const double torque = s[SPRING] * angle_between(z + Q, z + i);
        add_torque(z + i, torque, dU + i);
        add_torque(z + Q, -torque, dU + Q);
    }
    return PH_OK;
}

static ph_status motors(void *user, double t, const double *z, const double *zdot, double *f)
{
    const double *s = user;
    const double on_rotor = s[ROTOR_TORQUE] * cos(s[RATE] * t),
                 steering = s[STEERING_TORQUE] * sin(s[RATE] * t);
    (void)zdot;
    add_torque(z + ROTATION, on_rotor, f + ROTATION);
    add_torque(z + BACK, steering, f + BACK);
    add_torque(z + FRONT, -steering, f + FRONT);
    add_torque(z + Q, -on_rotor, f + Q); /* of the axles they cancel */
    return PH_OK;
}

/* ---- Building ----------------------------------------------------------------------------------------- */

/* x (3 x 3) <- the middle, the back axle, the front axle. */
static ph_status places(void *user, const double *z, double *x)
{
    const double *s = user;
    memset(x, 0, 9 * sizeof *x);
    for (int k = 0; k < 2; k++) {
        x[k] = z[X + k];
        x[3 + k] = z[X + k] - s[LENGTH] * z[Q + k];
        x[6 + k] = z[X + k] + s[LENGTH] * z[Q + k];
    }
    return PH_OK;
}

/* The board, its axles, each in its own direction, and the rotor. */
static void draw(double l, ph_part_list *parts)
{
    enum { BOARD_FRAME = 1, ROTOR_FRAME, BACK_FRAME, FRONT_FRAME };
    ph_part_plane(parts, "plane");
    ph_part_solid(parts, PH_SCENE_BOX, 0, BOARD_FRAME, 1.1 * l, 0.18 * l, 0.02 * l, 0, 0, 0.2 * l)->name =
        "board";
    ph_part_solid(parts, PH_SCENE_BOX, 0, ROTOR_FRAME, 0.5 * l, 0.06 * l, 0.04 * l, 0, 0, 0.35 * l)->name =
        "rotor";
    for (size_t axle = 1; axle <= 2; axle++) {
        const size_t frame = axle == 2 ? FRONT_FRAME : BACK_FRAME;
        ph_part_solid(parts, PH_SCENE_BOX, axle, frame, 0.04 * l, 0.3 * l, 0.03 * l, 0, 0, 0.1 * l)->name =
            "axle";
        for (int side = -1; side <= 1; side += 2)
            ph_part_wheel(parts, axle, frame, 0.1 * l, 0.03 * l, 0.3 * l * side);
    }
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_factor factors[] = {PH_R(2), PH_CIRCLE, PH_CIRCLE, PH_CIRCLE, PH_CIRCLE};
    double s[PH_LENGTH(parameters)], MM[NZ * NZ] = {0};
    ph_part_list parts = {0};
    ph_table_numbers(table, s);
    ph_fill_pairs((const double[]){s[MASS], s[BOARD], s[ROTOR], s[AXLE], s[AXLE]}, NZ, MM);
    draw(s[LENGTH], &parts);
    ph_system_definition definition = {.ambient_inertia = MM,
                                       .potential = springs,
                                       .gradient = springs_gradient,
                                       .force =
                                           s[ROTOR_TORQUE] != 0 || s[STEERING_TORQUE] != 0 ? motors : NULL,
                                       .force_ignores_velocity = true,
                                       .constraint = wheels,
                                       .constraint_along = wheels_along,
                                       .n_constraints = 2,
                                       .points = places,
                                       .n_points = 3};
    return ph_model_create(factors, 5, s, sizeof s, &parts, &definition, system, err);
}

/* zdot (2) <- of the direction q with the rate w. */
static void turn(const double *q, double w, double *qdot)
{
    qdot[0] = -w * q[1];
    qdot[1] = w * q[0];
}

/* x' from the rates of the board: Jb . xdot = l Jb . qdot, Jf . xdot = -l Jf . qdot. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    const double l = ph_number(table, LENGTH), th = which == WRIGGLING ? 0.3 : 0;
    (void)err;
    if (which == ROLLING) {
        const double at[NZ] = {0, 0, 1, 0, 1, 0, 1, 0, 1, 0};
        memcpy(z, at, sizeof at);
        memset(zdot, 0, NZ * sizeof *zdot);
        zdot[X] = 1;
        return PH_OK;
    }
    const double angles[4] = {th, th, th + 0.4, th - 0.5}, rates[4] = {0.6, 1.6, 0.9, 0.4};
    z[X] = z[X + 1] = 0;
    for (int i = 0; i < 4; i++) {
        z[Q + 2 * i] = cos(angles[i]);
        z[Q + 2 * i + 1] = sin(angles[i]);
        turn(z + Q + 2 * i, rates[i], zdot + Q + 2 * i);
    }
    const double *b = z + BACK, *f = z + FRONT, *q = zdot + Q, det = -b[1] * f[0] + b[0] * f[1],
                 back = l * (-b[1] * q[0] + b[0] * q[1]), front = -l * (-f[1] * q[0] + f[0] * q[1]);
    zdot[X] = (f[0] * back - b[0] * front) / det;
    zdot[X + 1] = (f[1] * back - b[1] * front) / det;
    return PH_OK;
}

const ph_model ph_model_snakeboard = {
    .name = "snakeboard",
    .summary = "board on two steered axles that a rotor drives",
    .reference = "Ostrowski, Lewis, Murray, Burdick, Proc. IEEE ICRA 1994, 2391",
    PH_MODEL_HERE,
};
