/* SPDX-License-Identifier: BSD-3-Clause */
/* accuracy, step with duration or steps, output, stop: how precise and how long a run is, when it puts something out, and what ends it
 * earlier. */
#include "parts.h"

#include <math.h>
#include <string.h>

/* ---- Accuracy ------------------------------------------------------------------------------------ */

/* Below the smallest, rounding alone makes more in any run; above the largest, it is none. */
static const double accuracy_least = 1e-14, accuracy_most = 0.1;

enum { VALUE, OF, BUDGET, ACCURACY_KEYS };
static const ph_scenario_key accuracy_keys[ACCURACY_KEYS] = {
    [VALUE] = {"value", "a number, from 1e-14 to 0.1", NULL, "The error that the run may have."},
    [OF] = {"of", "`trajectory` or `energy`", "`trajectory`",
            "What it is the error of: the configuration, or the energy."},
    [BUDGET] = {"budget", "a time in s, > 0", "10",
                "The most CPU time that the choice may take, about: it is counted in work, not measured."}};
const ph_scenario_map ph_accuracy_keys = {"accuracy", accuracy_keys, ACCURACY_KEYS};

static ph_status read_value(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_status status = ph_node_number(at, "a relative error, as 1e-8,", &s->accuracy, err);
    if (!status && !(s->accuracy >= accuracy_least && s->accuracy <= accuracy_most))
        status = ph_node_fail(at, err, PH_E_RANGE,
                              "is %g; from %g (what double precision can reach at best) to %g is expected",
                              s->accuracy, accuracy_least, accuracy_most);
    return status;
}

static ph_status read_of(ph_scenario *s, const ph_node *at, ph_error *err)
{
    const char *word;
    char shown[64];
    ph_status status = ph_node_text(at, "trajectory or energy", &word, err);
    if (status)
        return status;
    if (strcmp(word, "trajectory") != 0 && strcmp(word, "energy") != 0)
        return ph_node_fail(at, err, PH_E_UNKNOWN, "is \"%s\"; trajectory or energy is expected",
                            ph_text_show(shown, sizeof shown, word));
    s->accuracy_of = strcmp(word, "energy") ? PH_ACCURACY_TRAJECTORY : PH_ACCURACY_ENERGY;
    if (s->accuracy_of == PH_ACCURACY_ENERGY && !ph_system_is_conservative(s->system))
        return ph_node_fail(at, err, PH_E_UNSUPPORTED,
                            "is energy, which this system does not conserve; trajectory is expected");
    return PH_OK;
}

static ph_status read_budget(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_status status = ph_node_number(at, "a time in s", &s->budget, err);
    if (!status && !(s->budget > 0))
        status = ph_node_fail(at, err, PH_E_RANGE, "is %g s; a time > 0 is expected", s->budget);
    return status;
}

/* A number, or a map with what it is the error of. */
ph_status ph_read_accuracy(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_node values[ACCURACY_KEYS];
    if (!ph_node_is_map(at))
        return read_value(s, at, err);
    ph_status status =
        ph_node_keys(at, "a map, as in {value: 1e-6, of: energy},", &ph_accuracy_keys, values, err);
    if (!status && !values[VALUE].node)
        status = ph_node_fail(at, err, PH_E_PARSE,
                              "has no value; one is expected, as in {value: 1e-6, of: energy}");
    if (!status)
        status = read_value(s, &values[VALUE], err);
    if (!status && values[OF].node)
        status = read_of(s, &values[OF], err);
    return status || !values[BUDGET].node ? status : read_budget(s, &values[BUDGET], err);
}

/* ---- Step and length ----------------------------------------------------------------------------- */

/* s->h <- the step size; a negative one runs backwards. */
static ph_status read_step(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_status status = ph_node_number(at, "a step size in s", &s->h, err);
    if (!status && s->h == 0)
        status = ph_node_fail(at, err, PH_E_RANGE, "is 0; a step size in s that is not 0 is expected");
    return status;
}

ph_status ph_count_steps(double duration, double h, int64_t *steps, ph_error *err)
{
    double ratio = duration / h, n = round(ratio);
    if (!(ratio < 9e15))
        return ph_fail(err, PH_E_RANGE, "is %g steps of %g s; at most 9e15 steps are allowed", ratio, h);
    /* the quotient itself is rounded: 1e-6 of a step is below that for very many steps */
    if (fabs(ratio - n) > 1e-6 + 4 * 2.220446049250313e-16 * ratio || n < 1) {
        double less = floor(ratio), more = less + 1;
        if (less < 1)
            return ph_fail(err, PH_E_RANGE, "is %.10g steps; at least one is needed: %.15g s", ratio, h);
        return ph_fail(err, PH_E_RANGE,
                       "is %.10g steps, not a whole number; "
                       "the nearest durations are %.15g s (%.0f steps) and %.15g s (%.0f steps)",
                       ratio, less * h, less, more * h, more);
    }
    *steps = (int64_t)n;
    return PH_OK;
}

/* s->duration <- a positive time. */
static ph_status read_time(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_status status = ph_node_number(at, "a time in s", &s->duration, err);
    if (!status && !(s->duration > 0))
        status = ph_node_fail(at, err, PH_E_RANGE,
                              "is %g s; it must be positive (a negative step runs backwards)", s->duration);
    return status;
}

/* s->steps <- the duration in steps. */
static ph_status read_duration(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_status status = read_time(s, at, err);
    if (!status && (status = ph_count_steps(s->duration, fabs(s->h), &s->steps, err)))
        status = ph_node_blame(at, err, status);
    return status;
}

/* *count <- a whole number, at least 1. */
static ph_status read_positive(const ph_node *at, const char *expected, int64_t *count, ph_error *err)
{
    ph_status status = ph_node_count(at, expected, count, err);
    if (!status && *count < 1)
        status = ph_node_fail(at, err, PH_E_RANGE, "is %lld; %s, at least 1, is expected", (long long)*count,
                              expected);
    return status;
}

ph_status ph_read_length(ph_scenario *s, const ph_node *step, const ph_node *duration, const ph_node *steps,
                         ph_error *err)
{
    if (!step->node)
        return read_time(s, duration, err);
    ph_status status = read_step(s, step, err);
    if (status)
        return status;
    if (duration->node)
        return read_duration(s, duration, err);
    return read_positive(steps, "a number of steps", &s->steps, err);
}

ph_status ph_check_end(const ph_scenario *s, const ph_node *at, ph_error *err)
{
    const double length = s->h ? (double)s->steps * s->h : s->duration;
    if (isfinite(s->time + length))
        return PH_OK;
    return ph_node_fail(at, err, PH_E_RANGE,
                        "leads to a final time beyond the finite numbers; a shorter run is expected");
}

/* ---- Output and ends ----------------------------------------------------------------------------- */

/* s->output <- one of every, interval and per-decade: the one that is given. */
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

/* s->snapshot <- the most seconds of work that may be lost. */
static ph_status read_snapshot(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_status status = ph_node_number(at, "a time in s", &s->snapshot, err);
    if (!status && !(s->snapshot >= 0))
        status = ph_node_fail(at, err, PH_E_RANGE, "is %g s; a time >= 0 is expected", s->snapshot);
    return status;
}

void ph_default_output(ph_scenario *s)
{
    s->output = (ph_schedule){.kind = PH_EVERY_STEPS, .steps = s->steps > 1000 ? s->steps / 1000 : 1};
}

enum { EVERY, INTERVAL, DECADE, AT, CSV, SNAPSHOT, COLUMNS, OUTPUT_KEYS };
static const ph_scenario_key output_keys[OUTPUT_KEYS] = {
    [EVERY] = {"every", "a whole number, at least 1", "steps/1000", "An output every so many steps."},
    [INTERVAL] = {"interval", "a time in s, > 0", "`every`",
                  "An output at each multiple of this time from the start, also between steps."},
    [DECADE] = {"per-decade", "a whole number, at least 1", "`every`",
                "So many outputs in each decade of the step count: with 1 at the steps 1, 10, 100, ..."},
    [AT] =
        {"at", "a list of times in s", "`every`",
         "Outputs at these times, also between steps. They are increasing (decreasing where `step` is negative)."},
    [CSV] = {"csv", "`true` or `false`", "`false`", "Write `trajectory.csv` and `events.csv`, too."},
    [SNAPSHOT] = {"snapshot", "a time in s, at least 0", "60",
                  "A killed run loses at most this much time of computation."},
    [COLUMNS] = {"columns", "a list of names", "all columns",
                 "Which columns a row has. `t` and `step` are always there."}};
const ph_scenario_map ph_output_keys = {"output", output_keys, OUTPUT_KEYS};

/* Without the key some 1000 outputs, and all columns. */
ph_status ph_read_output(ph_reading *r, const ph_node *at, ph_error *err)
{
    ph_scenario *s = r->scenario;
    ph_node values[OUTPUT_KEYS] = {{.node = NULL}};
    size_t given = 0;
    ph_default_output(s);
    s->output_by_length = true;
    s->snapshot = 60;
    if (!at->node)
        return PH_OK;
    ph_status status = ph_node_keys(at, "a map, as in {every: 10},", &ph_output_keys, values, err);
    for (size_t i = EVERY; i <= AT && !status; i++)
        given += values[i].node != NULL;
    if (given > 1)
        return ph_node_fail(
            at, err, PH_E_PARSE,
            "has more than one of every, interval, per-decade and at; one of them is expected");
    s->output_by_length = !given;
    if (!status && values[AT].node)
        status = ph_read_times(s, &values[AT], r->recalled, err);
    else if (!status && given)
        status = read_schedule(s, &values[EVERY], &values[INTERVAL], &values[DECADE], err);
    if (!status && values[CSV].node)
        status = ph_node_bool(&values[CSV], &s->csv, err);
    if (!status && values[SNAPSHOT].node)
        status = read_snapshot(s, &values[SNAPSHOT], err);
    return status ? status : ph_read_columns(s, &values[COLUMNS], err);
}

static const ph_scenario_key stop_keys[] = {
    {"energy-error", "a number > 0", "none",
     "End the run at the first output whose relative energy error is beyond this bound."}};
const ph_scenario_map ph_stop_keys = {"stop", stop_keys, 1};

ph_status ph_read_stop(ph_scenario *s, const ph_node *at, ph_error *err)
{
    ph_node bound = {.node = NULL};
    s->energy_bound = INFINITY;
    if (!at->node)
        return PH_OK;
    ph_status status = ph_node_keys(at, "a map, as in {energy-error: 1e-3},", &ph_stop_keys, &bound, err);
    if (status || !bound.node)
        return status;
    status = ph_node_number(&bound, "a relative energy error", &s->energy_bound, err);
    if (!status && !(s->energy_bound > 0))
        status = ph_node_fail(&bound, err, PH_E_RANGE, "is %g; a number > 0 is expected", s->energy_bound);
    return status;
}
