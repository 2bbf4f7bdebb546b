/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of a page, sentences as lists, and embedded pictures. */
#include "page.h"
#include "file.h"
#include "markup.h"
#include "style.h"
#include "viewer/figures.h"

#include <stdlib.h>
#include <string.h>

/* ---- Words --------------------------------------------------------------------------------------- */

static void put_line(FILE *f, const char *line, size_t n, const char *tag)
{
    char *text = strndup(line, n);
    fprintf(f, "<%s>", tag);
    markup_text(f, text ? text : "");
    fprintf(f, "</%s>\n", tag);
    free(text);
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

/* The number after ` name="` in the head of an SVG. */
static unsigned long svg_size(const char *svg, const char *name)
{
    const char *place = strstr(svg, name);
    return place ? strtoul(place + strlen(name), NULL, 10) : 0;
}

static void put_picture(FILE *f, const drawing *d, const char *words, const char *caption)
{
    fprintf(f, "<figure%s><img width=\"%lu\" height=\"%lu\" alt=\"", d->data ? " class=\"plot\"" : "",
            svg_size(d->svg, "width=\""), svg_size(d->svg, "height=\""));
    markup_text(f, words);
    fputs("\" src=\"data:image/svg+xml;base64,", f);
    markup_base64(f, d->svg, d->length);
    fputs("\">\n", f);
    if (d->data)
        d->data(f, d->self);
    markup_between(f, "<figcaption>", caption, "</figcaption></figure>\n");
}

void page_no_picture(FILE *f, const char *why, const char *caption)
{
    markup_between(f, "<figure><p class=\"notice\">", why, "</p>\n");
    markup_between(f, "<figcaption>", caption, "</figcaption></figure>\n");
}

ph_status page_drawing(FILE *f, drawing *d, const char *words, const char *caption, report_figures *figures,
                       ph_error *err)
{
    if (d->status == PH_E_NO_MEMORY)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (d->status) {
        *figures = d->missing ? FIGURES_NO_GNUPLOT : FIGURES_FAILED;
        page_no_picture(f, d->missing ? "There is no figure: gnuplot was not found." : d->error.message,
                        caption);
    } else {
        put_picture(f, d, words, caption);
    }
    free(d->svg);
    return PH_OK;
}

static void put_graph_data(FILE *f, const void *self)
{
    graph_data(f, self);
}

ph_status page_graph(FILE *f, const graph *p, const char *words, const char *caption, report_figures *figures,
                     ph_error *err)
{
    drawing d = {.status = PH_OK, .data = put_graph_data, .self = p};
    if (!graph_points(p)) {
        page_no_picture(f, "Nothing to draw: no measured value fits on logarithmic axes.", caption);
        return PH_OK;
    }
    d.status = graph_draw(p, &d.svg, &d.length, &d.missing, &d.error);
    return page_drawing(f, &d, words, caption, figures, err);
}

ph_status page_figures(FILE *f, size_t n,
                       ph_status (*put)(FILE *f, size_t which, const void *self, report_figures *figures,
                                        ph_error *err),
                       const void *self, report_figures *figures, ph_error *err)
{
    ph_status status = PH_OK;
    fputs("<div class=\"figures\">\n", f);
    for (size_t i = 0; i < n && !status; i++)
        status = put(f, i, self, figures, err);
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
                     const char *directory, report_figures *figures, ph_error *err)
{
    char part[4200];
    FILE *f = report_open(directory, "report.html", part, err);
    *figures = FIGURES_DRAWN;
    if (!f)
        return PH_E_IO;
    const int folded = put_top(f, frame, self, interrupted, where);
    if (frame->before)
        frame->before(f, self);
    fprintf(f, "<h2>How to read it</h2>\n<ul>\n%s</ul>\n", frame->how_to_read);
    ph_status status = frame->body(f, self, figures, err);
    fputs(folded ? "</details>\n</main>\n" : "</main>\n", f);
    page_end(f);
    if (!status)
        return report_close(f, part, err);
    fclose(f);
    remove(part);
    return status;
}
