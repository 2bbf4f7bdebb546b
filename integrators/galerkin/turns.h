/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors that turn, S^2 and SO(3), in the exponential chart of curve.h: rotation vectors of tangent
 * coordinates, and the coefficients of the exponential and of its tangent map T with their derivatives. */
#ifndef PH_INTEGRATORS_GALERKIN_TURNS_H
#define PH_INTEGRATORS_GALERKIN_TURNS_H

#include "curve.h"

#include <polhode/kit/algebra.h>

#include <math.h>

static inline bool turns(const ph_part *f)
{
    return f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_SO3;
}

/* w <- the rotation vector of tangent coordinates x; on S^2 w x e_3 = (x_1, x_2, 0). */
static inline void curve_lift(const ph_part *f, const double *x, double w[3])
{
    bool sphere = f->kind == PH_FACTOR_S2;
    w[0] = sphere ? -x[1] : x[0];
    w[1] = sphere ? x[0] : x[1];
    w[2] = sphere ? 0 : x[2];
}

/* x <- the covector on tangent coordinates that corresponds to m on rotation vectors; for a rotation vector
 * m, its tangent coordinates. */
static inline void curve_drop(const ph_part *f, const double m[3], double *x)
{
    bool sphere = f->kind == PH_FACTOR_S2;
    x[0] = sphere ? m[1] : m[0];
    x[1] = sphere ? -m[0] : m[1];
    if (!sphere)
        x[2] = m[2];
}

/* psi_k = 1/k! - x psi_{k+2}, used downwards from series where x is small, upwards from sine and cosine
 * elsewhere, so that nothing cancels. */
static inline void find_psi(double x, double psi[6])
{
    static const double series4[] = {1. / 24,
                                     1. / 720,
                                     1. / 40320,
                                     1. / 3628800,
                                     1. / 479001600,
                                     1. / 87178291200.,
                                     1. / 20922789888000.,
                                     1. / 6402373705728000.,
                                     1. / 2432902008176640000.,
                                     1. / 1124000727777607680000.},
                        series5[] = {1. / 120,
                                     1. / 5040,
                                     1. / 362880,
                                     1. / 39916800,
                                     1. / 6227020800.,
                                     1. / 1307674368000.,
                                     1. / 355687428096000.,
                                     1. / 121645100408832000.,
                                     1. / 51090942171709440000.,
                                     1. / 25852016738884976640000.};
    if (x < 4) {
        psi[4] = psi[5] = 0;
        for (int j = x < 0.25 ? 6 : 9; j >= 0; j--) {
            psi[4] = series4[j] - x * psi[4];
            psi[5] = series5[j] - x * psi[5];
        }
        psi[3] = 1. / 6 - x * psi[5];
        psi[2] = 0.5 - x * psi[4];
        psi[1] = 1 - x * psi[3];
        psi[0] = 1 - x * psi[2];
    } else {
        double t = sqrt(x), half = sin(0.5 * t);
        psi[0] = cos(t);
        psi[1] = sin(t) / t;
        psi[2] = 2 * half * half / x;
        psi[3] = (1 - psi[1]) / x;
        psi[4] = (0.5 - psi[2]) / x;
        psi[5] = (1. / 6 - psi[3]) / x;
    }
}

/* dpsi_k/dx */
static inline double slope_of_psi(const double psi[6], int k)
{
    return 0.5 * (k * psi[k + 2] - psi[k + 1]);
}

/* out <- m + sign b xi x m + d xi x (xi x m), b = psi_2, d = psi_3: T(xi) m for sign -1, T(xi)^T m for 1 */
static inline void apply_T(const ph_turn_point *o, double sign, const double m[3], double out[3])
{
    double once[3], twice[3];
    ph_cross3(o->xi, m, once);
    ph_cross3(o->xi, once, twice);
    for (int k = 0; k < 3; k++)
        out[k] = m[k] + (sign * o->psi[2] * once[k] + o->psi[3] * twice[k]);
}

/* call(..., points, sphere) for factor f of curve c, with constants for the last two, so that a copy is
 * compiled for each number of points and kind of factor: loops of constant length take half the time. */
#define PH_FOR_POINTS(call, ...)                                                                             \
    do {                                                                                                     \
        const bool sphere = f->kind == PH_FACTOR_S2;                                                         \
        switch (c->gauss->points) {                                                                          \
        case 2:                                                                                              \
            sphere ? call(__VA_ARGS__, 2, true) : call(__VA_ARGS__, 2, false);                               \
            break;                                                                                           \
        case 3:                                                                                              \
            sphere ? call(__VA_ARGS__, 3, true) : call(__VA_ARGS__, 3, false);                               \
            break;                                                                                           \
        default:                                                                                             \
            sphere ? call(__VA_ARGS__, 4, true) : call(__VA_ARGS__, 4, false);                               \
        }                                                                                                    \
    } while (0)

#endif
