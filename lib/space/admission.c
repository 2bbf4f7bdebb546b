/* SPDX-License-Identifier: BSD-3-Clause */
/* Data from outside: a configuration, a velocity or a momentum is checked factor by factor against the
 * manifold, or projected, and then brought there exactly. A message says which factor is off, by how much,
 * and what the projection would give. */
#include "lib/internal/space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <polhode/algebra.h>

/* Data this close to the manifold is accepted as a rounded point of it. */
static const double admitted = 1e-12;

const char *ph_show(ph_numbers *to, const double *v, size_t n)
{
    static const char rest[] = ", ...)";
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        char number[32];
        size_t more = (size_t)snprintf(number, sizeof number, "%s%.17g", i ? ", " : "(", v[i]);
        if (used + more + sizeof rest > sizeof to->text) {
            memcpy(to->text + used, rest, sizeof rest);
            return to->text;
        }
        memcpy(to->text + used, number, more);
        used += more;
    }
    memcpy(to->text + used, ")", 2);
    return to->text;
}

/* ---- Configurations ------------------------------------------------------------------------------- */

static ph_status no_nearest(const ph_factor_place *f, size_t i, ph_status status, ph_error *err)
{
    if (f->kind == PH_FACTOR_EMBEDDED && status != PH_E_NOT_ON_MANIFOLD)
        return ph_fail(err, status, "the nearest point of factor %zu (%s): a callback failed: %s", i + 1,
                       f->embedding->name, ph_status_text(status));
    if (f->kind == PH_FACTOR_EMBEDDED)
        return ph_fail(err, status,
                       "factor %zu (%s): no nearest point of the manifold was found; give one nearer to it",
                       i + 1, f->embedding->name);
    if (f->kind == PH_FACTOR_SO3)
        return ph_fail(err, PH_E_NOT_ON_MANIFOLD,
                       "R%zu has no nearest rotation; it must be a rotation matrix", i + 1);
    return ph_fail(err, PH_E_NOT_ON_MANIFOLD, "q%zu is the zero vector; it must be a unit vector", i + 1);
}

static ph_status off_embedded(const ph_space *space, size_t i, double *z, ph_error *err)
{
    const ph_factor_place *f = ph_space_factor(space, i);
    double off = ph_space_factor_residual(space, i, z);
    ph_numbers shown;
    ph_status status = ph_space_factor_project(space, i, z);
    if (status)
        return no_nearest(f, i, status, err);
    return ph_fail(err, PH_E_NOT_ON_MANIFOLD,
                   "factor %zu is off the manifold (%s): its largest |g_i|/|row i of dg/dx| is %.3g; "
                   "the projection (PH_PROJECT) would give %s",
                   i + 1, f->embedding->name, off, ph_show(&shown, z + f->z, f->nz));
}

/* Factor i of z is off the manifold: the message. z is projected on the way. */
static ph_status off_manifold(const ph_space *space, size_t i, double *z, ph_error *err)
{
    const ph_factor_place *f = ph_space_factor(space, i);
    double off = ph_space_factor_residual(space, i, z), *q = z + f->z, square = 0;
    ph_numbers shown;
    bool mirrored = f->kind == PH_FACTOR_SO3 && ph_determinant3(q) < 0;
    for (size_t k = 0; k < f->nz; k++)
        square += q[k] * q[k];
    if (f->kind == PH_FACTOR_EMBEDDED)
        return off_embedded(space, i, z, err);
    if (ph_space_factor_project(space, i, z))
        return no_nearest(f, i, PH_E_NOT_ON_MANIFOLD, err);
    ph_show(&shown, q, f->nz);
    if (mirrored)
        return ph_fail(
            err, PH_E_NOT_ON_MANIFOLD,
            "R%zu is not a rotation: its determinant is negative; the projection (PH_PROJECT) would give %s",
            i + 1, shown.text);
    if (f->kind == PH_FACTOR_SO3)
        return ph_fail(err, PH_E_NOT_ON_MANIFOLD,
                       "R%zu is not a rotation: an entry of R^T R - I is %.3g in size; "
                       "the projection (PH_PROJECT) would give %s",
                       i + 1, off, shown.text);
    return ph_fail(err, PH_E_NOT_ON_MANIFOLD,
                   "q%zu has length %.15g, not 1; the projection (PH_PROJECT) would give %s", i + 1,
                   sqrt(square), shown.text);
}

static ph_status admit_factor(const ph_space *space, size_t i, bool project, double *z, ph_error *err)
{
    const ph_factor_place *f = ph_space_factor(space, i);
    const bool alone =
        f->embedding && f->embedding->projection; /* given by P alone: there is no projection of points */
    ph_status status = project && !alone ? ph_space_factor_project(space, i, z) : PH_OK;
    if (status)
        return no_nearest(f, i, status, err);
    status = ph_space_inspect(space, i, z, err);
    if (!status && !project && !alone && !(ph_space_factor_residual(space, i, z) <= admitted))
        status = off_manifold(space, i, z, err);
    return status;
}

ph_status ph_space_admit_point(const ph_space *space, bool project, double *z, ph_error *err)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        ph_status status = admit_factor(space, i, project, z, err);
        if (status)
            return status;
    }
    ph_space_correct(space, z);
    return PH_OK;
}

/* ---- Velocities and momenta ----------------------------------------------------------------------- */

/* The message where v, n numbers of factor i, is not perpendicular to q. */
static ph_status not_perpendicular(size_t i, const double *q, const double *v, size_t n, const char *what,
                                   ph_error *err)
{
    double off = 0, nearest[3];
    ph_numbers shown;
    for (size_t k = 0; k < n; k++)
        off += q[k] * v[k];
    for (size_t k = 0; k < n; k++)
        nearest[k] = v[k] - off * q[k];
    return ph_fail(err, PH_E_NOT_TANGENT,
                   "%s%zu is not perpendicular to q%zu: their product is %.3g; "
                   "the projection (PH_PROJECT) would give %s",
                   what, i + 1, i + 1, off, ph_show(&shown, nearest, n));
}

static ph_status not_spinning(size_t i, const double *R, const double *v, double off, ph_error *err)
{
    double A[9], w[3];
    ph_numbers shown;
    ph_transposed_multiply3(R, v, A);
    ph_vee3(A, w);
    return ph_fail(err, PH_E_NOT_TANGENT,
                   "velocity%zu is not R S(w): the symmetric part of R^T v has an entry of size %.3g; "
                   "the projection (PH_PROJECT) would give w = %s",
                   i + 1, off, ph_show(&shown, w, 3));
}

/* The message where v in an embedded factor is not tangent; `off`: by how much, before it was projected. */
static ph_status not_tangent(const ph_factor_place *f, size_t i, const double *v, double off,
                             const char *what, ph_error *err)
{
    ph_numbers shown;
    return ph_fail(err, PH_E_NOT_TANGENT,
                   "%s%zu is not tangent to the manifold (%s): its normal part is of size %.3g; "
                   "the projection (PH_PROJECT) would give %s",
                   what, i + 1, f->embedding->name, off, ph_show(&shown, v, f->nz));
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
        if (f->kind == PH_FACTOR_EMBEDDED) {
            ph_space_project_tangent(space, z, v);
            return not_tangent(f, i, v + f->z, off, "velocity", err);
        }
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
        double off = ph_space_factor_momentum_tangency(space, i, z, p);
        if (off <= allowed)
            continue;
        if (f->kind == PH_FACTOR_EMBEDDED) {
            ph_space_project_momentum(space, z, p);
            return not_tangent(f, i, p + f->p, off, "p", err);
        }
        return not_perpendicular(i, z + f->z, p + f->p, 3, "pi", err);
    }
    ph_space_project_momentum(space, z, p);
    return PH_OK;
}
