/* SPDX-License-Identifier: BSD-3-Clause */
/* What the evaluation of a Lagrangian is made of: products with an inertia (inertia.c), and derivatives of a
 * general L by its values alone (general.c). All take the root of a system, whose callbacks and matrices
 * they use. */
#ifndef PH_SYSTEM_LAGRANGIAN_H
#define PH_SYSTEM_LAGRANGIAN_H

#include <polhode/kit/algebra.h>

#include "system.h"

/* ---- Inertias, inertia.c ------------------------------------------------------------------------- */

/* mu (count) <- rows [from, from + count) of MM v, of a constant inertia that is kept as M or MM. */
void ph_inertia_apply_rows(const ph_system *s, size_t from, size_t count, const double *v, double *mu);
/* Rows of an inertia as it is given: factors, or ambient coordinates. Below, m is this number. */
size_t ph_inertia_rows(const ph_system *r);
/* M (m x m) <- the callback's inertia at z. */
ph_status ph_inertia_at(const ph_system *r, const double *z, double *M);
/* out (nz) <- the inertia A (m x m) times v. */
void ph_inertia_apply(const ph_system *r, const double *A, const double *v, double *out);
/* A (nz x nz) <- M (m x m) in full. */
void ph_inertia_expand(const ph_system *r, const double *M, double *A);
/* From its derivative dM (m x m x nz): Lz (nz) <- (1/2) v . dM/dz v, and Lvz (nz x nz) <- dM/dz v. */
void ph_inertia_kinetic_gradient(const ph_system *r, const double *dM, const double *v, double *Lz);
void ph_inertia_mixed_derivative(const ph_system *r, const double *dM, const double *v, double *Lvz);

/* ---- A general Lagrangian, general.c ------------------------------------------------------------- */

/* *L <- L(z, v). work (4 nz + 2) */
ph_status ph_general_value(const ph_system *r, double t, const double *z, const double *v, double *L,
                           double *work);
/* Lz (nullable), Lv (nz each) <- by the callback, by a complex step, or by differences of L. work
 * (4 nz + 2) */
ph_status ph_general_gradient(const ph_system *r, double t, const double *z, const double *v, double *Lz,
                              double *Lv, double *work);
/* Lzz, Lvz (both nullable), Lvv (nz x nz each) <- by differences of L. work (4 nz) */
ph_status ph_general_hessian(const ph_system *r, double t, const double *z, const double *v, double *Lzz,
                             double *Lvz, double *Lvv, double *work);

/* Central differences of order 8: f' = sum_j ph_stencil[j - 1] (f(x + j s) - f(x - j s)) / (2 j s), j = 1
 * ... 4. */
enum { PH_STENCIL_POINTS = 4 };
static const double ph_stencil[PH_STENCIL_POINTS] = {8. / 5, -4. / 5, 8. / 35, -1. / 35};
static const double ph_stencil_step = 0x1p-7; /* s, of a unit of z (a radian), or of the largest velocity */

/* Factor of the step for second differences, where rounding errors are divided by the square of the step. */
enum { PH_SECOND_WIDER = 4 };

/* s for velocities. */
static inline double ph_stencil_velocity_step(size_t nz, const double *v)
{
    double size = ph_max_norm(v, nz);
    return size > 0 ? ph_stencil_step * size : ph_stencil_step;
}

#endif
