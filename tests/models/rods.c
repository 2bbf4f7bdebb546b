/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures of rods and cables: see rods.h. */
#include "rods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double unrest(const ph_system *system, const double *z)
{
    size_t n = ph_space_factors(ph_system_space(system)), middle = 3 * (n / 2);
    double *dU = malloc(9 * n * sizeof *dU), *other = dU + 3 * n, *moved = other + 3 * n, worst = 0, size = 0;
    memcpy(other, z, 3 * n * sizeof *z);
    for (size_t a = 0; a < 3; a++)
        other[middle + a] = -z[middle + a];
    tk_ok(ph_system_gradient(system, z, dU));
    tk_ok(ph_system_gradient(system, other, moved));
    for (size_t i = 0; i < n; i++) {
        double moment[3];
        ph_cross3(z + 3 * i, dU + 3 * i, moment);
        worst = tk_max(worst, ph_norm3(moment));
        size = fmax(size, fmax(ph_norm3(dU + 3 * i), ph_norm3(moved + 3 * i)));
    }
    free(dU);
    return worst / size;
}

void stiffness(const ph_system *system, const double *z, double *K)
{
    size_t n = ph_space_factors(ph_system_space(system));
    double *other = malloc(9 * n * sizeof *other), *dU = other + 3 * n, *moved = dU + 3 * n;
    memcpy(other, z, 3 * n * sizeof *z);
    tk_ok(ph_system_gradient(system, z, dU));
    for (size_t j = 0; j < n; j++) {
        ck_assert(fabs(z[3 * j + 1]) <= eps);
        other[3 * j + 1] += 1;
        tk_ok(ph_system_gradient(system, other, moved));
        other[3 * j + 1] = z[3 * j + 1];
        for (size_t i = 0; i < n; i++)
            K[i * n + j] = moved[3 * i + 1] - dU[3 * i + 1] - (i == j ? ph_dot3(z + 3 * i, dU + 3 * i) : 0);
    }
    free(other);
}

void lowest(const ph_system *system, const double *z, size_t many, double *w2)
{
    size_t n = ph_space_factors(ph_system_space(system));
    double *K = malloc((2 * n * n + n) * sizeof *K), *M = K + n * n, *mu = M + n * n;
    stiffness(system, z, K);
    memcpy(M, ph_system_inertia(system), n * n * sizeof *M);
    ck_assert_int_eq(tk_eigen(n, M, K, mu), 0);
    for (size_t k = 0; k < many; k++)
        w2[k] = 1 / mu[n - 1 - k];
    free(K);
}

void expect_order_two(const char *what, const double *error, double bound)
{
    double slope = -tk_slope(sizes, error, SIZES);
    printf("%s: error %.2e with 20 links, %.2e with 160, order %.3f\n", what, error[0], error[SIZES - 1],
           slope);
    ck_assert_double_eq_tol(slope, 2, 0.05);
    ck_assert_double_le(error[SIZES - 1], bound);
}

void tip_of(size_t n, double length, const double *q, double x[3])
{
    memset(x, 0, 3 * sizeof *x);
    for (size_t i = 0; i < 3 * n; i++)
        x[i % 3] += length / (double)n * q[i];
}
