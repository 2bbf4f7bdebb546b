/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is ahead in words, tables and figures (report.h). */
#include "bench/report/file.h"
#include "bench/report/markup.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sentences ----------------------------------------------------------------------------------------------------- */

const char *ahead_standing_word(ahead_standing standing)
{
    static const char *const words[] = {"nobody", "ahead", "alone", "behind", "missing"};
    return words[standing];
}

/* "1e-03 ... 1e-06" */
static void put_range(FILE *out, const ahead *a, size_t k, size_t n)
{
    fprintf(out, "%.0e", a->levels[k].accuracy);
    if (n > 1)
        fprintf(out, " ... %.0e", a->levels[k + n - 1].accuracy);
}

/* "gauss, 0.044 ms" */
static void put_price(FILE *out, const ahead_price *price)
{
    fprintf(out, "%s, %.3g ms", price->label, 1e3 * price->seconds);
}

/* The level of these (n) at which the ratio is the most extreme: the least where others are ahead. */
static const ahead_level *extreme_of(const ahead *a, size_t k, size_t n, bool least)
{
    const ahead_level *at = &a->levels[k];
    for (size_t i = k + 1; i < k + n; i++)
        if (least ? a->levels[i].ratio < at->ratio : a->levels[i].ratio > at->ratio)
            at = &a->levels[i];
    return at;
}

/* The sentence for levels that stand alike. */
static void say_levels(FILE *out, const ahead *a, size_t k, size_t n)
{
    static const char *const begins[] = {"  No contender reaches ", "  Ahead at ", "  Ahead at ",
                                         "  Behind at ", "  Behind at "};
    const ahead_standing standing = a->levels[k].standing;
    const bool behind = standing == AHEAD_BEHIND;
    fputs(begins[standing], out);
    put_range(out, a, k, n);
    if (behind || standing == AHEAD_LEADS) {
        const ahead_level *most = extreme_of(a, k, n, behind), *least = extreme_of(a, k, n, !behind);
        const double low = behind ? 1 / least->ratio : least->ratio,
                     high = behind ? 1 / most->ratio : most->ratio;
        fprintf(out, n > 1 ? " by %.2g to %.2g (%.0e: " : " by %.2g (", low, n > 1 ? high : most->accuracy,
                most->accuracy);
        put_price(out, &most->ours);
        fputs("; ", out);
        put_price(out, &most->general);
        fputc(')', out);
    } else if (standing == AHEAD_ALONE) {
        fprintf(out, ": no code of general use reaches it (%.0e: ", a->levels[k].accuracy);
        put_price(out, &a->levels[k].ours);
        fputc(')', out);
    } else if (standing == AHEAD_MISSING) {
        fprintf(out, ": no structure-preserving method reaches it (%.0e: ", a->levels[k].accuracy);
        put_price(out, &a->levels[k].general);
        fputc(')', out);
    }
    fputs(".\n", out);
}

static void write_words(FILE *out, const void *self)
{
    const ahead *a = self;
    fprintf(out, "%s: %s; errors after %.6g s\n", a->name, a->words, a->time);
    for (size_t k = 0, n; k < AHEAD_LEVELS; k += n) {
        n = ahead_alike(a, k);
        say_levels(out, a, k, n);
    }
    fprintf(out, "  Truth: %s.\n", a->of->truth);
}

char *ahead_words(const ahead *a)
{
    return report_text(write_words, a);
}

static bool is_behind(ahead_standing standing)
{
    return standing == AHEAD_BEHIND || standing == AHEAD_MISSING;
}

static void write_summary(FILE *out, const void *self)
{
    const ahead_report *r = self;
    size_t said = 0, of_all = 0, leads = 0;
    for (size_t i = 0; i < r->run.made; i++) {
        const ahead *a = &r->systems[i];
        bool named = false;
        for (size_t k = 0, n; k < AHEAD_LEVELS; k += n) {
            const ahead_standing standing = a->levels[k].standing;
            n = ahead_alike(a, k);
            of_all += standing == AHEAD_NOBODY ? 0 : n;
            leads += standing == AHEAD_LEADS || standing == AHEAD_ALONE ? n : 0;
            if (!is_behind(standing))
                continue;
            fprintf(out, "%s%s at ", !said++ ? "Behind on: " : named ? "," : "; ", named ? "" : a->name);
            put_range(out, a, k, n);
            named = true;
            if (standing == AHEAD_BEHIND)
                fprintf(out, " by %s%.2g", n > 1 ? "up to " : "", 1 / extreme_of(a, k, n, true)->ratio);
            else
                fputs(", which no structure-preserving method reaches", out);
        }
    }
    fputs(said ? ".\n" : "Behind nowhere.\n", out);
    fprintf(out, "  Ahead at %zu of the %zu accuracies of systems that a contender reaches.\n", leads,
            of_all);
    for (size_t i = 0; i < r->n_missing; i++)
        fprintf(out, "%s%s", i ? ", " : "  Not in this build: ", r->missing[i]);
    fputs(r->n_missing ? ".\n" : "", out);
}

char *ahead_summary(const ahead_report *r)
{
    return report_text(write_summary, r);
}

/* ---- The terminal -------------------------------------------------------------------------------------------------- */

void ahead_cell(const ahead_level *level, char text[24])
{
    static const char *const words[] = {"-", "", "ours", "", "theirs"};
    if (isfinite(level->ratio))
        snprintf(text, 24, "%.2g", level->ratio);
    else
        snprintf(text, 24, "%s", words[level->standing]);
}

/* "gauss:order=12", its step or tolerance, its time in ms; or dashes. */
static void print_price(FILE *out, const ahead_price *price)
{
    if (price->label)
        fprintf(out, " %-26.26s %8.2g %9.3g", price->label, price->setting, 1e3 * price->seconds);
    else
        fprintf(out, " %-26s %8s %9s", "-", "-", "-");
}

void ahead_print(FILE *out, const ahead *a)
{
    fprintf(out, "%-8s %-26s %8s %9s %-26s %8s %9s %6s\n", "error", "structure-preserving", "h [s]",
            "CPU [ms]", "of general use", "h, rtol", "CPU [ms]", "ratio");
    for (size_t k = 0; k < AHEAD_LEVELS; k++) {
        char cell[24];
        ahead_cell(&a->levels[k], cell);
        fprintf(out, "%-8.0e", a->levels[k].accuracy);
        print_price(out, &a->levels[k].ours);
        print_price(out, &a->levels[k].general);
        fprintf(out, " %6s\n", cell);
    }
}

void ahead_print_matrix(FILE *out, const ahead_report *r)
{
    fprintf(out, "%-16s", "time ratio");
    for (size_t k = 0; k < AHEAD_LEVELS; k++)
        fprintf(out, " %6.0e", pow(10, -3 - (double)k));
    fputc('\n', out);
    for (size_t i = 0; i < r->run.made; i++) {
        fprintf(out, "%-16s", r->systems[i].name);
        for (size_t k = 0; k < AHEAD_LEVELS; k++) {
            char cell[24];
            ahead_cell(&r->systems[i].levels[k], cell);
            fprintf(out, " %6s", cell);
        }
        fputc('\n', out);
    }
}

/* ---- The page ------------------------------------------------------------------------------------------------------ */

static void put_matrix(FILE *f, const ahead_report *r)
{
    char texts[AHEAD_LEVELS][16];
    const char *heads[AHEAD_LEVELS + 1] = {"system"};
    for (size_t k = 0; k < AHEAD_LEVELS; k++) {
        snprintf(texts[k], sizeof texts[k], "%.0e", pow(10, -3 - (double)k));
        heads[k + 1] = texts[k];
    }
    markup_table(
        f,
        "Time of the fastest code of general use, relative to the fastest structure-preserving method; bold: below 1",
        heads, AHEAD_LEVELS + 1);
    for (size_t i = 0; i < r->run.made; i++) {
        markup_between(f, "<tr><th scope=\"row\">", r->systems[i].name, "</th>");
        for (size_t k = 0; k < AHEAD_LEVELS; k++) {
            const ahead_level *level = &r->systems[i].levels[k];
            char cell[24];
            ahead_cell(level, cell);
            if (isfinite(level->ratio))
                markup_cell_best(f, heads[k + 1], is_behind(level->standing), "%.2g", level->ratio);
            else
                markup_cell_text(f, heads[k + 1], cell);
        }
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
}

static void put_cells(FILE *f, const char *const heads[3], const ahead_price *price)
{
    markup_cell_text(f, heads[0], price->label ? price->label : EN_DASH);
    markup_cell(f, heads[1], "%.2g", price->setting);
    markup_cell(f, heads[2], "%.3g", 1e3 * price->seconds);
}

static void put_levels(FILE *f, const ahead *a)
{
    static const char *const heads[] = {"error",          "structure-preserving", "h [s]",        "CPU [ms]",
                                        "of general use", "h [s] or tolerance",   "its CPU [ms]", "ratio"};
    markup_table(f, "The fastest for each accuracy", heads, sizeof heads / sizeof heads[0]);
    for (size_t k = 0; k < AHEAD_LEVELS; k++) {
        const ahead_level *level = &a->levels[k];
        char text[24];
        snprintf(text, sizeof text, "%.0e", level->accuracy);
        markup_between(f, "<tr><th scope=\"row\">", text, "</th>");
        put_cells(f, heads + 1, &level->ours);
        put_cells(f, heads + 4, &level->general);
        ahead_cell(level, text);
        markup_cell_text(f, heads[7], text);
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
}

/* How many levels the line is the fastest of its side at. */
static size_t wins_of(const ahead *a, const ahead_line *l)
{
    size_t wins = 0;
    for (size_t k = 0; k < AHEAD_LEVELS; k++) {
        const ahead_price *best = l->ours ? &a->levels[k].ours : &a->levels[k].general;
        wins += best->label == l->label;
    }
    return wins;
}

/* shown (GRAPH_MOST) <- the lines with the most accuracies, in the order of the contenders; how many. */
static size_t choose_lines(const ahead *a, const ahead_line **shown)
{
    size_t n = 0;
    for (size_t wins = AHEAD_LEVELS + 1; wins-- > 0;)
        for (size_t i = 0; i < a->n && n < GRAPH_MOST; i++)
            if (a->lines[i].n && wins_of(a, &a->lines[i]) == wins)
                shown[n++] = &a->lines[i];
    return n;
}

/* Is no other point of the line cheaper and better? Others would only hide lines: at coarse steps solvers take long, at the finest
 * errors are rounding. */
static bool is_drawn(const ahead_line *l, const ahead_point *p)
{
    bool drawn = p->error < 0.1;
    for (size_t k = 0; k < l->n && drawn; k++)
        drawn = !(l->points[k].error < p->error && l->points[k].seconds < p->seconds);
    return drawn;
}

static ph_status put_figure(FILE *f, const ahead *a, ph_error *err)
{
    double x[GRAPH_MOST][AHEAD_POINTS], y[GRAPH_MOST][AHEAD_POINTS];
    graph_line lines[GRAPH_MOST];
    const ahead_line *shown[GRAPH_MOST];
    graph g = {.x_label = "CPU time [s]",
               .y_label = "error at the end",
               .lines = lines,
               .n = choose_lines(a, shown)};
    char caption[300];
    for (size_t i = 0; i < g.n; i++) {
        size_t n = 0;
        for (size_t k = 0; k < shown[i]->n; k++) {
            const ahead_point *p = &shown[i]->points[k];
            x[i][n] = p->seconds;
            y[i][n] = p->error;
            n += is_drawn(shown[i], p);
        }
        lines[i] = (graph_line){.title = shown[i]->label, .look = i, .x = x[i], .y = y[i], .n = n};
    }
    snprintf(caption, sizeof caption, "%s: error after %.6g s against the CPU time of the run.", a->words,
             a->time);
    fputs("<div class=\"figures\">\n", f);
    const ph_status status = page_graph(f, &g, caption, caption, err);
    fputs("</div>\n", f);
    return status;
}

ph_status ahead_page(FILE *f, const void *report, ph_error *err)
{
    const ahead_report *r = report;
    ph_status status = page_words(f, ahead_summary(r), err);
    put_matrix(f, r);
    for (size_t i = 0; i < r->run.made && !status; i++) {
        const ahead *a = &r->systems[i];
        fputs("<section>\n", f);
        markup_between(f, "<h2>", a->name, "</h2>\n");
        status = page_words(f, ahead_words(a), err);
        if (!status)
            status = put_figure(f, a, err);
        put_levels(f, a);
        fputs("</section>\n", f);
    }
    return status;
}
