/* SPDX-License-Identifier: BSD-3-Clause */
/* `polhode bench`, of any kind. */
#ifndef POLHODE_TOOLS_BENCH_H
#define POLHODE_TOOLS_BENCH_H

#include "bench/kinds.h"

/* Whatever the arguments are for: returns an exit code. */
int bench_run_kind(const bench_kind *kind, bench_run *run);

#endif
