/* SPDX-License-Identifier: BSD-3-Clause */
/* Plane bodies on a blade, which slides along itself and not across: R^2 x S^1, the centre of mass x and the heading q,
 *     L = (1/2) m |xdot|^2 + (1/2) I |qdot|^2 + m G . x,        Jq . (xdot - a qdot) = 0,   Jq = (-q_2, q_1),
 * with the blade at x - a q. Chaplygin's sleigh has a > 0 and no gravity: with u the speed along q of the blade and
 * w the rate of turning
 *     u = V tanh(k (t - t0)),  w = W sech(k (t - t0)),   V = sqrt(2E/m),  W = sqrt(2E/J),  k = a m V/J,  J = I + m a^2.
 * The knife edge has a = 0 and gravity along e1, the plane being an incline: w is constant, and the speed along q
 * changes by G (sin theta - sin theta_0)/w.
 * (Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972.) */
#include "parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct skate {
    double mass, inertia, ahead, pull; /* [kg], [kg m^2], [m] a, [m/s^2] G along e1 */
} skate;

enum { MASS, MOMENT, LAST, PARAMETERS };

#define SHARED_ROWS(moment)                                                                                  \
    [MASS] = {"mass", PH_PARAMETER_NUMBER, "kg", DBL_MIN, DBL_MAX, {1}, "mass of the body"},                 \
    [MOMENT] = {"inertia",                                                                                   \
                PH_PARAMETER_NUMBER,                                                                         \
                "kg m^2",                                                                                    \
                DBL_MIN,                                                                                     \
                DBL_MAX,                                                                                     \
                {moment},                                                                                    \
                "moment of inertia about the centre of mass"}

static const ph_parameter of_sleigh[PARAMETERS] = {
    SHARED_ROWS(0.5), [LAST] = {"ahead",
                                PH_PARAMETER_NUMBER,
                                "m",
                                -DBL_MAX,
                                DBL_MAX,
                                {0.3},
                                "distance a of the centre of mass ahead of the blade"}};
static const ph_parameter of_knife[PARAMETERS] = {
    SHARED_ROWS(0.5), [LAST] = {"pull",
                                PH_PARAMETER_NUMBER,
                                "m/s^2",
                                -DBL_MAX,
                                DBL_MAX,
                                {4.905},
                                "gravity along the incline, g sin(slope), towards e1"}};

/* ---- The constraint and the potential; z = (x, q) -------------------------------------------------- */

static ph_status blade(void *user, double t, const double *z, double *A, double *b)
{
    const skate *s = user;
    (void)t, (void)b;
    A[0] = -z[3];
    A[1] = z[2];
    A[2] = s->ahead * z[3];
    A[3] = -s->ahead * z[2];
    return PH_OK;
}

static ph_status blade_along(void *user, double t, const double *z, const double *zdot, double dt,
                             const double *dz, double *rate)
{
    const skate *s = user;
    (void)t, (void)z, (void)dt;
    rate[0] = -dz[3] * (zdot[0] - s->ahead * zdot[2]) + dz[2] * (zdot[1] - s->ahead * zdot[3]);
    return PH_OK;
}

static ph_status weight(void *user, const double *z, double *U)
{
    const skate *s = user;
    *U = -s->mass * s->pull * z[0];
    return PH_OK;
}

static ph_status weight_gradient(void *user, const double *z, double *dU)
{
    const skate *s = user;
    (void)z;
    memset(dU, 0, 4 * sizeof *dU);
    dU[0] = -s->mass * s->pull;
    return PH_OK;
}

/* xi <- the turn about the blade, which is the centre of mass. */
static ph_status turn(void *user, const double *z, double *xi)
{
    (void)user, (void)z;
    xi[0] = xi[1] = 0;
    xi[2] = 1;
    return PH_OK;
}

/* x (3 x 2) <- the centre of mass and the blade. */
static ph_status places(void *user, const double *z, double *x)
{
    const skate *s = user;
    for (int k = 0; k < 2; k++) {
        x[k] = z[k];
        x[3 + k] = z[k] - s->ahead * z[2 + k];
    }
    x[2] = x[5] = 0;
    return PH_OK;
}

/* ---- Building -------------------------------------------------------------------------------------- */

static ph_status build(const skate *of, ph_system **system, ph_error *err)
{
    static const ph_symmetry spin = {"L", "angular momentum about the blade", "kg m^2/s", {0, 0, 0}, turn};
    const ph_factor factors[] = {{.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S1}};
    const double m = of->mass, I = of->inertia, MM[16] = {m, 0, 0, 0, 0, m, 0, 0, 0, 0, I, 0, 0, 0, 0, I};
    ph_space *space = NULL;
    skate *own = malloc(sizeof *own);
    ph_status status =
        own ? ph_space_create(factors, 2, &space, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status) {
        free(own);
        return status;
    }
    *own = *of;
    const ph_system_definition definition = {.space = space,
                                             .ambient_inertia = MM,
                                             .potential = weight,
                                             .gradient = weight_gradient,
                                             .symmetries = &spin,
                                             .n_symmetries = of->ahead == 0,
                                             .constraint = blade,
                                             .constraint_along = blade_along,
                                             .n_constraints = 1,
                                             .points = places,
                                             .n_points = 2,
                                             .user = own,
                                             .user_free = free};
    status = ph_system_create(&definition, system, err);
    ph_space_free(space);
    return status;
}

static skate sleigh_of(const ph_parameter_value *table)
{
    return (skate){table[MASS].values[0], table[MOMENT].values[0], table[LAST].values[0], 0};
}

static skate knife_of(const ph_parameter_value *table)
{
    return (skate){table[MASS].values[0], table[MOMENT].values[0], 0, table[LAST].values[0]};
}

static ph_status build_sleigh(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    const skate s = sleigh_of(table);
    return build(&s, system, err);
}

static ph_status build_knife(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    const skate s = knife_of(table);
    return build(&s, system, err);
}

/* z, zdot <- centre of mass at the origin, heading theta, speed u of the blade along it, rate w of turning. */
static void start(const skate *s, double theta, double u, double w, double *z, double *zdot)
{
    const double c = cos(theta), q = sin(theta);
    z[0] = z[1] = 0;
    z[2] = c;
    z[3] = q;
    zdot[0] = u * c - s->ahead * w * q;
    zdot[1] = u * q + s->ahead * w * c;
    zdot[2] = -w * q;
    zdot[3] = w * c;
}

enum { TURNING, STRAIGHT, PRESETS };

static const ph_preset of_sleigh_start[PRESETS] = {
    [TURNING] = {"turning", "backwards at 0.4 m/s, turning at 0.9 rad/s, heading 0.2 rad from e1"},
    [STRAIGHT] = {"straight", "forwards along e1 at 1 m/s, turning at 0.001 rad/s: stable"}};
static const ph_preset of_knife_start[PRESETS] = {
    [TURNING] = {"turning", "at rest but for a turn of 1 rad/s, heading down the incline: a cycloid"},
    [STRAIGHT] = {"straight", "heading across the incline at 1 m/s, without a turn"}};

static ph_status start_sleigh(const ph_parameter_value *table, size_t which, double *z, double *zdot,
                              ph_error *err)
{
    const skate s = sleigh_of(table);
    (void)err;
    if (which == TURNING)
        start(&s, 0.2, -0.4, 0.9, z, zdot);
    else
        start(&s, 0, 1, 0.001, z, zdot);
    return PH_OK;
}

static ph_status start_knife(const ph_parameter_value *table, size_t which, double *z, double *zdot,
                             ph_error *err)
{
    static const double across = 1.5707963267948966192;
    const skate s = knife_of(table);
    (void)err;
    if (which == TURNING)
        start(&s, 0, 0, 1, z, zdot);
    else
        start(&s, across, 1, 0, z, zdot);
    return PH_OK;
}

const ph_model ph_model_chaplygin_sleigh = {
    .name = "chaplygin-sleigh",
    .summary = "plane body on a blade that does not slide sideways",
    .reference =
        "Chaplygin, Mat. Sb. 28 (1911) 303; Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    .parameters = of_sleigh,
    .n_parameters = PARAMETERS,
    .presets = of_sleigh_start,
    .n_presets = PRESETS,
    .build = build_sleigh,
    .preset = start_sleigh,
};

const ph_model ph_model_knife_edge = {
    .name = "knife-edge",
    .summary = "blade through the centre of mass of a plane body on an incline",
    .reference = "Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972",
    .parameters = of_knife,
    .n_parameters = PARAMETERS,
    .presets = of_knife_start,
    .n_presets = PRESETS,
    .build = build_knife,
    .preset = start_knife,
};
