/* SPDX-License-Identifier: BSD-3-Clause */
/* A velocity constraint of one's own: Chaplygin's sleigh, a plane body on a blade that does not slide sideways. Its centre
 * of mass x is ahead of the blade by a, q = (cos, sin) is its heading:
 *     -q_2 (x_1' - a q_1') + q_1 (x_2' - a q_2') = 0.
 * The speed of the blade is V tanh(k (t - t0)): it comes to slide straight ahead.
 *     cc skate.c $(pkg-config --cflags --libs polhode) -lm -o skate && ./skate */
#include <math.h>
#include <polhode/polhode.h>
#include <stdio.h>

static const double a = 0.3, mass = 1, inertia = 0.5;

/* z = (x_1, x_2, q_1, q_2): one row of A, and b, which stays 0 */
static ph_status blade(void *user, double t, const double *z, double *A, double *b)
{
    (void)user, (void)t, (void)b;
    A[0] = -z[3];
    A[1] = z[2];
    A[2] = a * z[3];
    A[3] = -a * z[2];
    return PH_OK;
}

int main(void)
{
    const ph_factor factors[] = {{PH_FACTOR_R, 2, NULL}, {PH_FACTOR_S1, 0, NULL}};
    const double MM[16] = {mass, 0, 0, 0, 0, mass, 0, 0, 0, 0, inertia, 0, 0, 0, 0, inertia};
    /* the blade goes backwards at 0.4 m/s, the body turns at 0.9 rad/s */
    const double u = -0.4, w = 0.9, z[4] = {0, 0, 1, 0}, zdot[4] = {u, a * w, 0, w};
    ph_system_definition own = {.ambient_inertia = MM, .constraint = blade, .n_constraints = 1};
    const ph_setting order = {"order", "6"};
    ph_space *space;
    ph_system *system;
    ph_integrator *integrator;
    ph_state *state;
    ph_error err;
    if (ph_space_create(factors, 2, &space, &err) || !(own.space = space) ||
        ph_system_create(&own, &system, &err) ||
        ph_integrator_create(system, ph_method_find("dla", &err), 0.1, &order, 1, &integrator, &err) ||
        ph_state_create(integrator, &state, &err) ||
        ph_state_set_velocity(integrator, state, 0, z, zdot, PH_STRICT, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    if (ph_integrator_step(integrator, state, 100))
        return fprintf(stderr, "%s\n", ph_integrator_message(integrator)), 1;
    /* of z and p: p_1, p_2 are mass times velocity */
    const double speed = (state->p[0] * state->z[2] + state->p[1] * state->z[3]) / mass,
                 J = inertia + mass * a * a, V = sqrt(u * u + J * w * w / mass), k = a * mass * V / J,
                 exact = V * tanh(k * state->t + atanh(u / V));
    printf("t = %g s  at (%.6f, %.6f)  speed of the blade %.12f, exact %.12f\n", state->t, state->z[0],
           state->z[1], speed, exact);
    const int wrong = !(fabs(speed - exact) < 1e-9);
    ph_state_free(state);
    ph_integrator_free(integrator);
    ph_system_free(system);
    ph_space_free(space);
    return wrong;
}
