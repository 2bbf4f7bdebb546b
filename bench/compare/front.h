/* SPDX-License-Identifier: BSD-3-Clause */
/* What is shown of a comparison first: the trials at the CPU time of the reference contender at the first of its steps, or at
 * that step where the problem is compared at the same step; the best of them by its energy, what an adaptive method takes, and the two numbers of the headline. Chosen from
 * results alone; nothing here depends on particular methods. */
#ifndef POLHODE_BENCH_FRONT_H
#define POLHODE_BENCH_FRONT_H

#include "comparison.h"

enum { FRONT_LINES = 5, FRONT_NAME = 120 };

typedef struct front {
    const comparison *c;
    trial_basis basis;      /* SAME_CPU or SAME_STEP: what the lines have in common with the yardstick */
    const trial *yardstick; /* of the reference contender, at the first step asked for */
    const trial *
        best; /* on that basis: verified, completed, with the smallest energy error, at the same step of those at
                  rounding the cheapest; NULL if none is smaller than the yardstick's, or if the system has forces */
    const trial *adaptive; /* completed, with the smallest energy error, or NULL */
    /* the yardstick, others on that basis by rising error, the adaptive one */
    const trial *lines[FRONT_LINES];
    size_t n;
    double error_ratio; /* the yardstick's largest energy error over that of the best; NaN without either */
    double time_ratio;  /* CPU time of the adaptive one over that of the best; NaN likewise */
} front;

extern const double front_rounding; /* an energy error below this comes from rounding */

/* Returns 0 where there is nothing to show: no trial of the reference contender was run. */
int front_choose(front *f, const comparison *c);

/* The label in words: "multistep, order 6", "projected RK4". */
void front_name(char name[FRONT_NAME], const contender *c);
/* How its energy error grew: "flat" where the largest of the last tenth of the time is less than twice that of the
 * first, "grows: last tenth 9.9 x first", "at rounding", "diverged at 41 s", ... */
void front_growth(char text[FRONT_NAME], const trial *t);

/* Do both have the path of a body whose momentum has a constant length, so that it draws polhodes? */
int front_has_polhode(const front *f);

/* The headline, a line without its end; what it says, more exactly; and the small table (texts, malloc; NULL
 * without memory). */
char *front_headline(const front *f);
char *front_subline(const front *f);
char *front_table(const front *f);

#endif
