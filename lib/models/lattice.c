/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites and bonds of a lattice: see lattice.h. */
#include "lattice.h"
#include "lib/internal/missing.h"

static const size_t most_sites = PH_MOST_SITES;

/* The distance of neighbours along an axis, as numbers of sites. */
static size_t stride_of(const ph_lattice *l, size_t axis)
{
    return axis == 0 ? 1 : axis == 1 ? l->side[0] : l->side[0] * l->side[1];
}

size_t ph_lattice_sites(const ph_lattice *l)
{
    return l->side[0] * l->side[1] * l->side[2];
}

size_t ph_lattice_bonds(const ph_lattice *l, size_t axis)
{
    const size_t lines = ph_lattice_sites(l) / l->side[axis];
    return l->side[axis] == 1 ? 0 : lines * (l->side[axis] - !l->periodic[axis]);
}

void ph_lattice_list(const ph_lattice *l, size_t axis, uint32_t *first, uint32_t *second)
{
    const size_t sites = ph_lattice_sites(l), stride = stride_of(l, axis), side = l->side[axis];
    size_t n = 0;
    for (size_t i = 0; i < sites && side > 1; i++)
        if (i / stride % side + 1 < side) {
            first[n] = (uint32_t)i;
            second[n++] = (uint32_t)(i + stride);
        }
    for (size_t i = 0; i < sites && side > 1 && l->periodic[axis]; i++)
        if (i / stride % side + 1 == side) {
            first[n] = (uint32_t)i;
            second[n++] = (uint32_t)(i - (side - 1) * stride);
        }
}

ph_status ph_lattice_check(const ph_lattice *l, const char *const names[3], ph_error *err)
{
    size_t sites = 1;
    for (size_t a = 0; a < 3; a++) {
        if (l->side[a] > most_sites / sites)
            return ph_fail(err, PH_E_RANGE, "the lattice has more than %zu sites", most_sites);
        sites *= l->side[a];
        if (l->periodic[a] && l->side[a] == 1)
            return ph_fail(
                err, PH_E_INVALID,
                "%s is 1 and periodic: the site would be its own neighbour; take at least 3 sites, or "
                "an open line",
                names[a]);
        if (l->periodic[a] && l->side[a] == 2)
            return ph_fail(
                err, PH_E_INVALID,
                "%s is 2 and periodic: both bonds would be between the same two sites; take at least 3 "
                "sites, or an open line (with twice the exchange, if that is meant)",
                names[a]);
    }
    return PH_OK;
}
