/* SPDX-License-Identifier: BSD-3-Clause */
/* Events: places against closed forms (a thrown mass, the period of the pendulum by the complete elliptic
 * integral, that of the free rigid body by Jacobi's functions), and zeros of functions of time. */
#include "tests/kit/hostile.h"
#include "tests/run/notes.h"

#include <float.h>

/* ---- A thrown mass ----------------------------------------------------------------------------------- */

/* Every method here follows a parabola exactly, with any step: x = 1 + 7 t - g t^2/2 for t from 0. */
TEST_EACH(parabola, 4)
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
    TK_OWN(ph_system) *system = create_thrown();
    notes found;
    TK_START(it, state, system, methods[_i], NULL, h, &x0, &v0);
    TK_OWN(ph_events) *looking = look_for(it, events, 4, &found);
    tk_ok(run_looking(it, state, looking, 30, 7, NULL));
    ck_assert_uint_eq(found.n, 3);
    for (size_t i = 0; i < 3; i++) {
        const note *o = &found.list[i];
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
    ck_assert_double_eq_tol(found.list[2].z[0], level, 1e-12);
}

/* Backwards in time, from the ground up. */
TEST(backwards)
{
    static const double x0 = 1, v0 = -7, h = -0.07;
    const ph_event top = {.name = "top", .column = "p1_1", .direction = 1};
    TK_OWN(ph_system) *system = create_thrown();
    notes found;
    TK_START(it, state, system, "variational", NULL, h, &x0, &v0);
    TK_OWN(ph_events) *looking = look_for(it, &top, 1, &found);
    tk_ok(run_looking(it, state, looking, 20, 7, NULL));
    ck_assert_uint_eq(found.n, 1);
    ck_assert_double_eq_tol(found.list[0].t, v0 / fall, -1e-12 * h);
}

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

/* From rest at 60 degrees: passages at T/4, 3 T/4, ... with T = 4 K(sin 30) sqrt(l/g). */
TEST_EACH(pendulum_period, 4)
{
    double z[2], v[2], down[2], rest[2], error[3], sizes[3];
    TK_OWN(ph_system) *system = tk_build_at("planar-pendulum", NULL, 0, "hanging", down, rest);
    tk_preset("planar-pendulum", NULL, 0, "tilted", z, v);
    const ph_event passage = {.name = "passage", .value = measure_swing, .user = down};
    const double quarter = complete_elliptic(0.25) * sqrt(1 / 9.81);
    for (int i = 0; i < 3; i++) {
        notes found;
        sizes[i] = 0.02 / (1 << i);
        TK_START(it, state, system, orders[_i].method, NULL, sizes[i], z, v);
        TK_OWN(ph_events) *looking = look_for(it, &passage, 1, &found);
        tk_ok(run_looking(it, state, looking, (int64_t)(20 * quarter / sizes[i]), 100, NULL));
        ck_assert_uint_eq(found.n, 10);
        error[i] = 0;
        for (size_t k = 0; k < found.n; k++) {
            error[i] = fmax(error[i], fabs(found.list[k].t - (double)(2 * k + 1) * quarter));
            ck_assert_int_eq(found.list[k].direction, (k % 2 ? -1 : 1) * found.list[0].direction);
        }
    }
    const double slope = tk_slope(sizes, error, 3);
    printf("passages, %s: errors %.2e %.2e %.2e s, order %.3f\n", orders[_i].method, error[0], error[1],
           error[2], slope);
    ck_assert_double_eq_tol(slope, orders[_i].order, 0.1);
    ck_assert_double_lt(error[0], 0.02);
}

/* Pi about the body's second and third axis, Omega_2 = sn and Omega_3 = cn, as Pi turns about the first:
 * zeros of each 2 K/rate apart (Landau and Lifshitz, Mechanics, section 37, with the axes 1 and 3 exchanged,
 * since |Pi|^2 < 2 E J2). */
TEST_EACH(rigid_body, 4)
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
    TK_OWN(ph_system) *system = tk_build_at("free-rigid-body", NULL, 0, "tumbling", z, v);
    for (int i = 0; i < 3; i++) {
        notes found;
        sizes[i] = 0.005 / (1 << i);
        /* in angular velocities, where three equations stand alone, the errors of order 4 are 300 times smaller, and
         * what is left is of order 5, or rounding */
        TK_START(it, state, system, orders[_i].method, _i ? "q-qdot" : NULL, sizes[i], z, v);
        TK_OWN(ph_events) *looking = look_for(it, zeros, 2, &found);
        tk_ok(run_looking(it, state, looking, (int64_t)(10.5 * quarter / sizes[i]), 100, NULL));
        ck_assert_uint_ge(found.n, 10);
        error[i] = 0;
        for (size_t k = 1; k < found.n; k++) {
            ck_assert_uint_ne(found.list[k].event, found.list[k - 1].event); /* in turn, a quarter apart */
            error[i] = fmax(error[i], fabs(found.list[k].t - found.list[0].t - (double)k * quarter));
        }
    }
    const double slope = tk_slope(sizes, error, 3);
    printf("rigid body, %s: errors %.2e %.2e %.2e s, order %.3f\n", orders[_i].method, error[0], error[1],
           error[2], slope);
    ck_assert_double_eq_tol(slope, orders[_i].order, 0.2);
}

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
TEST_EACH(hard_zeros, 8 * 8)
{
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    static const struct {
        double (*f)(double x);
        int64_t most; /* evaluations to find it; bisection takes 44 */
    } row[] = {{straight, 8}, {never_zero, 8}, {curved, 11}, {flat, 90},
               {steep, 60},   {jump, 50},      {tilted, 90}, {huge, 90}};
    static const double zeros[] = {1.37, 1.5, 1 + 1e-9, 2 - 1e-9, 1 + 1e-14, 2 - 4e-14, 1.999, 2 - 3e-13};
    static const double x0 = 0, v0 = 0;
    clockwork c = {.f = row[_i / 8].f, .zero = zeros[_i % 8]};
    const ph_event event = {.name = "zero", .value = of_time, .user = &c, .direction = 1};
    TK_OWN(ph_system) *system = create_thrown();
    notes found;
    tk_start(system, "variational", NULL, 1, &x0, &v0, &it, &state);
    TK_OWN(ph_events) *looking = look_for(it, &event, 1, &found);
    tk_ok(run_looking(it, state, looking, 4, 1, NULL));
    ck_assert_uint_eq(found.n, 1);
    ck_assert_int_eq(found.list[0].step, 1);
    ck_assert_double_gt(found.list[0].theta, 0);
    ck_assert_double_le(found.list[0].theta, 1);
    if (c.f == flat) /* zero, in doubles, where |x|^9 < 1e-323 */
        ck_assert_double_eq_tol(found.list[0].t, c.zero, 1e-12);
    else
        ck_assert_double_eq_tol(found.list[0].t, c.zero, 1e-13 + DBL_EPSILON);
    ck_assert_msg(c.calls - 5 <= row[_i / 8].most, "%lld evaluations", (long long)c.calls - 5);
}

static double touch(double x)
{
    return fabs(x);
}

/* Steps of 1/8: their ends are exact. From t = 1 on: a zero at the start counts as none; one on a step's end
 * once, with the trajectory's own state there, in the direction in which it was reached; a touch there
 * likewise. */
TEST_EACH(zeros_on_a_step, 9)
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
    TK_OWN(ph_system) *system = create_thrown();
    notes found;
    TK_START(it, state, system, "variational", NULL, 0.125, &x0, &v0);
    tk_ok(ph_state_set(it, state, 1, NULL, NULL, PH_STRICT, NULL));
    TK_OWN(ph_state) *again = hk_clone(it, state);
    TK_OWN(ph_events) *looking = look_for(it, &event, 1, &found);
    tk_ok(run_looking(it, state, looking, 8, 3, NULL));
    ck_assert_uint_eq(found.n, row[_i].n);
    if (found.n) {
        const note *o = &found.list[0];
        ck_assert_double_eq(o->t, row[_i].zero);
        ck_assert_double_eq(o->theta, 1);
        ck_assert_int_eq(o->direction, row[_i].f == touch ? -1 : 1);
        tk_ok(ph_integrator_step(it, again, o->step + 1));
        ck_assert_double_eq(again->t, o->t);
        ck_assert_double_eq(again->z[0], o->z[0]);
    }
}

/* Five in one step, and some at the same place: in the order of time, then of the list. */
TEST(several_in_a_step)
{
    static const double levels[] = {0.19, 0.11, 0.15, 0.11, 0.2}, x0 = 0, v0 = 0;
    static const size_t order[] = {1, 3, 2, 0, 4};
    ph_event events[5];
    TK_OWN(ph_system) *system = create_thrown();
    notes found;
    for (size_t i = 0; i < 5; i++)
        events[i] = (ph_event){.name = "time", .column = "t", .level = levels[i]};
    TK_START(it, state, system, "rk4", NULL, 0.1, &x0, &v0);
    TK_OWN(ph_events) *looking = look_for(it, events, 5, &found);
    tk_ok(run_looking(it, state, looking, 5, 1, NULL));
    ck_assert_uint_eq(found.n, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(found.list[i].event, order[i]);
        ck_assert_int_eq(found.list[i].step, 1);
        ck_assert_double_eq_tol(found.list[i].t, levels[order[i]], 2e-14);
    }
}

int main(void)
{
    return tk_run("events");
}
