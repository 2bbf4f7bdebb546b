/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule of growth (bench/common/growth.h) on made series whose law is known, with many seeds: how often it gives a wrong word. */
#include "tests/kit/testkit.h"

#include "bench/common/growth.h"

#include <math.h>

static const double pi = 3.141592653589793;

enum { LAWS = LAW_UNCLEAR + 1 };

/* A series as it is made, row by row. */
typedef struct made {
    tk_random random;
    double rows, phase, wave, walk; /* wave: correlated noise */
} made;

static double swing(const made *m, double t, double period)
{
    return cos(2 * pi * t / period + m->phase);
}

/* Of unit variance, with that correlation time [rows]. */
static double correlated(made *m, double time)
{
    const double keep = exp(-1 / time);
    return m->wave = keep * m->wave + sqrt(1 - keep * keep) * tk_normal(&m->random);
}

static double walk(made *m)
{
    return m->walk += tk_normal(&m->random) / sqrt(m->rows);
}

/* clang-format off */
static double fast_swing(made *m, double t) { return swing(m, t, 17) + 0.3 * swing(m, t, 7.7); }
static double slow_swing(made *m, double t) { return swing(m, t, m->rows / 20); }
static double from_zero(made *m, double t) { return 1 - cos(2 * pi * 30 * t / m->rows); }
static double noise(made *m, double t) { (void)t; return tk_normal(&m->random); }
static double long_tails(made *m, double t) { (void)t; return tk_normal(&m->random) * exp(tk_normal(&m->random)); }
static double rare_peaks(made *m, double t) { (void)t; return pow(tk_uniform(&m->random, 0, 1) + 1e-12, -1.0 / 3) - 1; }
static double chaos(made *m, double t) { (void)t; return correlated(m, m->rows / 100); }
static double bursts(made *m, double t) { (void)t; return tk_normal(&m->random) * exp(correlated(m, m->rows / 100)); }
static double random_walk(made *m, double t) { (void)t; return walk(m); }
static double walk_and_swing(made *m, double t) { return walk(m) + 0.1 * swing(m, t, 17); }
static double root(made *m, double t) { (void)m; return sqrt(t); }
static double line(made *m, double t) { (void)m; return -t; }
static double line_and_swing(made *m, double t) { return t / m->rows + 0.3 * swing(m, t, 7.3); }
static double line_and_noise(made *m, double t) { return t / m->rows + 0.1 * tk_normal(&m->random); }
static double wider_swing(made *m, double t) { return t * swing(m, t, 2.9); }
static double square(made *m, double t) { (void)m; return t * t; }
/* clang-format on */

#define ONE(law) (1u << (law))
#define BOUNDED (ONE(LAW_BOUNDED) | ONE(LAW_UNCLEAR))
#define WALK (ONE(LAW_WALK) | ONE(LAW_GROWS) | ONE(LAW_UNCLEAR))
#define LINE (ONE(LAW_LINEAR) | ONE(LAW_GROWS) | ONE(LAW_UNCLEAR))

/* A word outside `allowed` is wrong: no more than so many in a hundred. right: at least so many in a hundred have that law. The bounds are
 * about twice, and half, of what 20 000 series of each kind have. */
static const struct series {
    const char *name;
    double (*next)(made *m, double t);
    unsigned allowed;
    double wrong;
    growth_law law;
    double right;
} all[] = {{"fast swing", fast_swing, BOUNDED, 0.1, LAW_BOUNDED, 99},
           {"slow swing", slow_swing, BOUNDED, 0.1, LAW_BOUNDED, 99},
           {"swing from zero", from_zero, BOUNDED, 0.1, LAW_BOUNDED, 99},
           {"noise", noise, BOUNDED, 0.5, LAW_BOUNDED, 95},
           {"long tails", long_tails, BOUNDED, 0.5, LAW_BOUNDED, 95},
           {"rare peaks", rare_peaks, BOUNDED, 0.5, LAW_BOUNDED, 95},
           {"chaos", chaos, BOUNDED, 0.5, LAW_BOUNDED, 80},
           {"bursts", bursts, BOUNDED, 0.5, LAW_BOUNDED, 80},
           {"random walk", random_walk, WALK, 12, LAW_WALK, 15},
           {"walk and swing", walk_and_swing, WALK, 15, LAW_WALK, 10},
           {"root", root, ONE(LAW_POWER), 0.1, LAW_POWER, 99},
           {"line", line, ONE(LAW_LINEAR), 0.1, LAW_LINEAR, 99},
           {"line and swing", line_and_swing, LINE, 1, LAW_LINEAR, 60},
           {"line and noise", line_and_noise, LINE, 1, LAW_LINEAR, 90},
           {"wider swing", wider_swing, LINE, 3, LAW_LINEAR, 90},
           {"square", square, ONE(LAW_POWER), 0.1, LAW_POWER, 99}};
enum { KINDS = sizeof all / sizeof all[0] };

static growth_judgement judge(const struct series *s, double rows, uint64_t seed)
{
    made m = {.random = {seed * 0x9e3779b97f4a7c15u}, .rows = rows};
    growth_blocks b = {.n = 0};
    m.phase = tk_uniform(&m.random, 0, 2 * pi);
    m.wave = tk_normal(&m.random);
    for (double t = 1; t <= rows; t++)
        growth_enter(&b, s->next(&m, t));
    return growth_find_law(&b);
}

START_TEST(words_of_made_series)
{
    static const double lengths[] = {300, 2000};
    const struct series *s = &all[_i];
    const int seeds = tk_short() ? 40 : (tk_thorough() ? 4000 : 400);
    for (size_t k = 0; k < 2; k++) {
        int count[LAWS] = {0}, wrong = 0;
        for (int seed = 1; seed <= seeds; seed++) {
            const growth_judgement j = judge(s, lengths[k], (uint64_t)seed);
            count[j.law]++;
            wrong += !(s->allowed >> j.law & 1);
        }
        printf(
            "%s, %g rows, %d seeds: bounded %d, walk %d, linear %d, power %d, other growth %d, unclear %d; wrong %d\n",
            s->name, lengths[k], seeds, count[LAW_BOUNDED], count[LAW_WALK], count[LAW_LINEAR],
            count[LAW_POWER], count[LAW_GROWS], count[LAW_UNCLEAR], wrong);
        /* three standard deviations of a count for chance */
        const double most = s->wrong / 100 * seeds, least = s->right / 100 * seeds;
        ck_assert_msg(wrong <= most + 3 * sqrt(most), "%s: %d of %d wrong", s->name, wrong, seeds);
        ck_assert_msg(count[s->law] >= least - 3 * sqrt(least), "%s: %d of %d right", s->name, count[s->law],
                      seeds);
    }
}
END_TEST

/* Exact powers, to the accuracy that parts of an eighth allow, with an uncertainty of that size. */
START_TEST(powers)
{
    static const double exponents[] = {0.2, 0.5, 1.5, 2};
    for (size_t i = 0; i < 4; i++) {
        growth_blocks b = {.n = 0};
        for (int t = 1; t <= 5000; t++)
            growth_enter(&b, 1e-9 * pow(t, exponents[i]));
        const growth_judgement j = growth_find_law(&b);
        ck_assert_int_eq(j.law, LAW_POWER);
        ck_assert_msg(fabs(j.power - exponents[i]) < 0.02 * (1 + exponents[i]), "%g: %g", exponents[i],
                      j.power);
        ck_assert(j.uncertainty < 0.05);
    }
}
END_TEST

/* One peak, a series of zeros, a short one: no growth is made of them. */
START_TEST(what_is_no_series)
{
    growth_blocks peak = {.n = 0}, zero = {.n = 0}, few = {.n = 0};
    for (int t = 0; t < 1000; t++) {
        growth_enter(&peak, t == 990 ? 50 : 1);
        growth_enter(&zero, 0);
        if (t < GROWTH_LEAST - 1)
            growth_enter(&few, t);
    }
    ck_assert_int_eq(growth_find_law(&peak).law, LAW_BOUNDED);
    ck_assert_int_eq(growth_find_law(&zero).law, LAW_BOUNDED);
    ck_assert_int_eq(growth_find_law(&few).law, LAW_SHORT);
}
END_TEST

/* Blocks have the largest of all their rows, wherever it stands, in constant memory. */
START_TEST(blocks)
{
    for (int rows = 1; rows < 5000; rows += rows < 600 ? 1 : 97) {
        growth_blocks b = {.n = 0};
        for (int t = 1; t <= rows; t++)
            growth_enter(&b, -t);
        ck_assert_uint_le(b.n, GROWTH_BLOCKS);
        ck_assert_int_eq((int64_t)b.n * b.each + b.inside, rows);
        for (size_t i = 0; i < b.n; i++)
            ck_assert(b.most[i] == (double)((int64_t)(i + 1) * b.each));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("growth");
    TCase *words = tcase_create("words"), *rest = tcase_create("rest");
    tcase_set_timeout(words, 120);
    tcase_add_loop_test(words, words_of_made_series, 0, KINDS);
    tcase_add_test(rest, powers);
    tcase_add_test(rest, what_is_no_series);
    tcase_add_test(rest, blocks);
    suite_add_tcase(suite, words);
    suite_add_tcase(suite, rest);
    return tk_main(suite);
}
