/* SPDX-License-Identifier: BSD-3-Clause */
/* All rows of an archive in a part of its time, one after the other, with chosen columns. */
#ifndef POLHODE_TOOLS_PLOT_SWEEP_H
#define POLHODE_TOOLS_PLOT_SWEEP_H

#include <polhode/rows.h>

#include "figures.h"

/* *rows <- with t as their first column, and behind it those of the words (n), as of ph_rows_open. */
ph_status sweep_open(const archived *a, const char *const *words, size_t n, ph_rows **rows, ph_error *err);

/* Calls enter(self, row) of each row whose time is in the span of the input; damaged ones are left out. Shows progress. Its errors, those of
 * enter; PH_E_INTERRUPTED. */
ph_status sweep(const plot_input *in, size_t run, ph_rows *rows,
                ph_status (*enter)(void *self, const double *row, ph_error *err), void *self, ph_error *err);
/* The same; calls gap(self) where rows are left out, before the row behind them. */
ph_status sweep_with_gaps(const plot_input *in, size_t run, ph_rows *rows,
                          ph_status (*enter)(void *self, const double *row, ph_error *err),
                          void (*gap)(void *self), void *self, ph_error *err);

#endif
