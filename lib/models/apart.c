/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that are coupled by the potential only: see apart.h. They are described as a linkage in which all of
 * them hang from the fixed point by links of length 1, so that M is known to be diagonal. */
#include "apart.h"

#include <stdlib.h>

ph_status ph_apart_build(size_t n, const ph_parameter_value *inertia, const ph_system_definition *rest,
                         const char *bodies, ph_system **system, ph_error *err)
{
    ph_system_definition definition = *rest;
    ph_space *space = NULL;
    double *numbers = rest->user ? malloc(2 * n * sizeof *numbers) : NULL;
    size_t *parents = numbers ? malloc(n * sizeof *parents) : NULL;
    ph_status status = parents ? ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, n, &space, err)
                               : ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu %s", n, bodies);
    if (status) {
        rest->user_free(rest->user);
    } else {
        const ph_linkage linkage = {.parent = parents, .length = numbers, .mass = numbers + n};
        for (size_t i = 0; i < n; i++) {
            parents[i] = PH_NO_INDEX;
            numbers[i] = 1;
            numbers[n + i] = ph_parameter_entry(inertia, i);
        }
        definition.space = space;
        definition.linkage = &linkage;
        status = ph_system_create(&definition, system, err);
    }
    free(parents);
    free(numbers);
    ph_space_free(space);
    return status;
}
