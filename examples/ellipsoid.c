/* SPDX-License-Identifier: BSD-3-Clause */
/* A particle that slides freely on an ellipsoid, which is given by its constraint alone,
 *     g(x) = x^T A x - 1 = 0,      A = diag(1/a^2, 1/b^2, 1/c^2).
 * Its path is a geodesic, which keeps Joachimsthal's integral
 *     j = (x^T A^2 x) (v^T A v):
 * with the acceleration -(v^T A v)/(x^T A^2 x) A x the first factor grows at the relative rate
 * 2 x^T A^2 v/(x^T A^2 x), and the second falls at it.
 *     cc ellipsoid.c $(pkg-config --cflags --libs polhode) -lm -o ellipsoid && ./ellipsoid */
#include <polhode/polhode.h>
#include <stdio.h>

/* 1/a^2, 1/b^2, 1/c^2 */
typedef struct ellipsoid {
    double A[3];
} ellipsoid;

static ph_status constraint(void *user, const double *x, double *g)
{
    const double *A = ((const ellipsoid *)user)->A;
    *g = A[0] * x[0] * x[0] + A[1] * x[1] * x[1] + A[2] * x[2] * x[2] - 1;
    return PH_OK;
}

static ph_status jacobian(void *user, const double *x, double *dg)
{
    const double *A = ((const ellipsoid *)user)->A;
    for (int k = 0; k < 3; k++)
        dg[k] = 2 * A[k] * x[k];
    return PH_OK;
}

/* Derivative of the Jacobian along v. */
static ph_status bend(void *user, const double *x, const double *v, double *dA)
{
    (void)x;
    return jacobian(user, v, dA); /* it is linear */
}

static double joachimsthal(const ellipsoid *e, const double *x, const double *v)
{
    double normal = 0, along = 0;
    for (int k = 0; k < 3; k++) {
        normal += e->A[k] * x[k] * e->A[k] * x[k];
        along += v[k] * e->A[k] * v[k];
    }
    return normal * along;
}

/* The largest error of j and of the energy in the time T. */
static int slide(const ph_system *system, const ellipsoid *e, double h, double T, double worst[2])
{
    const double x[3] = {2, 0, 0}, v[3] = {0, 0.6, 0.8}; /* tangent, of speed 1 */
    ph_integrator *integrator;
    ph_state *state;
    ph_error err;
    int failed = 0;
    if (ph_integrator_create(system, ph_method_find("variational", &err), h, NULL, 0, &integrator, &err) ||
        ph_state_create(integrator, &state, &err) ||
        ph_state_set_velocity(integrator, state, 0, x, v, PH_STRICT, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    double j0 = joachimsthal(e, x, v);
    worst[0] = worst[1] = 0;
    for (double t = 0; t < T && !failed; t += h) {
        failed = ph_integrator_step(integrator, state, 1) != PH_OK;
        /* the mass is 1 kg: momentum and velocity are the same numbers */
        worst[0] = fmax(worst[0], fabs(joachimsthal(e, state->z, state->p) / j0 - 1));
        worst[1] = fmax(worst[1], fabs(ph_dot3(state->p, state->p) - 1));
    }
    if (failed)
        fprintf(stderr, "%s\n", ph_integrator_message(integrator));
    printf("h = %.3f s, %.0f s: x = (%8.5f, %8.5f, %8.5f), off the surface by %.0e; "
           "errors of Joachimsthal's integral %.1e, energy %.1e\n",
           h, T, state->z[0], state->z[1], state->z[2], ph_space_residual(ph_system_space(system), state->z),
           worst[0], worst[1]);
    failed = failed || !(ph_space_residual(ph_system_space(system), state->z) < 1e-14);
    ph_state_free(state);
    ph_integrator_free(integrator);
    return failed;
}

int main(void)
{
    ellipsoid e = {{1. / 4, 1 / 2.25, 1}}; /* half axes 2 m, 1.5 m, 1 m */
    const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, x[3] = {2, 0, 0}, v[3] = {0, 0.6, 0.8};
    const ph_embedding surface = {.name = "ellipsoid",
                                  .n = 3,
                                  .dimension = 2,
                                  .constraint = constraint,
                                  .jacobian = jacobian,
                                  .bend = bend,
                                  .user = &e};
    const ph_factor factor = {PH_FACTOR_EMBEDDED, 0, &surface};
    ph_system_definition own = {.ambient_inertia = one};
    ph_derivative_report report;
    ph_space *space;
    ph_system *system;
    ph_error err;
    int wrong = 0;
    if (ph_space_create(&factor, 1, &space, &err) || !(own.space = space) ||
        ph_system_create(&own, &system, &err) || ph_system_check_derivatives(system, 0, x, v, &report, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    for (size_t i = 0; i < report.n; i++) {
        printf("%-36s off by %.0e %s\n", report.entry[i].name, report.entry[i].error,
               report.entry[i].mistake);
        wrong |= report.entry[i].error > PH_DERIVATIVE_WRONG;
    }
    double coarse[2], fine[2], later[2];
    if (slide(system, &e, 0.02, 100, coarse) || slide(system, &e, 0.01, 100, fine) ||
        slide(system, &e, 0.02, 1000, later))
        return 1;
    /* order 2; and no error grows with time */
    for (int i = 0; i < 2; i++)
        wrong |= !(fine[i] < 1e-3) || !(fabs(coarse[i] / fine[i] - 4) < 0.2) || !(later[i] < 1.5 * coarse[i]);
    ph_system_free(system);
    ph_space_free(space);
    return wrong;
}
