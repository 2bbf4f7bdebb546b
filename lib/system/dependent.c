/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocities that follow from others by a velocity constraint (ph_system_constraint_follow): with v = v_given + E_f y
 * on the factors that follow,
 *     a_f y = b - A v_given,      y = M_f^{-1} a_f^T mu,      (a_f M_f^{-1} a_f^T) mu = b - A v_given,
 * a_f = A E_f and M_f the inertia of those factors. Rows that depend on others there are left out, and looked at in the
 * end. */
#include <polhode/constraints.h>
#include <polhode/kit/solve.h>
#include <polhode/kit/vector.h>

#include "derivative.h"
#include "lib/internal/missing.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row whose part independent of those before it is smaller is left out (relative, of squares). */
static const double independent_from = 1e-13;
/* What fulfils a constraint, relative to |A| |v| + |b|. */
static const double fulfilled = 1e-12;

typedef struct problem {
    const ph_system *system;
    const ph_space *space;
    size_t m, nz, nx, n; /* n: tangent coordinates that follow */
    ph_frame frame;
    double *A, *b, *v, *M, *a, *W, *G, *rest, *y, *work;
    size_t *row; /* (n) of coordinate i the tangent coordinate of the space */
} problem;

static void *lay(problem *p, const bool *follows)
{
    ph_lay l = {NULL, 0};
    p->n = 0;
    for (size_t i = 0; i < ph_space_factors(p->space); i++)
        p->n += follows[i] ? ph_space_factor(p->space, i)->nx : 0;
    for (int pass = 0; pass < 2; pass++) {
        p->A = ph_lay_doubles(&l, p->m * p->nz);
        p->b = ph_lay_doubles(&l, p->m);
        p->v = ph_lay_doubles(&l, p->nz);
        ph_frame_lay(&p->frame, p->space, &l);
        p->M = ph_lay_doubles(&l, p->nx * p->nx);
        p->a = ph_lay_doubles(&l, p->m * p->n);
        p->W = ph_lay_doubles(&l, p->m * p->n);
        p->G = ph_lay_doubles(&l, p->m * p->m);
        p->rest = ph_lay_doubles(&l, p->m);
        p->y = ph_lay_doubles(&l, p->n);
        p->work = ph_lay_doubles(&l, ph_system_constraint_work(p->system));
        p->row = ph_lay_bytes(&l, p->n * sizeof *p->row);
        if (!pass && !(l = (ph_lay){calloc(1, l.bytes ? l.bytes : 1), 0}).base)
            return NULL;
    }
    return l.base;
}

/* a, M <- A E and the inertia of the coordinates that follow; rest <- b - A v_given. */
static ph_status reduce(problem *p, double t, const double *z, const bool *follows)
{
    size_t n = 0;
    for (size_t i = 0; i < ph_space_factors(p->space); i++) {
        const ph_factor_place *f = ph_space_factor(p->space, i);
        for (size_t k = 0; k < f->nx && follows[i]; k++)
            p->row[n++] = f->x + k;
        if (follows[i])
            memset(p->v + f->z, 0, f->nz * sizeof *p->v);
    }
    ph_frame_make(&p->frame, z);
    ph_status status = ph_system_tangent_inertia(p->system, t, z, p->v, p->frame.E, p->M, p->work);
    for (size_t i = 0; i < p->n; i++) /* the lower triangle, packed into its beginning */
        for (size_t j = 0; j <= i; j++)
            p->M[i * p->n + j] = p->M[p->row[i] * p->nx + p->row[j]];
    for (size_t i = 0; i < p->m; i++) {
        p->rest[i] = p->b[i] - ph_dot(p->A + i * p->nz, p->v, p->nz);
        for (size_t k = 0; k < p->n; k++) {
            const ph_factor_place *f = p->frame.home[p->row[k]];
            p->a[i * p->n + k] = ph_dot(p->A + i * p->nz + f->z, p->frame.row[p->row[k]], f->nz);
        }
    }
    return status ? status : ph_cholesky_factor(p->n, p->M);
}

/* y <- the solution, by elimination in G; rows without an independent part are left out. */
static void solve(problem *p)
{
    const size_t m = p->m, n = p->n;
    for (size_t i = 0; i < m; i++) {
        memcpy(p->W + i * n, p->a + i * n, n * sizeof *p->W);
        ph_cholesky_solve(n, p->M, p->W + i * n);
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            p->G[i * m + j] = ph_dot(p->a + i * n, p->W + j * n, n);
    for (size_t i = 0; i < m; i++) {
        const double whole = ph_dot(p->a + i * n, p->W + i * n, n), pivot = p->G[i * m + i];
        if (!(pivot > independent_from * whole)) { /* mu_i = 0 */
            for (size_t j = 0; j < m; j++)
                p->G[i * m + j] = p->G[j * m + i] = 0;
            p->G[i * m + i] = 1;
            p->rest[i] = 0;
            continue;
        }
        for (size_t j = i + 1; j < m; j++) {
            const double by = p->G[j * m + i] / pivot;
            for (size_t k = i; k < m; k++)
                p->G[j * m + k] -= by * p->G[i * m + k];
            p->rest[j] -= by * p->rest[i];
        }
    }
    for (size_t i = m; i-- > 0;) {
        for (size_t j = i + 1; j < m; j++)
            p->rest[i] -= p->G[i * m + j] * p->rest[j];
        p->rest[i] /= p->G[i * m + i];
    }
    for (size_t k = 0; k < n; k++) {
        p->y[k] = 0;
        for (size_t i = 0; i < m; i++)
            p->y[k] += p->W[i * n + k] * p->rest[i];
    }
}

/* Which row does v not fulfil? m: none. */
static size_t unfulfilled(const problem *p)
{
    for (size_t i = 0; i < p->m; i++) {
        const double *row = p->A + i * p->nz,
                     size = sqrt(ph_dot(row, row, p->nz) * ph_dot(p->v, p->v, p->nz));
        if (!(fabs(ph_dot(row, p->v, p->nz) - p->b[i]) <= fulfilled * (size + fabs(p->b[i]))))
            return i;
    }
    return p->m;
}

static ph_status follow(problem *p, double t, const double *z, const bool *follows, ph_error *err)
{
    ph_status status = ph_system_constraint_rows(p->system, t, z, p->A, p->b);
    if (!status)
        status = reduce(p, t, z, follows);
    if (status)
        return ph_fail(err, status, "the velocity constraint or the inertia failed at this configuration: %s",
                       ph_status_text(status));
    for (int pass = 0; pass < 2; pass++) { /* the second removes the rounding of the first */
        for (size_t i = 0; i < p->m; i++)
            p->rest[i] = p->b[i] - ph_dot(p->A + i * p->nz, p->v, p->nz);
        solve(p);
        for (size_t k = 0; k < p->n; k++) {
            const ph_factor_place *f = p->frame.home[p->row[k]];
            for (size_t j = 0; j < f->nz; j++)
                p->v[f->z + j] += p->y[k] * p->frame.row[p->row[k]][j];
        }
    }
    const size_t bad = unfulfilled(p);
    if (bad < p->m)
        return ph_fail(err, PH_E_NOT_TANGENT,
                       "velocity constraint %zu cannot be fulfilled by the velocities that follow: "
                       "it is about those that are given (or no velocity fulfils it here)",
                       bad + 1);
    return PH_OK;
}

ph_status ph_system_constraint_follow(const ph_system *system, double t, const double *z, const bool *follows,
                                      double *zdot, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    problem p = {.system = system,
                 .space = ph_system_space(system),
                 .m = ph_system_constraints(system),
                 .nz = system->nz,
                 .nx = ph_space_dimension(ph_system_space(system))};
    if (!p.m)
        return ph_fail(err, PH_E_INVALID,
                       "this system has no velocity constraints: no velocity follows from others");
    void *memory = lay(&p, follows);
    if (!memory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    memcpy(p.v, zdot, p.nz * sizeof *zdot);
    ph_status status = follow(&p, t, z, follows, err);
    if (!status)
        memcpy(zdot, p.v, p.nz * sizeof *zdot);
    free(memory);
    return status;
}
