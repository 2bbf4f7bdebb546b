/* SPDX-License-Identifier: BSD-3-Clause */
/* Unit masses with one constraint: see oscillator.h. */
#include "oscillator.h"

#include <stdlib.h>
#include <string.h>

ph_status ph_oscillator_build(const ph_factor *factors, size_t n, const double *numbers, size_t many,
                              ph_system_definition d, ph_system **system, ph_error *err)
{
    double MM[49] = {0}, *own = malloc(2 * sizeof *own);
    ph_space *space = NULL;
    ph_status status =
        own ? ph_space_create(factors, n, &space, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status) {
        free(own);
        return status;
    }
    const size_t nz = ph_space_ambient(space);
    for (size_t i = 0; i < nz; i++)
        MM[i * (nz + 1)] = 1;
    memcpy(own, numbers, many * sizeof *own);
    d.space = space;
    d.ambient_inertia = d.lagrangian ? NULL : MM;
    d.n_constraints = 1;
    d.user = own;
    d.user_free = free;
    status = ph_system_create(&d, system, err);
    ph_space_free(space);
    return status;
}
