/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Lagrange equations in (z, zdot). On (S^2)^n with an inertia by pairs (two-spheres paper, eq. (13)):
 *     m_ii qddot_i + P_i sum_{j != i} m_ij qddot_j = -m_ii |qdot_i|^2 q_i - P_i (F_i + dU/dq_i - f_i),
 * P_i = I - q_i q_i^T, F_i of the slopes of m, 0 where it is constant: 3n linear equations for qddot, not
 * symmetric, by LU. Other products and Lagrangians, there eq. (11): see product.c. y = (q, qdot). */
#include "equations.h"

#include <polhode/constraints.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

#include <string.h>

/* Are these the short equations of spheres? Reactions of velocity constraints are in the general ones. */
static bool is_short(const ph_system *system)
{
    return ph_field_is_spheres(system) && !ph_system_constraints(system);
}

/* Matrix, gradient, force, pivots (an int takes no more room than a double). */
static size_t work_size(const ph_system *system)
{
    if (!is_short(system))
        return ph_product_work(system);
    size_t m = 3 * ph_field_spheres(system), here = m * m + 3 * m + ph_spheres_room(system),
           there = ph_system_work(system);
    return here > there ? here : there;
}

/* A (3n x 3n) <- the matrix on the left of (13): m_ii I on the diagonal, P_i m_ij off it. Rows of factor i
 * have P_i, columns none, so that it is not symmetric. */
static void fill_matrix(size_t n, const double *M, const double *q, double *A)
{
    size_t m = 3 * n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++)
                    A[(3 * i + a) * m + 3 * j + b] =
                        M[i * n + j] * ((a == b) - (i == j ? 0 : q[3 * i + a] * q[3 * i + b]));
}

/* With g = dU/dq + F - f the right-hand side of factor i is -m_ii |qdot_i|^2 q_i - P_i g_i = (q_i.g_i -
 * m_ii |qdot_i|^2) q_i - g_i. */
static ph_status evaluate(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    if (!is_short(system))
        return ph_product_qdot(system, t, y, ydot, work);
    size_t n = ph_field_spheres(system), m = 3 * n;
    const double *M, *dM, *q = y, *v = y + m;
    double *A = work, *g = A + m * m, *f = g + m, *b = ydot + m;
    int *pivot = (int *)(void *)(f + m);
    ph_status status = ph_spheres_inertia(system, q, f + 2 * m, &M, &dM);
    if (!status)
        status = ph_system_gradient(system, q, g);
    if (!status)
        status = ph_system_force(system, t, q, v, f);
    if (status)
        return status;
    fill_matrix(n, M, q, A);
    if (dM)
        ph_spheres_add_rate(n, dM, v, g);
    for (size_t i = 0; i < n; i++) {
        double push[3];
        for (size_t a = 0; a < 3; a++)
            push[a] = g[3 * i + a] - f[3 * i + a];
        double along = ph_dot3(q + 3 * i, push) - M[i * n + i] * ph_dot3(v + 3 * i, v + 3 * i);
        for (size_t a = 0; a < 3; a++)
            b[3 * i + a] = along * q[3 * i + a] - push[a];
    }
    if (ph_lu_factor(m, A, pivot, NULL))
        return PH_E_DIVERGED; /* on the manifold the matrix is regular: y has left it */
    ph_lu_solve(m, A, pivot, b);
    memcpy(ydot, v, m * sizeof *ydot);
    return PH_OK;
}

const ph_field ph_field_q_qdot = {
    .name = "q-qdot",
    .reference = "Lee, Leok, McClamroch, Global formulations ... on two-spheres, eqs. (11), (13)",
    .supports = ph_field_dense_supports,
    .size = ph_field_pair_size,
    .work = work_size,
    .evaluate = evaluate,
    .from_momentum = ph_field_velocity_from_momentum,
    .to_momentum = ph_field_velocity_to_momentum,
    .project = ph_field_pair_project,
};
