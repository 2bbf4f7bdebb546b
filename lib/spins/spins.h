/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system of spins (polhode/spins.h) keeps: its description with bonds sorted by class, and its parts
 * evaluated. */
#ifndef PH_SPINS_SPINS_H
#define PH_SPINS_SPINS_H

#include <polhode/spins.h>
#include <polhode/system.h>

/* The description, whose arrays are in one block of memory, and what follows from it. */
typedef struct ph_spin_system {
    ph_spins is;
    bool damped;
    bool whole;  /* is there no part of the energy by callback? */
    double size; /* sum |Gamma_i|: the scale of J */
} ph_spin_system;

/* May a system be created from it? space: nullable. PH_E_INVALID, PH_E_NOT_FINITE, PH_E_RANGE. */
ph_status ph_spins_check(const ph_system_definition *d, ph_error *err);
/* *made <- a copy of d->spins, which has been checked, with its bonds sorted by class. PH_E_INVALID (more classes
 * than are allowed), PH_E_NO_MEMORY. */
ph_status ph_spins_copy(const ph_system_definition *d, ph_spin_system **made, ph_error *err);
void ph_spins_free(ph_spin_system *spins);

/* order (n) <- the bonds sorted by class, begin (*classes + 1, room for n + 1) <- where classes begin: the first
 * class of each bond in which neither of its spins is taken, or, where that gives more than `most` (not 0), two
 * classes by a walk along the graph. PH_E_INVALID where that is impossible, PH_E_NO_MEMORY. */
ph_status ph_spins_sort(const ph_bonds *bonds, size_t spins, size_t group, size_t *order, size_t *begin,
                        size_t *classes, ph_error *err);

/* *H += the declared energy that does not depend on time; g (3n) += its gradient. */
ph_status ph_spins_add_energy(const ph_spin_system *spins, void *user, const double *z, double *H);
ph_status ph_spins_add_gradient(const ph_spin_system *spins, void *user, const double *z, double *g);
/* The same of the control at t; *rate += its dH/dt. */
ph_status ph_spins_add_control(const ph_spin_system *spins, void *user, double t, const double *z, double *H);
ph_status ph_spins_add_control_gradient(const ph_spin_system *spins, void *user, double t, double *g);
ph_status ph_spins_add_control_rate(const ph_spin_system *spins, void *user, double t, const double *z,
                                    double *rate);
/* v (3n) <- the vector field of the gradient g; v may be g. */
void ph_spins_field(const ph_spin_system *spins, const double *z, const double *g, double *v);
/* *power += - sum_i lambda_i |s_i x g_i|^2 */
void ph_spins_add_loss(const ph_spin_system *spins, const double *z, const double *g, double *power);

/* The least |s_i - s_j| of all pairs; 2 of one spin, NaN where a number is not finite. */
double ph_spins_least_distance(const ph_spins *spins, const double *z);
/* Are vortices without a core apart? PH_E_INVALID where two are at one point. */
ph_status ph_spins_check_apart(const ph_spins *spins, const double *z, ph_error *err);

/* Numbers of uniform and other arrays. */
static inline double ph_bond_coefficient(const ph_bonds *b, size_t k)
{
    return b->c[b->uniform ? 0 : k];
}
static inline double ph_spin_strength(const ph_spins *s, size_t i)
{
    return s->strengths ? s->strengths[i] : 1;
}

#endif
