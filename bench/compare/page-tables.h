/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the page. */
#ifndef POLHODE_BENCH_PAGE_TABLES_H
#define POLHODE_BENCH_PAGE_TABLES_H

#include <stdio.h>

#include "comparison.h"

/* Each with its heading. */
void page_verification(FILE *f, const comparison *c);
void page_table(FILE *f, const comparison *c, trial_basis basis);

#endif
