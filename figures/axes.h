/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranges of a panel's axes, and which numbers stand at them. */
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
/* *x, *y <- the ranges in the numbers that stand at the axes. */
axes_numbers axes_numbered(const panel *at, double length, range *x, range *y);

enum { AXIS_PIECES = 6 }; /* of a vertical axis */
/* The letters of the longest of the multiples of the step that stand at an even axis. */
size_t axes_letters(const range *r, double step);
/* Where the value is on the axis, from 0 at its beginning to 1. */
double axes_share(double value, const range *r, bool log_axis);

#endif
