/* SPDX-License-Identifier: BSD-3-Clause */
/* A system of spins as its users see it (polhode/spins.h): its description, its energy with all that it is
 * a sum of, and its vector field. */
#include <polhode/spins.h>

#include "lib/system/system.h"

#include <string.h>

const ph_spins *ph_system_spins(const ph_system *system)
{
    return system && system->spins ? &system->spins->is : NULL;
}

bool ph_spins_are_declared(const ph_system *system)
{
    return system && system->spins && system->spins->whole;
}

bool ph_spins_are_damped(const ph_system *system)
{
    return system && system->spins && system->spins->damped;
}

ph_status ph_spins_energy(const ph_system *system, double t, const double *z, double *H)
{
    double in_time = 0;
    if (!system || !system->spins)
        return PH_E_INVALID;
    ph_status status = ph_system_potential(system, z, H);
    if (!status && ph_system_depends_on_time(system))
        status = ph_system_potential_in_time(system, t, z, &in_time);
    *H += in_time;
    return status;
}

ph_status ph_spins_gradient(const ph_system *system, double t, const double *z, double *g)
{
    if (!system || !system->spins)
        return PH_E_INVALID;
    ph_status status = ph_system_gradient(system, z, g);
    if (!status && system->spins->is.control)
        status = ph_spins_add_control_gradient(system->spins, system->is.user, t, g);
    if (!status && system->is.gradient_in_time)
        status = system->is.gradient_in_time(system->is.user, t, z, g);
    return status;
}

ph_status ph_spins_torque(const ph_system *system, double t, const double *z, double *T)
{
    if (!system || !system->spins)
        return PH_E_INVALID;
    const ph_system_definition *is = &system->is;
    const bool given = is->gradient || is->gradient_in_time;
    ph_status status = PH_OK;
    if (is->gradient)
        status = is->gradient(is->user, z, T);
    else if (given)
        memset(T, 0, system->nz * sizeof *T);
    if (!status && is->gradient_in_time)
        status = is->gradient_in_time(is->user, t, z, T);
    return status ? status : ph_spins_turn(system->spins, is->user, t, z, given, T);
}

ph_status ph_spins_flow(const ph_system *system, double t, const double *z, double *v)
{
    ph_status status = ph_spins_torque(system, t, z, v);
    if (!status)
        ph_spins_field(system->spins, z, v, v);
    return status;
}

ph_status ph_spins_momentum(const ph_system *system, const double *z, double *J)
{
    if (!system || !system->spins)
        return PH_E_INVALID;
    const ph_spins *is = &system->spins->is;
    for (size_t k = 0; k < 3; k++)
        J[k] = 0;
    for (size_t i = 0; i < is->n; i++)
        for (size_t k = 0; k < 3; k++)
            J[k] += ph_spin_strength(is, i) * z[3 * i + k];
    return PH_OK;
}
