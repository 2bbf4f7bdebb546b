/* SPDX-License-Identifier: BSD-3-Clause */
/* The fastest rate of spins: the largest |eigenvalue| of the covariant derivative A of the vector field on the tangent space
 * at z (along.c), by Arnoldi's iteration (Saad, Numerical Methods for Large Eigenvalue Problems, 6.2 and 6.4): an
 * orthonormal basis Q of the span of x, A x, ..., A^(m-1) x, the eigenvalues of the small matrix Q^T A Q, and, where their
 * largest has not settled, the same again from its eigenvector. */
#include "spins.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/memory.h>
#include <polhode/kit/vector.h>

#include "lib/algebra/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vectors of the basis; of very many spins fewer, as each is as large as a state. */
enum { BASIS = 40, SMALL_BASIS = 12, VERY_MANY = 100000, RESTARTS = 30 };
static const double settled = 1e-8;

typedef struct arnoldi {
    const ph_system *system;
    const double *z;
    size_t nz, most;
    double *g, *Q, *x; /* the gradient; (most + 1) rows of nz; (nz) */
    double *T, *A, *re, *im,
        *y; /* (most x most) column after column: Q^T A Q, and room; (most) each; vectors */
    double *lapack, *work;
    int lapack_size;
} arnoldi;

static void *lay(arnoldi *w, const ph_system *system)
{
    ph_lay l = {NULL, 0};
    const size_t m = ph_space_dimension(system->space), most = system->n > VERY_MANY ? SMALL_BASIS : BASIS;
    w->system = system;
    w->nz = system->nz;
    w->most = m < most ? m : most;
    w->lapack_size = (int)(8 * w->most + 16); /* dgeev with vectors: 4 n, more is quicker */
    for (int pass = 0; pass < 2; pass++) {
        w->g = ph_lay_doubles(&l, w->nz);
        w->Q = ph_lay_doubles(&l, (w->most + 1) * w->nz);
        w->x = ph_lay_doubles(&l, w->nz);
        w->T = ph_lay_doubles(&l, w->most * w->most);
        w->A = ph_lay_doubles(&l, w->most * w->most);
        w->y = ph_lay_doubles(&l, w->most * w->most);
        w->re = ph_lay_doubles(&l, w->most);
        w->im = ph_lay_doubles(&l, w->most);
        w->lapack = ph_lay_doubles(&l, (size_t)w->lapack_size);
        w->work = ph_lay_doubles(&l, ph_spins_along_work(w->nz));
        if (!pass && !(l = (ph_lay){malloc(l.bytes), 0}).base)
            return NULL;
    }
    return l.base;
}

static double norm(const double *x, size_t n)
{
    return sqrt(ph_dot(x, x, n));
}

/* q <- A x less its parts along the first k + 1 vectors of the basis, which are column k of T; twice, as once leaves rounding of A x.
 * *size <- the norm of what is left, *before <- that of A x. */
static ph_status next_vector(arnoldi *w, size_t k, double *q, double *size, double *before)
{
    double *column = w->T + k * w->most;
    ph_status status = ph_spins_flow_along(w->system, 0, w->z, w->g, w->Q + k * w->nz, q, w->work);
    if (!status && !ph_all_finite(q, w->nz))
        status = PH_E_NOT_FINITE;
    if (status)
        return status;
    *before = norm(q, w->nz);
    for (size_t i = 0; i <= k; i++)
        column[i] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i <= k; i++) {
            const double *own = w->Q + i * w->nz, part = ph_dot(own, q, w->nz);
            column[i] += part;
            for (size_t j = 0; j < w->nz; j++)
                q[j] -= part * own[j];
        }
    *size = norm(q, w->nz);
    return PH_OK;
}

/* T (k x k) <- A on the basis that begins with w->x; *k <- its vectors, fewer than w->most where they span an invariant space. */
static ph_status make_basis(arnoldi *w, size_t *k)
{
    memset(w->T, 0, w->most * w->most * sizeof *w->T);
    memcpy(w->Q, w->x, w->nz * sizeof *w->Q);
    for (*k = 0; *k < w->most; ++*k) {
        double *q = w->Q + (*k + 1) * w->nz, size, before;
        ph_status status = next_vector(w, *k, q, &size, &before);
        if (status)
            return status;
        if (!(size > 1e-13 * before)) {
            ++*k;
            return PH_OK;
        }
        for (size_t j = 0; j < w->nz; j++)
            q[j] /= size;
        if (*k + 1 < w->most)
            w->T[*k * w->most + *k + 1] = size;
    }
    return PH_OK;
}

/* *size <- the largest |eigenvalue| of T (k x k), w->x <- a unit vector in the invariant plane or line that belongs to it. */
static ph_status largest_eigenvalue(arnoldi *w, size_t k, double *size)
{
    for (size_t j = 0; j < k; j++)
        memcpy(w->A + j * k, w->T + j * w->most, k * sizeof *w->A);
    ph_status status = ph_eigen_general(k, w->A, w->re, w->im, w->y, w->lapack, w->lapack_size);
    if (status)
        return status;
    size_t best = 0;
    for (size_t i = 1; i < k; i++) /* of a pair the first, whose vector is re in column i, im in i + 1 */
        if (ph_hypot(w->re[i], w->im[i]) > ph_hypot(w->re[best], w->im[best]) * (1 + 1e-12))
            best = i;
    *size = ph_hypot(w->re[best], w->im[best]);
    memset(w->x, 0, w->nz * sizeof *w->x);
    for (size_t i = 0; i < k; i++) {
        const double part = w->y[best * k + i] + (w->im[best] > 0 ? w->y[(best + 1) * k + i] : 0);
        for (size_t j = 0; j < w->nz; j++)
            w->x[j] += part * w->Q[i * w->nz + j];
    }
    return PH_OK;
}

/* w->x <- its tangent part with norm 1; false where that is 0. */
static bool take_start(arnoldi *w)
{
    ph_space_project_tangent(w->system->space, w->z, w->x);
    const double size = norm(w->x, w->nz);
    for (size_t j = 0; j < w->nz && size > 0; j++)
        w->x[j] /= size;
    return size > 0;
}

static ph_status find_rate(arnoldi *w, double *rate)
{
    double before = 0, speed = 0;
    size_t k;
    ph_status status = ph_spins_flow(w->system, 0, w->z, w->x);
    for (size_t i = 0; i < w->system->n; i++)
        speed = fmax(speed, ph_norm3(w->x + 3 * i));
    if (!status && !ph_all_finite(w->x, w->nz))
        status = PH_E_NOT_FINITE;
    if (!status)
        status = ph_spins_gradient(w->system, 0, w->z, w->g);
    for (size_t j = 0; j < w->nz; j++)
        w->x[j] = 1 + 0.37 * ph_sin(2.0 * (double)j + 1); /* any vector with a part along every eigenvector */
    *rate = 0;
    for (int turn = 0; turn < RESTARTS && !status && take_start(w); turn++) {
        status = make_basis(w, &k);
        if (!status)
            status = largest_eigenvalue(w, k, rate);
        if (k < w->most || w->most == ph_space_dimension(w->system->space) ||
            fabs(*rate - before) <= settled * *rate)
            break;
        before = *rate;
    }
    *rate = fmax(*rate, speed);
    return status;
}

ph_status ph_spins_fastest_rate(const ph_system *system, const double *z, double *rate, ph_error *err)
{
    arnoldi w = {.z = z};
    void *memory = lay(&w, system);
    if (!memory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = find_rate(&w, rate);
    free(memory);
    return status ? ph_fail(err, status, "the rates of spins: %s", ph_status_text(status)) : PH_OK;
}
