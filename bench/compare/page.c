/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html: one self-contained page, for a wide screen, a telephone and paper. The findings in words come
 * first. The label of a cell, which a narrow screen shows next to it, is the heading of its column. */
#include "bench/report/markup.h"
#include "report.h"

#include <math.h>

/* ---- Cells --------------------------------------------------------------------------------------- */

/* One column of a table of trials: its heading, also the label of its cells on a narrow screen, and its
 * cells. */
typedef struct column {
    const char *heading, *heading_forced; /* the latter for systems with forces, or NULL */
    size_t at;                            /* offset of a number in the trial, which is */
    const char *format;                   /* written so, or as an error where it is NULL; or */
    void (*put)(FILE *f, const comparison *c, const trial *t);
    int is_text, planned; /* planned: known of a trial that was not run */
} column;

static void put_steps(FILE *f, const comparison *c, const trial *t)
{
    (void)c;
    fprintf(f, "%lld", (long long)t->steps);
}

static void put_growth(FILE *f, const comparison *c, const trial *t)
{
    double growth = trial_growth(t);
    (void)c;
    markup_number(f, growth < 1000 ? "%.3g" : "%.1e", growth);
}

/* the value, and in small print its interval */
static void put_interval(FILE *f, const char *format, double value, double low, double high)
{
    fputs("<span>", f);
    markup_number(f, format, value);
    if (isfinite(value) && isfinite(low) && isfinite(high)) {
        fputs(" <small>", f);
        fprintf(f, format, low);
        fputs(EN_DASH, f);
        fprintf(f, format, high);
        fputs("</small>", f);
    }
    fputs("</span>", f);
}

static void put_time(FILE *f, const comparison *c, const trial *t)
{
    (void)c;
    put_interval(f, "%.0f", t->time.median, t->time.low, t->time.high);
}

static void put_ratio(FILE *f, const comparison *c, const trial *t)
{
    if (t->contender == &c->contenders[c->reference])
        fputs("1", f);
    else
        put_interval(f, "%.3g", t->time.ratio, t->time.ratio_low, t->time.ratio_high);
}

static int never_run(const trial *t)
{
    return t->status == PH_E_INTERRUPTED && !t->steps_done;
}

static void put_status(FILE *f, const comparison *c, const trial *t)
{
    const char *what = t->status == PH_E_DIVERGED         ? "diverged"
                       : t->status == PH_E_NO_SOLUTION    ? "no solution"
                       : t->status == PH_E_NO_CONVERGENCE ? "no convergence"
                       : t->status == PH_E_INTERRUPTED    ? "interrupted"
                                                          : ph_status_text(t->status);
    (void)c;
    fputs("<span>", f);
    if (!t->status) {
        fputs("ran to the end", f);
    } else if (never_run(t)) {
        fputs("not run (interrupted)", f);
    } else {
        markup_between(f, "<strong class=\"warn\">", what, "</strong>");
        fprintf(f, " at t = %.4g s", t->t_end);
    }
    fputs("</span>", f);
}

#define ERROR(member) .at = offsetof(trial, summary.member)
static const column columns[] = {
    {"h [s]", .at = offsetof(trial, h), .format = "%.4g", .planned = 1},
    {"steps", .put = put_steps, .planned = 1},
    {"energy error, largest", "energy change, largest", ERROR(energy_error_max)},
    {"in the first tenth", ERROR(energy_error_max_first_tenth)},
    {"in the last tenth", ERROR(energy_error_max_last_tenth)},
    {"growth (last / first)", .put = put_growth},
    {"constraint error", ERROR(constraint_error_max)},
    {"momentum error", ERROR(momentum_error_max)},
    {"ns a step", .put = put_time},
    {"time relative to the reference", .put = put_ratio},
    {"iterations a step", .at = offsetof(trial, passes), .format = "%.2f"},
    {"outcome", .put = put_status, .is_text = 1, .planned = 1},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *heading(const comparison *c, const column *col)
{
    return col->heading_forced && !ph_system_is_conservative(ph_scenario_system(c->scenario))
               ? col->heading_forced
               : col->heading;
}

/* ---- Tables of trials ---------------------------------------------------------------------------- */

static const ladder *ladder_of(const comparison *c, const contender *who)
{
    const ladder *l = c->ladders ? &c->ladders[who - c->contenders] : NULL;
    return l && l->contender ? l : NULL;
}

static void put_method(FILE *f, const comparison *c, const trial *t)
{
    const ladder *l = ladder_of(c, t->contender);
    markup_between(f, "<th scope=\"row\">", t->contender->label, "");
    if (t->contender == &c->contenders[c->reference])
        fputs(" <small>reference of times</small>", f);
    if (!l || !l->verified)
        fprintf(f, " <small class=\"warn\">%s</small>", l ? "not verified" : "verification was not run");
    fputs("</th>", f);
}

static void put_trial(FILE *f, const comparison *c, const trial *t)
{
    fputs("<tr>", f);
    put_method(f, c, t);
    for (size_t i = 0; i < COLUMNS; i++) {
        const column *col = &columns[i];
        markup_between(f, col->is_text ? "<td class=\"text\" data-label=\"" : "<td data-label=\"",
                       heading(c, col), "\">");
        const double *number = (const void *)((const char *)t + col->at);
        if (never_run(t) && !col->planned)
            fputs(EN_DASH, f); /* nothing was measured: the numbers there are initial zeros */
        else if (col->put)
            col->put(f, c, t);
        else if (col->format)
            markup_number(f, col->format, *number);
        else
            markup_error(f, *number);
        fputs("</td>", f);
    }
    fputs("</tr>\n", f);
}

static void put_head(FILE *f, const comparison *c)
{
    fputs("<thead><tr><th scope=\"col\">method</th>", f);
    for (size_t i = 0; i < COLUMNS; i++)
        markup_between(f, columns[i].is_text ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">",
                       heading(c, &columns[i]), "</th>");
    fputs("</tr></thead>\n", f);
}

static int first_of_group(const comparison *c, size_t i, trial_basis basis)
{
    if (!comparison_shows(c, i, basis))
        return 0;
    for (size_t j = 0; j < i; j++)
        if (comparison_shows(c, j, basis) && c->trials[j].group == c->trials[i].group)
            return 0;
    return 1;
}

static void put_group(FILE *f, const comparison *c, trial_basis basis, double group)
{
    fprintf(f, "<tbody><tr class=\"group\"><th scope=\"rowgroup\" colspan=\"%d\">", COLUMNS + 1);
    if (basis == SAME_CPU)
        markup_between(f, "CPU time of ", c->contenders[c->reference].label, " at ");
    fprintf(f, basis == OWN_STEPS ? "outputs each %.4g s</th></tr>\n" : "h = %.4g s</th></tr>\n", group);
    for (size_t i = 0; i < c->n_trials; i++)
        if (comparison_shows(c, i, basis) && c->trials[i].group == group)
            put_trial(f, c, &c->trials[i]);
    fputs("</tbody>\n", f);
}

static void page_table(FILE *f, const comparison *c, trial_basis basis)
{
    size_t groups = 0;
    for (size_t i = 0; i < c->n_trials; i++)
        groups += first_of_group(c, i, basis) != 0;
    if (basis == OWN_STEPS && !groups)
        return;
    fprintf(f, "<h3>%s</h3>\n",
            basis == OWN_STEPS  ? "With their own steps"
            : basis == SAME_CPU ? "At the same CPU time"
                                : "At the same step");
    if (!groups) {
        fputs("<p>Nothing was run.</p>\n", f);
        return;
    }
    fputs("<div class=\"table\"><table>\n", f);
    put_head(f, c);
    for (size_t i = 0; i < c->n_trials; i++)
        if (first_of_group(c, i, basis))
            put_group(f, c, basis, c->trials[i].group);
    fputs("</table></div>\n", f);
}

/* ---- Verification -------------------------------------------------------------------------------- */

/* The finest step whose run has an error; NULL if no run has. */
static const rung *finest(const ladder *l)
{
    const rung *best = NULL;
    for (size_t i = 0; i < LADDER_STEPS; i++)
        if (l->rungs[i].steps && !l->rungs[i].status && isfinite(l->rungs[i].trajectory_error))
            best = &l->rungs[i];
    return best;
}

static void put_ladder(FILE *f, const ladder *l)
{
    const rung *g = finest(l);
    markup_between(f, "<tr><th scope=\"row\">", l->contender->label, "</th>");
    fprintf(f, "<td data-label=\"order claimed\">%d</td><td data-label=\"order measured\">", l->claimed);
    markup_number(f, "%.2f", l->order);
    fputs("</td><td data-label=\"error at the finest step\"><span>", f);
    markup_error(f, g ? g->trajectory_error : (double)NAN);
    if (g)
        fprintf(f, " <small>h = %.3g s</small>", g->h);
    fprintf(f,
            "</span></td><td class=\"text\" data-label=\"verdict\"><span><strong class=\"%s\">%s</strong> ",
            l->verified ? "good" : "warn", l->verified ? "verified" : "not verified");
    markup_between(f, "<small>", l->text, "</small></span></td></tr>\n");
}

static void page_verification(FILE *f, const comparison *c)
{
    size_t climbed = 0;
    for (size_t i = 0; i < c->n_contenders; i++)
        climbed += ladder_of(c, &c->contenders[i]) != NULL;
    fputs("<h3>Verification</h3>\n", f);
    if (c->truth.text[0])
        markup_between(f, "<p>", c->truth.text, "</p>\n");
    if (!climbed) {
        fputs("<p>It was not run.</p>\n", f);
        return;
    }
    fputs("<div class=\"table\"><table>\n"
          "<thead><tr><th scope=\"col\">method</th><th scope=\"col\">order claimed</th>"
          "<th scope=\"col\">order measured</th><th scope=\"col\">error at the finest step</th>"
          "<th scope=\"col\" class=\"text\">verdict</th></tr></thead>\n"
          "<tbody>\n",
          f);
    for (size_t i = 0; i < c->n_contenders; i++)
        if (ladder_of(c, &c->contenders[i]))
            put_ladder(f, &c->ladders[i]);
    fputs("</tbody></table></div>\n", f);
}

/* ---- Page ---------------------------------------------------------------------------------------- */

static ph_status put_problem(FILE *f, const comparison *c, size_t number, ph_error *err)
{
    const problem *p = c->problem;
    fprintf(f, "<section id=\"problem-%zu\">\n", number);
    markup_between(f, "<h2>", p->title && *p->title ? p->title : p->name, "</h2>\n");
    markup_between(f, "<p class=\"soft\"><code>", p->name, "</code>");
    if (p->source && *p->source)
        markup_between(f, " " EN_DASH " ", p->source, "");
    fprintf(f, "</p>\n<p class=\"soft\">Long runs of %.6g s.</p>\n", p->horizon);
    if (c->status)
        markup_between(f, "<p class=\"notice\"><strong>Not complete:</strong> ", ph_status_text(c->status),
                       ". What was found until then is given.</p>\n");
    if (p->scenario)
        markup_between(f, "<details><summary>Scenario</summary><pre>", p->scenario, "</pre></details>\n");
    ph_status status = page_words(f, report_words(c), err);
    page_verification(f, c);
    if (!status)
        status = report_figures(f, c, err);
    page_table(f, c, SAME_STEP);
    page_table(f, c, SAME_CPU);
    page_table(f, c, OWN_STEPS);
    fputs("</section>\n", f);
    return status;
}

static void put_contents(FILE *f, const void *self)
{
    const report *r = self;
    if (r->run.made < 2)
        return;
    fputs("<nav aria-label=\"Problems\"><h2>Problems</h2>\n<ol>\n", f);
    for (size_t i = 0; i < r->run.made; i++) {
        const problem *p = r->comparisons[i].problem;
        fprintf(f, "<li><a href=\"#problem-%zu\">", i + 1);
        markup_between(f, "", p->title && *p->title ? p->title : p->name, "</a></li>\n");
    }
    fputs("</ol></nav>\n", f);
}

static const char how_to_read[] =
    "<li><strong>At the same step</strong> all methods take the same step size, whatever its cost. "
    "<strong>At the same CPU time</strong> each takes the step size at which it "
    "costs what the reference method costs at the step in question.</li>\n"
    "<li>Errors are relative, and the largest of the run, of its first tenth, or of its last tenth; "
    "growth is the last tenth over the first: 1 for an error that does not grow, 10 for one that grows "
    "like the time.</li>\n"
    "<li>Times are CPU times of steps only. The methods are timed alternately in short slices, in random "
    "order. Slices disturbed by other processes are discarded. The table shows the median; small print, the "
    "quartiles.</li>\n"
    "<li>A ratio of times is the median of the ratios within one round, with its "
    "95&nbsp;% interval; a method with a ratio above 1 is slower than the reference.</li>\n"
    "<li><em>Verified</em> means that the measured order of convergence agrees with the theoretical one (of an "
    "adaptive method: that its error comes from its tolerance at every step size). Ignore the other results of a "
    "method that is not verified.</li>\n"
    "<li><strong>With their own steps</strong> run the adaptive methods, at their default tolerance or the one "
    "given, with 1000 outputs.</li>\n";

static ph_status put_problems(FILE *f, const void *self, ph_error *err)
{
    const report *r = self;
    ph_status status = PH_OK;
    for (size_t i = 0; i < r->run.made && !status; i++)
        status = put_problem(f, &r->comparisons[i], i + 1, err);
    return status;
}

const page_frame report_page = {.title = "Polhode bench",
                                .front = report_front,
                                .what = "comparison",
                                .how_to_read = how_to_read,
                                .before = put_contents,
                                .body = put_problems};
