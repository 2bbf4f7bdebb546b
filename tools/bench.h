/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of `polhode bench`. */
#ifndef POLHODE_TOOLS_BENCH_H
#define POLHODE_TOOLS_BENCH_H

#include "bench/kinds.h"

enum { BENCH_GO_ON = -1 };

/* run <- what the arguments ask of the kind; argv[0] is the word before them. BENCH_GO_ON, or an exit code: a
 * mistake was reported, or the help was printed. */
int bench_read_arguments(const bench_kind *kind, int argc, char **argv, bench_run *run);

#endif
