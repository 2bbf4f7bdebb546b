/* SPDX-License-Identifier: BSD-3-Clause */
/* Equations of first order of spheres as phase space (polhode/domain/spins.h), in y = s: s_i' = (1/Gamma_i) (dH/ds_i) x s_i, with
 * damping. There are no velocities or momenta. */
#include "spins.h"

#include <polhode/domain/spins.h>

#include <string.h>

static ph_status supports(const ph_system *system, ph_error *err)
{
    return ph_system_spins(system)
               ? PH_OK
               : ph_fail(err, PH_E_UNSUPPORTED, "these are equations of spins; the system has momenta");
}

static size_t size(const ph_system *system)
{
    return ph_space_ambient(ph_system_space(system));
}

static size_t work_size(const ph_system *system)
{
    (void)system;
    return 0;
}

static ph_status evaluate(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    (void)work;
    return ph_spins_flow(system, t, y, ydot);
}

static ph_status from_momentum(const ph_system *system, double t, const double *z, const double *p, double *y,
                               double *work)
{
    (void)t, (void)p, (void)work;
    memcpy(y, z, size(system) * sizeof *y);
    return PH_OK;
}

static ph_status to_momentum(const ph_system *system, double t, const double *y, double *z, double *p,
                             double *work)
{
    (void)t, (void)p, (void)work;
    memcpy(z, y, size(system) * sizeof *z);
    return PH_OK;
}

static ph_status project(const ph_system *system, double *y)
{
    return ph_space_project(ph_system_space(system), y);
}

const ph_field ph_field_phase = {
    .name = "phase",
    .reference = "McLachlan, Modin, Verdier, Phys. Rev. E 89 (2014) 061301, eq. (1)",
    .supports = supports,
    .size = size,
    .work = work_size,
    .evaluate = evaluate,
    .from_momentum = from_momentum,
    .to_momentum = to_momentum,
    .project = project,
};
