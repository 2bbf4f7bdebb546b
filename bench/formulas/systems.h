/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulas whose callbacks are timed, and the same written by hand. */
#ifndef POLHODE_BENCH_FORMULAS_SYSTEMS_H
#define POLHODE_BENCH_FORMULAS_SYSTEMS_H

#include <polhode/polhode.h>

/* What a callback is compared with. */
typedef enum formulas_rival {
    RIVAL_NONE,
    RIVAL_HAND,     /* the best that is known, by identities that the formula does not contain */
    RIVAL_LOOPS,    /* straightforward loops */
    RIVAL_CATALOGUE /* the callback of a model in C, by ph_system_gradient */
} formulas_rival;

typedef struct formulas_row {
    const char *name, *words;
    const char *model; /* YAML from the key model on, without step and duration */
    formulas_rival rival;
    const char *callback; /* which one the rival is, by its name in ph_formula_callbacks */
    /* out <- with the parameters k at z and v; NULL: */
    void (*hand)(const double *k, const double *z, const double *v, double *out);
    const double *k;  /* nullable */
    const char *twin; /* YAML of the model of the catalogue */
} formulas_row;

enum { FORMULAS = 24 };
extern const formulas_row formulas_rows[FORMULAS];

#endif
