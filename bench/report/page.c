/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of a page, words as lists, and pictures that lie in the page itself. */
#include "page.h"
#include "markup.h"
#include "style.h"

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

void page_words(FILE *f, const char *words)
{
    int in_list = 0;
    size_t headings = 0;
    fputs("<h3>In words</h3>\n", f);
    if (!words || !*words)
        fputs("<p>There is nothing to say.</p>\n", f);
    for (size_t n; words && *words; words += n + (words[n] == '\n')) {
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

/* ---- Figures --------------------------------------------------------------------------------------- */

/* The number behind ` name="` in the head of an SVG. */
static unsigned long svg_size(const char *svg, const char *name)
{
    const char *place = strstr(svg, name);
    return place ? strtoul(place + strlen(name), NULL, 10) : 0;
}

void page_picture(FILE *f, const char *svg, size_t length, const char *words, const char *caption)
{
    fprintf(f, "<figure><img width=\"%lu\" height=\"%lu\" alt=\"", svg_size(svg, "width=\""),
            svg_size(svg, "height=\""));
    markup_text(f, words);
    fputs("\" src=\"data:image/svg+xml;base64,", f);
    markup_base64(f, svg, length);
    markup_between(f, "\">\n<figcaption>", caption, "</figcaption></figure>\n");
}

void page_no_picture(FILE *f, const char *why, const char *caption)
{
    markup_between(f, "<figure><p class=\"notice\">", why, "</p>\n");
    markup_between(f, "<figcaption>", caption, "</figcaption></figure>\n");
}

ph_status page_graph(FILE *f, const graph *p, const char *words, const char *caption, report_figures *figures,
                     ph_error *err)
{
    char *svg = NULL;
    size_t length = 0;
    int missing = 0;
    ph_error what = {PH_OK, ""};
    if (!graph_points(p)) {
        page_no_picture(f, "Nothing to draw: nothing was measured that has a place on logarithmic axes.",
                        caption);
        return PH_OK;
    }
    ph_status status = graph_draw(p, &svg, &length, &missing, &what);
    if (status == PH_E_NO_MEMORY)
        return ph_fail(err, status, "out of memory");
    if (status) {
        *figures = missing ? FIGURES_NO_GNUPLOT : FIGURES_FAILED;
        page_no_picture(f, missing ? "There is no figure: gnuplot was not found." : what.message, caption);
    } else {
        page_picture(f, svg, length, words, caption);
    }
    free(svg);
    return PH_OK;
}

/* ---- Frame ----------------------------------------------------------------------------------------- */

void page_top(FILE *f, const char *title, void (*notices)(FILE *f, const void *self), const void *self,
              const surroundings *s)
{
    fputs("<!DOCTYPE html>\n"
          "<html lang=\"en\">\n"
          "<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>",
          f);
    markup_between(f, "", title, "</title>\n<style>\n");
    fputs(style, f);
    markup_between(f, "</style>\n</head>\n<body>\n<header>\n<h1>", title, "</h1>\n");
    if (notices)
        notices(f, self);
    markup_between(f, "<dl>\n<dt>Date</dt><dd>", s->date, "</dd>\n");
    markup_between(f, "<dt>Machine</dt><dd>", s->machine, "</dd>\n");
    markup_between(f, "<dt>Software</dt><dd>", s->software, "</dd>\n");
    fputs("<dt>It took</dt><dd>", f);
    markup_number(f, s->seconds < 120 ? "%.0f s" : "%.0f min",
                  s->seconds < 120 ? s->seconds : s->seconds / 60);
    fputs("</dd>\n</dl>\n</header>\n<main>\n", f);
}

void page_end(FILE *f)
{
    fputs("</main>\n</body>\n</html>\n", f);
}
