/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures in parts: who looks at every step, for an event, takes what it needs. */
#ifndef PH_INTERNAL_MEASURE_H
#define PH_INTERNAL_MEASURE_H

#include <polhode/columns.h>
#include <polhode/diagnostics.h>

enum {
    PH_MEASURE_ENERGY = 1 << 0,  /* energy, kinetic, potential */
    PH_MEASURE_FACTORS = 1 << 1, /* constraint_error, tangency, momentum_size, momenta */
    PH_MEASURE_ALL = PH_MEASURE_ENERGY | PH_MEASURE_FACTORS
};

/* As ph_diagnostics_measure; what is not among the parts is 0, and is not looked at. */
ph_status ph_diagnostics_measure_parts(ph_diagnostics *diagnostics, const ph_state *state, unsigned parts,
                                       ph_measures *measures);

/* The parts that columns are taken from. */
unsigned ph_columns_measures(const ph_columns *columns);

#endif
