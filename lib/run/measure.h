/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures in parts: events, which are evaluated at every step, compute only the parts that they need. */
#ifndef PH_INTERNAL_MEASURE_H
#define PH_INTERNAL_MEASURE_H

#include <polhode/columns.h>
#include <polhode/diagnostics.h>

enum {
    PH_MEASURE_ENERGY = 1 << 0,  /* energy, kinetic, potential */
    PH_MEASURE_FACTORS = 1 << 1, /* errors of constraints, tangency, momentum_size, momenta */
    PH_MEASURE_ALL = PH_MEASURE_ENERGY | PH_MEASURE_FACTORS
};

/* As ph_diagnostics_measure, but only the parts named: the others are not computed and are 0. */
ph_status ph_diagnostics_measure_parts(ph_diagnostics *diagnostics, const ph_state *state, unsigned parts,
                                       ph_measures *measures);

/* The parts that columns are taken from. */
unsigned ph_columns_measures(const ph_columns *columns);

#endif
