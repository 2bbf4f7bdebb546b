/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in gnuplot's scripts: whatever they are, gnuplot writes them, and runs nothing of them. */
#ifndef POLHODE_FIGURES_SCRIPT_H
#define POLHODE_FIGURES_SCRIPT_H

#include <stdio.h>

#include "labels.h"

/* The text in quotes, on one line. */
void script_text(FILE *g, const char *text);
/* Several lines in quotes. */
void script_lines(FILE *g, const label_text *lines);

#endif
