/* SPDX-License-Identifier: BSD-3-Clause */
/* Events with every method: places against bisection with an integrator of the test, sections, directions; and
 * that looking for events changes no bit of a trajectory. */
#include "tests/kit/hostile.h"
#include "tests/run/notes.h"

/* ---- Every method in every form ------------------------------------------------------------------------ */

static const double h = 0.05;

/* Columns of all sorts, and levels that the motion crosses now and then. */
static const ph_event sections[] = {{.name = "a", .column = "q1x", .level = 0.1},
                                    {.name = "b", .column = "pi2y", .direction = 1},
                                    {.name = "c", .column = "t", .level = 1.01},
                                    {.name = "d", .column = "energy", .level = 0.3, .direction = -1},
                                    {.name = "e", .column = "Jz", .level = 0.02}};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

TEST_EACH(looking_changes_nothing, hk_pairs())
{
    hk_case c;
    hk_user user = {0};
    notes found;
    const hk_flavour flavour = hk_pair_at(_i, &c);
    TK_OWN(ph_system) *system = hk_system(&user, hk_flavour_for(&c, flavour));
    TK_BEGIN(it, a, hk_create, &c, system, _i % 2 ? h : -h);
    TK_OWN(ph_state) *b = hk_clone(it, a);
    TK_OWN(ph_events) *looking = look_for(it, sections, SECTIONS, &found);
    tk_ok(run_looking(it, a, looking, 120, 50, NULL));
    tk_ok(ph_integrator_step(it, b, 120));
    ck_assert(hk_same(a, b));
    ck_assert_uint_gt(found.n, 0);
}

static ph_status wave(void *user, const ph_state *state, double *g)
{
    (void)user;
    *g = cos(7e3 * state->t);
    return PH_OK;
}

/* The same for methods that store the motion in other variables between steps: the special step of chains. */
TEST_EACH(looking_changes_nothing_of_chains, 5)
{
    static const struct {
        const char *model, *method;
    } row[] = {{"chain-pendulum", "variational"},
               {"chain-pendulum", "rk4"},
               {"planar-chain", "variational"},
               {"cart-chain", "variational"},
               {"elastic-chain", "variational"}};
    static const double links = 20;
    const ph_parameter_value number = {"links", &links, 1};
    TK_OWN(ph_system) *system = tk_build(row[_i].model, &number, 1);
    const size_t nz = ph_space_ambient(ph_system_space(system));
    TK_MEMORY double *z = calloc(2 * nz, sizeof *z);
    const ph_event events[] = {{.name = "now and then", .value = wave},
                               {.name = "energy", .column = "energy", .level = -1}};
    tk_random r = {7};
    notes found;
    tk_preset(row[_i].model, &number, 1, NULL, z, z + nz);
    tk_push(system, &r, z, z + nz);
    TK_START(it, a, system, row[_i].method, NULL, 1e-4, z, z + nz);
    TK_OWN(ph_state) *b = hk_clone(it, a);
    TK_OWN(ph_events) *looking = look_for(it, events, 2, &found);
    tk_ok(run_looking(it, a, looking, 100, 1000, NULL));
    tk_ok(ph_integrator_step(it, b, 100));
    ck_assert(hk_same(a, b));
    ck_assert_uint_ge(found.n, 6);
    for (size_t i = 0; i < found.n; i++)
        ck_assert_double_eq_tol(fabs(cos(7e3 * found.list[i].t)), 0, 1e-12);
}

/* q1x - 0.1 at the partial step; the state there in `there`. */
static double partial(ph_integrator *it, const ph_state *from, ph_state *there, double theta)
{
    tk_ok(ph_state_copy(there, from));
    tk_ok(ph_integrator_set_step_size(it, theta * h));
    tk_ok(ph_integrator_step(it, there, 1));
    return there->z[0] - 0.1;
}

/* The same place by bisection down to neighbouring numbers, where g is smooth; and for every method, also
 * those that choose their own steps, a change of sign at most 1e-13 before it. */
TEST_EACH(places_by_bisection, hk_cases())
{
    hk_case c;
    hk_user user = {0};
    notes found;
    hk_case_at((size_t)_i, &c);
    TK_OWN(ph_system) *system = hk_system(&user, hk_flavour_for(&c, HK_DAMPED));
    TK_BEGIN(it, state, hk_create, &c, system, h);
    TK_BEGIN(own, from, hk_create, &c, system, h);
    TK_OWN(ph_state) *there = hk_clone(own, from);
    TK_OWN(ph_events) *looking = look_for(it, sections, 1, &found);
    tk_ok(run_looking(it, state, looking, 200, 1000, NULL));
    ck_assert_uint_gt(found.n, 0);
    for (size_t i = 0; i < found.n; i++) {
        const note *o = &found.list[i];
        double low = 0, high = 1;
        tk_ok(ph_integrator_set_step_size(own, h));
        tk_ok(ph_integrator_step(own, from, o->step - from->k));
        const double before = from->z[0] - 0.1, at = partial(own, from, there, o->theta);
        ck_assert_int_eq(o->direction, before < 0 ? 1 : -1);
        ck_assert(at == 0 || (at > 0) != (before > 0));
        ck_assert(!memcmp(there->z, o->z, sizeof o->z));
        ck_assert_double_eq(there->t, o->t);
        const double little = partial(own, from, there, o->theta - 1.01e-13);
        ck_assert(at == 0 || (little > 0) == (before > 0));
        if (c.method->claims & PH_CLAIM_ADAPTIVE)
            continue;
        while (low + (high - low) / 2 > low && low + (high - low) / 2 < high) {
            const double middle = low + (high - low) / 2;
            if ((partial(own, from, there, middle) > 0) == (before > 0))
                low = middle;
            else
                high = middle;
        }
        ck_assert_double_eq_tol(o->theta, high, 1e-12);
    }
}

/* The integrator that takes partial steps, made from another one: same kind, options and bits. */
TEST_EACH(copies_of_integrators, hk_cases())
{
    hk_case c;
    hk_user user = {0};
    hk_case_at((size_t)_i, &c);
    TK_OWN(ph_system) *system = hk_system(&user, hk_flavour_for(&c, HK_DAMPED));
    TK_BEGIN(it, a, hk_create, &c, system, h);
    TK_OWN(ph_state) *b = hk_clone(it, a);
    TK_MAKE(ph_integrator, copy, ph_integrator_copy(it, h, &copy, NULL));
    ck_assert_uint_eq(ph_integrator_kind(copy), ph_integrator_kind(it));
    tk_ok(ph_integrator_step(it, a, 20));
    tk_ok(ph_integrator_step(copy, b, 20));
    ck_assert(hk_same(a, b));
    ck_assert_int_eq(ph_integrator_statistics(copy)->steps, 20);
    ph_integrator *none = NULL;
    ck_assert_int_eq(ph_integrator_copy(it, 0, &none, NULL), PH_E_RANGE);
    ck_assert_ptr_null(none);
}

/* Where nothing happens: each g once at the start and once at each step, and no more gradients than without
 * events. */
static ph_status count_calls(void *user, const ph_state *state, double *g)
{
    (void)state;
    ++*(int64_t *)user;
    *g = 1;
    return PH_OK;
}

TEST_EACH(nothing_happens, hk_cases())
{
    hk_case c;
    hk_user user = {0};
    notes found;
    int64_t calls[2] = {0, 0};
    const ph_event events[] = {{.name = "one", .value = count_calls, .user = &calls[0]},
                               {.name = "two", .value = count_calls, .user = &calls[1]}};
    hk_case_at((size_t)_i, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    TK_BEGIN(it, state, hk_create, &c, system, h);
    TK_OWN(ph_events) *looking = look_for(it, events, 2, &found);
    TK_OWN(ph_state) *again = hk_clone(it, state);
    int64_t gradients = 0;
    for (int k = 0; k < 50; k++) {
        gradients += hk_calls(it, again, &user, 1);
        tk_ok(ph_integrator_step(it, again, 1));
    }
    hk_arm(&user, HK_GRADIENT, HK_FAIL, PH_OK, 0, false);
    tk_ok(run_looking(it, state, looking, 50, 1000, NULL));
    ck_assert_int_eq(user.calls, gradients);
    ck_assert_int_eq(calls[0], 51);
    ck_assert_int_eq(calls[1], 51);
    ck_assert_uint_eq(found.n, 0);
}

/* ---- A section of the double pendulum ---------------------------------------------------------------- */

static bool same_note(const note *a, const note *b)
{
    return a->event == b->event && a->t == b->t && a->theta == b->theta && a->step == b->step &&
           a->direction == b->direction && !memcmp(a->z, b->z, sizeof a->z);
}

/* For any outputs, and for a run in parts. */
TEST_EACH(sections_do_not_depend_on_outputs, 6)
{
    static const char *const methods[] = {"variational", "rk4"};
    static const int64_t every[] = {1, 100, INT64_MAX};
    const ph_event events[] = {{.name = "x", .column = "q1x", .direction = 1},
                               {.name = "both", .column = "q2y"}};
    ph_run_report report;
    notes one, two;
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    TK_OWN(ph_system) *system = NULL;
    open_section(methods[_i % 2], &system, &it, &state);
    TK_OWN(ph_state) *again = hk_clone(it, state);
    ph_events *looking = look_for(it, events, 2, &one);
    tk_ok(run_looking(it, state, looking, 1000, 10, NULL));
    ck_assert_uint_ge(one.n, 10);
    ph_events_free(looking);
    looking = look_for(it, events, 2, &two);
    ph_run_plan plan = {.steps = 333, .output = {.steps = every[_i / 2]}, .events = looking};
    tk_ok(ph_run(it, again, &plan, &report, NULL));
    plan.done = 333;
    plan.steps = 1000;
    tk_ok(ph_run(it, again, &plan, &report, NULL));
    ck_assert(hk_same(again, state));
    ck_assert_uint_eq(two.n, one.n);
    for (size_t i = 0; i < one.n; i++)
        ck_assert(same_note(&one.list[i], &two.list[i]));
    ph_events_free(looking);
}

/* Up and down together are both, and come in turn. */
TEST(directions)
{
    const ph_event events[] = {{.name = "both", .column = "q2x"},
                               {.name = "up", .column = "q2x", .direction = 1},
                               {.name = "down", .column = "q2x", .direction = -1}};
    notes found;
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    TK_OWN(ph_system) *system = NULL;
    open_section("variational", &system, &it, &state);
    TK_OWN(ph_events) *looking = look_for(it, events, 3, &found);
    tk_ok(run_looking(it, state, looking, 2000, 100, NULL));
    ck_assert_uint_gt(found.n, 20);
    for (size_t i = 0; i < found.n; i++) {
        const note *o = &found.list[i];
        ck_assert_uint_eq(o->event, i % 2 ? (o->direction > 0 ? 1u : 2u) : 0u);
        ck_assert_int_eq(o->direction, found.list[i - i % 2].direction);
        ck_assert_double_eq(o->t, found.list[i - i % 2].t);
        if (i >= 2)
            ck_assert_int_eq(o->direction, -found.list[i - 2].direction);
    }
    ck_assert_int_eq(ph_events_found(looking, 0), ph_events_found(looking, 1) + ph_events_found(looking, 2));
}

/* A user's own loop, in which the step size changes now and then: x = 1 + 7 t - g t^2/2 through a staircase
 * of levels. */
TEST(step_sizes_that_change)
{
    enum { LEVELS = 12 };
    static const double x0 = 1, v0 = 7;
    ph_event events[LEVELS];
    TK_OWN(ph_system) *system = create_thrown();
    notes found;
    for (size_t i = 0; i < LEVELS; i++)
        events[i] =
            (ph_event){.name = "stair", .column = "x1_1", .level = 1.1 + 0.1 * (double)i, .direction = 1};
    TK_START(it, state, system, "rk4", NULL, 0.01, &x0, &v0);
    TK_OWN(ph_events) *looking = look_for(it, events, LEVELS, &found);
    tk_ok(ph_events_begin(looking, state, NULL));
    for (int k = 0; k < 60; k++) {
        if (k % 7 == 5)
            tk_ok(ph_integrator_set_step_size(it, k % 2 ? 0.003 : 0.01));
        tk_ok(ph_integrator_step(it, state, 1));
        tk_ok(ph_events_look(looking, state, NULL));
    }
    ck_assert_uint_eq(found.n, LEVELS);
    for (size_t i = 0; i < LEVELS; i++) {
        const double up = events[i].level - x0;
        ck_assert_double_eq_tol(found.list[i].t, 2 * up / (v0 + sqrt(v0 * v0 - 2 * fall * up)), 2e-15);
    }
}

int main(void)
{
    return tk_run("events: methods");
}
