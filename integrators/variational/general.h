/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the step for any Lagrangian share (general.c): its scratch, its equations
 * (general-equations.c), and what embedded manifolds need besides (general-embedded.c). */
#ifndef PH_INTEGRATORS_VARIATIONAL_GENERAL_H
#define PH_INTEGRATORS_VARIATIONAL_GENERAL_H

#include "integrators/shared/carry.h"
#include "integrators/shared/discrete-lagrangian.h"
#include "variational.h"

typedef struct general_scratch {
    const ph_variational *method;
    ph_implicit_notes notes;
    const ph_system *system;
    const ph_context *context;
    const ph_space *space;
    size_t n, nz, np, nx;
    bool forced, velocity, midpoint, exact; /* exact: are the second derivatives? */
    double t;
    const double *p; /* at the start of the step */
    ph_discrete d;
    ph_part *parts; /* (n) */
    double *E;      /* basis at z, its rows on R^d and embedded factors in units of the length */
    double *pE;     /* (nx) p.E */
    double *f, *f0; /* (nz) force; at the start of the step */
    double *noise;  /* (n) of this step */
    double *x, *y0; /* (nx) unknowns; where their branch begins */
    double *reach;  /* (nx) of a fresh state: how far the first step goes at least */
    bool fresh;     /* is the noise of this step that of its own unknowns? */
    double *Lzz[2], *Lvz[2], *Lvv[2]; /* (nz x nz) second derivatives at the points, where they are exact; Lzz
                                         for midpoints only */
    double *dat[2], *dspeed[2];       /* (nz) the part of one factor */
    double *dLz[2], *dLv[2];          /* (nz) */
    double *J;                        /* (nx x nx) the latest Jacobian; ... */
    bool linearised;                  /* ... is it of this step? */
    bool embedded;                    /* is any factor? */
    bool factored;                    /* is newton.J a Cholesky factor, of J or of its part at h = 0? */
    double *column, *f1, *was[2];     /* (nz) */
    double *z1_low;                   /* (nz) low-order part of where the step ends */
    double *below;                    /* (nz) low-order part of where it begins, and of D */
    double *dfdv, *fwork;             /* (nz x nz), (3 nz): velocity-dependent forces only */
    double *dS, *S1, *low1, *p1;      /* (np) */
    double *S0;                       /* (np) S at the start of a fresh state */
    double *work;                     /* what the system's functions want */
    double length; /* [m] that goes with a turn of one rad: unit of y on R^d and embedded factors */
    double floor;  /* what is stagnation: ph_equations */
    ph_newton_work newton;
} general_scratch;

/* ---- The equations R(s, y), self a general_scratch: see ph_equations ----------------------------- */

ph_status general_residual(void *self, double s, const double *y, double *r, double *scale);
ph_status general_jacobian(void *self, double *J);
/* dR/ds by a difference: it only predicts. The latest residual call is at s again when it returns. */
ph_status general_parameter_derivative(void *self, double *rs);
/* The derivatives of L at the points. */
ph_status general_call_lagrangian(general_scratch *w);
/* noise <- magnitudes of the terms of J y, the most over a factor. An unknown counts for at least the
 * rounding of the largest one, which the linear solver leaves in all of them: equations of factors that rest
 * while another one moves have no other terms. */
void general_measure_noise(general_scratch *w, const double *y);

/* ---- Embedded factors ---------------------------------------------------------------------------- */

/* D <- D less what the latest residual makes of it; below <- z_low and what D has no digits for. */
void general_settle(general_scratch *w, const double *p, const double *z_low);
/* dS of an embedded factor. */
void general_embedded_momentum(general_scratch *w, const ph_part *f, const double *p, const double *low);

#endif
