/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the step on products with a constant inertia share (product.c): its scratch, and what the
 * inertia's structure says (product-inertia.c). */
#ifndef PH_INTEGRATORS_VARIATIONAL_PRODUCT_H
#define PH_INTEGRATORS_VARIATIONAL_PRODUCT_H

#include "integrators/shared/carry.h"
#include "integrators/shared/twofold.h"
#include "variational.h"

/* A 3-vector among the ambient coordinates: S^2, or a column of R. */
typedef struct product_arrow {
    size_t z, stride; /* component k is z[z + k stride] */
    size_t p;         /* its factor's momentum */
} product_arrow;

typedef struct product_scratch {
    const ph_variational *method;
    ph_implicit_notes notes;
    const ph_system *system;
    const ph_context *context;
    const ph_space *space;
    size_t n, nz, np, nx, n_arrows;
    bool forced, velocity;
    double t, h;
    const double *z, *g;           /* at the start of the step */
    ph_part *parts;                /* (n) */
    product_arrow *arrows;         /* (n_arrows) */
    double *MM;                    /* (nz x nz) */
    double *rest;                  /* (nz x nz) MM without ... */
    bool directed;                 /* does MM couple arrows, or a circle's entries, by other than numbers? */
    bool factored;                 /* is newton.J a Cholesky factor, and dD the derivative, at the root? */
    double *N;                     /* (n_arrows x n_arrows) ... the numbers that couple arrows */
    double *E, *dD;                /* basis; dD/dx, laid like it */
    double *pE;                    /* (nx) h (p.E) without the h */
    double *f, *v, *D, *mu, *size; /* (nz): force, chord velocity, increment, MM D, sums of magnitudes */
    double *grain;                 /* (nz): magnitudes in D, see increments.h */
    ph_twofold *exact;             /* (nz) a covector, where the inertia is directed */
    double *below;                 /* (nz) low-order part of the configuration and of D */
    double *x;                     /* (nx) */
    double *column;                /* (nz) */
    double *dfdv, *fwork;          /* (nz x nz), (3 nz): velocity-dependent forces only */
    double *z1, *z1_low, *g1;      /* (nz) at the end of the step */
    double *dS, *S1, *low1, *p1;   /* (np) */
    double *S0;                    /* (np) S at the start of a fresh state */
    double length;                 /* [m] that goes with a turn of one rad: unit of x on R^d */
    double s;                      /* where the latest residual was taken: parameter ... */
    const double *at;              /* ... and unknowns */
    ph_newton_work newton;
} product_scratch;

/* How many arrows a space has. */
size_t product_count_arrows(const ph_space *space);
/* Once: parts, arrows, MM, N and rest, directed, length. */
void product_inertia_init(product_scratch *w);
/* dS <- D x G, and the push at the start. */
void product_turn(product_scratch *w);

#endif
