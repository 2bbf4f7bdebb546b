/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html: one page that needs nothing but itself, for a wide screen, a telephone and paper. What a
 * reader wants first, the findings in words, comes first. */
#include "bench/report/markup.h"
#include "bench/report/page.h"
#include "figures.h"
#include "page-tables.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Figures ------------------------------------------------------------------------------------- */

/* What became of the figures of the page so far. */
typedef struct gallery {
    report_figures state;
    ph_error error; /* of the first that failed */
} gallery;

static ph_status put_figure(FILE *f, const comparison *c, figure which, gallery *g, ph_error *err)
{
    char *svg = NULL, *caption = figure_caption(c, which), *words = figure_words(c, which);
    size_t length;
    const char *why;
    int missing;
    ph_error what = {PH_OK, ""};
    ph_status status =
        caption && words ? figure_draw(c, which, &svg, &length, &why, &missing, &what) : PH_E_NO_MEMORY;
    if (status == PH_E_NO_MEMORY) {
        ph_fail(err, status, "out of memory");
    } else if (status) {
        if (g->state == FIGURES_DRAWN)
            g->error = what;
        g->state = missing ? FIGURES_NO_GNUPLOT : FIGURES_FAILED;
        if (!missing)
            page_no_picture(f, what.message, caption);
    } else if (svg) {
        page_picture(f, svg, length, words, caption);
    } else {
        page_no_picture(f, why, caption);
    }
    free(svg);
    free(caption);
    free(words);
    return status == PH_E_NO_MEMORY ? status : PH_OK;
}

static ph_status put_figures(FILE *f, const comparison *c, gallery *g, ph_error *err)
{
    ph_status status = PH_OK;
    fputs("<h3>Figures</h3>\n<div class=\"figures\">\n", f);
    for (int i = 0; i < FIGURES && !status && g->state != FIGURES_NO_GNUPLOT; i++)
        status = put_figure(f, c, (figure)i, g, err);
    fputs("</div>\n", f);
    if (g->state == FIGURES_NO_GNUPLOT)
        fputs("<p class=\"notice\">There are no figures: "
              "gnuplot was not found. The curves are in curves.csv.</p>\n",
              f);
    return status;
}

/* ---- Page ---------------------------------------------------------------------------------------- */

static ph_status put_problem(FILE *f, const comparison *c, size_t number, gallery *g, ph_error *err)
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
    page_words(f, c->words);
    page_verification(f, c);
    ph_status status = put_figures(f, c, g, err);
    page_table(f, c, SAME_STEP);
    page_table(f, c, SAME_CPU);
    fputs("</section>\n", f);
    return status;
}

static void put_contents(FILE *f, const report *r)
{
    if (r->n < 2)
        return;
    fputs("<nav aria-label=\"Problems\"><h2>Problems</h2>\n<ol>\n", f);
    for (size_t i = 0; i < r->n; i++) {
        const problem *p = r->comparisons[i].problem;
        fprintf(f, "<li><a href=\"#problem-%zu\">", i + 1);
        markup_between(f, "", p->title && *p->title ? p->title : p->name, "</a></li>\n");
    }
    fputs("</ol></nav>\n", f);
}

static const char how_to_read[] =
    "<h2>How to read it</h2>\n<ul>\n"
    "<li><strong>At the same step</strong> all methods take the same step size, whatever it "
    "costs them. <strong>At the same CPU time</strong> each takes the step size at which it "
    "costs what the reference method costs at the step in question.</li>\n"
    "<li>Errors are relative and the largest of a run, its first or its last tenth; growth is "
    "the last over the first: 1 is an error that stays put, 10 one that grows with time.</li>\n"
    "<li>Times are CPU times of steps alone. What is compared takes turns in short slices, "
    "in changing order, and only turns that nobody else disturbed count: "
    "given is their median and, small, its quartiles.</li>\n"
    "<li>A ratio of times is the median of the ratios within one such turn, with its "
    "95&nbsp;% interval; above 1 is slower than the reference.</li>\n"
    "<li>A method is verified where its trajectory comes nearer to the truth at the order that it claims "
    "(an adaptive one: where at every step size its error comes from its tolerance); "
    "do not trust what else is said of one that is not.</li>\n"
    "</ul>\n";

static void put_notices(FILE *f, const void *self)
{
    const report *r = self;
    size_t cut_short = 0;
    for (size_t i = 0; i < r->n; i++)
        cut_short += r->comparisons[i].status != PH_OK;
    if (cut_short)
        fputs("<p class=\"notice\" role=\"note\"><strong>Interrupted.</strong> "
              "The comparison was stopped before its end; this page shows what there was until then.</p>\n",
              f);
}

ph_status report_html(const report *r, const char *directory, report_figures *figures, ph_error *err)
{
    char part[4200];
    gallery g = {FIGURES_DRAWN, {PH_OK, ""}};
    ph_status status = PH_OK;
    FILE *f = report_open(directory, "report.html", part, err);
    *figures = FIGURES_FAILED;
    if (!f)
        return PH_E_IO;
    page_top(f, "Polhode bench", put_notices, r, &r->where);
    put_contents(f, r);
    fputs(how_to_read, f);
    for (size_t i = 0; i < r->n && !status; i++)
        status = put_problem(f, &r->comparisons[i], i + 1, &g, err);
    page_end(f);
    *figures = g.state;
    if (status) {
        fclose(f);
        remove(part);
        return status;
    }
    return report_close(f, part, err);
}
