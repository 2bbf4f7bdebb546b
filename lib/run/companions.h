/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of bodies under mutual gravity (polhode/domain/gravitation.h): orbits, distances, attitudes against the orbit, energies by
 * part. Their names and units are in column-kinds.c, their numbers in companions.c. */
#ifndef PH_RUN_COMPANIONS_H
#define PH_RUN_COMPANIONS_H

#include <polhode/kit/vector.h>

#include "column-kinds.h"

/* Of member i, of which a central body is the first. */
static inline const ph_mass *ph_companion_mass(const ph_gravitation *g, size_t i)
{
    const ph_mass *central = ph_gravitation_central(g);
    return central && i == 0 ? central : ph_gravitation_mass(g, i - (central != NULL));
}

/* [m] between the members i < j at z. */
static inline double ph_companion_distance(const ph_gravitation *g, const double *z, size_t i, size_t j)
{
    const size_t center = ph_gravitation_central(g) != NULL;
    double x[3];
    if (ph_gravitation_is_relative(g) || (center && i == 0))
        return ph_norm3(z + 3 * (j - 1));
    for (size_t k = 0; k < 3; k++)
        x[k] = z[3 * (j - center) + k] - z[3 * (i - center) + k];
    return ph_norm3(x);
}

/* What it takes to see states of one system so. */
typedef struct ph_companions ph_companions;

/* kinds: those that will be asked for, a bit 1 << kind for each. PH_E_NO_MEMORY. */
ph_status ph_companions_create(const ph_system *system, unsigned kinds, ph_companions **companions,
                               ph_error *err);
void ph_companions_free(ph_companions *companions);
/* Computes the kinds at a state; no allocation. */
void ph_companions_see(ph_companions *companions, const ph_state *state);
/* The state that was seen last, NULL: none. */
const ph_state *ph_companions_seen(const ph_companions *companions);
/* Those of the kind, which has been asked for. */
const double *ph_companions_values(const ph_companions *companions, ph_column_kind kind);

#endif
