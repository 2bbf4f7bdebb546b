/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies by quaternions x and their conjugate momenta y (lift.c) in lanes: included once for each width of vectors (lanes-width.h). */
#include "integrators/shared/lanes-eight.h"

/* c <- d x b of numbers d. */
INLINE void OF(cross_numbers)(const double *d, const number *b, number *c)
{
    c[0] = d[1] * b[2] - d[2] * b[1];
    c[1] = d[2] * b[0] - d[0] * b[2];
    c[2] = d[0] * b[1] - d[1] * b[0];
}

INLINE void OF(apply)(const number *R, const number *b, number *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = R[3 * k] * b[0] + R[3 * k + 1] * b[1] + R[3 * k + 2] * b[2];
}

INLINE void OF(apply_transposed)(const number *R, const number *b, number *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = R[k] * b[0] + R[3 + k] * b[1] + R[6 + k] * b[2];
}

/* R, Pi of x and y, whose numbers are `wide` doubles apart; *over <- 1/|x|^2. */
INLINE void OF(take_body)(const double *x_at, const double *y_at, size_t wide, number *R, number *Pi,
                          number *over)
{
    number x[4], y[4];
    for (size_t k = 0; k < 4; k++) {
        x[k] = OF(load)(x_at + k * wide);
        y[k] = OF(load)(y_at + k * wide);
    }
    *over = 1.0 / ((x[0] * x[0] + x[1] * x[1]) + (x[2] * x[2] + x[3] * x[3]));
    const number f = 2 * *over, w1 = f * x[1], w2 = f * x[2], w3 = f * x[3], xx = w1 * x[1], yy = w2 * x[2],
                 zz = w3 * x[3], xy = w1 * x[2], xz = w1 * x[3], yz = w2 * x[3], wx = w1 * x[0],
                 wy = w2 * x[0], wz = w3 * x[0];
    R[0] = 1 - (yy + zz);
    R[1] = xy - wz;
    R[2] = xz + wy;
    R[3] = xy + wz;
    R[4] = 1 - (xx + zz);
    R[5] = yz - wx;
    R[6] = xz - wy;
    R[7] = yz + wx;
    R[8] = 1 - (xx + yy);
    Pi[0] = 0.5 * ((x[0] * y[1] - y[0] * x[1]) - (x[2] * y[3] - x[3] * y[2]));
    Pi[1] = 0.5 * ((x[0] * y[2] - y[0] * x[2]) - (x[3] * y[1] - x[1] * y[3]));
    Pi[2] = 0.5 * ((x[0] * y[3] - y[0] * x[3]) - (x[1] * y[2] - x[2] * y[1]));
}

/* x' <- (1/2) x Omega, y' <- (1/2) y Omega + 2 x tau / |x|^2. */
INLINE void OF(turn_body)(const double *x_at, const double *y_at, size_t wide, number over,
                          const number *Omega, const number *tau, double *dx, double *dy)
{
    number x[4], y[4], O[3], T[3];
    const number f = 2 * over;
    for (size_t k = 0; k < 4; k++) {
        x[k] = OF(load)(x_at + k * wide);
        y[k] = OF(load)(y_at + k * wide);
    }
    for (int k = 0; k < 3; k++) {
        O[k] = 0.5 * Omega[k];
        T[k] = f * tau[k];
    }
    OF(store)(-(x[1] * O[0] + x[2] * O[1] + x[3] * O[2]), dx);
    OF(store)(x[0] * O[0] + (x[2] * O[2] - x[3] * O[1]), dx + wide);
    OF(store)(x[0] * O[1] + (x[3] * O[0] - x[1] * O[2]), dx + 2 * wide);
    OF(store)(x[0] * O[2] + (x[1] * O[1] - x[2] * O[0]), dx + 3 * wide);
    OF(store)(-((y[1] * O[0] + y[2] * O[1] + y[3] * O[2]) + (x[1] * T[0] + x[2] * T[1] + x[3] * T[2])), dy);
    OF(store)((y[0] * O[0] + (y[2] * O[2] - y[3] * O[1])) + (x[0] * T[0] + (x[2] * T[2] - x[3] * T[1])),
              dy + wide);
    OF(store)((y[0] * O[1] + (y[3] * O[0] - y[1] * O[2])) + (x[0] * T[1] + (x[3] * T[0] - x[1] * T[2])),
              dy + 2 * wide);
    OF(store)((y[0] * O[2] + (y[1] * O[1] - y[2] * O[0])) + (x[0] * T[2] + (x[1] * T[1] - x[2] * T[0])),
              dy + 3 * wide);
}
