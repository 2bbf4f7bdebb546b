/* SPDX-License-Identifier: BSD-3-Clause */
/* The first screen of the page of a comparison. */
#ifndef POLHODE_BENCH_FRONT_PAGE_H
#define POLHODE_BENCH_FRONT_PAGE_H

#include "report.h"

/* Write the first screen of a report: of its first problem, with the polhode of the first problem that has one. Returns
 * 0, and writes nothing, where the first problem has nothing to show. */
int front_page(FILE *out, const void *self);

#endif
