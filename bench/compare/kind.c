/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench: methods compared on problems of the table or on scenarios. */
#include "front.h"
#include "report.h"

#include "bench/common/scenario-input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options --------------------------------------------------------------------------------------- */

#define AT(kind, member) OPTION_AT(kind, report, member)
static const option_row options[] = {
    {"PROBLEM", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "a problem of the table (see --list); default: those marked there, about a minute"},
    {"FILE", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "a scenario file; - reads the standard input"},
    {"method", 'm', "METHOD", AT(TEXTS, methods), .most = REPORT_CONTENDERS,
     .text =
         "a method, with options as METHOD:option=value (may be repeated; default: those of "
         "these that support the problem: rk4-projected, multistep:order=6, variational:order=8, moser-veselov, "
         "kepler-rotor, spherical-midpoint, spin-splitting, arkode, variational, rk4); or taylor, Taylor series of order "
         "up to 20 by its options rtol and atol, which only comparisons have"},
    {"step", 's', "STEP", AT(POSITIVE_TIMES, steps), .most = PROBLEM_STEPS,
     .text = "a step size in s (may be repeated; default: the problem's)"},
    {"time", 'T', "TIME", AT(POSITIVE_TIME, time),
     .text = "time of motion of the long runs in s (default: the problem's)"},
    {"budget", 'b', "TIME", AT(POSITIVE_TIME, budget),
     .text =
         "wall-clock time in s for each timing of a problem, of which there are up to four (default: 1.5)"},
    SET_OPTION(bench_run, set),
    {"words", 'w', NULL, AT(FLAG, words), .text = "print all tables and findings"},
    BENCH_OPTIONS(
        "where to write (default: the scenario's or problem's name + .bench.out; bench.out for several)",
        "overwrite existing results", "print what results.json has, instead of tables and words"),
    BENCH_LIST("list the problems"),
    {.name = NULL}};

static const report defaults = {.budget = 1.5};

static const struct {
    const char *text;
    contender_role role;
} listed[] = {
#define CONTENDER(text, role) {text, role},
#include "bench/common/contenders.def"
#undef CONTENDER
};
enum { LISTED = sizeof listed / sizeof listed[0] };

static ph_status override(report_entry *e, const report *r, ph_error *err)
{
    problem *p = &e->problem;
    if (r->time > 0)
        p->horizon = r->time;
    if (r->steps.n) {
        memset(p->steps, 0, sizeof p->steps);
        memcpy(p->steps, r->steps.at, r->steps.n * sizeof *p->steps);
    }
    for (size_t i = 0; i < PROBLEM_STEPS && p->steps[i] > 0; i++) {
        double h = p->steps[i], steps = p->horizon / h;
        if (!(steps >= 1) || fabs(steps - floor(steps + 0.5)) > 1e-6 || steps > 9e15)
            return ph_fail(
                err, PH_E_RANGE,
                "%g s is not a whole number of steps of %g s; the nearest times are %.12g and %.12g s (-T)",
                p->horizon, h, h * fmax(1, floor(steps)), h * (floor(steps) + 1));
    }
    return PH_OK;
}

static ph_status choose_contenders(report_entry *e, const option_texts *methods, ph_error *err)
{
    size_t n = methods->n ? methods->n : LISTED;
    const ph_system *system = ph_scenario_system(e->scenario);
    for (size_t i = 0; i < n; i++) {
        if (!methods->n && listed[i].role == ROLE_NAMED)
            continue;
        contender *c = &e->contenders[e->n_contenders];
        ph_status status = contender_parse(c, methods->n ? methods->at[i] : listed[i].text, err);
        if (status && (methods->n || status == PH_E_NO_MEMORY))
            return status;
        if (status)
            continue; /* this build is without it */
        c->details_only = !methods->n && listed[i].role == ROLE_DETAILS;
        if (ph_method_supports(c->method, system, err) == PH_OK)
            e->n_contenders++;
        else if (methods->n)
            return PH_E_UNSUPPORTED;
    }
    return PH_OK;
}

static ph_status take_standard(report *r, ph_error *err)
{
    r->standard = calloc(n_problems + 1, sizeof *r->standard);
    if (!r->standard)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n_problems; i++)
        if (problems[i].standard)
            r->standard[r->run.names.n++] = problems[i].name;
    r->run.names.at = r->standard;
    return PH_OK;
}

static ph_status load(bench_run *run, ph_error *err)
{
    report *r = (report *)run;
    if (run->list)
        return PH_OK;
    ph_status status = run->names.n ? PH_OK : take_standard(r, err);
    if (status)
        return status;
    run->named_after = run->names.n == 1 ? scenario_name(run->names.at[0]) : NULL;
    run->n_items = run->names.n;
    r->entries = calloc(run->n_items + 1, sizeof *r->entries);
    r->comparisons = calloc(run->n_items + 1, sizeof *r->comparisons);
    if (!r->entries || !r->comparisons)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < run->n_items && !status; i++) {
        report_entry *e = &r->entries[i];
        status = problem_load(run->names.at[i], &run->set, &e->problem, &e->scenario, err);
        if (!status)
            status = override(e, r, err);
        if (!status)
            status = choose_contenders(e, &r->methods, err);
    }
    return status;
}

static void list(FILE *out)
{
    fprintf(out, "Problems (* in the default set):\n");
    for (size_t i = 0; i < n_problems; i++)
        fprintf(out, "%c %-29s %s\n", problems[i].standard ? '*' : ' ', problems[i].name, problems[i].title);
}

static json_object *list_as_json(builder *b)
{
    json_object *o = build_object(b), *rows = build_array(b);
    for (size_t i = 0; i < n_problems; i++) {
        json_object *node = build_object(b);
        build_add(b, node, "name", build_text(b, problems[i].name));
        build_add(b, node, "title", build_text(b, problems[i].title));
        build_add(b, node, "default", build_flag(b, problems[i].standard));
        build_append(b, rows, node);
    }
    build_add(b, o, "polhode_problems", build_count(b, 1));
    build_add(b, o, "problems", rows);
    return o;
}

/* ---- Running --------------------------------------------------------------------------------------- */

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    report *r = (report *)run;
    report_entry *e = &r->entries[i];
    const comparison_plan plan = {
        .timing_budget = r->budget, .interrupt = watch->interrupt, .progress = watch};
    ph_status status = comparison_make(&r->comparisons[i], &e->problem, e->scenario, e->contenders,
                                       e->n_contenders, &plan, err);
    e->scenario = NULL; /* the comparison owns it now */
    if (!status && r->comparisons[i].status)
        status = ph_fail(err, PH_E_INTERRUPTED, "interrupted");
    return status;
}

static ph_status verify(const bench_run *run, ph_error *err)
{
    const report *r = (const report *)run;
    for (size_t i = 0; i < run->made; i++) {
        const comparison *c = &r->comparisons[i];
        for (size_t j = 0; j < c->n_contenders; j++)
            if (!c->ladders[j].verified)
                return ph_fail(err, PH_E_INVALID, "%s: %s", c->problem->name, c->ladders[j].text);
    }
    return PH_OK;
}

static void release(bench_run *run)
{
    report *r = (report *)run;
    for (size_t i = 0; r->entries && r->comparisons && i < run->n_items; i++) {
        comparison_free(&r->comparisons[i]);
        ph_scenario_free(r->entries[i].scenario);
    }
    free(r->entries);
    free(r->comparisons);
    free(r->standard);
}

/* The headline, and with `table` what it is taken from. */
static void print_front(FILE *out, const comparison *c, int table)
{
    front f;
    const int shown = front_choose(&f, c);
    char *headline = shown ? front_headline(&f) : NULL, *rows = shown && table ? front_table(&f) : NULL;
    fprintf(out, "%s, %g s%s:\n  %s.\n%s", c->problem->title, c->problem->horizon,
            c->status ? " (interrupted)" : "", headline ? headline : "nothing was compared",
            rows ? rows : "");
    free(headline);
    free(rows);
}

static void print(FILE *out, const bench_run *run, size_t i)
{
    const report *r = (const report *)run;
    const comparison *c = &r->comparisons[i];
    if (!r->words) {
        print_front(out, c, i == 0);
        return;
    }
    char *words = report_words(c);
    fprintf(out, "%s%s\n\n", c->problem->title, c->status ? " (interrupted)" : "");
    report_table(out, c);
    fprintf(out, "\n%s\n", words ? words : "");
    free(words);
}

const bench_kind compare_kind = {
    .command =
        {.name = "bench",
         .summary =
             "compare methods on built-in problems or your scenarios: orders, errors, times; writes a report page",
         .about =
             "Compare methods: verify each one's order, time them in turn, and follow them for a long "
             "time at the same step and at the same CPU time. Prints a headline for each problem, with a small "
             "table for the first; writes "
             "DIR/report.html, results.json, results.csv, "
             "work-precision.csv and curves.csv. The other kinds each have their own --help.",
         .exits = {{0, "done, also when a method diverged: the table says so"},
                   {1, "done, but a method could not be verified"},
                   {2, "wrong usage or a mistake in the scenario"},
                   BENCH_EXITS},
         .options = options,
         .size = sizeof(report),
         .defaults = &defaults},
    .load = load,
    .list = list,
    .list_json = list_as_json,
    .make = make,
    .verify = verify,
    .release = release,
    .print = print,
    .json_file = "results.json",
    .json_name = "polhode_bench",
    .results = report_results,
    .tables = report_tables,
    .page = &report_page};
