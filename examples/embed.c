/* SPDX-License-Identifier: BSD-3-Clause */
/* A potential of one's own on the sphere, given by callbacks, followed by the library:
 *     cc embed.c $(pkg-config --cflags --libs polhode) -lm -o embed && ./embed
 * A unit mass on the unit sphere in the quartic valley U(q) = q_1^4 + 2 q_2^4 + 3 q_3^4. */
#include <math.h>
#include <stdio.h>

#include <polhode/diagnostics.h>
#include <polhode/integrator.h>

static ph_status potential(void *user, const double *q, double *U)
{
    (void)user;
    *U = pow(q[0], 4) + 2 * pow(q[1], 4) + 3 * pow(q[2], 4);
    return PH_OK;
}

static ph_status gradient(void *user, const double *q, double *dU)
{
    (void)user;
    for (int i = 0; i < 3; i++)
        dU[i] = 4 * (i + 1) * pow(q[i], 3);
    return PH_OK;
}

static int complain(const ph_error *err)
{
    fprintf(stderr, "%s\n", err->message);
    return 1;
}

int main(void)
{
    const ph_factor sphere = {PH_FACTOR_S2, 0};
    const double inertia = 1, q[3] = {1, 0, 0}, qdot[3] = {0, 1, 0.5}, h = 0.01, t1 = 1000;
    ph_space *space = NULL;
    ph_system *system = NULL;
    ph_integrator *integrator = NULL;
    ph_state *state = NULL;
    ph_diagnostics *diagnostics = NULL;
    ph_monitor *monitor = NULL;
    ph_summary summary;
    ph_error err;

    ph_status status = ph_space_create(&sphere, 1, &space, &err);
    const ph_system_definition definition = {
        .space = space, .inertia = &inertia, .potential = potential, .gradient = gradient};
    if (!status)
        status = ph_system_create(&definition, &system, &err);
    if (!status)
        status =
            ph_integrator_create(system, ph_method_find("variational", NULL), h, NULL, 0, &integrator, &err);
    if (!status)
        status = ph_state_create(integrator, &state, &err);
    if (!status)
        status = ph_state_set_velocity(integrator, state, 0, q, qdot, PH_STRICT, &err);
    if (!status)
        status = ph_diagnostics_create(system, &diagnostics, &err);
    if (!status)
        status = ph_monitor_create(diagnostics, 0, t1, &monitor, &err);
    if (status)
        return complain(&err);

    while (state->t < t1) {
        if (ph_monitor_see(monitor, state, NULL) || ph_integrator_step(integrator, state, 10)) {
            fprintf(stderr, "at t = %g s: %s\n", state->t, ph_integrator_message(integrator));
            return 1;
        }
    }
    ph_monitor_see(monitor, state, NULL);
    ph_monitor_summary(monitor, &summary);
    printf("t = %g s, q = (%.6f, %.6f, %.6f)\n", state->t, state->z[0], state->z[1], state->z[2]);
    printf("energy error %.2e of %.3f J, first tenth %.2e, last tenth %.2e\n", summary.energy_error_max,
           summary.energy_scale, summary.energy_error_max_first_tenth, summary.energy_error_max_last_tenth);

    ph_monitor_free(monitor);
    ph_diagnostics_free(diagnostics);
    ph_state_free(state);
    ph_integrator_free(integrator);
    ph_system_free(system);
    ph_space_free(space);
    return 0;
}
