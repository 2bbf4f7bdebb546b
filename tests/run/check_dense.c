/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output: its order against a fine reference on every kind of factor, the bits of both ends, the manifold, and what
 * is refused; runs whose outputs lie between steps: their times to the bit, in one piece or interrupted anywhere. */
#include "tests/kit/lagsystem.h"
#include "tests/kit/products.h"
#include "tests/kit/testkit.h"

#include <float.h>

/* ---- Order ----------------------------------------------------------------------------------------- */

/* States of a motion at multiples of 1/16 of the longest step, by rk4 with `fine` steps for each: its error is far below
 * the smallest one that is measured, else the order would not come out. */
enum { LEVELS = 3, POINTS = 16 };

static ph_state *states[POINTS + 1];

/* Largest errors of z and p at the quarters of the step of `width` points around the middle. */
static void measure(ph_dense *dense, size_t width, double *z, double *p, double *estimate)
{
    const size_t first = (POINTS - width) / 2;
    *z = *p = 0;
    tk_ok(ph_dense_begin(dense, states[first], tk_err));
    tk_ok(ph_dense_end(dense, states[first + width], tk_err));
    for (size_t k = first + width / 4; k < first + width; k += width / 4) {
        const ph_state *there;
        tk_ok(ph_dense_at(dense, states[k]->t, &there, tk_err));
        ck_assert(there->t == states[k]->t && there->k == states[first]->k);
        *z = tk_max(*z, tk_max_difference(there->z, states[k]->z, there->nz));
        *p = tk_max(*p, tk_max_difference(there->p, states[k]->p, there->np));
    }
    tk_ok(ph_dense_error(dense, estimate, tk_err));
}

/* h: the longest step [s]. The errors are followed over a factor of 4, in which lower terms still show: hence 0.25. */
static void check_order(const char *name, const ph_system *system, double h, int fine, int order,
                        const double *z, const double *v)
{
    double estimate = 0, width[LEVELS], ez[LEVELS], ep[LEVELS];
    TK_START(it, state, system, "rk4", NULL, h / (POINTS * fine), z, v);
    for (int i = 0; i <= POINTS; i++) {
        tk_ok(ph_state_create(it, &states[i], NULL));
        tk_ok(ph_state_copy(states[i], state));
        if (i < POINTS)
            tk_steps(it, state, fine);
    }
    TK_MAKE(ph_dense, dense, ph_dense_create(it, &dense, NULL));
    for (int i = 0; i < LEVELS; i++) {
        width[i] = (double)(POINTS >> i);
        measure(dense, (size_t)POINTS >> i, &ez[i], &ep[i], &estimate);
    }
    const double oz = tk_slope(width, ez, LEVELS), op = tk_slope(width, ep, LEVELS);
    printf("%s: order of z %.2f (%.1e to %.1e), of p %.2f (%.1e to %.1e); %d claimed\n", name, oz, ez[0],
           ez[2], op, ep[0], ep[2], ph_dense_order(dense));
    /* of the shortest step, where the leading order is good to a tenth */
    if (order == 6)
        ck_assert_msg(fabs(estimate / ez[LEVELS - 1] - 1) < 0.2, "%s: %g estimated, %g", name, estimate,
                      ez[LEVELS - 1]);
    else
        ck_assert(isnan(estimate));
    ck_assert_int_eq(ph_dense_order(dense), order);
    ck_assert_msg(fabs(oz - ph_dense_order(dense)) < 0.25, "%s: order of z %g", name, oz);
    ck_assert_msg(fabs(op - ph_dense_order(dense) + 1) < 0.25, "%s: order of p %g", name, op);
    for (int i = 0; i <= POINTS; i++)
        ph_state_free(states[i]);
}

/* A random Lagrangian that is no quadratic form, with forces of t, z and zdot, on each kind of set. */
TEST_EACH(orders_on_sets, 5)
{
    static const struct {
        const char *name;
        cs_set set;
    } rows[] = {{"S^1", CS_CIRCLE},
                {"S^2 x S^2", CS_SPHERES},
                {"SO(3)", CS_ROTATIONS},
                {"a surface by its constraint", CS_SURFACE},
                {"R x S^1 x S^2 x SO(3)", CS_PRODUCT}};
    tk_random r = {2024 + (uint64_t)_i};
    cs_system own;
    double x[CS_N], v[CS_N];
    const mult_system s = cs_random(&own, rows[_i].set, 2, CS_GENERAL, &r);
    cs_point(&s, &r, x, v);
    TK_OWN(ph_system) *system = lag_create(&s, CS_GIVEN_HESSIAN, false);
    check_order(rows[_i].name, system, 0.2, 64, 6, x, v);
}

TEST(order_in_a_linear_space)
{
    tk_random r = {77};
    const ph_factor space = {.kind = PH_FACTOR_R, .d = 3};
    double z[PD_NZ], v[PD_NZ];
    pd_system *s = pd_create(&space, 1, PD_DAMPED, &r);
    pd_motion(s, &r, 1, z, v);
    check_order("R^3", s->system, 0.1, 64, 6, z, v);
    pd_free(s);
}

/* By the tensions of the links. */
TEST(order_of_a_linkage)
{
    double z[6], v[6];
    TK_OWN(ph_system) *system = tk_model("double-spherical-pendulum");
    tk_preset("double-spherical-pendulum", NULL, 0, NULL, z, v);
    check_order("links", system, 0.1, 64, 6, z, v);
}

/* Bodies with joints, too many for dense matrices. */
TEST(order_without_matrices)
{
    enum { BODIES = PH_DENSE_BODIES + 1 };
    const ph_parameter_value many = {"bodies", (const double[]){BODIES}, 1};
    TK_MEMORY double *z = malloc(9 * BODIES * sizeof *z), *v = malloc(9 * BODIES * sizeof *v);
    ck_assert(z && v);
    TK_OWN(ph_system) *system = tk_build_at("rigid-chain", &many, 1, NULL, z, v);
    check_order("201 bodies", system, 0.04, 8, 6, z, v);
}

/* ---- One step -------------------------------------------------------------------------------------- */

/* A body on SO(3) and links on spheres: a product with momenta of several kinds. */
static const ph_factor mixed[] = {
    {.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_SO3}};

typedef struct scene {
    pd_system *s;
    ph_integrator *it;
    ph_state *state;
    ph_dense *dense;
    ph_error err;
} scene;

static void open_scene(scene *x, const char *method, double h, double t0)
{
    tk_random r = {31};
    double z[PD_NZ], v[PD_NZ];
    x->s = pd_create(mixed, 3, PD_CONSERVATIVE, &r);
    pd_motion(x->s, &r, 1, z, v);
    tk_start_with(x->s->system, ph_method_find(method, NULL), NULL, NULL, h, t0, z, v, &x->it, &x->state);
    tk_ok(ph_dense_create(x->it, &x->dense, &x->err));
}

static void close_scene(scene *x)
{
    ph_dense_free(x->dense);
    tk_end(x->it, x->state);
    pd_free(x->s);
}

static bool same(const ph_state *a, const ph_state *b)
{
    return !memcmp(a->z, b->z, a->nz * sizeof *a->z) && !memcmp(a->p, b->p, a->np * sizeof *a->p);
}

/* Between long steps of `gauss` states are ends of shorter ones, with its order and not that of interpolation; from (z, p) alone, too. The truth
 * is steps so short that all digits are there. */
TEST(parts_of_long_steps)
{
    const double h = 0.16, times[] = {0.03, 0.08, 0.15, 0.17, 0.31};
    double z[6], v[6], most = 0;
    TK_OWN(ph_system) *system = tk_model("double-spherical-pendulum");
    tk_preset("double-spherical-pendulum", NULL, 0, NULL, z, v);
    TK_BEGIN(it, state, tk_start, system, "gauss", NULL, h, z, v);
    TK_BEGIN(other, plain, tk_start, system, "gauss", NULL, h, z, v);
    TK_MAKE(ph_dense, d, ph_dense_create(it, &d, NULL));
    ck_assert_int_eq(ph_dense_order(d), 16);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const ph_state *there;
        double error;
        if (i == 0 || i == 3) {
            tk_ok(ph_dense_begin(d, state, NULL));
            tk_steps(it, state, 1);
            tk_ok(ph_dense_end(d, state, NULL));
        }
        tk_ok(ph_dense_at(d, times[i], &there, NULL));
        ck_assert_double_eq(there->t, times[i]);
        ck_assert_int_eq(there->k, i < 3 ? 0 : 1);
        TK_BEGIN(fine, truth, tk_start, system, "gauss", NULL, times[i] / 8, z, v);
        tk_steps(fine, truth, 8);
        most = tk_max(most, tk_max_difference(there->z, truth->z, 6));
        ck_assert_double_le(tk_max_difference(there->p, truth->p, 6), 1e-11);
        tk_ok(ph_dense_error(d, &error, NULL));
        ck_assert_double_eq(error, 0);
    }
    printf("between steps of %g s: off by %.1e\n", h, most);
    ck_assert_double_le(most, 1e-13); /* interpolation: 1e-6 */
    tk_steps(other, plain, 2);
    ck_assert_msg(same(state, plain), "the trajectory has other bits");
}

/* Both ends to the bit; between them on the manifold; a step that follows is the same as one that is begun afresh. */
TEST_EACH(ends_and_manifold, 2)
{
    TK_ENDS(close_scene) scene x;
    const ph_state *there;
    open_scene(&x, "variational", _i ? -0.1 : 0.1, 3);
    ph_state *first, *last;
    ph_dense *fresh;
    ph_diagnostics *measure_it;
    ph_measures m;
    tk_ok(ph_state_create(x.it, &first, NULL));
    tk_ok(ph_state_create(x.it, &last, NULL));
    tk_ok(ph_dense_create(x.it, &fresh, NULL));
    tk_ok(ph_diagnostics_create(x.s->system, &measure_it, NULL));
    tk_ok(ph_dense_begin(x.dense, x.state, &x.err));
    for (int step = 0; step < 4; step++) {
        tk_ok(ph_state_copy(first, x.state));
        tk_steps(x.it, x.state, 1);
        tk_ok(ph_state_copy(last, x.state));
        tk_ok(ph_dense_end(x.dense, x.state, &x.err));
        tk_ok(ph_dense_begin(fresh, first, &x.err));
        tk_ok(ph_dense_end(fresh, last, &x.err));
        tk_ok(ph_dense_at(x.dense, first->t, &there, &x.err));
        ck_assert(same(there, first) && there->t == first->t);
        tk_ok(ph_dense_at(x.dense, last->t, &there, &x.err));
        ck_assert(same(there, last) && there->t == last->t);
        for (int i = 1; i < 8; i++) {
            const double t = first->t + i * (last->t - first->t) / 8;
            const ph_state *other;
            tk_ok(ph_dense_at(x.dense, t, &there, &x.err));
            tk_ok(ph_dense_at(fresh, t, &other, &x.err));
            ck_assert(there->t == t && there->k == first->k && same(there, other));
            tk_ok(ph_diagnostics_measure(measure_it, there, &m));
            /* q and R to rounding; q.p of momenta of size 1 to that of a cross product */
            ck_assert_msg(m.constraint_error <= 8 * DBL_EPSILON && m.tangency <= 64 * DBL_EPSILON, "%g, %g",
                          m.constraint_error, m.tangency);
        }
        ck_assert_int_eq(ph_dense_at(x.dense, first->t - 1e-9 * (last->t - first->t), &there, &x.err),
                         PH_E_RANGE);
        ck_assert_int_eq(ph_dense_at(x.dense, last->t + 1e-9 * (last->t - first->t), &there, &x.err),
                         PH_E_RANGE);
        ck_assert_int_eq(ph_dense_at(x.dense, NAN, &there, &x.err), PH_E_RANGE);
        ck_assert_ptr_nonnull(strstr(x.err.message, "is not in the step from"));
        tk_ok(ph_dense_begin(x.dense, x.state, &x.err));
        ck_assert_int_eq(ph_dense_at(x.dense, x.state->t, &there, &x.err), PH_E_INVALID);
    }
    ph_diagnostics_free(measure_it);
    ph_dense_free(fresh);
    ph_state_free(first);
    ph_state_free(last);
}

TEST(refusals)
{
    scene x, y;
    const ph_state *there;
    open_scene(&x, "variational", 0.1, 0);
    open_scene(&y, "rk4", 0.1, 0);
    ck_assert_int_eq(ph_dense_at(x.dense, 0, &there, &x.err), PH_E_INVALID);
    ck_assert_int_eq(ph_dense_end(x.dense, x.state, &x.err), PH_E_INVALID);
    ck_assert_int_eq(ph_dense_begin(x.dense, y.state, &x.err), PH_E_INVALID);
    tk_ok(ph_dense_begin(x.dense, x.state, &x.err));
    ck_assert_int_eq(ph_dense_end(x.dense, x.state, &x.err), PH_E_INVALID); /* the same time */
    tk_steps(x.it, x.state, 1);
    tk_steps(y.it, y.state, 1);
    ck_assert_int_eq(ph_dense_end(x.dense, y.state, &x.err), PH_E_INVALID);
    tk_ok(ph_dense_end(x.dense, x.state, &x.err));
    tk_ok(ph_dense_at(x.dense, 0.05, &there, &x.err));
    close_scene(&x);
    close_scene(&y);
}

/* A surface by its projection alone has no nearest point; a sphere half turned has none either. */
TEST(no_nearest_point)
{
    tk_random r = {5};
    cs_system own;
    double x[CS_N], v[CS_N];
    const mult_system s = cs_random(&own, CS_SURFACE, 1, CS_GENERAL, &r);
    ph_integrator *it;
    ph_state *state, *opposite;
    const ph_state *there;
    cs_point(&s, &r, x, v);
    ph_system *system = lag_create(&s, CS_GIVEN_HESSIAN, true);
    tk_start(system, "rk4", NULL, 0.01, x, v, &it, &state);
    ph_dense *dense = NULL;
    tk_refused(ph_dense_create(it, &dense, tk_err), PH_E_UNSUPPORTED, "give it by its constraints");
    tk_end(it, state);
    ph_system_free(system);

    const double up[3] = {0, 0, 1}, down[3] = {0, 0, -1}, rest[3] = {0};
    const ph_parameter_value none = {"gravity", rest, 3};
    system = tk_build("spherical-pendulum", &none, 1);
    tk_start(system, "variational", NULL, 1, up, rest, &it, &state);
    tk_ok(ph_state_create(it, &opposite, NULL));
    tk_ok(ph_state_set_velocity(it, opposite, 1, down, rest, PH_STRICT, NULL));
    tk_ok(ph_dense_create(it, &dense, tk_err));
    tk_ok(ph_dense_begin(dense, state, tk_err));
    tk_ok(ph_dense_end(dense, opposite, tk_err));
    tk_refused(ph_dense_at(dense, 0.5, &there, tk_err), PH_E_NOT_ON_MANIFOLD, "shorten the step");
    ph_dense_free(dense);
    ph_state_free(opposite);
    tk_end(it, state);
    ph_system_free(system);
}

/* ---- Runs ------------------------------------------------------------------------------------------ */

enum { STEPS = 60, MOST = 1000 };

/* What an observer has seen. */
typedef struct notes {
    int n, fail_at;
    double t[MOST], q[MOST];
    int64_t k[MOST], done[MOST];
} notes;

static ph_status note(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    notes *w = self;
    ck_assert_int_lt(w->n, MOST);
    ck_assert_int_eq(total, STEPS);
    w->t[w->n] = state->t;
    w->q[w->n] = state->z[3] + state->p[4];
    w->k[w->n] = state->k;
    w->done[w->n] = done;
    return w->n++ == w->fail_at ? ph_fail(err, PH_E_IO, "seen enough") : PH_OK;
}

static ph_status stop_at(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    (void)state, (void)total;
    return done >= *(int64_t *)self ? ph_fail(err, PH_E_INTERRUPTED, "stopped here") : PH_OK;
}

static const struct {
    const char *method;
    double h, t0;
} rows[] = {{"variational", 0.1, 0}, {"multistep", 0.1, 0}, {"rk4", -0.1, 7}, {"variational", 0.03, -1}};
enum { ROWS = sizeof rows / sizeof rows[0], LISTED = 9 };

/* Times of a run of STEPS steps: one at the start, some in the first step, at steps as people write them (3 times 0.1 is
 * not 0.3), two in one step of which the second is its end, and the end. */
static void fill_times(int row, double *t)
{
    static const double parts[LISTED] = {0, 0.25, 0.5, 3, 7, 20.123456, 20.75, 21, STEPS};
    char text[40];
    for (int i = 0; i < LISTED; i++) {
        snprintf(text, sizeof text, "%.10g", rows[row].t0 + parts[i] * rows[row].h);
        t[i] = strtod(text, NULL);
    }
}

/* kind 0: the list; others: intervals of so many steps, each no whole number. */
static ph_schedule schedule_of(int row, int kind, double *times)
{
    static const double intervals[] = {0, 2.7, 0.3, 1.5};
    fill_times(row, times);
    if (kind)
        return (ph_schedule){.kind = PH_EVERY_INTERVAL, .interval = fabs(intervals[kind] * rows[row].h)};
    return (ph_schedule){.kind = PH_AT_TIMES, .times = times, .n_times = LISTED};
}
enum { KINDS = 4 };

/* Times to the bit; at steps the bits of the run without outputs; the same trajectory. */
TEST_EACH(outputs_of_a_run, ROWS *KINDS)
{
    const int row = _i / KINDS, kind = _i % KINDS;
    static notes w, plain;
    double times[LISTED];
    scene x, y;
    ph_run_report report;
    w.n = plain.n = 0;
    w.fail_at = plain.fail_at = -1;
    const ph_observer observer = {note, &w}, other = {note, &plain};
    open_scene(&x, rows[row].method, rows[row].h, rows[row].t0);
    open_scene(&y, rows[row].method, rows[row].h, rows[row].t0);
    ph_run_plan plan = {.steps = STEPS, .output = {.steps = 1}, .observers = &other, .n_observers = 1};
    tk_ok(ph_run(y.it, y.state, &plan, &report, &y.err));
    plan.output = schedule_of(row, kind, times);
    plan.dense = x.dense;
    plan.observers = &observer;
    ph_status status = ph_run(x.it, x.state, &plan, &report, &x.err);
    ck_assert_msg(!status, "%s", x.err.message);
    ck_assert(same(x.state, y.state) && x.state->t == y.state->t);
    ck_assert_int_eq(report.steps, STEPS);
    if (!kind) {
        ck_assert_int_eq(w.n, LISTED);
        for (int i = 0; i < LISTED; i++)
            ck_assert_msg(w.t[i] == times[i], "%.17g, not %.17g", w.t[i], times[i]);
        for (int i = 3; i < 5; i++)
            ck_assert(w.k[i] == (i == 3 ? 3 : 7) && w.q[i] == plain.q[w.k[i]] && w.done[i] == w.k[i]);
        ck_assert(w.k[5] == 20 && w.done[5] == 20 && w.k[6] == 20 && w.k[7] == 21 && w.q[7] == plain.q[21]);
    } else {
        const double d = copysign(plan.output.interval, rows[row].h);
        const int n = (int)floor(STEPS * fabs(rows[row].h / d) + 1e-9);
        const bool end = fabs(n * d - STEPS * rows[row].h) < 1e-9;
        ck_assert_int_eq(w.n, n + 1 + !end);
        for (int i = 1; i <= n; i++)
            ck_assert_msg(w.t[i] == rows[row].t0 + i * d, "%.17g at %d", w.t[i], i);
    }
    ck_assert(w.q[0] == plain.q[0] && w.q[w.n - 1] == plain.q[STEPS] && w.k[w.n - 1] == STEPS);
    for (int i = 0; i < w.n; i++) /* between its neighbours, to what a step of 0.1 can bend */
        ck_assert(fabs(w.q[i] - plain.q[w.k[i]]) < 1);
    close_scene(&x);
    close_scene(&y);
}

/* A run that is ended after each of its steps in turn, and the rest of it, show what an uninterrupted one shows, and where
 * the first part ended. */
TEST_EACH(outputs_of_a_run_in_parts, ROWS *KINDS)
{
    const int row = _i / KINDS, kind = _i % KINDS;
    static notes whole, parts;
    double times[LISTED];
    ph_run_report report;
    for (int64_t enough = 0; enough <= STEPS; enough += enough < 25 ? 1 : 7) {
        scene x;
        notes *w = enough ? &parts : &whole;
        const ph_observer observer = {note, w};
        const ph_watch watch = {stop_at, &enough};
        w->n = 0;
        w->fail_at = -1;
        open_scene(&x, rows[row].method, rows[row].h, rows[row].t0);
        ph_run_plan plan = {.steps = STEPS,
                            .output = schedule_of(row, kind, times),
                            .dense = x.dense,
                            .observers = &observer,
                            .n_observers = 1};
        if (enough) {
            plan.watch = &watch;
            const ph_status status = ph_run(x.it, x.state, &plan, &report, &x.err);
            ck_assert_int_eq(status, PH_E_INTERRUPTED);
            ck_assert(w->k[w->n - 1] == x.state->k && w->done[w->n - 1] == x.state->k);
            if (!ph_schedule_at_end(&plan.output, rows[row].t0, rows[row].h, x.state->k))
                w->n--;
            plan.watch = NULL;
            plan.done = x.state->k;
        }
        if (plan.done < STEPS)
            tk_ok(ph_run(x.it, x.state, &plan, &report, &x.err));
        else if (w->n < whole.n)
            w->n++; /* the last step is shown though no output was due */
        close_scene(&x);
        ck_assert_int_eq(w->n, whole.n);
        for (int i = 0; i < whole.n; i++)
            ck_assert_msg(w->t[i] == whole.t[i] && w->q[i] == whole.q[i] && w->k[i] == whole.k[i],
                          "ended at %lld, output %d: %.17g s, not %.17g s", (long long)enough, i, w->t[i],
                          whole.t[i]);
    }
}

/* An observer that fails inside a step: nothing is shown after it. An event in a step that stops the run: all outputs of the
 * step are shown. */
TEST(ends_inside_a_step)
{
    static notes w;
    scene x;
    ph_run_report report;
    w.n = 0;
    w.fail_at = 8;
    const ph_observer observer = {note, &w};
    open_scene(&x, "variational", 0.1, 0);
    ph_run_plan plan = {.steps = STEPS,
                        .output = {.kind = PH_EVERY_INTERVAL, .interval = 0.03},
                        .dense = x.dense,
                        .observers = &observer,
                        .n_observers = 1};
    ck_assert_int_eq(ph_run(x.it, x.state, &plan, &report, &x.err), PH_E_IO);
    ck_assert_int_eq(w.n, 9);
    ck_assert_int_eq(x.state->k, 3);
    close_scene(&x);

    const ph_event event = {.name = "late", .column = "t", .level = 1.234, .action = PH_EVENT_STOP};
    w.n = 0;
    w.fail_at = -1;
    open_scene(&x, "variational", 0.1, 0);
    plan.dense = x.dense;
    tk_ok(ph_events_create(x.it, &event, 1, NULL, &plan.events, &x.err));
    ck_assert_int_eq(ph_run(x.it, x.state, &plan, &report, &x.err), PH_E_STOPPED);
    ck_assert(x.state->k == 13 && w.n == 1 + 43 + 1 && w.t[43] == 43 * 0.03 && w.k[44] == 13);
    ph_events_free(plan.events);
    close_scene(&x);
}

TEST(schedules_that_are_refused)
{
    static const double falling[] = {1, 0.5}, twice[] = {1, 1}, wrong[] = {1, NAN}, fine[] = {1, 2};
    static const struct {
        ph_schedule s;
        bool dense;
        ph_status status;
        const char *words;
    } bad[] = {
        {{.kind = PH_AT_TIMES, .times = falling, .n_times = 2}, true, PH_E_RANGE, "must be increasing"},
        {{.kind = PH_AT_TIMES, .times = twice, .n_times = 2}, true, PH_E_RANGE, "time 2 is 1 s, not behind"},
        {{.kind = PH_AT_TIMES, .times = wrong, .n_times = 2}, true, PH_E_RANGE, "time 2 is nan"},
        {{.kind = PH_AT_TIMES, .times = fine, .n_times = 2}, false, PH_E_INVALID, "ph_dense_create"},
        {{.kind = PH_AT_TIMES, .n_times = 2}, true, PH_E_INVALID, "list of times is missing"},
        {{.kind = PH_AT_TIMES, .times = fine}, true, PH_E_INVALID, "list of times is missing"},
        {{.kind = PH_EVERY_INTERVAL, .interval = 1e-9}, true, PH_E_RANGE, "at least 1e-07 s"},
        {{.kind = PH_EVERY_INTERVAL, .interval = -1}, true, PH_E_RANGE, "interval > 0 and finite, not -1 s"},
        {{.kind = PH_EVERY_INTERVAL, .interval = INFINITY}, true, PH_E_RANGE, "not inf s"},
        {{.kind = 9}, true, PH_E_RANGE, "there is no kind 9 of schedules"}};
    TK_ENDS(close_scene) scene x;
    ph_run_report report;
    open_scene(&x, "variational", 0.1, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ph_run_plan plan = {.steps = STEPS, .output = bad[i].s, .dense = bad[i].dense ? x.dense : NULL};
        const ph_status status = ph_run(x.it, x.state, &plan, &report, &x.err);
        ck_assert_msg(status == bad[i].status && strstr(x.err.message, bad[i].words), "%zu: %s", i,
                      x.err.message);
        ck_assert_int_eq(x.state->k, 0);
    }
}

/* Two times that differ by rounding, both those of the end of a step: two outputs of one state. */
TEST(twins)
{
    static notes w;
    const double times[] = {0.29999999999999999, 0.30000000000000004};
    TK_ENDS(close_scene) scene x;
    ph_run_report report;
    w.n = 0;
    w.fail_at = -1;
    const ph_observer observer = {note, &w};
    open_scene(&x, "variational", 0.1, 0);
    ph_run_plan plan = {.steps = STEPS,
                        .output = {.kind = PH_AT_TIMES, .times = times, .n_times = 2},
                        .dense = x.dense,
                        .observers = &observer,
                        .n_observers = 1};
    ck_assert(times[0] < times[1]);
    tk_ok(ph_run(x.it, x.state, &plan, &report, &x.err));
    ck_assert(w.n == 4 && w.t[1] == times[0] && w.t[2] == times[1] && w.q[1] == w.q[2] && w.k[2] == 3);
}

/* An interval that is a multiple of the step in decimal numbers is one. */
TEST(multiples)
{
    static const struct {
        double interval, h;
        bool dense;
    } pairs[] = {{0.3, 0.1, false},      {0.7, 0.1, false},   {10, 0.001, false},
                 {0.1, 1.0 / 60, false}, {0.01, 0.01, false}, {0.1, 0.0166667, true},
                 {0.25, 0.1, true},      {0.05, 0.1, true},   {0.1 + 1e-12, 0.1, true}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const ph_schedule s = {.kind = PH_EVERY_INTERVAL, .interval = pairs[i].interval};
        ck_assert_msg(ph_schedule_is_dense(&s, pairs[i].h) == pairs[i].dense, "%zu", i);
        ck_assert_msg(ph_schedule_is_dense(&s, -pairs[i].h) == pairs[i].dense, "%zu", i);
    }
    ck_assert(!ph_schedule_is_dense(&(ph_schedule){.steps = 3}, 0.1));
}

int main(void)
{
    return tk_run("dense output");
}
