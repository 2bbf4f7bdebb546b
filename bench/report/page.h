/* SPDX-License-Identifier: BSD-3-Clause */
/* The common parts of every page of the bench: frame, sentences, figures. */
#ifndef POLHODE_BENCH_PAGE_H
#define POLHODE_BENCH_PAGE_H

#include <stdio.h>

#include "bench/common/surroundings.h"
#include "graph.h"
#include <polhode/status.h>

/* The parts of a page that differ from kind to kind. */
typedef struct page_frame {
    const char *title;
    /* writes the first screen, and returns 0 where it has none; what is below then folds into details; or NULL */
    int (*front)(FILE *f, const void *self);
    const char *what;        /* what may have been interrupted: "comparison"; NULL: no notice of it */
    const char *how_to_read; /* items of a list */
    void (*before)(FILE *f, const void *self);                   /* written before how_to_read, or NULL */
    ph_status (*body)(FILE *f, const void *self, ph_error *err); /* written after it */
} page_frame;

/* The frame of any page: from the doctype to the beginning of its body; and its end, with the script of its figures. */
void page_begin(FILE *f, const char *title);
void page_end(FILE *f);

/* Write directory/report.html under another name, then rename it. */
ph_status page_write(const page_frame *frame, const void *self, int interrupted, const surroundings *where,
                     const char *directory, ph_error *err);

/* Write sentences: lines that begin with two spaces are the items of a list, others headings. The part before
 * the second heading is the summary; the rest, which may be long, is folded. Frees the words; NULL:
 * PH_E_NO_MEMORY. */
ph_status page_words(FILE *f, char *words, ph_error *err);

/* Write figures 0 to n - 1, side by side. */
ph_status page_figures(FILE *f, size_t n,
                       ph_status (*put)(FILE *f, size_t which, const void *self, ph_error *err),
                       const void *self, ph_error *err);
/* Write why there is no picture. */
void page_no_picture(FILE *f, const char *why, const char *caption);
/* The graph as a picture; NULL without memory. graph_free: nullable. */
struct picture *graph_picture(const graph *g, ph_error *err);
void graph_free(struct picture *p);
/* Write the graph, or that it has no points. PH_E_NO_MEMORY. */
ph_status page_graph(FILE *f, const graph *p, const char *words, const char *caption, ph_error *err);

#endif
