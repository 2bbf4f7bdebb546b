/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule of growth (bench/common/growth.h) on made series whose law is known: each for itself, and with many seeds, how often it gives a wrong
 * word; and on energy errors of runs, whose right word is that of runs eight times as long, and of theory. */
#include "tests/kit/testkit.h"
#include <polhode/polhode.h>

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
           {"random walk", random_walk, WALK, 7, LAW_WALK, 1.5},
           {"walk and swing", walk_and_swing, WALK, 13, LAW_WALK, 1},
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

TEST_EACH(words_of_made_series, KINDS)
{
    static const double lengths[] = {300, 2000};
    const struct series *s = &all[_i];
    const int many = s->right < 10 ? 10 : 1; /* what is rare takes more of them */
    const int seeds = many * (tk_short() ? 40 : (tk_thorough() ? 4000 : 400));
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

/* Exact powers, to the accuracy that parts of an eighth allow, with an uncertainty of that size. */
TEST(powers)
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

/* ---- Single series ----------------------------------------------------------------------------------------- */

/* s in (0, 1]: the share of the run. */
/* clang-format off */
static double t_01(made *m, double s) { (void)m; return pow(s, 0.1); }
static double t_03(made *m, double s) { (void)m; return pow(s, 0.3); }
static double t_07(made *m, double s) { (void)m; return pow(s, 0.7); }
static double t_15(made *m, double s) { (void)m; return pow(s, 1.5); }
static double t_28(made *m, double s) { (void)m; return pow(s, 2.8); }
static double t_28_noisy(made *m, double s) { return pow(s, 2.8) * exp(0.3 * tk_normal(&m->random)); }
static double t_28_chaotic(made *m, double s) { return pow(s, 2.8) * (1 + 0.5 * sin(58 * s)) * exp(0.5 * correlated(m, m->rows / 60)); }
static double t_2_chaotic(made *m, double s) { return s * s * exp(0.5 * correlated(m, m->rows / 60)); }
static double line_and_slow_swing(made *m, double s) { (void)m; return s + 0.08 * sin(38 * s); }
static double exponential(made *m, double s) { (void)m; return exp(6 * s); }
static double blow_up(made *m, double s) { (void)m; return 1e-3 * s + exp(600 * fmax(0, s - 0.7)); }
static double logarithm(made *m, double s) { return log(1 + m->rows * s); }
static double soon_saturated(made *m, double s) { (void)m; return 1 - exp(-40 * s); }
static double late_saturated(made *m, double s) { (void)m; return 1 - exp(-2 * s); }
static double step_in_the_middle(made *m, double s) { return (s < 0.55 ? 1 : 5) + 0.1 * swing(m, s, 0.013); }
static double step_at_the_end(made *m, double s) { return (s < 0.96 ? 1 : 100) + 0.1 * swing(m, s, 0.013); }
static double staircase(made *m, double s) { (void)m; return floor(60 * s); }
static double swing_100(made *m, double s) { return swing(m, s, 0.01); }
static double swing_12(made *m, double s) { (void)m; return 1 - cos(24 * pi * s); }
static double swing_2(made *m, double s) { (void)m; return 1 - cos(4 * pi * s); }
static double swing_half(made *m, double s) { (void)m; return 1 - cos(pi * s); }
static double beats_3(made *m, double s) { (void)m; return cos(100 * pi * s) + cos(106 * pi * s); }
static double beats_30(made *m, double s) { (void)m; return cos(400 * pi * s) + cos(460 * pi * s) + 0.5 * cos(417 * pi * s); }
static double decay(made *m, double s) { return 5 * exp(-8 * s) + 1 + 0.1 * swing(m, s, 0.017); }
static double drifting_walk(made *m, double s) { return 6 * s + walk(m); }
static double swing_over_drift(made *m, double s) { return fabs(swing(m, s, 0.011)) + 0.5 * s; }
static double swing_over_slow_drift(made *m, double s) { return fabs(swing(m, s, 0.011)) + 0.25 * s; }
static double slow_wave(made *m, double s) { return fabs(swing(m, s, 0.011)) * (1 + 0.2 * sin(3.5 * s - 1.6)); }
static double constant(made *m, double s) { (void)m; (void)s; return 3e-7; }
static double nothing(made *m, double s) { (void)m; (void)s; return 0; }
static double units_of_rounding(made *m, double s) { (void)s; return 1.1e-16 * floor(3 * tk_uniform(&m->random, 0, 1)); }
static double tiny_line(made *m, double s) { (void)m; return 1e-300 * s; }
static double nan_at_the_end(made *m, double s) { return s < 0.9 ? swing(m, s, 0.01) : (double)NAN; }
static double inf_at_the_end(made *m, double s) { (void)m; return s < 0.9 ? s : (double)INFINITY; }
/* clang-format on */

#define GROWS (ONE(LAW_GROWS) | ONE(LAW_POWER))

/* The right words of each; `power`: its exponent where it is one. */
static const struct single {
    const char *name;
    double (*next)(made *m, double s);
    unsigned right;
    double power;
} singles[] = {{"t^0.1", t_01, ONE(LAW_POWER), 0.1},
               {"t^0.3", t_03, ONE(LAW_POWER), 0.3},
               {"t^0.7", t_07, ONE(LAW_POWER), 0.7},
               {"t^1.5", t_15, ONE(LAW_POWER), 1.5},
               {"t^2.8", t_28, ONE(LAW_POWER), 2.8},
               {"t^2.8, noisy", t_28_noisy, GROWS, 2.8},
               {"t^2.8, chaotic", t_28_chaotic, GROWS | ONE(LAW_UNCLEAR), NAN},
               {"t^2, chaotic", t_2_chaotic, GROWS | ONE(LAW_UNCLEAR), NAN},
               {"line and slow swing", line_and_slow_swing, ONE(LAW_LINEAR) | ONE(LAW_GROWS), NAN},
               {"exponential", exponential, ONE(LAW_GROWS), NAN},
               {"blow up", blow_up, ONE(LAW_GROWS) | ONE(LAW_UNCLEAR), NAN},
               /* from an eighth of the run on, it is like s^0.2 to a percent */
               {"logarithm", logarithm, GROWS | ONE(LAW_UNCLEAR), NAN},
               {"saturated soon", soon_saturated, ONE(LAW_BOUNDED), NAN},
               {"saturated late", late_saturated, GROWS | ONE(LAW_UNCLEAR), NAN},
               {"step in the middle", step_in_the_middle, ONE(LAW_GROWS) | ONE(LAW_UNCLEAR), NAN},
               {"step at the end", step_at_the_end, ONE(LAW_UNCLEAR), NAN},
               {"staircase", staircase, ONE(LAW_LINEAR), NAN},
               {"100 periods", swing_100, ONE(LAW_BOUNDED), NAN},
               {"12 periods", swing_12, ONE(LAW_BOUNDED), NAN},
               {"2 periods", swing_2, ONE(LAW_UNCLEAR), NAN},
               {"half a period", swing_half, GROWS | ONE(LAW_UNCLEAR), NAN},
               {"3 beats", beats_3, ONE(LAW_UNCLEAR), NAN},
               {"30 beats", beats_30, ONE(LAW_BOUNDED), NAN},
               {"decay", decay, BOUNDED, NAN},
               {"walk with drift", drifting_walk, ONE(LAW_LINEAR) | ONE(LAW_GROWS), NAN},
               {"swing over drift", swing_over_drift, ONE(LAW_GROWS), NAN},
               {"swing over slow drift", swing_over_slow_drift, ONE(LAW_GROWS) | ONE(LAW_UNCLEAR), NAN},
               {"slow wave", slow_wave, GROWS | ONE(LAW_UNCLEAR), NAN},
               {"constant", constant, ONE(LAW_BOUNDED), NAN},
               {"zero", nothing, ONE(LAW_BOUNDED), NAN},
               {"units of rounding", units_of_rounding, BOUNDED, NAN},
               {"tiny line", tiny_line, ONE(LAW_LINEAR), NAN},
               /* rows without a finite number are left out; that there are such is said elsewhere */
               {"NaN at the end", nan_at_the_end, ONE(LAW_BOUNDED), NAN},
               {"infinite at the end", inf_at_the_end, ONE(LAW_LINEAR), NAN}};

static const char *const law_words[] = {"short", "bounded", "walk", "linear", "power", "grows", "unclear"};

TEST_EACH(words_of_single_series, sizeof singles / sizeof *singles)
{
    const struct single *s = &singles[_i];
    for (double rows = 250; rows <= 4000; rows *= 4)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            made m = {.random = {seed * 0x9e3779b97f4a7c15u}, .rows = rows};
            growth_blocks b = {.n = 0};
            m.phase = tk_uniform(&m.random, 0, 2 * pi);
            m.wave = tk_normal(&m.random);
            for (double t = 1; t <= rows; t++)
                growth_enter(&b, s->next(&m, t / rows));
            const growth_judgement j = growth_find_law(&b);
            ck_assert_msg(s->right >> j.law & 1, "%s, %g rows, seed %d: %s %g", s->name, rows, (int)seed,
                          law_words[j.law], j.power);
            if (j.law == LAW_POWER &&
                isfinite(s->power)) /* noise makes the largest of a block larger by a factor */
                ck_assert_msg(fabs(j.power - s->power) < 0.02 + 0.1 * s->power + 2 * j.uncertainty, "%s: %g",
                              s->name, j.power);
        }
}

/* ---- Runs -------------------------------------------------------------------------------------------------- */

/* Energy errors of presets of models. */
static const struct real {
    const char *model, *preset, *method, *order;
    double h;
    int64_t steps, every;
    unsigned right;
    double least, most; /* of its power, where it is one */
    bool thorough;      /* does it take long? */
    bool chaotic;       /* the word is one of eight runs whose steps differ in the 12th digit */
} reals[] = {
    /* chaotic chains, each link of which rk4 damps or drives: eight times the run, and the largest error is 100 to 10^200 times as large */
    {"chain-pendulum", "curved", "rk4", NULL, 0.002, 25000, 25, GROWS, 1.8, 4, true, true},
    {"rigid-chain", "curved", "rk4", NULL, 0.002, 25000, 25, GROWS, 1.5, 4, true, true},
    {"rigid-chain", "curved", "rk4-projected", NULL, 0.002, 25000, 25, GROWS, 1.5, 3, true, true},
    {"elastic-chain", "curved", "rk4", NULL, 0.002, 10000, 10, GROWS, 2, 4, true, true},
    {"dipole-array", "twisted", "rk4", NULL, 0.05, 10000, 10, GROWS, 1.8, 3, true, true},
    {"double-spherical-pendulum", "two-spheres", "rk4", NULL, 0.02, 25000, 25, GROWS, 1.5, 2.5, false},
    /* a line with a slow oscillation, which eight times the run shows as a line */
    {"heavy-top", "slow", "rk4", NULL, 0.02, 10000, 10, ONE(LAW_LINEAR) | ONE(LAW_GROWS), NAN, NAN, false},
    {"heavy-top", "slow", "rk4", NULL, 0.02, 80000, 80, ONE(LAW_LINEAR), NAN, NAN, true},
    /* periodic motions: each period adds the same */
    {"kepler", "ellipse", "rk4", NULL, 0.02, 10000, 10, ONE(LAW_LINEAR), NAN, NAN, false},
    {"pendulum-3d", "pushed", "rk4", NULL, 0.02, 10000, 10, ONE(LAW_LINEAR), NAN, NAN, false},
    {"free-rigid-body", "tumbling", "rk4", NULL, 0.02, 10000, 10, ONE(LAW_LINEAR), NAN, NAN, false},
    {"n-body", "figure-eight", "rk4", NULL, 0.02, 10000, 10, ONE(LAW_LINEAR), NAN, NAN, false},
    {"point-vortices", "ring", "rk4", NULL, 0.2, 10000, 10, ONE(LAW_LINEAR), NAN, NAN, false},
    {"spherical-pendulum", "tilted", "rk4-projected", NULL, 0.05, 10000, 10, ONE(LAW_LINEAR), NAN, NAN,
     false},
    /* |q| drifts in proportion to time, and the energy with its square */
    {"coupled-pendula", "beating", "rk4", NULL, 0.02, 10000, 10, ONE(LAW_POWER), 1.9, 2.1, false},
    {"sphere-n-body", "orbits", "rk4", NULL, 0.002, 10000, 10, ONE(LAW_POWER), 1.9, 2.1, false},
    /* the oscillation of an orbit hides the line that eight times the run shows: it is not bounded */
    {"sphere-n-body", "orbits", "rk4-projected", NULL, 0.002, 10000, 10,
     ONE(LAW_UNCLEAR) | ONE(LAW_LINEAR) | ONE(LAW_GROWS), NAN, NAN, false},
    {"sphere-n-body", "orbits", "rk4-projected", NULL, 0.002, 80000, 80, ONE(LAW_LINEAR), NAN, NAN, true},
    /* symplectic, short steps: bounded in eight times the run */
    {"heavy-top", "slow", "variational", "2", 0.02, 10000, 10, ONE(LAW_BOUNDED), NAN, NAN, false},
    {"kepler", "ellipse", "variational", "2", 0.02, 10000, 10, ONE(LAW_BOUNDED), NAN, NAN, false},
    {"n-body", "figure-eight", "variational", "2", 0.02, 10000, 10, ONE(LAW_BOUNDED), NAN, NAN, false},
    {"pendulum-3d", "pushed", "variational", "6", 0.02, 10000, 10, ONE(LAW_BOUNDED), NAN, NAN, false},
    {"spherical-pendulum", "tilted", "variational", "6", 0.05, 10000, 10, ONE(LAW_BOUNDED), NAN, NAN, false},
    {"double-spherical-pendulum", "two-spheres", "variational", "2", 0.02, 25000, 25, ONE(LAW_BOUNDED), NAN,
     NAN, true},
    /* rounding of an error that is 0: a few units in the last place */
    {"free-rigid-body", "tumbling", "variational", "6", 0.02, 10000, 10, BOUNDED, NAN, NAN, false},
    /* bounded, as eight times the run shows, but by a wave that is longer than the run */
    {"binary", "circular", "variational", "2", 500, 10000, 10, ONE(LAW_UNCLEAR), NAN, NAN, true},
    /* chaotic: seldom large, or larger by and by while faster motions get their share of the energy */
    {"dipole-array", "twisted", "variational", "6", 0.05, 10000, 10, BOUNDED, NAN, NAN, true},
    {"elastic-chain", "curved", "variational", "2", 0.002, 10000, 10, ONE(LAW_UNCLEAR) | ONE(LAW_GROWS), NAN,
     NAN, true}};

typedef struct seen {
    ph_diagnostics *diagnostics;
    double first;
    growth_blocks blocks;
} seen;

static ph_status see(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    seen *s = self;
    ph_measures m;
    (void)total;
    (void)err;
    if (ph_diagnostics_measure(s->diagnostics, state, &m))
        return PH_E_DIVERGED;
    if (done)
        growth_enter(&s->blocks, m.energy - s->first);
    else
        s->first = m.energy;
    return PH_OK;
}

static growth_judgement judge_run(const struct real *r, int member)
{
    char text[400];
    ph_error err;
    ph_scenario *scenario;
    ph_integrator *it;
    ph_state *state;
    ph_run_report report;
    seen s = {.first = 0};
    const int n = snprintf(
        text, sizeof text,
        "polhode: 1\nmodel: %s\ninitial: {preset: %s}\nmethod: {name: %s%s%s}\nstep: %.17g\nsteps: %lld\n",
        r->model, r->preset, r->method, r->order ? ", order: " : "", r->order ? r->order : "",
        r->h * (1 + 1e-12 * member), (long long)r->steps);
    tk_ok(ph_scenario_parse(text, (size_t)n, "run", &scenario, &err));
    tk_ok(ph_scenario_integrator(scenario, NULL, &it, &err));
    tk_ok(ph_state_create(it, &state, &err));
    tk_ok(ph_state_set(it, state, 0, ph_scenario_configuration(scenario), ph_scenario_momentum(scenario),
                       PH_STRICT, &err));
    tk_ok(ph_diagnostics_create(ph_scenario_system(scenario), &s.diagnostics, &err));
    const ph_observer observer = {see, &s};
    const ph_run_plan plan = {.steps = r->steps,
                              .output = {.kind = PH_EVERY_STEPS, .steps = r->every},
                              .observers = &observer,
                              .n_observers = 1};
    tk_ok(ph_run(it, state, &plan, &report, &err));
    ph_diagnostics_free(s.diagnostics);
    ph_state_free(state);
    ph_integrator_free(it);
    ph_scenario_free(scenario);
    return growth_find_law(&s.blocks);
}

/* A chaotic motion is another one for each rounding: no run of eight may have a wrong word, and half of them must have the right one. */
TEST_EACH(words_of_runs, sizeof reals / sizeof *reals)
{
    const struct real *r = &reals[_i];
    const int members = r->chaotic ? 8 : 1;
    const unsigned allowed = r->chaotic ? r->right | ONE(LAW_UNCLEAR) : r->right;
    int right = 0;
    if (r->thorough && !tk_thorough())
        return;
    for (int member = 0; member < members; member++) {
        const growth_judgement j = judge_run(r, member);
        printf("%s, %s %s, %lld steps: %s %.2f\n", r->model, r->method, r->order ? r->order : "",
               (long long)r->steps, law_words[j.law], j.power);
        ck_assert_msg(allowed >> j.law & 1, "%s by %s: %s %g", r->model, r->method, law_words[j.law],
                      j.power);
        if (j.law == LAW_POWER)
            ck_assert_msg(j.power > r->least && j.power < r->most, "%s by %s: t^%g", r->model, r->method,
                          j.power);
        right += r->right >> j.law & 1;
    }
    ck_assert_msg(2 * right >= members, "%s by %s: %d of %d right", r->model, r->method, right, members);
}

/* ---- The rest ---------------------------------------------------------------------------------------------- */

/* One peak is no growth; at the end it may be the beginning of one. A short series has no word. */
TEST(what_is_no_series)
{
    growth_blocks peak = {.n = 0}, last = {.n = 0}, few = {.n = 0}, one = {.n = 0};
    for (int t = 0; t < 1000; t++) {
        growth_enter(&peak, t == 490 ? 50 : 1);
        growth_enter(&last, t == 990 ? 50 : 1);
        if (t < GROWTH_LEAST - 1)
            growth_enter(&few, t);
    }
    growth_enter(&one, 1);
    ck_assert_int_eq(growth_find_law(&peak).law, LAW_BOUNDED);
    ck_assert_int_eq(growth_find_law(&last).law, LAW_UNCLEAR);
    ck_assert_int_eq(growth_find_law(&few).law, LAW_SHORT);
    ck_assert_int_eq(growth_find_law(&one).law, LAW_SHORT);
}

/* Blocks have the largest of all their rows, wherever it stands, in constant memory. */
TEST(blocks)
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

int main(void)
{
    return tk_run("growth");
}
