/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a report: static SVG, with data for the script of the page, and tables behind each. */
#ifndef POLHODE_TOOLS_REPORT_FIGURES_H
#define POLHODE_TOOLS_REPORT_FIGURES_H

#include <stdio.h>

#include "tools/plot/making.h"
#include "tools/runs/archived.h"

typedef struct run_figures {
    plot_input input;
    making *at[FIGURES_MOST]; /* (n) in the order of the page */
    size_t n;
} run_figures;

/* *p <- the figures that the runs (n), whose rows were not swept, may have rows for; sweeps these. Progress unless quiet. PH_E_INTERRUPTED,
 * PH_E_NO_MEMORY. figures_free also after an error; `p` stays where it is. */
ph_status figures_sweep(run_figures *p, archived *runs, size_t n, bool quiet, ph_error *err);
/* Write those that have something to draw, with a list of the others. PH_E_INTERRUPTED, PH_E_NO_MEMORY. */
ph_status figures_write(FILE *f, run_figures *p, ph_error *err);
/* Write one, with its words and tables; of the runs, or of a sweep: NULL. */
void figures_put(FILE *f, const picture *p, const char *name, const archived *runs);
void figures_free(run_figures *p);

#endif
