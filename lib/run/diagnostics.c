/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring one state: energy through the inverse Legendre transform (of linkages from the momenta
 * themselves), constraint error, q.pi, momentum maps. Archives need this for every row, so that all
 * quantities of spheres are computed in one loop. */
#include <polhode/constraints.h>
#include <polhode/diagnostics.h>
#include <polhode/kit/algebra.h>
#include <polhode/kit/memory.h>

#include "lib/internal/missing.h"
#include "lib/system/evaluation.h"
#include "lib/system/structure.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ph_diagnostics {
    const ph_system *system;
    double *zdot, *work, *momenta;
    size_t first_sphere, spheres; /* the space ends with so many consecutive spheres; ... */
    size_t sphere_z, sphere_p;    /* ... their numbers in z and p begin here */
};

/* Where the spheres begin with which the space ends: chains and trees of links have no others. */
static void find_spheres(ph_diagnostics *d)
{
    const ph_space *space = ph_system_space(d->system);
    size_t i = ph_structure_of(d->system)->tally ? 0 : ph_space_factors(space);
    d->sphere_z = ph_space_ambient(space);
    d->sphere_p = ph_space_momenta(space);
    for (; i > 0 && ph_space_factor(space, i - 1)->kind == PH_FACTOR_S2; i--, d->spheres++) {
        d->sphere_z = ph_space_factor(space, i - 1)->z;
        d->sphere_p = ph_space_factor(space, i - 1)->p;
    }
    d->first_sphere = i;
}

ph_status ph_diagnostics_create(const ph_system *system, ph_diagnostics **diagnostics, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_diagnostics *d = NULL;
    ph_lay l = {NULL, 0};
    const bool bare = ph_structure_of(system)->no_velocities; /* the energy is one of z, without work */
    const size_t more = bare                            ? 0
                        : ph_system_constraints(system) ? ph_system_constraint_work(system)
                                                        : ph_system_work(system);
    for (int pass = 0; pass < 2; pass++) {
        d = ph_lay_bytes(&l, sizeof *d);
        double *zdot = ph_lay_doubles(&l, bare ? 0 : ph_space_ambient(ph_system_space(system)));
        double *work = ph_lay_doubles(&l, more);
        double *momenta = ph_lay_doubles(&l, ph_system_symmetries(system));
        if (d)
            *d = (ph_diagnostics){.system = system, .zdot = zdot, .work = work, .momenta = momenta};
        else if (!(l = (ph_lay){malloc(l.bytes), 0}).base)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    find_spheres(d);
    *diagnostics = d;
    return PH_OK;
}

void ph_diagnostics_free(ph_diagnostics *d)
{
    free(d);
}

const ph_system *ph_diagnostics_system(const ph_diagnostics *d)
{
    return d->system;
}

/* max, but NaN stays */
static double larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b;
}

/* Adds what factor i contributes. */
static void tally_factor(const ph_system *system, size_t i, const ph_state *state, ph_tally *t)
{
    const ph_space *space = ph_system_space(system);
    const ph_factor_place *f = ph_space_factor(space, i);
    double square = 0;
    for (size_t k = 0; k < f->np; k++)
        square += state->p[f->p + k] * state->p[f->p + k];
    t->size += sqrt(square);
    t->residual = larger(t->residual, ph_space_factor_residual(space, i, state->z));
    t->tangency = larger(t->tangency, ph_space_factor_momentum_tangency(space, i, state->z, state->p));
    ph_system_add_turn(system, i, state->z, state->p, t->turns);
}

/* The same for n consecutive spheres. One square root is enough for all norms of q. */
static void tally_spheres(size_t n, const double *q, const double *p, ph_tally *t)
{
    double least = 1, most = 1, tangency = t->tangency, size = t->size,
           turns[3] = {t->turns[0], t->turns[1], t->turns[2]}, all = 0;
    for (size_t i = 0; i < n; i++, q += 3, p += 3) {
        const double square = ph_dot3(q, q), along = fabs(ph_dot3(q, p));
        least = square < least ? square : least;
        most = square > most ? square : most;
        tangency = along > tangency ? along : tangency;
        size += ph_norm3(p);
        all += square - square + (along - along); /* NaN if one of them is not finite */
        for (size_t k = 0; k < 3; k++)
            turns[k] += p[k];
    }
    t->residual = all == 0 ? larger(t->residual, fmax(sqrt(most) - 1, 1 - sqrt(least))) : NAN;
    t->tangency = all == 0 ? tangency : NAN;
    t->size = size;
    memcpy(t->turns, turns, sizeof turns);
}

/* The potential energy with that of a potential that depends on time, at the state's. */
static ph_status measure_energy(ph_diagnostics *d, const ph_state *state, ph_measures *m)
{
    double in_time = 0;
    ph_status status = ph_system_energies(d->system, state->t, state->z, state->p, &m->kinetic, &m->potential,
                                          d->zdot, d->work);
    if (!status && ph_system_depends_on_time(d->system))
        status = ph_system_potential_in_time(d->system, state->t, state->z, &in_time);
    m->potential += in_time;
    return status;
}

/* Constraint error, tangency, size of the momentum, and all momentum maps. */
static ph_status measure_factors(ph_diagnostics *d, const ph_state *state, ph_measures *m)
{
    ph_tally t = {0};
    const ph_structure *of = ph_structure_of(d->system);
    ph_status status = PH_OK;
    if (of->tally) {
        of->tally(d->system, state->z, &t);
    } else {
        for (size_t i = 0; i < d->first_sphere; i++)
            tally_factor(d->system, i, state, &t);
        tally_spheres(d->spheres, state->z + d->sphere_z, state->p + d->sphere_p, &t);
    }
    for (size_t i = 0; i < ph_system_symmetries(d->system) && !status; i++) {
        const ph_symmetry *symmetry = ph_system_symmetry(d->system, i);
        if (symmetry->generator)
            status = ph_system_momentum_map(d->system, i, state->z, state->p, &d->momenta[i], d->work);
        else
            d->momenta[i] = ph_rotation_map(symmetry->axis, t.turns);
    }
    if (ph_system_constraints(d->system) && !status) {
        status = ph_system_velocity(d->system, state->t, state->z, state->p, d->zdot, d->work);
        if (!status)
            status = ph_system_constraint_error(d->system, state->t, state->z, d->zdot,
                                                &m->velocity_constraint_error, d->work);
    }
    m->constraint_error = t.residual;
    m->tangency = t.tangency;
    m->momentum_size = t.size;
    return status;
}

ph_status ph_diagnostics_measure_parts(ph_diagnostics *d, const ph_state *state, unsigned parts,
                                       ph_measures *m)
{
    ph_status status = PH_OK;
    *m = (ph_measures){.momenta = d->momenta};
    if (parts & PH_MEASURE_ENERGY)
        status = measure_energy(d, state, m);
    if (!status && parts & PH_MEASURE_FACTORS)
        status = measure_factors(d, state, m);
    m->energy = m->kinetic + m->potential;
    return status || (isfinite(m->energy) && isfinite(m->constraint_error)) ? status : PH_E_NOT_FINITE;
}

ph_status ph_diagnostics_measure(ph_diagnostics *d, const ph_state *state, ph_measures *m)
{
    if (!d || !state)
        return PH_E_INVALID;
    return ph_diagnostics_measure_parts(d, state, PH_MEASURE_ALL, m);
}
