/* SPDX-License-Identifier: BSD-3-Clause */
/* The rotation R nearest to a matrix A in the Frobenius norm, by the unit quaternion q that makes tr(R^T
 * A) largest:
 *     tr(R(q)^T A) = q.K q,
 * K symmetric and 4 x 4, so that q is the eigenvector of its largest eigenvalue (Davenport's q-method). */
#include "rotation.h"

#include <float.h>
#include <math.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>

enum { N = 9 };

/* Diagonalise the symmetric 4x4 K by Jacobi rotations; V <- eigenvectors in its columns. */
static void diagonalise_symmetric4(double K[4][4], double V[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            V[i][j] = i == j;
    for (int sweep = 0; sweep < 20; sweep++) /* 4 to 6 are needed: convergence is quadratic */
        for (int p = 0; p < 3; p++)
            for (int q = p + 1; q < 4; q++) {
                if (K[p][q] == 0)
                    continue;
                double theta = 0.5 * (K[q][q] - K[p][p]) / K[p][q];
                double t = copysign(1, theta) / (fabs(theta) + ph_hypot(theta, 1));
                double c = 1 / sqrt(t * t + 1), s = t * c, change = t * K[p][q];
                K[p][p] -= change;
                K[q][q] += change;
                K[p][q] = K[q][p] = 0;
                for (int r = 0; r < 4; r++) {
                    double vp = V[r][p], vq = V[r][q], kp = K[r][p], kq = K[r][q];
                    V[r][p] = c * vp - s * vq;
                    V[r][q] = s * vp + c * vq;
                    if (r == p || r == q)
                        continue;
                    K[r][p] = K[p][r] = c * kp - s * kq;
                    K[r][q] = K[q][r] = s * kp + c * kq;
                }
            }
}

/* With q a unit quaternion, tr(R(q)^T A) = q.K q, so that the nearest rotation belongs to K's largest
 * eigenvalue, and is the only one if that is simple. With A's singular values s1 >= s2 >= s3 and s the sign
 * of det A, the two largest eigenvalues of K are s1 + (s2 + s s3) and s1 - (s2 + s s3). q <- the quaternion,
 * from A and g = 2 vee(A); false where the eigenvalue is not simple. */
static bool find_nearest_quaternion(const double *A, double *q)
{
    double K[4][4], V[4][4], w[3], trace = A[0] + A[4] + A[8];
    int first = 0;
    ph_vee3(A, w);
    K[0][0] = trace;
    for (int i = 0; i < 3; i++) {
        K[0][i + 1] = K[i + 1][0] = 2 * w[i];
        for (int j = 0; j < 3; j++)
            K[i + 1][j + 1] = A[3 * i + j] + A[3 * j + i] - (i == j ? trace : 0);
    }
    diagonalise_symmetric4(K, V);
    for (int i = 1; i < 4; i++)
        if (K[i][i] > K[first][first])
            first = i;
    for (int i = 0; i < 4; i++) {
        if (i != first && !(K[first][first] - K[i][i] > 32 * DBL_EPSILON * K[first][first]))
            return false;
        q[i] = V[i][first];
    }
    return true;
}

/* A <- R / 2^k with entries below 1 (neither squares nor sums are too large or too small for a double); q <-
 * the quaternion of the rotation nearest to it. false where there is none. */
static bool guess_quaternion(const double *R, double *A, double *q)
{
    int exponent;
    frexp(ph_max_norm(R, N), &exponent);
    for (int i = 0; i < N; i++)
        A[i] = ldexp(R[i], -exponent);
    return find_nearest_quaternion(A, q);
}

/* X <- (the rotation of the quaternion q, |q| = 1 to rounding) - I */
static void expand_quaternion(const double *q, double *X)
{
    double twice[3] = {2 * q[1], 2 * q[2], 2 * q[3]};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        X[4 * i] = -(twice[j] * q[1 + j] + twice[k] * q[1 + k]);
        X[3 * i + j] = twice[i] * q[1 + j] - twice[k] * q[0];
        X[3 * j + i] = twice[i] * q[1 + j] + twice[k] * q[0];
    }
}

/* R <- R times the rotation nearest to R^T A, for R near the rotation nearest to A: removes the rounding
 * error of the first guess. */
static void polish_rotation(const double *A, double *R)
{
    double B[N], D[N], q[4];
    ph_transposed_multiply3(R, A, B);
    if (!find_nearest_quaternion(B, q)) /* the nearest rotation is barely unique: leave R as it is */
        return;
    expand_quaternion(q, B);
    ph_multiply3(R, B, D);
    for (int i = 0; i < N; i++)
        R[i] += D[i];
}

bool ph_rotation_has_nearest(const double A[9])
{
    double scaled[N], q[4];
    return guess_quaternion(A, scaled, q);
}

/* The first guess, corrected and polished; corrections behind it take the rounding away. */
bool ph_rotation_find_nearest(double R[9])
{
    double A[N], q[4];
    if (!guess_quaternion(R, A, q))
        return false;
    expand_quaternion(q, R);
    for (int i = 0; i < N; i += 4)
        R[i] += 1;
    ph_rotation_correct3(R);
    polish_rotation(A, R);
    for (int pass = 0; pass < 2; pass++)
        ph_rotation_correct3(R);
    return true;
}
