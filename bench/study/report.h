/* SPDX-License-Identifier: BSD-3-Clause */
/* A study as a kind of bench: options, results and their output, the same for all: tables and sentences for the terminal, a JSON
 * file, CSV files, and a page, report.html. A kind has option rows and fields of its own. */
#ifndef POLHODE_BENCH_STUDY_REPORT_H
#define POLHODE_BENCH_STUDY_REPORT_H

#include "bench/kind/kind.h"
#include "study.h"

enum { STUDY_METHODS_MOST = 32 };

typedef struct study_report {
    bench_run run;
    const study_kind *kind;
    option_texts methods;
    const char *there[STUDY_METHODS_MOST];
    study_plan plan;
    study *results; /* (run.n_items) */
} study_report;

extern const study_kind peers_study; /* (for tests) */

/* Functions of a kind of bench (bench/kind/kind.h); the body of its page. */
ph_status study_load(bench_run *run, ph_error *err);
ph_status study_make_item(bench_run *run, size_t i, bench_watch *watch, ph_error *err);
void study_release(bench_run *run);
void study_print(FILE *out, const bench_run *run, size_t i);
ph_status study_page(FILE *f, const void *report, ph_error *err);
/* clang-format off */
#define STUDY_BENCH(file, tables_of, page_of) \
    .load = study_load, .make = study_make_item, .release = study_release, .print = study_print, \
    .json_file = file ".json", .json_name = "polhode_bench_" file, .results = results, .tables = tables_of, .page = &page_of
#define STUDY_PAGE(words) \
    {.title = "Polhode bench: " words, .what = "comparison", .how_to_read = how_to_read, .body = study_page}
#define STUDY_SYSTEMS(cases, names) \
    .systems = {.first = cases, .n = sizeof cases / sizeof cases[0], .stride = sizeof cases[0], .width = names}
#define STUDY_TABLES(cases_of, contenders_of) \
    .cases = cases_of, .n_cases = sizeof cases_of / sizeof cases_of[0], \
    .contenders = contenders_of, .n_contenders = sizeof contenders_of / sizeof contenders_of[0]
#define STUDY_LEVELS(list) .levels = list, .n = sizeof list / sizeof list[0]
#define STUDY_EXITS {{0, "done, also when runs ended early: the report says so"}, {2, "wrong usage"}, BENCH_EXITS}

/* ---- Options ------------------------------------------------------------------------------------------------------ */

#define STUDY_AT(kind, member) OPTION_AT(kind, study_report, member)
#define STUDY_METHODS(text_of) {"method", 'm', "METHOD", STUDY_AT(TEXTS, methods), .most = 16, .text = text_of}
#define STUDY_TIMES(what, budget_of, limit_of) \
    {"budget", 'b', "TIME", STUDY_AT(POSITIVE_TIME, plan.budget), .text = "wall-clock time in s for " budget_of}, \
    {"limit", 0, "TIME", STUDY_AT(POSITIVE_TIME, plan.limit), \
     .text = "a run" what " that would take longer than this, in s, is left out (default: " limit_of ")"}

/* ---- Fields of results (bench/report/results.h) -------------------------------------------------------------------- */

/* Fields of a study_point: before and behind its errors. */
#define STUDY_POINT(type, member) RESULT_AT(type, study_point, member)
#define STUDY_POINT_HEAD \
    {"steps", STUDY_POINT(WHOLE, steps)}, {"status", STUDY_POINT(STATUS, status), .when = study_point_run}
#define STUDY_POINT_TAIL \
    {"cpu_seconds", STUDY_POINT(NUMBER, cpu), .csv = "cpu_time_median"}, \
    {"cpu_seconds_least", STUDY_POINT(NUMBER, least), .csv = "cpu_time_least"}, \
    {"turns", STUDY_POINT(SIZE, turns)}, {.name = NULL}
#define STUDY_SETTING {"setting", STUDY_POINT(NUMBER, setting), .format = "%.17g"}

/* Fields of a study_run. */
#define STUDY_RUN(type, member) RESULT_AT(type, study_run, member)
#define STUDY_RUN_HEAD \
    {"h", STUDY_RUN(NUMBER, h)}, {"steps", STUDY_RUN(WHOLE, steps)}, {"status", STUDY_RUN(STATUS, status)}, \
    {"verdict", RESULT_MADE, .value = study_verdict}, {"reached", STUDY_RUN(NUMBER, reached)}, \
    {"energy_error_first_tenth", STUDY_RUN(NUMBER, energy.most[0])}, \
    {"energy_error_last_tenth", STUDY_RUN(NUMBER, energy.most[1])}, \
    {"energy_drift", RESULT_MADE, .value = study_drift}
#define STUDY_RUN_TAIL \
    {"cpu_seconds", STUDY_RUN(NUMBER, cpu), .csv = "cpu"}, {"t", STUDY_RUN(TIMES, energies)}, \
    {"energy_error", STUDY_RUN(CURVE, energies)}

/* Fields of a study_line, without its points and its run. */
#define STUDY_LINE(type, member) RESULT_AT(type, study_line, member)
#define STUDY_LINE_HEAD \
    {"method", RESULT_TEXT_AT(study_line, label)}, {"setting_is", RESULT_MADE, .value = study_setting_is}
#define STUDY_STEP \
    {"step", STUDY_LINE(TIMING, time), .when = study_has_step}, \
    {"step_timed_at_h", STUDY_LINE(NUMBER, timed_at), .when = study_has_step}, \
    {"step_time", STUDY_LINE(NUMBER, time.median), .not_in_json = true}, \
    {"step_time_a_part", STUDY_LINE(NUMBER, time_a_part), .not_in_json = true}, \
    {"ratio_to_rk4", STUDY_LINE(NUMBER, time.ratio), .not_in_json = true}

/* Fields of a study. */
#define STUDY(type, member) RESULT_AT(type, study, member)
#define STUDY_HEAD \
    {"system", STUDY(WORD, name)}, {"words", STUDY(WORD, words)}, {"status", STUDY(STATUS, status)}, \
    {"findings", RESULT_NODE, .node = study_findings}

/* Rows: lines of a study, points of a line as they are in the first series and those of them that were run, its run. */
#define STUDY_RESULTS RESULT_LIST(study_report, results, run.made)
#define STUDY_LINES RESULT_LIST(study, lines, n)
#define STUDY_POINTS_OF RESULT_ARRAY(study_line, points), .has = study_point_planned
#define STUDY_POINTS_RUN RESULT_ARRAY(study_line, points), .has = study_point_run
#define STUDY_RUN_OF RESULT_ONE(study_line, run), .has = study_has_run
/* clang-format on */
bool study_point_run(const void *point);
bool study_point_planned(const void *point);
bool study_has_run(const void *run);
bool study_has_step(const void *line);
result_value study_verdict(const void *run);
result_value study_drift(const void *run);
result_value study_setting_is(const void *line);
json_object *study_findings(builder *b, const void *of);

/* ---- Words -------------------------------------------------------------------------------------------------------- */

/* For the terminal; and of a page: long runs, costs of steps, points. */
void study_tables(FILE *out, const study *s);
void study_page_runs(FILE *f, const study *s);
void study_page_steps(FILE *f, const study *s);
void study_page_points(FILE *f, const study *s);
/* The results in sentences (malloc; NULL without memory). Lines; one that begins with two spaces is a sentence, any other a
 * heading. */
char *study_words(const study *s);
/* What they are made of: what accuracies cost; which methods have the smallest energy error, and whose errors grow. */
void study_say_costs(FILE *out, const study *s);
void study_say_long(FILE *out, const study *s);

/* What accuracies cost (costs.c). Its quantity in words, and in a sentence of a list: "  The error of the place costs least with A for
 * 1e-02 m, with B for 1e-04 to 1e-06 m; no method reaches 1e-08 m." */
void costs_quantity(const study *s, const study_accuracy *a, char text[120]);
void costs_say(FILE *out, const study *s, const study_accuracy *a);
/* As a table of CPU times: in a terminal, the least of a column with a star behind it, and methods that wide; in a page, in bold. */
void costs_print(FILE *out, const study *s, const study_accuracy *a, int width);
void costs_page(FILE *f, const study *s, const study_accuracy *a);

#endif
