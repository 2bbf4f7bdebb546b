/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of the members of a sweep in cells. */
#ifndef POLHODE_TOOLS_PLOT_ENSEMBLE_CELLS_H
#define POLHODE_TOOLS_PLOT_ENSEMBLE_CELLS_H

#include "ensemble-split.h"

/* *p <- cells over x and y: means of the value, of errors the largest; NULL: how many members there are. */
ph_status ensemble_cells(picture *p, const ensemble *e, const ensemble_column *x, const ensemble_column *y,
                         const ensemble_column *value, ph_error *err);

#endif
