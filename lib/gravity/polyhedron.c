/* SPDX-License-Identifier: BSD-3-Clause */
/* The moments of a homogeneous polyhedron (polhode/domain/mass.h): of signed tetrahedra with the corners 0, v1, v2, v3,
 *     A_n = rho sum_faces det[v1 v2 v3] / (n + 3)! h_n(v1 . d, v2 . d, v3 . d),
 * h_n the complete homogeneous polynomials, by h_n(s1) = s1^n, h_n(.., sk) = sk h_(n-1)(.., sk) + h_n(.., s(k-1)): three
 * products with a linear form a degree and face. Their sum is right for any shape and origin. */
#include "mesh.h"
#include "reduced.h"

#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

enum { N = PH_MASS_DEGREE };

/* ---- Moments -------------------------------------------------------------------------------------------------- */

static double determinant(const double *const v[3])
{
    double across[3];
    ph_cross3(v[1], v[2], across);
    return ph_dot3(v[0], across);
}

/* moment += det / (n + 3)! h_n of a tetrahedron; second += int x_i x_j. */
static void add_tetrahedron(const double *const v[3], double *moment, double second[9])
{
    double h[3][PH_REDUCED_MOST] = {{1}, {1}, {1}}, t[PH_REDUCED_MOST], share = determinant(v) / 6;
    const double sum[3] = {v[0][0] + v[1][0] + v[2][0], v[0][1] + v[1][1] + v[2][1],
                           v[0][2] + v[1][2] + v[2][2]};
    for (size_t i = 0; i < 9; i++) /* det / 120 (sum_k v_k v_k^T + s s^T) */
        second[i] += share / 20 *
                     (v[0][i / 3] * v[0][i % 3] + v[1][i / 3] * v[1][i % 3] + v[2][i / 3] * v[2][i % 3] +
                      sum[i / 3] * sum[i % 3]);
    moment[0] += share;
    for (size_t n = 1; n <= N; n++) {
        share /= (double)(n + 3);
        for (size_t k = 0; k < 3; k++) {
            ph_reduced_times(n - 1, h[k], v[k], t);
            for (size_t i = 0; i < 2 * n + 1; i++)
                h[k][i] = t[i] + (k ? h[k - 1][i] : 0);
        }
        for (size_t i = 0; i < 2 * n + 1; i++)
            moment[n * n + i] += share * h[2][i];
    }
}

/* All of them about the point `from`, of density 1. */
static void sum_tetrahedra(const ph_mesh *mesh, const double from[3], double *moment, double second[9])
{
    memset(moment, 0, PH_MASS_MOMENTS * sizeof *moment);
    memset(second, 0, 9 * sizeof *second);
    for (size_t f = 0; f < mesh->faces; f++) {
        double corner[3][3];
        for (size_t k = 0; k < 9; k++)
            corner[k / 3][k % 3] = mesh->vertex[3 * mesh->face[3 * f + k / 3] + k % 3] - from[k % 3];
        const double *const v[3] = {corner[0], corner[1], corner[2]};
        add_tetrahedron(v, moment, second);
    }
}

/* body <- from the moments about `from`, seen from there, and then from the origin of the vertices. */
static void finish(const ph_mesh *mesh, double density, const double from[3], const double *moment,
                   const double second[9], ph_mass *body)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    ph_mass about = {{0}, {0}, 0};
    const double trace = second[0] + second[4] + second[8];
    for (size_t i = 0; i < PH_MASS_MOMENTS; i++)
        about.moment[i] = density * moment[i];
    for (size_t i = 0; i < 9; i++)
        about.J[i] = density * ((i % 4 ? 0 : trace) - second[i]);
    *body = (ph_mass){{0}, {0}, 0};
    ph_mass_add(&about, from, identity, body);
    body->radius = 0;
    for (size_t i = 0; i < mesh->vertices; i++)
        body->radius = fmax(body->radius, ph_norm3(mesh->vertex + 3 * i));
}

ph_status ph_mass_polyhedron(const ph_mesh *mesh, double density, ph_mass *body, int *turned, ph_error *err)
{
    if (!(density > 0) || !isfinite(density))
        return ph_fail(err, PH_E_RANGE, "the density is %g kg/m^3; it must be positive", density);
    ph_status status = ph_mesh_check(mesh, NULL, err);
    if (status)
        return status;
    /* about the mean of the vertices first, then about the centre of mass: nothing cancels there */
    double moment[PH_MASS_MOMENTS], second[9], from[3] = {0, 0, 0}, size = 0;
    for (size_t i = 0; i < 3 * mesh->vertices; i++)
        from[i % 3] += mesh->vertex[i] / (double)mesh->vertices;
    for (size_t i = 0; i < 3 * mesh->vertices; i++)
        size = fmax(size, fabs(mesh->vertex[i] - from[i % 3]));
    sum_tetrahedra(mesh, from, moment, second);
    if (!(fabs(moment[0]) > 1e-12 * size * size * size))
        return ph_fail(err, PH_E_INVALID, "the surface has no volume: %g m^3 for a size of %g m", moment[0],
                       size);
    for (size_t k = 0; k < 3; k++)
        from[k] += moment[1 + k] / moment[0];
    sum_tetrahedra(mesh, from, moment, second);
    if (turned)
        *turned = moment[0] < 0;
    finish(mesh, moment[0] < 0 ? -density : density, from, moment, second, body);
    return PH_OK;
}
