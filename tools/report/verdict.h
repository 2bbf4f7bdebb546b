/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdict of a report: how errors grow, by a rule, and three sentences of what that means. */
#ifndef POLHODE_TOOLS_VERDICT_H
#define POLHODE_TOOLS_VERDICT_H

#include <stdio.h>

#include "archived.h"

/* By the slope p of log(largest error so far) against log(time) over the last decade of time, as polhode bench has it (curve_exponent). */
typedef enum growth {
    GROWTH_ZERO,     /* the error is 0 */
    GROWTH_ROUNDING, /* no more than rounding of so many steps can add up to */
    GROWTH_NOTHING,  /* fewer than two rows, or all at the same time */
    GROWTH_LOST,     /* there are rows in which the error is no finite number */
    GROWTH_UNKNOWN,  /* less than a decade of time */
    GROWTH_NONE,     /* p < 0.1 */
    GROWTH_SLOW,     /* p < 0.35 */
    GROWTH_WALK,     /* p < 0.65: like sqrt(t) */
    GROWTH_LINEAR,   /* 0.8 < p < 1.2 */
    GROWTH_POWER     /* another p */
} growth;

typedef struct trend {
    growth growth;
    double p;           /* NaN where it is not known */
    int64_t lost, rows; /* of GROWTH_LOST: so many rows of so many */
} trend;

/* largest: of the error; steps: taken. */
trend trend_of(const curve *c, double largest, int64_t steps);
trend trend_in(const archived *a, quantity which);

/* The three sentences on the first run (n >= 1), each as a paragraph; the others are what it is compared with. */
void verdict_write(FILE *f, const archived *runs, size_t n);
/* "energy error", of a system with forces "energy change", of spins "error of J". */
const char *quantity_name(const archived *a, quantity which);
/* "at most 2.3e-04, does not grow" */
void trend_words(char text[120], trend t);

#endif
