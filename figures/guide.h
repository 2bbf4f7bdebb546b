/* SPDX-License-Identifier: BSD-3-Clause */
/* The name of a guide, a broken line like a power of time. */
#ifndef POLHODE_FIGURES_GUIDE_H
#define POLHODE_FIGURES_GUIDE_H

#include "axes.h"

/* Write the name as a label at what is seen of the guide, where curves are in its way least. style: gnuplot's, behind the place. */
void guide_name(FILE *g, const panel *p, const range *x, const range *y, const char *name, const char *style);

#endif
