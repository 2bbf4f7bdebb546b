/* SPDX-License-Identifier: BSD-3-Clause */
/* The contact oscillator: xdot + y zdot = 0 of unit masses on R^3, U = (|q|^2 + eps x^2 z^2)/2. y is harmonic by itself,
 * (y^2 + ydot^2)/2 is conserved besides the energy. With a shift sigma the Lagrangian has the further term
 * sigma sin(z) zdot, a derivative in time: the motion is the same, but no reversal of momenta belongs to it any more, and
 * discretisations are others.
 * (R. McLachlan, M. Perlmutter, J. Nonlinear Sci. 16 (2006) 283.) */
#include "model.h"

enum { EPSILON, SHIFT };

static const ph_parameter parameters[] = {
    [EPSILON] = PH_NUMBER("epsilon", "1/m^2", PH_ANY, 0.3, "strength of x^2 z^2/2 in U"),
    [SHIFT] = PH_NUMBER("shift", "kg m/s", PH_ANY, 0, "sigma: the momentum along z is zdot + sigma sin z")};

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

/* ---- With the shift: user is (epsilon, sigma) -------------------------------------------------------- */

static ph_status lagrangian(void *user, const double *q, const double *v, double *L)
{
    const double *sigma = (const double *)user + 1;
    double U;
    contact_potential(user, q, &U);
    *L = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + *sigma * sin(q[2]) * v[2] - U;
    return PH_OK;
}

static ph_status lagrangian_gradient(void *user, const double *q, const double *v, double *Lz, double *Lv)
{
    const double *sigma = (const double *)user + 1;
    contact_gradient(user, q, Lz);
    for (int k = 0; k < 3; k++) {
        Lz[k] = -Lz[k];
        Lv[k] = v[k];
    }
    Lz[2] += *sigma * cos(q[2]) * v[2];
    Lv[2] += *sigma * sin(q[2]);
    return PH_OK;
}

static ph_status lagrangian_hessian(void *user, const double *q, const double *v, double *Lzz, double *Lvz,
                                    double *Lvv)
{
    const double eps = *(const double *)user, sigma = ((const double *)user)[1], x = q[0], z = q[2];
    memset(Lzz, 0, 9 * sizeof *Lzz);
    Lzz[0] = -1 - eps * z * z;
    Lzz[2] = Lzz[6] = -2 * eps * x * z;
    Lzz[4] = -1;
    Lzz[8] = -1 - eps * x * x - sigma * sin(z) * v[2];
    memset(Lvz, 0, 9 * sizeof *Lvz);
    Lvz[8] = sigma * cos(z);
    memset(Lvv, 0, 9 * sizeof *Lvv);
    Lvv[0] = Lvv[4] = Lvv[8] = 1;
    return PH_OK;
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_factor factor = PH_R(3);
    static const double MM[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double numbers[PH_LENGTH(parameters)];
    ph_table_numbers(table, numbers);
    ph_system_definition d = {.constraint = contact,
                              .constraint_along = contact_along,
                              .n_constraints = 1,
                              .points = contact_places,
                              .n_points = 1};
    if (numbers[SHIFT] != 0) {
        d.lagrangian = lagrangian;
        d.lagrangian_gradient = lagrangian_gradient;
        d.lagrangian_hessian = lagrangian_hessian;
    } else {
        d.ambient_inertia = MM;
        d.potential = contact_potential;
        d.gradient = contact_gradient;
    }
    return ph_model_create(&factor, 1, numbers, sizeof numbers, NULL, &d, system, err);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    const double eps = ph_number(table, EPSILON), z0 = -sqrt(0.5), square = 1 + eps * z0 * z0;
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
    PH_MODEL_HERE,
};
