/* SPDX-License-Identifier: BSD-3-Clause */
/* What formulations share: the systems that they take, and their variables y, which are (z, a vector like z) or
 * (z, numbers like p): sizes, projections, and conversions from and to (z, p). */
#include "equations.h"
#include "lib/system/structure.h"

#include <polhode/constraints.h>
#include <polhode/kit/tensions.h>

#include <string.h>

/* ---- Which systems a form takes -------------------------------------------------------------------- */

bool ph_field_is_direct(const ph_system *system)
{
    return (ph_structure_of(system)->invert || ph_system_is_sparse(system)) && !ph_system_constraints(system);
}

ph_status ph_field_dense_supports(const ph_system *system, ph_error *err)
{
    if (ph_field_is_direct(system) || ph_system_is_dense(system))
        return PH_OK;
    return ph_fail(err, PH_E_UNSUPPORTED, "it factors dense matrices, which %s",
                   ph_structure_of(system)->no_matrices);
}

ph_status ph_field_singular(const ph_system *system, bool finite)
{
    return !finite                                           ? PH_E_NOT_FINITE
           : ph_system_kind(system) == PH_LAGRANGIAN_GENERAL ? PH_E_SINGULAR
                                                             : PH_E_DIVERGED;
}

/* ---- Variables ------------------------------------------------------------------------------------- */

size_t ph_field_pair_size(const ph_system *system)
{
    return 2 * ph_space_ambient(ph_system_space(system));
}

/* z to its nearest point, and the second half tangent there. */
ph_status ph_field_pair_project(const ph_system *system, double *y)
{
    const ph_space *space = ph_system_space(system);
    ph_status status = ph_space_project(space, y);
    if (!status)
        ph_space_project_tangent(space, y, y + ph_space_ambient(space));
    return status;
}

ph_status ph_field_velocity_from_momentum(const ph_system *system, double t, const double *z, const double *p,
                                          double *y, double *work)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    memcpy(y, z, nz * sizeof *y);
    return ph_system_velocity(system, t, z, p, y + nz, work);
}

ph_status ph_field_velocity_to_momentum(const ph_system *system, double t, const double *y, double *z,
                                        double *p, double *work)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    memcpy(z, y, nz * sizeof *z);
    return ph_system_momentum(system, t, y, y + nz, p, work);
}

ph_status ph_field_covector_from_momentum(const ph_system *system, double t, const double *z, const double *p,
                                          double *y, double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    (void)t, (void)work;
    memcpy(y, z, nz * sizeof *y);
    ph_space_covector(space, z, p, y + nz);
    return PH_OK;
}

ph_status ph_field_covector_to_momentum(const ph_system *system, double t, const double *y, double *z,
                                        double *p, double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    (void)t, (void)work;
    memcpy(z, y, nz * sizeof *z);
    ph_space_momentum(space, y, y + nz, p);
    return PH_OK;
}

size_t ph_field_mixed_size(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    return ph_space_ambient(space) + ph_space_momenta(space);
}

ph_status ph_field_mixed_project(const ph_system *system, double *y)
{
    const ph_space *space = ph_system_space(system);
    ph_status status = ph_space_project(space, y);
    if (!status) /* an angular velocity on S^2 is perpendicular to q like a momentum */
        ph_space_project_momentum(space, y, y + ph_space_ambient(space));
    return status;
}
