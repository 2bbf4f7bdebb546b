/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances of numbers at axes. */
#ifndef POLHODE_FIGURES_TICKS_H
#define POLHODE_FIGURES_TICKS_H

/* 1, 2 or 5 times a power of ten: about `most` of them fit into the length, and not more. */
double tick_step(double length, double most);

#endif
