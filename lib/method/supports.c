/* SPDX-License-Identifier: BSD-3-Clause */
/* What a method says of a system: whether it takes it, its order and its claims there. */
#include <polhode/constraints.h>
#include <polhode/domain/routh.h>
#include <polhode/method.h>

#include "lib/internal/missing.h"
#include "lib/system/structure.h"

ph_status ph_method_supports(const ph_method *method, const ph_system *system, ph_error *err)
{
    if (!method)
        return ph_not_found(err, "method", "ph_method_find");
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    if (!method->takes_constraints && ph_system_constraints(system) &&
        !(method->takes_reduced && ph_system_whole(system, NULL)))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "the method %s does not keep velocity constraints, of which this system has %zu: dla does, "
            "and those on the continuous equations such as rk4-projected",
            method->name, ph_system_constraints(system));
    const ph_structure *of = ph_structure_of(system);
    if (of->suits && !of->suits(method))
        return ph_fail(err, PH_E_UNSUPPORTED, "the method %s %s", method->name, of->unsuited);
    return method->supports ? method->supports(system, err) : PH_OK;
}

int ph_method_order(const ph_method *method, const ph_system *system, const double *options)
{
    return method->order_for && !ph_method_supports(method, system, NULL) ? method->order_for(system, options)
                                                                          : method->order;
}

unsigned ph_method_claims(const ph_method *method, const ph_system *system, const double *options)
{
    return method->claims | (method->claims_for && !ph_method_supports(method, system, NULL)
                                 ? method->claims_for(system, options)
                                 : 0);
}
