/* SPDX-License-Identifier: BSD-3-Clause */
/* exp, sinh, cosh, tanh, pow and their inverses. With k = 32 n + i near 32 x / ln 2,
 *     exp x = 2^n 2^(i/32) exp r,   |r| <= ln 2 / 64,   exp r = 1 + r + r^2 E(r);
 * with m the mantissa of x and c near 1/m,
 *     log x = n ln 2 - log c + log(1 + r),   r = m c - 1,   |r| <= 1/64,   log(1 + r) = r - r^2/2 + r^3 L(r).
 * E and L are minimax polynomials, to 2^-63 and 2^-68 of r, and all else is in pairs (P. T. P. Tang, ACM Trans. Math. Softw. 15 (1989) 144,
 * 16 (1990) 378). */
#include <polhode/kit/elementary.h>

#include "tables.h"

enum { LEAST = -1022 }; /* exponent of a normal number */

/* exp x 2^-*n, between 1 - 2^-6 and 2; |x| < 1000. */
static inline pair exponential(pair x, int *n)
{
    const double k = nearest(x.high * 0x1.71547652b82fep5);
    const int whole = (int)k, i = whole & 31;
    const pair sum = pair_sum(x.high - k * 0x1.62e42fefap-6, -k * 0x1.cf79abc9ep-45);
    const pair r = pair_of(sum.high, sum.low + (x.low - k * 0x1.d9cc01f97b57ap-84));
    const double s = r.high;
    const double E =
        0.5 + s * (0x1.5555555548e95p-3 +
                   s * (0x1.5555555552aadp-5 + s * (0x1.11115ba61ff54p-7 + s * 0x1.6c16f6bb107d8p-10)));
    *n = (whole - i) / 32;
    return pair_of(powers[i].high, powers[i].low + powers[i].high * (s + (r.low + s * s * E)));
}

/* a 2^n, rounded once also where it is not normal. */
static inline double scaled(pair a, int n)
{
    if (n < 1024 && (n > LEAST || (n == LEAST && a.high >= 1)))
        return pair_value(a) * power_of_two(n);
    if (n > 1024)
        return INFINITY;
    if (n == 1024)
        return pair_value(a) * 2 * power_of_two(n - 1);
    if (n < -1080)
        return 0;
    const double large =
        power_of_two(LEAST - n); /* in its units of 2^-52, a 2^n has none below the last bit */
    const pair sum = pair_of(large, a.high);
    const pair both = pair_of(sum.high, sum.low + a.low);
    return ((both.high - large) * 0x1p-100) * power_of_two(n + 100);
}

/* x without its last 12 bits. */
static inline double upper_bits(double x)
{
    const uint64_t bits = bits_of(x) & ~(uint64_t)0xFFF;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* log(x 2^n) of a pair near x.high > 0, normal. */
static inline pair logarithm(pair x, int n)
{
    const uint64_t bits = bits_of(x.high);
    const int i = (int)(bits >> 46 & 63), e = (int)(bits >> 52) - 1023 + (i >= 26);
    const double half = power_of_two(-e / 2), other = power_of_two(e / 2 - e), c = logarithms[i].c,
                 power = n + e;
    const double m = x.high * half * other,
                 upper = upper_bits(m); /* c has 8 bits: its products with parts of m are exact */
    const pair exact = pair_sum(upper * c - 1, (m - upper) * c);
    const pair r = pair_of(exact.high, exact.low + c * (x.low * half * other));
    const double s = r.high;
    const double L = 0x1.5555555555555p-2 +
                     s * (-0x1.00000000001d6p-2 +
                          s * (0x1.99999999a02b5p-3 +
                               s * (-0x1.55555546853bap-3 +
                                    s * (0x1.249247ca0bf48p-3 +
                                         s * (-0x1.00011fe960182p-3 +
                                              s * (0x1.c753a2a56b256p-4 + s * -0x1.8c133096ba587p-4))))));
    const pair square = pair_product(s, s);
    const pair whole = pair_sum(power * 0x1.62e42fefa3p-1, logarithms[i].log.high),
               sum = pair_sum(whole.high, s), all = pair_sum(sum.high, -0.5 * square.high);
    return pair_of(all.high,
                   all.low + (sum.low + (whole.low + (logarithms[i].log.low + power * 0x1.3de6af278ece6p-42) +
                                         (r.low + (s * square.high * L - (0.5 * square.low + s * r.low))))));
}

/* Of x > 0, finite. */
static inline pair logarithm_of(double x)
{
    return x < 0x1p-1022 ? logarithm((pair){x * 0x1p54, 0}, -54) : logarithm((pair){x, 0}, 0);
}

/* Where log x is no number that logarithm_of gives. */
static inline bool outside(double x)
{
    return !(x > 0 && x <= 0x1.fffffffffffffp1023);
}

static inline double log_outside(double x)
{
    return x == 0 ? -INFINITY : x > 0 ? x : NAN;
}

double ph_exp(double x)
{
    int n;
    if (!(fabs(x) < 1000))
        return x > 0 ? INFINITY : x < 0 ? 0 : x;
    const pair e = exponential((pair){x, 0}, &n);
    return scaled(e, n);
}

double ph_log(double x)
{
    return outside(x) ? log_outside(x) : pair_value(logarithm_of(x));
}

double ph_log10(double x)
{
    if (outside(x))
        return log_outside(x);
    const pair l = logarithm_of(x);
    const pair product = pair_times((pair){0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}, l.high);
    return product.high + (product.low + l.low * 0x1.bcb7b1526e50ep-2);
}

/* log(1 + x), |x.low| small compared with x.high > -1. */
static inline pair logarithm_above(pair x)
{
    const pair sum = pair_sum(1, x.high);
    return logarithm((pair){sum.high, sum.low + x.low}, 0);
}

double ph_log1p(double x)
{
    if (fabs(x) < 0x1p-54 || outside(1 + x))
        return fabs(x) < 0x1p-54 ? x : log_outside(1 + x);
    return pair_value(logarithm_above((pair){x, 0}));
}

double ph_asinh(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-27 || !(size <= 0x1.fffffffffffffp1023))
        return x;
    if (size > 0x1p60)
        return copysign(pair_value(logarithm((pair){size * 0x1p-2, 0}, 3)), x);
    /* log(1 + x + (sqrt(1 + x^2) - 1)), the last x^2 / (1 + sqrt(1 + x^2)) */
    const pair square = pair_product(size, size);
    const pair root = pair_sqrt(pair_add((pair){1, 0}, square));
    const pair more = pair_over(square, pair_add((pair){1, 0}, root));
    return copysign(pair_value(logarithm_above(pair_add((pair){size, 0}, more))), x);
}

double ph_atanh(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-27)
        return x;
    if (!(size < 1))
        return size == 1 ? copysign(INFINITY, x) : NAN;
    const pair ratio =
        pair_over((pair){2 * size, 0}, pair_sum(1, -size)); /* (1 + x)/(1 - x) = 1 + 2 x/(1 - x) */
    return copysign(0.5 * pair_value(logarithm_above(ratio)), x);
}

/* sinh x and cosh x - 1, |x| < 0.36, by polynomials of x^2. */
static inline pair small_sinh(double x)
{
    const double z = x * x;
    return pair_of(
        x, x * z *
               (0x1.555555555555bp-3 +
                z * (0x1.111111110eaf4p-7 +
                     z * (0x1.a01a01b4e98d9p-13 + z * (0x1.71ddeaff1a114p-19 + z * 0x1.af76e0e899e75p-26)))));
}

static inline pair small_cosh(double x)
{
    const pair square = pair_product(x, x);
    const double z = square.high;
    return pair_of(0.5 * z, 0.5 * square.low +
                                z * z *
                                    (0x1.5555555555559p-5 +
                                     z * (0x1.6c16c16c14784p-10 +
                                          z * (0x1.a01a01b07e4edp-16 +
                                               z * (0x1.27e4c51eb6f7ap-22 + z * 0x1.1f9734796fcb2p-29)))));
}

static const double small = 0.36, flat = 20; /* from where on exp(-2 x) is lost */

/* (exp x + sign exp(-x)) / 2 as a pair, 0 < x < 20. */
static inline pair hyperbolic(double x, double sign)
{
    int n;
    const pair e = exponential((pair){x, 0}, &n);
    const double half = 0.5 * power_of_two(n), other = 0.5 * sign * power_of_two(-n);
    const pair inverse = pair_over((pair){1, 0}, e);
    return pair_add((pair){e.high * half, e.low * half}, (pair){inverse.high * other, inverse.low * other});
}

/* exp(x) / 2, x >= 20. */
static inline double half_exponential(double x)
{
    int n;
    if (!(x < 1000))
        return x != x ? x : INFINITY;
    const pair e = exponential((pair){x, 0}, &n);
    return scaled(e, n - 1);
}

double ph_sinh(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-27 || x != x)
        return x;
    if (size < small)
        return pair_value(small_sinh(x));
    return copysign(size < flat ? pair_value(hyperbolic(size, -1)) : half_exponential(size), x);
}

double ph_cosh(double x)
{
    const double size = fabs(x);
    if (size < small)
        return pair_value(pair_add((pair){1, 0}, small_cosh(x)));
    return size < flat ? pair_value(hyperbolic(size, 1)) : half_exponential(size);
}

double ph_tanh(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-27 || x != x)
        return x;
    if (size < small)
        return pair_value(pair_over(small_sinh(x), pair_add((pair){1, 0}, small_cosh(x))));
    return copysign(size < flat ? pair_value(pair_over(hyperbolic(size, -1), hyperbolic(size, 1))) : 1, x);
}

double ph_expm1(double x)
{
    if (fabs(x) < 0x1p-54)
        return x;
    if (fabs(x) < small)
        return pair_value(pair_add(small_sinh(x), small_cosh(x)));
    if (!(x > -50))
        return x != x ? x : -1;
    if (!(x < 50))
        return ph_exp(x);
    int n;
    const pair e = exponential((pair){x, 0}, &n);
    const double unit = power_of_two(n);
    return pair_value(pair_add((pair){e.high * unit, e.low * unit}, (pair){-1, 0}));
}

/* Is y whole; is it odd? */
static inline bool is_whole(double y, bool *odd)
{
    *odd = fabs(y) < 0x1p53 && y == rint(y) && rint(0.5 * y) != 0.5 * y;
    return y == rint(y);
}

double ph_pow(double x, double y)
{
    bool odd, whole = is_whole(y, &odd);
    const double size = fabs(x);
    int n;
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    const double sign = odd && signbit(x) ? -1 : 1;
    if (!(fabs(y) <= 0x1.fffffffffffffp1023)) /* infinite */
        return size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0;
    if (outside(size))
        return (size > 0) == (y > 0) ? sign * INFINITY : sign * 0;
    if (x < 0 && !whole)
        return NAN;
    const pair l = logarithm_of(size);
    const double about = l.high * y;
    if (!(fabs(about) < 1000))
        return about > 0 ? sign * INFINITY : sign * 0;
    if (fabs(about) < 0x1p-60)
        return sign;
    const pair product = pair_product(l.high, y);
    const pair e = exponential(pair_of(product.high, product.low + l.low * y), &n);
    return sign * scaled(e, n);
}
