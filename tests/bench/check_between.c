/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves between rows (tools/plot/between.h) against motions in closed form: turns on S^1, S^2 and SO(3), and a cubic in space, which is met
 * exactly; the error of the others is at most that of cubic Hermite interpolation, h^4/384 times the fourth derivative, and of order 4 or more. */
#include "tests/kit/testkit.h"

#include "tools/plot/between.h"

#include <polhode/kit/rotation.h>

#include <math.h>
#include <string.h>

/* S^1 at 0, S^2 at 2, SO(3) at 5, R^3 at 14. */
enum { CIRCLE, SPHERE = 2, BODY = 5, PLACE = 14, NZ = 17 };

/* Row (t, z, zdot): q = (cos 2t, sin 2t); q at the colatitude 1, turning about e3 at the rate -1; R = exp(1.5 t S(n)), n = (2, -1, 2)/3;
 * x = (1 - 3t + t^3, 2t^2, -t). */
static void motion(double t, double row[1 + 2 * NZ])
{
    const double n[3] = {2. / 3, -1. / 3, 2. / 3}, turn[3] = {1.5 * t * n[0], 1.5 * t * n[1], 1.5 * t * n[2]},
                 Omega[3] = {1.5 * n[0], 1.5 * n[1], 1.5 * n[2]}, s = sin(1), c = cos(1);
    double *z = row + 1, *v = z + NZ;
    row[0] = t;
    memcpy(z, (const double[]){cos(2 * t), sin(2 * t), s * cos(t), -s * sin(t), c}, 5 * sizeof *z);
    memcpy(v, (const double[]){-2 * sin(2 * t), 2 * cos(2 * t), -s * sin(t), -s * cos(t), 0}, 5 * sizeof *v);
    ph_exp3(turn, z + BODY);
    for (int k = 0; k < 3; k++) /* R S(Omega): row k is (row k of R) x Omega */
        ph_cross3(z + BODY + 3 * k, Omega, v + BODY + 3 * k);
    memcpy(z + PLACE, (const double[]){1 - 3 * t + t * t * t, 2 * t * t, -t}, 3 * sizeof *z);
    memcpy(v + PLACE, (const double[]){-3 + 3 * t * t, 4 * t, -1}, 3 * sizeof *v);
}

static void start(between *b, ph_space **space)
{
    const ph_factor factors[] = {{.kind = PH_FACTOR_S1},
                                 {.kind = PH_FACTOR_S2},
                                 {.kind = PH_FACTOR_SO3},
                                 {.kind = PH_FACTOR_R, .d = 3}};
    tk_ok(ph_space_create(factors, 4, space, NULL));
    ck_assert(between_start(b, *space));
    ck_assert_uint_eq(b->nz, NZ);
}

/* Largest error of the curve over a row of length h, of the numbers from `from` on (n). */
static double error_of(double h, size_t from, size_t n)
{
    between b;
    ph_space *space;
    double row[1 + 2 * NZ], worst = 0;
    start(&b, &space);
    motion(0.3, row);
    ck_assert(!between_enter(&b, row)); /* one row is no curve */
    motion(0.3 + h, row);
    ck_assert(between_enter(&b, row));
    for (int i = 0; i <= 16; i++) {
        motion(0.3 + h * i / 16, row);
        ck_assert(between_at(&b, i / 16.));
        worst = tk_max(worst, tk_max_difference(b.z + from, row + 1 + from, n));
        ck_assert_double_eq_tol(ph_space_residual(space, b.z), 0, 4e-16);
    }
    between_free(&b);
    ph_space_free(space);
    return worst;
}

TEST(closed_forms)
{
    const struct {
        size_t from, n;
        double rate, size; /* of the turn, and of what turns */
    } of[] = {{CIRCLE, 2, 2, 1}, {SPHERE, 3, 1, 1}, {BODY, 9, 1.5, 1}};
    for (size_t k = 0; k < 3; k++) {
        const double first = error_of(0.4, of[k].from, of[k].n), second = error_of(0.2, of[k].from, of[k].n);
        printf("%zu: %.2e, %.2e\n", k, first, second);
        ck_assert_double_le(first, of[k].size * pow(0.4 * of[k].rate, 4) / 384);
        ck_assert_double_ge(first / second,
                            13); /* 2^4, less the next order; 2^5 where all that is wrong is radial */
    }
    ck_assert_double_le(error_of(0.4, PLACE, 3), 2e-15); /* roundings of numbers up to 2 */
}

/* At four rows to a turn the curve is within 1 per cent of its radius, where the chord is 29 per cent off; beyond 2.2 rad from row to row, and
 * with numbers that are not finite, there is none. */
TEST(how_far)
{
    between b;
    ph_space *space;
    double row[1 + 2 * NZ];
    ck_assert_double_le(error_of(acos(-1) / 4, CIRCLE, 2), 0.01);
    start(&b, &space);
    motion(0, row);
    ck_assert(!between_enter(&b, row));
    motion(1, row); /* 2 rad on the circle */
    ck_assert(between_enter(&b, row));
    motion(2.25, row); /* 2.5 rad */
    ck_assert(!between_enter(&b, row));
    motion(2.5, row);
    ck_assert(between_enter(&b, row));
    motion(2.6, row);
    row[4] = NAN;
    ck_assert(!between_enter(&b, row));
    between_free(&b);
    ph_space_free(space);
}

int main(void)
{
    return tk_run("between rows");
}
