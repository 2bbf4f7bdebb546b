/* SPDX-License-Identifier: BSD-3-Clause */
/* The continuous gearbox: xdot + sin(y) zdot = 0 of unit masses on R^2 x S^1, coordinates x, z, (cos y, sin y),
 *     U = (x^2 + z^2)/2 - cos y + eps sin 2y:
 * two oscillators whose ratio a turning pendulum changes. With eps not 0 no reversal maps its orbit to itself.
 * (K. Modin, O. Verdier, Numer. Math. 145 (2020) 405.) */
#include "model.h"

enum { EPSILON };

static const ph_parameter parameters[] = {
    [EPSILON] = PH_NUMBER("asymmetry", "J", PH_ANY, 0, "strength of sin 2y in the driver's potential")};

static const ph_preset presets[] = {
    {"driven", "x = 1, z = 0.3 m at 0.5 m/s, driver at y = 0 with 2.4 rad/s: it turns over"}};

static ph_status gearbox_potential(void *user, const double *q, double *U)
{
    const double *eps = user;
    *U = 0.5 * (q[0] * q[0] + q[1] * q[1]) - q[2] + 2 * *eps * q[2] * q[3];
    return PH_OK;
}

static ph_status gearbox_gradient(void *user, const double *q, double *dU)
{
    const double *eps = user;
    dU[0] = q[0];
    dU[1] = q[1];
    dU[2] = -1 + 2 * *eps * q[3];
    dU[3] = 2 * *eps * q[2];
    return PH_OK;
}

static ph_status gears(void *user, double t, const double *q, double *A, double *b)
{
    (void)user, (void)t, (void)b;
    A[0] = 1;
    A[1] = q[3];
    return PH_OK;
}

static ph_status gears_along(void *user, double t, const double *q, const double *v, double dt,
                             const double *dq, double *rate)
{
    (void)user, (void)t, (void)q, (void)dt;
    rate[0] = dq[3] * v[1];
    return PH_OK;
}

/* x (3 x 3) <- the masses, along e1 and e2, and the end of the driver. */
static ph_status gearbox_places(void *user, const double *q, double *x)
{
    (void)user;
    memset(x, 0, 9 * sizeof *x);
    x[0] = q[0];
    x[4] = q[1];
    x[6] = q[2];
    x[7] = q[3];
    return PH_OK;
}

/* The masses on their axes, and the driver. */
static void draw(ph_part_list *parts)
{
    ph_part_add(parts, PH_SCENE_BALL, 0, PH_NO_INDEX)->name = "first mass";
    ph_part_add(parts, PH_SCENE_BALL, 1, PH_NO_INDEX)->name = "second mass";
    ph_part_rod(parts, PH_NO_INDEX, 2, 0)->name = "driver";
    ph_part_add(parts, PH_SCENE_BALL, 2, PH_NO_INDEX)->name = "driver";
    for (int axis = 0; axis < 2; axis++) {
        ph_scene_part *line = ph_part_rod(parts, PH_NO_INDEX, PH_NO_INDEX, 0);
        line->a.at[axis] = -2;
        line->b.at[axis] = 2;
        line->name = axis ? "second axis" : "first axis";
    }
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_factor factors[] = {PH_R(2), PH_CIRCLE};
    double MM[16] = {0};
    ph_part_list parts = {0};
    ph_fill_pairs((const double[]){1, 1}, 4, MM);
    draw(&parts);
    ph_system_definition d = {.ambient_inertia = MM,
                              .potential = gearbox_potential,
                              .gradient = gearbox_gradient,
                              .constraint = gears,
                              .constraint_along = gears_along,
                              .n_constraints = 1,
                              .points = gearbox_places,
                              .n_points = 3};
    return ph_model_create(factors, 2, ph_vector(table, EPSILON), sizeof(double), &parts, &d, system, err);
}

/* xdot = -sin(0) zdot = 0. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double at[4] = {1, 0.3, 1, 0}, velocity[4] = {0, 0.5, 0, 2.4};
    (void)table, (void)which, (void)err;
    memcpy(z, at, sizeof at);
    memcpy(zdot, velocity, sizeof velocity);
    return PH_OK;
}

const ph_model ph_model_gearbox = {
    .name = "gearbox",
    .summary = "two oscillators coupled by a gear whose ratio a turning pendulum changes: a test problem",
    .reference = "Modin, Verdier, Numer. Math. 145 (2020) 405",
    PH_MODEL_HERE,
};
