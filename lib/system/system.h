/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system is made of: created by system.c, described by structure.c, evaluated by the other files of
 * this folder. */
#ifndef PH_INTERNAL_SYSTEM_H
#define PH_INTERNAL_SYSTEM_H

#include <polhode/system.h>

#include "structure.h"

/* Where a row of a matrix has entries that are not 0. */
typedef struct ph_row_span {
    size_t begin, end;
} ph_row_span;

struct ph_system {
    const ph_structure *of; /* of a forced system that of its base */
    void *
        own; /* the data of its kind, which of->release frees; NULL in a forced system, whose root has them */
    bool own_potential,
        own_time; /* is there a potential, or one that depends on time, besides those of callbacks? */
    bool own_force;
    ph_space *space;
    size_t n, nz; /* factors, ambient coordinates */
    ph_lagrangian_kind kind;
    double *M;            /* (n x n), or NULL */
    double *MM;           /* (nz x nz), or NULL */
    ph_row_span *span;    /* (nz) with MM */
    ph_body *bodies;      /* (n), or NULL */
    ph_scene_part *parts; /* (is.n_parts) copies, or NULL */
    bool affine;          /* have velocity constraints a b that is not 0? */
    double *rest;         /* (nz) zeros: the velocity of a system at rest */
    ph_symmetry *symmetries;
    ph_system_definition is; /* callbacks and user; its pointers to data are not used */
    const ph_system *base;   /* of a forced system: its Lagrangian and the forces below its own */
};

/* Whose Lagrangian it is. */
static inline const ph_system *ph_system_root(const ph_system *s)
{
    while (s->base)
        s = s->base;
    return s;
}

/* The data of its kind, where they are those that `release` frees; else NULL. */
static inline void *ph_system_own(const ph_system *s, void (*release)(void *))
{
    const ph_system *root = ph_system_root(s);
    return root->of->release == release ? root->own : NULL;
}

/* ---- Creation ------------------------------------------------------------------------------------ */

/* ph_system_create of a kind that the caller knows. */
ph_status ph_system_create_of(const ph_structure *of, const ph_system_definition *definition,
                              ph_system **system, ph_error *err);
/* May a system be created from it (definition.c)? PH_E_INVALID, PH_E_NOT_FINITE, PH_E_SINGULAR,
 * PH_E_RANGE. */
ph_status ph_definition_check(const ph_system_definition *d, ph_error *err);
/* The part of it that is about a potential that depends on time, which forced systems may add. */
ph_status ph_definition_check_time(const ph_system_definition *d, ph_error *err);
/* Is the inertia positive definite on the tangent spaces at some configurations in general position? (Where
 * it is not so elsewhere, ph_system_velocity fails.) PH_E_SINGULAR, a callback's status. */
ph_status ph_system_try_inertia(const ph_system *s, ph_error *err);
/* s->affine <- is b of the velocity constraints not 0 at some configurations in general position?
 * PH_E_NO_MEMORY. */
ph_status ph_system_try_constraint(ph_system *s, ph_error *err);
/* s->bodies <- the bodies, where the inertia is that of independent rigid bodies (bodies.c); false without
 * memory. */
bool ph_system_find_bodies(ph_system *s);

/* J <- the tensor of the rotation that is factor i, where its own block of the ambient inertia is that of a body; false
 * where it is another, or not a matrix. */
bool ph_system_body_tensor(const ph_system *s, size_t i, double J[9]);

/* ---- Evaluation ---------------------------------------------------------------------------------- */

/* Doubles of work that the functions of lagrangian.c and hessian.c need. */
size_t ph_lagrangian_work(const ph_system *s);

/* *noise <- how large differences may make an entry of E^T L_vv E that is 0; 0 where L_vv is given. zdot
 * NULL: rest. work: what ph_system_lagrangian_hessian needs, and nz. */
ph_status ph_lagrangian_noise(const ph_system *s, const double *z, const double *zdot, double *noise,
                              double *work);

/* *rate += dU/dt at fixed z, of the potential that depends on time. */
ph_status ph_system_add_rate(const ph_system *s, double t, const double *z, double *rate);

/* Energies of a state from its momenta, without what depends on time. Where the potential cannot fail, PH_E_NOT_FINITE: the state has
 * left the manifold. zdot (nz), work (ph_system_work) */
ph_status ph_system_energies(const ph_system *s, const double *z, const double *p, double *kinetic,
                             double *potential, double *zdot, double *work);

/* The momentum map of rotations of the whole about an axis is that of its turns[3], the sum of what the
 * factors add: p . xi for the axes e1, e2, e3. */
void ph_system_add_turn(const ph_system *s, size_t i, const double *z, const double *p, double *turns);
double ph_rotation_map(const double *axis, const double *turns);

/* ph_system_covector_velocity, which sets *singular where the failure is E^T L_vv E's and not a
 * callback's. */
ph_status ph_invert_transform(const ph_system *s, const double *z, const double *mu, double *zdot,
                              double *work, bool *singular);

/* Is the inertia positive definite everywhere, or whatever stands for it regular? Then there is nothing to check below. */
bool ph_system_is_regular(const ph_system *s);
/* Is E^T L_vv E regular at (z, zdot), so that the Legendre transform can be inverted? PH_E_SINGULAR where
 * it is not (or not positive definite, of an inertia); *condition <- its condition number, of a scaling
 * that has no units. zdot (NULL: rest) matters for a general Lagrangian only. work (ph_regularity_work) */
size_t ph_regularity_work(const ph_system *s);
ph_status ph_check_regular(const ph_system *s, const double *z, const double *zdot, double *work,
                           double *condition);

/* Doubles of work that ph_system_tangent_inertia needs. */
size_t ph_tangent_work(const ph_system *s);
/* A <- E^T B E, lower triangle (nx x nx), for the basis E and a matrix B (nz x nz) in ambient coordinates. */
void ph_congruence(const ph_space *space, const double *B, const double *E, double *A);
/* b (nx) <- E^T mu, and v (nz) <- E x. */
void ph_tangent_components(const ph_space *space, const double *E, const double *mu, double *b);
void ph_tangent_combine(const ph_space *space, const double *E, const double *x, double *v);

#endif
