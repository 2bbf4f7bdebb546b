/* SPDX-License-Identifier: BSD-3-Clause */
/* What an accuracy costs: CPU time read from the runs of a verification. */
#ifndef POLHODE_BENCH_COST_H
#define POLHODE_BENCH_COST_H

#include "bench/common/ladder.h"

/* An error of a run: of the trajectory at its end, or the largest of the energy on the way. */
typedef double cost_error(const rung *r);
double cost_trajectory(const rung *r);
double cost_energy(const rung *r);

/* The errors for which costs are reported, descending. */
enum { COST_LEVELS = 5 };
extern const double cost_levels[COST_LEVELS];

/* CPU seconds for an error of `level`, interpolated on logarithmic axes between the two runs around it; INFINITY if
 * no run is that good, NaN if its time is not known, and the time of the coarsest if that is good enough. */
double cost_of(const ladder *l, cost_error *error, double level);

#endif
