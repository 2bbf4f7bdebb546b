/* SPDX-License-Identifier: BSD-3-Clause */
/* The fastest rate of the system linearised at a configuration at rest. With the gradient g of U(z) + U(t, z) (of a general
 * Lagrangian: of -L(z, 0)), its second derivative along geodesics is K x = P d/ds [P g](exp_z(s x)) at s = 0, P the projection on
 * the tangent space where it is taken (the covariant derivative of the gradient). Rates are those of the pencil (K, A), A the
 * inertia on the tangent space; the largest by Lanczos' iteration in the metric A (Saad, Numerical Methods for Large Eigenvalue
 * Problems, 6.6 and 9.2.6). It needs products with K and solutions with A alone, so that its cost follows the structure of the
 * system. New vectors are made orthogonal to all, or where these are too large to keep, to the last ones: that repeats eigenvalues,
 * and does not move the largest. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>
#include <polhode/kit/tensions.h>
#include <polhode/kit/vector.h>

#include "derivative.h"
#include "evaluation.h"
#include "lib/algebra/lapack.h"
#include "lib/internal/missing.h"
#include "structure.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 30, MOST = 300, KEPT = 1 << 22 }; /* rows; KEPT: numbers */
static const double settled = 1e-9;

/* The system linearised at z, at rest. */
typedef struct linearisation {
    const ph_system *system;
    double t;
    const double *z;
    ph_frame frame;
    size_t m, nz, most, rows;
    bool lost;                   /* a callback failed */
    double *A, *x;               /* the factors of a dense inertia (m x m), and room (m); else empty */
    double *Q;                   /* (rows x 2 nz): vectors of the basis, each with its product with A */
    double *e, *z1, *Lv;         /* (nz) each; Lv: the gradient of U(t, z), too */
    double *alpha, *beta;        /* (most) each: the tridiagonal matrix */
    double *T, *values, *lapack; /* it, its eigenvalues, and room */
    double *differences, *work;
} linearisation;

/* Places of the arrays in one block, which is returned; NULL without memory. */
static void *lay(linearisation *w, const ph_system *system)
{
    ph_lay l = {NULL, 0};
    w->system = system;
    w->m = ph_space_dimension(system->space);
    w->nz = system->nz;
    w->most = w->m < MOST ? w->m : MOST;
    w->rows = (w->most + 1) * 2 * w->nz <= KEPT ? w->most + 1 : 3;
    const size_t dense = ph_system_is_sparse(system) || system->of->invert ? 0 : w->m;
    for (int pass = 0; pass < 2; pass++) {
        ph_frame_lay(&w->frame, system->space, &l);
        w->A = dense ? ph_lay_doubles(&l, dense * dense) : NULL;
        w->x = ph_lay_doubles(&l, dense);
        w->Q = ph_lay_doubles(&l, w->rows * 2 * w->nz);
        w->e = ph_lay_doubles(&l, w->nz);
        w->z1 = ph_lay_doubles(&l, w->nz);
        w->Lv = ph_lay_doubles(&l, w->nz);
        w->alpha = ph_lay_doubles(&l, w->most);
        w->beta = ph_lay_doubles(&l, w->most);
        w->T = ph_lay_doubles(&l, w->most * w->most);
        w->values = ph_lay_doubles(&l, w->most);
        w->lapack = ph_lay_doubles(&l, 3 * w->most);
        w->differences = ph_lay_doubles(&l, ph_differentiate_work(w->nz));
        w->work = ph_lay_doubles(&l, ph_system_work(system));
        if (!pass && !(l = (ph_lay){malloc(l.bytes), 0}).base)
            return NULL;
    }
    return l.base;
}

/* g <- the tangent part of the gradient at rest, at the point s of the curve along e. */
static ph_status gradient_at(void *self, double s, double *g)
{
    linearisation *w = self;
    ph_status status;
    ph_frame_move(&w->frame, w->z, w->e, s, w->z1);
    if (w->system->kind == PH_LAGRANGIAN_GENERAL) {
        status = ph_system_lagrangian_gradient(w->system, w->t, w->z1, w->system->rest, g, w->Lv, w->work);
        for (size_t k = 0; k < w->nz; k++)
            g[k] = -g[k];
    } else {
        status = ph_system_gradient(w->system, w->z1, g);
    }
    if (!status && ph_system_has_potential_in_time(w->system)) {
        status = ph_system_gradient_in_time(w->system, w->t, w->z1, w->Lv);
        for (size_t k = 0; k < w->nz; k++)
            g[k] += w->Lv[k];
    }
    if (!status)
        ph_space_project_tangent(w->system->space, w->z1, g);
    return status;
}

/* c <- K x. The line has a unit of length for each unit of x. */
static ph_status curve(linearisation *w, const double *x, double *c)
{
    const double size = sqrt(ph_dot(x, x, w->nz));
    double floor = 0;
    for (size_t k = 0; k < w->nz; k++)
        w->e[k] = x[k] / size;
    const ph_status status = ph_differentiate(gradient_at, w, w->nz, 1, c, &floor, w->differences);
    ph_space_project_tangent(w->system->space, w->z, c);
    for (size_t k = 0; k < w->nz; k++)
        c[k] *= size;
    w->lost = status;
    return status;
}

/* v <- A^{-1} c */
static ph_status accelerate(linearisation *w, const double *c, double *v)
{
    if (!w->A)
        return ph_system_covector_velocity(w->system, w->t, w->z, c, v, w->work);
    ph_tangent_components(w->system->space, w->frame.E, c, w->x);
    ph_cholesky_solve(w->m, w->A, w->x);
    ph_tangent_combine(w->system->space, w->frame.E, w->x, v);
    return PH_OK;
}

/* The first vector of the basis: from a covector without a pattern, as it must have a part along every eigenvector. */
static ph_status begin(linearisation *w)
{
    double *q = w->Q, *p = q + w->nz;
    uint64_t seed = 1;
    for (size_t k = 0; k < w->nz; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        p[k] = (double)(int64_t)seed * 0x1p-63;
    }
    ph_space_project_tangent(w->system->space, w->z, p);
    const ph_status status = accelerate(w, p, q);
    if (status)
        return status;
    const double square = ph_dot(q, p, w->nz);
    if (!(square > 0))
        return isfinite(square) ? PH_E_SINGULAR : PH_E_NOT_FINITE;
    for (size_t k = 0; k < 2 * w->nz; k++)
        q[k] /= sqrt(square);
    return PH_OK;
}

/* Vector j of the basis and its product with A, in the places of one that is no longer needed. */
static double *vector_of(const linearisation *w, size_t j)
{
    return w->Q + j % w->rows * 2 * w->nz;
}

/* The next vector of the basis, orthogonal to those that are kept, twice over; *more <- is there one? */
static ph_status extend(linearisation *w, size_t j, bool *more)
{
    double *q = vector_of(w, j), *v = vector_of(w, j + 1), *c = v + w->nz;
    ph_status status = curve(w, q, c);
    if (!status)
        status = accelerate(w, c, v);
    if (status)
        return status;
    w->alpha[j] = ph_dot(c, q, w->nz);
    const size_t kept = j + 1 < w->rows ? j + 1 : w->rows - 1;
    for (size_t again = 0; again < 2; again++)
        for (size_t i = j + 1; i-- > j + 1 - kept;) {
            const double *qi = vector_of(w, i), *pi = qi + w->nz, part = ph_dot(v, pi, w->nz);
            for (size_t k = 0; k < w->nz; k++) {
                v[k] -= part * qi[k];
                c[k] -= part * pi[k];
            }
        }
    const double square = ph_dot(v, c, w->nz), beta = w->beta[j] = sqrt(fmax(0, square));
    if (!isfinite(square))
        return PH_E_NOT_FINITE;
    /* at less the basis is whole, and the rest is rounding: eigenvalues are good to its square */
    *more = beta > 1e-7 * fmax(fabs(w->alpha[j]), j ? w->beta[j - 1] : 0);
    for (size_t k = 0; k < 2 * w->nz && *more; k++)
        v[k] /= beta;
    return PH_OK;
}

/* *largest <- the largest |eigenvalue| of the tridiagonal matrix of n rows */
static ph_status find_largest(linearisation *w, size_t n, double *largest)
{
    memset(w->T, 0, n * n * sizeof *w->T);
    for (size_t i = 0; i < n; i++) {
        w->T[i * n + i] = w->alpha[i];
        if (i)
            w->T[i * n + i - 1] = w->T[(i - 1) * n + i] = w->beta[i - 1];
    }
    const ph_status status = ph_eigen_symmetric(n, w->T, false, w->values, w->lapack, (int)(3 * w->most));
    *largest = status ? 0 : fmax(fabs(w->values[0]), fabs(w->values[n - 1]));
    return status;
}

/* Its eigenvalues are sought when a third of the rows are new: the largest has settled where the last third did not change it. Among
 * few rows it may seem to settle at another one. */
static ph_status iterate(linearisation *w, double *largest)
{
    bool more = true;
    ph_status status = begin(w);
    for (size_t n = 1, next = LEAST; !status && more; n++) {
        const double known = *largest;
        status = extend(w, n - 1, &more);
        more &= n < w->most;
        if (status || (more && n < next))
            continue;
        next = n + n / 3;
        status = find_largest(w, n, largest);
        more &= fabs(*largest - known) > settled * *largest;
    }
    return status;
}

ph_status ph_system_fastest_rate(const ph_system *system, double t, const double *z, double *rate,
                                 ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    linearisation w = {.t = t, .z = z};
    double largest = 0;
    if (system->of->fastest_rate)
        return system->of->fastest_rate(ph_system_root(system), z, rate, err);
    void *memory = lay(&w, system);
    if (!memory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_frame_make(&w.frame, z);
    ph_status status = w.A ? ph_system_tangent_inertia(system, t, z, NULL, w.frame.E, w.A, w.work) : PH_OK;
    w.lost = status;
    for (size_t i = 0; w.A && !status && i < w.m; i++)
        status = ph_all_finite(w.A + i * w.m, i + 1) ? PH_OK : PH_E_NOT_FINITE;
    if (!status && w.A)
        status = ph_cholesky_factor(w.m, w.A);
    if (!status)
        status = iterate(&w, &largest);
    free(memory);
    *rate = sqrt(largest);
    if (!status)
        return PH_OK;
    return w.lost ? ph_fail(err, status, "a callback of the system failed: %s", ph_status_text(status))
                  : ph_fail(err, status, "the system at rest has no rates: %s",
                            status == PH_E_SINGULAR ? "its inertia is not positive definite"
                                                    : ph_status_text(status));
}
