/* SPDX-License-Identifier: BSD-3-Clause */
/* The fastest rate of spins: the largest |eigenvalue| of the vector field linearised at a configuration, A = D(P X) on
 * tangent vectors. Power iteration: |A^k u| grows like that eigenvalue to the power k, also where a pair +-i w turns u;
 * the rate is the mean growth of the later steps. A u is by differences. */
#include "spins.h"

#include <polhode/algebra.h>

#include "lib/internal/missing.h"
#include "lib/system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 120, FIRST = 40 };
static const double width = 1e-4; /* of the differences: their error is 1e-8, their rounding 1e-12 */

/* v (3n) <- the vector field at t = 0 at the point that is s along u from z; there (3n): scratch. */
static ph_status field_along(const ph_system *system, const double *z, const double *u, double s,
                             double *there, double *v)
{
    for (size_t k = 0; k < system->nz; k++)
        there[k] = z[k] + s * u[k];
    ph_status status = ph_space_project(system->space, there);
    return status ? status : ph_spins_flow(system, 0, there, v);
}

ph_status ph_spins_fastest_rate(const ph_system *system, const double *z, double *rate, ph_error *err)
{
    const size_t nz = system->nz;
    double *u = malloc(4 * nz * sizeof *u), *there = u + nz, *v = there + nz, *w = v + nz;
    double growth = 0;
    ph_status status = u ? PH_OK : PH_E_NO_MEMORY;
    for (size_t k = 0; k < nz && u; k++) /* a part along every eigenvector */
        u[k] = 1 + 0.9 * sin(2.7 * (double)k * (double)k + 1);
    *rate = 0;
    for (int pass = 0; pass <= PASSES && !status; pass++) {
        ph_space_project_tangent(system->space, z, u);
        double square = 0;
        for (size_t k = 0; k < nz; k++)
            square += u[k] * u[k];
        const double size = sqrt(square);
        if (!isfinite(size))
            status = PH_E_NOT_FINITE;
        if (status || !(size > 0))
            break;
        if (pass > FIRST)
            growth += log(size);
        for (size_t k = 0; k < nz; k++)
            u[k] /= size;
        if (pass == PASSES) {
            *rate = exp(growth / (PASSES - FIRST));
            break;
        }
        status = field_along(system, z, u, width, there, v);
        if (!status)
            status = field_along(system, z, u, -width, there, w);
        for (size_t k = 0; k < nz && !status; k++)
            u[k] = (v[k] - w[k]) / (2 * width);
    }
    free(u);
    return status == PH_E_NO_MEMORY ? ph_fail(err, status, "out of memory")
           : status
               ? ph_fail(err, status, "the vector field near the configuration: %s", ph_status_text(status))
               : PH_OK;
}
