/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system of spins (polhode/domain/spins.h) keeps: its description with bonds sorted by class, and its parts
 * evaluated. */
#ifndef PH_SPINS_SPINS_H
#define PH_SPINS_SPINS_H

#include <polhode/domain/spins.h>
#include <polhode/kit/vector.h>
#include <polhode/system.h>

#include "lib/internal/once.h"

/* Where the second derivative of the energy has blocks, the lower triangle row by row: block b of row i is
 * in column column[b], begin[i] <= b < begin[i + 1], the last of them on the diagonal. Of a complete
 * pattern, every pair, nothing of this is kept: row i begins at i (i + 1) / 2. */
typedef struct ph_spin_pattern {
    ph_once once; /* of blocks, begin and column */
    bool known;   /* false: there is no second derivative */
    size_t blocks;
    bool complete;
    size_t *begin;    /* (n + 1), or NULL */
    uint32_t *column; /* (blocks), or NULL */
    size_t given;     /* blocks of the callback */
    size_t *place;    /* (given) where they belong, ascending; or NULL */
    /* (given) Exchanging block k with block swap[k], k = 0, 1, ..., brings them into that order; NULL:
     * they have it. */
    size_t *swap;
} ph_spin_pattern;

/* Consecutive spins whose neighbours are at the same distances in the list (runs.c). */
typedef struct ph_spin_run {
    uint32_t begin, end; /* spins */
    uint32_t n;          /* neighbours, at the distances from number `at` on, ascending */
    size_t at;
    size_t
        c; /* where their coefficients begin: of the first neighbours of all its spins, of the second ones, ... */
} ph_spin_run;

/* The bonds of a group as seen from their spins. */
typedef struct ph_spin_runs {
    ph_spin_run
        *run; /* (n), with `distance` in one block; NULL: the group has none, and is a list of bonds only */
    size_t n;
    int32_t *distance;
    size_t distances;
    double *c; /* coefficients; NULL: they are in the weights, or in the map */
    double weight
        [3]; /* minus what the gradient gets of a neighbour's components, or of their sum with coefficients; */
    bool mapped; /* else it gets `map` (3 x 3) times this sum, and weights are -1 */
    double map[9];
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
    ph_spin_pattern pattern;
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

/* Can a group be seen so: has it a list, and a gradient that is linear? */
bool ph_spin_runs_suit(const ph_bonds *bonds);
/* PH_E_NO_MEMORY; then, too, made is to be freed. */
ph_status ph_spin_runs_create(const ph_bonds *bonds, size_t spins, ph_spin_runs *made, ph_error *err);
void ph_spin_runs_free(ph_spin_runs *runs);

/* spins->pattern <- where the second derivative has blocks; its arrays are freed by ph_spins_free.
 * PH_E_INVALID (a place that is given twice), PH_E_NO_MEMORY. */
ph_status ph_spins_find_pattern(ph_spin_system *spins, const ph_system_definition *d, ph_error *err);
/* The pattern, which is written when it is first asked for; NULL where it is not known. */
const ph_spin_pattern *ph_spins_pattern(ph_spin_system *spins);
/* The place of block (i, i), and of block (i, j), j < i, which there is. */
static inline size_t ph_pattern_diagonal(const ph_spin_pattern *p, size_t i)
{
    return p->complete ? i * (i + 1) / 2 + i : p->begin[i + 1] - 1;
}
static inline size_t ph_pattern_pair(const ph_spin_pattern *p, size_t i, size_t j)
{
    if (p->complete)
        return i * (i + 1) / 2 + j;
    size_t low = p->begin[i], high = p->begin[i + 1] - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (p->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
/* Sorts a list of spins. */
void ph_spins_sort_list(uint32_t *list, size_t n);

/* *H += the declared energy that does not depend on time; g (3n) += its gradient. */
ph_status ph_spins_add_energy(const ph_spin_system *spins, void *user, const double *z, double *H);
ph_status ph_spins_add_gradient(const ph_spin_system *spins, void *user, const double *z, double *g);
/* The same of the control at t; *rate += its dH/dt. */
ph_status ph_spins_add_control(const ph_spin_system *spins, void *user, double t, const double *z, double *H);
ph_status ph_spins_add_control_gradient(const ph_spin_system *spins, void *user, double t, double *g);
ph_status ph_spins_add_control_rate(const ph_spin_system *spins, void *user, double t, const double *z,
                                    double *rate);
/* g (3n) += the rate of the control's gradient, -moment_i dB/dt. */
ph_status ph_spins_add_control_gradient_rate(const ph_spin_system *spins, void *user, double t, double *g);
/* dg (3n) += the derivative of the declared gradient at z along the tangent vector u (hessian.c). */
ph_status ph_spins_add_gradient_along(const ph_spin_system *spins, void *user, const double *z,
                                      const double *u, double *dg);
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

/* f[1], f[2] <- f' and f'' by x of the energy of two vortices, as a function of x = 1 - |s_i - s_j|^2 / 2. */
void ph_vortex_slopes(const ph_spins *is, const ph_bonds *b, double c, size_t i, size_t j, const double *z,
                      double *f);

/* |s - r|^2 */
static inline double ph_chord_square(const double *s, const double *r)
{
    const double d[3] = {s[0] - r[0], s[1] - r[1], s[2] - r[2]};
    return ph_dot3(d, d);
}

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
