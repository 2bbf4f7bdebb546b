/* SPDX-License-Identifier: BSD-3-Clause */
/* Steady motions inside: the group and its generators zeta_a(z) = Z_a z + c_a (steady-group.c), the equations
 * (steady.c), and the linear motion (steady-linear.c). */
#ifndef PH_REDUCTION_STEADY_H
#define PH_REDUCTION_STEADY_H

#include <polhode/domain/steady.h>
#include <polhode/kit/equations.h>

#include "lib/system/derivative.h"

struct ph_steady {
    const ph_system *system;
    const ph_space *space;
    const ph_field *field; /* (z, zdot) */
    size_t nz, nx, m, k;
    ph_steady_part *parts; /* (k) */
    ph_frame frame;
    double *z, *xi, *v;          /* (nz), (k), (nz): a trial */
    double *zeta, *turn;         /* (nz) each */
    double *y, *dy;              /* (2 nz) each */
    double *A, *b;               /* (m x nz), (m) */
    double *values, *slopes;     /* (2 nz + m) each */
    double *differences, *work;  /* of ph_differentiate, of the field and the constraint */
    const double *at, *along;    /* a line: from here along this tangent vector, ... */
    size_t part;                 /* ... or along this rate */
    const double *fixed;         /* (nz) a velocity that is carried along a line */
    double *point, *there, *dxi; /* (nz), (nz), (k) */
    double *J, *r, *S;           /* the equations' matrix, what is left of them, and a matrix of that size */
    double *C, *B; /* (nx x nz) velocities on the constraint, (nz x nx) change of the velocity */
    double *lapack;
    int *pivot, lapack_size;
    size_t unknowns; /* nx + k */
    double scale;    /* size of the terms */
    double start;    /* size of the velocity that the iteration begins with */
    double slope;    /* largest entry of J */
    ph_steady_motion *spare;
};

/* ---- steady-group.c ---- */
/* y <- Z x of this part. */
void ph_steady_turn(const ph_space *space, const ph_steady_part *part, const double *x, double *y);
/* zeta <- the generator at z. */
void ph_steady_generator(const ph_space *space, const ph_steady_part *part, const double *z, double *zeta);
/* parts, *k <- the group of the system; room for ph_steady_candidates. */
ph_status ph_steady_find_group(const ph_system *system, ph_steady_part *parts, size_t *k, ph_error *err);
/* zeta, turn <- sum_a xi_a zeta_a(z) = v, sum_a xi_a Z_a v (NULL: that of zeta). */
void ph_steady_motion_of(ph_steady *w, const double *z, const double *v, const double *xi, double *zeta,
                         double *turn);
/* Row k of rows (n each), the first k of which are orthonormal, becomes so, too; false where less than this share of it is independent
 * of them. */
bool ph_steady_orthonormal(double *rows, size_t k, size_t n, double from);
/* How many one-parameter groups are tried. */
size_t ph_steady_candidates(const ph_space *space);

/* ---- steady-linear.c ---- */
/* found->modes, real, imaginary, zero, growth, decay <- at w->z, w->xi. */
ph_status ph_steady_judge(ph_steady *w, ph_steady_motion *found);

#endif
