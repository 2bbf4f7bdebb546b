/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of bench: the rows of kinds.def. The first is the default. */
#ifndef POLHODE_BENCH_KINDS_H
#define POLHODE_BENCH_KINDS_H

#include "bench/kind/kind.h"

extern const bench_kind *const bench_kinds[];
extern const size_t n_bench_kinds;

#endif
