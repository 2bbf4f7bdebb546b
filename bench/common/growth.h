/* SPDX-License-Identifier: BSD-3-Clause */
/* Does an error grow, and how? Judged by its largest values in parts of the run that are equally long, so that rare large values do not look
 * like growth: a record grows although nothing else does. */
#ifndef POLHODE_BENCH_GROWTH_H
#define POLHODE_BENCH_GROWTH_H

#include <stddef.h>
#include <stdint.h>

enum { GROWTH_BLOCKS = 256, GROWTH_LEAST = 64 };

/* The largest |error| in blocks of neighbouring rows; blocks become twice as long when there are GROWTH_BLOCKS of them. */
typedef struct growth_blocks {
    double most[GROWTH_BLOCKS];
    size_t n;             /* whole blocks */
    int64_t each, inside; /* rows of a block; rows that the one behind them has so far */
    double open;          /* their largest error */
} growth_blocks;

typedef enum growth_law {
    LAW_SHORT,   /* fewer than GROWTH_LEAST rows */
    LAW_BOUNDED, /* no later part has larger errors than others beyond their scatter */
    LAW_WALK,    /* grows like the square root of time, and wanders as a random walk does */
    LAW_LINEAR,  /* grows, and the largest errors are on a straight line */
    LAW_POWER,   /* grows, and they are on a power of time */
    LAW_GROWS,   /* grows, as none of these */
    LAW_UNCLEAR  /* parts differ by more than their scatter, and do not rise all along */
} growth_law;

typedef struct growth_judgement {
    growth_law law;
    double power, uncertainty; /* of LAW_POWER: like t^power, and its standard error; else NaN */
} growth_judgement;

/* Enters |error| of the next row. */
void growth_enter(growth_blocks *b, double error);
/* The rule is described in doc/howto/report.md, its rate of errors measured in tests/bench/check_growth.c. */
growth_judgement growth_find_law(const growth_blocks *b);

#endif
