/* SPDX-License-Identifier: BSD-3-Clause */
/* What every page of the bench has: its frame, words, figures. */
#ifndef POLHODE_BENCH_PAGE_H
#define POLHODE_BENCH_PAGE_H

#include <stdio.h>

#include "bench/common/surroundings.h"
#include "graph.h"

/* What became of the figures of a page. */
typedef enum report_figures { FIGURES_DRAWN, FIGURES_NO_GNUPLOT, FIGURES_FAILED } report_figures;

/* What became of a drawing: status and error of what drew it, and the SVG (length bytes). */
typedef struct drawing {
    ph_status status;
    int missing; /* gnuplot was not found */
    char *svg;
    size_t length;
    ph_error error;
} drawing;

/* What a page has of its own. */
typedef struct page_frame {
    const char *title;
    const char *what;        /* that may have been interrupted: "comparison"; NULL: no word on that */
    const char *how_to_read; /* items of a list */
    void (*before)(FILE *f, const void *self); /* what stands before that, or NULL */
    ph_status (*body)(FILE *f, const void *self, report_figures *figures, ph_error *err); /* what follows */
} page_frame;

/* directory/report.html, written aside and then renamed. *figures <- what became of them. */
ph_status page_write(const page_frame *frame, const void *self, int interrupted, const surroundings *where,
                     const char *directory, report_figures *figures, ph_error *err);

/* Lines that begin with two spaces are the items of a list, others headings. What comes before the second
 * heading is the gist; the rest, which may be long, is folded. Takes the words over; NULL: PH_E_NO_MEMORY. */
ph_status page_words(FILE *f, char *words, ph_error *err);

/* Figures 0 to n - 1, side by side. */
ph_status page_figures(FILE *f, size_t n,
                       ph_status (*put)(FILE *f, size_t which, const void *self, report_figures *figures,
                                        ph_error *err),
                       const void *self, report_figures *figures, ph_error *err);
/* The drawing, which is taken over, with its description for those who cannot see it, and its caption; or a
 * word on why there is none. *figures changes where that is gnuplot's fault. Fails for want of memory alone.
 * */
ph_status page_drawing(FILE *f, drawing *d, const char *words, const char *caption, report_figures *figures,
                       ph_error *err);
void page_no_picture(FILE *f, const char *why, const char *caption);
/* The plot as a drawing. */
ph_status page_graph(FILE *f, const graph *p, const char *words, const char *caption, report_figures *figures,
                     ph_error *err);

#endif
