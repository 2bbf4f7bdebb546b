/* SPDX-License-Identifier: BSD-3-Clause */
/* A mass on the unit sphere in a user-defined potential, U(q) = c (q1^4 + 2 q2^4 + 3 q3^4), for 10^5 steps:
 *     cc embed.c $(pkg-config --cflags --libs polhode) -lm -o embed && ./embed */
#include <polhode/polhode.h>
#include <stdio.h>
#include <string.h>

static ph_status potential(void *c, const double *q, double *U)
{
    *U = *(double *)c * (pow(q[0], 4) + 2 * pow(q[1], 4) + 3 * pow(q[2], 4));
    return PH_OK;
}

static ph_status gradient(void *c, const double *q, double *dU)
{
    for (int i = 0; i < 3; i++)
        dU[i] = *(double *)c * 4 * (i + 1) * pow(q[i], 3);
    return PH_OK;
}

int main(void)
{
    const double mass = 1, q[3] = {1, 0, 0}, qdot[3] = {0, 1, 0.5}, h = 0.01;
    double c = 1, U, E, E0 = 0;
    const ph_factor sphere = {PH_FACTOR_S2, 0, NULL};
    ph_space *space;
    ph_system *system;
    ph_integrator *integrator;
    ph_state *state;
    ph_error err;
    ph_system_definition own;
    memset(&own, 0, sizeof own); /* C++ knows it, too */
    own.inertia = &mass;
    own.potential = potential;
    own.gradient = gradient;
    own.user = &c;
    if (ph_space_create(&sphere, 1, &space, &err) || !(own.space = space) ||
        ph_system_create(&own, &system, &err) ||
        ph_integrator_create(system, ph_method_find("variational", &err), h, NULL, 0, &integrator, &err) ||
        ph_state_create(integrator, &state, &err) ||
        ph_state_set_velocity(integrator, state, 0, q, qdot, PH_STRICT, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    for (int i = 0; i <= 10; i++) {
        if (ph_integrator_step(integrator, state, i ? 10000 : 0))
            return fprintf(stderr, "%s\n", ph_integrator_message(integrator)), 1;
        potential(&c, state->z, &U);
        E = ph_dot3(state->p, state->p) / (2 * mass) + U; /* p = mass q x qdot */
        E0 = i ? E0 : E;
        printf("t = %4g s  q = (%9.6f, %9.6f, %9.6f)  energy error %8.1e\n", state->t, state->z[0],
               state->z[1], state->z[2], E / E0 - 1);
    }
    ph_state_free(state);
    ph_integrator_free(integrator);
    ph_system_free(system);
    ph_space_free(space);
    return 0;
}
