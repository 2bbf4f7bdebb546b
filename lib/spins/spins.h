/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system of spins (polhode/spins.h) keeps: its description with bonds sorted by class, and its parts
 * evaluated. */
#ifndef PH_SPINS_SPINS_H
#define PH_SPINS_SPINS_H

#include <polhode/spins.h>
#include <polhode/system.h>

/* Where the second derivative of the energy has blocks, the lower triangle row by row: block b of row i is in column
 * column[b], begin[i] <= b < begin[i + 1], the last of them on the diagonal. Of a complete pattern, every pair, nothing of
 * this is kept: row i begins at i (i + 1) / 2. */
typedef struct ph_spin_pattern {
    size_t blocks; /* 0: the second derivative is not known */
    bool complete;
    size_t *begin;    /* (n + 1), or NULL */
    uint32_t *column; /* (blocks), or NULL */
    size_t *bond;     /* which block each bond has, group after group; or NULL */
    size_t given;     /* blocks of the callback */
    size_t *place;    /* (given) where they belong, ascending; or NULL */
    /* (given) Exchanging block k with block swap[k], k = 0, 1, ..., brings them into that order; NULL: they have it. */
    size_t *swap;
} ph_spin_pattern;

/* The description, whose arrays are in one block of memory, and what follows from it. */
typedef struct ph_spin_system {
    ph_spins is;
    bool damped;
    bool whole;  /* is there no part of the energy by callback? */
    double size; /* sum |Gamma_i|: the scale of J */
    ph_spin_pattern pattern;
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

/* spins->pattern <- where the second derivative has blocks; its arrays are freed by ph_spins_free. PH_E_INVALID (a place that
 * is given twice), PH_E_NO_MEMORY. */
ph_status ph_spins_find_pattern(ph_spin_system *spins, const ph_system_definition *d, ph_error *err);
/* The place of block (i, i), and of block (i, j), j < i, of bond k of all groups. */
static inline size_t ph_pattern_diagonal(const ph_spin_pattern *p, size_t i)
{
    return p->complete ? i * (i + 1) / 2 + i : p->begin[i + 1] - 1;
}
static inline size_t ph_pattern_pair(const ph_spin_pattern *p, size_t i, size_t j, size_t k)
{
    return p->complete ? i * (i + 1) / 2 + j : p->bond[k];
}

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
/* v (3n) <- the vector field of the gradient g; v may be g. */
void ph_spins_field(const ph_spin_system *spins, const double *z, const double *g, double *v);
/* *power += - sum_i lambda_i |s_i x g_i|^2 */
void ph_spins_add_loss(const ph_spin_system *spins, const double *z, const double *g, double *power);

/* f[1], f[2] <- f' and f'' by x = s_i . s_j of the energy of two vortices, where |s_i - s_j|^2 = 2 - 2 x. */
void ph_vortex_slopes(const ph_spins *is, const ph_bonds *b, double c, size_t i, size_t j, const double *z,
                      double *f);

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
