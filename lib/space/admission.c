/* SPDX-License-Identifier: BSD-3-Clause */
/* Data from outside: a configuration, a velocity or a momentum is checked factor by factor against the
 * manifold, or projected, and then brought there exactly. A message says which factor is off, by how much,
 * and what the projection would give. */
#include "internal/space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <polhode/algebra.h>

/* Data this close to the manifold is taken for a rounded point of it. */
static const double admitted = 1e-12;

/* "(a, b, ...)" with all digits of the n <= 9 numbers. */
typedef struct numbers {
    char text[256];
} numbers;

static const char *show(numbers *to, const double *v, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n && used < sizeof to->text; i++) {
        int more = snprintf(to->text + used, sizeof to->text - used, "%s%.17g", i ? ", " : "(", v[i]);
        used += more > 0 ? (size_t)more : 0;
    }
    if (used < sizeof to->text)
        snprintf(to->text + used, sizeof to->text - used, ")");
    return to->text;
}

/* ---- Configurations ------------------------------------------------------------------------------- */

static ph_status no_nearest(const ph_factor_place *f, size_t i, ph_error *err)
{
    if (f->kind == PH_FACTOR_SO3)
        return ph_fail(err, PH_E_NOT_ON_MANIFOLD,
                       "R%zu has no nearest rotation; it must be a rotation matrix", i + 1);
    return ph_fail(err, PH_E_NOT_ON_MANIFOLD, "q%zu is the zero vector; it must be a unit vector", i + 1);
}

/* Factor i of z is off the manifold: the message. z is projected on the way. */
static ph_status off_manifold(const ph_space *space, size_t i, double *z, ph_error *err)
{
    const ph_factor_place *f = ph_space_factor(space, i);
    double off = ph_space_factor_residual(space, i, z), *q = z + f->z, square = 0;
    numbers shown;
    bool mirrored = f->kind == PH_FACTOR_SO3 && ph_determinant3(q) < 0;
    for (size_t k = 0; k < f->nz; k++)
        square += q[k] * q[k];
    if (ph_space_factor_project(space, i, z))
        return no_nearest(f, i, err);
    show(&shown, q, f->nz);
    if (mirrored)
        return ph_fail(
            err, PH_E_NOT_ON_MANIFOLD,
            "R%zu is not a rotation: its determinant is negative; the projection (PH_PROJECT) would "
            "give %s",
            i + 1, shown.text);
    if (f->kind == PH_FACTOR_SO3)
        return ph_fail(
            err, PH_E_NOT_ON_MANIFOLD,
            "R%zu is not a rotation: an entry of R^T R - I is %.3g in size; the projection (PH_PROJECT) "
            "would give %s",
            i + 1, off, shown.text);
    return ph_fail(err, PH_E_NOT_ON_MANIFOLD,
                   "q%zu has length %.15g, not 1; the projection (PH_PROJECT) would give %s", i + 1,
                   sqrt(square), shown.text);
}

ph_status ph_space_admit_point(const ph_space *space, bool project, double *z, ph_error *err)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        if (project && ph_space_factor_project(space, i, z))
            return no_nearest(ph_space_factor(space, i), i, err);
        if (!project && !(ph_space_factor_residual(space, i, z) <= admitted))
            return off_manifold(space, i, z, err);
    }
    ph_space_correct(space, z);
    return PH_OK;
}

/* ---- Velocities and momenta ----------------------------------------------------------------------- */

/* n numbers v of factor i are not perpendicular to q. */
static ph_status not_perpendicular(size_t i, const double *q, const double *v, size_t n, const char *what,
                                   ph_error *err)
{
    double off = 0, nearest[3];
    numbers shown;
    for (size_t k = 0; k < n; k++)
        off += q[k] * v[k];
    for (size_t k = 0; k < n; k++)
        nearest[k] = v[k] - off * q[k];
    return ph_fail(
        err, PH_E_NOT_TANGENT,
        "%s%zu is not perpendicular to q%zu: their product is %.3g; the projection (PH_PROJECT) would "
        "give %s",
        what, i + 1, i + 1, off, show(&shown, nearest, n));
}

static ph_status not_spinning(size_t i, const double *R, const double *v, double off, ph_error *err)
{
    double A[9], w[3];
    numbers shown;
    ph_transposed_multiply3(R, v, A);
    ph_vee3(A, w);
    return ph_fail(err, PH_E_NOT_TANGENT,
                   "velocity%zu is not R S(w): the symmetric part of R^T v has an entry of size %.3g; the "
                   "projection (PH_PROJECT) would give w = %s",
                   i + 1, off, show(&shown, w, 3));
}

ph_status ph_space_admit_velocity(const ph_space *space, const double *z, bool project, double *v,
                                  ph_error *err)
{
    double allowed = admitted * ph_max_norm(v, ph_space_ambient(space));
    for (size_t i = 0; i < ph_space_factors(space) && !project; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double off = ph_space_factor_tangency(space, i, z, v);
        if (off <= allowed)
            continue;
        return f->kind == PH_FACTOR_SO3 ? not_spinning(i, z + f->z, v + f->z, off, err)
                                        : not_perpendicular(i, z + f->z, v + f->z, f->nz, "velocity", err);
    }
    ph_space_project_tangent(space, z, v);
    return PH_OK;
}

ph_status ph_space_admit_momentum(const ph_space *space, const double *z, bool project, double *p,
                                  ph_error *err)
{
    double allowed = admitted * ph_max_norm(p, ph_space_momenta(space));
    for (size_t i = 0; i < ph_space_factors(space) && !project; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        if (f->kind == PH_FACTOR_S2 && !(fabs(ph_dot3(z + f->z, p + f->p)) <= allowed))
            return not_perpendicular(i, z + f->z, p + f->p, 3, "pi", err);
    }
    ph_space_project_momentum(space, z, p);
    return PH_OK;
}
