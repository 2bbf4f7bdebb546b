/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a multistep method on any product of R^d, S^1, S^2 and SO(3) with constant inertia MM, in
 * tangent coordinates x at the latest point z. With D = retraction(E x) - z, E a basis of the tangent space
 * and W the known part of the covector MM v,
 *
 *     E^T (MM D - h (W + h sigma (f - dU))) = 0.
 *
 * The rest of MM D / h is normal to the manifold: the impulse of the constraint. Only this part is computed
 * from D; the tangent part of W is a sum of forces, so that the residual of Newton's iteration does not enter
 * it. Velocities and accelerations are covectors here, MM v and MM a.
 *
 * Links that a body carries have the same equations, solved by shared/carried.h in time in proportion to their number. */
#include "integrators/shared/carried.h"
#include "integrators/shared/carry.h"
#include "multistep.h"
#include "push.h"

#include <polhode/kit/algebra.h>

#include <string.h>

typedef struct tangent_scratch {
    const ph_system *system;
    const ph_space *space;
    size_t n, nz, nx;
    multistep_push push;
    double h;
    const double *z;
    ph_part *parts;         /* (n) */
    double *MM;             /* (nz x nz) */
    double *E, *dD;         /* basis; dD/dx, laid like it */
    double *W;              /* (nx) h E^T of the covector, without the h */
    double *D, *mu, *terms; /* (nz) increment, MM D, sums of magnitudes */
    double *column;         /* (nz) */
    double *x;              /* (nx) */
    const double *at;       /* unknowns of the latest residual */
    ph_newton_work newton;
    bool carried;    /* links that a body carries: without E, MM and what is made of them, */
    carried_step eq; /* but with these equations */
    double *work;    /* of the system */
} tangent_scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static void tangent_lay(const ph_system *system, ph_lay *l)
{
    tangent_scratch counted, *place = ph_lay_bytes(l, sizeof counted), *w = place ? place : &counted;
    const ph_space *space = ph_system_space(system);
    size_t n = ph_space_factors(space), nz = ph_space_ambient(space), nx = ph_space_dimension(space);
    double **ambient[] = {&w->D, &w->mu, &w->terms, &w->column};
    w->parts = ph_lay_bytes(l, n * sizeof(ph_part));
    for (size_t i = 0; i < sizeof ambient / sizeof ambient[0]; i++)
        *ambient[i] = ph_lay_doubles(l, nz);
    multistep_push_lay(&w->push, system, l);
    w->carried = ph_system_carrier(system, &w->eq.links);
    if (w->carried) {
        ph_carried_lay(&w->eq, system, l);
        w->work = ph_lay_doubles(l, ph_system_work(system));
        return;
    }
    w->MM = ph_lay_doubles(l, nz * nz);
    w->E = ph_lay_doubles(l, ph_space_basis_size(space));
    w->dD = ph_lay_doubles(l, ph_space_basis_size(space));
    w->W = ph_lay_doubles(l, nx);
    w->x = ph_lay_doubles(l, nx);
    ph_newton_place(&w->newton, nx, l);
}

static ph_status tangent_init(void *work, ph_context *context)
{
    tangent_scratch *w = work;
    w->system = context->system;
    w->space = ph_system_space(context->system);
    w->n = ph_space_factors(w->space);
    w->nz = ph_space_ambient(w->space);
    w->nx = ph_space_dimension(w->space);
    w->h = context->h;
    ph_lay_parts(w->space, w->parts);
    multistep_push_init(&w->push, context->system);
    if (w->carried) {
        ph_carried_set(&w->eq, context->system);
        memset(w->eq.a2, 0, 3 * w->eq.n * sizeof *w->eq.a2);
        memset(w->eq.L2, 0, sizeof w->eq.L2);
    }
    for (size_t k = 0; k < w->nz && !w->carried; k++) { /* symmetric: its columns are its rows */
        w->push.still[k] = 1;
        ph_system_apply_inertia(w->system, w->push.still, w->MM + k * w->nz);
        w->push.still[k] = 0;
    }
    return PH_OK;
}

/* ---- The equations ------------------------------------------------------------------------------ */

/* mu <- MM D, terms <- the magnitudes of its terms. */
static void tangent_apply_inertia(tangent_scratch *w, const double *x)
{
    ph_increment_grain(w->space, w->parts, w->E, x, w->D, w->column);
    for (size_t i = 0; i < w->nz; i++) {
        const double *row = w->MM + i * w->nz;
        w->mu[i] = w->terms[i] = 0;
        for (size_t j = 0; j < w->nz; j++) {
            w->mu[i] += row[j] * w->D[j];
            w->terms[i] += fabs(row[j]) * w->column[j];
        }
    }
}

static ph_status tangent_residual(void *self, double s, const double *x, double *r, double *scale)
{
    tangent_scratch *w = self;
    w->at = x;
    ph_increments(w->space, w->parts, w->z, NULL, w->E, x, w->D);
    tangent_apply_inertia(w, x);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t a = 0; a < f->nx; a++) {
            const double *row = w->E + f->e + a * f->nz;
            const double turn = s * w->h * w->W[f->x + a];
            r[f->x + a] = ph_row_dot(f, row, w->mu) - turn;
            scale[f->x + a] = fabs(turn);
            for (size_t k = 0; k < f->nz; k++)
                scale[f->x + a] += fabs(row[k]) * w->terms[f->z + k];
        }
    return PH_OK;
}

/* J <- E^T MM dD */
static void tangent_fill_matrix(tangent_scratch *w, double *J)
{
    for (const ph_part *from = w->parts; from < w->parts + w->n; from++)
        for (size_t b = 0; b < from->nx; b++) {
            const double *d = w->dD + from->e + b * from->nz;
            for (size_t k = 0; k < w->nz; k++) {
                const double *row = w->MM + k * w->nz + from->z;
                w->column[k] = 0;
                for (size_t l = 0; l < from->nz; l++)
                    w->column[k] += row[l] * d[l];
            }
            for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
                for (size_t a = 0; a < f->nx; a++)
                    J[(f->x + a) * w->nx + from->x + b] = ph_row_dot(f, w->E + f->e + a * f->nz, w->column);
        }
}

static ph_status tangent_jacobian(void *self, double *J)
{
    tangent_scratch *w = self;
    ph_increment_derivatives(w->space, w->parts, w->z, w->E, w->at, w->D, w->dD);
    tangent_fill_matrix(w, J);
    return PH_OK;
}

static ph_status tangent_parameter_derivative(void *self, double *rs)
{
    tangent_scratch *w = self;
    for (size_t a = 0; a < w->nx; a++)
        rs[a] = -w->h * w->W[a];
    return PH_OK;
}

/* Is the symmetric part of the Jacobian positive definite, as it is at h = 0? */
static bool tangent_on_the_branch(void *self)
{
    tangent_scratch *w = self;
    double *J = w->newton.J;
    w->at = w->x;
    tangent_jacobian(w, J);
    for (size_t i = 0; i < w->nx; i++)
        for (size_t j = 0; j < i; j++)
            J[i * w->nx + j] = 0.5 * (J[i * w->nx + j] + J[j * w->nx + i]);
    return ph_cholesky_factor(w->nx, J) == PH_OK;
}

/* ---- The step ------------------------------------------------------------------------------------ */

/* column <- the next point, extrapolated from the last five points by a quartic. */
static void tangent_expect(tangent_scratch *w, const double *latest)
{
    const size_t nz = w->nz;
    for (size_t k = 0; k < nz; k++) {
        const double *q = latest + k;
        const double d1 = q[0] - *(q - nz), d2 = *(q - nz) - *(q - 2 * nz),
                     d3 = *(q - 2 * nz) - *(q - 3 * nz), d4 = *(q - 3 * nz) - *(q - 4 * nz);
        w->column[k] = q[0] + (4 * (d1 + d3) - (6 * d2 + d4));
    }
}

/* x <- its tangent coordinates. */
static void tangent_guess(tangent_scratch *w, const double *latest)
{
    const size_t nz = w->nz;
    tangent_expect(w, latest);
    if (ph_space_log(w->space, latest, w->column, w->D))
        memset(w->D, 0, nz * sizeof *w->D);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t a = 0; a < f->nx; a++) {
            const double *row = w->E + f->e + a * f->nz;
            w->x[f->x + a] = ph_row_dot(f, row, w->D) / ph_row_square(f, row);
        }
}

/* D <- of links that a body carries, whose load is in column. */
static ph_status carried_advance(tangent_scratch *w, ph_context *context, const ph_state *state,
                                 const ph_multistep_step *s)
{
    carried_step *eq = &w->eq;
    double X[9];
    eq->z = s->q;
    for (size_t k = 0; k < w->nz; k++)
        w->D[k] = s->h * w->column[k];
    ph_carried_accelerate(eq, s->q, w->D, eq->a1, eq->L1);
    joints_expect(w->nz, s->q + 3, eq->body.v);
    tangent_expect(w, s->q);
    for (size_t k = 0; k < w->nz; k++)
        w->D[k] = w->column[k] - s->q[k];
    ph_status status = PH_OK;
    if (ph_carried_expect(eq, w->D + CARRIED_BODY) ||
        !ph_carried_solve_fast(eq, &context->statistics->newton_passes))
        status = ph_carried_solve_slowly(eq, context, state->t);
    if (status)
        return status;
    ph_carried_move(eq);
    memcpy(w->D, eq->X, 3 * sizeof *eq->X);
    turn_matrix(eq->body.v, eq->body.q0, X);
    ph_multiply3(X, s->q + 3, w->D + 3);
    memcpy(w->D + CARRIED_BODY + 3, eq->D + 3, 3 * (eq->n - 1) * sizeof *eq->D);
    ph_system_apply_inertia(w->system, w->D, w->mu);
    return PH_OK;
}

static ph_status tangent_solve(tangent_scratch *w, ph_context *context, const ph_state *state,
                               const ph_multistep_step *s)
{
    const ph_implicit_root root = {.equations = {.n = w->nx,
                                                 .size = 1,
                                                 .self = w,
                                                 .residual = tangent_residual,
                                                 .jacobian = tangent_jacobian,
                                                 .parameter_derivative = tangent_parameter_derivative},
                                   .guessed = true,
                                   .on_the_branch = tangent_on_the_branch};
    ph_space_basis(w->space, s->q, w->E);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t a = 0; a < f->nx; a++)
            w->W[f->x + a] = ph_row_dot(f, w->E + f->e + a * f->nz, w->column);
    tangent_guess(w, s->q);
    return ph_implicit_solve(&root, context, state->t, w->x, &w->newton);
}

static ph_status tangent_advance(void *work, ph_context *context, const ph_state *state,
                                 const ph_multistep_step *s)
{
    tangent_scratch *w = work;
    ph_status status = multistep_push_find(&w->push, context, s->t, s->q);
    if (status)
        return status;
    w->z = s->q;
    for (size_t k = 0; k < w->nz; k++)
        w->column[k] = (s->h * s->sigma * w->push.push[k] + s->v_low[k]) + s->v[k];
    status = w->carried ? carried_advance(w, context, state, s) : tangent_solve(w, context, state, s);
    if (status)
        return status;
    for (size_t k = 0; k < w->nz; k++) {
        w->mu[k] = ((w->mu[k] / s->h - s->v[k]) - s->v_low[k]) - s->h * s->sigma * w->push.push[k];
        w->column[k] = w->mu[k];
    }
    ph_space_advance(w->space, s->q, s->low, w->D, s->q1, s->low1);
    ph_space_project_tangent(w->space, s->q, w->column);
    for (size_t k = 0; k < w->nz; k++) {
        const double normal = w->mu[k] - w->column[k];
        s->u[k] = s->h * s->sigma * w->push.push[k] + normal;
        s->a[k] = w->push.push[k] + normal / s->h / s->sigma;
        ph_two_sum(s->v[k], s->u[k] + s->v_low[k], &s->v1[k], &s->v1_low[k]);
    }
    return PH_OK;
}

/* ---- The start ----------------------------------------------------------------------------------- */

/* zdotdot = E y + N, N normal: E^T MM (E y + N) = E^T push. */
static ph_status tangent_acceleration(void *work, ph_context *context, double t, const double *z,
                                      const double *v, double *a)
{
    tangent_scratch *w = work;
    double *y = w->x;
    ph_status status = multistep_push_find(&w->push, context, t, z);
    if (status)
        return status;
    ph_space_projection_along(w->space, z, v, v, a);
    ph_system_apply_inertia(w->system, a, w->mu);
    for (size_t k = 0; k < w->nz; k++)
        w->mu[k] = w->push.push[k] - w->mu[k];
    if (w->carried) {
        status = ph_system_covector_velocity(w->system, t, z, w->mu, w->D, w->work);
        for (size_t k = 0; k < w->nz; k++)
            a[k] += w->D[k];
        return status
                   ? ph_fail(context->error, status, "the inertia is not positive definite at t = %.10g s", t)
                   : PH_OK;
    }
    ph_space_basis(w->space, z, w->E);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t b = 0; b < f->nx; b++)
            y[f->x + b] = ph_row_dot(f, w->E + f->e + b * f->nz, w->mu);
    memcpy(w->dD, w->E, ph_space_basis_size(w->space) * sizeof *w->E);
    tangent_fill_matrix(w, w->newton.J);
    status = ph_cholesky_factor(w->nx, w->newton.J);
    if (status)
        return ph_fail(context->error, status, "the inertia is not positive definite at t = %.10g s", t);
    ph_cholesky_solve(w->nx, w->newton.J, y);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t k = 0; k < f->nz; k++)
            for (size_t b = 0; b < f->nx; b++)
                a[f->z + k] += w->E[f->e + b * f->nz + k] * y[f->x + b];
    return PH_OK;
}

static void tangent_represent(void *work, double *v)
{
    const tangent_scratch *w = work;
    memcpy(w->column, v, w->nz * sizeof *v);
    ph_system_apply_inertia(w->system, w->column, v);
}

static void tangent_momentum(void *work, const double *z, const double *v, double *p)
{
    const tangent_scratch *w = work;
    ph_space_momentum(w->space, z, v, p);
}

const ph_multistep_form ph_multistep_tangent = {.lay = tangent_lay,
                                                .init = tangent_init,
                                                .advance = tangent_advance,
                                                .acceleration = tangent_acceleration,
                                                .represent = tangent_represent,
                                                .momentum = tangent_momentum};
