/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanical systems on (S^2)^n with constant inertia: creation with checks, evaluation of the
 * callbacks, and the Legendre transform in its angular form,
 *     pi_i = q_i x sum_j M_ij qdot_j            (two-spheres paper, eq. (33), with qdot = omega x q). */
#include <polhode/algebra.h>
#include <polhode/solve.h>
#include <polhode/system.h>

#include <internal/memory.h>
#include <internal/space.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ph_system {
    ph_space *space;
    size_t n;        /* spheres */
    double *inertia; /* (n x n) */
    ph_symmetry *symmetries;
    ph_system_definition is; /* callbacks and user; its pointers to data are not used */
    const ph_system *base;   /* of a forced system: potential and the forces below its own */
};

/* ---- Creation ----------------------------------------------------------------------------------- */

/* Two sides of the diagonal may differ by so much (a rounding in the caller's products). */
static const double symmetric_to = 1e-12;

static ph_status check_inertia(const double *M, size_t n, ph_error *err)
{
    double *copy = malloc(n * n * sizeof *copy);
    ph_status status = PH_OK;
    if (!copy)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n * n && !status; i++) {
        size_t row = i / n, col = i % n;
        if (!isfinite(M[i]))
            status = ph_fail(err, PH_E_NOT_FINITE, "inertia[%zu][%zu] is not a finite number", row, col);
        else if (!(fabs(M[i] - M[col * n + row]) <= symmetric_to * (fabs(M[i]) + fabs(M[col * n + row]))))
            status = ph_fail(err, PH_E_INVALID,
                             "inertia is not symmetric: [%zu][%zu] is %.17g, [%zu][%zu] is %.17g", row, col,
                             M[i], col, row, M[col * n + row]);
    }
    if (!status) {
        memcpy(copy, M, n * n * sizeof *copy);
        if (ph_cholesky_factor(n, copy))
            status = ph_fail(err, PH_E_SINGULAR,
                             "inertia (%zu x %zu) is not positive definite: every motion must have positive "
                             "kinetic energy",
                             n, n);
    }
    free(copy);
    return status;
}

static ph_status check_definition(const ph_system_definition *d, ph_error *err)
{
    if (!d->space || !d->inertia)
        return ph_fail(err, PH_E_INVALID, "a system needs a space and an inertia matrix");
    if (!d->potential != !d->gradient)
        return ph_fail(err, PH_E_INVALID, "give potential and gradient together, or neither (U = 0)");
    if (d->force_dv && !d->force)
        return ph_fail(err, PH_E_INVALID, "force_dv is given without force");
    if (d->n_symmetries && !d->symmetries)
        return ph_fail(err, PH_E_INVALID, "n_symmetries is %zu, but symmetries is NULL", d->n_symmetries);
    for (size_t i = 0; i < ph_space_factors(d->space); i++)
        if (ph_space_factor(d->space, i)->kind != PH_FACTOR_S2)
            return ph_fail(err, PH_E_UNSUPPORTED,
                           "factor %zu of the space is not S^2; systems live on (S^2)^n in this version", i);
    return check_inertia(d->inertia, ph_space_factors(d->space), err);
}

static char *copy_text(const char *text)
{
    size_t n = strlen(text ? text : "") + 1;
    char *copy = malloc(n);
    if (copy)
        memcpy(copy, text ? text : "", n);
    return copy;
}

static int copy_symmetries(ph_system *s, const ph_system_definition *d)
{
    if (!d->n_symmetries)
        return 1;
    s->symmetries = calloc(d->n_symmetries, sizeof *s->symmetries);
    if (!s->symmetries)
        return 0;
    for (size_t i = 0; i < d->n_symmetries; i++) {
        ph_symmetry *to = &s->symmetries[i];
        *to = d->symmetries[i];
        to->name = copy_text(d->symmetries[i].name);
        to->text = copy_text(d->symmetries[i].text);
        to->unit = copy_text(d->symmetries[i].unit);
        s->is.n_symmetries = i + 1; /* so that a failure frees what there is */
        if (!to->name || !to->text || !to->unit)
            return 0;
    }
    return 1;
}

/* A system with these parts, once they are checked. Takes `user` over, also when it fails. */
static ph_status assemble(const ph_system_definition *d, const ph_system *base, ph_system **system,
                          ph_error *err)
{
    ph_system *s = calloc(1, sizeof *s);
    if (!s) {
        if (d->user_free)
            d->user_free(d->user);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    s->is = *d;
    s->is.n_symmetries = 0;
    s->base = base;
    s->n = ph_space_factors(d->space);
    s->inertia = malloc(s->n * s->n * sizeof *s->inertia);
    if (!s->inertia || ph_space_copy(d->space, &s->space) || !copy_symmetries(s, d)) {
        ph_system_free(s);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < s->n * s->n; i++) /* exactly symmetric: the momentum map rests on it */
        s->inertia[i] = 0.5 * (d->inertia[i] + d->inertia[i % s->n * s->n + i / s->n]);
    *system = s;
    return PH_OK;
}

static ph_status refuse(const ph_system_definition *d, ph_status status)
{
    if (d->user_free)
        d->user_free(d->user);
    return status;
}

ph_status ph_system_create(const ph_system_definition *definition, ph_system **system, ph_error *err)
{
    ph_status status = check_definition(definition, err);
    return status ? refuse(definition, status) : assemble(definition, NULL, system, err);
}

ph_status ph_system_create_forced(const ph_system *base, const ph_system_definition *added,
                                  ph_system **system, ph_error *err)
{
    ph_system_definition d = *added;
    if (!d.force || d.space || d.inertia || d.potential || d.gradient || (d.n_symmetries && !d.symmetries))
        return refuse(
            added, ph_fail(err, PH_E_INVALID,
                           "a forced system needs a force; space, inertia and potential are the base's and "
                           "must be NULL here"));
    d.space = base->space;
    d.inertia = base->inertia;
    return assemble(&d, base, system, err);
}

void ph_system_free(ph_system *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->is.n_symmetries; i++) {
        /* the strings are our copies: see copy_symmetries */
        free((void *)(uintptr_t)s->symmetries[i].name);
        free((void *)(uintptr_t)s->symmetries[i].text);
        free((void *)(uintptr_t)s->symmetries[i].unit);
    }
    free(s->symmetries);
    free(s->inertia);
    ph_space_free(s->space);
    if (s->is.user_free)
        s->is.user_free(s->is.user);
    free(s);
}

/* ---- Structure ---------------------------------------------------------------------------------- */

const ph_space *ph_system_space(const ph_system *s)
{
    return s->space;
}

const double *ph_system_inertia(const ph_system *s)
{
    return s->inertia;
}

bool ph_system_has_force(const ph_system *s)
{
    return s->is.force || (s->base && ph_system_has_force(s->base));
}

bool ph_system_force_ignores_velocity(const ph_system *s)
{
    bool own = !s->is.force || s->is.force_ignores_velocity;
    return own && (!s->base || ph_system_force_ignores_velocity(s->base));
}

size_t ph_system_symmetries(const ph_system *s)
{
    return s->is.n_symmetries;
}

const ph_symmetry *ph_system_symmetry(const ph_system *s, size_t i)
{
    return i < s->is.n_symmetries ? &s->symmetries[i] : NULL;
}

/* ---- Evaluation --------------------------------------------------------------------------------- */

ph_status ph_system_potential(const ph_system *s, const double *z, double *U)
{
    *U = 0;
    if (s->base)
        return ph_system_potential(s->base, z, U);
    return s->is.potential ? s->is.potential(s->is.user, z, U) : PH_OK;
}

ph_status ph_system_gradient(const ph_system *s, const double *z, double *dU)
{
    if (s->base)
        return ph_system_gradient(s->base, z, dU);
    if (s->is.gradient)
        return s->is.gradient(s->is.user, z, dU);
    memset(dU, 0, 3 * s->n * sizeof *dU);
    return PH_OK;
}

ph_status ph_system_force(const ph_system *s, double t, const double *z, const double *zdot, double *f)
{
    ph_status status = PH_OK;
    if (s->base)
        status = ph_system_force(s->base, t, z, zdot, f);
    else
        memset(f, 0, 3 * s->n * sizeof *f);
    return status || !s->is.force ? status : s->is.force(s->is.user, t, z, zdot, f);
}

/* dfdv += the own force's derivative by central differences: step eps^(1/3) of the larger of |v_j| and the
 * size of the velocity. */
static ph_status difference_force(const ph_system *s, double t, const double *z, const double *zdot,
                                  double *dfdv, double *work)
{
    size_t m = 3 * s->n;
    double *v = work, *plus = work + m, *minus = work + 2 * m, size = 0;
    for (size_t j = 0; j < m; j++)
        size = fmax(size, fabs(zdot[j]));
    memcpy(v, zdot, m * sizeof *v);
    for (size_t j = 0; j < m; j++) {
        volatile double up = zdot[j] + 6e-6 * (size + 1e-3), down = zdot[j] - 6e-6 * (size + 1e-3);
        memset(plus, 0, 2 * m * sizeof *plus); /* and minus */
        v[j] = up;
        ph_status status = s->is.force(s->is.user, t, z, v, plus);
        v[j] = down;
        if (!status)
            status = s->is.force(s->is.user, t, z, v, minus);
        if (status)
            return status;
        v[j] = zdot[j];
        for (size_t i = 0; i < m; i++)
            dfdv[i * m + j] += (plus[i] - minus[i]) / (up - down);
    }
    return PH_OK;
}

ph_status ph_system_force_dv(const ph_system *s, double t, const double *z, const double *zdot, double *dfdv,
                             double *work)
{
    ph_status status = PH_OK;
    if (s->base)
        status = ph_system_force_dv(s->base, t, z, zdot, dfdv, work);
    else
        memset(dfdv, 0, 9 * s->n * s->n * sizeof *dfdv);
    if (status || !s->is.force || s->is.force_ignores_velocity)
        return status;
    if (s->is.force_dv)
        return s->is.force_dv(s->is.user, t, z, zdot, dfdv);
    return difference_force(s, t, z, zdot, dfdv, work);
}

ph_status ph_system_momentum_map(const ph_system *s, size_t i, const double *z, const double *p, double *J,
                                 double *work)
{
    const ph_symmetry *symmetry = ph_system_symmetry(s, i);
    if (!symmetry)
        return PH_E_RANGE;
    double sum[3] = {0, 0, 0};
    if (symmetry->generator) {
        ph_status status = symmetry->generator(s->is.user, z, work);
        if (status)
            return status;
        for (size_t j = 0; j < s->n; j++)
            sum[0] += ph_dot3(p + 3 * j, work + 3 * j);
        *J = sum[0];
        return PH_OK;
    }
    for (size_t j = 0; j < 3 * s->n; j++)
        sum[j % 3] += p[j];
    *J = ph_dot3(symmetry->axis, sum);
    return PH_OK;
}

/* ---- Legendre transform ------------------------------------------------------------------------- */

size_t ph_system_work(const ph_system *s)
{
    return 6 * s->n + 4 * s->n * s->n + 2 * s->n;
}

void ph_system_momentum(const ph_system *s, const double *z, const double *zdot, double *p)
{
    for (size_t i = 0; i < s->n; i++) {
        const double *row = s->inertia + i * s->n;
        double mu[3] = {0, 0, 0};
        for (size_t j = 0; j < s->n; j++)
            for (size_t a = 0; a < 3; a++)
                mu[a] += row[j] * zdot[3 * j + a];
        ph_cross3(z + 3 * i, mu, p + 3 * i);
    }
}

/* In tangent coordinates the transform is the matrix (E_i^T M_ij E_j), symmetric positive definite. */
ph_status ph_system_velocity(const ph_system *s, const double *z, const double *p, double *zdot, double *work)
{
    size_t n = s->n, m = 2 * n;
    double *E = work, *A = E + 6 * n, *b = A + m * m;
    for (size_t i = 0; i < n; i++) {
        double mu[3];
        ph_tangent_basis3(z + 3 * i, E + 6 * i, E + 6 * i + 3);
        ph_cross3(p + 3 * i, z + 3 * i, mu);
        b[2 * i] = ph_dot3(E + 6 * i, mu);
        b[2 * i + 1] = ph_dot3(E + 6 * i + 3, mu);
        for (size_t j = 0; j <= i; j++)
            for (size_t a = 0; a < 4; a++)
                A[(2 * i + a / 2) * m + 2 * j + a % 2] =
                    s->inertia[i * n + j] * ph_dot3(E + 6 * i + 3 * (a / 2), E + 6 * j + 3 * (a % 2));
    }
    ph_status status = ph_cholesky_factor(m, A);
    if (status)
        return status;
    ph_cholesky_solve(m, A, b);
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < 3; a++)
            zdot[3 * i + a] = E[6 * i + a] * b[2 * i] + E[6 * i + 3 + a] * b[2 * i + 1];
    return PH_OK;
}

double ph_system_kinetic(const ph_system *s, const double *zdot)
{
    double twice = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->n; j++)
            twice += s->inertia[i * s->n + j] * ph_dot3(zdot + 3 * i, zdot + 3 * j);
    return 0.5 * twice;
}
