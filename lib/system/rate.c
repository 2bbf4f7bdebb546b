/* SPDX-License-Identifier: BSD-3-Clause */
/* The fastest rate of the system linearised at a configuration at rest. With the basis E of the tangent space
 * at z and the gradient g of U(z) + U(t, z) (of a general Lagrangian: of -L(z, 0)), its second derivative along geodesics
 * is K_ij = E_i . d/ds [P g](exp_z(s E_j)) at s = 0, P the projection on the tangent space where it is taken
 * (the covariant derivative of the gradient). Rates are those of the pencil (K, E^T L_vv E). */
#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

#include "derivative.h"
#include "lib/internal/missing.h"
#include "system.h"

#include <stdlib.h>
#include <string.h>

/* The system linearised at z, at rest. */
typedef struct linearisation {
    const ph_system *system;
    double t;
    const double *z;
    ph_frame frame;
    size_t m, nz;
    double *A, *K, *x, *y; /* (m x m), (m) each */
    double *e, *z1, *Lv;   /* (nz) each; Lv: the gradient of U(t, z), too */
    double *slopes, *differences, *work;
} linearisation;

/* Places of the arrays in one block, which is returned; NULL without memory. */
static void *lay(linearisation *w, const ph_system *system)
{
    ph_lay l = {NULL, 0};
    w->system = system;
    w->m = ph_space_dimension(system->space);
    w->nz = system->nz;
    for (int pass = 0; pass < 2; pass++) {
        ph_frame_lay(&w->frame, system->space, &l);
        w->A = ph_lay_doubles(&l, w->m * w->m);
        w->K = ph_lay_doubles(&l, w->m * w->m);
        w->x = ph_lay_doubles(&l, w->m);
        w->y = ph_lay_doubles(&l, w->m);
        w->e = ph_lay_doubles(&l, w->nz);
        w->z1 = ph_lay_doubles(&l, w->nz);
        w->Lv = ph_lay_doubles(&l, w->nz);
        w->slopes = ph_lay_doubles(&l, w->nz);
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

/* A <- E^T L_vv E, K <- the second derivative (symmetric only up to the error of the differences). */
static ph_status linearise(linearisation *w)
{
    ph_status status = ph_system_tangent_inertia(w->system, w->t, w->z, NULL, w->frame.E, w->A, w->work);
    for (size_t j = 0; j < w->m && !status; j++) {
        double floor = 0;
        ph_frame_vector(&w->frame, j, w->e);
        status = ph_differentiate(gradient_at, w, w->nz, 1, w->slopes, &floor, w->differences);
        for (size_t i = 0; i < w->m && !status; i++)
            w->K[i * w->m + j] = ph_frame_component(&w->frame, w->slopes, i);
    }
    return status;
}

/* Power iteration on A^{-1} K; its eigenvalues are real, and the norm of A picks the one of largest size. */
static double largest_eigenvalue(linearisation *w)
{
    double size = 0;
    for (size_t i = 0; i < w->m; i++) /* the symmetric part */
        for (size_t j = 0; j <= i; j++)
            w->K[i * w->m + j] = w->K[j * w->m + i] = 0.5 * (w->K[i * w->m + j] + w->K[j * w->m + i]);
    for (size_t i = 0; i < w->m; i++)
        w->x[i] = 1 + 0.37 * sin(2.0 * (double)i + 1); /* any vector with a part along every eigenvector */
    for (int pass = 0; pass < 500; pass++) {
        double norm = 0, before = size;
        for (size_t i = 0; i < w->m; i++) {
            w->y[i] = 0;
            for (size_t j = 0; j < w->m; j++)
                w->y[i] += w->K[i * w->m + j] * w->x[j];
        }
        ph_cholesky_solve(w->m, w->A, w->y);
        for (size_t i = 0; i < w->m; i++)
            norm += w->y[i] * w->y[i];
        size = sqrt(norm);
        if (!(size > 0) || !isfinite(size))
            return size;
        for (size_t i = 0; i < w->m; i++)
            w->x[i] = w->y[i] / size;
        if (pass > 20 && fabs(size - before) <= 1e-9 * size)
            break;
    }
    return size;
}

ph_status ph_system_fastest_rate(const ph_system *system, double t, const double *z, double *rate,
                                 ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    linearisation w = {.t = t, .z = z};
    if (system->of->fastest_rate)
        return system->of->fastest_rate(ph_system_root(system), z, rate, err);
    if (!ph_system_is_dense(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "the fastest rate is sought in dense matrices, "
            "and a linkage or a sparse inertia has them up to %d factors (%d numbers with a cart), "
            "an articulation up to %d bodies",
            (int)PH_DENSE_PAIRS, (int)PH_DENSE_AMBIENT, (int)PH_DENSE_BODIES);
    void *memory = lay(&w, system);
    if (!memory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_frame_make(&w.frame, z);
    ph_status status = linearise(&w);
    bool called = !status;
    if (!status)
        status = ph_cholesky_factor(w.m, w.A);
    if (!status) {
        *rate = sqrt(largest_eigenvalue(&w));
        status = isfinite(*rate) ? PH_OK : PH_E_NOT_FINITE;
    }
    free(memory);
    if (!status)
        return PH_OK;
    return called ? ph_fail(err, status, "the system at rest has no rates: %s",
                            status == PH_E_SINGULAR ? "its inertia is not positive definite"
                                                    : ph_status_text(status))
                  : ph_fail(err, status, "a callback of the system failed: %s", ph_status_text(status));
}
