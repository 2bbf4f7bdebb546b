/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a midpoint step on spheres (midpoint.h) in coordinates x of a vector space, for Newton's
 * iteration and for the branch of solutions from h = 0, where x = 0 (polhode/kit/implicit.h):
 *     sphere    m = D (s + B x), D = (1 + |x|^2)^(-1/2), B two vectors that span the plane tangent at s:
 *               r = B^T (D' m - s - (h/2) X(m)) = D^2 x - (h/2) B^T X(m), D' = s.m = D,
 *               a vector tangent at m, which loses nothing in the plane at s as long as m.s > 0;
 *     ambient   x = y:  r = x - h b(m(x)).
 * Its Jacobian in tangent coordinates at m is J_ij = D delta_ij - (h/2) E_i^T (dX_i/dm_j) E_j. It begins as 1
 * at h = 0: a solution is taken from a guess only where its symmetric part is positive definite. In the
 * coordinates x that is the matrix (dr_i/dx_j) / D_j, by a congruence.
 *
 * dX/dm comes from the second derivative of the energy, by blocks, where it is known, else by differences of
 * the gradient, a column at a time. A sparse matrix is factored without interchanges
 * (polhode/kit/elimination.h). */
#include <polhode/kit/algebra.h>

#include "midpoint.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* The width of central differences of the gradient, along the spheres [rad]. What they are off by, some 1e-10, is by
 * what an iteration of Newton's method then reduces the error. */
static const double difference = 0x1p-17;

/* ---- The residual ---------------------------------------------------------------------------------- */

/* D^2 of spin i. */
static double shrink_of(const double *x)
{
    return 1 / (1 + x[0] * x[0] + x[1] * x[1]);
}

/* w->middle <- m(x) */
static void place_middle(ph_midpoint *w, const double *x)
{
    if (w->ambient) {
        ph_midpoint_halfway(w, x);
        return;
    }
    for (size_t i = 0; i < w->n; i++) {
        const double *B = w->newton.basis + 6 * i, *own = x + 2 * i, D = sqrt(shrink_of(own));
        for (size_t k = 0; k < 3; k++)
            w->middle[3 * i + k] =
                D * (w->s[3 * i + k] + (w->low[3 * i + k] + own[0] * B[k] + own[1] * B[3 + k]));
    }
}

/* Y_i of the gradient g_i at m_i. */
static void rate_of(const ph_midpoint *w, size_t i, const double *g, const double *m, double *Y)
{
    const double lambda = w->is->damping ? w->is->damping[i] : 0;
    double T[3], fall[3];
    ph_cross3(g, m, T);
    ph_cross3(T, m, fall);
    for (size_t k = 0; k < 3; k++)
        Y[k] = w->ambient ? w->inverse[i] * g[k] + lambda * T[k] : w->inverse[i] * T[k] + lambda * fall[k];
}

static ph_status find_gradient(ph_midpoint *w, double t, const double *m, double *g)
{
    return ph_implicit_note(&w->newton.notes, "the gradient of the energy",
                            ph_spins_gradient(w->system, t, m, g));
}

static ph_status residual(void *self, double s, const double *x, double *r, double *scale)
{
    ph_midpoint *w = self;
    ph_midpoint_newton *newton = &w->newton;
    newton->h = s * w->h;
    newton->t = w->t + 0.5 * newton->h;
    memcpy(newton->x, x, newton->unknowns * sizeof *x);
    place_middle(w, x);
    const ph_status status = find_gradient(w, newton->t, w->middle, newton->gradient);
    for (size_t i = 0; i < w->n && !status; i++) {
        const double *g = newton->gradient + 3 * i, h = newton->h, *B = newton->basis + 6 * i;
        const double lambda = w->is->damping ? w->is->damping[i] : 0,
                     terms =
                         fabs(h) * (fabs(g[0]) + fabs(g[1]) + fabs(g[2])) * (fabs(w->inverse[i]) + lambda) +
                         DBL_MIN;
        double *Y = w->rate + 3 * i;
        rate_of(w, i, g, w->middle + 3 * i, Y);
        for (size_t a = 0; a < 3 && w->ambient; a++) {
            r[3 * i + a] = x[3 * i + a] - h * Y[a];
            scale[3 * i + a] = fabs(x[3 * i + a]) + terms;
        }
        for (size_t a = 0; a < 2 && !w->ambient; a++) {
            const double own = shrink_of(x + 2 * i) * x[2 * i + a];
            r[2 * i + a] = own - 0.5 * h * ph_dot3(B + 3 * a, Y);
            scale[2 * i + a] = fabs(own) + 0.5 * terms;
        }
    }
    return status;
}

/* ---- The Jacobian ---------------------------------------------------------------------------------- */

/* dm (3) <- the derivative of m_j by its unknown a. */
static void move_of(const ph_midpoint *w, size_t j, size_t a, double *dm)
{
    const double *x = w->newton.x, *s = w->s + 3 * j, *m = w->middle + 3 * j;
    if (!w->ambient) {
        const double *b = w->newton.basis + 6 * j + 3 * a, D = sqrt(shrink_of(x + 2 * j));
        for (size_t k = 0; k < 3; k++)
            dm[k] = D * (b[k] - D * x[2 * j + a] * m[k]);
        return;
    }
    /* m = u s + 2 u^2 v, u = 1 / (1 + c.c), v = c x s + c (c.s) - c.c s; by c_a, and c = x / 4 */
    const double c[3] = {x[3 * j] / 4, x[3 * j + 1] / 4, x[3 * j + 2] / 4};
    const double u = 1 / (1 + ph_dot3(c, c)), du = -2 * u * u * c[a], along = ph_dot3(c, s);
    double e[3] = {0, 0, 0}, turn[3], more[3];
    e[a] = 1;
    ph_cross3(c, s, turn);
    ph_cross3(e, s, more);
    for (size_t k = 0; k < 3; k++) {
        const double v = turn[k] + c[k] * along - ph_dot3(c, c) * s[k],
                     dv = more[k] + e[k] * along + c[k] * s[a] - 2 * c[a] * s[k];
        dm[k] = 0.25 * (du * s[k] + 4 * u * du * v + 2 * u * u * dv);
    }
}

/* w->newton.column (3n) <- the change of all gradients by dm of spin j, by central differences. */
static ph_status find_column(ph_midpoint *w, size_t j, const double *dm)
{
    ph_midpoint_newton *newton = &w->newton;
    const double length = ph_norm3(dm), by = length > 0 ? difference / length : 0,
                 to_unit = w->ambient ? 1 : 1 / sqrt(1 + difference * difference);
    double *m = w->middle + 3 * j, kept[3];
    memcpy(kept, m, sizeof kept);
    ph_status status = PH_OK;
    for (int side = 0; side < 2 && !status; side++) {
        for (size_t k = 0; k < 3; k++)
            m[k] = to_unit * (kept[k] + (side ? -by : by) * dm[k]);
        status = find_gradient(w, newton->t, w->middle, side ? newton->back : newton->column);
    }
    memcpy(m, kept, sizeof kept);
    for (size_t k = 0; k < 3 * w->n && !status; k++)
        newton->column[k] = length > 0 ? (newton->column[k] - newton->back[k]) / (2 * by * to_unit) : 0;
    return status;
}

/* dY <- the change of Y_i by dg of its gradient and dm of m_i. */
static void change_rate(const ph_midpoint *w, size_t i, const double *dg, const double *dm, double *dY)
{
    const double *g = w->newton.gradient + 3 * i, *m = w->middle + 3 * i,
                 lambda = w->is->damping ? w->is->damping[i] : 0;
    double T[3], first[3], second[3], fall[3], more[3];
    ph_cross3(g, m, T);
    ph_cross3(dg, m, first);
    ph_cross3(g, dm, second);
    for (size_t k = 0; k < 3; k++)
        first[k] += second[k];
    ph_cross3(first, m, fall);
    ph_cross3(T, dm, more);
    for (size_t k = 0; k < 3; k++)
        dY[k] = w->ambient ? w->inverse[i] * dg[k] + lambda * first[k]
                           : w->inverse[i] * first[k] + lambda * (fall[k] + more[k]);
}

static size_t each_of(const ph_midpoint *w)
{
    return w->ambient ? 3 : 2;
}

/* The part of dr/dx that is of one spin alone. */
static double own_part(const ph_midpoint *w, size_t i, size_t a, size_t b)
{
    const double *x = w->newton.x + 2 * i, shrink = shrink_of(x);
    return w->ambient ? a == b : shrink * ((a == b) - 2 * shrink * x[a] * x[b]);
}

/* entries (each x each) <- dr_i/dx_j, of H (9), the second derivative of the energy by i and j, or its
 * transpose. */
static void find_block(const ph_midpoint *w, size_t i, size_t j, const double *H, bool transpose,
                       double *entries)
{
    const ph_midpoint_newton *newton = &w->newton;
    static const double none[3] = {0, 0, 0};
    const double *B = newton->basis + 6 * i, h = newton->h;
    const size_t each = each_of(w);
    for (size_t b = 0; b < each; b++) {
        double dm[3], dg[3], dY[3];
        move_of(w, j, b, dm);
        if (transpose)
            ph_apply_transposed3(H, dm, dg);
        else
            ph_apply3(H, dm, dg);
        change_rate(w, i, dg, i == j ? dm : none, dY);
        for (size_t a = 0; a < each; a++)
            entries[each * a + b] =
                (i == j ? own_part(w, i, a, b) : 0) - h * (w->ambient ? dY[a] : 0.5 * ph_dot3(B + 3 * a, dY));
    }
}

static ph_status find_hessian(ph_midpoint *w)
{
    ph_midpoint_newton *newton = &w->newton;
    return ph_implicit_note(&newton->notes, "the second derivative of the energy",
                            ph_spins_hessian(w->system, newton->t, w->middle, newton->values));
}

/* J (unknowns^2) <- dr/dx at the latest x, by blocks. */
static ph_status jacobian_by_blocks(ph_midpoint *w, double *J)
{
    const ph_midpoint_newton *newton = &w->newton;
    const size_t each = each_of(w), N = newton->unknowns;
    const ph_status status = find_hessian(w);
    memset(J, 0, N * N * sizeof *J);
    for (size_t k = 0; k < newton->blocks && !status; k++) {
        const size_t i = newton->row[k], j = newton->column_of[k];
        double entries[9];
        for (int side = 0; side < (i == j ? 1 : 2); side++) {
            const size_t to = side ? j : i, by = side ? i : j;
            find_block(w, to, by, newton->values + 9 * k, side, entries);
            for (size_t a = 0; a < each; a++)
                memcpy(J + (each * to + a) * N + each * by, entries + each * a, each * sizeof *J);
        }
    }
    return status;
}

/* The same by differences of the gradient. */
static ph_status jacobian_by_columns(ph_midpoint *w, double *J)
{
    const ph_midpoint_newton *newton = &w->newton;
    const size_t each = each_of(w), N = newton->unknowns;
    static const double none[3] = {0, 0, 0};
    ph_status status = PH_OK;
    for (size_t column = 0; column < N && !status; column++) {
        const size_t j = column / each, b = column % each;
        double dm[3];
        move_of(w, j, b, dm);
        status = find_column(w, j, dm);
        for (size_t i = 0; i < w->n && !status; i++) {
            const double *B = newton->basis + 6 * i, h = newton->h;
            double dY[3];
            change_rate(w, i, newton->column + 3 * i, i == j ? dm : none, dY);
            for (size_t a = 0; a < each; a++)
                J[(each * i + a) * N + column] = (i == j ? own_part(w, i, a, b) : 0) -
                                                 h * (w->ambient ? dY[a] : 0.5 * ph_dot3(B + 3 * a, dY));
        }
    }
    return status;
}

static ph_status jacobian(void *self, double *J)
{
    ph_midpoint *w = self;
    return w->newton.blocks ? jacobian_by_blocks(w, J) : jacobian_by_columns(w, J);
}

/* 1 / D_j, which makes a symmetric part of tangent coordinates at m. */
static double weight_of(const ph_midpoint *w, size_t j)
{
    return w->ambient ? 1 : 1 / sqrt(shrink_of(w->newton.x + 2 * j));
}

/* F <- dr/dx at the latest x, or the symmetric part in tangent coordinates at m. */
static ph_status assemble(ph_midpoint *w, bool symmetric)
{
    ph_midpoint_newton *newton = &w->newton;
    const size_t each = each_of(w);
    const ph_status status = find_hessian(w);
    memset(newton->F, 0, ph_elimination_doubles(newton->plan) * sizeof *newton->F);
    for (size_t k = 0; k < newton->blocks && !status; k++) {
        const size_t i = newton->row[k], j = newton->column_of[k];
        const uint32_t *at = newton->at + 2 * each * each * k;
        double to_i[9], to_j[9];
        find_block(w, i, j, newton->values + 9 * k, false, to_i);
        find_block(w, j, i, newton->values + 9 * k, true, to_j);
        for (size_t a = 0; a < each; a++)
            for (size_t b = 0; b < each; b++, at += 2) {
                const double one = to_i[each * a + b], other = to_j[each * b + a],
                             mean = 0.5 * (one * weight_of(w, j) + other * weight_of(w, i));
                newton->F[at[0]] = symmetric ? mean : one;
                newton->F[at[1]] = symmetric ? mean : other;
            }
    }
    return status;
}

static ph_status factor(void *self, int *sign)
{
    ph_midpoint *w = self;
    size_t negative = 0;
    ph_status status = assemble(w, false);
    if (!status)
        status = ph_elimination_decompose(w->newton.plan, w->newton.F, &negative);
    *sign = negative % 2 ? -1 : 1;
    return status;
}

static void substitute(void *self, double *r)
{
    const ph_midpoint *w = self;
    ph_elimination_solve(w->newton.plan, w->newton.F, r);
}

static bool on_the_branch(void *self)
{
    ph_midpoint *w = self;
    const ph_midpoint_newton *newton = &w->newton;
    const size_t N = newton->unknowns, each = each_of(w);
    double *A = newton->symmetric;
    size_t negative = 0;
    if (newton->plan)
        return !assemble(w, true) && !ph_elimination_decompose(newton->plan, newton->F, &negative) &&
               negative == 0;
    if (jacobian(w, A))
        return false;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            A[i * N + j] =
                0.5 * (A[i * N + j] * weight_of(w, j / each) + A[j * N + i] * weight_of(w, i / each));
    return !ph_cholesky_factor(N, A);
}

/* rs <- dr/ds, s h the step size. */
static ph_status parameter_derivative(void *self, double *rs)
{
    ph_midpoint *w = self;
    ph_midpoint_newton *newton = &w->newton;
    const double dt = difference * w->h;
    ph_status status = PH_OK;
    memset(newton->column, 0, 3 * w->n * sizeof *newton->column);
    if (w->in_time) {
        /* of order 2, into the step: the energy need not be known before it */
        static const double weight[3] = {-3, 4, -1};
        for (int m = 0; m < 3 && !status; m++) {
            status = find_gradient(w, newton->t + m * dt, w->middle, newton->back);
            for (size_t k = 0; k < 3 * w->n; k++)
                newton->column[k] += weight[m] / (2 * dt) * newton->back[k];
        }
    }
    for (size_t i = 0; i < w->n && !status; i++) {
        const double *B = newton->basis + 6 * i, *Y = w->rate + 3 * i;
        double in_time[3], change[3];
        rate_of(w, i, newton->column + 3 * i, w->middle + 3 * i, in_time);
        for (size_t k = 0; k < 3; k++)
            change[k] = w->h * (Y[k] + 0.5 * newton->h * in_time[k]);
        for (size_t a = 0; a < 3 && w->ambient; a++)
            rs[3 * i + a] = -change[a];
        for (size_t a = 0; a < 2 && !w->ambient; a++)
            rs[2 * i + a] = -0.5 * ph_dot3(B + 3 * a, change);
    }
    return status;
}

/* ---- The solution ---------------------------------------------------------------------------------- */

/* x <- the coordinates of w->y, in sphere form the increment. false: it has none. */
static bool read_guess(const ph_midpoint *w, double *x)
{
    bool fits = ph_all_finite(w->y, 3 * w->n);
    for (size_t i = 0; i < w->n && fits && !w->ambient; i++) {
        const double *d = w->y + 3 * i, *B = w->newton.basis + 6 * i, square = 1 - 0.25 * ph_dot3(d, d);
        fits = square > 0.01;
        for (size_t a = 0; a < 2; a++)
            x[2 * i + a] = ph_dot3(B + 3 * a, d) / (2 * square);
    }
    if (w->ambient)
        memcpy(x, w->y, 3 * w->n * sizeof *x);
    return fits;
}

ph_status ph_midpoint_solve(ph_midpoint *w, ph_context *context, bool guessed)
{
    ph_midpoint_newton *newton = &w->newton;
    for (size_t i = 0; i < w->n; i++)
        ph_tangent_basis3(w->s + 3 * i, newton->basis + 6 * i, newton->basis + 6 * i + 3);
    const ph_implicit_root root = {.equations = {.n = newton->unknowns,
                                                 .size = 1,
                                                 .self = w,
                                                 .residual = residual,
                                                 .jacobian = newton->plan ? NULL : jacobian,
                                                 .factor = newton->plan ? factor : NULL,
                                                 .solve = newton->plan ? substitute : NULL,
                                                 .parameter_derivative = parameter_derivative},
                                   .guessed = read_guess(w, newton->solution) && guessed,
                                   .on_the_branch = on_the_branch,
                                   .notes = &newton->notes};
    const ph_status status = ph_implicit_solve(&root, context, w->t, newton->solution, &newton->work);
    for (size_t k = 0; k < 3 * w->n && !status; k++)
        w->y[k] = w->h * w->rate[k];
    return status;
}

/* ---- Memory ---------------------------------------------------------------------------------------- */

/* Dense matrices, also of the differences of a gradient, for up to so many unknowns; sparse ones beyond
 * MOST_PLAIN, for up to MOST_SPARSE, whose factors may have FILL entries for each. */
enum { MOST_DENSE = 384, MOST_PLAIN = 24, MOST_SPARSE = 12288, FILL = 256 };

/* Is the second derivative known, with few blocks? */
static bool is_sparse(const ph_system *system, size_t n, size_t N)
{
    if (N <= MOST_PLAIN || N > MOST_SPARSE) /* its places are found when they are asked for */
        return false;
    const size_t blocks = ph_spins_hessian_blocks(system);
    return blocks > 0 && 4 * blocks < n * (n + 1);
}

void ph_midpoint_newton_place(ph_midpoint_newton *newton, const ph_system *system, bool ambient, ph_lay *l)
{
    const size_t n = ph_system_spins(system)->n, N = (ambient ? 3 : 2) * n;
    const bool sparse = is_sparse(system, n, N);
    *newton = (ph_midpoint_newton){.unknowns = sparse || N <= MOST_DENSE ? N : 0};
    if (!newton->unknowns)
        return;
    newton->blocks = ph_spins_hessian_blocks(system);
    newton->x = ph_lay_doubles(l, N);
    newton->solution = ph_lay_doubles(l, N);
    newton->basis = ph_lay_doubles(l, 6 * n);
    newton->gradient = ph_lay_doubles(l, 3 * n);
    newton->column = ph_lay_doubles(l, 3 * n);
    newton->back = ph_lay_doubles(l, 3 * n);
    newton->values = ph_lay_doubles(l, 9 * newton->blocks);
    newton->row = ph_lay_bytes(l, newton->blocks * sizeof *newton->row);
    newton->column_of = ph_lay_bytes(l, newton->blocks * sizeof *newton->row);
    if (sparse) {
        ph_newton_sparse_place(&newton->work, N, l);
        newton->at = ph_lay_bytes(l, 18 * newton->blocks * sizeof *newton->at);
    } else {
        ph_newton_place(&newton->work, N, l);
        newton->symmetric = ph_lay_doubles(l, N * N);
    }
}

/* The plan of the sparse matrix, and where its entries are. Where it would have too many there is none, and
 * no iteration of Newton's. */
static ph_status plan(ph_midpoint *w, ph_error *err)
{
    ph_midpoint_newton *newton = &w->newton;
    const size_t each = each_of(w), entries = each * each * newton->blocks;
    uint32_t *row = malloc(2 * (entries + 1) * sizeof *row), *at = newton->at;
    size_t pairs = 0;
    if (!row)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for the pattern of %zu spins", w->n);
    uint32_t *column = row + entries + 1;
    for (size_t k = 0; k < newton->blocks; k++)
        for (size_t a = 0; a < each; a++)
            for (size_t b = 0; b < each; b++) {
                row[pairs] = (uint32_t)(each * newton->row[k] + a);
                column[pairs] = (uint32_t)(each * newton->column_of[k] + b);
                pairs += row[pairs] != column[pairs];
            }
    ph_status status = ph_elimination_plan(newton->unknowns, pairs, row, column, FILL * newton->unknowns,
                                           &newton->plan, err);
    free(row);
    if (status == PH_E_RANGE) {
        newton->unknowns = 0;
        return PH_OK;
    }
    if (!status) {
        newton->F = malloc(ph_elimination_doubles(newton->plan) * sizeof *newton->F);
        status =
            newton->F ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "no memory for the factors of %zu spins", w->n);
    }
    for (size_t k = 0; k < newton->blocks && !status; k++)
        for (size_t a = 0; a < each; a++)
            for (size_t b = 0; b < each; b++, at += 2) {
                const size_t i = each * newton->row[k] + a, j = each * newton->column_of[k] + b;
                at[0] = (uint32_t)ph_elimination_place(newton->plan, i, j);
                at[1] = (uint32_t)ph_elimination_place(newton->plan, j, i);
            }
    return status;
}

ph_status ph_midpoint_newton_init(ph_midpoint *w, ph_error *err)
{
    ph_midpoint_newton *newton = &w->newton;
    if (!newton->unknowns || !newton->blocks)
        return PH_OK;
    const ph_status status = ph_spins_hessian_places(w->system, newton->row, newton->column_of);
    return status || !newton->at ? status : plan(w, err);
}

void ph_midpoint_newton_finish(ph_midpoint_newton *newton)
{
    ph_elimination_free(newton->plan);
    free(newton->F);
    newton->plan = NULL;
    newton->F = NULL;
}
