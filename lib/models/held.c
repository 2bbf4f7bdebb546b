/* SPDX-License-Identifier: BSD-3-Clause */
/* A body that may not turn about one axis: see held.h. */
#include "held.h"

#include <string.h>

/* x (3) <- the fixed point. */
static ph_status places(void *user, const double *z, double *x)
{
    (void)user, (void)z;
    memset(x, 0, 3 * sizeof *x);
    return PH_OK;
}

ph_status ph_held_build(const ph_parameter_value *table, ph_velocity_constraint_fn row,
                        ph_velocity_constraint_along_fn along, const ph_symmetry *symmetries, size_t n,
                        ph_system **system, ph_error *err)
{
    const ph_factor factor = {.kind = PH_FACTOR_SO3};
    double J[9], MM[81] = {0};
    ph_space *space = NULL;
    ph_status status = ph_body_tensor(table[PH_HELD_INERTIA].values, table[PH_HELD_PRODUCTS].values, J, err);
    if (!status)
        status = ph_space_create(&factor, 1, &space, err);
    if (status)
        return status;
    ph_body_add_inertia(J, 9, 0, MM);
    const ph_system_definition definition = {.space = space,
                                             .ambient_inertia = MM,
                                             .constraint = row,
                                             .constraint_along = along,
                                             .n_constraints = 1,
                                             .points = places,
                                             .n_points = 1,
                                             .symmetries = symmetries,
                                             .n_symmetries = n};
    status = ph_system_create(&definition, system, err);
    ph_space_free(space);
    return status;
}
