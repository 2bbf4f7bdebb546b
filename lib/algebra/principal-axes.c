/* SPDX-License-Identifier: BSD-3-Clause */
/* The axes of a symmetric matrix of three rows, J = axes diag(I) axes^T: see polhode/kit/rotation.h. */
#include <polhode/kit/rotation.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Jacobi's rotations, Golub and Van Loan, Matrix Computations (2013), 8.5: each annihilates one pair of off-diagonal entries. A diagonal J needs none. */
void ph_principal_axes(const double J[9], double axes[9], double I[3])
{
    enum { SWEEPS = 30 };
    double M[9];
    memcpy(M, J, sizeof M);
    memset(axes, 0, 9 * sizeof *axes);
    axes[0] = axes[4] = axes[8] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            /* the rotation by the smaller angle, with tangent t, that makes M_ij zero */
            double off = 0.5 * (M[3 * i + j] + M[3 * j + i]), gap = M[4 * j] - M[4 * i];
            M[3 * i + j] = M[3 * j + i] = 0;
            if (fabs(off) <= DBL_MIN + 0.125 * DBL_EPSILON * fmin(fabs(M[4 * i]), fabs(M[4 * j])))
                continue;
            double ratio = 0.5 * gap / off, t = copysign(1, ratio) / (fabs(ratio) + ph_hypot(1, ratio));
            double c = 1 / ph_hypot(1, t), s = t * c, aik = M[3 * i + k], ajk = M[3 * j + k];
            M[4 * i] -= t * off;
            M[4 * j] += t * off;
            M[3 * i + k] = M[3 * k + i] = c * aik - s * ajk;
            M[3 * j + k] = M[3 * k + j] = s * aik + c * ajk;
            for (int row = 0; row < 9; row += 3) {
                double a = axes[row + i], b = axes[row + j];
                axes[row + i] = c * a - s * b;
                axes[row + j] = s * a + c * b;
            }
        }
    for (int i = 0; i < 3; i++)
        I[i] = M[4 * i];
    ph_rotation_correct3(axes);
}
