/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios: the top level of the file, from which the parts are read in the order in which they need
 * each other: version, model and parameters, accuracy, method, step and length, initial state, output, events. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION,
    MODEL,
    SYSTEM,
    PARAMETERS,
    REDUCTION,
    INITIAL,
    METHOD,
    STEP,
    ACCURACY,
    DURATION,
    STEPS,
    OUTPUT,
    STOP,
    EVENTS,
    ENSEMBLE,
    KEYS
};
static const ph_scenario_key keys[KEYS] = {
    [VERSION] = {"polhode", "1", NULL, "The version of this format."},
    [MODEL] = {"model", "a name or a map", "`system`",
               "A model of the catalogue: `polhode models`; or a system of formulas: `model` below."},
    [SYSTEM] =
        {"system", "a path, as ./mine.so", "none",
         "A model in C of your own, in place of `model`: a shared object, as polhode/plugin.h describes."},
    [PARAMETERS] = {"parameters", "a map", "the model's defaults",
                    "Parameters of the model by name: `polhode models NAME`."},
    [REDUCTION] = {"reduction", "a map", "none", "Reduce the system by a symmetry: `reduction` below."},
    [INITIAL] = {"initial", "a map", "the model's first preset", "Where the motion begins: `initial` below."},
    [METHOD] = {"method", "a name, or a map of `name` and options", "by `accuracy`",
                "A method of the catalogue, with its options: `polhode methods NAME`."},
    [STEP] = {"step", "a time in s, not 0", "by `accuracy`",
              "The step size h. A negative one runs backwards."},
    [ACCURACY] =
        {"accuracy", "a number, from 1e-14 to 0.1, or a map", "none",
         "The error that the run may have: `accuracy` below. What is left out of `method` and `step` is chosen for it."},
    [DURATION] =
        {"duration", "a time in s, > 0", "`steps`",
         "The length of the run: a whole number of steps. Either `duration` or `steps` is required."},
    [STEPS] = {"steps", "a whole number, at least 1", "`duration`", "The length of the run in steps."},
    [OUTPUT] = {"output", "a map", "about 1000 outputs of all columns",
                "When there is an output, and of what: `output` below."},
    [STOP] = {"stop", "a map", "none", "What ends the run early: `stop` below."},
    [EVENTS] = {"events", "a list of maps, at most 256", "none", "Events to look for: `events` below."},
    [ENSEMBLE] = {"ensemble", "a map", "none",
                  "The scenario is one of many, in which values differ: `ensemble` below."}};
static const ph_scenario_map top_keys = {"", keys, KEYS};

static const ph_scenario_map *const maps[] = {
    &top_keys,           &ph_formula_keys,  &ph_formula_scene_keys, &ph_reduction_keys, &ph_initial_keys,
    &ph_entry_keys,      &ph_rate_keys,     &ph_output_keys,        &ph_stop_keys,      &ph_event_keys,
    &ph_body_keys,       &ph_moment_keys,   &ph_harmonic_keys,      &ph_orbit_keys,     &ph_tide_keys,
    &ph_spin_state_keys, &ph_accuracy_keys, &ph_ensemble_keys,      &ph_range_keys,     &ph_table_keys,
    &ph_sample_keys,     &ph_draw_keys};
enum { MAPS = sizeof maps / sizeof maps[0] };

size_t ph_scenario_maps(void)
{
    return MAPS;
}

const ph_scenario_map *ph_scenario_map_at(size_t i)
{
    return i < MAPS ? maps[i] : NULL;
}

/* ---- Version, and keys that must be there --------------------------------------------------------- */

/* Checked first: a file of another version has other keys. */
static ph_status check_version(const ph_node *root, ph_error *err)
{
    int64_t version = 0;
    if (!ph_node_is_map(root))
        return PH_OK; /* ph_node_keys has a better message */
    ph_node at = ph_node_find(root, keys[VERSION].name);
    if (!at.node)
        return PH_OK;
    ph_status status = ph_node_count(&at, "the schema version, 1,", &version, err);
    if (!status && version != 1)
        status = ph_node_fail(&at, err, PH_E_RANGE, "is %lld; this version of Polhode reads schema version 1",
                              (long long)version);
    return status;
}

/* The keys that no scenario does without; method and step can be left to an accuracy. */
static ph_status check_present(const ph_node *root, const ph_node *values, ph_error *err)
{
    static const struct {
        int key;
        const char *example;
    } required[] = {{VERSION, "polhode: 1"},
                    {MODEL, "model: spherical-pendulum"},
                    {METHOD, "method: variational"},
                    {STEP, "step: 0.01"}};
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++)
        if (!values[required[i].key].node && !(required[i].key == MODEL && values[SYSTEM].node) &&
            !(values[ACCURACY].node && (required[i].key == METHOD || required[i].key == STEP)))
            return ph_node_fail(root, err, PH_E_PARSE, "the key \"%s\" is missing; it is required, as in %s",
                                keys[required[i].key].name, required[i].example);
    if (values[ENSEMBLE].node)
        return ph_node_fail(
            &values[ENSEMBLE], err, PH_E_UNSUPPORTED,
            "stands for many runs, where one is expected: polhode sweep FILE runs all members, polhode "
            "run --member 0 FILE the first");
    if (values[MODEL].node && values[SYSTEM].node)
        return ph_node_fail(&values[SYSTEM], err, PH_E_PARSE,
                            "cannot be given together with \"model\"; give one of the two");
    if (!values[STEP].node && values[STEPS].node)
        return ph_node_fail(&values[STEPS], err, PH_E_PARSE,
                            "needs a step; where the step is chosen for the accuracy give duration (in s)");
    if (!values[DURATION].node && !values[STEPS].node)
        return ph_node_fail(root, err, PH_E_PARSE,
                            "the length of the run is missing; give duration (in s) or steps");
    if (values[DURATION].node && values[STEPS].node)
        return ph_node_fail(&values[STEPS], err, PH_E_PARSE,
                            "cannot be given together with \"duration\"; give one of the two");
    return PH_OK;
}

/* ---- All together -------------------------------------------------------------------------------- */

/* In the order in which one needs the other; each part fails with its own position. */
static ph_status read_all(ph_reading *r, const ph_node *root, ph_error *err)
{
    ph_node values[KEYS];
    ph_status status = check_version(root, err);
    if (!status)
        status = ph_node_keys(root, "a map with the keys polhode, model, method, step, ...", &top_keys,
                              values, err);
    if (!status)
        status = check_present(root, values, err);
    if (!status)
        r->events = values[EVENTS];
    if (!status && r->shared)
        status = ph_share_model(r, &values[PARAMETERS], &values[INITIAL], err);
    else if (!status)
        status = values[SYSTEM].node
                     ? ph_read_plugin(r, &values[SYSTEM], &values[PARAMETERS], &values[INITIAL], err)
                     : ph_read_model(r, &values[MODEL], &values[PARAMETERS], &values[INITIAL], err);
    if (!status && !r->shared)
        status = ph_read_reduction(r->scenario, &values[REDUCTION], err);
    r->scenario->n_model_notes = r->scenario->n_notes;
    if (!status && values[ACCURACY].node)
        status = ph_read_accuracy(r->scenario, &values[ACCURACY], err);
    if (!status && values[METHOD].node)
        status = ph_read_method(r, &values[METHOD], err);
    if (!status)
        status = ph_read_length(r->scenario, &values[STEP], &values[DURATION], &values[STEPS], err);
    if (!status && !r->recalled)
        status = ph_read_reduced_initial(r, root, &values[INITIAL], &values[REDUCTION], err);
    if (!status)
        status = ph_check_end(r->scenario, values[DURATION].node ? &values[DURATION] : &values[STEPS], err);
    if (!status)
        status = ph_read_output(r, &values[OUTPUT], err);
    if (!status)
        status = ph_read_stop(r->scenario, &values[STOP], err);
    if (!status)
        status = ph_read_events(r, &values[EVENTS], err);
    if (!status && !r->recalled)
        ph_note_open_orbit(r->scenario);
    return status;
}

/* Archives keep the text of their scenario, comments included. */
static ph_status copy_text(ph_scenario *s, const char *text, size_t length, ph_error *err)
{
    s->text = malloc(length + 1);
    if (!s->text)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    memcpy(s->text, text, length);
    s->text[length] = '\0';
    s->length = length;
    return PH_OK;
}

ph_status ph_read_document(ph_reading *r, ph_yaml *file, ph_scenario **scenario, ph_error *err)
{
    const ph_node root = ph_yaml_root(file);
    r->scenario = calloc(1, sizeof *r->scenario);
    ph_status status = r->scenario ? read_all(r, &root, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    free(r->values);
    free(r->numbers);
    free(r->bodies);
    ph_free_surfaces(r);
    if (status)
        ph_scenario_free(r->scenario);
    else
        *scenario = r->scenario;
    return status;
}

/* directory: the start of relative paths; NULL: the initial state is not read, and surfaces are those that were kept
 * (nullable). */
static ph_status read_text(const char *text, size_t length, const char *name, const char *directory,
                           const char *kept, ph_scenario **scenario, ph_error *err)
{
    ph_yaml *file = NULL;
    ph_scenario *read = NULL;
    ph_reading r = {.directory = directory, .kept = kept, .recalled = !directory};
    ph_status status = ph_yaml_parse(text, length, ph_yaml_longest, name, &file, err);
    if (!status)
        status = ph_read_document(&r, file, &read, err);
    if (!status)
        status = copy_text(read, text, length, err);
    ph_yaml_free(file);
    if (status)
        ph_scenario_free(read);
    else
        *scenario = read;
    return status;
}

ph_status ph_scenario_parse(const char *text, size_t length, const char *name, ph_scenario **scenario,
                            ph_error *err)
{
    return read_text(text, length, name, "", NULL, scenario, err);
}

ph_status ph_scenario_recall(const char *text, size_t length, const char *name, ph_scenario **scenario,
                             ph_error *err)
{
    return read_text(text, length, name, NULL, NULL, scenario, err);
}

ph_status ph_scenario_recall_kept(const char *text, size_t length, const char *name, const char *kept,
                                  ph_scenario **scenario, ph_error *err)
{
    return read_text(text, length, name, NULL, kept, scenario, err);
}

ph_status ph_scenario_parse_at(const char *text, size_t length, const char *path, ph_scenario **scenario,
                               ph_error *err)
{
    char *directory = strdup(path);
    if (!directory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    char *slash = strrchr(directory, '/');
    directory[slash ? slash - directory + 1 : 0] = '\0';
    ph_status status = read_text(text, length, path, directory, NULL, scenario, err);
    free(directory);
    return status;
}

ph_status ph_scenario_load(const char *path, ph_scenario **scenario, ph_error *err)
{
    char *text;
    size_t length = 0;
    ph_status status = ph_text_slurp(path, ph_yaml_longest, &text, &length, err);
    if (status)
        return status;
    status = ph_scenario_parse_at(text, length, path, scenario, err);
    free(text);
    return status;
}

void ph_scenario_free(ph_scenario *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_settings; i++) { /* the strings are ours; ph_setting shows them as const */
        free((void *)(uintptr_t)s->settings[i].name);
        free((void *)(uintptr_t)s->settings[i].value);
    }
    free(s->settings);
    free(s->text);
    for (size_t i = 0; i < s->n_events; i++) {
        free((void *)(uintptr_t)s->events[i].name);
        free((void *)(uintptr_t)s->events[i].column);
    }
    free(s->events);
    for (size_t i = 0; i < s->n_columns; i++)
        free(s->columns[i]);
    free(s->columns);
    free(s->times);
    if (!s->borrowed) {
        ph_system_free(s->system);
        ph_system_free(s->whole);
        free(s->kept);
    }
    free(s->z);
    free(s->zdot);
    free(s->p);
    ph_free_notes(s);
    ph_close_plugin(s);
    free(s);
}

/* ---- Access to a scenario ------------------------------------------------------------------------ */

const ph_model *ph_scenario_model(const ph_scenario *s)
{
    return s->model;
}

const ph_system *ph_scenario_system(const ph_scenario *s)
{
    return s->system;
}

const ph_method *ph_scenario_method(const ph_scenario *s)
{
    return s->method;
}

const ph_setting *ph_scenario_settings(const ph_scenario *s, size_t *n)
{
    *n = s->n_settings;
    return s->settings;
}

double ph_scenario_step_size(const ph_scenario *s)
{
    return s->h;
}

int64_t ph_scenario_steps(const ph_scenario *s)
{
    return s->steps;
}

const ph_schedule *ph_scenario_output(const ph_scenario *s)
{
    return &s->output;
}

const char *const *ph_scenario_columns(const ph_scenario *s, size_t *n)
{
    *n = s->n_columns;
    return (const char *const *)s->columns;
}

const ph_event *ph_scenario_events(const ph_scenario *s, size_t *n)
{
    *n = s->n_events;
    return s->events;
}

bool ph_scenario_projected(const ph_scenario *s, double kinetic[2])
{
    if (s->projected)
        memcpy(kinetic, s->kinetic, sizeof s->kinetic);
    return s->projected;
}

double ph_scenario_time(const ph_scenario *s)
{
    return s->time;
}

const double *ph_scenario_configuration(const ph_scenario *s)
{
    return s->z;
}

const double *ph_scenario_momentum(const ph_scenario *s)
{
    return s->p;
}

bool ph_scenario_csv(const ph_scenario *s)
{
    return s->csv;
}

double ph_scenario_snapshot(const ph_scenario *s)
{
    return s->snapshot;
}

double ph_scenario_energy_bound(const ph_scenario *s)
{
    return s->energy_bound;
}

const char *ph_scenario_text(const ph_scenario *s, size_t *length)
{
    *length = s->length;
    return s->text ? s->text : "";
}

const char *ph_scenario_kept(const ph_scenario *s)
{
    return s->kept;
}
