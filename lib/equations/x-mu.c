/* SPDX-License-Identifier: BSD-3-Clause */
/* Hamilton's equations in (x, mu) with the projection matrix P(x) on the tangent space and the Jacobian
 * matrix J of P(x)^T mu (embedded manifolds paper, eqs. (2.7), (2.8), with a force):
 *     xdot = P H_mu,      mudot = -P (H_x - f) + { P J^T P + J P - P J^T } H_mu,
 * with H_mu = v and (H_x)_k = (mu - L_v) . dP[e_k] v - (L_x)_k (hamilton.c). Column k of J is dP[e_k] mu. P and J have a block for each
 * factor, so that all that is applied to a vector is a sum over the columns of its block. y = (x, mu). */
#include "equations.h"
#include "lib/internal/space.h"

#include <string.h>

/* Numbers of the block of the largest factor. */
static size_t block_size(const ph_space *space)
{
    size_t most = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const size_t n = ph_space_factor(space, i)->nz;
        most = n > most ? n : most;
    }
    return most * most;
}

/* A unit vector, a column, J xdot, what Hamilton's equations are made of, a block of P. */
static size_t work_size(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    return 3 * ph_space_ambient(space) + ph_hamilton_work(system) + block_size(space);
}

/* out <- P v */
static void project(const ph_space *space, const double *x, const double *v, double *out, double *P)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        memset(P, 0, f->nz * f->nz * sizeof *P);
        ph_space_manifold(space, i)->projection(f, x + f->z, P, f->nz);
        for (size_t k = 0; k < f->nz; k++) {
            double sum = 0;
            for (size_t j = 0; j < f->nz; j++)
                sum += P[k * f->nz + j] * v[f->z + j];
            out[f->z + k] = sum;
        }
    }
}

/* With v = H_mu and xdot = P v: mudot = P { f - H_x + J^T xdot - J^T v } + J xdot, which is the printed one with its terms gathered. */
static ph_status evaluate(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    const double *x = y, *mu = y + nz;
    double *e = work, *column = e + nz, *moved = column + nz, *P = moved + nz + ph_hamilton_work(system),
           *xdot = ydot, *mudot = ydot + nz;
    ph_hamilton h;
    ph_status status = ph_hamilton_derivatives(system, t, x, mu, moved + nz, &h);
    if (status)
        return status;
    double *push = h.more;
    project(space, x, h.v, xdot, P);
    memset(e, 0, 3 * nz * sizeof *e);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t k = f->z; k < f->z + f->nz; k++) {
            double with = 0, less = 0; /* J^T xdot, J^T v */
            e[k] = 1;
            push[k] = h.Lz[k] + h.f[k];
            ph_space_factor_projection_along(space, i, x, e, h.v, column);
            for (size_t j = f->z; j < f->z + f->nz; j++)
                push[k] -= (mu[j] - h.Lv[j]) * column[j];
            ph_space_factor_projection_along(space, i, x, e, mu, column);
            for (size_t j = f->z; j < f->z + f->nz; j++) {
                with += column[j] * xdot[j];
                less += column[j] * h.v[j];
                moved[j] += column[j] * xdot[k];
            }
            e[k] = 0;
            push[k] += with - less;
        }
    }
    project(space, x, push, mudot, P);
    for (size_t k = 0; k < nz; k++)
        mudot[k] += moved[k];
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
