/* SPDX-License-Identifier: BSD-3-Clause */
/* The saddle of velocity constraints (general-constraints.c) by elimination of the rows: with columns P of a and C as pivots, F the
 * k = nx - m others, and
 *     X = C_P^{-1} C_F,   Y = a_P^{-1} a_F,   Z = [-X; 1],   W = [-Y; 1],   C Z = 0,   a W = 0,
 * the solution of J y - a^T eta = r, C y = q is that of k equations,
 *     y = [C_P^{-1} q; 0] + Z u,   (W^T J Z) u = W^T (r - J [C_P^{-1} q; 0]),   a_P^T eta = (J y - r)_P:
 * what cannot move costs two triangular solves in place of rows and columns of a matrix. Rows that are nearly dependent are left to
 * the dense matrix, which also says so where they are. */
#include "general.h"

#include <polhode/kit/algebra.h>

#include <string.h>

/* sum_p row_p y_(order p) of the m pivots. */
static double along_pivots(const general_constraints *c, const double *row, const double *y)
{
    double sum = 0;
    for (size_t p = 0; p < c->m; p++)
        sum += row[p] * y[c->order[p]];
    return sum;
}

/* u (k) <- W^T x. */
static void restrict_to_free(const general_constraints *c, const double *x, double *u)
{
    for (size_t d = 0; d < c->k; d++)
        u[d] = x[c->order[c->m + d]] - along_pivots(c, c->Ba + (c->m + d) * c->m, x);
}

/* x (nx) <- column d of Z (by Bc) or W (by Ba). */
static void free_column(const general_constraints *c, const double *B, size_t d, double *x)
{
    const double *row = B + (c->m + d) * c->m;
    for (size_t j = 0; j < c->k; j++)
        x[c->order[c->m + j]] = j == d;
    for (size_t p = 0; p < c->m; p++)
        x[c->order[p]] = -row[p];
}

/* V <- A Z by columns, K <- W^T A Z; A with rows of N numbers. */
static void reduce_matrix(general_constraints *c, size_t nx, const double *A, size_t N, const double *B)
{
    for (size_t d = 0; d < c->k; d++) {
        double *V = c->V + d * nx;
        free_column(c, B, d, c->full);
        for (size_t a = 0; a < nx; a++)
            V[a] = ph_dot(A + a * N, c->full, nx);
        restrict_to_free(c, V, c->few);
        for (size_t e = 0; e < c->k; e++)
            c->K[e * c->k + d] = c->few[e];
    }
}

/* order, Ba <- from the rows `pull`; the sign of det a_P, or 0. */
static int eliminate_rows(general_constraints *c, size_t nx)
{
    for (size_t a = 0; a < nx; a++) {
        c->order[a] = (int)a;
        for (size_t i = 0; i < c->m; i++)
            c->Ba[a * c->m + i] = c->pull[i * nx + a];
    }
    return ph_rows_factor(c->m, nx, c->Ba, c->order, c->rate);
}

bool general_reduce(general_scratch *w)
{
    general_constraints *c = &w->c;
    const size_t nx = w->nx, m = c->m, N = nx + m, k = c->k;
    c->reduced = false;
    c->sign = eliminate_rows(c, nx);
    if (!c->sign)
        return false;
    for (size_t a = 0; a < nx; a++)
        for (size_t i = 0; i < m; i++)
            c->Bc[a * m + i] = w->J[(nx + i) * N + (size_t)c->order[a]];
    c->sign *= ph_rows_factor(m, nx, c->Bc, NULL, c->rate);
    if (!c->sign)
        return false;
    reduce_matrix(c, nx, w->J, N, c->Bc);
    memcpy(c->Kf, c->K, k * k * sizeof *c->K);
    c->reduced = !ph_lu_factor(k, c->Kf, c->Kpivot, NULL);
    return c->reduced;
}

static void solve_reduced(general_scratch *w, double *r)
{
    general_constraints *c = &w->c;
    const size_t nx = w->nx, m = c->m, N = nx + m;
    double *y = c->full, *u = c->few, *q = r + nx;
    ph_rows_solve(m, c->Bc, q);
    memset(y, 0, nx * sizeof *y);
    for (size_t p = 0; p < m; p++)
        y[c->order[p]] = q[p];
    for (size_t a = 0; a < nx; a++)
        r[a] -= ph_dot(w->J + a * N, y, nx);
    restrict_to_free(c, r, u);
    ph_lu_solve(c->k, c->Kf, c->Kpivot, u);
    for (size_t d = 0; d < c->k; d++) {
        const double *row = c->Bc + (m + d) * m, *V = c->V + d * nx;
        y[c->order[m + d]] = u[d];
        for (size_t p = 0; p < m; p++)
            y[c->order[p]] -= row[p] * u[d];
        for (size_t a = 0; a < nx; a++)
            r[a] -= V[a] * u[d];
    }
    for (size_t p = 0; p < m; p++)
        q[p] = -r[c->order[p]];
    ph_rows_multipliers(m, c->Ba, q);
    memcpy(r, y, nx * sizeof *r);
}

void general_solve_linear(void *self, double *r)
{
    general_scratch *w = self;
    if (w->c.reduced)
        solve_reduced(w, r);
    else
        ph_lu_solve(w->unknowns, w->newton.J, w->newton.pivot, r);
}

/* T <- W^T J Z (1 + Y^T X)^{-1} (1 + Y^T Y): with that, Z is the basis that general_saddle has; and det C a^T = det C_P det a_P
 * det (1 + Y^T X). */
bool general_reduced_saddle(general_scratch *w, double *T)
{
    general_constraints *c = &w->c;
    const size_t m = c->m, k = c->k;
    int sign = 0;
    for (size_t d = 0; d < k; d++)
        for (size_t e = 0; e < k; e++)
            c->H1[d * k + e] = (d == e) + ph_dot(c->Ba + (m + d) * m, c->Bc + (m + e) * m, m);
    if (ph_lu_factor(k, c->H1, c->Kpivot + k, &sign) || sign * c->sign < 0)
        return false;
    for (size_t e = 0; e < k; e++) {
        double *x = c->few;
        for (size_t d = 0; d < k; d++)
            x[d] = (d == e) + ph_dot(c->Ba + (m + d) * m, c->Ba + (m + e) * m, m);
        ph_lu_solve(k, c->H1, c->Kpivot + k, x);
        for (size_t d = 0; d < k; d++)
            T[d * k + e] = ph_dot(c->K + d * k, x, k);
    }
    return true;
}
