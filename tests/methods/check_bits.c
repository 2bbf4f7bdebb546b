/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract of a step that succeeds, for every method of the catalogue in every form: steps in one call,
 * in many, of several states in turn, of copies, forwards and backwards give the same bits; time is t0 + k h,
 * computed as one product. */
#include "tests/kit/hostile.h"

static const double h = 0.05;

/* ---- The same bits ------------------------------------------------------------------------------ */

typedef struct pair {
    hk_case c;
    hk_user user;
    ph_system *system;
    ph_integrator *it;
    ph_state *a, *b; /* equal */
} pair;

static void open_pair(pair *p, int i, double step)
{
    *p = (pair){0};
    const hk_flavour flavour = hk_pair_at(i, &p->c);
    p->system = hk_system(&p->user, hk_flavour_for(&p->c, flavour));
    hk_create(&p->c, p->system, step, &p->it, &p->a);
    p->b = hk_clone(p->it, p->a);
}

static void close_pair(pair *p)
{
    ph_state_free(p->b);
    tk_end(p->it, p->a);
    ph_system_free(p->system);
    ck_assert_int_eq(p->user.freed, 1);
}

TEST_EACH(at_once_or_one_by_one, hk_pairs())
{
    TK_ENDS(close_pair) pair p;
    open_pair(&p, _i, _i % 2 ? h : -h);
    tk_ok(ph_integrator_step(p.it, p.a, 60));
    for (int k = 0; k < 60; k++)
        tk_ok(ph_integrator_step(p.it, p.b, 1));
    ck_assert(hk_same(p.a, p.b));
    ck_assert_int_eq(p.a->k, 60);
    ck_assert_int_eq(ph_integrator_statistics(p.it)->steps, 120);
    tk_ok(ph_integrator_step(p.it, p.a, 0));
    ck_assert(hk_same(p.a, p.b));
}

/* Two states on different motions by one integrator in turn, and each by a separate integrator. */
TEST_EACH(states_in_turn, hk_pairs())
{
    pair p, own;
    double z[HK_NZ], zdot[HK_NZ];
    open_pair(&p, _i, h);
    open_pair(&own, _i, h);
    hk_start(-1.3, z, zdot);
    tk_ok(ph_state_set_velocity(p.it, p.b, 7, z, zdot, PH_PROJECT, NULL));
    tk_ok(ph_state_set_velocity(own.it, own.b, 7, z, zdot, PH_PROJECT, NULL));
    for (int k = 0; k < 40; k++) {
        tk_ok(ph_integrator_step(p.it, p.a, 1));
        tk_ok(ph_integrator_step(p.it, p.b, 1));
    }
    tk_ok(ph_integrator_step(own.it, own.a, 40));
    ph_integrator *other = own.it;
    ck_assert(hk_same(p.a, own.a));
    ck_assert(!hk_same(p.a, p.b));
    tk_ok(ph_integrator_create(own.system, own.c.method, h, own.c.settings, own.c.n, &other, NULL));
    tk_ok(ph_integrator_step(other, own.b, 40));
    ck_assert(hk_same(p.b, own.b));
    ph_integrator_free(other);
    close_pair(&own);
    close_pair(&p);
}

TEST_EACH(copies_go_on_alike, hk_pairs())
{
    TK_ENDS(close_pair) pair p;
    open_pair(&p, _i, h);
    tk_ok(ph_integrator_step(p.it, p.a, 17));
    tk_ok(ph_state_copy(p.b, p.a));
    ck_assert(hk_same(p.a, p.b));
    ck_assert_ptr_ne(p.a->z, p.b->z);
    tk_ok(ph_integrator_step(p.it, p.a, 20));
    tk_ok(ph_integrator_step(p.it, p.b, 20));
    ck_assert(hk_same(p.a, p.b));
}

/* Setting z and p again, even to the same values, clears the carry: as in a state that was never stepped. */
TEST_EACH(setting_clears_the_carry, hk_pairs())
{
    TK_ENDS(close_pair) pair p;
    double z[HK_NZ], momentum[HK_NZ];
    open_pair(&p, _i, h);
    tk_ok(ph_integrator_step(p.it, p.a, 5));
    memcpy(z, p.a->z, sizeof z);
    memcpy(momentum, p.a->p, sizeof momentum);
    tk_ok(ph_state_set(p.it, p.a, 2, NULL, NULL, PH_PROJECT, NULL));
    for (size_t i = 0; i < p.a->ncarry; i++)
        ck_assert_double_eq(p.a->carry[i], 0);
    tk_ok(ph_state_set(p.it, p.b, 2, z, momentum, PH_PROJECT, NULL));
    ck_assert(hk_same(p.a, p.b));
    tk_ok(ph_integrator_step(p.it, p.a, 9));
    tk_ok(ph_integrator_step(p.it, p.b, 9));
    ck_assert(hk_same(p.a, p.b));
}

/* States in memory that the caller owns give the same bits. */
TEST_EACH(states_in_the_caller_s_memory, hk_cases())
{
    TK_ENDS(close_pair) pair p;
    open_pair(&p, _i, h);
    size_t size = ph_state_size(p.it);
    unsigned char *memory = malloc(size + 16);
    memset(memory, 0xa5, size + 16);
    ph_state *placed = ph_state_place(p.it, memory);
    tk_ok(ph_state_copy(placed, p.a));
    tk_ok(ph_integrator_step(p.it, placed, 10));
    tk_ok(ph_integrator_step(p.it, p.a, 10));
    ck_assert(hk_same(placed, p.a));
    for (size_t i = 0; i < 16; i++)
        ck_assert_msg(memory[size + i] == 0xa5, "byte %zu behind the state was written", i);
    free(memory);
}

/* ---- The clock ---------------------------------------------------------------------------------- */

/* Takes n steps after k others. Returns after how many of them the step failed, or the time was not t0 + k h
 * to the last bit. */
static int count_wrong_times(ph_integrator *it, ph_state *state, double t0, double step, int k, int n)
{
    int wrong = 0;
    for (int i = 1; i <= n; i++)
        wrong += ph_integrator_step(it, state, 1) || state->t != t0 + (double)(k + i) * step;
    return wrong;
}

/* h = 0.1 is not a double: a running sum would be off in some steps, and after 1e6, where the test begins, by
 * 1e-6 s. The pendulum hangs at rest, so that every method can take any number of large steps. */
TEST_EACH(time_is_one_product, 2 * hk_cases())
{
    enum { EARLIER = 1000000 };
    hk_case c;
    TK_OWN(ph_system) *system = tk_model("spherical-pendulum");
    const double z[3] = {0, 0, -1}, p[3] = {0, 0, 0}, t0 = 3.3, step = _i % 2 ? 0.1 : -0.1;
    hk_case_at((size_t)_i / 2, &c);
    TK_BEGIN(it, state, hk_create, &c, system, step);
    tk_ok(ph_state_set(it, state, t0, z, p, PH_STRICT, NULL));
    const int n = tk_short() ? 100 : tk_thorough() ? 2000 : 300;
    ck_assert_int_eq(count_wrong_times(it, state, t0, step, 0, n), 0);
    ck_assert_int_eq(state->k, n);
    state->k_base -= EARLIER; /* as if there had been so many steps */
    state->t = t0 + (double)(EARLIER + n) * step;
    ck_assert_int_eq(count_wrong_times(it, state, t0, step, EARLIER + n, n), 0);
    ck_assert_int_eq(state->k, 2 * n);
    const double t1 = state->t;
    tk_ok(ph_integrator_set_step_size(it, -0.3 * step));
    ck_assert_double_eq(ph_integrator_step_size(it), -0.3 * step);
    ck_assert_double_eq(state->t, t1);
    ck_assert_int_eq(count_wrong_times(it, state, t1, -0.3 * step, 0, n), 0);
    ck_assert_int_eq(state->k, 3 * n);
}

/* A force that depends on time is called with the exact times of the ends of steps. */
TEST_EACH(a_new_step_size_is_a_new_stretch, hk_pairs())
{
    TK_ENDS(close_pair) pair p;
    open_pair(&p, _i, h);
    tk_ok(ph_integrator_step(p.it, p.a, 3));
    const double t1 = p.a->t;
    tk_ok(ph_integrator_set_step_size(p.it, 0.02));
    tk_ok(ph_integrator_set_step_size(p.it, h)); /* and back, before a step: nothing has happened */
    tk_ok(ph_integrator_step(p.it, p.a, 3));
    tk_ok(ph_integrator_step(p.it, p.b, 6));
    ck_assert(hk_same(p.a, p.b));
    tk_ok(ph_integrator_set_step_size(p.it, 0.02));
    tk_ok(ph_integrator_step(p.it, p.a, 5));
    ck_assert_double_eq(p.a->t, p.b->t + 5 * 0.02);
    ck_assert_double_gt(p.b->t, t1);
}

/* Steps h and then -h return to the initial time but for one rounding. The configuration differs from the
 * initial one by a hundred roundings for symmetric methods (measured over all pairs: 5e-16), by the error of
 * 100 steps of order 4 for others (4.2e-7; a lower order is less by powers of h), and by 100 times the
 * tolerance 1e-6 for adaptive ones (7e-4). */
TEST_EACH(negative_steps_run_backwards, hk_pairs())
{
    TK_ENDS(close_pair) pair p;
    open_pair(&p, _i, h);
    const unsigned claims = p.c.method->claims;
    const double by_order = 2e-6 * pow(h, fmin(p.c.method->order, 4) - 4);
    const double bound = claims & PH_CLAIM_SYMMETRIC ? 1e-14 : claims & PH_CLAIM_ADAPTIVE ? 2e-3 : by_order;
    tk_ok(ph_integrator_step(p.it, p.a, 50));
    tk_ok(ph_integrator_set_step_size(p.it, -h));
    tk_ok(ph_integrator_step(p.it, p.a, 50));
    const double back = tk_max_difference(p.a->z, p.b->z, HK_NZ);
    printf("%s: back by %.1e\n", p.c.label, back);
    ck_assert_double_eq_tol(p.a->t, p.b->t, 2.75 * 0x1p-52);
    ck_assert_int_eq(p.a->k, 100);
    ck_assert_msg(back <= bound, "%s: %g > %g", p.c.label, back, bound);
}

int main(void)
{
    return tk_run("bits");
}
