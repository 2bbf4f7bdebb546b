/* SPDX-License-Identifier: BSD-3-Clause */
/* A system of your own, run so that it can be resumed: a mass on the unit sphere in the potential
 * U(q) = c (q1^4 + 2 q2^4 + 3 q3^4), for 10^5 steps, with an archive, with events, and with a callback that
 * stops it. It is run in one piece, and in two parts: the second is resumed from the archive of the first,
 * as another process would do it, and ends with the same bits.
 *     cc session.c $(pkg-config --cflags --libs polhode-io) -lm -o session && ./session DIRECTORY
 * Then `polhode info DIRECTORY/parts/quartic.polhode` shows what is in the archive, and `polhode export`
 * takes it elsewhere. */
#include <math.h>
#include <polhode/polhode.h>
#include <stdio.h>
#include <string.h>

static ph_status potential(void *user, const double *q, double *U)
{
    const double *c = user;
    *U = *c * (pow(q[0], 4) + 2 * pow(q[1], 4) + 3 * pow(q[2], 4));
    return PH_OK;
}

static ph_status gradient(void *user, const double *q, double *dU)
{
    const double *c = user;
    for (int i = 0; i < 3; i++)
        dU[i] = *c * 4 * (i + 1) * pow(q[i], 3);
    return PH_OK;
}

/* Where the mass moves along a parallel: dq3/dt = 0, with dq/dt = p x q / m. */
static ph_status climb(void *user, const ph_state *state, double *g)
{
    (void)user;
    *g = state->p[0] * state->z[1] - state->p[1] * state->z[0];
    return PH_OK;
}

/* The run is to end when half of the way is done. It might as well ask for a key, or for a signal. */
static bool half_way(void *self, const char **reason, const char **by)
{
    ph_session **session = self;
    *reason = "half-way";
    *by = "examples/session.c";
    return *session && ph_session_state(*session)->t >= 500;
}

/* One session: from its start, or from its archive. Its last state is written to last (6). */
static ph_status follow(const ph_session_plan *plan, const char *directory, bool resumed, bool stops,
                        double *last, ph_error *err)
{
    ph_session *session = NULL;
    char archive[500];
    ph_session_options options = {.force = true};
    if (stops) {
        options.stop = half_way;
        options.self = &session;
    }
    snprintf(archive, sizeof archive, "%s/%s.polhode", directory, plan->name);
    ph_status status = resumed ? ph_session_resume_system(plan, archive, &options, &session, err)
                               : ph_session_open_system(plan, directory, &options, &session, err);
    if (status)
        return status;
    status = ph_session_run(session, err);
    const ph_state *state = ph_session_state(session);
    ph_result result;
    ph_session_result(session, &result);
    memcpy(last, state->z, 3 * sizeof *last);
    memcpy(last + 3, state->p, 3 * sizeof *last);
    printf("%-7s t = %6.2f s, %6lld rows, %5lld equator, %5lld parallel, energy error %.1e%s%s\n",
           resumed ? "resumed" : "begun", state->t, (long long)ph_session_rows(session),
           (long long)ph_events_found(result.events, 0), (long long)ph_events_found(result.events, 1),
           result.summary->energy_error_max, status ? ": " : "", status ? err->message : "");
    ph_status closed = ph_session_close(session, err);
    return status ? status : closed;
}

/* In one piece and in two parts; 0 if these have the same bits. */
static int compare(const ph_session_plan *plan, const char *directory)
{
    char whole[400], parts[400];
    double one[6], two[6];
    ph_error err = {PH_OK, ""};
    snprintf(whole, sizeof whole, "%s/whole", directory);
    snprintf(parts, sizeof parts, "%s/parts", directory);
    if (follow(plan, whole, false, false, one, &err) ||
        follow(plan, parts, false, true, two, &err) != PH_E_INTERRUPTED ||
        follow(plan, parts, true, false, two, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    const bool same = !memcmp(one, two, sizeof one);
    printf("the last states %s\n", same ? "have the same bits" : "differ");
    return !same;
}

int main(int argc, char **argv)
{
    const double mass = 1, q[3] = {1, 0, 0}, qdot[3] = {0, 1, 0.5}, h = 0.01;
    double c = 1;
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    const ph_event events[] = {{.name = "equator", .column = "q1z", .direction = 1},
                               {.name = "parallel", .value = climb}};
    ph_space *space = NULL;
    ph_system *system = NULL;
    ph_integrator *integrator = NULL;
    ph_state *state = NULL;
    ph_error err = {PH_OK, ""};
    if (argc != 2)
        return fprintf(stderr, "usage: session DIRECTORY\n"), 2;
    ph_space_create(&sphere, 1, &space, &err);
    const ph_system_definition own = {
        .space = space, .inertia = &mass, .potential = potential, .gradient = gradient, .user = &c};
    ph_system_create(&own, &system, &err);
    ph_integrator_create(system, ph_method_find("variational", &err), h, NULL, 0, &integrator, &err);
    ph_state_create(integrator, &state, &err);
    ph_state_set_velocity(integrator, state, 0, q, qdot, PH_STRICT, &err);
    const ph_session_plan plan = {.name = "quartic",
                                  .integrator = integrator,
                                  .state = state,
                                  .steps = 100000,
                                  .output = {.steps = 100},
                                  .events = events,
                                  .n_events = 2};
    const int code = err.status ? (fprintf(stderr, "%s\n", err.message), 1) : compare(&plan, argv[1]);
    ph_state_free(state);
    ph_integrator_free(integrator);
    ph_system_free(system);
    ph_space_free(space);
    return code;
}
