/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Lagrange equations in (x, xdot) with the projection matrix P(x) on the tangent space (embedded
 * manifolds paper, eq. (2.3), with a force): P { d/dt L_v - L_x - f } = 0. It says nothing of the normal part
 * of a = xddot, which the derivative of v = P v does: (I - P) a = N = (I - P) dP[v] v. With a = P a + N in
 * L_vv a, and N in units of an inertia m,
 *     [P L_vv P + m (I - P)] a = P (L_x + f - L_vx v - L_vv N) + m N,
 * n equations with a symmetric matrix, regular where L is: by Cholesky where there is an inertia, else by LU.
 * Any m > 0 gives the same a on the manifold; it is the largest entry of L_vv. (There dP[v] v has no tangent
 * part that I - P would take away. Off it there is one, and an m larger than the inertia of a factor would
 * drive the motion by it.) Where velocities follow from momenta without matrices, so does P a, and P is applied factor by factor.
 * y = (x, xdot). */
#include "equations.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

#include <string.h>

/* Matrices P, L_vv, that of the equations, P L_vv; vectors force, L_vx v - L_x, N; then scratch of the
 * Lagrangian's functions, or the pivots. */
static size_t work_size(const ph_system *system)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    if (ph_field_is_direct(system))
        return 5 * nz + ph_system_work(system);
    return 4 * nz * nz + 3 * nz + ph_system_work(system);
}

/* C <- A B, all n x n */
static void multiply(size_t n, const double *A, const double *B, double *C)
{
    memset(C, 0, n * n * sizeof *C);
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < n; l++)
            for (size_t k = 0; k < n; k++)
                C[i * n + k] += A[i * n + l] * B[l * n + k];
}

/* r <- r - A x, in twice the digits. */
static void subtract_image(size_t n, const double *A, const double *x, double *r)
{
    for (size_t i = 0; i < n; i++) {
        double low = 0, product, lost, off;
        for (size_t k = 0; k < n; k++) {
            ph_two_product(A[i * n + k], -x[k], &product, &off);
            ph_two_sum(r[i], product, &r[i], &lost);
            low += lost + off;
        }
        r[i] += low;
    }
}

/* a <- A^{-1} a, with a correction: A has the inertias of the lightest bodies beside the scale of the heaviest. copy (n x n), r (n) */
static ph_status solve(const ph_system *system, size_t n, double *A, double *a, double *copy, double *r,
                       int *pivot)
{
    bool finite = ph_all_finite(A, n * n), inertia = ph_system_kind(system) != PH_LAGRANGIAN_GENERAL;
    memcpy(copy, A, n * n * sizeof *A);
    memcpy(r, a, n * sizeof *a);
    if (inertia ? ph_cholesky_factor(n, A) : ph_lu_factor(n, A, pivot, NULL))
        return ph_field_singular(system, finite);
    for (int turn = 0; turn < 2; turn++) {
        double *x = turn ? r : a;
        if (turn)
            subtract_image(n, copy, a, r);
        if (inertia)
            ph_cholesky_solve(n, A, x);
        else
            ph_lu_solve(n, A, pivot, x);
    }
    for (size_t k = 0; k < n; k++)
        a[k] += r[k];
    return PH_OK;
}

/* N <- (I - P) dP[v] v, then P a. work: nz, what ph_product_respond needs */
static ph_status evaluate_direct(const ph_system *system, double t, const double *x, const double *v,
                                 double *a, double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    double *N = work, *tangent = N + nz;
    ph_space_projection_along(space, x, v, v, N);
    memcpy(tangent, N, nz * sizeof *N);
    ph_space_project_tangent(space, x, tangent);
    for (size_t k = 0; k < nz; k++)
        N[k] -= tangent[k];
    ph_status status = ph_product_respond(system, t, x, v, N, a, work + nz);
    for (size_t k = 0; k < nz && !status; k++)
        a[k] += N[k];
    return status;
}

/* The equations at the head of the file, term by term: b <- L_vx v - L_x, N <- (I - P) dP[v] v, A <- P L_vv
 * P + m (I - P), and the right-hand side in the place of a. */
static ph_status evaluate(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    const double *x = y, *v = y + nz;
    double *P = work, *Lvv = P + nz * nz, *A = Lvv + nz * nz, *PL = A + nz * nz, *f = PL + nz * nz,
           *b = f + nz, *N = b + nz, *more = N + nz, *a = ydot + nz;
    memcpy(ydot, v, nz * sizeof *ydot);
    if (ph_field_is_direct(system))
        return evaluate_direct(system, t, x, v, a, work);
    ph_status status = ph_system_euler_lagrange(system, t, x, v, Lvv, b, more);
    if (!status)
        status = ph_system_force(system, t, x, v, f);
    if (status)
        return status;
    double m = ph_max_norm(Lvv, nz * nz);
    ph_space_projection(space, x, P);
    ph_space_projection_along(space, x, v, v, a);
    for (size_t i = 0; i < nz; i++) {
        N[i] = a[i];
        for (size_t k = 0; k < nz; k++)
            N[i] -= P[i * nz + k] * a[k];
    }
    multiply(nz, P, Lvv, PL);
    multiply(nz, PL, P, A);
    for (size_t i = 0; i < nz; i++) {
        a[i] = m * N[i];
        for (size_t k = 0; k < nz; k++) {
            a[i] += P[i * nz + k] * (f[k] - b[k]) - PL[i * nz + k] * N[k];
            A[i * nz + k] += m * ((i == k) - P[i * nz + k]);
        }
    }
    return solve(system, nz, A, a, PL, b, (int *)(void *)more);
}

const ph_field ph_field_x_xdot = {
    .name = "x-xdot",
    .reference = "Lee, Leok, McClamroch, Global formulations ... on embedded manifolds, eq. (2.3)",
    .supports = ph_field_dense_supports,
    .size = ph_field_pair_size,
    .work = work_size,
    .evaluate = evaluate,
    .from_momentum = ph_field_velocity_from_momentum,
    .to_momentum = ph_field_velocity_to_momentum,
    .project = ph_field_pair_project,
};
