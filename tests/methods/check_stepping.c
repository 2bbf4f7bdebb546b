/* SPDX-License-Identifier: BSD-3-Clause */
/* What single steps promise and no long run shows: few passes from rest, no guess from another step size, the
 * momentum to the last place, the formulations of the continuous equations agreeing under forces, input
 * brought to the manifold. Each of these was added because a fault put into the code on purpose got past the
 * other suites (tests/mutation/mutations.txt). */
#include "tests/kit/testkit.h"

#include <float.h>

/* A first step from rest has a residual of one term only, the push, however large: 1e3 kg, 10 m. */
TEST(heavy_and_at_rest)
{
    const double mass = 1e3, length = 10, gravity[3] = {0, 0, -9.81}, h = 0.1;
    const double q[3] = {1, 0, 0}, v[3] = {0, 0, 0};
    tk_chain c;
    tk_chain_fill(&c, 1, &mass, &length, gravity);
    TK_OWN(ph_system) *system = tk_chain_system(&c);
    TK_START(it, state, system, "variational", NULL, h, q, v);
    tk_steps(it, state, 1);
    ck_assert_int_le(ph_integrator_statistics(it)->newton_passes, 8); /* 4 */
    /* sin x = (h^2/2) (9.81/10) exactly: the discrete equation of a start from rest */
    ck_assert_double_eq_tol(state->z[2], -0.5 * h * h * 0.981, 1e-16);
}

/* Increments of another step size are no guess: the branch is followed afresh, and so it is counted. */
TEST(a_new_step_size_starts_afresh)
{
    const double q[6] = {0.6, 0, -0.8, 0, 0.6, -0.8}, v[6] = {0, 1, 0, 1, 0, 0}, h[3] = {0.02, 0.01, 0.02};
    const double tenth[2] = {0.1, 0.1}, gravity[3] = {0, 0, -9.81};
    tk_chain c;
    tk_chain_fill(&c, 2, tenth, tenth, gravity);
    ph_system *system = tk_chain_system(&c); /* not in multiplier form, which begins without the branch */
    TK_START(it, state, system, "variational", NULL, h[0], q, v);
    for (int i = 0; i < 3; i++) {
        tk_ok(ph_integrator_set_step_size(it, h[i]));
        tk_ok(ph_integrator_step(it, state, 10));
        ck_assert_int_eq(ph_integrator_statistics(it)->branches, i + 1);
    }
    ph_system_free(system);
}

/* Increments and places are compensated sums: the momentum walks by 1.7e-18 of itself a step (32 motions, 3e5
 * steps), of which four standard deviations are allowed; rounded in each step it would by some 1e-16. */
TEST(momentum_to_the_last_place)
{
    const double q[6] = {0.6, 0, -0.8, 0, 0.6, -0.8}, v[6] = {0, 1, 0, 1, 0, 0};
    double J0 = 0, size = 0, worst = 0;
    TK_OWN(ph_system) *system = tk_model("double-spherical-pendulum");
    TK_START(it, state, system, "variational", NULL, 1e-3, q, v);
    for (int i = 0; i < 1000; i++) {
        double J = state->p[2] + state->p[5];
        J0 = i ? J0 : J;
        size = tk_max(size, fabs(state->p[2]) + fabs(state->p[5]));
        worst = tk_max(worst, fabs(J - J0));
        tk_ok(ph_integrator_step(it, state, 100));
    }
    printf("momentum map: %.1e of its terms in 1e5 steps\n", worst / size);
    ck_assert_double_le(worst, 4 * 1.7e-18 * sqrt(1e5) * size);
}

/* Both formulations of the continuous equations under all forces of a chain: the same motion, but for what
 * order 4 leaves of either in 400 steps, measured: 3.4e-10, in half the steps a sixteenth. */
TEST(formulations_agree_under_forces)
{
    static const double tau[3] = {0.02, -0.01, 0.03}, d[3] = {0.1, 0.2, -0.1}, one = 1, frequency = 3,
                        c = 0.01;
    const ph_parameter_value values[] = {
        {"damping", &c, 1},         {"torque", tau, 3},
        {"torque_amplitude", d, 3}, {"torque_frequency", &frequency, 1},
        {"torque_phase", &one, 1},  {"tip_force", d, 3},
    };
    const size_t n = sizeof values / sizeof values[0];
    const ph_model *model = ph_model_find("chain-pendulum", NULL);
    double z[15], zdot[15];
    ph_integrator *it[2];
    ph_state *state[2];
    TK_MAKE(ph_system, system, ph_model_build(model, values, n, &system, NULL));
    tk_ok(ph_model_preset(model, values, n, "curved", 15, z, zdot, NULL));
    for (int i = 0; i < 2; i++) {
        tk_start(system, "rk4", i ? "q-omega" : "q-qdot", 5e-4, z, zdot, &it[i], &state[i]);
        tk_ok(ph_integrator_step(it[i], state[i], 400));
    }
    const double apart = tk_max_difference(state[0]->z, state[1]->z, 15);
    printf("formulations under forces: %.1e apart\n", apart);
    ck_assert_double_le(apart, 2e-9);
    for (int i = 0; i < 2; i++)
        tk_end(it[i], state[i]);
}

/* Projection brings q to the spheres and the rest of y to their tangent planes. */
TEST_EACH(projection_of_both_forms, 2)
{
    tk_random r = {8};
    TK_OWN(ph_system) *system = tk_model("double-spherical-pendulum");
    double y[12];
    for (size_t i = 0; i < 12; i++)
        y[i] = tk_uniform(&r, 0.3, 1.3);
    tk_ok(ph_field_at((size_t)_i)->project(system, y));
    ck_assert_double_le(ph_space_residual(ph_system_space(system), y), 1e-15);
    ck_assert_double_le(ph_space_tangency(ph_system_space(system), y, y + 6), 1e-15);
}

static ph_status nan_gradient(void *user, const double *z, double *g)
{
    (void)user, (void)z;
    for (int i = 0; i < 3; i++)
        g[i] = NAN;
    return PH_OK;
}

/* What is not finite is called by its name, not found out later as something else. */
TEST(a_gradient_that_is_not_finite_is_named)
{
    const double mass = 1, length = 1, gravity[3] = {0, 0, -9.81}, q[3] = {1, 0, 0}, v[3] = {0, 1, 0};
    tk_chain c;
    tk_chain_fill(&c, 1, &mass, &length, gravity);
    ph_system_definition d = tk_chain_definition(&c);
    d.gradient = nan_gradient;
    TK_OWN(ph_system) *system = tk_create(&d, 1);
    TK_START(it, state, system, "variational", NULL, 0.01, q, v);
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NOT_FINITE);
    ck_assert_ptr_nonnull(strstr(ph_integrator_message(it), "the gradient of the potential is not finite"));
}

static ph_status nothing_pulls(void *user, const double *z, double *dU)
{
    (void)user, (void)z;
    dU[0] = 0;
    return PH_OK;
}

static ph_status no_potential(void *user, const double *z, double *U)
{
    (void)user, (void)z;
    *U = 0;
    return PH_OK;
}

/* A particle at constant velocity leaves the range of doubles, at the end of a step or, where six velocities
 * are added up in it, within one that has an end: no place that is not a number is kept, though momenta are
 * numbers all the time. */
TEST_EACH(a_place_that_is_not_finite, 2)
{
    static const char *const methods[] = {"variational", "rk4", "rk4-projected", "rkmk4", "cf4"};
    static const ph_factor line = {.kind = PH_FACTOR_R, .d = 1};
    static const double starts[2][3] = {{1.7e308, 1e307, 10}, {0, 1e308, 1e-3}}; /* z, v, h */
    const double mass = 1, *s = starts[_i];
    ph_system_definition d = {.ambient_inertia = &mass, .potential = no_potential, .gradient = nothing_pulls};
    TK_OWN(ph_space) *space = tk_space(&line, 1);
    d.space = space;
    TK_OWN(ph_system) *system = tk_defined(&d);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        TK_START(it, state, system, methods[i], NULL, s[2], s, s + 1);
        ph_status status = ph_integrator_step(it, state, 1);
        ck_assert_msg(status == PH_E_DIVERGED || (_i && !status), "%s: %s", methods[i],
                      ph_status_name(status));
        double end = status ? s[0] : s[1] * s[2];
        ck_assert_double_le(fabs(state->z[0] - end), 1e-14 * fabs(end));
        ck_assert_double_eq(state->p[0], s[1]);
    }
}

/* No component of a unit vector is above 1, not by one place: 1 + eps passes for on the sphere otherwise. */
TEST(projection_of_a_component_above_one)
{
    static const ph_factor sphere = {.kind = PH_FACTOR_S2};
    double q[3] = {0, -(1 + DBL_EPSILON), 0};
    TK_OWN(ph_space) *space = tk_space(&sphere, 1);
    tk_ok(ph_space_project(space, q));
    ck_assert_double_eq(q[1], -1);
}

static ph_status push(void *user, double t, const double *z, const double *v, double *f)
{
    (void)user, (void)t, (void)z, (void)v;
    f[0] += 1;
    return PH_OK;
}

/* A force that ignores the velocity, on a base whose own does not. */
TEST(velocity_in_the_force_of_the_base)
{
    static const double c = 0.1;
    const ph_parameter_value damping = {"damping", &c, 1};
    const ph_system_definition added = {.force = push, .force_ignores_velocity = true};
    TK_OWN(ph_system) *base = NULL;
    tk_ok(ph_model_build(ph_model_find("spherical-pendulum", NULL), &damping, 1, &base, NULL));
    TK_MAKE(ph_system, forced, ph_system_create_forced(base, &added, &forced, NULL));
    ck_assert(!ph_system_force_ignores_velocity(base));
    ck_assert(!ph_system_force_ignores_velocity(forced));
}

/* What strict admission lets in is brought to the sphere to the last place. */
TEST(admitted_and_corrected)
{
    const double q[3] = {0.6 * (1 + 5e-13), 0, -0.8 * (1 + 5e-13)}, v[3] = {0, 1, 0};
    TK_OWN(ph_system) *system = tk_model("spherical-pendulum");
    TK_MOTION(it, state);
    tk_ok(ph_integrator_create(system, ph_method_find("variational", NULL), 0.01, NULL, 0, &it, NULL));
    tk_ok(ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, q, v, PH_STRICT, NULL));
    ck_assert_double_le(fabs(ph_unit_residual3(state->z)), 4 * 0x1p-52);
}
int main(void)
{
    return tk_run("stepping");
}
