/* SPDX-License-Identifier: BSD-3-Clause */
/* The bench judged by contenders whose worth is known: methods that claim too much, or follow another motion,
 * are not verified; times of steps of known price come out in their ratio; sentences about curves that cross
 * where they were made to cross; truths that can be had in another way. */
#include "bench/compare/report.h"

#include "tests/kit/testkit.h"

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

static void contend(contender *c, const char *text)
{
    ph_error err;
    ck_assert_msg(contender_parse(c, text, &err) == PH_OK, "%s", err.message);
}

/* ---- Verification ----------------------------------------------------------------------------------- */

static const ph_method *base; /* what the impostors are made of; one test, one process */

/* Goes through another motion: time runs faster by a thousandth. Its error does not fall. */
static ph_status hurried_init(ph_context *context)
{
    context->h *= 1.001;
    return base->init ? base->init(context) : PH_OK;
}

static ph_status hurried_step(ph_context *context, ph_state *state)
{
    ph_context other = *context;
    other.h *= 1.001;
    return base->step(&other, state);
}

static void climb(const contender *c, ladder *l)
{
    ph_error err;
    problem p;
    truth t;
    ph_scenario *scenario = parse(pendulum);
    ck_assert(problem_of_scenario(&p, scenario, "pendulum", &err) == PH_OK);
    ck_assert(truth_find(&t, &p, scenario, NULL, &err) == PH_OK);
    ck_assert_int_eq(t.kind, TRUTH_COMPUTED);
    ck_assert(t.uncertainty < 1e-11);
    ck_assert_msg(ladder_climb(l, c, &p, scenario, &t, NULL, &err) == PH_OK, "%s", err.message);
    truth_free(&t);
    ph_scenario_free(scenario);
}

TEST_EACH(honest_contenders_are_verified, 6)
{
    static const struct {
        const char *label;
        double order;
    } rows[] = {{"variational", 2},   {"rk4", 4},
                {"rk4-projected", 4}, {"rk4-projected:form=q-omega", 4},
                {"rkmk4", 4},         {"cf4:form=q-omega", 4}};
    contender c;
    ladder l;
    contend(&c, rows[_i].label);
    climb(&c, &l);
    printf("%s\n", l.text);
    ck_assert_msg(l.verified, "%s", l.text);
    ck_assert_double_eq_tol(l.order, rows[_i].order, 0.15);
    for (size_t i = 0; i < LADDER_STEPS; i++)
        ck_assert(l.rungs[i].status == PH_OK && l.rungs[i].energy_error < 1);
}

TEST_EACH(a_method_that_claims_too_much_is_not_verified, 2)
{
    contender c;
    ladder l;
    contend(&c, _i ? "rk4-projected" : "variational");
    ph_method boast = *c.method;
    boast.order++;
    boast.order_for = NULL;
    c.method = &boast;
    climb(&c, &l);
    ck_assert_msg(!l.verified, "%s", l.text);
    ck_assert_ptr_nonnull(strstr(l.text, "NOT verified"));
}

TEST(a_method_that_follows_another_motion_is_not_verified)
{
    contender c;
    ladder l;
    contend(&c, "rk4-projected");
    base = c.method;
    ph_method hurried = *base;
    hurried.init = hurried_init;
    hurried.step = hurried_step;
    c.method = &hurried;
    climb(&c, &l);
    ck_assert_msg(!l.verified, "%s", l.text);
    ck_assert(l.rungs[LADDER_STEPS - 1].trajectory_error > 1e-4);
}

/* The rows of the table: their steps fit their times, they start on their truth's motion, and no method is
 * left out. */
TEST_EACH(the_table_is_sound, n_problems)
{
    const problem *p = &problems[_i];
    ph_scenario *scenario = parse(p->scenario);
    ph_error err;
    double steps = p->short_time / p->first_step;
    ck_assert(fabs(steps - round(steps)) < 1e-9 && steps >= 1);
    for (size_t i = 0; p->steps[i] > 0; i++) {
        double n = p->horizon / p->steps[i];
        ck_assert(fabs(n - round(n)) < 1e-6 && n >= 100);
    }
    ck_assert(p->steps[0] > 0);
    ck_assert_ptr_eq(problem_find(p->name, &err), p);
    if (p->turning != 0) { /* the velocity at the start is that of the turning */
        const ph_system *system = ph_scenario_system(scenario);
        const double *z = ph_scenario_configuration(scenario);
        size_t nz = ph_space_ambient(ph_system_space(system));
        double *zdot = calloc(nz + ph_system_work(system), sizeof *zdot);
        ck_assert(ph_system_velocity(system, 0, z, ph_scenario_momentum(scenario), zdot, zdot + nz) == PH_OK);
        for (size_t i = 0; i < nz; i += 3) {
            ck_assert_double_eq_tol(zdot[i], -p->turning * z[i + 1], 1e-14);
            ck_assert_double_eq_tol(zdot[i + 1], p->turning * z[i], 1e-14);
        }
        free(zdot);
    }
    ph_scenario_free(scenario);
}

TEST(every_method_of_the_catalogue_is_listed)
{
    static const char *const listed[] = {
#define CONTENDER(text, role) text,
#include "bench/common/contenders.def"
#undef CONTENDER
    };
    static const contender_role roles[] = {
#define CONTENDER(text, role) role,
#include "bench/common/contenders.def"
#undef CONTENDER
    };
    size_t n = sizeof listed / sizeof listed[0];
    for (size_t i = 0; i < ph_methods(); i++) {
        const char *name = ph_method_at(i)->name;
        size_t j = 0, length = strlen(name);
        while (j < n && (strncmp(listed[j], name, length) || (listed[j][length] && listed[j][length] != ':')))
            j++;
        ck_assert_msg(j < n, "%s is not in bench/common/contenders.def", name);
    }
    for (size_t i = 0; i < n; i++) {
        contender c;
        ph_error err;
        ck_assert(roles[i] >= ROLE_NAMED && roles[i] <= ROLE_DETAILS);
        if (contender_parse(&c, listed[i], &err) && strstr(err.message, "not in this build"))
            continue;
        contend(&c, listed[i]);
    }
}

/* The truth that is computed is the one that is known. */
TEST_EACH(computed_truth_agrees_with_known_truth, 2)
{
    ph_error err;
    const problem *known = problem_find(_i ? "conical-pendulum" : "double-spherical-pendulum", &err);
    problem unknown = *known;
    truth a, b;
    ph_scenario *scenario = parse(known->scenario);
    unknown.digits = NULL;
    unknown.turning = 0;
    ck_assert(truth_find(&a, known, scenario, NULL, &err) == PH_OK);
    ck_assert(truth_find(&b, &unknown, scenario, NULL, &err) == PH_OK);
    ck_assert_int_eq(a.kind, _i ? TRUTH_EXACT : TRUTH_DIGITS);
    ck_assert_int_eq(b.kind, TRUTH_COMPUTED);
    for (size_t i = 0; i < ph_space_ambient(ph_system_space(ph_scenario_system(scenario))); i++)
        ck_assert_double_eq_tol(a.z[i], b.z[i], fmax(1e-11, 10 * b.uncertainty));
    truth_free(&a);
    truth_free(&b);
    ph_scenario_free(scenario);
}

/* ---- Timing ------------------------------------------------------------------------------------------ */

static ph_method_size no_size(const ph_system *system, const double *options)
{
    (void)system, (void)options;
    return (ph_method_size){0, 0};
}

/* Steps that do nothing, and have a price. */
static ph_status stay(ph_context *context, ph_state *state)
{
    (void)context, (void)state;
    return PH_OK;
}

static ph_status fail_at_ten(ph_context *context, ph_state *state)
{
    return state->k < 10 ? PH_OK : ph_fail(context->error, PH_E_NO_SOLUTION, "no further");
}

static ph_status fail_at_once(ph_context *context, ph_state *state)
{
    (void)state;
    return ph_fail(context->error, PH_E_NO_SOLUTION, "no further");
}

enum { PRICED = 5 };

/* A method's ns a step are the number in its name. A neighbour comes and goes, for a fifth of the time: then
 * steps cost twice as much, and three times as much of the methods that keep the core busy. */
static double price(void *self, const ph_integrator *it, const ph_statistics *counted)
{
    const meter *m = self;
    const char *name = ph_integrator_method(it)->name;
    const double ns = strtod(name, NULL);
    const int busy = fmod(m->spent, 0.01) < 0.002;
    return 1e-9 * ns * (double)counted->steps * (!busy ? 1 : ns < 500 ? 3 : 2);
}

TEST(steps_of_known_price_have_their_ratio)
{
    static const struct {
        const char *name; /* ns a step */
        ph_status (*step)(ph_context *, ph_state *);
        double h, ratio;
    } rows[PRICED] = {{"400", stay, 0.01, 1},
                      {"1200", stay, 0.01, 3},
                      {"1200", stay, 0.02, 1.5},
                      {"400", fail_at_ten, 0.01, 1},
                      {"400", fail_at_once, 0.01, NAN}};
    ph_method methods[PRICED];
    contender contenders[PRICED];
    timing_cell cells[PRICED];
    meter watch = {.price = price, .self = &watch};
    ph_scenario *scenario = parse(pendulum);
    motion start = motion_of(scenario);
    timing_session *session;
    ph_error err;
    for (size_t i = 0; i < PRICED; i++) {
        methods[i] = (ph_method){.name = rows[i].name, .order = 1, .size = no_size, .step = rows[i].step};
        contenders[i] = (contender){.method = &methods[i], .label = "priced"};
        cells[i] = (timing_cell){.contender = &contenders[i], .h = rows[i].h, .span = 4, .reference = 0};
    }
    ck_assert_msg(timing_open(&session, cells, PRICED, &start, 500, 0.0002, &watch, &err) == PH_OK, "%s",
                  err.message);
    ck_assert(timing_burst(session, 0, 101, NULL, NULL, NULL, &err) == PH_OK);
    ck_assert_uint_eq(cells[0].result.rounds, 101);
    ck_assert(timing_burst(session, 0, 99, NULL, NULL, NULL, &err) == PH_OK);
    /* as long as it was to be, and no round more */
    const double before = watch.spent;
    ck_assert(timing_burst(session, 0.01, 1, NULL, NULL, NULL, &err) == PH_OK);
    ck_assert(watch.spent - before >= 0.01 && watch.spent - before < 0.015);
    timing_close(session);
    for (size_t i = 0; i < PRICED; i++) {
        const timing *t = &cells[i].result;
        const double ns = strtod(rows[i].name, NULL);
        printf("h = %g: %.0f ns a step (%.0f ... %.0f), ratio %.3f (%.3f ... %.3f), %zu of %zu rounds\n",
               cells[i].h, t->median, t->low, t->high, t->ratio, t->ratio_low, t->ratio_high, t->quiet,
               t->rounds);
        if (isnan(rows[i].ratio)) {
            ck_assert(isnan(t->median) && isnan(t->ratio) && t->rounds == 0);
            continue;
        }
        ck_assert(t->rounds > 200 && t->low <= t->median && t->median <= t->high);
        ck_assert(t->ratio_low <= t->ratio && t->ratio <= t->ratio_high);
        /* turns with the neighbour do not count: a fifth, and those that he came or went in */
        ck_assert(t->quiet < t->rounds && t->quiet > t->rounds / 2);
        ck_assert_double_eq_tol(t->median / ns, 1, 1e-9);
        ck_assert_double_eq_tol(t->least / ns, 1, 1e-9);
        ck_assert_double_eq_tol(t->ratio / rows[i].ratio, 1, 1e-9);
    }
    ck_assert_double_eq(cells[0].result.ratio, 1);
    ph_scenario_free(scenario);
}

TEST(timing_can_be_interrupted)
{
    contender c;
    timing_cell cell = {.contender = &c, .h = 0.01, .span = 4};
    volatile sig_atomic_t flag = 1;
    timing_session *session;
    ph_scenario *scenario = parse(pendulum);
    motion start = motion_of(scenario);
    ph_error err;
    contend(&c, "rk4");
    ck_assert(timing_open(&session, &cell, 1, &start, 100, 0.0002, NULL, &err) == PH_OK);
    ck_assert_int_eq(timing_burst(session, 1e9, 5, &flag, NULL, NULL, &err), PH_E_INTERRUPTED);
    timing_close(session);
    ck_assert(cell.result.median > 0 && cell.result.rounds == 1);
    ph_scenario_free(scenario);
}

/* ---- Curves and words --------------------------------------------------------------------------------- */

TEST(curves_keep_the_largest_of_each_bin)
{
    curve c = curve_start(0.1);
    curve_enter(&c, 0, 7); /* the start is no error */
    ck_assert_uint_eq(c.n, 0);
    ck_assert(isnan(curve_until(&c, 1)));
    for (int i = 1; i <= 100000; i++)
        curve_enter(&c, 0.1 * i, (i % 2 ? -1 : 0.5) * 1e-6 * pow(0.1 * i, 1.5));
    ck_assert_uint_eq(c.n, 5 * BINS_PER_DECADE + 1);
    ck_assert_double_eq_tol(curve_exponent(&c), 1.5, 1e-3);
    ck_assert_double_eq_tol(curve_time(&c, c.n - 1), 1e4, 1e-9);
    ck_assert_double_eq_tol(curve_time(&c, 3 * BINS_PER_DECADE), 100, 1e-9);
    ck_assert_double_eq_tol(curve_until(&c, 100) / (1e-6 * pow(99.9, 1.5)), 1, 1e-9);
    ck_assert_double_eq_tol(curve_running_max(&c, c.n - 1) / (1e-6 * pow(9999.9, 1.5)), 1, 1e-9);
    curve_scale(&c, 2);
    ck_assert_double_eq_tol(curve_running_max(&c, c.n - 1) / (2e-6 * pow(9999.9, 1.5)), 1, 1e-9);
}

/* Errors a t^p of two contenders at (their own) steps, made into a comparison with one group. */
typedef struct fable {
    ph_scenario *scenario;
    problem problem;
    contender contenders[2];
    ladder ladders[2];
    trial trials[3];
    comparison c;
} fable;

static void fable_trial(trial *t, const contender *c, trial_basis basis, double h, double a, double p,
                        double until)
{
    *t = (trial){.contender = c, .basis = basis, .group = 0.1, .h = h, .steps = (int64_t)(1e4 / h)};
    t->energy = curve_start(h);
    for (int64_t i = 1; i <= t->steps && h * (double)i <= until; i++) {
        curve_enter(&t->energy, h * (double)i, a * pow(h * (double)i, p));
        t->steps_done = i;
    }
    t->t_end = h * (double)t->steps_done;
    t->summary.energy_error_max = curve_running_max(&t->energy, t->energy.n);
    t->summary.constraint_error_max = 1e-16;
    t->summary.momentum_error_max = NAN;
    t->status = t->steps_done < t->steps ? PH_E_DIVERGED : PH_OK;
}

static void fable_open(fable *f)
{
    *f = (fable){
        .scenario = parse(pendulum),
        .problem = {.name = "fable", .title = "A fable", .source = "", .horizon = 1e4, .steps = {0.1}}};
    contend(&f->contenders[0], "variational");
    contend(&f->contenders[1], "rk4-projected");
    f->c = (comparison){.problem = &f->problem,
                        .scenario = f->scenario,
                        .contenders = f->contenders,
                        .n_contenders = 2,
                        .truth = {.time = 4},
                        .ladders = f->ladders,
                        .trials = f->trials,
                        .n_trials = 3};
}

/* The number that follows `before` in the text. */
static double number_after(const char *text, const char *before)
{
    const char *at = strstr(text, before);
    ck_assert_msg(at != NULL, "\"%s\" is not in:\n%s", before, text);
    return strtod(at + strlen(before), NULL);
}

TEST(words_name_the_time_at_which_curves_cross)
{
    fable f;
    fable_open(&f);
    fable_trial(&f.trials[0], &f.contenders[0], SAME_STEP, 0.1, 1e-3, 0, INFINITY);
    fable_trial(&f.trials[1], &f.contenders[1], SAME_STEP, 0.1, 1e-6, 1, INFINITY); /* crosses at 1000 s */
    fable_trial(&f.trials[2], &f.contenders[1], SAME_CPU, 0.03, 5e-8, 1, INFINITY); /* would at 20 000 s */
    char *words = report_words(&f.c);
    ck_assert_ptr_nonnull(words);
    puts(words);
    /* the edges of a bin are a factor 10^(1/24) apart */
    double at = number_after(words, "rk4-projected starts with the smaller energy error; after ");
    ck_assert_msg(at >= 1000 && at < 1000 * pow(10, 1.01 / BINS_PER_DECADE), "%g", at);
    ck_assert_ptr_nonnull(
        strstr(words, "s variational is ahead for good: 1.0e-03 against 1.0e-02 after 1e+04 s."));
    at = number_after(
        words,
        "rk4-projected (h = 0.03 s) has a smaller energy error than variational throughout: "
        "5.0e-04 against 1.0e-03 after 1e+04 s; growing at this rate its error would exceed the other after ");
    ck_assert_double_eq_tol(at, 2e4, 2e3);
    ck_assert_ptr_nonnull(strstr(words,
                                 "variational: largest energy error 1.00e-03; "
                                 "over the last decade of time it grew like t^0.00 (it does not grow)"));
    ck_assert_ptr_nonnull(strstr(words, "grew like t^1.00 (linearly)"));
    free(words);
    ph_scenario_free(f.scenario);
}

TEST(words_do_not_flatter)
{
    fable f;
    fable_open(&f);
    /* the reference is behind all the time, and one that ended is not called a winner for good */
    fable_trial(&f.trials[0], &f.contenders[0], SAME_STEP, 0.1, 1e-3, 0, INFINITY);
    fable_trial(&f.trials[1], &f.contenders[1], SAME_STEP, 0.1, 1e-9, 0, INFINITY);
    fable_trial(&f.trials[2], &f.contenders[1], SAME_CPU, 0.05, 1e-6, 1, 500);
    char *words = report_words(&f.c);
    puts(words);
    ck_assert_ptr_nonnull(strstr(words,
                                 "rk4-projected has a smaller energy error than variational throughout: "
                                 "1.0e-09 against 1.0e-03 after 1e+04 s."));
    ck_assert_ptr_nonnull(strstr(words, "rk4-projected (h = 0.05 s) diverged at t = 500 s."));
    ck_assert_ptr_nonnull(
        strstr(words, "rk4-projected (h = 0.05 s) has a smaller energy error than variational throughout: "
                      "5.0e-04 against 1.0e-03 after 500 s."));
    /* who went through is the best of those that did */
    ck_assert_ptr_nonnull(strstr(words, "with h = 0.1 s: variational has the smallest error (1.0e-03)."));
    free(words);
    ph_scenario_free(f.scenario);
}

TEST(words_give_the_cost_of_an_accuracy)
{
    fable f;
    fable_open(&f);
    f.c.n_trials = 0;
    for (size_t i = 0; i < 2; i++) {
        f.ladders[i] = (ladder){.contender = &f.contenders[i], .verified = 1};
        for (size_t k = 0; k < LADDER_STEPS; k++) { /* errors h^2 and h^4, cost 1e-4/h and 4e-4/h seconds */
            double h = 0.1 * pow(0.5, (double)k);
            f.ladders[i].rungs[k] = (rung){.h = h,
                                           .trajectory_error = pow(h, i ? 4 : 2),
                                           .energy_error = 1e-3,
                                           .cpu_seconds = (i ? 4e-4 : 1e-4) / h};
        }
    }
    char *words = report_words(&f.c);
    puts(words);
    const char *line = strstr(words, "Trajectory at t = 4 s to 1e-04:");
    ck_assert_ptr_nonnull(line);
    /* h = 0.01 costs 10 ms; h = 0.1, the coarsest, costs 4 ms and is just good enough */
    ck_assert_double_eq_tol(number_after(line, "variational "), 10, 0.01);
    ck_assert_double_eq_tol(number_after(line, "rk4-projected "), 4, 0.01);
    line = strstr(words, "Trajectory at t = 4 s to 1e-06:");
    ck_assert_ptr_nonnull(line);
    ck_assert_ptr_nonnull(strstr(line, "variational not reached with these steps"));
    ck_assert_double_eq_tol(number_after(line, "rk4-projected "), 1e3 * 4e-4 / pow(1e-6, 0.25), 0.1);
    ck_assert_ptr_nonnull(strstr(words, "Energy on the way to 1e-02: variational 1 ms (least)"));
    ck_assert_ptr_null(strstr(words, "Energy on the way to 1e-04"));
    free(words);
    ph_scenario_free(f.scenario);
}

/* ---- The whole -------------------------------------------------------------------------------------- */

TEST(a_comparison_is_complete)
{
    ph_error err;
    comparison c;
    problem p;
    contender contenders[2];
    comparison_plan plan = {.timing_budget = 0.05};
    ph_scenario *scenario = parse(pendulum);
    ck_assert(problem_of_scenario(&p, scenario, "pendulum", &err) == PH_OK);
    contend(&contenders[0], "rk4-projected");
    contend(&contenders[1], "variational");
    ck_assert_msg(comparison_make(&c, &p, scenario, contenders, 2, &plan, &err) == PH_OK, "%s", err.message);
    ck_assert(c.status == PH_OK && c.reference == 0 && c.n_trials == 3);
    for (size_t i = 0; i < 3; i++) {
        const trial *t = &c.trials[i];
        ck_assert(t->status == PH_OK && t->steps_done == t->steps && t->time.rounds > 0);
        ck_assert_double_eq_tol(fabs(t->h) * (double)t->steps, 4, 1e-9);
        ck_assert_double_eq_tol(t->t_end, 4, 1e-9);
        ck_assert(t->energy.n && t->constraint.n == t->energy.n && t->momentum.n == t->energy.n);
        ck_assert_double_eq_tol(curve_running_max(&t->energy, t->energy.n) / t->summary.energy_error_max, 1,
                                1e-9);
        ck_assert_double_eq_tol(curve_running_max(&t->momentum, t->momentum.n), t->summary.momentum_error_max,
                                1e-18);
        ck_assert_double_eq(curve_running_max(&t->constraint, t->constraint.n),
                            t->summary.constraint_error_max);
    }
    /* the step of equal cost: what it costs in the end, as far as a short timing on a busy machine can say */
    ck_assert_int_eq(c.trials[2].basis, SAME_CPU);
    ck_assert_ptr_eq(c.trials[2].contender, &contenders[1]);
    ck_assert(c.trials[2].time.ratio > 0.5 && c.trials[2].time.ratio < 2);
    ck_assert_ptr_eq(comparison_reference(&c, 0.01), &c.trials[0]);
    comparison_free(&c);
}

TEST(an_interrupted_comparison_keeps_what_it_has)
{
    ph_error err;
    comparison c;
    problem p;
    contender one;
    volatile sig_atomic_t flag = 1;
    comparison_plan plan = {.timing_budget = 0.05, .interrupt = &flag};
    ph_scenario *scenario = parse(pendulum);
    ck_assert(problem_of_scenario(&p, scenario, "pendulum", &err) == PH_OK);
    contend(&one, "rk4");
    ck_assert(comparison_make(&c, &p, scenario, &one, 1, &plan, &err) == PH_OK);
    ck_assert_int_eq(c.status, PH_E_INTERRUPTED);
    char *words = report_words(&c);
    ck_assert_ptr_nonnull(words);
    free(words);
    comparison_free(&c);
}

int main(void)
{
    return tk_run("bench");
}
