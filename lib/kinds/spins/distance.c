/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances of spins, as chords |s_i - s_j|: the least of all pairs, and vortices that are at one point, where their energy
 * and velocity are infinite. */
#include "lib/internal/missing.h"
#include "spins.h"

#include <float.h>
#include <math.h>

double ph_spins_least_distance(const ph_system *system, const double *z)
{
    const ph_spins *is = ph_system_spins(system);
    if (!is)
        return NAN;
    double least = 4, all = 0;
    for (size_t i = 0; i < is->n; i++)
        all += z[3 * i] - z[3 * i] + (z[3 * i + 1] - z[3 * i + 1]) + (z[3 * i + 2] - z[3 * i + 2]);
    for (size_t i = 1; i < is->n; i++)
        for (size_t j = 0; j < i; j++) {
            const double square = ph_chord_square(z + 3 * i, z + 3 * j);
            least = square < least ? square : least;
        }
    return all == 0 ? sqrt(least) : NAN;
}

/* Nearer than this the direction from one to the other is rounding. */
static const double at_one_point = 4 * DBL_EPSILON;

static ph_status check_pair(const double *z, size_t i, size_t j, ph_error *err)
{
    const double *s = z + 3 * i;
    if (ph_chord_square(s, z + 3 * j) > at_one_point * at_one_point)
        return PH_OK;
    return ph_fail(
        err, PH_E_INVALID,
        "vortices %zu and %zu are both at (%.9g, %.9g, %.9g), where without a core their velocity is "
        "infinite; move one of them, or give them a core",
        i + 1, j + 1, s[0], s[1], s[2]);
}

ph_status ph_spins_check_apart(const ph_system *system, const double *z, ph_error *err)
{
    const ph_spins *is = ph_system_spins(system);
    if (!is)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_status status = PH_OK;
    for (size_t g = 0; g < is->n_bonds && !status; g++) {
        const ph_bonds *b = &is->bonds[g];
        if (b->kind != PH_BOND_VORTICES || b->core > 0)
            continue;
        for (size_t k = 0; k < b->n && !status; k++)
            status = check_pair(z, b->first[k], b->second[k], err);
        for (size_t i = 0; b->all_pairs && i < is->n; i++)
            for (size_t j = i + 1; j < is->n && !status; j++)
                status = check_pair(z, i, j, err);
    }
    return status;
}
