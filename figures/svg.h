/* SPDX-License-Identifier: BSD-3-Clause */
/* Panels as SVG, for a page. It needs no other program, and stands alone or inside a page, where text and axes take the colour of the text
 * around it. */
#ifndef POLHODE_FIGURES_SVG_H
#define POLHODE_FIGURES_SVG_H

#include <stdio.h>

#include "picture.h"

/* Write the i-th panel as one <svg> element with its description in words, which is escaped. There must be points. keyed: names of curves stand
 * elsewhere. */
void svg_panel(FILE *f, const picture *p, size_t i, bool keyed, const char *words);

#endif
