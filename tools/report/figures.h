/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a report: static SVG, with data for the script of the page, and a table behind each. */
#ifndef POLHODE_TOOLS_REPORT_FIGURES_H
#define POLHODE_TOOLS_REPORT_FIGURES_H

#include <stdio.h>

#include "archived.h"

/* Write those that the runs (n) have rows for. PH_E_NO_MEMORY. */
ph_status figures_write(FILE *f, const archived *runs, size_t n, ph_error *err);

#endif
