/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of problems, and problems made of a user's scenario. */
#include "problem.h"
#include "scenario-input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROBLEM(...) {__VA_ARGS__},
const problem problems[] = {
#include "problems.def"
};
#undef PROBLEM
const size_t n_problems = sizeof problems / sizeof problems[0];

const problem *problem_find(const char *name, ph_error *err)
{
    const char *names[sizeof problems / sizeof problems[0]];
    for (size_t i = 0; i < n_problems; i++) {
        names[i] = problems[i].name;
        if (!strcmp(names[i], name))
            return &problems[i];
    }
    ph_fail_unknown(err, "problem", name, names, n_problems);
    return NULL;
}

/* Largest speed of an entry of the factors that have no unit of length (spheres, rotations): their rate of
 * rotation. */
static double fastest_turn(const ph_space *space, const double *zdot)
{
    double most = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *place = ph_space_factor(space, i);
        const bool turns = ph_space_factor_words(space, i)->angular;
        for (size_t j = 0; turns && j < place->nz; j++)
            most = fmax(most, fabs(zdot[place->z + j]));
    }
    return most;
}

ph_status problem_rate(const ph_scenario *sc, double *rate, ph_error *err)
{
    const ph_system *system = ph_scenario_system(sc);
    const ph_space *space = ph_system_space(system);
    const double *z = ph_scenario_configuration(sc);
    size_t nz = ph_space_ambient(space);
    double *zdot = calloc(nz + ph_system_work(system) + 1, sizeof *zdot);
    if (!zdot)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_system_fastest_rate(system, ph_scenario_time(sc), z, rate, err);
    if (!status && ph_system_velocity_at(system, ph_scenario_time(sc), z, ph_scenario_momentum(sc), zdot,
                                         zdot + nz) == PH_OK)
        *rate = fmax(*rate, fastest_turn(space, zdot));
    free(zdot);
    return status;
}

ph_status problem_of_scenario(problem *p, const ph_scenario *sc, const char *name, ph_error *err)
{
    double h = fabs(ph_scenario_step_size(sc)), rate;
    ph_status status = problem_rate(sc, &rate, err);
    if (status)
        return status;
    *p = (problem){.name = name,
                   .title = ph_scenario_model(sc)->summary,
                   .source = "the scenario file",
                   .horizon = h * (double)ph_scenario_steps(sc),
                   .steps = {h}};
    /* about two periods, at 30 steps a period and more; no longer than the whole */
    p->short_time = rate > 0 ? 64 * 0.2 / rate : 64 * h;
    if (p->horizon > 0)
        p->short_time = fmin(p->short_time, p->horizon);
    p->first_step = p->short_time / 64;
    return PH_OK;
}

static int is_file(const char *name)
{
    return !strcmp(name, "-") || strchr(name, '/') || strchr(name, '.') || access(name, F_OK) == 0;
}

/* The long runs need a step, and the first contender may be the scenario's own method. */
static ph_status check_settled(const ph_scenario *sc, const char *name, ph_error *err)
{
    if (ph_scenario_is_settled(sc))
        return PH_OK;
    return ph_fail(
        err, PH_E_INVALID,
        "%.200s: gives an accuracy and leaves method or step to be chosen; a comparison needs both, as by "
        "--set step=0.01 --set method=variational",
        name);
}

ph_status problem_load(const char *name, const option_texts *set, problem *p, ph_scenario **scenario,
                       ph_error *err)
{
    ph_error unknown;
    const problem *row = problem_find(name, &unknown);
    *scenario = NULL;
    if (row && set->n)
        return ph_fail(err, PH_E_INVALID,
                       "--set %.200s: %s is a problem of the table; values are set in a scenario", set->at[0],
                       name);
    if (row) {
        *p = *row;
        return ph_scenario_parse(row->scenario, strlen(row->scenario), row->name, scenario, err);
    }
    if (!is_file(name) && strstr(unknown.message, "did you mean"))
        return ph_fail(err, PH_E_UNKNOWN, "%s (there is no file of that name)", unknown.message);
    if (!is_file(name))
        return ph_fail(err, PH_E_UNKNOWN,
                       "\"%.60s\" is neither a problem (polhode bench --list names them) nor a scenario file",
                       name);
    ph_status status = scenario_read(name, set, 0, scenario, err);
    if (!status)
        status = check_settled(*scenario, scenario_name(name), err);
    if (!status)
        status = problem_of_scenario(p, *scenario, scenario_name(name), err);
    if (!status)
        status = ph_scenario_compile(*scenario, err);
    if (status) {
        ph_scenario_free(*scenario);
        *scenario = NULL;
    }
    return status;
}
