/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity constraints A zdot = b in the step for any Lagrangian (general.c): the discrete
 * Lagrange-d'Alembert equations with the constraint by the points of the discrete Lagrangian,
 *     p + a^T mu = -D_1 L_d - f_d^-,      phi = sum_e w_e { A(z_e) v_e - b(z_e) } = 0,     a = A E,
 *     p+ = D_2 L_d + f_d^+ + A(z+)^T mu',      A(z+) v(z+, p+) = b(z+).
 * A step begins and ends on the constraint, and the same step backwards is its inverse where the points are
 * symmetric: it is of order 2, and can be composed.
 *
 * Unknowns are eta = h mu / c besides y, and the further equations are c h phi, with c such that the largest
 * entry of c a is an inertia: at s = 0 the Jacobian is [M -(c a)^T; c a 0]. Impulses are forces 2 mu / h at the
 * ends of the step, as what follows the solution takes them.
 *
 * Sources: J. Cortes, S. Martinez, Nonlinearity 14 (2001) 1365; R. McLachlan, M. Perlmutter, J. Nonlinear Sci.
 * 16 (2006) 283. */
#include <polhode/constraints.h>
#include <polhode/kit/algebra.h>

#include "general.h"

#include <float.h>
#include <string.h>

/* Doubles that the carry keeps for each constraint: its noise, and the last impulses. */
enum { KEPT = 1 + PH_CARRY_HISTORY };

size_t general_constraints_carry(size_t m)
{
    return m ? 1 + KEPT * m : 0;
}

void general_lay_constraints(general_constraints *c, const ph_system *system, bool midpoint, ph_lay *l)
{
    const ph_space *space = ph_system_space(system);
    const size_t m = c->m = ph_system_constraints(system), nz = ph_space_ambient(space),
                 nx = ph_space_dimension(space);
    double **vectors[] = {&c->b,     &c->points_b[0], &c->points_b[1], &c->scale,
                          &c->noise, &c->rate,        &c->impulse},
           **rows[] = {&c->pull, &c->X, &c->Q, &c->U}, **squares[] = {&c->S, &c->H};
    if (!m)
        return;
    c->uniform = ph_system_inertia_is_uniform(system);
    c->M1_length = 0;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, m);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        *rows[i] = ph_lay_doubles(l, m * nx);
    for (size_t i = 0; i < sizeof squares / sizeof squares[0]; i++)
        *squares[i] = ph_lay_doubles(l, m * m);
    c->A = ph_lay_doubles(l, m * nz);
    c->points_A[0] = midpoint ? ph_lay_doubles(l, m * nz) : c->A; /* else the first point is z */
    c->points_A[1] = midpoint ? NULL : ph_lay_doubles(l, m * nz);
    c->along = ph_lay_doubles(l, nz);
    c->push = ph_lay_doubles(l, nz);
    c->E1 = ph_lay_doubles(l, ph_space_basis_size(space));
    c->E0 = ph_lay_doubles(l, ph_space_basis_size(space));
    c->pE1 = ph_lay_doubles(l, nx);
    c->x1 = ph_lay_doubles(l, nx);
    c->M1 = ph_lay_doubles(l, nx * nx);
    c->T = ph_lay_doubles(l, nx * nx);
    c->pivot = ph_lay_bytes(l, m * sizeof *c->pivot);
    c->k = nx > m ? nx - m : 0;
    c->reduced = false;
    c->Ba = ph_lay_doubles(l, nx * m);
    c->Bc = ph_lay_doubles(l, nx * m);
    c->V = ph_lay_doubles(l, c->k * nx);
    c->K = ph_lay_doubles(l, c->k * c->k);
    c->Kf = ph_lay_doubles(l, c->k * c->k);
    c->H1 = ph_lay_doubles(l, c->k * c->k);
    c->full = ph_lay_doubles(l, nx);
    c->few = ph_lay_doubles(l, nx);
    c->end_work = ph_lay_doubles(l, ph_saddle_size(m, nx));
    c->order = ph_lay_bytes(l, nx * sizeof *c->order);
    c->Kpivot = ph_lay_bytes(l, 2 * c->k * sizeof *c->Kpivot);
}

/* out (m x nx) <- A E. */
static void restrict_rows(const general_scratch *w, const double *A, const double *E, double *out)
{
    for (size_t i = 0; i < w->c.m; i++)
        for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
            for (size_t a = 0; a < f->nx; a++)
                out[i * w->nx + f->x + a] = ph_row_dot(f, E + f->e + a * f->nz, A + i * w->nz);
}

/* v (nz) <- E x. */
static void spread(const general_scratch *w, const double *E, const double *x, double *v)
{
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t k = 0; k < f->nz; k++) {
            v[f->z + k] = 0;
            for (size_t a = 0; a < f->nx; a++)
                v[f->z + k] += E[f->e + a * f->nz + k] * x[f->x + a];
        }
}

/* ---- The beginning of a step --------------------------------------------------------------------- */

ph_status general_begin_constraints(general_scratch *w, const double *kept)
{
    general_constraints *c = &w->c;
    if (!c->m)
        return PH_OK;
    ph_status status = ph_system_constraint_rows(w->system, w->t, w->d.z, c->A, c->b);
    if (status)
        return ph_implicit_note(&w->notes, "the velocity constraint", status);
    restrict_rows(w, c->A, w->E, c->pull);
    if (kept) { /* a warm carry */
        c->unit = kept[0];
        memcpy(c->noise, kept + 1, c->m * sizeof *c->noise);
    } else { /* J is the inertia, by general_find_start */
        c->unit = 0;
        for (size_t a = 0; a < w->nx; a++)
            c->unit += fabs(w->J[a * (w->nx + 1)]) / (double)w->nx;
    }
    for (size_t i = 0; i < c->m; i++) {
        double *row = c->pull + i * w->nx, size = ph_max_norm(row, w->nx);
        c->scale[i] = size > 0 ? c->unit / size : 1;
        for (size_t a = 0; a < w->nx; a++)
            row[a] *= c->scale[i];
        if (kept)
            continue;
        c->noise[i] = 0;
        for (size_t a = 0; a < w->nx; a++)
            c->noise[i] += fabs(row[a]) * w->reach[a];
    }
    return PH_OK;
}

void general_guess_constraints(const general_scratch *w, const ph_carry *carry, double *eta)
{
    const size_t m = w->c.m;
    const double *mu = carry->more + w->n + 2 + m;
    for (size_t i = 0; i < m; i++)
        eta[i] = ph_extrapolate(w->method->stage, *carry->count, mu[i], mu[m + i], mu[2 * m + i]) * w->d.h /
                 w->c.scale[i];
}

void general_keep_constraints(const general_scratch *w, double *kept)
{
    const general_constraints *c = &w->c;
    const size_t m = c->m;
    if (!m)
        return;
    double *mu = kept + 1 + m;
    kept[0] = c->unit;
    memcpy(kept + 1, c->noise, m * sizeof *kept);
    memmove(mu + m, mu, (PH_CARRY_HISTORY - 1) * m * sizeof *mu);
    for (size_t i = 0; i < m; i++)
        mu[i] = w->x[w->nx + i] * c->scale[i] / w->d.h;
}

/* ---- Equations ----------------------------------------------------------------------------------- */

ph_status general_constraint_residual(general_scratch *w, const double *y, double *r, double *scale)
{
    general_constraints *c = &w->c;
    const double *eta = y + w->nx, h = w->d.h;
    for (size_t i = 0; i < c->m; i++)
        for (size_t a = 0; a < w->nx; a++) {
            const double term = eta[i] * c->pull[i * w->nx + a];
            r[a] -= term;
            scale[a] += fabs(term);
        }
    memset(r + w->nx, 0, c->m * sizeof *r);
    for (size_t i = 0; i < c->m; i++)
        scale[w->nx + i] = c->noise[i];
    for (size_t e = 0; e < w->d.points; e++) {
        double *A = c->points_A[e], *b = e || w->midpoint ? c->points_b[e] : c->b;
        ph_status status = e || w->midpoint
                               ? ph_system_constraint_rows(w->system, general_time(w, e), w->d.at[e], A, b)
                               : PH_OK;
        if (status)
            return ph_implicit_note(&w->notes, "the velocity constraint", status);
        const double *speed = w->d.speed[e];
        const size_t nz = w->nz;
        for (size_t i = 0; i < c->m; i++, A += nz) {
            double sum = -b[i], size = fabs(b[i]), share = w->d.weight * h * c->scale[i];
            for (size_t k = 0; k < nz; k++) {
                const double term = A[k] * speed[k];
                sum += term;
                size += fabs(term);
            }
            r[w->nx + i] += share * sum;
            scale[w->nx + i] += fabs(share) * size;
        }
    }
    return PH_OK;
}

/* Column y_b of factor own, whose points move by dat and dspeed. */
ph_status general_constraint_column(general_scratch *w, const ph_part *own, size_t b, double *J)
{
    general_constraints *c = &w->c;
    const size_t N = w->nx + c->m, column = own->x + b;
    for (size_t i = 0; i < c->m; i++)
        J[(w->nx + i) * N + column] = 0;
    for (size_t e = 0; e < w->d.points; e++) {
        const double *A = c->points_A[e] + own->z, share = w->d.weight * w->d.h;
        memset(c->rate, 0, c->m * sizeof *c->rate);
        if (ph_max_norm(w->dat[e], own->nz) > 0) {
            memset(c->along, 0, w->nz * sizeof *c->along);
            memcpy(c->along + own->z, w->dat[e], own->nz * sizeof *c->along);
            ph_status status = ph_system_constraint_along(w->system, general_time(w, e), w->d.at[e],
                                                          w->d.speed[e], 0, c->along, c->rate, w->work);
            if (status)
                return ph_implicit_note(&w->notes, "the derivative of the velocity constraint", status);
        }
        for (size_t i = 0; i < c->m; i++) {
            double sum = c->rate[i];
            for (size_t k = 0; k < own->nz; k++)
                sum += A[i * w->nz + k] * w->dspeed[e][k];
            J[(w->nx + i) * N + column] += share * c->scale[i] * sum;
        }
    }
    return PH_OK;
}

void general_constraint_border(const general_scratch *w, double *J)
{
    const general_constraints *c = &w->c;
    const size_t N = w->nx + c->m;
    for (size_t i = 0; i < c->m; i++) {
        for (size_t a = 0; a < w->nx; a++)
            J[a * N + w->nx + i] = -c->pull[i * w->nx + a];
        memset(J + (w->nx + i) * N + w->nx, 0, c->m * sizeof *J);
    }
}

/* ---- Which root ---------------------------------------------------------------------------------- */

/* T <- T - (T left^T) right, with left, right (m x nx). */
static void subtract_product(const general_scratch *w, double *T, const double *left, const double *right)
{
    const size_t nx = w->nx, m = w->c.m;
    for (size_t a = 0; a < nx; a++) {
        double *row = T + a * nx, *U = w->c.U;
        for (size_t i = 0; i < m; i++)
            U[i] = ph_dot(row, left + i * nx, nx);
        for (size_t i = 0; i < m; i++)
            for (size_t b = 0; b < nx; b++)
                row[b] -= U[i] * right[i * nx + b];
    }
}

/* The Jacobian is a saddle, [J -a^T; C 0] with a and C as they are scaled. On the branch from h = 0, where C =
 * a, the symmetric part of W^T J Z is to be positive definite, with W a basis of ker a and Z = (1 - a^T (C
 * a^T)^{-1} C) W the one of ker C that belongs to it, and det C a^T > 0: then det > 0, too. That is asked of
 * T = Pi J Z Pi + unit (1 - Pi), Pi the orthogonal projection on ker a, which needs no basis. */
bool general_saddle(general_scratch *w, double *T)
{
    general_constraints *c = &w->c;
    const size_t nx = w->nx, m = c->m, N = nx + m;
    int sign = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            c->S[i * m + j] = ph_dot(w->J + (nx + i) * N, c->pull + j * nx, nx);
            c->H[i * m + j] = ph_dot(c->pull + i * nx, c->pull + j * nx, nx);
        }
    if (ph_lu_factor(m, c->S, c->pivot, &sign) || sign < 0 || ph_cholesky_factor(m, c->H))
        return false;
    for (size_t a = 0; a < nx; a++) { /* X = (C a^T)^{-1} C, Q = (a a^T)^{-1} a */
        for (size_t i = 0; i < m; i++)
            c->U[i] = w->J[(nx + i) * N + a];
        ph_lu_solve(m, c->S, c->pivot, c->U);
        for (size_t i = 0; i < m; i++)
            c->X[i * nx + a] = c->U[i];
        for (size_t i = 0; i < m; i++)
            c->U[i] = c->pull[i * nx + a];
        ph_cholesky_solve(m, c->H, c->U);
        for (size_t i = 0; i < m; i++)
            c->Q[i * nx + a] = c->U[i];
        memcpy(T + a * nx, w->J + a * N, nx * sizeof *T);
    }
    subtract_product(w, T, c->pull, c->X);
    subtract_product(w, T, c->pull, c->Q);
    for (size_t a = 0; a < nx; a++)
        for (size_t i = 0; i < m;
             i++) /* U = a T + unit a: Pi T + unit (1 - Pi) = T - Q^T (a T) + unit Q^T a */
            c->U[i * nx + a] = -c->unit * c->pull[i * nx + a];
    for (size_t i = 0; i < m; i++)
        for (size_t b = 0; b < nx; b++)
            for (size_t a = 0; a < nx; a++)
                c->U[i * nx + a] += c->pull[i * nx + b] * T[b * nx + a];
    for (size_t a = 0; a < nx; a++)
        for (size_t i = 0; i < m; i++)
            for (size_t b = 0; b < nx; b++)
                T[a * nx + b] -= c->Q[i * nx + a] * c->U[i * nx + b];
    return true;
}

/* ---- The end of a step --------------------------------------------------------------------------- */

void general_add_reactions(general_scratch *w, const double *eta)
{
    const general_constraints *c = &w->c;
    for (size_t i = 0; i < c->m; i++)
        for (size_t k = 0; k < w->nz; k++)
            w->f[k] += 2 / w->d.h * (eta[i] * c->scale[i] / w->d.h) * c->A[i * w->nz + k];
}

/* A row of which less is independent of those before it, relative, of squares, depends on them. */
static const double independent_from = 1e-13;

/* Are the rows with the products S (m x m) independent? H is scratch. */
static bool are_independent(general_constraints *c)
{
    const size_t m = c->m;
    memcpy(c->H, c->S, m * m * sizeof *c->H);
    for (size_t i = 0; i < m; i++) {
        if (!(c->H[i * m + i] > independent_from * c->S[i * m + i]))
            return false;
        for (size_t j = i + 1; j < m; j++)
            for (size_t k = j; k < m; k++)
                c->H[k * m + j] -= c->H[k * m + i] * c->H[j * m + i] / c->H[i * m + i];
    }
    return true;
}

/* E0 <- the basis at a configuration that is the same in every run: rounding must not depend on what was before. */
static void make_reference_basis(general_scratch *w)
{
    double *z = w->c.along, *E0 = w->c.E0;
    memset(z, 0, w->nz * sizeof *z);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t k = 0; k < 3 && f->kind != PH_FACTOR_R; k++)
            if (f->kind == PH_FACTOR_SO3 || k + 1 == f->nz)
                z[f->z + (f->kind == PH_FACTOR_SO3 ? 4 * k : k)] = 1;
    ph_space_basis(w->space, z, E0);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t k = 0; k < f->nx * f->nz && f->kind == PH_FACTOR_R; k++)
            E0[f->e + k] *= w->length;
}

/* M1 <- the inertia at z+. That of rigid bodies, each with its own, is everywhere the same in the frames of the
 * bodies: it depends on the unit of length. */
static ph_status load_inertia(general_scratch *w)
{
    general_constraints *c = &w->c;
    if (c->uniform && c->M1_length == w->length)
        return PH_OK;
    if (c->uniform)
        make_reference_basis(w);
    ph_status status = ph_system_tangent_inertia(w->system, w->t + w->d.H, w->d.z1, w->column,
                                                 c->uniform ? c->E0 : c->E1, c->M1, w->work);
    for (size_t a = 0; a < w->nx && !status; a++)
        for (size_t b = 0; b < a; b++)
            c->M1[b * w->nx + a] = c->M1[a * w->nx + b];
    c->M1_length = c->uniform && !status ? w->length : 0;
    return status;
}

/* X, S <- M^{-1} a^T (by rows) at z+, factors of G = a M^{-1} a^T. */
static ph_status factor_dense(general_scratch *w)
{
    general_constraints *c = &w->c;
    const size_t nx = w->nx, m = c->m;
    for (size_t i = 0; i < m; i++) {
        memcpy(c->X + i * nx, c->pull + i * nx, nx * sizeof *c->X);
        ph_cholesky_solve(nx, c->T, c->X + i * nx);
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            c->S[i * m + j] = ph_dot(c->pull + i * nx, c->X + j * nx, nx);
    return are_independent(c) ? ph_cholesky_factor(m, c->S) : PH_E_SINGULAR;
}

/* M1, T <- the inertia at z+ and its factor; end, by elimination of the rows, or where that fails S. */
static ph_status factor_end(general_scratch *w)
{
    general_constraints *c = &w->c;
    ph_status status = load_inertia(w);
    memcpy(c->T, c->M1, w->nx * w->nx * sizeof *c->T);
    if (!status)
        status = ph_cholesky_factor(w->nx, c->T);
    if (status)
        return status;
    c->end_reduced = ph_saddle_factor(&c->end, c->m, w->nx, c->pull, c->M1, c->end_work);
    return c->end_reduced ? PH_OK : factor_dense(w);
}

/* column (nz), x1 <- the velocity of p1 at z+. With an inertia it is M1^{-1} p1.E. */
static ph_status find_velocity(general_scratch *w, bool first)
{
    general_constraints *c = &w->c;
    if (ph_system_kind(w->system) == PH_LAGRANGIAN_GENERAL) {
        ph_status status = ph_system_velocity(w->system, w->t + w->d.H, w->d.z1, w->p1, w->column, w->work);
        for (const ph_part *f = w->parts; f < w->parts + w->n && !status; f++)
            for (size_t a = 0; a < f->nx; a++) {
                const double *row = c->E1 + f->e + a * f->nz;
                c->x1[f->x + a] = ph_row_dot(f, row, w->column) / ph_row_square(f, row);
            }
        return status ? status : factor_end(w);
    }
    memset(w->column, 0, w->nz * sizeof *w->column);
    ph_status status = first ? factor_end(w) : PH_OK;
    if (status)
        return status;
    ph_space_covector(w->space, w->d.z1, w->p1, c->along);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t a = 0; a < f->nx; a++)
            c->x1[f->x + a] = f->kind == PH_FACTOR_SO3 ? w->p1[f->p + a]
                                                       : ph_row_dot(f, c->E1 + f->e + a * f->nz, c->along);
    ph_cholesky_solve(w->nx, c->T, c->x1);
    return PH_OK;
}

/* impulse (m) <- mu' from the velocity as it is; false where nothing is off but rounding. */
static bool find_impulse(general_scratch *w)
{
    general_constraints *c = &w->c;
    const double *b = c->points_b[1];
    bool any = false;
    for (size_t i = 0; i < c->m; i++) {
        double sum = b[i], size = fabs(b[i]);
        for (size_t a = 0; a < w->nx; a++) {
            const double term = c->pull[i * w->nx + a] * c->x1[a];
            sum -= term;
            size += fabs(term);
        }
        c->impulse[i] = sum;
        any = any || !(fabs(sum) <= 2 * DBL_EPSILON * size);
    }
    memset(c->along, 0, w->nx * sizeof *c->along);
    if (c->end_reduced)
        ph_saddle_solve(&c->end, c->along, c->impulse, c->pE1, c->impulse);
    else
        ph_cholesky_solve(c->m, c->S, c->impulse);
    return any;
}

ph_status general_end_on_constraint(general_scratch *w, ph_context *context, const ph_carry *carry,
                                    const double *p, double t1)
{
    general_constraints *c = &w->c;
    const bool general = ph_system_kind(w->system) == PH_LAGRANGIAN_GENERAL;
    double *A1 = c->A; /* A of the beginning is not needed any more */
    ph_status status = ph_context_judge(context, "the velocity constraint", t1,
                                        ph_system_constraint_rows(w->system, t1, w->d.z1, A1, c->points_b[1]),
                                        A1, c->m * w->nz);
    if (status)
        return status;
    ph_carry_basis(w->space, w->parts, w->d.z1, w->p1, w->length, c->E1, c->pE1, c->along);
    restrict_rows(w, A1, c->E1, c->pull);
    for (int pass = 0; pass < (general ? 12 : 3); pass++) {
        status = find_velocity(w, pass == 0);
        if (status)
            break;
        if (!find_impulse(w))
            return PH_OK;
        memset(c->push, 0, w->nz * sizeof *c->push);
        for (size_t i = 0; i < c->m; i++)
            for (size_t k = 0; k < w->nz; k++)
                c->push[k] += c->impulse[i] * A1[i * w->nz + k];
        for (size_t k = 0; k < w->nz; k++)
            w->f[k] += 2 / w->d.h * c->push[k];
        ph_add_moments(w->space, w->parts, w->d.z1, c->push, 1, w->dS);
        general_sum_momentum(w, carry, p);
    }
    if (!status)
        return PH_OK;
    spread(w, c->E1, c->x1, w->column);
    ph_error why = {PH_OK, ""};
    if (ph_system_constraint_project(w->system, t1, w->d.z1, w->column, w->work, &why))
        return ph_fail(context->error, why.status, "at the end of the step, t = %.10g s: %.400s", t1,
                       why.message);
    return ph_fail(context->error, status,
                   "the momentum could not be put on the velocity constraint at t = %.10g s: %s", t1,
                   ph_status_text(status));
}
