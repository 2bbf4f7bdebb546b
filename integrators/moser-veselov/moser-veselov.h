/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of moser-veselov.c in other files: the moments of inertia It (series.c), principal axes (axes.c), and
 * the branch of solutions (branch.c). It are the moments with which the discrete Moser-Veselov map makes the
 * motion of a body of moments I to order 2, 4, ... 10 (Hairer, Vilmart, J. Phys. A 39 (2006) 13225, theorem 1
 * and appendix),
 *     1 / It_i = A / I_i + B,
 *     A = 1 + h^2 s_3 + h^4 s_5 + h^6 s_7 + h^8 s_9,
 *     B =     h^2 d_3 + h^4 d_5 + h^6 d_7 + h^8 d_9,
 * s and d forms of degree 1 to 4 in the body's energy H and C = |y|^2 / 2. */
#ifndef PH_INTEGRATORS_MOSER_VESELOV_H
#define PH_INTEGRATORS_MOSER_VESELOV_H

#include <polhode/method.h>
#include <polhode/solve.h>

enum { PH_MOSER_VESELOV_ORDER }; /* among the options; its value is the degree of the series */

/* Largest degree of the series, in h^2. */
enum { PH_MOSER_VESELOV_DEGREE = 4 };

typedef struct ph_moser_veselov_series {
    double unit;       /* moments and momenta are times this, a power of 2 */
    double inverse[3]; /* 1 / I_i */
    /* A and B: the coefficient of C^j H^i at [j][i]. */
    double A[PH_MOSER_VESELOV_DEGREE + 1][PH_MOSER_VESELOV_DEGREE + 1];
    double B[PH_MOSER_VESELOV_DEGREE + 1][PH_MOSER_VESELOV_DEGREE + 1];
} ph_moser_veselov_series;

/* Of the body with principal moments I. */
void ph_moser_veselov_begin(const double I[3], ph_moser_veselov_series *series);
/* H, C <- of the momentum y in principal axes, in the units of the series. */
void ph_moser_veselov_invariants(const ph_moser_veselov_series *series, const double y[3], double *H,
                                 double *C);
/* A, B <- up to this degree, order 2 (degree + 1), for H and C times h^2. */
void ph_moser_veselov_inertia(const ph_moser_veselov_series *series, int degree, double H, double C,
                              double *A, double *B);

/* J = axes diag(I) axes^T, for symmetric J; axes is a rotation, whose columns are the principal axes. */
void ph_moser_veselov_axes(const double J[9], double axes[9], double I[3]);

/* u <- the solution of u = w (b + b x u + (b.u) u) on the branch from b = 0, wherever that leads. */
ph_status ph_moser_veselov_follow(ph_context *context, double t, size_t body, const double w[3],
                                  const double b[3], ph_newton_work *newton, double u[3]);

#endif
