/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of embedded manifolds. It compares Jacobians and derivatives of projections with differences, and
 * tests the conditions on them: A of full rank; P symmetric, P P = P, tr P the dimension. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>

#include "derivative.h"
#include "lib/space/embedding.h"

#include <stdio.h>
#include <string.h>

enum { MOST = PH_EMBEDDING_MOST, SQUARE = MOST * MOST };

/* The check of one factor at a point x. */
typedef struct factor_check {
    const ph_embedding *is;
    size_t factor, n, m; /* coordinates, constraints */
    const double *x;
    double at[MOST], e[MOST]; /* a point on the line x + s e */
    double given[SQUARE], expected[SQUARE], column[SQUARE];
    double differences[4 * SQUARE]; /* ph_differentiate_work */
    ph_orthogonal rows;
    ph_derivative_report *report;
    ph_error *err;
} factor_check;

/* The failure of a callback, with the name of the manifold. */
static ph_status fail_callback(const factor_check *w, const char *what, ph_status status)
{
    return ph_fail(w->err, status, "%s of factor %zu (%s) failed: %s", what, w->factor + 1,
                   ph_embedding_name(w->is), ph_status_text(status));
}

/* The report has one entry for all factors, that of the worst: `found` replaces it if its error is larger. */
static void keep_worst(factor_check *w, const ph_derivative_entry *found)
{
    for (size_t i = 0; i < w->report->n; i++)
        if (w->report->entry[i].what == found->what) {
            if (found->error > w->report->entry[i].error)
                w->report->entry[i] = *found;
            return;
        }
    *ph_report_add(w->report, found->what) = *found;
}

/* An entry of the report without numbers, about this factor. */
static ph_derivative_entry empty_entry(const factor_check *w, ph_derivative what)
{
    ph_derivative_report one = {.n = 0};
    ph_derivative_entry *entry = ph_report_add(&one, what);
    entry->factor = w->factor;
    return *entry;
}

/* Compares `given` with `expected` (rows x n). */
static ph_status compare_tables(factor_check *w, ph_derivative what, size_t rows, double floor)
{
    ph_comparison tables = {rows, w->n, 0, w->given, w->expected, floor};
    ph_derivative_entry entry = empty_entry(w, what);
    if (!ph_compare(&tables, &entry))
        return ph_fail(w->err, PH_E_NOT_FINITE, "%s, of factor %zu (%s), is not finite: a number in row %zu",
                       entry.name, w->factor + 1, ph_embedding_name(w->is), entry.row);
    keep_worst(w, &entry);
    return PH_OK;
}

/* ---- Functions along a line ---------------------------------------------------------------------- */

/* The point at s on the line along e. It is off the manifold, where callbacks are defined, too. */
static const double *point_on_line(factor_check *w, double s)
{
    for (size_t k = 0; k < w->n; k++)
        w->at[k] = w->x[k] + s * w->e[k];
    return w->at;
}

/* g at that point; dg/dx and P likewise. */
static ph_status constraint_at(void *self, double s, double *g)
{
    factor_check *w = self;
    return w->is->constraint(w->is->user, point_on_line(w, s), g);
}

static ph_status jacobian_at(void *self, double s, double *A)
{
    factor_check *w = self;
    return w->is->jacobian(w->is->user, point_on_line(w, s), A);
}

static ph_status projection_at(void *self, double s, double *P)
{
    factor_check *w = self;
    return w->is->projection(w->is->user, point_on_line(w, s), P);
}

/* e <- a vector in general position. */
static void choose_direction(factor_check *w)
{
    for (size_t k = 0; k < w->n; k++)
        w->e[k] = ph_sin(1.3 * (double)k + 1);
}

/* ---- Constraints --------------------------------------------------------------------------------- */

/* dg/dx against differences of g along each axis. */
static ph_status check_jacobian(factor_check *w)
{
    double floor = 0;
    ph_status status = w->is->jacobian(w->is->user, w->x, w->given);
    if (status)
        return fail_callback(w, "the Jacobian", status);
    for (size_t k = 0; k < w->n; k++) {
        memset(w->e, 0, sizeof w->e);
        w->e[k] = 1;
        status = ph_differentiate(constraint_at, w, w->m, 1, w->column, &floor, w->differences);
        if (status)
            return fail_callback(w, "the constraint", status);
        for (size_t i = 0; i < w->m; i++)
            w->expected[i * w->n + k] = w->column[i];
    }
    return compare_tables(w, PH_DERIVATIVE_JACOBIAN, w->m, floor);
}

/* The rank of the Jacobian in `given`; its rows are scaled first, so that their units do not matter. */
static void check_rank(factor_check *w)
{
    ph_derivative_entry entry = empty_entry(w, PH_DERIVATIVE_RANK);
    w->rows.n = w->n;
    for (size_t i = 0; i < w->m; i++) {
        double size = ph_max_norm(w->given + i * w->n, w->n);
        for (size_t k = 0; k < w->n; k++)
            w->rows.a[i * w->n + k] = size > 0 ? w->given[i * w->n + k] / size : 0;
    }
    ph_orthogonal_factor(&w->rows, w->m, w->m, 1e-12 * sqrt((double)w->n));
    entry.given = (double)w->rows.rank;
    entry.expected = (double)w->m;
    entry.error = w->rows.rank < w->m;
    if (entry.error > 0)
        snprintf(entry.mistake, sizeof entry.mistake,
                 "the Jacobian of factor %zu (%.20s) has rank %zu of %zu: constraints depend on each other",
                 w->factor + 1, ph_embedding_name(w->is), w->rows.rank, w->m);
    keep_worst(w, &entry);
}

static ph_status check_bend(factor_check *w)
{
    double floor = 0;
    choose_direction(w);
    ph_status status = w->is->bend(w->is->user, w->x, w->e, w->given);
    if (status)
        return fail_callback(w, "the second derivative of the constraint", status);
    status = ph_differentiate(jacobian_at, w, w->m * w->n, 1, w->expected, &floor, w->differences);
    return status ? fail_callback(w, "the Jacobian", status)
                  : compare_tables(w, PH_DERIVATIVE_BEND, w->m, floor);
}

/* ---- Projections --------------------------------------------------------------------------------- */

/* entry <- the largest difference of given and expected. */
static void find_worst(const factor_check *w, ph_derivative_entry *entry)
{
    double size = fmax(1, ph_max_norm(w->given, w->n * w->n)), worst = -1;
    for (size_t i = 0; i < w->n * w->n; i++) {
        double off = fabs(w->given[i] - w->expected[i]);
        if (off <= worst)
            continue;
        worst = off;
        entry->row = i / w->n;
        entry->column = i % w->n;
        entry->given = w->given[i];
        entry->expected = w->expected[i];
        entry->error = off / size;
    }
}

static ph_status check_projection(factor_check *w)
{
    ph_derivative_entry entry = empty_entry(w, PH_DERIVATIVE_PROJECTION);
    size_t n = w->n;
    double *P = w->column, trace = 0;
    ph_status status = w->is->projection(w->is->user, w->x, P);
    if (status)
        return fail_callback(w, "the projection", status);
    if (!ph_all_finite(P, n * n))
        return ph_fail(w->err, PH_E_NOT_FINITE, "the projection of factor %zu (%s) is not finite",
                       w->factor + 1, ph_embedding_name(w->is));
    for (size_t i = 0; i < n * n; i++) {
        w->given[i] = P[i];
        w->expected[i] = P[i % n * n + i / n];
        trace += i % (n + 1) == 0 ? P[i] : 0;
    }
    find_worst(w, &entry);
    const char *said = "not symmetric: expected is the entry across the diagonal";
    if (entry.error <= PH_DERIVATIVE_WRONG) {
        for (size_t i = 0; i < n * n; i++) {
            w->given[i] = 0;
            w->expected[i] = P[i];
            for (size_t k = 0; k < n; k++)
                w->given[i] += P[i / n * n + k] * P[k * n + i % n];
        }
        find_worst(w, &entry);
        said = "not idempotent: P P is not P, which is expected";
    }
    if (entry.error > PH_DERIVATIVE_WRONG) {
        snprintf(entry.mistake, sizeof entry.mistake, "%s", said);
    } else if (fabs(trace - (double)w->is->dimension) > 0.5) {
        entry.error = 1;
        entry.row = entry.column = PH_NO_INDEX;
        entry.given = trace;
        entry.expected = (double)w->is->dimension;
        snprintf(entry.mistake, sizeof entry.mistake, "of the wrong rank: %.0f, but the dimension is %zu",
                 trace, w->is->dimension);
    }
    keep_worst(w, &entry);
    return PH_OK;
}

/* Checks the derivative of the projection along a tangent vector, the only ones needed. P is in `column`. */
static ph_status check_projection_along(factor_check *w)
{
    double floor = 0, any[MOST];
    choose_direction(w);
    memcpy(any, w->e, sizeof any);
    for (size_t i = 0; i < w->n; i++) {
        w->e[i] = 0;
        for (size_t k = 0; k < w->n; k++)
            w->e[i] += w->column[i * w->n + k] * any[k];
    }
    ph_status status = w->is->projection_along(w->is->user, w->x, w->e, w->given);
    if (status)
        return fail_callback(w, "the derivative of the projection", status);
    status = ph_differentiate(projection_at, w, w->n * w->n, 1, w->expected, &floor, w->differences);
    return status ? fail_callback(w, "the projection", status)
                  : compare_tables(w, PH_DERIVATIVE_PROJECTION_ALONG, w->n, floor);
}

/* ---- All factors --------------------------------------------------------------------------------- */

static bool is_right(const factor_check *w, ph_derivative what)
{
    const ph_derivative_entry *entry = ph_derivative_report_entry(w->report, what);
    return !entry || entry->error <= PH_DERIVATIVE_WRONG;
}

static ph_status check_constraints(factor_check *w)
{
    ph_status status = check_jacobian(w);
    if (status || !is_right(w, PH_DERIVATIVE_JACOBIAN))
        return status;
    check_rank(w);
    return w->is->bend ? check_bend(w) : PH_OK;
}

static ph_status check_projections(factor_check *w)
{
    ph_status status = check_projection(w);
    return status || !is_right(w, PH_DERIVATIVE_PROJECTION) || !w->is->projection_along
               ? status
               : check_projection_along(w);
}

ph_status ph_check_manifold(const ph_space *space, const double *z, ph_derivative_report *report,
                            ph_error *err)
{
    factor_check w = {.report = report, .err = err};
    ph_status status = PH_OK;
    for (size_t i = 0; i < ph_space_factors(space) && !status; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        if (f->kind != PH_FACTOR_EMBEDDED)
            continue;
        w.is = f->embedding;
        w.factor = i;
        w.n = f->nz;
        w.m = f->nz - f->nx;
        w.x = z + f->z;
        status = w.is->constraint ? check_constraints(&w) : check_projections(&w);
    }
    return status;
}
