/* SPDX-License-Identifier: BSD-3-Clause */
/* How the errors of a run grow, and what they are called. */
#ifndef POLHODE_TOOLS_RUNS_TREND_H
#define POLHODE_TOOLS_RUNS_TREND_H

#include "archived.h"

enum { TREND_WORDS = 120, TREND_NOTE = 40, BETWEEN_WORDS = 160 };

/* By the rule of bench/common/growth.h. */
typedef enum growth {
    GROWTH_ZERO,     /* the error is 0 */
    GROWTH_ROUNDING, /* no more than rounding of so many steps can add up to */
    GROWTH_NOTHING,  /* fewer than two rows, or all at the same time */
    GROWTH_LOST,     /* there are rows in which the error is no finite number */
    GROWTH_UNKNOWN,  /* too few rows */
    GROWTH_NONE,     /* bounded */
    GROWTH_UNCLEAR,
    GROWTH_OTHER,  /* grows, by none of the following laws */
    GROWTH_WALK,   /* like sqrt(t), with the increments of a random walk */
    GROWTH_LINEAR, /* on a straight line */
    GROWTH_POWER   /* like t^p */
} growth;

typedef struct trend {
    growth growth;
    double p, uncertainty; /* of GROWTH_POWER, with its standard error */
    double
        guide; /* the exponent of a line for the eye, also where the error is rounding: 1/2 or 1; 0: none */
    int64_t lost, rows; /* of GROWTH_LOST: so many rows of so many */
} trend;

trend trend_in(const archived *a, quantity which);

/* "energy error", of a system with forces "energy change", of spins "error of J". */
const char *quantity_name(const archived *a, quantity which);
/* "bounded: it does not grow in this run" */
void trend_words(char text[TREND_WORDS], trend t);
/* The same as a short note: "bounded", "like t" */
void trend_note(char text[TREND_NOTE], trend t);
/* How many rows are interpolated, as a sentence; empty: none. */
void between_words(char text[BETWEEN_WORDS], const archived *a);

#endif
