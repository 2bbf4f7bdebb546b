/* SPDX-License-Identifier: BSD-3-Clause */
/* How rounding accumulates, judged by what is known in advance: synthetic random walks, drifts and noise with
 * known slope, spread and moments; invariants compared with those of the library; interrupted members
 * compared with uninterrupted ones. */
#include "bench/roundoff/report.h"

#include "tests/kit/iokit.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *const written[] = {"roundoff.json", "roundoff.csv", "roundoff.svg", "report.html"};

static void remove_files(void)
{
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++)
        remove(io_path(written[i]));
    io_remove_folder();
}

static roundoff ensemble(const char *name, size_t members, int64_t stages)
{
    roundoff r;
    ph_error err;
    const roundoff_problem *p = roundoff_find(name, &err);
    ck_assert_msg(p && roundoff_create(&r, p, members, stages, &err) == PH_OK, "%s", err.message);
    return r;
}

/* ---- Made-up errors ---------------------------------------------------------------------------------- */

/* What a member is made of: a walk of so much a step, a drift of so much a step, noise that stays. */
typedef struct recipe {
    double walk, drift, noise;
} recipe;

static void make(roundoff *r, roundoff_series *s, const recipe *c, tk_random *random)
{
    for (size_t i = 0; i < r->members; i++) {
        double place = 0, before = 0;
        for (size_t j = 0; j < r->points; j++) {
            place += c->walk * sqrt(r->steps[j] - before) * tk_normal(random);
            before = r->steps[j];
            s->errors[j * r->members + i] = place + c->drift * before + c->noise * tk_normal(random);
        }
    }
}

TEST(what_grows_is_told_from_what_stays)
{
    static const struct {
        recipe made;
        double slope, off;
        roundoff_verdict verdict;
    } rows[] = {
        {{1e-18, 0, 0}, 0.5, 0.12, ROUNDOFF_WALKS},
        {{1e-18, 0, 1e-16}, 0.5, 0.12, ROUNDOFF_WALKS},
        {{0, 2e-21, 1e-16}, 1, 0.08, ROUNDOFF_DRIFTS}, /* noise counts in the first of three decades */
        {{0, -1e-18, 0}, 1, 1e-6, ROUNDOFF_DRIFTS},
        {{1e-18, 1e-21, 0}, 0.9, 0.2, ROUNDOFF_DRIFTS},
        {{0, 0, 4e-16}, 0, 0.05, ROUNDOFF_STAYS},
        {{1e-22, 0, 0}, 0.5, 0.12, ROUNDOFF_STAYS}}; /* below the resolution of a double */
    tk_random random = {11};
    roundoff r = ensemble("spherical-pendulum", 48, 1000000000);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make(&r, &r.series[0], &rows[i].made, &random);
        const roundoff_finding f = roundoff_find_growth(&r, &r.series[0]);
        printf("made of %.0e, %.0e, %.0e: slope %.3f +- %.3f, %s\n", rows[i].made.walk, rows[i].made.drift,
               rows[i].made.noise, f.slope, f.slope_error, roundoff_word(f.verdict));
        ck_assert_msg(fabs(f.slope - rows[i].slope) < rows[i].off, "row %zu: slope %g", i, f.slope);
        ck_assert_msg(f.verdict == rows[i].verdict, "row %zu: %s", i, roundoff_word(f.verdict));
        ck_assert(f.from >= 1e6 && f.from < 1.6e6 && f.end_steps == r.steps[r.points - 1] && f.end.n == 48);
    }
    roundoff_free(&r);
}

/* An error that grows in proportion to the steps, but in a different direction in each member, is neither. */
TEST(growth_that_has_no_mean_is_no_drift)
{
    roundoff r = ensemble("spherical-pendulum", 40, 1000000000);
    for (size_t j = 0; j < r.points; j++)
        for (size_t i = 0; i < 40; i++)
            r.series[0].errors[j * 40 + i] = (i % 2 ? 1e-20 : -1e-20) * (double)(1 + i / 2) * r.steps[j];
    const roundoff_finding f = roundoff_find_growth(&r, &r.series[0]);
    ck_assert_double_eq_tol(f.slope, 1, 1e-9);
    ck_assert_int_eq(f.verdict, ROUNDOFF_GROWS);
    roundoff_free(&r);
}

/* Of 60 ensembles: slopes scatter about one half as much as each says of itself; its bound of two standard
 * errors holds for the mean in 19 of 20. */
TEST(errors_of_slopes_and_means_are_what_scatters)
{
    enum { ENSEMBLES = 60 };
    const recipe walk = {1e-18, 0, 0};
    tk_random random = {5};
    roundoff r = ensemble("double-spherical-pendulum", 32, 1000000000);
    double sum = 0, squares = 0, said = 0, scale = 0;
    int beyond = 0;
    for (int k = 0; k < ENSEMBLES; k++) {
        make(&r, &r.series[0], &walk, &random);
        const roundoff_finding f = roundoff_find_growth(&r, &r.series[0]);
        sum += f.slope;
        squares += f.slope * f.slope;
        said += f.slope_error;
        scale += f.scale;
        beyond += f.verdict == ROUNDOFF_DRIFTS;
    }
    const double mean = sum / ENSEMBLES, spread = sqrt(squares / ENSEMBLES - mean * mean);
    said /= ENSEMBLES;
    printf("slopes %.3f, scatter %.3f, said %.3f, scale %.2e, %d beyond two standard errors\n", mean, spread,
           said, scale / ENSEMBLES, beyond);
    /* four times the error of a mean and a spread from 60; a rms of 32 is low by 1 %, the fit's by a few */
    ck_assert_double_eq_tol(mean, 0.5, 4 * spread / sqrt(ENSEMBLES) + 0.005);
    ck_assert_double_eq_tol(said / spread, 1, 4 / sqrt(2. * ENSEMBLES));
    ck_assert_double_eq_tol(scale / ENSEMBLES / 1e-18, 1, 0.08);
    ck_assert_int_le(beyond, 9); /* 3 are expected */
    roundoff_free(&r);
}

TEST(moments_are_those_of_the_members_that_have_come)
{
    roundoff r = ensemble("spherical-pendulum", 6, 1000000);
    double *e = r.series[0].errors + 2 * 6;
    const double some[] = {3, NAN, -1, 2, NAN, 4};
    memcpy(e, some, sizeof some);
    const roundoff_moments m = roundoff_at(&r, &r.series[0], 2);
    ck_assert_uint_eq(m.n, 4);
    ck_assert_double_eq_tol(m.mean, 2, 1e-15);
    ck_assert_double_eq_tol(m.rms, sqrt(7.5), 1e-15);
    ck_assert_double_eq_tol(m.error, sqrt(14. / 3 / 4), 1e-15);
    ck_assert_double_eq(m.largest, 4);
    ck_assert_uint_eq(roundoff_at(&r, &r.series[0], 1).n, 0);
    /* to which few have come is not looked at */
    r.series[0].errors[3 * 6] = 9;
    r.series[0].errors[3 * 6 + 1] = 9;
    /* one point, or one member, shows nothing about growth */
    const roundoff_finding f = roundoff_find_growth(&r, &r.series[0]);
    ck_assert(f.verdict == ROUNDOFF_UNKNOWN && isnan(f.slope) && f.end_steps == r.steps[2]);
    ck_assert(roundoff_find_growth(&r, &r.series[1]).verdict == ROUNDOFF_UNKNOWN);
    roundoff_free(&r);
}

/* ---- Members ----------------------------------------------------------------------------------------- */

static const int64_t MOST = 10000000000;

static ph_scenario *scenario_of(const roundoff_problem *p, size_t member)
{
    ph_scenario *scenario = NULL;
    ph_members *members = NULL;
    ph_error err;
    char *text = roundoff_scenario(p, member + 1, MOST), *one = NULL;
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(ph_members_open(text, strlen(text), "members", &members, &err) == PH_OK, "%s", err.message);
    ck_assert_int_eq(ph_members_count(members), (int64_t)member + 1);
    ck_assert_msg(ph_members_text(members, (int64_t)member, &one, &err) == PH_OK, "%s", err.message);
    ck_assert_msg(ph_scenario_parse(one, strlen(one), "member", &scenario, &err) == PH_OK, "%s", err.message);
    ph_members_free(members);
    free(one);
    free(text);
    return scenario;
}

/* Energy and momentum maps of the library, in double, along a short motion. */
TEST_EACH(invariants_are_those_of_the_system, n_roundoff_problems)
{
    const roundoff_problem *p = &roundoff_problems[_i];
    ph_scenario *scenario = scenario_of(p, 3);
    const ph_system *system = ph_scenario_system(scenario);
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    ph_diagnostics *look = NULL;
    ph_measures m;
    roundoff_invariants x;
    size_t n;
    const ph_setting *settings = ph_scenario_settings(scenario, &n);
    ck_assert_uint_eq(ph_system_symmetries(system), p->maps);
    ck_assert(ph_integrator_create(system, ph_scenario_method(scenario), p->h, settings, n, &it, NULL) ==
              PH_OK);
    ck_assert(ph_state_create(it, &state, NULL) == PH_OK &&
              ph_diagnostics_create(system, &look, NULL) == PH_OK);
    ck_assert(ph_state_set(it, state, 0, ph_scenario_configuration(scenario), ph_scenario_momentum(scenario),
                           PH_STRICT, NULL) == PH_OK);
    for (int k = 0; k < 50; k++) {
        ck_assert(ph_diagnostics_measure(look, state, &m) == PH_OK);
        p->invariants(state->z, state->p, &x);
        /* of the library's sums in double, of kinetic and potential energy */
        ck_assert_double_eq_tol((double)x.energy, m.energy, 4e-15 * (m.kinetic + fabs(m.potential)));
        for (size_t i = 0; i < p->maps; i++)
            ck_assert_double_eq_tol(fabs((double)x.momenta[i]), fabs(m.momenta[i]), 4e-15 * m.momentum_size);
        ck_assert_double_le(fabs((double)x.constraint), 2.3e-16);
        ck_assert(ph_integrator_step(it, state, 10) == PH_OK);
    }
    /* off the manifold by what the constraint says */
    for (size_t i = 0; i < state->nz; i++)
        state->z[i] *= 1 + 1e-9;
    p->invariants(state->z, state->p, &x);
    ck_assert_double_eq_tol((double)x.constraint, 1e-9, 1e-15);
    ph_diagnostics_free(look);
    ph_state_free(state);
    ph_integrator_free(it);
    ph_scenario_free(scenario);
}

/* In their momenta, and from call to call in nothing; their scenario goes as far as it should. */
TEST_EACH(members_differ_by_a_thousandth, n_roundoff_problems)
{
    const roundoff_problem *p = &roundoff_problems[_i];
    ph_scenario *first = scenario_of(p, 0), *again = scenario_of(p, 0);
    const size_t np = ph_space_momenta(ph_system_space(ph_scenario_system(first)));
    double largest = 0;
    for (size_t i = 0; i < np; i++)
        largest = fmax(largest, fabs(ph_scenario_momentum(first)[i]));
    ck_assert_mem_eq(ph_scenario_momentum(first), ph_scenario_momentum(again), np * sizeof(double));
    for (size_t k = 1; k < 40; k++) {
        ph_scenario *other = scenario_of(p, k);
        double difference = 0;
        for (size_t i = 0; i < np; i++)
            difference =
                fmax(difference, fabs(ph_scenario_momentum(other)[i] - ph_scenario_momentum(first)[i]));
        ck_assert(difference > 1e-9 * largest && difference < 4e-3 * largest);
        ck_assert(!strcmp(ph_scenario_method(other)->name, ph_scenario_method(first)->name));
        ph_scenario_free(other);
    }
    ck_assert(ph_scenario_steps(first) * p->stages >= MOST);
    ph_scenario_free(first);
    ph_scenario_free(again);
}

TEST(points_are_where_rows_are)
{
    ph_error err;
    const roundoff_problem *one = roundoff_find("free-rigid-body", &err),
                           *many = roundoff_find("spherical-pendulum", &err);
    ck_assert(roundoff_reach(one, 1000000000) == 1000000000 && roundoff_reach(one, 1000000001) == 1584893192);
    ck_assert(many->stages == 21 && roundoff_reach(many, 1000000000) == 63095734 &&
              roundoff_reach(many, 21) == 1);
    roundoff r = ensemble("spherical-pendulum", 2, 1000000000);
    ck_assert(r.steps[r.points - 1] == 21. * 63095734 && r.points == 26 && r.steps[0] == 21. * 631);
    ck_assert(r.quantities == 3 && !strcmp(r.series[0].name, "energy") &&
              !strcmp(r.series[2].name, "constraint"));
    roundoff_free(&r);
    ck_assert(!roundoff_find("spherical-pendulm", &err) &&
              strstr(err.message, "did you mean \"spherical-pendulum\"?"));
}

/* ---- Archives ---------------------------------------------------------------------------------------- */

enum { MEMBERS = 40 };

static void remove_archive(const roundoff_problem *p)
{
    char path[300];
    roundoff_path(path, sizeof path, io_folder(), p);
    remove(path);
    strcpy(strrchr(path, '.'), ".statistics.json");
    remove(path);
}

static volatile sig_atomic_t stop;

/* Stops when a third is done. */
static void stop_early(void *self, double t, int64_t done, int64_t total)
{
    (void)self;
    (void)t;
    stop = 3 * done > total;
}

static roundoff collect(const roundoff_problem *p, size_t members, int64_t stages)
{
    roundoff r;
    ph_error err;
    ck_assert(roundoff_create(&r, p, members, stages, &err) == PH_OK);
    ck_assert_msg(roundoff_collect(&r, p, io_folder(), &err) == PH_OK, "%s", err.message);
    return r;
}

static roundoff run_ensemble(const roundoff_problem *p, size_t members, int64_t stages, int threads)
{
    ph_error err;
    bench_watch watch = {.items = 0};
    ck_assert_msg(roundoff_run(io_folder(), p, members, stages, threads, true, &watch, &err) == PH_OK, "%s",
                  err.message);
    return collect(p, members, stages);
}

/* By one thread, by two, and interrupted with some members complete. */
TEST_EACH(pieces_are_the_same_to_the_last_bit, n_roundoff_problems)
{
    ph_error err;
    const roundoff_problem *p = &roundoff_problems[_i];
    const int64_t stages = 2500 * p->stages;
    roundoff whole = run_ensemble(p, MEMBERS, stages, 1), two = run_ensemble(p, MEMBERS, stages, 2);
    bench_watch watch = {.interrupt = &stop, .progress = stop_early};
    stop = 0;
    ck_assert_int_eq(roundoff_run(io_folder(), p, MEMBERS, stages, 1, true, &watch, &err), PH_E_INTERRUPTED);
    roundoff part = collect(p, MEMBERS, stages);
    const size_t come = roundoff_at(&part, &part.series[0], part.points - 1).n;
    ck_assert(come > 0 && come < MEMBERS && isnan(part.largest_constraint[MEMBERS - 1]));
    watch = (bench_watch){.items = 0};
    ck_assert_msg(roundoff_run(io_folder(), p, MEMBERS, stages, 1, false, &watch, &err) == PH_OK, "%s",
                  err.message);
    roundoff pieces = collect(p, MEMBERS, stages);
    ck_assert(whole.points == pieces.points && whole.points > 10);
    /* a top of moments that differ by 30 walks by 3e-16 a step, the others by less than 5e-17 */
    const double bound = strstr(p->name, "heavy-top") ? 4 * 3e-16 * sqrt(2500) : 1e-14;
    for (size_t k = 0; k < whole.quantities; k++) {
        const size_t n = whole.points * MEMBERS;
        ck_assert_mem_eq(whole.series[k].errors, pieces.series[k].errors, n * sizeof(double));
        ck_assert_mem_eq(whole.series[k].errors, two.series[k].errors, n * sizeof(double));
        for (size_t j = 0; j < n; j++)
            ck_assert_double_le(fabs(whole.series[k].errors[j]), bound); /* and NaN nowhere */
    }
    ck_assert_mem_eq(whole.largest_constraint, pieces.largest_constraint, MEMBERS * sizeof(double));
    for (size_t i = 0; i < MEMBERS; i++)
        ck_assert(whole.largest_constraint[i] > 0 && whole.largest_constraint[i] < 1e-15);
    roundoff_free(&whole);
    roundoff_free(&two);
    roundoff_free(&part);
    roundoff_free(&pieces);
    /* what was there is not taken for other members, nor for other steps */
    ck_assert_int_eq(roundoff_run(io_folder(), p, 2, stages, 1, false, &watch, &err), PH_E_EXISTS);
    ck_assert_int_eq(roundoff_run(io_folder(), p, MEMBERS, 10 * stages, 1, false, &watch, &err), PH_E_EXISTS);
    ck_assert(strstr(err.message, "--force"));
    remove_archive(p);
}

/* A member that fails is no smaller ensemble. */
TEST(failures_are_errors)
{
    ph_error err;
    bench_watch watch = {.items = 0};
    roundoff_problem wild = *roundoff_find("spherical-pendulum", &err);
    wild.name = "wild";
    wild.h = 30;
    ck_assert(roundoff_run(io_folder(), &wild, 2, 2100, 1, true, &watch, &err) == PH_OK);
    roundoff r;
    ck_assert(roundoff_create(&r, &wild, 2, 2100, &err) == PH_OK);
    ck_assert(roundoff_collect(&r, &wild, io_folder(), &err) != PH_OK &&
              strstr(err.message, "member 0 failed"));
    roundoff_free(&r);
    remove_archive(&wild);
}

/* Rows go from the archive to the points by the step that stands in them: against the states of a motion of
 * one's own. */
TEST(errors_are_those_of_the_states)
{
    ph_error err;
    const roundoff_problem *p = roundoff_find("double-spherical-pendulum", &err);
    roundoff r = run_ensemble(p, 2, 100 * p->stages, 1);
    ph_scenario *scenario = scenario_of(p, 1);
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    roundoff_invariants start, now;
    size_t n, point = 0;
    const ph_setting *settings = ph_scenario_settings(scenario, &n);
    ck_assert(ph_integrator_create(ph_scenario_system(scenario), ph_scenario_method(scenario), p->h, settings,
                                   n, &it, NULL) == PH_OK);
    ck_assert(ph_state_create(it, &state, NULL) == PH_OK);
    ck_assert(ph_state_set(it, state, 0, ph_scenario_configuration(scenario), ph_scenario_momentum(scenario),
                           PH_STRICT, NULL) == PH_OK);
    p->invariants(state->z, state->p, &start);
    for (int k = 1; k <= 100; k++) {
        ck_assert(ph_integrator_step(it, state, 1) == PH_OK);
        if (r.steps[point] != (double)(k * p->stages))
            continue;
        p->invariants(state->z, state->p, &now);
        const double e = (double)((now.energy - start.energy) / fabsl(start.energy)),
                     J = (double)((now.momenta[0] - start.momenta[0]) / fabsl(start.momenta[0])),
                     digits = 1e-4, none = 1e-30; /* that are kept; what is 0 is 0 */
        ck_assert_double_eq_tol(r.series[0].errors[2 * point + 1], e, digits * fabs(e) + none);
        ck_assert_double_eq_tol(r.series[1].errors[2 * point + 1], J, digits * fabs(J) + none);
        ck_assert_double_eq_tol(r.series[2].errors[2 * point + 1], (double)now.constraint,
                                digits * fabs((double)now.constraint) + none);
        point++;
    }
    ck_assert_uint_eq(point, r.points);
    ph_state_free(state);
    ph_integrator_free(it);
    ph_scenario_free(scenario);
    roundoff_free(&r);
    remove_archive(p);
}

/* ---- Files ------------------------------------------------------------------------------------------- */

static roundoff_report made_report(void)
{
    static const char *const names[] = {"spherical-pendulum", "free-rigid-body"};
    const recipe walk = {1e-18, 0, 1e-16};
    tk_random random = {3};
    roundoff_report r = {
        .ensembles = calloc(2, sizeof *r.ensembles), .n = 2, .command = "polhode bench roundoff"};
    surroundings_describe(&r.run.where);
    r.run.where.seconds = 12;
    for (size_t i = 0; i < 2; i++) {
        roundoff *e = &r.ensembles[i];
        *e = ensemble(names[i], 12, 10000000);
        e->cpu_seconds = 100 * (double)(i + 1);
        for (size_t k = 0; k < e->quantities; k++) {
            make(e, &e->series[k], &walk, &random);
            e->series[k].errors[3] = NAN; /* a member that has not come */
        }
        for (size_t k = 0; k < e->members; k++)
            e->largest_constraint[k] = k ? 1e-16 * (double)k : NAN;
    }
    return r;
}

TEST(what_is_written_is_read_again)
{
    ph_error err;
    roundoff_report r = made_report(), again = {.n = 0}, third = {.n = 0};
    ck_assert_msg(bench_write(&roundoff_kind, &r.run, io_folder(), &err) == PH_OK, "%s", err.message);
    ck_assert_msg(roundoff_read(&again, io_path("roundoff.json"), &err) == PH_OK, "%s", err.message);
    ck_assert(again.n == 2 && !strcmp(again.command, r.command) &&
              !strcmp(again.run.where.date, r.run.where.date) &&
              !strcmp(again.run.where.machine, r.run.where.machine) && again.run.where.seconds == 12);
    for (size_t i = 0; i < 2; i++) {
        const roundoff *a = &r.ensembles[i], *b = &again.ensembles[i];
        ck_assert_double_eq(b->cpu_seconds, 100 * (double)(i + 1));
        ck_assert(!strcmp(a->name, b->name) && !strcmp(a->method, b->method) && a->h == b->h &&
                  a->stages == b->stages);
        ck_assert(a->points == b->points && a->quantities == b->quantities && a->members == b->members);
        ck_assert_mem_eq(a->steps, b->steps, a->points * sizeof(double));
        for (size_t k = 0; k < a->quantities; k++)
            for (size_t j = 0; j < a->points * a->members; j++) {
                const double x = a->series[k].errors[j], y = b->series[k].errors[j];
                ck_assert((isnan(x) && isnan(y)) || fabs(x - y) <= 1e-4 * fabs(x));
            }
        ck_assert(isnan(b->largest_constraint[0]) && fabs(b->largest_constraint[11] - 1.1e-15) < 1e-19);
    }
    /* and from then on nothing changes */
    char *csv, *json, *words = roundoff_words(&again.ensembles[1]);
    ck_assert(bench_write(&roundoff_kind, &again.run, io_folder(), &err) == PH_OK);
    csv = io_get("roundoff.csv");
    json = io_get("roundoff.json");
    ck_assert(roundoff_read(&third, io_path("roundoff.json"), &err) == PH_OK);
    ck_assert(bench_write(&roundoff_kind, &third.run, io_folder(), &err) == PH_OK);
    io_check_content("roundoff.csv", csv);
    io_check_content("roundoff.json", json);
    ck_assert(strstr(words, "momentum about e3 after 1e+07 steps, 12 members") &&
              strstr(words, "a random walk"));
    free(words);
    free(csv);
    free(json);
    roundoff_report_free(&r);
    roundoff_report_free(&again);
    roundoff_report_free(&third);
}

TEST(what_is_no_such_file_is_refused)
{
    static const struct {
        const char *old, *new, *says;
    } rows[] = {{"\"polhode_bench_roundoff\": 1", "\"polhode_bench_roundoff\": 2", "polhode_bench_roundoff"},
                {"\"polhode_bench_roundoff\": 1", "\"polhode\": 1", "polhode_bench_roundoff"},
                {"\"members\": 12", "\"members\": 13", "largest_constraint_error"},
                {"\"members\": 12", "\"members\": -1", "members"},
                {"\"members\": 12", "\"members\": \"x\"", "members"},
                {"\"steps\": [ ", "\"steps\": [ 5, ", "errors"},
                {"\"steps\": [ ", "\"steps\": [ \"x\", ", "steps"},
                {"\"quantities\": [", "\"quantities\": [ 1, ", "name"},
                {"\"ensembles\": [", "\"sembles\": [", "ensembles"},
                {"\"h\": 0.01", "\"h\": [ 0.01 ]", "h:"},
                {"\"stages\": 21", "\"stages\": 0", "stages"},
                {"{", "{{", "is not JSON"}};
    ph_error err;
    roundoff_report r = made_report(), again = {.n = 0};
    ck_assert(bench_write(&roundoff_kind, &r.run, io_folder(), &err) == PH_OK);
    roundoff_report_free(&r);
    char *json = io_get("roundoff.json");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *at = strstr(json, rows[i].old);
        ck_assert_msg(at, "%s", rows[i].old);
        char *text = calloc(strlen(json) + 100, 1);
        sprintf(text, "%.*s%s%s", (int)(at - json), json, rows[i].new, at + strlen(rows[i].old));
        io_put("a", text);
        free(text);
        ck_assert_msg(roundoff_read(&again, io_path("a"), &err) == PH_E_PARSE, "%s", rows[i].new);
        ck_assert_msg(strstr(err.message, rows[i].says), "%s: %s", rows[i].new, err.message);
        ck_assert(again.n == 0 && !again.ensembles);
    }
    free(json);
    ck_assert(roundoff_read(&again, io_path("missing"), &err) == PH_E_IO);
}

int main(void)
{
    return tk_run_in("bench roundoff", io_make_folder, remove_files);
}
