/* SPDX-License-Identifier: BSD-3-Clause */
/* `dla`: the order against motions by multipliers in the ambient space, a step and the step back, the constraint
 * after every step, closed forms of rolling and sliding bodies with their energies, what is refused, and that
 * nothing is lost where a step fails. */
#include "tests/kit/embeddings.h"
#include "tests/kit/lagrangians.h"
#include "tests/kit/products.h"
#include "truth.h"

#include <polhode/constraints.h>

static const char *const rules[] = {"automatic",           "ends",        "midpoint",
                                    "normalised-midpoint", "exponential", "exponential-midpoint"};
enum { RULES = sizeof rules / sizeof rules[0] };

static void begin(const ph_system *system, const char *rule, const char *order, double h, double t,
                  const double *z, const double *v, ph_integrator **it, ph_state **state)
{
    const ph_setting settings[] = {{"discrete-lagrangian", rule}, {"order", order}};
    ph_error err = {PH_OK, ""};
    ck_assert_msg(
        !ph_integrator_create(system, ph_method_find("dla", NULL), h, settings, order ? 2 : 1, it, &err),
        "%s", err.message);
    tk_ok(ph_state_create(*it, state, NULL));
    ck_assert_msg(!ph_state_set_velocity(*it, *state, t, z, v, PH_STRICT, &err), "%s", err.message);
}

/* How far the state is off the constraint. */
static double off_constraint(const ph_system *system, const ph_state *state)
{
    double v[PD_NZ], error, work[4000];
    ck_assert_uint_le(ph_system_constraint_work(system), 4000);
    tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
    tk_ok(ph_system_constraint_error(system, state->t, state->z, v, &error, work));
    return error;
}

/* ---- Random systems ------------------------------------------------------------------------------- */

/* z, v <- a motion on the constraint at t. */
static void motion_on_constraint(const pd_system *s, tk_random *r, double t, double *z, double *v)
{
    double work[5000];
    ck_assert_uint_le(ph_system_constraint_work(s->system), 5000);
    pd_motion(s, r, 0.5, z, v);
    ck_assert_int_eq(ph_system_constraint_project(s->system, t, z, v, work, NULL), PH_OK);
}

static const struct {
    ph_factor factors[3];
    size_t n, m;
    pd_flavour flavour;
    bool affine, varying;
} kinds[] = {
    {{{.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_SO3}}, 2, 2, PD_CONSERVATIVE, true, false},
    {{{.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S1}}, 2, 1, PD_DAMPED, false, true},
    {{{.kind = PH_FACTOR_R, .d = 1}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_SO3}},
     3,
     2,
     PD_CONSERVATIVE,
     true,
     true},
    {{{.kind = PH_FACTOR_S1}, {.kind = PH_FACTOR_S2}}, 2, 1, PD_PUSHED, true, false},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static pd_system *create_kind(int i, tk_random *r)
{
    pd_system *s = pd_create(kinds[i].factors, kinds[i].n, kinds[i].flavour, r);
    pd_roll(s, kinds[i].m, kinds[i].affine, kinds[i].varying, r);
    return s;
}

/* Of z and p. */
static double distance(const ph_state *a, const double *z, const double *p)
{
    return tk_max(tk_max_difference(a->z, z, a->nz), tk_max_difference(a->p, p, a->np));
}

/* By two step sizes: automatic of order 2, 4 and 6, other rules of order 2. */
TEST_EACH(orders, KINDS)
{
    static const struct {
        const char *rule, *order;
        int declared, steps;
    } tries[] = {{"automatic", "2", 2, 160},
                 {"ends", "2", 2, 160},
                 {"midpoint", "2", 2, 160},
                 {"normalised-midpoint", "2", 2, 160},
                 {"exponential-midpoint", "2", 2, 160},
                 {"automatic", "4", 4, 24},
                 {"exponential-midpoint", "6", 6, 12}};
    tk_random r = {(uint64_t)_i + 3};
    TK_OWN(pd_system) *s = create_kind(_i, &r);
    double z[PD_NZ], v[PD_NZ], z1[PD_NZ], p1[PD_NZ], error[2];
    char text[80];
    motion_on_constraint(s, &r, 0, z, v);
    truth_follow(s->system, z, v, 1, 0.1, z1, p1);
    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++) {
        for (int half = 0; half < 2; half++) {
            const int n = tries[k].steps << half;
            TK_BEGIN(it, state, begin, s->system, tries[k].rule, tries[k].order, 1. / n, 0, z, v);
            tk_steps(it, state, n);
            error[half] = distance(state, z1, p1);
        }
        const double slope = log2(error[0] / error[1]);
        printf("dla on %s, %s, order %s: error %.1e, slope %.3f\n", pd_name(s, text), tries[k].rule,
               tries[k].order, error[1], slope);
        ck_assert_double_lt(fabs(slope - tries[k].declared),
                            0.03 * tries[k].declared * tries[k].declared / 2);
        ck_assert_double_lt(error[1], 1e-3);
    }
}

enum { EACH_BY_EACH_RULE = KINDS * RULES };

/* On the constraint after each step, and a step back is the inverse: of the map, with nothing carried. */
TEST_EACH(there_and_back, EACH_BY_EACH_RULE)
{
    tk_random r = {(uint64_t)_i + 11};
    TK_OWN(pd_system) *s = create_kind(_i % KINDS, &r);
    const char *rule = rules[_i / KINDS];
    for (int trial = 0; trial < 4; trial++) {
        double z[PD_NZ], v[PD_NZ], p[PD_NZ], back[PD_NZ];
        motion_on_constraint(s, &r, 0.3, z, v);
        TK_BEGIN(it, state, begin, s->system, rule, NULL, 0.02, 0.3, z, v);
        memcpy(p, state->p, s->np * sizeof *p);
        tk_steps(it, state, 5);
        ck_assert_double_le(off_constraint(s->system, state), 1e-15);
        memcpy(back, state->p, s->np * sizeof *p);
        tk_ok(ph_integrator_set_step_size(it, -0.02));
        double there[PD_NZ];
        memcpy(there, state->z, s->nz * sizeof *there);
        tk_ok(ph_state_set(it, state, state->t, there, back, PH_STRICT, NULL)); /* forget */
        tk_steps(it, state, 5);
        ck_assert_double_le(off_constraint(s->system, state), 1e-15);
        ck_assert_double_lt(distance(state, z, p), 2e-14);
    }
}

/* With the derivative of the constraint by differences: another Jacobian, the same step. */
TEST(jacobians)
{
    enum { MOTIONS = 20 };
    int64_t passes[2] = {0, 0};
    for (uint64_t motion = 0; motion < MOTIONS; motion++) {
        tk_random r = {41 + motion};
        TK_OWN(pd_system) *s = create_kind(2, &r);
        double z[PD_NZ], v[PD_NZ];
        motion_on_constraint(s, &r, 0, z, v);
        double seen[2][2 * PD_NZ];
        for (int k = 0; k < 2; k++) {
            if (k)
                pd_without_along(s);
            TK_BEGIN(it, state, begin, s->system, "exponential", NULL, 0.05, 0, z, v);
            tk_steps(it, state, 10);
            memcpy(seen[k], state->z, s->nz * sizeof *z);
            memcpy(seen[k] + s->nz, state->p, s->np * sizeof *z);
            passes[k] += ph_integrator_statistics(it)->newton_passes;
        }
        ck_assert_double_lt(tk_max_difference(seen[0], seen[1], s->nz + s->np), 2e-14);
    }
    ck_assert_int_le(passes[0], 60 * MOTIONS); /* fast from extrapolated guesses */
    ck_assert_int_le(passes[1], passes[0] + passes[0] / 30);
}

/* The second row replaced by the first one and a little of it: the same constraint, but the rows are nearly dependent, and dense
 * matrices are factored in place of their elimination. */
TEST_EACH(rows_nearly_dependent, 2)
{
    static const ph_factor larger[] = {
        {.kind = PH_FACTOR_R, .d = 4}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_R, .d = 2}};
    const ph_method *method = ph_method_find(_i ? "rk4" : "dla", NULL);
    double most = 0;
    for (uint64_t motion = 0; motion < 20; motion++) {
        tk_random r = {7 + motion};
        TK_OWN(pd_system) *s = pd_create(larger, 3, PD_CONSERVATIVE, &r);
        double z[PD_NZ], v[PD_NZ], off[PD_NZ], on[2][PD_NZ], seen[2][2 * PD_NZ], work[5000];
        pd_roll(s, 2, true, motion % 2, &r);
        memcpy(s->turn[1], s->turn[0], sizeof s->turn[1]); /* both linear in the same functions */
        motion_on_constraint(s, &r, 0, z, v);
        for (size_t i = 0; i < s->nz; i++)
            off[i] = tk_normal(&r);
        ph_space_project_tangent(s->space, z, off);
        for (int k = 0; k < 2; k++) {
            for (size_t i = 0; i < s->nz && k; i++)
                s->row[1][i] = s->row[0][i] + 2e-4 * s->row[1][i];
            if (k)
                s->push_along[1] = s->push_along[0] + 2e-4 * s->push_along[1];
            memcpy(on[k], off, sizeof off);
            tk_ok(ph_system_constraint_project(s->system, 0, z, on[k], work, NULL));
            TK_MOTION(it, state);
            tk_ok(ph_integrator_create(s->system, method, 0.004, NULL, 0, &it, NULL));
            tk_ok(ph_state_create(it, &state, NULL));
            tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
            tk_steps(it, state, 20);
            memcpy(seen[k], state->z, s->nz * sizeof *z);
            memcpy(seen[k] + s->nz, state->p, s->np * sizeof *z);
        }
        ck_assert_double_lt(tk_max_difference(on[0], on[1], s->nz), 5e-9); /* the nearest velocity, too */
        ck_assert_double_gt(tk_max_difference(on[0], off, s->nz), 1e-3);
        most = tk_max(most, tk_max_difference(seen[0], seen[1], s->nz + s->np));
    }
    printf("%s, rows nearly dependent: %.1e\n", _i ? "rk4" : "dla", most);
    ck_assert_double_lt(most,
                        _i ? 5e-9 : 1e-10); /* dense reactions lose the square of the condition of the rows */
}

/* A Lagrangian that is not quadratic in the velocity, on R^2 x S^2 x S^1: the end of a step is then nonlinear, too. */
static ph_status curved_row(void *user, double t, const double *z, double *A, double *b)
{
    (void)user;
    A[0] = 1;
    A[1] = sin(z[0] + z[2]);
    A[3] = 0.5 * z[4];
    A[5] = -z[6];
    A[6] = z[5];
    b[0] = 0.2 * cos(z[1] + t);
    return PH_OK;
}

TEST(general_lagrangians)
{
    static const char *const orders_of[] = {"2", "2", "4"};
    static const char *const rule_of[] = {"exponential", "normalised-midpoint", "exponential"};
    static const int steps[] = {100, 100, 20};
    const ph_factor factors[] = {
        {.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S1}};
    enum { N = 7 };
    tk_random r = {5};
    lg_system of;
    double z[N], v[N], z1[N], p1[N], work[4000], error[2];
    TK_OWN(ph_space) *space = tk_space(factors, 3);
    lg_fill(&of, N, &r);
    const ph_system_definition d = {.space = space,
                                    .lagrangian = lg_lagrangian,
                                    .lagrangian_gradient = lg_gradient,
                                    .lagrangian_hessian = lg_hessian,
                                    .constraint = curved_row,
                                    .n_constraints = 1,
                                    .user = &of};
    TK_OWN(ph_system) *system = tk_defined(&d);
    tk_random_motion(system, &r, z, v);
    for (int k = 0; k < N; k++)
        v[k] *= 0.5;
    ck_assert_uint_le(ph_system_constraint_work(system), 4000);
    tk_ok(ph_system_constraint_project(system, 0, z, v, work, NULL));
    truth_follow(system, z, v, 1, 0.1, z1, p1);
    for (int k = 0; k < 3; k++) {
        for (int half = 0; half < 2; half++) {
            const int n = steps[k] << half;
            TK_BEGIN(it, state, begin, system, rule_of[k], orders_of[k], 1. / n, 0, z, v);
            tk_steps(it, state, n);
            error[half] = distance(state, z1, p1);
            ck_assert_double_le(off_constraint(system, state), 2e-15);
        }
        const double slope = log2(error[0] / error[1]), order = k < 2 ? 2 : 4;
        printf("dla, general Lagrangian, %s, order %s: error %.1e, slope %.3f\n", rule_of[k], orders_of[k],
               error[1], slope);
        ck_assert_double_lt(fabs(slope - order), 0.015 * order * order);
    }
    /* the continuous equations likewise */
    TK_MOTION(it, state);
    tk_ok(ph_integrator_create(system, ph_method_find("rk4-projected", NULL), 1. / 400, NULL, 0, &it, NULL));
    tk_ok(ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, v, PH_STRICT, NULL));
    tk_steps(it, state, 400);
    ck_assert_double_lt(distance(state, z1, p1), 1e-9);
    ck_assert_double_le(off_constraint(system, state), 2e-15);
}

/* The sphere as a factor and as an embedded manifold: with chords it is the same step. */
static ph_status rows_on_sphere(void *user, double t, const double *z, double *A, double *b)
{
    (void)user;
    A[0] = z[1] + 0.3 * z[3];
    A[1] = -z[0];
    A[2] = 0.4;
    A[3] = -z[4];
    A[4] = z[3];
    b[0] = 0.3 + 0.1 * sin(t);
    return PH_OK;
}

static ph_status height(void *user, const double *z, double *U)
{
    (void)user;
    *U = 2 * z[2] + z[3] * z[0];
    return PH_OK;
}

static ph_status height_gradient(void *user, const double *z, double *dU)
{
    (void)user;
    const double g[5] = {z[3], 0, 2, z[0], 0};
    memcpy(dU, g, sizeof g);
    return PH_OK;
}

TEST(embedded_factors)
{
    const ph_embedding sphere = em_embedding(em_at(EM_SPHERE), EM_BEND);
    const ph_factor first[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_EMBEDDED, .embedding = &sphere}};
    const double MM[25] = {[0] = 1, [6] = 1, [12] = 1, [18] = 0.7, [24] = 0.7};
    double z[5] = {0.6, 0, 0.8, 0.28, 0.96}, v[5] = {0.4, 0.5, -0.3, -0.96, 0.28}, seen[2][10], work[1000];
    for (int k = 0; k < 2; k++) {
        const ph_factor factors[] = {first[k], {.kind = PH_FACTOR_S1}};
        TK_OWN(ph_space) *space = tk_space(factors, 2);
        const ph_system_definition d = {.space = space,
                                        .ambient_inertia = MM,
                                        .potential = height,
                                        .gradient = height_gradient,
                                        .constraint = rows_on_sphere,
                                        .n_constraints = 1};
        TK_OWN(ph_system) *system = tk_defined(&d);
        ck_assert_uint_le(ph_system_constraint_work(system), 1000);
        if (!k)
            tk_ok(ph_system_constraint_project(system, 0, z, v, work, NULL));
        TK_BEGIN(it, state, begin, system, "ends", "4", 0.05, 0, z, v);
        for (int step = 0; step < 40; step++) {
            tk_steps(it, state, 1);
            ck_assert_double_le(off_constraint(system, state), 2e-15);
            ck_assert_double_le(ph_space_residual(space, state->z), 4e-16);
        }
        memcpy(seen[k], state->z, 5 * sizeof *z);
        tk_ok(ph_system_velocity(system, 0, state->z, state->p, seen[k] + 5, work));
    }
    ck_assert_double_gt(tk_max_difference(seen[0], z, 5), 0.1);
    ck_assert_double_lt(tk_max_difference(seen[0], seen[1], 10), 1e-13);
}

/* ---- Closed forms --------------------------------------------------------------------------------- */

/* Chaplygin's sleigh on R^2 x S^1: its centre of mass, ahead of a blade by a, that does not slide sideways. */
typedef struct sleigh {
    double m, J, a; /* mass, moment about its centre, distance */
} sleigh;

static ph_status sleigh_rows(void *user, double t, const double *z, double *A, double *b)
{
    const sleigh *s = user;
    (void)t, (void)b;
    A[0] = -z[3];
    A[1] = z[2];
    A[2] = s->a * z[3];
    A[3] = -s->a * z[2];
    return PH_OK;
}

static ph_status sleigh_along(void *user, double t, const double *z, const double *v, double dt,
                              const double *dz, double *rate)
{
    const sleigh *s = user;
    (void)t, (void)z, (void)dt;
    rate[0] = -dz[3] * v[0] + dz[2] * v[1] + s->a * (dz[3] * v[2] - dz[2] * v[3]);
    return PH_OK;
}

static ph_system *create_sleigh(sleigh *s)
{
    const ph_factor factors[] = {{.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S1}};
    const double MM[16] = {s->m, 0, 0, 0, 0, s->m, 0, 0, 0, 0, s->J, 0, 0, 0, 0, s->J};
    TK_OWN(ph_space) *space = tk_space(factors, 2);
    const ph_system_definition d = {.space = space,
                                    .ambient_inertia = MM,
                                    .constraint = sleigh_rows,
                                    .constraint_along = sleigh_along,
                                    .n_constraints = 1,
                                    .user = s};
    return tk_defined(&d);
}

/* v (4) <- of heading th with speed u of the blade and turning rate w. */
static void sleigh_start(const sleigh *s, double th, double u, double w, double *z, double *v)
{
    const double start[4] = {0, 0, cos(th), sin(th)};
    memcpy(z, start, sizeof start);
    v[0] = u * cos(th) - s->a * w * sin(th);
    v[1] = u * sin(th) + s->a * w * cos(th);
    v[2] = -w * sin(th);
    v[3] = w * cos(th);
}

static double kinetic(const ph_system *system, const ph_state *state)
{
    double v[PD_NZ], T, U, work[4000];
    tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
    tk_ok(ph_system_energy(system, 0, state->z, v, &T, &U, work));
    return T + U;
}

/* v = V tanh(k (t - t0)), w = W sech(k (t - t0)); 8.04 rad are turned from end to end. */
TEST_EACH(sleighs, 4)
{
    static const char *const words[] = {"2", "4", "6", "8"};
    static const double steps[] = {400, 100, 50, 25};
    sleigh s = {1, 0.5, 0.3};
    TK_OWN(ph_system) *system = create_sleigh(&s);
    const double u = -0.4, w = 0.9, T = 10, J = s.J + s.m * s.a * s.a;
    const double E = 0.5 * (s.m * u * u + J * w * w), V = sqrt(2 * E / s.m), W = sqrt(2 * E / J),
                 k = s.a * s.m * V / J, t0 = -atanh(u / V) / k;
    double error[2];
    for (int half = 0; half < 2; half++) {
        const double n = steps[_i] * (1 + half);
        double z[4], v[4];
        sleigh_start(&s, 0.2, u, w, z, v);
        TK_BEGIN(it, state, begin, system, "automatic", words[_i], T / n, 0, z, v);
        tk_steps(it, state, (int64_t)n);
        const double *q = state->z, *p = state->p; /* p on S^1: of the turn */
        const double heading = 0.2 + (atan(sinh(k * (T - t0))) - atan(sinh(-k * t0))) * W / k;
        const double speed = (p[0] * q[2] + p[1] * q[3]) / s.m, rate = p[2] / s.J;
        error[half] = tk_max(fabs(speed - V * tanh(k * (T - t0))), fabs(rate - W / cosh(k * (T - t0))));
        error[half] = tk_max(error[half], hypot(q[2] - cos(heading), q[3] - sin(heading)));
        ck_assert_double_lt(fabs(kinetic(system, state) - E), 1e-14);
    }
    const double order = 2 * (_i + 1), slope = log2(error[0] / error[1]);
    printf("sleigh, dla of order %s: error %.1e, slope %.3f\n", words[_i], error[1], slope);
    ck_assert_double_lt(fabs(slope - order), _i ? 0.5 : 0.03);
    ck_assert_double_lt(error[1], 1e-4);
}

/* The energy of a sleigh, exact in the discretisation with ends: rounding alone, in n steps of 0.05. */
TEST(energy_of_a_sleigh)
{
    sleigh s = {1, 0.5, 0.3};
    TK_OWN(ph_system) *system = create_sleigh(&s);
    const int64_t rounds = 20, n = tk_thorough() ? 50000 : 1500;
    double z[4], v[4], worst = 0, off = 0;
    sleigh_start(&s, 0.2, -0.4, 0.9, z, v);
    TK_BEGIN(it, state, begin, system, "automatic", NULL, 0.05, 0, z, v);
    const double E = kinetic(system, state);
    for (int64_t k = 0; k < rounds; k++) {
        tk_steps(it, state, n);
        worst = tk_max(worst, fabs(kinetic(system, state) - E));
        off = tk_max(off, off_constraint(system, state));
    }
    printf("sleigh, %lld steps: energy off by %.1e of %.2f, constraint by %.1e\n", (long long)(rounds * n),
           worst, E, off);
    ck_assert_double_lt(worst, 1e-13);
    ck_assert_double_le(off, 1e-15);
}

/* ---- What fails ----------------------------------------------------------------------------------- */

/* The second row comes to be the first one: the particle moves along x by a push, A_2 = (0, 1, x) with A_1 = (0, 1,
 * 1). */
static ph_status merging_rows(void *user, double t, const double *z, double *A, double *b)
{
    (void)user, (void)t, (void)b;
    A[1] = A[2] = A[4] = 1;
    A[5] = z[0];
    return PH_OK;
}

TEST(rank_that_drops)
{
    const double MM[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, z[3] = {0, 0, 0}, v[3] = {1, 0, 0};
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 3};
    TK_OWN(ph_space) *space = tk_space(&factor, 1);
    const ph_system_definition d = {
        .space = space, .ambient_inertia = MM, .constraint = merging_rows, .n_constraints = 2};
    TK_OWN(ph_system) *system = tk_defined(&d);
    TK_BEGIN(it, state, begin, system, "ends", NULL, 0.25, 0, z, v);
    tk_steps(it, state, 3);
    const double before = state->z[0];
    ck_assert_double_lt(fabs(before - 0.75), 1e-15);
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_SINGULAR);
    const char *message = ph_integrator_message(it);
    ck_assert_msg(strstr(message, "t = 1 s") && strstr(message, "constraint 2 is a combination"), "%s",
                  message);
    ck_assert_double_eq(state->z[0], before);
    ck_assert_int_eq(state->k, 3);
}

/* Long steps: from the carry of the steps before, which is a guess, and from the state as just set, where the branch
 * of solutions is followed from h = 0. Both find the same solution, or none, and then the state stays. */
TEST(long_steps)
{
    tk_random r = {77};
    int failed = 0, taken = 0;
    for (int trial = 0; trial < (tk_thorough() ? 400 : 40); trial++) {
        TK_OWN(pd_system) *s = create_kind(trial % KINDS, &r);
        double z[PD_NZ], v[PD_NZ], p[PD_NZ], h = tk_log_uniform(&r, 0.1, 2);
        motion_on_constraint(s, &r, 0, z, v);
        TK_BEGIN(it, state, begin, s->system, rules[1 + (size_t)trial % (RULES - 1)], NULL, h, 0, z, v);
        TK_BEGIN(other, fresh, begin, s->system, rules[1 + (size_t)trial % (RULES - 1)], NULL, h, 0, z, v);
        for (int k = 0; k < 8; k++) {
            memcpy(z, state->z, s->nz * sizeof *z);
            memcpy(p, state->p, s->np * sizeof *p);
            tk_ok(ph_state_set(other, fresh, state->t, z, p, PH_STRICT, NULL));
            const ph_status warm = ph_integrator_step(it, state, 1),
                            cold = ph_integrator_step(other, fresh, 1);
            ck_assert_msg(!warm == !cold, "%s, %s", ph_integrator_message(it), ph_integrator_message(other));
            if (warm) {
                failed++;
                ck_assert_mem_eq(state->z, z, s->nz * sizeof *z);
                ck_assert_mem_eq(state->p, p, s->np * sizeof *p);
                ck_assert_msg(strlen(ph_integrator_message(it)) > 20, "%s", ph_integrator_message(it));
                break;
            }
            taken++;
            ck_assert_double_lt(distance(state, fresh->z, fresh->p), 1e-9 * (1 + ph_max_norm(p, s->np)));
            ck_assert_double_le(off_constraint(s->system, state), 1e-14);
        }
    }
    printf("long steps: %d taken, %d motions ended\n", taken, failed);
    ck_assert_int_gt(taken, 50);
    ck_assert_int_gt(failed, 5);
}

/* A callback that fails in any of its calls: the status comes through, the state stays, and goes on after it. */
TEST(failing_callbacks)
{
    tk_random r = {19};
    TK_OWN(pd_system) *s = create_kind(2, &r);
    double z[PD_NZ], v[PD_NZ], p[PD_NZ];
    motion_on_constraint(s, &r, 0, z, v);
    TK_BEGIN(it, state, begin, s->system, "exponential", "4", 0.05, 0, z, v);
    tk_steps(it, state, 2);
    s->calls = 0;
    memcpy(z, state->z, s->nz * sizeof *z);
    memcpy(p, state->p, s->np * sizeof *p);
    int64_t k = 1;
    for (;; k++) {
        s->calls = 0;
        s->fail_at = k;
        ph_status status = ph_integrator_step(it, state, 1);
        if (s->calls < k) { /* the whole step was taken */
            tk_ok(status);
            break;
        }
        ck_assert_int_eq(status, PH_E_CALLBACK);
        ck_assert_msg(strstr(ph_integrator_message(it), "t = "), "%s", ph_integrator_message(it));
        ck_assert_mem_eq(state->z, z, s->nz * sizeof *z);
        ck_assert_mem_eq(state->p, p, s->np * sizeof *p);
    }
    ck_assert_int_gt(k, 50);
}

TEST(systems_without_constraints)
{
    TK_OWN(ph_system) *system = tk_model("free-rigid-body");
    ph_integrator *it = NULL;
    ph_error err = {PH_OK, ""};
    ck_assert_int_eq(ph_integrator_create(system, ph_method_find("dla", NULL), 0.1, NULL, 0, &it, &err),
                     PH_E_UNSUPPORTED);
    ck_assert_msg(strstr(err.message, "use variational"), "%s", err.message);
}

int main(void)
{
    return tk_run("dla");
}
