/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system of spins (polhode/spins.h) keeps: its description with bonds sorted by class, and its parts
 * evaluated. */
#ifndef PH_SPINS_SPINS_H
#define PH_SPINS_SPINS_H

#include <polhode/spins.h>
#include <polhode/system.h>

/* Consecutive spins whose neighbours are at the same distances in the list (runs.c). */
typedef struct ph_spin_run {
    uint32_t begin, end; /* spins */
    uint32_t n;          /* neighbours, at the distances from number `at` on, ascending */
    size_t at;
} ph_spin_run;

/* The bonds of a group as seen from their spins. */
typedef struct ph_spin_runs {
    ph_spin_run
        *run; /* (n), with `distance` in one block; NULL: the group has none, and is a list of bonds only */
    size_t n;
    int32_t *distance;
    size_t distances;
    double weight[3]; /* minus what the gradient gets of a neighbour's components */
    bool differences; /* is it, for torques, taken by differences of spins? */
} ph_spin_runs;

/* The description, whose arrays are in one block of memory, and what follows from it. */
typedef struct ph_spin_system {
    ph_spins is;
    ph_spin_runs *runs; /* (n_bonds) */
    bool wide;          /* may kernels use AVX? */
    bool damped;
    bool whole;  /* is there no part of the energy by callback? */
    double size; /* sum |Gamma_i|: the scale of J */
} ph_spin_system;

/* May a system be created from it? space: nullable. PH_E_INVALID, PH_E_NOT_FINITE, PH_E_RANGE. */
ph_status ph_spins_check(const ph_system_definition *d, ph_error *err);
/* *made <- a copy of d->spins, which has been checked, with its bonds sorted by class. PH_E_INVALID (more
 * classes than are allowed), PH_E_NO_MEMORY. */
ph_status ph_spins_copy(const ph_system_definition *d, ph_spin_system **made, ph_error *err);
void ph_spins_free(ph_spin_system *spins);

/* to's arrays first, second and c <- the bonds of a group sorted by class, its `begin` (to be freed) and
 * `colours`. As many classes as the most bonds D at one spin in a bipartite graph, D or D + 1 in others.
 * PH_E_INVALID (a pair that is there twice, more classes than bonds->colours), PH_E_NO_MEMORY. */
ph_status ph_spins_sort(const ph_bonds *bonds, size_t spins, size_t group, ph_bonds *to, ph_error *err);

/* Can a group be seen so: has it a list, one coefficient, and an energy that is isotropic or along an axis
 * of the coordinates? */
bool ph_spin_runs_suit(const ph_bonds *bonds);
/* PH_E_NO_MEMORY; then, too, made is to be freed. */
ph_status ph_spin_runs_create(const ph_bonds *bonds, size_t spins, ph_spin_runs *made, ph_error *err);
void ph_spin_runs_free(ph_spin_runs *runs);

/* *H += the declared energy that does not depend on time; g (3n) += its gradient. */
ph_status ph_spins_add_energy(const ph_spin_system *spins, void *user, const double *z, double *H);
ph_status ph_spins_add_gradient(const ph_spin_system *spins, void *user, const double *z, double *g);
/* The same of the control at t; *rate += its dH/dt. */
ph_status ph_spins_add_control(const ph_spin_system *spins, void *user, double t, const double *z, double *H);
ph_status ph_spins_add_control_gradient(const ph_spin_system *spins, void *user, double t, double *g);
ph_status ph_spins_add_control_rate(const ph_spin_system *spins, void *user, double t, const double *z,
                                    double *rate);
/* T (3n) <- (g + the gradient of the declared energy and of the control at t) x s, where T is g on entry;
 * `given` false: g is 0, and T is not read. */
ph_status ph_spins_turn(const ph_spin_system *spins, void *user, double t, const double *z, bool given,
                        double *T);
/* J (3) <- sum Gamma_i s_i; *residual <- the largest | |s_i| - 1 |, NaN where a number is not finite. */
void ph_spins_tally(const ph_spin_system *spins, const double *z, double *J, double *residual);
/* v (3n) <- the vector field of the torques T; v may be T. */
void ph_spins_field(const ph_spin_system *spins, const double *z, const double *T, double *v);
/* *power += - sum_i lambda_i |s_i x g_i|^2 */
void ph_spins_add_loss(const ph_spin_system *spins, const double *z, const double *g, double *power);

/* The least |s_i - s_j| of all pairs; 2 of one spin, NaN where a number is not finite. */
double ph_spins_least_distance(const ph_spins *spins, const double *z);
/* Are vortices without a core apart? PH_E_INVALID where two are at one point. */
ph_status ph_spins_check_apart(const ph_spins *spins, const double *z, ph_error *err);
/* ph_system_fastest_rate of a system of spins (rate.c). */
ph_status ph_spins_fastest_rate(const struct ph_system *system, const double *z, double *rate, ph_error *err);

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
