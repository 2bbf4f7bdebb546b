/* SPDX-License-Identifier: BSD-3-Clause */
/* Running gnuplot: a script goes in, a picture comes out; no shell and no file names are involved. */
#ifndef POLHODE_FIGURES_GNUPLOT_H
#define POLHODE_FIGURES_GNUPLOT_H

#include <stdio.h>

#include <polhode/status.h>

/* *svg <- the output of gnuplot (malloc; *length bytes and a zero). The script is read from its beginning.
 * PH_E_IO (*missing = 1 where gnuplot is not installed; else with what it said last), PH_E_NO_MEMORY. */
ph_status gnuplot_run(FILE *script, char **svg, size_t *length, int *missing, ph_error *err);

#endif
