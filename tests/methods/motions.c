/* SPDX-License-Identifier: BSD-3-Clause */
/* A line for each motion that the catalogue has: model, size, preset, method, options, status, and a hash of
 * the bits of z and p some steps later. Two builds whose lines are equal compute the same, whatever compiler,
 * kernels or arrangement of the sources made them:
 *
 *     motions          each model by each method with its defaults, and each word of each option
 *     motions all      sizes and presets of the models, too, small ones with all pairs of words
 *
 * Adaptive methods have a hash like the others; other versions of SUNDIALS give other bits. */
#include <polhode/polhode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 80, WORDS = 64 }; /* of dimensions; words of a method's options */

/* One way of a method: at most two settings. */
typedef struct way {
    ph_setting settings[2];
    size_t n;
} way;

static char words[WORDS][64];
static ph_setting settings_of[WORDS];

/* The words of all choices of a method; how many. */
static size_t list_words(const ph_method *method)
{
    size_t n = 0;
    for (size_t i = 0; i < method->n_options; i++) {
        const ph_option *option = &method->options[i];
        for (const char *word = option->choices; option->type == PH_OPTION_CHOICE && *word;) {
            const size_t length = strcspn(word, " ");
            snprintf(words[n], sizeof words[n], "%.*s", (int)length, word);
            settings_of[n] = (ph_setting){option->name, words[n]};
            n++;
            word += length + strspn(word + length, " ");
        }
    }
    return n;
}

static unsigned long long hash_of(const ph_state *state)
{
    unsigned long long hash = 0;
    for (size_t i = 0; i < state->nz + state->np; i++) {
        unsigned long long word;
        memcpy(&word, i < state->nz ? state->z + i : state->p + (i - state->nz), sizeof word);
        hash = (hash ^ word) * 0x100000001b3u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* One line, where the method takes the system; how many. */
static int follow(const char *label, const ph_system *system, const ph_method *method, const way *w,
                  const double *z, const double *zdot)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    int lines = 0;
    if (!ph_integrator_create(system, method, 0.002, w->settings, w->n, &it, NULL) &&
        !ph_state_create(it, &state, NULL) &&
        !ph_state_set_velocity(it, state, 0, z, zdot, PH_STRICT, NULL)) {
        const ph_status status = ph_integrator_step(it, state, 24);
        printf("%s %s", label, method->name);
        for (size_t i = 0; i < w->n; i++)
            printf(" %s=%s", w->settings[i].name, w->settings[i].value);
        printf(" %s %016llx\n", ph_status_name(status), hash_of(state));
        lines = 1;
    }
    ph_state_free(state);
    ph_integrator_free(it);
    return lines;
}

static int follow_all(const char *label, const ph_system *system, const double *z, const double *zdot,
                      int pairs)
{
    int lines = 0;
    for (size_t k = 0; k < ph_methods(); k++) {
        const ph_method *method = ph_method_at(k);
        const size_t n = list_words(method);
        lines += follow(label, system, method, &(way){.n = 0}, z, zdot);
        for (size_t i = 0; i < n; i++) {
            lines += follow(label, system, method, &(way){{settings_of[i]}, 1}, z, zdot);
            for (size_t j = i + 1; j < n && pairs; j++)
                if (strcmp(settings_of[i].name, settings_of[j].name) != 0)
                    lines +=
                        follow(label, system, method, &(way){{settings_of[i], settings_of[j]}, 2}, z, zdot);
        }
    }
    return lines;
}

/* A model at this size (0: its own) from this preset. */
static int follow_model(const ph_model *model, double size, const char *preset, int pairs)
{
    static double z[9 * LARGEST], zdot[9 * LARGEST];
    ph_parameter_value value = {NULL, &size, 1};
    ph_system *system = NULL;
    char label[200];
    int lines = 0;
    for (size_t i = 0; i < model->n_parameters && !value.name; i++)
        if (model->parameters[i].kind == PH_PARAMETER_COUNT && !model->bodies)
            value.name = model->parameters[i].name;
    const size_t n = size > 0 && value.name ? 1 : 0;
    if (size > 0 && !n)
        return 0;
    if (!ph_model_build_for(model, preset, &value, n, &system, NULL) &&
        ph_space_dimension(ph_system_space(system)) <= LARGEST &&
        !ph_model_preset(model, &value, n, preset, z, zdot, NULL)) {
        snprintf(label, sizeof label, "%s %g %s", model->name, size, preset);
        lines =
            follow_all(label, system, z, zdot, pairs && ph_space_dimension(ph_system_space(system)) <= 10);
    }
    ph_system_free(system);
    return lines;
}

int main(int argc, char **argv)
{
    static const double sizes[] = {1, 2, 3, 4, 5, 8, 13};
    const int all = argc > 1 && !strcmp(argv[1], "all");
    int lines = 0;
    for (size_t m = 0; m < ph_models(); m++) {
        const ph_model *model = ph_model_at(m);
        for (size_t k = 0; k < (all ? model->n_presets : 1); k++)
            lines += follow_model(model, 0, model->presets[k].name, all);
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && all; k++)
            lines += follow_model(model, sizes[k], model->presets[0].name, all);
    }
    return lines < 100;
}
