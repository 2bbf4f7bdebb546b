/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers: Philox against the known answers of Random123 (its file kat_vectors), functions against values of many
 * digits, distributions by moments that are known in closed form. A mean of n values with variance v is expected within 4.5
 * sqrt(v/n), which it misses by chance in one of 150000 seeds; the seed is fixed. */
#include "tests/kit/testkit.h"

#include "lib/random/random.h"

#include <polhode/kit/vector.h>

#include <math.h>

enum { SAMPLES = 40000 };

/* The mean of n values whose squares have the mean `second`. */
static void mean_is(const char *what, double sum, double n, double expected, double second)
{
    const double deviation = sqrt((second - expected * expected) / n);
    printf("%s: %.5f, expected %.5f +- %.5f\n", what, sum / n, expected, deviation);
    ck_assert_msg(fabs(sum / n - expected) <= 4.5 * deviation, "%s: %g is not %g", what, sum / n, expected);
}

static ph_stream stream(uint64_t member)
{
    return (ph_stream){.seed = 20260711, .member = member, .name = 7};
}

TEST(philox_gives_the_known_answers)
{
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                 {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                  {0xffffffff, 0xffffffff},
                  {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                 {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                  {0xa4093822, 0x299f31d0},
                  {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t out[4];
        ph_philox(known[i].counter, known[i].key, out);
        ck_assert_mem_eq(out, known[i].out, sizeof out);
    }
}

/* The first block of seed, member and stream 0 is that of the known answer: 52 bits of each half. */
TEST(numbers_are_bits_of_blocks)
{
    const ph_stream zero = {0, 0, 0};
    ck_assert(ph_random_uniform(&zero, 0) == ((double)(0xe169c58d6627e8d5u >> 12) + 0.5) / 0x1p52);
    ck_assert(ph_random_uniform(&zero, 1) == ((double)(0x9b00dbd8bc57ac4cu >> 12) + 0.5) / 0x1p52);
    const ph_stream all = {0xffffffffffffffffu, 0xffffffffffffffffu, 0xffffffff};
    ck_assert(ph_random_uniform(&all, 0x7fffffff) > 0 && ph_random_uniform(&all, 0x7fffffff) < 1);
}

/* Of 40 digits, by mpmath. */
TEST(functions_have_their_values)
{
    static const double quantiles[][2] = {{0x1p-53, -8.2095361516013869}, {1e-10, -6.3613409024040562},
                                          {0.01, -2.3263478740408411},    {0.075, -1.4395314709384559},
                                          {0.3, -0.52440051270804082},    {0.5, 0},
                                          {0.97725, 2.000002443899603}};
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        const double x = ph_normal_quantile(quantiles[i][0]), expected = quantiles[i][1];
        ck_assert_msg(fabs(x - expected) <= 4e-16 * fmax(1, fabs(expected)), "%.17g is not %.17g", x,
                      expected);
    }
    ck_assert(ph_normal_quantile(1 - 0x1p-53) == -ph_normal_quantile(0x1p-53));
}

TEST(uniform_numbers)
{
    double sum[4] = {0}, next = 0, neighbour = 0, stranger = 0;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        const ph_stream s = stream(i), other = stream(i + 1), named = {s.seed, i, 8};
        const double u = ph_random_uniform(&s, 0);
        for (int k = 0; k < 4; k++)
            sum[k] += pow(u, k + 1);
        next += (u - 0.5) * (ph_random_uniform(&s, 1) - 0.5);
        neighbour += (u - 0.5) * (ph_random_uniform(&other, 0) - 0.5);
        stranger += (u - 0.5) * (ph_random_uniform(&named, 0) - 0.5);
    }
    for (int k = 1; k <= 4; k++)
        mean_is("u^k", sum[k - 1], SAMPLES, 1.0 / (k + 1), 1.0 / (2 * k + 1));
    mean_is("with the next number", next, SAMPLES, 0, 1.0 / 144);
    mean_is("with the next member", neighbour, SAMPLES, 0, 1.0 / 144);
    mean_is("with another stream", stranger, SAMPLES, 0, 1.0 / 144);
}

TEST(normal_numbers)
{
    double sum[4] = {0}, beyond = 0;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        const ph_stream s = stream(i);
        const double x = ph_random_normal(&s, 3);
        for (int k = 0; k < 4; k++)
            sum[k] += pow(x, k + 1);
        beyond += fabs(x) > 2.5758293035489004;
    }
    static const double moments[] = {0, 1, 0, 3}, squares[] = {1, 3, 15, 105};
    for (int k = 0; k < 4; k++)
        mean_is("x^k", sum[k], SAMPLES, moments[k], squares[k]);
    mean_is("beyond 2.576", beyond, SAMPLES, 0.01, 0.01);
}

TEST(directions)
{
    double first[3] = {0}, second[3][3] = {{0}}, fourth = 0;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        const ph_stream s = stream(i);
        double q[3];
        ph_random_direction(&s, 0, q);
        ck_assert(fabs(ph_norm3(q) - 1) <= 4e-16);
        for (int a = 0; a < 3; a++) {
            first[a] += q[a];
            for (int b = 0; b < 3; b++)
                second[a][b] += q[a] * q[b];
        }
        fourth += pow(q[2], 4);
    }
    for (int a = 0; a < 3; a++) {
        mean_is("q", first[a], SAMPLES, 0, 1.0 / 3);
        for (int b = 0; b < 3; b++)
            mean_is("q q^T", second[a][b], SAMPLES, a == b ? 1.0 / 3 : 0, a == b ? 1.0 / 5 : 1.0 / 15);
    }
    mean_is("q3^4", fourth, SAMPLES, 1.0 / 5, 1.0 / 9);
}

/* About an axis the cosine c is uniform in [1 - h, 1], or has the density exp(k c), with the mean coth k - 1/k and the second
 * moment 1 - 2 (coth k)/k + 2/k^2; to the sides all is even. */
TEST_EACH(directions_about_an_axis, 4)
{
    static const double concentrations[] = {0.5, 20, 1000};
    const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, h = 0.3, k = _i ? concentrations[_i - 1] : 0;
    const double side[3] = {1 / sqrt(5), 2 / sqrt(5), 0};
    double sum = 0, sines = 0, aside = 0, asides = 0;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        const ph_stream s = stream(i);
        double q[3];
        if (_i)
            ph_random_around(&s, 0, axis, k, q);
        else
            ph_random_cap(&s, 0, axis, h, q);
        const double c = ph_dot3(axis, q);
        ck_assert(fabs(ph_norm3(q) - 1) <= 1e-15 && (_i || c >= 1 - h - 1e-15));
        sum += 1 - c;
        sines += 1 - c * c;
        aside += ph_dot3(side, q);
        asides += ph_dot3(side, q) * ph_dot3(side, q);
    }
    const double coth = _i ? 1 / tanh(k) : 0, mean = _i ? 1 - coth + 1 / k : h / 2;
    const double second = _i ? 1 - 2 * coth / k + 2 / (k * k) : 1 - h + h * h / 3;
    /* 1 - c^2 is at most 2 (1 - c), whose square has at most this mean */
    const double bound = fmin(1, _i ? 8 / (k * k) : 4 * h * h / 3);
    mean_is("1 - cos", sum, SAMPLES, mean, second - 1 + 2 * mean);
    mean_is("sin^2", sines, SAMPLES, 1 - second, bound);
    mean_is("aside", aside, SAMPLES, 0, (1 - second) / 2);
    mean_is("aside^2", asides, SAMPLES, (1 - second) / 2, 3 * bound / 8);
}

/* By Haar's measure the mean of (trace R)^k is how often the trivial representation is in the k-th power of the vector one:
 * 1, 0, 1, 1, 3, 6, 15, 36, 91. */
TEST(rotations_have_the_moments_of_haar)
{
    double sum[4] = {0};
    for (uint64_t i = 0; i < SAMPLES; i++) {
        const ph_stream s = stream(i);
        double c[4];
        ph_random_rotation(&s, 0, c);
        ck_assert(fabs(ph_dot(c, c, 4) - 1) <= 1e-15 && c[0] >= 0);
        const double trace = 4 * c[0] * c[0] - 1;
        for (int k = 0; k < 4; k++)
            sum[k] += pow(trace, k + 1);
    }
    static const double moments[] = {1, 0, 1, 1, 3, 6, 15, 36, 91};
    for (int k = 1; k <= 4; k++)
        mean_is("trace^k", sum[k - 1], SAMPLES, moments[k], moments[2 * k]);
}

int main(void)
{
    return tk_run("random");
}
