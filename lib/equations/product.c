/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Lagrange equations on any product and for any Lagrangian, projected on the tangent space with the
 * basis E:
 *     zddot = E a + N(z, zdot),      (E^T L_vv E) a = E^T { f + L_z - L_vz zdot - L_vv N },
 * N the normal part that keeps zdot tangent: -|qdot|^2 q on S^1 and S^2, R S(Omega)^2 on SO(3), 0 on R^d,
 * dP(x)[xdot] xdot on embedded manifolds. In (z, zdot) this solves two-spheres paper, eq. (11), and Lee,
 * Leok, McClamroch, Global formulations of Lagrangian and Hamiltonian dynamics on embedded manifolds,
 * eq. (2.3); on SO(3) eq. (3.8). In (z, w), w the angular velocities (ph_space_spin), it is two-spheres (17):
 * wdot is a itself but on S^2, where it is q x E a, and on embedded manifolds, where w is the velocity; on
 * SO(3) it is Euler's equation, J Omegadot + Omega x J Omega = M. Where velocities follow from momenta without matrices, so does E a from
 * the right-hand side, without the basis (ph_product_respond). */
#include "equations.h"
#include "lib/system/evaluation.h"

#include <polhode/constraints.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

#include <string.h>

/* From so many tangent coordinates on, rows of velocity constraints are eliminated: below, dense factors are as fast. */
enum { MANY = 9 };

typedef struct places {
    size_t nz, np, nx, basis;
} places;

static places sizes(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    return (places){ph_space_ambient(space), ph_space_momenta(space), ph_space_dimension(space),
                    ph_space_basis_size(space)};
}

/* Doubles of accelerate but for reactions, which are behind them. */
static size_t without_reactions(const ph_system *system, const places *n)
{
    const size_t general = ph_system_kind(system) == PH_INERTIA_CONSTANT
                               ? 0
                               : n->nz * n->nz + n->nx + ph_lagrangian_work(system);
    return n->basis + n->nx * n->nx + n->nx + 5 * n->nz + general;
}

size_t ph_product_work(const ph_system *system)
{
    places n = sizes(system);
    if (ph_field_is_direct(system)) /* u, N */
        return 5 * n.nz + ph_system_work(system);
    size_t here = without_reactions(system, &n) + ph_reactions_work(system),
           there = ph_system_work(system) + n.nz;
    if (ph_system_constraints(system) && there < n.nz + ph_system_constraint_work(system))
        there = n.nz + ph_system_constraint_work(system); /* ph_reactions_project */
    return here > there ? here : there;
}

/* out <- the rows of R S(w)^2 for v = R S(w), each (row x w) x w. */
static void rotation_normal_part(const double R[9], const double v[9], double out[9])
{
    double A[9], w[3], once[3];
    ph_transposed_multiply3(R, v, A);
    ph_vee3(A, w);
    for (size_t k = 0; k < 9; k += 3) {
        ph_cross3(R + k, w, once);
        ph_cross3(once, w, out + k);
    }
}

/* N (nz) <- normal part of the acceleration: dP(z)[v] v on any manifold, of which short forms are known. */
static void normal_part(const ph_system *system, const double *z, const double *v, double *N)
{
    const ph_space *space = ph_system_space(system);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const double *q = z + f->z, *u = v + f->z;
        double *out = N + f->z, square = 0;
        switch (f->kind) {
        case PH_FACTOR_R:
            memset(out, 0, f->nz * sizeof *out);
            break;
        case PH_FACTOR_S1:
        case PH_FACTOR_S2:
            for (size_t k = 0; k < f->nz; k++)
                square += u[k] * u[k];
            for (size_t k = 0; k < f->nz; k++)
                out[k] = -square * q[k];
            break;
        case PH_FACTOR_SO3:
            rotation_normal_part(q, u, out);
            break;
        default:
            ph_space_factor_projection_along(space, i, z, v, v, N);
        }
    }
}

/* A <- E^T L_vv E, push (nz) <- L_z - L_vz v - L_vt - L_vv N. */
static ph_status constant_terms(const ph_system *system, double t, const double *z, const double *v,
                                const double *E, const double *N, double *A, double *push, double *work)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    ph_status status = ph_system_gradient(system, z, push);
    if (!status)
        status = ph_system_tangent_inertia(system, t, z, v, E, A, NULL);
    ph_system_apply_inertia(system, N, work);
    for (size_t k = 0; k < nz; k++)
        push[k] = -push[k] - work[k];
    return status;
}

/* The same for any Lagrangian: L_vv (nz x nz) is evaluated at (z, v), and push with it. */
static ph_status general_terms(const ph_system *system, double t, const double *z, const double *v,
                               const double *E, const double *N, double *A, double *push, double *work)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    double *Lvv = work, *more = work + nz * nz;
    ph_status status = ph_system_euler_lagrange(system, t, z, v, Lvv, push, more);
    if (status)
        return status;
    ph_congruence(ph_system_space(system), Lvv, E, A);
    for (size_t k = 0; k < nz; k++) {
        push[k] = -push[k];
        for (size_t l = 0; l < nz; l++)
            push[k] -= Lvv[k * nz + l] * N[l];
    }
    return PH_OK;
}

/* a <- A^{-1} a; where there is an inertia, A is positive definite on the manifold. */
static ph_status solve(const ph_system *system, size_t m, double *A, double *a, int *pivot)
{
    if (ph_system_kind(system) != PH_LAGRANGIAN_GENERAL) {
        if (ph_cholesky_factor(m, A))
            return PH_E_DIVERGED; /* y has left the manifold */
        ph_cholesky_solve(m, A, a);
        return PH_OK;
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++)
            A[j * m + i] = A[i * m + j];
    bool finite = ph_all_finite(A, m * m);
    if (ph_lu_factor(m, A, pivot, NULL))
        return ph_field_singular(system, finite);
    ph_lu_solve(m, A, pivot, a);
    return PH_OK;
}

/* b <- J^{-1} b with the factors that solve has made. */
static void solve_again(const ph_reactions_terms *of, double *b)
{
    if (ph_system_kind(of->system) != PH_LAGRANGIAN_GENERAL)
        ph_cholesky_solve(of->nx, of->J, b);
    else
        ph_lu_solve(of->nx, of->J, of->pivot, b);
}

/* *E <- the basis, *N <- the normal part, *a (nx) <- the solution of the equations at the head of the file.
 * All three are in work. lambda: of ph_reactions_add. */
static ph_status accelerate(const ph_system *system, double t, const double *z, const double *v, double *work,
                            double **E, double **a, double **N, double *lambda)
{
    const ph_space *space = ph_system_space(system);
    places n = sizes(system);
    *E = work;
    double *A = *E + n.basis;
    *a = A + n.nx * n.nx;
    *N = *a + n.nx;
    double *push = *N + n.nz, *f = push + n.nz, *more = f + n.nz,
           *last = work + without_reactions(system, &n);
    ph_status status = ph_system_force(system, t, z, v, f);
    if (status)
        return status;
    ph_space_basis(space, z, *E);
    normal_part(system, z, v, *N);
    status = ph_system_kind(system) == PH_INERTIA_CONSTANT
                 ? constant_terms(system, t, z, v, *E, *N, A, push, more)
                 : general_terms(system, t, z, v, *E, *N, A, push, more);
    if (status)
        return status;
    for (size_t k = 0; k < n.nz; k++)
        push[k] += f[k];
    ph_tangent_components(space, *E, push, *a);
    const ph_reactions_terms of = {.system = system,
                                   .E = *E,
                                   .N = *N,
                                   .J = A,
                                   .pivot = (const int *)(const void *)more,
                                   .nx = n.nx,
                                   .solve = solve_again};
    const bool eliminates = ph_system_constraints(system) && n.nx >= MANY;
    bool done = false;
    for (size_t i = 0; i < n.nx && eliminates; i++)
        for (size_t j = 0; j < i; j++)
            A[j * n.nx + i] = A[i * n.nx + j];
    if (ph_system_constraints(system))
        status = ph_reactions_eliminate(system, t, z, v, &of, *a, lambda, eliminates, &done, last);
    if (!status && !done)
        status = solve(system, n.nx, A, *a, (int *)(void *)more);
    return status || done || !ph_system_constraints(system) ? status
                                                            : ph_reactions_add(system, &of, *a, lambda, last);
}

ph_status ph_product_respond(const ph_system *system, double t, const double *z, const double *v,
                             const double *N, double *u, double *work)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    double *push = work, *f = push + nz, *MN = f + nz, *more = MN + nz;
    bool singular = false;
    ph_status status = ph_system_force(system, t, z, v, f);
    if (!status)
        status = ph_system_gradient(system, z, push);
    if (status)
        return status;
    ph_system_apply_inertia(system, N, MN);
    for (size_t k = 0; k < nz; k++)
        push[k] = f[k] - push[k] - MN[k];
    status = ph_invert_transform(system, t, z, push, u, more, &singular);
    return singular ? ph_field_singular(system, status != PH_E_NOT_FINITE) : status;
}

/* The same by way of *u and *N in work. */
static ph_status respond(const ph_system *system, double t, const double *z, const double *v, double *work,
                         double **u, double **N)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    *u = work;
    *N = work + nz;
    normal_part(system, z, v, *N);
    return ph_product_respond(system, t, z, v, *N, *u, work + 2 * nz);
}

/* ydot = (zdot, N + E a), 2 nz numbers. */
ph_status ph_product_qdot(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_space *space = ph_system_space(system);
    places n = sizes(system);
    const double *v = y + n.nz, *row;
    double *E, *a, *N, *vdot = ydot + n.nz;
    const bool direct = ph_field_is_direct(system);
    ph_status status =
        direct ? respond(system, t, y, v, work, &a, &N) : accelerate(system, t, y, v, work, &E, &a, &N, NULL);
    if (status)
        return status;
    memcpy(ydot, v, n.nz * sizeof *ydot);
    memcpy(vdot, N, n.nz * sizeof *vdot);
    for (size_t k = 0; k < n.nz && direct; k++)
        vdot[k] += a[k];
    if (direct)
        return PH_OK;
    row = E;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t j = 0; j < f->nx; j++, row += f->nz)
            for (size_t k = 0; k < f->nz; k++)
                vdot[f->z + k] += row[k] * a[f->x + j];
    }
    return PH_OK;
}

/* ydot = (zdot, wdot), nz + np numbers. Tangent coordinates are angular velocities where there are as many
 * of both (R^d, S^1, SO(3)); on S^2 omegadot = q x qddot, and on embedded manifolds w is the velocity. */
ph_status ph_product_spin(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_space *space = ph_system_space(system);
    places n = sizes(system);
    const double *w = y + n.nz, *row;
    double *E, *a, *N, *wdot = ydot + n.nz;
    ph_space_turn(space, y, w, ydot);
    const bool direct = ph_field_is_direct(system);
    ph_status status = direct ? respond(system, t, y, ydot, work, &a, &N)
                              : accelerate(system, t, y, ydot, work, &E, &a, &N, NULL);
    if (!status && direct)
        ph_space_spin(space, y, a, wdot);
    if (status || direct)
        return status;
    row = E;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        if (f->kind == PH_FACTOR_S2) {
            double u[3];
            for (size_t k = 0; k < 3; k++)
                u[k] = row[k] * a[f->x] + row[3 + k] * a[f->x + 1];
            ph_cross3(y + f->z, u, wdot + f->p);
        } else if (f->kind == PH_FACTOR_EMBEDDED) { /* N + E a */
            memcpy(wdot + f->p, N + f->z, f->nz * sizeof *wdot);
            for (size_t j = 0; j < f->nx; j++)
                for (size_t k = 0; k < f->nz; k++)
                    wdot[f->p + k] += row[j * f->nz + k] * a[f->x + j];
        } else {
            memcpy(wdot + f->p, a + f->x, f->nx * sizeof *wdot);
        }
        row += f->nx * f->nz;
    }
    return PH_OK;
}

ph_status ph_product_reactions(const ph_system *system, double t, const double *z, const double *v,
                               double *lambda, double *work)
{
    double *E, *a, *N;
    return accelerate(system, t, z, v, work, &E, &a, &N, lambda);
}
