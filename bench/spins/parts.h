/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a comparison on spheres as phase space, on a motion that make.c has prepared: trajectories (work.c) and the
 * long run (long.c). */
#ifndef POLHODE_BENCH_SPINS_PARTS_H
#define POLHODE_BENCH_SPINS_PARTS_H

#include "bench/common/steps.h"
#include "spins.h"

/* Fill points of all lines, and s->doubt. */
ph_status spins_work(spins *s, const motion *start, const spins_plan *plan, ph_error *err);
/* Fill runs of all lines. */
ph_status spins_long(spins *s, const motion *start, const spins_plan *plan, ph_error *err);

#endif
