/* SPDX-License-Identifier: BSD-3-Clause */
/* Are two systems of one shape, so that they can be members of one ensemble: the same product of factors, the same kind and
 * strength of Lagrangian, as many velocity constraints? */
#include <polhode/constraints.h>

#include "lib/system/structure.h"
#include "members.h"

/* What there is of a Lagrangian, for messages. */
static const char *strength(const ph_system *s)
{
    static const char *const words[] = {[PH_INERTIA_CONSTANT] = "a constant inertia",
                                        [PH_INERTIA_VARYING] = "an inertia that varies",
                                        [PH_LAGRANGIAN_GENERAL] = "a general Lagrangian",
                                        [PH_PHASE_SPACE] = "an energy on phase space"};
    return words[ph_system_kind(s)];
}

ph_status ph_check_shape(const ph_system *like, const ph_system *s, size_t i, ph_error *err)
{
    const ph_space *a = ph_system_space(like), *b = ph_system_space(s);
    const size_t n = ph_space_factors(a), constraints = ph_system_constraints(like);
    const char *kind = ph_structure_of(like)->name;
    if (n != ph_space_factors(b))
        return ph_fail(err, PH_E_INVALID, "member %zu: its system has %zu factors, the integrator's %zu", i,
                       ph_space_factors(b), n);
    for (size_t k = 0; k < n; k++) {
        const ph_factor_place *f = ph_space_factor(a, k), *g = ph_space_factor(b, k);
        if (f->kind != g->kind || f->nz != g->nz || f->np != g->np || f->nx != g->nx)
            return ph_fail(err, PH_E_INVALID,
                           "member %zu: factor %zu is a %s with %zu coordinates, that of the integrator's "
                           "system a %s with %zu",
                           i, k, ph_space_factor_words(b, k)->noun, g->nz, ph_space_factor_words(a, k)->noun,
                           f->nz);
    }
    if (ph_structure_of(s) != ph_structure_of(like))
        return ph_fail(err, PH_E_INVALID,
                       "member %zu: its system is of the kind \"%s\", the integrator's \"%s\"", i,
                       ph_structure_of(s)->name, kind);
    if (ph_system_kind(s) != ph_system_kind(like))
        return ph_fail(err, PH_E_INVALID, "member %zu: its system has %s, the integrator's %s", i,
                       strength(s), strength(like));
    if (ph_system_constraints(s) != constraints)
        return ph_fail(err, PH_E_INVALID,
                       "member %zu: its system has %zu velocity constraints, the integrator's %zu", i,
                       ph_system_constraints(s), constraints);
    return PH_OK;
}
