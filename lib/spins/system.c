/* SPDX-License-Identifier: BSD-3-Clause */
/* A system of spins as its users see it (polhode/spins.h): its description, its energy with all that it is a sum
 * of, and its vector field. */
#include <polhode/spins.h>

#include "lib/system/system.h"

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

ph_status ph_spins_flow(const ph_system *system, double t, const double *z, double *v)
{
    ph_status status = ph_spins_gradient(system, t, z, v);
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

ph_status ph_spins_control(const ph_system *system, double t, double *B)
{
    if (!system || !system->spins)
        return PH_E_INVALID;
    B[0] = B[1] = B[2] = 0;
    return system->spins->is.control ? system->spins->is.control(system->is.user, t, B, NULL) : PH_OK;
}

ph_status ph_spins_bond_function(const ph_system *system, size_t group, double x, double *f)
{
    if (!system || !system->spins || group >= system->spins->is.n_bonds)
        return PH_E_INVALID;
    const ph_bonds *b = &system->spins->is.bonds[group];
    return b->kind == PH_BOND_FUNCTION ? b->function(system->is.user, x, f) : PH_E_INVALID;
}
