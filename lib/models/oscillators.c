/* SPDX-License-Identifier: BSD-3-Clause */
/* Test problems for nonholonomic integrators: unit masses with one constraint.
 *   contact-oscillator   xdot + y zdot = 0 on R^3, U = (|q|^2 + eps x^2 z^2)/2: (y^2 + ydot^2)/2 is conserved, too
 *   chaotic-quartic      xdot + sum y_i zdot_i = 0 on R^7, U = (|q|^2 + eps (z_1^2 z_2^2 + sum y_i^2 z_i^2))/2
 *   gearbox              xdot + sin(y) zdot = 0 on R^2 x S^1, U = (x^2 + z^2)/2 - cos y + eps sin 2y: two oscillators
 *                        whose ratio a rotating pendulum drives; with eps not 0 no reversal maps its orbit to itself
 * Sources: R. McLachlan, M. Perlmutter, J. Nonlinear Sci. 16 (2006) 283; K. Modin, O. Verdier, Numer. Math. 145 (2020)
 * 405. */
#include "parameters.h"

#include <polhode/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EPSILON, PARAMETERS };

static const ph_parameter of_contact[PARAMETERS] = {
    [EPSILON] = {
        "epsilon", PH_PARAMETER_NUMBER, "1/m^2", -DBL_MAX, DBL_MAX, {0.3}, "strength of x^2 z^2/2 in U"}};
static const ph_parameter of_quartic[PARAMETERS] = {[EPSILON] = {"epsilon",
                                                                 PH_PARAMETER_NUMBER,
                                                                 "1/m^2",
                                                                 -DBL_MAX,
                                                                 DBL_MAX,
                                                                 {1},
                                                                 "strength of the terms of order four in U"}};
static const ph_parameter of_gearbox[PARAMETERS] = {
    [EPSILON] = {"asymmetry",
                 PH_PARAMETER_NUMBER,
                 "J",
                 -DBL_MAX,
                 DBL_MAX,
                 {0},
                 "strength of sin 2y in the driver's potential"}};

/* ---- Contact oscillator: (x, y, z) ----------------------------------------------------------------- */

static ph_status contact_potential(void *user, const double *q, double *U)
{
    const double *eps = user;
    *U = 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + *eps * q[0] * q[0] * q[2] * q[2]);
    return PH_OK;
}

static ph_status contact_gradient(void *user, const double *q, double *dU)
{
    const double *eps = user;
    dU[0] = q[0] + *eps * q[0] * q[2] * q[2];
    dU[1] = q[1];
    dU[2] = q[2] + *eps * q[0] * q[0] * q[2];
    return PH_OK;
}

static ph_status contact(void *user, double t, const double *q, double *A, double *b)
{
    (void)user, (void)t, (void)b;
    A[0] = 1;
    A[2] = q[1];
    return PH_OK;
}

static ph_status contact_along(void *user, double t, const double *q, const double *v, double dt,
                               const double *dq, double *rate)
{
    (void)user, (void)t, (void)q, (void)dt;
    rate[0] = dq[1] * v[2];
    return PH_OK;
}

/* x (3) <- (x, y, z). */
static ph_status contact_places(void *user, const double *q, double *x)
{
    (void)user;
    memcpy(x, q, 3 * sizeof *x);
    return PH_OK;
}

/* ---- Quartic: (x, y_1, y_2, y_3, z_1, z_2, z_3) ----------------------------------------------------- */

static ph_status quartic_potential(void *user, const double *q, double *U)
{
    const double *eps = user, *y = q + 1, *z = q + 4;
    double sum = z[0] * z[0] * z[1] * z[1];
    for (int i = 0; i < 3; i++)
        sum += y[i] * y[i] * z[i] * z[i];
    *U = 0.5 * (*eps * sum + ph_dot(q, q, 7));
    return PH_OK;
}

static ph_status quartic_gradient(void *user, const double *q, double *dU)
{
    const double *eps = user, *y = q + 1, *z = q + 4;
    memcpy(dU, q, 7 * sizeof *dU);
    for (int i = 0; i < 3; i++) {
        dU[1 + i] += *eps * y[i] * z[i] * z[i];
        dU[4 + i] += *eps * y[i] * y[i] * z[i];
    }
    dU[4] += *eps * z[0] * z[1] * z[1];
    dU[5] += *eps * z[0] * z[0] * z[1];
    return PH_OK;
}

static ph_status quartic(void *user, double t, const double *q, double *A, double *b)
{
    (void)user, (void)t, (void)b;
    A[0] = 1;
    memcpy(A + 4, q + 1, 3 * sizeof *A);
    return PH_OK;
}

static ph_status quartic_along(void *user, double t, const double *q, const double *v, double dt,
                               const double *dq, double *rate)
{
    (void)user, (void)t, (void)q, (void)dt;
    rate[0] = dq[1] * v[4] + dq[2] * v[5] + dq[3] * v[6];
    return PH_OK;
}

/* x (3 x 3) <- x along e1, (y_1, y_2, y_3), (z_1, z_2, z_3). */
static ph_status quartic_places(void *user, const double *q, double *x)
{
    (void)user;
    x[0] = q[0];
    x[1] = x[2] = 0;
    memcpy(x + 3, q + 1, 6 * sizeof *x);
    return PH_OK;
}

/* ---- Gearbox: (x, z), (cos y, sin y) ----------------------------------------------------------------- */

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

/* ---- Building ---------------------------------------------------------------------------------------- */

/* The rest of the definition is given; eps becomes its user block. */
static ph_status build(const ph_factor *factors, size_t n, double eps, ph_system_definition d,
                       ph_system **system, ph_error *err)
{
    double MM[49] = {0}, *own = malloc(sizeof *own);
    ph_space *space = NULL;
    ph_status status =
        own ? ph_space_create(factors, n, &space, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status) {
        free(own);
        return status;
    }
    const size_t nz = ph_space_ambient(space);
    for (size_t i = 0; i < nz; i++)
        MM[i * (nz + 1)] = 1;
    *own = eps;
    d.space = space;
    d.ambient_inertia = MM;
    d.n_constraints = 1;
    d.user = own;
    d.user_free = free;
    status = ph_system_create(&d, system, err);
    ph_space_free(space);
    return status;
}

static ph_status build_contact(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 3};
    return build(&factor, 1, table[EPSILON].values[0],
                 (ph_system_definition){.potential = contact_potential,
                                        .gradient = contact_gradient,
                                        .constraint = contact,
                                        .points = contact_places,
                                        .n_points = 1,
                                        .constraint_along = contact_along},
                 system, err);
}

static ph_status build_quartic(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 7};
    return build(&factor, 1, table[EPSILON].values[0],
                 (ph_system_definition){.potential = quartic_potential,
                                        .gradient = quartic_gradient,
                                        .constraint = quartic,
                                        .points = quartic_places,
                                        .n_points = 3,
                                        .constraint_along = quartic_along},
                 system, err);
}

static ph_status build_gearbox(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    const ph_factor factors[] = {{.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S1}};
    return build(factors, 2, table[EPSILON].values[0],
                 (ph_system_definition){.potential = gearbox_potential,
                                        .gradient = gearbox_gradient,
                                        .constraint = gears,
                                        .points = gearbox_places,
                                        .n_points = 3,
                                        .constraint_along = gears_along},
                 system, err);
}

/* ---- Starts ------------------------------------------------------------------------------------------ */

static const ph_preset contact_presets[] = {
    {"reference", "z = -1/sqrt 2, y = 0 at 1 m/s, x such that the energy is 1.5 J"}};
static const ph_preset quartic_presets[] = {
    {"chaotic", "(cos a, 0.6, 0.4, 0.2, 1, 1, 1), y_1 at sin a m/s, a = 3 pi/20"},
    {"wider", "the same with a = pi/4"}};
static const ph_preset gearbox_presets[] = {
    {"driven", "x = 1, z = 0.3 m at 0.5 m/s, driver at y = 0 with 2.4 rad/s: it turns over"}};

static ph_status start_contact(const ph_parameter_value *table, size_t which, double *z, double *zdot,
                               ph_error *err)
{
    const double eps = table[EPSILON].values[0], z0 = -sqrt(0.5), square = 1 + eps * z0 * z0;
    (void)which;
    if (!(square > 0))
        return ph_fail(err, PH_E_RANGE, "epsilon: the preset \"reference\" needs one above -2");
    z[0] = sqrt((2 - z0 * z0) / square);
    z[1] = 0;
    z[2] = z0;
    memset(zdot, 0, 3 * sizeof *zdot);
    zdot[1] = 1;
    return PH_OK;
}

static ph_status start_quartic(const ph_parameter_value *table, size_t which, double *z, double *zdot,
                               ph_error *err)
{
    static const double fifteenth = 0.47123889803846898577, quarter = 0.78539816339744830962;
    const double a = which ? quarter : fifteenth, at[7] = {cos(a), 0.6, 0.4, 0.2, 1, 1, 1};
    (void)table, (void)err;
    memcpy(z, at, sizeof at);
    memset(zdot, 0, 7 * sizeof *zdot);
    zdot[1] = sin(a);
    return PH_OK;
}

/* xdot = -sin(0) zdot = 0. */
static ph_status start_gearbox(const ph_parameter_value *table, size_t which, double *z, double *zdot,
                               ph_error *err)
{
    static const double at[4] = {1, 0.3, 1, 0}, velocity[4] = {0, 0.5, 0, 2.4};
    (void)table, (void)which, (void)err;
    memcpy(z, at, sizeof at);
    memcpy(zdot, velocity, sizeof velocity);
    return PH_OK;
}

const ph_model ph_model_contact_oscillator = {
    .name = "contact-oscillator",
    .summary = "harmonic oscillators with a contact constraint: a test problem",
    .reference = "McLachlan, Perlmutter, J. Nonlinear Sci. 16 (2006) 283, example 5.2",
    .parameters = of_contact,
    .n_parameters = PARAMETERS,
    .presets = contact_presets,
    .n_presets = 1,
    .build = build_contact,
    .preset = start_contact,
};

const ph_model ph_model_chaotic_quartic = {
    .name = "chaotic-quartic",
    .summary = "seven coupled oscillators with one constraint, chaotic: a test problem",
    .reference = "Cortes, Geometric, Control and Numerical Aspects of Nonholonomic Systems, Springer 2002; "
                 "McLachlan, Perlmutter, J. Nonlinear Sci. 16 (2006) 283",
    .parameters = of_quartic,
    .n_parameters = PARAMETERS,
    .presets = quartic_presets,
    .n_presets = 2,
    .build = build_quartic,
    .preset = start_quartic,
};

const ph_model ph_model_gearbox = {
    .name = "gearbox",
    .summary = "two oscillators coupled by a gear whose ratio a turning pendulum changes: a test problem",
    .reference = "Modin, Verdier, Numer. Math. 145 (2020) 405",
    .parameters = of_gearbox,
    .n_parameters = PARAMETERS,
    .presets = gearbox_presets,
    .n_presets = 1,
    .build = build_gearbox,
    .preset = start_gearbox,
};
