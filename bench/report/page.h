/* SPDX-License-Identifier: BSD-3-Clause */
/* What every page of the bench has: its frame, words, pictures. */
#ifndef POLHODE_BENCH_PAGE_H
#define POLHODE_BENCH_PAGE_H

#include <stdio.h>

#include "bench/common/surroundings.h"
#include "graph.h"

/* What became of the figures of a page. */
typedef enum report_figures { FIGURES_DRAWN, FIGURES_NO_GNUPLOT, FIGURES_FAILED } report_figures;

/* From the doctype to the beginning of <main>. Notices, nullable, stand below the title. */
void page_top(FILE *f, const char *title, void (*notices)(FILE *f, const void *self), const void *self,
              const surroundings *s);
void page_end(FILE *f);

/* Lines that begin with two spaces are the items of a list, others headings. What comes before the second
 * heading is the gist; the rest, which may be long, is folded. */
void page_words(FILE *f, const char *words);

/* An SVG, its description for those who cannot see it, its caption; or why there is none. */
void page_picture(FILE *f, const char *svg, size_t length, const char *words, const char *caption);
void page_no_picture(FILE *f, const char *why, const char *caption);
/* The plot as a picture, or a word on why there is none; *figures changes where that is gnuplot's fault. Fails
 * for want of memory alone. */
ph_status page_graph(FILE *f, const graph *p, const char *words, const char *caption, report_figures *figures,
                     ph_error *err);

#endif
