/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system is made of, for this folder and lib/kinds alone: created by system.c, described by structure.c, evaluated by the
 * other files of this folder. */
#ifndef PH_INTERNAL_SYSTEM_H
#define PH_INTERNAL_SYSTEM_H

#include "evaluation.h"
#include "structure.h"

/* Where a row of a matrix has entries that are not 0. */
typedef struct ph_row_span {
    size_t begin, end;
} ph_row_span;

struct ph_system {
    const ph_structure *of; /* of a forced system that of its base */
    void *own; /* the data of its kind, which of->release frees; a forced system's root has them */
    bool own_potential, own_time,
        own_force; /* is there a potential, one that depends on time, a force besides callbacks? */
    ph_space *space;
    size_t n, nz; /* factors, ambient coordinates */
    ph_lagrangian_kind kind;
    double *M;                  /* (n x n), or NULL */
    double *MM;                 /* (nz x nz), or NULL */
    ph_row_span *span;          /* (nz) with MM */
    ph_body *bodies;            /* (n), or NULL */
    struct ph_rolling *rolling; /* or NULL */
    struct ph_train *train;     /* or NULL */
    ph_scene_part *parts;       /* (is.n_parts) copies, or NULL */
    bool affine;                /* have velocity constraints a b that is not 0? */
    double *rest;               /* (nz) zeros: the velocity of a system at rest */
    ph_symmetry *symmetries;
    ph_own_column *columns;  /* (is.n_columns) copies, or NULL */
    ph_factor_label *labels; /* (n) copies, or NULL; a forced system's root has them */
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

/* Is the inertia positive definite on the tangent spaces at some configurations in general position? (Where
 * it is not so elsewhere, ph_system_velocity fails.) PH_E_SINGULAR, a callback's status. */
ph_status ph_system_try_inertia(const ph_system *s, ph_error *err);
/* s->affine <- is b of the velocity constraints not 0 at some configurations in general position?
 * PH_E_NO_MEMORY. */
ph_status ph_system_try_constraint(ph_system *s, ph_error *err);
/* s->bodies <- the bodies, where the inertia is that of independent rigid bodies (bodies.c); false without
 * memory. */
bool ph_system_find_bodies(ph_system *s);
/* s->rolling <- the body, where the system is one that rolls on a plane (rolling.c); false without memory. */
bool ph_system_find_rolling(ph_system *s);
/* s->train <- the train, where the system is one on wheels (find-train.c); false without memory. */
bool ph_system_find_train(ph_system *s);

#endif
