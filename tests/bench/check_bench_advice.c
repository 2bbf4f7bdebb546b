/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice judged by independent runs: what it recommends for the examples is run to the horizon and compared
 * with a method of another family at steps so small that halving them changes nothing; motions whose nearby
 * trajectories are known to diverge, or not to; candidates from the catalogue.
 *
 * The cost of a step is computed from what it counts, and the budget is a tenth of the usual
 * one. So the advice is the same on every machine, and assertions about it hold on all machines or
 * on none. */
#include "bench/advice/advisor.h"
#include "bench/common/problem.h"

#include "tests/kit/testkit.h"

#include <stdlib.h>

static ph_scenario *load(const char *name)
{
    char path[4096];
    const char *source = getenv("top_srcdir");
    ph_scenario *scenario = NULL;
    ph_error err;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", source ? source : ".", name);
    ck_assert_msg(ph_scenario_load(path, &scenario, &err) == PH_OK, "%s", err.message);
    return scenario;
}

static ph_scenario *parse(const char *text)
{
    ph_scenario *scenario = NULL;
    ph_error err;
    ck_assert_msg(ph_scenario_parse(text, strlen(text), "text", &scenario, &err) == PH_OK, "%s", err.message);
    return scenario;
}

static double duration(const ph_scenario *sc)
{
    return fabs(ph_scenario_step_size(sc)) * (double)ph_scenario_steps(sc);
}

static const double tenth = 0.1 * ADVICE_BUDGET,
                    little_more = 1.3; /* the last run of all is not cut exactly */

static void ask_of(advice *a, const ph_scenario *sc, double accuracy, double horizon, double budget,
                   bool by_energy)
{
    const advice_plan plan = {
        .accuracy = accuracy, .horizon = horizon, .budget = budget, .by_energy = by_energy};
    ph_error err;
    ck_assert_msg(advice_make(a, sc, &plan, &err) == PH_OK, "%s", err.message);
    printf("%.1e at %g s: of %g s, %.2f s were spent\n", accuracy, horizon, budget, a->spent);
    fflush(stdout);
    ck_assert_double_eq(a->budget, budget);
    for (size_t i = 0; i < a->n_rows; i++)
        if (a->rows[i].verdict == ADVICE_MEETS) /* whatever followed the search */
            ck_assert_msg(advice_row_error(a, &a->rows[i]) <= accuracy,
                          "%s: said to meet %g with an error of %g", a->rows[i].contender.label, accuracy,
                          advice_row_error(a, &a->rows[i]));
    ck_assert_double_le(a->spent, little_more * budget);
}

static void ask(advice *a, const ph_scenario *sc, double accuracy, double horizon, double budget)
{
    ask_of(a, sc, accuracy, horizon, budget, false);
}

/* z <- where the contender is at the horizon; the largest energy error on the way, relative to its scale. */
static double follow(const contender *c, const ph_scenario *sc, double h, int64_t steps, double *z)
{
    ph_integrator *it;
    ph_state *state;
    ph_diagnostics *d;
    ph_monitor *monitor;
    ph_summary summary;
    ph_error err;
    const motion start = motion_of(sc);
    const int64_t looks = 1000, each = steps / looks + 1;
    ck_assert_msg(!contender_start(c, &start, h, &it, &state, &err), "%s", err.message);
    tk_ok(ph_diagnostics_create(ph_scenario_system(sc), &d, NULL));
    tk_ok(ph_monitor_create(d, start.time, start.time + h * (double)steps, &monitor, NULL));
    tk_ok(ph_monitor_see(monitor, state, NULL));
    while (state->k < steps) {
        const int64_t left = steps - state->k;
        tk_steps(it, state, left < each ? left : each);
        tk_ok(ph_monitor_see(monitor, state, NULL));
    }
    ph_monitor_summary(monitor, &summary);
    memcpy(z, state->z, state->nz * sizeof *z);
    ph_monitor_free(monitor);
    ph_diagnostics_free(d);
    tk_end(it, state);
    return summary.energy_error_max;
}

/* z <- the truth at the horizon, by this method in steps halved until that moves it by less than `settled`.
 * The first are the scenario's own, or of a high order eight times as large. */
static void find_truth(const char *method, const ph_scenario *sc, double horizon, double settled, double *z)
{
    enum { MOST = 256 };
    contender c;
    ph_error err;
    double before[MOST], moved = INFINITY;
    const size_t nz = ph_space_ambient(ph_system_space(ph_scenario_system(sc)));
    ck_assert_uint_le(nz, MOST);
    tk_ok(contender_parse(&c, method, &err));
    const double large = strstr(method, "order=") ? 8 : 1;
    int64_t steps = (int64_t)ceil(horizon / fabs(ph_scenario_step_size(sc)) / large);
    for (int k = 0; k < 12 && !(moved < settled); k++, steps *= 2) {
        memcpy(before, z, nz * sizeof *z);
        follow(&c, sc, copysign(horizon, ph_scenario_step_size(sc)) / (double)steps, steps, z);
        moved = k ? tk_max_difference(z, before, nz) : INFINITY;
    }
    ck_assert_msg(moved < settled, "%s does not settle: %g", method, moved);
}

/* ---- What it recommends ---------------------------------------------------------------------------- */

/* A method of another family. */
static const char *judge_of(const contender *c, const ph_system *system)
{
    if (c->method != ph_method_find("variational", NULL))
        return "variational:order=8";
    const ph_method *bodies = ph_method_find("moser-veselov", NULL);
    return bodies->supports(system, NULL) ? "rk4-projected" : "moser-veselov:order=10";
}

static const struct {
    const char *example;
    double accuracy, horizon; /* 0: the scenario's duration */
    double factor;            /* that the error may exceed what was wanted by */
} asked[] = {
    {"free-rigid-body", 1e-6, 0, 1}, /* with sanitizers */
    {"double-spherical-pendulum", 1e-6, 0, 1},
    {"heavy-top", 1e-4, 300, 3}, /* longer than what is measured; every day, so far */
    {"double-spherical-pendulum", 1e-9, 20, 1},
    {"heavy-top", 1e-4, 0, 1},
    {"chain", 1e-5, 8, 1},
    {"quadrotor-cable", 1e-6, 0, 1},
    {"driven-chain", 1e-6, 0, 1},
    {"free-rigid-body", 1e-5, 2e4, 3}, /* this, too */
};
enum { ASKED_SHORT = 1, ASKED_DAILY = 3, ASKED = sizeof asked / sizeof asked[0] };

TEST_EACH(what_is_recommended_does_it, tk_short() ? ASKED_SHORT : tk_thorough() ? ASKED : ASKED_DAILY)
{
    enum { MOST = 256 };
    double truth[MOST], z[MOST];
    ph_scenario *sc = load(asked[_i].example);
    const size_t nz = ph_space_ambient(ph_system_space(ph_scenario_system(sc)));
    const double horizon = asked[_i].horizon > 0 ? asked[_i].horizon : duration(sc),
                 accuracy = asked[_i].accuracy;
    advice a;
    ask(&a, sc, accuracy, horizon, tenth);
    printf("%s: %.1e can be had, as to the reference %.1e\n", asked[_i].example, a.attainable, a.uncertainty);
    fflush(stdout);
    ck_assert(a.reachable && a.best && a.best->verdict == ADVICE_MEETS);
    ck_assert(a.span <= horizon && (asked[_i].horizon < 100 || a.span < horizon));
    ck_assert_double_eq_tol(fabs(a.best->h) * (double)a.best->steps, horizon, 1e-12 * horizon);
    ck_assert_double_le(a.best->error, accuracy);
    const double energy = follow(&a.best->contender, sc, a.best->h, a.best->steps, z);
    find_truth(judge_of(&a.best->contender, ph_scenario_system(sc)), sc, horizon, 0.1 * accuracy, truth);
    const double error = tk_max_difference(z, truth, nz);
    printf("%s, %.0e at %g s: %s, h = %g s, error %.1e (%.1e said), energy %.1e (%.1e)\n", asked[_i].example,
           accuracy, horizon, a.best->contender.label, a.best->h, error, a.best->error, energy,
           a.best->energy_error);
    fflush(stdout);
    ck_assert_double_le(error, (asked[_i].factor + 0.1) * accuracy);
    if (!a.forced) /* looked at more often here */
        ck_assert_double_le(energy, 1e-13 + 2 * a.best->energy_error);
    advice_free(&a);
    ph_scenario_free(sc);
}

/* Beyond what double precision has, nothing is recommended for the trajectory. Where the energy is asked for, what is said of it
 * holds over the whole horizon. The second horizon is too long to be run, by more than the usual tenth of a budget, too. */
TEST_EACH(chaos_is_told, tk_short() ? 0 : tk_thorough() ? 2 : 1)
{
    static const double horizons[] = {1e4, 1e6}, accuracies[] = {1e-6, 1e-3}, budgets[] = {0.6, 2};
    double z[6];
    ph_scenario *sc = load("double-spherical-pendulum");
    const double horizon = horizons[_i], accuracy = accuracies[_i];
    advice a;
    ask(&a, sc, accuracy, horizon, budgets[_i]);
    ck_assert(!a.reachable && !a.best && a.attainable >= accuracy);
    printf("double spherical pendulum: exponent %.3f /s, predictable for %.0f s\n", a.exponent,
           a.predictable);
    fflush(stdout);
    ck_assert_double_ge(a.exponent, 0.04);
    ck_assert_double_le(a.exponent, 0.16);
    ck_assert_double_ge(a.predictable, 100);
    ck_assert_double_le(a.predictable, 1000);
    advice_free(&a);
    ask_of(&a, sc, accuracy, horizon, 2.5 * budgets[_i], true); /* runs of 1e6 s, in part */
    ck_assert(a.by_energy && a.best && a.best->verdict == ADVICE_MEETS);
    ck_assert(isnan(a.best->error));
    ck_assert(a.best->run_to == 0 || (a.best->run_to >= 2 * a.span && a.best->run_to < horizon));
    ck_assert(a.best->confirmed || a.best->run_to > 0);
    const double energy = follow(&a.best->contender, sc, a.best->h, a.best->steps, z);
    printf("%s, h = %g s, followed to %g s: energy %.1e (%.1e said)\n", a.best->contender.label, a.best->h,
           a.best->run_to, energy, a.best->energy_error);
    fflush(stdout);
    ck_assert_double_le(energy, (a.best->confirmed ? 2 : 1) * accuracy);
    /* one that keeps the structure */
    ck_assert(ph_method_claims(a.best->contender.method, ph_scenario_system(sc),
                               (const double[CONTENDER_OPTIONS]){0}) &
              (PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC));
    advice_free(&a);
    ph_scenario_free(sc);
}

/* Neighbours in an integrable motion part by t. */
TEST_EACH(regular_motions_are_told, 2)
{
    static const char *const texts[] = {
        "polhode: 1\nmodel: spherical-pendulum\nparameters: {mass: 1, length: 1, gravity: 9.81}\n"
        "initial: {q: [[1, 0, 0]], qdot: [[0, 1.5, 0.5]]}\nmethod: variational\nstep: 0.01\nduration: 1000\n",
        "polhode: 1\nmodel: free-rigid-body\nparameters: {inertia: [0.6, 0.8, 1.0]}\n"
        "initial: {q: [[1, 0, 0, 0, 1, 0, 0, 0, 1]], omega: [[3, 0.5, -0.9]]}\n"
        "method: variational\nstep: -0.01\nduration: 1000\n"};
    ph_scenario *sc = parse(texts[_i]);
    advice a;
    ask(&a, sc, 1e-6, 1e4, tenth);
    ck_assert_double_gt(a.watched, 100);
    ck_assert(a.exponent == 0 && a.reachable && isinf(a.predictable));
    ck_assert(a.best && copysign(1, a.best->h) == copysign(1, ph_scenario_step_size(sc)));
    advice_free(&a);
    ph_scenario_free(sc);
}

/* ---- Who is a candidate ------------------------------------------------------------------------------ */

static bool lists(const advice *a, const char *label)
{
    for (size_t i = 0; i < a->n_listed; i++)
        if (!strncmp(a->rows[a->order[i]].contender.label, label, strlen(label)))
            return true;
    return false;
}

/* Those that meet the accuracy come first, the quickest of them before all, each with an error that is small
 * enough. */
static void check_order(const advice *a)
{
    for (size_t i = 0; i < a->n_listed; i++) {
        const advice_row *r = &a->rows[a->order[i]], *before = &a->rows[a->order[i ? i - 1 : 0]];
        ck_assert(before->verdict < r->verdict ||
                  (before->verdict == r->verdict && !(before->cpu_seconds > r->cpu_seconds)));
        ck_assert(r->verdict != ADVICE_MEETS ||
                  (r->error <= a->accuracy && r->nanoseconds > 0 && r->cpu_seconds > 0));
    }
}

TEST(candidates_are_of_the_catalogue)
{
    ph_scenario *sc = load("free-rigid-body");
    advice a;
    ask(&a, sc, 1e-4, 1, tenth);
    for (size_t i = 0; i < ph_methods(); i++) {
        ph_integrator *it = NULL;
        const bool takes =
            !ph_integrator_create(ph_scenario_system(sc), ph_method_at(i), 0.01, NULL, 0, &it, NULL);
        ck_assert_msg(lists(&a, ph_method_at(i)->name) == takes, "%s", ph_method_at(i)->name);
        ph_integrator_free(it);
    }
    ck_assert(lists(&a, "variational:order=2") && lists(&a, "variational:order=4") &&
              lists(&a, "variational:order=6") && lists(&a, "variational:order=8") &&
              lists(&a, "moser-veselov:order=10"));
    /* those that an order means are there once */
    ck_assert(lists(&a, "variational:composition=kahan-li-17") &&
              !lists(&a, "variational:composition=sofroniou-spaletta-21"));
    check_order(&a);
    advice_free(&a);
    ph_scenario_free(sc);
}

/* By CPU time: only what holds on any machine, however busy it is. That the one with the least counted work is not much slower than
 * the quickest is for the log: the machine may have other work. */
TEST(steps_are_timed)
{
    ph_scenario *sc = load("double-spherical-pendulum");
    advice_plan plan = {.accuracy = 1e-4, .horizon = 5, .budget = 0.5};
    advice a, timed;
    ph_error err;
    double chosen = NAN;
    ck_assert_msg(advice_make(&a, sc, &plan, &err) == PH_OK, "%s", err.message);
    plan.timed = true;
    ck_assert_msg(advice_make(&timed, sc, &plan, &err) == PH_OK, "%s", err.message);
    ck_assert(timed.budget == plan.budget && timed.n_listed >= 15 && timed.n_listed <= timed.n_rows);
    check_order(&timed);
    for (size_t i = 0; i < timed.n_rows; i++)
        if (a.best && !strcmp(timed.rows[i].contender.label, a.best->contender.label))
            chosen = timed.rows[i].cpu_seconds;
    printf("by counted work %s, by time %s, which takes %.2f of its time\n", a.best->contender.label,
           timed.best->contender.label, timed.best->cpu_seconds / chosen);
    fflush(stdout);
    advice_free(&a);
    advice_free(&timed);
    ph_scenario_free(sc);
}

/* ---- Of the trajectory and of the energy ------------------------------------------------------------------- */

static const struct {
    const char *text;
    double accuracy, budget;
    bool beyond; /* more than is measured */
} both_of[] = {
    {"polhode: 1\nmodel: heavy-top\ninitial: {preset: nutation}\nmethod: variational\nstep: 0.01\nduration: 2\n",
     1e-6, 1, false},
    {"polhode: 1\nmodel: double-spherical-pendulum\nmethod: variational\nstep: 0.01\nduration: 3000\n", 1e-5,
     1, true},
    {"polhode: 1\nmodel: kepler\nmethod: variational\nstep: 0.01\nduration: 10000\n", 1e-6, 1, true},
};
enum { BOTH = sizeof both_of / sizeof both_of[0] };

/* Both answers are true, as far as a run shows it: the largest error of the energy in the whole run, by a monitor, and for the
 * trajectory as above. The second costs no more than the first, where the energy error of that meets the accuracy; and beyond the span
 * nobody is listed as meeting it who does not claim to keep the structure. */
TEST_EACH(both_questions_are_answered, tk_short() ? 1 : BOTH)
{
    enum { MOST = 64 };
    double z[MOST];
    ph_scenario *sc = parse(both_of[_i].text);
    const double horizon = duration(sc), accuracy = both_of[_i].accuracy;
    const advice_plan plan = {
        .accuracy = accuracy, .horizon = horizon, .budget = both_of[_i].budget, .both = true};
    advice a;
    ph_error err;
    ck_assert_msg(advice_make(&a, sc, &plan, &err) == PH_OK, "%s", err.message);
    const advice *e = a.energy;
    ck_assert(e && e->by_energy && !e->energy && e->best && e->best->verdict == ADVICE_MEETS);
    ck_assert_double_le(a.spent + e->spent, little_more * 1.25 * plan.budget);
    ck_assert_int_eq(a.span < horizon, both_of[_i].beyond);
    const double energy = follow(&e->best->contender, sc, e->best->h, e->best->steps, z);
    printf(
        "%g of %g s seen; trajectory: %s, h = %g s, %.2e s; energy: %s, h = %g s, %.2e s, error %.1e (%.1e said)\n",
        a.span, horizon, a.best ? a.best->contender.label : "none", a.best ? a.best->h : NAN,
        a.best ? a.best->cpu_seconds : NAN, e->best->contender.label, e->best->h, e->best->cpu_seconds,
        energy, e->best->energy_error);
    fflush(stdout);
    ck_assert_double_le(energy, (e->best->confirmed ? 1.5 : 1) * accuracy); /* looked at more often here */
    ck_assert(e->best->keeps);
    if (a.best && a.best->keeps && a.best->energy_error < accuracy)
        ck_assert_double_le(e->best->cpu_seconds, 1.1 * a.best->cpu_seconds);
    for (size_t i = 0; i < e->n_rows && both_of[_i].beyond; i++) {
        double values[CONTENDER_OPTIONS];
        const contender *c = &e->rows[i].contender;
        tk_ok(ph_method_options(c->method, c->settings, c->n_settings, values, NULL));
        if (e->rows[i].verdict <= ADVICE_BY_ORDER && !e->rows[i].confirmed)
            ck_assert_msg(ph_method_claims(c->method, ph_scenario_system(sc), values) &
                              (PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC),
                          "%s does not keep the structure", c->label);
    }
    advice_free(&a);
    ph_scenario_free(sc);
}

/* A method that claims what it does not keep: energy errors that grow are not extrapolated, and a random walk is none of these. */
TEST(growth_is_seen)
{
    growth_blocks line = {.n = 0}, flat = {.n = 0}, few = {.n = 0};
    tk_random r = {.s = 2028};
    for (int i = 1; i <= 200; i++) {
        growth_enter(&line, 1e-9 * i * (1 + 0.1 * tk_normal(&r)));
        growth_enter(&flat, 1e-7 * fabs(tk_normal(&r)));
        if (i <= 20)
            growth_enter(&few, 1e-9 * i);
    }
    ck_assert(advisor_energy_grows(&line) && !advisor_energy_grows(&flat) && !advisor_energy_grows(&few));
}

/* By price, nothing depends on the machine or on what went before: the same is said again, to the last bit;
 * and with more to spend, more of the motion is measured. */
TEST_IF(the_same_is_said_again, !tk_short())
{
    ph_scenario *sc = load("heavy-top");
    advice a, b;
    ask(&a, sc, 1e-4, 300, tenth);
    ask(&b, sc, 1e-4, 300, tenth);
    ck_assert(a.span == b.span && a.watched == b.watched && a.n_listed == b.n_listed && a.n_rows == b.n_rows);
    for (size_t i = 0; i < a.n_listed; i++) {
        const advice_row *r = &a.rows[a.order[i]], *again = &b.rows[b.order[i]];
        ck_assert_str_eq(r->contender.label, again->contender.label);
        ck_assert(r->verdict == again->verdict && r->steps == again->steps);
        ck_assert_mem_eq(&r->h, &again->h, sizeof r->h);
        ck_assert_mem_eq(&r->error, &again->error, sizeof r->error);
        ck_assert_mem_eq(&r->cpu_seconds, &again->cpu_seconds, sizeof r->cpu_seconds);
    }
    advice_free(&b);
    ask(&b, sc, 1e-4, 300, 2 * tenth);
    ck_assert(b.span > a.span && b.watched >= a.watched);
    advice_free(&a);
    advice_free(&b);
    ph_scenario_free(sc);
}

/* Who gets through a part of the motion at the scenario's own step cannot be said to fail. Nor to have had no
 * time: steps that are too large for it, each of which follows the branch from h = 0 and fails in the end,
 * are not to take all the time that there is (on chains that is half of the usual). */
TEST_EACH(who_gets_through_is_judged, tk_short() ? 0 : tk_thorough() ? 3 : 1)
{
    static const char *const names[] = {"double-spherical-pendulum", "chain", "cart-chain"};
    static const double budgets[] = {0.6, 3, 3};
    ph_scenario *sc = load(names[_i]);
    const motion start = motion_of(sc);
    size_t through = 0, expensive = 0, judged = 0;
    advice a;
    ask(&a, sc, 1e-6, duration(sc), budgets[_i]);
    for (size_t i = 0; i < a.n_listed; i++) {
        const advice_row *r = &a.rows[a.order[i]];
        ph_integrator *it;
        ph_state *state;
        ph_error err;
        ck_assert_msg(!contender_start(&r->contender, &start, ph_scenario_step_size(sc), &it, &state, &err),
                      "%s", err.message);
        const ph_status status = ph_integrator_step(it, state, 200);
        tk_end(it, state);
        if (status)
            continue;
        through++;
        ck_assert_msg(r->verdict != ADVICE_FAILS, "%s, %s: said to fail", names[_i], r->contender.label);
        ck_assert_msg(isfinite(r->h) == (r->verdict != ADVICE_NO_TIME), "%s: %g s", r->contender.label, r->h);
        if (!strcmp(r->contender.method->name, "gauss")) {
            expensive++;
            judged += r->verdict != ADVICE_NO_TIME;
        }
    }
    ck_assert_uint_ge(through, 15);
    ck_assert_uint_eq(expensive, 7); /* one for each order */
    ck_assert_uint_ge(judged, _i ? 1 : 3);
    advice_free(&a);
    ph_scenario_free(sc);
}

/* Below rounding. */
TEST(nobody_reaches_what_rounding_hides)
{
    ph_scenario *sc = load("free-rigid-body");
    advice a;
    ask(&a, sc, 1e-19, 10, tenth);
    ck_assert(!a.reachable && a.best == NULL && a.attainable > 1e-19);
    advice_free(&a);
    ph_scenario_free(sc);
}

/* ---- Interruptions and mistakes ---------------------------------------------------------------------- */

typedef struct witness {
    double fraction;
    size_t calls, end;
    volatile sig_atomic_t interrupt;
} witness;

static void watch(void *self, const char *what, double fraction)
{
    witness *w = self;
    ck_assert(what && *what && fraction >= 0 && fraction <= 1);
    w->fraction = fraction;
    if (++w->calls == w->end)
        w->interrupt = SIGINT;
}

TEST(an_interruption_ends_it)
{
    static const size_t ends[] = {1, 10, 40, 60};
    ph_scenario *sc = load("free-rigid-body");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        witness w = {.end = ends[i]};
        const advice_plan plan = {.accuracy = 1e-6,
                                  .horizon = 10,
                                  .budget = tenth,
                                  .interrupt = &w.interrupt,
                                  .progress = watch,
                                  .self = &w};
        advice a;
        ph_error err;
        ck_assert_int_eq(advice_make(&a, sc, &plan, &err), PH_E_INTERRUPTED);
        ck_assert_uint_eq(w.calls, ends[i]);
        ck_assert_ptr_null(a.rows);
    }
    ph_scenario_free(sc);
}

TEST(mistakes_are_refused)
{
    static const double wrong[] = {-1, NAN, INFINITY, 0};
    ph_scenario *sc = load("free-rigid-body");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        for (int which = 0; which < 3; which++) {
            advice_plan plan = {.accuracy = 1e-6, .horizon = 10, .budget = tenth};
            advice a;
            ph_error err;
            if (which == 2 && wrong[i] == 0)
                continue; /* the budget by default */
            *(which == 0 ? &plan.horizon : which == 1 ? &plan.accuracy : &plan.budget) = wrong[i];
            ck_assert_int_eq(advice_make(&a, sc, &plan, &err), PH_E_RANGE);
        }
    ph_scenario_free(sc);
}

int main(void)
{
    return tk_run("advice");
}
