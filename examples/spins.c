/* SPDX-License-Identifier: BSD-3-Clause */
/* Three spins on a triangle: Heisenberg's exchange and a field, which are declared, and a biquadratic exchange by callbacks,
 *     H = -J sum s_i . s_j - B . sum s_i - b sum (s_i . s_j)^2,      s_i' = (dH/ds_i) x s_i,
 * with B along e3, so that the sum of s_i3 is conserved.
 *     cc spins.c $(pkg-config --cflags --libs polhode) -lm -o spins && ./spins */
#include <polhode/polhode.h>
#include <stdio.h>

static const double b = 0.3;

static ph_status potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = 0;
    for (int i = 0; i < 3; i++)
        *U -= b * pow(ph_dot3(z + 3 * i, z + 3 * ((i + 1) % 3)), 2);
    return PH_OK;
}

/* What one spin gets by the other, and the other by the one, has the same factor: so their sum is kept to rounding. */
static ph_status gradient(void *user, const double *z, double *dU)
{
    (void)user;
    for (int k = 0; k < 9; k++)
        dU[k] = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const double factor = -2 * b * ph_dot3(z + 3 * i, z + 3 * j);
        for (int k = 0; k < 3; k++) {
            dU[3 * i + k] += factor * z[3 * j + k];
            dU[3 * j + k] += factor * z[3 * i + k];
        }
    }
    return PH_OK;
}

int main(void)
{
    const double J = 1, B[3] = {0, 0, 0.5};
    const ph_bonds exchange = {.kind = PH_BOND_EXCHANGE, .all_pairs = true, .c = &J, .uniform = true};
    const ph_spins spins = {.n = 3, .bonds = &exchange, .n_bonds = 1, .field = B, .field_is_uniform = true};
    const ph_symmetry about_e3 = {.name = "Jz", .text = "sum of s_i3", .unit = "J s", .axis = {0, 0, 1}};
    const ph_system_definition own = {.spins = &spins,
                                      .potential = potential,
                                      .gradient = gradient,
                                      .symmetries = &about_e3,
                                      .n_symmetries = 1};
    const ph_setting order = {"order", "4"};
    const double start[9] = {0.6, 0, 0.8, 0, 0.28, -0.96, -0.48, 0.6, 0.64};
    double H0, H, J0[3], J1[3];
    ph_system *system;
    ph_integrator *integrator;
    ph_state *state;
    ph_error err;
    if (ph_system_create(&own, &system, &err) ||
        ph_integrator_create(system, ph_method_find("spherical-midpoint", &err), 0.05, &order, 1, &integrator,
                             &err) ||
        ph_state_create(integrator, &state, &err) ||
        ph_state_set(integrator, state, 0, start, NULL, PH_STRICT, &err)) /* NULL: there are no momenta */
        return fprintf(stderr, "%s\n", err.message), 1;
    ph_spins_energy(system, 0, state->z, &H0);
    ph_spins_momentum(system, state->z, J0);
    if (ph_integrator_step(integrator, state, 20000))
        return fprintf(stderr, "%s\n", ph_integrator_message(integrator)), 1;
    ph_spins_energy(system, state->t, state->z, &H);
    ph_spins_momentum(system, state->z, J1);
    printf("t = %g s  energy off by %.1e, Jz by %.1e, |s_1| by %.1e\n", state->t, H - H0, J1[2] - J0[2],
           ph_norm3(state->z) - 1);
    const int wrong =
        !(fabs(H - H0) < 1e-5 && fabs(J1[2] - J0[2]) < 1e-12 && fabs(ph_norm3(state->z) - 1) < 1e-15);
    ph_state_free(state);
    ph_integrator_free(integrator);
    ph_system_free(system);
    return wrong;
}
