/* SPDX-License-Identifier: BSD-3-Clause */
/* States set from outside: on their manifold, off it, and off the numbers. */
#include "tests/kit/hostile.h"

/* ---- Setting a state ---------------------------------------------------------------------------- */

static const struct {
    const char *what;
    size_t at;   /* which number ... */
    double z, v; /* ... of q and of the velocity becomes what; NAN: stays */
    ph_status status;
    const char *first, *second;
} bad_states[] = {
    {"length 1.1", 2, 1.1, 0, PH_E_NOT_ON_MANIFOLD, "q1", "PH_PROJECT) would give (0, 0, 1)"},
    {"length 1 + 1e-11", 2, 1 + 1e-11, 0, PH_E_NOT_ON_MANIFOLD, "q1", "PH_PROJECT"},
    {"zero", 2, 0, 0, PH_E_NOT_ON_MANIFOLD, "q1", "zero vector"},
    {"NaN", 4, NAN, 0, PH_E_NOT_FINITE, "z[4]", "finite"},
    {"infinite", 4, INFINITY, 0, PH_E_NOT_FINITE, "z[4]", "finite"},
    {"normal velocity", 3, 1, 0.5, PH_E_NOT_TANGENT, "velocity2", "PH_PROJECT) would give (0, 1, 0)"},
    {"slightly normal", 3, 1, 1e-11, PH_E_NOT_TANGENT, "velocity2", "PH_PROJECT"},
    {"NaN velocity", 5, 0, NAN, PH_E_NOT_FINITE, "velocity[5]", "finite"},
    {"infinite velocity", 5, 0, -INFINITY, PH_E_NOT_FINITE, "velocity[5]", "finite"},
};

static const double good_z[HK_NZ] = {0, 0, 1, 1, 0, 0}, good_v[HK_NZ] = {1, 0, 0, 0, 1, 0};

TEST_EACH(states_off_the_manifold, hk_cases() * (sizeof bad_states / sizeof bad_states[0]))
{
    hk_case c;
    hk_user user = {0};
    ph_error err = {PH_OK, ""};
    double z[HK_NZ], v[HK_NZ];
    size_t n = sizeof bad_states / sizeof bad_states[0], i = (size_t)_i % n;
    hk_case_at((size_t)_i / n, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    TK_BEGIN(it, state, hk_create, &c, system, 0.01);
    tk_ok(ph_integrator_step(it, state, 3));
    TK_OWN(ph_state) *before = hk_clone(it, state);
    memcpy(z, good_z, sizeof z);
    memcpy(v, good_v, sizeof v);
    z[bad_states[i].at] = bad_states[i].z;
    v[bad_states[i].at] = bad_states[i].v;
    ph_status status = ph_state_set_velocity(it, state, 1, z, v, PH_STRICT, &err);
    ck_assert_msg(status == bad_states[i].status, "%s: %s", bad_states[i].what, err.message);
    ck_assert_int_eq(err.status, status);
    tk_has_both(err.message, bad_states[i].first, bad_states[i].second);
    ck_assert(hk_same(state, before));
    bool hopeless = status == PH_E_NOT_FINITE || bad_states[i].z == 0;
    ck_assert_int_eq(ph_state_set_velocity(it, state, 1, z, v, PH_PROJECT, &err), hopeless ? status : PH_OK);
    if (hopeless) {
        ck_assert(hk_same(state, before));
    } else { /* the good one that was spoilt: every flaw here is along q */
        tk_ok(ph_state_set_velocity(it, before, 1, good_z, good_v, PH_STRICT, NULL));
        ck_assert(hk_same(state, before));
    }
}

/* The same for momenta, and what is asked of the other arguments. */
TEST(momenta_and_times)
{
    hk_case c;
    hk_user user = {0};
    const double normal[HK_NZ] = {0, 2, 0.25, 0, 0, 3}, tangent[HK_NZ] = {0, 2, 0, 0, 0, 3};
    hk_case_at(0, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    TK_BEGIN(it, state, hk_create, &c, system, 0.01);
    TK_OWN(ph_state) *before = hk_clone(it, state);
    tk_refused_both(ph_state_set(it, state, 0, good_z, normal, PH_STRICT, tk_err), PH_E_NOT_TANGENT, "pi1",
                    "would give (0, 2, 0)");
    tk_refused_both(ph_state_set(it, state, NAN, good_z, tangent, PH_STRICT, tk_err), PH_E_NOT_FINITE, "time",
                    "finite");
    tk_returns(ph_state_set(it, state, 0, good_z, NULL, PH_STRICT, tk_err), PH_E_INVALID);
    tk_refused_both(ph_state_set(it, state, 0, NULL, tangent, PH_STRICT, tk_err), PH_E_INVALID, "z and p",
                    "neither");
    tk_returns(ph_state_set_velocity(it, state, 0, good_z, NULL, PH_STRICT, tk_err), PH_E_INVALID);
    ck_assert_int_eq(ph_state_set_velocity(it, state, 0, NULL, good_v, PH_PROJECT, NULL), PH_E_INVALID);
    ck_assert(hk_same(state, before));
    tk_ok(ph_state_set(it, state, -4, good_z, normal, PH_PROJECT, tk_err));
    ck_assert_mem_eq(state->p, tangent, sizeof tangent);
    ck_assert_mem_eq(state->z, good_z, sizeof good_z);
    ck_assert_double_eq(state->t, -4);
    ck_assert_int_eq(state->k, 0);
}

/* Finite velocities whose momentum is not: no state. */
TEST_EACH(overflowing_velocities, hk_cases())
{
    hk_case c;
    hk_user user = {0};
    const double v[HK_NZ] = {1.7e308, 0, 0, 0, 1.7e308, 0},
                 along[HK_NZ] = {0, 0, 1.7e308, 1.7e308, 1.7e308, 1.7e308};
    hk_case_at((size_t)_i, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    TK_BEGIN(it, state, hk_create, &c, system, 0.01);
    TK_OWN(ph_state) *before = hk_clone(it, state);
    tk_refused_both(ph_state_set_velocity(it, state, 0, good_z, v, PH_STRICT, tk_err), PH_E_NOT_FINITE,
                    "momentum", "finite");
    ck_assert(hk_same(state, before));
    ph_status status = ph_state_set_velocity(it, state, 0, good_z, along, PH_PROJECT, tk_err);
    for (size_t i = 0; i < HK_NZ; i++)
        ck_assert_double_finite(state->p[i]);
    ck_assert(status == PH_OK || hk_same(state, before));
}

/* Same sizes, another meaning of the carry: (q, qdot) against (q, omega). */
TEST(forms_do_not_mix)
{
    const double z[3] = {1, 0, 0}, v[3] = {0, 1, 0};
    ph_integrator *b;
    ph_state *sb;
    TK_OWN(ph_system) *system = tk_model("spherical-pendulum");
    TK_START(a, sa, system, "rk4", "q-qdot", 0.01, z, v);
    tk_start(system, "rk4", "q-omega", 0.01, z, v, &b, &sb);
    TK_START(c, sc, system, "rk4", "q-qdot", 0.02, z, v);
    ck_assert_int_eq(ph_integrator_step(b, sa, 1), PH_E_INVALID);
    ck_assert_int_eq(ph_state_copy(sa, sb), PH_E_INVALID);
    tk_end(b, sb);
    tk_start(system, "rk4-projected", "q-qdot", 0.01, z, v, &b, &sb); /* nor do methods of the same form */
    ck_assert_int_eq(ph_integrator_step(b, sa, 1), PH_E_INVALID);
    tk_ok(ph_integrator_step(c, sa, 1)); /* another step size is the same kind */
    ck_assert_double_eq(sa->t, 0.02);
    tk_ok(ph_state_copy(sc, sa));
    tk_end(b, sb);
}

TEST(copies_of_another_kind)
{
    hk_case c;
    hk_user user = {0};
    const double z[3] = {1, 0, 0}, v[3] = {0, 1, 0};
    hk_case_at(0, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN), *pendulum = tk_model("spherical-pendulum");
    TK_BEGIN(it, state, hk_create, &c, system, 0.01);
    TK_START(other, single, pendulum, "rk4", NULL, 0.01, z, v);
    TK_OWN(ph_state) *before = hk_clone(it, state);
    ck_assert_int_eq(ph_state_copy(state, single), PH_E_INVALID);
    ck_assert(hk_same(state, before));
    /* nor may it be stepped or set by the wrong integrator */
    ck_assert_int_eq(ph_integrator_step(other, state, 1), PH_E_INVALID);
    ck_assert_ptr_nonnull(strstr(ph_integrator_message(other), "another system, method or option"));
    ck_assert_int_eq(ph_state_set(other, state, 0, z, v, PH_STRICT, NULL), PH_E_INVALID);
    ck_assert(hk_same(state, before));
    ph_state_free(NULL);
}

int main(void)
{
    return tk_run("state");
}
