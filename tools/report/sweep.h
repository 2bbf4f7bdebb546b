/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a sweep. */
#ifndef POLHODE_TOOLS_REPORT_SWEEP_H
#define POLHODE_TOOLS_REPORT_SWEEP_H

#include <stdio.h>

#include "tools/plot/ensemble-figures.h"

/* Write the whole page: what varied, which members failed, the figures, statistics. The caller checks the stream for errors.
 * PH_E_NO_MEMORY. */
ph_status sweep_page(FILE *f, const ensemble *e, const ensemble_pictures *all, ph_error *err);

#endif
