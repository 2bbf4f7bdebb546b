/* SPDX-License-Identifier: BSD-3-Clause */
/* The errors of a state. */
#ifndef POLHODE_BENCH_SPINS_MEASURE_H
#define POLHODE_BENCH_SPINS_MEASURE_H

#include "spins.h"

/* errors <- the larger of what it has and those of a state, but for the place. A status of the system's, or
 * PH_E_NOT_FINITE. *energy <- H - H(0). */
ph_status spins_measure(const spins *s, const motion *start, const ph_state *state, spins_errors *errors,
                        double *energy);

#endif
