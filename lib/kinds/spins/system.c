/* SPDX-License-Identifier: BSD-3-Clause */
/* A system of spins as its users see it (polhode/domain/spins.h): its description, its energy with all that it is
 * a sum of, and its vector field. */
#include <polhode/domain/spins.h>

#include <polhode/kit/vector.h>

#include "spins.h"

#include <math.h>
#include <string.h>

void ph_spins_release(void *own)
{
    ph_spins_free(own);
}

ph_spin_system *ph_own_spins(const ph_system *system)
{
    return system ? ph_system_own(system, ph_spins_release) : NULL;
}

const ph_spins *ph_system_spins(const ph_system *system)
{
    const ph_spin_system *spins = ph_own_spins(system);
    return spins ? &spins->is : NULL;
}

bool ph_spins_are_declared(const ph_system *system)
{
    const ph_spin_system *spins = ph_own_spins(system);
    return spins && spins->whole;
}

bool ph_spins_are_damped(const ph_system *system)
{
    const ph_spin_system *spins = ph_own_spins(system);
    return spins && spins->damped;
}

ph_status ph_spins_energy(const ph_system *system, double t, const double *z, double *H)
{
    double in_time = 0;
    if (!ph_own_spins(system))
        return PH_E_INVALID;
    ph_status status = ph_system_potential(system, z, H);
    if (!status && ph_system_depends_on_time(system))
        status = ph_system_potential_in_time(system, t, z, &in_time);
    *H += in_time;
    return status;
}

ph_status ph_spins_gradient(const ph_system *system, double t, const double *z, double *g)
{
    const ph_spin_system *spins = ph_own_spins(system);
    if (!spins)
        return PH_E_INVALID;
    ph_status status = ph_system_gradient(system, z, g);
    if (!status && spins->is.control)
        status = ph_spins_add_control_gradient(spins, system->is.user, t, g);
    if (!status && system->is.gradient_in_time)
        status = system->is.gradient_in_time(system->is.user, t, z, g);
    return status;
}

ph_status ph_spins_torque(const ph_system *system, double t, const double *z, double *T)
{
    const ph_spin_system *spins = ph_own_spins(system);
    if (!spins)
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
    return status ? status : ph_spins_turn(spins, is->user, t, z, given, T);
}

ph_status ph_spins_flow(const ph_system *system, double t, const double *z, double *v)
{
    ph_status status = ph_spins_torque(system, t, z, v);
    if (!status)
        ph_spins_field(ph_own_spins(system), z, v, v);
    return status;
}

/* So many are summed before they are added to the whole: rounding grows with the number of these sums. */
enum { BLOCK = 256 };

void ph_spins_tally(const ph_spin_system *spins, const double *z, double *J, double *residual)
{
    const ph_spins *is = &spins->is;
    double least = 1, most = 1, finite = 0;
    J[0] = J[1] = J[2] = 0;
    for (size_t begin = 0; begin < is->n; begin += BLOCK) {
        double some[3] = {0, 0, 0};
        for (size_t i = begin; i < begin + BLOCK && i < is->n; i++) {
            const double *s = z + 3 * i, strength = ph_spin_strength(is, i), square = ph_dot3(s, s);
            least = square < least ? square : least;
            most = square > most ? square : most;
            finite += square - square; /* NaN if one of them is not */
            for (size_t k = 0; k < 3; k++)
                some[k] += strength * s[k];
        }
        for (size_t k = 0; k < 3; k++)
            J[k] += some[k];
    }
    *residual = finite == 0 ? fmax(sqrt(most) - 1, 1 - sqrt(least)) : NAN;
}

ph_status ph_spins_momentum(const ph_system *system, const double *z, double *J)
{
    double residual;
    const ph_spin_system *spins = ph_own_spins(system);
    if (!spins)
        return PH_E_INVALID;
    ph_spins_tally(spins, z, J, &residual);
    return PH_OK;
}

ph_status ph_spins_control(const ph_system *system, double t, double *B)
{
    const ph_spin_system *spins = ph_own_spins(system);
    if (!spins)
        return PH_E_INVALID;
    B[0] = B[1] = B[2] = 0;
    return spins->is.control ? spins->is.control(system->is.user, t, B, NULL) : PH_OK;
}

ph_status ph_spins_bond_function(const ph_system *system, size_t group, double x, double *f)
{
    const ph_spin_system *spins = ph_own_spins(system);
    if (!spins || group >= spins->is.n_bonds)
        return PH_E_INVALID;
    const ph_bonds *b = &spins->is.bonds[group];
    return b->kind == PH_BOND_FUNCTION ? b->function(system->is.user, x, f) : PH_E_INVALID;
}
