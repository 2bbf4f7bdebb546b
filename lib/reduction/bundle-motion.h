/* SPDX-License-Identifier: BSD-3-Clause */
/* A motion of a bundle inside: its state and what the steps need. */
#ifndef PH_REDUCTION_BUNDLE_MOTION_H
#define PH_REDUCTION_BUNDLE_MOTION_H

#include <polhode/implicit.h>

#include "bundle.h"
#include "integrators/shared/compositions.h"

/* Where a motion is; x and h with low-order parts, so that rounding does not add up. */
typedef struct ph_bundle_place {
    double t, *x, *x_low, *y, *h, *h_low;
} ph_bundle_place;

/* Of the discrete step from `from`, of size H = s h: unknown c, displacement omega H = beta^T c. */
typedef struct ph_bundle_scratch {
    ph_newton_work newton;
    ph_implicit_notes notes;
    const ph_bundle_place *from;
    double h, s;                  /* step size; fraction of the latest residual */
    double *c, *c0, *r, *scale;   /* (nb) the unknowns, where differences start, residuals */
    double *P0, *P1, *Pm;         /* points at both ends and in the middle */
    double *slope;                /* (nb) M . beta_i at x, for unit displacements: (nb) points along beta_i */
    double *beta0, *beta1, *beta; /* bases at both ends, and at any point */
    double *D;                    /* (n) displacements (omega, zeta) H */
    double *B, *low;              /* (n) their momenta */
    double *bracket, *turned;     /* (np) */
    double *A, *J;                /* (nb square) */
    double *x1, *v, *w;           /* (na), (2 na), (np) */
    double *f;                    /* (g) */
    double *push, *lift;          /* (n), (2 n) */
    double *basis, *point, *work;
    int *pivot;           /* (nb) */
    double *stage, *rate; /* (np + np + g) each, of Runge-Kutta; 5 of rate */
    double *hh;           /* (nh) */
    size_t laid;
} ph_bundle_scratch;

struct ph_bundle_motion {
    const ph_bundle *b;
    ph_bundle_rule rule;
    const ph_composition *composition;
    double h, t_base;
    int64_t k; /* t = t_base + k h */
    bool set;
    ph_bundle_place now, next;
    ph_bundle_scratch s;
    ph_context context;
    ph_statistics statistics;
    ph_error error;
    void *block;
};

/* m->next <- m->next moved by a step of h. */
ph_status ph_bundle_discrete_step(ph_bundle_motion *m, double h);
ph_status ph_bundle_rk4_step(ph_bundle_motion *m, double h);

#endif
