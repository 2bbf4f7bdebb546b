/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems whose ensembles are timed, and the same equations written by hand in R^n: a plain loop by the classical
 * Runge-Kutta method, and Taylor series of order up to 20 with automatic steps, four members in the lanes of a vector. */
#ifndef POLHODE_BENCH_ENSEMBLES_RIVALS_H
#define POLHODE_BENCH_ENSEMBLES_RIVALS_H

#include <stddef.h>
#include <stdint.h>

enum { RIVAL_MOST = 30, RIVAL_LANES = 4 };

/* The equations of a system for y: the coordinates of z, then for each factor its velocity, of a rotation the angular velocity
 * in the body. Where the first factor is R^3 its unit is `length` (m), that of all lengths. */
typedef struct rival {
    size_t numbers; /* of y */
    double length;
    const double *k; /* constants */
    /* y (numbers) <- after steps of h */
    void (*loop)(const double *k, double *y, double h, int64_t steps);
    /* the same by fused multiply-add and AVX2 */
    void (*wide_loop)(const double *k, double *y, double h, int64_t steps);
    struct tape *(*record)(const double *k); /* the equations as operations; NULL without memory; by free */
} rival;

typedef struct ensembles_row {
    const char *name, *words;
    const char *model; /* YAML from the key model on, with initial data */
    const char *key;   /* by which members differ, */
    double from, to;   /* in equal distances */
    const char *method;
    double h; /* [s] */
    const rival *rival;
} ensembles_row;

enum { ENSEMBLES = 7 };
extern const ensembles_row ensembles_rows[ENSEMBLES];

/* y (numbers) of a member <- after steps of h, by the plain loop. */
void rival_run_loop(const rival *r, double *y, double h, int64_t steps);

/* Series: what they need, and y (RIVAL_LANES, numbers) of four members <- after the time t [s]. Each lane has steps of its own.
 * Returns the number of steps of the vector. */
typedef struct series series;
series *rival_series_create(const rival *r); /* NULL without memory */
void rival_series_free(series *s);
int64_t rival_series_run(series *s, double tolerance, double *y, double t);

#endif
