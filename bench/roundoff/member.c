/* SPDX-License-Identifier: BSD-3-Clause */
/* A member of an ensemble: a scenario whose initial velocity is changed by at most a thousandth, run into an
 * archive. Rows are those of its scenario, the same number in each decade of steps. Between them the monitor
 * measures every thousandth step, which depends on the step count alone: a member that was interrupted is the
 * same to the last bit. */
#include "bench/common/meter.h"
#include "bench/report/file.h"
#include "roundoff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK = 1000, TEXT = 1000 };

const int64_t roundoff_most_stages = 10000000000;

static const double commit_interval = 60; /* [s] of work that can be lost */
static const ph_schedule rows = {.kind = PH_PER_DECADE, .steps = ROUNDOFF_PER_DECADE};

int64_t roundoff_reach(const roundoff_problem *p, int64_t stages)
{
    const int64_t k = (stages + p->stages - 1) / p->stages;
    return ph_schedule_next(&rows, p->h, k - 1);
}

/* ---- Scenarios ------------------------------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood, 2014), as a number in [-1, 1). */
static double next_number(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

static void put_velocities(FILE *f, const roundoff_problem *p, size_t member)
{
    uint64_t state = member;
    fputs("  omega: [", f);
    for (size_t i = 0; i < p->rows; i++) {
        double factor = 1 + 1e-3 * next_number(&state);
        for (size_t k = 0; k < 3; k++) {
            if (p->apart && k)
                factor = 1 + 1e-3 * next_number(&state);
            fprintf(f, "%s%.17g", k ? ", " : i ? ", [" : "[", factor * p->omega[i][k]);
        }
        fputc(']', f);
    }
    fputs("]\n", f);
}

typedef struct ensemble_member {
    const roundoff_problem *problem;
    size_t member;
} ensemble_member;

static void put_scenario(FILE *f, const void *self)
{
    const ensemble_member *m = self;
    const roundoff_problem *p = m->problem;
    fprintf(f, "polhode: 1\nmodel: %s\nparameters: %s\ninitial:\n  q: %s\n", p->model, p->parameters, p->q);
    put_velocities(f, p, m->member);
    fprintf(f,
            "method: {name: %s}\nstep: %.17g\nduration: %.17g\n"
            "output: {per-decade: %d, "
            "columns: [configuration, momentum, energy_error, constraint_error, momentum_maps]}\n",
            p->method, p->h, p->h * (double)roundoff_reach(p, roundoff_most_stages), ROUNDOFF_PER_DECADE);
}

char *roundoff_scenario(const roundoff_problem *p, size_t member)
{
    return report_text(put_scenario, &(ensemble_member){p, member});
}

void roundoff_path(char *path, size_t size, const char *directory, const roundoff_problem *p, size_t member)
{
    snprintf(path, size, "%s/roundoff-%s-%03zu.polhode", directory, p->name, member);
}

/* ---- A run ----------------------------------------------------------------------------------------- */

typedef struct member_run {
    const char *path;
    const roundoff_problem *problem;
    char *text;
    ph_scenario *scenario;
    ph_integrator *integrator;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
    ph_archive *archive;
    ph_account account;
    double cpu_before;
} member_run;

static ph_status prepare_run(member_run *r, size_t member, ph_error *err)
{
    r->text = roundoff_scenario(r->problem, member);
    if (!r->text)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = ph_scenario_parse(r->text, strlen(r->text), r->problem->name, &r->scenario, err);
    if (status)
        return status;
    const ph_system *system = ph_scenario_system(r->scenario);
    status = ph_scenario_integrator(r->scenario, NULL, &r->integrator, err);
    if (!status)
        status = ph_state_create(r->integrator, &r->state, err);
    if (!status)
        status = ph_diagnostics_create(system, &r->diagnostics, err);
    if (!status)
        status = ph_monitor_create(r->diagnostics, 0, r->problem->h * (double)ph_scenario_steps(r->scenario),
                                   &r->monitor, err);
    return status;
}

static void free_run(member_run *r)
{
    ph_archive_abandon(r->archive);
    ph_monitor_free(r->monitor);
    ph_diagnostics_free(r->diagnostics);
    ph_state_free(r->state);
    ph_integrator_free(r->integrator);
    ph_scenario_free(r->scenario);
    free(r->text);
}

static ph_status create_archive(member_run *r, ph_error *err)
{
    ph_archive_plan plan = {.name = r->problem->name,
                            .model = r->problem->model,
                            .integrator = r->integrator,
                            .steps = ph_scenario_steps(r->scenario)};
    plan.scenario = ph_scenario_text(r->scenario, &plan.length);
    plan.columns = ph_scenario_columns(r->scenario, &plan.n_columns);
    ph_status status = ph_state_set(r->integrator, r->state, 0, ph_scenario_configuration(r->scenario),
                                    ph_scenario_momentum(r->scenario), PH_STRICT, err);
    return status
               ? status
               : ph_archive_create(r->path, &plan, r->state, r->monitor, commit_interval, &r->archive, err);
}

/* Restore the state of the record, if it belongs to this member. */
static ph_status recall_state(member_run *r, ph_record *record, ph_error *err)
{
    const char *text = ph_record_meta(record, "scenario");
    if (!text || strcmp(text, r->text))
        return ph_fail(err, PH_E_EXISTS, "%s: is of another motion, step or method", r->path);
    ph_status status = ph_record_state(record, r->state, r->monitor, &r->account, err);
    r->cpu_before = r->account.cpu_seconds;
    return status;
}

static ph_status reopen_archive(member_run *r, ph_error *err)
{
    ph_record *record = NULL;
    ph_status status =
        ph_archive_reopen(r->path, ph_scenario_system(r->scenario), commit_interval, &r->archive, err);
    if (!status)
        status = ph_record_open(r->path, &record, err);
    if (!status)
        status = recall_state(r, record, err);
    ph_record_close(record);
    return status ? status : ph_archive_go_on(r->archive, err);
}

/* Measure the state; write a row where the schedule requires one. */
static ph_status look_at_state(member_run *r, ph_error *err)
{
    ph_measures measures;
    const int64_t k = r->state->k;
    ph_status status = ph_monitor_see(r->monitor, r->state, &measures);
    if (status)
        return ph_fail(err, status, "%s: measuring after %lld steps: %s", r->path, (long long)k,
                       ph_status_text(status));
    if (k && ph_schedule_next(&rows, r->problem->h, k - 1) != k)
        return PH_OK;
    r->account.rows++;
    return ph_archive_row(r->archive, r->state, &measures, 0, err);
}

static int64_t next_stop(const member_run *r, int64_t steps)
{
    const int64_t k = r->state->k, row = ph_schedule_next(&rows, r->problem->h, k);
    int64_t next = (k / LOOK + 1) * LOOK;
    next = row < next ? row : next;
    return next < steps ? next : steps;
}

static ph_status advance_run(member_run *r, int64_t steps, const roundoff_watch *watch, double started,
                             ph_error *err)
{
    ph_status status = PH_OK;
    if (!r->state->k && !r->account.rows)
        status = look_at_state(r, err);
    while (!status && r->state->k < steps) {
        const int64_t before = r->state->k;
        if (watch->interrupt && *watch->interrupt)
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted");
        status = ph_integrator_step(r->integrator, r->state, next_stop(r, steps) - before);
        if (status)
            return ph_fail(err, status, "%s: %s", r->path, ph_integrator_message(r->integrator));
        status = look_at_state(r, err);
        r->account.cpu_seconds = r->cpu_before + meter_now(NULL) - started;
        if (!status && ph_archive_due(r->archive))
            status = ph_archive_commit(r->archive, r->state, r->monitor, &r->account, err);
        if (watch->progress)
            watch->progress(watch->self, (r->state->k - before) * r->problem->stages);
    }
    return status;
}

/* However the run ended, the archive has the last complete state, from which it resumes. */
static ph_status end_run(member_run *r, ph_status status, ph_error *err)
{
    ph_error lost;
    ph_ending ending = {.status = status ? status : PH_E_INTERRUPTED,
                        .reason = !status                      ? "bench"
                                  : status == PH_E_INTERRUPTED ? "signal"
                                                               : NULL,
                        .message = status ? err->message : "polhode bench roundoff needed no more steps"};
    if (status && status != PH_E_INTERRUPTED)
        return status;
    const ph_status closed = ph_archive_finish(r->archive, r->state, r->monitor, &r->account, &ending, &lost);
    r->archive = NULL;
    return closed ? ph_fail(err, closed, "%s", lost.message) : status;
}

ph_status roundoff_run(const char *path, const roundoff_problem *p, size_t member, int64_t steps,
                       const roundoff_watch *watch, ph_error *err)
{
    member_run r = {.path = path, .problem = p};
    const double started = meter_now(NULL);
    const int there = !access(path, F_OK);
    ph_status status = prepare_run(&r, member, err);
    if (!status)
        status = there ? reopen_archive(&r, err) : create_archive(&r, err);
    if (!status)
        status = end_run(&r, advance_run(&r, steps, watch, started, err), err);
    free_run(&r);
    return status;
}

ph_status roundoff_done(const char *path, int64_t *steps, ph_error *err)
{
    ph_record *record = NULL;
    ph_commit commit;
    *steps = 0;
    if (access(path, F_OK))
        return PH_OK;
    ph_status status = ph_record_open(path, &record, err);
    if (!status)
        status = ph_record_commit(record, &commit, err);
    if (!status)
        *steps = commit.steps;
    ph_record_close(record);
    return status;
}

/* ---- Collecting ------------------------------------------------------------------------------------ */

/* The index of the point that a row belongs to; r->points if it belongs to none. */
static size_t find_point(const roundoff *r, double stages)
{
    size_t i = 0;
    while (i < r->points && r->steps[i] != stages)
        i++;
    return i;
}

/* A number rounded to the digits of roundoff.json, so that results made from the file are the same. */
static double round_to_file(long double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4Le", value);
    return strtod(text, NULL);
}

static void enter_errors(roundoff *r, size_t member, size_t point, const roundoff_invariants *start,
                         const roundoff_invariants *now)
{
    const size_t at = point * r->members + member;
    r->series[0].errors[at] = round_to_file((now->energy - start->energy) / fabsl(start->energy));
    for (size_t i = 0; i + 2 < r->quantities; i++)
        r->series[1 + i].errors[at] = round_to_file((now->momenta[i] - start->momenta[i]) / start->size);
    r->series[r->quantities - 1].errors[at] = round_to_file(now->constraint);
}

/* Columns are t, step, z, p. */
static ph_status read_rows(roundoff *r, const roundoff_problem *p, size_t member, ph_record *record,
                           size_t nz, ph_error *err)
{
    const size_t columns = ph_record_columns(record);
    roundoff_invariants start, now;
    double *row = calloc(columns, sizeof *row);
    ph_status status = row ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (int64_t i = 0, read, next; !status; i = next) {
        status = ph_record_read(record, i, 1, row, &read, &next, err);
        if (status || !read)
            break;
        p->invariants(row + 2, row + 2 + nz, i ? &now : &start);
        const size_t point = find_point(r, row[1] * (double)p->stages);
        if (i && point < r->points)
            enter_errors(r, member, point, &start, &now);
    }
    free(row);
    return status;
}

static ph_status collect_member(roundoff *r, const roundoff_problem *p, size_t member, const char *path,
                                ph_error *err)
{
    member_run m = {.path = path, .problem = p};
    ph_record *record = NULL;
    ph_summary summary;
    ph_status status = prepare_run(&m, member, err);
    if (!status)
        status = ph_record_open(path, &record, err);
    if (!status)
        status = recall_state(&m, record, err);
    if (!status)
        status = read_rows(r, p, member, record, m.state->nz, err);
    if (!status) {
        ph_monitor_summary(m.monitor, &summary);
        r->largest_constraint[member] = round_to_file(summary.constraint_error_max);
        r->cpu_seconds += m.account.cpu_seconds;
    }
    ph_record_close(record);
    free_run(&m);
    return status;
}

ph_status roundoff_collect(roundoff *r, const roundoff_problem *p, const char *directory, ph_error *err)
{
    char path[4400];
    ph_status status = PH_OK;
    for (size_t i = 0; i < r->members && !status; i++) {
        roundoff_path(path, sizeof path, directory, p, i);
        if (!access(path, F_OK))
            status = collect_member(r, p, i, path, err);
    }
    return status;
}
