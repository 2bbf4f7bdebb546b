/* SPDX-License-Identifier: BSD-3-Clause */
/* results.json: all results of a comparison, for other programs. Numbers that are not finite are null; the
 * others read back to the same bits. */
#include "front.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

enum { FORMAT = 1 };

/* ---- Trials -------------------------------------------------------------------------------------- */

static int seen(const trial *t, size_t i)
{
    return !isnan(curve_bin(&t->energy, i)) || !isnan(curve_bin(&t->constraint, i)) ||
           !isnan(curve_bin(&t->momentum, i));
}

/* One array for each quantity, all of the same length. */
static json_object *curves_node(builder *b, const trial *t)
{
    const curve *curves[] = {&t->energy, &t->constraint, &t->momentum};
    static const char *const names[] = {"energy", "constraint", "momentum"};
    json_object *o = build_object(b), *times = build_array(b);
    for (size_t i = 0; i < t->energy.n; i++)
        if (seen(t, i))
            build_append(b, times, build_number(b, curve_time(&t->energy, i)));
    build_add(b, o, "t", build_on_one_line(b, times));
    for (size_t k = 0; k < 3; k++) {
        json_object *values = build_array(b);
        for (size_t i = 0; i < t->energy.n; i++)
            if (seen(t, i))
                build_append(b, values, build_number(b, curve_bin(curves[k], i)));
        build_add(b, o, names[k], build_on_one_line(b, values));
    }
    return o;
}

static void add_errors(builder *b, json_object *o, const trial *t)
{
    const ph_summary *s = &t->summary;
    /* the summary of a trial that was never begun has zeros that were not measured */
    const double none = t->steps_done ? 0 : (double)NAN;
    build_add(b, o, "energy_initial", build_number(b, s->energy_initial + none));
    build_add(b, o, "energy_scale", build_number(b, s->energy_scale + none));
    build_add(b, o, "momentum_scale", build_number(b, s->momentum_scale + none));
    build_add(b, o, "energy_error_max", build_number(b, s->energy_error_max + none));
    build_add(b, o, "energy_error_max_first_tenth", build_number(b, s->energy_error_max_first_tenth + none));
    build_add(b, o, "energy_error_max_last_tenth", build_number(b, s->energy_error_max_last_tenth + none));
    build_add(b, o, "growth", build_number(b, trial_growth(t) + none));
    build_add(b, o, "momentum_error_max", build_number(b, s->momentum_error_max + none));
    build_add(b, o, "constraint_error_max", build_number(b, s->constraint_error_max + none));
    build_add(b, o, "newton_passes_per_step", build_number(b, t->passes + none));
}

static json_object *trial_node(builder *b, const trial *t)
{
    json_object *o = build_object(b);
    build_add(b, o, "method", build_text(b, t->contender->label));
    build_add(b, o, "basis",
              build_text(b, t->basis == SAME_CPU    ? "same-cpu"
                            : t->basis == OWN_STEPS ? "own-steps"
                                                    : "same-step"));
    build_add(b, o, "group", build_number(b, t->group));
    build_add(b, o, "h", build_number(b, t->h));
    build_add(b, o, "steps", build_count(b, t->steps));
    build_add(b, o, "steps_done", build_count(b, t->steps_done));
    build_add(b, o, "t_end", build_number(b, t->t_end));
    build_add(b, o, "status", build_text(b, ph_status_name(t->status)));
    build_add(b, o, "message", build_text(b, t->message));
    build_add(b, o, "diverged_at", t->status == PH_E_DIVERGED ? build_number(b, t->t_end) : NULL);
    add_errors(b, o, t);
    build_add(b, o, "timing", build_timing(b, &t->time));
    build_add(b, o, "cpu_seconds", build_number(b, t->cpu_seconds));
    build_add(b, o, "curves", curves_node(b, t));
    return o;
}

/* ---- Verification -------------------------------------------------------------------------------- */

static json_object *truth_node(builder *b, const truth *t)
{
    static const char *const kinds[] = {
        [TRUTH_DIGITS] = "digits", [TRUTH_EXACT] = "exact", [TRUTH_COMPUTED] = "computed"};
    json_object *o = build_object(b);
    if (!t->z) /* interrupted before it was found */
        return json_object_put(o), NULL;
    build_add(b, o, "kind", build_text(b, kinds[t->kind]));
    build_add(b, o, "time", build_number(b, t->time));
    build_add(b, o, "uncertainty", build_number(b, t->uncertainty));
    build_add(b, o, "text", build_text(b, t->text));
    return o;
}

static json_object *rung_node(builder *b, const rung *g)
{
    json_object *o = build_object(b);
    build_add(b, o, "h", build_number(b, g->h));
    build_add(b, o, "steps", build_count(b, g->steps));
    build_add(b, o, "status", build_text(b, ph_status_name(g->status)));
    build_add(b, o, "trajectory_error", build_number(b, g->trajectory_error));
    build_add(b, o, "energy_error", build_number(b, g->energy_error));
    build_add(b, o, "timing", build_timing(b, &g->time));
    build_add(b, o, "cpu_seconds", build_number(b, g->cpu_seconds));
    return o;
}

static json_object *ladder_node(builder *b, const ladder *l)
{
    json_object *o = build_object(b), *rungs = build_array(b);
    build_add(b, o, "method", build_text(b, l->contender->label));
    build_add(b, o, "order_claimed", build_count(b, l->claimed));
    build_add(b, o, "order_measured", build_number(b, l->order));
    build_add(b, o, "verified", build_flag(b, l->verified));
    build_add(b, o, "text", build_text(b, l->text));
    for (size_t k = 0; k < LADDER_STEPS; k++)
        if (l->rungs[k].steps)
            build_append(b, rungs, rung_node(b, &l->rungs[k]));
    build_add(b, o, "rungs", rungs);
    return o;
}

/* ---- What is shown first ------------------------------------------------------------------------- */

static void add_shown(builder *b, json_object *o, const char *name, const trial *t)
{
    json_object *node = t ? build_object(b) : NULL;
    if (t) {
        build_add(b, node, "method", build_text(b, t->contender->label));
        build_add(b, node, "h", build_number(b, t->h));
        build_add(b, node, "cpu_seconds", build_number(b, t->cpu_seconds));
        build_add(b, node, "energy_error_max", build_number(b, t->summary.energy_error_max));
    }
    build_add(b, o, name, node);
}

/* Momenta of a body in its frame (n x 3), point by point on one line. */
static json_object *path_node(builder *b, const trial *t)
{
    json_object *list = build_array(b);
    for (size_t i = 0; i < 3 * t->n_path; i++)
        build_append(b, list, build_number(b, t->path[i]));
    return build_on_one_line(b, list);
}

static json_object *front_node(builder *b, const comparison *c)
{
    front f;
    json_object *o = build_object(b);
    if (!front_choose(&f, c))
        return json_object_put(o), NULL;
    char *text = front_headline(&f);
    build_add(b, o, "text", build_text(b, text));
    b->failed |= !text;
    free(text);
    build_add(b, o, "basis", build_text(b, f.basis == SAME_STEP ? "same-step" : "same-cpu"));
    add_shown(b, o, "reference", f.yardstick);
    add_shown(b, o, "best", f.best);
    add_shown(b, o, "adaptive", f.adaptive);
    build_add(b, o, "error_ratio", build_number(b, f.error_ratio));
    build_add(b, o, "time_ratio", build_number(b, f.time_ratio));
    if (front_has_polhode(&f)) {
        json_object *polhode = build_object(b);
        build_add(b, polhode, "reference", path_node(b, f.yardstick));
        build_add(b, polhode, "best", path_node(b, f.best));
        build_add(b, o, "polhode", polhode);
    }
    return o;
}

/* ---- All ----------------------------------------------------------------------------------------- */

static json_object *problem_node(builder *b, const comparison *c)
{
    const problem *p = c->problem;
    json_object *o = build_object(b), *ladders = build_array(b), *trials = build_array(b);
    build_add(b, o, "name", build_text(b, p->name));
    build_add(b, o, "title", build_text(b, p->title));
    build_add(b, o, "source", build_text(b, p->source));
    build_add(b, o, "scenario", build_text(b, p->scenario));
    build_add(b, o, "status", build_text(b, ph_status_name(c->status)));
    build_add(b, o, "horizon", build_number(b, p->horizon));
    build_add(b, o, "short_time", build_number(b, p->short_time));
    build_add(b, o, "conservative",
              build_flag(b, ph_system_is_conservative(ph_scenario_system(c->scenario))));
    build_add(b, o, "reference", build_text(b, c->contenders[c->reference].label));
    build_add(b, o, "headline", front_node(b, c));
    build_add(b, o, "words", build_lines(b, report_words(c)));
    build_add(b, o, "truth", truth_node(b, &c->truth));
    for (size_t i = 0; c->ladders && i < c->n_contenders; i++)
        if (c->ladders[i].contender)
            build_append(b, ladders, ladder_node(b, &c->ladders[i]));
    build_add(b, o, "verification", ladders);
    for (size_t i = 0; i < c->n_trials; i++)
        build_append(b, trials, trial_node(b, &c->trials[i]));
    build_add(b, o, "trials", trials);
    return o;
}

json_object *report_json(builder *b, const bench_run *run)
{
    const report *r = (const report *)run;
    json_object *o = build_object(b), *list = build_array(b);
    build_add(b, o, "polhode_bench", build_count(b, FORMAT));
    build_surroundings(b, o, &run->where);
    for (size_t i = 0; i < run->made; i++)
        build_append(b, list, problem_node(b, &r->comparisons[i]));
    build_add(b, o, "problems", list);
    return o;
}
