/* SPDX-License-Identifier: BSD-3-Clause */
/* Panels of pictures (figures/picture.h) in a page: each as static SVG with its data for the script of the page. */
#ifndef POLHODE_TOOLS_REPORT_PANELS_H
#define POLHODE_TOOLS_REPORT_PANELS_H

#include <stdio.h>

#include "figures/picture.h"

/* Write the panels of the picture that have something to draw, a <figure> each; words: what is seen, for those who cannot see it.
 * PH_E_NO_MEMORY. */
ph_status panels_write(FILE *f, const picture *p, const char *words, ph_error *err);

#endif
