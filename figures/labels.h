/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels of curves at the right of their axes: which text, on which lines, at which height so that none is over another. */
#ifndef POLHODE_FIGURES_LABELS_H
#define POLHODE_FIGURES_LABELS_H

#include "picture.h"

enum { LABEL_LINES = 6, LABEL_LETTERS = 24, LABEL_LINE = 12, LABEL_LETTER = 6, TITLE_LINES = 3 };

/* A text in lines of letters (UTF-8); what does not fit ends with an ellipsis. */
typedef struct label_text {
    char lines[LABEL_LINES][160];
    size_t n;
} label_text;

/* to <- the text in lines of at most `letters` letters, at most `most` lines. */
void label_wrap(label_text *to, const char *text, size_t letters, size_t most);

/* The labels of a picture. What is the same in all labels (", " separates parts) is said once, in `common`. */
typedef struct labels {
    label_text at[LABELS_MOST];
    size_t n, letters; /* of the longest line */
    size_t lines;      /* of all together */
    char common[2 * RUN_LABEL];
} labels;

void labels_of(labels *l, const picture *p);

/* The tops (n) [pixels from above] of things with these heights: as near to those wanted as can be, in the same order, not over each other,
 * between `least` and `most` where they fit there. */
void labels_place(size_t n, const double *wanted, const double *heights, double least, double most,
                  double *tops);

#endif
