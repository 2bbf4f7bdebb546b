/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of kernels (kernels.h): what the processor has by what the system says of it, the words of POLHODE_KERNELS,
 * and that other kernels give the same bits on every model by every method. (That they do for chains and trees of all sizes is in check_sparse_step,
 * check_trees, check_compositions and check_multistep.) */
#include "tests/kit/testkit.h"

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
TEST_IF(other_words_are_refused, CHOICE)
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

enum { STEPS = 20 };

static ph_state *motion(const ph_model *model, const ph_method *method, int kernels, ph_system **system,
                        ph_integrator **it)
{
    ph_state *state = NULL;
    tk_random r = {4711};
    double *z, *zdot;
    tk_kernels(kernels);
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
        ck_assert_msg(!ph_integrator_step(*it, state, STEPS), "%s, %s: %s", model->name, method->name,
                      ph_integrator_message(*it));
    }
    free(z);
    return state;
}

TEST_EACH(other_kernels_give_the_same_bits, 2 * ph_models())
{
    const ph_model *model = ph_model_at((size_t)_i / 2);
    const int kernels = _i % 2 ? TK_AVX2 : TK_PLAIN;
    if (kernels != TK_PLAIN && !tk_kernels(kernels))
        return;
    size_t same = 0;
    for (size_t m = 0; m < ph_methods(); m++) {
        const ph_method *method = ph_method_at(m);
        ph_system *system[2];
        ph_integrator *it[2];
        ph_state *state[2];
        for (int k = 0; k < 2; k++)
            state[k] = motion(model, method, k ? kernels : TK_WIDE, &system[k], &it[k]);
        ck_assert(!state[0] == !state[1]);
        if (state[0]) {
            bool equal = !memcmp(state[0]->z, state[1]->z, state[0]->nz * sizeof(double)) &&
                         !memcmp(state[0]->p, state[1]->p, state[0]->np * sizeof(double));
            ck_assert_msg(equal, "%s, %s: other bits", model->name, method->name);
            same++;
        }
        for (int k = 0; k < 2; k++) {
            if (state[k])
                tk_end(it[k], state[k]);
            ph_system_free(system[k]);
        }
    }
    ck_assert_uint_gt(same, 0);
    tk_kernels(false);
}

int main(void)
{
    return tk_run("kernels");
}
