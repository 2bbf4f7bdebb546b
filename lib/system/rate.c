/* SPDX-License-Identifier: BSD-3-Clause */
/* The fastest rate of the system linearised at a configuration at rest. With the gradient g of U(z) + U(t, z) (of a general
 * Lagrangian: of -L(z, 0)), its second derivative along geodesics is K x = P d/ds [P g](exp_z(s x)) at s = 0, P the projection on
 * the tangent space where it is taken (the covariant derivative of the gradient). Rates are those of the pencil (K, A), A the
 * inertia on the tangent space; the largest by Lanczos' iteration in the metric A (Saad, Numerical Methods for Large Eigenvalue
 * Problems, 6.6 and 9.2.6). It needs products with K and solutions with A alone, so that its cost follows the structure of the
 * system; without reorthogonalisation, whose lack repeats eigenvalues and does not move the largest. */
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

enum { MOST = 300 };
static const double settled = 1e-9;

/* The system linearised at z, at rest. */
typedef struct linearisation {
    const ph_system *system;
    double t;
    const double *z;
    ph_frame frame;
    size_t m, nz, most;
    bool lost;                   /* a callback failed */
    double *A, *x;               /* the factors of a dense inertia (m x m), and room (m); else empty */
    double *q, *p, *before, *p0; /* (nz) each: a vector of the basis and A q, and those before it */
    double *c, *v;               /* (nz) each: K q and A^{-1} K q */
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
    const size_t dense = ph_system_is_sparse(system) || system->of->invert ? 0 : w->m;
    double **const vectors[] = {&w->q, &w->p, &w->before, &w->p0, &w->c, &w->v, &w->e, &w->z1, &w->Lv};
    for (int pass = 0; pass < 2; pass++) {
        ph_frame_lay(&w->frame, system->space, &l);
        w->A = dense ? ph_lay_doubles(&l, dense * dense) : NULL;
        w->x = ph_lay_doubles(&l, dense);
        for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
            *vectors[i] = ph_lay_doubles(&l, w->nz);
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

/* The first vector of the basis: from any covector with a part along every eigenvector. */
static ph_status begin(linearisation *w)
{
    for (size_t k = 0; k < w->nz; k++) {
        w->p[k] = 1 + 0.37 * sin(2.0 * (double)k + 1);
        w->before[k] = w->p0[k] = 0;
    }
    ph_space_project_tangent(w->system->space, w->z, w->p);
    const ph_status status = accelerate(w, w->p, w->q);
    if (status)
        return status;
    const double square = ph_dot(w->q, w->p, w->nz);
    if (!(square > 0))
        return isfinite(square) ? PH_E_SINGULAR : PH_E_NOT_FINITE;
    for (size_t k = 0; k < w->nz; k++) {
        w->q[k] /= sqrt(square);
        w->p[k] /= sqrt(square);
    }
    return PH_OK;
}

/* The next vector of the basis; *more <- is there one? */
static ph_status extend(linearisation *w, size_t j, bool *more)
{
    const double last = j ? w->beta[j - 1] : 0;
    ph_status status = curve(w, w->q, w->c);
    if (!status)
        status = accelerate(w, w->c, w->v);
    if (status)
        return status;
    const double alpha = w->alpha[j] = ph_dot(w->c, w->q, w->nz);
    for (size_t k = 0; k < w->nz; k++) {
        const double v = w->v[k] - alpha * w->q[k] - last * w->before[k];
        const double c = w->c[k] - alpha * w->p[k] - last * w->p0[k];
        w->before[k] = w->q[k];
        w->p0[k] = w->p[k];
        w->q[k] = v;
        w->p[k] = c;
    }
    const double square = ph_dot(w->q, w->p, w->nz), beta = w->beta[j] = sqrt(fmax(0, square));
    if (!isfinite(square))
        return PH_E_NOT_FINITE;
    *more = beta > 1e-10 * fmax(fabs(alpha), last);
    for (size_t k = 0; k < w->nz && *more; k++) {
        w->q[k] /= beta;
        w->p[k] /= beta;
    }
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

/* Its eigenvalues are sought when a third of the rows are new: the largest has settled where the last third did not change it. */
static ph_status iterate(linearisation *w, double *largest)
{
    bool more = true;
    ph_status status = begin(w);
    for (size_t n = 1, next = 8; !status && more; n++) {
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
