/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of a page, sentences as lists, and embedded pictures. */
#include "page.h"
#include "figures/embed.h"
#include "file.h"
#include "markup.h"
#include "style.h"
#include "viewer/figures.h"

#include <stdlib.h>
#include <string.h>

/* ---- Words --------------------------------------------------------------------------------------- */

static void put_line(FILE *f, const char *line, size_t n, const char *tag)
{
    fprintf(f, "<%s>", tag);
    markup_part(f, line, n);
    fprintf(f, "</%s>\n", tag);
}

static void put_words(FILE *f, const char *words)
{
    int in_list = 0;
    size_t headings = 0;
    fputs("<h3>In words</h3>\n", f);
    if (!*words)
        fputs("<p>There are no findings.</p>\n", f);
    for (size_t n; *words; words += n + (words[n] == '\n')) {
        int sentence = !strncmp(words, "  ", 2);
        n = strcspn(words, "\n");
        if (!n)
            continue;
        if (sentence != in_list)
            fputs(sentence ? "<ul>\n" : "</ul>\n", f);
        in_list = sentence;
        if (!sentence && ++headings == 2)
            fputs("<details class=\"words\"><summary>All findings</summary>\n", f);
        put_line(f, words + (sentence ? 2 : 0), n - (sentence ? 2 : 0), sentence ? "li" : "h4");
    }
    fputs(in_list ? "</ul>\n" : "", f);
    fputs(headings > 1 ? "</details>\n" : "", f);
}

ph_status page_words(FILE *f, char *words, ph_error *err)
{
    if (!words)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    put_words(f, words);
    free(words);
    return PH_OK;
}

/* ---- Figures --------------------------------------------------------------------------------------- */

void page_no_picture(FILE *f, const char *why, const char *caption)
{
    markup_between(f, "<figure><p class=\"notice\">", why, "</p>\n");
    markup_between(f, "<figcaption>", caption, "</figcaption></figure>\n");
}

enum { MARKS_MOST = 60 }; /* of a line with more points marks would cover each other */

/* Of more lines than there are colours the further ones are broken. */
static ph_status make_picture(picture *p, const graph *g, ph_error *err)
{
    panel *at = p->panels;
    ph_status status = PH_OK;
    p->n = 1;
    at->log_x = at->log_y = true;
    snprintf(at->x_label, sizeof at->x_label, "%s", g->x_label);
    snprintf(at->y_label, sizeof at->y_label, "%s", g->y_label);
    for (size_t i = 0; i < g->n && !status; i++) {
        const graph_line *l = &g->lines[i];
        if (!l->guide)
            picture_label(p, l->look, "%s", l->title);
        status = picture_add(p, 0,
                             (drawn){.look = l->guide            ? LOOK_GUIDE
                                             : l->n > MARKS_MOST ? LOOK_LINE
                                                                 : LOOK_MARKED,
                                     .run = l->look,
                                     .dashes = l->guide ? 0 : l->look / RUNS_MOST},
                             l->x, l->y, l->n, err);
    }
    p->n_runs = p->n_labels;
    return status;
}

picture *graph_picture(const graph *g, ph_error *err)
{
    picture *p = calloc(1, sizeof *p);
    if (!p)
        ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    else if (make_picture(p, g, err)) {
        graph_free(p);
        p = NULL;
    }
    return p;
}

void graph_free(picture *p)
{
    if (p)
        picture_free(p);
    free(p);
}

ph_status page_graph(FILE *f, const graph *g, const char *words, const char *caption, ph_error *err)
{
    picture *p = graph_picture(g, err);
    const ph_status status = p ? PH_OK : PH_E_NO_MEMORY;
    if (!status && picture_is_empty(p))
        page_no_picture(f, "Nothing to draw: no measured value fits on logarithmic axes.", caption);
    else if (!status)
        embed_picture(f, p, words, caption);
    graph_free(p);
    return status;
}

ph_status page_figures(FILE *f, size_t n,
                       ph_status (*put)(FILE *f, size_t which, const void *self, ph_error *err),
                       const void *self, ph_error *err)
{
    ph_status status = PH_OK;
    fputs("<div class=\"figures\">\n", f);
    for (size_t i = 0; i < n && !status; i++)
        status = put(f, i, self, err);
    fputs("</div>\n", f);
    return status;
}

/* ---- Frame ----------------------------------------------------------------------------------------- */

static void put_surroundings(FILE *f, const surroundings *s)
{
    markup_between(f, "<dl>\n<dt>Date</dt><dd>", s->date, "</dd>\n");
    markup_between(f, "<dt>Machine</dt><dd>", s->machine, "</dd>\n");
    markup_between(f, "<dt>Software</dt><dd>", s->software, "</dd>\n");
    fputs("<dt>It took</dt><dd>", f);
    markup_number(f, s->seconds < 120 ? "%.0f s" : "%.0f min",
                  s->seconds < 120 ? s->seconds : s->seconds / 60);
    fputs("</dd>\n</dl>\n", f);
}

void page_begin(FILE *f, const char *title)
{
    fputs(
        "<!DOCTYPE html>\n"
        "<html lang=\"en\">\n"
        "<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data:\">\n"
        "<title>",
        f);
    markup_between(f, "", title, "</title>\n<style>\n");
    fputs(style, f);
    fputs("</style>\n</head>\n<body>\n", f);
}

void page_end(FILE *f)
{
    fputs("<script>\n", f); /* which makes figures of their data (figures/data.h) interactive */
    fwrite(viewer_figures, 1, viewer_figures_size, f);
    fputs("</script>\n</body>\n</html>\n", f);
}

/* From the doctype to the beginning of <main>. Returns whether what follows is inside of details. */
static int put_top(FILE *f, const page_frame *frame, const void *self, int interrupted, const surroundings *s)
{
    page_begin(f, frame->title);
    fputs("<header>\n", f);
    const int folded = frame->front && frame->front(f, self);
    if (!folded)
        markup_between(f, "<h1>", frame->title, "</h1>\n");
    if (interrupted && frame->what)
        fprintf(f,
                "<p class=\"notice\" role=\"note\"><strong>Interrupted.</strong> The %s was stopped before "
                "its end; "
                "this page shows the results until then.</p>\n",
                frame->what);
    if (!folded)
        put_surroundings(f, s);
    fputs("</header>\n<main>\n", f);
    if (folded) {
        fputs("<details class=\"all\"><summary>Details</summary>\n", f);
        put_surroundings(f, s);
    }
    return folded;
}

ph_status page_write(const page_frame *frame, const void *self, int interrupted, const surroundings *where,
                     const char *directory, ph_error *err)
{
    char part[4200];
    FILE *f = report_open(directory, "report.html", part, err);
    if (!f)
        return PH_E_IO;
    const int folded = put_top(f, frame, self, interrupted, where);
    if (frame->before)
        frame->before(f, self);
    fprintf(f, "<h2>How to read it</h2>\n<ul>\n%s</ul>\n", frame->how_to_read);
    ph_status status = frame->body(f, self, err);
    fputs(folded ? "</details>\n</main>\n" : "</main>\n", f);
    page_end(f);
    if (!status)
        return report_close(f, part, err);
    fclose(f);
    remove(part);
    return status;
}
