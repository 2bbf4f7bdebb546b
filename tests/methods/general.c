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
    TK_START(it, state, system, "rk4-projected", "q-omega", T / (double)n, z, v);
    tk_steps(it, state, n);
    memcpy(z1, state->z, state->nz * sizeof *z1);
    memcpy(p1, state->p, state->np * sizeof *p1);
}

ph_status push_and_drag(void *user, double t, const double *z, const double *v, double *f)
{
    const size_t nz = *(const size_t *)user;
    for (size_t i = 0; i < nz; i++)
        f[i] += 0.5 * sin(3 * t + (double)i) - 0.4 * v[i] + 0.3 * z[(i + 1) % nz] * v[(i + 2) % nz] -
                0.3 * z[(i + 1) % nz] * (i >= 2 ? v[i - 2] : 0);
    return PH_OK;
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
    tk_ok(ph_space_create(two_spheres, 2, space, NULL));
    ph_system_definition d = {.space = *space,
                              .inertia_at = turning_inertia,
                              .inertia_dz = turning_inertia_dz,
                              .potential = turning_potential,
                              .gradient = turning_gradient,
                              .symmetries = &about_e3,
                              .n_symmetries = 1};
    return tk_defined(&d);
}
