/* SPDX-License-Identifier: BSD-3-Clause */
/* Relative equilibria inside: a system near a configuration z, in coordinates x of the horizontal space,
 * u = sum_i x_i W_i, with W_i . MM W_j = delta_ij and W_i . MM zeta_a = 0. */
#ifndef PH_REDUCTION_EQUILIBRIA_H
#define PH_REDUCTION_EQUILIBRIA_H

#include <polhode/domain/equilibria.h>

#include "lib/system/derivative.h"

enum { PH_EQUILIBRIA_MOST = PH_EQUILIBRIA_SYMMETRIES };

struct ph_equilibria {
    const ph_system *system;
    const ph_space *space;
    size_t k, nz, nx;
    size_t symmetry[PH_EQUILIBRIA_MOST];
    bool by_callback; /* is a generator given by a callback? */
    ph_frame frame, there;
    double *zeta, *c;                              /* (k x nz) each: generators, MM zeta */
    double *W;                                     /* (nx x nz), of which m rows */
    double *Lz, *v;                                /* (nz) each */
    double *inertia;                               /* (nx x nx) */
    double *values, *slopes, *differences, *inner; /* along a line: see local.c */
    double *work, *momenta;
    const double *at, *along; /* the line */
    double *point, *moved;    /* (nz) points of it, and of one inside evaluate */
    /* what ph_local_all finds */
    size_t m, rank, generator; /* generator: the one whose derivative is taken */
    double I[PH_EQUILIBRIA_MOST * PH_EQUILIBRIA_MOST], xi[PH_EQUILIBRIA_MOST];
    double *r;     /* (m) dV_mu along W */
    double *H, *G; /* (m x m) V_mu'' and the gyroscopic terms */
    double *B;     /* (m x k) derivative of r by the momenta */
    double scale;  /* size of the terms of r */
    /* linear algebra */
    double *S, *x, *y; /* (n x n), (n) each, n = nx + 1 */
    int *pivot;
    double *pencil, *lapack; /* (2 nx x 2 nx); work of LAPACK */
    int lapack_size;
    ph_equilibrium *spare;
};

/* ---- local.c ---- */
/* The horizontal space at z: zeta, c, I, W, m, rank; xi = I^{-1} mu, 0 with mu = 0; r, H, G, B, scale with these rates.
 * PH_E_SINGULAR (of the inertia, or where the generators are dependent and mu is not 0), a callback's status. */
ph_status ph_local_all(ph_equilibria *e, const double *z, const double *mu);
/* bracket (nz) <- [zeta_a, zeta_b] at z. */
ph_status ph_local_bracket(ph_equilibria *e, const double *z, size_t a, size_t b, double *bracket);
/* u (nz) <- sum_i x_i W_i; returns its largest component. */
double ph_local_vector(const ph_equilibria *e, const double *x, double *u);
/* err <- why ph_local_all, or one of the others, failed with this status at z. */
ph_status ph_local_explain(const ph_equilibria *e, const double *z, ph_status status, ph_error *err);

/* ---- linear-motion.c ---- */
/* *found <- what follows of H and G; H is kept. */
ph_status ph_judge(ph_equilibria *e, ph_equilibrium *found);
/* x (m) <- the shortest least squares solution of H x = -r: eigenvalues below 1e-9 of the largest count as 0. */
ph_status ph_newton_step(ph_equilibria *e, double *x);
/* Doubles of work that the two need of LAPACK. */
int ph_judge_work(size_t nx);

/* ---- equilibria.c ---- */
/* *found <- all of the relative equilibrium at z with these momenta, of which the local data are known. */
ph_status ph_equilibrium_fill(ph_equilibria *e, const double *z, const double *mu, size_t iterations,
                              ph_equilibrium *found);

#endif
