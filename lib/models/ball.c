/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball that rolls: see ball.h. Coordinates are x (2) and R (9, row-major). */
#include "ball.h"
#include "body.h"

enum { X = 0, R = 2, NZ = 11, MOST_ROWS = 3 };

/* PH_E_RANGE. */
static ph_status read(const ph_model_table *table, ph_ball *ball, ph_error *err)
{
    const int variant = table->model->variant;
    const double *more =
        variant < PH_BALL_TURNTABLE ? NULL : ph_vector(table, table->model->n_parameters - 1);
    *ball = (ph_ball){.mass = ph_number(table, PH_BALL_MASS),
                      .radius = ph_number(table, PH_BALL_RADIUS),
                      .spins = variant != PH_BALL_RUBBER};
    if (variant == PH_BALL_TURNTABLE)
        ball->turn = ph_number(table, PH_BALL_PARAMETERS);
    if (more)
        memcpy(variant == PH_BALL_BELT ? ball->belt : ball->pull, more, sizeof ball->pull);
    return ph_body_tensor(ph_vector(table, PH_BALL_INERTIA), ph_vector(table, PH_BALL_PRODUCTS), ball->J,
                          err);
}

/* ---- The constraint ------------------------------------------------------------------------------- */

/* row (9) <- (1/2) S(k) B: what acts on Rdot as k . omega where B = R; linear in B. */
static void spin_row(const double k[3], const double B[9], double *row)
{
    double S[9];
    ph_hat3(k, S);
    ph_multiply3(S, B, row);
    for (int i = 0; i < 9; i++)
        row[i] *= 0.5;
}

/* The rows of omega (m x 9) for B = R. */
static void spin_rows(const ph_ball *ball, const double *B, double rows[][9])
{
    const double k[MOST_ROWS][3] = {{0, -ball->radius, 0}, {ball->radius, 0, 0}, {0, 0, 1}};
    for (int i = 0; i < (ball->spins ? 2 : 3); i++)
        spin_row(k[i], B, rows[i]);
}

static ph_status roll(void *user, double t, const double *z, double *A, double *b)
{
    const ph_ball *ball = user;
    double rows[MOST_ROWS][9];
    (void)t;
    spin_rows(ball, z + R, rows);
    for (int i = 0; i < (ball->spins ? 2 : 3); i++)
        memcpy(A + i * NZ + R, rows[i], sizeof rows[i]);
    A[X] = A[NZ + X + 1] = 1;
    b[0] = ball->belt[0] - ball->turn * z[X + 1];
    b[1] = ball->belt[1] + ball->turn * z[X];
    return PH_OK;
}

static ph_status roll_along(void *user, double t, const double *z, const double *zdot, double dt,
                            const double *dz, double *rate)
{
    const ph_ball *ball = user;
    double rows[MOST_ROWS][9];
    (void)t, (void)z, (void)dt;
    spin_rows(ball, dz + R, rows);
    for (int i = 0; i < (ball->spins ? 2 : 3); i++)
        rate[i] = ph_dot(rows[i], zdot + R, 9);
    rate[0] += ball->turn * dz[X + 1];
    rate[1] -= ball->turn * dz[X];
    return PH_OK;
}

/* ---- Potential, symmetries, points ---------------------------------------------------------------- */

static ph_status weight(void *user, const double *z, double *U)
{
    const ph_ball *ball = user;
    *U = -ball->mass * (ball->pull[0] * z[X] + ball->pull[1] * z[X + 1]);
    return PH_OK;
}

static ph_status weight_gradient(void *user, const double *z, double *dU)
{
    const ph_ball *ball = user;
    (void)z;
    memset(dU, 0, NZ * sizeof *dU);
    dU[X] = -ball->mass * ball->pull[0];
    dU[X + 1] = -ball->mass * ball->pull[1];
    return PH_OK;
}

/* xi <- the turn about the contact with unit angular velocity e in space: xdot = r e x e3, R^T e. */
static ph_status turn_about(const ph_ball *ball, const double e[3], const double *z, double *xi)
{
    xi[0] = ball->radius * e[1];
    xi[1] = -ball->radius * e[0];
    ph_apply_transposed3(z + R, e, xi + 2);
    return PH_OK;
}

static ph_status turn_1(void *user, const double *z, double *xi)
{
    return turn_about(user, (const double[3]){1, 0, 0}, z, xi);
}

static ph_status turn_2(void *user, const double *z, double *xi)
{
    return turn_about(user, (const double[3]){0, 1, 0}, z, xi);
}

static ph_status turn_3(void *user, const double *z, double *xi)
{
    return turn_about(user, (const double[3]){0, 0, 1}, z, xi);
}

/* Along gravity's pull, so that the centre moves across it. */
static ph_status turn_along_pull(void *user, const double *z, double *xi)
{
    const ph_ball *ball = user;
    const double size = hypot(ball->pull[0], ball->pull[1]),
                 e[3] = {ball->pull[0] / size, ball->pull[1] / size, 0};
    return turn_about(ball, e, z, xi);
}

/* About the contact: those that gravity and, of a rubber ball, the third constraint leave. */
static size_t list_symmetries(const ph_ball *ball, ph_symmetry symmetries[3])
{
    static const ph_symmetry all[] = {
        {"Mx", "angular momentum about the contact along e1", "kg m^2/s", {0, 0, 0}, turn_1},
        {"My", "angular momentum about the contact along e2", "kg m^2/s", {0, 0, 0}, turn_2},
        {"Mz", "angular momentum about the contact along e3", "kg m^2/s", {0, 0, 0}, turn_3},
        {"Mg",
         "angular momentum about the contact along gravity in the plane",
         "kg m^2/s",
         {0},
         turn_along_pull}};
    const bool level = ball->pull[0] == 0 && ball->pull[1] == 0;
    size_t n = 0;
    symmetries[n++] = level ? all[0] : all[3];
    if (level)
        symmetries[n++] = all[1];
    if (ball->spins)
        symmetries[n++] = all[2];
    return n;
}

/* x (3 x 2) <- the centre and the contact; e3 is the normal of the plane. */
static ph_status places(void *user, const double *z, double *x)
{
    const ph_ball *ball = user;
    x[0] = x[3] = z[X];
    x[1] = x[4] = z[X + 1];
    x[2] = ball->radius;
    x[5] = 0;
    return PH_OK;
}

/* The ball with its axes, and the plane. */
static void draw(const ph_ball *ball, ph_part_list *parts)
{
    ph_part_size(ph_part_add(parts, PH_SCENE_PLANE, PH_NO_INDEX, PH_NO_INDEX), 0, 0, 0)->name =
        ball->turn != 0                            ? "turntable"
        : ball->belt[0] == 0 && ball->belt[1] == 0 ? "plane"
                                                   : "belt";
    ph_part_size(ph_part_add(parts, PH_SCENE_BALL, 0, 1), ball->radius, 0, 0)->name = "ball";
    ph_part_size(ph_part_add(parts, PH_SCENE_AXES, 0, 1), 1.25 * ball->radius, 0, 0);
}

/* ---- Building and starts -------------------------------------------------------------------------- */

ph_status ph_ball_build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_factor factors[] = {PH_R(2), PH_ROTATIONS};
    double MM[NZ * NZ] = {0};
    ph_symmetry symmetries[3];
    ph_ball ball;
    ph_part_list parts = {0};
    ph_status status = read(table, &ball, err);
    if (status)
        return status;
    MM[0] = MM[NZ + 1] = ball.mass;
    ph_body_add_inertia(ball.J, NZ, R, MM);
    draw(&ball, &parts);
    ph_system_definition definition = {.ambient_inertia = MM,
                                       .potential = weight,
                                       .gradient = weight_gradient,
                                       .symmetries = symmetries,
                                       .n_symmetries = list_symmetries(&ball, symmetries),
                                       .constraint = roll,
                                       .constraint_along = roll_along,
                                       .n_constraints = ball.spins ? 2 : 3,
                                       .points = places,
                                       .n_points = 2};
    return ph_model_create(factors, 2, &ball, sizeof ball, &parts, &definition, system, err);
}

const ph_preset ph_ball_presets[2] = {
    {"tumbling",
     "centre at (0.4, -0.2) m, R = exp S(0.3, -0.5, 0.8), body angular velocity (0.9, -0.4, 1.1) rad/s"},
    {"straight", "centre at (0, 0), R = I, 1 rad/s about e2"}};

/* Rolling, a rubber ball without its spin. */
ph_status ph_ball_preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double turned[2][3] = {{0.3, -0.5, 0.8}, {0, 0, 0}}, at[2][2] = {{0.4, -0.2}, {0, 0}},
                        Omega[2][3] = {{0.9, -0.4, 1.1}, {0, 1, 0}};
    double omega[3], body[3];
    ph_ball ball;
    ph_status status = read(table, &ball, err);
    if (status)
        return status;
    memcpy(z + X, at[which], sizeof at[which]);
    ph_exp3(turned[which], z + R);
    ph_rotation_correct3(z + R);
    ph_apply3(z + R, Omega[which], omega);
    if (!ball.spins)
        omega[2] = 0;
    ph_apply_transposed3(z + R, omega, body);
    ph_body_turn(z + R, body, zdot + R);
    zdot[X] = ball.radius * omega[1] - ball.turn * z[X + 1] + ball.belt[0];
    zdot[X + 1] = -ball.radius * omega[0] + ball.turn * z[X] + ball.belt[1];
    return PH_OK;
}
