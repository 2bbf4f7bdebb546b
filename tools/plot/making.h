/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that are made together: the rows of the archives are read once for all of them and for the errors of the runs, or twice where
 * a figure needs to know how far its curves reach before it can thin them. */
#ifndef POLHODE_TOOLS_PLOT_MAKING_H
#define POLHODE_TOOLS_PLOT_MAKING_H

#include "figures.h"

/* The figure is begun: m->status and m->err say whether it can be made. `in` must outlive it. NULL: there is no memory. */
making *making_begin(const figure *which, const plot_input *in);

/* Sweeps the rows of the runs (in->n) of the figures (n), which are those of their input, and have not been swept; n = 0: for their errors
 * alone. A figure that fails says so in its status, and does not stop others. Shows progress unless quiet. PH_E_INTERRUPTED,
 * PH_E_NO_MEMORY. */
ph_status makings_sweep(making *const *all, size_t n, archived *runs, const plot_input *in, bool quiet,
                        ph_error *err);

/* m->picture <- the figure, after the sweeps. m->status, m->err. */
ph_status making_finish(making *m);

/* Why the picture is empty: what its words say of the runs, or that nothing is there. */
const char *making_why_empty(const making *m);

/* NULL is allowed. */
void making_free(making *m);

#endif
