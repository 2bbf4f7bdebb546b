/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html: one self-contained page, for a wide screen, a telephone and paper. The findings in words come
 * first. */
#include "bench/report/markup.h"
#include "figures.h"
#include "front-page.h"
#include "page-tables.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Figures ------------------------------------------------------------------------------------- */

static ph_status put_figure(FILE *f, size_t which, const void *self, ph_error *err)
{
    return figure_write(f, self, (figure)which, err);
}

static ph_status put_figures(FILE *f, const comparison *c, ph_error *err)
{
    fputs("<h3>Figures</h3>\n", f);
    return page_figures(f, FIGURES, put_figure, c, err);
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
        status = put_figures(f, c, err);
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
                                .front = front_page,
                                .what = "comparison",
                                .how_to_read = how_to_read,
                                .before = put_contents,
                                .body = put_problems};
