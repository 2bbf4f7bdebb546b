/* SPDX-License-Identifier: BSD-3-Clause */
/* The key of a figure below its axes, and the looks of lines. It is laid out here: gnuplot's own key guesses
 * the widths of texts, and cuts them off. */
#ifndef POLHODE_FIGURES_KEY_H
#define POLHODE_FIGURES_KEY_H

#include <stdio.h>

/* On a telephone the picture is about 370 pixels wide: a font of 16 appears as one of 11 there. */
enum { WIDTH = 520, HEIGHT = 384, KEY_LINE = 24, AXIS = 76 };
enum { CROSS = 2, DOT = 7 }; /* gnuplot's marks */
enum { TITLE_SIZE = 320 };

/* An entry of the key: its text, and the line and the mark (gnuplot's number, or 0) of its sample. */
typedef struct key_entry {
    char title[TITLE_SIZE];
    const char *colour, *dashes; /* dashes may be NULL: no line */
    int mark;
    size_t column, row;
} key_entry;

typedef struct key {
    key_entry *entries;
    size_t n, n_left, rows; /* the first n_left are in the left column, if there are others */
    size_t second;          /* where the second column begins [pixels] */
} key;

/* The look of the i-th contender, the same in all figures: colours that colour-blind readers can distinguish.
 * */
const char *key_colour(size_t i);
int key_mark(size_t i);

/* title <- the label on one line, without its middle if it is long. */
void key_title(char title[TITLE_SIZE], const char *label);
/* Place the entries, in two columns if the titles are short enough. */
void key_lay_out(key *k);
/* Write the gnuplot commands, for a picture of that height [pixels]. */
void key_put(FILE *g, const key *k, size_t height);

#endif
