/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of an ensemble: a scenario whose initial velocities are changed by at most a thousandth, as a sweep. Rows are the
 * same number in each decade of steps, those of the points among them. */
#include "bench/report/file.h"
#include "roundoff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows in a decade of steps, a multiple of the points: the constraint is looked at in all of them. */
enum { ROWS = 20 * ROUNDOFF_PER_DECADE };

int64_t roundoff_reach(const roundoff_problem *p, int64_t stages)
{
    const ph_schedule points = {.kind = PH_PER_DECADE, .steps = ROUNDOFF_PER_DECADE};
    const int64_t k = (stages + p->stages - 1) / p->stages;
    return ph_schedule_next(&points, p->h, k - 1);
}

/* ---- The sweep ------------------------------------------------------------------------------------- */

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
    for (size_t i = 0; i < p->rows; i++) {
        double factor = 1 + 1e-3 * next_number(&state);
        for (size_t k = 0; k < 3; k++) {
            if (p->apart && k)
                factor = 1 + 1e-3 * next_number(&state);
            fprintf(f, "%s%.17g", k ? ", " : i ? ", [" : "[", factor * p->omega[i][k]);
        }
        fputc(']', f);
    }
}

typedef struct ensemble_text {
    const roundoff_problem *problem;
    size_t members;
    int64_t stages;
} ensemble_text;

static void put_scenario(FILE *f, const void *self)
{
    const ensemble_text *e = self;
    const roundoff_problem *p = e->problem;
    fprintf(f,
            "polhode: 1\nmodel: %s\nparameters: %s\ninitial:\n  q: %s\n  omega: []\nmethod: {name: %s}\n"
            "step: %.17g\nsteps: %lld\n"
            "output: {per-decade: %d, columns: [configuration, momentum, constraint_error]}\n"
            "ensemble:\n  list:\n",
            p->model, p->parameters, p->q, p->method, p->h, (long long)roundoff_reach(p, e->stages), ROWS);
    for (size_t i = 0; i < e->members; i++) {
        fputs("    - {initial.omega: [", f);
        put_velocities(f, p, i);
        fputs("]}\n", f);
    }
}

char *roundoff_scenario(const roundoff_problem *p, size_t members, int64_t stages)
{
    return report_text(put_scenario, &(ensemble_text){p, members, stages});
}

void roundoff_path(char *path, size_t size, const char *directory, const roundoff_problem *p)
{
    snprintf(path, size, "%s/roundoff-%s.polhode", directory, p->name);
}

static void show_progress(void *self, const ph_sweep *sweep)
{
    bench_watch *watch = self;
    ph_sweep_result result;
    ph_sweep_get_result(sweep, &result);
    watch_share(watch, ((double)watch->item + result.share) / (double)(watch->items ? watch->items : 1));
}

static bool is_interrupted(void *self, const char **reason, const char **by)
{
    const bench_watch *watch = self;
    *reason = "signal";
    *by = NULL;
    return watch->interrupt && *watch->interrupt;
}

ph_status roundoff_run(const char *directory, const roundoff_problem *p, size_t members, int64_t stages,
                       int threads, bool force, bench_watch *watch, ph_error *err)
{
    const ph_sweep_options options = {
        .force = force, .threads = threads, .progress = show_progress, .stop = is_interrupted, .self = watch};
    char name[100], *text = roundoff_scenario(p, members, stages);
    ph_sweep *sweep = NULL;
    ph_error lost;
    if (!text)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    snprintf(name, sizeof name, "roundoff-%s.yaml", p->name);
    ph_status status = ph_sweep_open_text(text, strlen(text), name, directory, &options, &sweep, err);
    free(text);
    if (status)
        return status;
    status = ph_sweep_run(sweep, err);
    char *words = status == PH_E_EXISTS ? strstr(err->message, "set options.force") : NULL;
    if (words) /* by the options of the command */
        snprintf(words, sizeof err->message - (size_t)(words - err->message),
                 "give --force, or another place by -o");
    const ph_status closed = ph_sweep_close(sweep, status ? &lost : err);
    return status ? status : closed;
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

/* A member in the archive: its rows are t, step, member, status, the number of its velocities, z, p, the constraint error. */
static ph_status read_member(roundoff *r, const roundoff_problem *p, size_t member, ph_record *record,
                             const char *path, double *row, ph_error *err)
{
    enum { STEP = 1, STATUS = 3, VELOCITIES, Z };
    const size_t columns = ph_record_columns(record), np = 3 * p->rows;
    roundoff_invariants start, now;
    double largest = 0;
    ph_swept swept = {.rows = 0};
    ph_record_swept(record, &swept);
    for (int64_t i = 0, read, next; i < swept.rows; i++) {
        ph_status status =
            ph_record_read(record, (int64_t)member * swept.rows + i, 1, row, &read, &next, err);
        if (status)
            return status;
        if (!read)
            return ph_fail(err, PH_E_IO, "%s: rows of member %zu are missing", path, member);
        if (row[STATUS] != PH_OK)
            return ph_fail(err, (ph_status)row[STATUS], "%s: member %zu failed; polhode info says why", path,
                           member);
        p->invariants(row + Z, row + columns - 1 - np, i ? &now : &start);
        largest = fmax(largest, row[columns - 1]);
        const size_t point = find_point(r, row[STEP] * (double)p->stages);
        if (i && point < r->points)
            enter_errors(r, member, point, &start, &now);
    }
    r->largest_constraint[member] = round_to_file(largest);
    return PH_OK;
}

ph_status roundoff_collect(roundoff *r, const roundoff_problem *p, const char *directory, ph_error *err)
{
    char path[4400];
    ph_record *record = NULL;
    ph_commit commit = {.steps = 0};
    roundoff_path(path, sizeof path, directory, p);
    if (access(path, F_OK))
        return PH_OK;
    ph_status status = ph_record_open(path, &record, err);
    double *row = status ? NULL : calloc(ph_record_columns(record), sizeof *row);
    if (!status)
        status = row ? ph_record_commit(record, &commit, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    r->cpu_seconds = commit.account.cpu_seconds;
    for (size_t i = 0; i < r->members && (int64_t)i < commit.steps && !status; i++)
        status = read_member(r, p, i, record, path, row, err);
    free(row);
    ph_record_close(record);
    return status;
}
