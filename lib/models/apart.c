/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that know of each other by the potential only: see internal/apart.h. */
#include "internal/apart.h"
#include "internal/space.h"

#include <stdlib.h>

ph_status ph_apart_build(size_t n, const ph_parameter_value *inertia, const ph_system_definition *rest,
                         const char *bodies, ph_system **system, ph_error *err)
{
    ph_system_definition definition = *rest;
    ph_space *space = NULL;
    double *M = rest->user ? calloc(n * n, sizeof *M) : NULL;
    ph_status status = M ? ph_space_create_power(PH_FACTOR_S2, n, &space, err)
                         : ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu %s", n, bodies);
    if (status) {
        rest->user_free(rest->user);
    } else {
        for (size_t i = 0; i < n; i++)
            M[i * n + i] = ph_parameter_entry(inertia, i);
        definition.space = space;
        definition.inertia = M;
        status = ph_system_create(&definition, system, err);
    }
    free(M);
    ph_space_free(space);
    return status;
}
