/* SPDX-License-Identifier: BSD-3-Clause */
/* What a user should know of bodies under mutual gravity before a run: see bodies.c. */
#ifndef TOOLS_BODIES_H
#define TOOLS_BODIES_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/domain/convergence.h>
#include <polhode/scenario.h>

/* Warnings are sentences without an end. */
enum { BODY_WARNINGS = 6, BODY_WARNING = 320 };

typedef struct body_report {
    bool seen;            /* are there such bodies? */
    size_t first, second; /* numbers of the pair whose force loses most by truncation; 0: a central body */
    size_t order;         /* N */
    bool truncated;       /* has it terms beyond order 0? */
    ph_convergence convergence; /* of that pair */
    size_t warnings;
    char warning[BODY_WARNINGS][BODY_WARNING];
} body_report;

/* *report <- of the initial state. The errors of ph_columns_create; PH_E_NO_MEMORY. */
ph_status report_bodies(const ph_scenario *scenario, body_report *report, ph_error *err);

/* text (PAIR_NAME) <- "bodies 1 and 2", "the central body and body 1" */
enum { PAIR_NAME = 80 };
const char *write_pair(size_t first, size_t second, char *text);

/* text <- "about 6e-05 of the force by order 4, 4e-06 by order 6, 2e-07 by order 8" */
void write_truncation(const body_report *report, char *text, size_t size);

#endif
