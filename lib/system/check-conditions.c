/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the conditions that a Lagrangian should meet: that it is regular, E^T L_vv E not singular, and
 * that each generator xi of a symmetry leaves it unchanged along any motion, and the forces do no work along
 * it,
 *     L_z . xi + L_v . d/dt xi = 0,      f . xi = 0      (Noether). */
#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/solve.h>

#include "check.h"
#include "generator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Regularity --------------------------------------------------------------------------------- */

/* Size of the largest eigenvalue of the symmetric A (m x m), or, given its factors and pivots, of its
 * inverse, by power iteration. A few percent of accuracy are enough here. x, y (m): scratch. */
static double spectral_size(size_t m, const double *A, const int *pivot, double *x, double *y)
{
    double size = 0;
    for (size_t i = 0; i < m; i++)
        x[i] = 1 + 0.37 * ph_sin(2.0 * (double)i + 1); /* any vector with a part along every eigenvector */
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

ph_status ph_check_regularity(ph_checks *c)
{
    size_t m = c->m;
    bool positive = true, general = c->root->kind == PH_LAGRANGIAN_GENERAL;
    const char *what = general ? "d2L/dzdot2" : "the inertia";
    double *A = c->work, *more = A + m * m, *rest = more + m * m + 4 * m, noise = noise_of_inertia(c->root);
    ph_status status = ph_system_tangent_inertia(c->root, c->t, c->z, c->zdot, c->frame.E, A, rest);
    if (status)
        return status;
    for (size_t i = 0; i < m * m; i++)
        if (i % m > i / m)
            A[i] = A[i % m * m + i / m];
    if (!ph_all_finite(A, m * m))
        return ph_fail(c->err, PH_E_NOT_FINITE, "%s is not finite", what);
    ph_derivative_entry *entry = ph_check_add(c, PH_DERIVATIVE_REGULAR);
    /* unless differences were used, small entries count in full: masses may be of very different sizes */
    double least = 0;
    status = ph_lagrangian_noise(c->root, c->t, c->z, c->zdot, &least, rest);
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

/* ---- Symmetries --------------------------------------------------------------------------------- */

/* xi <- the symmetry's generator as a velocity, at s on the geodesic along x + nz, a part of zdot. */
static ph_status generator_along(void *self, double s, double *xi)
{
    ph_checks *c = self;
    ph_frame_move(&c->frame, c->z, c->x + c->nz, s, c->x);
    ph_status status = c->symmetry->generator(c->system->is.user, c->x, c->e);
    if (!status)
        ph_space_turn(c->space, c->x, c->e, xi);
    return status;
}

/* Sum of a_k b_k; *terms gains the sum of their magnitudes, to which rounding is relative. */
static double add_products(size_t n, const double *a, const double *b, double *terms)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        sum += a[k] * b[k];
        *terms += fabs(a[k] * b[k]);
    }
    return sum;
}

/* [s] in which factor i turns by 1 rad, or moves by the size of those of its kind or a unit of length; infinite at rest. */
static double time_of_motion(const ph_space *space, size_t i, const double *z, const double *zdot)
{
    const ph_factor_place *own = ph_space_factor(space, i);
    double size = 1;
    for (size_t k = 0; own->kind == PH_FACTOR_R && k < ph_space_factors(space); k++) {
        const ph_factor_place *f = ph_space_factor(space, k);
        if (f->kind == PH_FACTOR_R && f->nz == own->nz)
            size = fmax(size, ph_max_norm(z + f->z, f->nz));
    }
    return size / ph_max_norm(zdot + own->z, own->nz);
}

/* rate <- d/dt of the generator, by differences: the sum over groups of factors whose times are alike, of which one moves at a
 * time. (Moved together, a planet would go a part of its place that is lost in rounding while it turns by 1 rad.)
 * time: (factors) */
static ph_status rate_by_differences(ph_checks *c, double *time)
{
    const double alike = 64;
    const size_t n = ph_space_factors(c->space);
    double *moving = c->x + c->nz, floor = 0;
    ph_status status = PH_OK;
    for (size_t i = 0; i < n; i++)
        time[i] = time_of_motion(c->space, i, c->z, c->zdot);
    while (!status) {
        double least = INFINITY;
        for (size_t i = 0; i < n; i++)
            least = fmin(least, time[i]);
        if (!isfinite(least))
            break;
        memset(moving, 0, c->nz * sizeof *moving);
        for (size_t i = 0; i < n; i++)
            if (time[i] <= alike * least) {
                const ph_factor_place *f = ph_space_factor(c->space, i);
                memcpy(moving + f->z, c->zdot + f->z, f->nz * sizeof *moving);
                time[i] = INFINITY;
            }
        status = ph_differentiate(generator_along, c, c->nz, least, c->column, &floor, c->differences);
        for (size_t k = 0; k < c->nz && !status; k++)
            c->rate[k] += c->column[k];
    }
    return status;
}

/* xi and rate <- the generator at z, as a velocity, and its derivative in time along zdot. That of a rotation is linear in z. */
static ph_status find_generator(ph_checks *c)
{
    memset(c->rate, 0, c->nz * sizeof *c->rate);
    if (!c->symmetry->generator) {
        ph_turn_about(c->space, c->symmetry->axis, c->z, c->xi);
        ph_turn_about(c->space, c->symmetry->axis, c->zdot, c->rate);
        return PH_OK;
    }
    ph_status status = c->symmetry->generator(c->system->is.user, c->z, c->e);
    if (!status)
        ph_space_turn(c->space, c->z, c->e, c->xi);
    return status ? status : rate_by_differences(c, c->given);
}

/* A thousandth of what the products of a covector with vectors could be if these were as long as the factors of z
 * (velocities: of zdot) and had its direction. It keeps their sum from being compared with mere rounding where all terms vanish,
 * as at a fixed point of the group, or where a force points to the axis, far from which its rounding has a moment. */
static double least_terms(const ph_space *space, const double *covector, const double *x, const double *xi)
{
    double sum = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        sum += 1e-3 * ph_max_norm(covector + f->z, f->nz) *
               fmax(ph_max_norm(x + f->z, f->nz), ph_max_norm(xi + f->z, f->nz));
    }
    return sum;
}

/* The change of L along the generator xi and its rate in time, L_z . xi + L_v . d/dt xi, and the work f .
 * xi, each relative to the sum of the magnitudes of its terms. The entry of the report keeps the worst of
 * all symmetries. */
static ph_status check_symmetry(ph_checks *c, size_t which, ph_derivative_entry *entry)
{
    size_t nz = c->nz;
    double *Lz = c->gradient, *Lv = Lz + nz, *f = c->column;
    c->symmetry = ph_system_symmetry(c->system, which);
    ph_status status = find_generator(c);
    if (!status)
        status = ph_system_lagrangian_gradient(&c->bare, c->t, c->z, c->zdot, Lz, Lv, c->work);
    if (!status)
        status = ph_system_force(c->system, c->t, c->z, c->zdot, f);
    if (status)
        return status;
    double terms = least_terms(c->space, Lz, c->z, c->xi) + least_terms(c->space, Lv, c->zdot, c->rate),
           work_terms = least_terms(c->space, f, c->z, c->xi);
    double change = add_products(nz, Lz, c->xi, &terms) + add_products(nz, Lv, c->rate, &terms);
    double work = add_products(nz, f, c->xi, &work_terms);
    double of_L = terms > 0 ? fabs(change) / terms : 0, of_f = work_terms > 0 ? fabs(work) / work_terms : 0;
    if (fmax(of_L, of_f) < entry->error)
        return PH_OK;
    entry->row = which;
    entry->error = fmax(of_L, of_f);
    entry->given = of_L > PH_DERIVATIVE_WRONG || of_L >= of_f ? change : work;
    if (!isfinite(entry->error))
        return ph_fail(c->err, PH_E_NOT_FINITE, "the generator of %.60s is not finite", c->symmetry->name);
    const char *text = c->symmetry->text ? c->symmetry->text : "";
    if (entry->error > PH_DERIVATIVE_WRONG)
        snprintf(entry->mistake, sizeof entry->mistake, "%.30s is no symmetry: %s%s%.60s", c->symmetry->name,
                 of_L > PH_DERIVATIVE_WRONG ? "L changes along its generator"
                                            : "the forces do work along its generator",
                 *text ? ": " : "", text);
    return PH_OK;
}

ph_status ph_check_symmetries(ph_checks *c)
{
    ph_status status = PH_OK;
    ph_derivative_entry *entry = ph_check_add(c, PH_DERIVATIVE_SYMMETRY);
    for (size_t i = 0; i < ph_system_symmetries(c->system) && !status; i++)
        status = check_symmetry(c, i, entry);
    return status;
}
