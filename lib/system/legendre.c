/* SPDX-License-Identifier: BSD-3-Clause */
/* The Legendre transform and its inverse: p is the momentum of the covector dL/dzdot. In tangent coordinates
 * x of the basis E, zdot = E x, it is the map
 *     x -> E^T dL/dzdot(z, E x),
 * linear with the symmetric positive definite matrix E^T MM E where there is an inertia; else it is inverted
 * by Newton's iteration. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>
#include <polhode/kit/tensions.h>

#include "lagrangian.h"
#include "lib/internal/space.h"

#include <float.h>
#include <string.h>

size_t ph_system_work(const ph_system *s)
{
    size_t m = ph_space_dimension(s->space), nz = s->nz;
    if (s->of->work)
        return s->of->work(ph_system_root(s));
    if (ph_system_is_sparse(s))
        return s->n + ph_tension_size(s) + 4 * nz + ph_lagrangian_work(s);
    size_t more = s->kind == PH_LAGRANGIAN_GENERAL ? nz + 3 * m : 0; /* Newton's iteration */
    size_t velocity = ph_space_basis_size(s->space) + m * m + m + nz + more + ph_tangent_work(s);
    size_t energy = nz + ph_lagrangian_work(s);
    return velocity > energy ? velocity : energy;
}

/* ---- From velocities to momenta ----------------------------------------------------------------- */

/* The momentum of the covector dL/dzdot (embedded manifolds paper, eq. (2.4)); on (S^2)^n with an inertia
 * by pairs it is pi_i = q_i x sum_j m_ij qdot_j (two-spheres, eq. (33)). With a dense constant
 * inertia the product MM zdot is computed factor by factor, which needs no array. */
ph_status ph_system_momentum(const ph_system *s, double t, const double *z, const double *zdot, double *p,
                             double *work)
{
    if (!s)
        return PH_E_INVALID;
    if (s->kind == PH_PHASE_SPACE) /* there are no momenta, of any velocity */
        return PH_OK;
    if (s->kind != PH_INERTIA_CONSTANT) {
        double *Lv = work;
        ph_status status = ph_system_lagrangian_gradient(s, t, z, zdot, NULL, Lv, Lv + s->nz);
        if (!status)
            ph_space_momentum(s->space, z, Lv, p);
        return status;
    }
    if (s->of->apply) {
        ph_system_apply_inertia(s, zdot, work);
        ph_space_momentum(s->space, z, work, p);
        return PH_OK;
    }
    for (size_t i = 0; i < s->n; i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        double mu[PH_EMBEDDING_MOST]; /* the most numbers of a factor other than R^d */
        if (f->kind == PH_FACTOR_R) {
            ph_inertia_apply_rows(s, f->z, f->nz, zdot, p + f->p);
        } else {
            ph_inertia_apply_rows(s, f->z, f->nz, zdot, mu);
            ph_space_factor_momentum(s->space, i, z, mu, p);
        }
    }
    return PH_OK;
}

/* mu = P dL/dzdot (two-spheres, eq. (20)). */
ph_status ph_system_covector(const ph_system *s, double t, const double *z, const double *zdot, double *mu,
                             double *work)
{
    if (!s)
        return PH_E_INVALID;
    ph_status status = ph_system_lagrangian_gradient(s, t, z, zdot, NULL, mu, work);
    if (!status)
        ph_space_project_tangent(s->space, z, mu);
    return status;
}

/* ---- A general Lagrangian: Newton's iteration for the velocity ---------------------------------- */

/* Solving E^T L_v(z, E x) = E^T mu for the tangent coordinates x of the velocity. */
typedef struct inversion {
    const ph_system *s;
    double t;
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
    ph_status status = ph_system_lagrangian_gradient(w->s, w->t, w->z, w->v, NULL, w->Lv, w->work);
    if (status)
        return status;
    ph_tangent_components(w->s->space, w->E, w->Lv, w->r);
    for (size_t i = 0; i < w->m; i++)
        w->r[i] -= w->wanted[i];
    *size = ph_all_finite(w->r, w->m) ? ph_max_norm(w->r, w->m) : INFINITY;
    return PH_OK;
}

/* Applies Newton's correction at x, halved until the error decreases. *better: did it decrease? */
static ph_status apply_correction(inversion *w, double *size, bool *better)
{
    int halvings = 60;
    double scale = 1, before = *size;
    *better = false;
    ph_status status = ph_system_tangent_inertia(w->s, w->t, w->z, w->v, w->E, w->A, w->work);
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
static ph_status iterate_from_start(inversion *w)
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
        status = apply_correction(w, &size, &better);
    if (status)
        return status;
    ph_tangent_combine(w->s->space, w->E, w->x, w->v);
    w->lost = !(size <= 1e-9 * w->scale);
    return w->lost ? PH_E_NO_CONVERGENCE : PH_OK;
}

/* Newton's iteration from rest; where that fails (L_vv may vanish there), from the velocity that would belong
 * to a unit inertia. */
static ph_status invert_general(inversion *w)
{
    memset(w->x, 0, w->m * sizeof *w->x);
    ph_status status = iterate_from_start(w);
    if (w->lost || *w->singular) {
        *w->singular = false;
        memcpy(w->x, w->wanted, w->m * sizeof *w->x);
        status = iterate_from_start(w);
    }
    return status;
}

/* ---- From momenta to velocities ----------------------------------------------------------------- */

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
            tau[i] = f->kind == PH_FACTOR_R ? 0 : -ph_dot(z + f->z, v + f->z, f->nz);
        }
        ph_tension_solve(s, F, tau);
        ph_tension_pull(s, z, tau, pull);
        for (size_t k = 0; k < s->nz; k++)
            v[k] += pull[k];
    }
    return PH_OK;
}

/* Sparse inertias by their tensions, in time proportional to their entries, and other kinds in ways of their own; dense
 * inertias by the Cholesky factors of E^T MM E; a general L by Newton's iteration. */
ph_status ph_invert_transform(const ph_system *s, double t, const double *z, const double *mu, double *zdot,
                              double *work, bool *singular)
{
    if (ph_system_is_sparse(s)) {
        ph_status status = velocity_under_tension(s, z, mu, zdot, work);
        *singular = status == PH_E_SINGULAR;
        return *singular && !(ph_all_finite(z, s->nz) && ph_all_finite(mu, s->nz)) ? PH_E_NOT_FINITE : status;
    }
    size_t m = ph_space_dimension(s->space);
    if (s->of->invert)
        return s->of->invert(ph_system_root(s), z, mu, zdot, work, singular);
    double *E = work, *A = E + ph_space_basis_size(s->space), *b = A + m * m, *more = b + m;
    ph_space_basis(s->space, z, E);
    ph_tangent_components(s->space, E, mu, b);
    if (s->kind == PH_LAGRANGIAN_GENERAL) {
        inversion w = {.s = s, .t = t, .z = z, .E = E, .A = A, .wanted = b, .v = zdot, .m = m};
        w.x = more;
        w.r = w.x + m;
        w.trial = w.r + m;
        w.Lv = w.trial + m;
        w.work = w.Lv + s->nz;
        w.singular = singular;
        return invert_general(&w);
    }
    ph_status status = ph_system_tangent_inertia(s, t, z, NULL, E, A, more);
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

ph_status ph_system_covector_velocity(const ph_system *s, double t, const double *z, const double *mu,
                                      double *zdot, double *work)
{
    if (!s)
        return PH_E_INVALID;
    bool singular = false;
    if (s->kind == PH_PHASE_SPACE)
        return PH_E_UNSUPPORTED;
    return ph_invert_transform(s, t, z, mu, zdot, work, &singular);
}

ph_status ph_system_velocity(const ph_system *s, double t, const double *z, const double *p, double *zdot,
                             double *work)
{
    if (!s)
        return PH_E_INVALID;
    ph_space_covector(s->space, z, p, work);
    return ph_system_covector_velocity(s, t, z, work, zdot, work + s->nz);
}

ph_status ph_system_velocity_at(const ph_system *s, double t, const double *z, const double *p, double *zdot,
                                double *work)
{
    return s && s->of->flow ? s->of->flow(ph_system_root(s), t, z, zdot)
                            : ph_system_velocity(s, t, z, p, zdot, work);
}

/* ---- Energies ----------------------------------------------------------------------------------- */

ph_status ph_system_energies(const ph_system *s, double t, const double *z, const double *p, double *kinetic,
                             double *potential, double *zdot, double *work)
{
    const ph_status status = s->of->kinetic ? s->of->kinetic(ph_system_root(s), z, p, kinetic, work)
                                            : ph_system_velocity(s, t, z, p, zdot, work);
    if (status)
        return PH_E_NOT_FINITE; /* on the manifold this cannot fail */
    return s->of->kinetic ? ph_system_potential(s, z, potential)
                          : ph_system_energy(s, t, z, zdot, kinetic, potential, work);
}
