/* SPDX-License-Identifier: BSD-3-Clause */
/* The rotations SO(3) as a factor of a space: a row-major 3x3 matrix R that takes body to space coordinates.
 * A tangent vector is v = R S(w), w = vee(skew(R^T v)) the body angular velocity, and
 *     exp_R(v) = R exp(S(w)),   log_R(R1) = R S(log(R^T R1)),   dexp = R1 S(T(w) dw) with T of ph_dexp3.
 * Projection: the nearest rotation in the Frobenius norm (nearest-rotation.c). */
#include "rotation.h"
#include "lib/internal/space.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <polhode/kit/algebra.h>

enum { N = 9 };

/* w of v = R S(w) for a tangent v; for any other v, that of its tangent part. */
static void find_body_velocity(const double *R, const double *v, double *w)
{
    double A[N];
    ph_transposed_multiply3(R, v, A);
    ph_vee3(A, w);
}

/* v <- R S(w) */
static void make_tangent_vector(const double *R, const double *w, double *v)
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

/* D <- exp_R(v) - R = R (exp(S(w)) - I) for v = R S(w): ph_exp_increment3 computes the bracket without
 * cancellation. */
static void rotation_increment(const ph_factor_place *f, const double *R, const double *v, double *D)
{
    double w[3];
    find_body_velocity(R, v, w);
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
    make_tangent_vector(R, w, v);
    return PH_OK;
}

/* u <- R1 S(T(w) dw) at R1 = R exp(S(w)), for v = R S(w) and dv = R S(dw): the derivative of exp in the
 * body frame of its end. */
static void rotation_dexp(const ph_factor_place *f, const double *R, const double *v, const double *dv,
                          double *u)
{
    double w[3], dw[3], R1[N], along[3];
    find_body_velocity(R, v, w);
    find_body_velocity(R, dv, dw);
    rotation_act(f, R, w, R1);
    for (int i = 0; i < N; i++)
        R1[i] += R[i];
    ph_dexp3(w, dw, along);
    make_tangent_vector(R1, along, u);
}

/* ---- Projection ----------------------------------------------------------------------------------- */

/* The largest |entry of R^T R - I|, to the last place; at least 2 for a matrix that reflects, which is
 * orthogonal but no rotation. */
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

/* R <- R - (1/2) R (R^T R - I), one step of Newton's iteration for the polar factor; rounds to no side. */
static void rotation_correct(const ph_factor_place *f, double *R)
{
    (void)f;
    ph_rotation_correct3(R);
}

/* The same for the sum R + low, to the precision of both. */
static void rotation_correct_sum(const ph_factor_place *f, double *R, double *low)
{
    (void)f;
    ph_rotation_correct_sum3(R, low);
}

/* Entries of R^T R - I below this: a rotation is near, and det R > 0 (a reflection's residual is 2). */
static const double close = 0.01;

/* There is one unless s2 + s s3 = 0: see nearest-rotation.c. */
static ph_status rotation_has_nearest(const ph_factor_place *f, const double *R)
{
    bool nearest = ph_all_finite(R, N) && (rotation_residual(f, R) <= close || ph_rotation_has_nearest(R));
    return nearest ? PH_OK : PH_E_NOT_ON_MANIFOLD;
}

/* R <- the nearest rotation in the Frobenius norm. */
static ph_status rotation_project(const ph_factor_place *f, double *R)
{
    double residual = rotation_residual(f, R);
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
    return ph_rotation_find_nearest(R) ? PH_OK : PH_E_NOT_ON_MANIFOLD;
}

/* ---- The tangent space ---------------------------------------------------------------------------- */

/* B <- the symmetric part of R^T v, which is 0 for a tangent vector. */
static void find_normal_part(const double *R, const double *v, double *B)
{
    double A[N];
    ph_transposed_multiply3(R, v, A);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            B[3 * i + j] = 0.5 * (A[3 * i + j] + A[3 * j + i]);
}

/* V <- V - R sym(R^T V) */
static void rotation_project_tangent(const ph_factor_place *f, const double *R, double *v)
{
    double B[N], normal[N];
    (void)f;
    /* twice: the second time removes what rounding left of a large normal part */
    for (int pass = 0; pass < 2; pass++) {
        find_normal_part(R, v, B);
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

/* R S(e_1), R S(e_2), R S(e_3): tangent coordinates are the body angular velocity. As lists of 9 numbers
 * they are orthogonal, of length sqrt 2. */
static void rotation_basis(const ph_factor_place *f, const double *R, double *E)
{
    (void)f;
    for (int i = 0; i < 3; i++) {
        double e[3] = {i == 0, i == 1, i == 2};
        make_tangent_vector(R, e, E + N * i);
    }
}

/* The largest |entry of sym(R^T v)|. */
static double rotation_tangency(const ph_factor_place *f, const double *R, const double *v)
{
    double B[N];
    (void)f;
    if (!ph_all_finite(v, N))
        return NAN;
    find_normal_part(R, v, B);
    return ph_max_norm(B, N);
}

/* vee(R^T mu - mu^T R), which pairs with w as mu does with R S(w) */
static void rotation_momentum(const ph_factor_place *f, const double *R, const double *mu, double *p)
{
    (void)f;
    find_body_velocity(R, mu, p);
    for (int i = 0; i < 3; i++)
        p[i] *= 2;
}

/* mu <- R S(p)/2, of which rotation_momentum gives p: the covector without a normal part. */
static void rotation_covector(const ph_factor_place *f, const double *R, const double *p, double *mu)
{
    (void)f;
    make_tangent_vector(R, p, mu);
    for (int i = 0; i < N; i++)
        mu[i] *= 0.5;
}

/* v <- R S(w) */
static void rotation_turn(const ph_factor_place *f, const double *R, const double *w, double *v)
{
    (void)f;
    make_tangent_vector(R, w, v);
}

/* w <- vee of the skew part of R^T v */
static void rotation_spin(const ph_factor_place *f, const double *R, const double *v, double *w)
{
    (void)f;
    find_body_velocity(R, v, w);
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
