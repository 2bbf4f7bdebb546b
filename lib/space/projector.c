/* SPDX-License-Identifier: BSD-3-Clause */
/* A manifold given by its orthogonal projection P(x) alone, as a factor of a space: all that concerns tangent
 * vectors; no retraction and no nearest point (Lee, Leok, McClamroch, Global formulations of Lagrangian and
 * Hamiltonian dynamics on embedded manifolds, eq. (2.2)). */
#include "embedding.h"
#include "lib/internal/space.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/text.h>

enum { N = PH_EMBEDDING_MOST };

/* An entry of P - P^T or P P - P, or a trace, that is off by more than this is an error, not rounding. */
static const double admitted = 1e-10;

/* P (n x n) <- the user's projection at x. The callback's status, PH_E_NOT_FINITE. */
static ph_status evaluate(const ph_factor_place *f, const double *x, double *P)
{
    const ph_embedding *e = f->embedding;
    ph_status status = e->projection(e->user, x, P);
    return !status && !ph_all_finite(P, f->nz * f->nz) ? PH_E_NOT_FINITE : status;
}

/* Pv <- P v */
static void apply(size_t n, const double *P, const double *v, double *Pv)
{
    for (size_t i = 0; i < n; i++) {
        Pv[i] = 0;
        for (size_t j = 0; j < n; j++)
            Pv[i] += P[i * n + j] * v[j];
    }
}

/* C <- A B for matrices n x n. */
static void multiply(size_t n, const double *A, const double *B, double *C)
{
    for (size_t i = 0; i < n * n; i++) {
        C[i] = 0;
        for (size_t k = 0; k < n; k++)
            C[i] += A[i / n * n + k] * B[k * n + i % n];
    }
}

/* ---- Inspection ----------------------------------------------------------------------------------- */

/* Which entry of the two matrices differs most, and by how much. */
static size_t worst_entry(size_t n, const double *A, const double *B, double *off)
{
    size_t worst = 0;
    *off = 0;
    for (size_t i = 0; i < n * n; i++)
        if (fabs(A[i] - B[i]) > *off) {
            *off = fabs(A[i] - B[i]);
            worst = i;
        }
    return worst;
}

/* P must be finite, symmetric, a projection, and its trace the dimension. */
static ph_status inspect(const ph_factor_place *f, size_t i, const double *x, ph_error *err)
{
    const size_t n = f->nz;
    const char *name = ph_embedding_name(f->embedding);
    double P[N * N], other[N * N], off, trace = 0;
    ph_numbers shown;
    ph_status status = evaluate(f, x, P);
    ph_show_numbers(&shown, "()", x, n);
    if (status)
        return ph_fail(err, status, "projection of factor %zu (%s) failed at x = %s: %s", i + 1, name,
                       shown.text, ph_status_text(status));
    for (size_t k = 0; k < n * n; k++)
        other[k] = P[k % n * n + k / n];
    size_t worst = worst_entry(n, P, other, &off);
    if (!(off <= admitted))
        return ph_fail(err, PH_E_INVALID,
                       "projection P of factor %zu (%s) is not symmetric at x = %s: "
                       "P[%zu][%zu] is %.17g, P[%zu][%zu] is %.17g",
                       i + 1, name, shown.text, worst / n, worst % n, P[worst], worst % n, worst / n,
                       other[worst]);
    multiply(n, P, P, other);
    worst = worst_entry(n, P, other, &off);
    if (!(off <= admitted))
        return ph_fail(err, PH_E_INVALID,
                       "P of factor %zu (%s) is not a projection at x = %s: "
                       "P[%zu][%zu] is %.17g, of P P it is %.17g; is x on the manifold?",
                       i + 1, name, shown.text, worst / n, worst % n, P[worst], other[worst]);
    for (size_t k = 0; k < n; k++)
        trace += P[k * n + k];
    if (!(fabs(trace - (double)f->nx) <= admitted * (double)n))
        return ph_fail(err, PH_E_INVALID,
                       "projection P of factor %zu (%s) has rank %.3g (its trace) at x = %s; "
                       "the dimension of the manifold is said to be %zu",
                       i + 1, name, trace, shown.text, f->nx);
    return PH_OK;
}

/* ---- The tangent space ---------------------------------------------------------------------------- */

/* v <- P v, NaN where the callback fails. */
static void project_tangent(const ph_factor_place *f, const double *z, double *v)
{
    double P[N * N], once[N];
    if (evaluate(f, z, P)) {
        ph_embedding_fill_nan(v, f->nz);
        return;
    }
    /* twice: the second time removes what rounding left of a large normal part */
    apply(f->nz, P, v, once);
    apply(f->nz, P, once, v);
}

static void projection(const ph_factor_place *f, const double *z, double *P, size_t stride)
{
    double own[N * N];
    if (evaluate(f, z, own))
        ph_embedding_fill_nan(own, f->nz * f->nz);
    for (size_t i = 0; i < f->nz; i++)
        memcpy(P + i * stride, own + i * f->nz, f->nz * sizeof *P);
}

/* out <- dP(z)[dz] y */
static void projection_along(const ph_factor_place *f, const double *z, const double *dz, const double *y,
                             double *out)
{
    const ph_embedding *e = f->embedding;
    double dP[N * N];
    ph_status status = e->projection_along
                           ? e->projection_along(e->user, z, dz, dP)
                           : ph_embedding_difference(e, e->projection, z, dz, f->nz * f->nz, dP);
    if (status)
        ph_embedding_fill_nan(out, f->nz);
    else
        apply(f->nz, dP, y, out);
}

/* P <- the projection on the eigenvectors of its symmetric part with eigenvalues above 1/2, by
 * P <- 3 P^2 - 2 P^3 (which squares the distance of an eigenvalue from 0 or 1). Off the manifold the user's P
 * need not be a projection; the range of this one depends smoothly on the point. */
static bool purify(size_t n, double *P)
{
    double square[N * N], cube[N * N], off;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            P[i * n + j] = P[j * n + i] = 0.5 * (P[i * n + j] + P[j * n + i]);
    for (int pass = 0; pass < 30; pass++) {
        multiply(n, P, P, square);
        worst_entry(n, P, square, &off);
        if (off <= 16 * DBL_EPSILON)
            return true;
        multiply(n, P, square, cube);
        for (size_t i = 0; i < n * n; i++)
            P[i] = 3 * square[i] - 2 * cube[i];
    }
    return false;
}

/* E (nx x n) <- an orthonormal basis of the range of P: the first rows of the orthogonal factor of P. */
static void basis(const ph_factor_place *f, const double *z, double *E)
{
    /* the pivots of a projection of rank r are at least 1/sqrt(n r); this is far below, and far above
     * rounding */
    static const double negligible = 1e-3;
    ph_orthogonal o; /* not initialised: it is large */
    o.n = f->nz;
    bool failed = evaluate(f, z, o.a) != PH_OK || !purify(f->nz, o.a);
    if (!failed)
        ph_orthogonal_factor(&o, f->nz, f->nx, negligible);
    if (failed || o.rank < f->nx) {
        ph_embedding_fill_nan(E, f->nx * f->nz);
        return;
    }
    memset(E, 0, f->nx * f->nz * sizeof *E);
    for (size_t i = 0; i < f->nx; i++, E += f->nz) {
        E[i] = 1;
        ph_orthogonal_compose(&o, E);
    }
}

/* p <- P mu */
static void momentum(const ph_factor_place *f, const double *z, const double *mu, double *p)
{
    memcpy(p, mu, f->nz * sizeof *p);
    project_tangent(f, z, p);
}

/* The largest |entry of P P - P|: how far P is from a projection says all that is known about z being on
 * the manifold. */
static double residual(const ph_factor_place *f, const double *z)
{
    double P[N * N], square[N * N], off;
    if (!ph_all_finite(z, f->nz) || evaluate(f, z, P))
        return NAN;
    multiply(f->nz, P, P, square);
    worst_entry(f->nz, P, square, &off);
    return off;
}

/* The largest |entry of v - P v|. */
static double tangency(const ph_factor_place *f, const double *z, const double *v)
{
    double P[N * N], Pv[N];
    if (!ph_all_finite(v, f->nz) || evaluate(f, z, P))
        return NAN;
    apply(f->nz, P, v, Pv);
    for (size_t i = 0; i < f->nz; i++)
        Pv[i] -= v[i];
    return ph_max_norm(Pv, f->nz);
}

/* ---- Operations that are not available ------------------------------------------------------------- */

static void no_increment(const ph_factor_place *f, const double *z, const double *v, double *z1)
{
    (void)z, (void)v;
    ph_embedding_fill_nan(z1, f->nz);
}

static ph_status no_log(const ph_factor_place *f, const double *z, const double *z1, double *v)
{
    (void)f, (void)z, (void)z1, (void)v;
    return PH_E_UNSUPPORTED;
}

static void no_dexp(const ph_factor_place *f, const double *z, const double *v, const double *dv, double *w)
{
    (void)v, (void)dv;
    no_increment(f, z, v, w);
}

static ph_status no_nearest(const ph_factor_place *f, const double *z)
{
    (void)f, (void)z;
    return PH_E_UNSUPPORTED;
}

static ph_status no_project(const ph_factor_place *f, double *z)
{
    return no_nearest(f, z);
}

static void stay(const ph_factor_place *f, double *z)
{
    (void)f, (void)z;
}

static void explain(const ph_factor_place *f, const ph_flaw *flaw, char *text, size_t size)
{
    const double off = ph_embedding_is_vector(flaw) ? tangency(f, flaw->z, flaw->v) : residual(f, flaw->z);
    ph_embedding_explain(f, flaw, off, text, size);
}

const ph_manifold ph_manifold_projector = {
    .name = "manifold given by its projection",
    .words = {"embedded manifold", "embedded manifold", "point"},
    .configurations = {"x", PH_INDEX_COUNT, "m"},
    .momenta = {"p", PH_INDEX_COUNT, "kg m/s"},
    .explain = explain,
    .no_retraction = true,
    .inspect = inspect,
    .increment = no_increment,
    .log = no_log,
    .dexp = no_dexp,
    .has_nearest = no_nearest,
    .project = no_project,
    .project_tangent = project_tangent,
    .projection = projection,
    .projection_along = projection_along,
    .basis = basis,
    .residual = residual,
    .tangency = tangency,
    .correct = stay,
    .momentum = momentum,
    .covector = ph_embedding_same,
    .turn = ph_embedding_same,
    .spin = ph_embedding_same,
    .project_momentum = project_tangent,
    .momentum_tangency = tangency,
};
