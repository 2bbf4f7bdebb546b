/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of kernels (kernels.h): what the processor has by what the system says of it, the words of POLHODE_KERNELS,
 * and that other kernels give the same bits on every model by every method. (That they do for chains and trees of all sizes is in check_sparse_step,
 * check_trees, check_compositions and check_multistep.) */
#include "tests/kit/testkit.h"

#include "lib/method/kernels.h"

#if defined __x86_64__ && !defined PH_PLAIN_KERNELS
enum { CHOICE = true };
#else
enum { CHOICE = false };
#endif
static const char variable[] = "POLHODE_KERNELS";

/* Does /proc/cpuinfo have the flag? -1: there is no such list. */
static int processor_has(const char *flag)
{
    char line[16384], word[32];
    FILE *file = fopen("/proc/cpuinfo", "r");
    int has = -1;
    snprintf(word, sizeof word, " %s ", flag);
    while (file && has < 0 && fgets(line, sizeof line, file))
        if (!strncmp(line, "flags", 5)) {
            char *end = strchr(line, '\n');
            ck_assert_ptr_nonnull(end);
            *end = ' '; /* the last flag, too, has one behind it */
            has = strstr(line, word) != NULL;
        }
    if (file)
        fclose(file);
    return has;
}

TEST_IF(kernels_are_those_of_the_processor, CHOICE)
{
    static const struct {
        const char *flag;
        unsigned kernel;
    } rows[] = {{"avx", PH_KERNEL_AVX},
                {"avx2", PH_KERNEL_AVX2},
                {"fma", PH_KERNEL_FMA},
                {"avx512dq", PH_KERNEL_AVX512}};
    unsetenv(variable);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_int_eq(processor_has(rows[i].flag), !!(ph_kernels() & rows[i].kernel));
    setenv(variable, "wide", 1);
    unsigned wide = ph_kernels();
    unsetenv(variable);
    ck_assert_uint_eq(wide, ph_kernels());
    setenv(variable, "avx2", 1);
    ck_assert_uint_eq(ph_kernels(), wide & ~(unsigned)PH_KERNEL_AVX512);
    setenv(variable, "plain", 1);
    ck_assert_uint_eq(ph_kernels(), 0);
    tk_kernels(false);
}

/* An unknown word is refused, and the message contains it and the valid words. */
TEST(other_words_are_refused)
{
    TK_OWN(ph_system) *system = tk_model("spherical-pendulum");
    const ph_method *method = ph_method_find("variational", NULL);
    setenv(variable, "plan", 1);
    TK_OWN(ph_integrator) *it = NULL;
    tk_returns(ph_integrator_create(system, method, 0.01, NULL, 0, &it, tk_err), PH_E_UNKNOWN);
    ck_assert_ptr_null(it);
    ck_assert_msg(strstr(tk_err->message, variable) && strstr(tk_err->message, "\"plan\"") &&
                      strstr(tk_err->message, "plain, avx2, or wide"),
                  "%s", tk_err->message);
    setenv(variable, "", 1); /* as if not set */
    tk_ok(ph_integrator_create(system, method, 0.01, NULL, 0, &it, NULL));
    tk_kernels(false);
}

/* Switches that are off stay off beside other words, and the words are those of the message. */
TEST(paths_are_switched_off_by_their_words)
{
    const unsigned all = (1u << PH_FAST_PATHS) - 1;
    unsetenv(variable);
    ck_assert_uint_eq(ph_fast_paths(), all);
    for (size_t i = 0; i < PH_FAST_PATHS; i++) {
        char words[64];
        snprintf(words, sizeof words, "plain,%s", ph_fast_path_words[i]);
        setenv(variable, words, 1);
        ck_assert_uint_eq(ph_fast_paths(), all & ~(1u << i));
        ck_assert_uint_eq(ph_kernels(), 0);
        tk_ok(ph_kernels_check(tk_err));
        snprintf(words, sizeof words, "%sx", ph_fast_path_words[i]);
        setenv(variable, words, 1);
        ck_assert_uint_eq(ph_fast_paths(), all);
        tk_returns(ph_kernels_check(tk_err), PH_E_UNKNOWN);
        ck_assert_ptr_nonnull(strstr(tk_err->message, ph_fast_path_words[i]));
    }
    setenv(variable, "no-trees,no-amd,avx2", 1);
    ck_assert_uint_eq(ph_fast_paths(), all & ~(unsigned)(PH_PATH_TREES | PH_PATH_AMD));
    ck_assert_uint_eq(ph_kernels() & PH_KERNEL_AVX512, 0);
    tk_kernels(false);
}

/* The workspace of an integrator, and what its states carry, are laid out for the paths of its creation. */
TEST(paths_may_not_change_under_an_integrator)
{
    unsetenv(variable);
    TK_OWN(ph_system) *system = tk_model("rigid-chain");
    TK_OWN(ph_integrator) *it = NULL, *other = NULL;
    TK_OWN(ph_state) *state = NULL;
    const ph_method *method = ph_method_find("gauss", NULL);
    tk_ok(ph_integrator_create(system, method, 0.01, NULL, 0, &it, tk_err));
    tk_ok(ph_state_create(it, &state, tk_err));
    const size_t bytes = ph_state_packed_size(state);
    TK_MEMORY void *packed = malloc(bytes);
    ph_state_pack(state, packed);
    setenv(variable, "no-libdeflate", 1); /* on which nothing depends that is carried */
    tk_ok(ph_state_unpack(state, packed, bytes, tk_err));
    setenv(variable, "no-articulated", 1);
    tk_returns(ph_state_unpack(state, packed, bytes, tk_err), PH_E_INVALID);
    ck_assert_ptr_nonnull(strstr(tk_err->message, variable));
    ph_state_pack(state, packed);
    tk_ok(ph_state_unpack(state, packed, bytes, tk_err));
    ck_assert_int_eq(ph_integrator_set_step_size(it, -0.01), PH_E_INVALID);
    ck_assert_ptr_nonnull(strstr(ph_integrator_message(it), variable));
    ck_assert_double_eq(ph_integrator_step_size(it), 0.01);
    tk_ok(ph_integrator_create(system, method, 0.01, NULL, 0, &other, tk_err));
    ck_assert_int_eq(ph_integrator_step(other, state, 1), PH_E_INVALID);
    tk_kernels(false);
    tk_ok(ph_integrator_set_step_size(it, -0.01));
}

enum { STEPS = 20, MEMBERS = 8 };

/* STEPS steps of an ensemble of eight alike; lanes: do they step together? */
static void together(const ph_integrator *it, ph_state *state, bool lanes)
{
    TK_OWN(ph_ensemble) *e = NULL;
    double *z = calloc(MEMBERS * (state->nz + state->np + 1), sizeof *z), *p = z + MEMBERS * state->nz;
    ck_assert_ptr_nonnull(z);
    tk_ok(ph_ensemble_create(it, MEMBERS, &e, NULL));
    ck_assert(lanes || ph_ensemble_lanes(e) == 1);
    for (size_t i = 0; i < state->nz * MEMBERS; i++)
        z[i] = state->z[i / MEMBERS];
    for (size_t i = 0; i < state->np * MEMBERS; i++)
        p[i] = state->p[i / MEMBERS];
    tk_ok(ph_ensemble_set(e, state->t, z, p, PH_STRICT, NULL));
    tk_ok(ph_ensemble_step(e, STEPS));
    ph_ensemble_get(e, z, p);
    for (size_t i = 0; i < state->nz; i++)
        state->z[i] = z[MEMBERS * i];
    for (size_t i = 0; i < state->np; i++)
        state->p[i] = p[MEMBERS * i];
    free(z);
}

/* Some steps of a model, with POLHODE_KERNELS=words. NULL: the method does not take it. */
static ph_state *motion(const ph_model *model, const ph_method *method, const char *words, bool ensemble,
                        ph_system **system, ph_integrator **it)
{
    ph_state *state = NULL;
    tk_random r = {4711};
    double *z, *zdot;
    setenv(variable, words, 1);
    *system = tk_model(model->name);
    size_t nz = ph_space_ambient(ph_system_space(*system));
    z = calloc(2 * nz, sizeof *z);
    ck_assert_ptr_nonnull(z);
    zdot = z + nz;
    tk_preset(model->name, NULL, 0, NULL, z, zdot);
    double rate = tk_push(*system, &r, z, zdot);
    *it = NULL;
    if (!ph_integrator_create(*system, method, 0.01 / rate, NULL, 0, it, NULL)) {
        tk_ok(ph_state_create(*it, &state, NULL));
        tk_ok(ph_state_set_velocity(*it, state, 0, z, zdot, PH_STRICT, NULL));
        if (ensemble)
            together(*it, state, ph_fast_paths() & PH_PATH_LANES);
        else
            ck_assert_msg(!ph_integrator_step(*it, state, STEPS), "%s, %s: %s", model->name, method->name,
                          ph_integrator_message(*it));
    }
    free(z);
    return state;
}

/* The largest difference of n numbers, by the largest of them. */
static double apart(const double *a, const double *b, size_t n)
{
    double most = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        ck_assert(isfinite(a[i]) && isfinite(b[i]));
        most = fmax(most, fabs(a[i] - b[i]));
        size = fmax(size, fabs(a[i]));
    }
    return size > 0 ? most / size : most;
}

typedef struct difference {
    size_t motions, others; /* how many, and those with other bits */
    double worst;
    char where[128], first[128]; /* the worst, and the first of the others */
} difference;

/* Motions of a model by all methods, by default and with other words of POLHODE_KERNELS. */
static void compare_motions(const ph_model *model, const char *words, bool ensemble, difference *d)
{
    for (size_t m = 0; m < ph_methods(); m++) {
        const ph_method *method = ph_method_at(m);
        ph_system *system[2];
        ph_integrator *it[2];
        ph_state *state[2];
        for (int k = 0; k < 2; k++)
            state[k] = motion(model, method, k ? words : "wide", ensemble, &system[k], &it[k]);
        ck_assert(!state[0] == !state[1]);
        if (state[0]) {
            const ph_state *a = state[0], *b = state[1];
            const double far = fmax(apart(a->z, b->z, a->nz), apart(a->p, b->p, a->np));
            d->motions++;
            const bool other =
                memcmp(a->z, b->z, a->nz * sizeof *a->z) || memcmp(a->p, b->p, a->np * sizeof *a->p);
            if (other && !d->others++)
                snprintf(d->first, sizeof d->first, "%s, %s", model->name, method->name);
            /* steps of adaptive methods depend on the last digits; they are within their tolerance */
            if (!(far <= (method->claims & PH_CLAIM_ADAPTIVE ? 1e-9 : d->worst))) {
                d->worst = far;
                snprintf(d->where, sizeof d->where, "%s, %s", model->name, method->name);
            }
        }
        for (int k = 0; k < 2; k++) {
            if (state[k])
                tk_end(it[k], state[k]);
            ph_system_free(system[k]);
        }
    }
}

TEST_EACH(other_kernels_give_the_same_bits, 2 * ph_models())
{
    const ph_model *model = ph_model_at((size_t)_i / 2);
    const int kernels = _i % 2 ? TK_AVX2 : TK_PLAIN;
    difference d = {0};
    if (kernels != TK_PLAIN && !tk_kernels(kernels))
        return;
    compare_motions(model, kernels == TK_PLAIN ? "plain" : "avx2", false, &d);
    ck_assert_msg(!d.others, "%s: other bits", d.first);
    ck_assert_uint_gt(d.motions, 0);
    tk_kernels(false);
}

/* Without a fast path: how far the end may be, as a part of the largest number, by methods without control of their error; 0: the same
 * bits, or that no motion here takes the path (nets: system/check_nets_motion; archives; formulas). */
static const double bounds[PH_FAST_PATHS] = {
    [1] = 1e-14, [2] = 1e-12, [3] = 1e-14, [4] = 1e-14, [5] = 1e-14, [6] = 1e-13};

TEST_EACH(motions_without_a_fast_path_are_the_same, PH_FAST_PATHS)
{
    difference d = {0};
    for (size_t i = 0; i < ph_models(); i++)
        compare_motions(ph_model_at(i), ph_fast_path_words[_i], 1u << _i == PH_PATH_LANES, &d);
    printf("%-16s %3zu of %zu motions have other bits; at most %.1e %s\n", ph_fast_path_words[_i], d.others,
           d.motions, d.worst, d.where);
    ck_assert_msg(d.worst <= bounds[_i], "%s: %g", d.where, d.worst);
    ck_assert_int_eq(d.others > 0, bounds[_i] > 0);
    tk_kernels(false);
}

int main(void)
{
    return tk_run("kernels");
}
