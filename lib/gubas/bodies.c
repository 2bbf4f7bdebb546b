/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of a case as they are (polhode/gubas.h): signed volumes, the centre of mass in the origin, all
 * moments up to the order of the case, the whole inertia tensor. */
#include "case.h"

#include <polhode/shape.h>

#include <string.h>

/* [m^3] of the sphere of radius 1 */
static const double ball = 4.1887902047863909846;

/* body <- without its degrees from `first` on. */
static void cut(size_t first, ph_mass *body)
{
    for (size_t i = first * first; i < PH_MASS_MOMENTS; i++)
        body->moment[i] = 0;
}

static ph_status make_polyhedron(const ph_gubas_case *of, const ph_gubas_body *body, ph_gubas_solid *to,
                                 ph_error *err)
{
    ph_shape *shape = NULL;
    ph_status status = ph_gubas_read_shape(of, body, &shape, err);
    if (status)
        return status;
    const ph_mesh mesh = ph_shape_mesh(shape);
    status = ph_mass_polyhedron(&mesh, body->density, &to->mass, &to->turned, err);
    if (!status)
        ph_mass_center(&to->mass, to->center);
    else if (err) {
        const ph_error inner = *err;
        char faces[2048];
        if (!ph_gubas_beside(of, body->faces, faces, sizeof faces, err))
            ph_fail(err, status, "%.200s: %.250s", faces, inner.message);
    }
    ph_shape_free(shape);
    return status;
}

ph_status ph_gubas_solid_of(const ph_gubas_case *of, size_t i, ph_gubas_solid *to, ph_error *err)
{
    const ph_gubas_body *body = &of->body[i];
    const double *a = body->half_axes;
    memset(to, 0, sizeof *to);
    if (body->shape == PH_GUBAS_POLYHEDRON)
        return make_polyhedron(of, body, to, err);
    if (body->shape == PH_GUBAS_SPHERE)
        return ph_mass_sphere(body->density * ball * a[0] * a[0] * a[0], a[0], &to->mass, err);
    ph_status status = ph_mass_ellipsoid(body->density * ball * a[0] * a[1] * a[2], a, &to->mass, err);
    if (!status && body->order < 4)
        cut(body->order ? 3 : 1, &to->mass);
    return status;
}
