/* SPDX-License-Identifier: BSD-3-Clause */
/* Running gnuplot: a script goes in, a picture comes out; no shell and no path has a part in it. */
#ifndef POLHODE_BENCH_GNUPLOT_H
#define POLHODE_BENCH_GNUPLOT_H

#include <stdio.h>

#include <polhode/status.h>

/* *svg <- what gnuplot prints (malloc; *length bytes and a zero). The script is read from its beginning.
 * PH_E_IO, where there is no gnuplot with *missing = 1; PH_E_NO_MEMORY. */
ph_status gnuplot_run(FILE *script, char **svg, size_t *length, int *missing, ph_error *err);

#endif
