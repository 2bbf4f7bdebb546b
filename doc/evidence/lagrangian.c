/* SPDX-License-Identifier: BSD-3-Clause */
/* What a step of `variational` costs where the Lagrangian is the user's: the double spherical pendulum (two links of
 * 9.81 m, 1 kg each) given as a model, and as L by its gradient with second derivatives, by its gradient, by a complex
 * version, and by values alone. Prints for each way and rule the CPU time of a step in ns, the least of some rounds in
 * turn: `make evidence TABLES=lagrangian` compiles and runs it. */
#include <complex.h>
#include <math.h>
#include <polhode/polhode.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { WAYS = 5, RULES = 5, STEPS = 300, ROUNDS = 15 };
static const double l = 9.81, g = 9.81;

/* L = l^2 (v1.v1 + (v1 + v2).(v1 + v2)) / 2 + g l (2 q1 + q2).e3 */
static ph_status value(void *user, double t, const double *z, const double *zdot, double *L)
{
    (void)t;
    double T = 0;
    (void)user;
    for (int k = 0; k < 3; k++)
        T += zdot[k] * zdot[k] + (zdot[k] + zdot[3 + k]) * (zdot[k] + zdot[3 + k]);
    *L = l * l * T / 2 + g * l * (2 * z[2] + z[5]);
    return PH_OK;
}

static ph_status complex_value(void *user, double t, const double *z, const double *zdot, double *L)
{
    (void)t;
    const double complex *q = (const double complex *)z, *v = (const double complex *)zdot;
    double complex T = 0;
    (void)user;
    for (int k = 0; k < 3; k++)
        T += v[k] * v[k] + (v[k] + v[3 + k]) * (v[k] + v[3 + k]);
    *(double complex *)L = l * l * T / 2 + g * l * (2 * q[2] + q[5]);
    return PH_OK;
}

static ph_status gradient(void *user, double t, const double *z, const double *zdot, double *Lz, double *Lv)
{
    (void)t, (void)user, (void)z;
    memset(Lz, 0, 6 * sizeof *Lz);
    Lz[2] = 2 * g * l;
    Lz[5] = g * l;
    for (int k = 0; k < 3; k++) {
        Lv[k] = l * l * (2 * zdot[k] + zdot[3 + k]);
        Lv[3 + k] = l * l * (zdot[k] + zdot[3 + k]);
    }
    return PH_OK;
}

/* the inertia is constant, and gravity linear */
static ph_status hessian(void *user, double t, const double *z, const double *zdot, double *Lzz, double *Lvz,
                         double *Lvv)
{
    (void)t, (void)user, (void)z, (void)zdot;
    memset(Lzz, 0, 36 * sizeof *Lzz);
    memset(Lvz, 0, 36 * sizeof *Lvz);
    memset(Lvv, 0, 36 * sizeof *Lvv);
    for (int k = 0; k < 3; k++) {
        Lvv[7 * k] = 2 * l * l;
        Lvv[6 * k + 3 + k] = Lvv[6 * (3 + k) + k] = Lvv[7 * (3 + k)] = l * l;
    }
    return PH_OK;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
    static const char *rules[RULES] = {"ends", "midpoint", "normalised-midpoint", "exponential",
                                       "exponential-midpoint"};
    static const char *ways[WAYS] = {"model", "hessian", "gradient", "complex", "values"};
    const ph_factor factors[2] = {{PH_FACTOR_S2, 0, NULL}, {PH_FACTOR_S2, 0, NULL}};
    const double z[6] = {0.8660254037844386, 0, 0.5, 0, 0, 1}, w[6] = {-0.4330127018922193, 0, 0.75, 0, 1, 0};
    const double masses[2] = {1, 1}, lengths[2] = {9.81, 9.81}, down[3] = {0, 0, 9.81};
    const ph_parameter_value parameters[3] = {
        {"masses", masses, 2}, {"lengths", lengths, 2}, {"gravity", down, 3}};
    ph_system *systems[WAYS];
    ph_space *space;
    ph_error err;
    double least[WAYS][RULES];
    if (ph_space_create(factors, 2, &space, &err) ||
        ph_model_build(ph_model_find("double-spherical-pendulum", &err), parameters, 3, &systems[0], &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    for (int way = 1; way < WAYS; way++) {
        ph_system_definition own = {.space = space};
        if (way == 3)
            own.lagrangian_complex = complex_value;
        else
            own.lagrangian = value;
        own.lagrangian_gradient = way < 3 ? gradient : NULL;
        own.lagrangian_hessian = way == 1 ? hessian : NULL;
        if (ph_system_create(&own, &systems[way], &err))
            return fprintf(stderr, "%s\n", err.message), 1;
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < WAYS; way++)
            for (int rule = 0; rule < RULES; rule++) {
                const ph_setting setting = {"discrete-lagrangian", rules[rule]};
                double v[6];
                ph_integrator *it;
                ph_state *state;
                for (int i = 0; i < 6; i += 3) /* velocities w x q */
                    for (int k = 0; k < 3; k++)
                        v[i + k] =
                            w[i + (k + 1) % 3] * z[i + (k + 2) % 3] - w[i + (k + 2) % 3] * z[i + (k + 1) % 3];
                if (ph_integrator_create(systems[way], ph_method_find("variational", &err), 0.01, &setting, 1,
                                         &it, &err) ||
                    ph_state_create(it, &state, &err) ||
                    ph_state_set_velocity(it, state, 0, z, v, PH_PROJECT, &err))
                    return fprintf(stderr, "%s\n", err.message), 1;
                const double begun = now();
                if (ph_integrator_step(it, state, STEPS))
                    return fprintf(stderr, "%s\n", ph_integrator_message(it)), 1;
                const double time = (now() - begun) / STEPS * 1e9;
                least[way][rule] = round ? fmin(least[way][rule], time) : time;
                ph_state_free(state);
                ph_integrator_free(it);
            }
    for (int way = 0; way < WAYS; way++)
        for (int rule = 0; rule < RULES; rule++)
            printf("%s %s %.6g\n", ways[way], rules[rule], least[way][rule]);
    for (int way = 0; way < WAYS; way++)
        ph_system_free(systems[way]);
    ph_space_free(space);
    return 0;
}
