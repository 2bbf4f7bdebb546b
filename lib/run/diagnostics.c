/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring one state: energy through the inverse Legendre transform, constraint error, q.pi, momentum
 * maps. */
#include <polhode/diagnostics.h>

#include <internal/memory.h>

#include <math.h>
#include <stdlib.h>

struct ph_diagnostics {
    const ph_system *system;
    double *zdot, *work, *momenta;
};

ph_status ph_diagnostics_create(const ph_system *system, ph_diagnostics **diagnostics, ph_error *err)
{
    ph_diagnostics *d = NULL;
    ph_lay l = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        d = ph_lay_bytes(&l, sizeof *d);
        double *zdot = ph_lay_doubles(&l, ph_space_ambient(ph_system_space(system)));
        double *work = ph_lay_doubles(&l, ph_system_work(system));
        double *momenta = ph_lay_doubles(&l, ph_system_symmetries(system));
        if (d)
            *d = (ph_diagnostics){system, zdot, work, momenta};
        else if (!(l = (ph_lay){malloc(l.bytes), 0}).base)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
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

/* Sum of |p_i| over the factors. */
static double momentum_size(const ph_space *space, const double *p)
{
    double size = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double square = 0;
        for (size_t k = 0; k < f->np; k++)
            square += p[f->p + k] * p[f->p + k];
        size += sqrt(square);
    }
    return size;
}

ph_status ph_diagnostics_measure(ph_diagnostics *d, const ph_state *state, ph_measures *m)
{
    const ph_space *space = ph_system_space(d->system);
    *m = (ph_measures){.momenta = d->momenta};
    ph_status status = PH_OK;
    if (ph_system_velocity(d->system, state->z, state->p, d->zdot, d->work))
        status =
            PH_E_NOT_FINITE; /* on the manifold it cannot fail: the state has left it, its energy is none */
    if (!status)
        status = ph_system_energy(d->system, state->z, d->zdot, &m->kinetic, &m->potential, d->work);
    for (size_t i = 0; i < ph_system_symmetries(d->system) && !status; i++)
        status = ph_system_momentum_map(d->system, i, state->z, state->p, &d->momenta[i], d->work);
    if (status)
        return status;
    m->energy = m->kinetic + m->potential;
    m->constraint_error = ph_space_residual(space, state->z);
    m->tangency = ph_space_momentum_tangency(space, state->z, state->p);
    m->momentum_size = momentum_size(space, state->p);
    return isfinite(m->energy) && isfinite(m->constraint_error) ? PH_OK : PH_E_NOT_FINITE;
}
