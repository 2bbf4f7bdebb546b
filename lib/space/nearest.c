/* SPDX-License-Identifier: BSD-3-Clause */
/* The point of M = {g(x) = 0} nearest to x0: Gauss-Newton corrections x <- x - A^+ g to the manifold, then
 * Newton's method on it for the least |x - x0|^2/2, with the retraction. In coordinates y of the tangent
 * space the slope is -Q_2^T (x0 - x), and the second derivative
 *     I + Q_2^T (sum lambda_i g_i'') Q_2,
 * A^T lambda the normal part of x0 - x. A step that does not shorten the distance is halved. */
#include "embedding.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>

enum { N = PH_EMBEDDING_MOST, PASSES = 300, HALVINGS = 40 };

/* Steps at most this large, relative to the coordinates, are rounding. */
static const double rounding = 8 * DBL_EPSILON;
/* Newton's method squares its error: after a relative step at most this large the error is rounding. */
static const double last_step = 1e-8;

/* normal (n) <- A^+ g at x. */
static ph_status correction_at(const ph_factor_place *f, const double *x, double *normal)
{
    ph_constraints c;
    ph_status status = ph_constraints_at(f, x, &c);
    if (status)
        return status;
    memset(normal, 0, f->nz * sizeof *normal);
    ph_orthogonal_forward(&c.A, c.g, normal);
    ph_orthogonal_compose(&c.A, normal);
    return PH_OK;
}

/* x <- a point of the manifold near x: one where the next correction is below eps of the coordinates, or the
 * one after that is not half as large (they are the rounding of g). Such a point is not changed, so that the
 * function is idempotent; *stays: x was such a point. Callback failures are passed on. */
static ph_status reach(const ph_factor_place *f, double *x, bool *stays)
{
    double normal[N], next[N], next_normal[N];
    ph_status status = correction_at(f, x, normal);
    *stays = true;
    for (int pass = 0; pass < PASSES && !status; pass++) {
        const double size = ph_max_norm(x, f->nz), correction = ph_max_norm(normal, f->nz);
        if (correction <= DBL_EPSILON * size)
            return PH_OK;
        for (size_t j = 0; j < f->nz; j++)
            next[j] = x[j] - normal[j];
        status = correction_at(f, next, next_normal);
        if (!status && correction <= last_step * size &&
            !(ph_max_norm(next_normal, f->nz) < 0.5 * correction))
            return PH_OK;
        memcpy(x, next, f->nz * sizeof *x);
        memcpy(normal, next_normal, f->nz * sizeof *normal);
        *stays = false;
    }
    return status ? status : PH_E_NO_CONVERGENCE;
}

/* The state of the search. */
typedef struct search {
    const ph_factor_place *f;
    const double *from;   /* x0 */
    double x[N], away[N]; /* and x0 - x in the coordinates of Q */
    ph_constraints at;
} search;

/* |x - x0| */
static double distance(const search *s, const double *x)
{
    double square = 0;
    for (size_t j = 0; j < s->f->nz; j++)
        square += (s->from[j] - x[j]) * (s->from[j] - x[j]);
    return sqrt(square);
}

/* The constraints at s->x, and x0 - x in their frame: m normal parts, then the slope with its sign
 * changed. */
static ph_status look(search *s)
{
    ph_status status = ph_constraints_at(s->f, s->x, &s->at);
    for (size_t j = 0; j < s->f->nz && !status; j++)
        s->away[j] = s->from[j] - s->x[j];
    if (!status)
        ph_orthogonal_resolve(&s->at.A, s->away);
    return status;
}

/* K (nx x nx) <- second derivative of the distance's half square. */
static ph_status second_derivative(const search *s, double *K)
{
    const size_t n = s->f->nz, m = n - s->f->nx, nx = s->f->nx;
    double c[N], lambda[N], dA[N * N];
    memcpy(c, s->away, m * sizeof *c);
    ph_orthogonal_backward(&s->at.A, c, lambda);
    for (size_t a = 0; a < nx; a++) {
        double e[N] = {0}, bent[N] = {0};
        e[m + a] = 1;
        ph_orthogonal_compose(&s->at.A, e);
        ph_status status = ph_constraints_bend(s->f, &s->at, s->x, e, dA);
        if (status)
            return status;
        for (size_t i = 0; i < m * n; i++)
            bent[i % n] += lambda[i / n] * dA[i];
        ph_orthogonal_resolve(&s->at.A, bent);
        for (size_t b = 0; b < nx; b++)
            K[a * nx + b] = bent[m + b] + (a == b);
    }
    return PH_OK;
}

/* step (n) <- Q_2 K^{-1} (slope). Where K is not positive definite, a multiple of I is added until it is, and
 * *convex is false. */
static ph_status newton_step(const search *s, double *step, bool *convex)
{
    const size_t n = s->f->nz, nx = s->f->nx, m = n - nx;
    double K[N * N], L[N * N], shift = 0;
    ph_status status = second_derivative(s, K);
    if (status)
        return status;
    memcpy(L, K, nx * nx * sizeof *L);
    for (*convex = true; ph_cholesky_factor(nx, L); *convex = false) {
        shift = shift > 0 ? 4 * shift : 1e-3 * fmax(1, ph_max_norm(K, nx * nx));
        if (!isfinite(shift))
            return PH_E_NOT_FINITE;
        memcpy(L, K, nx * nx * sizeof *L);
        for (size_t a = 0; a < nx; a++)
            L[a * nx + a] += shift;
    }
    memset(step, 0, m * sizeof *step);
    memcpy(step + m, s->away + m, nx * sizeof *step);
    ph_cholesky_solve(nx, L, step + m);
    ph_orthogonal_compose(&s->at.A, step);
    return PH_OK;
}

/* s->x <- the retraction of the step, halved until the distance increases by no more than rounding;
 * *halvings <- how often it was halved. HALVINGS: no such step was found, and x is unchanged. */
static ph_status advance(search *s, double *step, int *halvings)
{
    const size_t n = s->f->nz;
    const double allowed = distance(s, s->x) + rounding * fmax(ph_max_norm(s->x, n), ph_max_norm(s->from, n));
    ph_landing to;
    for (*halvings = 0; *halvings < HALVINGS; ++*halvings) {
        ph_status status = ph_constraints_retract(s->f, &s->at, s->x, NULL, step, &to);
        if (status && status != PH_E_NO_SOLUTION)
            return status;
        if (!status && distance(s, to.z) <= allowed) {
            memcpy(s->x, to.z, n * sizeof *step);
            return PH_OK;
        }
        for (size_t j = 0; j < n; j++)
            step[j] *= 0.5;
    }
    return PH_OK;
}

/* From a point of the manifold to the least distance. (A saddle on the way is left again after some 100
 * iterations, unless only rounding decides to which side.) */
static ph_status descend(search *s)
{
    for (int pass = 0; pass < PASSES; pass++) {
        const double size = ph_max_norm(s->x, s->f->nz), noise = rounding * ph_max_norm(s->from, s->f->nz);
        double step[N];
        bool convex;
        int halvings;
        ph_status status = look(s);
        if (!status)
            status = newton_step(s, step, &convex);
        if (status)
            return status;
        const double length = ph_max_norm(step, s->f->nz);
        if (length <= rounding * size)
            return convex ? PH_OK : PH_E_NO_CONVERGENCE; /* a saddle: other points are nearer */
        status = advance(s, step, &halvings);
        if (status)
            return status;
        if (length <= fmax(last_step * size, noise) && convex)
            return PH_OK;
        if (halvings == HALVINGS)
            break;
    }
    return PH_E_NO_CONVERGENCE;
}

/* First to the manifold, then along it: x0 may be so far away that the first point reached is not the
 * nearest. */
ph_status ph_constraints_nearest(const ph_factor_place *f, double *x)
{
    search s; /* not initialised: it is large */
    bool stays;
    s.f = f;
    s.from = x;
    if (!ph_all_finite(x, f->nz))
        return PH_E_NOT_ON_MANIFOLD;
    memcpy(s.x, x, f->nz * sizeof *x);
    ph_status status = reach(f, s.x, &stays);
    if (!status && stays)
        return PH_OK;
    if (!status)
        status = descend(&s);
    if (!status) /* from within rounding, so that a second projection does not change the point */
        status = reach(f, s.x, &stays);
    if (!status)
        memcpy(x, s.x, f->nz * sizeof *x);
    /* no point of the manifold, or no nearest one, was found; other statuses are failures of callbacks */
    bool lost = status == PH_E_SINGULAR || status == PH_E_NOT_FINITE || status == PH_E_NO_CONVERGENCE;
    return lost ? PH_E_NOT_ON_MANIFOLD : status;
}
