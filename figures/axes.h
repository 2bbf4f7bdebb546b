/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranges of a panel's axes, their ticks, and which numbers and labels stand at them. */
#ifndef POLHODE_FIGURES_AXES_H
#define POLHODE_FIGURES_AXES_H

#include "picture.h"

/* The range of one axis. */
typedef struct range {
    double least, most;
} range;

/* The length of both axes of panels with equal scales. */
double axes_length(const picture *p);
/* *x, *y <- with their margins. */
void axes_ranges(const panel *at, double length, range *x, range *y);

/* The numbers at an axis are (value - offset) / 10^power, so that they have few digits. */
typedef struct numbers {
    double offset, scale;
    int power;
} numbers;

typedef struct axes_numbers {
    numbers x, y;
} axes_numbers;

axes_numbers axes_numbers_of(const panel *at, double length);
double axes_number(double value, const numbers *n);

/* An axis with its ticks. */
typedef struct axis {
    range of; /* in the numbers that stand there */
    bool log;
    double step; /* between ticks, of a logarithmic axis in decades */
} axis;

/* *x, *y <- with steps: about so many pieces of the horizontal axis, or fewer, so that their numbers next to each other have no more
 * than so many letters. Result: which numbers these are. */
axes_numbers axes_ticks(const panel *at, double length, double pieces, double letters, axis *x, axis *y);
/* *at <- the i-th tick, of a logarithmic axis as a power of ten. False: there is none. */
bool axis_tick(const axis *a, size_t i, double *at);
/* text <- its number: "-0.25" with a minus sign; of a logarithmic axis "10^-5" with raised digits. */
enum { AXIS_TICK = 72 };
void axis_words(char text[AXIS_TICK], const axis *a, double at);
/* Are its ticks 1, 2 and 5 times the powers of ten? It is short, and they have their values as numbers. */
bool axis_is_fine(const axis *a);
/* *of <- the axis of the colours, which ends with them. Result: which numbers stand there. */
numbers axes_scale(const colour_scale *scale, axis *of);
/* The letters of the longest number at an even axis; 0 of another. */
size_t axis_letters(const axis *a);
enum { AXIS_LABEL = 2 * TABLE_NAME + 160 };
/* better <- the label of an axis: "m^2" as it is written, and what is done with its numbers: "energy - 72.5 [10^-6 J]". */
void axes_label(char better[AXIS_LABEL], const char *text, const numbers *n, bool ascii);
/* Where the value is on the axis, from 0 at its beginning to 1. */
double axes_share(double value, const range *r, bool log_axis);

#endif
