/* SPDX-License-Identifier: BSD-3-Clause */
/* The Legendre transform and its inverse: p is the momentum of the covector dL/dzdot. In tangent
 * coordinates x of the basis E, zdot = E x, it is the map x -> E^T dL/dzdot(z, E x), linear with the
 * symmetric positive definite matrix E^T MM E where there is an inertia; else it is inverted by Newton's
 * iteration. */
#include <polhode/algebra.h>
#include <polhode/solve.h>
#include <polhode/tensions.h>

#include "lib/internal/space.h"
#include "system.h"

#include <float.h>
#include <string.h>

/* mu <- rows [from, from + count) of MM v */
static void apply_rows(const ph_system *s, size_t from, size_t count, const double *v, double *mu)
{
    size_t d = s->nz / s->n; /* numbers in each factor, where there is M */
    for (size_t k = 0; k < count; k++) {
        const double *row = s->M ? s->M + (from + k) / d * s->n : s->MM + (from + k) * s->nz;
        double sum = 0;
        for (size_t j = 0; s->M && j < s->n; j++)
            sum += row[j] * v[d * j + (from + k) % d];
        for (size_t j = 0; !s->M && j < s->nz; j++)
            sum += row[j] * v[j];
        mu[k] = sum;
    }
}

void ph_system_apply_inertia(const ph_system *s, const double *v, double *mu)
{
    const ph_system *r = ph_system_root(s);
    if (r->tree)
        ph_tree_apply_inertia(r->tree, v, mu);
    else if (r->net)
        ph_net_apply_inertia(r->net, v, mu);
    else if (r->articulated)
        ph_articulated_apply(r->articulated, v, mu);
    else
        apply_rows(s, 0, s->nz, v, mu);
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* a . B b, B the block of factors fi, fj of a matrix with rows of nz numbers. */
static double block_product(const double *B, size_t nz, const ph_factor_place *fi, const double *a,
                            const ph_factor_place *fj, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < fi->nz; k++)
        sum += a[k] * dot(B + (fi->z + k) * nz + fj->z, b, fj->nz);
    return sum;
}

/* A <- E^T B E; B in full, or where it is NULL M by pairs. */
static void congruence(const ph_space *space, const double *B, const double *M, const double *E, double *A)
{
    size_t n = ph_space_factors(space), nz = ph_space_ambient(space), m = ph_space_dimension(space), at = 0;
    for (size_t i = 0; i < n; i++) {
        const ph_factor_place *fi = ph_space_factor(space, i);
        size_t from = 0;
        for (size_t j = 0; j <= i; j++) {
            const ph_factor_place *fj = ph_space_factor(space, j);
            for (size_t a = 0; a < fi->nx; a++)
                for (size_t b = 0; b < fj->nx; b++) {
                    const double *ea = E + at + a * fi->nz, *eb = E + from + b * fj->nz;
                    A[(fi->x + a) * m + fj->x + b] =
                        B ? block_product(B, nz, fi, ea, fj, eb) : M[i * n + j] * dot(ea, eb, fi->nz);
                }
            from += fj->nx * fj->nz;
        }
        at += fi->nx * fi->nz;
    }
}

void ph_congruence(const ph_space *space, const double *B, const double *E, double *A)
{
    congruence(space, B, NULL, E, A);
}

ph_status ph_system_tangent_inertia(const ph_system *s, const double *z, const double *v, const double *E,
                                    double *A, double *work)
{
    if (!s)
        return PH_E_INVALID;
    if (!ph_system_is_dense(s))
        return PH_E_UNSUPPORTED;
    if (s->kind == PH_INERTIA_CONSTANT) {
        congruence(s->space, s->MM, s->M, E, A);
        return PH_OK;
    }
    double *Lvv = work;
    ph_status status =
        ph_system_lagrangian_hessian(s, z, v ? v : s->rest, NULL, NULL, Lvv, work + s->nz * s->nz);
    if (!status)
        ph_congruence(s->space, Lvv, E, A);
    return status;
}

/* Doubles of work that ph_system_tangent_inertia needs. */
static size_t tangent_work(const ph_system *s)
{
    return s->kind == PH_INERTIA_CONSTANT ? 0 : s->nz * s->nz + ph_lagrangian_work(s);
}

size_t ph_system_work(const ph_system *s)
{
    size_t m = ph_space_dimension(s->space), nz = s->nz;
    if (ph_system_is_sparse(s))
        return s->n + ph_tension_size(s) + 4 * nz + ph_lagrangian_work(s);
    if (ph_system_articulation(s))
        return 2 * nz + m + ph_articulated_work(s->n) + ph_lagrangian_work(s);
    size_t more = s->kind == PH_LAGRANGIAN_GENERAL ? nz + 3 * m : 0; /* Newton's iteration */
    size_t velocity = ph_space_basis_size(s->space) + m * m + m + nz + more + tangent_work(s);
    size_t energy = nz + ph_lagrangian_work(s);
    return velocity > energy ? velocity : energy;
}

ph_status ph_system_momentum(const ph_system *s, const double *z, const double *zdot, double *p, double *work)
{
    if (!s)
        return PH_E_INVALID;
    if (s->kind != PH_INERTIA_CONSTANT) {
        double *Lv = work;
        ph_status status = ph_system_lagrangian_gradient(s, z, zdot, NULL, Lv, Lv + s->nz);
        if (!status)
            ph_space_momentum(s->space, z, Lv, p);
        return status;
    }
    if (ph_system_is_sparse(s) || ph_system_articulation(s)) {
        ph_system_apply_inertia(s, zdot, work);
        ph_space_momentum(s->space, z, work, p);
        return PH_OK;
    }
    for (size_t i = 0; i < s->n; i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        double mu[PH_EMBEDDING_MOST]; /* the most numbers of a factor other than R^d */
        if (f->kind == PH_FACTOR_R) {
            apply_rows(s, f->z, f->nz, zdot, p + f->p);
        } else {
            apply_rows(s, f->z, f->nz, zdot, mu);
            ph_space_factor_momentum(s->space, i, z, mu, p);
        }
    }
    return PH_OK;
}

ph_status ph_system_covector(const ph_system *s, const double *z, const double *zdot, double *mu,
                             double *work)
{
    if (!s)
        return PH_E_INVALID;
    ph_status status = ph_system_lagrangian_gradient(s, z, zdot, NULL, mu, work);
    if (!status)
        ph_space_project_tangent(s->space, z, mu);
    return status;
}

void ph_tangent_components(const ph_space *space, const double *E, const double *mu, double *b)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t a = 0; a < f->nx; a++, E += f->nz)
            b[f->x + a] = dot(E, mu + f->z, f->nz);
    }
}

void ph_tangent_combine(const ph_space *space, const double *E, const double *x, double *v)
{
    memset(v, 0, ph_space_ambient(space) * sizeof *v);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t a = 0; a < f->nx; a++, E += f->nz)
            for (size_t k = 0; k < f->nz; k++)
                v[f->z + k] += E[k] * x[f->x + a];
    }
}

/* ---- A general Lagrangian ------------------------------------------------------------------------ */

/* Arrays of the iteration. */
typedef struct inversion {
    const ph_system *s;
    const double *z, *E;
    double *A, *wanted, *x, *r, *trial; /* (nx x nx), (nx) each */
    double *v, *Lv;                     /* (nz) each; v is the caller's */
    double *work;
    double scale;   /* of E^T L_v */
    bool *singular; /* was it E^T L_vv E that could not be factored? */
    bool lost;      /* did the iteration end far from a solution? */
    size_t m;
} inversion;

/* r <- E^T L_v(z, E x) - wanted; *size <- its largest entry, infinity where r is not finite. */
static ph_status transform_error(inversion *w, const double *x, double *size)
{
    ph_tangent_combine(w->s->space, w->E, x, w->v);
    ph_status status = ph_system_lagrangian_gradient(w->s, w->z, w->v, NULL, w->Lv, w->work);
    if (status)
        return status;
    ph_tangent_components(w->s->space, w->E, w->Lv, w->r);
    for (size_t i = 0; i < w->m; i++)
        w->r[i] -= w->wanted[i];
    *size = ph_all_finite(w->r, w->m) ? ph_max_norm(w->r, w->m) : INFINITY;
    return PH_OK;
}

/* Applies Newton's correction at x, halved until the error decreases. *better: did it decrease? */
static ph_status correct(inversion *w, double *size, bool *better)
{
    int halvings = 60;
    double scale = 1, before = *size;
    *better = false;
    ph_status status = ph_system_tangent_inertia(w->s, w->z, w->v, w->E, w->A, w->work);
    for (size_t i = 0; i < w->m && !status; i++)
        for (size_t j = 0; j < i; j++)
            w->A[j * w->m + i] = w->A[i * w->m + j];
    if (!status && !ph_all_finite(w->A, w->m * w->m))
        status = PH_E_NOT_FINITE;
    if (status)
        return status;
    if (ph_lu_factor(w->m, w->A, (int *)(void *)w->trial, NULL)) {
        *w->singular = true;
        return PH_E_SINGULAR;
    }
    ph_lu_solve(w->m, w->A, (int *)(void *)w->trial, w->r);
    memcpy(w->A, w->r, w->m * sizeof *w->r); /* the correction; the factors are no longer needed */
    for (; halvings > 0 && !*better; halvings--, scale *= 0.5) {
        for (size_t i = 0; i < w->m; i++)
            w->trial[i] = w->x[i] - scale * w->A[i];
        status = transform_error(w, w->trial, size);
        if (status)
            return status;
        *better = *size < before;
        if (before <= 1e-12 * w->scale)
            break; /* stagnation at rounding */
    }
    if (*better)
        memcpy(w->x, w->trial, w->m * sizeof *w->x);
    else if (!isfinite(*size))
        return PH_E_NOT_FINITE; /* even for the shortest step */
    else
        *size = before;
    return PH_OK;
}

/* Newton's iteration from the start in x. */
static ph_status iterate(inversion *w)
{
    enum { MOST = 100 };
    double size = 0;
    bool better = true;
    ph_status status = transform_error(w, w->x, &size);
    if (status)
        return status;
    if (!isfinite(size))
        return PH_E_NOT_FINITE;
    w->scale = fmax(size, ph_max_norm(w->wanted, w->m));
    for (int pass = 0; pass < MOST && better && size > DBL_EPSILON * w->scale && !status; pass++)
        status = correct(w, &size, &better);
    if (status)
        return status;
    ph_tangent_combine(w->s->space, w->E, w->x, w->v);
    w->lost = !(size <= 1e-9 * w->scale);
    return w->lost ? PH_E_NO_CONVERGENCE : PH_OK;
}

/* Newton's iteration from rest; where that fails (L_vv may vanish there), from the velocity that would belong
 * to a unit inertia. */
static ph_status invert(inversion *w)
{
    memset(w->x, 0, w->m * sizeof *w->x);
    ph_status status = iterate(w);
    if (w->lost || *w->singular) {
        *w->singular = false;
        memcpy(w->x, w->wanted, w->m * sizeof *w->x);
        status = iterate(w);
    }
    return status;
}

/* v = MM^{-1} (mu + tau q) with the tensions tau that make it tangent: T tau = - q . MM^{-1} mu. Solved a
 * second time for the normal part that rounding leaves: in a long chain the velocities are small differences
 * of large numbers. work: n, nz, the factors */
static ph_status velocity_under_tension(const ph_system *s, const double *z, const double *mu, double *v,
                                        double *work)
{
    double *tau = work, *pull = tau + s->n, *F = pull + s->nz;
    ph_status status = ph_tension_factor(s, z, z, F, NULL);
    if (status)
        return status;
    ph_system_apply_inverse_inertia(s, mu, v);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s->n; i++) {
            const ph_factor_place *f = ph_space_factor(s->space, i);
            tau[i] = f->kind == PH_FACTOR_R ? 0 : -dot(z + f->z, v + f->z, f->nz);
        }
        ph_tension_solve(s, F, tau);
        ph_tension_pull(s, z, tau, pull);
        for (size_t k = 0; k < s->nz; k++)
            v[k] += pull[k];
    }
    return PH_OK;
}

ph_status ph_invert_transform(const ph_system *s, const double *z, const double *mu, double *zdot,
                              double *work, bool *singular)
{
    if (ph_system_is_sparse(s)) {
        ph_status status = velocity_under_tension(s, z, mu, zdot, work);
        *singular = status == PH_E_SINGULAR;
        return *singular && !(ph_all_finite(z, s->nz) && ph_all_finite(mu, s->nz)) ? PH_E_NOT_FINITE : status;
    }
    size_t m = ph_space_dimension(s->space);
    if (ph_system_articulation(s)) {
        ph_space_momentum(s->space, z, mu, work);
        ph_status status = ph_articulated_velocity(ph_system_root(s)->articulated, z, work, zdot, work + m);
        *singular = status == PH_E_SINGULAR;
        return status;
    }
    double *E = work, *A = E + ph_space_basis_size(s->space), *b = A + m * m, *more = b + m;
    ph_space_basis(s->space, z, E);
    ph_tangent_components(s->space, E, mu, b);
    if (s->kind == PH_LAGRANGIAN_GENERAL) {
        inversion w = {.s = s, .z = z, .E = E, .A = A, .wanted = b, .v = zdot, .m = m};
        w.x = more;
        w.r = w.x + m;
        w.trial = w.r + m;
        w.Lv = w.trial + m;
        w.work = w.Lv + s->nz;
        w.singular = singular;
        return invert(&w);
    }
    ph_status status = ph_system_tangent_inertia(s, z, NULL, E, A, more);
    if (status)
        return status;
    double sum = 0; /* not finite where an entry is not; taken now, as the factorisation overwrites A */
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++)
            sum += A[i * m + j];
    if (ph_cholesky_factor(m, A)) {
        *singular = true;
        return isfinite(sum) ? PH_E_SINGULAR : PH_E_NOT_FINITE;
    }
    ph_cholesky_solve(m, A, b);
    ph_tangent_combine(s->space, E, b, zdot);
    return PH_OK;
}

ph_status ph_system_covector_velocity(const ph_system *s, const double *z, const double *mu, double *zdot,
                                      double *work)
{
    if (!s)
        return PH_E_INVALID;
    bool singular = false;
    return ph_invert_transform(s, z, mu, zdot, work, &singular);
}

ph_status ph_system_velocity(const ph_system *s, const double *z, const double *p, double *zdot, double *work)
{
    if (!s)
        return PH_E_INVALID;
    ph_space_covector(s->space, z, p, work);
    return ph_system_covector_velocity(s, z, work, zdot, work + s->nz);
}

/* ---- Regularity ---------------------------------------------------------------------------------- */

/* *condition <- the condition number of A (m x m) in the 1-norm, once rows and columns are divided by the
 * square roots of the largest entries of the rows, so that units do not matter; infinite where A is singular.
 * Scratch: B (m x m), x (m), and pivots behind it. */
static ph_status condition_number(size_t m, const double *A, double *B, double *x, double *condition)
{
    double size = 0, inverse = 0;
    int *pivot = (int *)(void *)(x + m);
    *condition = INFINITY;
    if (!ph_all_finite(A, m * m))
        return PH_E_NOT_FINITE;
    for (size_t i = 0; i < m * m; i++) {
        double scale = ph_max_norm(A + i / m * m, m) * ph_max_norm(A + i % m * m, m);
        B[i] = scale > 0 ? A[i] / sqrt(scale) : 0;
    }
    for (size_t j = 0; j < m; j++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++)
            sum += fabs(B[i * m + j]);
        size = fmax(size, sum);
    }
    if (ph_lu_factor(m, B, pivot, NULL))
        return PH_OK;
    for (size_t j = 0; j < m; j++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++)
            x[i] = i == j;
        ph_lu_solve(m, B, pivot, x);
        for (size_t i = 0; i < m; i++)
            sum += fabs(x[i]);
        inverse = fmax(inverse, sum);
    }
    *condition = size * inverse;
    return PH_OK;
}

size_t ph_regularity_work(const ph_system *s)
{
    size_t m = ph_space_dimension(s->space);
    if (ph_system_articulation(s))
        return ph_articulated_work(s->n);
    return ph_space_basis_size(s->space) + 2 * m * m + 2 * m + tangent_work(s);
}

ph_status ph_check_regular(const ph_system *s, const double *z, const double *zdot, double *work,
                           double *condition)
{
    const ph_system *r = ph_system_root(s);
    size_t m = ph_space_dimension(s->space);
    double *E = work, *A = E + ph_space_basis_size(s->space), *B = A + m * m, *x = B + m * m;
    if (r->articulated) {
        ph_status status = ph_articulated_regular(r->articulated, z, work, condition);
        return status || *condition <= 1e13 ? status : PH_E_SINGULAR;
    }
    /* with a larger condition number A cannot be distinguished from a singular matrix, because of rounding or
     * the errors of differences */
    bool differenced = r->kind == PH_LAGRANGIAN_GENERAL && !r->is.lagrangian_hessian;
    double most = differenced ? 1e9 : 1e13;
    ph_space_basis(s->space, z, E);
    ph_status status = ph_system_tangent_inertia(s, z, zdot, E, A, x + 2 * m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++)
            A[j * m + i] = A[i * m + j];
    double noise = 0;
    if (!status)
        status = ph_lagrangian_noise(s, z, zdot, &noise, x + 2 * m);
    if (!status)
        status = condition_number(m, A, B, x, condition);
    for (size_t i = 0; i < m && !status; i++) /* scaling would turn rounding errors into an inertia */
        if (ph_max_norm(A + i * m, m) <= noise)
            *condition = INFINITY;
    if (!status && !(*condition <= most))
        status = PH_E_SINGULAR;
    if (!status && r->kind != PH_LAGRANGIAN_GENERAL)
        status = ph_cholesky_factor(m, A);
    return status;
}
