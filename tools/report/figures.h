/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a report: static SVG, with data for the script of the page, and tables behind each. */
#ifndef POLHODE_TOOLS_REPORT_FIGURES_H
#define POLHODE_TOOLS_REPORT_FIGURES_H

#include <stdio.h>

#include "archived.h"

/* Write those that the runs (n) have rows for, with a list of the others. Progress unless quiet. PH_E_INTERRUPTED, PH_E_NO_MEMORY. */
ph_status figures_write(FILE *f, const archived *runs, size_t n, bool quiet, ph_error *err);

#endif
