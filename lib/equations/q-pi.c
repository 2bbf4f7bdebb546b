/* SPDX-License-Identifier: BSD-3-Clause */
/* Hamilton's equations in (z, p), p the momenta of the state. On S^2, two-spheres paper, eqs. (31), (32):
 * with w = dH/dpi the angular velocity,
 *     qdot = -q x w,      pidot = -q x (dH/dq - f) + w x pi,      dH/dq = w x L_v - L_q;
 * on S^1 with the one number p = q x L_v
 *     qdot = w (-q_2, q_1),      pdot = q x (L_q + f) - w q.L_v;
 * on SO(3), with Pi = N(L_v), N(mu) = vee(R^T mu - mu^T R),
 *     Rdot = R S(Omega),      Pidot = Pi x Omega + N(L_R + f - L_v S(Omega)),
 * the last term being 0 for a rigid body, whose equations are Euler's (bodies.c); on R^d
 *     pdot = L_z + f;
 * on embedded manifolds, where p = P L_v,
 *     pdot = P (L_z + f) + dP[v] L_v.
 * On (S^2)^n with an inertia by pairs eqs. (36), (37): A w = pi with the matrix A of (33), whose inverse is
 * the paper's M^I. With v_i = w_i x q_i and s_i = sum over j != i of m_ij v_j,
 *     dH/dq_i = dU/dq_i - (1/2) d/dq_i sum_jk m_jk v_j.v_k + w_i x s_i
 * (w_j.w_j where j = k). Kinds of systems may have their own (ph_structure.in_momenta). y = (q, pi). */
#include "equations.h"
#include "lib/system/structure.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

#include <string.h>

/* The matrix of (33); gradient, force, w; a varying inertia. */
static size_t work_size(const ph_system *system)
{
    if (ph_system_bodies(system))
        return ph_bodies_work(system);
    if (!ph_field_is_spheres(system))
        return ph_space_ambient(ph_system_space(system)) + ph_hamilton_work(system);
    size_t m = 3 * ph_field_spheres(system);
    return m * m + 3 * m + ph_spheres_room(system);
}

/* pidot <- w x pi - q x push, push = dH/dq - f */
static void turn_momentum(const double q[3], const double pi[3], const double w[3], const double push[3],
                          double pidot[3])
{
    double pull[3];
    ph_cross3(q, push, pull);
    ph_cross3(w, pi, pidot);
    for (size_t a = 0; a < 3; a++)
        pidot[a] -= pull[a];
}

/* In this order: A w = pi, qdot = w x q, then dH/dq - f in push, and pidot. */
static ph_status evaluate_spheres(const ph_system *system, double t, const double *y, double *ydot,
                                  double *work)
{
    size_t n = ph_field_spheres(system), m = 3 * n;
    const double *M, *dM, *q = y, *pi = y + m;
    double *A = work, *g = A + m * m, *f = g + m, *w = f + m, *v = ydot;
    ph_status status = ph_spheres_inertia(system, q, w + m, &M, &dM);
    if (!status)
        status = ph_system_gradient(system, q, g);
    if (status)
        return status;
    ph_spheres_spin_matrix(n, M, q, A);
    if (ph_cholesky_factor(m, A))
        return PH_E_DIVERGED; /* on the manifold the matrix is positive definite: y has left it */
    memcpy(w, pi, m * sizeof *w);
    ph_cholesky_solve(m, A, w);
    ph_spheres_turn(n, q, w, v);
    status = ph_system_force(system, t, q, v, f);
    if (status)
        return status;
    if (dM)
        ph_spheres_add_slope(n, dM, -1, v, w, g);
    for (size_t i = 0; i < n; i++) {
        double s[3], push[3];
        ph_spheres_others(n, M, i, v, s);
        ph_cross3(w + 3 * i, s, push);
        for (size_t a = 0; a < 3; a++)
            push[a] += g[3 * i + a] - f[3 * i + a];
        turn_momentum(q + 3 * i, pi + 3 * i, w + 3 * i, push, ydot + m + 3 * i);
    }
    return PH_OK;
}

/* ---- Any product: a factor each ---------------------------------------------------------------------- */

/* v, Lv, push = L_q + f, p: the factor's own. */
static void on_sphere(const double *q, const double *v, const double *Lv, const double *push, const double *p,
                      double *qdot, double *pdot)
{
    double w[3], slope[3];
    ph_cross3(q, v, w);
    ph_cross3(w, q, qdot);
    ph_cross3(w, Lv, slope);
    for (size_t a = 0; a < 3; a++)
        slope[a] -= push[a];
    turn_momentum(q, p, w, slope, pdot);
}

/* With w = Jq.v: qdot = w Jq, pdot = Jq.(L_q + f) - w q.L_v. */
static void on_circle(const double *q, const double *v, const double *Lv, const double *push, double *qdot,
                      double *pdot)
{
    double w = q[0] * v[1] - q[1] * v[0];
    qdot[0] = -w * q[1];
    qdot[1] = w * q[0];
    *pdot = q[0] * push[1] - q[1] * push[0] - w * (q[0] * Lv[0] + q[1] * Lv[1]);
}

/* With Omega = vee(R^T v): Pidot = Pi x Omega + N(L_R + f - L_v S(Omega)), N(mu) = 2 vee(skew(R^T mu)). */
static void on_rotations(const double *R, const double *v, const double *Lv, const double *push,
                         const double *p, double *Rdot, double *pdot)
{
    double A[9], w[3], sum[9], moment[3];
    ph_transposed_multiply3(R, v, A);
    ph_vee3(A, w);
    for (size_t row = 0; row < 9; row += 3) {
        ph_cross3(R + row, w, Rdot + row); /* a row of R S(w) */
        ph_cross3(w, Lv + row, sum + row); /* and of -L_v S(w) */
        for (size_t a = 0; a < 3; a++)
            sum[row + a] += push[row + a];
    }
    ph_transposed_multiply3(R, sum, A);
    ph_vee3(A, moment);
    ph_cross3(p, w, pdot);
    for (size_t a = 0; a < 3; a++)
        pdot[a] += 2 * moment[a];
}

/* The velocity comes from the covector of p, mu = P L_v (hamilton.c), and is projected for factors that are
 * not named. */
static ph_status evaluate_any(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    const double *z = y, *p = y + nz;
    double *zdot = ydot, *pdot = ydot + nz, *mu = work;
    ph_hamilton h;
    ph_space_covector(space, z, p, mu);
    ph_status status = ph_hamilton_derivatives(system, t, z, mu, work + nz, &h);
    if (status)
        return status;
    double *push = h.more, *bend = push + nz, *along = h.Lz;
    for (size_t k = 0; k < nz; k++)
        push[k] = h.Lz[k] + h.f[k];
    memcpy(along, push, nz * sizeof *along);
    ph_space_project_tangent(space, z, along);
    ph_space_projection_along(space, z, h.v, h.Lv, bend);
    memcpy(zdot, h.v, nz * sizeof *zdot);
    ph_space_project_tangent(space, z, zdot);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const double *q = z + f->z, *v = h.v + f->z, *Lv = h.Lv + f->z, *own = push + f->z;
        if (f->kind == PH_FACTOR_S2)
            on_sphere(q, v, Lv, own, p + f->p, zdot + f->z, pdot + f->p);
        else if (f->kind == PH_FACTOR_S1)
            on_circle(q, v, Lv, own, zdot + f->z, pdot + f->p);
        else if (f->kind == PH_FACTOR_SO3)
            on_rotations(q, v, Lv, own, p + f->p, zdot + f->z, pdot + f->p);
        else /* R^d, whose P is I, and embedded manifolds */
            for (size_t k = 0; k < f->nz; k++)
                pdot[f->p + k] = along[f->z + k] + bend[f->z + k];
    }
    return PH_OK;
}

static ph_status evaluate(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_structure *of = ph_structure_of(system);
    return ph_system_bodies(system)                         ? ph_bodies_momentum(system, t, y, ydot, work)
           : of->in_momenta && !ph_system_has_force(system) ? of->in_momenta(system, y, ydot, work)
           : ph_field_is_spheres(system)                    ? evaluate_spheres(system, t, y, ydot, work)
                                                            : evaluate_any(system, t, y, ydot, work);
}

/* y = (z, p) is the state itself. */
static ph_status from_momentum(const ph_system *system, double t, const double *z, const double *p, double *y,
                               double *work)
{
    const ph_space *space = ph_system_space(system);
    (void)t, (void)work;
    memcpy(y, z, ph_space_ambient(space) * sizeof *y);
    memcpy(y + ph_space_ambient(space), p, ph_space_momenta(space) * sizeof *y);
    return PH_OK;
}

static ph_status to_momentum(const ph_system *system, double t, const double *y, double *z, double *p,
                             double *work)
{
    const ph_space *space = ph_system_space(system);
    (void)t, (void)work;
    memcpy(z, y, ph_space_ambient(space) * sizeof *z);
    memcpy(p, y + ph_space_ambient(space), ph_space_momenta(space) * sizeof *p);
    return PH_OK;
}

const ph_field ph_field_q_pi = {
    .name = "q-pi",
    .reference = "Lee, Leok, McClamroch, Global formulations ... on two-spheres, eqs. (31), (32), (36), (37)",
    .supports = ph_field_dense_supports,
    .size = ph_field_mixed_size,
    .work = work_size,
    .evaluate = evaluate,
    .from_momentum = from_momentum,
    .to_momentum = to_momentum,
    .project = ph_field_mixed_project,
};
