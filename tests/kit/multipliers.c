/* SPDX-License-Identifier: BSD-3-Clause */
/* Lagrange-d'Alembert's principle with multipliers: see multipliers.h. */
#include "multipliers.h"

static const double step = 1e-30; /* its square is far below rounding: what is left in Im is linear */

/* ---- Algebra ------------------------------------------------------------------------------------------ */

void zgesv_(const int *n, const int *nrhs, mult_number *a, const int *lda, int *ipiv, mult_number *b,
            const int *ldb, int *info);

void mult_solve(size_t n, mult_number *A, size_t columns, mult_number *B)
{
    enum { MOST = MULT_N + MULT_M };
    mult_number a[MOST * MOST], b[MOST * MOST];
    int order = (int)n, count = (int)columns, pivots[MOST], info;
    ck_assert(n <= MOST && columns <= MOST);
    for (size_t i = 0; i < n; i++) /* LAPACK goes by columns */
        for (size_t j = 0; j < n; j++)
            a[j * n + i] = A[i * n + j];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < columns; j++)
            b[j * n + i] = B[i * columns + j];
    zgesv_(&order, &count, a, &order, pivots, b, &order, &info);
    ck_assert_msg(info == 0, "the matrix is singular (zgesv: %d)", info);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < columns; j++)
            B[i * columns + j] = b[j * n + i];
}

void mult_complex(size_t n, const double *x, mult_number *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = x[i];
}

static void real_parts(size_t n, const mult_number *z, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = creal(z[i]);
}

mult_number mult_dot(size_t n, const mult_number *a, const mult_number *b)
{
    mult_number sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

mult_number mult_along(size_t n, const double *a, const mult_number *b)
{
    mult_number sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void mult_cross(const mult_number *a, const mult_number *b, mult_number *c)
{
    for (size_t i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

void mult_apply(size_t rows, size_t columns, const double *A, const double *x, double *y)
{
    for (size_t i = 0; i < rows; i++) {
        y[i] = 0;
        for (size_t j = 0; j < columns; j++)
            y[i] += A[i * columns + j] * x[j];
    }
}

void mult_pair(size_t n, const double *x, const double *v, double *z)
{
    memcpy(z, x, n * sizeof *z);
    memcpy(z + n, v, n * sizeof *z);
}

void mult_derivative(mult_map F, const void *self, size_t n, size_t m, const double *z, const double *dz,
                     double *out)
{
    mult_number shifted[2 * MULT_N], value[MULT_N * MULT_N + MULT_M * MULT_N];
    ck_assert(n <= 2 * MULT_N && m <= MULT_N * MULT_N + MULT_M * MULT_N);
    for (size_t i = 0; i < n; i++)
        shifted[i] = CMPLX(z[i], step * dz[i]);
    F(self, shifted, value);
    for (size_t i = 0; i < m; i++)
        out[i] = cimag(value[i]) / step;
}

void mult_gradient(mult_map F, const void *self, size_t n, const double *z, double *out)
{
    double dz[2 * MULT_N] = {0};
    for (size_t i = 0; i < n; i++) {
        dz[i] = 1;
        mult_derivative(F, self, n, 1, z, dz, out + i);
        dz[i] = 0;
    }
}

/* ---- The terms of the equations ----------------------------------------------------------------------- */

/* (x, v) -> L_v, for mult_derivative */
static void momentum(const void *self, const mult_number *z, mult_number *out)
{
    const mult_system *s = self;
    mult_number Lx[MULT_N];
    s->gradient(s->self, z, z + s->n, Lx, out);
}

void mult_mass(const mult_system *s, const double *x, const double *v, double *Lvv)
{
    size_t n = s->n;
    double z[2 * MULT_N], dz[2 * MULT_N] = {0}, column[MULT_N];
    mult_pair(n, x, v, z);
    for (size_t j = 0; j < n; j++) {
        dz[n + j] = 1;
        mult_derivative(momentum, s, 2 * n, n, z, dz, column);
        dz[n + j] = 0;
        for (size_t i = 0; i < n; i++)
            Lvv[i * n + j] = column[i];
    }
}

void mult_force(const mult_system *s, double t, const double *x, const double *v, double *f)
{
    memset(f, 0, s->n * sizeof *f);
    if (s->force)
        s->force(s->self, t, x, v, f);
}

void mult_euler_lagrange(const mult_system *s, const double *x, const double *v, const double *a, double *E)
{
    size_t n = s->n;
    double z[2 * MULT_N], dz[2 * MULT_N];
    mult_number zc[2 * MULT_N], Lx[MULT_N], Lv[MULT_N];
    mult_pair(n, x, v, z);
    mult_pair(n, v, a, dz);
    mult_derivative(momentum, s, 2 * n, n, z, dz, E);
    mult_complex(2 * n, z, zc);
    s->gradient(s->self, zc, zc + n, Lx, Lv);
    for (size_t i = 0; i < n; i++)
        E[i] -= creal(Lx[i]);
}

/* All constraints on velocities, C v = c: C = (A; B), c = (0; b). x -> (C, c) */
static void velocity_constraints(const void *self, const mult_number *x, mult_number *out)
{
    const mult_system *s = self;
    mult_number *c = out + (s->m + s->k) * s->n;
    if (s->m)
        s->jacobian(s->self, x, out);
    for (size_t i = 0; i < s->m; i++)
        c[i] = 0;
    if (s->k)
        s->velocities(s->self, x, out + s->m * s->n, c + s->m);
}

/* ---- Accelerations ------------------------------------------------------------------------------------ */

/* rest (rows) <- dc/dt - dC/dt v: what C a must be. */
static void constraint_rates(const mult_system *s, const double *x, const double *v, double *rest)
{
    size_t n = s->n, rows = s->m + s->k;
    double rate[MULT_M * (MULT_N + 1)];
    mult_derivative(velocity_constraints, s, n, rows * (n + 1), x, v, rate);
    for (size_t i = 0; i < rows; i++) {
        rest[i] = rate[rows * n + i];
        for (size_t j = 0; j < n; j++)
            rest[i] -= rate[i * n + j] * v[j];
    }
}

void mult_acceleration(const mult_system *s, double t, const double *x, const double *v, double *a)
{
    size_t n = s->n, rows = s->m + s->k, all = n + rows;
    double Lvv[MULT_N * MULT_N], E[MULT_N], f[MULT_N], rest[MULT_M], still[MULT_N] = {0};
    mult_number K[(MULT_N + MULT_M) * (MULT_N + MULT_M)] = {0}, y[MULT_N + MULT_M], xc[MULT_N];
    mult_number C[MULT_M * (MULT_N + 1)];
    mult_mass(s, x, v, Lvv);
    mult_euler_lagrange(s, x, v, still, E);
    mult_force(s, t, x, v, f);
    mult_complex(n, x, xc);
    velocity_constraints(s, xc, C);
    constraint_rates(s, x, v, rest);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            K[i * all + j] = Lvv[i * n + j];
        for (size_t j = 0; j < rows; j++)
            K[i * all + n + j] = K[(n + j) * all + i] = C[j * n + i];
        y[i] = f[i] - E[i];
    }
    for (size_t j = 0; j < rows; j++)
        y[n + j] = rest[j];
    mult_solve(all, K, 1, y);
    real_parts(n, y, a);
}

/* ---- Points ------------------------------------------------------------------------------------------- */

/* x (n) <- x - C^T (C C^T)^{-1} r, C (rows x n): the shortest change with C dx = -r. */
static void shortest_change(size_t n, size_t rows, const mult_number *C, const mult_number *r, double *x)
{
    mult_number G[MULT_M * MULT_M], y[MULT_M];
    for (size_t i = 0; i < rows; i++) {
        y[i] = r[i];
        for (size_t j = 0; j < rows; j++)
            G[i * rows + j] = mult_dot(n, C + i * n, C + j * n);
    }
    mult_solve(rows, G, 1, y);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < n; j++)
            x[j] -= creal(C[i * n + j] * y[i]);
}

void mult_admit(const mult_system *s, double *x, double *v)
{
    size_t n = s->n, rows = s->m + s->k;
    mult_number xc[MULT_N], r[MULT_M], C[MULT_M * (MULT_N + 1)];
    for (int pass = 0; pass < 40 && s->m; pass++) {
        mult_complex(n, x, xc);
        s->constraints(s->self, xc, r);
        s->jacobian(s->self, xc, C);
        shortest_change(n, s->m, C, r, x);
    }
    mult_complex(n, x, xc);
    velocity_constraints(s, xc, C);
    for (int pass = 0; pass < 2 && rows; pass++) { /* twice: the second takes the rounding of the first */
        for (size_t i = 0; i < rows; i++) {
            r[i] = -C[rows * n + i];
            for (size_t j = 0; j < n; j++)
                r[i] += C[i * n + j] * v[j];
        }
        shortest_change(n, rows, C, r, v);
    }
}

void mult_projection(const mult_system *s, const mult_number *x, mult_number *P)
{
    size_t n = s->n, m = s->m;
    mult_number A[MULT_M * MULT_N], G[MULT_M * MULT_M], Y[MULT_M * MULT_N];
    s->jacobian(s->self, x, A);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            G[i * m + j] = mult_dot(n, A + i * n, A + j * n);
    memcpy(Y, A, m * n * sizeof *Y);
    mult_solve(m, G, n, Y);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            P[i * n + j] = i == j;
            for (size_t l = 0; l < m; l++)
                P[i * n + j] -= A[l * n + i] * Y[l * n + j];
        }
}
