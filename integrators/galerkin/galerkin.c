/* SPDX-License-Identifier: BSD-3-Clause */
/* Variational Galerkin integrators of order 4, 6 and 8 on products of R^d, S^1, S^2 and SO(3): Gauss
 * collocation in an exponential chart that moves with the ends of the step. p = -D_1 L_d, p+ = D_2 L_d, where
 * L_d(z, z+) is the stationary value of H sum_i b_i L(z(tau_i), zdot(tau_i)) over the curves of
 * curve.h; forces do their virtual work at the points, on the variations of the curve there.
 *
 * Newton's iteration takes the matrix that is left of the Jacobian where h is small, with Broyden's updates:
 * as Legendre's polynomials are orthogonal under Gauss' rule it is that of the inertia at the middle, once
 * for each k. Where that does not contract, the whole Jacobian, by differences, follows; and where the guess
 * is not good enough, the branch from h = 0. As the equations are those of L_d with its constants as they
 * have been rounded, these roundings make another L_d: no drift comes of them.
 *
 * Sources: Bou-Rabee, Marsden, Found. Comput. Math. 9 (2009) 197; Hall, Leok, Found. Comput. Math. 17 (2017)
 * 199; Marsden, West, Acta Numerica 10 (2001), 2.2.6 (Galerkin), 3.2.5 (forces). */
#include <polhode/algebra.h>
#include <polhode/implicit.h>

#include "curve.h"
#include "integrators/shared/carry.h"

#include <string.h>

enum { ORDER };
static const ph_option options[] = {
    [ORDER] = {.name = "order",
               .type = PH_OPTION_CHOICE,
               .initial = 1,
               .choices = "4 6 8",
               .text = "of convergence: with 2, 3 or 4 points of Gauss' rule"},
};

/* Steps whose velocities at the points are kept. */
enum { HISTORY = 2 };
/* Of Newton's iteration with the matrix of the inertia. */
enum { MOST_PASSES = 12 };

typedef struct galerkin_scratch {
    ph_implicit_notes notes;
    const ph_system *system;
    ph_curve c;
    ph_gauss gauss;
    ph_part *parts;
    size_t unknowns; /* points x nx */
    bool forced;
    double t;
    const double *p;                                                 /* at the start of the step */
    double share;                                                    /* s of the latest residual, ... */
    double *y;                                                       /* (unknowns) ... and its y */
    double weights[HISTORY][PH_GAUSS_MOST][HISTORY * PH_GAUSS_MOST]; /* [steps - 1]: of their velocities, from
                                                the earliest on, in those of the next one */
    double *x, *other, *r[2], *scale;                                /* (unknowns) */
    double *w;                          /* (points x np) velocities at the points */
    double *E, *pE, *middle, *E_middle; /* as in ph_curve; the middle and the basis there */
    double *A;                          /* (nx x nx) factor of the inertia there; ... */
    bool regular;                       /* ... is it positive definite? */
    double *passes;                     /* (MOST_PASSES x unknowns) corrections of this step, ... */
    size_t kept;                        /* ... how many */
    double *noise;                      /* (n) magnitudes of the terms of a momentum */
    double *J;                          /* (unknowns x unknowns) the latest whole Jacobian */
    double *f, *column, *D, *z1, *low;  /* (nz); z1 + low is where the step ends */
    double *dS, *S0, *S1, *low1, *p1;   /* (np) */
    double *twice;                      /* (nx) */
    double *work;                       /* what the system's functions want */
    double length;                      /* [m] that goes with a turn of one rad: unit of unknowns on R^d */
    double floor;                       /* what is stagnation: ph_equations */
    ph_newton_work newton;
} galerkin_scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static size_t galerkin_points(const double *values)
{
    return (size_t)values[ORDER] + 2;
}

/* The struct and what is behind it. */
static void galerkin_lay(galerkin_scratch *w, const ph_system *system, size_t points, ph_lay *l)
{
    ph_lay_bytes(l, sizeof *w);
    const ph_space *space = ph_system_space(system);
    const size_t n = ph_space_factors(space), nz = ph_space_ambient(space), np = ph_space_momenta(space),
                 nx = ph_space_dimension(space), basis = ph_space_basis_size(space), unknowns = points * nx;
    double **all[] = {&w->y, &w->x, &w->other, &w->r[0], &w->r[1], &w->scale},
           **ambient[] = {&w->f, &w->column, &w->D, &w->z1, &w->low, &w->middle},
           **momenta[] = {&w->dS, &w->S0, &w->S1, &w->low1, &w->p1};
    w->parts = ph_lay_bytes(l, n * sizeof(ph_part));
    w->c.turns = ph_lay_bytes(l, n * sizeof(ph_turn));
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        *all[i] = ph_lay_doubles(l, unknowns);
    for (size_t i = 0; i < sizeof ambient / sizeof ambient[0]; i++)
        *ambient[i] = ph_lay_doubles(l, nz);
    for (size_t i = 0; i < sizeof momenta / sizeof momenta[0]; i++)
        *momenta[i] = ph_lay_doubles(l, np);
    for (size_t i = 0; i < points; i++) {
        w->c.at[i] = ph_lay_doubles(l, nz);
        w->c.speed[i] = ph_lay_doubles(l, nz);
        w->c.Lz[i] = ph_lay_doubles(l, nz);
        w->c.Lv[i] = ph_lay_doubles(l, nz);
    }
    w->w = ph_lay_doubles(l, points * np);
    w->pE = ph_lay_doubles(l, nx);
    w->twice = ph_lay_doubles(l, nx);
    w->noise = ph_lay_doubles(l, n);
    w->E = ph_lay_doubles(l, basis);
    w->E_middle = ph_lay_doubles(l, basis);
    w->A = ph_lay_doubles(l, nx * nx);
    w->passes = ph_lay_doubles(l, MOST_PASSES * unknowns);
    w->J = ph_lay_doubles(l, unknowns * unknowns);
    w->work = ph_lay_doubles(l, ph_system_work(system));
    ph_newton_place(&w->newton, unknowns, l);
}

/* Doubles in the carry before the length and the velocities; their meaning is that of ph_carry_at. */
static size_t galerkin_sums_size(size_t np, size_t nz)
{
    return 2 + 2 * np + nz;
}

static ph_carry galerkin_carry_at(double *carry, size_t np, size_t nz)
{
    return (ph_carry){.h = carry,
                      .count = carry + 1,
                      .S = carry + 2,
                      .low = carry + 2 + np,
                      .z_low = carry + 2 + 2 * np,
                      .y = carry + galerkin_sums_size(np, nz) + 1,
                      .more = carry + galerkin_sums_size(np, nz)};
}

static ph_method_size galerkin_size(const ph_system *system, const double *values)
{
    galerkin_scratch w;
    ph_lay l = {NULL, 0};
    const ph_space *space = ph_system_space(system);
    const size_t np = ph_space_momenta(space), points = galerkin_points(values);
    galerkin_lay(&w, system, points, &l);
    return (ph_method_size){.work = l.bytes,
                            .carry =
                                galerkin_sums_size(np, ph_space_ambient(space)) + 1 + HISTORY * points * np};
}

/* Lagrange's polynomials of the points of the last steps, at those of the next. */
static void galerkin_fill_weights(galerkin_scratch *w)
{
    const ph_gauss *g = &w->gauss;
    for (size_t steps = 1; steps <= HISTORY; steps++)
        for (size_t i = 0; i < g->points; i++)
            for (size_t j = 0; j < steps * g->points; j++) {
                double weight = 1, at = g->node[i] + 1,
                       own = g->node[j % g->points] - (double)(steps - 1 - j / g->points);
                for (size_t l = 0; l < steps * g->points; l++) {
                    double other = g->node[l % g->points] - (double)(steps - 1 - l / g->points);
                    if (l != j)
                        weight *= (at - other) / (own - other);
                }
                w->weights[steps - 1][i][j] = weight;
            }
}

static ph_status galerkin_init(ph_context *context)
{
    galerkin_scratch *w = context->work;
    ph_lay l = {context->work, 0};
    const ph_system *system = context->system;
    const ph_space *space = ph_system_space(system);
    const size_t points = galerkin_points(context->options);
    galerkin_lay(w, system, points, &l);
    w->system = system;
    w->unknowns = points * ph_space_dimension(space);
    w->forced = ph_system_has_force(system);
    w->floor = ph_system_gradient_is_exact(system) ? 1e-12 : 1e-9;
    ph_gauss_fill(&w->gauss, points);
    galerkin_fill_weights(w);
    ph_lay_parts(space, w->parts);
    w->c.space = space;
    w->c.parts = w->parts;
    w->c.gauss = &w->gauss;
    w->c.n = ph_space_factors(space);
    w->c.nz = ph_space_ambient(space);
    w->c.np = ph_space_momenta(space);
    w->c.nx = ph_space_dimension(space);
    w->c.h = context->h;
    w->c.E = w->E;
    w->c.pE = w->pE;
    return PH_OK;
}

static ph_status galerkin_supports(const ph_system *system, ph_error *err)
{
    if (!ph_space_is_homogeneous(ph_system_space(system)))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "galerkin moves the configuration by rotations and translations, "
                       "which an embedded manifold does not have: use variational");
    if (!ph_system_is_dense(system))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "galerkin works with dense matrices, "
                       "and this system has too many factors for them: use variational");
    return PH_OK;
}

/* ---- Inertia and rounding ------------------------------------------------------------------------ */

/* A <- the inertia at z in the basis E, symmetric. */
static ph_status galerkin_find_inertia(galerkin_scratch *w, const double *z, const double *v, const double *E)
{
    const size_t nx = w->c.nx;
    ph_status status = ph_system_tangent_inertia(w->system, z, v, E, w->A, w->work);
    for (size_t i = 0; i < nx && !status; i++)
        for (size_t j = 0; j < i; j++)
            w->A[j * nx + i] = w->A[i * nx + j];
    return ph_implicit_note(&w->notes, "the second derivative of the Lagrangian", status);
}

/* Beside the largest unknown, what an unknown of a factor that rests counts for in the equations of others.
 * It is as wrong as the largest one is rounded, whatever it is itself: corrections come of all equations, and
 * what the matrix of small h does not know of them, some 1e-4, is left in equations that have no other terms.
 * In its own equations it counts for less, as there only Broyden's updates bring such errors in. */
static const double least_share = 1e-4, least_own = 1e-9;

/* noise <- the largest sum of magnitudes in A y_k / |h| over a factor, for unknowns y. A momentum that is
 * kept is the sum of such terms, its own and those of others that cancel them: where a factor is about to be
 * moved by others only, they are larger than the momentum and its change by powers of 1 / h. */
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
        double *z = w->c.at[i], *v = w->c.speed[i], *Lz = w->c.Lz[i];
        ph_status status = ph_system_lagrangian_gradient(w->system, z, v, Lz, w->c.Lv[i], w->work);
        if (status)
            return ph_implicit_note(&w->notes, "the gradient of the Lagrangian", status);
        if (!w->forced)
            continue;
        status = ph_system_force(w->system, w->t + w->c.H * (0.5 + w->gauss.node[i]), z, v, w->f);
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

/* The same, with the noise of these very unknowns: at the beginning of a branch nothing tells how far each
 * factor will go. */
static ph_status galerkin_residual_and_noise(void *self, double s, const double *y, double *r, double *scale)
{
    galerkin_scratch *w = self;
    ph_curve_place(&w->c, s, y);
    ph_curve_middle(&w->c, y, w->middle, w->E_middle);
    ph_status status = galerkin_find_inertia(w, w->middle, w->c.speed[w->gauss.points / 2], w->E_middle);
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

static double galerkin_dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
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

/* With Broyden's updates of that matrix by what the passes of this step have found, as Kelley writes them
 * (Iterative Methods for Linear and Nonlinear Equations, SIAM 1995, 7.3): of each pass its correction is all
 * that has to be kept. */
static void galerkin_solve_updated(void *self, double *r)
{
    galerkin_scratch *w = self;
    const size_t n = w->unknowns;
    galerkin_solve_inertia(w, r);
    for (size_t j = 0; j < w->kept; j++) {
        const double *now = w->passes + j * n, *next = now + n;
        const double along = galerkin_dot(n, now, r) / galerkin_dot(n, now, now);
        const bool last = j + 1 == w->kept;
        /* a correction below the rounding of the unknowns comes back as it was */
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
    ph_status status = ph_system_velocity(w->system, w->c.z, p, v, w->work);
    if (status)
        return ph_implicit_note(&w->notes, "the inverse Legendre transform", status);
    for (const ph_part *f = w->parts; f < w->parts + w->c.n; f++)
        for (size_t a = 0; a < f->nx; a++)
            x[f->x + a] =
                w->c.h * ph_row_dot(f, w->E + f->e + a * f->nz, v) / galerkin_row_square(f, w->E, a);
    return galerkin_find_inertia(w, w->c.z, v, w->E);
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

/* What length goes with a turn of one rad: that which has the same inertia; where nothing turns, that of ten
 * first steps x. */
static double galerkin_choose_length(const galerkin_scratch *w, const double *x)
{
    double sums[2] = {0, 0}, counts[2] = {0, 0}, size;
    for (const ph_part *f = w->parts; f < w->parts + w->c.n; f++)
        for (size_t a = f->x; a < f->x + f->nx; a++) {
            sums[f->kind == PH_FACTOR_R] += fabs(w->A[a * (w->c.nx + 1)]);
            counts[f->kind == PH_FACTOR_R]++;
        }
    if (counts[1] == 0)
        return 1;
    size = counts[0] > 0 ? sqrt(sums[0] / counts[0] / (sums[1] / counts[1])) : 10 * ph_max_norm(x, w->c.nx);
    return isfinite(size) && size > 0 ? size : 1;
}

/* Of a state that was just set, or comes from another step size. */
static ph_status galerkin_begin_cold(galerkin_scratch *w, const double *p)
{
    ph_status status = galerkin_find_start(w, p, w->x);
    if (status)
        return status;
    w->length = galerkin_choose_length(w, w->x);
    if (w->length != 1) { /* once more, in that unit */
        ph_carry_basis(w->c.space, w->parts, w->c.z, p, w->length, w->E, w->pE, w->column);
        status = galerkin_find_start(w, p, w->x);
    }
    return status;
}

/* x <- the curve whose velocities go on from those of the last steps; A <- the inertia in its middle. */
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
    ph_status status = galerkin_find_inertia(w, w->middle, w->c.speed[points / 2], w->E_middle);
    if (status)
        return status;
    galerkin_measure_noise(w, w->x);
    w->regular = ph_cholesky_factor(w->c.nx, w->A) == PH_OK;
    return PH_OK;
}

static ph_status galerkin_solve(galerkin_scratch *w, ph_context *context, const ph_state *state,
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
    small.floor = 0.01 * w->floor; /* its corrections do not shrink one by one */
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

/* ---- The step ----------------------------------------------------------------------------------- */

static void galerkin_keep(galerkin_scratch *w, double *block)
{
    const size_t np = w->c.np, points = w->gauss.points;
    ph_carry carry = galerkin_carry_at(block, np, w->c.nz);
    memcpy(carry.S, w->S1, np * sizeof *w->S1);
    memcpy(carry.low, w->low1, np * sizeof *w->low1);
    memcpy(carry.z_low, w->low, w->c.nz * sizeof *w->low);
    *carry.count = *carry.h != w->c.h ? 1 : fmin(*carry.count + 1, HISTORY);
    *carry.h = w->c.h;
    *carry.more = w->length;
    memmove(carry.y, carry.y + points * np, (HISTORY - 1) * points * np * sizeof *carry.y);
    for (size_t i = 0; i < points; i++)
        ph_space_spin(w->c.space, w->c.at[i], w->c.speed[i], carry.y + ((HISTORY - 1) * points + i) * np);
}

static ph_status galerkin_step(ph_context *context, ph_state *state)
{
    galerkin_scratch *w = context->work;
    ph_carry carry = galerkin_carry_at(state->carry, w->c.np, w->c.nz);
    w->c.h = context->h;
    w->t = state->t;
    w->c.z = state->z;
    w->p = state->p;
    ph_carry_begin(&carry, w->c.space, w->parts, w->c.z, state->p, w->S0);
    ph_status status = galerkin_solve(w, context, state, &carry);
    if (status)
        return status;
    for (size_t a = 0; a < w->c.nx; a++)
        w->twice[a] = 2 * w->x[a];
    ph_increments(w->c.space, w->parts, w->c.z, NULL, w->E, w->twice, w->D);
    ph_space_advance(w->c.space, w->c.z, carry.z_low, w->D, w->z1, w->low);
    ph_curve_turn(&w->c, w->dS);
    ph_carry_add(&carry, w->c.space, w->parts, w->dS, w->z1, w->S1, w->low1, w->p1);
    if (!ph_all_finite(w->p1, w->c.np) || !ph_all_finite(w->z1, w->c.nz))
        return ph_fail(context->error, PH_E_DIVERGED, "the state is not finite after t = %.10g s", w->t);
    galerkin_keep(w, state->carry);
    memcpy(state->z, w->z1, w->c.nz * sizeof *w->z1);
    memcpy(state->p, w->p1, w->c.np * sizeof *w->p1);
    return PH_OK;
}

static int galerkin_order_for(const ph_system *system, const double *values)
{
    (void)system; /* of all the same */
    return 2 * (int)galerkin_points(values);
}

const ph_method ph_method_galerkin = {
    .name = "galerkin",
    .summary = "variational Galerkin integrator, Gauss collocation in a moving exponential chart: "
               "order 4, 6 or 8; implicit, symplectic, momentum-preserving",
    .reference = "Bou-Rabee, Marsden, Found. Comput. Math. 9 (2009) 197; "
                 "Hall, Leok, Found. Comput. Math. 17 (2017) 199",
    .order = 4,
    .order_for = galerkin_order_for,
    .claims =
        PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = galerkin_supports,
    .size = galerkin_size,
    .init = galerkin_init,
    .step = galerkin_step,
};
