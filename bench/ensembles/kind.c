/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench ensembles: the throughput of members, one after the other, in lanes, as sweeps by one thread and two into an
 * archive, and by the rivals of rivals.h, which take the fewest steps, or the largest tolerance, with which their final states
 * are as accurate. All ways take turns; a ratio is the median of those within a round. The bits of the first four
 * are compared in the same run; the truth is `rk8` with an eighth of the step. */
#include "rivals.h"

#include "bench/common/meter.h"
#include "bench/common/numbers.h"
#include "bench/kind/kind.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum way_kind { ALONE, LANES, SWEEP, SWEEP_2, LOOP_SAME, LOOP, SERIES, SERIES_FULL, WAYS } way_kind;
enum { GROUP = 64, SAMPLE = 64, LEAST_ROUNDS = 5, MOST_ROUNDS = 500 };

/* NaN where nothing was measured. */
typedef struct way {
    const char *name;
    double cpu, wall;      /* [us] a member, the least */
    double faster, sooner; /* than one after the other: by CPU time, by wall-clock time */
    double error;          /* of final configurations, relative to their largest number */
    double setting;        /* [s] the step of a loop; the tolerance of series */
    double ratios[2][MOST_ROUNDS];
} way;

typedef struct crowd {
    const ensembles_row *row;
    size_t lanes, rounds;
    int64_t members, steps;
    double bytes;  /* a member, of the archive */
    double doubt;  /* how much the truth differs from series of the full order */
    size_t differ; /* members with other bits in lanes or sweeps */
    way ways[WAYS];
    size_t n_ways;
} crowd;

typedef struct report {
    bench_run run;
    double budget;
    int64_t members, steps;
    crowd *crowds;
} report;

/* ---- Members --------------------------------------------------------------------------------------- */

typedef struct bench {
    crowd *at;
    const bench_watch *watch;
    char text[4096], directory[4200];
    ph_members *members;
    ph_scenario *first; /* whose system all have */
    ph_integrator *integrator;
    ph_state *state;
    ph_ensemble *ensemble;
    series *series;
    size_t n, nz, np, numbers; /* members, of z, of p, of a rival's y */
    double *start, *end[2];    /* (n, nz + np), the ends one after the other, and of another way */
    double *y, *y_end;         /* (n, numbers) */
    double *truth;             /* (SAMPLE, nz) */
    double *side;              /* (nz + np, GROUP) */
} bench;

/* y <- z and the velocities of a member, as rivals have them. */
static ph_status set_rival(const bench *b, const double *z, const double *p, double *y, double *work,
                           ph_error *err)
{
    const ph_system *system = ph_scenario_system(b->first);
    const ph_space *space = ph_system_space(system);
    double zdot[RIVAL_MOST], *w = y + b->nz;
    ph_status status = ph_system_velocity_at(system, 0, z, p, zdot, work);
    if (status)
        return ph_fail(err, status, "%s: its velocities: %s", b->at->row->name, ph_status_text(status));
    memcpy(y, z, b->nz * sizeof *y);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const double unit = f->kind == PH_FACTOR_R ? b->at->row->rival->length : 1;
        if (f->kind == PH_FACTOR_SO3) { /* Omega_a = (R^T R')_cb */
            for (size_t a = 0; a < 3; a++, w++) {
                *w = 0;
                for (size_t r = 0; r < 3; r++)
                    *w += z[f->z + 3 * r + (a + 2) % 3] * zdot[f->z + 3 * r + (a + 1) % 3];
            }
            continue;
        }
        for (size_t k = f->z; k < f->z + f->nz; k++) {
            y[k] = z[k] / unit;
            *w++ = zdot[k] / unit;
        }
    }
    return PH_OK;
}

static ph_status open_members(bench *b, ph_error *err)
{
    const ensembles_row *row = b->at->row;
    snprintf(b->text, sizeof b->text,
             "polhode: 1\n%smethod: %s\nstep: %.17g\nsteps: %lld\n"
             "output: {columns: [configuration, momentum]}\n"
             "ensemble: {product: {\"%s\": {from: %.17g, to: %.17g, count: %zu}}}\n",
             row->model, row->method, row->h, (long long)b->at->steps, row->key, row->from, row->to, b->n);
    ph_status status = ph_members_open(b->text, strlen(b->text), row->name, &b->members, err);
    if (!status)
        status = ph_members_make(b->members, 0, &b->first, err);
    if (!status)
        status = ph_scenario_compile(b->first, err);
    if (!status)
        status = ph_scenario_integrator(b->first, NULL, &b->integrator, err);
    if (!status)
        status = ph_state_create(b->integrator, &b->state, err);
    if (!status)
        status = ph_ensemble_create(b->integrator, GROUP, &b->ensemble, err);
    return status;
}

static ph_status open_bench(bench *b, ph_error *err)
{
    ph_status status = open_members(b, err);
    if (status)
        return status;
    b->nz = b->state->nz, b->np = b->state->np, b->numbers = b->at->row->rival->numbers;
    b->at->lanes = ph_ensemble_lanes(b->ensemble);
    const size_t one = b->nz + b->np, work = ph_system_work(ph_scenario_system(b->first));
    b->start = malloc((3 * b->n * one + 2 * b->n * b->numbers + (size_t)SAMPLE * b->nz + GROUP * one + work) *
                      sizeof *b->start);
    b->series = rival_series_create(b->at->row->rival);
    if (!b->start || !b->series)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    b->end[0] = b->start + b->n * one, b->end[1] = b->end[0] + b->n * one;
    b->y = b->end[1] + b->n * one, b->y_end = b->y + b->n * b->numbers;
    b->truth = b->y_end + b->n * b->numbers, b->side = b->truth + (size_t)SAMPLE * b->nz;
    for (size_t i = 0; i < b->n && !status; i++) {
        ph_scenario *member = NULL;
        double *z = b->start + i * one, *p = z + b->nz;
        status = ph_members_make(b->members, (int64_t)i, &member, err);
        if (status)
            break;
        memcpy(z, ph_scenario_configuration(member), b->nz * sizeof *z);
        memcpy(p, ph_scenario_momentum(member), b->np * sizeof *p);
        ph_scenario_free(member);
        status = set_rival(b, z, p, b->y + i * b->numbers, b->side + GROUP * one, err);
    }
    return status;
}

static void close_bench(bench *b)
{
    static const char *const files[] = {"members.polhode", "members.statistics.json"};
    char path[4300];
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", b->directory, files[i]);
        unlink(path);
    }
    rmdir(b->directory);
    free(b->start);
    rival_series_free(b->series);
    ph_ensemble_free(b->ensemble);
    ph_state_free(b->state);
    ph_integrator_free(b->integrator);
    ph_scenario_free(b->first);
    ph_members_free(b->members);
}

/* ---- Ways ------------------------------------------------------------------------------------------ */

/* end (nz + np) <- of member i, after `steps` of the integrator. */
static ph_status run_alone(const bench *b, ph_integrator *it, ph_state *state, size_t i, int64_t steps,
                           double *end, ph_error *err)
{
    const double *z = b->start + i * (b->nz + b->np);
    ph_status status = ph_state_set(it, state, 0, z, z + b->nz, PH_STRICT, err);
    if (!status && ph_integrator_step(it, state, steps))
        status =
            ph_fail(err, PH_E_DIVERGED, "%s, member %zu: %s", b->at->row->name, i, ph_integrator_message(it));
    memcpy(end, state->z, b->nz * sizeof *end);
    memcpy(end + b->nz, state->p, b->np * sizeof *end);
    return status;
}

static ph_status run_lanes(const bench *b, ph_error *err)
{
    const size_t one = b->nz + b->np;
    ph_status status = PH_OK;
    for (size_t i = 0; i < b->n && !status; i += GROUP) {
        for (size_t l = 0; l < GROUP; l++)
            for (size_t k = 0; k < one; k++)
                b->side[k * GROUP + l] = b->start[(i + l) * one + k];
        status = ph_ensemble_set(b->ensemble, 0, b->side, b->side + b->nz * GROUP, PH_STRICT, err);
        if (!status && ph_ensemble_step(b->ensemble, b->at->steps))
            status =
                ph_fail(err, PH_E_DIVERGED, "%s: %s", b->at->row->name, ph_ensemble_message(b->ensemble));
        ph_ensemble_get(b->ensemble, b->side, b->side + b->nz * GROUP);
        for (size_t l = 0; l < GROUP; l++)
            for (size_t k = 0; k < one; k++)
                b->end[1][(i + l) * one + k] = b->side[k * GROUP + l];
    }
    return status;
}

static ph_status run_sweep(const bench *b, int threads, ph_error *err)
{
    const ph_sweep_options options = {.force = true, .threads = threads};
    ph_sweep *sweep;
    ph_error lost;
    ph_status status =
        ph_sweep_open_text(b->text, strlen(b->text), "members.yaml", b->directory, &options, &sweep, err);
    if (status)
        return status;
    status = ph_sweep_run(sweep, err);
    const ph_status closed = ph_sweep_close(sweep, status ? &lost : err);
    return status ? status : closed;
}

/* y_end <- of n members from `first` on, `apart` from each other. */
static void run_rival(const bench *b, way_kind kind, double setting, size_t n, size_t apart)
{
    const ensembles_row *row = b->at->row;
    const double t = row->h * (double)b->at->steps;
    const size_t m = b->numbers;
    for (size_t i = 0; i < n; i++) {
        memcpy(b->y_end + i * m, b->y + i * apart * m, m * sizeof *b->y);
        if (kind <= LOOP)
            rival_run_loop(row->rival, b->y_end + i * m, setting, (int64_t)round(t / setting));
        else if (i % RIVAL_LANES == RIVAL_LANES - 1)
            rival_series_run(b->series, setting, b->y_end + (i + 1 - RIVAL_LANES) * m, t);
    }
}

static ph_status run_way(const bench *b, way_kind kind, ph_error *err)
{
    ph_status status = PH_OK;
    switch (kind) {
    case ALONE:
        for (size_t i = 0; i < b->n && !status; i++)
            status =
                run_alone(b, b->integrator, b->state, i, b->at->steps, b->end[0] + i * (b->nz + b->np), err);
        return status;
    case LANES:
        return run_lanes(b, err);
    case SWEEP:
    case SWEEP_2:
        return run_sweep(b, kind == SWEEP ? 1 : 2, err);
    default:
        run_rival(b, kind, b->at->ways[kind].setting, b->n, 1);
        return PH_OK;
    }
}

/* ---- Errors ---------------------------------------------------------------------------------------- */

/* The largest difference from the truth of the configurations in end[1], relative to the largest number of a member. */
static double error_of(const bench *b)
{
    double most = 0;
    for (size_t i = 0; i < SAMPLE; i++) {
        const double *z = b->end[1] + i * (b->nz + b->np), *truth = b->truth + i * b->nz;
        double size = 0;
        for (size_t k = 0; k < b->nz; k++)
            size = fmax(size, fabs(truth[k]));
        const double error = largest_difference(z, truth, b->nz) / size;
        if (!isfinite(error))
            return INFINITY;
        most = fmax(most, error);
    }
    return most;
}

/* The same of a rival, by the members of the sample. */
static double error_of_rival(const bench *b, way_kind kind, double setting)
{
    b->at->ways[kind].setting = setting;
    run_rival(b, kind, setting, SAMPLE, b->n / SAMPLE);
    for (size_t i = 0; i < SAMPLE; i++)
        for (size_t k = 0; k < b->nz; k++)
            b->end[1][i * (b->nz + b->np) + k] =
                b->y_end[i * b->numbers + k] * (k < 3 ? b->at->row->rival->length : 1);
    return error_of(b);
}

/* The truth; the error of the library; the settings of the rivals, by the members of the sample. */
static ph_status settle(const bench *b, ph_error *err)
{
    enum { FINER = 8 };
    const ensembles_row *row = b->at->row;
    const size_t apart = b->n / SAMPLE, one = b->nz + b->np;
    way *ways = b->at->ways;
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    double end[2 * RIVAL_MOST];
    ph_status status = ph_integrator_create(ph_scenario_system(b->first), ph_method_find("rk8", NULL),
                                            row->h / FINER, NULL, 0, &it, err);
    if (!status)
        status = ph_state_create(it, &state, err);
    for (size_t i = 0; i < SAMPLE && !status; i++) {
        status = run_alone(b, it, state, i * apart, FINER * b->at->steps, end, err);
        memcpy(b->truth + i * b->nz, end, b->nz * sizeof *end);
    }
    ph_state_free(state);
    ph_integrator_free(it);
    for (size_t i = 0; i < SAMPLE && !status; i++)
        status = run_alone(b, b->integrator, b->state, i * apart, b->at->steps, b->end[1] + i * one, err);
    if (status)
        return status;
    const double t = row->h * (double)b->at->steps, error = error_of(b);
    for (size_t w = ALONE; w <= SWEEP_2; w++)
        ways[w].error = error;
    ways[LOOP_SAME].error = error_of_rival(b, LOOP_SAME, row->h);
    ways[LOOP].error = ways[SERIES].error = INFINITY;
    for (int64_t n = 1; n < 1000000 && !(ways[LOOP].error <= error); n += (n + 7) / 8)
        ways[LOOP].error = error_of_rival(b, LOOP, t / (double)n);
    for (double tolerance = 0.1; tolerance > 1e-17 && !(ways[SERIES].error <= error); tolerance /= 10)
        ways[SERIES].error = error_of_rival(b, SERIES, tolerance);
    b->at->doubt = ways[SERIES_FULL].error = error_of_rival(b, SERIES_FULL, DBL_EPSILON);
    return PH_OK;
}

/* end[1] <- final states of the archive, of which each is the last numbers of its row. */
static ph_status read_sweep(bench *b, ph_error *err)
{
    char path[4300];
    ph_record *record = NULL;
    int64_t read = 0, next;
    snprintf(path, sizeof path, "%s/members.polhode", b->directory);
    ph_status status = ph_record_open(path, &record, err);
    const size_t columns = status ? 0 : ph_record_columns(record), one = b->nz + b->np;
    double *row = malloc((columns + 1) * sizeof *row);
    if (!status && !row)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < b->n && !status; i++) {
        status = ph_record_read(record, (int64_t)i, 1, row, &read, &next, err);
        if (!status && read == 1)
            memcpy(b->end[1] + i * one, row + columns - one, one * sizeof *row);
    }
    free(row);
    ph_record_close(record);
    FILE *f = status ? NULL : fopen(path, "rb");
    if (f && !fseek(f, 0, SEEK_END))
        b->at->bytes = (double)ftell(f) / (double)b->n;
    if (f)
        fclose(f);
    return status;
}

/* Members of lanes and sweeps with other bits than one after the other. */
static ph_status compare(bench *b, ph_error *err)
{
    const size_t one = b->nz + b->np;
    ph_status status = run_way(b, ALONE, err);
    for (way_kind kind = LANES; kind <= SWEEP_2 && !status; kind++) {
        memset(b->end[1], 0, b->n * one * sizeof **b->end);
        status = run_way(b, kind, err);
        if (!status && kind >= SWEEP)
            status = read_sweep(b, err);
        for (size_t i = 0; i < b->n && !status; i++)
            b->at->differ += memcmp(b->end[0] + i * one, b->end[1] + i * one, one * sizeof **b->end) != 0;
    }
    return status;
}

/* ---- Measuring ------------------------------------------------------------------------------------- */

static ph_status go_round(bench *b, ph_error *err)
{
    double cpu[WAYS], wall[WAYS];
    crowd *c = b->at;
    for (size_t k = 0; k < WAYS; k++) {
        const way_kind kind = (way_kind)((k + c->rounds) % WAYS);
        const double cpu_start = meter_now(NULL), wall_start = meter_wall();
        if (*b->watch->interrupt)
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted");
        const ph_status status = run_way(b, kind, err);
        if (status)
            return status;
        cpu[kind] = meter_now(NULL) - cpu_start;
        wall[kind] = meter_wall() - wall_start;
    }
    for (size_t k = 0; k < WAYS; k++) {
        way *w = &c->ways[k];
        const double each = 1e6 / (double)b->n;
        w->cpu = fmin(w->cpu, each * cpu[k]); /* fmin leaves out NaN */
        w->wall = fmin(w->wall, each * wall[k]);
        w->ratios[0][c->rounds] = cpu[ALONE] / cpu[k];
        w->ratios[1][c->rounds] = wall[ALONE] / wall[k];
    }
    c->rounds++;
    return PH_OK;
}

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    report *r = (report *)run;
    crowd *c = &r->crowds[i];
    bench *b = calloc(1, sizeof *b);
    if (!b)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *b = (bench){.at = c, .watch = watch, .n = (size_t)c->members};
    snprintf(b->directory, sizeof b->directory, "%s/sweep-%ld.out", run->directory, (long)getpid());
    watch_label(watch, "%s", c->row->name);
    ph_status status = open_bench(b, err);
    if (!status)
        status = settle(b, err);
    if (!status)
        status = compare(b, err);
    const double began = meter_wall();
    for (double passed = 0;
         !status && c->rounds < MOST_ROUNDS && (c->rounds < LEAST_ROUNDS || passed < r->budget);) {
        status = go_round(b, err);
        passed = meter_wall() - began;
        watch_item_share(watch, fmin(1, passed / r->budget));
    }
    c->n_ways = c->rounds ? WAYS : 0;
    for (size_t k = 0; k < c->n_ways; k++) {
        way *w = &c->ways[k];
        sort_numbers(w->ratios[0], c->rounds);
        sort_numbers(w->ratios[1], c->rounds);
        w->faster = sorted_quantile(w->ratios[0], c->rounds, 0.5);
        w->sooner = sorted_quantile(w->ratios[1], c->rounds, 0.5);
    }
    close_bench(b);
    free(b);
    return status;
}

/* ---- Results --------------------------------------------------------------------------------------- */

#define OF(type, member) RESULT_AT(type, way, member)
static const result_field way_fields[] = {{"way", OF(WORD, name)},
                                          {"cpu_us", OF(NUMBER, cpu)},
                                          {"wall_us", OF(NUMBER, wall)},
                                          {"times_as_fast", OF(NUMBER, faster)},
                                          {"times_as_soon", OF(NUMBER, sooner)},
                                          {"error", OF(NUMBER, error)},
                                          {"setting", OF(NUMBER, setting)},
                                          {.name = NULL}};
static const result_rows ways = {.fields = way_fields, RESULT_SOME(crowd, ways, n_ways)};
#define AT(type, member) RESULT_AT(type, crowd, member)
#define ROW(type, member) RESULT_VIA(type, crowd, row, ensembles_row, member)
static const result_field crowd_fields[] = {{"ensemble", ROW(WORD, name)},
                                            {"words", ROW(WORD, words)},
                                            {"method", ROW(WORD, method)},
                                            {"h", ROW(NUMBER, h)},
                                            {"steps", AT(WHOLE, steps)},
                                            {"members", AT(WHOLE, members)},
                                            {"lanes", AT(SIZE, lanes)},
                                            {"rounds", AT(SIZE, rounds)},
                                            {"bytes_a_member", AT(NUMBER, bytes)},
                                            {"doubt", AT(NUMBER, doubt)},
                                            {"bits_differ", AT(SIZE, differ)},
                                            {"ways", RESULT_ROWS, .rows = &ways},
                                            {.name = NULL}};
static const result_rows crowds = {.fields = crowd_fields, RESULT_LIST(report, crowds, run.made)};
static const result_field results[] = {{"ensembles", RESULT_ROWS, .rows = &crowds}, {.name = NULL}};
static const bench_table tables[] = {
    {.file = "ensembles.csv",
     .head =
         "ensemble,method,h,steps,members,lanes,way,cpu_us,wall_us,times_as_fast,times_as_soon,error,setting,"
         "bytes_a_member,bits_differ",
     .path = {&crowds, &ways}},
    {.file = NULL}};

static const result_column columns[] = {{"ensemble", "ensemble", .format = "%-18s"},
                                        {"way", "way", .format = "%-26s"},
                                        {"cpu_us", "us of CPU\na member", .format = "%9.3f"},
                                        {"wall_us", "of wall\nclock", .format = "%9.3f"},
                                        {"times_as_fast", "times as fast\nby CPU time", .format = "%13.2f"},
                                        {"times_as_soon", "by wall\nclock", .format = "%8.2f"},
                                        {"error", "error at\nthe end", .format = "%9.1e"},
                                        {"setting", "step, or\ntolerance", .format = "%9.2g"},
                                        {.name = NULL}};
static const result_rows *const path[] = {&crowds, &ways, NULL};

static void print(FILE *out, const bench_run *run, size_t i)
{
    (void)i;
    result_words(out, "", columns, path, run, NULL);
    fputs("\nTimes as fast: than one after the other, median of the ratios within a round.\n", out);
}

static ph_status verify(const bench_run *run, ph_error *err)
{
    const report *r = (const report *)run;
    for (size_t i = 0; i < run->made; i++) {
        const crowd *c = &r->crowds[i];
        if (c->differ)
            return ph_fail(err, PH_E_INVALID, "%s: %zu members have other bits in lanes or in a sweep",
                           c->row->name, c->differ);
        if (c->doubt > 1e-9)
            return ph_fail(err, PH_E_INVALID, "%s: the truth differs by %.1e from Taylor series",
                           c->row->name, c->doubt);
    }
    return PH_OK;
}

/* ---- Options --------------------------------------------------------------------------------------- */

static const option_row options[] = {
    {"NAME", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "an ensemble of the list (default: all)"},
    {"members", 0, "N", OPTION_AT(WHOLE, report, members), .least = GROUP, .most = 1e7,
     .text = "number of members, rounded up to a multiple of 64 (default: 4096)"},
    {"steps", 0, "N", OPTION_AT(WHOLE, report, steps), .least = 1, .most = 1e9,
     .text = "steps of a member (default: 100)"},
    {"budget", 'b', "TIME", OPTION_AT(POSITIVE_TIME, report, budget),
     .text = "wall-clock time in s for each ensemble, at least (default: 5)"},
    BENCH_OPTIONS("where to write (default: ensembles.bench.out)", "overwrite existing results",
                  "print what ensembles.json has, instead of the table"),
    BENCH_LIST("list the ensembles and exit"),
    {.name = NULL}};

static const report defaults = {.budget = 5, .members = 4096, .steps = 100};

extern const bench_kind ensembles_kind;

static ph_status load(bench_run *run, ph_error *err)
{
    static const char *const names[WAYS] = {
        "one after the other",        "lanes (ph_ensemble)", "sweep, 1 thread",          "sweep, 2 threads",
        "plain loop, RK4, same step", "plain loop, RK4",     "Taylor series, 4 at once", "Taylor, order 20"};
    report *r = (report *)run;
    run->n_items = run->names.n ? run->names.n : ENSEMBLES;
    r->crowds = calloc(run->n_items, sizeof *r->crowds);
    if (!r->crowds)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = PH_OK;
    for (size_t i = 0; i < run->n_items && !status; i++) {
        size_t at = i;
        crowd *c = &r->crowds[i];
        if (run->names.n)
            status = list_find(&ensembles_kind.systems, run->names.at[i], &at, err);
        c->row = &ensembles_rows[status ? 0 : at];
        c->steps = r->steps;
        c->members = (r->members + GROUP - 1) / GROUP * GROUP;
        for (size_t k = 0; k < WAYS; k++)
            c->ways[k] = (way){.name = names[k],
                               .cpu = NAN,
                               .wall = NAN,
                               .faster = NAN,
                               .sooner = NAN,
                               .error = NAN,
                               .setting = k < LOOP ? c->row->h : NAN};
    }
    return status;
}

static void release(bench_run *run)
{
    free(((report *)run)->crowds);
}

const bench_kind ensembles_kind = {
    .command =
        {.name = "bench ensembles",
         .summary = "measure the throughput of ensembles: in lanes, as sweeps, and by code written by hand",
         .about =
             "Measure the throughput of ensembles: the same members by the library one after the other, in lanes, and as "
             "a sweep into an archive in DIR with one thread and two; and by two rivals in R^n, a plain loop of RK4 in C "
             "and Taylor series of four members at once, as heyoka has them, at the same accuracy of the final state "
             "and, the series, at that of doubles. Prints the time of a member, ratios, errors; writes "
             "DIR/ensembles.json and ensembles.csv.",
         .exits = {{0, "done"}, {1, "final states differ"}, {2, "wrong usage"}, BENCH_EXITS},
         .options = options,
         .size = sizeof(report),
         .defaults = &defaults},
    .systems = {.first = ensembles_rows, .n = ENSEMBLES, .stride = sizeof ensembles_rows[0], .width = 20},
    .load = load,
    .make = make,
    .verify = verify,
    .release = release,
    .print = print,
    .print_last = 1,
    .json_file = "ensembles.json",
    .json_name = "polhode_bench_ensembles",
    .results = results,
    .tables = tables};
