/* SPDX-License-Identifier: BSD-3-Clause */
/* A user-defined Lagrangian in a few lines, without a derivative: a charge on a sphere of radius 1 m, at a
 * speed that is not small compared with that of light, c = 3 m/s here, in gravity and a magnetic field B
 * along e3:
 *     L = -m c^2 sqrt(1 - v.v/c^2) + (e B/2) e3.(q x v) - m g q_3.
 * It is written for complex numbers, and the library differentiates it by a complex step, as exactly as by
 * hand.
 *     cc lagrangian.c $(pkg-config --cflags --libs polhode) -lm -o lagrangian && ./lagrangian */
#include <complex.h>
#include <polhode/polhode.h>
#include <stdio.h>

typedef struct charge {
    double m, c, eB, g;
} charge;

/* z, zdot and L are re, im pairs, as an array of complex numbers is laid. */
static ph_status lagrangian(void *user, double t, const double *z, const double *zdot, double *L)
{
    (void)t;
    const charge *p = user;
    const double complex *q = (const double complex *)z, *v = (const double complex *)zdot;
    double complex square = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / (p->c * p->c);
    double complex swept = q[0] * v[1] - q[1] * v[0];
    *(double complex *)L = -p->m * p->c * p->c * csqrt(1 - square) + p->eB / 2 * swept - p->m * p->g * q[2];
    return PH_OK;
}

/* Energy, and angular momentum about e3 with the part of the field, after so many steps; returns the state's
 * z. */
static int follow(const ph_system *system, const double *q, const double *qdot, double h, int64_t steps,
                  double *E, double *J, double *z)
{
    ph_integrator *integrator;
    ph_state *state;
    ph_error err;
    double v[3], T, U, work[400];
    if (ph_integrator_create(system, ph_method_find("variational", &err), h, NULL, 0, &integrator, &err) ||
        ph_state_create(integrator, &state, &err) ||
        ph_state_set_velocity(integrator, state, 0, q, qdot, PH_STRICT, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    int failed = ph_integrator_step(integrator, state, steps) != PH_OK;
    if (failed)
        fprintf(stderr, "%s\n", ph_integrator_message(integrator));
    failed = failed || ph_system_work(system) > sizeof work / sizeof work[0] ||
             ph_system_velocity(system, state->t, state->z, state->p, v, work) ||
             ph_system_energy(system, state->t, state->z, v, &T, &U, work) ||
             ph_system_momentum_map(system, 0, state->z, state->p, J, work);
    *E = T + U;
    for (int k = 0; k < 3; k++)
        z[k] = state->z[k];
    ph_state_free(state);
    ph_integrator_free(integrator);
    return failed;
}

int main(void)
{
    charge p = {.m = 1, .c = 3, .eB = 0, .g = 9.81};
    const ph_factor sphere = {PH_FACTOR_S2, 0, NULL};
    const ph_symmetry turn = {"Jz", "angular momentum about e3", "kg m^2/s", {0, 0, 1}, NULL};
    ph_system_definition own = {
        .lagrangian_complex = lagrangian, .symmetries = &turn, .n_symmetries = 1, .user = &p};
    ph_derivative_report report;
    ph_space *space;
    ph_system *system;
    ph_error err;
    int wrong = 0;

    /* On the cone at q_3 = -0.6 it turns steadily with Om = 2 rad/s if
     *     (gamma m Om^2 + e B Om) q_3 + m g = 0. */
    const double Om = 2, q[3] = {0.8, 0, -0.6}, steady[3] = {0, 0.8 * Om, 0}, other[3] = {0.3, 1.5, 0.4};
    double gamma = 1 / sqrt(1 - 0.64 * Om * Om / (p.c * p.c));
    p.eB = (p.m * p.g / 0.6 - gamma * p.m * Om * Om) / Om;
    if (ph_space_create(&sphere, 1, &space, &err) || !(own.space = space) ||
        ph_system_create(&own, &system, &err) ||
        ph_system_check_derivatives(system, 0, q, other, &report, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    for (size_t i = 0; i < report.n; i++) {
        printf("%-31s off by %.0e %s\n", report.entry[i].name, report.entry[i].error,
               report.entry[i].mistake);
        wrong |= report.entry[i].error > PH_DERIVATIVE_WRONG;
    }

    double E0, E, J0, J, z[3], off[2];
    for (int k = 0; k < 2; k++) { /* to t = 10 s; half the step, a quarter of the error */
        if (follow(system, q, steady, 0.01 / (1 + k), 1000 * (1 + k), &E, &J, z))
            return 1;
        off[k] = hypot(z[0] - 0.8 * cos(10 * Om), z[1] - 0.8 * sin(10 * Om));
        printf("steady cone, h = %.3f s: off by %.1e after %.1f turns\n", 0.01 / (1 + k), off[k],
               10 * Om / 6.283185);
    }
    wrong |= !(off[1] < 1e-3) || !(fabs(off[0] / off[1] - 4) < 0.2);

    if (follow(system, q, other, 0.01, 0, &E0, &J0, z))
        return 1;
    for (int64_t steps = 100; steps <= 10000; steps *= 10) {
        if (follow(system, q, other, 0.01, steps, &E, &J, z))
            return 1;
        printf("t = %4.0f s  q = (%9.6f, %9.6f, %9.6f)  energy error %8.1e  momentum error %8.1e\n",
               0.01 * (double)steps, z[0], z[1], z[2], E / E0 - 1, J / J0 - 1);
        wrong |= !(fabs(E / E0 - 1) < 1e-3) || !(fabs(J / J0 - 1) < 1e-12);
    }
    ph_system_free(system);
    ph_space_free(space);
    return wrong;
}
