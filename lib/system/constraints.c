/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity constraints A(t, z) zdot = b(t, z) (polhode/constraints.h): their rows, how far a velocity is off
 * them, and the nearest velocity on them,
 *     zdot + W^T mu,   G mu = b - A zdot,   row i of W the velocity of the covector A_i,   G = A W^T,
 * so that G is the inverse inertia that the reactions meet. Its Cholesky factors, of rows scaled to a unit
 * diagonal, also tell whether the rows depend on each other: that has no units. */
#include <polhode/constraints.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/solve.h>
#include <polhode/kit/train.h>
#include <polhode/kit/vector.h>

#include "lagrangian.h"
#include "lib/internal/missing.h"
#include "lib/internal/space.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A row whose part independent of the others is smaller has none (relative, of squares). */
static const double independent_from = 1e-13;

size_t ph_system_constraints(const ph_system *s)
{
    return ph_system_root(s)->is.n_constraints;
}

/* ---- Rows ----------------------------------------------------------------------------------------- */

ph_status ph_system_constraint_rows(const ph_system *s, double t, const double *z, double *A, double *b)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system_definition *d = &ph_system_root(s)->is;
    const size_t m = d->n_constraints;
    if (!m)
        return PH_OK;
    memset(A, 0, m * s->nz * sizeof *A);
    memset(b, 0, m * sizeof *b);
    ph_status status = d->constraint(d->user, t, z, A, b);
    return status || (ph_all_finite(A, m * s->nz) && ph_all_finite(b, m)) ? status : PH_E_NOT_FINITE;
}

/* Scratch: rows without their normal parts, their velocities, factors of G, and vectors (m each). */
typedef struct rows {
    double *A, *b, *W, *G, *scale, *mu, *work;
    double *E, *M, *x, *p, *dp,
        *v; /* of a general Lagrangian: a basis, factors of E^T L_vv E, (nx), (np) twice, (nz) */
    int *pivot;
} rows;

static bool is_general(const ph_system *s)
{
    return s->kind == PH_LAGRANGIAN_GENERAL;
}

/* Doubles for those. */
static size_t general_room(const ph_system *s)
{
    const size_t nx = ph_space_dimension(s->space);
    return is_general(s)
               ? ph_space_basis_size(s->space) + nx * nx + 2 * nx + 2 * ph_space_momenta(s->space) + s->nz
               : 0;
}

static rows place_rows(const ph_system *s, double *work)
{
    const size_t m = ph_system_constraints(s);
    rows r = {.A = work};
    r.b = r.A + m * s->nz;
    r.W = r.b + m;
    r.G = r.W + m * s->nz;
    r.scale = r.G + m * m;
    r.mu = r.scale + m;
    r.work = r.mu + m;
    if (is_general(s)) {
        const size_t nx = ph_space_dimension(s->space), np = ph_space_momenta(s->space);
        r.E = r.work;
        r.M = r.E + ph_space_basis_size(s->space);
        r.x = r.M + nx * nx;
        r.p = r.x + nx;
        r.dp = r.p + np;
        r.v = r.dp + np;
        r.pivot = (int *)(void *)(r.v + s->nz);
        r.work = r.v + s->nz + nx;
    }
    return r;
}

/* Are the rows eliminated (ph_saddle_factor)? With an inertia of fewer tangent coordinates dense factors are as fast. */
static bool eliminates(const ph_system *s)
{
    enum { MANY = 9 };
    return !is_general(s) && ph_system_is_dense(s) && ph_space_dimension(s->space) >= MANY;
}

/* Doubles for that: a basis, the inertia, rows, right-hand side and solution, factors. */
static size_t elimination_room(const ph_system *s)
{
    const size_t nx = ph_space_dimension(s->space), m = ph_system_constraints(s);
    return eliminates(s)
               ? ph_space_basis_size(s->space) + nx * nx + m * nx + 2 * nx + ph_saddle_size(m, nx) + s->nz
               : 0;
}

/* The same for a train on wheels, without dense matrices. */
typedef struct train_room {
    ph_train_frame frame;
    double *w, *x, *V, *off, *change; /* (np) twice, (nodes x 2), (nodes), (nz) */
} train_room;

static size_t lay_train(const ph_train *t, double *work, train_room *r)
{
    ph_lay l = {(unsigned char *)work, 0};
    ph_train_lay(t, &l, &r->frame);
    r->w = ph_lay_doubles(&l, t->factors + 1);
    r->x = ph_lay_doubles(&l, t->factors + 1);
    r->V = ph_lay_doubles(&l, 2 * t->nodes);
    r->off = ph_lay_doubles(&l, t->nodes);
    r->change = ph_lay_doubles(&l, 2 * t->factors);
    return l.bytes / sizeof(double);
}

size_t ph_system_constraint_work(const ph_system *s)
{
    const size_t m = ph_system_constraints(s);
    const size_t plain =
        2 * m * s->nz + m * m + 3 * m + general_room(s) + elimination_room(s) + ph_system_work(s);
    train_room r;
    const size_t train = ph_system_train(s) ? lay_train(ph_system_train(s), NULL, &r) : 0;
    return train > plain ? train : plain;
}

/* r->A, r->b <- the rows, without their normal parts; what rounding leaves of a row that is normal is 0. */
static ph_status load_rows(const ph_system *s, double t, const double *z, rows *r)
{
    const size_t m = ph_system_constraints(s);
    ph_status status = ph_system_constraint_rows(s, t, z, r->A, r->b);
    for (size_t i = 0; i < m && !status; i++) {
        double *row = r->A + i * s->nz, before = ph_max_norm(row, s->nz);
        ph_space_project_tangent(s->space, z, row);
        if (!(ph_max_norm(row, s->nz) > independent_from * before))
            memset(row, 0, s->nz * sizeof *row);
    }
    return status;
}

/* The largest |A_i v - b_i| / (|A_i| |v| + |b_i|) of the rows. */
static double relative_error(const ph_system *s, const rows *r, const double *v)
{
    double most = 0;
    for (size_t i = 0; i < ph_system_constraints(s); i++) {
        const double *row = r->A + i * s->nz;
        double size = sqrt(ph_dot(row, row, s->nz)) * sqrt(ph_dot(v, v, s->nz)) + fabs(r->b[i]);
        double off = fabs(ph_dot(row, v, s->nz) - r->b[i]);
        if (off != 0)
            most = isnan(most) || off / size <= most ? most : off / size;
    }
    return most;
}

ph_status ph_system_constraint_error(const ph_system *s, double t, const double *z, const double *zdot,
                                     double *error, double *work)
{
    if (!s)
        return PH_E_INVALID;
    *error = 0;
    if (!ph_system_constraints(s))
        return PH_OK;
    rows r = place_rows(s, work);
    ph_status status = load_rows(s, t, z, &r);
    if (!status)
        *error = relative_error(s, &r, zdot);
    return status;
}

ph_status ph_system_try_constraint(ph_system *s, ph_error *err)
{
    enum { TRIALS = 4 };
    const size_t m = s->is.n_constraints;
    double *z = malloc((s->nz + m * s->nz + m) * sizeof *z);
    if (!z)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    double *A = z + s->nz, *b = A + m * s->nz;
    for (size_t k = 0; k < TRIALS; k++) {
        for (size_t i = 0; i < s->nz; i++)
            z[i] = ph_sin(1.7 * (double)(i + 1) * (double)(k + 1) + 0.3 * (double)k);
        if (!ph_space_project(s->space, z) && !ph_system_constraint_rows(s, (double)k, z, A, b))
            s->affine = s->affine || ph_max_norm(b, m) > 0;
    }
    free(z);
    return PH_OK;
}

/* ---- Derivatives ---------------------------------------------------------------------------------- */

/* rate (m) += share (A zdot - b) at (t, z). */
static ph_status add_constraint(const ph_system *s, const rows *r, double t, const double *z,
                                const double *zdot, double share, double *rate)
{
    ph_status status = ph_system_constraint_rows(s, t, z, r->A, r->b);
    for (size_t i = 0; i < ph_system_constraints(s) && !status; i++)
        rate[i] += share * (ph_dot(r->A + i * s->nz, zdot, s->nz) - r->b[i]);
    return status;
}

ph_status ph_system_constraint_along(const ph_system *s, double t, const double *z, const double *zdot,
                                     double dt, const double *dz, double *rate, double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system_definition *d = &ph_system_root(s)->is;
    const size_t m = d->n_constraints, nz = s->nz;
    const double size = fmax(fabs(dt), ph_max_norm(dz, nz)), step = ph_stencil_step / size;
    rows r = place_rows(s, work);
    double *there = r.W; /* nz of m nz */
    ph_status status = PH_OK;
    memset(rate, 0, m * sizeof *rate);
    if (m && d->constraint_along)
        status = d->constraint_along(d->user, t, z, zdot, dt, dz, rate);
    for (int j = 0; m && !d->constraint_along && size > 0 && j < 2 * PH_STENCIL_POINTS && !status; j++) {
        const double by = (j % 2 ? -1 : 1) * (j / 2 + 1) * step;
        for (size_t k = 0; k < nz; k++)
            there[k] = z[k] + by * dz[k];
        status = add_constraint(s, &r, t + by * dt, there, zdot, ph_stencil[j / 2] / (2 * by), rate);
    }
    return status || ph_all_finite(rate, m) ? status : PH_E_NOT_FINITE;
}

/* ---- Independent rows ----------------------------------------------------------------------------- */

/* Row i, whose part of the scaled G in terms of the rows before it is in the factors, depends on them: which
 * one most, and does it contradict them? mu: scratch. */
static ph_status fail_dependent(const rows *r, size_t m, size_t i, ph_error *err)
{
    double *c = r->mu, follows = 0, size = fabs(r->b[i]) / r->scale[i];
    size_t most = 0;
    for (size_t j = i; j-- > 0;) { /* the combination of rows before it: L^T c = row i of L */
        c[j] = r->G[i * m + j];
        for (size_t k = j + 1; k < i; k++)
            c[j] -= r->G[k * m + j] * c[k];
        c[j] /= r->G[j * m + j];
    }
    for (size_t j = 0; j < i; j++) {
        const double part = c[j] * (r->b[j] / r->scale[j]);
        follows += part;
        size += fabs(part);
        most = fabs(c[j]) > fabs(c[most]) ? j : most;
    }
    const bool contradicts = fabs(r->b[i] / r->scale[i] - follows) > 1e-9 * size;
    return ph_fail(
        err, PH_E_SINGULAR,
        "velocity constraint %zu is a combination of those before it at this configuration (most of "
        "it of constraint %zu), and %s: the rows of A must be independent on tangent velocities",
        i + 1, most + 1, contradicts ? "demands by its b what they do not allow" : "follows from them");
}

/* For a general Lagrangian: E, and M <- factors of E^T L_vv E at (z, zdot). */
static ph_status factor_inertia(const ph_system *s, double t, const double *z, const double *zdot, rows *r)
{
    const size_t nx = ph_space_dimension(s->space);
    ph_space_basis(s->space, z, r->E);
    ph_status status = ph_system_tangent_inertia(s, t, z, zdot, r->E, r->M, r->work);
    for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < i; j++)
            r->M[j * nx + i] = r->M[i * nx + j];
    return status ? status : ph_lu_factor(nx, r->M, r->pivot, NULL);
}

/* w <- the change of velocity that the covector `row` makes. */
static ph_status row_velocity(const ph_system *s, double t, const double *z, const rows *r, const double *row,
                              double *w)
{
    if (!is_general(s))
        return ph_system_covector_velocity(s, t, z, row, w, r->work);
    ph_tangent_components(s->space, r->E, row, r->x);
    ph_lu_solve(ph_space_dimension(s->space), r->M, r->pivot, r->x);
    ph_tangent_combine(s->space, r->E, r->x, w);
    return PH_OK;
}

/* r->W, and r->G <- Cholesky factors (lower triangle) of A W^T, scaled to a unit diagonal by r->scale. */
static ph_status factor_rows(const ph_system *s, double t, const double *z, rows *r, ph_error *err)
{
    const size_t m = ph_system_constraints(s), nz = s->nz;
    for (size_t i = 0; i < m; i++) {
        double *row = r->A + i * nz, *w = r->W + i * nz;
        ph_status status = row_velocity(s, t, z, r, row, w);
        if (status)
            return ph_fail(err, status, "the velocity constraint %zu met an inertia that failed: %s", i + 1,
                           ph_status_text(status));
        const double square = ph_dot(row, w, nz);
        r->scale[i] = sqrt(square);
        if (square < 0)
            return ph_fail(err, PH_E_SINGULAR,
                           "the second derivative of the Lagrangian is not positive definite along velocity "
                           "constraint %zu: no nearest velocity",
                           i + 1);
        if (!isfinite(r->scale[i]))
            return ph_fail(err, PH_E_NOT_FINITE, "velocity constraint %zu is too large to be scaled", i + 1);
        if (r->scale[i] == 0)
            return ph_fail(err, PH_E_SINGULAR,
                           "velocity constraint %zu restricts no tangent velocity at this configuration: "
                           "its row of A is 0 or normal to the manifold",
                           i + 1);
        for (size_t j = 0; j <= i; j++)
            r->G[i * m + j] = ph_dot(row, r->W + j * nz, nz) / r->scale[i] / r->scale[j];
        for (size_t j = 0; j <= i; j++) {
            double sum = r->G[i * m + j];
            for (size_t k = 0; k < j; k++)
                sum -= r->G[i * m + k] * r->G[j * m + k];
            if (j == i && !(sum > independent_from))
                return fail_dependent(r, m, i, err);
            r->G[i * m + j] = j == i ? sqrt(sum) : sum / r->G[j * m + j];
        }
    }
    return PH_OK;
}

/* ---- Projection ----------------------------------------------------------------------------------- */

/* mu <- the solution of G mu = b - A zdot, to be divided by scale. */
static void find_multipliers(const ph_system *s, const rows *r, const double *zdot)
{
    const size_t m = ph_system_constraints(s), nz = s->nz;
    for (size_t i = 0; i < m; i++) {
        double sum = (r->b[i] - ph_dot(r->A + i * nz, zdot, nz)) / r->scale[i];
        for (size_t j = 0; j < i; j++)
            sum -= r->G[i * m + j] * r->mu[j];
        r->mu[i] = sum / r->G[i * m + i];
    }
    for (size_t i = m; i-- > 0;) {
        for (size_t j = i + 1; j < m; j++)
            r->mu[i] -= r->G[j * m + i] * r->mu[j];
        r->mu[i] /= r->G[i * m + i];
    }
}

/* zdot += W^T mu. */
static void correct_velocity(const ph_system *s, const rows *r, double *zdot)
{
    const size_t m = ph_system_constraints(s), nz = s->nz;
    find_multipliers(s, r, zdot);
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < nz; k++)
            zdot[k] += r->W[i * nz + k] * (r->mu[i] / r->scale[i]);
}

/* With a general Lagrangian the momentum changes by A^T mu, and the velocity is that which belongs to it: Newton's
 * iteration, until nothing but rounding is off. */
static ph_status project_general(const ph_system *s, double t, const double *z, double *zdot, rows *r,
                                 ph_error *err)
{
    enum { MOST_PASSES = 20 };
    const size_t m = ph_system_constraints(s), nz = s->nz;
    double before = INFINITY;
    ph_status status = ph_system_momentum(s, t, z, zdot, r->p, r->work);
    for (int pass = 0; pass < MOST_PASSES && !status; pass++) {
        const double error = relative_error(s, r, zdot);
        if (error <= 4 * DBL_EPSILON || (error < 1e-12 && error >= before))
            return PH_OK;
        before = error;
        status = factor_inertia(s, t, z, zdot, r);
        if (!status)
            status = factor_rows(s, t, z, r, err);
        if (status)
            break;
        find_multipliers(s, r, zdot);
        for (size_t i = 0; i < m; i++) {
            ph_space_momentum(s->space, z, r->A + i * nz, r->dp);
            for (size_t k = 0; k < ph_space_momenta(s->space); k++)
                r->p[k] += r->dp[k] * (r->mu[i] / r->scale[i]);
        }
        status = ph_system_velocity(s, t, z, r->p, zdot, r->work);
    }
    if (!status)
        status = PH_E_NO_CONVERGENCE;
    return err && err->status ? status
                              : ph_fail(err, status, "no velocity on the velocity constraint was found: %s",
                                        ph_status_text(status));
}

/* zdot += W^T mu, by elimination of the rows: with E x that change and mu the multipliers, M x - a^T mu = 0, a x = b - A zdot,
 * a = A E. false: zdot is as it was. */
static bool eliminate(const ph_system *s, double t, const double *z, const rows *r, double *zdot)
{
    const size_t nx = ph_space_dimension(s->space), m = ph_system_constraints(s);
    double *E = r->work, *M = E + ph_space_basis_size(s->space), *a = M + nx * nx, *x = a + m * nx,
           *none = x + nx, *change = none + nx, *work = change + s->nz, *more = work + ph_saddle_size(m, nx);
    ph_saddle saddle;
    if (!eliminates(s))
        return false;
    ph_space_basis(s->space, z, E);
    if (ph_system_tangent_inertia(s, t, z, zdot, E, M, more))
        return false;
    for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < i; j++)
            M[j * nx + i] = M[i * nx + j];
    for (size_t i = 0; i < m; i++)
        ph_tangent_components(s->space, E, r->A + i * s->nz, a + i * nx);
    if (!ph_saddle_factor(&saddle, m, nx, a, M, work))
        return false;
    memset(none, 0, nx * sizeof *none);
    for (int pass = 0; pass < 2 && !(relative_error(s, r, zdot) <= 4 * DBL_EPSILON); pass++) {
        for (size_t i = 0; i < m; i++)
            r->mu[i] = r->b[i] - ph_dot(r->A + i * s->nz, zdot, s->nz);
        ph_saddle_solve(&saddle, none, r->mu, x, r->mu);
        ph_tangent_combine(s->space, E, x, change);
        for (size_t k = 0; k < s->nz; k++)
            zdot[k] += change[k];
    }
    return true;
}

/* The same of a train on wheels. false: one of these is across its link, and zdot is as it was. */
static bool project_train(const ph_system *s, const ph_train *t, const double *z, double *zdot, double *work)
{
    train_room r;
    lay_train(t, work, &r);
    if (!ph_train_find_frame(t, z, &r.frame))
        return false;
    for (int pass = 0; pass < 2; pass++) {
        bool any = false;
        ph_space_spin(s->space, z, zdot, r.w);
        ph_train_spread(t, z, r.w, NULL, r.V);
        for (size_t i = 0; i < t->nodes; i++) {
            const ph_train_node *n = &t->node[i];
            const double *e = z + 2 * n->wheel, left = e[0] * r.V[2 * i + 1], right = e[1] * r.V[2 * i];
            r.off[i] = n->wheel ? right - left : 0;
            any = any || fabs(r.off[i]) > 2 * DBL_EPSILON * (fabs(left) + fabs(right));
        }
        if (!any)
            break;
        ph_train_solve(t, &r.frame, z, NULL, NULL, r.off, r.x);
        ph_space_turn(s->space, z, r.x, r.change);
        for (size_t k = 0; k < s->nz; k++)
            zdot[k] += r.change[k];
    }
    return true;
}

/* The second correction removes the rounding of the first. */
ph_status ph_system_constraint_project(const ph_system *s, double t, const double *z, double *zdot,
                                       double *work, ph_error *err)
{
    if (!s)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    if (!ph_system_constraints(s))
        return PH_OK;
    if (ph_system_train(s) && project_train(s, ph_system_train(s), z, zdot, work))
        return PH_OK;
    rows r = place_rows(s, work);
    ph_status status = load_rows(s, t, z, &r);
    if (status)
        return ph_fail(err, status, "the velocity constraint failed at this configuration: %s",
                       ph_status_text(status));
    if (is_general(s)) {
        status = factor_inertia(s, t, z, zdot, &r);
        if (!status)
            status = factor_rows(s, t, z, &r, err); /* also where nothing is off: are the rows independent? */
        memcpy(r.v, zdot, s->nz * sizeof *zdot);
        if (!status)
            status = project_general(s, t, z, r.v, &r, err);
        if (!status)
            memcpy(zdot, r.v, s->nz * sizeof *zdot);
        return status;
    }
    if (eliminate(s, t, z, &r, zdot))
        return PH_OK;
    status = factor_rows(s, t, z, &r, err);
    for (int pass = 0; pass < 2 && !status && !(relative_error(s, &r, zdot) <= 4 * DBL_EPSILON); pass++)
        correct_velocity(s, &r, zdot);
    return status;
}
