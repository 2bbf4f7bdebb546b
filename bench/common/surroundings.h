/* SPDX-License-Identifier: BSD-3-Clause */
/* Where and with what results were made: measured times mean little without it. */
#ifndef POLHODE_BENCH_SURROUNDINGS_H
#define POLHODE_BENCH_SURROUNDINGS_H

#include <stddef.h>

typedef struct surroundings {
    char machine[200];  /* processor, cores */
    char software[400]; /* version of the library, compiler, LAPACK as far as known */
    char date[32];      /* ISO 8601, UTC */
    double seconds;     /* duration of the whole */
} surroundings;

/* Fill machine, software and date. */
void surroundings_describe(surroundings *s);
/* Append to the list (size bytes) the libraries of linear algebra that this process uses: a distribution may install
 * any of them under the same name. Nothing where that is not known. */
void surroundings_algebra(char *list, size_t size);

#endif
