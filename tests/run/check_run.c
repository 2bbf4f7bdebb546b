/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs and observers: observers, output intervals and interrupts do not change the bits of a trajectory;
 * whatever ends a run, the report is filled and the state is whole. Diagnostics and the monitor's tenths
 * and scales against states whose energy is known. */
#include "tests/kit/hostile.h"

#include <time.h>

static const double h = 0.05;

/* ---- Observers ---------------------------------------------------------------------------------- */

/* Records what it sees; fails at a given state; sets the interrupt flag at another. */
typedef struct witness {
    int64_t seen, last_k, last_done, total;
    int64_t fail_at, interrupt_at; /* k; -1: never */
    volatile sig_atomic_t *flag;
    double last_t;
    bool in_order;
} witness;

static ph_status see(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    witness *w = self;
    w->in_order = w->seen++ == 0 || state->k > w->last_k;
    w->last_k = state->k;
    w->last_t = state->t;
    w->last_done = done;
    w->total = total;
    if (state->k == w->interrupt_at)
        *w->flag = SIGTERM;
    return state->k == w->fail_at ? ph_fail(err, PH_E_IO, "the witness has seen enough") : PH_OK;
}

static witness new_witness(void)
{
    return (witness){.fail_at = -1, .interrupt_at = -1, .last_k = -1, .in_order = true};
}

typedef struct scene {
    hk_case c;
    hk_user user;
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    witness w;
    ph_observer observer;
    ph_run_report report;
    ph_error err;
} scene;

static void open_scene(scene *s, size_t method)
{
    *s = (scene){.w = new_witness(), .report = {-1, -1, NAN}};
    hk_case_at(method, &s->c);
    s->system = hk_system(&s->user, HK_PLAIN);
    hk_create(&s->c, s->system, h, &s->it, &s->state);
    s->observer = (ph_observer){see, &s->w};
}

static ph_status run(scene *s, int64_t steps, int64_t every)
{
    ph_run_plan plan = {.steps = steps,
                        .output = {.steps = every},
                        .observers = &s->observer,
                        .n_observers = 1,
                        .interrupt = s->w.flag};
    return ph_run(s->it, s->state, &plan, &s->report, &s->err);
}

static void close_scene(scene *s)
{
    tk_end(s->it, s->state);
    ph_system_free(s->system);
}

/* How the loop of a run divides steps has nothing to do with the method: every interval is tried on the first
 * case of three methods that differ in what they remember, on the others (all, in the thorough form) one that
 * looks after each step, and one that looks when the longest stretch is reached. */
static const int64_t intervals[] = {1, 1001, 2, 7, 999, 1000, 2500, 2501, 100000, INT64_MAX};
enum { INTERVALS = sizeof intervals / sizeof intervals[0], USUAL = 2 };

static bool is_example(size_t i)
{
    static const char *const names[] = {"variational", "multistep", "rk4"};
    hk_case c, before = {0};
    hk_case_at(i, &c);
    if (i)
        hk_case_at(i - 1, &before);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (c.method != before.method && !strcmp(c.method->name, names[k]))
            return true;
    return false;
}

static bool is_adaptive(size_t i)
{
    hk_case c;
    hk_case_at(i, &c);
    return c.method->claims & PH_CLAIM_ADAPTIVE;
}

/* In the short suite each case has one of the intervals, in turn. */
TEST_EACH(watching_changes_nothing, hk_cases())
{
    const bool full = !tk_short() && (tk_thorough() || is_example((size_t)_i));
    const size_t first = tk_short() ? (size_t)_i % INTERVALS : 0, /* of intervals[] */
        end = tk_short() ? first + 1
              : full     ? INTERVALS
                         : USUAL;
    /* the steps of an adaptive method take fifty times as long */
    const int64_t steps = full ? 2500 : tk_short() || is_adaptive((size_t)_i) ? 250 : 1050;
    TK_ENDS(close_scene) scene alone;
    open_scene(&alone, (size_t)_i);
    tk_ok(ph_integrator_step(alone.it, alone.state, steps));
    for (size_t i = first; i < end; i++) {
        const int64_t every = intervals[i];
        TK_ENDS(close_scene) scene s;
        open_scene(&s, (size_t)_i);
        tk_ok(run(&s, steps, every));
        ck_assert(hk_same(s.state, alone.state));
        ck_assert_int_eq(s.report.steps, steps);
        ck_assert_double_eq(s.report.time_at_end, s.state->t);
        ck_assert_double_ge(s.report.cpu_seconds, 0);
        ck_assert_int_eq(s.w.seen, 1 + steps / every + (steps % every != 0));
        ck_assert_int_eq(s.w.last_k, steps);
        ck_assert_int_eq(s.w.last_done, steps);
        ck_assert_int_eq(s.w.total, steps);
        ck_assert(s.w.in_order);
    }
}

/* The three cases exist; otherwise most intervals would not be tested. */
TEST(examples_are_three)
{
    size_t n = 0;
    for (size_t i = 0; i < hk_cases(); i++)
        n += is_example(i);
    ck_assert_uint_eq(n, 3);
}

TEST(no_observers_no_steps)
{
    TK_ENDS(close_scene) scene s;
    open_scene(&s, 0);
    ph_state *before = hk_clone(s.it, s.state);
    tk_ok(run(&s, 0, 10));
    ck_assert_int_eq(s.w.seen, 1);
    ck_assert_int_eq(s.report.steps, 0);
    ck_assert_double_eq(s.report.time_at_end, 0.25);
    ck_assert(hk_same(s.state, before));
    ph_run_plan bare = {.steps = 10, .output = {.steps = 3}};
    tk_ok(ph_run(s.it, s.state, &bare, &s.report, NULL));
    ck_assert_int_eq(s.report.steps, 10);
    ph_state_free(before);
}

TEST_EACH(bad_plans, 4)
{
    static const int64_t bad[][2] = {{-1, 1}, {10, 0}, {10, -3}, {INT64_MIN, 1}};
    TK_ENDS(close_scene) scene s;
    open_scene(&s, 0);
    ck_assert_int_eq(run(&s, bad[_i][0], bad[_i][1]), PH_E_RANGE);
    ck_assert_msg(strstr(s.err.message, _i % 3 ? "a schedule needs steps >= 1" : "steps >= done >= 0") !=
                      NULL,
                  "%s", s.err.message);
    ck_assert_int_eq(s.w.seen, 0);
    ck_assert_int_eq(s.report.steps, 0);
    ck_assert_double_eq(s.report.time_at_end, 0.25);
}

/* The run ends with the observer's status and message, at the state it failed on; later ones see nothing. */
TEST_EACH(failing_observers, 2)
{
    TK_ENDS(close_scene) scene s;
    witness other = new_witness();
    open_scene(&s, 0);
    s.w.fail_at = 20 * _i; /* at once, and on the way */
    ph_observer observers[2] = {s.observer, {see, &other}};
    ph_run_plan plan = {.steps = 100, .output = {.steps = 10}, .observers = observers, .n_observers = 2};
    ck_assert_int_eq(ph_run(s.it, s.state, &plan, &s.report, &s.err), PH_E_IO);
    ck_assert_str_eq(s.err.message, "the witness has seen enough");
    ck_assert_int_eq(s.state->k, s.w.fail_at);
    ck_assert_int_eq(s.report.steps, s.w.fail_at);
    ck_assert_double_eq(s.report.time_at_end, s.state->t);
    ck_assert_int_eq(other.seen, s.w.seen - 1);
}

/* A step that fails ends the run; the observers have seen the last whole state, once. */
TEST_EACH(failing_steps, hk_cases())
{
    scene s, alone;
    open_scene(&s, (size_t)_i);
    open_scene(&alone, (size_t)_i);
    int64_t calls = hk_calls(s.it, s.state, &s.user, 13);
    hk_arm(&s.user, HK_GRADIENT, HK_FAIL, PH_E_CALLBACK, calls + 1, true);
    ck_assert_int_eq(run(&s, 1000, 4), PH_E_CALLBACK);
    hk_behave(&s.user);
    ck_assert_msg(strstr(s.err.message, "t = ") != NULL, "%s", s.err.message);
    ck_assert_int_eq(s.state->k, 13);
    ck_assert_int_eq(s.report.steps, s.state->k);
    ck_assert_double_eq(s.report.time_at_end, s.state->t);
    ck_assert_int_eq(s.w.last_k, s.state->k);
    ck_assert_int_eq(s.w.last_done, s.state->k);
    ck_assert(s.w.in_order);
    tk_ok(ph_integrator_step(alone.it, alone.state, s.state->k));
    ck_assert(hk_same(s.state, alone.state));
    close_scene(&alone);
    close_scene(&s);
}

/* No step since the observers looked: they are not shown the same state again. Watched at every state, a run
 * shows states 0 ... k; a run whose first step fails, or that was asked to stop before it began, the first
 * alone. */
TEST_EACH(failures_right_after_a_look, 2 * hk_cases())
{
    TK_ENDS(close_scene) scene s;
    volatile sig_atomic_t flag = 0;
    open_scene(&s, (size_t)_i / 2);
    s.w.flag = &flag;
    int64_t calls = _i % 2 ? hk_calls(s.it, s.state, &s.user, 13) : 0;
    hk_arm(&s.user, HK_GRADIENT, HK_FAIL, PH_E_CALLBACK, calls + 1, true);
    ck_assert_int_eq(run(&s, 1000, 1), PH_E_CALLBACK);
    hk_behave(&s.user);
    ck_assert_int_eq(s.state->k > 0, _i % 2);
    ck_assert_int_eq(s.w.seen, s.state->k + 1);
    ck_assert_int_eq(s.w.last_k, s.state->k);
    ck_assert(s.w.in_order);
    s.w.seen = 0;
    flag = 1;
    ck_assert_int_eq(run(&s, 10, 10), PH_E_INTERRUPTED);
    ck_assert_int_eq(s.w.seen, 1);
}

/* Asked to stop at step 1000 (200) of a million: it does, within a stretch, and can be taken up again. */
TEST_EACH(interrupts, hk_cases())
{
    scene s, alone;
    volatile sig_atomic_t flag = 0;
    const int64_t asked = tk_short() ? 200 : 1000;
    open_scene(&s, (size_t)_i);
    open_scene(&alone, (size_t)_i);
    s.w.flag = &flag;
    s.w.interrupt_at = asked;
    ck_assert_int_eq(run(&s, 1000000, asked / 2), PH_E_INTERRUPTED);
    ck_assert_msg(strstr(s.err.message, "t = ") && strstr(s.err.message, "steps"), "%s", s.err.message);
    ck_assert_int_ge(s.state->k, asked);
    ck_assert_int_le(s.state->k, asked + 1000);
    ck_assert_int_eq(s.report.steps, s.state->k);
    ck_assert_int_eq(s.w.last_k, s.state->k);
    flag = 0;
    s.w.interrupt_at = -1;
    const int64_t end = s.state->k + asked, left = asked;
    s.w.seen = 0;
    tk_ok(run(&s, left, asked / 2));
    tk_ok(ph_integrator_step(alone.it, alone.state, end));
    ck_assert(hk_same(s.state, alone.state));
    ck_assert_int_eq(s.report.steps, left);
    flag = 1; /* asked before it began: not one step */
    ck_assert_int_eq(run(&s, 10, 1), PH_E_INTERRUPTED);
    ck_assert_int_eq(s.report.steps, 0);
    ck_assert(hk_same(s.state, alone.state));
    close_scene(&alone);
    close_scene(&s);
}

/* ---- CPU time ---------------------------------------------------------------------------------- */

static double thread_seconds(void)
{
    struct timespec now;
    ck_assert_int_eq(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const double work_seconds = 1e-3; /* what a call costs, by the clock that the report uses */

static void work(void)
{
    double start = thread_seconds();
    while (thread_seconds() - start < work_seconds)
        ;
}

static ph_status slow_gradient(void *user, const double *z, double *dU)
{
    (void)user, (void)z;
    memset(dU, 0, 3 * sizeof *dU);
    work();
    return PH_OK;
}

static ph_status no_potential(void *user, const double *z, double *U)
{
    (void)user, (void)z;
    *U = 0;
    return PH_OK;
}

static ph_status slow_sight(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    int64_t *calls = self;
    (void)state, (void)done, (void)total, (void)err;
    ++*calls;
    work();
    return PH_OK;
}

/* The time of all steps, and of nothing else. A step here costs at least one gradient, and a look as much:
 * both bounds hold however busy the machine is. */
TEST_EACH(cpu_seconds_are_those_of_all_steps, 3)
{
    static const int64_t every[] = {1, 7, 100}, steps = 60;
    const double mass = 1, length = 1, nothing[3] = {0, 0, 0}, z[3] = {1, 0, 0}, v[3] = {0, 1, 0};
    tk_chain c;
    ph_run_report report;
    int64_t calls = 0;
    tk_chain_fill(&c, 1, &mass, &length, nothing);
    ph_system_definition d = {
        .inertia = c.M, .potential = no_potential, .gradient = slow_gradient, .user = NULL};
    TK_OWN(ph_system) *system = tk_create(&d, 1);
    TK_START(it, state, system, "variational", NULL, 0.01, z, v);
    ph_observer observer = {slow_sight, &calls};
    ph_run_plan plan = {
        .steps = steps, .output = {.steps = every[_i]}, .observers = &observer, .n_observers = 1};
    double start = thread_seconds();
    tk_ok(ph_run(it, state, &plan, &report, NULL));
    double all = thread_seconds() - start;
    ck_assert_double_ge(report.cpu_seconds, (double)steps * work_seconds);
    ck_assert_double_le(report.cpu_seconds, all - (double)calls * work_seconds);
}

/* ---- Which steps are seen ------------------------------------------------------------------------ */

/* All steps up to `last`, against the definition: is a multiple of the interval behind the step before? All
 * numbers are short, so that products are exact. */
TEST_EACH(outputs_at_an_interval_of_time, 5)
{
    static const double sizes[] = {0.125, -0.125, 0.375, 4, 0.25},
                        interval[] = {0.5, 0.6875, 0.125, 0.5, 1000};
    const ph_schedule s = {.kind = PH_EVERY_INTERVAL, .interval = interval[_i]};
    int64_t next = ph_schedule_next(&s, sizes[_i], 0);
    for (int64_t k = 1; k <= 9000; k++) {
        double before = floor((double)(k - 1) * fabs(sizes[_i]) / interval[_i]),
               now = floor((double)k * fabs(sizes[_i]) / interval[_i]);
        ck_assert_int_eq(next == k, now > before);
        if (next == k)
            next = ph_schedule_next(&s, sizes[_i], k);
        ck_assert_int_gt(next, k);
    }
}

/* Decimal numbers, whose products are rounded: 3 * 0.1 is more than 30 * 0.01. */
TEST(outputs_at_decimal_intervals)
{
    static const double sizes[] = {0.01, 0.001, 0.02, 1e-4, 0.3, -0.01}, count[] = {10, 7, 5, 3, 10, 13};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const double interval = strtod((const char *[]){"0.1", "0.007", "0.1", "3e-4", "3", "0.13"}[i], NULL);
        const ph_schedule s = {.kind = PH_EVERY_INTERVAL, .interval = interval};
        int64_t k = 0;
        for (int64_t j = 1; j <= 20000; j++) {
            k = ph_schedule_next(&s, sizes[i], k);
            ck_assert_msg(k == j * (int64_t)count[i], "h = %g s, every %g s: row %lld at step %lld", sizes[i],
                          interval, (long long)j, (long long)k);
        }
    }
}

TEST_EACH(outputs_at_steps_on_a_logarithmic_scale, 3)
{
    static const int64_t one[] = {1, 10, 100, 1000}, three[] = {1, 2, 5, 10, 22, 46, 100, 215, 464, 1000},
                         many[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const struct {
        int64_t n;
        const int64_t *steps;
        size_t count;
    } row[] = {{1, one, 4}, {3, three, 10}, {INT64_MAX, many, 10}};
    const ph_schedule s = {.kind = PH_PER_DECADE, .steps = row[_i].n};
    int64_t k = 0;
    for (size_t i = 0; i < row[_i].count; i++)
        ck_assert_int_eq(k = ph_schedule_next(&s, 0.1, k), row[_i].steps[i]);
}

TEST(outputs_end_where_steps_do)
{
    const ph_schedule every = {.steps = 3}, time = {.kind = PH_EVERY_INTERVAL, .interval = 1e300},
                      decade = {.kind = PH_PER_DECADE, .steps = 2};
    ck_assert_int_eq(ph_schedule_next(&every, 1, INT64_MAX - 4), INT64_MAX - 1);
    ck_assert_int_eq(ph_schedule_next(&every, 1, INT64_MAX - 1), INT64_MAX);
    ck_assert_int_eq(ph_schedule_next(&time, 1, 0), INT64_MAX);
    ck_assert_int_eq(ph_schedule_next(&decade, 1, INT64_C(9000000000000000)), INT64_MAX);
}

static ph_status note_step(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    int64_t *seen = self;
    (void)total, (void)err;
    ck_assert_int_eq(done, state->k);
    seen[++seen[0]] = done;
    return PH_OK;
}

static ph_status stop_at_the_latest(void *self, const ph_state *state, int64_t done, int64_t total,
                                    ph_error *err)
{
    const int64_t *at = self;
    (void)state, (void)total;
    return done >= *at ? ph_fail(err, PH_E_INTERRUPTED, "enough") : PH_OK;
}

/* A run that a watch ends, and the rest of it: the outputs of an uninterrupted run, plus the state where it
 * ended, and the same bits. */
TEST_EACH(a_run_in_parts_sees_what_one_in_a_piece_sees, 3)
{
    static const ph_schedule schedule[] = {
        {.steps = 7}, {.kind = PH_EVERY_INTERVAL, .interval = 0.055}, {.kind = PH_PER_DECADE, .steps = 5}};
    const double mass = 1, length = 1, nothing[3] = {0, 0, -9.81}, z[3] = {1, 0, 0}, v[3] = {0, 1, 0};
    int64_t whole[200] = {0}, parts[200] = {0}, enough = 31;
    tk_chain c;
    ph_run_report report;
    tk_chain_fill(&c, 1, &mass, &length, nothing);
    ph_system_definition d = {
        .inertia = c.M, .potential = no_potential, .gradient = slow_gradient, .user = NULL};
    TK_OWN(ph_system) *system = tk_create(&d, 1);
    TK_START(it, one, system, "variational", NULL, 0.01, z, v);
    TK_MAKE(ph_state, two, ph_state_create(it, &two, NULL));
    tk_ok(ph_state_copy(two, one));
    ph_observer observer = {note_step, whole};
    const ph_watch watch = {stop_at_the_latest, &enough};
    ph_run_plan plan = {.steps = 100, .output = schedule[_i], .observers = &observer, .n_observers = 1};
    tk_ok(ph_run(it, one, &plan, &report, NULL));
    observer.self = parts;
    plan.watch = &watch;
    tk_says(ph_run(it, two, &plan, &report, tk_err), PH_E_INTERRUPTED, "enough");
    ck_assert_int_eq(report.steps, two->k);
    ck_assert_int_ge(two->k, enough);
    int64_t last = parts[parts[0]];
    ck_assert_int_eq(last, two->k);
    if (ph_schedule_next(&schedule[_i], 0.01, last - 1) != last)
        parts[0]--;
    plan.watch = NULL;
    plan.done = two->k;
    tk_ok(ph_run(it, two, &plan, &report, NULL));
    ck_assert_int_eq(report.steps, 100 - plan.done);
    ck_assert_int_ge(whole[0], 3);
    ck_assert_mem_eq(whole, parts, sizeof whole[0] * (size_t)(whole[0] + 1));
    ck_assert_mem_eq(one->z, two->z, sizeof z);
    plan.done = 101;
    tk_returns(ph_run(it, two, &plan, &report, tk_err), PH_E_RANGE);
}

/* ---- Diagnostics -------------------------------------------------------------------------------- */

/* One pendulum whose energy is known: m = l = 1, gravity g along -e3, at angle a from hanging, speed w. */
static void set_pendulum(ph_integrator *it, ph_state *state, double t, double angle, double speed)
{
    const double z[3] = {sin(angle), 0, -cos(angle)}, v[3] = {0, speed, 0};
    tk_ok(ph_state_set_velocity(it, state, t, z, v, PH_STRICT, NULL));
}

typedef struct watch {
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
} watch;

static void open_watch(watch *w, double t0, double t1)
{
    const double z[3] = {0, 0, -1}, v[3] = {0, 0, 0};
    w->system = tk_model("spherical-pendulum");
    tk_start(w->system, "rk4", NULL, 0.01, z, v, &w->it, &w->state);
    tk_ok(ph_diagnostics_create(w->system, &w->diagnostics, NULL));
    tk_ok(ph_monitor_create(w->diagnostics, t0, t1, &w->monitor, NULL));
}

static void close_watch(watch *w)
{
    ph_monitor_free(w->monitor);
    ph_diagnostics_free(w->diagnostics);
    tk_end(w->it, w->state);
    ph_system_free(w->system);
}

static void show(watch *w, double t, double angle, double speed)
{
    set_pendulum(w->it, w->state, t, angle, speed);
    tk_ok(ph_monitor_see(w->monitor, w->state, NULL));
}

static const double g = 9.81;

TEST(measures_of_a_known_state)
{
    TK_ENDS(close_watch) watch w;
    ph_measures m;
    open_watch(&w, 0, 1);
    set_pendulum(w.it, w.state, 0, 1, 2);
    ph_state *before = hk_clone(w.it, w.state);
    tk_ok(ph_diagnostics_measure(w.diagnostics, w.state, &m));
    ck_assert_double_eq_tol(m.kinetic, 2, 1e-15);
    ck_assert_double_eq_tol(m.potential, -g * cos(1), 1e-14);
    ck_assert_double_eq(m.energy, m.kinetic + m.potential);
    ck_assert_double_le(m.constraint_error, 2.3e-16);
    ck_assert_double_le(m.tangency, 1e-15);
    ck_assert_double_eq_tol(m.momentum_size, 2, 1e-15);
    ck_assert_double_eq_tol(m.momenta[0], 2 * sin(1), 1e-15); /* (q x v)_3 */
    ck_assert(hk_same(w.state, before));
    ck_assert_ptr_eq(ph_diagnostics_system(w.diagnostics), w.system);
    ph_state_free(before);
    ph_diagnostics_free(NULL);
    ph_monitor_free(NULL);
}

TEST(failing_diagnostics)
{
    TK_ENDS(close_scene) scene s;
    ph_diagnostics *d;
    ph_measures m;
    open_scene(&s, 0);
    tk_ok(ph_diagnostics_create(s.system, &d, NULL));
    for (int which = HK_POTENTIAL; which <= HK_GENERATOR; which += HK_GENERATOR - HK_POTENTIAL) {
        hk_arm(&s.user, (hk_callback)which, HK_FAIL, PH_E_RANGE, 1, true);
        ck_assert_int_eq(ph_diagnostics_measure(d, s.state, &m), PH_E_RANGE);
    }
    hk_arm(&s.user, HK_POTENTIAL, HK_NAN, PH_OK, 1, true);
    ck_assert_int_eq(ph_diagnostics_measure(d, s.state, &m), PH_E_NOT_FINITE);
    hk_behave(&s.user);
    tk_ok(ph_diagnostics_measure(d, s.state, &m));
    ph_diagnostics_free(d);
}

/* Ten states, one a tenth; the error in tenth i is that of speed^2/2. Backwards in time as well. */
TEST_EACH(tenths_of_a_run, 2)
{
    TK_ENDS(close_watch) watch w;
    ph_summary s;
    double side = _i ? -1 : 1;
    open_watch(&w, 5, 5 + 10 * side);
    show(&w, 5, 1, 2); /* the reference */
    for (int i = 0; i < 10; i++) {
        double t = i == 9 ? 5 + 10 * side : 5 + side * (i + 0.5), speed = i == 4 ? 1 : 2 + 0.01 * i;
        show(&w, t, 1, speed);
    }
    ph_monitor_summary(w.monitor, &s);
    double e0 = 2 - g * cos(1);
    ck_assert_int_eq(s.outputs, 11);
    ck_assert_double_eq_tol(s.energy_initial, e0, 1e-14);
    ck_assert_double_eq_tol(s.energy_scale, fabs(e0), 1e-14);
    for (int i = 0; i < 10; i++) {
        double speed = i == 4 ? 1 : 2 + 0.01 * i;
        ck_assert_double_eq_tol(s.energy_error_tenths[i], fabs(speed * speed / 2 - 2) / fabs(e0), 1e-14);
    }
    ck_assert_double_eq(s.energy_error_max, s.energy_error_tenths[4]);
    ck_assert_double_eq(s.energy_error_max_first_tenth, s.energy_error_tenths[0]);
    ck_assert_double_eq(s.energy_error_max_last_tenth, s.energy_error_tenths[9]);
    ck_assert_double_eq_tol(s.energy_error_final, (2.09 * 2.09 / 2 - 2) / fabs(e0), 1e-14);
    /* J = 2 sin(1), worst where the speed is 1 */
    ck_assert_double_eq_tol(s.momentum_scale, 2 * sin(1), 1e-14);
    ck_assert_double_eq_tol(s.momentum_error_max, 0.5, 1e-14);
    ck_assert_double_eq_tol(s.momentum_error_final, 0.045, 1e-14);
}

/* E0 = 0 (a pendulum horizontal, at rest) is no scale: kinetic energy and the range of U are. */
TEST(scales_of_a_start_at_zero)
{
    TK_ENDS(close_watch) watch w;
    ph_summary s;
    open_watch(&w, 0, 1);
    show(&w, 0, M_PI / 2, 0);
    show(&w, 0.5, 0, 1);                   /* U = -g, T = 1/2 */
    show(&w, 1, acos(-0.25), sqrt(g / 2)); /* U = g/4, T = g/4 */
    ph_monitor_summary(w.monitor, &s);
    ck_assert_double_eq_tol(s.energy_initial, 0, 1e-14);
    ck_assert_double_eq_tol(s.energy_scale, 1.25 * g, 1e-13);
    ck_assert_double_eq_tol(s.energy_error_max, (g - 0.5) / (1.25 * g), 1e-14);
    ck_assert_double_eq_tol(s.energy_error_final, 0.5 * g / (1.25 * g), 1e-14);
    /* J0 = 0 and no momentum to start with: the largest seen */
    ck_assert_double_eq_tol(s.momentum_scale, sqrt(g / 2), 1e-14);
}

/* The energy's scale is |E0| unless that is less than a hundredth of T0 + max U - min U, here 1 + 2 g. */
TEST_EACH(when_the_energy_is_no_scale, 8)
{
    static const double part[] = {0.5, 0.1, 0.011, 0.009, 1e-3, -0.1, -0.011, -0.009};
    TK_ENDS(close_watch) watch w;
    ph_summary s;
    double other = 1 + 2 * g, e0 = part[_i] * other, angle = acos((1 - e0) / g);
    open_watch(&w, 0, 1);
    show(&w, 0, angle, M_SQRT2); /* T = 1, U = -g cos(angle) = e0 - 1 */
    show(&w, 0.5, 0, 0);
    show(&w, 1, M_PI, 0);
    ph_monitor_summary(w.monitor, &s);
    ck_assert_double_eq_tol(s.energy_initial, e0, 1e-13);
    ck_assert_double_eq_tol(s.energy_scale, fabs(part[_i]) < 0.01 ? other : fabs(e0), 1e-13);
    ck_assert_double_eq_tol(s.energy_error_final * s.energy_scale, g - e0, 1e-13);
}

/* Three momentum maps: the one with the largest error relative to its scale is reported, wherever it is in
 * the list. */
TEST_EACH(the_worst_of_several_momentum_maps, 6)
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const double J0[3] = {2, -4, 8}, largest[3] = {-0.5, 1.6, 0.8}, last[3] = {0.3, -0.4, -0.1};
    const double masses[2] = {1, 1}, lengths[2] = {1, 1}, nothing[3] = {0, 0, 0};
    const double z[6] = {1, 0, 0, 0, 1, 0}, rest[6] = {0};
    ph_symmetry about[3] = {{.name = "Jx", .axis = {1, 0, 0}},
                            {.name = "Jy", .axis = {0, 1, 0}},
                            {.name = "Jz", .axis = {0, 0, 1}}};
    tk_chain c;
    ph_summary s;
    tk_chain_fill(&c, 2, masses, lengths, nothing);
    ph_system_definition definition = tk_chain_definition(&c);
    definition.symmetries = about;
    definition.n_symmetries = 3;
    TK_OWN(ph_system) *system = tk_create(&definition, 2);
    TK_START(it, state, system, "rk4", NULL, 0.01, z, rest);
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    TK_MAKE(ph_monitor, m, ph_monitor_create(d, 0, 1, &m, NULL));
    for (int i = 0; i < 3; i++) {
        double J[3], p[6] = {0};
        for (int k = 0; k < 3; k++) {
            int from = order[_i][k];
            J[k] = J0[from] + (i == 1 ? largest[from] : i == 2 ? last[from] : 0);
        }
        p[1] = J[1], p[2] = 0.25 * J[2]; /* q1 = e1: pi1 has no part along e1; nor pi2 along e2 */
        p[3] = J[0], p[5] = 0.75 * J[2];
        tk_ok(ph_state_set(it, state, 0.5 * i, z, p, PH_STRICT, NULL));
        tk_ok(ph_monitor_see(m, state, NULL));
    }
    ph_monitor_summary(m, &s); /* errors: 0.5/2, 1.6/4 and 0.8/8 */
    ck_assert_double_eq_tol(s.momentum_scale, 4, 1e-14);
    ck_assert_double_eq_tol(s.momentum_error_max, 0.4, 1e-14);
    ck_assert_double_eq_tol(s.momentum_error_final, -0.1, 1e-14);
}

/* Without outputs nothing is known: NaN, not 0. */
TEST(nothing_seen)
{
    TK_ENDS(close_watch) watch w;
    ph_summary s;
    open_watch(&w, 0, 100);
    ph_monitor_summary(w.monitor, &s);
    ck_assert_int_eq(s.outputs, 0);
    const double all[] = {s.energy_initial,
                          s.energy_scale,
                          s.momentum_scale,
                          s.energy_error_max,
                          s.energy_error_max_first_tenth,
                          s.energy_error_max_last_tenth,
                          s.energy_error_final,
                          s.constraint_error_max,
                          s.tangency_max,
                          s.velocity_constraint_error_max,
                          s.momentum_error_max,
                          s.momentum_error_final,
                          s.energy_error_tenths[0],
                          s.energy_error_tenths[9]};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        ck_assert_msg(isnan(all[i]), "number %zu is %g", i, all[i]);
    show(&w, 0, 1, 1);
    ph_monitor_summary(w.monitor, &s);                    /* a run that ended in its first tenth */
    ck_assert_double_nan(s.energy_error_max_first_tenth); /* the start alone: no error was measured yet */
    ck_assert_double_eq(s.energy_error_max, 0);
    show(&w, 5, 1, 1);
    ph_monitor_summary(w.monitor, &s); /* a run that ended in its first tenth */
    ck_assert_double_eq(s.energy_error_max_first_tenth, 0);
    ck_assert_double_nan(s.energy_error_max_last_tenth);
    ck_assert_double_nan(s.velocity_constraint_error_max); /* a pendulum has no velocity constraints */
    ck_assert_double_eq(s.energy_error_max, 0);
}

/* The range of U is that on the sphere: a state far off it counts in the errors, but not in their scale. */
TEST(scale_of_a_state_off_the_sphere)
{
    TK_ENDS(close_watch) watch w;
    ph_summary s;
    open_watch(&w, 0, 1);
    show(&w, 0, 1, 2);
    for (size_t i = 0; i < 3; i++)
        w.state->z[i] *= 1e4; /* as a method that fails would write it */
    tk_ok(ph_monitor_see(w.monitor, w.state, NULL));
    ph_monitor_summary(w.monitor, &s);
    ck_assert_double_eq_tol(s.energy_scale, g * cos(1) - 2, 1e-14);
    ck_assert_double_gt(s.energy_error_max, 1e3);
    ck_assert_double_eq_tol(s.constraint_error_max, 9999, 1e-11);
}

/* How far off a state may be and still count: a hundredth. Started at E0 = 0 and J0 = 0, where the scales are
 * the range of U and the largest momentum. */
TEST_EACH(scales_are_those_of_states_near_the_sphere, 5)
{
    static const double off[] = {0.005, 0.05, 1, -0.005, -0.05};
    TK_ENDS(close_watch) watch w;
    ph_summary s;
    double reach = fabs(off[_i]) < 0.01 ? 1 + off[_i] : 1;
    open_watch(&w, 0, 1);
    show(&w, 0, M_PI / 2, 0);
    for (int side = 0; side < 2; side++) { /* hanging and upright */
        show(&w, 0.25, 0, 1);              /* U = -g, |p| = 1 */
        set_pendulum(w.it, w.state, 0.5 + 0.5 * side, side ? M_PI : 0, 1);
        for (size_t i = 0; i < 3; i++) {
            w.state->z[i] *= 1 + off[_i];
            w.state->p[i] *= 1 + off[_i];
        }
        tk_ok(ph_monitor_see(w.monitor, w.state, NULL));
    }
    ph_monitor_summary(w.monitor, &s);
    /* U from -g, or a little lower, to 0 (the start), or to that of the upright state if it counts */
    double low = g * fmax(1, reach), high = fabs(off[_i]) < 0.01 ? g * reach : 0;
    ck_assert_double_eq_tol(s.energy_scale, low + high, 1e-13);
    ck_assert_double_eq_tol(s.momentum_scale, fmax(1, reach), 1e-14);
    ck_assert_double_eq_tol(s.constraint_error_max, fabs(off[_i]), 1e-14);
}

/* A method that leaves the sphere: its errors count, and it ends as diverged with the state before. */
TEST(divergence)
{
    TK_ENDS(close_watch) watch w;
    ph_summary s;
    ph_status status = PH_OK;
    const double z[3] = {1, 0, 0}, v[3] = {0, 12, 0};
    open_watch(&w, 0, 1e5);
    tk_ok(ph_integrator_set_step_size(w.it, 0.3));
    tk_ok(ph_state_set_velocity(w.it, w.state, 0, z, v, PH_STRICT, NULL));
    for (int k = 0; k < 100000 && !status; k++) {
        ph_status seen = ph_monitor_see(w.monitor, w.state, NULL);
        ck_assert(seen == PH_OK || seen == PH_E_NOT_FINITE);
        status = ph_integrator_step(w.it, w.state, 1);
    }
    ck_assert_int_eq(status, PH_E_DIVERGED);
    for (size_t i = 0; i < 3; i++)
        ck_assert(isfinite(w.state->z[i]) && isfinite(w.state->p[i]));
    ph_monitor_summary(w.monitor, &s);
    ck_assert_double_gt(s.energy_error_max, 1e3);
    ck_assert_double_gt(s.constraint_error_max, 1);
}

int main(void)
{
    return tk_run("run");
}
