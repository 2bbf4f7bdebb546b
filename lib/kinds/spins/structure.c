/* SPDX-License-Identifier: BSD-3-Clause */
/* Spheres as phase space (polhode/domain/spins.h) as a kind of system. There are no velocities and no momenta: z is the whole state, and its
 * equations are of first order. */
#include "spins.h"

#include <string.h>

/* ---- Creation ----------------------------------------------------------------------------------- */

static bool fits(const ph_system_definition *d)
{
    return d->spins;
}

static ph_status check(const ph_system_definition *d, ph_error *err)
{
    ph_status status = ph_spins_check(d, err);
    return status ? status : ph_definition_check_time(d, err);
}

static ph_status make_space(const ph_system_definition *d, ph_space **space, ph_error *err)
{
    return ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_SPIN}, d->spins->n, space, err);
}

static ph_status create(ph_system *s, const ph_system_definition *d, ph_error *err)
{
    ph_spin_system *spins = NULL;
    ph_status status = ph_spins_copy(d, &spins, err);
    if (status)
        return status;
    s->own = spins;
    s->own_potential = true;
    s->own_time = spins->is.control;
    s->own_force = spins->is.control || spins->damped;
    return PH_OK;
}

/* ---- Energy ------------------------------------------------------------------------------------- */

static ph_status add_energy(const ph_system *s, const double *z, double *H)
{
    return ph_spins_add_energy(s->own, s->is.user, z, H);
}

static ph_status add_gradient(const ph_system *s, const double *z, double *g)
{
    return ph_spins_add_gradient(s->own, s->is.user, z, g);
}

static ph_status add_control(const ph_system *s, double t, const double *z, double *H)
{
    return s->own_time ? ph_spins_add_control(s->own, s->is.user, t, z, H) : PH_OK;
}

static ph_status add_control_gradient(const ph_system *s, double t, const double *z, double *g)
{
    (void)z;
    return s->own_time ? ph_spins_add_control_gradient(s->own, s->is.user, t, g) : PH_OK;
}

static ph_status add_control_rate(const ph_system *s, double t, const double *z, double *rate)
{
    return s->own_time ? ph_spins_add_control_rate(s->own, s->is.user, t, z, rate) : PH_OK;
}

/* What damping takes away. */
static ph_status power(const ph_system *s, double t, const double *z, double *loss, double *work)
{
    const ph_spin_system *spins = s->own;
    if (!spins->damped)
        return PH_OK;
    ph_status status = ph_spins_gradient(s, t, z, work);
    if (!status)
        ph_spins_add_loss(spins, z, work, loss);
    return status;
}

static ph_status kinetic(const ph_system *s, const double *z, const double *p, double *none, double *work)
{
    (void)s, (void)z, (void)p, (void)work;
    *none = 0;
    return PH_OK;
}

/* ---- Motion ------------------------------------------------------------------------------------- */

static size_t work_size(const ph_system *s)
{
    return s->nz;
}

static size_t bend_work(const ph_system *s)
{
    return ph_spins_along_work(s->nz);
}

static bool bends_by_side(const ph_system *s)
{
    return s->is.gradient_in_time;
}

/* ---- Momentum maps ------------------------------------------------------------------------------ */

/* J = sum Gamma s */
static void add_turns(const ph_system *s, const double *z, const double *p, double *turns)
{
    const ph_spin_system *spins = s->own;
    (void)p;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < 3; k++)
            turns[k] += ph_spin_strength(&spins->is, i) * z[3 * i + k];
}

static void tally(const ph_system *s, const double *z, ph_tally *t)
{
    const ph_spin_system *spins = s->own;
    ph_spins_tally(spins, z, t->turns, &t->residual);
    t->size = spins->size;
}

/* ---- Methods, columns, scenes ------------------------------------------------------------------- */

static bool suits(const ph_method *method)
{
    return method->takes_spins;
}

static double least_distance(const ph_system *s, const double *z)
{
    return ph_spins_least_distance(s, z);
}

static double strength(const ph_system *s, size_t factor)
{
    const ph_spin_system *spins = s->own;
    return ph_spin_strength(&spins->is, factor);
}

const ph_structure ph_structure_spins = {
    .name = "spins",
    .fits = fits,
    .check = check,
    .make_space = make_space,
    .create = create,
    .release = ph_spins_release,
    .no_velocities = "spins are a phase space and have no velocities",
    .no_momenta = "spins have no momenta",
    .velocity =
        "the velocity of spins follows from where they are; zeros, or NULL, are expected in its place",
    .no_matrices = "spins do not have",
    .no_forces =
        "spins take no forces; give what acts on them as potential_in_time, control or damping when the "
        "system is created",
    .add_potential = add_energy,
    .add_gradient = add_gradient,
    .add_in_time = add_control,
    .add_gradient_in_time = add_control_gradient,
    .add_rate = add_control_rate,
    .power = power,
    .kinetic = kinetic,
    .work = work_size,
    .flow = ph_spins_flow,
    .bend = ph_spins_bend,
    .bend_work = bend_work,
    .bends_by_side = bends_by_side,
    .fastest_rate = ph_spins_fastest_rate,
    .add_turns = add_turns,
    .tally = tally,
    .regular = true,
    .admit = ph_spins_check_apart,
    .check_derivatives = ph_spins_check_derivatives,
    .form = &ph_field_phase,
    .form_only = "these are equations of systems with momenta; for spins leave the form automatic",
    .suits = suits,
    .unsuited =
        "is for systems with momenta, and of spins the spheres are the whole phase space: spherical-midpoint and "
        "spin-splitting are made for them, and those on the continuous equations such as rk4-projected take "
        "them, too",
    .least_distance = least_distance,
    .strength = strength,
};
