/* SPDX-License-Identifier: BSD-3-Clause */
/* sin, cos, tan. An angle is reduced to r = x - k pi/2, |r| <= pi/4, as a pair: by pi/2 in parts whose multiples are exact (W. J.
 * Cody, W. Waite, Software Manual for the Elementary Functions, 1980), where |x| >= 2^20 by those bits of 2/pi that matter (M. H. Payne,
 * R. N. Hanek, SIGNUM Newsl. 18 (1983) 19). Then sin r = r + r^3 S(r^2) and cos r = 1 - r^2/2 + r^4 C(r^2) by minimax polynomials, to 2^-58;
 * tan r is the quotient, and r + r^3 T(r^2) below 0.4. */
#include <polhode/kit/elementary.h>

#include "tables.h"

/* What two numbers are of sin and cos of r. */
static inline pair sine(pair r)
{
    const double z = r.high * r.high;
    const double S =
        -0x1.5555555555549p-3 +
        z * (0x1.111111110f8a4p-7 +
             z * (-0x1.a01a019c15b3dp-13 +
                  z * (0x1.71de357aac718p-19 + z * (-0x1.ae5e6839e9bd0p-26 + z * 0x1.5d9383e23cae8p-33))));
    return (pair){r.high, r.high * z * S + r.low * (1 - 0.5 * z)};
}

static inline pair cosine(pair r)
{
    const double z = r.high * r.high, half = 0.5 * z, rest = 1 - half;
    const double C =
        0x1.555555555554cp-5 +
        z * (-0x1.6c16c16c1521dp-10 +
             z * (0x1.a01a019cbf0d4p-16 +
                  z * (-0x1.27e4f8126530bp-22 + z * (0x1.1ee9f11087b4ep-29 + z * -0x1.8fb10a0f8cb84p-37))));
    return (pair){rest, ((1 - rest) - half) + (z * z * C - r.high * r.low)};
}

/* The 32 bits of a number from bit `bit` up. */
static uint32_t bits_from(const uint32_t *word, int bit)
{
    const uint32_t low = word[bit / 32] >> bit % 32;
    return bit % 32 ? low | word[bit / 32 + 1] << (32 - bit % 32) : low;
}

/* k mod 4 and *r of a large x > 0 = m 2^e, m of 53 bits. Words of 2/pi whose bits make multiples of 4 are left out; of the others
 * eight are enough, since no double is nearer than 2^-62 to a multiple of pi/2. */
static int reduce_far(double x, pair *r)
{
    enum { TAKEN = 8, KEPT = 6 };
    const uint64_t bits = bits_of(x), m = (bits & 0xFFFFFFFFFFFFFu) | 0x10000000000000u;
    const int e = (int)(bits >> 52) - 1075, first = e > 2 ? (e - 2) / 32 : 0;
    uint32_t product[TAKEN + 3] = {0}; /* in units of 2^-unit, the least word first; the last is 0 */
    const int unit = 32 * (first + TAKEN) - e;
    for (int half = 0; half < 2; half++) {
        uint64_t carry = 0, factor = half ? m >> 32 : m & 0xFFFFFFFFu;
        for (int i = 0; i < TAKEN; i++) {
            carry += factor * two_over_pi[first + TAKEN - 1 - i] + product[i + half];
            product[i + half] = (uint32_t)carry;
            carry >>= 32;
        }
        product[TAKEN + half] = (uint32_t)carry;
    }
    int k = (int)(bits_from(product, unit) & 3);
    uint32_t fraction[KEPT]; /* of k, the least word first */
    for (int i = 0; i < KEPT; i++)
        fraction[i] = bits_from(product, unit - 32 * (KEPT - i));
    const bool above = fraction[KEPT - 1] >> 31;
    pair sum = {0, 0};
    for (int i = 0; i < KEPT; i++) {
        const double word = above ? (double)(uint32_t)~fraction[i] : (double)fraction[i];
        const pair next = pair_of(word * power_of_two(32 * (i - KEPT)), sum.high);
        sum = pair_of(next.high, next.low + sum.low);
    }
    *r = pair_add(pair_times((pair){0x1.921fb54442d18p0, 0x1.1a62633145c07p-54}, sum.high),
                  (pair){sum.low * 0x1.921fb54442d18p0, 0});
    if (above) {
        *r = pair_minus(*r);
        k++;
    }
    return k & 3;
}

/* k mod 4 and *r; NaN where x is not finite. */
static inline int reduce(double x, pair *r)
{
    const double size = fabs(x);
    if (size <= 0x1.921fb54442d18p-1) {
        *r = (pair){x, 0};
        return 0;
    }
    if (size < 0x1p20) {
        const double k = nearest(x * 0x1.45f306dc9c883p-1);
        const pair first = pair_sum(x - k * 0x1.921fb544p0, -k * 0x1.0b4611a6p-34);
        const pair second = pair_sum(first.high, -k * 0x1.3198a2ep-69);
        *r = pair_of(second.high, first.low + (second.low - k * 0x1.b839a252049c1p-104));
        return (int)k & 3;
    }
    if (!(size <= 0x1.fffffffffffffp1023)) {
        *r = (pair){x - x, 0};
        return 0;
    }
    const int k = reduce_far(size, r);
    if (x > 0)
        return k;
    *r = pair_minus(*r);
    return -k & 3;
}

void ph_sincos(double x, double *s, double *c)
{
    pair r;
    const int k = reduce(x, &r);
    const double a = pair_value(sine(r)), b = pair_value(cosine(r));
    const double first = k & 1 ? b : a, second = k & 1 ? a : b;
    *s = fabs(x) < 0x1p-27 ? x : k & 2 ? -first : first; /* x itself: its sign where it is 0 */
    *c = (k + 1) & 2 ? -second : second;
}

double ph_sin(double x)
{
    pair r;
    if (fabs(x) < 0x1p-27)
        return x;
    const int k = reduce(x, &r);
    const double s = pair_value(k & 1 ? cosine(r) : sine(r));
    return k & 2 ? -s : s;
}

double ph_cos(double x)
{
    pair r;
    const int k = reduce(x, &r);
    const double c = pair_value(k & 1 ? sine(r) : cosine(r));
    return (k + 1) & 2 ? -c : c;
}

double ph_tan(double x)
{
    pair r;
    if (fabs(x) < 0x1p-27)
        return x;
    if (fabs(x) < 0.4) { /* x + x^3 T(x^2) */
        const double z = x * x;
        const double T =
            0x1.5555555555554p-2 +
            z * (0x1.1111111111418p-3 +
                 z * (0x1.ba1ba1b9cf871p-5 +
                      z * (0x1.664f48a054473p-6 +
                           z * (0x1.226e2ec695cf1p-7 +
                                z * (0x1.d6d5a1282c698p-9 +
                                     z * (0x1.7d7abc484bd32p-10 +
                                          z * (0x1.379be1a90908cp-11 +
                                               z * (0x1.ce046094b08c2p-13 + z * 0x1.28f847ab4e233p-13))))))));
        return x + x * z * T;
    }
    const int k = reduce(x, &r);
    pair s = sine(r), c = cosine(r);
    const pair square = pair_product(r.high, r.high);
    c.low -= 0.5 * square.low; /* what r^2 lost when it was rounded */
    s = pair_of(s.high, s.low);
    c = pair_of(c.high, c.low);
    return k & 1 ? -pair_value(pair_over(c, s)) : pair_value(pair_over(s, c));
}
