/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers by Philox4x32-10, a bijection of counters that ten rounds of multiplications and keys mix:
 *     (c0, c1, c2, c3) <- (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1, lo(M0 c0)),   (k0, k1) += (W0, W1)
 * The counter is (member, stream, n/2), the key is the seed; a block has two numbers. */
#include "random.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <stddef.h>

void ph_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)a;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* 52 bits in the middle of their interval, so that neither 0 nor 1 can be. */
double ph_random_uniform(const ph_stream *s, uint32_t n)
{
    const uint32_t counter[4] = {(uint32_t)s->member, (uint32_t)(s->member >> 32), s->name, n / 2};
    const uint32_t key[2] = {(uint32_t)s->seed, (uint32_t)(s->seed >> 32)};
    uint32_t out[4];
    ph_philox(counter, key, out);
    const uint64_t bits = (uint64_t)out[n % 2 * 2 + 1] << 32 | out[n % 2 * 2];
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

static double polynomial(const double c[8], double x)
{
    double sum = c[7];
    for (int i = 6; i >= 0; i--)
        sum = sum * x + c[i];
    return sum;
}

double ph_normal_quantile(double p)
{
    /* numerators and denominators: for |p - 1/2| <= 0.425, and for tails with r = sqrt(-log p) to 5 and beyond */
    static const double middle[2][8] = {
        {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
         1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
         3.3430575583588128105e+4, 2.5090809287301226727e+3},
        {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
         2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
         5.2264952788528545610e+3}};
    static const double tail[2][8] = {
        {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
         3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
         2.27238449892691845833e-2, 7.74545014278341407640e-4},
        {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
         1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
         1.05075007164441684324e-9}};
    static const double far[2][8] = {
        {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
         2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
         2.71155556874348757815e-5, 2.01033439929228813265e-7},
        {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
         7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
         2.04426310338993978564e-15}};
    const double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        const double x = 0.180625 - q * q;
        return q * polynomial(middle[0], x) / polynomial(middle[1], x);
    }
    const double r = sqrt(-ph_log(q < 0 ? p : 1 - p));
    const double x = r <= 5 ? polynomial(tail[0], r - 1.6) / polynomial(tail[1], r - 1.6)
                            : polynomial(far[0], r - 5) / polynomial(far[1], r - 5);
    return q < 0 ? -x : x;
}

/* ---- Distributions ------------------------------------------------------------------------------------------ */

double ph_random_normal(const ph_stream *s, uint32_t n)
{
    return ph_normal_quantile(ph_random_uniform(s, n));
}

/* x (d) <- a vector of normal numbers, of length 1. Its length is 0 only where all numbers are, which none is: no multiple of
 * 2^-53 that is odd is 1/2. */
static void draw_unit(const ph_stream *s, uint32_t n, int d, double *x)
{
    double square = 0;
    for (int i = 0; i < d; i++) {
        x[i] = ph_random_normal(s, n + (uint32_t)i);
        square += x[i] * x[i];
    }
    const double length = sqrt(square);
    for (int i = 0; i < d; i++)
        x[i] /= length;
}

void ph_random_direction(const ph_stream *s, uint32_t n, double q[3])
{
    draw_unit(s, n, 3, q);
}

/* q <- at 1 - cos = height from the axis, on all sides with equal probability. */
static void turn_about(const ph_stream *s, uint32_t n, const double axis[3], double height, double q[3])
{
    const size_t least = fabs(axis[0]) <= fabs(axis[1]) && fabs(axis[0]) <= fabs(axis[2]) ? 0
                         : fabs(axis[1]) <= fabs(axis[2])                                 ? 1
                                                                                          : 2;
    double side[2], e1[3], e2[3], unit[3] = {0};
    unit[least] = 1;
    ph_cross3(axis, unit, e1);
    const double length = ph_norm3(e1), radius = sqrt(fmax(height * (2 - height), 0));
    for (int i = 0; i < 3; i++)
        e1[i] /= length;
    ph_cross3(axis, e1, e2);
    draw_unit(s, n, 2, side);
    for (int i = 0; i < 3; i++)
        q[i] = (1 - height) * axis[i] + radius * (side[0] * e1[i] + side[1] * e2[i]);
}

void ph_random_cap(const ph_stream *s, uint32_t n, const double axis[3], double height, double q[3])
{
    turn_about(s, n + 1, axis, height * ph_random_uniform(s, n), q);
}

/* With u uniform, 1 - cos = -log(1 - u (1 - exp(-2 k))) / k. */
void ph_random_around(const ph_stream *s, uint32_t n, const double axis[3], double k, double q[3])
{
    const double u = ph_random_uniform(s, n), rest = k < 300 ? ph_exp(-2 * k) : 0;
    turn_about(s, n + 1, axis, fmin(-ph_log(1 - u * (1 - rest)) / k, 2), q);
}

void ph_random_rotation(const ph_stream *s, uint32_t n, double c[4])
{
    draw_unit(s, n, 4, c);
    const double sign = c[0] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        c[i] *= sign;
}
