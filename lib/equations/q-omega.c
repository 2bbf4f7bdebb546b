/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Lagrange equations in (z, w), w angular velocities. On (S^2)^n, qdot_i = omega_i x q_i, with an
 * inertia by pairs (two-spheres paper, eq. (19), both terms under the sum):
 *     m_ii omegadot_i + sum_{j != i} { m_ij S(q_i)^T S(q_j) omegadot_j - m_ij |omega_j|^2 q_i x q_j }
 *         + q_i x (F_i + dU/dq_i - f_i) = 0,      F_i of the slopes of m, 0 where it is constant.
 * The 3n x 3n matrix is symmetric positive definite; Cholesky. Other products and Lagrangians, there
 * eq. (17): see product.c, bodies.c and those of kinds of systems. y = (q, omega). */
#include "equations.h"
#include "lib/system/structure.h"

#include <polhode/constraints.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/rolling.h>
#include <polhode/kit/solve.h>
#include <polhode/kit/train.h>

#include <string.h>

/* Are these the short equations of spheres? Reactions of velocity constraints are in the general ones. */
static bool is_short(const ph_system *system)
{
    return ph_field_is_spheres(system) && !ph_system_constraints(system);
}

/* Has its kind equations of its own? */
static bool has_own(const ph_system *system)
{
    return ph_structure_of(system)->spin && !ph_system_constraints(system);
}

/* The larger of what the evaluation needs, and the Legendre transform with a velocity. */
static size_t work_size(const ph_system *system)
{
    size_t here = 0, there = ph_system_work(system) + ph_space_ambient(ph_system_space(system));
    if (ph_system_bodies(system) && !ph_system_constraints(system)) {
        here = ph_bodies_work(system);
    } else if (has_own(system)) {
        here = ph_structure_of(system)->spin_work(system);
    } else if (is_short(system)) {
        size_t m = 3 * ph_field_spheres(system);
        here = m * m + 2 * m + ph_spheres_room(system);
    } else {
        here = ph_product_work(system);
    }
    if (ph_system_train(system) && ph_train_spin_work(ph_system_train(system)) > here)
        here = ph_train_spin_work(ph_system_train(system));
    return here > there ? here : there;
}

/* A omegadot = b with the matrix A of (33) and b_i = q_i x { f_i - dU/dq_i - F_i + sum_{j != i} m_ij
 * |omega_j|^2 q_j }. */
static ph_status evaluate_spheres(const ph_system *system, double t, const double *y, double *ydot,
                                  double *work)
{
    size_t n = ph_field_spheres(system), m = 3 * n;
    const double *M, *dM, *q = y, *omega = y + m;
    double *A = work, *g = A + m * m, *f = g + m, *b = ydot + m;
    ph_spheres_turn(n, q, omega, ydot);
    ph_status status = ph_spheres_inertia(system, q, f + m, &M, &dM);
    if (!status)
        status = ph_system_gradient(system, q, g);
    if (!status)
        status = ph_system_force(system, t, q, ydot, f);
    if (status)
        return status;
    ph_spheres_spin_matrix(n, M, q, A);
    if (dM)
        ph_spheres_add_rate(n, dM, ydot, g);
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

static ph_status evaluate(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_rolling *rolling = ph_system_rolling(system);
    const ph_train *train = ph_system_train(system);
    if (train) {
        bool done;
        ph_status status = ph_train_spin(system, train, t, y, ydot, &done, work);
        if (status || done)
            return status;
    }
    if (rolling) {
        ph_rolling_spin(rolling, y, ydot);
        return ph_all_finite(ydot, ph_field_mixed_size(system)) ? PH_OK : PH_E_DIVERGED;
    }
    return ph_system_bodies(system) && !ph_system_constraints(system)
               ? ph_bodies_spin(system, t, y, ydot, work)
           : has_own(system)  ? ph_structure_of(system)->spin(system, t, y, ydot, work)
           : is_short(system) ? evaluate_spheres(system, t, y, ydot, work)
                              : ph_product_spin(system, t, y, ydot, work);
}

/* By the Legendre transform to the velocity, and from it to w. */
static ph_status from_momentum(const ph_system *system, double t, const double *z, const double *p, double *y,
                               double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t m = ph_space_ambient(space);
    ph_status status = ph_system_velocity(system, t, z, p, work, work + m);
    memcpy(y, z, m * sizeof *y);
    if (!status)
        ph_space_spin(space, z, work, y + m);
    return status;
}

/* A body's Pi = J Omega needs no velocity. */
static ph_status to_momentum(const ph_system *system, double t, const double *y, double *z, double *p,
                             double *work)
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
    return ph_system_momentum(system, t, y, work, p, work + m);
}

static ph_status project(const ph_system *system, double *y)
{
    bool done = false;
    const ph_status status = has_own(system) && ph_structure_of(system)->spin_project
                                 ? ph_structure_of(system)->spin_project(system, y, &done)
                                 : PH_OK;
    return done ? status : ph_field_mixed_project(system, y);
}

const ph_field ph_field_q_omega = {
    .name = "q-omega",
    .reference = "Lee, Leok, McClamroch, Global formulations ... on two-spheres, eqs. (17), (19), corrected",
    .supports = ph_field_dense_supports,
    .size = ph_field_mixed_size,
    .work = work_size,
    .evaluate = evaluate,
    .from_momentum = from_momentum,
    .to_momentum = to_momentum,
    .project = project,
};
