/* SPDX-License-Identifier: BSD-3-Clause */
/* `variational` with every discrete Lagrangian: see general.h. */
#include "general.h"

#include <math.h>
#include <string.h>

void start_rule(const ph_system *system, const char *rule, double h, const double *z, const double *v,
                ph_integrator **it, ph_state **state)
{
    tk_start_with(system, ph_method_find("variational", NULL), "discrete-lagrangian", rule, h, 0, z, v, it,
                  state);
}

void follow_motion(const ph_system *system, double T, int64_t n, const double *z, const double *v, double *z1,
                   double *p1)
{
    ph_integrator *it;
    ph_state *state;
    tk_start(system, "rk4-projected", "q-omega", T / (double)n, z, v, &it, &state);
    tk_steps(it, state, n);
    memcpy(z1, state->z, state->nz * sizeof *z1);
    memcpy(p1, state->p, state->np * sizeof *p1);
    tk_end(it, state);
}

ph_status push_and_drag(void *user, double t, const double *z, const double *v, double *f)
{
    const size_t nz = *(const size_t *)user;
    for (size_t i = 0; i < nz; i++)
        f[i] += 0.5 * sin(3 * t + (double)i) - 0.4 * v[i] + 0.3 * z[(i + 1) % nz] * v[(i + 2) % nz] -
                0.3 * z[(i + 1) % nz] * (i >= 2 ? v[i - 2] : 0);
    return PH_OK;
}

void run_long(const char *label, const ph_system *system, const char *rule, double h, const double *z,
              const double *v, double bound, double level)
{
    int64_t steps = tk_long() ? 1000000 : tk_thorough() ? 100000 : 20000;
    ph_integrator *it;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_measures m;
    double E0, J0, tenth[2] = {0, 0}, momentum = 0, constraint = 0;
    if (tk_short())
        steps = 5000;
    start_rule(system, rule, h, z, v, &it, &state);
    tk_ok(ph_diagnostics_create(system, &diagnostics, NULL));
    tk_ok(ph_diagnostics_measure(diagnostics, state, &m));
    E0 = m.energy;
    J0 = m.momenta[0];
    for (int64_t k = 0; k < steps; k += 20) {
        tk_steps(it, state, 20);
        tk_ok(ph_diagnostics_measure(diagnostics, state, &m));
        double *worst = k < steps / 10 ? &tenth[0] : &tenth[1];
        *worst = k < steps / 10 || k >= steps - steps / 10 ? tk_max(*worst, fabs(m.energy - E0)) : *worst;
        momentum = tk_max(momentum, fabs(m.momenta[0] - J0) / fmax(fabs(J0), m.momentum_size));
        constraint = tk_max(constraint, m.constraint_error);
    }
    printf("%s, %s: energy %.2e first tenth, %.2e last, momentum %.1e, constraint %.1e, %.2f passes a step\n",
           label, rule, tenth[0], tenth[1], momentum, constraint,
           (double)ph_integrator_statistics(it)->newton_passes / (double)steps);
    ck_assert_msg(tenth[1] <= 1.5 * tenth[0] && tenth[0] <= bound * fabs(E0), "%s, %s: %g, %g", label, rule,
                  tenth[0], tenth[1]);
    ck_assert_msg(momentum <= 1e-12, "%s, %s: momentum %g", label, rule, momentum);
    ck_assert_msg(constraint <= level, "%s, %s: constraint %g", label, rule, constraint);
    ph_diagnostics_free(diagnostics);
    tk_end(it, state);
}

ph_status turning_inertia(void *user, const double *q, double *m)
{
    double both = ph_dot3(q, q + 3);
    (void)user;
    m[0] = 2 + 0.5 * q[2] + 0.2 * both;
    m[3] = 1.5 + 0.3 * q[5] * q[5];
    m[1] = m[2] = 0.6 + 0.3 * both - 0.1 * q[2] * q[5];
    return PH_OK;
}

ph_status turning_inertia_dz(void *user, const double *q, double *dm)
{
    (void)user;
    memset(dm, 0, 4 * 6 * sizeof *dm);
    for (int k = 0; k < 3; k++) {
        dm[k] = 0.2 * q[3 + k];
        dm[3 + k] = 0.2 * q[k];
        dm[6 + k] = dm[12 + k] = 0.3 * q[3 + k];
        dm[9 + k] = dm[15 + k] = 0.3 * q[k];
    }
    dm[2] += 0.5;
    dm[18 + 5] = 0.6 * q[5];
    dm[6 + 2] -= 0.1 * q[5];
    dm[6 + 5] -= 0.1 * q[2];
    memcpy(dm + 12, dm + 6, 6 * sizeof *dm);
    return PH_OK;
}

ph_status turning_potential(void *user, const double *q, double *U)
{
    (void)user;
    *U = 3 * q[2] + 2 * q[5] + ph_dot3(q, q + 3);
    return PH_OK;
}

ph_status turning_gradient(void *user, const double *q, double *dU)
{
    (void)user;
    for (int k = 0; k < 3; k++) {
        dU[k] = q[3 + k];
        dU[3 + k] = q[k];
    }
    dU[2] += 3;
    dU[5] += 2;
    return PH_OK;
}

ph_system *turning_system(ph_space **space)
{
    ph_system *system = NULL;
    tk_ok(ph_space_create(two_spheres, 2, space, NULL));
    ph_system_definition d = {.space = *space,
                              .inertia_at = turning_inertia,
                              .inertia_dz = turning_inertia_dz,
                              .potential = turning_potential,
                              .gradient = turning_gradient,
                              .symmetries = &about_e3,
                              .n_symmetries = 1};
    tk_ok(ph_system_create(&d, &system, NULL));
    return system;
}
