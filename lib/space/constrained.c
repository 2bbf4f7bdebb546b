/* SPDX-License-Identifier: BSD-3-Clause */
/* A manifold M = {g(x) = 0} in R^n as a factor of a space. With the factors A = L Q^T of the Jacobian, its
 * columns Q_1 normal and Q_2 tangent (constraints.c):
 *     P = Q_2 Q_2^T = I - A^T (A A^T)^{-1} A,      A^+ = A^T (A A^T)^{-1} = Q_1 L^{-1},
 *     dP = -(Y + Y^T),                             Y = A^+ dA P. */
#include "embedding.h"

#include <math.h>
#include <string.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/text.h>

enum { N = PH_EMBEDDING_MOST };

/* The callbacks must work at x, and A must have full rank there. */
static ph_status constraints_inspect(const ph_factor_place *f, size_t i, const double *x, ph_error *err)
{
    ph_constraints c;
    ph_numbers shown;
    const char *what, *name = ph_embedding_name(f->embedding);
    ph_status status = ph_constraints_factored_at(f, x, true, &c, &what);
    if (status == PH_E_SINGULAR && c.A.rank < c.m)
        return ph_fail(err, status, "constraint Jacobian of factor %zu (%s) has rank %zu of %zu at x = %s",
                       i + 1, name, c.A.rank, c.m, ph_show_numbers(&shown, "()", x, f->nz));
    if (status)
        return ph_fail(err, status, "%s of factor %zu (%s) failed at x = %s: %s", what, i + 1, name,
                       ph_show_numbers(&shown, "()", x, f->nz), ph_status_text(status));
    return PH_OK;
}

/* ---- The tangent space ---------------------------------------------------------------------------- */

/* v <- P v, NaN where a callback fails or A loses rank, as for all functions below. */
static void constraints_project_tangent(const ph_factor_place *f, const double *z, double *v)
{
    ph_constraints c;
    if (ph_constraints_tangent_at(f, z, &c))
        ph_embedding_fill_nan(v, f->nz);
    else
        ph_constraints_make_tangent(&c, v);
}

/* E (nx x n) <- the columns of Q_2 as rows. */
static void constraints_basis(const ph_factor_place *f, const double *z, double *E)
{
    ph_constraints c;
    if (ph_constraints_tangent_at(f, z, &c)) {
        ph_embedding_fill_nan(E, f->nx * f->nz);
        return;
    }
    memset(E, 0, f->nx * f->nz * sizeof *E);
    for (size_t i = 0; i < f->nx; i++, E += f->nz) {
        E[c.m + i] = 1;
        ph_orthogonal_compose(&c.A, E);
    }
}

/* Row i of P is P e_i. */
static void constraints_projection(const ph_factor_place *f, const double *z, double *P, size_t stride)
{
    ph_constraints c;
    bool failed = ph_constraints_tangent_at(f, z, &c) != PH_OK;
    for (size_t i = 0; i < f->nz; i++) {
        double *row = P + i * stride;
        if (failed) {
            ph_embedding_fill_nan(row, f->nz);
            continue;
        }
        memset(row, 0, f->nz * sizeof *row);
        row[i] = 1;
        ph_constraints_make_tangent(&c, row);
    }
    for (size_t i = 0; i < f->nz && !failed; i++) /* symmetric but for rounding: made exactly so */
        for (size_t j = 0; j < i; j++)
            P[i * stride + j] = P[j * stride + i];
}

/* out = -(A^+ dA P y + P dA^T (A^+)^T y) */
static void constraints_projection_along(const ph_factor_place *f, const double *z, const double *dz,
                                         const double *y, double *out)
{
    ph_constraints c;
    double dA[N * N], Py[N], b[N], normal[N] = {0}, lambda[N], bent[N] = {0};
    ph_status status = ph_constraints_tangent_at(f, z, &c);
    if (!status)
        status = ph_constraints_bend(f, &c, z, dz, dA);
    if (status) {
        ph_embedding_fill_nan(out, f->nz);
        return;
    }
    memcpy(Py, y, c.n * sizeof *Py);
    ph_constraints_make_tangent(&c, Py);
    for (size_t i = 0; i < c.m; i++) {
        b[i] = 0;
        for (size_t j = 0; j < c.n; j++)
            b[i] += dA[i * c.n + j] * Py[j];
    }
    ph_orthogonal_forward(&c.A, b, normal);
    ph_orthogonal_compose(&c.A, normal);
    memcpy(b, y, c.n * sizeof *b);
    ph_orthogonal_resolve(&c.A, b);
    ph_orthogonal_backward(&c.A, b, lambda);
    for (size_t i = 0; i < c.m; i++)
        for (size_t j = 0; j < c.n; j++)
            bent[j] += lambda[i] * dA[i * c.n + j];
    ph_constraints_make_tangent(&c, bent);
    for (size_t j = 0; j < c.n; j++)
        out[j] = -(normal[j] + bent[j]);
}

/* p <- P mu */
static void constraints_momentum(const ph_factor_place *f, const double *z, const double *mu, double *p)
{
    memcpy(p, mu, f->nz * sizeof *p);
    constraints_project_tangent(f, z, p);
}

/* Subtracts the normal part A^T lambda from v, and returns its multipliers lambda (m). Done twice, so that a
 * biased rounding error of the first time is reduced to rounding of the small part subtracted the second
 * time. */
static void subtract_normal(const ph_constraints *c, double *v, double *lambda)
{
    memset(lambda, 0, c->m * sizeof *lambda);
    for (int pass = 0; pass < 2; pass++) {
        double turned[N], more[N];
        memcpy(turned, v, c->n * sizeof *turned);
        ph_orthogonal_resolve(&c->A, turned);
        ph_orthogonal_backward(&c->A, turned, more);
        for (size_t i = 0; i < c->m; i++) {
            lambda[i] += more[i];
            for (size_t j = 0; j < c->n; j++)
                v[j] -= c->rows[i * c->n + j] * more[i];
        }
    }
}

/* dp = push + (A - A_1)^T nu, less the normal part of p + dp at z1. nu are the multipliers of the impulse's
 * normal part A^T nu at z; A_1^T nu is normal at z1, so subtracting it changes no result. All terms are then
 * as small as the step, and so is their rounding. */
static void constraints_carry_momentum(const ph_factor_place *f, const double *z, const double *z1,
                                       const double *p, const double *low, const double *impulse,
                                       const double *push, double *dp)
{
    ph_constraints at_z, at_z1;
    double nu[N], lambda[N], rest[N];
    if (ph_constraints_tangent_at(f, z, &at_z) || ph_constraints_tangent_at(f, z1, &at_z1)) {
        ph_embedding_fill_nan(dp, f->nz);
        return;
    }
    memcpy(rest, impulse, f->nz * sizeof *rest);
    subtract_normal(&at_z, rest, nu);
    for (size_t j = 0; j < f->nz; j++) {
        double turned = 0;
        for (size_t i = 0; i < at_z.m; i++) {
            double after = ldexp(at_z1.rows[i * f->nz + j], at_z1.exponent[i] - at_z.exponent[i]);
            turned += (at_z.rows[i * f->nz + j] - after) * nu[i];
        }
        dp[j] = push[j] + turned;
        rest[j] = p[j] + (low[j] + dp[j]);
    }
    subtract_normal(&at_z1, rest, lambda);
    for (size_t j = 0; j < f->nz; j++)
        for (size_t i = 0; i < at_z1.m; i++)
            dp[j] -= at_z1.rows[i * f->nz + j] * lambda[i];
}

/* ---- How far off ---------------------------------------------------------------------------------- */

/* The largest |b_i| / |row i of A|; infinite where a row of zeros has b_i != 0. */
static double largest_distance(const double *b, const double *A, size_t m, size_t n)
{
    double worst = 0;
    for (size_t i = 0; i < m; i++) {
        double square = 0;
        for (size_t j = 0; j < n; j++)
            square += A[i * n + j] * A[i * n + j];
        double part = b[i] != 0 ? fabs(b[i]) / sqrt(square) : 0;
        worst = part > worst ? part : worst;
    }
    return worst;
}

/* The largest |g_i| / |row i of A|: to first order the distance from the surface g_i = 0. */
static double constraints_residual(const ph_factor_place *f, const double *z)
{
    double g[N], A[N * N];
    int exponent[N];
    if (!ph_all_finite(z, f->nz) || ph_constraints_evaluate(f, z, g, A, exponent, NULL))
        return NAN;
    return largest_distance(g, A, f->nz - f->nx, f->nz);
}

/* The largest |(A v)_i| / |row i of A|: the part of v along the normal of the surface g_i = 0. */
static double constraints_tangency(const ph_factor_place *f, const double *z, const double *v)
{
    double b[N] = {0}, A[N * N];
    int exponent[N];
    size_t m = f->nz - f->nx;
    if (!ph_all_finite(v, f->nz) || ph_constraints_evaluate(f, z, NULL, A, exponent, NULL))
        return NAN;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < f->nz; j++)
            b[i] += A[i * f->nz + j] * v[j];
    return largest_distance(b, A, m, f->nz);
}

/* z <- z - A^+ g, one Gauss-Newton step, which takes rounding away to its square. */
static void constraints_correct(const ph_factor_place *f, double *z)
{
    ph_constraints c;
    double normal[N] = {0};
    if (ph_constraints_at(f, z, &c)) {
        ph_embedding_fill_nan(z, f->nz);
        return;
    }
    ph_orthogonal_forward(&c.A, c.g, normal);
    ph_orthogonal_compose(&c.A, normal);
    for (size_t j = 0; j < f->nz; j++)
        z[j] -= normal[j];
}

/* The search for it is the only way to know. */
static ph_status constraints_has_nearest(const ph_factor_place *f, const double *z)
{
    double copy[N];
    memcpy(copy, z, f->nz * sizeof *copy);
    return ph_constraints_nearest(f, copy);
}

static void constraints_explain(const ph_factor_place *f, const ph_flaw *flaw, char *text, size_t size)
{
    const double off = ph_embedding_is_vector(flaw) ? constraints_tangency(f, flaw->z, flaw->v)
                                                    : constraints_residual(f, flaw->z);
    ph_embedding_explain(f, flaw, off, text, size);
}

const ph_manifold ph_manifold_constraints = {
    .name = "manifold given by constraints",
    .words = {"embedded manifold", "embedded manifold", "point"},
    .configurations = {"x", PH_INDEX_COUNT, "m"},
    .momenta = {"p", PH_INDEX_COUNT, "kg m/s"},
    .explain = constraints_explain,
    .inspect = constraints_inspect,
    .increment = ph_constraints_increment,
    .increment_sum = ph_constraints_increment_sum,
    .log = ph_constraints_log,
    .dexp = ph_constraints_dexp,
    .has_nearest = constraints_has_nearest,
    .project = ph_constraints_nearest,
    .project_tangent = constraints_project_tangent,
    .projection = constraints_projection,
    .projection_along = constraints_projection_along,
    .basis = constraints_basis,
    .residual = constraints_residual,
    .tangency = constraints_tangency,
    .correct = constraints_correct,
    .momentum = constraints_momentum,
    .covector = ph_embedding_same,
    .turn = ph_embedding_same,
    .spin = ph_embedding_same,
    .project_momentum = constraints_project_tangent,
    .momentum_tangency = constraints_tangency,
    .carry_momentum = constraints_carry_momentum,
};
