/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivatives that the variational integrator hands to its solver, against differences of its residual:
 * dR/dx at any point of the branch, dR/ds where the force matters. A wrong one only costs iterations and
 * steps, so that no motion shows it; likewise the guess of the warm start. White box: the method's source is
 * part of this program. */
#define ph_variational_spheres kernel_under_test
#include "integrators/variational/spheres.c"
#undef ph_variational_spheres

/* The kernel as a method by itself: its scratch behind what `variational` gives it. */
typedef struct alone {
    ph_variational method;
    spheres_scratch own;
} alone;

static ph_method_size size_alone(const ph_system *system, const double *options)
{
    ph_method_size s = ph_variational_measure(&kernel_under_test, system, options);
    s.work += offsetof(alone, own);
    return s;
}

static ph_status init_alone(ph_context *context)
{
    alone *a = context->work;
    a->method = (ph_variational){.kernel = &kernel_under_test, .work = &a->own};
    return ph_variational_begin(&a->method, context);
}

static ph_status step_alone(ph_context *context, ph_state *state)
{
    alone *a = context->work;
    return spheres_step(&a->method, context, state);
}

static const ph_method method_under_test = {
    .name = "under-test", .order = 2, .size = size_alone, .init = init_alone, .step = step_alone};

#include "tests/kit/testkit.h"

enum { N = 3 };

/* f_i = (1 + i) (e_z x v_i) - 0.3 (2 + i) v_i + constant: depends on the velocity, and not symmetrically. */
static ph_status turning_force(void *user, double t, const double *z, const double *v, double *f)
{
    (void)user, (void)t, (void)z;
    for (size_t i = 0; i < N; i++) {
        double size = 1 + (double)i, drag = 0.3 * (2 + (double)i);
        f[3 * i] += -size * v[3 * i + 1] - drag * v[3 * i] + 4;
        f[3 * i + 1] += size * v[3 * i] - drag * v[3 * i + 1] - 7;
        f[3 * i + 2] += -drag * v[3 * i + 2] + 5;
    }
    return PH_OK;
}

static double worst_of(const double *a, const double *b, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size = tk_max(size, fabs(b[i]));
    return tk_max_difference(a, b, n) / size;
}

TEST_EACH(derivatives_are_those_of_the_residual, 20)
{
    tk_random r = {(uint64_t)_i + 71};
    tk_chain c;
    enum { M = 2 * N };
    tk_chain_random(&c, N, 0.5, 2, &r);
    ph_system_definition d = tk_chain_definition(&c);
    d.force = turning_force;
    d.force_ignores_velocity = _i % 2;
    TK_OWN(ph_system) *system = tk_create(&d, N);
    ph_statistics statistics = {0};
    ph_error error;
    spheres_scratch *w = calloc(1, ph_variational_measure(&kernel_under_test, system, NULL).work + 64);
    ph_variational method = {.kernel = &kernel_under_test, .work = w};
    ph_context context = {.system = system, .h = 0.1, .statistics = &statistics, .error = &error};
    tk_ok(ph_variational_begin(&method, &context));
    double q[3 * N], g[3 * N], x[M], plus[M], minus[M], scale[M], expected[M], J[M * M], column[M], rs[M];
    for (size_t i = 0; i < N; i++) {
        double tangent[3];
        tk_unit(&r, q + 3 * i);
        tk_tangent(&r, q + 3 * i, tangent);
        ph_tangent_basis3(q + 3 * i, w->E + 6 * i, w->E + 6 * i + 3);
        memcpy(w->turn + 3 * i, tangent, sizeof tangent);
        x[2 * i] = tk_uniform(&r, -0.7, 0.7);
        x[2 * i + 1] = tk_uniform(&r, -0.7, 0.7);
    }
    tk_ok(ph_system_gradient(system, q, g));
    w->q = q;
    w->g = g;
    memset(w->v, 0, sizeof q);
    if (!w->velocity)
        tk_ok(ph_system_force(system, 0, q, w->v, w->f));
    const double s = 0.7, ds = 1e-5, dx = 1e-5;
    tk_ok(spheres_residual(w, s + ds, x, plus, scale));
    tk_ok(spheres_residual(w, s - ds, x, minus, scale));
    for (size_t i = 0; i < M; i++)
        expected[i] = (plus[i] - minus[i]) / (2 * ds);
    tk_ok(spheres_residual(w, s, x, plus, scale));
    tk_ok(spheres_jacobian(w, J));
    tk_ok(spheres_parameter_derivative(w, rs));
    ck_assert_double_le(worst_of(rs, expected, M), 1e-7);
    for (size_t j = 0; j < M; j++) {
        double keep = x[j];
        x[j] = keep + dx;
        tk_ok(spheres_residual(w, s, x, plus, scale));
        x[j] = keep - dx;
        tk_ok(spheres_residual(w, s, x, minus, scale));
        x[j] = keep;
        for (size_t i = 0; i < M; i++) {
            expected[i] = (plus[i] - minus[i]) / (2 * dx);
            column[i] = J[i * M + j];
        }
        ck_assert_double_le(worst_of(column, expected, M), 1e-7);
    }
    free(w);
}

/* An extrapolation of 1, 2 or 3 increments that is exact gives the unknowns of the increment it leads to. */
TEST_EACH(extrapolation_leads_to_the_unknowns, 60)
{
    tk_random r = {(uint64_t)_i + 5};
    tk_chain c;
    tk_chain_random(&c, N, 0.5, 2, &r);
    TK_OWN(ph_system) *system = tk_chain_system(&c);
    ph_statistics statistics = {0};
    ph_error error;
    spheres_scratch *w = calloc(1, ph_variational_measure(&kernel_under_test, system, NULL).work + 64);
    ph_variational method = {.kernel = &kernel_under_test, .work = w};
    ph_context context = {.system = system, .h = 0.1, .statistics = &statistics, .error = &error};
    tk_ok(ph_variational_begin(&method, &context));
    double q[3 * N], x[2 * N], D[HISTORY * 3 * N], count = 1 + _i % HISTORY;
    double reach = tk_log_uniform(&r, 1e-3, 0.9);
    for (size_t i = 0; i < N; i++) {
        tk_unit(&r, q + 3 * i);
        ph_tangent_basis3(q + 3 * i, w->E + 6 * i, w->E + 6 * i + 3);
        x[2 * i] = tk_uniform(&r, -reach, reach);
        x[2 * i + 1] = tk_uniform(&r, -reach, reach);
    }
    w->q = q;
    spheres_find_increments(w, x);
    for (size_t i = 0; i < 3 * N; i++) {
        double slope = tk_uniform(&r, -0.1, 0.1), bend = count > 2 ? tk_uniform(&r, -0.1, 0.1) : 0;
        for (size_t k = 0; k < HISTORY; k++) { /* T - k slope + k^2 bend, k = 1, 2, 3 steps back */
            double back = (double)(k + 1);
            D[3 * N * k + i] = w->D[i] + (count > 1 ? back * back * bend - back * slope : 0);
        }
    }
    double h = 0.1;
    spheres_carry made = {.h = &h, .count = &count, .D = D};
    spheres_extrapolate(w, &made);
    ck_assert_double_le(tk_max_difference(w->x, x, 2 * N), 1e-10);
    free(w);
}

/* Turns that are called small leave the Jacobian positive definite, whatever the inertia and the directions:
 * twice the symmetric part has no negative eigenvalue. */
TEST_EACH(small_turns_are_small, 30)
{
    tk_random r = {(uint64_t)_i + 301};
    tk_chain c;
    enum { M = 2 * N };
    tk_chain_random(&c, N, 0.01, 100, &r);
    TK_OWN(ph_system) *system = tk_chain_system(&c);
    ph_statistics statistics = {0};
    ph_error error;
    spheres_scratch *w = calloc(1, ph_variational_measure(&kernel_under_test, system, NULL).work + 64);
    ph_variational method = {.kernel = &kernel_under_test, .work = w};
    ph_context context = {.system = system, .h = 0.1, .statistics = &statistics, .error = &error};
    tk_ok(ph_variational_begin(&method, &context));
    ck_assert_double_gt(w->small_turn, 0);
    ck_assert_double_le(w->small_turn, 1);
    double q[3 * N], x[M], J[M * M], twice[M * M], unit[M * M], eigenvalue[M];
    for (int trial = 0; trial < 200; trial++) {
        for (size_t i = 0; i < N; i++) {
            if (trial % 2 || !i)
                tk_unit(&r, q + 3 * i);
            else /* a chain that is nearly straight */
                for (size_t k = 0; k < 3; k++)
                    q[3 * i + k] = q[k] + 1e-3 * tk_normal(&r);
            double norm = ph_norm3(q + 3 * i);
            for (size_t k = 0; k < 3; k++)
                q[3 * i + k] /= norm;
            ph_tangent_basis3(q + 3 * i, w->E + 6 * i, w->E + 6 * i + 3);
            double angle = tk_uniform(&r, 0, 2 * M_PI);
            x[2 * i] = w->small_turn * cos(angle);
            x[2 * i + 1] = w->small_turn * sin(angle);
        }
        w->q = q;
        w->at = x;
        w->s = 0; /* the force's part is not asked */
        spheres_find_increments(w, x);
        tk_ok(spheres_jacobian(w, J));
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < M; j++) { /* scaled, so that rounding does not decide */
                double scale = sqrt(c.M[i / 2 * (N + 1)] * c.M[j / 2 * (N + 1)]);
                twice[i * M + j] = (J[i * M + j] + J[j * M + i]) / scale;
                unit[i * M + j] = i == j;
            }
        ck_assert_int_eq(tk_eigen(M, twice, unit, eigenvalue), 0);
        ck_assert_double_gt(eigenvalue[0], 0);
    }
    free(w);
}

/* A step as the method takes it; then: are its increments those of the unknowns it ended with? */
static ph_status step_and_look(ph_context *context, ph_state *state)
{
    alone *a = context->work;
    spheres_scratch *w = &a->own;
    double q[3 * N], D[3 * N];
    memcpy(q, state->z, sizeof q);
    ph_status status = spheres_step(&a->method, context, state);
    memcpy(D, w->D, sizeof D);
    w->q = q;
    spheres_find_increments(w, w->x);
    ck_assert_mem_eq(D, w->D, sizeof D);
    return status;
}

TEST_EACH(increments_are_those_of_the_solution, 10)
{
    tk_random r = {(uint64_t)_i + 11};
    tk_chain c;
    tk_chain_random(&c, N, 0.5, 2, &r);
    TK_OWN(ph_system) *system = tk_chain_system(&c);
    ph_method method = method_under_test;
    double q[3 * N], v[3 * N];
    method.step = step_and_look;
    for (size_t i = 0; i < 3 * N; i += 3) {
        tk_unit(&r, q + i);
        tk_tangent(&r, q + i, v + i);
    }
    TK_MOTION(it, state);
    tk_ok(ph_integrator_create(system, &method, 0.005, NULL, 0, &it, NULL));
    tk_ok(ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, q, v, PH_STRICT, NULL));
    tk_ok(ph_integrator_step(it, state, 1000));
}

/* After a change of step size the history of increments begins again. */
TEST(history_begins_again)
{
    tk_random r = {91};
    tk_chain c;
    tk_chain_random(&c, N, 0.5, 2, &r);
    TK_OWN(ph_system) *system = tk_chain_system(&c);
    double q[3 * N], v[3 * N];
    for (size_t i = 0; i < 3 * N; i += 3) {
        tk_unit(&r, q + i);
        tk_tangent(&r, q + i, v + i);
    }
    TK_MOTION(it, state);
    tk_ok(ph_integrator_create(system, &method_under_test, 0.005, NULL, 0, &it, NULL));
    tk_ok(ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, q, v, PH_STRICT, NULL));
    for (int run = 0; run < 3; run++) {
        tk_ok(ph_integrator_set_step_size(it, 0.005 / (1 + run)));
        for (int i = 1; i <= HISTORY + 2; i++) {
            tk_ok(ph_integrator_step(it, state, 1));
            ck_assert_double_eq(*spheres_carry_of(state, N).count, i < HISTORY ? i : HISTORY);
        }
    }
}

int main(void)
{
    return tk_run("derivatives");
}
