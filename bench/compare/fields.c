/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a comparison's results: results.json, results.csv, work-precision.csv, curves.csv, and the table for the terminal: a row
 * for each trial, in the blocks in which they are compared. */
#include "front.h"
#include "report.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* ---- Trials ------------------------------------------------------------------------------------------------------- */

#define TRIAL(type, member) RESULT_AT(type, trial, member)
#define LABEL_OF(structure)                                                                                  \
    .type = RESULT_TEXT, .offset = offsetof(contender, label), .via = offsetof(structure, contender) + 1

static const char *basis_name(trial_basis basis)
{
    return basis == SAME_CPU ? "same-cpu" : basis == OWN_STEPS ? "own-steps" : "same-step";
}

static result_value basis_of(const void *t)
{
    return value_word(basis_name(((const trial *)t)->basis));
}

static result_value message_of(const void *t)
{
    return value_word(((const trial *)t)->message);
}

static result_value size_of_step(const void *t)
{
    return value_number(fabs(((const trial *)t)->h));
}

static result_value growth_of(const void *t)
{
    return value_number(trial_growth(t));
}

static bool diverged(const void *t)
{
    return ((const trial *)t)->status == PH_E_DIVERGED;
}

/* The summary of a trial that was never begun has zeros that were not measured. */
static bool begun(const void *t)
{
    return ((const trial *)t)->steps_done > 0;
}

/* A point of the curves; no output fell into a bin that none has. */
typedef struct curve_point {
    double t, energy, constraint, momentum;
} curve_point;

static const void *next_point(const void *of, size_t *i, void *room)
{
    const trial *t = of;
    curve_point *p = room;
    while (*i < t->energy.n) {
        const size_t k = (*i)++;
        *p = (curve_point){curve_time(&t->energy, k), curve_bin(&t->energy, k), curve_bin(&t->constraint, k),
                           curve_bin(&t->momentum, k)};
        if (!isnan(p->energy) || !isnan(p->constraint) || !isnan(p->momentum))
            return p;
    }
    return NULL;
}

#define POINT(member) RESULT_AT(NUMBER, curve_point, member)
static const result_field point_fields[] = {{"t", POINT(t)},
                                            {"energy", POINT(energy), .csv = "energy_error"},
                                            {"constraint", POINT(constraint), .csv = "constraint_error"},
                                            {"momentum", POINT(momentum), .csv = "momentum_error"},
                                            {.name = NULL}};
static const result_rows points = {point_fields, .next = next_point};

/* One array for each quantity, all of the same length. */
static json_object *curves_node(builder *b, const void *t)
{
    json_object *o = build_object(b);
    for (const result_field *f = point_fields; f->name; f++) {
        json_object *values = build_array(b);
        curve_point room;
        size_t i = 0;
        while (next_point(t, &i, &room))
            build_append(b, values, build_number(b, *(const double *)result_member(f, &room)));
        build_add(b, o, f->name, build_on_one_line(b, values));
    }
    return o;
}

static const result_field trial_fields[] = {
    {"method", LABEL_OF(trial)},
    {"basis", RESULT_MADE, .value = basis_of},
    {"group", TRIAL(NUMBER, group), .format = "%.17g"},
    {"h", TRIAL(NUMBER, h), .format = "%.17g"},
    {"size", RESULT_MADE, .value = size_of_step, .not_in_json = true},
    {"steps", TRIAL(WHOLE, steps)},
    {"steps_done", TRIAL(WHOLE, steps_done)},
    {"t_end", TRIAL(NUMBER, t_end)},
    {"status", TRIAL(STATUS, status)},
    {"message", RESULT_MADE, .value = message_of},
    {"diverged_at", TRIAL(NUMBER, t_end), .when = diverged},
    {"energy_initial", TRIAL(NUMBER, summary.energy_initial), .when = begun},
    {"energy_scale", TRIAL(NUMBER, summary.energy_scale), .when = begun},
    {"momentum_scale", TRIAL(NUMBER, summary.momentum_scale), .when = begun},
    {"energy_error_max", TRIAL(NUMBER, summary.energy_error_max), .when = begun},
    {"energy_error_max_first_tenth", TRIAL(NUMBER, summary.energy_error_max_first_tenth), .when = begun},
    {"energy_error_max_last_tenth", TRIAL(NUMBER, summary.energy_error_max_last_tenth), .when = begun},
    {"growth", RESULT_MADE, .value = growth_of, .when = begun},
    {"momentum_error_max", TRIAL(NUMBER, summary.momentum_error_max), .when = begun},
    {"constraint_error_max", TRIAL(NUMBER, summary.constraint_error_max), .when = begun},
    {"newton_passes_per_step", TRIAL(NUMBER, passes), .when = begun},
    {"timing", TRIAL(TIMING, time)},
    {"step_time_median", TRIAL(NUMBER, time.median), .not_in_json = true},
    {"step_time_lower_quartile", TRIAL(NUMBER, time.low), .not_in_json = true},
    {"step_time_upper_quartile", TRIAL(NUMBER, time.high), .not_in_json = true},
    {"time_ratio", TRIAL(NUMBER, time.ratio), .not_in_json = true},
    {"time_ratio_low", TRIAL(NUMBER, time.ratio_low), .not_in_json = true},
    {"time_ratio_high", TRIAL(NUMBER, time.ratio_high), .not_in_json = true},
    {"cpu_seconds", TRIAL(NUMBER, cpu_seconds), .csv = "cpu_time"},
    {"curves", RESULT_NODE, .node = curves_node},
    {.name = NULL}};
static const result_rows trials = {trial_fields, RESULT_LIST(comparison, trials, n_trials)};

/* ---- Verification ------------------------------------------------------------------------------------------------- */

static result_value kind_of(const void *t)
{
    static const char *const kinds[] = {
        [TRUTH_DIGITS] = "digits", [TRUTH_EXACT] = "exact", [TRUTH_COMPUTED] = "computed"};
    return value_word(kinds[((const truth *)t)->kind]);
}

static bool truth_is_known(const void *t)
{
    return ((const truth *)t)->z != NULL; /* else interrupted before it was found */
}

static bool is_climbed(const void *l)
{
    return ((const ladder *)l)->contender != NULL;
}

static bool is_taken(const void *g)
{
    return ((const rung *)g)->steps > 0;
}

static result_value verified(const void *l)
{
    return value_flag(((const ladder *)l)->verified != 0);
}

#define RUNG(type, member) RESULT_AT(type, rung, member)
static const result_field truth_fields[] = {{"kind", RESULT_MADE, .value = kind_of},
                                            {"time", RESULT_AT(NUMBER, truth, time)},
                                            {"uncertainty", RESULT_AT(NUMBER, truth, uncertainty)},
                                            {"text", RESULT_TEXT_AT(truth, text)},
                                            {.name = NULL}};
static const result_rows the_truth = {truth_fields, RESULT_ONE(comparison, truth), .has = truth_is_known};
static const result_field rung_fields[] = {
    {"h", RUNG(NUMBER, h), .format = "%.17g"},
    {"steps", RUNG(WHOLE, steps)},
    {"status", RUNG(STATUS, status)},
    {"trajectory_error", RUNG(NUMBER, trajectory_error)},
    {"energy_error", RUNG(NUMBER, energy_error)},
    {"timing", RUNG(TIMING, time)},
    {"step_time_median", RUNG(NUMBER, time.median), .not_in_json = true},
    {"cpu_seconds", RUNG(NUMBER, cpu_seconds), .csv = "cpu_time"},
    {.name = NULL}};
static const result_rows rungs = {rung_fields, RESULT_ARRAY(ladder, rungs), .has = is_taken};
static const result_field ladder_fields[] = {{"method", LABEL_OF(ladder)},
                                             {"order_claimed", RESULT_AT(INT, ladder, claimed)},
                                             {"order_measured", RESULT_AT(NUMBER, ladder, order)},
                                             {"verified", RESULT_MADE, .value = verified},
                                             {"text", RESULT_TEXT_AT(ladder, text)},
                                             {"rungs", RESULT_ROWS, .rows = &rungs},
                                             {.name = NULL}};
static const result_rows ladders = {ladder_fields, RESULT_LIST(comparison, ladders, n_contenders),
                                    .has = is_climbed};

/* ---- What is shown first ------------------------------------------------------------------------------------------ */

/* The text of what `write` makes, which is freed. */
static json_object *headline_node(builder *b, const void *f)
{
    char *text = front_headline(f);
    json_object *node = build_text(b, text);
    b->failed |= !text;
    free(text);
    return node;
}

static result_value front_basis(const void *f)
{
    return value_word(basis_name(((const front *)f)->basis == SAME_STEP ? SAME_STEP : SAME_CPU));
}

static bool has_polhode(const void *f)
{
    return front_has_polhode(f);
}

/* Momenta of a body in its frame (n x 3), point by point on one line. */
static json_object *path_node(builder *b, const trial *t)
{
    json_object *list = build_array(b);
    for (size_t i = 0; i < 3 * t->n_path; i++)
        build_append(b, list, build_number(b, t->path[i]));
    return build_on_one_line(b, list);
}

static json_object *polhode_node(builder *b, const void *self)
{
    const front *f = self;
    json_object *o = build_object(b);
    build_add(b, o, "reference", path_node(b, f->yardstick));
    build_add(b, o, "best", path_node(b, f->best));
    return o;
}

static_assert(sizeof(front) <= RESULT_ROOM, "a front is made in the room of a row");
static const void *next_front(const void *of, size_t *i, void *room)
{
    return (*i)++ == 0 && front_choose(room, of) ? room : NULL;
}

static const result_field shown_fields[] = {{"method", LABEL_OF(trial)},
                                            {"h", TRIAL(NUMBER, h)},
                                            {"cpu_seconds", TRIAL(NUMBER, cpu_seconds)},
                                            {"energy_error_max", TRIAL(NUMBER, summary.energy_error_max)},
                                            {.name = NULL}};
#define SHOWN(member)                                                                                        \
    {                                                                                                        \
        shown_fields, .at = offsetof(front, member), .is_pointer = true, .size = sizeof(trial), .most = 1    \
    }
static const result_rows yardstick = SHOWN(yardstick), best = SHOWN(best), adaptive = SHOWN(adaptive);
static const result_field front_fields[] = {
    {"text", RESULT_NODE, .node = headline_node},
    {"basis", RESULT_MADE, .value = front_basis},
    {"reference", RESULT_PART, .rows = &yardstick},
    {"best", RESULT_PART, .rows = &best},
    {"adaptive", RESULT_PART, .rows = &adaptive},
    {"error_ratio", RESULT_AT(NUMBER, front, error_ratio)},
    {"time_ratio", RESULT_AT(NUMBER, front, time_ratio)},
    {"polhode", RESULT_NODE, .node = polhode_node, .when = has_polhode},
    {.name = NULL}};
static const result_rows headline = {front_fields, .next = next_front};

/* ---- All ---------------------------------------------------------------------------------------------------------- */

static result_value conservative(const void *c)
{
    return value_flag(ph_system_is_conservative(ph_scenario_system(((const comparison *)c)->scenario)));
}

static result_value reference_of(const void *self)
{
    const comparison *c = self;
    return value_word(c->contenders[c->reference].label);
}

static json_object *words_node(builder *b, const void *c)
{
    return build_lines(b, report_words(c));
}

#define PROBLEM(type, member) RESULT_VIA(type, comparison, problem, problem, member)
static const result_field problem_fields[] = {{"name", PROBLEM(WORD, name), .csv = "problem"},
                                              {"title", PROBLEM(WORD, title)},
                                              {"source", PROBLEM(WORD, source)},
                                              {"scenario", PROBLEM(WORD, scenario)},
                                              {"status", RESULT_AT(STATUS, comparison, status)},
                                              {"horizon", PROBLEM(NUMBER, horizon)},
                                              {"short_time", PROBLEM(NUMBER, short_time)},
                                              {"conservative", RESULT_MADE, .value = conservative},
                                              {"reference", RESULT_MADE, .value = reference_of},
                                              {"headline", RESULT_PART, .rows = &headline},
                                              {"words", RESULT_NODE, .node = words_node},
                                              {"truth", RESULT_PART, .rows = &the_truth},
                                              {"verification", RESULT_ROWS, .rows = &ladders},
                                              {"trials", RESULT_ROWS, .rows = &trials},
                                              {.name = NULL}};
static const result_rows comparisons = {problem_fields, RESULT_LIST(report, comparisons, run.made)};
const result_field report_results[] = {{"problems", RESULT_ROWS, .rows = &comparisons}, {.name = NULL}};

const bench_table report_tables[] = {
    {"results.csv",
     "problem,method,basis,group[s],h[s],steps,steps_done,t_end[s],status,diverged_at[s],energy_error_max,"
     "energy_error_max_first_tenth,energy_error_max_last_tenth,growth,momentum_error_max,constraint_error_max,"
     "step_time_median[ns],step_time_lower_quartile[ns],step_time_upper_quartile[ns],time_ratio,time_ratio_low,"
     "time_ratio_high,cpu_time[s],newton_passes_per_step",
     .path = {&comparisons, &trials}},
    {"work-precision.csv",
     "problem,method,h[s],steps,status,trajectory_error,energy_error,step_time_median[ns],cpu_time[s],order_measured,"
     "order_claimed,verified",
     .path = {&comparisons, &ladders, &rungs}},
    {"curves.csv", "problem,method,basis,group[s],h[s],t[s],energy_error,constraint_error,momentum_error",
     .path = {&comparisons, &trials, &points}},
    {.file = NULL}};

/* ---- The table for the terminal ----------------------------------------------------------------------------------- */

static void put_end(FILE *out, const void *row)
{
    const trial *t = row;
    if (t->status && t->steps_done)
        fprintf(out, "  %s at t = %.6g s",
                t->status == PH_E_DIVERGED || t->status == PH_E_NOT_FINITE ? "diverged"
                                                                           : ph_status_text(t->status),
                t->t_end);
}

static bool at_same_step(const void *t)
{
    return ((const trial *)t)->basis == SAME_STEP;
}

static bool at_same_cpu(const void *t)
{
    return ((const trial *)t)->basis == SAME_CPU;
}

static bool with_own_steps(const void *t)
{
    return ((const trial *)t)->basis == OWN_STEPS;
}

void report_table(FILE *out, const comparison *c)
{
    static const result_column columns[] = {
        {"method", "\nmethod", .format = "%-28s"},
        {"size", "\nh [s]", .format = "%8.4g"},
        {"energy_error_max", "largest\nall", .format = "%8.1e"},
        {"energy_error_max_first_tenth", "|energy\n1st 10th", .format = "%8.1e"},
        {"energy_error_max_last_tenth", "error|\nlast 10t", .format = "%8.1e"},
        {"growth", "\nlast/1st", .format = "%8.2f"},
        {"momentum_error_max", "momentum\nerror", .format = "%8.1e"},
        {"constraint_error_max", "constrnt\nerror", .format = "%8.1e"},
        {"step_time_median", "CPU\nns/step", .format = "%8.0f"},
        {"time_ratio", "to\nref.", .format = "%8.2f"},
        {"newton_passes_per_step", "Iter.", .format = "%8.1f"},
        {.name = NULL}};
    static const struct {
        const char *title;
        result_rows rows;
    } blocks[] = {
        {"At the same step", {trial_fields, RESULT_LIST(comparison, trials, n_trials), .has = at_same_step}},
        {"At the same CPU time",
         {trial_fields, RESULT_LIST(comparison, trials, n_trials), .has = at_same_cpu}},
        {"With their own steps (h: time between outputs)",
         {trial_fields, RESULT_LIST(comparison, trials, n_trials), .has = with_own_steps}}};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        size_t k = 0;
        if (!result_next(&blocks[i].rows, c, &k, NULL))
            continue;
        fprintf(out, "%s\n", blocks[i].title);
        result_words(out, "", columns, (const result_rows *[]){&blocks[i].rows, NULL}, c, put_end);
    }
}
