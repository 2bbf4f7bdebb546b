/* SPDX-License-Identifier: BSD-3-Clause */
/* What the equations on (S^2)^n with an inertia m_ij(q) by pairs share (two-spheres paper, Lagrangian
 * (12)): the inertia and its gradient, the terms F_i of (13) and (19), and the matrix of the Legendre
 * transform (33). */
#include "equations.h"

#include <polhode/kit/algebra.h>

/* Only unit vectors, and the inertia a number for each pair of them. */
bool ph_field_is_spheres(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    for (size_t i = 0; i < ph_space_factors(space); i++)
        if (ph_space_factor(space, i)->kind != PH_FACTOR_S2)
            return false;
    return ph_system_has_pair_inertia(system);
}

size_t ph_spheres_room(const ph_system *system)
{
    size_t n = ph_field_spheres(system);
    return ph_system_inertia(system) ? 0 : n * n * (1 + 3 * n);
}

/* The room has M (n x n), then dM (n x n x 3n): entry (j, k, l) is dm_jk/dq_l. */
ph_status ph_spheres_varying_inertia(const ph_system *system, const double *q, double *room, const double **M,
                                     const double **dM)
{
    size_t n = ph_field_spheres(system);
    *M = room;
    *dM = room + n * n;
    return ph_system_pair_inertia(system, q, room, room + n * n);
}

/* F_l += (factor/2) sum_jk dm_jk/dq_l v_j.v_k */
void ph_spheres_add_slope(size_t n, const double *dM, double factor, const double *v, const double *own,
                          double *F)
{
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++) {
            const double *a = j == k ? own : v;
            double half = 0.5 * factor * ph_dot3(a + 3 * j, a + 3 * k);
            for (size_t l = 0; l < 3 * n; l++)
                F[l] += half * dM[(j * n + k) * 3 * n + l];
        }
}

/* mdot_ij = sum_l dm_ij/dq_l v_l */
void ph_spheres_add_rate(size_t n, const double *dM, const double *v, double *F)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double rate = 0;
            for (size_t l = 0; l < 3 * n; l++)
                rate += dM[(i * n + j) * 3 * n + l] * v[l];
            for (size_t a = 0; a < 3; a++)
                F[3 * i + a] += rate * v[3 * j + a];
        }
    ph_spheres_add_slope(n, dM, -1, v, v, F);
}

/* What moves with i: the momentum of the others in the ambient coordinates of i. */
void ph_spheres_others(size_t n, const double *M, size_t i, const double *v, double s[3])
{
    s[0] = s[1] = s[2] = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t a = 0; a < 3 && j != i; a++)
            s[a] += M[i * n + j] * v[3 * j + a];
}

/* S(q_i)^T S(q_j) = (q_i . q_j) I - q_j q_i^T */
void ph_spheres_spin_matrix(size_t n, const double *M, const double *q, double *A)
{
    size_t m = 3 * n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double dot = i == j ? 1 : ph_dot3(q + 3 * i, q + 3 * j);
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++)
                    A[(3 * i + a) * m + 3 * j + b] =
                        M[i * n + j] * ((a == b ? dot : 0) - (i == j ? 0 : q[3 * j + a] * q[3 * i + b]));
        }
}
