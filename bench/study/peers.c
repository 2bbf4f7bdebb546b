/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench peers: work and precision compared with the methods of another library, on the same right-hand side, in the form in
 * which it is the fastest: the cost of an error of the trajectory, or of the energy. */
#include "report.h"

#include "bench/common/numbers.h"
#include "bench/common/scenario-input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const standard[] = {"double-spherical-pendulum", "chain-20"};
static const char *const contenders[] = {"variational", "rk4", "rk4-projected", "arkode", "cvode"};

enum { TRAJECTORY, ENERGY, OUTPUTS = 50 };

/* The interval [s] at which the energy is measured. */
static const struct {
    const char *problem;
    double interval;
} intervals[] = {{"double-spherical-pendulum", 20}, {"chain-20", 0.04}};

static ph_status available(ph_error *err)
{
    return ph_method_find("arkode", err) && ph_method_find("cvode", err) ? PH_OK : PH_E_UNKNOWN;
}

/* ---- The right-hand side ------------------------------------------------------------------------------------------ */

/* s->form <- the form in which rk4 is the fastest: its steps are four evaluations of the right-hand side and little else. */
static ph_status find_form(study *s, const study_plan *plan, ph_error *err)
{
    size_t most = ph_fields(), n = 0;
    contender *list = calloc(most + 1, sizeof *list);
    timing_cell *cells = calloc(most + 1, sizeof *cells);
    timing_session *session = NULL;
    double h = s->sign * s->first_step / 16, least = INFINITY;
    ph_status status = !list || !cells ? ph_fail(err, PH_E_NO_MEMORY, "out of memory") : PH_OK;
    for (size_t i = 0; i < most && !status; i++) {
        char text[96];
        ph_integrator *it;
        ph_state *state;
        snprintf(text, sizeof text, "rk4:form=%s", ph_field_at(i)->name);
        if (contender_parse(&list[n], text, err) || contender_start(&list[n], &s->start, h, &it, &state, err))
            continue; /* not for this system */
        ph_state_free(state);
        ph_integrator_free(it);
        cells[n] = (timing_cell){.contender = &list[n], .h = h, .span = s->times[TRAJECTORY]};
        n++;
    }
    if (!status)
        status = timing_open(&session, cells, n, &s->start, 200, 0.001, NULL, err);
    if (!status)
        status = timing_burst(session, 0.1, 15, plan->progress ? plan->progress->interrupt : NULL, NULL, NULL,
                              err);
    for (size_t i = 0; i < n; i++)
        if (cells[i].result.median < least) {
            least = cells[i].result.median;
            snprintf(s->form, sizeof s->form, "%s", strchr(list[i].label, '=') + 1);
        }
    timing_close(session);
    free(cells);
    free(list);
    if (!status && !s->form[0])
        status = ph_fail(err, PH_E_UNSUPPORTED, "no form of the equations suits this system");
    return status;
}

/* Methods that have forms, without the option `form`, get the fastest one. */
static ph_status prepare(study *s, const study_plan *plan, ph_error *err)
{
    const ph_status status = find_form(s, plan, err);
    for (size_t i = 0; i < s->n && !status; i++) {
        char *label = s->lines[i].label, text[sizeof s->lines[i].label];
        contender c;
        const int n = snprintf(text, sizeof text, "%s:form=%s", label, s->form);
        if (!strstr(label, ":form=") && n < (int)sizeof text && !contender_parse(&c, text, NULL))
            strcpy(label, text);
    }
    return status;
}

/* ---- Problems and errors ------------------------------------------------------------------------------------------ */

static ph_status find(study *s, const char *name, const option_texts *set, ph_error *err)
{
    const ph_status status = problem_load(name, set, &s->problem, &s->scenario, err);
    s->name = s->problem.name;
    s->words = s->problem.title;
    return status;
}

/* The output interval is a whole number of the largest steps. */
static ph_status open(study *s, const study_plan *plan, ph_error *err)
{
    const problem *row = &s->problem;
    double interval = row->short_time;
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++)
        if (!strcmp(intervals[i].problem, row->name))
            interval = intervals[i].interval;
    if (plan->time > 0)
        interval = plan->time / OUTPUTS;
    s->sign = copysign(1, ph_scenario_step_size(s->scenario));
    s->first_step = row->first_step;
    s->times[TRAJECTORY] = row->short_time;
    s->times[ENERGY] = OUTPUTS * row->first_step * fmax(1, floor(interval / row->first_step + 0.5));
    s->error_names[TRAJECTORY] = "trajectory error";
    s->error_names[ENERGY] = "energy error";
    return ph_diagnostics_create(s->start.system, &s->diagnostics, err);
}

/* The largest energy error, relative to its scale, which is known at the end. */
static ph_status measure(study *s, const ph_state *state, bool first, double *errors, double *energy)
{
    const double begin = s->start.time;
    ph_summary summary;
    ph_status status = PH_OK;
    if (first) {
        ph_monitor_free(s->monitor);
        s->monitor = NULL;
        status =
            ph_monitor_create(s->diagnostics, begin, begin + s->sign * s->times[ENERGY], &s->monitor, NULL);
    }
    if (!status && ph_monitor_see(s->monitor, state, NULL))
        status = PH_E_DIVERGED;
    if (status)
        return status;
    ph_monitor_summary(s->monitor, &summary);
    errors[0] = *energy = summary.energy_error_max;
    return PH_OK;
}

/* The largest |z - truth| of an entry. */
static void compare(const study *s, const double *z, const double *known, double *errors)
{
    errors[0] = largest_difference(z, known, s->nz);
}

/* ---- Words -------------------------------------------------------------------------------------------------------- */

static void title(FILE *out, const study *s)
{
    fprintf(out, "%s\n", s->name);
}

static void say(FILE *out, const study *s)
{
    fprintf(out, "%s: right-hand side in the form %s, the fastest here\n", s->name, s->form);
    study_say_costs(out, s);
    if (s->truth)
        fprintf(out, "  %s\n", s->truth);
}

static const char how_to_read[] =
    "<li>Each method computes the same motion with seven step sizes, each half of the one before. Those "
    "with error control have seven tolerances, the same for relative and absolute errors. All but the "
    "variational integrator evaluate the same right-hand side, in the form that is the fastest on this "
    "system.</li>\n"
    "<li>The trajectory error is the largest of an entry of the configuration at the end, compared with the "
    "truth. The energy error is the largest at 50 equidistant times, relative.</li>\n"
    "<li>Times are CPU times of whole runs, steps only. The runs alternate; the median is shown.</li>\n"
    "<li>Methods with error control compute the short run without interruption, and restart at each of "
    "the 50 times of the long one.</li>\n";

static const double levels[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12},
                    tolerances[] = {1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13};
static const study_accuracy accuracies[] = {
    {"trajectory error", " at t = ", .unit = "", .series = TRAJECTORY, STUDY_LEVELS(levels)},
    {"largest energy error", " within ", .unit = "", .series = ENERGY, STUDY_LEVELS(levels)}};
static const study_figure figures[] = {{NULL, "trajectory error", .of = &accuracies[0]},
                                       {NULL, "largest energy error, relative", .of = &accuracies[1]}};

const study_kind peers_study = {
    .find = find,
    .standard = standard,
    .n_standard = sizeof standard / sizeof standard[0],
    .contenders = contenders,
    .n_contenders = sizeof contenders / sizeof contenders[0],
    .available = available,
    .remark = "Without SUNDIALS there are no peers to compare with; -m METHOD compares others.",
    .all_must = true,
    .open = open,
    .prepare = prepare,
    .measure = measure,
    .compare = compare,
    .series = {{"trajectory", .compared = true, .outputs_adaptive = 1},
               {"energy", .outputs = OUTPUTS, .outputs_adaptive = OUTPUTS}},
    .n_points = sizeof tolerances / sizeof tolerances[0],
    .turns = 15,
    .tolerances = tolerances,
    .absolute = 1,
    .growth = 2,
    .accuracies = accuracies,
    .n_accuracies = sizeof accuracies / sizeof accuracies[0],
    .figures = figures,
    .n_figures = sizeof figures / sizeof figures[0],
    .n_errors = 1,
    .title = title,
    .say = say,
};

/* ---- Results ------------------------------------------------------------------------------------------------------ */

/* A point has a run of each series; in CSV each is a line. */
static const result_field run_fields[] = {{"h", STUDY_POINT(NUMBER, h)},
                                          STUDY_POINT_HEAD,
                                          {"error", STUDY_POINT(NUMBER, errors[0])},
                                          STUDY_POINT_TAIL};
static const result_field csv_fields[] = {
    STUDY_SETTING,    {"quantity", STUDY_POINT(WORD, quantity)}, {"horizon", STUDY_POINT(NUMBER, time)},
    STUDY_POINT_HEAD, {"error", STUDY_POINT(NUMBER, errors[0])}, STUDY_POINT_TAIL};
#define RUN_OF(series)                                                                                       \
    {                                                                                                        \
        run_fields, .at = series * sizeof(study_point), .size = sizeof(study_point), .most = 1               \
    }
static const result_rows trajectory = RUN_OF(TRAJECTORY), energy = RUN_OF(ENERGY);
static const result_field point_fields[] = {STUDY_SETTING,
                                            {"trajectory", RESULT_PART, .rows = &trajectory},
                                            {"energy", RESULT_PART, .rows = &energy},
                                            {.name = NULL}};

/* All points of the trajectories, then those of the energy. */
static const void *next_run(const void *of, size_t *i, void *room)
{
    const study_line *l = of;
    const size_t n = sizeof tolerances / sizeof tolerances[0], k = (*i)++;
    (void)room;
    return k < 2 * n && l->points[k % n][k / n].time > 0 ? &l->points[k % n][k / n] : NULL;
}

static const result_rows points = {point_fields, STUDY_POINTS_OF}, runs = {csv_fields, .next = next_run};
static const result_field line_fields[] = {
    STUDY_LINE_HEAD, {"points", RESULT_ROWS, .rows = &points}, {.name = NULL}};
static const result_rows lines = {line_fields, STUDY_LINES};
static const result_field problem_fields[] = {{"name", STUDY(WORD, name), .csv = "problem"},
                                              {"title", STUDY(WORD, words)},
                                              {"scenario", STUDY(WORD, problem.scenario)},
                                              {"status", STUDY(STATUS, status)},
                                              {"form", RESULT_TEXT_AT(study, form)},
                                              {"truth", STUDY(WORD, truth)},
                                              {"trajectory_time", STUDY(NUMBER, times[TRAJECTORY])},
                                              {"energy_horizon", STUDY(NUMBER, times[ENERGY])},
                                              {"words", RESULT_NODE, .node = study_findings},
                                              {"methods", RESULT_ROWS, .rows = &lines},
                                              {.name = NULL}};
static const result_rows studies = {problem_fields, STUDY_RESULTS};
static const result_field results[] = {{"problems", RESULT_ROWS, .rows = &studies}, {.name = NULL}};
static const bench_table tables[] = {
    {"peers.csv",
     "problem,method,quantity,setting_is,setting,horizon[s],steps,status,error,cpu_time_median[s],cpu_time_least[s],turns",
     .path = {&studies, &lines, &runs}},
    {.file = NULL}};
static const page_frame page = STUDY_PAGE("comparison with SUNDIALS");

/* ---- The command -------------------------------------------------------------------------------------------------- */

static const option_row options[] = {
    {"PROBLEM", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text =
         "a problem of the table (polhode bench --list); default: double-spherical-pendulum and chain-20"},
    {"FILE", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "a scenario file; - reads the standard input"},
    STUDY_METHODS(
        "a method, with options as METHOD:option=value (may be repeated; default: variational, rk4, "
        "rk4-projected, arkode, cvode)"),
    {"time", 'T', "TIME", STUDY_AT(POSITIVE_TIME, plan.time),
     .text = "time of motion in s within which the energy error is taken (default: the problem's)"},
    STUDY_TIMES("", "repeating the runs for trajectories, and again for energies (default: 5)", "5"),
    SET_OPTION(bench_run, set),
    BENCH_OPTIONS("where to write (default: peers.bench.out)", "overwrite existing results",
                  "print what peers.json has, instead of tables and words"),
    {.name = NULL}};

static const study_report defaults = {.kind = &peers_study, .plan = {.budget = 5, .limit = 5}};

const bench_kind peers_kind = {
    .command =
        {.name = "bench peers",
         .summary = "compare work and precision with SUNDIALS on the same right-hand side",
         .about =
             "Compare work and precision with SUNDIALS: variational, rk4 and rk4-projected, with smaller "
             "and smaller steps, and the adaptive methods arkode and cvode, with smaller and smaller "
             "tolerances, on the same right-hand side (in the fastest form that the system has): CPU time against the "
             "error of the trajectory, and against that of the energy. Prints tables and the fastest method for each error; "
             "writes DIR/report.html, peers.json and peers.csv.",
         .exits = {{0, "done, also when runs diverged: the table says so"},
                   {2, "wrong usage, a mistake in the scenario, or, without -m, a build without SUNDIALS"},
                   BENCH_EXITS},
         .options = options,
         .size = sizeof(study_report),
         .defaults = &defaults},
    STUDY_BENCH("peers", tables, page)};
