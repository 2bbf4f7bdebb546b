/* SPDX-License-Identifier: BSD-3-Clause */
/* `variational` for Lagrangians that the user writes down, with every discrete Lagrangian: order, reversal,
 * symplecticity, momentum and energy on systems that are neither quadratic nor of constant inertia; the same
 * maps as the kernels for constant inertia where both apply; and the known solutions of chain, top and cart.
 */
#include "form.h"
#include "lagrangians.h"

static const char *const rules[] = {"ends", "midpoint", "normalised-midpoint", "exponential",
                                    "exponential-midpoint"};
enum { RULES = sizeof rules / sizeof rules[0] };

static const ph_factor mixed[] = {
    {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_S1}};
enum { MIXED = 4, NZ = 17, NP = 9 };

static void start(const ph_system *system, const char *rule, double h, const double *z, const double *v,
                  ph_integrator **it, ph_state **state)
{
    ph_setting setting = {"discrete-lagrangian", rule};
    ph_error err = {PH_OK, ""};
    ph_status status = ph_integrator_create(system, ph_method_find("variational", NULL), h, &setting,
                                            rule ? 1 : 0, it, &err);
    ck_assert_msg(!status, "%s", err.message);
    tk_ok(ph_state_create(*it, state, NULL));
    status = ph_state_set_velocity(*it, *state, 0, z, v, PH_PROJECT, &err);
    ck_assert_msg(!status, "%s", err.message);
}

static void step(ph_integrator *it, ph_state *state, int64_t n)
{
    ph_status status = ph_integrator_step(it, state, n);
    ck_assert_msg(!status, "%s", ph_integrator_message(it));
}

typedef struct sample {
    ph_space *space;
    lg_system L;
    double z[NZ], v[NZ];
} sample;

static void draw(sample *s, tk_random *r)
{
    tk_ok(ph_space_create(mixed, MIXED, &s->space, NULL));
    lg_fill(&s->L, ph_space_ambient(s->space), r);
    for (size_t i = 0; i < s->L.nz; i++) {
        s->z[i] = tk_normal(r);
        s->v[i] = tk_normal(r) / 2;
    }
    tk_ok(ph_space_project(s->space, s->z));
    ph_space_project_tangent(s->space, s->z, s->v);
}

/* The state at time T by small steps of a continuous method on the Euler-Lagrange equations. */
static void follow(const ph_system *system, double T, int64_t n, const double *z, const double *v, double *z1,
                   double *p1)
{
    ph_integrator *it;
    ph_state *state;
    tk_start(system, "rk4-projected", "q-omega", T / (double)n, z, v, &it, &state);
    step(it, state, n);
    memcpy(z1, state->z, state->nz * sizeof *z1);
    memcpy(p1, state->p, state->np * sizeof *p1);
    tk_end(it, state);
}

START_TEST(order_is_two)
{
    static const int64_t n[] = {20, 40, 80};
    tk_random r = {4711};
    for (int k = 0; k < 3; k++) {
        sample s;
        double z[NZ], p[NP], h[3], off[3];
        draw(&s, &r);
        ph_system *system = lg_create(&s.L, s.space, (lg_given)(_i % LG_WAYS));
        ph_system *fast = lg_create(&s.L, s.space, LG_ALL);
        follow(fast, 1, 1000, s.z, s.v, z, p);
        ph_system_free(fast);
        for (int i = 0; i < 3; i++) {
            ph_integrator *it;
            ph_state *state;
            h[i] = 1 / (double)n[i];
            start(system, rules[_i / LG_WAYS], h[i], s.z, s.v, &it, &state);
            step(it, state, n[i]);
            off[i] =
                fmax(tk_max_difference(state->z, z, state->nz), tk_max_difference(state->p, p, state->np));
            tk_end(it, state);
        }
        double slope = tk_slope(h, off, 3);
        ck_assert_msg(fabs(slope - 2) <= 0.05, "%s, %s: order %.3f (%g, %g, %g)", rules[_i / LG_WAYS],
                      lg_words[_i % LG_WAYS], slope, off[0], off[1], off[2]);
        ph_system_free(system);
        ph_space_free(s.space);
    }
}
END_TEST

START_TEST(reversal)
{
    tk_random r = {17};
    lg_given given = (lg_given)(_i % LG_WAYS);
    double worst = 0;
    for (int k = 0; k < 8; k++) {
        sample s;
        double p[NP];
        ph_integrator *it;
        ph_state *state;
        draw(&s, &r);
        ph_system *system = lg_create(&s.L, s.space, given);
        start(system, rules[_i / LG_WAYS], 0.05, s.z, s.v, &it, &state);
        memcpy(p, state->p, sizeof p);
        memcpy(s.z, state->z, state->nz * sizeof *p);
        step(it, state, 10);
        tk_ok(ph_integrator_set_step_size(it, -0.05));
        step(it, state, 10);
        worst = tk_max(worst, tk_max_difference(state->z, s.z, state->nz));
        worst = tk_max(worst, tk_max_difference(state->p, p, state->np));
        tk_end(it, state);
        ph_system_free(system);
        ph_space_free(s.space);
    }
    printf("reversal %s, %s: %.1e\n", rules[_i / LG_WAYS], lg_words[given], worst);
    ck_assert_msg(worst <= (given == LG_VALUE ? 1e-10 : 1e-12), "%g", worst);
}
END_TEST

START_TEST(symplectic)
{
    tk_random r = {99};
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        sample s;
        fm_units units;
        ph_integrator *it;
        ph_state *state;
        draw(&s, &r);
        for (size_t i = 0; i < FM_NX; i++)
            units.x[i] = units.p[i] = 1;
        ph_system *system = lg_create(&s.L, s.space, LG_ALL);
        start(system, rules[_i], 0.1, s.z, s.v, &it, &state);
        worst = tk_max(worst, fm_form_error(it, state, 3, &units));
        tk_end(it, state);
        ph_system_free(system);
        ph_space_free(s.space);
    }
    printf("symplectic %s: %.1e\n", rules[_i], worst);
    ck_assert_msg(worst <= 1e-11, "%g", worst);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lagrangians");
    TCase *one = tcase_create("general");
    tcase_set_timeout(one, 120);
    tcase_add_loop_test(one, order_is_two, 0, RULES * LG_WAYS);
    tcase_add_loop_test(one, reversal, 0, RULES * LG_WAYS);
    tcase_add_loop_test(one, symplectic, 0, RULES);
    suite_add_tcase(suite, one);
    return tk_main(suite);
}
