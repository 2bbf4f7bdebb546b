/* SPDX-License-Identifier: BSD-3-Clause */
/* The scratch of galerkin.c, and the solution of the equations of its step (solve.c). */
#ifndef PH_INTEGRATORS_GALERKIN_H
#define PH_INTEGRATORS_GALERKIN_H

#include "curve.h"
#include "integrators/shared/carry.h"

#include <polhode/kit/implicit.h>

/* Steps whose velocities at the points are kept, for the guess. */
enum { HISTORY = 2 };
/* Iterations of Newton's method with the matrix of the inertia. */
enum { MOST_PASSES = 12 };

typedef struct galerkin_scratch {
    ph_implicit_notes notes;
    const ph_system *system;
    ph_curve c;
    ph_gauss gauss;
    ph_part *parts;
    size_t unknowns; /* points x nx */
    bool forced;
    double t;
    const double *p; /* at the start of the step */
    double share;    /* s of the latest residual, ... */
    double *y;       /* (unknowns) ... and its y */
    /* [steps - 1][i]: weights of the velocities of so many last steps, from the earliest on, in the guess of
     * that of point i of the next one */
    double weights[HISTORY][PH_GAUSS_MOST][HISTORY * PH_GAUSS_MOST];
    double *x, *other, *r[2], *scale;   /* (unknowns) */
    double *w;                          /* (points x np) velocities at the points */
    double *E, *pE, *middle, *E_middle; /* as in ph_curve; the middle and the basis there */
    double *A;                          /* (nx x nx) factor of the inertia there; ... */
    bool regular;                       /* ... is it positive definite? */
    double *passes;                     /* (MOST_PASSES x unknowns) corrections of this step, ... */
    size_t kept;                        /* ... how many */
    double *noise;                      /* (n) magnitudes of the terms of a momentum */
    double *J;                          /* (unknowns x unknowns) the latest whole Jacobian */
    double *f, *column, *D, *z1, *low;  /* (nz); z1 + low is where the step ends */
    double *dS, *S0, *S1, *low1, *p1;   /* (np) */
    double *twice;                      /* (nx) */
    double *work;                       /* scratch of the system's functions */
    double length; /* [m] that is equivalent to a turn by 1 rad: unit of unknowns on R^d */
    double floor;  /* of the residual at stagnation: ph_equations */
    ph_newton_work newton;
} galerkin_scratch;

/* w->x <- the unknowns of the step from `state`: from the velocities in the carry if there are any of this
 * step size, else, or if that is in doubt, along the branch from h = 0. At the solution w->c has the points
 * of the curve. */
ph_status ph_galerkin_solve(galerkin_scratch *w, ph_context *context, const ph_state *state,
                            const ph_carry *carry);

#endif
