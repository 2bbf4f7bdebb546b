/* SPDX-License-Identifier: BSD-3-Clause */
/* viewer/figures.js as bytes: figures.c is made from it (viewer/local.mk). */
#ifndef POLHODE_VIEWER_FIGURES_H
#define POLHODE_VIEWER_FIGURES_H

#include <stddef.h>

extern const char viewer_figures[];
extern const size_t viewer_figures_size;

#endif
