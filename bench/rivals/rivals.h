/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods that only comparisons have: contenders, but not of the catalogue. */
#ifndef POLHODE_BENCH_RIVALS_RIVALS_H
#define POLHODE_BENCH_RIVALS_RIVALS_H

#include <polhode/polhode.h>

/* By name; NULL where there is none. */
const ph_method *rival_find(const char *name);

extern const ph_method rolling_rival; /* rolling.c */
extern const ph_method spins_rival;   /* spins.c */

#endif
