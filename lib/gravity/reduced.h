/* SPDX-License-Identifier: BSD-3-Clause */
/* Polynomials in the derivative d modulo dx^2 + dy^2 + dz^2 (polhode/domain/mass.h). Of degree n: s (2n + 1), first the n + 1
 * coefficients of dx^(n-b) dy^b, then the n of dx^(n-1-b) dy^b dz. */
#ifndef PH_GRAVITY_REDUCED_H
#define PH_GRAVITY_REDUCED_H

#include <polhode/domain/mass.h>

enum { PH_REDUCED_MOST = 2 * PH_MASS_DEGREE + 1 };

/* out (2n + 3) <- s of degree n times the linear form l . d. out is not s. */
static inline void ph_reduced_times(size_t n, const double *s, const double l[3], double *out)
{
    const double *s1 = s + n + 1;
    double *out1 = out + n + 2;
    for (size_t b = 0; b <= n + 1; b++)
        out[b] = (b <= n ? l[0] * s[b] : 0) + (b ? l[1] * s[b - 1] : 0) -
                 l[2] * ((b < n ? s1[b] : 0) + (b >= 2 ? s1[b - 2] : 0));
    for (size_t b = 0; b <= n; b++)
        out1[b] = (b < n ? l[0] * s1[b] : 0) + (b ? l[1] * s1[b - 1] : 0) + l[2] * s[b];
}

/* out (2n + 1) <- the change of s as the frame is turned about an axis: d/dx, ... are exchanged,
 *     T_x p = p_y dz - p_z dy,   T_y p = p_z dx - p_x dz,   T_z p = p_x dy - p_y dx. */
static inline void ph_reduced_turn(size_t n, const double *s, size_t axis, double *out)
{
    const double *s1 = s + n + 1;
    double *out1 = out + n + 1;
    for (size_t b = 0; b < 2 * n + 1; b++)
        out[b] = 0;
    for (size_t b = 0; b <= n; b++) {
        const double x = (double)(n - b) * s[b], y = (double)b * s[b]; /* the derivatives of dx^(n-b) dy^b */
        if (axis == 0 && b)
            out1[b - 1] += y;
        if (axis == 1 && b < n)
            out1[b] -= x;
        if (axis == 2 && b < n)
            out[b + 1] += x;
        if (axis == 2 && b)
            out[b - 1] -= y;
    }
    for (size_t b = 0; b < n; b++) { /* of dx^(n-1-b) dy^b dz; dz dz is -(dx dx + dy dy) */
        const double x = (double)(n - 1 - b) * s1[b], y = (double)b * s1[b];
        if (axis == 0) {
            out[b + 1] -= y + s1[b];
            if (b)
                out[b - 1] -= y;
        } else if (axis == 1) {
            out[b] += x + s1[b];
            if (b + 2 <= n)
                out[b + 2] += x;
        } else {
            if (b + 1 < n)
                out1[b + 1] += x;
            if (b)
                out1[b - 1] -= y;
        }
    }
}

/* out (moments up to degree N) <- those of B(C^T d): B seen from a frame in which its axes are the columns of C. */
void ph_reduced_rotate(size_t N, const double *moment, const double C[9], double *out);

#endif
