/* SPDX-License-Identifier: BSD-3-Clause */
/* What a scenario's system is judged by, at the initial state and at others: see judge.c. */
#ifndef TOOLS_JUDGE_H
#define TOOLS_JUDGE_H

#include <stdbool.h>

#include <polhode/scenario.h>
#include <polhode/system.h>

/* Configurations that are checked in addition to the initial one; of more dimensions than so many, few, and none where each takes seconds. */
enum { SAMPLES = 40, SAMPLES_OF_MANY = 4, MANY_DIMENSIONS = 256, VERY_MANY_DIMENSIONS = 100000 };

typedef struct verdict {
    double rate, turn;                /* fastest rates [rad/s] */
    int samples;                      /* configurations in addition to the initial one */
    bool rates_alone;                 /* the system is so large that derivatives are not compared */
    bool seen[PH_DERIVATIVE_ENTRIES]; /* does the system have this derivative? Then ... */
    ph_derivative_entry worst[PH_DERIVATIVE_ENTRIES]; /* ... where it was worst */
} verdict;

/* *v <- derivatives compared with differences, where these are wanted, and the fastest rates. The errors of
 * ph_system_check_derivatives and ph_system_fastest_rate; PH_E_NO_MEMORY. */
ph_status judge_scenario(const ph_scenario *scenario, bool derivatives, verdict *v, ph_error *err);

enum { FACTORS_TEXT = 2000 };
/* text <- "r (x1), q (q2)": what formulas call the first factors, and their columns; empty where they have no names. */
void write_factors(const ph_system *system, char *text, size_t size);

#endif
