/* SPDX-License-Identifier: BSD-3-Clause */
/* Scaling and studies, kinds of bench, judged by what is known beforehand: methods whose steps cost n or n^2 have
 * the slopes 1 and 2; a chain's fastest oscillation follows from the zeros of a Laguerre polynomial; the cost
 * of an accuracy follows from made-up points on a power law; orders come out of errors. */
#include "bench/common/numbers.h"
#include "bench/kinds.h"
#include "bench/scaling/report.h"
#include "bench/study/report.h"

#include "tests/kit/testkit.h"
#include "tests/kit/untried.h"

static const char pendulum[] =
    "polhode: 1\nmodel: spherical-pendulum\nparameters: {mass: 1, length: 1, gravity: 9.81}\n"
    "initial: {q: [[1, 0, 0]], qdot: [[0, 1.5, 0.5]]}\n"
    "method: variational\nstep: 0.01\nduration: 4\n";

static ph_scenario *parse(const char *text)
{
    ph_scenario *scenario = NULL;
    ph_error err;
    ck_assert_msg(ph_scenario_parse(text, strlen(text), "text", &scenario, &err) == PH_OK, "%s", err.message);
    return scenario;
}

static void says(const char *words, const char *text)
{
    ck_assert_msg(words && strstr(words, text), "\"%s\" is not in:\n%s", text, words ? words : "(nothing)");
}

/* ---- Sizes and slopes -------------------------------------------------------------------------------- */

START_TEST(sizes_are_the_usual_ones_and_both_ends)
{
    static const struct {
        size_t from, to, n, sizes[20];
    } rows[] = {{1, 100, 7, {1, 2, 5, 10, 20, 50, 100}},
                {3, 50, 5, {3, 5, 10, 20, 50}},
                {7, 7, 1, {7}},
                {2, 3, 2, {2, 3}},
                {1, 11, 5, {1, 2, 5, 10, 11}},
                {150, 1200, 5, {150, 200, 500, 1000, 1200}}};
    size_t sizes[SCALING_SIZES], n;
    ph_error err;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert(scaling_sizes(rows[i].from, rows[i].to, sizes, &n, &err) == PH_OK);
        ck_assert_uint_eq(n, rows[i].n);
        ck_assert_mem_eq(sizes, rows[i].sizes, n * sizeof *sizes);
    }
    ck_assert(scaling_sizes(1, 1000000, sizes, &n, &err) == PH_OK);
    ck_assert(n == 19 && sizes[18] == 1000000 && sizes[17] == 500000);
    ck_assert(scaling_sizes(1, 1000000000, sizes, &n, &err) == PH_OK && n <= SCALING_SIZES);
    ck_assert(scaling_sizes(0, 10, sizes, &n, &err) == PH_E_RANGE);
    ck_assert(scaling_sizes(11, 10, sizes, &n, &err) == PH_E_RANGE);
}
END_TEST

START_TEST(slopes_are_those_of_power_laws)
{
    double x[9], y[9];
    for (size_t i = 0; i < 9; i++) {
        x[i] = pow(2.3, (double)i);
        y[i] = 17 * pow(x[i], 1.25);
    }
    ck_assert_double_eq_tol(log_slope(x, y, 9), 1.25, 1e-13);
    ck_assert_double_eq_tol(log_slope(x, y, 2), 1.25, 1e-13);
    ck_assert(isnan(log_slope(x, y, 1)) && isnan(log_slope(x, y, 0)));
}
END_TEST

/* ---- Contenders -------------------------------------------------------------------------------------- */

START_TEST(every_method_contends_in_every_form)
{
    contender *list;
    size_t n;
    ph_error err;
    ck_assert_msg(scaling_contenders(&list, &n, &err) == PH_OK, "%s", err.message);
    for (size_t i = 0; i < ph_methods(); i++) {
        const ph_method *method = ph_method_at(i);
        size_t words = 1, seen = 0, plain = 0;
        for (size_t j = 0; j < method->n_options; j++)
            if (!strcmp(method->options[j].name, "form") && !(method->claims & PH_CLAIM_ADAPTIVE))
                for (const char *at = method->options[j].choices; *at; at++)
                    words += *at == ' ';
        for (size_t j = 0; j < n; j++) {
            seen += list[j].method == method;
            plain += !strcmp(list[j].label, method->name);
        }
        ck_assert_msg(seen == words && plain == 1, "%s: %zu contenders, %zu forms", method->name, seen,
                      words);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(list[i].label, list[j].label);
    free(list);
}
END_TEST

/* ---- Families ---------------------------------------------------------------------------------------- */

/* The largest zero of the Laguerre polynomial L_n: the largest eigenvalue of the tridiagonal matrix with
 * 2i + 1 (i from 0) on its diagonal and i next to it, by bisection with Sturm's sequence. */
static double laguerre_zero(size_t n)
{
    double low = 0, high = 4 * (double)n + 4;
    for (int k = 0; k < 200; k++) {
        double x = 0.5 * (low + high), d = 1;
        size_t above = 0;
        for (size_t i = 0; i < n; i++) {
            d = 2 * (double)i + 1 - x - (i ? (double)i * (double)i / d : 0);
            above += d > 0;
        }
        *(above ? &low : &high) = x;
    }
    return low;
}

/* Small oscillations of a hanging chain of n equal links: (g/l) times the zeros of L_n are the squares of its
 * frequencies. A tilt of 0.1 rad changes them by less than 0.1^2/2; beyond FAMILY_LARGE the rate is a power
 * law that must not be below the truth, nor far above. */
START_TEST(steps_resolve_the_fastest_oscillation)
{
    static const size_t sizes[] = {1, 2, 5, 10, 100, 200, 1000};
    family f;
    ph_error err;
    ck_assert_double_eq_tol(laguerre_zero(2), 2 + sqrt(2), 1e-12);
    ck_assert_double_eq_tol(laguerre_zero(10), 29.920697012273891, 1e-11);
    ck_assert_msg(family_find(&f, "chain-pendulum", &err) == PH_OK, "%s", err.message);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        member m;
        ck_assert_msg(family_build(&m, &f, sizes[i], 0, &err) == PH_OK, "%s", err.message);
        double resolved = m.h * sqrt(9.81 / 0.1 * laguerre_zero(sizes[i]));
        printf("n = %zu: h = %.3g s, h times the fastest rate = %.5f\n", m.n, m.h, resolved);
        ck_assert_double_eq_tol(resolved / 0.02, 1, sizes[i] > FAMILY_LARGE ? 0.1 : 0.006);
        ck_assert(resolved < 0.0201);
        member_free(&m);
    }
}
END_TEST

/* Every link is 0.1 rad from the vertical, neighbours are close, and the whole is at rest; a cart stays. */
START_TEST(chains_start_on_a_smooth_curve)
{
    static const char *const models[] = {"chain-pendulum", "cart-chain"};
    enum { N = 200 };
    family f;
    member m;
    ph_error err;
    ck_assert(family_find(&f, models[_i], &err) == PH_OK);
    ck_assert_str_eq(f.count->name, "links");
    ck_assert_msg(family_build(&m, &f, N, 1e-3, &err) == PH_OK, "%s", err.message);
    ck_assert_double_eq(m.h, 1e-3);
    const ph_space *space = ph_system_space(m.system);
    size_t first = _i ? 2 : 0;
    ck_assert_uint_eq(ph_space_ambient(space), 3 * N + first);
    for (size_t i = 0; i < first; i++)
        ck_assert_double_eq(m.z[i], 0);
    for (size_t i = 0; i < N; i++) {
        const double *q = m.z + first + 3 * i;
        ck_assert_double_eq_tol(q[2], -cos(0.1), 1e-15);
        ck_assert_double_eq_tol(q[0] * q[0] + q[1] * q[1] + q[2] * q[2], 1, 5e-16);
        for (size_t a = 0; i && a < 3; a++)
            ck_assert(fabs(q[a] - (q - 3)[a]) < 0.1 * 3.2 / N);
    }
    ck_assert(hypot(m.z[first] - m.z[first + 3 * (N - 1)], m.z[first + 1] - m.z[first + 3 * N - 2]) > 0.15);
    for (size_t i = 0; i < ph_space_momenta(space); i++)
        ck_assert_double_eq(m.p[i], 0);
    member_free(&m);
}
END_TEST

START_TEST(models_of_one_size_are_no_family)
{
    family f;
    ph_error err;
    ck_assert(family_find(&f, "heavy-top", &err) == PH_E_UNSUPPORTED);
    says(err.message, "heavy-top has one size only");
    ck_assert(family_find(&f, "chain-pendulm", &err) == PH_E_UNKNOWN);
    says(err.message, "chain-pendulum");
    ck_assert(family_find(&f, "rigid-chain", &err) == PH_OK);
    ck_assert_str_eq(f.count->name, "bodies");
}
END_TEST

/* ---- Sweeps ------------------------------------------------------------------------------------------ */

enum { WORK_A_FACTOR = 24, CARRY = 3 };

static ph_method_size known_size(const ph_system *system, const double *options)
{
    (void)options;
    return (ph_method_size){WORK_A_FACTOR * ph_space_factors(ph_system_space(system)), CARRY};
}

/* [s] of steps on n links: by the method's name. */
static double price(void *self, const ph_integrator *it, const ph_statistics *counted)
{
    const char *name = ph_integrator_method(it)->name;
    const double n = (double)ph_space_factors(ph_system_space(ph_integrator_system(it)));
    (void)self;
    const double ns = !strcmp(name, "square") ? 40 * n * n : !strcmp(name, "light") ? 20 * n : 300 * n;
    return 1e-9 * ns * (double)counted->steps;
}

static ph_status stay(ph_context *context, ph_state *state)
{
    (void)context, (void)state;
    return PH_OK;
}

static ph_status fail_from_20(ph_context *context, ph_state *state)
{
    return state->nz >= 60 ? ph_fail(context->error, PH_E_NO_SOLUTION, "no step here") : PH_OK;
}

static ph_status small_only(const ph_system *system, ph_error *err)
{
    if (ph_space_factors(ph_system_space(system)) > 10)
        return ph_fail(err, PH_E_UNSUPPORTED, "ten is enough");
    return PH_OK;
}

static void impersonate(contender *c, ph_method *method, const char *name,
                        ph_status (*step)(ph_context *, ph_state *))
{
    *method = (ph_method){.name = name, .order = 1, .size = known_size, .step = step};
    *c = (contender){.method = method};
    snprintf(c->label, sizeof c->label, "%s", name);
}

START_TEST(steps_of_known_growth_have_their_slope)
{
    enum { N = 4 };
    ph_method methods[N];
    contender contenders[N];
    scaling s;
    ph_error err;
    meter watch = {.price = price};
    scaling_plan plan = {.from = 10, .to = 200, .h = 1e-3, .budget = 0.05, .limit = 5, .watch = &watch};
    impersonate(&contenders[0], &methods[0], "square", stay);
    impersonate(&contenders[1], &methods[1], "rk4", stay); /* the reference by its name */
    impersonate(&contenders[2], &methods[2], "small", stay);
    impersonate(&contenders[3], &methods[3], "failing", fail_from_20);
    methods[2].supports = small_only;
    ck_assert_msg(scaling_make(&s, "chain-pendulum", contenders, N, &plan, &err) == PH_OK, "%s", err.message);
    char *words = scaling_words(&s);
    puts(words);
    ck_assert(s.status == PH_OK && s.n_sizes == 5 && s.reached == 5 && !s.ended[0]);
    ck_assert_uint_eq(s.reference, 1);
    ck_assert_double_eq_tol(s.lines[1].slope, 1, 1e-9);
    ck_assert_double_eq_tol(s.lines[0].slope, 2, 1e-9);
    for (size_t k = 0; k < s.reached; k++) {
        double n = (double)s.sizes[k];
        const scaling_point *p = &s.lines[0].points[k];
        ck_assert(scaling_has(&s.lines[0], k) && scaling_has(&s.lines[1], k));
        ck_assert(p->time.rounds >= 5 && p->time.least <= p->time.low && p->time.low <= p->time.median);
        ck_assert_double_eq(s.lines[1].points[k].time.ratio, 1);
        ck_assert_double_eq_tol(p->time.ratio / (40 * n * n / (300 * n)), 1, 1e-9);
        ck_assert_double_eq(s.steps[k], 1e-3);
        /* state: z, p and carry at least, and not much more */
        size_t numbers = (6 * s.sizes[k] + CARRY) * sizeof(double) + WORK_A_FACTOR * s.sizes[k];
        ck_assert(p->bytes >= numbers && p->bytes < numbers + 400);
    }
    /* who refuses, or fails, is left out from there on, with the reason */
    ck_assert(s.lines[2].gone == 1 && scaling_has(&s.lines[2], 0) && !scaling_has(&s.lines[2], 1));
    ck_assert(s.lines[3].gone == 1 && isnan(s.lines[3].slope));
    says(words, "small from n = 20 on: ten is enough");
    says(words, "failing from n = 20 on: no step here");
    says(words, "At n = 200 a step takes least with rk4");
    free(words);
    scaling_free(&s);
}
END_TEST

/* What would take too long is foreseen, from the growth at the last two sizes: at a size a contender takes at
 * least 108 steps, and 108 of 40 n^2 ns are 0.17 s for n = 200, 1.1 s for n = 500; of 20 n ns 0.2 s only for
 * n = 10^5. */
START_TEST(what_would_take_too_long_is_left_out)
{
    ph_method methods[2];
    contender contenders[2];
    scaling s;
    ph_error err;
    meter watch = {.price = price};
    scaling_plan plan = {.from = 10, .to = 1000, .h = 1e-3, .budget = 0.02, .limit = 0.2, .watch = &watch};
    impersonate(&contenders[0], &methods[0], "light", stay);
    impersonate(&contenders[1], &methods[1], "square", stay);
    ck_assert_msg(scaling_make(&s, "chain-pendulum", contenders, 2, &plan, &err) == PH_OK, "%s", err.message);
    char *words = scaling_words(&s);
    puts(words);
    ck_assert(s.n_sizes == 7 && s.reached == 7 && s.lines[0].gone == 7);
    ck_assert_uint_eq(s.lines[1].gone, 5);
    ck_assert_uint_eq(s.sizes[5], 500);
    says(words, "square from n = 500 on: would take 1.1 s at this size, extrapolated; the limit is 0.2 s");
    ck_assert(scaling_has(&s.lines[1], 4) && !scaling_has(&s.lines[1], 5));
    free(words);
    scaling_free(&s);
}
END_TEST

START_TEST(a_sweep_can_be_interrupted)
{
    contender c;
    scaling s;
    ph_error err;
    volatile sig_atomic_t flag = 1;
    scaling_plan plan = {.from = 1, .to = 50, .budget = 1e9, .limit = 5, .interrupt = &flag};
    ck_assert(contender_parse(&c, "rk4", &err) == PH_OK);
    ck_assert(scaling_make(&s, "chain-pendulum", &c, 1, &plan, &err) == PH_OK);
    ck_assert_int_eq(s.status, PH_E_INTERRUPTED);
    char *words = scaling_words(&s);
    ck_assert(s.reached == 1 && scaling_has(&s.lines[0], 0) && words);
    free(words);
    scaling_free(&s);
}
END_TEST

/* The longest chain that there is, but for one of 10^5 links, which no dense matrix could describe, is built
 * and timed; its fastest rate is 2 sqrt(n g/l) or a little less, and the power law overshoots by a quarter at
 * most. */
START_TEST(long_chains_are_built_and_timed)
{
    ph_method method;
    contender c;
    scaling s;
    ph_error err;
    family f;
    ck_assert(family_find(&f, "chain-pendulum", &err) == PH_OK);
    size_t n = (size_t)fmin(f.count->max, 100000);
    scaling_plan plan = {.from = n, .to = n, .budget = 0.01, .limit = 100};
    impersonate(&c, &method, "light", stay);
    ck_assert_msg(scaling_make(&s, "chain-pendulum", &c, 1, &plan, &err) == PH_OK, "%s", err.message);
    ck_assert_uint_eq(s.reached, 1);
    ck_assert(scaling_has(&s.lines[0], 0));
    double resolved = s.steps[0] * 2 * sqrt((double)n * 9.81 / 0.1) / 0.02;
    printf("n = %zu: h times the fastest rate = 0.02 * %.4f\n", n, resolved);
    ck_assert(resolved > 0.8 && resolved < 1.01);
    scaling_free(&s);
}
END_TEST

/* ---- Studies ----------------------------------------------------------------------------------------- */

START_TEST(the_cost_of_an_accuracy_is_read_between_the_points)
{
    study_line l = {.label = "made up"};
    for (size_t k = 0; k < STUDY_POINTS; k++) /* an error of cost^-2, from 1e-2 at 1 s on */
        l.points[k][1] = (study_point){
            .steps = 1, .errors = {1, 1e-2 * pow(4, -(double)k)}, .cpu = pow(2, (double)k), .turns = 3};
    for (double level = 1e-2; level > 4e-8; level /= 1.7)
        ck_assert_double_eq_tol(study_cost(&l, 1, 1, level) / sqrt(1e-2 / level), 1, 1e-12);
    ck_assert_double_eq(study_cost(&l, 1, 1, 0.5), 1);
    ck_assert(isinf(study_cost(&l, 1, 1, 1e-8)));
    ck_assert(isinf(study_cost(&l, 0, 1, 0.5)) && isinf(study_cost(&l, 1, 0, 0.5)));
    l.points[0][1].turns = 0; /* diverged: nothing to read from it */
    ck_assert_double_eq(study_cost(&l, 1, 1, 1e-2), 2);
}
END_TEST

/* Steps of order 2 in a step: the stages of Suzuki's and Yoshida's compositions, what the name of one says, and for methods without
 * order what the kind says. */
START_TEST(a_step_has_its_stages)
{
    static const struct {
        const char *text;
        double stages;
    } rows[] = {{"variational", 1},
                {"variational:order=4", 5},
                {"variational:order=6", 11},
                {"variational:order=8", 21},
                {"rk4", 4},
                {"rk4-projected", 4}};
    contender c;
    ph_error err;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert(contender_parse(&c, rows[i].text, &err) == PH_OK);
        ck_assert_double_eq(study_stages(&c, 4), rows[i].stages);
    }
}
END_TEST

/* A study of peers on the pendulum, opened. */
static void open_peers(study *s, const char *const *names, size_t n, const study_plan *plan)
{
    ph_error err;
    *s = (study){.kind = &peers_study, .scenario = parse(pendulum)};
    ck_assert(problem_of_scenario(&s->problem, s->scenario, "pendulum", &err) == PH_OK);
    s->name = s->words = "pendulum";
    ck_assert_msg(study_open(s, names, n, plan, &err) == PH_OK, "%s", err.message);
}

START_TEST(errors_of_peers_have_their_order)
{
    static const char *const names[] = {"variational", "rk4-projected", "arkode"};
    enum { TRAJECTORY, ENERGY, N = sizeof names / sizeof names[0] };
    study s;
    ph_error err;
    study_plan plan = {.time = 12.5, .budget = 0.01, .limit = 5};
    open_peers(&s, names, N, &plan);
    ck_assert_msg(study_make(&s, &plan, &err) == PH_OK, "%s", err.message);
    study_tables(stdout, &s);
    char *words = study_words(&s);
    puts(words);
    ck_assert(s.status == PH_OK && s.n == N && ph_field_find(s.form, &err));
    ck_assert(!strncmp(s.lines[1].label, "rk4-projected:form=", 19) &&
              !strcmp(s.lines[1].label + 19, s.form));
    ck_assert_double_eq_tol(s.times[TRAJECTORY], s.problem.short_time, 1e-12);
    ck_assert_double_eq_tol(s.times[ENERGY], 12.5, 1e-9); /* 50 times 4 first steps of 1/16 s */
    const size_t points = s.kind->n_points;
    for (size_t i = 0; i < N; i++)
        for (size_t which = 0; which < STUDY_SERIES; which++)
            for (size_t k = 0; k < points; k++) {
                const study_point *p = &s.lines[i].points[k][which];
                ck_assert(p->status == PH_OK && p->turns >= 3 && p->least <= p->cpu && p->least > 0);
                ck_assert_double_eq_tol(p->h * (double)p->steps, s.times[which], 1e-9 * s.times[which]);
                if (k) /* finer is better; half a step at least halves the error */
                    ck_assert(p->errors[0] < (i < 2 ? 0.5 : 1) * s.lines[i].points[k - 1][which].errors[0]);
            }
    for (size_t i = 0; i < 2; i++) {
        const study_point *fine = s.lines[i].points[points - 3], *coarse = s.lines[i].points[points - 4];
        ck_assert_double_eq_tol(log2(coarse->errors[0] / fine->errors[0]), i ? 4 : 2, 0.2);
        ck_assert_double_eq_tol(coarse->setting / fine->setting, 2, 1e-12);
    }
    for (size_t k = 0; k < 5; k++) /* errors follow the tolerance */
        ck_assert(s.lines[2].points[k][TRAJECTORY].errors[0] <
                  1e4 * s.lines[2].points[k][TRAJECTORY].setting);
    says(words, "The trajectory error at t =");
    says(words, "The largest energy error within");
    free(words);
    study_free(&s);
}
END_TEST

/* A sleigh at rest has no energy: its error is in J, of a motion at 2 m/s 2 J, and 0 of itself. */
START_TEST(errors_of_an_energy_of_0_are_absolute)
{
    static const char *const names[] = {"dla"};
    const study_case rest = {
        "rest", "a sleigh at rest", .stage = 0.01,
        .scenario = "model: chaplygin-sleigh\ninitial: {q: [[0, 0], [1, 0]], qdot: [[0, 0], [0, 0]]}"};
    const study_plan plan = {.steps = 1000};
    study s = {.of = &rest};
    ph_error err;
    double energy, errors[STUDY_ERRORS] = {0}, z[] = {0, 0, 1, 0}, p[] = {2, 0, 0};
    for (size_t i = 0; i < n_bench_kinds; i++)
        if (!strcmp(bench_kinds[i]->command.name, "bench nonholonomic"))
            s.kind = ((const study_report *)bench_kinds[i]->command.defaults)->kind;
    ck_assert_msg(study_open(&s, names, 1, &plan, &err) == PH_OK, "%s", err.message);
    ck_assert_msg(study_make(&s, &plan, &err) == PH_OK, "%s", err.message);
    char *words = study_words(&s);
    says(words, "The smallest energy error in the last tenth is that of dla: 0.0e+00 J (rounding)");
    const ph_state moves = {.z = z, .p = p};
    tk_ok(s.kind->measure(&s, &moves, false, errors, &energy));
    ck_assert_double_eq_tol(energy, 2, 1e-14);
    free(words);
    study_free(&s);
}
END_TEST

START_TEST(studies_can_be_interrupted)
{
    static const char *const names[] = {"rk4"};
    study s;
    ph_error err;
    volatile sig_atomic_t flag = 1;
    bench_watch watch = {.interrupt = &flag};
    study_plan plan = {.budget = 1e9, .limit = 5, .progress = &watch};
    open_peers(&s, names, 1, &plan);
    ck_assert_msg(study_make(&s, &plan, &err) == PH_OK, "%s", err.message);
    char *words = study_words(&s);
    ck_assert(s.status == PH_E_INTERRUPTED && words);
    free(words);
    study_free(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kinds of bench");
    TCase *sizes = tcase_create("sizes"), *sweeps = tcase_create("sweeps"), *others = tcase_create("studies");
    tcase_add_test(sizes, sizes_are_the_usual_ones_and_both_ends);
    tcase_add_test(sizes, slopes_are_those_of_power_laws);
    tcase_add_test(sizes, every_method_contends_in_every_form);
    tcase_add_test(sizes, steps_resolve_the_fastest_oscillation);
    tcase_add_loop_test(sizes, chains_start_on_a_smooth_curve, 0, 2);
    tcase_add_test(sizes, models_of_one_size_are_no_family);
    tcase_add_test(sweeps, steps_of_known_growth_have_their_slope);
    tcase_add_test(sweeps, what_would_take_too_long_is_left_out);
    tcase_add_test(sweeps, a_sweep_can_be_interrupted);
    tcase_add_test(sweeps, long_chains_are_built_and_timed);
    tcase_add_test(others, the_cost_of_an_accuracy_is_read_between_the_points);
    tcase_add_test(others, a_step_has_its_stages);
    ph_error err;
    if (peers_study.available(&err))
        untried(suite, "peers: %s", err.message);
    else
        tcase_add_test(others, errors_of_peers_have_their_order);
    tcase_add_test(others, errors_of_an_energy_of_0_are_absolute);
    tcase_add_test(others, studies_can_be_interrupted);
    suite_add_tcase(suite, sizes);
    suite_add_tcase(suite, sweeps);
    suite_add_tcase(suite, others);
    return tk_main(suite);
}
