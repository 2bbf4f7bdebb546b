/* SPDX-License-Identifier: BSD-3-Clause */
/* The multipliers of velocity constraints at a state (ph_system_reactions), by the equations of motion (product.c). */
#include "equations.h"

#include <polhode/constraints.h>

size_t ph_system_reactions_work(const ph_system *system)
{
    return ph_product_work(system);
}

ph_status ph_system_reactions(const ph_system *system, double t, const double *z, const double *zdot,
                              double *lambda, double *work)
{
    if (!system)
        return PH_E_INVALID;
    if (!ph_system_constraints(system))
        return PH_OK;
    return ph_system_is_dense(system) ? ph_product_reactions(system, t, z, zdot, lambda, work)
                                      : PH_E_UNSUPPORTED;
}
