/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a sweep: how many members ran and failed first, then figures, statistics of the last rows, what varied and what was run. */
#include "sweep.h"
#include "figures.h"
#include "page.h"

#include "bench/report/markup.h"
#include "bench/report/page.h"

#include <inttypes.h>
#include <stdlib.h>

enum { FAILURES_SHOWN = 200 };

static int64_t wanted_members(const ensemble *e)
{
    return e->info.swept.rank < 0 ? e->info.swept.end - e->info.swept.first : e->read;
}

static void put_notice(FILE *f, const char *words)
{
    markup_between(f, "<p class=\"notice\" role=\"note\">", words, "</p>\n");
}

static void put_head(FILE *f, const ensemble *e)
{
    const char *name = info_meta(&e->info, "name"), *model = info_meta(&e->info, "model");
    char text[400];
    markup_between(f, "<header>\n<p class=\"eyebrow\">", model ? model : "a sweep", "</p>\n");
    markup_between(f, "<h1>", name ? name : e->file, "</h1>\n");
    fprintf(
        f,
        "<p class=\"subline\">a sweep of %" PRId64 " member%s</p>\n<nav aria-label=\"Sections\"><ul>"
        "<li><a href=\"#verdict\">Members</a></li><li><a href=\"#figures\">Figures</a></li>"
        "<li><a href=\"#summary\">Statistics</a></li><li><a href=\"#runs\">What was run</a></li></ul></nav>\n",
        e->info.swept.members, e->info.swept.members == 1 ? "" : "s");
    if (e->info.writing)
        put_notice(f, "The sweep is still being computed; this is what it has so far.");
    else if (e->read + e->damaged / e->info.swept.rows < wanted_members(e))
        put_notice(f, "The sweep is not complete: the same polhode sweep continues it.");
    if (e->info.unsound)
        put_notice(f, info_unsound(&e->info));
    if (e->damaged) {
        snprintf(text, sizeof text, "%" PRId64 " damaged rows are left out; the first: %.299s", e->damaged,
                 e->damage);
        put_notice(f, text);
    }
    fputs("</header>\n", f);
}

/* How many there are, how many failed, and how one of them is run. */
static void put_verdict(FILE *f, const ensemble *e)
{
    const int64_t failed = ph_record_failures(e->info.record);
    const ph_swept *s = &e->info.swept;
    fprintf(f, "<p>%" PRId64 " of %" PRId64 " member%s ran", e->read, wanted_members(e),
            wanted_members(e) == 1 ? "" : "s");
    if (s->shards > 1)
        fprintf(f, " of shard %" PRId64 " of %" PRId64 ", from member %" PRId64, s->shard, s->shards,
                s->first);
    fprintf(f,
            failed ? ". %" PRId64 " failed, which the statistics leave out.</p>\n" : ". None failed.</p>\n",
            failed);
    if (e->info.committed && e->info.commit.account.cpu_seconds > 0 && e->read)
        fprintf(f, "<p>They took %.3g s of CPU time, %.3g s each.</p>\n", e->info.commit.account.cpu_seconds,
                e->info.commit.account.cpu_seconds / (double)e->read);
    markup_between(f, "<p>A member runs by itself, with the same bits, by <code>polhode run --member ", "",
                   "");
    fprintf(f, "%" PRId64 " ", s->first);
    markup_between(f, "", info_meta(&e->info, "name") ? info_meta(&e->info, "name") : "FILE",
                   "</code>.</p>\n");
}

static void put_failures(FILE *f, const ensemble *e)
{
    static const char *const heads[] = {"member", "t [s]", "message"};
    const int64_t failed = ph_record_failures(e->info.record);
    ph_member_failure one = {.member = -1};
    int64_t shown = 0;
    if (!failed)
        return;
    fprintf(f, "<details class=\"fold\"><summary>Members that failed: %" PRId64 "</summary>\n", failed);
    markup_table(f, "They run again by polhode sweep --failed", heads, 3);
    for (; shown < FAILURES_SHOWN && ph_record_next_failure(e->info.record, one.member, &one); shown++) {
        fprintf(f, "<tr><th scope=\"row\">%" PRId64 "</th>", one.member);
        markup_cell(f, heads[1], "%.6g", one.t);
        markup_cell_text(f, heads[2], one.message);
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
    if (shown < failed)
        fprintf(f, "<p>And %" PRId64 " more: polhode info --json lists up to 1000.</p>\n", failed - shown);
    fputs("</details>\n", f);
}

static void put_varied(FILE *f, const ensemble *e)
{
    static const char *const heads[] = {"what varies", "unit", "values", "least", "largest"};
    if (!e->n_keys)
        return;
    markup_table(f, "What varies between the members", heads, 5);
    for (size_t k = 0; k < e->n_keys; k++) {
        const ensemble_column *c = &e->keys[k];
        char words[400] = "";
        markup_between(f, "<tr><th scope=\"row\">", c->name, "</th>");
        markup_cell_text(f, heads[1], c->unit);
        for (size_t i = 0; c->words && i < c->n && i < ENSEMBLE_CELLS; i++)
            text_add(words, sizeof words, "%s%.60s", i ? ", " : "", ensemble_word(e, c, c->values[i]));
        if (c->n > ENSEMBLE_VALUES)
            snprintf(words, sizeof words, "more than %d", ENSEMBLE_VALUES);
        else if (!c->words)
            snprintf(words, sizeof words, "%zu", c->n);
        markup_cell_text(f, heads[2], words);
        markup_cell(f, heads[3], "%.6g", c->words ? (double)NAN : c->least);
        markup_cell(f, heads[4], "%.6g", c->words ? (double)NAN : c->most);
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
    if (e->more_keys)
        fprintf(f, "<p>And %zu more.</p>\n", e->more_keys);
}

static ph_status put_statistics(FILE *f, const ensemble *e, ph_error *err)
{
    static const char *const heads[] = {"column", "unit", "members", "mean", "standard deviation",
                                        "least",  "5 %",  "median",  "95 %", "largest"};
    markup_table(f, "Last rows of the members that did not fail", heads, 10);
    for (size_t k = 0; k < e->n_columns; k++) {
        ensemble_spread s;
        const ph_status status = ensemble_spread_of(e, &e->columns[k], &s, err);
        if (status)
            return status;
        const double numbers[] = {s.mean,         s.deviation,    s.least, s.quantiles[1],
                                  s.quantiles[3], s.quantiles[5], s.most};
        markup_between(f, "<tr><th scope=\"row\">", e->columns[k].name, "</th>");
        markup_cell_text(f, heads[1], e->columns[k].unit);
        markup_cell(f, heads[2], "%.0f", (double)s.members);
        for (size_t i = 0; i < 7; i++)
            markup_cell(f, heads[3 + i], "%.6g", numbers[i]);
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
    if (e->more_columns)
        fprintf(
            f,
            "<p>%zu more columns differ between members; the statistics of all are in NAME.statistics.json.</p>\n",
            e->more_columns);
    return PH_OK;
}

static void put_run(FILE *f, const ensemble *e)
{
    static const char *const items[][2] = {{"Model", "model"},     {"Method", "method"},
                                           {"Options", "options"}, {"Begun", "created"},
                                           {"Version", "version"}, {"Build", "build"}};
    fputs("<dl>\n", f);
    page_item(f, "File", e->file);
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        page_item(f, items[i][0], info_meta(&e->info, items[i][1]));
    fputs("</dl>\n", f);
    if (info_meta(&e->info, "scenario"))
        page_scenario(f, info_meta(&e->info, "scenario"));
}

ph_status sweep_page(FILE *f, const ensemble *e, const ensemble_pictures *all, ph_error *err)
{
    const char *name = info_meta(&e->info, "name");
    char title[300];
    snprintf(title, sizeof title, "%.200s: a report", name ? name : e->file);
    page_begin(f, title);
    put_head(f, e);
    fputs("<main class=\"report\">\n<section id=\"verdict\" class=\"verdict\" aria-label=\"Members\">\n", f);
    put_verdict(f, e);
    put_failures(f, e);
    fputs("</section>\n<section id=\"figures\">\n<h2>Figures</h2>\n<div class=\"pictures\">\n", f);
    for (size_t i = 0; i < all->n; i++)
        if (!picture_is_empty(&all->at[i]->picture))
            figures_put(f, &all->at[i]->picture, all->at[i]->name, NULL);
    fputs("</div>\n</section>\n<section id=\"summary\">\n<h2>Statistics</h2>\n", f);
    const ph_status status = put_statistics(f, e, err);
    fputs("</section>\n<section id=\"runs\" class=\"runs\">\n<h2>What was run</h2>\n", f);
    put_varied(f, e);
    put_run(f, e);
    fputs("</section>\n</main>\n", f);
    page_end(f);
    return status;
}
