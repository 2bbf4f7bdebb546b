/* SPDX-License-Identifier: BSD-3-Clause */
/* Data from outside: a configuration, a velocity or a momentum is checked factor by factor against the
 * manifold, or projected, and then brought there exactly. A message says which factor is off, by how much,
 * and what the projection would give. */
#include "lib/internal/space.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/text.h>

/* Data this close to the manifold is accepted as a rounded point of it. */
static const double admitted = 1e-12;

/* Room for what a manifold writes about a flaw. */
enum { SENTENCE = 400 };

/* ---- Configurations ------------------------------------------------------------------------------- */

/* There is no nearest point for factor i of z. */
static ph_status fail_no_nearest(const ph_space *space, size_t i, const double *z, ph_status status,
                                 ph_error *err)
{
    ph_factor_place room;
    const double *own = z + ph_space_place(space, i, &room)->z;
    const ph_flaw flaw = {.fault = PH_FAULT_REMOTE, .i = i, .z = own, .status = status};
    char text[SENTENCE];
    ph_space_explain(space, &flaw, text, sizeof text);
    return ph_fail(err, status, "%s", text);
}

/* Factor i of z is off the manifold: the message. z is projected on the way. */
static ph_status fail_off_manifold(const ph_space *space, size_t i, double *z, ph_error *err)
{
    ph_factor_place room;
    const ph_factor_place *f = ph_space_place(space, i, &room);
    const ph_flaw flaw = {.fault = PH_FAULT_POINT, .i = i, .z = z + f->z};
    char text[SENTENCE];
    ph_numbers nearest;
    ph_space_explain(space, &flaw, text, sizeof text);
    ph_status status = ph_space_factor_project(space, i, z);
    if (status)
        return fail_no_nearest(space, i, z, status, err);
    return ph_fail(err, PH_E_NOT_ON_MANIFOLD, "%s; the projection (PH_PROJECT) would give %s", text,
                   ph_show_numbers(&nearest, "()", z + f->z, f->nz));
}

/* Where a manifold has no projection of points (it is given by P alone), there is none to look at or to
 * do. */
static ph_status admit_factor(const ph_space *space, size_t i, bool project, double *z, ph_error *err)
{
    const bool alone = ph_space_manifold(space, i)->no_retraction;
    ph_status status = project && !alone ? ph_space_factor_project(space, i, z) : PH_OK;
    if (status)
        return fail_no_nearest(space, i, z, status, err);
    status = ph_space_inspect(space, i, z, err);
    if (!status && !project && !alone && !(ph_space_factor_residual(space, i, z) <= admitted))
        status = fail_off_manifold(space, i, z, err);
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

/* The message where factor i of a velocity or a momentum v is not tangent. v is projected on the way. */
static ph_status fail_not_tangent(const ph_space *space, size_t i, ph_fault fault, const double *z, double *v,
                                  ph_error *err)
{
    ph_factor_place room;
    const ph_factor_place *f = ph_space_place(space, i, &room);
    const ph_manifold *is = ph_space_manifold(space, i);
    const bool momentum = fault == PH_FAULT_MOMENTUM, spin = !momentum && is->words.as_spin;
    double *own = v + (momentum ? f->p : f->z), turn[3];
    const ph_flaw flaw = {.fault = fault, .i = i, .z = z + f->z, .v = own};
    char text[SENTENCE];
    ph_numbers nearest;
    ph_space_explain(space, &flaw, text, sizeof text);
    if (momentum && is->project_momentum)
        is->project_momentum(f, z + f->z, own);
    if (!momentum)
        is->project_tangent(f, z + f->z, own);
    if (spin)
        is->spin(f, z + f->z, own, turn);
    ph_show_numbers(&nearest, "()", spin ? turn : own, spin || momentum ? f->np : f->nz);
    return ph_fail(err, PH_E_NOT_TANGENT, "%s; the projection (PH_PROJECT) would give %s%s", text,
                   spin ? "w = " : "", nearest.text);
}

ph_status ph_space_admit_velocity(const ph_space *space, const double *z, bool project, double *v,
                                  ph_error *err)
{
    double allowed = admitted * ph_max_norm(v, ph_space_ambient(space));
    for (size_t i = 0; i < ph_space_factors(space) && !project; i++)
        if (!(ph_space_factor_tangency(space, i, z, v) <= allowed))
            return fail_not_tangent(space, i, PH_FAULT_VELOCITY, z, v, err);
    ph_space_project_tangent(space, z, v);
    return PH_OK;
}

ph_status ph_space_admit_momentum(const ph_space *space, const double *z, bool project, double *p,
                                  ph_error *err)
{
    double allowed = admitted * ph_max_norm(p, ph_space_momenta(space));
    for (size_t i = 0; i < ph_space_factors(space) && !project; i++)
        if (!(ph_space_factor_momentum_tangency(space, i, z, p) <= allowed))
            return fail_not_tangent(space, i, PH_FAULT_MOMENTUM, z, p, err);
    ph_space_project_momentum(space, z, p);
    return PH_OK;
}
