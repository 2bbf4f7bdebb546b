/* SPDX-License-Identifier: BSD-3-Clause */
/* The rotations SO(3) as a factor of a space: a row-major 3x3 matrix R that takes body to space coordinates.
 * A tangent vector is v = R S(w), w = vee(skew(R^T v)) the body angular velocity, and
 *     exp_R(v) = R exp(S(w)),   log_R(R1) = R S(log(R^T R1)),   dexp = R1 S(T(w) dw) with T of ph_dexp3.
 * Projection: the nearest rotation in the Frobenius norm, by the quaternion that makes tr(R^T A) largest
 * (Davenport's q-method). */
#include "lib/internal/space.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <polhode/algebra.h>

enum { N = 9 };

/* w of v = R S(w) for a tangent v; for any other v, that of its tangent part. */
static void body_velocity(const double *R, const double *v, double *w)
{
    double A[N];
    ph_transposed_multiply3(R, v, A);
    ph_vee3(A, w);
}

static void tangent_vector(const double *R, const double *w, double *v)
{
    for (int i = 0; i < 3; i++) /* row i of R S(w) is (row i of R) x w */
        ph_cross3(R + 3 * i, w, v + 3 * i);
}

/* ---- exp, log, dexp ------------------------------------------------------------------------------- */

/* D <- R (exp(S(w)) - I) */
static void rotation_act(const ph_factor_place *f, const double *R, const double *w, double *D)
{
    double X[N];
    (void)f;
    ph_exp_increment3(w, X);
    ph_multiply3(R, X, D);
}

static void rotation_increment(const ph_factor_place *f, const double *R, const double *v, double *D)
{
    double w[3];
    body_velocity(R, v, w);
    rotation_act(f, R, w, D);
}

/* Computed from the difference R1 - R, which is exact where the two are close. */
static ph_status rotation_log(const ph_factor_place *f, const double *R, const double *R1, double *v)
{
    double D[N], X[N], w[3];
    (void)f;
    for (int i = 0; i < N; i++)
        D[i] = R1[i] - R[i];
    ph_transposed_multiply3(R, D, X);
    if (!ph_log_increment3(X, w))
        return PH_E_NO_SOLUTION;
    tangent_vector(R, w, v);
    return PH_OK;
}

static void rotation_dexp(const ph_factor_place *f, const double *R, const double *v, const double *dv,
                          double *u)
{
    double w[3], dw[3], R1[N], along[3];
    body_velocity(R, v, w);
    body_velocity(R, dv, dw);
    rotation_act(f, R, w, R1);
    for (int i = 0; i < N; i++)
        R1[i] += R[i];
    ph_dexp3(w, dw, along);
    tangent_vector(R1, along, u);
}

/* ---- Projection ----------------------------------------------------------------------------------- */

/* Diagonalise the symmetric 4x4 K by Jacobi rotations; V <- eigenvectors in its columns. */
static void jacobi(double K[4][4], double V[4][4])
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
                double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
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
static bool nearest_quaternion(const double *A, double *q)
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
    jacobi(K, V);
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
static bool first_guess(const double *R, double *A, double *q)
{
    int exponent;
    frexp(ph_max_norm(R, N), &exponent);
    for (int i = 0; i < N; i++)
        A[i] = ldexp(R[i], -exponent);
    return nearest_quaternion(A, q);
}

/* X <- (the rotation of the quaternion q, |q| = 1 to rounding) - I */
static void quaternion_increment(const double *q, double *X)
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
static void polish(const double *A, double *R)
{
    double B[N], D[N], q[4];
    ph_transposed_multiply3(R, A, B);
    if (!nearest_quaternion(B, q)) /* the nearest rotation is barely unique: leave R as it is */
        return;
    quaternion_increment(q, B);
    ph_multiply3(R, B, D);
    for (int i = 0; i < N; i++)
        R[i] += D[i];
}

static double rotation_residual(const ph_factor_place *f, const double *R)
{
    double C[N], worst;
    (void)f;
    if (!ph_all_finite(R, N))
        return NAN;
    if (ph_max_norm(R, N) <= 2)
        ph_rotation_residual3(R, C);
    else
        ph_transposed_multiply3(R, R, C); /* so large that subtracting I does not matter; may overflow */
    worst = ph_max_norm(C, N);
    return ph_determinant3(R) < 0 ? fmax(worst, 2) : worst;
}

static void rotation_correct(const ph_factor_place *f, double *R)
{
    (void)f;
    ph_rotation_correct3(R);
}

static void rotation_correct_sum(const ph_factor_place *f, double *R, double *low)
{
    (void)f;
    ph_rotation_correct_sum3(R, low);
}

/* Entries of R^T R - I below this: a rotation is near, and det R > 0 (a reflection's residual is 2). */
static const double close = 0.01;

static ph_status rotation_has_nearest(const ph_factor_place *f, const double *R)
{
    double A[N], q[4];
    bool nearest = ph_all_finite(R, N) && (rotation_residual(f, R) <= close || first_guess(R, A, q));
    return nearest ? PH_OK : PH_E_NOT_ON_MANIFOLD;
}

static ph_status rotation_project(const ph_factor_place *f, double *R)
{
    double A[N], q[4], residual = rotation_residual(f, R);
    if (!ph_all_finite(R, N))
        return PH_E_NOT_ON_MANIFOLD;
    /* near the rotations the correction, repeated, converges to the nearest one (Newton's iteration for the
     * polar factor, which squares the error). A matrix that is a rotation to rounding is not changed, so that
     * projecting is idempotent. */
    for (int pass = 0; pass < 4 && residual <= close; pass++) {
        if (residual <= 2 * DBL_EPSILON && ph_max_norm(R, N) <= 1)
            return PH_OK;
        ph_rotation_correct3(R);
        residual = rotation_residual(f, R);
    }
    if (residual <= close)
        return PH_OK;
    if (!first_guess(R, A, q))
        return PH_E_NOT_ON_MANIFOLD;
    quaternion_increment(q, R);
    for (int i = 0; i < N; i += 4)
        R[i] += 1;
    ph_rotation_correct3(R);
    polish(A, R);
    for (int pass = 0; pass < 2; pass++)
        ph_rotation_correct3(R);
    return PH_OK;
}

/* ---- The tangent space ---------------------------------------------------------------------------- */

/* B <- the symmetric part of R^T v, which is 0 for a tangent vector. */
static void normal_part(const double *R, const double *v, double *B)
{
    double A[N];
    ph_transposed_multiply3(R, v, A);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            B[3 * i + j] = 0.5 * (A[3 * i + j] + A[3 * j + i]);
}

static void rotation_project_tangent(const ph_factor_place *f, const double *R, double *v)
{
    double B[N], normal[N];
    (void)f;
    /* twice: the second time removes what rounding left of a large normal part */
    for (int pass = 0; pass < 2; pass++) {
        normal_part(R, v, B);
        ph_multiply3(R, B, normal);
        for (int i = 0; i < N; i++)
            v[i] -= normal[i];
    }
}

/* P Y = (Y - R Y^T R) / 2, also where R is off the manifold; entry (i, j) of R Y^T R is the sum of
 * R_il R_kj Y_kl. */
static void rotation_projection(const ph_factor_place *f, const double *R, double *P, size_t stride)
{
    (void)f;
    for (size_t row = 0; row < N; row++)
        for (size_t column = 0; column < N; column++) {
            size_t i = row / 3, j = row % 3, k = column / 3, l = column % 3;
            P[row * stride + column] = 0.5 * ((row == column) - R[3 * i + l] * R[3 * k + j]);
        }
}

/* -(dR Y^T R + R Y^T dR) / 2 */
static void rotation_projection_along(const ph_factor_place *f, const double *R, const double *dR,
                                      const double *Y, double *out)
{
    double A[N], B[N];
    (void)f;
    ph_transposed_multiply3(Y, R, A);
    ph_transposed_multiply3(Y, dR, B);
    ph_multiply3(dR, A, out);
    ph_multiply3(R, B, A);
    for (int i = 0; i < N; i++)
        out[i] = -0.5 * (out[i] + A[i]);
}

static void rotation_basis(const ph_factor_place *f, const double *R, double *E)
{
    (void)f;
    for (int i = 0; i < 3; i++) {
        double e[3] = {i == 0, i == 1, i == 2};
        tangent_vector(R, e, E + N * i);
    }
}

static double rotation_tangency(const ph_factor_place *f, const double *R, const double *v)
{
    double B[N];
    (void)f;
    if (!ph_all_finite(v, N))
        return NAN;
    normal_part(R, v, B);
    return ph_max_norm(B, N);
}

/* vee(R^T mu - mu^T R), which pairs with w as mu does with R S(w) */
static void rotation_momentum(const ph_factor_place *f, const double *R, const double *mu, double *p)
{
    (void)f;
    body_velocity(R, mu, p);
    for (int i = 0; i < 3; i++)
        p[i] *= 2;
}

static void rotation_covector(const ph_factor_place *f, const double *R, const double *p, double *mu)
{
    (void)f;
    tangent_vector(R, p, mu);
    for (int i = 0; i < N; i++)
        mu[i] *= 0.5;
}

static void rotation_turn(const ph_factor_place *f, const double *R, const double *w, double *v)
{
    (void)f;
    tangent_vector(R, w, v);
}

static void rotation_spin(const ph_factor_place *f, const double *R, const double *v, double *w)
{
    (void)f;
    body_velocity(R, v, w);
}

/* R^T moves by exp(-S(w)) from the left, and [-S(u), -S(v)] = -S(v x u). */
static void rotation_bracket(const double *u, const double *v, double *w)
{
    ph_cross3(v, u, w);
}

/* ---- Messages ------------------------------------------------------------------------------------- */

static void rotation_explain(const ph_factor_place *f, const ph_flaw *flaw, char *text, size_t size)
{
    const double off = flaw->fault == PH_FAULT_POINT      ? rotation_residual(f, flaw->z)
                       : flaw->fault == PH_FAULT_VELOCITY ? rotation_tangency(f, flaw->z, flaw->v)
                                                          : 0;
    const bool mirrored = ph_determinant3(flaw->z) < 0;
    const size_t number = flaw->i + 1;
    if (flaw->fault == PH_FAULT_REMOTE && flaw->read)
        snprintf(text, size, "has no nearest rotation; a rotation matrix, row by row, is expected");
    else if (flaw->fault == PH_FAULT_REMOTE)
        snprintf(text, size, "R%zu has no nearest rotation; it must be a rotation matrix", number);
    else if (flaw->fault == PH_FAULT_POINT && flaw->read)
        snprintf(text, size, "is not a rotation: %s (%.3g)",
                 mirrored ? "its determinant is negative" : "R^T R is not 1", off);
    else if (flaw->fault == PH_FAULT_POINT && mirrored)
        snprintf(text, size, "R%zu is not a rotation: its determinant is negative", number);
    else if (flaw->fault == PH_FAULT_POINT)
        snprintf(text, size, "R%zu is not a rotation: an entry of R^T R - I is %.3g in size", number, off);
    else if (flaw->fault == PH_FAULT_VELOCITY && flaw->read)
        snprintf(text, size, "is not a rotation's velocity: R^T v has a symmetric part of size %.3g", off);
    else if (flaw->fault == PH_FAULT_VELOCITY)
        snprintf(text, size,
                 "velocity%zu is not R S(w): the symmetric part of R^T v has an entry of size %.3g", number,
                 off);
}

const ph_manifold ph_manifold_rotation = {
    .name = "SO(3)",
    .words = {"rotation", "rotations", "one", .angular = true, .as_spin = true},
    .configurations = {"R", PH_INDEX_AXES, "1"},
    .momenta = {"Pi", PH_INDEX_AXIS, "kg m^2/s"},
    .explain = rotation_explain,
    .nz = N,
    .np = 3,
    .nx = 3,
    .increment = rotation_increment,
    .log = rotation_log,
    .dexp = rotation_dexp,
    .has_nearest = rotation_has_nearest,
    .project = rotation_project,
    .project_tangent = rotation_project_tangent,
    .projection = rotation_projection,
    .projection_along = rotation_projection_along,
    .basis = rotation_basis,
    .residual = rotation_residual,
    .tangency = rotation_tangency,
    .correct = rotation_correct,
    .correct_sum = rotation_correct_sum,
    .momentum = rotation_momentum,
    .covector = rotation_covector,
    .turn = rotation_turn,
    .spin = rotation_spin,
    .act = rotation_act,
    .bracket = rotation_bracket,
};
