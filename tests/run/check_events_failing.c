/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that stop a run, and functions, systems, sinks and definitions of events that fail. */
#include "tests/kit/hostile.h"
#include "tests/run/notes.h"

static const double h = 0.05;

/* ---- Stopping ---------------------------------------------------------------------------------------- */

static ph_status see_last(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    int64_t *seen = self;
    (void)total, (void)err;
    ck_assert_int_eq(done, state->k);
    seen[0]++;
    seen[1] = done;
    return PH_OK;
}

/* The run ends with the step of the event, on its trajectory; other events in that step are reported, too. */
TEST_EACH(stops, 2)
{
    const ph_event events[] = {{.name = "later", .column = "t", .level = 0.199},
                               {.name = "halt", .column = "t", .level = 0.11, .action = PH_EVENT_STOP},
                               {.name = "halt too", .column = "t", .level = 0.15, .action = PH_EVENT_STOP},
                               {.name = "next", .column = "t", .level = 0.21}};
    ph_run_report report;
    notes found;
    int64_t seen[2] = {0, 0};
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    TK_OWN(ph_system) *system = NULL;
    open_section("variational", &system, &it, &state);
    tk_ok(ph_integrator_set_step_size(it, 0.1));
    TK_OWN(ph_state) *again = hk_clone(it, state);
    TK_OWN(ph_events) *looking = look_for(it, events, 4, &found);
    const ph_observer observer = {see_last, seen};
    ph_run_plan plan = {.steps = 10,
                        .output = {.steps = 4 - 3 * _i},
                        .observers = &observer,
                        .n_observers = 1,
                        .events = looking};
    tk_says(ph_run(it, state, &plan, &report, tk_err), PH_E_STOPPED,
            "the event \"halt\" at t = 0.11 s stops the run");
    ck_assert_int_eq(state->k, 2);
    ck_assert_int_eq(report.steps, 2);
    ck_assert_int_eq(seen[0], 2 + _i);
    ck_assert_int_eq(seen[1], 2);
    ck_assert_uint_eq(found.n, 3);
    ck_assert_uint_eq(found.list[2].event, 0);
    plan.done = 2;
    tk_ok(ph_run(it, state, &plan, &report, tk_err));
    ck_assert_uint_eq(found.n, 4);
    tk_ok(ph_integrator_step(it, again, 10));
    ck_assert(hk_same(state, again));
}

/* ---- What goes wrong --------------------------------------------------------------------------------- */

/* q1x - 0.1, except at its n-th call, where it fails or returns another value. */
typedef struct trap {
    int64_t calls, at;
    hk_how how;
} trap;

static ph_status trapped(void *user, const ph_state *state, double *g)
{
    trap *t = user;
    *g = state->z[0] - 0.1;
    if (++t->calls != t->at)
        return PH_OK;
    *g = t->how == HK_NAN ? (double)NAN : -(double)INFINITY;
    return t->how == HK_FAIL ? PH_E_UNSUPPORTED : PH_OK;
}

/* At every call of a run with one event: at the start, at the ends of steps, while locating the event. The
 * state is whole, and the same as without. */
TEST_EACH(failing_functions, HK_HOWS)
{
    hk_case c;
    hk_user user = {0};
    TK_OWN(ph_state) *state = NULL, *again = NULL;
    notes found;
    trap t = {.how = (hk_how)_i};
    const ph_event event = {.name = "trap", .value = trapped, .user = &t};
    hk_case_at(0, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    TK_BEGIN(it, start, hk_create, &c, system, h);
    state = hk_clone(it, start);
    again = hk_clone(it, start);
    TK_OWN(ph_events) *looking = look_for(it, &event, 1, &found);
    tk_ok(run_looking(it, state, looking, 60, 1000, NULL));
    const int64_t calls = t.calls;
    ck_assert_uint_gt(found.n, 0);
    ck_assert_int_gt(calls, 61);
    for (t.at = 1; t.at <= calls; t.at++) {
        t.calls = 0;
        tk_ok(ph_state_copy(state, start));
        tk_returns(run_looking(it, state, looking, 60, 1000, tk_err),
                   _i ? PH_E_NOT_FINITE : PH_E_UNSUPPORTED);
        ck_assert_msg(strstr(tk_err->message, "the function of the event \"trap\" ") &&
                          strstr(tk_err->message, _i == HK_FAIL  ? "failed at t = "
                                                  : _i == HK_NAN ? "nan at t = "
                                                                 : "is -inf at t = "),
                      "%s", tk_err->message);
        tk_ok(ph_state_copy(again, start));
        tk_ok(ph_integrator_step(it, again, state->k));
        ck_assert(hk_same(state, again));
        if (t.at == 1)
            ck_assert_int_eq(state->k, 0);
    }
}

/* A system that fails at its n-th gradient, for every n of a run with events: in a step or on the way to
 * an event. The state is whole in any case, and a second run with the same events is as if nothing had
 * happened. */
TEST_EACH(failing_systems, hk_cases())
{
    hk_case c;
    hk_user user = {0};
    TK_OWN(ph_state) *state = NULL, *again = NULL;
    notes found;
    size_t on_the_way = 0;
    hk_case_at((size_t)_i, &c);
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    TK_BEGIN(it, start, hk_create, &c, system, h);
    state = hk_clone(it, start);
    again = hk_clone(it, start);
    ph_event event = {.name = "section", .column = "t"};
    event.level = start->t + 2.3 * h;
    TK_OWN(ph_events) *looking = look_for(it, &event, 1, &found);
    hk_arm(&user, HK_GRADIENT, HK_FAIL, PH_OK, 0, false);
    tk_ok(run_looking(it, state, looking, 4, 1000, NULL));
    const int64_t calls = user.calls;
    for (int64_t at = 1; at <= calls; at += 1 + calls / 60) {
        tk_ok(ph_state_copy(state, start));
        hk_arm(&user, HK_GRADIENT, HK_FAIL, PH_E_CALLBACK, at, true);
        ph_status status = run_looking(it, state, looking, 4, 1000, tk_err);
        hk_behave(&user);
        ck_assert_int_eq(status, PH_E_CALLBACK);
        on_the_way += strstr(tk_err->message, "while locating the event \"section\" after t = ") != NULL;
        tk_ok(ph_state_copy(again, start));
        tk_ok(ph_integrator_step(it, again, state->k));
        ck_assert(hk_same(state, again));
    }
    ck_assert_msg(on_the_way > 0, "%s", c.label);
    found.n = 0;
    tk_ok(ph_state_copy(state, start));
    tk_ok(run_looking(it, state, looking, 4, 1000, NULL));
    ck_assert_uint_eq(found.n, 1);
    ck_assert_int_eq(found.list[0].step, 2);
}

/* An event computes only what its column needs: other callbacks are not called. */
TEST(only_what_is_needed)
{
    hk_user user = {0};
    notes found;
    double z[HK_NZ], zdot[HK_NZ];
    TK_OWN(ph_system) *system = hk_system(&user, HK_PLAIN);
    hk_start(1, z, zdot);
    const char *const columns[] = {"q1x", "tangency", ph_system_symmetry(system, 0)->name, "energy"};
    TK_START(it, start, system, "variational", NULL, 0.01, z, zdot);
    for (size_t i = 0; i < 4; i++) {
        const ph_event event = {.name = "event", .column = columns[i], .level = 1e9};
        for (int which = HK_POTENTIAL; which <= HK_GENERATOR; which += HK_GENERATOR - HK_POTENTIAL) {
            TK_OWN(ph_events) *looking = look_for(it, &event, 1, &found);
            hk_arm(&user, (hk_callback)which, HK_FAIL, PH_OK, 0, false);
            tk_ok(run_looking(it, start, looking, 5, 1000, NULL));
            if (i == 0 || (i == 3) != (which == HK_POTENTIAL))
                ck_assert_int_eq(user.calls, 0);
            else
                ck_assert_int_gt(user.calls, 0);
        }
    }
}

TEST(failing_sinks)
{
    const ph_event events[] = {{.name = "one", .column = "t", .level = 0.05},
                               {.name = "two", .column = "t", .level = 0.051}};
    notes found;
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    TK_OWN(ph_system) *system = NULL;
    open_section("variational", &system, &it, &state);
    ph_events *looking = look_for(it, events, 2, &found);
    found.fail_at = 1;
    tk_says(run_looking(it, state, looking, 10, 1, tk_err), PH_E_IO, "the notebook is full");
    ck_assert_int_eq(state->k, 3);
    ck_assert_uint_eq(found.n, 1);
    ph_events_free(looking);
    tk_ok(ph_events_create(it, events, 2, NULL, &looking, NULL)); /* without a sink */
    tk_ok(ph_state_set(it, state, 0, NULL, NULL, PH_PROJECT, NULL));
    tk_ok(run_looking(it, state, looking, 10, 1, NULL));
    ck_assert_int_eq(ph_events_found(looking, 0), 1);
    ck_assert_int_eq(ph_events_found(looking, 1), 1);
    ph_events_free(looking);
}

TEST_EACH(wrong_events, 12)
{
    static const struct {
        ph_event event;
        ph_status status;
        const char *message;
    } row[] = {
        {{.name = NULL, .column = "t"}, PH_E_INVALID, "an event needs a name"},
        {{.name = "", .column = "t"}, PH_E_INVALID, "an event needs a name"},
        {{.name = "x"}, PH_E_INVALID, "\"x\" needs a column or a function, not neither"},
        {{.name = "x", .column = "t", .value = measure_swing},
         PH_E_INVALID,
         "needs a column or a function, not both"},
        {{.name = "x", .column = "q1w"}, PH_E_UNKNOWN, "unknown column \"q1w\"; did you mean \"q1x\"?"},
        {{.name = "x", .column = "q1"}, PH_E_INVALID, "\"q1\" is a group of 3 of them"},
        {{.name = "x", .column = "energy_error"},
         PH_E_INVALID,
         "\"energy_error\" of the event \"x\" belongs to a run"},
        {{.name = "x", .column = "newton_passes"}, PH_E_INVALID, "belongs to a run"},
        {{.name = "x", .column = "t", .direction = 2}, PH_E_RANGE, "direction of the event \"x\" is 2"},
        {{.name = "x", .column = "t", .direction = -2}, PH_E_RANGE, "direction of the event \"x\" is -2"},
        {{.name = "x", .column = "t", .action = (ph_event_action)7}, PH_E_RANGE, "neither record nor stop"},
        {{.name = "x", .column = "t", .level = NAN}, PH_E_RANGE, "level of the event \"x\" is nan"},
    };
    ph_event events[2] = {{.name = "good", .column = "energy"}, row[_i].event};
    ph_events *looking = NULL;
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    TK_OWN(ph_system) *system = NULL;
    open_section("variational", &system, &it, &state);
    tk_refused(ph_events_create(it, events, 2, NULL, &looking, tk_err), row[_i].status, row[_i].message);
    ck_assert_ptr_null(looking);
}

/* States of another kind, and looks that are not one step apart. */
TEST(wrong_states)
{
    const ph_event event = {.name = "x", .column = "q1x"};
    TK_OWN(ph_system) *system = NULL, *more = NULL;
    notes found;
    TK_BEGIN(it, state, open_section, "variational", &system);
    TK_BEGIN(other, foreign, open_section, "rk4", &more);
    TK_OWN(ph_events) *looking = look_for(it, &event, 1, &found);
    tk_refused(run_looking(other, foreign, looking, 5, 1, tk_err), PH_E_INVALID,
               "another system, method or option");
    tk_ok(ph_events_begin(looking, state, tk_err));
    tk_returns(ph_events_look(looking, state, tk_err), PH_E_INVALID);
    tk_ok(ph_integrator_step(it, state, 2));
    tk_refused(ph_events_look(looking, state, tk_err), PH_E_INVALID, "after each step");
    ph_events_free(NULL);
}

int main(void)
{
    return tk_run("events: failing");
}
