/* SPDX-License-Identifier: BSD-3-Clause */
/* Seven oscillators, chaotic: xdot + sum y_i zdot_i = 0 of unit masses on R^7, q = (x, y_1, y_2, y_3, z_1, z_2, z_3),
 *     U = (|q|^2 + eps (z_1^2 z_2^2 + sum y_i^2 z_i^2))/2.
 * (R. McLachlan, M. Perlmutter, J. Nonlinear Sci. 16 (2006) 283.) */
#include "model.h"

enum { EPSILON };

static const ph_parameter parameters[] = {
    [EPSILON] = PH_NUMBER("epsilon", "1/m^2", PH_ANY, 1, "strength of the terms of order four in U")};

static const ph_preset presets[] = {
    {"chaotic", "(cos a, 0.6, 0.4, 0.2, 1, 1, 1), y_1 at sin a m/s, a = 3 pi/20"},
    {"wider", "the same with a = pi/4"}};

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

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_factor factor = PH_R(7);
    double MM[49] = {0};
    ph_fill_pairs((const double[]){1, 1, 1, 1}, 7, MM);
    ph_system_definition d = {.ambient_inertia = MM,
                              .potential = quartic_potential,
                              .gradient = quartic_gradient,
                              .constraint = quartic,
                              .constraint_along = quartic_along,
                              .n_constraints = 1,
                              .points = quartic_places,
                              .n_points = 3};
    return ph_model_create(&factor, 1, ph_vector(table, EPSILON), sizeof(double), NULL, &d, system, err);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double fifteenth = 0.47123889803846898577, quarter = 0.78539816339744830962;
    const double a = which ? quarter : fifteenth, at[7] = {cos(a), 0.6, 0.4, 0.2, 1, 1, 1};
    (void)table, (void)err;
    memcpy(z, at, sizeof at);
    memset(zdot, 0, 7 * sizeof *zdot);
    zdot[1] = sin(a);
    return PH_OK;
}

const ph_model ph_model_chaotic_quartic = {
    .name = "chaotic-quartic",
    .summary = "seven coupled oscillators with one constraint, chaotic: a test problem",
    .reference = "Cortes, Geometric, Control and Numerical Aspects of Nonholonomic Systems, Springer 2002; "
                 "McLachlan, Perlmutter, J. Nonlinear Sci. 16 (2006) 283",
    PH_MODEL_HERE,
};
