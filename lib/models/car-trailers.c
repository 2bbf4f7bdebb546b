/* SPDX-License-Identifier: BSD-3-Clause */
/* A car that pulls n trailers, each coupled to the axle before it. x is the middle of the car's rear axle (R^2); on S^1 are the
 * heading q_0 of the car, the direction s of its front wheels and those q_i of the trailers. With the axle of trailer i at
 * x_i = x - d (q_1 + ... + q_i), its centre of mass,
 *     L = (1/2) m_0 |xdot + c qdot_0|^2 + (1/2) I_0 |qdot_0|^2 + (1/2) I_s |sdot|^2
 *         + sum (1/2) m |xdot_i|^2 + (1/2) I |qdot_i|^2 - (1/2) k delta^2,      delta the angle of s from q_0,
 *     Jq_0 . xdot = 0,   Js . (xdot + l qdot_0) = 0,   Jq_i . xdot_i = 0.
 * A force drives the car along q_0, and a torque T cos(w t) turns the front wheels against it.
 * (R. M. Murray, S. S. Sastry, IEEE Trans. Autom. Control 38 (1993) 700; J.-P. Laumond, IROS 1991.) */
#include "model.h"

enum { TRAILERS, MASS, CENTRE, LENGTH, INERTIA, STEERING, SPRING, TRAILER, HITCH, MOMENT };
enum { DRIVE = MOMENT + 1, TORQUE, RATE };

/* Dense matrices are made of it. */
enum { MOST_TRAILERS = 100 };

static const ph_parameter parameters[] = {
    [TRAILERS] = PH_COUNT("trailers", PH_FROM(0, MOST_TRAILERS), 2, "number of trailers"),
    [MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 1000, "mass m_0 of the car"),
    [CENTRE] =
        PH_NUMBER("centre", "m", PH_ANY, 1.2, "c, distance of its centre of mass ahead of the rear axle"),
    [LENGTH] = PH_NUMBER("length", "m", PH_POSITIVE, 2.5, "l, distance of the front axle from the rear axle"),
    [INERTIA] = PH_NUMBER("inertia", "kg m^2", PH_POSITIVE, 1500,
                          "moment of inertia I_0 of the car about its centre of mass"),
    [STEERING] = PH_NUMBER("steering", "kg m^2", PH_POSITIVE, 5,
                           "moment of inertia I_s of the front wheels about the vertical"),
    [SPRING] = PH_NUMBER("spring", "N m", PH_NOT_NEGATIVE, 50,
                         "stiffness k (torque for 1 rad) that turns the front wheels straight"),
    [TRAILER] = PH_NUMBER("trailer_mass", "kg", PH_POSITIVE, 400, "mass m of each trailer"),
    [HITCH] =
        PH_NUMBER("hitch", "m", PH_POSITIVE, 2, "d, distance of a trailer's axle from the axle before it"),
    [MOMENT] = PH_NUMBER("trailer_inertia", "kg m^2", PH_POSITIVE, 300,
                         "moment of inertia I of a trailer about the middle of its axle"),
    [DRIVE] = PH_NUMBER("drive", "N", PH_ANY, 0, "force on the car along its heading"),
    [TORQUE] =
        PH_NUMBER("steering_torque", "N m", PH_ANY, 0, "amplitude T of the torque on the front wheels"),
    [RATE] = PH_NUMBER("rate", "rad/s", PH_ANY, 1, "angular frequency w of that torque"),
};

enum { TURNING, STRAIGHT, EIGHTS };

static const ph_preset presets[] = {
    [TURNING] = {"turning", "along e1 at 3 m/s, front wheels at 0.3 rad, trailers in a line"},
    [STRAIGHT] = {"straight", "along e1 at 3 m/s"},
    [EIGHTS] = {
        "eights",
        "along e1 at 3 m/s, front wheels at 0.5 rad, turned to both sides by a torque of 25 N m: figures of eight"}};

/* The front wheels follow the torque, delta = (T/k) cos(w t), and the heading turns to both sides by (u/(l w)) tan(T/k) or so: at the first
 * zero of the Bessel function J_0, 2.405, the path closes. */
static const ph_preset_value own[] = {
    PH_OWN(EIGHTS, "steering_torque", 25),
    PH_OWN(EIGHTS, "rate", 0.262),
};

/* z = x, q_0, s, q_1, ..., q_n; the user block is the numbers of the table. */
enum { X = 0, Q = 2, S = 4, FIRST = 6 };

static size_t trailers(const double *c)
{
    return (size_t)c[TRAILERS];
}

static size_t coordinates(const double *c)
{
    return FIRST + 2 * trailers(c);
}

/* ---- Constraints: linear in B, z or a change of it ---------------------------------------------------- */

/* row += J B_i . (velocity of the middle of axle i), i trailers behind the rear one. */
static void add_axle(const double *c, const double *direction, size_t i, double *row)
{
    const double across[2] = {-direction[1], direction[0]};
    for (int k = 0; k < 2; k++) {
        row[X + k] += across[k];
        for (size_t j = 0; j < i; j++)
            row[FIRST + 2 * j + (size_t)k] -= c[HITCH] * across[k];
    }
}

static void fill_rows(const double *c, const double *B, double *A)
{
    const size_t nz = coordinates(c);
    add_axle(c, B + Q, 0, A);
    add_axle(c, B + S, 0, A + nz);
    A[nz + Q] -= c[LENGTH] * B[S + 1];
    A[nz + Q + 1] += c[LENGTH] * B[S];
    for (size_t i = 1; i <= trailers(c); i++)
        add_axle(c, B + FIRST + 2 * (i - 1), i, A + (1 + i) * nz);
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
    const double *c = user;
    double v[2] = {zdot[X], zdot[X + 1]}; /* of the axle */
    (void)t, (void)z, (void)dt;
    rate[0] = -dz[Q + 1] * v[0] + dz[Q] * v[1];
    rate[1] = -dz[S + 1] * (v[0] + c[LENGTH] * zdot[Q]) + dz[S] * (v[1] + c[LENGTH] * zdot[Q + 1]);
    for (size_t i = 0; i < trailers(c); i++) {
        const double *dq = dz + FIRST + 2 * i;
        for (int k = 0; k < 2; k++)
            v[k] -= c[HITCH] * zdot[FIRST + 2 * i + (size_t)k];
        rate[2 + i] = -dq[1] * v[0] + dq[0] * v[1];
    }
    return PH_OK;
}

/* ---- Spring and forces -------------------------------------------------------------------------------- */

static double steering_angle(const double *z)
{
    return atan2(z[Q] * z[S + 1] - z[Q + 1] * z[S], z[Q] * z[S] + z[Q + 1] * z[S + 1]);
}

static ph_status spring(void *user, const double *z, double *U)
{
    const double *c = user;
    const double delta = steering_angle(z);
    *U = 0.5 * c[SPRING] * delta * delta;
    return PH_OK;
}

/* f += a torque on s, and against it on q_0. */
static void add_steering(const double *z, double torque, double *f)
{
    const double on_wheels = torque / (z[S] * z[S] + z[S + 1] * z[S + 1]),
                 on_car = torque / (z[Q] * z[Q] + z[Q + 1] * z[Q + 1]);
    f[S] -= on_wheels * z[S + 1];
    f[S + 1] += on_wheels * z[S];
    f[Q] += on_car * z[Q + 1];
    f[Q + 1] -= on_car * z[Q];
}

static ph_status spring_gradient(void *user, const double *z, double *dU)
{
    const double *c = user;
    memset(dU, 0, coordinates(c) * sizeof *dU);
    add_steering(z, c[SPRING] * steering_angle(z), dU);
    return PH_OK;
}

static ph_status push(void *user, double t, const double *z, const double *zdot, double *f)
{
    const double *c = user;
    (void)zdot;
    f[X] += c[DRIVE] * z[Q];
    f[X + 1] += c[DRIVE] * z[Q + 1];
    add_steering(z, c[TORQUE] * cos(c[RATE] * t), f);
    return PH_OK;
}

/* x (3 x (n + 2)) <- front axle, rear axle, axles of the trailers. */
static ph_status places(void *user, const double *z, double *x)
{
    const double *c = user;
    double at[2] = {z[X], z[X + 1]};
    memset(x, 0, 3 * (trailers(c) + 2) * sizeof *x);
    for (int k = 0; k < 2; k++) {
        x[k] = z[X + k] + c[LENGTH] * z[Q + k];
        x[3 + k] = z[X + k];
    }
    for (size_t i = 0; i < trailers(c); i++)
        for (int k = 0; k < 2; k++)
            x[3 * (2 + i) + (size_t)k] = at[k] -= c[HITCH] * z[FIRST + 2 * i + (size_t)k];
    return PH_OK;
}

/* Bodies and wheels: points are the front axle, the rear axle and those of the trailers, factors x, q_0, s, q_1, ... */
static void draw(const double *c, ph_part_list *parts)
{
    const double l = c[LENGTH], a = 0.13 * l;
    ph_part_plane(parts, "plane");
    ph_part_solid(parts, PH_SCENE_BOX, 1, 1, 0.7 * l, 0.3 * l, 0.12 * l, 0.5 * l, 0, 0.25 * l)->name = "car";
    for (size_t axle = 0; axle < trailers(c) + 2; axle++) {
        const size_t frame = axle == 0 ? 2 : axle == 1 ? 1 : axle + 1;
        if (axle >= 2) {
            ph_part_solid(parts, PH_SCENE_BOX, axle, frame, 0.35 * c[HITCH], 0.3 * l, 0.12 * l, 0, 0,
                          0.25 * l)
                ->name = "trailer";
            ph_part_rod(parts, axle - 1, axle, 0.02 * l);
        }
        for (int side = -1; side <= 1; side += 2)
            ph_part_wheel(parts, axle, frame, a, 0.3 * a, 0.3 * l * side);
    }
}

/* ---- Building ----------------------------------------------------------------------------------------- */

/* MM (nz x nz) += m |sum_a weight_a (coordinates at place_a)|^2, by places of pairs. */
static void add_mass(size_t nz, double m, const size_t *place, const double *weight, size_t n, double *MM)
{
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            for (size_t k = 0; k < 2; k++)
                MM[(place[a] + k) * nz + place[b] + k] += m * weight[a] * weight[b];
}

static void fill_inertia(const double *c, double *MM)
{
    const size_t nz = coordinates(c);
    size_t place[MOST_TRAILERS + 1] = {X, Q};
    double weight[MOST_TRAILERS + 1] = {1, c[CENTRE]};
    const double one = 1;
    add_mass(nz, c[MASS], place, weight, 2, MM);
    add_mass(nz, c[INERTIA], place + 1, &one, 1, MM);
    place[1] = S;
    add_mass(nz, c[STEERING], place + 1, &one, 1, MM);
    for (size_t i = 1; i <= trailers(c); i++) {
        place[i] = FIRST + 2 * (i - 1);
        weight[i] = -c[HITCH];
        add_mass(nz, c[TRAILER], place, weight, i + 1, MM);
        add_mass(nz, c[MOMENT], place + i, &one, 1, MM);
    }
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_factor factors[FIRST / 2 + MOST_TRAILERS] = {PH_R(2)};
    double c[PH_LENGTH(parameters)];
    ph_part_list parts = {0};
    ph_table_numbers(table, c);
    const size_t nz = coordinates(c), rows = trailers(c) + 2;
    double *MM = calloc(nz * nz, sizeof *MM);
    if (!MM)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu trailers", trailers(c));
    for (size_t i = 1; i < nz / 2; i++)
        factors[i].kind = PH_FACTOR_S1;
    fill_inertia(c, MM);
    draw(c, &parts);
    ph_system_definition definition = {.ambient_inertia = MM,
                                       .potential = spring,
                                       .gradient = spring_gradient,
                                       .force = c[DRIVE] != 0 || c[TORQUE] != 0 ? push : NULL,
                                       .force_ignores_velocity = true,
                                       .constraint = roll,
                                       .constraint_along = roll_along,
                                       .n_constraints = rows,
                                       .points = places,
                                       .n_points = rows};
    const ph_status status = ph_model_create(factors, nz / 2, c, sizeof c, &parts, &definition, system, err);
    free(MM);
    return status;
}

/* The rates follow from the speed u of the rear axle: w_0 = u tan(delta)/l, and for each trailer d w_i = Jq_i . (velocity
 * of the axle before). */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double u = 3, deltas[] = {[TURNING] = 0.3, [STRAIGHT] = 0, [EIGHTS] = 0.5};
    double c[PH_LENGTH(parameters)];
    ph_table_numbers(table, c);
    const double delta = deltas[which], turning = u * tan(delta) / c[LENGTH];
    double v[2] = {u, 0};
    (void)err;
    memset(z, 0, coordinates(c) * sizeof *z);
    memset(zdot, 0, coordinates(c) * sizeof *zdot);
    z[Q] = 1;
    zdot[X] = u;
    zdot[Q + 1] = turning;
    z[S] = cos(delta);
    z[S + 1] = sin(delta);
    zdot[S] = -turning * z[S + 1];
    zdot[S + 1] = turning * z[S];
    for (size_t i = 0; i < trailers(c); i++) {
        double *q = z + FIRST + 2 * i, *qdot = zdot + FIRST + 2 * i;
        q[0] = 1;
        const double w = (-q[1] * v[0] + q[0] * v[1]) / c[HITCH];
        qdot[0] = -w * q[1];
        qdot[1] = w * q[0];
        for (int k = 0; k < 2; k++)
            v[k] -= c[HITCH] * qdot[k];
    }
    return PH_OK;
}

const ph_model ph_model_car_trailers = {
    .name = "car-trailers",
    .summary = "car that pulls trailers, wheels rolling without slipping",
    .reference = "Murray, Sastry, IEEE Trans. Autom. Control 38 (1993) 700",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
    .start = EIGHTS,
};
