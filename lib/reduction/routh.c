/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduced system of Routh reduction (polhode/domain/routh.h). With a constant MM and zeta = Z r everything is known:
 *     beta = MM Z r,   D beta = MM Z,   I = zeta . beta,   D I = 2 (MM Z)^T zeta,
 * and the inertia of (r, phi) is [MM + beta beta^T / I, beta; beta^T, I]. */
#include <polhode/constraints.h>
#include <polhode/domain/reduction.h>
#include <polhode/domain/routh.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include "lib/internal/missing.h"
#include "lib/system/generator.h"
#include "lib/system/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct routh {
    const ph_system *whole;
    size_t symmetry, nz;
    double *MM, *D, *Z; /* (nz x nz) each: the inertia, MM Z, Z */
} routh;

/* ---- The Lagrangian -------------------------------------------------------------------------------------- */

static void multiply(const double *A, const double *x, size_t n, double *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = ph_dot(A + i * n, x, n);
}

/* zeta, beta (nz) <- at r; returns I. */
static double locked(const routh *w, const double *r, double *zeta, double *beta)
{
    multiply(w->Z, r, w->nz, zeta);
    multiply(w->D, r, w->nz, beta);
    return ph_dot(zeta, beta, w->nz);
}

static ph_status inertia(void *user, const double *z, double *M)
{
    const routh *w = user;
    const size_t n = w->nz, N = n + 1;
    double zeta[PH_ROUTH_MOST], beta[PH_ROUTH_MOST];
    const double I = locked(w, z, zeta, beta);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            M[i * N + j] = w->MM[i * n + j] + beta[i] * beta[j] / I;
        M[i * N + n] = M[n * N + i] = beta[i];
    }
    M[n * N + n] = I;
    return PH_OK;
}

static ph_status inertia_dz(void *user, const double *z, double *dM)
{
    const routh *w = user;
    const size_t n = w->nz, N = n + 1;
    double zeta[PH_ROUTH_MOST], beta[PH_ROUTH_MOST], dI[PH_ROUTH_MOST];
    const double I = locked(w, z, zeta, beta);
    memset(dM, 0, N * N * N * sizeof *dM);
    for (size_t k = 0; k < n; k++) {
        dI[k] = 0;
        for (size_t i = 0; i < n; i++)
            dI[k] += 2 * w->D[i * n + k] * zeta[i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                dM[(i * N + j) * N + k] =
                    (w->D[i * n + k] * beta[j] + beta[i] * w->D[j * n + k] - beta[i] * beta[j] * dI[k] / I) /
                    I;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++)
            dM[(i * N + n) * N + k] = dM[(n * N + i) * N + k] = w->D[i * n + k];
        dM[(n * N + n) * N + k] = dI[k];
    }
    return PH_OK;
}

static ph_status potential(void *user, const double *z, double *U)
{
    return ph_system_potential(((const routh *)user)->whole, z, U);
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const routh *w = user;
    dU[w->nz] = 0;
    return ph_system_gradient(w->whole, z, dU);
}

static ph_status constraint(void *user, double t, const double *z, double *A, double *b)
{
    const routh *w = user;
    (void)t;
    multiply(w->D, z, w->nz, A);
    A[w->nz] = 0;
    b[0] = 0;
    return PH_OK;
}

/* The rate of beta(r) . rdot along dr. */
static ph_status constraint_along(void *user, double t, const double *z, const double *zdot, double dt,
                                  const double *dz, double *rate)
{
    const routh *w = user;
    double beta[PH_ROUTH_MOST];
    (void)t;
    (void)z;
    (void)dt;
    multiply(w->D, dz, w->nz, beta);
    rate[0] = ph_dot(beta, zdot, w->nz);
    return PH_OK;
}

static ph_status points(void *user, double t, const double *z, double *x)
{
    const routh *w = user;
    double q[PH_ROUTH_MOST], work[2 * PH_ROUTH_MOST];
    memcpy(q, z, w->nz * sizeof *q);
    ph_routh_turn(w->whole, w->symmetry, z[w->nz], q, work);
    return ph_system_places(w->whole, t, q, x);
}

/* The momentum of the whole is that of the phase. */
static ph_status translate(void *user, const double *z, double *xi)
{
    const routh *w = user;
    const size_t np = ph_space_momenta(ph_system_space(w->whole));
    (void)z;
    memset(xi, 0, np * sizeof *xi);
    xi[np] = 1;
    return PH_OK;
}

/* ---- Creation ---------------------------------------------------------------------------------------------- */

static ph_status admit(const ph_system *whole, size_t i, ph_error *err)
{
    const ph_symmetry *symmetry = ph_system_symmetry(whole, i);
    if (!symmetry)
        return ph_fail(err, PH_E_RANGE, "there is no symmetry number %zu; the system has %zu", i,
                       ph_system_symmetries(whole));
    const size_t nz = ph_space_ambient(ph_system_space(whole));
    const char *bare = ph_structure_of(whole)->no_velocities;
    const char *why = bare                               ? bare
                      : symmetry->generator              ? "its symmetry is given by a callback"
                      : ph_system_constraints(whole)     ? "it has velocity constraints"
                      : ph_system_depends_on_time(whole) ? "its potential or its Lagrangian depends on time"
                      : ph_system_has_force(whole)       ? "it has forces"
                      : ph_system_kind(whole) != PH_INERTIA_CONSTANT     ? "its inertia is not constant"
                      : nz > PH_ROUTH_MOST || !ph_system_is_dense(whole) ? "it has too many coordinates"
                                                                         : NULL;
    return why ? ph_fail(
                     err, PH_E_UNSUPPORTED,
                     "the system cannot be reduced by the symmetry %s: %s (reduction takes rotations about an axis, "
                     "a constant inertia, a potential)",
                     symmetry->name, why)
               : PH_OK;
}

static void release(void *user)
{
    routh *w = user;
    free(w->MM);
    free(w);
}

/* w->MM, D, Z <- column after column. */
static ph_status fill(routh *w, double *work)
{
    const size_t n = w->nz;
    double e[PH_ROUTH_MOST] = {0}, column[PH_ROUTH_MOST], z[PH_ROUTH_MOST];
    const ph_space *space = ph_system_space(w->whole);
    for (size_t k = 0; k < n; k++)
        z[k] = ph_sin(1.3 * (double)k + 0.4);
    ph_status status = ph_space_project(space, z); /* anywhere: the inertia is constant */
    for (size_t j = 0; j < n && !status; j++) {
        e[j] = 1;
        status = ph_system_lagrangian_gradient(w->whole, 0, z, e, NULL, column, work);
        for (size_t i = 0; i < n; i++)
            w->MM[i * n + j] = column[i];
        ph_turn_about(space, ph_system_symmetry(w->whole, w->symmetry)->axis, e, column);
        for (size_t i = 0; i < n; i++)
            w->Z[i * n + j] = column[i];
        e[j] = 0;
    }
    for (size_t i = 0; i < n && !status; i++)
        for (size_t j = 0; j < n; j++) {
            w->D[i * n + j] = 0;
            for (size_t k = 0; k < n; k++)
                w->D[i * n + j] += w->MM[i * n + k] * w->Z[k * n + j];
        }
    return status;
}

/* *space <- the factors of the whole, and R^1 for the phase. */
static ph_status make_space(const ph_system *whole, ph_space **space, ph_error *err)
{
    const ph_space *of = ph_system_space(whole);
    const size_t n = ph_space_factors(of);
    ph_factor *factors = calloc(n + 1, sizeof *factors);
    if (!factors)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        const ph_factor_place *f = ph_space_factor(of, i);
        factors[i] =
            (ph_factor){.kind = f->kind, .d = f->kind == PH_FACTOR_R ? f->nz : 0, .embedding = f->embedding};
    }
    factors[n] = (ph_factor){.kind = PH_FACTOR_R, .d = 1};
    ph_status status = ph_space_create(factors, n + 1, space, err);
    free(factors);
    return status;
}

ph_status ph_routh_create(const ph_system *whole, size_t i, ph_system **reduced, ph_error *err)
{
    *reduced = NULL;
    if (!whole)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_status status = admit(whole, i, err);
    if (status)
        return status;
    const size_t nz = ph_space_ambient(ph_system_space(whole));
    ph_space *space = NULL;
    routh *w = calloc(1, sizeof *w);
    double *work = malloc((ph_system_work(whole) + 1) * sizeof *work);
    if (w)
        *w = (routh){whole, i, nz, malloc(3 * nz * nz * sizeof(double)), NULL, NULL};
    if (!w || !work || !w->MM)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    else
        status = make_space(whole, &space, err);
    if (!status) {
        w->D = w->MM + nz * nz;
        w->Z = w->D + nz * nz;
        status = fill(w, work);
        if (status)
            ph_fail(err, status, "the inertia of the system: %s", ph_status_text(status));
    }
    free(work);
    if (status) {
        ph_space_free(space);
        if (w)
            release(w);
        return status;
    }
    ph_symmetry symmetry = *ph_system_symmetry(whole, i);
    symmetry.generator = translate;
    const ph_system_definition d = {.space = space,
                                    .ambient_inertia_at = inertia,
                                    .inertia_dz = inertia_dz,
                                    .potential = potential,
                                    .gradient = gradient,
                                    .gradient_on_manifold = ph_system_gradient_on_manifold(whole),
                                    .constraint = constraint,
                                    .constraint_along = constraint_along,
                                    .n_constraints = 1,
                                    .symmetries = &symmetry,
                                    .n_symmetries = 1,
                                    .points = ph_system_points(whole) ? points : NULL,
                                    .n_points = ph_system_points(whole),
                                    .user = w,
                                    .user_free = release,
                                    .whole = whole,
                                    .whole_symmetry = i};
    static const ph_structure of = {.name = "reduced", .check = ph_definition_check};
    status = ph_system_create_of(&of, &d, reduced, err);
    ph_space_free(space);
    return status;
}

/* ---- To and fro ---------------------------------------------------------------------------------------------- */

void ph_routh_turn(const ph_system *whole, size_t i, double angle, double *x, double *work)
{
    const ph_space *space = ph_system_space(whole);
    const ph_turn turn = ph_turn_by(ph_system_symmetry(whole, i)->axis, angle);
    for (size_t j = 0; j < ph_space_factors(space); j++) {
        const ph_factor_place *f = ph_space_factor(space, j);
        ph_turn_factor(&turn, f->kind, f->nz, x + f->z, work);
    }
}

void ph_routh_turn_momentum(const ph_system *whole, size_t i, double angle, double *p)
{
    const ph_space *space = ph_system_space(whole);
    const ph_turn turn = ph_turn_by(ph_system_symmetry(whole, i)->axis, angle);
    for (size_t j = 0; j < ph_space_factors(space); j++) {
        const ph_factor_place *f = ph_space_factor(space, j);
        double work[6];
        if (f->kind != PH_FACTOR_SO3 &&
            (f->np == 3 || f->np == 2)) /* others: in the body frame, or a number */
            ph_turn_factor(&turn, PH_FACTOR_R, f->np, p + f->p, work);
    }
}

size_t ph_routh_work(const ph_system *reduced)
{
    const ph_system *whole = ph_system_whole(reduced, NULL);
    const size_t turning = whole ? 2 * ph_space_ambient(ph_system_space(whole)) : 0;
    const size_t connection = whole ? ph_reduction_work(whole) : 0;
    return turning > connection ? turning : connection;
}

ph_status ph_routh_reduce(const ph_system *reduced, const double *q, const double *qdot, double phi,
                          double *z, double *zdot, double *work, ph_error *err)
{
    size_t i;
    const ph_system *whole = reduced ? ph_system_whole(reduced, &i) : NULL;
    if (!whole)
        return ph_fail(err, PH_E_INVALID, "the system is not one that ph_routh_create has reduced");
    const size_t nz = ph_space_ambient(ph_system_space(whole));
    double rate;
    memcpy(z, q, nz * sizeof *z);
    memcpy(zdot, qdot, nz * sizeof *z);
    ph_routh_turn(whole, i, -phi, z, work);
    ph_routh_turn(whole, i, -phi, zdot, work);
    ph_space_correct(ph_system_space(whole), z);
    ph_status status = ph_reduction_connection(whole, i, z, zdot, &rate, work, err);
    if (status)
        return status;
    ph_reduction_generator(whole, i, z, work);
    for (size_t k = 0; k < nz; k++)
        zdot[k] -= rate * work[k];
    z[nz] = phi;
    zdot[nz] = rate;
    return PH_OK;
}

ph_status ph_routh_reconstruct(const ph_system *reduced, const double *z, const double *zdot, double *q,
                               double *qdot, double *work)
{
    size_t i;
    const ph_system *whole = reduced ? ph_system_whole(reduced, &i) : NULL;
    if (!whole)
        return PH_E_INVALID;
    const size_t nz = ph_space_ambient(ph_system_space(whole));
    ph_status status = ph_reduction_generator(whole, i, z, qdot);
    if (status)
        return status;
    for (size_t k = 0; k < nz; k++) {
        qdot[k] = zdot[k] + zdot[nz] * qdot[k];
        q[k] = z[k];
    }
    ph_routh_turn(whole, i, z[nz], q, work);
    ph_routh_turn(whole, i, z[nz], qdot, work);
    ph_space_correct(ph_system_space(whole), q);
    return PH_OK;
}
