/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a sweep told apart by what varies, as curves and panels; labels of axes. */
#ifndef POLHODE_TOOLS_PLOT_ENSEMBLE_SPLIT_H
#define POLHODE_TOOLS_PLOT_ENSEMBLE_SPLIT_H

#include "ensemble.h"

/* A colour behind those of labels, for crosses. */
enum { ENSEMBLE_BLACK = RUNS_MOST + 3 };

/* The number with most values, but not this one; the first of several. NULL: nothing varies. */
const ensemble_column *ensemble_widest(const ensemble *e, const ensemble_column *but);
/* Does each combination of values have a member? */
bool ensemble_is_product(const ensemble *e);
/* Do the numbers that vary follow one, as of zip or a list? */
bool ensemble_is_path(const ensemble *e);

/* Keys other than those on the axes, by whose values members are told apart. */
typedef struct split {
    const ensemble_column *keys[ENSEMBLE_KEYS]; /* (n) */
    size_t n, count;                            /* combinations of their values */
} split;

/* *s <- keys but these two, as many as have at most so many combinations. */
void split_find(split *s, const ensemble *e, const ensemble_column *x, const ensemble_column *y, size_t most);
size_t split_of(const split *s, const ensemble *e, size_t i);
/* *at <- the value of the k-th key in a combination. */
double split_value(const split *s, size_t k, size_t combination);
void split_words(const split *s, const ensemble *e, size_t combination, char *text, size_t size);
/* Appends to the words of a picture which keys are neither on its axes nor tell members apart. */
void split_say(const split *s, const ensemble *e, const ensemble_column *x, const ensemble_column *y,
               picture *p);
void ensemble_axis(const ensemble *e, const ensemble_column *c, char *label, size_t size);

#endif
