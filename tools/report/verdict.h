/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdict of a report: three sentences of how large errors are, how they grow and what that means. */
#ifndef POLHODE_TOOLS_VERDICT_H
#define POLHODE_TOOLS_VERDICT_H

#include <stdio.h>

#include "tools/runs/trend.h"

/* The three sentences on the first run (n >= 1), each as a paragraph; the others are what it is compared with. */
void verdict_write(FILE *f, const archived *runs, size_t n);

#endif
