/* SPDX-License-Identifier: BSD-3-Clause */
/* Events: places against closed forms (a thrown mass, the pendulum's period by the complete elliptic
 * integral, the free rigid body's by Jacobi's functions) and against bisection with an integrator of the
 * test's own; directions, order, starts on the event, stops; failing functions and systems; and that looking
 * changes no bit of a trajectory. */
#include "tests/kit/hostile.h"

#include <float.h>

/* ---- Notes ----------------------------------------------------------------------------------------- */

enum { MOST = 400 };

/* What was reported. */
typedef struct note {
    size_t event;
    double t, theta;
    int64_t step;
    int direction;
    double z[3]; /* the first numbers of the configuration there */
} note;

typedef struct notes {
    size_t n, fail_at; /* fail_at: the sink fails at that one; 0: never */
    note list[MOST];
} notes;

static ph_status take_down(void *self, const ph_occurrence *o, ph_error *err)
{
    notes *all = self;
    ck_assert_uint_lt(all->n, MOST);
    note *fresh = &all->list[all->n++];
    *fresh = (note){o->event, o->t, o->theta, o->step, o->direction, {0, 0, 0}};
    memcpy(fresh->z, o->state->z, (o->state->nz < 3 ? o->state->nz : 3) * sizeof *fresh->z);
    ck_assert_double_eq(o->t, o->state->t);
    return all->n == all->fail_at ? ph_fail(err, PH_E_IO, "the notebook is full") : PH_OK;
}

static ph_events *look_for(const ph_integrator *it, const ph_event *events, size_t n, notes *told)
{
    const ph_event_sink sink = {take_down, told};
    ph_events *looking = NULL;
    ph_error err;
    ph_status status = ph_events_create(it, events, n, &sink, &looking, &err);
    ck_assert_msg(!status, "%s", err.message);
    told->n = told->fail_at = 0;
    return looking;
}

static ph_status run(ph_integrator *it, ph_state *state, ph_events *events, int64_t steps, int64_t every,
                     ph_error *err)
{
    ph_run_report report;
    const ph_run_plan plan = {.steps = steps, .output = {.steps = every}, .events = events};
    return ph_run(it, state, &plan, &report, err);
}

/* ---- A thrown mass ----------------------------------------------------------------------------------- */

static const double fall = 9.81; /* [m/s^2], of a mass of 1 kg */

static ph_status height_potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = fall * z[0];
    return PH_OK;
}

static ph_status height_gradient(void *user, const double *z, double *dU)
{
    (void)user, (void)z;
    dU[0] = fall;
    return PH_OK;
}

static ph_system *thrown(void)
{
    static const double one = 1;
    const ph_factor line = {.kind = PH_FACTOR_R, .d = 1};
    ph_system_definition d = {
        .ambient_inertia = &one, .potential = height_potential, .gradient = height_gradient};
    ph_space *space;
    ph_system *system;
    tk_ok(ph_space_create(&line, 1, &space, NULL));
    d.space = space;
    tk_ok(ph_system_create(&d, &system, NULL));
    ph_space_free(space);
    return system;
}

/* Every method here follows a parabola exactly, with any step: x = 1 + 7 t - g t^2/2 for t from 0. */
START_TEST(parabola)
{
    static const char *const methods[] = {"variational", "rk4", "rkmk4", "cf4"};
    static const double x0 = 1, v0 = 7, level = -0.3, h = 0.07;
    const ph_event events[] = {{.name = "ground", .column = "x1_1", .level = level},
                               {.name = "top", .column = "p1_1", .direction = -1},
                               {.name = "clock", .column = "t", .level = 1.0 / 3},
                               {.name = "rise", .column = "energy", .level = 0}};
    const long double g = fall, w = sqrtl((long double)v0 * v0 + 2 * g * ((long double)x0 - level));
    const double truth[] = {(double)((v0 + w) / g), (double)(v0 / g), 1.0 / 3};
    static const size_t order[] = {2, 1, 0};
    ph_system *system = thrown();
    ph_integrator *it;
    ph_state *state;
    notes told;
    tk_start(system, methods[_i], NULL, h, &x0, &v0, &it, &state);
    ph_events *looking = look_for(it, events, 4, &told);
    tk_ok(run(it, state, looking, 30, 7, NULL));
    ck_assert_uint_eq(told.n, 3);
    for (size_t i = 0; i < 3; i++) {
        const note *o = &told.list[i];
        const size_t e = order[i];
        ck_assert_uint_eq(o->event, e);
        ck_assert_double_eq_tol(o->t, truth[e], 1e-12 * h);
        ck_assert_int_eq(o->step, (int64_t)floor(truth[e] / h));
        ck_assert_double_eq_tol(o->theta, truth[e] / h - (double)o->step, 2e-12);
        ck_assert_int_eq(o->direction, e == 2 ? 1 : -1);
        ck_assert_int_eq(ph_events_found(looking, e), 1);
        ck_assert_str_eq(ph_events_name(looking, e), events[e].name);
    }
    ck_assert_int_eq(ph_events_found(looking, 3), 0);
    ck_assert_uint_eq(ph_events_listed(looking), 4);
    ck_assert_double_eq_tol(told.list[2].z[0], level, 1e-12);
    ph_events_free(looking);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

/* Backwards in time, from the ground up. */
START_TEST(backwards)
{
    static const double x0 = 1, v0 = -7, h = -0.07;
    const ph_event top = {.name = "top", .column = "p1_1", .direction = 1};
    ph_system *system = thrown();
    ph_integrator *it;
    ph_state *state;
    notes told;
    tk_start(system, "variational", NULL, h, &x0, &v0, &it, &state);
    ph_events *looking = look_for(it, &top, 1, &told);
    tk_ok(run(it, state, looking, 20, 7, NULL));
    ck_assert_uint_eq(told.n, 1);
    ck_assert_double_eq_tol(told.list[0].t, v0 / fall, -1e-12 * h);
    ph_events_free(looking);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

/* ---- Elliptic functions ------------------------------------------------------------------------------ */

/* K(k) by the arithmetic-geometric mean. */
static double complete_elliptic(double k2)
{
    double a = 1, b = sqrt(1 - k2);
    while (fabs(a - b) > 1e-15) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return acos(-1) / (2 * a);
}

static const struct {
    const char *method;
    double order;
} orders[] = {{"variational", 2}, {"rk4", 4}, {"rkmk4", 4}, {"cf4", 4}};

/* The sine of the angle from hanging. */
static ph_status swing(void *user, const ph_state *state, double *g)
{
    const double *down = user;
    *g = down[0] * state->z[1] - down[1] * state->z[0];
    return PH_OK;
}

/* From rest at 60 degrees: passages at T/4, 3 T/4, ... with T = 4 K(sin 30) sqrt(l/g). */
START_TEST(pendulum_period)
{
    double z[2], v[2], down[2], rest[2], error[3], sizes[3];
    ph_system *system = tk_build("planar-pendulum", NULL, 0);
    tk_preset("planar-pendulum", NULL, 0, "hanging", down, rest);
    tk_preset("planar-pendulum", NULL, 0, "tilted", z, v);
    const ph_event passage = {.name = "passage", .value = swing, .user = down};
    const double quarter = complete_elliptic(0.25) * sqrt(1 / 9.81);
    for (int i = 0; i < 3; i++) {
        ph_integrator *it;
        ph_state *state;
        notes told;
        sizes[i] = 0.02 / (1 << i);
        tk_start(system, orders[_i].method, NULL, sizes[i], z, v, &it, &state);
        ph_events *looking = look_for(it, &passage, 1, &told);
        tk_ok(run(it, state, looking, (int64_t)(20 * quarter / sizes[i]), 100, NULL));
        ck_assert_uint_eq(told.n, 10);
        error[i] = 0;
        for (size_t k = 0; k < told.n; k++) {
            error[i] = fmax(error[i], fabs(told.list[k].t - (double)(2 * k + 1) * quarter));
            ck_assert_int_eq(told.list[k].direction, (k % 2 ? -1 : 1) * told.list[0].direction);
        }
        ph_events_free(looking);
        tk_end(it, state);
    }
    const double slope = tk_slope(sizes, error, 3);
    printf("passages, %s: errors %.2e %.2e %.2e s, order %.3f\n", orders[_i].method, error[0], error[1],
           error[2], slope);
    ck_assert_double_eq_tol(slope, orders[_i].order, 0.1);
    ck_assert_double_lt(error[0], 0.02);
    ph_system_free(system);
}
END_TEST

/* Pi about the body's second and third axis, Omega_2 = sn and Omega_3 = cn, as Pi turns about the first:
 * zeros of each 2 K/rate apart (Landau and Lifshitz, Mechanics, section 37, with the axes 1 and 3 exchanged,
 * since |Pi|^2 < 2 E J2). */
START_TEST(rigid_body)
{
    static const double J[3] = {0.6, 0.8, 1.0}, Pi[3] = {1.8, 0.4, -0.9};
    const ph_event zeros[] = {{.name = "second", .column = "Pi1y"}, {.name = "third", .column = "Pi1z"}};
    double L2 = 0, E2 = 0, z[9], v[9], error[3], sizes[3];
    for (int k = 0; k < 3; k++) {
        L2 += Pi[k] * Pi[k];
        E2 += Pi[k] * Pi[k] / J[k];
    }
    const double k2 = (J[1] - J[2]) * (E2 * J[0] - L2) / ((J[0] - J[1]) * (L2 - E2 * J[2])),
                 rate = sqrt((J[0] - J[1]) * (L2 - E2 * J[2]) / (J[0] * J[1] * J[2])),
                 quarter = complete_elliptic(k2) / rate;
    ph_system *system = tk_build("free-rigid-body", NULL, 0);
    tk_preset("free-rigid-body", NULL, 0, "tumbling", z, v);
    for (int i = 0; i < 3; i++) {
        ph_integrator *it;
        ph_state *state;
        notes told;
        sizes[i] = 0.005 / (1 << i);
        /* in angular velocities, where three equations stand alone, the errors of order 4 are 300 times smaller, and
         * what is left is of order 5, or rounding */
        tk_start(system, orders[_i].method, _i ? "q-qdot" : NULL, sizes[i], z, v, &it, &state);
        ph_events *looking = look_for(it, zeros, 2, &told);
        tk_ok(run(it, state, looking, (int64_t)(10.5 * quarter / sizes[i]), 100, NULL));
        ck_assert_uint_ge(told.n, 10);
        error[i] = 0;
        for (size_t k = 1; k < told.n; k++) {
            ck_assert_uint_ne(told.list[k].event, told.list[k - 1].event); /* in turn, a quarter apart */
            error[i] = fmax(error[i], fabs(told.list[k].t - told.list[0].t - (double)k * quarter));
        }
        ph_events_free(looking);
        tk_end(it, state);
    }
    const double slope = tk_slope(sizes, error, 3);
    printf("rigid body, %s: errors %.2e %.2e %.2e s, order %.3f\n", orders[_i].method, error[0], error[1],
           error[2], slope);
    ck_assert_double_eq_tol(slope, orders[_i].order, 0.2);
    ph_system_free(system);
}
END_TEST

/* ---- Every method in every form ------------------------------------------------------------------------ */

static const double h = 0.05;

/* Columns of all sorts, and levels that the motion crosses now and then. */
static const ph_event sections[] = {{.name = "a", .column = "q1x", .level = 0.1},
                                    {.name = "b", .column = "pi2y", .direction = 1},
                                    {.name = "c", .column = "t", .level = 1.01},
                                    {.name = "d", .column = "energy", .level = 0.3, .direction = -1},
                                    {.name = "e", .column = "Jz", .level = 0.02}};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

START_TEST(looking_changes_nothing)
{
    hk_case c;
    hk_user user = {0};
    ph_integrator *it;
    ph_state *a, *b;
    notes told;
    const hk_flavour flavour = hk_pair_at(_i, &c);
    ph_system *system = hk_system(&user, hk_flavour_for(&c, flavour));
    hk_create(&c, system, _i % 2 ? h : -h, &it, &a);
    b = hk_clone(it, a);
    ph_events *looking = look_for(it, sections, SECTIONS, &told);
    tk_ok(run(it, a, looking, 120, 50, NULL));
    tk_ok(ph_integrator_step(it, b, 120));
    ck_assert(hk_same(a, b));
    ck_assert_uint_gt(told.n, 0);
    ph_events_free(looking);
    ph_state_free(b);
    tk_end(it, a);
    ph_system_free(system);
}
END_TEST

static ph_status wave(void *user, const ph_state *state, double *g)
{
    (void)user;
    *g = cos(7e3 * state->t);
    return PH_OK;
}

/* The same for methods that store the motion in other variables between steps: the special step of chains. */
START_TEST(looking_changes_nothing_of_chains)
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
    ph_system *system = tk_build(row[_i].model, &number, 1);
    const size_t nz = ph_space_ambient(ph_system_space(system));
    double *z = calloc(2 * nz, sizeof *z);
    const ph_event events[] = {{.name = "now and then", .value = wave},
                               {.name = "energy", .column = "energy", .level = -1}};
    tk_random r = {7};
    ph_integrator *it;
    ph_state *a, *b;
    notes told;
    tk_preset(row[_i].model, &number, 1, NULL, z, z + nz);
    tk_push(system, &r, z, z + nz);
    tk_start(system, row[_i].method, NULL, 1e-4, z, z + nz, &it, &a);
    b = hk_clone(it, a);
    ph_events *looking = look_for(it, events, 2, &told);
    tk_ok(run(it, a, looking, 100, 1000, NULL));
    tk_ok(ph_integrator_step(it, b, 100));
    ck_assert(hk_same(a, b));
    ck_assert_uint_ge(told.n, 6);
    for (size_t i = 0; i < told.n; i++)
        ck_assert_double_eq_tol(fabs(cos(7e3 * told.list[i].t)), 0, 1e-12);
    ph_events_free(looking);
    ph_state_free(b);
    tk_end(it, a);
    ph_system_free(system);
    free(z);
}
END_TEST

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
START_TEST(places_by_bisection)
{
    hk_case c;
    hk_user user = {0};
    ph_integrator *it, *own;
    ph_state *state, *from, *there;
    notes told;
    hk_case_at((size_t)_i, &c);
    ph_system *system = hk_system(&user, hk_flavour_for(&c, HK_DAMPED));
    hk_create(&c, system, h, &it, &state);
    hk_create(&c, system, h, &own, &from);
    there = hk_clone(own, from);
    ph_events *looking = look_for(it, sections, 1, &told);
    tk_ok(run(it, state, looking, 200, 1000, NULL));
    ck_assert_uint_gt(told.n, 0);
    for (size_t i = 0; i < told.n; i++) {
        const note *o = &told.list[i];
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
    ph_events_free(looking);
    ph_state_free(there);
    tk_end(own, from);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

/* The integrator that takes partial steps, made from another one: same kind, options and bits. */
START_TEST(copies_of_integrators)
{
    hk_case c;
    hk_user user = {0};
    ph_integrator *it, *copy;
    ph_state *a, *b;
    hk_case_at((size_t)_i, &c);
    ph_system *system = hk_system(&user, hk_flavour_for(&c, HK_DAMPED));
    hk_create(&c, system, h, &it, &a);
    b = hk_clone(it, a);
    tk_ok(ph_integrator_copy(it, h, &copy, NULL));
    ck_assert_uint_eq(ph_integrator_kind(copy), ph_integrator_kind(it));
    tk_ok(ph_integrator_step(it, a, 20));
    tk_ok(ph_integrator_step(copy, b, 20));
    ck_assert(hk_same(a, b));
    ck_assert_int_eq(ph_integrator_statistics(copy)->steps, 20);
    ph_integrator *none = NULL;
    ck_assert_int_eq(ph_integrator_copy(it, 0, &none, NULL), PH_E_RANGE);
    ck_assert_ptr_null(none);
    ph_integrator_free(copy);
    ph_state_free(b);
    tk_end(it, a);
    ph_system_free(system);
}
END_TEST

/* Where nothing happens: each g once at the start and once at each step, and no more gradients than without
 * events. */
static ph_status count_calls(void *user, const ph_state *state, double *g)
{
    (void)state;
    ++*(int64_t *)user;
    *g = 1;
    return PH_OK;
}

START_TEST(nothing_happens)
{
    hk_case c;
    hk_user user = {0};
    ph_integrator *it;
    ph_state *state;
    notes told;
    int64_t calls[2] = {0, 0};
    const ph_event events[] = {{.name = "one", .value = count_calls, .user = &calls[0]},
                               {.name = "two", .value = count_calls, .user = &calls[1]}};
    hk_case_at((size_t)_i, &c);
    ph_system *system = hk_system(&user, HK_PLAIN);
    hk_create(&c, system, h, &it, &state);
    ph_events *looking = look_for(it, events, 2, &told);
    ph_state *again = hk_clone(it, state);
    int64_t gradients = 0;
    for (int k = 0; k < 50; k++) {
        gradients += hk_calls(it, again, &user, 1);
        tk_ok(ph_integrator_step(it, again, 1));
    }
    hk_arm(&user, HK_GRADIENT, HK_FAIL, PH_OK, 0, false);
    tk_ok(run(it, state, looking, 50, 1000, NULL));
    ck_assert_int_eq(user.calls, gradients);
    ck_assert_int_eq(calls[0], 51);
    ck_assert_int_eq(calls[1], 51);
    ck_assert_uint_eq(told.n, 0);
    ph_state_free(again);
    ph_events_free(looking);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

/* ---- Functions of time, whose zeros are known -------------------------------------------------------- */

typedef struct clockwork {
    double (*f)(double x);
    double zero;
    int64_t calls;
} clockwork;

static ph_status of_time(void *user, const ph_state *state, double *g)
{
    clockwork *c = user;
    c->calls++;
    *g = c->f(state->t - c->zero);
    return PH_OK;
}

static double straight(double x)
{
    return x;
}
static double never_zero(double x)
{
    return x + 1e-17;
}
static double curved(double x)
{
    return sin(x + 0.3) - sin(0.3);
}
static double flat(double x)
{
    return x * x * x * x * x * x * x * x * x;
}
static double steep(double x)
{
    return atan(1e9 * x);
}
static double jump(double x)
{
    return x < 0 ? -1e-300 : 1e300;
}
static double tilted(double x)
{
    return x < 0 ? 1e6 * x : 1e-6 * x;
}
static double huge(double x)
{
    return 1e307 * (x < 0 ? 5 * x : 4 * x);
}

/* h = 1, so that theta is time: zeros anywhere in the second step, also close to its ends. */
START_TEST(hard_zeros)
{
    static const struct {
        double (*f)(double x);
        int64_t most; /* evaluations to find it; bisection takes 44 */
    } row[] = {{straight, 8}, {never_zero, 8}, {curved, 11}, {flat, 90},
               {steep, 60},   {jump, 50},      {tilted, 90}, {huge, 90}};
    static const double zeros[] = {1.37, 1.5, 1 + 1e-9, 2 - 1e-9, 1 + 1e-14, 2 - 4e-14, 1.999, 2 - 3e-13};
    static const double x0 = 0, v0 = 0;
    clockwork c = {.f = row[_i / 8].f, .zero = zeros[_i % 8]};
    const ph_event event = {.name = "zero", .value = of_time, .user = &c, .direction = 1};
    ph_system *system = thrown();
    ph_integrator *it;
    ph_state *state;
    notes told;
    tk_start(system, "variational", NULL, 1, &x0, &v0, &it, &state);
    ph_events *looking = look_for(it, &event, 1, &told);
    tk_ok(run(it, state, looking, 4, 1, NULL));
    ck_assert_uint_eq(told.n, 1);
    ck_assert_int_eq(told.list[0].step, 1);
    ck_assert_double_gt(told.list[0].theta, 0);
    ck_assert_double_le(told.list[0].theta, 1);
    if (c.f == flat) /* zero, in doubles, where |x|^9 < 1e-323 */
        ck_assert_double_eq_tol(told.list[0].t, c.zero, 1e-12);
    else
        ck_assert_double_eq_tol(told.list[0].t, c.zero, 1e-13 + DBL_EPSILON);
    ck_assert_msg(c.calls - 5 <= row[_i / 8].most, "%lld evaluations", (long long)c.calls - 5);
    ph_events_free(looking);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

static double touch(double x)
{
    return fabs(x);
}

/* Steps of 1/8: their ends are exact. From t = 1 on: a zero at the start counts as none; one on a step's end
 * once, with the trajectory's own state there, in the direction in which it was reached; a touch there
 * likewise. */
START_TEST(zeros_on_a_step)
{
    static const struct {
        double (*f)(double x);
        double zero;
        int direction;
        size_t n;
    } row[] = {{straight, 1, 0, 0},     {straight, 1, 1, 0},      {straight, 1.375, 0, 1},
               {straight, 1.375, 1, 1}, {straight, 1.375, -1, 0}, {touch, 1.375, 0, 1},
               {touch, 1.375, -1, 1},   {touch, 1.375, 1, 0},     {straight, 2, 0, 1}};
    static const double x0 = 0, v0 = 3;
    clockwork c = {.f = row[_i].f, .zero = row[_i].zero};
    const ph_event event = {.name = "zero", .value = of_time, .user = &c, .direction = row[_i].direction};
    ph_system *system = thrown();
    ph_integrator *it;
    ph_state *state, *again;
    notes told;
    tk_start(system, "variational", NULL, 0.125, &x0, &v0, &it, &state);
    tk_ok(ph_state_set(it, state, 1, NULL, NULL, PH_STRICT, NULL));
    again = hk_clone(it, state);
    ph_events *looking = look_for(it, &event, 1, &told);
    tk_ok(run(it, state, looking, 8, 3, NULL));
    ck_assert_uint_eq(told.n, row[_i].n);
    if (told.n) {
        const note *o = &told.list[0];
        ck_assert_double_eq(o->t, row[_i].zero);
        ck_assert_double_eq(o->theta, 1);
        ck_assert_int_eq(o->direction, row[_i].f == touch ? -1 : 1);
        tk_ok(ph_integrator_step(it, again, o->step + 1));
        ck_assert_double_eq(again->t, o->t);
        ck_assert_double_eq(again->z[0], o->z[0]);
    }
    ph_events_free(looking);
    ph_state_free(again);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

/* Five in one step, and some at the same place: in the order of time, then of the list. */
START_TEST(several_in_a_step)
{
    static const double levels[] = {0.19, 0.11, 0.15, 0.11, 0.2}, x0 = 0, v0 = 0;
    static const size_t order[] = {1, 3, 2, 0, 4};
    ph_event events[5];
    ph_system *system = thrown();
    ph_integrator *it;
    ph_state *state;
    notes told;
    for (size_t i = 0; i < 5; i++)
        events[i] = (ph_event){.name = "time", .column = "t", .level = levels[i]};
    tk_start(system, "rk4", NULL, 0.1, &x0, &v0, &it, &state);
    ph_events *looking = look_for(it, events, 5, &told);
    tk_ok(run(it, state, looking, 5, 1, NULL));
    ck_assert_uint_eq(told.n, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(told.list[i].event, order[i]);
        ck_assert_int_eq(told.list[i].step, 1);
        ck_assert_double_eq_tol(told.list[i].t, levels[order[i]], 2e-14);
    }
    ph_events_free(looking);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

/* ---- A section of the double pendulum ---------------------------------------------------------------- */

static void open_section(const char *method, ph_system **system, ph_integrator **it, ph_state **state)
{
    static const double z[6] = {0, 0.6, 0.8, 1, 0, 0}, v[6] = {0, 0.8, -0.6, 0, 0, 1};
    *system = tk_model("double-spherical-pendulum");
    tk_start(*system, method, NULL, 0.02, z, v, it, state);
}

static bool same_note(const note *a, const note *b)
{
    return a->event == b->event && a->t == b->t && a->theta == b->theta && a->step == b->step &&
           a->direction == b->direction && !memcmp(a->z, b->z, sizeof a->z);
}

/* For any outputs, and for a run in parts. */
START_TEST(sections_do_not_depend_on_outputs)
{
    static const int64_t every[] = {1, 100, INT64_MAX};
    const ph_event events[] = {{.name = "x", .column = "q1x", .direction = 1},
                               {.name = "both", .column = "q2y"}};
    ph_system *system;
    ph_integrator *it;
    ph_state *state, *again;
    ph_run_report report;
    notes one, two;
    open_section(orders[_i % 2].method, &system, &it, &state);
    again = hk_clone(it, state);
    ph_events *looking = look_for(it, events, 2, &one);
    tk_ok(run(it, state, looking, 1000, 10, NULL));
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
    ph_state_free(again);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

/* Up and down together are both, and come in turn. */
START_TEST(directions)
{
    const ph_event events[] = {{.name = "both", .column = "q2x"},
                               {.name = "up", .column = "q2x", .direction = 1},
                               {.name = "down", .column = "q2x", .direction = -1}};
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    notes told;
    open_section("variational", &system, &it, &state);
    ph_events *looking = look_for(it, events, 3, &told);
    tk_ok(run(it, state, looking, 2000, 100, NULL));
    ck_assert_uint_gt(told.n, 20);
    for (size_t i = 0; i < told.n; i++) {
        const note *o = &told.list[i];
        ck_assert_uint_eq(o->event, i % 2 ? (o->direction > 0 ? 1u : 2u) : 0u);
        ck_assert_int_eq(o->direction, told.list[i - i % 2].direction);
        ck_assert_double_eq(o->t, told.list[i - i % 2].t);
        if (i >= 2)
            ck_assert_int_eq(o->direction, -told.list[i - 2].direction);
    }
    ck_assert_int_eq(ph_events_found(looking, 0), ph_events_found(looking, 1) + ph_events_found(looking, 2));
    ph_events_free(looking);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

/* A user's own loop, in which the step size changes now and then: x = 1 + 7 t - g t^2/2 through a staircase
 * of levels. */
START_TEST(step_sizes_that_change)
{
    enum { LEVELS = 12 };
    static const double x0 = 1, v0 = 7;
    ph_event events[LEVELS];
    ph_system *system = thrown();
    ph_integrator *it;
    ph_state *state;
    notes told;
    for (size_t i = 0; i < LEVELS; i++)
        events[i] =
            (ph_event){.name = "stair", .column = "x1_1", .level = 1.1 + 0.1 * (double)i, .direction = 1};
    tk_start(system, "rk4", NULL, 0.01, &x0, &v0, &it, &state);
    ph_events *looking = look_for(it, events, LEVELS, &told);
    tk_ok(ph_events_begin(looking, state, NULL));
    for (int k = 0; k < 60; k++) {
        if (k % 7 == 5)
            tk_ok(ph_integrator_set_step_size(it, k % 2 ? 0.003 : 0.01));
        tk_ok(ph_integrator_step(it, state, 1));
        tk_ok(ph_events_look(looking, state, NULL));
    }
    ck_assert_uint_eq(told.n, LEVELS);
    for (size_t i = 0; i < LEVELS; i++) {
        const double up = events[i].level - x0;
        ck_assert_double_eq_tol(told.list[i].t, 2 * up / (v0 + sqrt(v0 * v0 - 2 * fall * up)), 2e-15);
    }
    ph_events_free(looking);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

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
START_TEST(stops)
{
    const ph_event events[] = {{.name = "later", .column = "t", .level = 0.199},
                               {.name = "halt", .column = "t", .level = 0.11, .action = PH_EVENT_STOP},
                               {.name = "halt too", .column = "t", .level = 0.15, .action = PH_EVENT_STOP},
                               {.name = "next", .column = "t", .level = 0.21}};
    ph_system *system;
    ph_integrator *it;
    ph_state *state, *again;
    ph_run_report report;
    ph_error err;
    notes told;
    int64_t seen[2] = {0, 0};
    open_section("variational", &system, &it, &state);
    tk_ok(ph_integrator_set_step_size(it, 0.1));
    again = hk_clone(it, state);
    ph_events *looking = look_for(it, events, 4, &told);
    const ph_observer observer = {see_last, seen};
    ph_run_plan plan = {.steps = 10,
                        .output = {.steps = 4 - 3 * _i},
                        .observers = &observer,
                        .n_observers = 1,
                        .events = looking};
    ck_assert_int_eq(ph_run(it, state, &plan, &report, &err), PH_E_STOPPED);
    ck_assert_str_eq(err.message, "the event \"halt\" at t = 0.11 s stops the run");
    ck_assert_int_eq(state->k, 2);
    ck_assert_int_eq(report.steps, 2);
    ck_assert_int_eq(seen[0], 2 + _i);
    ck_assert_int_eq(seen[1], 2);
    ck_assert_uint_eq(told.n, 3);
    ck_assert_uint_eq(told.list[2].event, 0);
    plan.done = 2;
    tk_ok(ph_run(it, state, &plan, &report, &err));
    ck_assert_uint_eq(told.n, 4);
    tk_ok(ph_integrator_step(it, again, 10));
    ck_assert(hk_same(state, again));
    ph_events_free(looking);
    ph_state_free(again);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

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
START_TEST(failing_functions)
{
    hk_case c;
    hk_user user = {0};
    ph_integrator *it;
    ph_state *start, *state, *again;
    ph_error err;
    notes told;
    trap t = {.how = (hk_how)_i};
    const ph_event event = {.name = "trap", .value = trapped, .user = &t};
    hk_case_at(0, &c);
    ph_system *system = hk_system(&user, HK_PLAIN);
    hk_create(&c, system, h, &it, &start);
    state = hk_clone(it, start);
    again = hk_clone(it, start);
    ph_events *looking = look_for(it, &event, 1, &told);
    tk_ok(run(it, state, looking, 60, 1000, NULL));
    const int64_t calls = t.calls;
    ck_assert_uint_gt(told.n, 0);
    ck_assert_int_gt(calls, 61);
    for (t.at = 1; t.at <= calls; t.at++) {
        t.calls = 0;
        tk_ok(ph_state_copy(state, start));
        ck_assert_int_eq(run(it, state, looking, 60, 1000, &err), _i ? PH_E_NOT_FINITE : PH_E_UNSUPPORTED);
        ck_assert_msg(strstr(err.message, "the function of the event \"trap\" ") &&
                          strstr(err.message, _i == HK_FAIL  ? "failed at t = "
                                              : _i == HK_NAN ? "nan at t = "
                                                             : "is -inf at t = "),
                      "%s", err.message);
        tk_ok(ph_state_copy(again, start));
        tk_ok(ph_integrator_step(it, again, state->k));
        ck_assert(hk_same(state, again));
        if (t.at == 1)
            ck_assert_int_eq(state->k, 0);
    }
    ph_events_free(looking);
    ph_state_free(again);
    ph_state_free(state);
    tk_end(it, start);
    ph_system_free(system);
}
END_TEST

/* A system that fails at its n-th gradient, for every n of a run with events: in a step or on the way to
 * an event. The state is whole in any case, and a second run with the same events is as if nothing had
 * happened. */
START_TEST(failing_systems)
{
    hk_case c;
    hk_user user = {0};
    ph_integrator *it;
    ph_state *start, *state, *again;
    ph_error err;
    notes told;
    size_t on_the_way = 0;
    hk_case_at((size_t)_i, &c);
    ph_system *system = hk_system(&user, HK_PLAIN);
    hk_create(&c, system, h, &it, &start);
    state = hk_clone(it, start);
    again = hk_clone(it, start);
    ph_event event = {.name = "section", .column = "t"};
    event.level = start->t + 2.3 * h;
    ph_events *looking = look_for(it, &event, 1, &told);
    hk_arm(&user, HK_GRADIENT, HK_FAIL, PH_OK, 0, false);
    tk_ok(run(it, state, looking, 4, 1000, NULL));
    const int64_t calls = user.calls;
    for (int64_t at = 1; at <= calls; at += 1 + calls / 60) {
        tk_ok(ph_state_copy(state, start));
        hk_arm(&user, HK_GRADIENT, HK_FAIL, PH_E_CALLBACK, at, true);
        ph_status status = run(it, state, looking, 4, 1000, &err);
        hk_behave(&user);
        ck_assert_int_eq(status, PH_E_CALLBACK);
        on_the_way += strstr(err.message, "while locating the event \"section\" after t = ") != NULL;
        tk_ok(ph_state_copy(again, start));
        tk_ok(ph_integrator_step(it, again, state->k));
        ck_assert(hk_same(state, again));
    }
    ck_assert_msg(on_the_way > 0, "%s", c.label);
    told.n = 0;
    tk_ok(ph_state_copy(state, start));
    tk_ok(run(it, state, looking, 4, 1000, NULL));
    ck_assert_uint_eq(told.n, 1);
    ck_assert_int_eq(told.list[0].step, 2);
    ph_events_free(looking);
    ph_state_free(again);
    ph_state_free(state);
    tk_end(it, start);
    ph_system_free(system);
}
END_TEST

/* An event computes only what its column needs: other callbacks are not called. */
START_TEST(only_what_is_needed)
{
    hk_user user = {0};
    ph_integrator *it;
    ph_state *start;
    notes told;
    double z[HK_NZ], zdot[HK_NZ];
    ph_system *system = hk_system(&user, HK_PLAIN);
    hk_start(1, z, zdot);
    const char *const columns[] = {"q1x", "tangency", ph_system_symmetry(system, 0)->name, "energy"};
    tk_start(system, "variational", NULL, 0.01, z, zdot, &it, &start);
    for (size_t i = 0; i < 4; i++) {
        const ph_event event = {.name = "event", .column = columns[i], .level = 1e9};
        for (int which = HK_POTENTIAL; which <= HK_GENERATOR; which += HK_GENERATOR - HK_POTENTIAL) {
            ph_events *looking = look_for(it, &event, 1, &told);
            hk_arm(&user, (hk_callback)which, HK_FAIL, PH_OK, 0, false);
            tk_ok(run(it, start, looking, 5, 1000, NULL));
            if (i == 0 || (i == 3) != (which == HK_POTENTIAL))
                ck_assert_int_eq(user.calls, 0);
            else
                ck_assert_int_gt(user.calls, 0);
            ph_events_free(looking);
        }
    }
    tk_end(it, start);
    ph_system_free(system);
}
END_TEST

START_TEST(failing_sinks)
{
    const ph_event events[] = {{.name = "one", .column = "t", .level = 0.05},
                               {.name = "two", .column = "t", .level = 0.051}};
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    ph_error err;
    notes told;
    open_section("variational", &system, &it, &state);
    ph_events *looking = look_for(it, events, 2, &told);
    told.fail_at = 1;
    ck_assert_int_eq(run(it, state, looking, 10, 1, &err), PH_E_IO);
    ck_assert_str_eq(err.message, "the notebook is full");
    ck_assert_int_eq(state->k, 3);
    ck_assert_uint_eq(told.n, 1);
    ph_events_free(looking);
    tk_ok(ph_events_create(it, events, 2, NULL, &looking, NULL)); /* without a sink */
    tk_ok(ph_state_set(it, state, 0, NULL, NULL, PH_PROJECT, NULL));
    tk_ok(run(it, state, looking, 10, 1, NULL));
    ck_assert_int_eq(ph_events_found(looking, 0), 1);
    ck_assert_int_eq(ph_events_found(looking, 1), 1);
    ph_events_free(looking);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

START_TEST(wrong_events)
{
    static const struct {
        ph_event event;
        ph_status status;
        const char *message;
    } row[] = {
        {{.name = NULL, .column = "t"}, PH_E_INVALID, "an event needs a name"},
        {{.name = "", .column = "t"}, PH_E_INVALID, "an event needs a name"},
        {{.name = "x"}, PH_E_INVALID, "\"x\" needs a column or a function, not neither"},
        {{.name = "x", .column = "t", .value = swing},
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
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
    ph_events *looking = NULL;
    ph_error err;
    open_section("variational", &system, &it, &state);
    ck_assert_int_eq(ph_events_create(it, events, 2, NULL, &looking, &err), row[_i].status);
    ck_assert_msg(strstr(err.message, row[_i].message) != NULL, "%s", err.message);
    ck_assert_ptr_null(looking);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST
enum { WRONG_EVENTS = 12 };

/* States of another kind, and looks that are not one step apart. */
START_TEST(wrong_states)
{
    const ph_event event = {.name = "x", .column = "q1x"};
    ph_system *system, *more;
    ph_integrator *it, *other;
    ph_state *state, *foreign;
    ph_error err;
    notes told;
    open_section("variational", &system, &it, &state);
    open_section("rk4", &more, &other, &foreign);
    ph_events *looking = look_for(it, &event, 1, &told);
    ck_assert_int_eq(run(other, foreign, looking, 5, 1, &err), PH_E_INVALID);
    ck_assert_msg(strstr(err.message, "another system, method or option") != NULL, "%s", err.message);
    tk_ok(ph_events_begin(looking, state, &err));
    ck_assert_int_eq(ph_events_look(looking, state, &err), PH_E_INVALID);
    tk_ok(ph_integrator_step(it, state, 2));
    ck_assert_int_eq(ph_events_look(looking, state, &err), PH_E_INVALID);
    ck_assert_msg(strstr(err.message, "after each step") != NULL, "%s", err.message);
    ph_events_free(looking);
    ph_events_free(NULL);
    tk_end(other, foreign);
    ph_system_free(more);
    tk_end(it, state);
    ph_system_free(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *truth = tcase_create("truth"), *methods = tcase_create("methods"), *zeros = tcase_create("zeros"),
          *runs = tcase_create("runs"), *wrong = tcase_create("what goes wrong");
    const int cases = (int)hk_cases();
    tcase_add_loop_test(truth, parabola, 0, 4);
    tcase_add_test(truth, backwards);
    tcase_add_loop_test(truth, pendulum_period, 0, 4);
    tcase_add_loop_test(truth, rigid_body, 0, 4);
    tcase_add_loop_test(methods, looking_changes_nothing, 0, hk_pairs());
    tcase_add_loop_test(methods, looking_changes_nothing_of_chains, 0, 5);
    tcase_add_loop_test(methods, places_by_bisection, 0, cases);
    tcase_add_loop_test(methods, copies_of_integrators, 0, cases);
    tcase_add_loop_test(methods, nothing_happens, 0, cases);
    tcase_add_loop_test(zeros, hard_zeros, 0, 8 * 8);
    tcase_add_loop_test(zeros, zeros_on_a_step, 0, 9);
    tcase_add_test(zeros, several_in_a_step);
    tcase_add_loop_test(runs, sections_do_not_depend_on_outputs, 0, 6);
    tcase_add_test(runs, directions);
    tcase_add_test(runs, step_sizes_that_change);
    tcase_add_loop_test(runs, stops, 0, 2);
    tcase_add_loop_test(wrong, failing_functions, 0, HK_HOWS);
    tcase_add_loop_test(wrong, failing_systems, 0, cases);
    tcase_add_test(wrong, only_what_is_needed);
    tcase_add_test(wrong, failing_sinks);
    tcase_add_loop_test(wrong, wrong_events, 0, WRONG_EVENTS);
    tcase_add_test(wrong, wrong_states);
    suite_add_tcase(suite, truth);
    suite_add_tcase(suite, methods);
    suite_add_tcase(suite, zeros);
    suite_add_tcase(suite, runs);
    suite_add_tcase(suite, wrong);
    return tk_main(suite);
}
