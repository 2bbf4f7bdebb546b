/* SPDX-License-Identifier: BSD-3-Clause */
/* How the error of the momentum maps is called, and its unit: of spins that of J = sum Gamma_i s_i, in the model's units. */
#ifndef POLHODE_TOOLS_MOMENTUM_H
#define POLHODE_TOOLS_MOMENTUM_H

#include <polhode/domain/spins.h>
#include <polhode/system.h>

typedef struct momentum_words {
    const char *label, *unit;
} momentum_words;

/* system: nullable, where it is not known. */
static inline momentum_words momentum_name(const ph_system *system)
{
    const ph_symmetry *of_spins = ph_system_spins(system) ? ph_system_symmetry(system, 0) : NULL;
    const momentum_words spins = {"error of J", of_spins && of_spins->unit ? of_spins->unit : "kg m^2/s"},
                         others = {"momentum error", "kg m^2/s"};
    return of_spins ? spins : others;
}

#endif
