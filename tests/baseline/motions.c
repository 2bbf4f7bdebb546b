/* SPDX-License-Identifier: BSD-3-Clause */
/* A line for each motion that the catalogue has: model, size, preset, method, options, status, and a hash of
 * the bits of z and p some steps later; another one of eight such motions in the lanes of vectors, where the
 * method has them. Two builds whose lines are equal compute the same, whatever compiler, kernels or
 * arrangement of the sources made them:
 *
 *     motions          each model by each method with each word of each option, and by those without words
 *     motions NUMBER   the same after so many steps, not 300
 *     motions all      sizes and presets of the models, too, small ones with all pairs of words
 *     motions NUMBER MODEL SIZE PRESET METHOD
 *                      this one alone after so many steps of 0.1 ms, without a hash: for a count of what is executed
 *
 * Bodies under mutual gravity are of about 1 kg and 1 m with G = 1, not asteroids, so that these steps move
 * them; their size is the order of the mutual potential. Adaptive methods have a hash like the others, after
 * fewer steps, each of which is many; other versions of SUNDIALS give other bits. */
#include <polhode/polhode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 80, WORDS = 64 }; /* of dimensions; words of a method's options */
enum { LANES = 8 };
enum { ROOM = 3 * 1000 }; /* numbers of a configuration, of a long chain */

/* One way of a method: at most two settings. */
typedef struct way {
    ph_setting settings[2];
    size_t n;
} way;

static long steps = 300; /* of an adaptive method 2/15 of them */
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

static void hash_more(const double *x, size_t n, unsigned long long *hash)
{
    for (size_t i = 0; i < n; i++) {
        unsigned long long word;
        memcpy(&word, x + i, sizeof word);
        *hash = (*hash ^ word) * 0x100000001b3u;
        *hash ^= *hash >> 29;
    }
}

static void print_line(const char *label, const ph_method *method, const way *w, const char *several,
                       ph_status status, unsigned long long hash)
{
    printf("%s %s", label, method->name);
    for (size_t i = 0; i < w->n; i++)
        printf(" %s=%s", w->settings[i].name, w->settings[i].value);
    printf("%s %s %016llx\n", several, ph_status_name(status), hash);
}

/* A line of eight motions from this state, where they step together; how many. */
static int follow_lanes(const char *label, const ph_integrator *it, const ph_state *state,
                        const ph_method *method, const way *w)
{
    static double z[9 * LARGEST * LANES], p[9 * LARGEST * LANES];
    ph_ensemble *ensemble = NULL;
    int lines = 0;
    for (size_t i = 0; i < state->nz * LANES; i++)
        z[i] = state->z[i / LANES];
    for (size_t i = 0; i < state->np * LANES; i++)
        p[i] = state->p[i / LANES];
    if (!ph_ensemble_create(it, LANES, &ensemble, NULL) && ph_ensemble_lanes(ensemble) > 1 &&
        !ph_ensemble_set(ensemble, state->t, z, p, PH_STRICT, NULL)) {
        unsigned long long hash = 0;
        const ph_status status = ph_ensemble_step(ensemble, steps);
        ph_ensemble_get(ensemble, z, p);
        hash_more(z, state->nz * LANES, &hash);
        hash_more(p, state->np * LANES, &hash);
        print_line(label, method, w, " of eight", status, hash);
        lines = 1;
    }
    ph_ensemble_free(ensemble);
    return lines;
}

/* A line, where the method takes the system, and one of eight; how many. */
static int follow(const char *label, const ph_system *system, const ph_method *method, const way *w,
                  const double *z, const double *zdot)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    int lines = 0;
    if (!ph_integrator_create(system, method, 0.002, w->settings, w->n, &it, NULL) &&
        !ph_state_create(it, &state, NULL) &&
        !ph_state_set_velocity(it, state, 0, z, zdot, PH_STRICT, NULL)) {
        unsigned long long hash = 0;
        lines = 1 + follow_lanes(label, it, state, method, w);
        const ph_status status =
            ph_integrator_step(it, state, method->claims & PH_CLAIM_ADAPTIVE ? steps * 2 / 15 : steps);
        hash_more(state->z, state->nz, &hash);
        hash_more(state->p, state->np, &hash);
        print_line(label, method, w, "", status, hash);
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
        if (n == 0)
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

/* Two ellipsoids, or bodies without planes of symmetry: ellipsoids with a sphere at their side. */
static int make_bodies(int lumps, ph_model_body bodies[2])
{
    static const double half_axes[2][3] = {{0.5, 0.4, 0.3}, {0.3, 0.2, 0.15}}, masses[2] = {1, 0.3};
    static const double place[3] = {0.3, 0.25, 0.2}, R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    ph_mass lump;
    double center[3];
    int wrong = ph_mass_sphere(0.1, 0.1, &lump, NULL) != PH_OK;
    for (size_t i = 0; i < 2; i++) {
        memset(&bodies[i], 0, sizeof bodies[i]);
        wrong |= ph_mass_ellipsoid(masses[i], half_axes[i], &bodies[i].mass, NULL) != PH_OK;
        if (lumps) {
            ph_mass_add(&lump, place, R, &bodies[i].mass);
            ph_mass_center(&bodies[i].mass, center);
        }
        bodies[i].turning = 1;
    }
    return !wrong;
}

static int has_bodies(const ph_model *model)
{
    for (size_t i = 0; i < model->n_parameters; i++)
        if (model->parameters[i].kind == PH_PARAMETER_BODIES)
            return 1;
    return 0;
}

/* z, zdot (ROOM) <- the preset of a model of this size (0: its own). The system, or NULL where there is none of this
 * size. */
static ph_system *start_model(const ph_model *model, double size, const char *preset, double *z, double *zdot)
{
    static const double one = 1;
    ph_parameter_value values[3];
    ph_model_body bodies[2];
    ph_system *system = NULL;
    const char *sized = NULL;
    size_t n = 0;
    if (has_bodies(model)) {
        if (!make_bodies(size > 0, bodies))
            return NULL;
        values[n++] = ph_parameter_of_bodies("bodies", bodies, 2);
        values[n++] = (ph_parameter_value){"G", &one, 1};
        sized = "order";
    }
    for (size_t i = 0; i < model->n_parameters && !sized; i++)
        if (model->parameters[i].kind == PH_PARAMETER_COUNT && !model->bodies)
            sized = model->parameters[i].name;
    if (size > 0 && !sized)
        return NULL;
    if (size > 0)
        values[n++] = (ph_parameter_value){sized, &size, 1};
    if (!ph_model_build_for(model, preset, values, n, &system, NULL) &&
        ph_space_ambient(ph_system_space(system)) <= ROOM &&
        !ph_model_preset(model, values, n, preset, ph_space_ambient(ph_system_space(system)), z, zdot, NULL))
        return system;
    ph_system_free(system);
    return NULL;
}

static int follow_model(const ph_model *model, double size, const char *preset, int pairs)
{
    static double z[ROOM], zdot[ROOM];
    char label[200];
    int lines = 0;
    ph_system *system = start_model(model, size, preset, z, zdot);
    if (system && ph_space_dimension(ph_system_space(system)) <= LARGEST) {
        snprintf(label, sizeof label, "%s %g %s", model->name, size, preset);
        lines =
            follow_all(label, system, z, zdot, pairs && ph_space_dimension(ph_system_space(system)) <= 10);
    }
    ph_system_free(system);
    return lines;
}

/* NUMBER MODEL SIZE PRESET METHOD */
static int take_steps(char **words_given)
{
    static double z[ROOM], zdot[ROOM];
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    const ph_model *model = ph_model_find(words_given[1], NULL);
    ph_system *system = model ? start_model(model, atof(words_given[2]), words_given[3], z, zdot) : NULL;
    const int failed =
        !system ||
        ph_integrator_create(system, ph_method_find(words_given[4], NULL), 1e-4, NULL, 0, &it, NULL) ||
        ph_state_create(it, &state, NULL) || ph_state_set_velocity(it, state, 0, z, zdot, PH_STRICT, NULL) ||
        ph_integrator_step(it, state, atoll(words_given[0]));
    ph_state_free(state);
    ph_integrator_free(it);
    ph_system_free(system);
    return failed;
}

int main(int argc, char **argv)
{
    static const double sizes[] = {1, 2, 3, 4, 5, 8, 13}, orders[] = {3, 8};
    const int all = argc == 2 && !strcmp(argv[1], "all");
    int lines = 0;
    if (argc == 2 && !all)
        steps = atol(argv[1]);
    if (argc == 6)
        return take_steps(argv + 1);
    for (size_t m = 0; m < ph_models(); m++) {
        const ph_model *model = ph_model_at(m);
        for (size_t k = 0; k < (all ? model->n_presets : 1); k++)
            lines += follow_model(model, 0, model->presets[k].name, all);
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && all; k++)
            lines += follow_model(model, sizes[k], model->presets[0].name, all);
        for (size_t k = 0; k < sizeof orders / sizeof orders[0] && has_bodies(model); k++)
            lines += follow_model(model, orders[k], model->presets[0].name, all);
    }
    return lines < 100;
}
