/* SPDX-License-Identifier: BSD-3-Clause */
/* The name of a guide, the broken line like sqrt(t). */
#ifndef POLHODE_TOOLS_PLOT_GUIDE_H
#define POLHODE_TOOLS_PLOT_GUIDE_H

#include "axes.h"

/* Write the name as a label below what is seen of the guide, where curves are in its way least. style: gnuplot's, behind the place. */
void guide_name(FILE *g, const panel *p, const range *x, const range *y, const char *name, const char *style);

#endif
