/* SPDX-License-Identifier: BSD-3-Clause */
/* R^d as a factor of a space: exp_z(v) = z + v. Everything is on it and tangent to it. */
#include "internal/space.h"

#include <polhode/algebra.h>

#include <math.h>
#include <string.h>

static void euclidean_exp(size_t n, const double *z, const double *v, double *z1)
{
    for (size_t i = 0; i < n; i++)
        z1[i] = z[i] + v[i];
}

static ph_status euclidean_log(size_t n, const double *z, const double *z1, double *v)
{
    for (size_t i = 0; i < n; i++)
        v[i] = z1[i] - z[i];
    return PH_OK;
}

static void euclidean_dexp(size_t n, const double *z, const double *v, const double *dv, double *w)
{
    (void)z, (void)v;
    memcpy(w, dv, n * sizeof *w);
}

static void nothing(size_t n, double *z)
{
    (void)n, (void)z;
}

static void nothing_tangent(size_t n, const double *z, double *v)
{
    (void)n, (void)z, (void)v;
}

static void euclidean_basis(size_t n, const double *z, double *E)
{
    (void)z;
    memset(E, 0, n * n * sizeof *E);
    for (size_t i = 0; i < n; i++)
        E[i * n + i] = 1;
}

static double euclidean_residual(size_t n, const double *z)
{
    return ph_all_finite(z, n) ? 0 : NAN;
}

static double euclidean_tangency(size_t n, const double *z, const double *v)
{
    (void)z;
    return ph_all_finite(v, n) ? 0 : NAN;
}

static bool euclidean_has_nearest(size_t n, const double *z)
{
    return ph_all_finite(z, n);
}

static void same(size_t n, const double *z, const double *from, double *to)
{
    (void)z;
    memcpy(to, from, n * sizeof *to);
}

const ph_manifold ph_manifold_euclidean = {
    .name = "R^d",
    .exp = euclidean_exp,
    .log = euclidean_log,
    .dexp = euclidean_dexp,
    .has_nearest = euclidean_has_nearest,
    .project = nothing,
    .project_tangent = nothing_tangent,
    .basis = euclidean_basis,
    .residual = euclidean_residual,
    .tangency = euclidean_tangency,
    .correct = nothing,
    .momentum = same,
    .covector = same,
    .turn = same,
    .spin = same,
    .act = euclidean_exp, /* v = w */
};
