/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of relative equilibria that polhode equilibria has found: each once, up to the symmetry; and what ends the search. */
#include "equilibria.h"

#include <math.h>
#include <stdlib.h>

/* Two equilibria are the same if no coordinate differs by more, relative to the configuration. */
static const double same_to = 1e-6;

bool equilibria_is_alike(const findings *f, const ph_equilibrium *found)
{
    for (size_t i = 0; i < f->n; i++) {
        const ph_equilibrium *at = f->at[i];
        double off = at->modes == found->modes ? 0 : INFINITY, size = 0;
        for (size_t k = 0; k < found->modes && off < INFINITY; k++) {
            off = fmax(off, fabs(at->curvature[k] - found->curvature[k]));
            size = fmax(size, fabs(found->curvature[k]));
        }
        if (off <= same_to * size &&
            fabs(at->energy - found->energy) <= 1e-9 * fabs(at->energy) + 1e-12 * size)
            return true;
    }
    return false;
}

/* Has the system symmetries along which the workspace cannot bring two configurations together? */
static bool has_further_symmetries(const findings *f)
{
    return ph_system_symmetries(f->system) > (f->symmetry && !f->symmetry->generator);
}

bool equilibria_is_known(const findings *f, const ph_equilibrium *found)
{
    const size_t nz = ph_space_ambient(ph_system_space(f->system));
    double distance, size = 0;
    if (has_further_symmetries(f) && equilibria_is_alike(f, found))
        return true;
    for (size_t l = 0; l < nz; l++)
        size = fmax(size, fabs(found->z[l]));
    for (size_t i = 0; i < f->n; i++)
        if (!ph_equilibria_distance(f->workspace, found->z, f->at[i]->z, &distance) &&
            distance <= same_to * size)
            return true;
    return false;
}

ph_status equilibria_keep(findings *f, const ph_equilibrium *found, ph_error *err)
{
    ph_equilibrium **more = realloc(f->at, (f->n + 1) * sizeof *more);
    if (more)
        f->at = more;
    ph_equilibrium *copy = more ? ph_equilibrium_create(f->workspace) : NULL;
    if (!copy)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_equilibrium_copy(f->workspace, found, copy);
    f->at[f->n++] = copy;
    return PH_OK;
}

ph_status equilibria_interrupted(const char *what, ph_error *err)
{
    return *signal_flag() ? ph_fail(err, PH_E_INTERRUPTED, "interrupted %s", what) : PH_OK;
}

void equilibria_clear(findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->at[i]);
        if (f->families)
            free(f->families[i].at);
    }
    free(f->at);
    free(f->families);
    ph_equilibria_free(f->workspace);
}
