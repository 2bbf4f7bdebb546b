/* SPDX-License-Identifier: BSD-3-Clause */
/* The retraction by which a step moves the configuration, factor by factor: z+ = z + D with D = retraction(E x) - z, E
 * the basis at z and x the tangent coordinates that a step solves for; D without the cancellation of the difference.
 * The retraction is the exponential of R^d, S^1, S^2 and SO(3), and that of lib/space/retraction.c on embedded factors. */
#ifndef PH_INTEGRATORS_SHARED_INCREMENTS_H
#define PH_INTEGRATORS_SHARED_INCREMENTS_H

#include <polhode/space.h>

/* One factor, and where its part of the basis lies. */
typedef struct ph_part {
    ph_factor_kind kind;
    size_t z, nz, p, np, x, nx;
    size_t e; /* first number of its rows in E and in dD */
    size_t i; /* which factor it is */
} ph_part;

/* parts (factors) <- those of the space. */
void ph_lay_parts(const ph_space *space, ph_part *parts);

/* D (nz) <- the increment of configuration z for tangent coordinates x (nx). low (nz), nullable: the
 * low-order part of z, which embedded factors step from, too. */
void ph_increments(const ph_space *space, const ph_part *parts, const double *z, const double *low,
                   const double *E, const double *x, double *D);
/* dD, laid like E <- its derivative: row a of a factor is dD/dx_a. */
void ph_increment_derivatives(const ph_space *space, const ph_part *parts, const double *z, const double *E,
                              const double *x, const double *D, double *dD);

/* grain (nz) <- what the rounding of D is relative to: its entries, or the terms along the basis that
 * they are sums of. (A motion that is plane but for rounding has entries that cancel down to nothing; no
 * correction makes a residual small compared with those.) An unknown counts for no less than the rounding of the
 * largest one: of factors that rest and are drawn along by others in a row, each moves by the square of
 * what the one before does, while a correction is the solution of all equations together, and leaves that
 * rounding in each. */
void ph_increment_grain(const ph_space *space, const ph_part *parts, const double *E, const double *x,
                        const double *D, double *grain);

/* m (np of the factor) += weight times the moment of the covector B at A in the frame of the surroundings:
 * A x B on S^2, its third component on S^1, the sum over the columns on SO(3); on R^d B itself. Embedded
 * factors have none. */
void ph_add_moment(const ph_part *f, const double *A, const double *B, double weight, double *m);

/* m (np) += weight times these moments of B (nz) at A (nz), of all factors. */
void ph_add_moments(const ph_space *space, const ph_part *parts, const double *A, const double *B,
                    double weight, double *m);

/* m <- the moment of the covector B (3x3) at A in the frame of A: vee(A^T B - B^T A). */
void ph_body_moment(const double A[9], const double B[9], double m[3]);
/* c += dL/d(turn) from v = R S(xi) at fixed xi: c . eta = L_v . (R S(eta) S(xi)). */
void ph_add_spin_moment(const double R[9], const double Lv[9], const double xi[3], double c[3]);

/* v . row, row of a factor's basis. */
static inline double ph_row_dot(const ph_part *f, const double *row, const double *v)
{
    double sum = 0;
    for (size_t k = 0; k < f->nz; k++)
        sum += row[k] * v[f->z + k];
    return sum;
}

#endif
