/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios: the top level of the file, from which the parts are read in the order in which they need
 * each other: version, model and parameters, method, step and length, initial state, output, events. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION, MODEL, PARAMETERS, INITIAL, METHOD, STEP, DURATION, STEPS, OUTPUT, STOP, EVENTS, KEYS };
static const char *const names[KEYS] = {"polhode",  "model", "parameters", "initial", "method", "step",
                                        "duration", "steps", "output",     "stop",    "events"};

/* ---- Version, and keys that must be there --------------------------------------------------------- */

/* Checked first: a file of another version has other keys. */
static ph_status check_version(const ph_node *root, ph_error *err)
{
    int64_t version = 0;
    if (!ph_node_is_map(root))
        return PH_OK; /* ph_node_keys has a better message */
    ph_node at = ph_node_find(root, names[VERSION]);
    if (!at.node)
        return PH_OK;
    ph_status status = ph_node_count(&at, "the schema version, 1,", &version, err);
    if (!status && version != 1)
        status = ph_node_fail(&at, err, PH_E_RANGE, "is %lld; this version of Polhode reads schema version 1",
                              (long long)version);
    return status;
}

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
        if (!values[required[i].key].node)
            return ph_node_fail(root, err, PH_E_PARSE, "the key \"%s\" is missing; it is required, as in %s",
                                names[required[i].key], required[i].example);
    if (!values[DURATION].node && !values[STEPS].node)
        return ph_node_fail(root, err, PH_E_PARSE,
                            "the length of the run is missing; give duration (in s) or steps");
    if (values[DURATION].node && values[STEPS].node)
        return ph_node_fail(&values[STEPS], err, PH_E_PARSE,
                            "cannot be given together with \"duration\"; give one of the two");
    return PH_OK;
}

/* ---- Step and length ----------------------------------------------------------------------------- */

static ph_status read_step(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_status status = ph_node_number(at, "a step size in s", &s->h, err);
    if (!status && s->h == 0)
        status = ph_node_fail(at, err, PH_E_RANGE, "is 0; a step size in s that is not 0 is expected");
    return status;
}

/* s->steps <- the duration in steps. If that is not a whole number, the message gives the nearest
 * durations. */
static ph_status read_duration(ph_scenario *s, const ph_node *at, ph_error *err)
{
    double duration = 0, h = fabs(s->h);
    ph_status status = ph_node_number(at, "a time in s", &duration, err);
    if (status)
        return status;
    if (!(duration > 0))
        return ph_node_fail(at, err, PH_E_RANGE,
                            "is %g s; it must be positive (a negative step runs backwards)", duration);
    double ratio = duration / h, n = round(ratio);
    if (!(ratio < 9e15))
        return ph_node_fail(at, err, PH_E_RANGE, "is %g steps of %g s; at most 9e15 steps are allowed", ratio,
                            h);
    /* the quotient itself is rounded: 1e-6 of a step is below that for very many steps */
    if (fabs(ratio - n) > 1e-6 + 4 * 2.220446049250313e-16 * ratio || n < 1) {
        double less = floor(ratio), more = less + 1;
        if (less < 1)
            return ph_node_fail(at, err, PH_E_RANGE, "is %.10g steps; at least one is needed: %.15g s", ratio,
                                h);
        return ph_node_fail(at, err, PH_E_RANGE,
                            "is %.10g steps, not a whole number; "
                            "the nearest durations are %.15g s (%.0f steps) and %.15g s (%.0f steps)",
                            ratio, less * h, less, more * h, more);
    }
    s->steps = (int64_t)n;
    return PH_OK;
}

static ph_status read_positive(const ph_node *at, const char *expected, int64_t *count, ph_error *err)
{
    ph_status status = ph_node_count(at, expected, count, err);
    if (!status && *count < 1)
        status = ph_node_fail(at, err, PH_E_RANGE, "is %lld; %s, at least 1, is expected", (long long)*count,
                              expected);
    return status;
}

static ph_status read_length(ph_scenario *s, const ph_node *values, ph_error *err)
{
    ph_status status = read_step(s, &values[STEP], err);
    if (status)
        return status;
    if (values[DURATION].node)
        return read_duration(s, &values[DURATION], err);
    return read_positive(&values[STEPS], "a number of steps", &s->steps, err);
}

static ph_status check_end(const ph_scenario *s, const ph_node *values, ph_error *err)
{
    const ph_node *at = values[DURATION].node ? &values[DURATION] : &values[STEPS];
    if (isfinite(s->time + (double)s->steps * s->h))
        return PH_OK;
    return ph_node_fail(at, err, PH_E_RANGE,
                        "leads to a final time beyond the finite numbers; a shorter run is expected");
}

static ph_status read_schedule(ph_scenario *s, const ph_node *every, const ph_node *interval,
                               const ph_node *decade, ph_error *err)
{
    if (interval->node) {
        s->output.kind = PH_EVERY_INTERVAL;
        ph_status status = ph_node_number(interval, "a time in s", &s->output.interval, err);
        if (!status && !(s->output.interval > 0))
            status = ph_node_fail(interval, err, PH_E_RANGE, "is %g s; a time > 0 is expected",
                                  s->output.interval);
        return status;
    }
    s->output.kind = decade->node ? PH_PER_DECADE : PH_EVERY_STEPS;
    return read_positive(decade->node ? decade : every,
                         decade->node ? "a number of outputs in each decade of steps" : "a number of steps",
                         &s->output.steps, err);
}

static ph_status read_snapshot(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_status status = ph_node_number(at, "a time in s", &s->snapshot, err);
    if (!status && !(s->snapshot >= 0))
        status = ph_node_fail(at, err, PH_E_RANGE, "is %g s; a time >= 0 is expected", s->snapshot);
    return status;
}

static ph_status read_output(ph_scenario *s, const ph_node *at, ph_error *err)
{
    static const char *const keys[] = {"every", "interval", "per-decade", "csv", "snapshot", "columns"};
    enum { EVERY, INTERVAL, DECADE, CSV, SNAPSHOT, COLUMNS, N };
    ph_node values[N] = {{.node = NULL}};
    size_t given = 0;
    s->output = (ph_schedule){.kind = PH_EVERY_STEPS, .steps = s->steps > 1000 ? s->steps / 1000 : 1};
    s->snapshot = 60;
    if (!at->node)
        return PH_OK;
    ph_status status = ph_node_keys(at, "a map, as in {every: 10},", keys, N, values, err);
    for (size_t i = EVERY; i <= DECADE && !status; i++)
        given += values[i].node != NULL;
    if (given > 1)
        return ph_node_fail(at, err, PH_E_PARSE,
                            "has more than one of every, interval and per-decade; one of them is expected");
    if (!status && given)
        status = read_schedule(s, &values[EVERY], &values[INTERVAL], &values[DECADE], err);
    if (!status && values[CSV].node)
        status = ph_node_bool(&values[CSV], &s->csv, err);
    if (!status && values[SNAPSHOT].node)
        status = read_snapshot(s, &values[SNAPSHOT], err);
    return status ? status : ph_read_columns(s, &values[COLUMNS], err);
}

static ph_status read_stop(ph_scenario *s, const ph_node *at, ph_error *err)
{
    static const char *const keys[] = {"energy-error"};
    ph_node bound = {.node = NULL};
    s->energy_bound = INFINITY;
    if (!at->node)
        return PH_OK;
    ph_status status = ph_node_keys(at, "a map, as in {energy-error: 1e-3},", keys, 1, &bound, err);
    if (status || !bound.node)
        return status;
    status = ph_node_number(&bound, "a relative energy error", &s->energy_bound, err);
    if (!status && !(s->energy_bound > 0))
        status = ph_node_fail(&bound, err, PH_E_RANGE, "is %g; a number > 0 is expected", s->energy_bound);
    return status;
}

/* ---- All together -------------------------------------------------------------------------------- */

static ph_status read_all(ph_reading *r, const ph_node *root, ph_error *err)
{
    ph_node values[KEYS];
    ph_status status = check_version(root, err);
    if (!status)
        status = ph_node_keys(root, "a map with the keys polhode, model, method, step, ...", names, KEYS,
                              values, err);
    if (!status)
        status = check_present(root, values, err);
    if (!status)
        status = ph_read_model(r, &values[MODEL], &values[PARAMETERS], err);
    if (!status)
        status = ph_read_method(r, &values[METHOD], err);
    if (!status)
        status = read_length(r->scenario, values, err);
    if (!status && !r->recalled)
        status = ph_read_initial(r, root, &values[INITIAL], err);
    if (!status)
        status = check_end(r->scenario, values, err);
    if (!status)
        status = read_output(r->scenario, &values[OUTPUT], err);
    if (!status)
        status = read_stop(r->scenario, &values[STOP], err);
    return status ? status : ph_read_events(r, &values[EVENTS], err);
}

static ph_status keep_text(ph_scenario *s, const char *text, size_t length, ph_error *err)
{
    s->text = malloc(length + 1);
    if (!s->text)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    memcpy(s->text, text, length);
    s->text[length] = '\0';
    s->length = length;
    return PH_OK;
}

/* directory: the start of relative paths in `initial: from`; NULL: the initial state is not read. */
static ph_status parse(const char *text, size_t length, const char *name, const char *directory,
                       ph_scenario **scenario, ph_error *err)
{
    ph_yaml *file = NULL;
    ph_reading r = {.directory = directory, .recalled = !directory};
    ph_status status = ph_yaml_parse(text, length, ph_yaml_longest, name, &file, err);
    if (status)
        return status;
    r.scenario = calloc(1, sizeof *r.scenario);
    if (r.scenario) {
        ph_node root = ph_yaml_root(file);
        status = read_all(&r, &root, err);
        if (!status)
            status = keep_text(r.scenario, text, length, err);
    } else {
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    free(r.values);
    free(r.numbers);
    ph_yaml_free(file);
    if (status)
        ph_scenario_free(r.scenario);
    else
        *scenario = r.scenario;
    return status;
}

ph_status ph_scenario_parse(const char *text, size_t length, const char *name, ph_scenario **scenario,
                            ph_error *err)
{
    return parse(text, length, name, "", scenario, err);
}

ph_status ph_scenario_recall(const char *text, size_t length, const char *name, ph_scenario **scenario,
                             ph_error *err)
{
    return parse(text, length, name, NULL, scenario, err);
}

ph_status ph_scenario_load(const char *path, ph_scenario **scenario, ph_error *err)
{
    char *text, *directory = strdup(path);
    size_t length = 0;
    if (!directory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    char *slash = strrchr(directory, '/');
    directory[slash ? slash - directory + 1 : 0] = '\0';
    ph_status status = ph_yaml_slurp(path, ph_yaml_longest, &text, &length, err);
    if (!status) {
        status = parse(text, length, path, directory, scenario, err);
        free(text);
    }
    free(directory);
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
    ph_system_free(s->system);
    free(s->z);
    free(s->zdot);
    free(s->p);
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
    return s->text;
}
