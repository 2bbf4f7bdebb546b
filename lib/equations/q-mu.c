/* SPDX-License-Identifier: BSD-3-Clause */
/* Hamilton's equations in (z, mu), mu = P dL/dzdot a covector in ambient coordinates. On S^2, two-spheres
 * paper, eqs. (23), (24), with P = I - q q^T:
 *     qdot = P dH/dmu,      mudot = -P (dH/dq - f) + dH/dmu x (mu x q),
 * on S^1 embedded manifolds paper, eq. (3.4); on other factors its eqs. (2.7), (2.8), which at v = dH/dmu
 * tangent are
 *     zdot = v,      mudot = P { L_z + f - dP[v] (mu - L_v) } + dP[v] mu:
 * the derivative of (mu - L_v) . dP[.] v, mu - L_v being normal, is dP[v] (mu - L_v), as the second
 * fundamental form is symmetric. On (S^2)^n with an inertia by pairs eqs. (25), (27): dH/dmu = u, B u = mu,
 * B the symmetric matrix of m_ii I and P_i m_ij P_j, whose inverse is the paper's m^I (which must be
 * symmetric for (27)). With r_i = P_i u_i and s_i = sum over j != i of m_ij r_j,
 *     dH/dq_i = dU/dq_i - (1/2) d/dq_i sum_jk m_jk r_j.r_k + (q_i.u_i) s_i + (q_i.s_i) u_i
 * (u_j.u_j where j = k).
 * y = (q, mu). */
#include "equations.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

#include <string.h>

/* B; gradient, force, u; a varying inertia. */
static size_t work_size(const ph_system *system)
{
    if (!ph_field_is_spheres(system))
        return ph_hamilton_work(system);
    size_t m = 3 * ph_field_spheres(system);
    return m * m + 3 * m + ph_spheres_room(system);
}

/* ---- (S^2)^n ---------------------------------------------------------------------------------------- */

/* Lower triangle of B; P_i P_j = I - q_i q_i^T - q_j q_j^T + (q_i.q_j) q_i q_j^T. */
static void fill_matrix(size_t n, const double *M, const double *q, double *B)
{
    size_t m = 3 * n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            const double *qi = q + 3 * i, *qj = q + 3 * j;
            double dot = ph_dot3(qi, qj);
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++) {
                    double normal = i == j ? 0 : qi[a] * qi[b] + qj[a] * qj[b] - dot * qi[a] * qj[b];
                    B[(3 * i + a) * m + 3 * j + b] = M[i * n + j] * ((a == b) - normal);
                }
        }
}

/* out <- P v */
static void project(const double q[3], const double v[3], double out[3])
{
    double along = ph_dot3(q, v);
    for (size_t a = 0; a < 3; a++)
        out[a] = v[a] - along * q[a];
}

/* mudot <- -P push + u x (mu x q), push = dH/dq - f */
static void turn_covector(const double q[3], const double mu[3], const double u[3], const double push[3],
                          double mudot[3])
{
    double along = ph_dot3(q, push), turn[3], pull[3];
    ph_cross3(mu, q, turn);
    ph_cross3(u, turn, pull);
    for (size_t a = 0; a < 3; a++)
        mudot[a] = pull[a] - (push[a] - along * q[a]);
}

/* In this order: B u = mu, qdot = r = P u, then the slope of H at (q, mu) in g, and mudot. */
static ph_status evaluate_spheres(const ph_system *system, double t, const double *y, double *ydot,
                                  double *work)
{
    size_t n = ph_field_spheres(system), m = 3 * n;
    const double *M, *dM, *q = y, *mu = y + m;
    double *B = work, *g = B + m * m, *f = g + m, *u = f + m, *r = ydot;
    ph_status status = ph_spheres_inertia(system, q, u + m, &M, &dM);
    if (!status)
        status = ph_system_gradient(system, q, g);
    if (status)
        return status;
    fill_matrix(n, M, q, B);
    if (ph_cholesky_factor(m, B))
        return PH_E_DIVERGED; /* on the manifold the matrix is positive definite: y has left it */
    memcpy(u, mu, m * sizeof *u);
    ph_cholesky_solve(m, B, u);
    for (size_t i = 0; i < n; i++)
        project(q + 3 * i, u + 3 * i, r + 3 * i);
    status = ph_system_force(system, t, q, r, f);
    if (status)
        return status;
    if (dM)
        ph_spheres_add_slope(n, dM, -1, r, u, g);
    for (size_t i = 0; i < n; i++) {
        double s[3], push[3], qu = ph_dot3(q + 3 * i, u + 3 * i), qs;
        ph_spheres_others(n, M, i, r, s);
        qs = ph_dot3(q + 3 * i, s);
        for (size_t a = 0; a < 3; a++)
            push[a] = g[3 * i + a] + qu * s[a] + qs * u[3 * i + a] - f[3 * i + a];
        turn_covector(q + 3 * i, mu + 3 * i, u + 3 * i, push, ydot + m + 3 * i);
    }
    return PH_OK;
}

/* ---- Any product ------------------------------------------------------------------------------------- */

/* S^1 and S^2, numbers of one factor; v x (mu x q) = (v.q) mu - (v.mu) q, as in (3.4). */
static void on_sphere(size_t n, const double *q, const double *mu, const ph_hamilton *h, size_t at,
                      double *qdot, double *mudot)
{
    const double *v = h->v + at, *Lz = h->Lz + at, *Lv = h->Lv + at, *f = h->f + at;
    double qv = 0, qLv = 0, vmu = 0, along = 0;
    for (size_t k = 0; k < n; k++) {
        qv += q[k] * v[k];
        qLv += q[k] * Lv[k];
        vmu += v[k] * mu[k];
    }
    for (size_t k = 0; k < n; k++)
        along += q[k] * (Lz[k] + f[k] - qLv * v[k]);
    for (size_t k = 0; k < n; k++) {
        qdot[k] = v[k] - qv * q[k];
        mudot[k] = (Lz[k] + f[k] - qLv * v[k]) - along * q[k] + (qv * mu[k] - vmu * q[k]);
    }
}

/* mudot = P { L_z + f - dP[v] (mu - L_v) } + dP[v] mu for all factors; those of S^1 and S^2 are then replaced
 * by what the papers print for them. */
static ph_status evaluate_any(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    const double *z = y, *mu = y + nz;
    double *zdot = ydot, *mudot = ydot + nz;
    ph_hamilton h;
    ph_status status = ph_hamilton_derivatives(system, t, z, mu, work, &h);
    if (status)
        return status;
    double *normal = h.more, *push = normal + nz;
    for (size_t k = 0; k < nz; k++)
        normal[k] = mu[k] - h.Lv[k];
    ph_space_projection_along(space, z, h.v, normal, push);
    for (size_t k = 0; k < nz; k++)
        push[k] = h.Lz[k] + h.f[k] - push[k];
    ph_space_project_tangent(space, z, push);
    ph_space_projection_along(space, z, h.v, mu, mudot);
    for (size_t k = 0; k < nz; k++)
        mudot[k] += push[k];
    memcpy(zdot, h.v, nz * sizeof *zdot);
    ph_space_project_tangent(space, z, zdot);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        if (f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_S1)
            on_sphere(f->nz, z + f->z, mu + f->z, &h, f->z, zdot + f->z, mudot + f->z);
    }
    return PH_OK;
}

static ph_status evaluate(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    return ph_field_is_spheres(system) ? evaluate_spheres(system, t, y, ydot, work)
                                       : evaluate_any(system, t, y, ydot, work);
}

const ph_field ph_field_q_mu = {
    .name = "q-mu",
    .reference = "Lee, Leok, McClamroch, Global formulations ... on two-spheres, eqs. (23)-(25), (27)",
    .supports = ph_field_dense_supports,
    .size = ph_field_pair_size,
    .work = work_size,
    .evaluate = evaluate,
    .from_momentum = ph_field_covector_from_momentum,
    .to_momentum = ph_field_covector_to_momentum,
    .project = ph_field_pair_project,
};
