/* SPDX-License-Identifier: BSD-3-Clause */
/* The Constraint Hypothesis tested at random points: the metric is one, the callbacks' derivatives are those
 * of the data, a_G can be inverted, and metric, potential, connection, affine part and force of a system are
 * the same everywhere on the group, in the left trivialisation. */
#include <polhode/algebra.h>
#include <polhode/solve.h>

#include "bundle.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdlib.h>

typedef struct trial {
    const ph_bundle *b;
    uint64_t seed;
    double *x, *v, *h, *eta, *here, *there, *P, *dP, *dP0, *beta, *A, *basis, *f, *f0, *work;
    ph_bundle_report report;
} trial;

/* A number between -1 and 1 (xorshift64*). */
static double number(uint64_t *s)
{
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return (double)((*s * 0x2545f4914f6cdd1du) >> 11) * 0x1p-52 - 1;
}

/* The sum of six: nearly a normal number of variance 2. */
static double bell(uint64_t *s)
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += number(s);
    return sum;
}

/* A point of a space, and nothing near 0 for the factors that are projected. */
static ph_status wander(const ph_space *space, uint64_t *seed, double *z)
{
    for (int i = 0; i < 20; i++) {
        for (size_t k = 0; k < ph_space_ambient(space); k++)
            z[k] = bell(seed) / 2;
        if (!ph_space_project(space, z))
            return PH_OK;
    }
    return PH_E_NOT_ON_MANIFOLD;
}

/* *worst <- at least the largest difference of a and b (n), relative to the largest entry, but at least to
 * 1. */
static void compare(const double *a, const double *b, size_t n, double *worst)
{
    const double size = fmax(1, fmax(ph_max_norm(a, n), ph_max_norm(b, n)));
    for (size_t i = 0; i < n; i++)
        *worst = fmax(*worst, fabs(a[i] - b[i]) / size);
}

/* The parts of s->here on tangent vectors, in the frame of the base. */
static void restrict_to_tangents(const trial *s, double *raw)
{
    const ph_bundle *b = s->b;
    const ph_bundle_data d = ph_raw_parts(b, raw);
    for (size_t i = 0; i < b->g; i++)
        ph_space_project_tangent(b->base, s->x, d.w + i * b->na);
    for (size_t i = 0; i < b->N; i++)
        ph_space_project_tangent(b->base, s->x, d.K + i * b->N);
    for (size_t j = 0; j < b->N; j++) { /* columns by rows of the transpose: K is symmetric */
        for (size_t i = 0; i < b->na; i++)
            s->v[i] = d.K[i * b->N + j];
        ph_space_project_tangent(b->base, s->x, s->v);
        for (size_t i = 0; i < b->na; i++)
            d.K[i * b->N + j] = s->v[i];
    }
}

/* Data of a system at the same x and another h. */
static ph_status try_group(trial *s)
{
    const ph_bundle *b = s->b;
    const ph_bundle_data e = ph_raw_parts(b, s->here), d = ph_raw_parts(b, s->there);
    double condition, zeta[PH_GROUP_MOST];
    ph_status status = wander(b->fibre, &s->seed, s->h);
    if (!status)
        status = ph_bundle_system_data(b, 0, s->x, s->h, s->there, &condition, s->work);
    if (!status || status == PH_E_SINGULAR)
        s->report.condition = fmin(s->report.condition, condition);
    if (status)
        return status;
    restrict_to_tangents(s, s->there);
    compare(e.K, d.K, b->N * b->N, &s->report.metric_varies);
    compare(e.V, d.V, 1, &s->report.potential_varies);
    compare(e.w, d.w, b->g * b->na, &s->report.connection_varies);
    compare(e.xi, d.xi, b->g, &s->report.affine_varies);
    if (!ph_system_has_force(b->system))
        return PH_OK;
    for (size_t i = 0; i < b->np; i++)
        s->eta[i] = number(&s->seed);
    for (size_t i = 0; i < b->g; i++)
        zeta[i] = number(&s->seed);
    ph_space_turn(b->base, s->x, s->eta, s->v);
    status = ph_bundle_system_force(b, 0, s->x, NULL, s->v, zeta, s->f0, s->work);
    if (!status)
        status = ph_bundle_system_force(b, 0, s->x, s->h, s->v, zeta, s->f, s->work);
    if (status)
        return status;
    ph_space_project_tangent(b->base, s->x, s->f0);
    ph_space_project_tangent(b->base, s->x, s->f);
    compare(s->f0, s->f, b->N, &s->report.force_varies);
    return PH_OK;
}

/* What a system says at s->x: everywhere on the group, and at another time. */
static ph_status try_system(trial *s)
{
    const ph_bundle *b = s->b;
    const ph_bundle_data e = ph_raw_parts(b, s->here), d = ph_raw_parts(b, s->there);
    double condition = 1;
    ph_status status = ph_bundle_system_data(b, 0, s->x, NULL, s->here, &condition, s->work);
    if (!status || status == PH_E_SINGULAR)
        s->report.condition = fmin(s->report.condition, condition);
    if (!status)
        restrict_to_tangents(s, s->here);
    for (int i = 0; i < 2 && !status; i++)
        status = try_group(s);
    if (status)
        return status;
    status = ph_bundle_system_data(b, 0.7, s->x, NULL, s->there, &condition, s->work);
    if (status)
        return status;
    restrict_to_tangents(s, s->there);
    compare(e.w, d.w, b->g * b->na, &s->report.time);
    compare(e.xi, d.xi, b->g, &s->report.time);
    return PH_OK;
}

/* The metric at s->x, on horizontal vectors and on the group, and the derivatives along the base. */
static ph_status try_data(trial *s, bool *definite)
{
    const ph_bundle *b = s->b;
    ph_status status = ph_bundle_point(b, s->x, s->P, s->work);
    if (status)
        return status;
    const double size = fmax(1, ph_max_norm(s->P, b->n * b->n));
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; j < i; j++)
            s->report.metric = fmax(s->report.metric, fabs(s->P[i * b->n + j] - s->P[j * b->n + i]) / size);
    ph_bundle_basis(b, s->x, s->beta, s->basis);
    const size_t n = b->nb + b->g; /* (beta, 1) K (beta, 1)^T */
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < b->n; k++)
            s->f[k] = i < b->nb ? (k < b->np ? s->beta[i * b->np + k] : 0) : (k == b->np + i - b->nb);
        ph_bundle_lower(b, s->P, s->f, s->f0);
        for (size_t j = 0; j < n; j++)
            s->A[i * n + j] =
                j < b->nb ? ph_dot(s->f0, s->beta + j * b->np, b->np) : s->f0[b->np + j - b->nb];
    }
    *definite = *definite && !ph_cholesky_factor(n, s->A);
    for (size_t i = 0; i < b->nb && b->is.along && !status; i++) {
        const double *row = s->beta + i * b->np;
        status = ph_bundle_point_along(b, s->x, row, s->dP, s->work);
        if (!status)
            status = ph_bundle_point_differences(b, s->x, row, s->dP0, s->work);
        if (!status)
            compare(s->dP, s->dP0, ph_point_size(b), &s->report.derivative);
    }
    return status;
}

static ph_status judge(trial *s, bool definite, ph_error *err)
{
    ph_bundle_report *r = &s->report;
    const struct {
        bool wrong;
        ph_bundle_fault fault;
        const char *what, *measure;
        double value;
    } rows[] = {
        {!definite || r->metric > PH_BUNDLE_VARIES, PH_BUNDLE_METRIC,
         "the metric K is not symmetric and positive definite on tangent vectors", "asymmetry", r->metric},
        {r->derivative > 1e-6, PH_BUNDLE_DERIVATIVE, "the callback along is not the derivative of data",
         "relative error", r->derivative},
        {!(r->condition > PH_BUNDLE_SINGULAR), PH_BUNDLE_CONNECTION,
         "the constraints define no connection: a_G, what they make of the group's velocities, is singular; "
         "take another group, or keep away from such points",
         "reciprocal condition number", r->condition},
        {r->metric_varies > PH_BUNDLE_VARIES, PH_BUNDLE_METRIC_VARIES,
         "the group does not leave the metric as it is", "change", r->metric_varies},
        {r->potential_varies > PH_BUNDLE_VARIES, PH_BUNDLE_POTENTIAL_VARIES,
         "the group does not leave the potential as it is", "change", r->potential_varies},
        {r->connection_varies > PH_BUNDLE_VARIES, PH_BUNDLE_CONNECTION_VARIES,
         "the group does not leave the constraint as it is", "change of w", r->connection_varies},
        {r->affine_varies > PH_BUNDLE_VARIES, PH_BUNDLE_AFFINE_VARIES,
         "the affine part of the constraint is not equivariant", "change of Ad_h^{-1} xi", r->affine_varies},
        {r->force_varies > PH_BUNDLE_VARIES, PH_BUNDLE_FORCE_VARIES, "the force is not equivariant", "change",
         r->force_varies},
        {r->time > PH_BUNDLE_VARIES, PH_BUNDLE_TIME,
         "the constraint depends on the time: append the time to the base", "change", r->time}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].wrong) {
            r->fault = rows[i].fault;
            return ph_fail(err, r->fault == PH_BUNDLE_CONNECTION ? PH_E_SINGULAR : PH_E_UNSUPPORTED,
                           "%s (%s: %.2g)", rows[i].what, rows[i].measure, rows[i].value);
        }
    return PH_OK;
}

static ph_status try_all(trial *s, size_t samples, ph_error *err)
{
    bool definite = true;
    ph_status status = PH_OK;
    for (size_t i = 0; i < samples; i++) {
        status = wander(s->b->base, &s->seed, s->x);
        if (!status && s->b->system)
            status = try_system(s);
        if (!status)
            status = try_data(s, &definite);
        if (status)
            break;
    }
    if (!status || (status == PH_E_SINGULAR && !(s->report.condition > PH_BUNDLE_SINGULAR)))
        return judge(s, definite, err);
    return ph_fail(err, status, "the bundle cannot be evaluated at a random point: %s",
                   ph_status_text(status));
}

ph_status ph_bundle_check(const ph_bundle *b, size_t samples, ph_bundle_report *report, ph_error *err)
{
    if (!b)
        return ph_not_created(err, "bundle", "ph_bundle_create");
    const size_t n = b->nb + b->g, raw = ph_raw_size(b), point = ph_point_size(b);
    size_t work = ph_bundle_point_work(b), used = 0;
    trial s = {.b = b, .seed = 0x9e3779b97f4a7c15u, .report = {.condition = 1}};
    double **part[] = {&s.x,   &s.v,    &s.h, &s.eta,   &s.here, &s.there, &s.P,   &s.dP,
                       &s.dP0, &s.beta, &s.A, &s.basis, &s.f,    &s.f0,    &s.work};
    const size_t size[] = {b->na,       b->N,          b->nh, b->np,
                           raw,         raw,           point, point,
                           point,       b->nb * b->np, n * n, ph_space_basis_size(b->base),
                           b->N + b->n, b->N + b->n,   work};
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++)
        used += size[i];
    double *block = calloc(used, sizeof *block);
    if (!block)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    used = 0;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        *part[i] = block + used;
        used += size[i];
    }
    ph_status status = try_all(&s, samples, err);
    if (report)
        *report = s.report;
    free(block);
    return status;
}
