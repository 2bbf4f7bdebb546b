/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the numbers of a factor, and where they are in a configuration or momentum. */
#include "column-names.h"

#include <polhode/columns.h>

#include <stdio.h>

/* How the numbers of factor i are called. */
const ph_symbol *ph_number_symbol(const ph_space *space, size_t i, bool momentum)
{
    const ph_manifold *is = ph_space_manifold(space, i);
    return momentum ? &is->momenta : &is->configurations;
}

/* name <- of the k-th number of factor i. */
void ph_number_name(const ph_space *space, size_t i, bool momentum, size_t k, char *name)
{
    static const char axes[] = "xyz";
    const ph_symbol *s = ph_number_symbol(space, i, momentum);
    if (s->index == PH_INDEX_COUNT)
        snprintf(name, PH_COLUMN_NAME, "%s%zu_%zu", s->letters, i + 1, k + 1);
    else if (s->index == PH_INDEX_AXES)
        snprintf(name, PH_COLUMN_NAME, "%s%zu%c%c", s->letters, i + 1, axes[k / 3 % 3], axes[k % 3]);
    else if (s->index == PH_INDEX_AXIS)
        snprintf(name, PH_COLUMN_NAME, "%s%zu%c", s->letters, i + 1, axes[k % 3]);
    else
        snprintf(name, PH_COLUMN_NAME, "%s%zu", s->letters, i + 1);
}

/* Where the numbers of factor i begin in z, or in p. */
size_t ph_first_number(const ph_space *space, size_t i, bool momentum)
{
    const ph_factor_place *f = ph_space_factor(space, i);
    return momentum ? f->p : f->z;
}

/* How many they are. */
size_t ph_count_numbers(const ph_space *space, size_t i, bool momentum)
{
    const ph_factor_place *f = ph_space_factor(space, i);
    return momentum ? f->np : f->nz;
}

/* The factor that has the number `at` of the configuration or momentum. */
size_t ph_factor_of_number(const ph_space *space, bool momentum, size_t at)
{
    size_t low = 0, high = ph_space_factors(space);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (ph_first_number(space, middle, momentum) <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}
