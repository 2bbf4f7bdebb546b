/* SPDX-License-Identifier: BSD-3-Clause */
/* R^d as a factor of a space: exp_z(v) = z + v. Everything is on it and tangent to it. */
#include "lib/internal/space.h"

#include <polhode/kit/algebra.h>

#include <math.h>
#include <string.h>

/* D <- v, whatever z is; as the entry act a translation by u. */
static void euclidean_increment(const ph_factor_place *f, const double *z, const double *v, double *D)
{
    (void)z;
    for (size_t i = 0; i < f->nz; i++)
        D[i] = v[i];
}

static ph_status euclidean_log(const ph_factor_place *f, const double *z, const double *z1, double *v)
{
    for (size_t i = 0; i < f->nz; i++)
        v[i] = z1[i] - z[i];
    return PH_OK;
}

static void euclidean_dexp(const ph_factor_place *f, const double *z, const double *v, const double *dv,
                           double *w)
{
    (void)z, (void)v;
    memcpy(w, dv, f->nz * sizeof *w);
}

/* All z are on the manifold. */
static void nothing(const ph_factor_place *f, double *z)
{
    (void)f, (void)z;
}

static ph_status euclidean_has_nearest(const ph_factor_place *f, const double *z)
{
    return ph_all_finite(z, f->nz) ? PH_OK : PH_E_NOT_ON_MANIFOLD;
}

static ph_status euclidean_project(const ph_factor_place *f, double *z)
{
    return euclidean_has_nearest(f, z);
}

static void nothing_sum(const ph_factor_place *f, double *z, double *low)
{
    (void)f, (void)z, (void)low;
}

/* All v are tangent. */
static void nothing_tangent(const ph_factor_place *f, const double *z, double *v)
{
    (void)f, (void)z, (void)v;
}

/* The unit vectors. */
static void euclidean_basis(const ph_factor_place *f, const double *z, double *E)
{
    (void)z;
    memset(E, 0, f->nz * f->nz * sizeof *E);
    for (size_t i = 0; i < f->nz; i++)
        E[i * f->nz + i] = 1;
}

static double euclidean_residual(const ph_factor_place *f, const double *z)
{
    return ph_all_finite(z, f->nz) ? 0 : NAN;
}

static double euclidean_tangency(const ph_factor_place *f, const double *z, const double *v)
{
    (void)z;
    return ph_all_finite(v, f->nz) ? 0 : NAN;
}

/* P = I, and its derivative is 0. */
static void euclidean_projection(const ph_factor_place *f, const double *z, double *P, size_t stride)
{
    (void)z;
    for (size_t i = 0; i < f->nz; i++)
        for (size_t j = 0; j < f->nz; j++)
            P[i * stride + j] = i == j;
}

static void euclidean_projection_along(const ph_factor_place *f, const double *z, const double *dz,
                                       const double *y, double *out)
{
    (void)z, (void)dz, (void)y;
    memset(out, 0, f->nz * sizeof *out);
}

/* Momenta are covectors, and angular velocities are velocities. */
static void same(const ph_factor_place *f, const double *z, const double *from, double *to)
{
    (void)z;
    memcpy(to, from, f->nz * sizeof *to);
}

const ph_manifold ph_manifold_euclidean = {
    .name = "R^d",
    .words = {"vector", "vector space", "vector"},
    .configurations = {"x", PH_INDEX_COUNT, "m"},
    .momenta = {"p", PH_INDEX_COUNT, "kg m/s"},
    .increment = euclidean_increment,
    .log = euclidean_log,
    .dexp = euclidean_dexp,
    .has_nearest = euclidean_has_nearest,
    .project = euclidean_project,
    .project_tangent = nothing_tangent,
    .projection = euclidean_projection,
    .projection_along = euclidean_projection_along,
    .basis = euclidean_basis,
    .residual = euclidean_residual,
    .tangency = euclidean_tangency,
    .correct = nothing,
    .correct_sum = nothing_sum,
    .momentum = same,
    .covector = same,
    .turn = same,
    .spin = same,
    .act = euclidean_increment, /* v = w */
};
