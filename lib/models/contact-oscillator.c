/* SPDX-License-Identifier: BSD-3-Clause */
/* The contact oscillator: xdot + y zdot = 0 on R^3 (oscillator.h), U = (|q|^2 + eps x^2 z^2)/2. y is harmonic by itself,
 * (y^2 + ydot^2)/2 is conserved besides the energy.
 * (R. McLachlan, M. Perlmutter, J. Nonlinear Sci. 16 (2006) 283.) */
#include "oscillator.h"

#include <math.h>
#include <string.h>

enum { EPSILON, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    [EPSILON] = {
        "epsilon", PH_PARAMETER_NUMBER, "1/m^2", -DBL_MAX, DBL_MAX, {0.3}, "strength of x^2 z^2/2 in U"}};

static const ph_preset presets[] = {
    {"reference", "z = -1/sqrt 2, y = 0 at 1 m/s, x such that the energy is 1.5 J"}};

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

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 3};
    return ph_oscillator_build(&factor, 1, table[EPSILON].values[0],
                               (ph_system_definition){.potential = contact_potential,
                                                      .gradient = contact_gradient,
                                                      .constraint = contact,
                                                      .points = contact_places,
                                                      .n_points = 1,
                                                      .constraint_along = contact_along},
                               system, err);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
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

const ph_model ph_model_contact_oscillator = {
    .name = "contact-oscillator",
    .summary = "harmonic oscillators with a contact constraint: a test problem",
    .reference = "McLachlan, Perlmutter, J. Nonlinear Sci. 16 (2006) 283, example 5.2",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = 1,
    .build = build,
    .preset = preset,
};
