/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a step of galerkin.c, and their solution: Newton's iteration with the matrix of small h
 * and Broyden's updates; else the general solver with whole Jacobians. */
#include <polhode/kit/algebra.h>

#include "galerkin.h"

#include <string.h>

/* ---- Inertia and rounding ------------------------------------------------------------------------ */

/* A <- the inertia at z in the basis E, symmetric. */
static ph_status galerkin_find_inertia(galerkin_scratch *w, double t, const double *z, const double *v,
                                       const double *E)
{
    const size_t nx = w->c.nx;
    ph_status status = ph_system_tangent_inertia(w->system, t, z, v, E, w->A, w->work);
    for (size_t i = 0; i < nx && !status; i++)
        for (size_t j = 0; j < i; j++)
            w->A[j * nx + i] = w->A[i * nx + j];
    return ph_implicit_note(&w->notes, "the second derivative of the Lagrangian", status);
}

/* The least magnitude that an unknown counts with in galerkin_measure_noise, relative to the largest unknown:
 * in equations of other factors, and in its own. Each unknown has at least the rounding of the largest one,
 * even of a factor that rests: corrections come from all equations together, and the part of the Jacobian
 * that the matrix of small h lacks, some 1e-4 of it, leaves errors in equations that have no other terms. In
 * its own equations it counts for less, as only Broyden's updates cause such errors there. */
static const double least_share = 1e-4, least_own = 1e-9;

/* noise <- for each factor, the largest sum of magnitudes of the terms of A y_k / |h|, for unknowns y. A
 * momentum is a sum of such terms, which may cancel: where a factor is only moved by others, they exceed its
 * momentum and the change of that by powers of 1 / h. */
static void galerkin_measure_noise(galerkin_scratch *w, const double *y)
{
    const size_t nx = w->c.nx;
    const double largest = ph_max_norm(y, w->unknowns), least = least_share * largest,
                 own = least_own * largest;
    double *size = w->column;
    for (size_t b = 0; b < nx; b++) {
        size[b] = 0;
        for (size_t k = 0; k < w->gauss.points; k++)
            size[b] += fabs(y[k * nx + b]);
    }
    for (const ph_part *f = w->parts; f < w->parts + w->c.n; f++) {
        w->noise[f->i] = 0;
        for (size_t a = f->x; a < f->x + f->nx; a++) {
            double sum = 0;
            for (size_t b = 0; b < nx; b++)
                sum += fabs(w->A[a * nx + b]) * fmax(size[b], b - f->x < f->nx ? own : least);
            w->noise[f->i] = fmax(w->noise[f->i], sum / fabs(w->c.h));
        }
    }
}

/* ---- The equations ------------------------------------------------------------------------------ */

/* Lz, Lv at the points of the curve. */
static ph_status galerkin_call_lagrangian(galerkin_scratch *w)
{
    for (size_t i = 0; i < w->gauss.points; i++) {
        const double t = w->t + w->c.H * (0.5 + w->gauss.node[i]);
        double *z = w->c.at[i], *v = w->c.speed[i], *Lz = w->c.Lz[i];
        ph_status status = ph_system_lagrangian_gradient(w->system, t, z, v, Lz, w->c.Lv[i], w->work);
        if (status)
            return ph_implicit_note(&w->notes, "the gradient of the Lagrangian", status);
        if (!w->forced)
            continue;
        status = ph_system_force(w->system, t, z, v, w->f);
        if (status)
            return ph_implicit_note(&w->notes, "the force", status);
        for (size_t k = 0; k < w->c.nz; k++)
            Lz[k] += w->f[k];
    }
    return PH_OK;
}

static ph_status galerkin_evaluate(galerkin_scratch *w, double s, const double *y, double *r, double *scale)
{
    ph_curve_place(&w->c, s, y);
    ph_status status = galerkin_call_lagrangian(w);
    if (status)
        return status;
    ph_curve_residual(&w->c, r, scale);
    for (size_t k = 0; k < w->gauss.points; k++)
        for (const ph_part *f = w->parts; f < w->parts + w->c.n; f++)
            for (size_t a = 0; a < f->nx; a++)
                scale[k * w->c.nx + f->x + a] += w->noise[f->i];
    return PH_OK;
}

static ph_status galerkin_residual(void *self, double s, const double *y, double *r, double *scale)
{
    galerkin_scratch *w = self;
    w->share = s;
    memcpy(w->y, y, w->unknowns * sizeof *y);
    return galerkin_evaluate(w, s, y, r, scale);
}

/* The same with the noise of these unknowns: at the start of a branch it is not known yet how far each factor
 * will move. */
static ph_status galerkin_residual_and_noise(void *self, double s, const double *y, double *r, double *scale)
{
    galerkin_scratch *w = self;
    ph_curve_place(&w->c, s, y);
    ph_curve_middle(&w->c, y, w->middle, w->E_middle);
    ph_status status = galerkin_find_inertia(w, w->t + 0.5 * w->c.H, w->middle,
                                             w->c.speed[w->gauss.points / 2], w->E_middle);
    if (status)
        return status;
    galerkin_measure_noise(w, y);
    return galerkin_residual(self, s, y, r, scale);
}

static ph_status galerkin_jacobian(void *self, double *J)
{
    galerkin_scratch *w = self;
    const size_t n = w->unknowns;
    double step = 6e-6 * fmax(ph_max_norm(w->y, n), 1e-3);
    memcpy(w->other, w->y, n * sizeof *w->y);
    for (size_t b = 0; b < n; b++) {
        for (int side = 0; side < 2; side++) {
            w->other[b] = w->y[b] + (side ? -step : step);
            ph_status status = galerkin_evaluate(w, w->share, w->other, w->r[side], w->scale);
            if (status)
                return status;
        }
        w->other[b] = w->y[b];
        for (size_t a = 0; a < n; a++)
            J[a * n + b] = (w->r[0][a] - w->r[1][a]) / (2 * step);
    }
    memcpy(w->J, J, n * n * sizeof *J);
    return PH_OK;
}

/* dR/ds by a difference: it only predicts. */
static ph_status galerkin_parameter_derivative(void *self, double *rs)
{
    galerkin_scratch *w = self;
    double further = w->share < 1 ? w->share + 1e-7 : w->share - 1e-7;
    ph_status status = galerkin_evaluate(w, further, w->y, w->r[0], w->scale);
    if (!status)
        status = galerkin_evaluate(w, w->share, w->y, w->r[1], w->scale);
    for (size_t i = 0; i < w->unknowns && !status; i++)
        rs[i] = (w->r[0][i] - w->r[1][i]) / (further - w->share);
    return status;
}

/* ---- The matrix of small h ---------------------------------------------------------------------- */

static ph_status galerkin_factor(void *self, int *sign)
{
    galerkin_scratch *w = self;
    *sign = 1;
    return w->regular ? PH_OK : PH_E_SINGULAR;
}

/* r <- A^{-1} r for each k; sum_i b_i phi_k'^2 is 4 for k = 0, else 1 / (2k + 1). */
static void galerkin_solve_inertia(const galerkin_scratch *w, double *r)
{
    const size_t nx = w->c.nx;
    for (size_t k = 0; k < w->gauss.points; k++) {
        const double square = k ? 1 / (2 * (double)k + 1) : 4;
        ph_cholesky_solve(nx, w->A, r + k * nx);
        for (size_t a = 0; a < nx; a++)
            r[k * nx + a] *= w->c.h / square;
    }
}

/* The same with Broyden's updates of that matrix by the iterations of this step, in the form of Kelley
 * (Iterative Methods for Linear and Nonlinear Equations, SIAM 1995, 7.3), which needs only the corrections
 * that were made. */
static void galerkin_solve_updated(void *self, double *r)
{
    galerkin_scratch *w = self;
    const size_t n = w->unknowns;
    galerkin_solve_inertia(w, r);
    for (size_t j = 0; j < w->kept; j++) {
        const double *now = w->passes + j * n, *next = now + n;
        const double along = ph_dot(now, r, n) / ph_dot(now, now, n);
        const bool last = j + 1 == w->kept;
        /* a correction below the rounding of the unknowns is found again, unchanged */
        if (last && along > 0.9)
            break;
        for (size_t a = 0; a < n; a++)
            r[a] = last ? r[a] / (1 - along) : r[a] + along * next[a];
    }
    if (w->kept < MOST_PASSES)
        memcpy(w->passes + w->kept++ * n, r, n * sizeof *r);
}

/* ---- Solving ------------------------------------------------------------------------------------ */

static double galerkin_row_square(const ph_part *f, const double *E, size_t a)
{
    return ph_row_square(f, E + f->e + a * f->nz);
}

/* x (nx) <- h v of the velocity that belongs to p; A <- the inertia there. */
static ph_status galerkin_find_start(galerkin_scratch *w, const double *p, double *x)
{
    double *v = w->column;
    ph_status status = ph_system_velocity(w->system, w->t, w->c.z, p, v, w->work);
    if (status)
        return ph_implicit_note(&w->notes, "the inverse Legendre transform", status);
    for (const ph_part *f = w->parts; f < w->parts + w->c.n; f++)
        for (size_t a = 0; a < f->nx; a++)
            x[f->x + a] =
                w->c.h * ph_row_dot(f, w->E + f->e + a * f->nz, v) / galerkin_row_square(f, w->E, a);
    return galerkin_find_inertia(w, w->t, w->c.z, v, w->E);
}

static ph_status galerkin_start(void *self, double *y)
{
    galerkin_scratch *w = self;
    ph_status status = galerkin_find_start(w, w->p, y);
    for (size_t a = 0; a < w->c.nx; a++)
        y[a] *= 0.5;
    return status;
}

/* On the branch the Jacobian begins as the inertia, positive definite, and is to be so at the root. */
static bool galerkin_on_the_branch(void *self)
{
    galerkin_scratch *w = self;
    const size_t n = w->unknowns;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            w->J[i * n + j] = 0.5 * (w->J[i * n + j] + w->J[j * n + i]);
    return ph_cholesky_factor(n, w->J) == PH_OK;
}

/* The start of a branch, for a state that was just set or had another step size. */
static ph_status galerkin_begin_cold(galerkin_scratch *w, const double *p)
{
    ph_status status = galerkin_find_start(w, p, w->x);
    if (status)
        return status;
    w->length = ph_carry_length(w->c.space, w->parts, w->c.z, w->A, w->x);
    if (w->length != 1) { /* once more, in that unit */
        ph_carry_basis(w->c.space, w->parts, w->c.z, p, w->length, w->E, w->pE, w->column);
        status = galerkin_find_start(w, p, w->x);
    }
    return status;
}

/* x <- the curve whose velocities extrapolate those of the last steps; A <- the inertia in its middle,
 * factored. */
static ph_status galerkin_begin_warm(galerkin_scratch *w, const ph_carry *carry)
{
    const size_t np = w->c.np, points = w->gauss.points, steps = (size_t)*carry->count;
    const double *kept = carry->y + (HISTORY - steps) * points * np;
    for (size_t i = 0; i < points; i++)
        for (size_t k = 0; k < np; k++) {
            double sum = 0;
            for (size_t j = 0; j < steps * points; j++)
                sum += w->weights[steps - 1][i][j] * kept[j * np + k];
            w->w[i * np + k] = sum;
        }
    ph_curve_fit(&w->c, w->w, w->x);
    ph_curve_place(&w->c, 1, w->x);
    ph_curve_middle(&w->c, w->x, w->middle, w->E_middle);
    ph_status status =
        galerkin_find_inertia(w, w->t + 0.5 * w->c.H, w->middle, w->c.speed[points / 2], w->E_middle);
    if (status)
        return status;
    galerkin_measure_noise(w, w->x);
    w->regular = ph_cholesky_factor(w->c.nx, w->A) == PH_OK;
    return PH_OK;
}

ph_status ph_galerkin_solve(galerkin_scratch *w, ph_context *context, const ph_state *state,
                            const ph_carry *carry)
{
    const bool warm = ph_carry_is_warm(carry, w->c.h);
    const ph_implicit_root root = {.equations = {.n = w->unknowns,
                                                 .size = 1,
                                                 .floor = w->floor,
                                                 .self = w,
                                                 .residual = galerkin_residual_and_noise,
                                                 .jacobian = galerkin_jacobian,
                                                 .parameter_derivative = galerkin_parameter_derivative},
                                   .guessed = warm,
                                   .on_the_branch = galerkin_on_the_branch,
                                   .start = galerkin_start,
                                   .notes = &w->notes};
    ph_equations small = root.equations;
    ph_newton_report report;
    small.residual = galerkin_residual;
    small.factor = galerkin_factor;
    small.solve = galerkin_solve_updated;
    small.floor = 0.01 * w->floor; /* with updates, a single correction says little about the error */
    w->length = warm ? *carry->more : 1;
    w->notes.failed = PH_OK;
    ph_carry_basis(w->c.space, w->parts, w->c.z, state->p, w->length, w->E, w->pE, w->column);
    ph_status status = warm ? galerkin_begin_warm(w, carry) : galerkin_begin_cold(w, state->p);
    if (status)
        return ph_implicit_blame(&w->notes, context, w->t);
    if (warm) {
        w->kept = 0;
        status = ph_newton(&small, 1, MOST_PASSES, w->x, &w->newton, &report);
        context->statistics->newton_passes += report.passes;
        const bool found = !status && report.contraction <= 0.25 && report.first <= 0.1;
        if (found && !report.latest)
            status = galerkin_residual(w, 1, w->x, w->newton.r, w->newton.scale);
        if (w->notes.failed)
            return ph_implicit_blame(&w->notes, context, w->t);
        if (found)
            return PH_OK;
        ph_curve_fit(&w->c, w->w, w->x);
    }
    return ph_implicit_solve(&root, context, state->t, w->x, &w->newton);
}
