/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures in a page: each panel as static SVG with its data for the script of the page, and a key where names do not fit on the curves. */
#ifndef POLHODE_FIGURES_EMBED_H
#define POLHODE_FIGURES_EMBED_H

#include <stdio.h>

#include "picture.h"

/* Write the panels of the picture that have something to draw, a <figure> each; words: what is seen, for those who cannot see it.
 * caption: nullable, HTML is escaped. */
void embed_picture(FILE *f, const picture *p, const char *words, const char *caption);

#endif
