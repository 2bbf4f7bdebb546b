/* SPDX-License-Identifier: BSD-3-Clause */
/* A quadrotor that carries a cable, under feedback: the model quadrotor-cable, with a force callback of
 * your own on top of it, which flies the quadrotor from x = 0 to a setpoint and holds it there while the
 *     cable swings out. cc quadrotor-feedback.c $(pkg-config --cflags --libs polhode-io) -lm -o quadrotor
 * && ./quadrotor DIRECTORY The control law is that of Lee, Leok and McClamroch (Geometric tracking control
 * of a quadrotor UAV on SE(3), CDC 2010) for a fixed point, with the weight of the cable added: with e = x
 *     - setpoint F = -kx e - kv v + (m + m_c) g e3,     thrust T = F . R e3,
 * R_d the attitude whose third axis is along F, e_R = (1/2) vee(R_d^T R - R^T R_d),
 *     moment M = -kR e_R - kw w + w x J w,
 * w the body's angular velocity, from Rdot = R S(w). The archive has the whole flight. */
#include <math.h>
#include <polhode/polhode.h>
#include <stdio.h>

enum { X = 0, R = 3, LINKS = 5 }; /* where x and R are in z, and the links of the model by default */

/* What the controller knows, in SI units. */
typedef struct controller {
    double setpoint[3], weight, J[3];
    double kx, kv, kR, kw;
} controller;

static void unit(double a[3])
{
    const double length = sqrt(ph_dot3(a, a));
    for (int k = 0; k < 3; k++)
        a[k] /= length;
}

/* Rd, row by row: its third column along F, its first one as near e1 as can be. */
static void attitude(const double F[3], double Rd[9])
{
    const double e1[3] = {1, 0, 0};
    double b[3][3];
    for (int k = 0; k < 3; k++)
        b[2][k] = F[k];
    unit(b[2]);
    ph_cross3(b[2], e1, b[1]);
    unit(b[1]);
    ph_cross3(b[1], b[2], b[0]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            Rd[3 * i + k] = b[k][i];
}

/* The vector of the skew part of A^T B. */
static void skew_part(const double *A, const double *B, double v[3])
{
    double C[9];
    ph_transposed_multiply3(A, B, C);
    v[0] = 0.5 * (C[7] - C[5]);
    v[1] = 0.5 * (C[2] - C[6]);
    v[2] = 0.5 * (C[3] - C[1]);
}

static ph_status feedback(void *user, double t, const double *z, const double *zdot, double *f)
{
    const controller *c = user;
    double F[3], Rd[9], eR[3], w[3], Jw[3], gyroscopic[3], M[3], T = 0;
    (void)t;
    for (int k = 0; k < 3; k++)
        F[k] = -c->kx * (z[X + k] - c->setpoint[k]) - c->kv * zdot[X + k] + (k == 2 ? c->weight : 0);
    for (int k = 0; k < 3; k++)
        T += F[k] * z[R + 3 * k + 2];
    attitude(F, Rd);
    skew_part(Rd, z + R, eR);
    skew_part(z + R, zdot + R, w);
    for (int k = 0; k < 3; k++)
        Jw[k] = c->J[k] * w[k];
    ph_cross3(w, Jw, gyroscopic);
    for (int k = 0; k < 3; k++)
        M[k] = -c->kR * eR[k] - c->kw * w[k] + gyroscopic[k];
    for (int k = 0; k < 3; k++)
        f[X + k] += T * z[R + 3 * k + 2];
    ph_add_moment3(z + R, M, f + R);
    return PH_OK;
}

/* Fly, and say every second where it is. */
static ph_status fly(ph_session *session, const controller *c, double *distance, ph_error *err)
{
    ph_status status = PH_OK;
    for (int t = 0; t <= 20 && !status; t++) {
        status = ph_session_run_until(session, t, err);
        const ph_state *state = ph_session_state(session);
        *distance = 0;
        for (int k = 0; k < 3; k++)
            *distance = hypot(*distance, state->z[X + k] - c->setpoint[k]);
        printf("t = %2.0f s  x = (%7.4f, %7.4f, %7.4f) m, %.1e m from the setpoint\n", state->t, state->z[X],
               state->z[X + 1], state->z[X + 2], *distance);
    }
    return status;
}

int main(int argc, char **argv)
{
    controller c = {{1, -0.5, 2}, (0.5 + LINKS * 0.1) * 9.81, {0.557e-2, 0.557e-2, 1.05e-2}, 4, 4, 0.6, 0.1};
    const ph_system_definition added = {.force = feedback, .user = &c};
    const double h = 0.005;
    double z[12 + 3 * LINKS], zdot[12 + 3 * LINKS], distance = INFINITY;
    ph_system *model = NULL, *system = NULL;
    ph_integrator *integrator = NULL;
    ph_state *state = NULL;
    ph_session *session = NULL;
    ph_error err = {PH_OK, ""};
    if (argc != 2)
        return fprintf(stderr, "usage: quadrotor-feedback DIRECTORY\n"), 2;
    const ph_model *quadrotor = ph_model_find("quadrotor-cable", &err);
    if (ph_model_build(quadrotor, NULL, 0, &model, &err) ||
        ph_model_preset(quadrotor, NULL, 0, "hover", sizeof z / sizeof *z, z, zdot, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    ph_system_create_forced(model, &added, &system, &err);
    ph_integrator_create(system, ph_method_find("variational", &err), h, NULL, 0, &integrator, &err);
    ph_state_create(integrator, &state, &err);
    ph_state_set_velocity(integrator, state, 0, z, zdot, PH_STRICT, &err);
    const ph_session_options options = {.force = true};
    const ph_session_plan plan = {.name = "quadrotor-feedback",
                                  .integrator = integrator,
                                  .state = state,
                                  .steps = 4000,
                                  .output = {.steps = 10}};
    if (err.status || ph_session_open_system(&plan, argv[1], &options, &session, &err) ||
        fly(session, &c, &distance, &err))
        fprintf(stderr, "%s\n", err.message);
    ph_session_close(session, &err);
    ph_state_free(state);
    ph_integrator_free(integrator);
    ph_system_free(system);
    ph_system_free(model);
    return err.status || !(distance < 0.02); /* it has arrived */
}
