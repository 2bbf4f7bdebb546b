/* SPDX-License-Identifier: BSD-3-Clause */
/* Compositions: a step equals steps of an integrator of order 2 with the sizes of the stages, on every model
 * and with every kernel; their orders on problem 1 against twenty digits; the plain versions of kernels; the
 * message where a stage has no solution; and the effect of rounding on energy and momentum. (Symplecticity,
 * symmetry and the rest are claims, and tested as such.) */
#include "tests/kit/hostile.h"
#include "tests/kit/known.h"

#include "integrators/shared/compositions.h"
#include "integrators/variational/variational.h"

#include <float.h>
#include <stdbool.h>

enum { MOST = 256, WORDS = 7 };
static const char *const words[WORDS] = {
    "suzuki-5",        "mclachlan-5", "kahan-li-9",           "sofroniou-spaletta-11",
    "suzuki-umeno-15", "kahan-li-17", "sofroniou-spaletta-21"};

static const ph_composition *composition(const char *word)
{
    int order;
    for (double position = 1; position <= WORDS; position++) {
        const ph_composition *c = ph_composition_chosen(0, position, &order);
        if (!strcmp(c->name, word))
            return c;
    }
    ck_abort_msg("there is no composition %s", word);
    return NULL;
}

static void begin(const ph_system *system, const ph_method *method, const char *word, double h,
                  const double *z, const double *zdot, ph_integrator **it, ph_state **state)
{
    tk_start_with(system, method, "composition", word, h, 0.25, z, zdot, it, state);
}

/* ---- Stage by stage ------------------------------------------------------------------------------ */

/* Steps by an integrator of order 2 whose step size is set again for each stage. */
static void by_stages(ph_integrator *it, ph_state *state, const ph_composition *c, double h, int steps)
{
    for (int k = 0; k < steps; k++)
        for (size_t i = 0; i < c->stages; i++) {
            tk_ok(ph_integrator_set_step_size(it, ph_composition_gamma(c, i) * h));
            tk_steps(it, state, 1);
        }
}

/* Compares in units of the largest numbers, over enough steps that all stored increments of earlier steps are
 * used. */
static void compare(const ph_system *system, const char *word, double h, const double *z, const double *zdot)
{
    enum { STEPS = 8 };
    const ph_method *method = ph_method_find(tk_variational(system), NULL);
    TK_BEGIN(it, state, begin, system, method, word, h, z, zdot);
    TK_BEGIN(own, other, begin, system, method, NULL, h, z, zdot);
    tk_steps(it, state, STEPS);
    by_stages(own, other, composition(word), h, STEPS);
    double unit = ph_max_norm(state->p, state->np), length = tk_max(1, ph_max_norm(state->z, state->nz));
    ck_assert_double_gt(tk_max_difference(state->z, z, state->nz), 1e-3); /* it did move */
    ck_assert_double_eq_tol(state->t, 0.25 + STEPS * h, 4e-16);
    ck_assert_double_le(tk_max_difference(state->z, other->z, state->nz) / length, 1e-13);
    if (state->np) /* spins have no momenta */
        ck_assert_double_le(tk_max_difference(state->p, other->p, state->np) / unit, 1e-13);
}

TEST_EACH(stages_are_steps_on_every_model, ph_models())
{
    tk_random r = {50 + (uint64_t)_i};
    const ph_model *model = ph_model_at((size_t)_i);
    TK_OWN(ph_system) *system = tk_model(model->name);
    double z[MOST], zdot[MOST];
    ck_assert_uint_le(ph_space_ambient(ph_system_space(system)), MOST);
    tk_preset(model->name, NULL, 0, NULL, z, zdot);
    const double rate = tk_push(system, &r, z, zdot);
    for (int k = 0; k < WORDS; k++)
        compare(system, words[k], 0.15 / rate, z, zdot);
    compare(system, words[_i % WORDS], -0.1 / rate, z, zdot);
}

/* Kernels with special stages: links in a row, on a cart of so many axes, or a tree. */
typedef struct shape {
    size_t links, axes;
    bool tree;
} shape;

static ph_status nothing(void *user, const double *z, double *U)
{
    (void)user, (void)z;
    *U = 0;
    return PH_OK;
}

static ph_status no_slope(void *user, const double *z, double *dU)
{
    const size_t *nz = user;
    (void)z;
    memset(dU, 0, *nz * sizeof *dU);
    return PH_OK;
}

/* Random links; *other (nullable) <- the same system with a potential of 0, for which the general form of the
 * multipliers is used. */
static ph_system *linked(tk_random *r, const shape *s, ph_system **other)
{
    enum { LINKS = 64 };
    static size_t nz;
    ph_factor factors[LINKS];
    size_t parent[LINKS], n = s->links + (s->axes > 0);
    double length[LINKS], mass[LINKS];
    for (size_t i = 0; i < n; i++) {
        const size_t any = (size_t)tk_uniform(r, 0, (double)i + 0.99);
        factors[i] = i || !s->axes ? (ph_factor){.kind = PH_FACTOR_S2}
                                   : (ph_factor){.kind = PH_FACTOR_R, .d = s->axes};
        parent[i] = s->tree ? (any == i ? PH_NO_INDEX : any) : i ? i - 1 : PH_NO_INDEX;
        length[i] = tk_uniform(r, 0.5, 2);
        mass[i] = tk_uniform(r, 0.5, 2);
    }
    const ph_linkage linkage = {
        .parent = parent, .length = length, .mass = mass, .gravity = {0.3, -0.2, -9.81}};
    TK_OWN(ph_space) *space = tk_space(factors, n);
    ph_system_definition d = {.space = space, .linkage = &linkage};
    ph_system *system = tk_defined(&d);
    if (other) {
        nz = ph_space_ambient(space);
        d.potential = nothing;
        d.gradient = no_slope;
        d.user = &nz;
        tk_ok(ph_system_create(&d, other, NULL));
    }
    return system;
}

/* Blocks of one link and more, lanes without a link, and elimination that keeps its matrix (13 and more). */
static const shape shapes[] = {{1, 0, false}, {1, 1, false},  {1, 2, false},  {2, 0, false},  {2, 1, false},
                               {2, 2, false}, {3, 0, false},  {3, 1, false},  {5, 0, false},  {6, 2, false},
                               {9, 0, false}, {13, 0, false}, {22, 1, false}, {24, 0, false}, {3, 0, true},
                               {7, 0, true},  {16, 0, true},  {40, 0, true}};
enum { SHAPES = sizeof shapes / sizeof shapes[0], FEW = 6 }; /* the first ones are few links */

TEST_EACH(stages_are_steps_of_linkages, SHAPES)
{
    tk_random r = {90 + (uint64_t)_i};
    double z[MOST], zdot[MOST];
    TK_OWN(ph_system) *system = linked(&r, &shapes[_i], NULL);
    for (int k = 0; k < (_i < FEW ? 3 : 1) * WORDS; k++) {
        tk_random_motion(system, &r, z, zdot);
        compare(system, words[k % WORDS], 0.1 / tk_fastest(system, z, zdot), z, zdot);
    }
}

/* Hundreds of steps, with one iteration a stage where steps are short and several where they are not. They
 * equal those of the general form but for rounding; how much rounding errors grow is measured by changing the
 * last digits of the step size. */
TEST_EACH(many_stages_of_linkages, SHAPES)
{
    enum { STEPS = 200 };
    tk_random r = {130 + (uint64_t)_i};
    const ph_method *method = ph_method_find("variational", NULL);
    ph_system *general;
    TK_OWN(ph_system) *system = linked(&r, &shapes[_i], &general);
    double worst = 0, passes[2];
    for (int k = 0; k < 2; k++) {
        const char *word = words[(_i + 3 * k) % WORDS];
        double z[MOST], zdot[MOST];
        ph_integrator *it[3];
        ph_state *state[3];
        tk_random_motion(system, &r, z, zdot);
        for (size_t i = 0; i < ph_space_ambient(ph_system_space(system)); i++)
            zdot[i] *= 0.3;
        const double h = (k ? 0.05 : 0.003) / tk_fastest(system, z, zdot);
        for (int i = 0; i < 3; i++) {
            begin(i ? general : system, method, word, i < 2 ? h : h * (1 + 4 * DBL_EPSILON), z, zdot, &it[i],
                  &state[i]);
            tk_steps(it[i], state[i], STEPS);
        }
        const double off = tk_max_difference(state[0]->z, state[1]->z, state[0]->nz),
                     bound = 1e-13 + 10 * tk_max_difference(state[2]->z, state[1]->z, state[0]->nz);
        ck_assert_msg(off <= bound, "%s: off by %.1e, of which %.1e would be rounding", word, off, bound);
        worst = tk_max(worst, off);
        passes[k] = (double)ph_integrator_statistics(it[0])->newton_passes / STEPS /
                    (double)composition(word)->stages;
        for (int i = 0; i < 3; i++)
            tk_end(it[i], state[i]);
    }
    printf("%zu links, %zu axes%s: off the general form's by %.1e; "
           "%.2f passes a fine stage, %.2f a coarse one\n",
           shapes[_i].links, shapes[_i].axes, shapes[_i].tree ? ", a tree" : "", worst, passes[0], passes[1]);
    ck_assert_double_le(passes[0], 1.1);
    ph_system_free(general);
}

/* Turns of up to four radians in a step, where guesses fail: the root of the general form, or none where that
 * has none. */
TEST_EACH(long_stages_of_linkages, SHAPES)
{
    enum { STEPS = 6, TRIALS = 60 };
    tk_random r = {170 + (uint64_t)_i};
    const ph_method *method = ph_method_find("variational", NULL);
    double worst = 0;
    int found = 0, none = 0;
    for (int k = 0; k < TRIALS; k++) {
        ph_system *general, *system = linked(&r, &shapes[_i], &general), *systems[2] = {system, general};
        double z[MOST], zdot[MOST];
        ph_integrator *it[2];
        ph_state *state[2];
        ph_status status[2] = {PH_OK, PH_OK};
        tk_random_motion(system, &r, z, zdot);
        const double h = tk_log_uniform(&r, 0.1, 4) / tk_fastest(system, z, zdot);
        for (int i = 0; i < 2; i++)
            begin(systems[i], method, words[k % WORDS], h, z, zdot, &it[i], &state[i]);
        for (int j = 0; j < STEPS && !status[0]; j++) {
            for (int i = 0; i < 2; i++)
                status[i] = ph_integrator_step(it[i], state[i], 1);
            ck_assert_msg(!status[0] == !status[1], "trial %d, step %d: %s, but %s", k, j,
                          ph_status_text(status[0]), ph_status_text(status[1]));
            found += !status[0];
            none += !!status[0];
            worst = tk_max(worst, tk_max_difference(state[0]->z, state[1]->z, state[0]->nz));
        }
        for (int i = 0; i < 2; i++) {
            tk_end(it[i], state[i]);
            ph_system_free(systems[i]);
        }
    }
    printf("%zu links, %zu axes%s: %d long steps as the general form's, off by %.1e, "
           "and %d that have no solution\n",
           shapes[_i].links, shapes[_i].axes, shapes[_i].tree ? ", a tree" : "", found, worst, none);
    ck_assert_double_le(worst, 1e-10); /* a wrong root is off by some 0.1 */
    ck_assert_int_ge(none, 1);
}

/* Forces that depend on time and velocity are evaluated at the ends of stages, by every kernel that supports
 * them. */
TEST_EACH(stages_are_steps_under_forces, 7)
{
    static const hk_flavour flavours[] = {HK_PUSHED,  HK_DAMPED, HK_DIFFERENCED, HK_VARYING,
                                          HK_GENERAL, HK_GRADED, HK_COMPLEX};
    hk_user user = {0};
    double z[HK_NZ], zdot[HK_NZ];
    TK_OWN(ph_system) *system = hk_system(&user, flavours[_i]);
    hk_start(0.7, z, zdot);
    for (int k = 0; k < WORDS; k++)
        compare(system, words[k], 0.04, z, zdot);
}

/* ---- Orders -------------------------------------------------------------------------------------- */

static double error_at_10(const char *word, double h)
{
    double q[6], v[6];
    TK_OWN(ph_system) *system = known_problem1_linkage(q, v);
    TK_BEGIN(it, state, begin, system, ph_method_find("variational", NULL), word, h, q, v);
    tk_steps(it, state, (int64_t)round(10 / h));
    return tk_max_difference(state->z, known_problem1.q, 6);
}

/* Slope over errors well above rounding (1e-15) where the next order does not show any more; and the error at
 * 0.01 s. */
TEST_EACH(orders_on_problem_1, WORDS)
{
    static const double tolerance[] = {0.1, 0.2, 0.3}, last[] = {2e-8, 4e-12, 3e-15};
    enum { STEPS = 5 };
    const ph_composition *c = composition(words[_i]);
    const double first = c->order == 4 ? 0.02 : c->order == 6 ? 0.05 : 0.0625;
    double h[STEPS], error[STEPS];
    for (int n = 0; n < STEPS; n++) {
        h[n] = 10 / round(10 / first * pow(1.125, n));
        error[n] = error_at_10(c->name, h[n]);
    }
    double slope = tk_slope(h, error, STEPS);
    printf("%s: error %.1e at %.4f s, %.1e at %.4f s, slope %.2f\n", c->name, error[0], h[0],
           error[STEPS - 1], h[STEPS - 1], slope);
    ck_assert_double_gt(error[STEPS - 1], 5e-14);
    ck_assert_double_eq_tol(slope, c->order, tolerance[c->order / 2 - 2]);
    ck_assert_double_le(error_at_10(c->name, 0.01), last[c->order / 2 - 2]);
}

TEST(fast_heavy_top)
{
    static const struct {
        const char *word;
        double steps, error; /* measured: 4.4e-8, 4.1e-12, 5.5e-14 */
    } rows[] = {{"suzuki-5", 1600, 6e-8},
                {"sofroniou-spaletta-11", 1600, 6e-12},
                {"sofroniou-spaletta-21", 800, 2e-13}};
    TK_OWN(ph_system) *system = tk_model("heavy-top");
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        double z[9], zdot[9], error = 0;
        tk_preset("heavy-top", NULL, 0, "fast", z, zdot);
        TK_BEGIN(it, state, begin, system, ph_method_find("variational", NULL), rows[k].word,
                 1 / rows[k].steps, z, zdot);
        tk_steps(it, state, (int64_t)rows[k].steps);
        for (int i = 0; i < 3; i++)
            error = tk_max(error, fabs(state->z[3 * i + 1] - known_fast_top.centre[i]));
        printf("fast heavy top, %s: %.1e\n", rows[k].word, error);
        ck_assert_double_le(error, rows[k].error);
    }
}

/* ---- Kernels ------------------------------------------------------------------------------------- */

/* A slow motion of links. */
static ph_system *slow_links(int i, double *z, double *zdot)
{
    tk_random r = {7 + (uint64_t)i};
    ph_system *system = linked(&r, &shapes[i], NULL);
    tk_random_motion(system, &r, z, zdot);
    for (size_t k = 0; k < ph_space_ambient(ph_system_space(system)); k++)
        zdot[k] *= 0.3;
    return system;
}

/* With the plain kernels or those of this processor, in one call or step by step; and later steps need one
 * iteration for most stages. */
TEST_EACH(paths_give_the_same_bits, SHAPES)
{
    enum { STEPS = 200 };
    double z[MOST], zdot[MOST];
    TK_OWN(ph_system) *system = slow_links(_i, z, zdot);
    const ph_method *method = ph_method_find("variational", NULL);
    const double h = 0.005 / tk_fastest(system, z, zdot);
    for (int k = 0; k < WORDS; k++) {
        TK_BEGIN(it, state, tk_same_bits, system, method, "composition", words[k], h, 0.25, z, zdot, STEPS);
        const ph_statistics before = *ph_integrator_statistics(it);
        tk_steps(it, state, STEPS);
        const ph_statistics after = *ph_integrator_statistics(it);
        const double passes = (double)(after.newton_passes - before.newton_passes) / STEPS /
                              (double)composition(words[k])->stages;
        printf("%d, %s: %.2f passes a stage\n", _i, words[k], passes);
        ck_assert_int_eq(after.branches, 0);
        ck_assert_double_le(passes, 1.1);
    }
}

/* ---- Mistakes ------------------------------------------------------------------------------------ */

TEST(orders_and_names_must_agree)
{
    static const struct {
        const char *order, *word;
        int order_of_it; /* 0: refused */
    } rows[] = {{"automatic", "automatic", 2}, {"2", "automatic", 2},
                {"4", "automatic", 4},         {"6", "automatic", 6},
                {"8", "automatic", 8},         {"automatic", "kahan-li-9", 6},
                {"8", "suzuki-umeno-15", 8},   {"2", "suzuki-5", 0},
                {"4", "kahan-li-17", 0},       {"6", "sofroniou-spaletta-21", 0}};
    TK_OWN(ph_system) *system = tk_model("spherical-pendulum");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const ph_method *method = ph_method_find("variational", NULL);
        const ph_setting settings[] = {{"order", rows[i].order}, {"composition", rows[i].word}};
        ph_error err = {PH_OK, ""};
        TK_OWN(ph_integrator) *it = NULL;
        ph_status status = ph_integrator_create(system, method, 0.01, settings, 2, &it, &err);
        ck_assert_int_eq(status, rows[i].order_of_it ? PH_OK : PH_E_INVALID);
        if (status) {
            ck_assert_msg(strstr(err.message, rows[i].word) && strstr(err.message, "leave out"), "%s",
                          err.message);
            continue;
        }
        ck_assert_int_eq(ph_method_order(method, system, ph_integrator_options(it)), rows[i].order_of_it);
    }
}

/* The message names the stage, and the state is as it was before the whole step; a smaller step continues
 * from there as if nothing had happened. */
TEST_EACH(a_stage_that_fails_changes_nothing, SHAPES)
{
    double z[MOST], zdot[MOST];
    TK_OWN(ph_system) *system = slow_links(_i, z, zdot);
    const double h = 0.03 / tk_fastest(system, z, zdot);
    TK_BEGIN(it, state, begin, system, ph_method_find("variational", NULL), "kahan-li-9", h, z, zdot);
    TK_BEGIN(other, before, begin, system, ph_method_find("variational", NULL), "kahan-li-9", h, z, zdot);
    tk_steps(it, state, 20);
    tk_steps(other, before, 20);
    bool later = false; /* did any stage behind the first fail? */
    for (double factor = 1000; factor > 10; factor *= 0.8) {
        tk_ok(ph_integrator_set_step_size(it, factor * h));
        if (!ph_integrator_step(it, state, 1)) {
            tk_ok(ph_state_copy(state, before));
            continue;
        }
        const char *message = ph_integrator_message(it);
        ck_assert_msg(strstr(message, " of 9 of kahan-li-9, of "), "%s", message);
        later = later || !strstr(message, "stage 1 of");
        ck_assert_mem_eq(state->z, before->z, state->nz * sizeof(double));
        ck_assert_mem_eq(state->p, before->p, state->np * sizeof(double));
        ck_assert_mem_eq(state->carry, before->carry, state->ncarry * sizeof(double));
        ck_assert(state->t == before->t && state->k == before->k);
    }
    ck_assert(later);
    tk_ok(ph_integrator_set_step_size(it, h));
    tk_steps(it, state, 20);
    tk_steps(other, before, 20);
    ck_assert_mem_eq(state->z, before->z, state->nz * sizeof(double));
    ck_assert_mem_eq(state->carry, before->carry, state->ncarry * sizeof(double));
}

/* ---- Rounding ------------------------------------------------------------------------------------ */

/* The number of stages of long studies: a tenth in the everyday form, all in the thorough form. */
static int share(int all, int tiny, int more)
{
    return tk_short() ? tiny : tk_long() ? more * all : tk_thorough() ? all : all / 10;
}

/* Problem 1, and 15 motions that are a little faster: at a step where order 8 leaves 1e-16 in the energy (at
 * twice that, 1e-14 now and then); and at a long one, where energy errs by the method, up to 2.7e-4 in 1e7
 * stages, and what is always rounded the same way would turn the momentum on. Root mean square over the
 * motions of the largest error on the way: one motion's varies by half of it. Bounds: 1.5 times what 51
 * roundings of energy and momentum leave, and twice the walk, measured over 1e7 stages. */
TEST_EACH(rounding_only_walks, 2)
{
    enum { MEMBERS = 16, BLOCKS = 50 };
    static const struct {
        const char *word;
        double h, energy[2], momentum[2]; /* at once, and of the square root of the stages */
        int each;
    } rows[] = {{"sofroniou-spaletta-21", 0.01, {2.5e-15, 1.5e-18}, {7e-16, 6e-19}, 600},
                {"suzuki-5", 0.1, {4e-4, 0}, {7e-16, 1.5e-17}, 2500}};
    /* a momentum that turns with the rounding of 1/h shows in all of them, not in a tenth */
    const int each = tk_short() ? 20 : tk_long() ? 20 * rows[_i].each : rows[_i].each;
    const double stages = (double)composition(rows[_i].word)->stages * BLOCKS * each, walk = sqrt(stages);
    double q[6], v[6], energy = 0, momentum = 0, constraint = 0;
    TK_OWN(ph_system) *system = known_problem1_linkage(q, v);
    for (int member = 0; member < MEMBERS; member++) {
        double faster[6], E0 = 0, J0 = 0, worst_E = 0, worst_J = 0;
        ph_measures m;
        for (int i = 0; i < 6; i++)
            faster[i] = v[i] * (1 + 0.003 * member);
        TK_BEGIN(it, state, begin, system, ph_method_find("variational", NULL), rows[_i].word, rows[_i].h, q,
                 faster);
        TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
        for (int k = 0; k <= BLOCKS; k++) {
            tk_ok(ph_diagnostics_measure(d, state, &m));
            const double J = state->p[2] + state->p[5];
            E0 = k ? E0 : m.energy;
            J0 = k ? J0 : J;
            worst_E = tk_max(worst_E, fabs(m.energy - E0) / fabs(E0));
            worst_J = tk_max(worst_J, fabs(J - J0) / fabs(J0));
            constraint = tk_max(constraint, m.constraint_error);
            tk_steps(it, state, each);
        }
        energy += worst_E * worst_E / MEMBERS;
        momentum += worst_J * worst_J / MEMBERS;
    }
    energy = sqrt(energy);
    momentum = sqrt(momentum);
    printf("%s, h = %g s, %.1e stages, %d motions: energy %.1e, momentum %.1e, constraint %.1e\n",
           rows[_i].word, rows[_i].h, stages, MEMBERS, energy, momentum, constraint);
    ck_assert_double_le(energy, rows[_i].energy[0] + rows[_i].energy[1] * walk);
    ck_assert_double_le(momentum, rows[_i].momentum[0] + rows[_i].momentum[1] * walk);
    ck_assert_double_le(constraint, 2.3e-16);
}

/* The same on SO(3), where bodies have a special kernel, and those with joints another one. Compares means
 * over the first and last tenth, so that rounding in the evaluation of the energy does not count. */
TEST_EACH(rounding_only_walks_on_rotations, 4)
{
    static const struct {
        const char *model;
        double bodies, h, energy; /* of the square root of the stages */
        int each;
    } rows[] = {{"heavy-top", 0, 0.01, 1.5e-18, 200},
                {"free-rigid-body", 0, 0.05, 1.5e-18, 200},
                {"pendulum-3d", 0, 0.01, 1.5e-18, 200},
                {"rigid-chain", 2, 0.002, 4e-18, 200}};
    enum { MEMBERS = 4, SAMPLES = 100 };
    const ph_model *model = ph_model_find(rows[_i].model, NULL);
    const ph_parameter_value value = {"bodies", &rows[_i].bodies, 1};
    const size_t n = rows[_i].bodies > 0;
    const int each = share(rows[_i].each, 20, 20);
    const double stages = 21. * each * SAMPLES;
    double z[MOST], zdot[MOST], squares = 0, constraint = 0;
    TK_MAKE(ph_system, system, ph_model_build(model, &value, n, &system, NULL));
    for (int member = 0; member < MEMBERS; member++) {
        tk_random r = {700 + (uint64_t)member};
        double mean[2] = {0, 0}, first = 0;
        ph_measures m;
        tk_ok(ph_model_preset(model, &value, n, NULL, ph_space_ambient(ph_system_space(system)), z, zdot,
                              NULL));
        for (size_t k = 0; k < ph_space_ambient(ph_system_space(system)); k++)
            zdot[k] += tk_uniform(&r, -0.05, 0.05);
        TK_BEGIN(it, state, begin, system, ph_method_find("variational", NULL), "sofroniou-spaletta-21",
                 rows[_i].h, z, zdot);
        TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
        for (int k = 0; k < SAMPLES; k++) {
            tk_steps(it, state, each);
            tk_ok(ph_diagnostics_measure(d, state, &m));
            constraint = tk_max(constraint, m.constraint_error);
            first = k ? first : m.energy;
            if (k < SAMPLES / 10 || k >= SAMPLES - SAMPLES / 10)
                mean[k >= SAMPLES / 10] += (m.energy - first) / (SAMPLES / 10);
        }
        const double change = (mean[1] - mean[0]) / (fabs(m.kinetic) + fabs(m.potential));
        squares += change * change / MEMBERS;
    }
    printf("%s, h = %g s, %.1e stages: energy %.1e, constraint %.1e\n", rows[_i].model, rows[_i].h, stages,
           sqrt(squares), constraint);
    /* 1e-15: a few energies near each other are rounded alike when they are looked at */
    ck_assert_double_le(sqrt(squares), 1e-15 + rows[_i].energy * sqrt(stages));
    ck_assert_double_le(constraint, 2e-16); /* half of sqrt(3) eps, of entries of R^T R - 1 */
}

/* A term that is always rounded the same way moves the energy of all members of an ensemble alike. Candidates
 * are: for the pendulum by order 8, gravity added to a number with a larger last place; for a top (ten times
 * as many steps in the long suite), h^2 / 2 in one place and h / 2 in the other; for a free body by order 2,
 * whose h, moments and momentum are simple fractions, h Pi. In each of these a member walks by 0.9e-18 to
 * 1.9e-18 of the energy times the square root of the steps. The standard error may be at most twice the
 * largest of these, as a larger one could hide a mean. */
TEST_EACH(rounding_goes_to_no_side, 4)
{
    static const struct {
        const char *model, *word;
        double h, q[9], omega[3];
        int steps;
    } rows[] = {{"spherical-pendulum", "sofroniou-spaletta-21", 0.008, {0.8, 0, 0.6}, {-0.9, 2, 1.2}, 150000},
                {"spherical-pendulum", "sofroniou-spaletta-21", 0.01, {0.8, 0, 0.6}, {-0.9, 2, 1.2}, 150000},
                {"heavy-top",
                 "sofroniou-spaletta-21",
                 0.01,
                 {1, 0, 0, 0, 1, 0, 0, 0, 1},
                 {0, 1.5, -0.0461538},
                 25000},
                {"free-rigid-body", NULL, 0.05, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {3, 0.5, -0.9}, 750000}};
    enum { MEMBERS = 32, LOOKS = 50 };
    const int steps = share(rows[_i].steps, rows[_i].steps / 50, 10), between = steps / 10 / LOOKS;
    double change[MEMBERS] = {0}, mean, error;
    TK_OWN(ph_system) *system = tk_model(rows[_i].model);
    const bool body = ph_system_bodies(system) != NULL;
    for (int member = 0; member < MEMBERS; member++) {
        double omega[3] = {rows[_i].omega[0], rows[_i].omega[1] + 1e-3 * (member + 1), rows[_i].omega[2]},
               v[9], first = 0, scale = 0;
        const double *q = rows[_i].q;
        ph_measures m;
        if (body)
            for (int k = 0; k < 3; k++) /* rows of R S(w) */
                ph_cross3(q + 3 * k, omega, v + 3 * k);
        else
            ph_cross3(omega, q, v);
        TK_BEGIN(it, state, begin, system, ph_method_find("variational", NULL), rows[_i].word, rows[_i].h, q,
                 v);
        TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
        for (int look = 0; look < 2 * LOOKS; look++) { /* in the first tenth and in the last */
            tk_steps(it, state, look == LOOKS ? 8 * (steps / 10) : between);
            tk_ok(ph_diagnostics_measure(d, state, &m));
            first = look ? first : m.energy;
            scale = fmax(scale, fabs(m.kinetic) + fabs(m.potential));
            change[member] += (look < LOOKS ? -1 : 1) * (m.energy - first) / LOOKS;
        }
        change[member] /= scale;
    }
    tk_mean(change, MEMBERS, &mean, &error);
    printf("%s, h = %g s, %d steps, %d members: energy %+.1e +- %.1e\n", rows[_i].model, rows[_i].h, steps,
           MEMBERS, mean, error);
    ck_assert_double_gt(error, 0);
    ck_assert_double_le(error, 4e-18 * sqrt((double)steps / MEMBERS));
    ck_assert_double_le(fabs(mean), 4 * error); /* by chance in one of 3000 */
}

/* z and zdot near rest, hanging in the direction of gravity: there the error of the energy is rounding. */
static void near_rest(const ph_system *system, tk_random *r, const double *down, double *z, double *zdot)
{
    const ph_space *space = ph_system_space(system);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double *q = z + f->z, *v = zdot + f->z, along;
        for (size_t a = 0; a < f->nz; a++) {
            q[a] = f->kind == PH_FACTOR_R ? 0 : down[a] + 0.2 * tk_normal(r);
            v[a] = 0.2 * tk_normal(r);
        }
        if (f->kind == PH_FACTOR_R)
            continue;
        const double length = ph_norm3(q);
        for (size_t a = 0; a < 3; a++)
            q[a] /= length;
        along = ph_dot3(q, v);
        for (size_t a = 0; a < 3; a++)
            v[a] -= along * q[a];
    }
}

/* The changes of several motions: their root mean square, and their mean in standard errors. */
typedef struct walk {
    double square, mean;
    int n;
} walk;

static void add(walk *w, double change)
{
    w->square += change * change;
    w->mean += change;
    w->n++;
}

static double spread(const walk *w)
{
    return sqrt(w->square / w->n);
}

static double trend(const walk *w)
{
    return fabs(w->mean) / sqrt(w->square);
}

/* And on links, whose stages carry a velocity. Means over the first and last tenth of up to 1e5 stages. Of
 * the momentum about the axis of gravity, on no cart, in units of its terms; of the energy, in units of its
 * own. At longer steps some of the motions show the method's error. A mean of four standard errors would be a
 * trend: 64 members can show eight. */
TEST_EACH(rounding_only_walks_on_links, 8)
{
    enum { MEMBERS = 64, SAMPLES = 100 };
    /* the last ones with a potential besides, which is zero: their step is that of any sparse inverse inertia */
    static const int rows[] = {6, 8, 9, 13, 15, 17, 8, 15};
    const bool any = _i >= 6;
    const shape *s = &shapes[rows[_i]];
    const int each = tk_short() ? 1 : tk_long() ? 250 : tk_thorough() ? 12 : 2;
    const double stages = 21. * each * SAMPLES, g = sqrt(0.3 * 0.3 + 0.2 * 0.2 + 9.81 * 9.81),
                 down[3] = {0.3 / g, -0.2 / g, -9.81 / g};
    walk energy = {0, 0, 0}, momentum = {0, 0, 0};
    double constraint = 0;
    for (int member = 0; member < MEMBERS; member++) {
        tk_random r = {900 + (uint64_t)member};
        double z[MOST], zdot[MOST], E[2] = {0, 0}, J[2] = {0, 0}, E0 = 0, J0 = 0, scale = 0;
        ph_system *other = NULL;
        TK_OWN(ph_system) *links = linked(&r, s, any ? &other : NULL);
        const ph_system *system = any ? other : links;
        ph_measures m;
        near_rest(system, &r, down, z, zdot);
        TK_BEGIN(it, state, begin, system, ph_method_find("variational", NULL), "sofroniou-spaletta-21",
                 0.03 / tk_fastest(system, z, zdot), z, zdot);
        TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
        for (int k = 0; k < SAMPLES; k++) {
            double about = 0, sum = 0;
            tk_steps(it, state, each);
            tk_ok(ph_diagnostics_measure(d, state, &m));
            for (size_t i = 0; i < s->links && !s->axes; i++) {
                about += ph_dot3(state->p + 3 * i, down);
                sum += ph_norm3(state->p + 3 * i);
            }
            E0 = k ? E0 : m.energy;
            J0 = k ? J0 : about;
            scale = tk_max(scale, sum);
            constraint = tk_max(constraint, m.constraint_error);
            if (k < SAMPLES / 10 || k >= SAMPLES - SAMPLES / 10) {
                E[k >= SAMPLES / 10] += (m.energy - E0) / (SAMPLES / 10);
                J[k >= SAMPLES / 10] += (about - J0) / (SAMPLES / 10);
            }
        }
        add(&energy, (E[1] - E[0]) / (fabs(m.kinetic) + fabs(m.potential)));
        add(&momentum, s->axes ? 0 : (J[1] - J[0]) / scale);
        ph_system_free(other);
    }
    printf("%zu links, %zu axes%s%s, %.1e stages: "
           "energy %.1e, mean of %.1f standard errors; momentum %.1e, %.1f; constraint %.1e\n",
           s->links, s->axes, s->tree ? ", a tree" : "", any ? ", and a potential" : "", stages,
           spread(&energy), trend(&energy), spread(&momentum), s->axes ? 0 : trend(&momentum), constraint);
    ck_assert_double_le(spread(&energy), 1e-16 + 5e-19 * sqrt(stages));
    ck_assert_double_le(spread(&momentum), 5e-17 + 4e-19 * sqrt(stages));
    ck_assert_double_le(constraint, 2.3e-16);
    ck_assert_double_le(trend(&energy), 4);
    ck_assert(s->axes || trend(&momentum) <= 4);
}

int main(void)
{
    return tk_run("compositions");
}
