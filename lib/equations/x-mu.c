/* SPDX-License-Identifier: BSD-3-Clause */
/* Hamilton's equations in (x, mu) with the projection matrix P(x) on the tangent space and the Jacobian
 * matrix J of P(x)^T mu (embedded manifolds paper, eqs. (2.7), (2.8), with a force):
 *     xdot = P H_mu,      mudot = -P (H_x - f) + { P J^T P + J P - P J^T } H_mu,
 * as printed, with H_mu = v and (H_x)_k = (mu - L_v) . dP[e_k] v - (L_x)_k (hamilton.c). Column k of J is
 * dP[e_k] mu: dense matrices, made by 2n derivatives of P. y = (x, mu). */
#include "equations.h"

#include <string.h>

/* P, J, a unit vector, a column, and what Hamilton's equations are made of. */
static size_t work_size(const ph_system *system)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    return 2 * nz * nz + 2 * nz + ph_hamilton_work(system);
}

/* out <- A x, and out <- A^T x */
static void apply(size_t n, const double *A, const double *x, double *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (size_t k = 0; k < n; k++)
            out[i] += A[i * n + k] * x[k];
    }
}

static void apply_transposed(size_t n, const double *A, const double *x, double *out)
{
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            out[k] += A[i * n + k] * x[i];
}

/* With v = H_mu and xdot = P v: mudot = P { f - H_x + J^T xdot - J^T v } + J xdot, which is the printed one
 * with its terms gathered. O(n^3), as a reference for the other forms. */
static ph_status evaluate(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    const double *x = y, *mu = y + nz;
    double *P = work, *J = P + nz * nz, *e = J + nz * nz, *column = e + nz, *xdot = ydot, *mudot = ydot + nz;
    ph_hamilton h;
    ph_status status = ph_hamilton_derivatives(system, t, x, mu, column + nz, &h);
    if (status)
        return status;
    double *push = h.more, *term = push + nz;
    ph_space_projection(space, x, P);
    memset(e, 0, nz * sizeof *e);
    for (size_t k = 0; k < nz; k++) {
        e[k] = 1;
        ph_space_projection_along(space, x, e, mu, column);
        for (size_t i = 0; i < nz; i++)
            J[i * nz + k] = column[i];
        ph_space_projection_along(space, x, e, h.v, column);
        e[k] = 0;
        push[k] = h.Lz[k] + h.f[k];
        for (size_t i = 0; i < nz; i++)
            push[k] -= (mu[i] - h.Lv[i]) * column[i];
    }
    apply(nz, P, h.v, xdot);
    apply_transposed(nz, J, xdot, term); /* J^T P v, and less J^T v */
    apply_transposed(nz, J, h.v, column);
    for (size_t k = 0; k < nz; k++)
        push[k] += term[k] - column[k];
    apply(nz, P, push, mudot);
    apply(nz, J, xdot, term);
    for (size_t k = 0; k < nz; k++)
        mudot[k] += term[k];
    return PH_OK;
}

const ph_field ph_field_x_mu = {
    .name = "x-mu",
    .reference = "Lee, Leok, McClamroch, Global formulations ... on embedded manifolds, eqs. (2.7), (2.8)",
    .supports = ph_field_dense_supports,
    .size = ph_field_pair_size,
    .work = work_size,
    .evaluate = evaluate,
    .from_momentum = ph_field_covector_from_momentum,
    .to_momentum = ph_field_covector_to_momentum,
    .project = ph_field_pair_project,
};
