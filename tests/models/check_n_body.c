/* SPDX-License-Identifier: BSD-3-Clause */
/* Many particles on a sphere: energy and forces against their definition in long double, collisions wherever
 * they are, and the same bits from vectors of two as from the library's, which are of four where the
 * processor has them. White box: the model's source is part of this program. */
#ifndef PH_PLAIN_KERNELS
#define PH_PLAIN_KERNELS
#endif
#define ph_model_sphere_n_body narrow_sphere_n_body
#include "lib/models/sphere-n-body.c"
#undef ph_model_sphere_n_body

#include "tests/kit/testkit.h"

enum { MOST = 2 * GROUP + 2 };
static const double eps = DBL_EPSILON;

static const size_t counts[] = {1,  2,  3,         FEW,   FEW + 1,   FEW + 2,   11,           12,
                                13, 20, GROUP - 1, GROUP, GROUP + 1, GROUP + 2, 2 * GROUP + 1};

typedef struct bodies {
    size_t n;
    double gamma, m[MOST];
    ph_system *wide, *narrow;
    double z[3 * MOST];
} bodies;

static void start(bodies *b, size_t n, uint64_t seed)
{
    tk_random r = {seed};
    const double count = (double)n;
    b->n = n;
    b->gamma = tk_normal(&r);
    for (size_t i = 0; i < n; i++) {
        b->m[i] = tk_log_uniform(&r, 0.3, 3);
        tk_unit(&r, b->z + 3 * i);
    }
    const ph_parameter_value v[] = {{"masses", b->m, n}, {"gamma", &b->gamma, 1}, {"particles", &count, 1}};
    b->wide = tk_build("sphere-n-body", v, 3);
    tk_ok(ph_model_build(&narrow_sphere_n_body, v, 3, &b->narrow, NULL));
}

static void end(bodies *b)
{
    ph_system_free(b->wide);
    ph_system_free(b->narrow);
}

/* The sine from the coordinates as they are is good to eps/sine, and so are what it makes. */
TEST_EACH(forces_are_as_defined, sizeof counts / sizeof *counts)
{
    bodies b;
    double dU[3 * MOST], U, worst = 0, energy;
    long double V = 0, all = DBL_MIN;
    start(&b, counts[_i], 400 + (uint64_t)_i);
    tk_ok(ph_system_gradient(b.wide, b.z, dU));
    tk_ok(ph_system_potential(b.wide, b.z, &U));
    for (size_t i = 0; i < b.n; i++) {
        long double sum[3] = {0}, size = DBL_MIN;
        for (size_t j = 0; j < b.n; j++) {
            const double *q = b.z + 3 * i, *o = b.z + 3 * j;
            if (j == i)
                continue;
            long double c[3] = {(long double)q[1] * o[2] - (long double)q[2] * o[1],
                                (long double)q[2] * o[0] - (long double)q[0] * o[2],
                                (long double)q[0] * o[1] - (long double)q[1] * o[0]};
            long double cosine =
                (long double)q[0] * o[0] + (long double)q[1] * o[1] + (long double)q[2] * o[2];
            long double s = sqrtl(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]),
                        strength = (long double)b.gamma * b.m[i] * b.m[j];
            for (size_t a = 0; a < 3; a++)
                sum[a] -= strength * o[a] / (s * s * s);
            size += fabsl(strength) / (s * s * s * s);
            V -= strength * cosine / s / 2;
            all += fabsl(strength) / (s * s) / 2;
        }
        for (size_t a = 0; a < 3; a++)
            worst = tk_max(worst, (double)(fabsl(dU[3 * i + a] - sum[a]) / size));
    }
    energy = (double)(fabsl(U - V) / all);
    printf("%zu particles: forces off by %.1e, energy by %.1e\n", b.n, worst, energy);
    ck_assert_double_le(worst, 6 * eps);
    ck_assert_double_le(energy, 6 * eps);
    end(&b);
}

TEST_EACH(width_changes_no_bit, sizeof counts / sizeof *counts)
{
    bodies b;
    double dU[3 * MOST], narrow[3 * MOST], U, V;
    start(&b, counts[_i], 500 + (uint64_t)_i);
    tk_ok(ph_system_gradient(b.wide, b.z, dU));
    tk_ok(ph_system_gradient(b.narrow, b.z, narrow));
    tk_ok(ph_system_potential(b.wide, b.z, &U));
    tk_ok(ph_system_potential(b.narrow, b.z, &V));
    ck_assert_int_eq(memcmp(dU, narrow, 3 * b.n * sizeof *dU), 0);
    ck_assert_int_eq(memcmp(&U, &V, sizeof U), 0);
    end(&b);
}

/* Energy and force fail exactly where two particles meet or are antipodal. */
TEST(collisions_are_told_wherever_they_are)
{
    static const size_t where[][2] = {{0, 1},   {0, 5},   {3, 4},   {7, 8},     {9, 64},  {62, 63},
                                      {63, 64}, {64, 65}, {0, 128}, {127, 128}, {66, 128}};
    static bodies b;
    double dU[3 * MOST], U;
    start(&b, 2 * GROUP + 1, 600);
    tk_ok(ph_system_gradient(b.wide, b.z, dU));
    tk_ok(ph_system_potential(b.wide, b.z, &U));
    for (size_t k = 0; k < sizeof where / sizeof where[0]; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double kept[3], *one = b.z + 3 * where[k][0], *other = b.z + 3 * where[k][1];
            memcpy(kept, one, sizeof kept);
            for (size_t a = 0; a < 3; a++)
                one[a] = sign * other[a];
            ck_assert_int_eq(ph_system_gradient(b.wide, b.z, dU), PH_E_NOT_FINITE);
            ck_assert_int_eq(ph_system_potential(b.wide, b.z, &U), PH_E_NOT_FINITE);
            memcpy(one, kept, sizeof kept);
        }
    end(&b);
}

int main(void)
{
    return tk_run("n_body");
}
