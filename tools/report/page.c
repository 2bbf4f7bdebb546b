/* SPDX-License-Identifier: BSD-3-Clause */
/* One page: the verdict first, figures, then what was run, the end of each run, its summary, events and columns. */
#include "page.h"
#include "figures.h"
#include "verdict.h"

#include "bench/report/markup.h"
#include "bench/report/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_SHOWN = 200, COLUMNS_SHOWN = 400 };

/* ---- Notices: what is not as of a run that has ended ------------------------------------------------------ */

static void put_notice(FILE *f, const archived *a, const char *words)
{
    markup_between(f, "<p class=\"notice\" role=\"note\"><strong>", a->label, "</strong> ");
    markup_between(f, "(", a->file, "): ");
    markup_between(f, "", words, "</p>\n");
}

static void put_notices(FILE *f, const archived *a)
{
    char text[600];
    const char *status = info_meta(&a->info, "status"), *message = info_meta(&a->info, "message");
    if (a->info.writing)
        put_notice(f, a, "the run is still being computed; this is what it has so far.");
    else if (!status)
        put_notice(
            f, a,
            "the run has not ended and no process writes it: it was killed, or the file is cut off; this page shows what exists.");
    else if (strcmp(status, "ok")) {
        snprintf(text, sizeof text, "the run ended early (%.60s)%s%.400s", status, message ? ": " : ".",
                 message ? message : "");
        put_notice(f, a, text);
    }
    if (a->info.unsound)
        put_notice(f, a, info_unsound(&a->info));
    archived_damage(a, text, sizeof text);
    if (*text)
        put_notice(f, a, text);
    if ((a->known[ENERGY] && isnan(a->scale[ENERGY])) || (a->known[MOMENTUM] && isnan(a->scale[MOMENTUM]))) {
        snprintf(
            text, sizeof text,
            "the scales of its errors are not known, so that errors are absolute and not relative%s%.400s",
            *a->info.why ? ": " : ".", a->info.why);
        put_notice(f, a, text);
    }
    if (*a->thinned) {
        snprintf(text, sizeof text, "a copy with %s; all that is said and drawn of it is of these.",
                 a->thinned);
        put_notice(f, a, text);
    }
    if (*a->info.unread) {
        snprintf(text, sizeof text, "its scenario cannot be read, so there is less to see: %.400s",
                 a->info.unread);
        put_notice(f, a, text);
    }
}

/* ---- What was run ----------------------------------------------------------------------------------------- */

void page_item(FILE *f, const char *term, const char *text)
{
    if (!text || !*text)
        return;
    markup_between(f, "<dt>", term, "</dt>");
    markup_between(f, "<dd>", text, "</dd>\n");
}

/* n bytes, escaped, between tags. */
static void put_part(FILE *f, const char *before, const char *text, size_t n, const char *after)
{
    fputs(before, f);
    markup_part(f, text, n);
    fputs(after, f);
}

/* Where a comment begins: a # at the beginning or behind a blank, not in quotes. */
static size_t comment_at(const char *line, size_t n)
{
    char quote = 0;
    for (size_t i = 0; i < n; i++) {
        if (quote)
            quote = line[i] == quote ? 0 : quote;
        else if (line[i] == '"' || line[i] == '\'')
            quote = line[i];
        else if (line[i] == '#' && (!i || line[i - 1] == ' ' || line[i - 1] == '\t'))
            return i;
    }
    return n;
}

/* A line of a scenario: its key bold, its comment soft. */
static void put_scenario_line(FILE *f, const char *line, size_t n)
{
    const size_t comment = comment_at(line, n);
    size_t key = 0;
    while (key < comment && line[key] != ':' && line[key] != '{' && line[key] != '"')
        key++;
    key = key < comment && line[key] == ':' ? key : 0;
    put_part(f, "<b>", line, key, "</b>");
    put_part(f, "", line + key, comment - key, "");
    if (comment < n)
        put_part(f, "<span class=\"soft\">", line + comment, n - comment, "</span>");
    fputc('\n', f);
}

void page_scenario(FILE *f, const char *text)
{
    fputs("<details class=\"fold\"><summary>Scenario</summary>\n<pre>", f);
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        put_scenario_line(f, text, n);
    }
    fputs("</pre></details>\n", f);
}

static void say_end(const archived *a, char text[400])
{
    const char *status = info_meta(&a->info, "status"), *reason = info_meta(&a->info, "reason");
    const char *by = info_meta(&a->info, "ended_by");
    if (a->info.writing)
        snprintf(text, 400, "still being computed: %.4g %% done", 100 * info_share(&a->info));
    else if (!status)
        snprintf(text, 400, "not: it was killed, or the file is cut off");
    else
        snprintf(text, 400, "%.60s%s%.100s%s%.100s", status, reason ? ", " : "", reason ? reason : "",
                 by ? " " : "", by ? by : "");
}

static void put_run(FILE *f, const archived *a, size_t number)
{
    char text[400];
    fprintf(f, "<section id=\"run-%zu\" class=\"runs\">\n<h3><span class=\"swatch\" style=\"--c:%s\"></span>",
            number, a->colour);
    markup_between(f, "", a->label, "</h3>\n<dl>\n");
    page_item(f, "File", a->file);
    page_item(f, "Scenario", info_meta(&a->info, "name"));
    page_item(f, "Model", info_meta(&a->info, "model"));
    page_item(f, "Method", info_meta(&a->info, "method"));
    page_item(f, "Order", info_meta(&a->info, "order"));
    page_item(f, "Options", info_meta(&a->info, "options"));
    if (a->info.planned >= 0 && isfinite(a->info.h)) {
        snprintf(text, sizeof text, "%" PRId64 " step%s of %.10g s from t = %.10g s; %" PRId64 " %s taken",
                 a->info.planned, a->info.planned == 1 ? "" : "s", a->info.h, a->info.t0, archived_steps(a),
                 archived_steps(a) == 1 ? "was" : "were");
        page_item(f, "Steps", text);
    }
    if (a->info.committed) {
        snprintf(text, sizeof text, "%.6g s of CPU time, %" PRId64 " iteration%s",
                 a->info.commit.account.cpu_seconds, a->info.commit.account.newton_passes,
                 a->info.commit.account.newton_passes == 1 ? "" : "s");
        page_item(f, "Work", text);
    }
    say_end(a, text);
    page_item(f, "Ended", text);
    page_item(f, "Begun", info_meta(&a->info, "created"));
    page_item(f, "Version", info_meta(&a->info, "version"));
    page_item(f, "Build", info_meta(&a->info, "build"));
    fputs("</dl>\n", f);
    if (info_meta(&a->info, "scenario"))
        page_scenario(f, info_meta(&a->info, "scenario"));
}

/* ---- Tables ------------------------------------------------------------------------------------------------ */

/* The work of each run, in the last row of the table. */
static void put_work(FILE *f, const archived *runs, size_t n, const char *const *heads)
{
    fputs("<tr><th scope=\"row\">CPU time</th>", f);
    for (size_t i = 0; i < n; i++) {
        markup_between(f, "<td data-label=\"", heads[i + 1], "\">");
        markup_number(f, "%.3g",
                      runs[i].info.committed ? runs[i].info.commit.account.cpu_seconds : (double)NAN);
        fprintf(f, "%s<small>%" PRId64 " steps</small></td>", runs[i].info.committed ? " s" : "",
                archived_steps(&runs[i]));
    }
    fputs("</tr>\n", f);
}

static void put_summary(FILE *f, const archived *runs, size_t n)
{
    const char *heads[RUNS_MOST + 1] = {"of the rows"};
    for (size_t i = 0; i < n; i++)
        heads[i + 1] = runs[i].label;
    markup_table(f, "Largest errors, and work", heads, n + 1);
    for (size_t k = 0; k < QUANTITIES; k++) {
        bool any = false;
        for (size_t i = 0; i < n; i++)
            any = any || runs[i].known[k];
        if (!any)
            continue;
        fprintf(f, "<tr><th scope=\"row\">%s%s</th>", runs->relative[k] ? "relative " : "",
                quantity_name(runs, (quantity)k));
        for (size_t i = 0; i < n; i++) {
            char words[TREND_WORDS];
            trend_words(words, trend_in(&runs[i], (quantity)k));
            markup_between(f, "<td data-label=\"", heads[i + 1], "\">");
            markup_error(f, runs[i].largest[k]);
            markup_between(f, *runs[i].unit[k] && runs[i].known[k] ? " " : "",
                           runs[i].known[k] ? runs[i].unit[k] : "", "");
            markup_between(f, runs[i].known[k] ? "<small>" : "<small hidden>", words, "</small></td>");
        }
        fputs("</tr>\n", f);
    }
    put_work(f, runs, n, heads);
    markup_table_end(f);
}

/* A cell with all digits. */
static void put_exact(FILE *f, const char *head, double value)
{
    markup_cell(f, head, "%.17g", value);
}

static void put_columns(FILE *f, const archived *a)
{
    static const char *const heads[] = {"column", "unit", "first", "last", "least", "largest"};
    const size_t shown = a->n < COLUMNS_SHOWN ? a->n : COLUMNS_SHOWN;
    if (!a->rows)
        return;
    fprintf(f, "<details class=\"fold\"><summary>Columns: %zu, in %" PRId64 " row%s</summary>\n", a->n,
            a->rows, a->rows == 1 ? "" : "s");
    markup_table(f, "First and last row, least and largest value", heads, 6);
    for (size_t i = 0; i < shown; i++) {
        const column_span *s = &a->span[i];
        markup_between(f, "<tr><th scope=\"row\">", ph_record_column(a->info.record, i), "</th>");
        markup_cell_text(f, heads[1], ph_record_unit(a->info.record, i));
        put_exact(f, heads[2], s->first);
        put_exact(f, heads[3], s->last);
        put_exact(f, heads[4], s->least);
        put_exact(f, heads[5], s->most);
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
    if (shown < a->n)
        fprintf(f, "<p>And %zu more: polhode export writes them all.</p>\n", a->n - shown);
    fputs("</details>\n", f);
}

static void put_events(FILE *f, archived *a)
{
    static const char *const heads[] = {"event", "t [s]", "step", "direction"};
    const int64_t all = ph_record_events(a->info.record);
    int64_t shown = 0;
    ph_recorded_event event;
    ph_error err;
    if (!all)
        return;
    fprintf(f, "<details class=\"fold\"><summary>Events: %" PRId64 "</summary>\n", all);
    markup_table(f, "Events in the order of time", heads, 4);
    for (int64_t k = INT64_MIN; shown < EVENTS_SHOWN && ph_record_next_event(a->info.record, k, &k);) {
        if (ph_record_event(a->info.record, k, &event, &err))
            continue;
        markup_between(f, "<tr><th scope=\"row\">", event.name, "</th>");
        put_exact(f, heads[1], event.t);
        fprintf(f, "<td data-label=\"step\">%" PRId64 "</td>", event.step);
        markup_cell_text(f, heads[3], event.direction > 0 ? "rises" : "falls");
        fputs("</tr>\n", f);
        shown++;
    }
    markup_table_end(f);
    if (shown < all)
        fprintf(f, "<p>And %" PRId64 " more: polhode export --events writes them all.</p>\n", all - shown);
    fputs("</details>\n", f);
}

/* ---- The page ------------------------------------------------------------------------------------------------ */

static void put_head(FILE *f, const archived *runs, size_t n)
{
    const char *name = info_meta(&runs->info, "name"), *model = info_meta(&runs->info, "model");
    markup_between(f, "<header>\n<p class=\"eyebrow\">", model ? model : "a run of another program",
                   "</p>\n");
    markup_between(f, "<h1>", name ? name : runs->file, "</h1>\n");
    markup_between(f, "<p class=\"subline\">", runs->label, "");
    for (size_t i = 1; i < n; i++)
        markup_between(f, "; ", runs[i].label, "");
    fputs(
        "</p>\n<nav aria-label=\"Sections\"><ul><li><a href=\"#verdict\">Verdict</a></li><li><a href=\"#figures\">Figures</a></li>"
        "<li><a href=\"#summary\">Summary</a></li><li><a href=\"#runs\">What was run</a></li></ul></nav>\n",
        f);
    for (size_t i = 0; i < n; i++)
        put_notices(f, &runs[i]);
    fputs("</header>\n", f);
}

static ph_status put_page(FILE *f, archived *runs, size_t n, run_figures *figures, ph_error *err)
{
    char title[300];
    const char *name = info_meta(&runs->info, "name");
    snprintf(title, sizeof title, "%.200s: a report", name ? name : runs->file);
    page_begin(f, title);
    put_head(f, runs, n);
    fputs("<main class=\"report\">\n<section id=\"verdict\" class=\"verdict\" aria-label=\"Verdict\">\n", f);
    verdict_write(f, runs, n);
    fputs("</section>\n<section id=\"figures\">\n<h2>Figures</h2>\n", f);
    ph_status status = figures_write(f, figures, err);
    fputs("</section>\n<section id=\"summary\">\n<h2>Summary</h2>\n", f);
    put_summary(f, runs, n);
    fputs("</section>\n<section id=\"runs\">\n<h2>What was run</h2>\n", f);
    for (size_t i = 0; i < n; i++) {
        put_run(f, &runs[i], i + 1);
        put_events(f, &runs[i]);
        put_columns(f, &runs[i]);
        fputs("</section>\n", f);
    }
    fputs("</section>\n</main>\n", f);
    page_end(f);
    return status;
}

ph_status archived_page(FILE *f, archived *runs, size_t n, bool quiet, ph_error *err)
{
    run_figures figures;
    ph_status status = figures_sweep(&figures, runs, n, quiet, err);
    if (!status) {
        archived_compare(runs, n);
        status = put_page(f, runs, n, &figures, err);
    }
    figures_free(&figures);
    return status;
}
