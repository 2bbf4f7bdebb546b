/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a comparison. */
#ifndef POLHODE_BENCH_FIGURES_H
#define POLHODE_BENCH_FIGURES_H

#include "report.h"

typedef enum figure {
    FIGURE_ENERGY,          /* energy error over time, same step */
    FIGURE_ENERGY_CPU,      /* the same at the same CPU time */
    FIGURE_CONSTRAINT,      /* constraint error over time */
    FIGURE_MOMENTUM,        /* momentum error over time */
    FIGURE_TRAJECTORY_WORK, /* trajectory error against CPU time */
    FIGURE_ENERGY_WORK,     /* energy error against CPU time */
    FIGURES
} figure;

/* Is trial i shown next to others of its group on this basis? At the same CPU time the reference contender is
 * represented by its trial at the same step. */
int figure_shows(const comparison *c, size_t i, trial_basis basis);

/* The caption, with all that is needed to read the figure; and a description, for those who cannot see it.
 * Texts (malloc; NULL without memory). */
char *figure_caption(const comparison *c, figure which);
char *figure_words(const comparison *c, figure which);

/* Write it in a page, or why a logarithmic axis can show nothing. PH_E_NO_MEMORY. */
ph_status figure_write(FILE *f, const comparison *c, figure which, ph_error *err);

#endif
