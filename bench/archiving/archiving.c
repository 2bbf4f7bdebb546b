/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs to archive a run: see archiving.h. A run with rows is a session, as `polhode run` has it. Runs with
 * and without rows take turns, and which is first alternates: a ratio is that of two consecutive runs. */
#include "archiving.h"
#include "bench/common/contender.h"
#include "bench/common/family.h"
#include "bench/common/meter.h"
#include "bench/common/numbers.h"
#include "bench/common/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name of the sessions. */
#define ARCHIVE "rows"

enum { MOST_ROUNDS = 1000, LEAST_ROUNDS = 3, SLICES = 10 };

/* [s of CPU] In a shorter run the beginning and the end of the file would matter; a longer one is no better. */
static const double longest_slice = 2;

/* Problems of the table, or members of a family. */
static const struct {
    const char *name, *problem, *model;
    size_t links;
    int64_t every;
} table[ARCHIVING_CASES] = {
    {.name = "double-spherical-pendulum", .problem = "double-spherical-pendulum", .every = 100},
    {.name = "chain-pendulum, n = 1000", .model = "chain-pendulum", .links = 1000, .every = 10},
    {.name = "heavy-top", .problem = "heavy-top", .every = 10},
};

typedef struct bench {
    const archiving_plan *plan;
    archiving_case *at;
    char directory[4200]; /* of the sessions */
    contender contender;
    ph_scenario *scenario; /* or, that being NULL, */
    member member;         /* the system that moves */
    motion motion;
    const char *model;
    ph_integrator *integrator;
    ph_state *state;
    double ratios[MOST_ROUNDS];
} bench;

/* ---- A run ---------------------------------------------------------------------------------------- */

static bool is_interrupted(void *self, const char **reason, const char **by)
{
    const bench *b = self;
    *reason = "signal";
    *by = NULL;
    return *b->plan->progress->interrupt;
}

/* Everything that archiving does, from creating the files to closing them: a session, as `polhode run` has. */
static ph_status run_with_rows(bench *b, int64_t steps, ph_error *err)
{
    const ph_session_plan plan = {.name = ARCHIVE,
                                  .model = b->model,
                                  .integrator = b->integrator,
                                  .state = b->state,
                                  .steps = steps,
                                  .output = {.steps = b->at->every}};
    const ph_session_options options = {.force = true, .stop = is_interrupted, .self = b};
    ph_session *session;
    ph_error lost;
    ph_status status = ph_session_open_system(&plan, b->directory, &options, &session, err);
    if (status)
        return status;
    status = ph_session_run(session, err);
    const ph_status closed = ph_session_close(session, status ? &lost : err);
    return status ? status : closed;
}

static ph_status run_without(bench *b, int64_t steps, ph_error *err)
{
    const ph_run_plan plan = {
        .steps = steps, .output = {.steps = INT64_MAX}, .interrupt = b->plan->progress->interrupt};
    ph_run_report report;
    return ph_run(b->integrator, b->state, &plan, &report, err);
}

/* *taken <- s of CPU. */
static ph_status time_run(bench *b, bool rows, int64_t steps, double *taken, ph_error *err)
{
    ph_status status = contender_restart(b->integrator, b->state, &b->motion);
    const double start = meter_now(NULL);
    if (!status)
        status = rows ? run_with_rows(b, steps, err) : run_without(b, steps, err);
    *taken = meter_now(NULL) - start;
    return status;
}

/* ---- A case --------------------------------------------------------------------------------------- */

static ph_status start(bench *b, size_t i, ph_error *err)
{
    family f;
    ph_status status = contender_parse(&b->contender, "variational", err);
    if (!status && table[i].problem) {
        const problem *p = problem_find(table[i].problem, err);
        status = p ? ph_scenario_parse(p->scenario, strlen(p->scenario), p->name, &b->scenario, err)
                   : PH_E_UNKNOWN;
        if (status)
            return status;
        b->motion = motion_of(b->scenario);
        b->model = ph_scenario_model(b->scenario)->name;
        b->at->h = ph_scenario_step_size(b->scenario);
    } else if (!status) {
        status = family_find(&f, table[i].model, err);
        if (!status)
            status = family_build(&b->member, &f, table[i].links, 0, err);
        if (status)
            return status;
        b->motion = member_motion(&b->member);
        b->model = table[i].model;
        b->at->h = b->member.h;
    }
    return status ? status
                  : contender_start(&b->contender, &b->motion, b->at->h, &b->integrator, &b->state, err);
}

/* path (4300) <- of a file of the sessions. */
static void write_path(const bench *b, const char *file, char *path)
{
    snprintf(path, 4300, "%s/%s", b->directory, file);
}

static void end(bench *b)
{
    static const char *const files[] = {ARCHIVE ".polhode", "summary.json"};
    char path[4300];
    ph_state_free(b->state);
    ph_integrator_free(b->integrator);
    if (!b->scenario)
        member_free(&b->member);
    ph_scenario_free(b->scenario);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_path(b, files[i], path);
        unlink(path);
    }
    rmdir(b->directory);
}

/* at->steps <- the length of a run that takes a slice without rows; a whole number of rows. */
static ph_status choose_steps(bench *b, ph_error *err)
{
    const double slice = fmin(longest_slice, b->plan->budget / SLICES);
    double taken = 0;
    ph_status status = PH_OK;
    for (b->at->steps = 8 * b->at->every; !status; b->at->steps *= 2) {
        status = time_run(b, false, b->at->steps, &taken, err);
        if (!(taken < 0.5 * slice))
            break;
    }
    return status;
}

static void count_bytes(bench *b)
{
    struct stat s;
    char path[4300];
    archiving_case *c = b->at;
    c->rows = c->steps / c->every + 1;
    write_path(b, ARCHIVE ".polhode", path);
    if (stat(path, &s))
        return;
    c->bytes = s.st_size;
    c->bytes_per_number = (double)c->bytes / ((double)c->rows * (double)c->numbers);
}

static ph_status go_round(bench *b, size_t round, ph_error *err)
{
    double taken[2] = {NAN, NAN};
    archiving_case *c = b->at;
    for (size_t i = 0; i < 2; i++) {
        const size_t rows = (i + round) % 2;
        ph_status status = time_run(b, rows, c->steps, &taken[rows], err);
        if (status)
            return status;
    }
    const double ns = 1e9 / (double)c->steps;
    b->ratios[round] = taken[1] / taken[0];
    c->without = round ? fmin(c->without, ns * taken[0]) : ns * taken[0];
    c->with = round ? fmin(c->with, ns * taken[1]) : ns * taken[1];
    return PH_OK;
}

static void conclude(bench *b)
{
    archiving_case *c = b->at;
    const size_t n = c->rounds;
    if (!n)
        return;
    sort_numbers(b->ratios, n);
    c->cost = sorted_quantile(b->ratios, n, 0.5) - 1;
    c->cost_low = b->ratios[n / 4] - 1;
    c->cost_high = b->ratios[n - 1 - n / 4] - 1;
    c->cost_least = c->with / c->without - 1;
    c->row = (c->with - c->without) * (double)c->every;
    count_bytes(b);
}

static ph_status measure(bench *b, size_t i, ph_error *err)
{
    const archiving_plan *plan = b->plan;
    ph_columns *columns = NULL;
    ph_status status = start(b, i, err);
    if (!status)
        status = ph_columns_create(b->motion.system, NULL, 0, &columns, err);
    if (status)
        return status;
    b->at->numbers = ph_columns_count(columns);
    ph_columns_free(columns);
    const double began = meter_wall();
    status = choose_steps(b, err);
    for (double passed = 0;
         !status && b->at->rounds < MOST_ROUNDS && (b->at->rounds < LEAST_ROUNDS || passed < plan->budget);) {
        status = go_round(b, b->at->rounds, err);
        b->at->rounds += !status;
        passed = meter_wall() - began;
        watch_label(plan->progress, "%s", b->at->name);
        watch_share(plan->progress, ((double)i + fmin(1, passed / plan->budget)) / ARCHIVING_CASES);
    }
    conclude(b);
    return status;
}

ph_status archiving_measure(archiving *a, const archiving_plan *plan, ph_error *err)
{
    ph_status status = PH_OK;
    bench *b = malloc(sizeof *b);
    if (!b)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (a->n = 0; a->n < ARCHIVING_CASES && !status; a->n++) {
        archiving_case *c = &a->cases[a->n];
        *c = (archiving_case){.name = table[a->n].name,
                              .every = table[a->n].every,
                              .h = NAN,
                              .without = NAN,
                              .with = NAN,
                              .cost = NAN,
                              .cost_low = NAN,
                              .cost_high = NAN,
                              .cost_least = NAN,
                              .row = NAN,
                              .bytes_per_number = NAN};
        *b = (bench){.plan = plan, .at = c};
        snprintf(b->directory, sizeof b->directory, "%s/archive-%ld.out", plan->directory, (long)getpid());
        status = measure(b, a->n, err);
        end(b);
    }
    free(b);
    return status;
}
