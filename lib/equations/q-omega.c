/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Lagrange equations in (z, w), w angular velocities: on (S^2)^n qdot_i = omega_i x q_i (two-spheres
 * paper, eq. (19), both terms under the sum); other products, see product.c. M_ii omegadot_i + sum_{j != i} {
 * M_ij S(q_i)^T S(q_j) omegadot_j - M_ij |omega_j|^2 q_i x q_j }
 *         + q_i x (dU/dq_i - f_i) = 0.
 * The 3n x 3n matrix is symmetric positive definite; Cholesky. y = (q, omega). */
#include <internal/equations.h>

#include <polhode/algebra.h>
#include <polhode/solve.h>

#include <string.h>

/* Matrix, gradient, force; or what the Legendre transform wants and a velocity. */
static size_t work_size(const ph_system *system)
{
    if (!ph_field_is_spheres(system))
        return ph_product_work(system);
    size_t m = 3 * ph_field_spheres(system), here = m * m + 2 * m, there = ph_system_work(system) + m;
    return here > there ? here : there;
}

/* Lower triangle of M_ij S(q_i)^T S(q_j) = M_ij ((q_i . q_j) I - q_j q_i^T), M_ii I on the diagonal. */
static void fill_matrix(size_t n, const double *M, const double *q, double *A)
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

static void spin(size_t n, const double *q, const double *omega, double *qdot)
{
    for (size_t i = 0; i < n; i++)
        ph_cross3(omega + 3 * i, q + 3 * i, qdot + 3 * i);
}

static ph_status evaluate(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    if (!ph_field_is_spheres(system))
        return ph_product_spin(system, t, y, ydot, work);
    size_t n = ph_field_spheres(system), m = 3 * n;
    const double *M = ph_system_inertia(system), *q = y, *omega = y + m;
    double *A = work, *g = A + m * m, *f = g + m, *b = ydot + m;
    spin(n, q, omega, ydot);
    ph_status status = ph_system_gradient(system, q, g);
    if (!status)
        status = ph_system_force(system, t, q, ydot, f);
    if (status)
        return status;
    fill_matrix(n, M, q, A);
    for (size_t i = 0; i < n; i++) {
        double push[3];
        for (size_t a = 0; a < 3; a++)
            push[a] = f[3 * i + a] - g[3 * i + a];
        for (size_t j = 0; j < n; j++) {
            double pull = j == i ? 0 : M[i * n + j] * ph_dot3(omega + 3 * j, omega + 3 * j);
            for (size_t a = 0; a < 3; a++)
                push[a] += pull * q[3 * j + a];
        }
        ph_cross3(q + 3 * i, push, b + 3 * i);
    }
    if (ph_cholesky_factor(m, A))
        return PH_E_DIVERGED; /* on the manifold the matrix is positive definite: y has left it */
    ph_cholesky_solve(m, A, b);
    return PH_OK;
}

static size_t size(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    return ph_space_ambient(space) + ph_space_momenta(space);
}

static ph_status from_momentum(const ph_system *system, const double *z, const double *p, double *y,
                               double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t m = ph_space_ambient(space);
    ph_status status = ph_system_velocity(system, z, p, work, work + m);
    memcpy(y, z, m * sizeof *y);
    if (!status)
        ph_space_spin(space, z, work, y + m);
    return status;
}

static ph_status to_momentum(const ph_system *system, const double *y, double *z, double *p, double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t m = ph_space_ambient(space);
    const ph_body *bodies = ph_system_bodies(system);
    memcpy(z, y, m * sizeof *z);
    for (size_t i = 0; bodies && i < ph_space_factors(space); i++)
        ph_apply3(bodies[i].J, y + m + 3 * i, p + 3 * i);
    if (bodies)
        return PH_OK;
    ph_space_turn(space, y, y + m, work);
    return ph_system_momentum(system, y, work, p, work + m);
}

static ph_status project(const ph_system *system, double *y)
{
    const ph_space *space = ph_system_space(system);
    ph_status status = ph_space_project(space, y);
    if (!status) /* an angular velocity on S^2 is perpendicular to q like a momentum */
        ph_space_project_momentum(space, y, y + ph_space_ambient(space));
    return status;
}

const ph_field ph_field_q_omega = {
    .name = "q-omega",
    .reference = "Lee, Leok, McClamroch, Global formulations ... on two-spheres, eq. (19), corrected",
    .size = size,
    .work = work_size,
    .evaluate = evaluate,
    .from_momentum = from_momentum,
    .to_momentum = to_momentum,
    .project = project,
};
