/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench formulas: what the callbacks of formulas cost, interpreted, in lanes and compiled, next to the same written by
 * hand. All ways of one callback take turns in short slices; a ratio is that of the least times. Their bits are
 * compared in the same run. */
#include "systems.h"

#include "bench/common/meter.h"
#include "bench/kind/kind.h"
#include "bench/report/markup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { POINTS = PH_FORMULA_LANES, COMPILATIONS = 3, LEAST_ROUNDS = 5, BY_HAND = 3, WAYS };

/* The targets: at most so many times what is in the name. */
static const double interpreted_to_compiled = 8, lanes_to_compiled = 2.5, compiled_to_hand = 2,
                    compiled_to_loops = 1, compile_seconds = 0.1;

/* Times are NaN where nothing was measured. */
typedef struct callback {
    ph_formula_callback of;
    const char *name;
    double ns[WAYS];                     /* the least: by ph_formula_way, and by hand */
    double interpreted, lanes, compiled; /* to compiled, to compiled a point, to by hand */
    size_t differ;                       /* numbers with other bits */
    double hand_error;                   /* relative to the largest number */
    char misses[80];                     /* which targets */
} callback;

typedef struct formula {
    const formulas_row *row;
    const char *rival;
    char found[256];
    size_t operations;
    double seconds; /* of the compiler, the least */
    callback callbacks[PH_FORMULA_CALLBACKS];
    size_t n;
} formula;

typedef struct report {
    bench_run run;
    double budget;
    formula *formulas;
} report;

/* ---- Measuring ------------------------------------------------------------------------------------- */

typedef struct bench {
    const formulas_row *row;
    ph_scenario *scenario, *twin;
    bool compiled; /* is there a compiler, and something to be compiled? */
    const ph_system *system;
    size_t nz;
    double t[POINTS], *z, *v, *z_lanes, *v_lanes; /* (POINTS nz), in lanes (nz POINTS) */
    double *out[WAYS];                            /* (POINTS n) */
} bench;

static ph_status load_scenario(const char *model, ph_scenario **scenario, ph_error *err)
{
    char text[4096];
    snprintf(text, sizeof text, "polhode: 1\n%s%smethod: rk4\nstep: 0.001\nsteps: 1000000000000\n",
             *model == ' ' ? "model:\n" : "", model);
    return ph_scenario_parse(text, strlen(text), "formulas.yaml", scenario, err);
}

/* [s of CPU] of this process and those that it has started and waited for. */
static double now(void)
{
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return meter_now(NULL) + (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* Compiled, without a cache, by the steps that are to be taken. */
static ph_status compile(bench *b, formula *f, ph_error *err)
{
    ph_status status = PH_OK;
    for (int i = 0; i < COMPILATIONS && !status; i++) {
        ph_scenario_free(b->scenario);
        b->scenario = NULL;
        status = load_scenario(b->row->model, &b->scenario, err);
        const double start = now();
        status = status ? status : ph_scenario_compile(b->scenario, err);
        f->seconds = fmin(f->seconds, now() - start); /* fmin leaves out NaN, which it is at first */
    }
    return status;
}

static ph_status open_bench(bench *b, formula *f, ph_error *err)
{
    ph_status status = compile(b, f, err);
    if (!status && b->row->twin)
        status = load_scenario(b->row->twin, &b->twin, err);
    if (status)
        return status;
    ph_formula_callback callbacks[PH_FORMULA_CALLBACKS];
    b->system = ph_scenario_system(b->scenario);
    b->nz = ph_space_ambient(ph_system_space(b->system));
    f->n = ph_formula_callbacks(b->system, callbacks);
    f->operations = ph_formula_operations(b->system);
    b->compiled = strstr(ph_scenario_found(b->scenario), "compiled") != NULL;
    f->seconds = b->compiled ? f->seconds : (double)NAN;
    snprintf(f->found, sizeof f->found, "%s", ph_scenario_found(b->scenario));
    size_t most = b->nz;
    for (size_t i = 0; i < f->n; i++) {
        f->callbacks[i] = (callback){.of = callbacks[i], .name = callbacks[i].name};
        most = callbacks[i].n > most ? callbacks[i].n : most;
    }
    b->z = malloc(POINTS * (4 * b->nz + WAYS * most) * sizeof *b->z);
    if (!b->z)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    b->v = b->z + POINTS * b->nz, b->z_lanes = b->v + POINTS * b->nz,
    b->v_lanes = b->z_lanes + POINTS * b->nz;
    for (size_t w = 0; w < WAYS; w++)
        b->out[w] = b->v_lanes + POINTS * (b->nz + w * most);
    const double *start = ph_scenario_configuration(b->scenario);
    uint64_t random = 1;
    for (size_t l = 0; l < POINTS; l++) {
        b->t[l] = 0.1 * (double)l;
        for (size_t i = 0; i < b->nz; i++) {
            double *at[2] = {&b->z[l * b->nz + i], &b->v[l * b->nz + i]};
            for (size_t k = 0; k < 2; k++) {
                random = random * 6364136223846793005 + 1442695040888963407;
                *at[k] = (k ? 1 : 0.1) * ((double)(random >> 11) * 0x1p-53 - 0.5) + (k ? 0 : start[i]);
            }
            b->z_lanes[i * POINTS + l] = *at[0];
            b->v_lanes[i * POINTS + l] = *at[1];
        }
    }
    return PH_OK;
}

static void close_bench(bench *b)
{
    ph_scenario_free(b->scenario);
    ph_scenario_free(b->twin);
    free(b->z);
}

/* All points, once; keep: their numbers one behind the other, else in one place. */
static ph_status evaluate(const bench *b, const callback *c, size_t way, bool keep, ph_error *err)
{
    ph_status status = PH_OK;
    if (way == PH_FORMULA_IN_LANES)
        return ph_formula_evaluate(b->system, c->of.part, PH_FORMULA_IN_LANES, b->t, b->z_lanes, b->v_lanes,
                                   b->out[way], err);
    for (size_t l = 0; l < POINTS && !status; l++) {
        const double *z = b->z + l * b->nz, *v = b->v + l * b->nz;
        double *out = b->out[way] + (keep ? l * c->of.n : 0);
        if (way != BY_HAND)
            status =
                ph_formula_evaluate(b->system, c->of.part, (ph_formula_way)way, &b->t[l], z, v, out, err);
        else if (b->row->hand)
            b->row->hand(b->row->k, z, v, out);
        else
            status = ph_system_gradient(ph_scenario_system(b->twin), z, out);
    }
    return status;
}

static bool has(const bench *b, const callback *c, size_t way)
{
    if (way == BY_HAND)
        return b->row->rival && !strcmp(c->name, b->row->callback);
    return way != PH_FORMULA_COMPILED || b->compiled;
}

/* c->differ, c->hand_error */
static ph_status compare(const bench *b, callback *c, ph_error *err)
{
    double most = 0, error = 0;
    ph_status status = PH_OK;
    for (size_t w = 0; w < WAYS && !status; w++)
        if (has(b, c, w))
            status = evaluate(b, c, w, true, err);
    for (size_t l = 0; l < POINTS && !status; l++)
        for (size_t i = 0; i < c->of.n; i++) {
            const size_t at = l * c->of.n + i;
            const double *x = &b->out[PH_FORMULA_INTERPRETED][at];
            c->differ += (b->compiled && memcmp(x, &b->out[PH_FORMULA_COMPILED][at], sizeof *x)) ||
                         memcmp(x, &b->out[PH_FORMULA_IN_LANES][i * POINTS + l], sizeof *x);
            most = fmax(most, fabs(*x));
            if (has(b, c, BY_HAND))
                error = fmax(error, fabs(*x - b->out[BY_HAND][at]));
        }
    c->hand_error = has(b, c, BY_HAND) ? error / most : (double)NAN;
    return status;
}

static void miss(callback *c, const char *what, double ratio, double target)
{
    const size_t there = strlen(c->misses);
    if (ratio > target)
        snprintf(c->misses + there, sizeof c->misses - there, "%s%s", there ? ", " : "", what);
}

static ph_status measure(const bench *b, callback *c, double budget, const bench_watch *watch, ph_error *err)
{
    size_t times[WAYS];
    ph_status status = compare(b, c, err);
    const double slice = fmin(1e-3, budget / (WAYS * LEAST_ROUNDS)), began = meter_wall();
    for (size_t w = 0; w < WAYS; w++)
        c->ns[w] = NAN, times[w] = 1;
    for (size_t round = 0; !status && (round < LEAST_ROUNDS || meter_wall() - began < budget); round++) {
        if (*watch->interrupt)
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted");
        for (size_t k = 0; k < WAYS && !status; k++) {
            const size_t w = (k + round) % WAYS;
            if (!has(b, c, w))
                continue;
            for (;;) {
                const double start = meter_now(NULL);
                for (size_t i = 0; i < times[w] && !status; i++)
                    status = evaluate(b, c, w, false, err);
                const double taken = meter_now(NULL) - start;
                if (status || taken > slice / 2) {
                    c->ns[w] = fmin(c->ns[w], 1e9 * taken / (double)(times[w] * POINTS));
                    break;
                }
                times[w] *= 2;
            }
        }
    }
    c->interpreted = c->ns[PH_FORMULA_INTERPRETED] / c->ns[PH_FORMULA_COMPILED];
    c->lanes = c->ns[PH_FORMULA_IN_LANES] / c->ns[PH_FORMULA_COMPILED];
    c->compiled = c->ns[PH_FORMULA_COMPILED] / c->ns[BY_HAND];
    miss(c, "interpreted", c->interpreted, interpreted_to_compiled);
    miss(c, "lanes", c->lanes, lanes_to_compiled);
    miss(c, "by hand", c->compiled, b->row->rival == RIVAL_LOOPS ? compiled_to_loops : compiled_to_hand);
    return status;
}

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    report *r = (report *)run;
    formula *f = &r->formulas[i];
    bench b = {.row = f->row};
    watch_label(watch, "%s", f->row->name);
    setenv("XDG_CACHE_HOME", "/dev/null", 1); /* where no cache can be: each compilation is timed */
    ph_status status = open_bench(&b, f, err);
    for (size_t k = 0; k < f->n && !status; k++) {
        status = measure(&b, &f->callbacks[k], r->budget, watch, err);
        if (k == 0)
            miss(&f->callbacks[k], "compiler", f->seconds, compile_seconds);
        watch_item_share(watch, (double)(k + 1) / (double)f->n);
    }
    close_bench(&b);
    return status;
}

/* ---- Results --------------------------------------------------------------------------------------- */

#define OF(type, member) RESULT_AT(type, callback, member)
static const result_field callback_fields[] = {
    {"callback", OF(WORD, name)},
    {"operations", OF(SIZE, of.operations)},
    {"calls", OF(SIZE, of.calls)},
    {"numbers", OF(SIZE, of.n)},
    {"interpreted_ns", OF(NUMBER, ns[PH_FORMULA_INTERPRETED])},
    {"compiled_ns", OF(NUMBER, ns[PH_FORMULA_COMPILED])},
    {"lanes_ns", OF(NUMBER, ns[PH_FORMULA_IN_LANES])},
    {"by_hand_ns", OF(NUMBER, ns[BY_HAND])},
    {"interpreted_to_compiled", OF(NUMBER, interpreted)},
    {"lanes_to_compiled", OF(NUMBER, lanes)},
    {"compiled_to_by_hand", OF(NUMBER, compiled)},
    {"by_hand_error", OF(NUMBER, hand_error)},
    {"bits_differ", OF(SIZE, differ)},
    {"misses", RESULT_TEXT_AT(callback, misses), .not_in_json = true},
    {.name = NULL}};
static const result_rows callbacks = {.fields = callback_fields, RESULT_SOME(formula, callbacks, n)};
#define AT(type, member) RESULT_AT(type, formula, member)
static const result_field formula_fields[] = {{"formula", RESULT_VIA(WORD, formula, row, formulas_row, name)},
                                              {"words", RESULT_VIA(WORD, formula, row, formulas_row, words)},
                                              {"found", RESULT_TEXT_AT(formula, found)},
                                              {"total_operations", AT(SIZE, operations)},
                                              {"compile_seconds", AT(NUMBER, seconds)},
                                              {"by_hand", AT(WORD, rival)},
                                              {"callbacks", RESULT_ROWS, .rows = &callbacks},
                                              {.name = NULL}};
static const result_rows formulas = {.fields = formula_fields, RESULT_LIST(report, formulas, run.made)};
static const result_field results[] = {{"formulas", RESULT_ROWS, .rows = &formulas}, {.name = NULL}};
static const bench_table tables[] = {
    {.file = "formulas.csv",
     .head =
         "formula,callback,operations,calls,numbers,interpreted_ns,compiled_ns,lanes_ns,by_hand,by_hand_ns,"
         "interpreted_to_compiled,lanes_to_compiled,compiled_to_by_hand,bits_differ,compile_seconds,misses",
     .path = {&formulas, &callbacks}},
    {.file = NULL}};

static const result_column columns[] = {{"formula", "formula", .format = "%-22s"},
                                        {"callback", "callback", .format = "%-16s"},
                                        {"operations", "operations", .format = "%10.0f"},
                                        {"calls", "calls", .format = "%5.0f"},
                                        {"interpreted_ns", "interpreted ns", .format = "%14.1f"},
                                        {"lanes_ns", "lanes ns", .format = "%8.1f"},
                                        {"compiled_ns", "compiled ns", .format = "%11.1f"},
                                        {"by_hand_ns", "by hand ns", .format = "%10.1f"},
                                        {"interpreted_to_compiled", "interpreted", .format = "%11.1f"},
                                        {"lanes_to_compiled", "lanes", .format = "%5.1f"},
                                        {"compiled_to_by_hand", "to hand", .format = "%7.2f"},
                                        {"compile_seconds", "compiler s", .format = "%10.3f"},
                                        {"misses", "misses", .format = "%s"},
                                        {.name = NULL}};
static const result_rows *const path[] = {&formulas, &callbacks, NULL};

static void print(FILE *out, const bench_run *run, size_t i)
{
    (void)i;
    result_words(out, "", columns, path, run, NULL);
    fputs(
        "\nA point's time is in ns; a ratio is to the compiled callback, and of that to what is written by hand.\n"
        "Targets: interpreted 8, lanes 2.5, compiled 2 (1.0 where the hand has loops); a compilation 0.1 s.\n",
        out);
}

static ph_status put_body(FILE *f, const void *self, ph_error *err)
{
    (void)err;
    result_page(f, "Callbacks: ns a point, ratios, seconds of the compiler", columns, path, self);
    return PH_OK;
}

static const page_frame page = {
    .title = "Polhode bench: the speed of formulas",
    .what = "measurement",
    .how_to_read =
        "<li>All ways to evaluate a callback take turns on the same eight points; a time is the least of all slices, CPU time of "
        "one point.</li>\n"
        "<li>Ratios: interpreted and in lanes to compiled; compiled to what is written by hand in C.</li>\n"
        "<li>Targets: interpreted at most 8, lanes at most 2.5, compiled at most 2, or 1.0 where the hand has "
        "straightforward loops; a compilation at most 0.1 s, without the cache.</li>\n",
    .body = put_body};

static ph_status verify(const bench_run *run, ph_error *err)
{
    const report *r = (const report *)run;
    for (size_t i = 0; i < run->made; i++)
        for (size_t k = 0; k < r->formulas[i].n; k++) {
            const callback *c = &r->formulas[i].callbacks[k];
            if (c->differ)
                return ph_fail(err, PH_E_INVALID, "%s, %s: %zu numbers have other bits compiled or in lanes",
                               r->formulas[i].row->name, c->name, c->differ);
            if (c->hand_error > 1e-12)
                return ph_fail(err, PH_E_INVALID, "%s, %s: differs by %.1e from what is written by hand",
                               r->formulas[i].row->name, c->name, c->hand_error);
        }
    return PH_OK;
}

/* ---- Options --------------------------------------------------------------------------------------- */

static const option_row options[] = {
    {"NAME", 0, NULL, OPTION_AT(OPERANDS, bench_run, names), .text = "a system of formulas (default: all)"},
    {"budget", 'b', "TIME", OPTION_AT(POSITIVE_TIME, report, budget),
     .text = "wall-clock time in s for each callback, at least (default: 0.3)"},
    BENCH_OPTIONS("where to write (default: formulas.bench.out)", "overwrite existing results",
                  "print what formulas.json has, instead of the table"),
    BENCH_LIST("list the systems and exit"),
    {.name = NULL}};

static const report defaults = {.budget = 0.3};

extern const bench_kind formulas_kind;

static ph_status load(bench_run *run, ph_error *err)
{
    static const char *const rivals[] = {
        [RIVAL_HAND] = "best", [RIVAL_LOOPS] = "loops", [RIVAL_CATALOGUE] = "catalogue"};
    report *r = (report *)run;
    run->n_items = run->names.n ? run->names.n : FORMULAS;
    r->formulas = calloc(run->n_items, sizeof *r->formulas);
    if (!r->formulas)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = PH_OK;
    for (size_t i = 0; i < run->n_items && !status; i++) {
        size_t at = i;
        if (run->names.n)
            status = list_find(&formulas_kind.systems, run->names.at[i], &at, err);
        const formulas_row *row = &formulas_rows[status ? 0 : at];
        r->formulas[i] = (formula){.row = row, .rival = rivals[row->rival], .seconds = NAN};
    }
    return status;
}

static void release(bench_run *run)
{
    free(((report *)run)->formulas);
}

const bench_kind formulas_kind = {
    .command =
        {.name = "bench formulas",
         .summary =
             "measure the speed of formulas: interpreted, in lanes of eight points, compiled, written by hand",
         .about =
             "Measure the speed of formulas: each derivative that a step evaluates, interpreted, in lanes of eight points "
             "and compiled, in turn, next to the same written by hand in C where there is one; and the time of the compiler. "
             "Their bits are compared. Prints times and ratios, and which of these miss their targets; writes "
             "DIR/report.html, formulas.json and formulas.csv.",
         .exits = {{0, "done"}, {1, "numbers differ"}, {2, "wrong usage"}, BENCH_EXITS},
         .options = options,
         .size = sizeof(report),
         .defaults = &defaults},
    .systems = {.first = formulas_rows, .n = FORMULAS, .stride = sizeof formulas_rows[0], .width = 24},
    .load = load,
    .make = make,
    .verify = verify,
    .release = release,
    .print = print,
    .print_last = 1,
    .json_file = "formulas.json",
    .json_name = "polhode_bench_formulas",
    .results = results,
    .tables = tables,
    .page = &page};
