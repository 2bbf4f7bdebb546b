/* SPDX-License-Identifier: BSD-3-Clause */
/* rk8 with error control: orders of its estimates, errors of motions that are known to many digits in proportion to the tolerance, what is
 * projected, where rows end, and that a run continues with the same bits, goes backwards, and says why it cannot go on. (The order of
 * its coefficients: runge-kutta.sh; with fixed steps it is tested as every method is.) */
#include "tests/kit/hostile.h"
#include "tests/kit/known.h"

#include "integrators/runge-kutta/rk8-stages.h"

#include <polhode/constraints.h>

#include <float.h>

/* The integrator and a state of rk8 with this tolerance, at t = 0. */
static void begin(const ph_system *system, const char *rtol, double h, const double *z, const double *v,
                  ph_integrator **it, ph_state **state)
{
    tk_start_with(system, ph_method_find("rk8", NULL), "rtol", rtol, h, 0, z, v, it, state);
}

/* ---- Estimates --------------------------------------------------------------------------------------------- */

/* Stages of single steps from the start of problem 1: h times the differences to the formulas of order 5 and 3 are O(h^6), O(h^4),
 * and the step itself is that of rk8 with fixed steps. */
TEST(orders_of_the_estimates)
{
    enum { N = 12, LEVELS = 4 };
    double q[6], v[6], h[LEVELS], five[LEVELS], three[LEVELS];
    TK_OWN(ph_system) *system = known_problem1_linkage(q, v);
    const ph_field *field = ph_field_find("tensions", NULL);
    double y[N], k[PH_RK8_STAGES * N], stage[N], y1[N], work[512];
    memcpy(y, q, sizeof q);
    memcpy(y + 6, v, sizeof v);
    ck_assert_uint_le(field->work(system), 512);
    for (int level = 0; level < LEVELS; level++) {
        h[level] = 0.1 / (1 << level);
        tk_ok(field->evaluate(system, 0, y, k, work));
        tk_ok(ph_rk8_stages(field, system, 0, h[level], y, k, stage, work));
        ph_rk8_end_and_estimates(N, h[level], k, y, y1, k + N, k + 2 * N);
        five[level] = h[level] * ph_max_norm(k + N, N);
        three[level] = h[level] * ph_max_norm(k + 2 * N, N);
        TK_START(it, state, system, "rk8", "tensions", h[level], q, v);
        tk_ok(ph_integrator_step(it, state, 1));
        ck_assert(!memcmp(state->z, y1, sizeof q));
    }
    const double of_5 = tk_slope(h, five, LEVELS), of_3 = tk_slope(h, three, LEVELS);
    printf("estimates: %.1e and %.1e at h = %g s, of order %.2f and %.2f\n", five[3], three[3], h[3], of_5,
           of_3);
    ck_assert_double_eq_tol(of_5, 6, 0.3);
    ck_assert_double_eq_tol(of_3, 4, 0.3);
}

/* ---- Errors ------------------------------------------------------------------------------------------------ */

typedef struct motion {
    const char *name;
    ph_system *system;
    double z[9], v[9], time, end[6];
    size_t n; /* of the end: coordinates of z, or of the centre of a top, which is its second axis */
    double most_per_rtol; /* error at the end: measured, doubled */
} motion;

static void pendulum(motion *m)
{
    *m = (motion){.name = "problem 1", .time = known_problem1.time, .n = 6, .most_per_rtol = 20};
    m->system = known_problem1_linkage(m->z, m->v);
    memcpy(m->end, known_problem1.q, sizeof known_problem1.q);
}

static void top(motion *m)
{
    const double *w = known_slow_top.omega0, turn[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
    *m = (motion){.name = "heavy top",
                  .time = known_slow_top.time,
                  .n = 3,
                  .z = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                  .most_per_rtol = 50};
    m->system = tk_model("heavy-top");
    memcpy(m->v, turn, sizeof turn);
    memcpy(m->end, known_slow_top.centre, sizeof known_slow_top.centre);
}

static double error_at(const motion *m, const ph_state *state)
{
    double worst = 0;
    for (size_t i = 0; i < m->n; i++)
        worst = tk_max(worst, fabs(state->z[m->n == 3 ? 3 * i + 1 : i] - m->end[i]));
    return worst;
}

/* One row over the whole motion, of which the error follows the tolerance down to rounding, and the work grows as rtol^(-1/8): from 1e-4
 * to 1e-12 10 times, less what short motions have of first and last steps. And a hundred rows, which are shorter than the internal steps
 * of large tolerances: errors are smaller. */
TEST_EACH(errors_follow_the_tolerance, 4)
{
    enum { LEVELS = 5 };
    static const char *const rtol[LEVELS] = {"1e-4", "1e-6", "1e-8", "1e-10", "1e-12"};
    motion m;
    (_i % 2 ? top : pendulum)(&m);
    TK_OWN(ph_system) *owned = m.system;
    const int64_t rows = _i / 2 ? 100 : 1;
    double tolerance[LEVELS], error[LEVELS], work[LEVELS], residual = 0;
    for (int level = 0; level < LEVELS; level++) {
        TK_BEGIN(it, state, begin, owned, rtol[level], m.time / (double)rows, m.z, m.v);
        tk_steps(it, state, rows);
        tolerance[level] = atof(rtol[level]);
        error[level] = error_at(&m, state);
        work[level] = (double)ph_integrator_statistics(it)->evaluations;
        residual = tk_max(residual, ph_space_residual(ph_system_space(owned), state->z));
        ck_assert_double_le(error[level], m.most_per_rtol * tolerance[level]);
        ck_assert_double_eq(state->t, m.time);
    }
    const double slope = tk_slope(tolerance, error, LEVELS), growth = work[LEVELS - 1] / work[0];
    printf(
        "%s, %d rows: errors %.1e to %.1e for 1e-4 to 1e-12, as rtol^%.2f; %g to %g evaluations; off the manifold %.1e\n",
        m.name, (int)rows, error[0], error[LEVELS - 1], slope, work[0], work[LEVELS - 1], residual);
    if (rows == 1) {
        ck_assert_double_eq_tol(slope, 1, 0.2);
        ck_assert_double_ge(growth, 5);
    }
    ck_assert_double_le(growth, 12);
    ck_assert_double_le(residual, 4 * DBL_EPSILON);
}

/* With an absolute tolerance in addition, that is enough: the units of q are 1. */
TEST(absolute_tolerance)
{
    motion m;
    pendulum(&m);
    TK_OWN(ph_system) *owned = m.system;
    TK_MOTION(it, state);
    const ph_setting set[] = {{"rtol", "1e-14"}, {"atol", "1e-6"}};
    tk_ok(ph_integrator_create(owned, ph_method_find("rk8", NULL), m.time, set, 2, &it, NULL));
    tk_ok(ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, m.z, m.v, PH_STRICT, NULL));
    tk_steps(it, state, 1);
    printf("atol 1e-6: error %.1e by %lld evaluations\n", error_at(&m, state),
           (long long)ph_integrator_statistics(it)->evaluations);
    ck_assert_double_le(error_at(&m, state), 1e-4);
    ck_assert_int_le(ph_integrator_statistics(it)->evaluations,
                     1500); /* 718 for rtol = 1e-6, 5005 for 1e-14 */
}

/* Velocity constraints hold after each row, spins keep their length, and the energy of both the tolerance. */
TEST_EACH(constraints_and_spins, 2)
{
    static const char *const names[] = {"rolling-disk", "spin-chain"};
    const ph_model *model = ph_model_find(names[_i], NULL);
    TK_OWN(ph_system) *system = tk_model(names[_i]);
    const size_t nz = ph_space_ambient(ph_system_space(system));
    double z[200], v[200] = {0}, rows[200 * 8], b[8], work[4000], worst = 0, E[2];
    ck_assert_uint_le(nz, 200);
    ck_assert_uint_le(ph_system_constraints(system), 8);
    tk_ok(ph_model_preset(model, NULL, 0, _i ? "random" : NULL, nz, z, v, NULL));
    TK_BEGIN(it, state, begin, system, "1e-10", 0.2, z, _i ? NULL : v);
    for (int row = 0; row < 20; row++) {
        tk_steps(it, state, 1);
        worst = tk_max(worst, ph_space_residual(ph_system_space(system), state->z));
        if (!_i) {
            tk_ok(ph_system_velocity(system, state->t, state->z, state->p, v, work));
            tk_ok(ph_system_constraint_rows(system, state->t, state->z, rows, b));
            for (size_t i = 0; i < ph_system_constraints(system); i++)
                worst = tk_max(worst, fabs(ph_dot(rows + i * nz, v, nz) - b[i]));
        }
        double kinetic = 0, potential = 0;
        tk_ok(ph_system_energy(system, state->t, state->z, v, &kinetic, &potential, work));
        E[row > 0] = kinetic + potential;
    }
    printf("%s: off manifold and constraints %.1e, energy by %.1e of %.1e\n", names[_i], worst, E[1] - E[0],
           E[0]);
    ck_assert_double_le(worst, 1e-14);
    ck_assert_double_le(fabs(E[1] - E[0]), 1e-8 * fabs(E[0]));
}

/* ---- Rows, bits, reversal ---------------------------------------------------------------------------------- */

/* The step that was found is in the carry: at once, one by one, and from a copy with another integrator, the bits are the same, and
 * no row begins by the search for a step. */
TEST(bits_go_on)
{
    motion m;
    pendulum(&m);
    TK_OWN(ph_system) *owned = m.system;
    TK_BEGIN(it, once, begin, owned, "1e-9", 0.7, m.z, m.v);
    TK_BEGIN(other, often, begin, owned, "1e-9", 0.7, m.z, m.v);
    tk_steps(it, once, 9);
    for (int row = 0; row < 9; row++) {
        tk_steps(row % 2 ? it : other, often, 1);
        if (row == 4) {
            TK_OWN(ph_state) *copy = hk_clone(other, often);
            tk_ok(ph_state_copy(often, copy));
        }
    }
    ck_assert(hk_same(once, often));
    ck_assert_double_gt(once->carry[once->ncarry - 1], 0);
    TK_MOTION(same, state);
    tk_same_bits(owned, ph_method_find("rk8", NULL), "rtol", "1e-9", 0.7, 0, m.z, m.v, 9, &same, &state);
    ck_assert(hk_same(once, state));
}

/* There, and back by steps of -h: errors of both ways. */
TEST(backwards)
{
    motion m;
    pendulum(&m);
    TK_OWN(ph_system) *owned = m.system;
    TK_BEGIN(it, state, begin, owned, "1e-11", 2.5, m.z, m.v);
    tk_steps(it, state, 4);
    tk_ok(ph_integrator_set_step_size(it, -2.5));
    tk_steps(it, state, 4);
    printf("there and back: %.1e\n", tk_max_difference(state->z, m.z, 6));
    ck_assert_double_eq(state->t, 0);
    ck_assert_double_le(tk_max_difference(state->z, m.z, 6), 1e-9);
}

/* ---- What is refused, and failures ------------------------------------------------------------------------- */

static ph_status create(const ph_system *system, const char *name, const char *value, const char *name1,
                        const char *value1, ph_error *err)
{
    const ph_setting set[] = {{name, value}, {name1, value1}};
    ph_integrator *it = NULL;
    ph_status status =
        ph_integrator_create(system, ph_method_find("rk8", NULL), 0.1, set, name1 ? 2 : 1, &it, err);
    ph_integrator_free(it);
    return status;
}

TEST(options_that_are_refused)
{
    motion m;
    pendulum(&m);
    TK_OWN(ph_system) *owned = m.system;
    tk_refused(create(owned, "rtol", "1e-16", NULL, NULL, tk_err), PH_E_RANGE, "from 1e-15");
    tk_refused(create(owned, "rtol", "0.2", NULL, NULL, tk_err), PH_E_RANGE, "rtol");
    tk_refused(create(owned, "rtol", "-1e-3", NULL, NULL, tk_err), PH_E_RANGE, "rtol");
    tk_refused(create(owned, "atol", "1e-9", NULL, NULL, tk_err), PH_E_INVALID, "rtol");
    tk_refused(create(owned, "rtol", "1e-9", "form", "x", tk_err), PH_E_UNKNOWN, "form");
    tk_ok(create(owned, "rtol", "1e-9", "form", "q-pi", NULL));
}

/* A step that would take too many internal ones, and a fall into a centre: the state stays, the message has the time. */
TEST_EACH(steps_that_fail, 2)
{
    motion m;
    pendulum(&m);
    TK_OWN(ph_system) *owned = _i ? (ph_system_free(m.system), tk_model("kepler")) : m.system;
    const double from[3] = {1, 0, 0}, rest[3] = {0, 0, 0};
    TK_BEGIN(it, state, begin, owned, _i ? "1e-6" : "1e-13", _i ? 100 : 1e5, _i ? from : m.z,
             _i ? rest : m.v);
    TK_OWN(ph_state) *before = hk_clone(it, state);
    const ph_status status = ph_integrator_step(it, state, 1);
    printf("%s\n", ph_integrator_message(it));
    ck_assert(hk_same(state, before));
    ck_assert(status == PH_E_NO_CONVERGENCE || (_i && status == PH_E_DIVERGED));
    ck_assert_ptr_nonnull(strstr(ph_integrator_message(it), _i ? "internal step" : "100000 internal steps"));
}

int main(void)
{
    return tk_run("rk8");
}
