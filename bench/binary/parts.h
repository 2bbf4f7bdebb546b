/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a binary's comparison, on a motion that make.c has prepared: the day (day.c) and the long run (long.c). */
#ifndef POLHODE_BENCH_BINARY_PARTS_H
#define POLHODE_BENCH_BINARY_PARTS_H

#include "motion.h"

/* Fill points of all lines, and b->doubt. */
ph_status binary_day(binary *b, const binary_motion *m, const binary_plan *plan, ph_error *err);
/* Fill runs of all lines, and b->long_doubt. */
ph_status binary_long(binary *b, const binary_motion *m, const binary_plan *plan, ph_error *err);

#endif
