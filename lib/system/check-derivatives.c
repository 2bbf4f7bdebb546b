/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the derivatives in a definition: each is compared with differences of order 8 of the function
 * itself. The gradient of the potential counts along tangent vectors only, by differences along geodesics;
 * all others are compared in ambient coordinates. */
#include <polhode/constraints.h>
#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Functions of one coordinate ---------------------------------------------------------------- */

/* U where one coordinate of z is s further on. */
static ph_status potential_at(void *self, double s, double *U)
{
    ph_checks *c = self;
    ph_check_move(c, s);
    return ph_system_potential(c->system, c->x, U);
}

/* U at the point s of a geodesic along e. */
static ph_status potential_along(void *self, double s, double *U)
{
    ph_checks *c = self;
    ph_frame_move(&c->frame, c->z, c->e, s, c->x);
    return ph_system_potential(c->system, c->x, U);
}

/* The inertia (rows x rows) there. */
static ph_status inertia_at(void *self, double s, double *M)
{
    ph_checks *c = self;
    const ph_system_definition *is = &c->root->is;
    ph_check_move(c, s);
    return (is->inertia_at ? is->inertia_at : is->ambient_inertia_at)(is->user, c->x, M);
}

/* L where one coordinate of (z, zdot) is s further on. */
static ph_status lagrangian_at(void *self, double s, double *L)
{
    ph_checks *c = self;
    ph_check_move(c, s);
    return ph_system_lagrangian(c->root, c->t, c->x, c->x + c->nz, L, c->work);
}

/* g (2 nz) <- dL/dz and dL/dzdot there, in the way that `bare` evaluates them. */
static ph_status gradient_at(void *self, double s, double *g)
{
    ph_checks *c = self;
    ph_check_move(c, s);
    return ph_system_lagrangian_gradient(&c->bare, c->t, c->x, c->x + c->nz, g, g + c->nz, c->work);
}

/* f (nz) <- the generalized force there. */
static ph_status force_at(void *self, double s, double *f)
{
    ph_checks *c = self;
    ph_check_move(c, s);
    return ph_system_force(c->system, c->t, c->x, c->x + c->nz, f);
}

/* ---- Inertia and potential ---------------------------------------------------------------------- */

/* Explains a wrong gradient by a comparison in ambient coordinates. That succeeds if the potential is defined
 * off the manifold, too, and the gradient is its derivative in all directions apart from the mistake. */
static void name_gradient(ph_checks *c, ph_derivative_entry *entry, ph_line_fn at)
{
    ph_derivative_entry ambient = *entry;
    ph_comparison tables = {c->nz, 1, 0, c->gradient, c->expected, 0};
    for (size_t k = 0; k < c->nz; k++) {
        if (ph_check_differentiate(c, at, 1, k, &tables.floor))
            return;
        c->expected[k] = c->column[0];
    }
    if (ph_compare(&tables, &ambient) && ambient.mistake[0]) {
        ambient.error = entry->error;
        *entry = ambient;
    }
}

void ph_check_direction(ph_checks *c, size_t k, size_t most)
{
    if (c->m <= most) {
        ph_frame_vector(&c->frame, k, c->e);
        return;
    }
    for (size_t j = 0; j < c->nz; j++)
        c->e[j] = ph_cos(0.7 * (double)(j + 1) * (double)(k + 1) + 0.3 * (double)k);
    ph_space_project_tangent(c->space, c->z, c->e);
}

/* Coordinates up to which slopes are taken along each, and up to which they are where one of many is wrong. */
enum { MOST_SLOPES = 1024, MOST_TO_NAME = 8192 };

/* The gradient against slopes of U along some directions that move everything: the cost of a few evaluations of U. */
static ph_status check_along_some(ph_checks *c, ph_derivative what, ph_line_fn along)
{
    ph_comparison tables = {PH_CHECK_DIRECTIONS, 1, 0, c->given, c->expected, 0};
    ph_status status = PH_OK;
    for (size_t k = 0; k < PH_CHECK_DIRECTIONS && !status; k++) {
        ph_check_direction(c, k, PH_CHECK_DIRECTIONS);
        status = ph_differentiate(along, c, 1, 1, &c->expected[k], &tables.floor, c->differences);
        c->given[k] = ph_dot(c->gradient, c->e, c->nz);
    }
    if (status || (status = ph_check_tables(c, what, &tables)))
        return status;
    ph_derivative_entry *entry = &c->report->entry[c->report->n - 1];
    /* the row is that of a direction, not of a coordinate, and its slope a sum of many numbers */
    entry->mistake[0] = '\0';
    entry->error *= fmax(ph_max_norm(c->given, PH_CHECK_DIRECTIONS), tables.floor) /
                    fmax(ph_max_norm(c->gradient, c->nz), tables.floor);
    return status;
}

/* The tangent part of the gradient against slopes of U along geodesics. The basis vectors of a factor need
 * not be of length one: each slope is divided by the square of its vector. */
static ph_status check_along_each(ph_checks *c, ph_derivative what, ph_line_fn along, ph_line_fn at)
{
    double floor = 0;
    memcpy(c->given, c->gradient, c->nz * sizeof *c->given);
    ph_space_project_tangent(c->space, c->z, c->given);
    memset(c->expected, 0, c->nz * sizeof *c->expected);
    for (size_t i = 0; i < c->m; i++) {
        ph_frame_vector(&c->frame, i, c->e);
        ph_status status = ph_differentiate(along, c, 1, 1, c->column, &floor, c->differences);
        if (status)
            return status;
        double square = ph_frame_component(&c->frame, c->e, i);
        for (size_t k = 0; k < c->frame.home[i]->nz; k++)
            c->expected[c->frame.home[i]->z + k] += c->column[0] / square * c->frame.row[i][k];
    }
    ph_status status = ph_check_vector(c, what, c->given, c->expected, floor);
    ph_derivative_entry *entry = &c->report->entry[c->report->n - 1];
    if (!status && entry->error > PH_DERIVATIVE_WRONG)
        name_gradient(c, entry, at);
    return status;
}

ph_status ph_check_slopes(ph_checks *c, ph_derivative what, ph_line_fn along, ph_line_fn at)
{
    if (c->m <= MOST_SLOPES)
        return check_along_each(c, what, along, at);
    const ph_status status = check_along_some(c, what, along);
    if (status || c->m > MOST_TO_NAME || c->report->entry[c->report->n - 1].error <= PH_DERIVATIVE_WRONG)
        return status;
    c->report->n--; /* which it is */
    return check_along_each(c, what, along, at);
}

ph_status ph_check_potential(ph_checks *c)
{
    ph_status status = ph_system_gradient(c->system, c->z, c->gradient);
    return status ? status : ph_check_slopes(c, PH_DERIVATIVE_POTENTIAL, potential_along, potential_at);
}

/* The largest difference of two entries across the diagonal, relative to the largest entry. Of the two the
 * smaller is reported as the one that is given, since an entry that was left out is 0. */
ph_status ph_check_inertia_symmetry(ph_checks *c)
{
    ph_derivative_entry *entry = ph_check_add(c, PH_DERIVATIVE_INERTIA);
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

/* The derivative of each entry of the inertia by each coordinate. */
ph_status ph_check_inertia_dz(ph_checks *c)
{
    size_t n = c->rows * c->rows;
    ph_comparison tables = {n, c->nz, c->rows, c->given, c->expected, 0};
    ph_status status = c->root->is.inertia_dz(c->root->is.user, c->z, c->given);
    for (size_t k = 0; k < c->nz && !status; k++) {
        status = ph_check_differentiate(c, inertia_at, n, k, &tables.floor);
        for (size_t i = 0; i < n && !status; i++)
            c->expected[i * c->nz + k] = c->column[i];
    }
    return status ? status : ph_check_tables(c, PH_DERIVATIVE_INERTIA_DZ, &tables);
}

/* ---- A general Lagrangian ----------------------------------------------------------------------- */

/* Do the two callbacks for L, of real and of complex arguments, agree? */
static ph_status check_complex_value(ph_checks *c)
{
    double L[2] = {0, 0};
    c->bare = *c->root;
    c->bare.is.lagrangian = NULL;
    ph_status status = ph_system_lagrangian(c->root, c->t, c->z, c->zdot, &L[0], c->work);
    if (!status)
        status = ph_system_lagrangian(&c->bare, c->t, c->z, c->zdot, &L[1], c->work);
    ph_comparison tables = {1, 1, 0, &L[1], &L[0], 0};
    return status ? status : ph_check_tables(c, PH_DERIVATIVE_COMPLEX, &tables);
}

/* The gradient of `bare` against differences of L, in expected. */
static ph_status check_gradient(ph_checks *c, ph_derivative of_z, ph_derivative of_v, const double floor[2])
{
    ph_status status = ph_system_lagrangian_gradient(&c->bare, c->t, c->z, c->zdot, c->gradient,
                                                     c->gradient + c->nz, c->work);
    if (!status)
        status = ph_check_vector(c, of_z, c->gradient, c->expected, floor[0]);
    return status ? status : ph_check_vector(c, of_v, c->gradient + c->nz, c->expected + c->nz, floor[1]);
}

/* Checks every way to the gradient (callback, complex step, differences). `bare` is left with the best of
 * those that are right, which the later checks use. */
static ph_status check_gradients(ph_checks *c)
{
    double floor[2] = {0, 0};
    const ph_system_definition *is = &c->root->is;
    ph_system best = *c->root;
    ph_status status = PH_OK;
    best.is.lagrangian_gradient = NULL; /* then by complex step, or by differences of L */
    best.is.lagrangian_complex = NULL;
    for (size_t k = 0; k < 2 * c->nz && !status; k++) {
        status = ph_check_differentiate(c, lagrangian_at, 1, k, &floor[k / c->nz]);
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
        if (ph_check_all_right(c) || !is->lagrangian)
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

/* L_zz, L_vz, L_vv against differences of the gradient that check_gradients has left in `bare`. */
static ph_status check_hessian(ph_checks *c)
{
    size_t nz = c->nz, square = nz * nz;
    double floor[2] = {0, 0};
    double *zz = c->expected, *vz = zz + square, *vv = vz + square;
    ph_status status = ph_system_lagrangian_hessian(c->root, c->t, c->z, c->zdot, c->given, c->given + square,
                                                    c->given + 2 * square, c->work);
    for (size_t k = 0; k < 2 * nz && !status; k++) {
        status = ph_check_differentiate(c, gradient_at, 2 * nz, k, &floor[k / nz]);
        for (size_t i = 0; i < nz && !status; i++) {
            if (k < nz)
                zz[i * nz + k] = c->column[i];
            (k < nz ? vz : vv)[i * nz + k % nz] = c->column[nz + i];
        }
    }
    if (!status)
        status = ph_check_square(c, PH_DERIVATIVE_LZZ, c->given, zz, floor[0]);
    if (!status)
        status = ph_check_square(c, PH_DERIVATIVE_LVZ, c->given + square, vz, floor[0]);
    return status ? status : ph_check_square(c, PH_DERIVATIVE_LVV, c->given + 2 * square, vv, floor[1]);
}

ph_status ph_check_lagrangian(ph_checks *c)
{
    const ph_system_definition *is = &c->root->is;
    ph_status status = is->lagrangian && is->lagrangian_complex ? check_complex_value(c) : PH_OK;
    if (!status)
        status = check_gradients(c);
    return status || !is->lagrangian_hessian ? status : check_hessian(c);
}

/* ---- Forces ------------------------------------------------------------------------------------- */

/* Does a callback say what df/dzdot is, or that it is 0? */
bool ph_check_has_force_dv(const ph_system *s)
{
    return (s->is.force && (s->is.force_dv || s->is.force_ignores_velocity)) ||
           (s->base && ph_check_has_force_dv(s->base));
}

/* df/dzdot against differences of the force. */
ph_status ph_check_force(ph_checks *c)
{
    double floor = 0;
    ph_status status = ph_system_force_dv(c->system, c->t, c->z, c->zdot, c->given, c->work);
    for (size_t k = 0; k < c->nz && !status; k++) {
        status = ph_check_differentiate(c, force_at, c->nz, c->nz + k, &floor);
        for (size_t i = 0; i < c->nz && !status; i++)
            c->expected[i * c->nz + k] = c->column[i];
    }
    if (!status)
        status = ph_check_square(c, PH_DERIVATIVE_FORCE_DV, c->given, c->expected, floor);
    ph_derivative_entry *entry = &c->report->entry[c->report->n - 1];
    if (!status && entry->error > PH_DERIVATIVE_WRONG && ph_system_force_ignores_velocity(c->system))
        snprintf(entry->mistake, sizeof entry->mistake,
                 "missing: force_ignores_velocity is set, but the force depends on the velocity");
    return status;
}

/* ---- Velocity constraints ------------------------------------------------------------------------ */

/* A zdot - b (m) at the point s of a geodesic along e, or, where e is 0, at the time t + s. */
static ph_status constraint_at(void *self, double s, double *values)
{
    ph_checks *c = self;
    const size_t m = ph_system_constraints(c->system);
    double *A = c->work, *b = A + m * c->nz;
    const bool in_time = !(ph_max_norm(c->e, c->nz) > 0);
    if (in_time)
        memcpy(c->x, c->z, c->nz * sizeof *c->x);
    else
        ph_frame_move(&c->frame, c->z, c->e, s, c->x);
    ph_status status = ph_system_constraint_rows(c->system, c->t + (in_time ? s : 0), c->x, A, b);
    for (size_t i = 0; i < m && !status; i++)
        values[i] = ph_dot(A + i * c->nz, c->zdot, c->nz) - b[i];
    return status;
}

/* The derivative of A zdot - b at fixed zdot along each tangent direction, and in time. */
ph_status ph_check_constraint(ph_checks *c)
{
    const size_t m = ph_system_constraints(c->system), columns = c->m + 1;
    ph_comparison tables = {m, columns, 0, c->given, c->expected, 0};
    ph_status status = PH_OK;
    for (size_t i = 0; i < columns && !status; i++) {
        memset(c->e, 0, c->nz * sizeof *c->e);
        if (i < c->m)
            ph_frame_vector(&c->frame, i, c->e);
        status =
            ph_system_constraint_along(c->system, c->t, c->z, c->zdot, i == c->m, c->e, c->column, c->work);
        for (size_t k = 0; k < m && !status; k++)
            c->given[k * columns + i] = c->column[k];
        if (!status)
            status = ph_differentiate(constraint_at, c, m, 1, c->column, &tables.floor, c->differences);
        for (size_t k = 0; k < m && !status; k++)
            c->expected[k * columns + i] = c->column[k];
    }
    return status ? status : ph_check_tables(c, PH_DERIVATIVE_CONSTRAINT, &tables);
}
