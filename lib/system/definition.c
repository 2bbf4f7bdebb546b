/* SPDX-License-Identifier: BSD-3-Clause */
/* What a definition of a system (ph_system_definition) must fulfil: exactly one Lagrangian, with all that
 * belongs to it and nothing that does not, and an inertia that is symmetric and positive definite. A
 * constant inertia by pairs is judged by its Cholesky factorisation; any other one only has to be positive
 * definite on tangent vectors, which is tried at some configurations once the system exists. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/solve.h>

#include "lib/internal/space.h"
#include "system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Constant inertias -------------------------------------------------------------------------- */

/* Relative difference allowed across the diagonal, for rounding errors in the caller's products. */
static const double symmetric_to = 1e-12;

/* Is M (n x n) finite, and symmetric up to rounding errors in the products that it was made of? */
static ph_status check_symmetric(const double *M, size_t n, ph_error *err)
{
    for (size_t i = 0; i < n * n; i++) {
        size_t row = i / n, col = i % n;
        if (!isfinite(M[i]))
            return ph_fail(err, PH_E_NOT_FINITE, "inertia[%zu][%zu] is not a finite number", row, col);
        if (!(fabs(M[i] - M[col * n + row]) <= symmetric_to * (fabs(M[i]) + fabs(M[col * n + row]))))
            return ph_fail(err, PH_E_INVALID,
                           "inertia is not symmetric: [%zu][%zu] is %.17g, [%zu][%zu] is %.17g", row, col,
                           M[i], col, row, M[col * n + row]);
    }
    return PH_OK;
}

/* x (m) <- a vector along which the symmetric matrix A (m x m, by its lower triangle) is not positive but for roundings; L (m x m):
 * scratch. False: there is none. */
static bool find_direction(size_t m, const double *A, double *L, double *x)
{
    const double rounding = 8 * DBL_EPSILON * (double)m;
    for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i <= j; i++) {
            double sum = A[j * m + i];
            for (size_t k = 0; k < i; k++)
                sum -= L[i * m + k] * L[j * m + k];
            L[j * m + i] = i < j ? sum / L[i * m + i] : sum > rounding * A[j * m + j] ? sqrt(sum) : 0;
        }
        if (L[j * m + j] > 0)
            continue;
        memset(x, 0, m * sizeof *x);
        x[j] = 1;
        for (size_t i = j; i-- > 0;) {
            for (size_t k = i + 1; k <= j; k++)
                x[i] -= L[k * m + i] * x[k];
            x[i] /= L[i * m + i];
        }
        return true;
    }
    return false;
}

/* Does the factor move in this direction? by_pairs: A has a number for each pair of factors. */
static bool does_move(const ph_space *space, size_t i, bool by_pairs, size_t m, const double *A,
                      const double *x)
{
    static const double rounding = 1e-9;
    const ph_factor_place *f = ph_space_factor(space, i);
    const size_t first = by_pairs ? i : f->x, n = by_pairs ? 1 : f->nx;
    double largest = 0;
    bool moves = false;
    for (size_t k = 0; k < m; k++)
        largest = fmax(largest, A[k * m + k]);
    for (size_t k = first; k < first + n; k++)
        moves = moves || x[k] == 1 || x[k] * x[k] * A[k * m + k] > rounding * rounding * largest;
    return moves;
}

/* Is A (m x m) of an inertia (n x n) positive, on tangent vectors or by pairs? singular: that it is not is known. Where factors have
 * names, as those of formulas, what a factorisation takes for positive by a rounding is found, too. */
static ph_status judge_positive(size_t n, size_t m, const double *A, bool singular, const ph_space *space,
                                bool by_pairs, const ph_factor_label *labels, ph_error *err)
{
    enum { FEW = 4 };
    char who[320] = "";
    if (!singular && !labels)
        return PH_OK;
    double *L = malloc((m * m + m) * sizeof *L), *x = L ? L + m * m : NULL;
    size_t moving = 0, at = 0;
    if (!L)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const bool found = find_direction(m, A, L, x);
    for (size_t i = 0; found && i < ph_space_factors(space); i++)
        if (does_move(space, i, by_pairs, m, A, x) && moving++ < FEW)
            at += (size_t)(labels ? snprintf(who + at, sizeof who - at, "%s%.71s", moving > 1 ? ", " : "",
                                             labels[i].name)
                                  : snprintf(who + at, sizeof who - at, "%sfactor %zu",
                                             moving > 1 ? ", " : "", i + 1));
    free(L);
    if (!singular && !found)
        return PH_OK;
    return ph_fail(
        err, PH_E_SINGULAR,
        "inertia (%zu x %zu) is not positive definite: every motion must have positive kinetic energy%s%s%s%s%s",
        n, n, moving ? "; a motion of " : "", who, moving > FEW ? ", ..." : "", moving > 1 ? " together" : "",
        moving ? " has none" : "");
}

/* Is the constant inertia M (n x n) by pairs symmetric and positive definite? */
static ph_status check_inertia(const ph_system_definition *d, ph_error *err)
{
    const double *M = d->inertia;
    const size_t n = ph_space_factors(d->space);
    ph_status status = check_symmetric(M, n, err);
    double *copy = status ? NULL : malloc(n * n * sizeof *copy);
    if (status)
        return status;
    if (!copy)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    memcpy(copy, M, n * n * sizeof *copy);
    status = judge_positive(n, n, M, ph_cholesky_factor(n, copy) != PH_OK, d->space, true, d->labels, err);
    free(copy);
    return status;
}

/* ---- The definition ----------------------------------------------------------------------------- */

ph_status ph_definition_check_time(const ph_system_definition *d, ph_error *err)
{
    if (!d->potential_in_time != !d->gradient_in_time)
        return ph_fail(err, PH_E_INVALID,
                       "give potential_in_time and gradient_in_time together, or neither: %s is NULL",
                       d->potential_in_time ? "gradient_in_time" : "potential_in_time");
    if (d->potential_rate && !d->potential_in_time)
        return ph_fail(err, PH_E_INVALID, "potential_rate is given without potential_in_time");
    return PH_OK;
}

/* Are all factors vectors of the same length, so that one number for each pair can couple them? */
static ph_status check_pairs(const ph_space *space, ph_error *err)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        if (f->kind == PH_FACTOR_SO3 || f->nz != ph_space_factor(space, 0)->nz)
            return ph_fail(err, PH_E_INVALID,
                           "inertia (a number for each pair of factors) is for vectors of one length; "
                           "factor %zu is not: give ambient_inertia",
                           i + 1);
    }
    return PH_OK;
}

/* Exactly one Lagrangian, with what belongs to it. */
static ph_status check_lagrangian(const ph_system_definition *d, ph_error *err)
{
    bool general = d->lagrangian || d->lagrangian_complex, varying = d->inertia_at || d->ambient_inertia_at;
    int given = !!d->inertia + !!d->ambient_inertia + !!d->linkage + !!d->inverse_inertia + !!d->inertia_at +
                !!d->ambient_inertia_at + !!d->articulation + general;
    if (d->space && ph_space_is_phase_space(d->space))
        return ph_fail(err, PH_E_INVALID,
                       "the factors of the space are phase spaces (PH_FACTOR_SPIN), on which there is no "
                       "Lagrangian: give spins (polhode/domain/spins.h)");
    if (!d->space)
        return ph_fail(err, PH_E_INVALID,
                       "the definition has no space (it is NULL): create one by ph_space_create");
    if (given != 1)
        return ph_fail(
            err, PH_E_INVALID,
            "a system needs one of an inertia "
            "(inertia, ambient_inertia, linkage, inverse_inertia, inertia_at, ambient_inertia_at), "
            "an articulation and a lagrangian; %d of them are given",
            given);
    if (d->spin_hessian || d->n_hessian)
        return ph_fail(
            err, PH_E_INVALID,
            "spin_hessian is for spins alone (polhode/domain/spins.h), and the system has a Lagrangian");
    if (varying != !!d->inertia_dz)
        return ph_fail(err, PH_E_INVALID,
                       varying
                           ? "an inertia that depends on the configuration needs its derivative, inertia_dz"
                           : "inertia_dz is given without inertia_at or ambient_inertia_at");
    /* formulas give both of L = T - U with an ambient inertia, in place of products with inertia_dz */
    const bool in_place = d->ambient_inertia_at && d->lagrangian_gradient && d->lagrangian_hessian;
    if (!general && (d->lagrangian_rate || (!in_place && (d->lagrangian_gradient || d->lagrangian_hessian))))
        return ph_fail(err, PH_E_INVALID, "derivatives of a lagrangian are given without it");
    if (general && (d->potential || d->gradient))
        return ph_fail(err, PH_E_INVALID, "potential is given with a lagrangian, but it must be part of L");
    if (d->articulation && (d->potential || d->gradient))
        return ph_fail(err, PH_E_INVALID,
                       "potential is given with an articulation, whose gravity is the whole of U; "
                       "give what else acts as a force");
    if (!d->potential != !d->gradient)
        return ph_fail(err, PH_E_INVALID, "give potential and gradient together, or neither (U = 0)");
    return ph_definition_check_time(d, err);
}

/* Velocity constraints: rows with their callback. */
static ph_status check_constraint(const ph_system_definition *d, ph_error *err)
{
    if (!d->constraint != !d->n_constraints)
        return ph_fail(err, PH_E_INVALID,
                       d->constraint ? "constraint is given, but n_constraints is 0: say how many rows it has"
                                     : "n_constraints is %zu, but constraint is NULL",
                       d->n_constraints);
    if (d->constraint_along && !d->constraint)
        return ph_fail(err, PH_E_INVALID, "constraint_along is given, but constraint is NULL");
    if (!d->constraint)
        return PH_OK;
    if (d->n_constraints >= ph_space_dimension(d->space))
        return ph_fail(err, PH_E_INVALID,
                       "there are %zu velocity constraints on a space of dimension %zu; "
                       "it must be fewer, or nothing can move",
                       d->n_constraints, ph_space_dimension(d->space));
    return PH_OK;
}

/* All that can be checked without a system. A linkage and an inverse inertia are checked where they are
 * copied (ph_tree_create, ph_net_create). */
ph_status ph_definition_check(const ph_system_definition *d, ph_error *err)
{
    ph_status status = check_lagrangian(d, err);
    if (!status)
        status = check_constraint(d, err);
    if (status)
        return status;
    if (d->force_dv && !d->force)
        return ph_fail(err, PH_E_INVALID, "force_dv is given without force");
    if (d->n_symmetries && !d->symmetries)
        return ph_fail(err, PH_E_INVALID, "n_symmetries is %zu, but symmetries is NULL", d->n_symmetries);
    if (d->ambient_inertia)
        return check_symmetric(d->ambient_inertia, ph_space_ambient(d->space), err);
    if (d->inertia || d->inertia_at)
        status = check_pairs(d->space, err);
    return status || !d->inertia ? status : check_inertia(d, err);
}

/* ---- On tangent vectors ------------------------------------------------------------------------- */

/* Is the inertia positive definite on the tangent spaces at some configurations in general position? (Where
 * it is not so elsewhere, ph_system_velocity fails.) */
ph_status ph_system_try_inertia(const ph_system *s, ph_error *err)
{
    enum { TRIALS = 8 };
    size_t m = ph_space_dimension(s->space);
    double *z = malloc(s->nz * sizeof *z), *E = malloc(ph_space_basis_size(s->space) * sizeof *E),
           *A = malloc((s->of->check_regular ? 1 : m * m) * sizeof *A),
           *work = malloc(ph_system_work(s) * sizeof *work), condition;
    ph_status status = z && E && A && work ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < TRIALS && !status; k++) {
        for (size_t i = 0; i < s->nz; i++)
            z[i] = ph_sin(1.7 * (double)(i + 1) * (double)(k + 1) + 0.3 * (double)k);
        if (ph_space_project(s->space, z))
            continue;
        if (s->of->check_regular) {
            if (s->of->check_regular(s, z, work, &condition) && !isfinite(condition))
                status = ph_fail(err, PH_E_SINGULAR, "%s", s->of->singular);
            continue;
        }
        ph_space_basis(s->space, z, E);
        status = ph_system_tangent_inertia(s, 0, z, NULL, E, A, work);
        if (status)
            ph_fail(err, status, "the inertia failed at a trial configuration: %s", ph_status_text(status));
        else {
            const bool singular = ph_cholesky_factor(m, A) != PH_OK;
            if (singular || s->labels)
                (void)ph_system_tangent_inertia(s, 0, z, NULL, E, A, work);
            status = judge_positive(s->nz, m, A, singular, s->space, false, s->labels, err);
        }
    }
    free(z);
    free(E);
    free(A);
    free(work);
    return status;
}
