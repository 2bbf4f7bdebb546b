/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles: their members in order, what varies in them, members as texts of their own with the same bits, and what is
 * refused, with its position. */
#include "tests/kit/iokit.h"
#include "tests/kit/points.h"

#include <polhode/kit/rotation.h>
#include <polhode/members.h>

#include <math.h>
#include <stdlib.h>

/* A double pendulum; `ensemble` stands in front. */
#define PENDULUM(ensemble)                                                                                   \
    "polhode: 1\n" ensemble "model: double-spherical-pendulum   # of the benchmark\n"                        \
    "parameters:\n  masses: [1, 1]\n  lengths: [9.81, 9.81]\n  gravity: [0, 0, 9.81]\n"                      \
    "initial:\n  q: [[0.8660254037844386, 0, 0.5], [0, 0, 1]]\n"                                             \
    "  omega: [[-0.4330127018922193, 0, 0.75], [0, 1, 0]]\n"                                                 \
    "method: {name: variational}\nstep: 0.01\nduration: 1\n"

static ph_members *open_members(const char *text)
{
    ph_members *m = NULL;
    tk_ok(ph_members_open(text, strlen(text), "t.yaml", &m, tk_err));
    return m;
}
#define MEMBERS(m, text) TK_ENDS(free_members) ph_members *m = open_members(text)
static void free_members(ph_members **m)
{
    ph_members_free(*m);
}

static ph_scenario *member_of(ph_members *m, int64_t i)
{
    ph_scenario *s = NULL;
    tk_ok(ph_members_make(m, i, &s, tk_err));
    return s;
}

static double value_of(ph_members *m, int64_t i, size_t j)
{
    double values[32];
    ck_assert_uint_le(ph_members_columns(m), 32);
    tk_ok(ph_members_values(m, i, values, tk_err));
    return values[j];
}

/* What two scenarios have in their system shows in its energies at a state. */
static void same_scenarios(const ph_scenario *a, const ph_scenario *b)
{
    const ph_system *s = ph_scenario_system(a), *t = ph_scenario_system(b);
    const size_t nz = ph_space_ambient(ph_system_space(s)), np = ph_space_momenta(ph_system_space(s));
    ck_assert_uint_eq(nz, ph_space_ambient(ph_system_space(t)));
    ck_assert_mem_eq(ph_scenario_configuration(a), ph_scenario_configuration(b), nz * sizeof(double));
    ck_assert_mem_eq(ph_scenario_momentum(a), ph_scenario_momentum(b), np * sizeof(double));
    ck_assert(ph_scenario_step_size(a) == ph_scenario_step_size(b));
    ck_assert(ph_scenario_steps(a) == ph_scenario_steps(b));
    ck_assert(ph_scenario_time(a) == ph_scenario_time(b));
    ck_assert_ptr_eq(ph_scenario_method(a), ph_scenario_method(b));
    size_t n, m;
    const ph_setting *x = ph_scenario_settings(a, &n), *y = ph_scenario_settings(b, &m);
    ck_assert_uint_eq(n, m);
    for (size_t i = 0; i < n; i++) {
        ck_assert_str_eq(x[i].name, y[i].name);
        ck_assert_str_eq(x[i].value, y[i].value);
    }
    double *u = malloc(nz * sizeof *u), *v = malloc(nz * sizeof *v);
    io_follow(a, u);
    io_follow(b, v);
    ck_assert_mem_eq(u, v, nz * sizeof *u);
    free(u);
    free(v);
}

/* Every member, made and run alone as a text, has the same bits, in any order of asking. */
static void same_alone(const char *text)
{
    MEMBERS(m, text);
    MEMBERS(other, text);
    for (int64_t i = ph_members_count(m); i-- > 0;) {
        char *alone = NULL;
        TK_OWN(ph_scenario) *made = member_of(m, i);
        tk_ok(ph_members_text(other, ph_members_count(m) - 1 - i, &alone, tk_err));
        free(alone);
        tk_ok(ph_members_text(other, i, &alone, tk_err));
        ck_assert_ptr_null(strstr(alone, "ensemble"));
        TK_OWN(ph_scenario) *read = io_scenario(alone);
        same_scenarios(made, read);
        free(alone);
    }
}

/* ---- Order ------------------------------------------------------------------------------------------------ */

TEST(products_vary_the_first_key_slowest)
{
    MEMBERS(m,
            PENDULUM("ensemble:\n  product:\n    parameters.masses[1]: [1, 2, 3]\n    step: [0.01, 0.02]\n"));
    ck_assert_int_eq(ph_members_count(m), 6);
    ck_assert_uint_eq(ph_members_columns(m), 2);
    ck_assert_str_eq(ph_members_column(m, 0), "parameters.masses[1]");
    ck_assert_str_eq(ph_members_column(m, 1), "step");
    for (int64_t i = 0; i < 6; i++) {
        ck_assert(value_of(m, i, 0) == (double)(1 + i / 2));
        ck_assert(value_of(m, i, 1) == (i % 2 ? 0.02 : 0.01));
        TK_OWN(ph_scenario) *s = member_of(m, i);
        ck_assert(ph_scenario_step_size(s) == (i % 2 ? 0.02 : 0.01));
    }
}

TEST(groups_are_combined_in_their_order)
{
    MEMBERS(m, PENDULUM("ensemble:\n  zip: {step: [0.01, 0.02], method.order: [2, 4]}\n"
                        "  list:\n    - {\"initial.omega[1][1]\": 0.5, parameters.gravity: 9.81}\n"
                        "    - {\"initial.omega[1][1]\": 0.7, parameters.gravity: 1.62}\n"
                        "    - {\"initial.omega[1][1]\": 0.9, parameters.gravity: 3.72}\n"));
    ck_assert_int_eq(ph_members_count(m), 6);
    ck_assert_uint_eq(ph_members_columns(m), 4);
    for (int64_t i = 0; i < 6; i++) {
        ck_assert(value_of(m, i, 0) == (i < 3 ? 0.01 : 0.02) && value_of(m, i, 1) == (i < 3 ? 2 : 4));
        ck_assert(value_of(m, i, 2) == 0.5 + 0.2 * (double)(i % 3));
    }
    ck_assert_ptr_null(ph_members_column(m, 4));
}

TEST(ranges_have_their_ends_and_round_numbers)
{
    MEMBERS(m, PENDULUM("ensemble:\n  product:\n    initial.omega[0][1]: {from: -1, to: 1, count: 21}\n"
                        "    step: {from: 0.001, to: 10, count: 5, scale: log}\n"));
    static const double steps[] = {0.001, 0.01, 0.1, 1, 10};
    for (int64_t i = 0; i < ph_members_count(m); i++) {
        ck_assert(value_of(m, i, 0) == (double)(i / 5 - 10) / 10);
        ck_assert(value_of(m, i, 1) == steps[i % 5]);
    }
    MEMBERS(log, PENDULUM("ensemble:\n  product:\n    step: {from: 0.003, to: 0.7, count: 9, scale: log}\n"));
    for (int64_t i = 0; i < 9; i++)
        ck_assert(fabs(value_of(log, i, 0) / (0.003 * pow(0.7 / 0.003, (double)i / 8)) - 1) < 1e-15);
    ck_assert(value_of(log, 0, 0) == 0.003 && value_of(log, 8, 0) == 0.7);
}

TEST(words_are_indices)
{
    MEMBERS(m, PENDULUM("ensemble:\n  product:\n    method: [rk4, {name: variational, order: 4}]\n"));
    ck_assert(value_of(m, 1, 0) == 1);
    ck_assert_str_eq(ph_members_word(m, 0, 0), "rk4");
    ck_assert_str_eq(ph_members_word(m, 0, 1), "{name: variational, order: 4}");
    ck_assert_ptr_null(ph_members_word(m, 0, 2));
    ck_assert_ptr_null(ph_members_word(m, 0, 0.5));
    ck_assert_ptr_null(ph_members_word(m, 1, 0));
    TK_OWN(ph_scenario) *s = member_of(m, 1);
    ck_assert_ptr_eq(ph_scenario_method(s), ph_method_find("variational", NULL));
}

/* ---- One system ------------------------------------------------------------------------------------------- */

static void shares(const char *text, bool expected)
{
    MEMBERS(m, text);
    TK_OWN(ph_scenario) *a = member_of(m, 0);
    TK_OWN(ph_scenario) *b = member_of(m, 1);
    ck_assert_msg((ph_scenario_system(a) == ph_scenario_system(b)) == expected, "%s", text);
}

TEST(one_system_serves_all_where_it_can)
{
    shares(PENDULUM("ensemble:\n  product:\n    initial.omega[1][1]: [1, 2]\n"), true);
    shares(PENDULUM("ensemble:\n  product:\n    step: [0.01, 0.02]\n"), true);
    shares(PENDULUM("ensemble:\n  product:\n    method: [rk4, variational]\n"), true);
    shares(PENDULUM("ensemble:\n  sample: {count: 2, \"initial.q[0]\": {tangent: 0.1}}\n"), true);
    shares(PENDULUM("ensemble:\n  product:\n    parameters.lengths[0]: [1, 2]\n"), false);
    shares("polhode: 1\nmodel: chain-pendulum\nensemble: {product: {initial.preset: [curved, hanging]}}\n"
           "method: rk4\nstep: 0.01\nduration: 1\n",
           false);
}

/* What is said of the model is said of each member, also where the system is another's. */
TEST(members_have_the_notes_of_their_model)
{
    MEMBERS(
        m,
        "polhode: 1\nmodel: binary\nparameters:\n  bodies: [{mass: 1e10, radius: 100}, {density: 2.1, radius: 100}]\n"
        "initial: {q: [[9000, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]}\n"
        "ensemble: {product: {step: [1, 2, 4]}}\nmethod: variational\nstep: 1\nsteps: 2\n");
    for (int64_t i = 0; i < 3; i++) {
        size_t n;
        TK_OWN(ph_scenario) *s = member_of(m, i);
        ck_assert_ptr_nonnull(strstr(ph_scenario_notes(s, &n)[0], "is it in g/cm^3?"));
        ck_assert_uint_eq(n, 1);
    }
}

/* ---- Alone ------------------------------------------------------------------------------------------------- */

TEST(members_are_what_they_are_alone)
{
    same_alone(PENDULUM(""));
    same_alone(
        PENDULUM("ensemble:\n  product:\n    parameters.masses[1]: [1, 2, 3]\n    step: [0.01, 0.02]\n"));
    same_alone(PENDULUM("ensemble:\n  product:\n    method: [rk4, {name: variational, order: 4}]\n"
                        "    initial.omega[1][1]: {from: -0.7, to: 1, count: 5}\n"));
    same_alone(PENDULUM("ensemble:\n  zip:\n    initial.q[1]: [[0, 0, 1], [0, 1, 0]]\n"
                        "    initial.omega[1]: [[0, 1, 0], [1, 0, 0]]\n"
                        "  list: [{step: 0.01, method.order: 4}, {step: 0.02, method.order: 2}]\n"));
}

TEST(samples_are_what_they_are_alone)
{
    same_alone(PENDULUM(
        "ensemble:\n  product: {method: [rk4, variational], initial.project: [true]}\n  sample:\n    count: 4\n    seed: 3\n"
        "    initial.q[1]: {sphere: [0, 0, 1], within: 20 deg}\n    initial.omega[1]: {tangent: 0.2}\n"
        "    parameters.masses[0]: {log-uniform: [0.1, 10]}\n"));
    same_alone(PENDULUM("ensemble:\n  sample:\n    count: 4\n    initial:\n"
                        "      tangent: [0.1, 0.1, 0.1, 0, 0.1, 0, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2]\n"));
    same_alone(
        "polhode: 1\nmodel: heavy-top\nensemble:\n  product: {parameters.mass: [1, 2]}\n  sample:\n    count: 3\n"
        "    initial: {tangent: [0.1, 0.1, 0.1, 0.5, 0.5, 0.5]}\n"
        "method: rk4\nstep: 0.01\nduration: 1\n");
    same_alone("polhode: 1\nmodel: heavy-top\ninitial: {q: [[1, 0, 0, 0]], omega: [[0, 1, 20]]}\n"
               "ensemble:\n  sample:\n    count: 3\n    initial.q[0]: {rotation: uniform}\n"
               "method: rk4\nstep: 0.01\nduration: 1\n");
}

/* With the first method of these that the system takes; a member that is moved by nothing. */
static ph_members *open_preset(const ph_model *model, const char *initial)
{
    static const char *const methods[] = {"variational", "dla", "rk4", "rk4-projected"};
    ph_members *m = NULL;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0] && !m; i++) {
        char text[400];
        const int n = snprintf(text, sizeof text,
                               "polhode: 1\nmodel: %s\n%smethod: %s\nstep: 1e-4\nsteps: 2\n"
                               "ensemble: {sample: {count: 1, seed: 0, \"initial.q[0]\": {tangent: 0}}}\n",
                               model->name, initial, methods[i]);
        ph_members_open(text, (size_t)n, "t.yaml", &m, tk_err);
    }
    ck_assert_msg(m != NULL, "%s", tk_err->message);
    return m;
}

/* The text of a member has the state in numbers, and yet the parameters that the preset has of its own. */
static void keeps_preset(const ph_model *model, const char *initial)
{
    char *alone = NULL;
    TK_ENDS(free_members) ph_members *m = open_preset(model, initial);
    TK_OWN(ph_scenario) *made = member_of(m, 0);
    const ph_status status = ph_members_text(m, 0, &alone, tk_err);
    if (strstr(initial, "didymos")) {
        ck_assert_int_eq(status, PH_E_UNSUPPORTED);
        ck_assert_ptr_nonnull(strstr(tk_err->message, "body 1 of the preset didymos"));
        return;
    }
    tk_ok(status);
    TK_OWN(ph_scenario) *read = io_scenario(alone);
    same_scenarios(made, read);
    free(alone);
}

TEST(parameters_of_presets_are_kept)
{
    for (size_t i = 0; i < ph_models(); i++) {
        const ph_model *model = ph_model_at(i);
        keeps_preset(model, "");
        for (size_t k = 0; k < model->n_presets; k++) {
            char initial[120];
            snprintf(initial, sizeof initial, "initial: {preset: %s}\n", model->presets[k].name);
            keeps_preset(model, initial);
        }
    }
}

TEST(parameters_of_presets_that_are_given_stay)
{
    same_alone("polhode: 1\nmodel: kepler\nparameters: {G: 2}\n"
               "ensemble:\n  sample: {count: 2, \"initial.q[0]\": {tangent: 0.01}}\n"
               "method: rk4\nstep: 0.005\nduration: 0.5\n");
    same_alone("polhode: 1\nmodel: bloch-sphere\n"
               "ensemble:\n  product: {initial.preset: [rabi, linear], parameters.amplitude: [0.2, 0.3]}\n"
               "  sample: {count: 2, \"initial.q[0]\": {tangent: 0.01}}\n"
               "initial: {preset: rabi}\nmethod: rk4\nstep: 0.005\nduration: 0.5\n");
}

/* Whatever the decimal point is: numbers that vary by themselves, in a text, and of a moved state. */
TEST_EACH(other_decimal_points, points())
{
    point_set(_i);
    same_alone(PENDULUM(
        "ensemble:\n  product: {step: {from: 0.0125, to: 0.025, count: 2}}\n  sample:\n    count: 2\n"
        "    parameters.masses[0]: {uniform: [0.5, 0.75]}\n    initial.q[1]: {tangent: 0.2}\n"));
    MEMBERS(m, PENDULUM("ensemble: {product: {step: {from: 0.0125, to: 0.025, count: 2}}}\n"));
    TK_OWN(ph_scenario) *s = member_of(m, 0);
    ck_assert(ph_scenario_step_size(s) == 0.0125);
    point_reset();
}

TEST(formulas_keep_their_units)
{
    static const char text[] =
        "polhode: 1\nmodel:\n  space: {q: S2}\n  parameters:\n    m: 0.4 kg\n    g: \"[0, 0, -9.81] m/s^2\"\n"
        "    l: 0.5 m\n  where: {x: l*q}\n  kinetic: 1/2*m*dot(d(x), d(x))\n  potential: -m*dot(g, x)\n"
        "ensemble:\n  product:\n    model.parameters.m: [0.4, 0.7]\n    model.parameters.g[2]: [-9.81, -1.62]\n"
        "    model.parameters.g[0]: {from: 0, to: 1, count: 2}\n    initial.q[0].theta: [90, 60]\n"
        "initial: {q: [{theta: 30 deg, phi: 0}]}\nmethod: rk4\nstep: 0.01\nduration: 0.5\n";
    char *alone = NULL;
    same_alone(text);
    MEMBERS(m, text);
    tk_ok(ph_members_text(m, 15, &alone, tk_err));
    ck_assert_ptr_nonnull(strstr(alone, "m: 0.69999999999999996 kg"));
    ck_assert_ptr_nonnull(strstr(alone, "g: \"[1, 0, -1.6200000000000001] m/s^2\""));
    ck_assert_ptr_nonnull(strstr(alone, "{theta: 60 deg, phi: 0}"));
    free(alone);
}

/* ---- Tables -------------------------------------------------------------------------------------------------- */

TEST(tables_are_members)
{
    /* (3, 2) doubles in the order of Fortran, as numpy.save writes them */
    static const char header[] =
        "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }";
    unsigned char npy[10 + 118 + 6 * 8];
    memset(npy, ' ', sizeof npy);
    memcpy(npy, header, sizeof header - 1);
    static const double numbers[] = {0.5, 0.6, 0.7, 0.01, 0.02, 0.05};
    memcpy(npy + 128, numbers, sizeof numbers); /* on a machine that stores the lowest byte first */
    FILE *out = fopen(io_path("t.npy"), "wb");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(npy, 1, sizeof npy, out), sizeof npy);
    ck_assert_int_eq(fclose(out), 0);
    io_put("t.csv", "# a comment\n\"initial.omega[1][1]\", step\n0.5, 0.01\n0.6, 0.02\r\n\n0.7, 0.05\n");
    static const char *const tables[] = {"file: t.csv", "file: t.csv, keys: [\"initial.omega[1][1]\", step]",
                                         "file: t.npy, keys: [\"initial.omega[1][1]\", step]"};
    for (size_t k = 0; k < 3; k++) {
        char text[1000];
        ph_members *m = NULL;
        snprintf(text, sizeof text, PENDULUM("ensemble: {list: {%s}}\n"), tables[k]);
        tk_ok(ph_members_open(text, strlen(text), io_path("t.yaml"), &m, tk_err));
        ck_assert_int_eq(ph_members_count(m), 3);
        for (int64_t i = 0; i < 3; i++)
            ck_assert(value_of(m, i, 0) == numbers[i] && value_of(m, i, 1) == numbers[3 + i]);
        TK_OWN(ph_scenario) *s = member_of(m, 2);
        ck_assert(ph_scenario_step_size(s) == 0.05);
        ph_members_free(m);
    }
    io_clear(".", "t.npy t.csv");
}

/* ---- Samples ------------------------------------------------------------------------------------------------- */

TEST(samples_depend_on_seed_and_number_alone)
{
    MEMBERS(a, PENDULUM("ensemble:\n  sample: {count: 100, seed: 5, step: {uniform: [0, 1]}}\n"));
    MEMBERS(b, PENDULUM("ensemble:\n  product: {parameters.lengths: [1, 2]}\n  sample: {count: 1000, "
                        "parameters.masses: {normal: [0, 1]}, step: {uniform: [0, 1]}, seed: 5}\n"));
    MEMBERS(c, PENDULUM("ensemble:\n  sample: {count: 100, seed: 6, step: {uniform: [0, 1]}}\n"));
    for (int64_t i = 0; i < 100; i++) {
        ck_assert(value_of(a, i, 0) == value_of(b, i, 2) && value_of(a, i, 0) == value_of(b, 1000 + i, 2));
        ck_assert(value_of(a, i, 0) != value_of(c, i, 0));
    }
}

/* The names of these keys have the same hash. */
TEST(streams_differ)
{
    MEMBERS(
        m,
        PENDULUM(
            "ensemble:\n  sample: {count: 9, parameters.k13d8: {uniform: [0, 1]}, parameters.k10904: {uniform: [0, 1]}}\n"));
    for (int64_t i = 0; i < 9; i++)
        ck_assert(value_of(m, i, 0) != value_of(m, i, 1));
}

TEST(distributions_have_their_means)
{
    enum { N = 20000 };
    MEMBERS(m,
            PENDULUM("ensemble:\n  sample: {count: 20000, a.u: {uniform: [-1, 3]}, a.n: {normal: [5, 0.5]}, "
                     "a.l: {log-uniform: [0.01, 100]}}\n"));
    double sum[3] = {0}, square[3] = {0};
    for (int64_t i = 0; i < N; i++)
        for (size_t j = 0; j < 3; j++) {
            const double x = j == 2 ? log(value_of(m, i, j)) : value_of(m, i, j);
            ck_assert(j != 0 || (x >= -1 && x <= 3));
            sum[j] += x / N;
            square[j] += x * x / N;
        }
    const double wide = 2 * log(100), mean[] = {1, 5, 0}, variance[] = {16.0 / 12, 0.25, wide * wide / 12};
    for (size_t j = 0; j < 3; j++) {
        ck_assert(fabs(sum[j] - mean[j]) < 4.5 * sqrt(variance[j] / N));
        /* the variance of a square about its mean is at most twice the variance squared for these */
        ck_assert(fabs(square[j] - sum[j] * sum[j] - variance[j]) < 4.5 * variance[j] * sqrt(2.0 / N));
    }
}

/* ---- Tangent vectors ----------------------------------------------------------------------------------------- */

/* C (n x n) <- sums of products of x. */
static void add_products(double *C, const double *x, size_t n, double weight)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            C[i * n + j] += weight * x[i] * x[j];
}

/* A mean of products of normal numbers with the covariance C: its variance is (C_ii C_jj + C_ij^2) / N. */
static void covariance_is(const double *measured, const double *C, size_t n, double count)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double deviation =
                sqrt((C[i * n + i] * C[j * n + j] + C[i * n + j] * C[i * n + j]) / count);
            ck_assert_msg(fabs(measured[i * n + j] - C[i * n + j]) <= 4.5 * deviation + 1e-30,
                          "[%zu][%zu] is %g, not %g +- %g", i, j, measured[i * n + j], C[i * n + j],
                          deviation);
        }
}

#define COVARIANCE "[[0.01, 0.004, 0], [0.004, 0.02, -0.002], [0, -0.002, 0.005]]"
static const double covariance[9] = {0.01, 0.004, 0, 0.004, 0.02, -0.002, 0, -0.002, 0.005};

/* On SO(3) log(R0^T R) has the covariance, and is what the columns have. */
TEST(rotations_are_moved_by_the_covariance)
{
    enum { N = 4000 };
    MEMBERS(m, "polhode: 1\nmodel: heavy-top\ninitial: {q: [{euler: [0.3, 0.7, 0.2]}], omega: [[0, 1, 20]]}\n"
               "ensemble:\n  sample:\n    count: 4000\n    initial.q[0]: {covariance: " COVARIANCE "}\n"
               "    initial.omega[0]: {tangent: 0.5}\nmethod: rk4\nstep: 0.01\nduration: 1\n");
    MEMBERS(still,
            "polhode: 1\nmodel: heavy-top\ninitial: {q: [{euler: [0.3, 0.7, 0.2]}], omega: [[0, 1, 20]]}\n"
            "method: rk4\nstep: 0.01\nduration: 1\n");
    TK_OWN(ph_scenario) *base = member_of(still, 0);
    const double *R0 = ph_scenario_configuration(base);
    double measured[9] = {0}, rates[9] = {0}, equal[9] = {0.25, 0, 0, 0, 0.25, 0, 0, 0, 0.25};
    ck_assert_str_eq(ph_members_column(m, 1), "initial.q[0].xi[1]");
    ck_assert_str_eq(ph_members_column(m, 5), "initial.omega[0].xi[2]");
    for (int64_t i = 0; i < N; i++) {
        TK_OWN(ph_scenario) *s = member_of(m, i);
        double values[6], turn[9], xi[3], eta[3];
        tk_ok(ph_members_values(m, i, values, tk_err));
        ph_transposed_multiply3(R0, ph_scenario_configuration(s), turn);
        ck_assert(ph_log3(turn, xi));
        for (int k = 0; k < 3; k++)
            ck_assert(fabs(xi[k] - values[k]) < 1e-14);
        add_products(measured, xi, 3, 1.0 / N);
        double zdot[9], work[400];
        ck_assert_uint_le(ph_system_work(ph_scenario_system(s)), 400);
        tk_ok(ph_system_velocity(ph_scenario_system(s), 0, ph_scenario_configuration(s),
                                 ph_scenario_momentum(s), zdot, work));
        ph_space_spin(ph_system_space(ph_scenario_system(s)), ph_scenario_configuration(s), zdot, eta);
        for (int k = 0; k < 3; k++) {
            eta[k] -= k == 1 ? 1 : k == 2 ? 20 : 0;
            ck_assert(fabs(eta[k] - values[3 + k]) < 1e-12);
        }
        add_products(rates, eta, 3, 1.0 / N);
    }
    covariance_is(measured, covariance, 3, N);
    covariance_is(rates, equal, 3, N);
}

/* On the sphere q x log_q has the covariance of the part of xi that is tangent; the velocity turns with q. */
TEST(directions_are_moved_by_the_covariance)
{
    enum { N = 4000 };
    const double q[3] = {0.6, 0, 0.8}, omega[3] = {0, 2, 0};
    MEMBERS(m, "polhode: 1\nmodel: spherical-pendulum\ninitial: {q: [[0.6, 0, 0.8]], omega: [[0, 2, 0]]}\n"
               "ensemble:\n  sample: {count: 4000, \"initial.q[0]\": {covariance: " COVARIANCE "}}\n"
               "method: rk4\nstep: 0.01\nduration: 1\n");
    double measured[9] = {0}, P[9], half[9], expected[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            P[3 * i + j] = (i == j) - q[i] * q[j];
    ph_multiply3(P, covariance, half);
    ph_multiply3(half, P, expected);
    for (int64_t i = 0; i < N; i++) {
        TK_OWN(ph_scenario) *s = member_of(m, i);
        const ph_space *space = ph_system_space(ph_scenario_system(s));
        const double *z = ph_scenario_configuration(s);
        double v[3], xi[3], R[9], turned[3], zdot[3], spin[3], work[100];
        tk_ok(ph_space_log(space, q, z, v));
        ph_space_spin(space, q, v, xi);
        add_products(measured, xi, 3, 1.0 / N);
        ph_exp3(xi, R);
        ph_apply3(R, omega, turned);
        ck_assert_uint_le(ph_system_work(ph_scenario_system(s)), 100);
        tk_ok(ph_system_velocity(ph_scenario_system(s), 0, z, ph_scenario_momentum(s), zdot, work));
        ph_space_spin(space, z, zdot, spin);
        for (int k = 0; k < 3; k++)
            ck_assert(fabs(spin[k] - turned[k]) < 1e-14);
    }
    covariance_is(measured, expected, 3, N);
}

/* With velocity constraints a state is moved off them, and projected where the member says so. */
TEST(moved_states_are_projected_where_the_member_says_so)
{
    ph_scenario *s = NULL;
    MEMBERS(
        m,
        "polhode: 1\nmodel: chaplygin-sleigh\ninitial: {q: [[0, 0], [1, 0]], omega: [[1, 0], [0.5]]}\n"
        "ensemble:\n  product: {initial.project: [true, false]}\n  sample: {count: 2, \"initial.q[1]\": {tangent: 0.3}}\n"
        "accuracy: 1e-6\nduration: 1\n");
    TK_OWN(ph_scenario) *first = member_of(m, 0);
    TK_OWN(ph_scenario) *second = member_of(m, 1);
    double kinetic[2];
    ck_assert(ph_scenario_projected(first, kinetic) && kinetic[1] < kinetic[0]);
    tk_returns(ph_members_make(m, 2, &s, tk_err), PH_E_NOT_TANGENT);
    ck_assert_ptr_null(s);
    TK_OWN(ph_scenario) *again = member_of(m, 0);
    ck_assert(ph_scenario_configuration(again)[2] == ph_scenario_configuration(first)[2]);
}

/* A tangent vector of 0 moves nothing, on any kind of factor: each preset of each model, but for rounding. */
TEST(vectors_of_zero_move_nothing)
{
    double worst = 0;
    for (size_t i = 0; ph_model_at(i); i++) {
        const ph_model *model = ph_model_at(i);
        for (size_t k = 0; k < model->n_presets; k++) {
            char text[400];
            snprintf(text, sizeof text,
                     "polhode: 1\nmodel: %s\ninitial: {preset: %s}\naccuracy: 1e-3\nduration: 1\n"
                     "ensemble: {sample: {count: 1, \"initial.q[0]\": {tangent: 0}}}\n",
                     model->name, model->presets[k].name);
            MEMBERS(m, text);
            TK_OWN(ph_scenario) *moved = member_of(m, 0);
            *strstr(text, "ensemble") = '\0';
            TK_OWN(ph_scenario) *s = io_scenario(text);
            const ph_space *space = ph_system_space(ph_scenario_system(s));
            const double *z = ph_scenario_configuration(s), *p = ph_scenario_momentum(s);
            const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
            const double place = ph_max_norm(z, nz), momentum = ph_max_norm(p, np);
            for (size_t c = 0; c < nz; c++)
                worst = fmax(worst, fabs(ph_scenario_configuration(moved)[c] - z[c]) / place);
            for (size_t c = 0; c < np && momentum > 0; c++)
                worst = fmax(worst, fabs(ph_scenario_momentum(moved)[c] - p[c]) / momentum);
            ck_assert_msg(worst < 1e-12, "%s: off by %g", text, worst);
        }
    }
    printf("vectors of 0: %.1e\n", worst);
}

/* ---- What is refused ------------------------------------------------------------------------------------------ */

static void refuses(const char *ensemble, const char *words)
{
    char text[2000];
    ph_members *m = NULL;
    ph_scenario *s = NULL;
    snprintf(text, sizeof text, PENDULUM("ensemble:\n%s"), ensemble);
    ph_status status = ph_members_open(text, strlen(text), io_path("t.yaml"), &m, tk_err);
    if (!status)
        status = ph_members_make(m, 0, &s, tk_err);
    ck_assert_msg(status != PH_OK && !s && strstr(tk_err->message, words), "%s\n%s", ensemble,
                  status ? tk_err->message : "was not refused");
    ph_members_free(m);
}

TEST(mistakes_in_ensembles)
{
    static const char *const cases[][2] = {
        {"  product: {parameters.m3: [1, 2]}\n", "t.yaml:3:13: parameters.m3: unknown parameter \"m3\""},
        {"  product: {stepp: [1, 2]}\n", "t.yaml:3:13: stepp: unknown key \"stepp\"; did you mean \"step\"?"},
        {"  product:\n    initial.q[2]: [1, 2]\n",
         "t.yaml:4:5: ensemble.product.initial.q[2]: \"initial.q[2]\" does not exist: the list has 2 entries; they count from 0"},
        {"  product:\n    initial.q[x]: [1, 2]\n", "is not a key, as step"},
        {"  product:\n    step.a: [1, 2]\n", "\"step.a\" does not exist: what it is in is not a map"},
        {"  product:\n    events[0].when: [a, b]\n",
         "\"events\" does not exist: the scenario has no such list"},
        {"  zip: {step: [0.1, 0.2], duration: [1, 2, 3]}\n",
         "ensemble.zip.duration: has 3 values, \"step\" has 2; in a zip all have as many"},
        {"  product: {step: []}\n", "ensemble.product.step: is empty"},
        {"  product: {step: [0.1, nan]}\n", "step: is \"nan\", which is not a finite double"},
        {"  product: {step: 0.1}\n", "a list of values, or a range {from: 0, to: 1, count: 11}, is expected"},
        {"  product: {step: {from: 0, to: 1}}\n", "ensemble.product.step: has no \"count\""},
        {"  product: {step: {from: 0, to: 1, count: 1}}\n", "is 1; 2 to 2^53 are expected"},
        {"  product: {step: {from: 0, to: 1, count: 3, scale: log}}\n",
         "where the scale is log both must be positive"},
        {"  product: {step: {from: 0, to: 1, count: 3, scale: cubic}}\n",
         "is \"cubic\"; linear or log is expected"},
        {"  product: {step: {from: 0, to: 1, count: 1e12}, duration: {from: 0, to: 1, count: 1e12}}\n",
         "ensemble: has 1e+24 members; at most 2^53"},
        {"  product: {step: [0.1, 0.2]}\n  zip: {step: [1, 2]}\n", "which line 3 varies already"},
        {"  product: {\"initial.q[0]\": [[0, 0, 1], [0, 1, 0]], \"initial.q[0][1]\": [1, 2]}\n",
         "which line 3 varies already"},
        {"  list: [{step: 0.1}, {duration: 1}]\n",
         "ensemble.list[1]: has no \"step\", which the first row has"},
        {"  list: [{step: 0.1}, {step: 0.2, duration: 1}]\n", "has 2 keys, the first row has 1"},
        {"  list: {file: nowhere.csv}\n", "ensemble.list.file: "},
        {"  list: {file: bad.csv}\n", "bad.csv:3:6: \"x\" is not a number"},
        {"  list: {file: short.csv}\n", "short.csv:2:1: has 1 fields; the first line names 2"},
        {"  list: {file: nan.csv}\n", "nan.csv:2:1: \"nan\" is not a finite number"},
        {"  list: {file: empty.csv}\n", "has no rows"},
        {"  list: {file: bad.csv, keys: [step]}\n", "bad.csv:3:6"},
        {"  list: {file: good.csv, keys: [step]}\n",
         "ensemble.list.keys: has 1 keys; the file has 2 columns"},
        {"  list: {}\n", "has no \"file\""},
        {"  sample: {step: {uniform: [0, 1]}}\n", "ensemble.sample: has no \"count\""},
        {"  sample: {count: 0, step: {uniform: [0, 1]}}\n", "is 0; 1 to 2^53 are expected"},
        {"  sample: {count: 2, step: {uniform: [1, 0]}}\n", "ensemble.sample.step.uniform: is from 1 to 0"},
        {"  sample: {count: 2, step: {log-uniform: [0, 1]}}\n", "bounds > 0 are expected"},
        {"  sample: {count: 2, step: {normal: [0, -1]}}\n", "has the deviation -1"},
        {"  sample: {count: 2, step: {uniform: [0, 1], normal: [0, 1]}}\n", "is not one distribution"},
        {"  sample: {count: 2, step: {gauss: [0, 1]}}\n", "unknown key \"gauss\""},
        {"  sample: {count: 2, \"initial.q[0]\": {sphere: [0, 0, 1]}}\n",
         "one of \"within\" and \"concentration\""},
        {"  sample: {count: 2, \"initial.q[0]\": {sphere: [0, 0, 0], within: 1}}\n", "is not an axis"},
        {"  sample: {count: 2, \"initial.q[0]\": {sphere: [0, 0, 1], within: 20}}\n", "is 20 rad"},
        {"  sample: {count: 2, \"initial.q[0]\": {rotation: haar}}\n", "uniform is expected"},
        {"  sample: {count: 2, step: {tangent: 0.1}}\n", "is not a part of the state"},
        {"  sample: {count: 2, \"initial.q[5]\": {tangent: 0.1}}\n", "the space has 2 factors"},
        {"  sample: {count: 2, \"initial.q[0][1]\": {tangent: 0.1}}\n", "is not a factor of the space"},
        {"  sample: {count: 2, \"initial.q[0]\": {tangent: [0.1, 0.2]}}\n", "has 2 numbers; 3 are expected"},
        {"  sample: {count: 2, initial: {tangent: 0.1}}\n", "has 1 number; 12 are expected"},
        {"  sample: {count: 2, \"initial.q[0]\": {tangent: -0.1}}\n", "a deviation >= 0 is expected"},
        {"  sample: {count: 2, \"initial.q[0]\": {covariance: [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}}\n",
         "covariance: is not positive semidefinite, as row 1 shows"},
        {"  sample: {count: 2, \"initial.q[0]\": {covariance: [[0, 1, 0], [1, 0, 0], [0, 0, 1]]}}\n",
         "is not positive semidefinite"},
        {"  sample: {count: 2, \"initial.q[0]\": {covariance: [[1, 2, 0], [1, 1, 0], [0, 0, 1]]}}\n",
         "is not symmetric"},
        {"  {}\n", "is empty; say what varies"},
        {"  cube: {}\n", "unknown key \"cube\""}};
    io_put("bad.csv", "step, duration\n0.1, 1\n0.1, x\n");
    io_put("good.csv", "step, duration\n0.1, 1\n0.1, 2\n");
    io_put("short.csv", "step, duration\n0.1\n");
    io_put("nan.csv", "step\nnan\n");
    io_put("empty.csv", "step\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuses(cases[i][0], cases[i][1]);
    io_clear(".", "bad.csv good.csv short.csv nan.csv empty.csv");
}

TEST(values_are_judged_by_their_readers)
{
    ph_scenario *s = NULL;
    MEMBERS(m, PENDULUM("ensemble:\n  product:\n    step: [0.01, -0.01,\n      0.03]\n"));
    tk_refused(ph_members_make(m, 2, &s, tk_err), PH_E_RANGE, "t.yaml:16:11: duration: is 33.33333333 steps");
    MEMBERS(masses, PENDULUM("ensemble:\n  product:\n    parameters.masses[1]: [1,\n      -2]\n"));
    tk_refused(ph_members_make(masses, 1, &s, tk_err), PH_E_RANGE, "t.yaml:5:7: parameters.masses[1]:");
    tk_refused(ph_members_make(masses, 2, &s, tk_err), PH_E_RANGE,
               "there is no member 2; the ensemble has 2");
    tk_refused(ph_members_make(masses, -1, &s, tk_err), PH_E_RANGE, "there is no member -1");
    ck_assert_ptr_null(s);
}

TEST(an_ensemble_is_not_a_scenario)
{
    ph_scenario *s = NULL;
    tk_refused(io_parse(PENDULUM("ensemble: {product: {step: [0.01, 0.02]}}\n"), &s, tk_err),
               PH_E_UNSUPPORTED,
               "t.yaml:2:11: ensemble: stands for many runs, where one is expected: polhode sweep FILE");
}

int main(void)
{
    return tk_run_in("members", io_make_folder, io_remove_folder);
}
