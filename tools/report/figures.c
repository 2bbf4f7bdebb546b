/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of `polhode plot` (tools/plot/figures.h) in a page, with their words and the numbers behind them, and the polhode of a
 * rigid body. */
#include "figures.h"
#include "figures/embed.h"

#include "bench/report/markup.h"
#include "figures/polhode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The numbers behind a picture ------------------------------------------------------------------------ */

enum {
    ROWS_SHOWN = 24,
    PAGE_ROWS = 6000
}; /* in a table; of the curves of a figure, for a page that can be sent */

/* "t[s]" as "t [s]". */
static void name_column(char head[TABLE_NAME + 2], const char *name)
{
    const char *unit = strchr(name, '[');
    snprintf(head, TABLE_NAME + 2, "%.*s%s%s", (int)(unit ? unit - name : (long)strlen(name)), name,
             unit ? " " : "", unit ? unit : "");
}

/* at (ROWS_SHOWN) <- rows of the table at equal distances, the first and the last of those that have numbers among them; how many. */
static size_t choose_rows(const table *t, size_t *at, size_t *of)
{
    size_t shown = 0, met = 0;
    *of = 0;
    for (size_t i = 0; i < t->rows; i++)
        *of += isfinite(t->values[i * t->columns]) != 0;
    const size_t most = *of < ROWS_SHOWN ? *of : ROWS_SHOWN;
    for (size_t i = 0; i < t->rows && shown < most; i++)
        if (isfinite(t->values[i * t->columns]) && met++ == (most > 1 ? shown * (*of - 1) / (most - 1) : 0))
            at[shown++] = i;
    return shown;
}

static void put_table(FILE *f, const table *t, const char *label)
{
    char heads[TABLE_COLUMNS][TABLE_NAME + 2], caption[RUN_LABEL + 80];
    const char *names[TABLE_COLUMNS];
    size_t at[ROWS_SHOWN], of;
    const size_t n = choose_rows(t, at, &of);
    for (size_t k = 0; k < t->columns; k++) {
        name_column(heads[k], t->names[k]);
        names[k] = heads[k];
    }
    snprintf(caption, sizeof caption, "%s: %zu of %zu rows", label, n, of);
    markup_table(f, n < of ? caption : label, names, t->columns);
    for (size_t i = 0; i < n; i++) {
        const double *row = t->values + at[i] * t->columns;
        fprintf(f, "<tr><th scope=\"row\">%.6g</th>", row[0]);
        for (size_t k = 1; k < t->columns; k++)
            markup_cell(f, names[k], "%.6g", row[k]);
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
}

static void put_tables(FILE *f, const picture *p, const archived *runs,
                       const char *title) /* runs: nullable */
{
    markup_between(f, "<details class=\"fold numbers\"><summary>Numbers: ", title, "</summary>\n");
    for (size_t i = 0; i < p->n_runs; i++)
        for (int k = 0; k < 2; k++) {
            const table *t = k ? &p->others[i] : &p->tables[i];
            if (t->rows)
                put_table(f, t, runs ? runs[i].label : title);
        }
    fputs("</details>\n", f);
}

/* ---- Pictures ---------------------------------------------------------------------------------------------- */

/* What was left out, and why. */
typedef struct missing {
    char at[FIGURES_MOST][400];
    size_t n;
} missing;

static void note_missing(missing *m, const char *name, const char *why)
{
    snprintf(m->at[m->n++], sizeof *m->at, "%.60s: %.300s", name, why);
}

static void put_missing(FILE *f, const missing *m)
{
    if (!m->n)
        return;
    fprintf(f, "<details class=\"fold\"><summary>Figures without data: %zu</summary>\n<ul>\n", m->n);
    for (size_t i = 0; i < m->n; i++)
        markup_between(f, "<li>", m->at[i], "</li>\n");
    fputs("</ul></details>\n", f);
}

static void begin_picture(FILE *f, const char *title, bool wide)
{
    fprintf(f, "<div class=\"picture%s\">\n", wide ? " wide" : "");
    markup_between(f, "<h3>", title, "</h3>\n<div class=\"panels\">\n");
}

/* "energy" as "Energy". */
static void make_title(char title[40], const char *name)
{
    snprintf(title, 40, "%.39s", name);
    if (*title >= 'a' && *title <= 'z')
        *title = (char)(*title - 'a' + 'A');
}

void figures_put(FILE *f, const picture *p, const char *name, const archived *runs)
{
    char title[40];
    make_title(title, name);
    begin_picture(f, title, p->n > 1);
    embed_picture(f, p, p->words, NULL);
    markup_between(f, "</div>\n<p class=\"words\">", p->words, "</p>\n");
    put_tables(f, p, runs, title);
    fputs("</div>\n", f);
}

static ph_status put_figure(FILE *f, making *m, missing *left, ph_error *err)
{
    const char *name = m->which->name;
    const ph_status status = making_finish(m);
    if (status == PH_E_INTERRUPTED || status == PH_E_NO_MEMORY)
        return ph_fail(err, status, "%s", m->err.message);
    if (!status && !picture_is_empty(&m->picture))
        figures_put(f, &m->picture, name, m->in->runs);
    else
        note_missing(left, name, status ? m->err.message : making_why_empty(m));
    return PH_OK;
}

/* Is it drawn without a wish? Tensions are where the archives have them: to compute them takes a solution for each row. */
static bool is_shown(const figure *which, const archived *runs, size_t n)
{
    if (which->steps != &steps_tension)
        return !which->on_request;
    for (size_t i = 0; i < n; i++) {
        bool has = false;
        for (size_t k = 0; k < runs[i].n && !has; k++)
            has = !strncmp(ph_record_column(runs[i].info.record, k), "tension", 7);
        if (!has)
            return false;
    }
    return true;
}

/* ---- The polhode of a rigid body --------------------------------------------------------------------------- */

static void put_polhode(FILE *f, const archived *runs, size_t n)
{
    static const char words[] =
        "The angular momentum of the body, seen from the body, on the ellipsoid of its energy at the start (at most the first 2000 rows).";
    polhode_line at[RUNS_MOST];
    size_t count = 0;
    const archived *first = NULL;
    for (size_t i = 0; i < n; i++)
        if (runs[i].n_momenta) {
            first = first ? first : &runs[i];
            at[count++] = (polhode_line){runs[i].label, runs[i].colour, runs[i].momenta, runs[i].n_momenta};
        }
    if (!first || !(fabs(first->momenta[0]) + fabs(first->momenta[1]) + fabs(first->momenta[2]) > 0))
        return;
    polhode p = {.start = first->momenta, .lines = at, .n = count};
    memcpy(p.J, ph_system_bodies(archived_system(first))->J, sizeof p.J);
    begin_picture(f, "Polhode", false);
    fputs("<figure class=\"plot white\">", f);
    polhode_draw(f, &p, words);
    polhode_data(f, &p, NULL);
    fprintf(f, "</figure>\n</div>\n<p class=\"words\">%s The figure Phase has its numbers.</p>\n</div>\n",
            words);
}

/* ---- All ------------------------------------------------------------------------------------------------- */

ph_status figures_sweep(run_figures *p, archived *runs, size_t n, bool quiet, ph_error *err)
{
    *p = (run_figures){.input = {.runs = runs, .n = n, .span = {-INFINITY, INFINITY}, .rows = PAGE_ROWS}};
    for (size_t i = 0; figure_at(i); i++) {
        if (!is_shown(figure_at(i), runs, n))
            continue;
        p->at[p->n] = making_begin(figure_at(i), &p->input);
        if (!p->at[p->n])
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        p->n++;
    }
    return makings_sweep(p->at, p->n, runs, &p->input, quiet, err);
}

ph_status figures_write(FILE *f, run_figures *p, ph_error *err)
{
    missing left = {0};
    ph_status status = PH_OK;
    fputs("<div class=\"pictures\">\n", f);
    put_polhode(f, p->input.runs, p->input.n);
    for (size_t i = 0; i < p->n && !status; i++) {
        status = put_figure(f, p->at[i], &left, err);
        making_free(p->at[i]);
        p->at[i] = NULL;
    }
    fputs("</div>\n", f);
    put_missing(f, &left);
    return status;
}

void figures_free(run_figures *p)
{
    for (size_t i = 0; i < p->n; i++)
        making_free(p->at[i]);
    p->n = 0;
}
