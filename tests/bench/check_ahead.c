/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is ahead (bench/ahead), judged by what is known beforehand: prices of made-up points on power laws, a contender that is dominated
 * and never wins, digits of the systems against runs by methods of different families. */
#include "bench/ahead/report.h"

#include "tests/kit/testkit.h"

#include <math.h>
#include <stdlib.h>

static const double infinite = HUGE_VAL;

/* A line with a point; the setting is its number, from 1. */
static void put(ahead_line *l, double seconds, double error)
{
    l->points[l->n] = (ahead_point){
        .setting = (double)(l->n + 1), .status = PH_OK, .error = error, .seconds = seconds, .turns = 1};
    l->n++;
}

/* ---- Prices -------------------------------------------------------------------------------------------------------- */

/* error = c t^-p: what an accuracy costs is (c / accuracy)^(1/p), whatever the points are, and the step follows its own power. */
TEST_EACH(prices_on_a_power_law, 4)
{
    static const double powers[] = {2, 4, 8, 16};
    const double p = powers[_i], c = 1e-13;
    ahead_line l = {.label = "made"};
    for (int k = 0; k < 9; k++) {
        const double t = 1e-4 * pow(1.3 + 0.1 * (k % 3), k);
        put(&l, t, c * pow(t, -p));
        l.points[k].setting = 3 / t; /* a step */
    }
    const double first = l.points[0].error, last = l.points[8].error;
    for (int k = 0; k <= 20; k++) {
        const double accuracy = first * pow(last / first, k / 20.0) * (1 + 1e-12);
        const ahead_price price = ahead_cost(&l, accuracy);
        const double t = pow(c / accuracy, 1 / p);
        ck_assert_double_eq_tol(price.seconds, fmax(t, l.points[0].seconds), 1e-9 * t);
        ck_assert_double_eq_tol(price.setting, 3 / price.seconds, 1e-9 * price.setting);
        ck_assert_str_eq(price.label, "made");
    }
    /* nothing is extrapolated: a coarser accuracy costs what the cheapest point does, a finer one has no price */
    ck_assert_double_eq(ahead_cost(&l, 100 * first).seconds, l.points[0].seconds);
    ck_assert(ahead_cost(&l, 0.99 * last).seconds == infinite && !ahead_cost(&l, 0.99 * last).label);
}

/* A point that is above a chord of others is not on the hull; runs that failed have no part; an error of 0 is a point. */
TEST(prices_are_on_the_hull)
{
    ahead_line l = {.label = "made"};
    put(&l, 1, 1e-2);
    put(&l, 50, 1e-4); /* worse than the chord, on which it would cost 10 */
    put(&l, 100, 1e-6);
    put(&l, 1e-3, 1e-12);
    l.points[3].status = PH_E_NO_SOLUTION;
    put(&l, 1e-3, NAN);
    ck_assert_double_eq_tol(ahead_cost(&l, 1e-4).seconds, 10, 1e-12);
    ck_assert_double_eq_tol(ahead_cost(&l, 1e-6).seconds, 100, 1e-12);
    ck_assert(!ahead_cost(&l, 1e-7).label);
    put(&l, 1000, 0);
    ck_assert_double_eq_tol(ahead_cost(&l, 1e-17).seconds, 1000, 1e-9);
}

/* For each point of the worse contender the better one has a point that is as good and not slower: the worse one is nowhere ahead,
 * wherever its points are. */
TEST_EACH(what_is_dominated_is_never_ahead, 40)
{
    tk_random random = {(uint64_t)_i + 1};
    ahead_line two[2] = {{.label = "better", .ours = _i % 2}, {.label = "worse", .ours = !(_i % 2)}};
    ahead a = {.lines = two, .n = 2};
    for (int k = 0; k < 12; k++) {
        const double t = pow(10, tk_uniform(&random, -5, -1)), e = pow(10, tk_uniform(&random, -15, -1));
        put(&two[0], t, e);
        if (k % 3 == 0)
            put(&two[0], pow(10, tk_uniform(&random, -5, -1)), pow(10, tk_uniform(&random, -15, -1)));
        put(&two[1], t * pow(10, tk_uniform(&random, 0, 1)), e * pow(10, tk_uniform(&random, 0, 2)));
    }
    ahead_judge(&a);
    for (size_t k = 0; k < AHEAD_LEVELS; k++) {
        const ahead_level *level = &a.levels[k];
        const double better = ahead_cost(&two[0], level->accuracy).seconds,
                     worse = ahead_cost(&two[1], level->accuracy).seconds;
        ck_assert_double_le(better, worse * (1 + 1e-12));
        ck_assert(level->standing != (two[0].ours ? AHEAD_MISSING : AHEAD_ALONE));
        if (isfinite(worse) && better < 0.999 * worse)
            ck_assert_int_eq(level->standing, two[0].ours ? AHEAD_LEADS : AHEAD_BEHIND);
    }
}

/* ---- Standings ----------------------------------------------------------------------------------------------------- */

TEST(standings)
{
    ahead_line three[3] = {
        {.label = "ours", .ours = true}, {.label = "slow", .ours = true}, {.label = "code"}};
    ahead_case of = {.name = "made", .words = "made up", .truth = "made"};
    ahead a = {.of = &of, .name = "made", .words = "made up", .time = 1, .lines = three, .n = 3};
    ahead_report r = {.run = {.n_items = 1, .made = 1}, .systems = &a};
    /* 1 ms to 1e-8, 2 ms to 1e-12; the code .5 ms to 1e-5, then 4 ms, to 1e-10; nobody reaches 1e-13 */
    put(&three[0], 1e-3, 1e-8);
    put(&three[0], 2e-3, 1e-12);
    put(&three[1], 5e-3, 1e-12);
    put(&three[2], 5e-4, 1e-5);
    put(&three[2], 4e-3, 1e-10);
    ahead_judge(&a);
    static const ahead_standing expected[AHEAD_LEVELS] = {
        AHEAD_BEHIND, AHEAD_BEHIND, AHEAD_BEHIND, AHEAD_BEHIND, AHEAD_LEADS,  AHEAD_LEADS,
        AHEAD_LEADS,  AHEAD_LEADS,  AHEAD_ALONE,  AHEAD_ALONE,  AHEAD_NOBODY, AHEAD_NOBODY};
    for (size_t k = 0; k < AHEAD_LEVELS; k++) {
        ck_assert_double_eq_tol(a.levels[k].accuracy, pow(10, -3 - (double)k), 1e-12 * a.levels[k].accuracy);
        ck_assert_int_eq(a.levels[k].standing, expected[k]);
    }
    ck_assert_double_eq_tol(a.levels[0].ratio, 0.5, 1e-12);
    ck_assert_double_eq_tol(a.levels[7].ratio, 4 / sqrt(2), 1e-9); /* 1e-10 is half-way from 1e-8 to 1e-12 */
    ck_assert(isnan(a.levels[8].ratio) && isnan(a.levels[11].ratio));
    ck_assert_str_eq(a.levels[3].ours.label, "ours");
    ck_assert_uint_eq(ahead_alike(&a, 4), 4);
    char *words = ahead_words(&a), *summary = ahead_summary(&r);
    ck_assert_ptr_nonnull(
        strstr(words, "Behind at 1e-03 ... 1e-06 by 1.3 to 2 (1e-03: ours, 1 ms; code, 0.5 ms)."));
    ck_assert_ptr_nonnull(strstr(words, "Ahead at 1e-11 ... 1e-12: no code of general use reaches it"));
    ck_assert_ptr_nonnull(strstr(words, "No contender reaches 1e-13 ... 1e-14."));
    ck_assert_ptr_nonnull(strstr(summary, "Behind on: made at 1e-03 ... 1e-06 by up to 2.\n"));
    ck_assert_ptr_nonnull(strstr(summary, "Ahead at 6 of the 10 accuracies"));
    free(words);
    free(summary);
}

/* ---- Systems ------------------------------------------------------------------------------------------------------- */

/* The digits have nothing to do with the methods: those of different families come as close to them as rounding lets them, which
 * grows to some thousand units in the last place on the way where steps are many. Which of them preserve structure is what their claims say. */
TEST_EACH(digits_of_the_systems, AHEAD_SYSTEMS)
{
    static const double reached[] = {1e-13, 2e-12, 3e-13, 6e-13, 2e-13, 1e-13, 1e-11, 3e-13, 1e-13, 1e-13};
    static const char *const names[] = {"rk8", "gauss", "spin-splitting:order=8"};
    const ahead_plan plan = {.budget = 1e-3, .limit = 0.2};
    ahead a = {.of = NULL};
    tk_ok(ahead_open(&a, &ahead_cases[_i], names, 3, NULL));
    tk_ok(ahead_make(&a, &plan, NULL));
    ck_assert_uint_ge(a.n, 2);
    for (size_t i = 0; i < a.n; i++) {
        double least = 1;
        for (size_t k = 0; k < a.lines[i].n; k++)
            least = fmin(least, a.lines[i].points[k].status ? 1 : a.lines[i].points[k].error);
        printf("%s, %s: %.1e\n", a.name, a.lines[i].label, least);
        ck_assert_int_eq(a.lines[i].ours, strcmp(a.lines[i].label, "rk8") != 0);
        ck_assert_double_le(least, reached[_i]);
    }
    ahead_free(&a);
}

int main(void)
{
    return tk_run("ahead");
}
