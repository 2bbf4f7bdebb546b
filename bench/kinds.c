/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of bench: see kinds.def. */
#include "kinds.h"

#define BENCH_KIND(kind) extern const bench_kind kind;
#include "kinds.def"
#undef BENCH_KIND

#define BENCH_KIND(kind) &kind,
const bench_kind *const bench_kinds[] = {
#include "kinds.def"
};
#undef BENCH_KIND
const size_t n_bench_kinds = sizeof bench_kinds / sizeof bench_kinds[0];
