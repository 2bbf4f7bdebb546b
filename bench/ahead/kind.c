/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench ahead: who is ahead, at every accuracy from 1e-3 to 1e-14. */
#include "report.h"

#include "bench/report/file.h"

#include <math.h>
#include <stdlib.h>

/* A row for each contender that takes part by default: on the systems that it takes, where the build has it. Those that are often the
 * fastest come first, as others are not followed to where they cost many times as much. */
static const char *const contenders[] = {
    "gauss",
    "gauss:order=12",
    "gauss:order=8",
    "gauss:order=6",
    "gauss:order=4",
    "rk8:rtol=1e-10",
    "rk8",
    "taylor",
    "rotor-splitting",
    "rotor-splitting:order=6",
    "multistep",
    "multistep:order=6",
    "moser-veselov",
    "kepler-rotor",
    "kepler-rotor:splitting=aba-10-6-4",
    "spin-splitting:order=8",
    "spin-splitting:order=6",
    "spin-splitting:order=4",
    "spherical-midpoint:order=8",
    "spherical-midpoint:order=4",
    "variational:order=8",
    "variational:order=6",
    "variational:order=4",
    "variational",
    "arkode",
    "arkode:projection=ends",
    "cvode:method=adams:iteration=fixed-point",
    "rk4",
};
enum { CONTENDERS = sizeof contenders / sizeof contenders[0] };
_Static_assert((int)CONTENDERS <= (int)AHEAD_CONTENDERS, "there is room for them");

/* ---- Results ------------------------------------------------------------------------------------------------------- */

#define POINT(type, member) RESULT_AT(type, ahead_point, member)
static const result_field point_fields[] = {{"setting", POINT(NUMBER, setting)},
                                            {"steps", POINT(WHOLE, steps)},
                                            {"status", POINT(STATUS, status)},
                                            {"error", POINT(NUMBER, error)},
                                            {"cpu_seconds", POINT(NUMBER, seconds), .csv = "cpu_time"},
                                            {"turns", POINT(SIZE, turns)},
                                            {.name = NULL}};
static const result_rows points = {point_fields, RESULT_SOME(ahead_line, points, n)};

static result_value name_side(const void *line)
{
    return value_word(((const ahead_line *)line)->ours ? "structure-preserving" : "general");
}

static result_value name_setting(const void *line)
{
    return value_word(((const ahead_line *)line)->adaptive ? "rtol" : "h");
}

static const result_field line_fields[] = {{"method", RESULT_TEXT_AT(ahead_line, label)},
                                           {"side", RESULT_MADE, .value = name_side},
                                           {"setting_is", RESULT_MADE, .value = name_setting},
                                           {"points", RESULT_ROWS, .rows = &points},
                                           {.name = NULL}};
static const result_rows lines = {line_fields, RESULT_LIST(ahead, lines, n)};

static result_value name_standing(const void *level)
{
    return value_word(ahead_standing_word(((const ahead_level *)level)->standing));
}

#define LEVEL(type, member) RESULT_AT(type, ahead_level, member)
static const result_field level_fields[] = {{"accuracy", LEVEL(NUMBER, accuracy)},
                                            {"ours", LEVEL(WORD, ours.label)},
                                            {"ours_setting", LEVEL(NUMBER, ours.setting)},
                                            {"ours_seconds", LEVEL(NUMBER, ours.seconds)},
                                            {"general", LEVEL(WORD, general.label)},
                                            {"general_setting", LEVEL(NUMBER, general.setting)},
                                            {"general_seconds", LEVEL(NUMBER, general.seconds)},
                                            {"ratio", LEVEL(NUMBER, ratio)},
                                            {"standing", RESULT_MADE, .value = name_standing},
                                            {.name = NULL}};
static const result_rows levels = {level_fields, RESULT_ARRAY(ahead, levels)};

static json_object *add_findings(builder *b, const void *system)
{
    return build_lines(b, ahead_words(system));
}

static json_object *add_summary(builder *b, const void *report)
{
    return build_lines(b, ahead_summary(report));
}

static json_object *add_missing(builder *b, const void *report)
{
    const ahead_report *r = report;
    json_object *list = build_array(b);
    for (size_t i = 0; i < r->n_missing; i++)
        build_append(b, list, build_text(b, r->missing[i]));
    return list;
}

/* The ratios of a system, in the order of accuracies. */
static json_object *add_ratios(builder *b, const void *system)
{
    const ahead *a = system;
    json_object *list = build_array(b);
    for (size_t k = 0; k < AHEAD_LEVELS; k++)
        build_append(b, list, build_number(b, a->levels[k].ratio));
    return build_on_one_line(b, list);
}

static result_value name_truth(const void *system)
{
    return value_word(((const ahead *)system)->of->truth);
}

static const result_field system_fields[] = {
    {"system", RESULT_AT(WORD, ahead, name)},        {"words", RESULT_AT(WORD, ahead, words)},
    {"status", RESULT_AT(STATUS, ahead, status)},    {"time", RESULT_AT(NUMBER, ahead, time)},
    {"truth", RESULT_MADE, .value = name_truth},     {"ratios", RESULT_NODE, .node = add_ratios},
    {"findings", RESULT_NODE, .node = add_findings}, {"levels", RESULT_ROWS, .rows = &levels},
    {"methods", RESULT_ROWS, .rows = &lines},        {.name = NULL}};
static const result_rows systems = {system_fields, RESULT_LIST(ahead_report, systems, run.made)};
static const result_field results[] = {{"summary", RESULT_NODE, .node = add_summary},
                                       {"not_in_this_build", RESULT_NODE, .node = add_missing},
                                       {"systems", RESULT_ROWS, .rows = &systems},
                                       {.name = NULL}};

static void put_matrix(FILE *f, const bench_run *run)
{
    const ahead_report *r = (const ahead_report *)run;
    for (size_t i = 0; i < run->made; i++) {
        field_text(f, r->systems[i].name);
        for (size_t k = 0; k < AHEAD_LEVELS; k++)
            field_number(f, "%.9g", r->systems[i].levels[k].ratio);
        fputc('\n', f);
    }
}

static const bench_table tables[] = {
    {"ahead.csv",
     "system,accuracy,ours,ours_setting,ours_seconds[s],general,general_setting,general_seconds[s],ratio,standing",
     .path = {&systems, &levels}},
    {"ahead-matrix.csv", "system,1e-03,1e-04,1e-05,1e-06,1e-07,1e-08,1e-09,1e-10,1e-11,1e-12,1e-13,1e-14",
     .put = put_matrix},
    {"ahead-points.csv", "system,method,side,setting_is,setting,steps,status,error,cpu_time[s],turns",
     .path = {&systems, &lines, &points}},
    {.file = NULL}};

static const page_frame page = {
    .title = "Polhode bench: who is ahead",
    .what = "comparison",
    .how_to_read =
        "<li>Each contender computes the same motion with smaller and smaller steps, or with smaller and smaller tolerances where it has "
        "error control. Contenders that cost twenty times what another one needs for the same error are not followed further.</li>\n"
        "<li>The error is the largest of an entry of the configuration at the end, compared with a truth of 15 and more digits; places "
        "are relative to the largest one.</li>\n"
        "<li>Times are CPU times of a whole run: the state is created and all steps are taken. The system and the integrator exist "
        "before. Runs take turns; the least is shown.</li>\n"
        "<li>What an accuracy costs is the lower hull of a contender's points on logarithmic axes; nothing is extrapolated.</li>\n"
        "<li>Structure-preserving are methods that are symplectic or symmetric. A ratio above 1: the fastest of them is ahead of the "
        "fastest code of general use; \"ours\", \"theirs\": the others do not reach the accuracy.</li>\n",
    .body = ahead_page};

/* ---- The command --------------------------------------------------------------------------------------------------- */

static const option_row options[] = {
    {"SYSTEM", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "a system of the list (default: all; see --list)"},
    {"method", 'm', "CONTENDER", OPTION_AT(TEXTS, ahead_report, methods), .most = AHEAD_CONTENDERS,
     .text =
         "a method, with options as METHOD:option=value (may be repeated); with a tolerance, as rk8:rtol=1e-10, it runs with many "
         "tolerances (default: gauss, variational, multistep, splittings and others of several orders; rk8 with and without error "
         "control, taylor, SUNDIALS, rk4)"},
    {"budget", 'b', "TIME", OPTION_AT(POSITIVE_TIME, ahead_report, plan.budget),
     .text = "wall-clock time in s for repeating the runs of a system (default: 10)"},
    {"limit", 0, "TIME", OPTION_AT(POSITIVE_TIME, ahead_report, plan.limit),
     .text = "a run that would take longer than this, in s, is left out (default: 0.3)"},
    BENCH_LIST("list the systems"),
    BENCH_OPTIONS_QUIET("where to write (default: ahead.bench.out)", "overwrite existing results",
                        "no progress, and of what is printed the sentences alone",
                        "print what ahead.json has, instead of tables and words"),
    {.name = NULL}};

static const ahead_report defaults = {.plan = {.budget = 10, .limit = 0.3}};

extern const bench_kind ahead_kind;

/* r->present, missing <- the contenders given, or the default ones that this build has. */
static ph_status choose_contenders(ahead_report *r, size_t *n, ph_error *err)
{
    const bool given = r->methods.n > 0;
    const option_texts all = given ? r->methods : (option_texts){contenders, CONTENDERS};
    for (size_t i = 0; i < all.n; i++) {
        contender c;
        const ph_status status = contender_parse(&c, all.at[i], err);
        if (status && given)
            return status;
        if (status)
            r->missing[r->n_missing++] = all.at[i];
        else
            r->present[(*n)++] = all.at[i];
    }
    return PH_OK;
}

static ph_status load(bench_run *run, ph_error *err)
{
    ahead_report *r = (ahead_report *)run;
    size_t n = 0;
    run->n_items = run->names.n ? run->names.n : AHEAD_SYSTEMS;
    r->systems = calloc(run->n_items, sizeof *r->systems);
    ph_status status =
        r->systems ? choose_contenders(r, &n, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < run->n_items && !status; i++) {
        size_t at = i;
        if (run->names.n)
            status = list_find(&ahead_kind.systems, run->names.at[i], &at, err);
        if (!status)
            status = ahead_open(&r->systems[i], &ahead_cases[at], r->present, n, err);
    }
    return status;
}

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    ahead_report *r = (ahead_report *)run;
    r->plan.progress = watch;
    const ph_status status = ahead_make(&r->systems[i], &r->plan, err);
    return status || !r->systems[i].status ? status : ph_fail(err, PH_E_INTERRUPTED, "interrupted");
}

static void release(bench_run *run)
{
    ahead_report *r = (ahead_report *)run;
    for (size_t i = 0; r->systems && i < run->n_items; i++)
        ahead_free(&r->systems[i]);
    free(r->systems);
}

/* A system; behind the last one the matrix of all. */
static void print(FILE *out, const bench_run *run, size_t i)
{
    const ahead_report *r = (const ahead_report *)run;
    char *words = ahead_words(&r->systems[i]), *summary = i + 1 == run->n_items ? ahead_summary(r) : NULL;
    if (!run->quiet)
        ahead_print(out, &r->systems[i]);
    fprintf(out, "%s\n", words ? words : "");
    if (summary && !run->quiet)
        ahead_print_matrix(out, r);
    fputs(summary ? summary : "", out);
    free(words);
    free(summary);
}

const bench_kind ahead_kind = {
    .command =
        {.name = "bench ahead",
         .summary = "who is ahead, at every accuracy: structure-preserving methods or codes of general use",
         .about =
             "Find out who is ahead, at every accuracy from 1e-3 to 1e-14: the structure-preserving methods of several "
             "orders, or codes of general use with and without error control, on ten systems whose end states are known "
             "to 15 digits and more. Prints for each accuracy the fastest of both sides with its step or tolerance, its "
             "time and their ratio, then all ratios and in words where structure-preserving methods are behind; writes "
             "DIR/report.html, ahead.json, ahead.csv, ahead-matrix.csv and ahead-points.csv.",
         .exits = {{0, "done, also when runs ended early: the report says so"},
                   {2, "wrong usage"},
                   BENCH_EXITS},
         .options = options,
         .size = sizeof(ahead_report),
         .defaults = &defaults},
    .systems = {.first = ahead_cases, .n = AHEAD_SYSTEMS, .stride = sizeof(ahead_case), .width = 16},
    .load = load,
    .make = make,
    .release = release,
    .print = print,
    .json_file = "ahead.json",
    .json_name = "polhode_bench_ahead",
    .results = results,
    .tables = tables,
    .page = &page};
