/* SPDX-License-Identifier: BSD-3-Clause */
/* A check for people who write a model. It compares every derivative in a definition with differences of the
 * function itself, and tests the conditions that a Lagrangian should meet: that it is regular, E^T L_vv E not
 * singular, and that each generator xi of a symmetry leaves it unchanged along any motion,
 *     L_z . xi + L_v . d/dt xi = 0,      f . xi = 0      (Noether). */
#include <polhode/algebra.h>
#include <polhode/solve.h>
#include <polhode/tensions.h>

#include "derivative.h"
#include "lib/internal/missing.h"
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What all checks share ----------------------------------------------------------------------- */

typedef struct checks {
    const ph_system *system, *root; /* root: whose Lagrangian it is, with its callbacks */
    ph_system bare;                 /* a copy of the root without some of its callbacks */
    const ph_space *space;
    double t;
    const double *z, *zdot;
    size_t m, nz, rows; /* tangent coordinates, ambient ones, rows of an inertia */
    ph_frame frame;
    double *x, *e;               /* (2 nz) z and zdot, of which one coordinate moves; (nz) a direction */
    size_t moved;                /* which */
    const ph_symmetry *symmetry; /* the one being checked */
    double *given, *expected;    /* tables to be compared */
    double *gradient, *column;   /* (2 nz) dL/dz, dL/dzdot; a column of differences */
    double *xi, *rate;           /* (nz) each: a generator, its derivative; (np) fits, too */
    double *differences, *work;
    ph_derivative_report *report;
    ph_error *err;
} checks;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void *lay(checks *c)
{
    ph_lay l = {NULL, 0};
    bool varying = c->root->kind == PH_INERTIA_VARYING, hessian = c->root->is.lagrangian_hessian;
    size_t nz = c->nz, matrix = c->rows * c->rows, values = larger(2 * nz, varying ? matrix : 0);
    bool regular = ph_system_inertia(c->system) || ph_system_is_sparse(c->system);
    size_t dense = regular ? 0 : 2 * c->m * c->m + 4 * c->m; /* check_regular */
    size_t table = larger(values, varying ? matrix * nz : 0), square = nz * nz;
    table = larger(table, hessian ? 3 * square : ph_system_has_force(c->system) ? square : 0);
    for (int pass = 0; pass < 2; pass++) {
        ph_frame_lay(&c->frame, c->space, &l);
        c->x = ph_lay_doubles(&l, 2 * nz);
        c->e = ph_lay_doubles(&l, nz);
        c->given = ph_lay_doubles(&l, table);
        c->expected = ph_lay_doubles(&l, table);
        c->gradient = ph_lay_doubles(&l, 2 * nz);
        c->column = ph_lay_doubles(&l, values);
        c->xi = ph_lay_doubles(&l, nz);
        c->rate = ph_lay_doubles(&l, nz);
        c->differences = ph_lay_doubles(&l, ph_differentiate_work(values));
        c->work = ph_lay_doubles(&l, 3 * nz + dense + ph_system_work(c->system));
        if (!pass && !(l = (ph_lay){malloc(l.bytes), 0}).base)
            return NULL;
    }
    return l.base;
}

static ph_derivative_entry *add(checks *c, ph_derivative what)
{
    return ph_report_add(c->report, what);
}

/* Were all derivatives right that have been checked so far? */
static bool all_right(const checks *c)
{
    for (size_t i = 0; i < c->report->n; i++)
        if (c->report->entry[i].error > PH_DERIVATIVE_WRONG)
            return false;
    return true;
}

/* An entry of the report from tables of this shape. */
static ph_status compare(checks *c, ph_derivative what, const ph_comparison *tables)
{
    ph_derivative_entry *entry = add(c, what);
    return ph_compare(tables, entry)
               ? PH_OK
               : ph_fail(c->err, PH_E_NOT_FINITE, "%s is not finite: a number in row %zu", entry->name,
                         entry->row);
}

static ph_status compare_square(checks *c, ph_derivative what, const double *given, const double *expected,
                                double floor)
{
    ph_comparison tables = {c->nz, c->nz, 0, given, expected, floor};
    return compare(c, what, &tables);
}

static ph_status compare_vector(checks *c, ph_derivative what, const double *given, const double *expected,
                                double floor)
{
    ph_comparison tables = {c->nz, 1, 0, given, expected, floor};
    return compare(c, what, &tables);
}

/* ---- Functions of one coordinate ----------------------------------------------------------------- */

/* The scale of a coordinate: 1 for z, for zdot its size. */
static double width_of(const checks *c, size_t coordinate)
{
    double size = coordinate < c->nz ? 1 : ph_max_norm(c->zdot, c->nz);
    return size > 0 ? size : 1;
}

/* column <- the derivatives of n values by coordinate k of (z, zdot). */
static ph_status differentiate(checks *c, ph_line_fn f, size_t n, size_t k, double *floor)
{
    memcpy(c->x, c->z, c->nz * sizeof *c->x);
    memcpy(c->x + c->nz, c->zdot, c->nz * sizeof *c->x);
    c->moved = k;
    return ph_differentiate(f, c, n, width_of(c, k), c->column, floor, c->differences);
}

static void move(checks *c, double s)
{
    size_t k = c->moved;
    c->x[k] = (k < c->nz ? c->z[k] : c->zdot[k - c->nz]) + s;
}

static ph_status potential_at(void *self, double s, double *U)
{
    checks *c = self;
    move(c, s);
    return ph_system_potential(c->system, c->x, U);
}

/* The same along a geodesic. */
static ph_status potential_along(void *self, double s, double *U)
{
    checks *c = self;
    ph_frame_move(&c->frame, c->z, c->e, s, c->x);
    return ph_system_potential(c->system, c->x, U);
}

static ph_status inertia_at(void *self, double s, double *M)
{
    checks *c = self;
    const ph_system_definition *is = &c->root->is;
    move(c, s);
    return (is->inertia_at ? is->inertia_at : is->ambient_inertia_at)(is->user, c->x, M);
}

static ph_status lagrangian_at(void *self, double s, double *L)
{
    checks *c = self;
    move(c, s);
    return ph_system_lagrangian(c->root, c->x, c->x + c->nz, L, c->work);
}

static ph_status gradient_at(void *self, double s, double *g)
{
    checks *c = self;
    move(c, s);
    return ph_system_lagrangian_gradient(&c->bare, c->x, c->x + c->nz, g, g + c->nz, c->work);
}

static ph_status force_at(void *self, double s, double *f)
{
    checks *c = self;
    move(c, s);
    return ph_system_force(c->system, c->t, c->x, c->x + c->nz, f);
}

/* ---- Inertia and potential ----------------------------------------------------------------------- */

/* Explains a wrong gradient by a comparison in ambient coordinates. That succeeds if the potential is defined
 * off the manifold, too, and the gradient is its derivative in all directions apart from the mistake. */
static void name_gradient(checks *c, ph_derivative_entry *entry)
{
    ph_derivative_entry ambient = *entry;
    ph_comparison tables = {c->nz, 1, 0, c->gradient, c->expected, 0};
    for (size_t k = 0; k < c->nz; k++) {
        if (differentiate(c, potential_at, 1, k, &tables.floor))
            return;
        c->expected[k] = c->column[0];
    }
    if (ph_compare(&tables, &ambient) && ambient.mistake[0]) {
        ambient.error = entry->error;
        *entry = ambient;
    }
}

static ph_status check_potential(checks *c)
{
    double floor = 0;
    ph_status status = ph_system_gradient(c->system, c->z, c->gradient);
    if (status)
        return status;
    memcpy(c->given, c->gradient, c->nz * sizeof *c->given);
    ph_space_project_tangent(c->space, c->z, c->given);
    memset(c->expected, 0, c->nz * sizeof *c->expected);
    for (size_t i = 0; i < c->m; i++) {
        ph_frame_vector(&c->frame, i, c->e);
        status = ph_differentiate(potential_along, c, 1, 1, c->column, &floor, c->differences);
        if (status)
            return status;
        double square = ph_frame_component(&c->frame, c->e, i);
        for (size_t k = 0; k < c->frame.home[i]->nz; k++)
            c->expected[c->frame.home[i]->z + k] += c->column[0] / square * c->frame.row[i][k];
    }
    status = compare_vector(c, PH_DERIVATIVE_POTENTIAL, c->given, c->expected, floor);
    ph_derivative_entry *entry = &c->report->entry[c->report->n - 1];
    if (!status && entry->error > PH_DERIVATIVE_WRONG)
        name_gradient(c, entry);
    return status;
}

static ph_status check_inertia_symmetry(checks *c)
{
    ph_derivative_entry *entry = add(c, PH_DERIVATIVE_INERTIA);
    c->moved = 0;
    memcpy(c->x, c->z, c->nz * sizeof *c->x);
    ph_status status = inertia_at(c, 0, c->given);
    size_t n = c->rows;
    double size = ph_max_norm(c->given, n * n), worst = -1;
    if (!status && !ph_all_finite(c->given, n * n))
        status = ph_fail(c->err, PH_E_NOT_FINITE, "the inertia is not finite");
    for (size_t at = 0; at < n * n && !status; at++) {
        double entry_there = c->given[at], opposite = c->given[at % n * n + at / n];
        if (fabs(entry_there - opposite) <= worst || fabs(entry_there) > fabs(opposite))
            continue;
        worst = fabs(entry_there - opposite);
        entry->row = at / n;
        entry->column = at % n;
        entry->given = entry_there;
        entry->expected = opposite;
    }
    entry->error = size > 0 ? worst / size : 0;
    if (entry->error > PH_DERIVATIVE_WRONG)
        snprintf(entry->mistake, sizeof entry->mistake, "entry (%zu, %zu) and entry (%zu, %zu) differ%s",
                 entry->row, entry->column, entry->column, entry->row,
                 entry->given == 0 ? ": the first is missing" : "");
    return status;
}

static ph_status check_inertia_dz(checks *c)
{
    size_t n = c->rows * c->rows;
    ph_comparison tables = {n, c->nz, c->rows, c->given, c->expected, 0};
    ph_status status = c->root->is.inertia_dz(c->root->is.user, c->z, c->given);
    for (size_t k = 0; k < c->nz && !status; k++) {
        status = differentiate(c, inertia_at, n, k, &tables.floor);
        for (size_t i = 0; i < n && !status; i++)
            c->expected[i * c->nz + k] = c->column[i];
    }
    return status ? status : compare(c, PH_DERIVATIVE_INERTIA_DZ, &tables);
}

/* ---- A general Lagrangian ------------------------------------------------------------------------ */

static ph_status check_complex_value(checks *c)
{
    double L[2] = {0, 0};
    c->bare = *c->root;
    c->bare.is.lagrangian = NULL;
    ph_status status = ph_system_lagrangian(c->root, c->z, c->zdot, &L[0], c->work);
    if (!status)
        status = ph_system_lagrangian(&c->bare, c->z, c->zdot, &L[1], c->work);
    ph_comparison tables = {1, 1, 0, &L[1], &L[0], 0};
    return status ? status : compare(c, PH_DERIVATIVE_COMPLEX, &tables);
}

/* The gradient of `bare` against differences of L, in expected. */
static ph_status check_gradient(checks *c, ph_derivative of_z, ph_derivative of_v, const double floor[2])
{
    ph_status status =
        ph_system_lagrangian_gradient(&c->bare, c->z, c->zdot, c->gradient, c->gradient + c->nz, c->work);
    if (!status)
        status = compare_vector(c, of_z, c->gradient, c->expected, floor[0]);
    return status ? status : compare_vector(c, of_v, c->gradient + c->nz, c->expected + c->nz, floor[1]);
}

/* Checks every way to the gradient (callback, complex step, differences). `bare` is left with the best of
 * those that are right, which the later checks use. */
static ph_status check_gradients(checks *c)
{
    double floor[2] = {0, 0};
    const ph_system_definition *is = &c->root->is;
    ph_system best = *c->root;
    ph_status status = PH_OK;
    best.is.lagrangian_gradient = NULL; /* then by complex step, or by differences of L */
    best.is.lagrangian_complex = NULL;
    for (size_t k = 0; k < 2 * c->nz && !status; k++) {
        status = differentiate(c, lagrangian_at, 1, k, &floor[k / c->nz]);
        c->expected[k] = c->column[0];
    }
    if (!status && is->lagrangian_complex) {
        c->bare = *c->root;
        c->bare.is.lagrangian_gradient = NULL;
        status = check_gradient(c, PH_DERIVATIVE_COMPLEX_DZ, PH_DERIVATIVE_COMPLEX_DV, floor);
        for (size_t i = c->report->n - 2; i < c->report->n && !status; i++)
            if (c->report->entry[i].error > PH_DERIVATIVE_WRONG)
                snprintf(c->report->entry[i].mistake, sizeof c->report->entry[i].mistake,
                         "not analytic: an absolute value, a comparison, or a real part taken?");
        if (all_right(c) || !is->lagrangian)
            best = c->bare;
    }
    if (!status && (is->lagrangian_gradient || !is->lagrangian_complex)) {
        size_t before = c->report->n;
        c->bare = *c->root;
        status = check_gradient(c, PH_DERIVATIVE_LZ, PH_DERIVATIVE_LV, floor);
        for (size_t i = before; i < c->report->n && !status && !is->lagrangian_gradient; i++)
            if (c->report->entry[i].error > PH_DERIVATIVE_WRONG)
                snprintf(c->report->entry[i].mistake, sizeof c->report->entry[i].mistake,
                         "it is by differences of L with a fixed width, 1/128 of a unit or of the velocity, "
                         "which do not suit this L: give lagrangian_complex or lagrangian_gradient");
        if (c->report->entry[before].error <= PH_DERIVATIVE_WRONG &&
            c->report->entry[before + 1].error <= PH_DERIVATIVE_WRONG)
            best = *c->root;
    }
    c->bare = best;
    return status;
}

static ph_status check_hessian(checks *c)
{
    size_t nz = c->nz, square = nz * nz;
    double floor[2] = {0, 0};
    double *zz = c->expected, *vz = zz + square, *vv = vz + square;
    ph_status status = ph_system_lagrangian_hessian(c->root, c->z, c->zdot, c->given, c->given + square,
                                                    c->given + 2 * square, c->work);
    for (size_t k = 0; k < 2 * nz && !status; k++) {
        status = differentiate(c, gradient_at, 2 * nz, k, &floor[k / nz]);
        for (size_t i = 0; i < nz && !status; i++) {
            if (k < nz)
                zz[i * nz + k] = c->column[i];
            (k < nz ? vz : vv)[i * nz + k % nz] = c->column[nz + i];
        }
    }
    if (!status)
        status = compare_square(c, PH_DERIVATIVE_LZZ, c->given, zz, floor[0]);
    if (!status)
        status = compare_square(c, PH_DERIVATIVE_LVZ, c->given + square, vz, floor[0]);
    return status ? status : compare_square(c, PH_DERIVATIVE_LVV, c->given + 2 * square, vv, floor[1]);
}

static ph_status check_lagrangian(checks *c)
{
    const ph_system_definition *is = &c->root->is;
    ph_status status = is->lagrangian && is->lagrangian_complex ? check_complex_value(c) : PH_OK;
    if (!status)
        status = check_gradients(c);
    return status || !is->lagrangian_hessian ? status : check_hessian(c);
}

/* ---- Forces -------------------------------------------------------------------------------------- */

/* Does a callback say what df/dzdot is, or that it is 0? */
static bool says_force_dv(const ph_system *s)
{
    return (s->is.force && (s->is.force_dv || s->is.force_ignores_velocity)) ||
           (s->base && says_force_dv(s->base));
}

static ph_status check_force(checks *c)
{
    double floor = 0;
    ph_status status = ph_system_force_dv(c->system, c->t, c->z, c->zdot, c->given, c->work);
    for (size_t k = 0; k < c->nz && !status; k++) {
        status = differentiate(c, force_at, c->nz, c->nz + k, &floor);
        for (size_t i = 0; i < c->nz && !status; i++)
            c->expected[i * c->nz + k] = c->column[i];
    }
    if (!status)
        status = compare_square(c, PH_DERIVATIVE_FORCE_DV, c->given, c->expected, floor);
    ph_derivative_entry *entry = &c->report->entry[c->report->n - 1];
    if (!status && entry->error > PH_DERIVATIVE_WRONG && ph_system_force_ignores_velocity(c->system))
        snprintf(entry->mistake, sizeof entry->mistake,
                 "missing: force_ignores_velocity is set, but the force depends on the velocity");
    return status;
}

/* ---- Conditions ---------------------------------------------------------------------------------- */

/* Size of the largest eigenvalue of the symmetric A (m x m), or, given its factors and pivots, of its
 * inverse, by power iteration. A few percent of accuracy are enough here. x, y (m): scratch. */
static double spectral_size(size_t m, const double *A, const int *pivot, double *x, double *y)
{
    double size = 0;
    for (size_t i = 0; i < m; i++)
        x[i] = 1 + 0.37 * sin(2.0 * (double)i + 1); /* any vector with a part along every eigenvector */
    for (int pass = 0; pass < 30; pass++) {
        memcpy(y, x, m * sizeof *y);
        for (size_t i = 0; i < m && !pivot; i++) {
            y[i] = 0;
            for (size_t j = 0; j < m; j++)
                y[i] += A[i * m + j] * x[j];
        }
        if (pivot)
            ph_lu_solve(m, A, pivot, y);
        size = ph_max_norm(y, m);
        if (!(size > 0) || !isfinite(size))
            return size;
        for (size_t i = 0; i < m; i++)
            x[i] = y[i] / size;
    }
    return size;
}

/* The reciprocal condition number of the symmetric A (m x m), once its rows and columns are scaled to ones on
 * the diagonal (where the diagonal is not 0); 0: singular. A is overwritten. Entries below `least` count as
 * 0. *positive: is A positive definite? more (m x m + 4 m): scratch. */
static double reciprocal_condition(size_t m, double *A, double least, bool *positive, double *more)
{
    double *copy = more, *scale = copy + m * m, *x = scale + m, *y = x + m;
    int *pivot = (int *)(void *)(y + m);
    *positive = false;
    for (size_t i = 0; i < m; i++) {
        double largest = ph_max_norm(A + i * m, m), own = fabs(A[i * m + i]);
        if (!(largest > least))
            return 0;
        scale[i] = 1 / sqrt(own > least ? own : largest);
    }
    for (size_t i = 0; i < m * m; i++)
        A[i] *= scale[i / m] * scale[i % m];
    memcpy(copy, A, m * m * sizeof *copy);
    *positive = !ph_cholesky_factor(m, copy);
    double largest = spectral_size(m, A, NULL, x, y);
    if (ph_lu_factor(m, A, pivot, NULL))
        return 0;
    double inverse = spectral_size(m, A, pivot, x, y);
    return isfinite(inverse) && inverse > 0 && largest > 0 ? 1 / (largest * inverse) : 0;
}

/* The relative size that rounding and differences may give to an entry that should be 0. */
static double noise_of_inertia(const ph_system *root)
{
    const ph_system_definition *is = &root->is;
    if (root->kind != PH_LAGRANGIAN_GENERAL || is->lagrangian_hessian)
        return 1e-13;
    return is->lagrangian_gradient || is->lagrangian_complex ? 1e-10 : 1e-7;
}

static ph_status check_regular(checks *c)
{
    size_t m = c->m;
    bool positive = true, general = c->root->kind == PH_LAGRANGIAN_GENERAL;
    const char *what = general ? "d2L/dzdot2" : "the inertia";
    double *A = c->work, *more = A + m * m, *rest = more + m * m + 4 * m, noise = noise_of_inertia(c->root);
    ph_status status = ph_system_tangent_inertia(c->root, c->z, c->zdot, c->frame.E, A, rest);
    if (status)
        return status;
    for (size_t i = 0; i < m * m; i++)
        if (i % m > i / m)
            A[i] = A[i % m * m + i / m];
    if (!ph_all_finite(A, m * m))
        return ph_fail(c->err, PH_E_NOT_FINITE, "%s is not finite", what);
    ph_derivative_entry *entry = add(c, PH_DERIVATIVE_REGULAR);
    /* unless differences were used, small entries count in full: masses may be of very different sizes */
    double least = 0;
    status = ph_lagrangian_noise(c->root, c->z, c->zdot, &least, rest);
    if (status)
        return status;
    if (noise > 1e-12)
        least = fmax(least, noise * ph_max_norm(A, m * m));
    entry->given = entry->expected = reciprocal_condition(m, A, least, &positive, more);
    bool singular = entry->given < noise;
    entry->error = singular || (!general && !positive);
    if (singular)
        snprintf(entry->mistake, sizeof entry->mistake,
                 "%s is singular on tangent vectors: some velocities have no inertia", what);
    else if (entry->error > 0)
        snprintf(entry->mistake, sizeof entry->mistake,
                 "the inertia is not positive definite on tangent vectors");
    return PH_OK;
}

/* xi (nz) <- the velocity at z of the rotation of the whole about the axis, as in rotation_map. */
static void rotation_field(const ph_space *space, const double *axis, const double *z, double *xi)
{
    memset(xi, 0, ph_space_ambient(space) * sizeof *xi);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const double *q = z + f->z;
        double *out = xi + f->z;
        if (f->nz == 3) {
            ph_cross3(axis, q, out);
        } else if (f->nz == 2) {
            out[0] = -axis[2] * q[1];
            out[1] = axis[2] * q[0];
        } else if (f->kind == PH_FACTOR_SO3) { /* S(axis) R */
            for (size_t k = 0; k < 3; k++) {
                out[k] = axis[1] * q[6 + k] - axis[2] * q[3 + k];
                out[3 + k] = axis[2] * q[k] - axis[0] * q[6 + k];
                out[6 + k] = axis[0] * q[3 + k] - axis[1] * q[k];
            }
        }
    }
}

/* xi <- the symmetry's generator as a velocity, at s on the geodesic along zdot. */
static ph_status generator_along(void *self, double s, double *xi)
{
    checks *c = self;
    ph_frame_move(&c->frame, c->z, c->zdot, s, c->x);
    if (!c->symmetry->generator) {
        rotation_field(c->space, c->symmetry->axis, c->x, xi);
        return PH_OK;
    }
    ph_status status = c->symmetry->generator(c->system->is.user, c->x, c->e);
    if (!status)
        ph_space_turn(c->space, c->x, c->e, xi);
    return status;
}

/* Sum of a_k b_k; *terms gains the sum of their magnitudes. */
static double balance(size_t n, const double *a, const double *b, double *terms)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        sum += a[k] * b[k];
        *terms += fabs(a[k] * b[k]);
    }
    return sum;
}

static ph_status check_symmetry(checks *c, size_t which, ph_derivative_entry *entry)
{
    size_t nz = c->nz;
    double floor = 0, *Lz = c->gradient, *Lv = Lz + nz, *f = c->column, speed = ph_max_norm(c->zdot, nz);
    c->symmetry = ph_system_symmetry(c->system, which);
    memset(c->rate, 0, nz * sizeof *c->rate);
    ph_status status = generator_along(c, 0, c->xi);
    if (!status && speed > 0) /* in the time of a turn by 1 rad, or of a unit of length */
        status = ph_differentiate(generator_along, c, nz, 1 / speed, c->rate, &floor, c->differences);
    if (!status)
        status = ph_system_lagrangian_gradient(&c->bare, c->z, c->zdot, Lz, Lv, c->work);
    if (!status)
        status = ph_system_force(c->system, c->t, c->z, c->zdot, f);
    if (status)
        return status;
    /* the norms keep the sum of the terms from being mere rounding where they all vanish, as at a fixed point
     * of the group */
    double terms = 1e-3 * (ph_max_norm(Lz, nz) + ph_max_norm(Lv, nz) * speed),
           work_terms = 1e-3 * ph_max_norm(f, nz);
    double change = balance(nz, Lz, c->xi, &terms) + balance(nz, Lv, c->rate, &terms);
    double work = balance(nz, f, c->xi, &work_terms);
    double of_L = terms > 0 ? fabs(change) / terms : 0, of_f = work_terms > 0 ? fabs(work) / work_terms : 0;
    if (fmax(of_L, of_f) < entry->error)
        return PH_OK;
    entry->row = which;
    entry->error = fmax(of_L, of_f);
    entry->given = of_L > PH_DERIVATIVE_WRONG || of_L >= of_f ? change : work;
    if (!isfinite(entry->error))
        return ph_fail(c->err, PH_E_NOT_FINITE, "the generator of %.60s is not finite", c->symmetry->name);
    if (entry->error > PH_DERIVATIVE_WRONG)
        snprintf(entry->mistake, sizeof entry->mistake, "%.60s is no symmetry: %s", c->symmetry->name,
                 of_L > PH_DERIVATIVE_WRONG ? "L changes along its generator"
                                            : "the forces do work along its generator");
    return PH_OK;
}

static ph_status check_symmetries(checks *c)
{
    ph_status status = PH_OK;
    ph_derivative_entry *entry = add(c, PH_DERIVATIVE_SYMMETRY);
    for (size_t i = 0; i < ph_system_symmetries(c->system) && !status; i++)
        status = check_symmetry(c, i, entry);
    return status;
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static ph_status check_all(checks *c)
{
    ph_status status = PH_OK;
    bool general = c->root->kind == PH_LAGRANGIAN_GENERAL;
    status = ph_check_manifold(c->space, c->z, c->report, c->err);
    if (status || !all_right(c)) /* then the tangent space is unknown */
        return status;
    ph_frame_make(&c->frame, c->z);
    c->bare = *c->root;
    if (ph_system_has_potential(c->root))
        status = check_potential(c);
    if (!status && c->root->kind == PH_INERTIA_VARYING) {
        status = check_inertia_symmetry(c);
        if (!status)
            status = check_inertia_dz(c);
    }
    if (!status && general)
        status = check_lagrangian(c);
    bool right = all_right(c);
    if (!status && says_force_dv(c->system))
        status = check_force(c);
    if (status || !right) /* with wrong derivatives the conditions would fail, too */
        return status;
    if (!ph_system_inertia(c->system) &&
        !ph_system_is_sparse(c->system)) /* checked when the system was created */
        status = check_regular(c);
    return status || !ph_system_symmetries(c->system) ? status : check_symmetries(c);
}

ph_status ph_system_check_derivatives(const ph_system *system, double t, const double *z, const double *zdot,
                                      ph_derivative_report *report, ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_error own = {.message = ""};
    checks c = {.system = system,
                .root = ph_system_root(system),
                .space = system->space,
                .t = t,
                .z = z,
                .zdot = zdot,
                .m = ph_space_dimension(system->space),
                .nz = system->nz,
                .report = report,
                .err = &own};
    c.rows = c.root->is.inertia_at ? system->n : system->nz;
    *report = (ph_derivative_report){.n = 0};
    if (ph_system_articulation(system) && !ph_system_is_dense(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "derivatives are checked with dense matrices, and an articulation has them up to %d bodies",
            (int)PH_DENSE_BODIES);
    void *memory = lay(&c);
    if (!memory)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_status status = check_all(&c);
    free(memory);
    if (!status)
        return PH_OK;
    return own.message[0]
               ? ph_fail(err, status, "%s", own.message)
               : ph_fail(err, status, "a callback of the system failed: %s", ph_status_text(status));
}
