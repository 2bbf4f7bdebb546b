/* SPDX-License-Identifier: BSD-3-Clause */
/* results.json: all that a comparison knows, for other programs. What is not finite is null; numbers read
 * back to the same bits. */
#include <bench/report.h>
#include <bench/utf8.h>

#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 };

/* ---- Building ------------------------------------------------------------------------------------ */

/* Memory may end anywhere; it is noticed at the end, once. A node that could not be made is NULL, and so is
 * what should have held it. */
typedef struct builder {
    int failed;
} builder;

static json_object *made(builder *b, json_object *node)
{
    b->failed |= !node;
    return node;
}

/* A null, where it is meant, is a NULL that did not come through made(). */
static void add(builder *b, json_object *to, const char *key, json_object *value)
{
    if (!to || json_object_object_add(to, key, value)) {
        b->failed = 1;
        json_object_put(value);
    }
}

static void append(builder *b, json_object *to, json_object *value)
{
    if (!to || json_object_array_add(to, value)) {
        b->failed = 1;
        json_object_put(value);
    }
}

static json_object *object(builder *b)
{
    return made(b, json_object_new_object());
}

static json_object *array(builder *b)
{
    return made(b, json_object_new_array());
}

static json_object *number(builder *b, double value)
{
    return isfinite(value) ? made(b, json_object_new_double(value)) : NULL;
}

static json_object *count(builder *b, int64_t value)
{
    return made(b, json_object_new_int64(value));
}

static json_object *flag(builder *b, int value)
{
    return made(b, json_object_new_boolean(value));
}

static json_object *text(builder *b, const char *value)
{
    if (!value)
        return NULL;
    char *clean = utf8_clean(value);
    json_object *node = made(b, clean ? json_object_new_string(clean) : NULL);
    free(clean);
    return node;
}

/* Print the array on one line: a number a line makes a file that nobody can look at. */
static json_object *on_one_line(builder *b, json_object *list)
{
    const char *line = list ? json_object_to_json_string_ext(list, JSON_C_TO_STRING_SPACED) : NULL;
    char *copy = line ? strdup(line) : NULL;
    if (copy)
        json_object_set_serializer(list, json_object_userdata_to_json_string, copy,
                                   json_object_free_userdata);
    b->failed |= !copy;
    return list;
}

static json_object *lines(builder *b, const char *words)
{
    json_object *list = array(b);
    while (words && *words) {
        size_t n = strcspn(words, "\n");
        char *line = strndup(words, n);
        append(b, list, line ? text(b, line) : made(b, NULL));
        free(line);
        words += n + (words[n] == '\n');
    }
    return list;
}

/* ---- Trials -------------------------------------------------------------------------------------- */

static json_object *timing_node(builder *b, const timing *t)
{
    json_object *o = object(b);
    add(b, o, "ns_per_step", number(b, t->median));
    add(b, o, "ns_per_step_lower_quartile", number(b, t->low));
    add(b, o, "ns_per_step_upper_quartile", number(b, t->high));
    add(b, o, "ns_per_step_all_turns", number(b, t->all));
    add(b, o, "ratio", number(b, t->ratio));
    add(b, o, "ratio_low", number(b, t->ratio_low));
    add(b, o, "ratio_high", number(b, t->ratio_high));
    add(b, o, "rounds", count(b, (int64_t)t->rounds));
    add(b, o, "quiet_rounds", count(b, (int64_t)t->quiet));
    return o;
}

static double bin(const curve *c, size_t i)
{
    return i < c->n ? c->bin[i] : (double)NAN;
}

static int seen(const trial *t, size_t i)
{
    return !isnan(bin(&t->energy, i)) || !isnan(bin(&t->constraint, i)) || !isnan(bin(&t->momentum, i));
}

/* One array for each quantity, all of the same length. */
static json_object *curves_node(builder *b, const trial *t)
{
    const curve *curves[] = {&t->energy, &t->constraint, &t->momentum};
    static const char *const names[] = {"energy", "constraint", "momentum"};
    json_object *o = object(b), *times = array(b);
    for (size_t i = 0; i < t->energy.n; i++)
        if (seen(t, i))
            append(b, times, number(b, curve_time(&t->energy, i)));
    add(b, o, "t", on_one_line(b, times));
    for (size_t k = 0; k < 3; k++) {
        json_object *values = array(b);
        for (size_t i = 0; i < t->energy.n; i++)
            if (seen(t, i))
                append(b, values, number(b, bin(curves[k], i)));
        add(b, o, names[k], on_one_line(b, values));
    }
    return o;
}

static void add_errors(builder *b, json_object *o, const trial *t)
{
    const ph_summary *s = &t->summary;
    /* the summary of a trial that was never begun has zeros that nobody measured */
    const double none = t->steps_done ? 0 : (double)NAN;
    add(b, o, "energy_initial", number(b, s->energy_initial + none));
    add(b, o, "energy_scale", number(b, s->energy_scale + none));
    add(b, o, "momentum_scale", number(b, s->momentum_scale + none));
    add(b, o, "energy_error_max", number(b, s->energy_error_max + none));
    add(b, o, "energy_error_max_first_tenth", number(b, s->energy_error_max_first_tenth + none));
    add(b, o, "energy_error_max_last_tenth", number(b, s->energy_error_max_last_tenth + none));
    add(b, o, "growth", number(b, trial_growth(t) + none));
    add(b, o, "momentum_error_max", number(b, s->momentum_error_max + none));
    add(b, o, "constraint_error_max", number(b, s->constraint_error_max + none));
    add(b, o, "newton_passes_per_step", number(b, t->passes + none));
}

static json_object *trial_node(builder *b, const trial *t)
{
    json_object *o = object(b);
    add(b, o, "method", text(b, t->contender->label));
    add(b, o, "basis", text(b, t->basis == SAME_CPU ? "same-cpu" : "same-step"));
    add(b, o, "group", number(b, t->group));
    add(b, o, "h", number(b, t->h));
    add(b, o, "steps", count(b, t->steps));
    add(b, o, "steps_done", count(b, t->steps_done));
    add(b, o, "t_end", number(b, t->t_end));
    add(b, o, "status", text(b, ph_status_name(t->status)));
    add(b, o, "message", text(b, t->message));
    add(b, o, "diverged_at", t->status == PH_E_DIVERGED ? number(b, t->t_end) : NULL);
    add_errors(b, o, t);
    add(b, o, "timing", timing_node(b, &t->time));
    add(b, o, "cpu_seconds", number(b, t->cpu_seconds));
    add(b, o, "curves", curves_node(b, t));
    return o;
}

/* ---- Verification -------------------------------------------------------------------------------- */

static json_object *truth_node(builder *b, const truth *t)
{
    static const char *const kinds[] = {
        [TRUTH_DIGITS] = "digits", [TRUTH_EXACT] = "exact", [TRUTH_COMPUTED] = "computed"};
    json_object *o = object(b);
    if (!t->z) /* interrupted before it was found */
        return json_object_put(o), NULL;
    add(b, o, "kind", text(b, kinds[t->kind]));
    add(b, o, "time", number(b, t->time));
    add(b, o, "uncertainty", number(b, t->uncertainty));
    add(b, o, "text", text(b, t->text));
    return o;
}

static json_object *rung_node(builder *b, const rung *g)
{
    json_object *o = object(b);
    add(b, o, "h", number(b, g->h));
    add(b, o, "steps", count(b, g->steps));
    add(b, o, "status", text(b, ph_status_name(g->status)));
    add(b, o, "trajectory_error", number(b, g->trajectory_error));
    add(b, o, "energy_error", number(b, g->energy_error));
    add(b, o, "timing", timing_node(b, &g->time));
    add(b, o, "cpu_seconds", number(b, g->cpu_seconds));
    return o;
}

static json_object *ladder_node(builder *b, const ladder *l)
{
    json_object *o = object(b), *rungs = array(b);
    add(b, o, "method", text(b, l->contender->label));
    add(b, o, "order_claimed", count(b, l->contender->method->order));
    add(b, o, "order_measured", number(b, l->order));
    add(b, o, "verified", flag(b, l->verified));
    add(b, o, "text", text(b, l->text));
    for (size_t k = 0; k < LADDER_STEPS; k++)
        if (l->rungs[k].steps)
            append(b, rungs, rung_node(b, &l->rungs[k]));
    add(b, o, "rungs", rungs);
    return o;
}

/* ---- All ----------------------------------------------------------------------------------------- */

static json_object *problem_node(builder *b, const comparison *c)
{
    const problem *p = c->problem;
    json_object *o = object(b), *ladders = array(b), *trials = array(b);
    add(b, o, "name", text(b, p->name));
    add(b, o, "title", text(b, p->title));
    add(b, o, "source", text(b, p->source));
    add(b, o, "scenario", text(b, p->scenario));
    add(b, o, "status", text(b, ph_status_name(c->status)));
    add(b, o, "horizon", number(b, p->horizon));
    add(b, o, "short_time", number(b, p->short_time));
    add(b, o, "conservative", flag(b, !ph_system_has_force(ph_scenario_system(c->scenario))));
    add(b, o, "reference", text(b, c->contenders[c->reference].label));
    add(b, o, "words", lines(b, c->words));
    add(b, o, "truth", truth_node(b, &c->truth));
    for (size_t i = 0; c->ladders && i < c->n_contenders; i++)
        if (c->ladders[i].contender)
            append(b, ladders, ladder_node(b, &c->ladders[i]));
    add(b, o, "verification", ladders);
    for (size_t i = 0; i < c->n_trials; i++)
        append(b, trials, trial_node(b, &c->trials[i]));
    add(b, o, "trials", trials);
    return o;
}

static json_object *report_node(builder *b, const report *r)
{
    json_object *o = object(b), *list = array(b);
    add(b, o, "polhode_bench", count(b, FORMAT));
    add(b, o, "version", text(b, ph_version()));
    add(b, o, "date", text(b, r->date));
    add(b, o, "machine", text(b, r->machine));
    add(b, o, "software", text(b, r->software));
    add(b, o, "seconds", number(b, r->seconds));
    for (size_t i = 0; i < r->n; i++)
        append(b, list, problem_node(b, &r->comparisons[i]));
    add(b, o, "problems", list);
    return o;
}

static ph_status write_json(const char *directory, const char *json, ph_error *err)
{
    char part[4200];
    FILE *f = report_open(directory, "results.json", part, err);
    if (!f)
        return PH_E_IO;
    fputs(json, f);
    fputc('\n', f);
    return report_close(f, part, err);
}

ph_status report_json(const report *r, const char *directory, ph_error *err)
{
    builder b = {0};
    const int style = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE;
    json_object *root = report_node(&b, r);
    const char *json = b.failed ? NULL : json_object_to_json_string_ext(root, style);
    ph_status status =
        json ? write_json(directory, json, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    json_object_put(root);
    return status;
}
