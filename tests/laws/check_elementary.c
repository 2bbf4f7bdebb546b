/* SPDX-License-Identifier: BSD-3-Clause */
/* Elementary functions (polhode/kit/elementary.h): within 1 ulp of what MPFR computes with 200 bits, everywhere in their domains; what C says of
 * the ends of these; and their bits, by checksums that hold for every compiler, option and processor. */
#include "tests/kit/testkit.h"
#include "tests/kit/untried.h"

#include "config.h"

#include <float.h>
#include <string.h>

#ifdef HAVE_MPFR
#include <mpfr.h>
#else
typedef struct {
    int unused;
} mpfr_t[1];
typedef int mpfr_rnd_t;
#endif

typedef double one(double);
typedef double two(double, double);
typedef int exact_one(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int exact_two(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

static double sine_of_both(double x)
{
    double s, c;
    ph_sincos(x, &s, &c);
    return s;
}

static double cosine_of_both(double x)
{
    double s, c;
    ph_sincos(x, &s, &c);
    return c;
}

#ifdef HAVE_MPFR
#define EXACT(name) mpfr_##name
#else
#define EXACT(name) NULL
#endif

/* Arguments are even over [low, high], and of all sizes from 2^from to 2^to with both signs. */
static const struct {
    const char *name;
    one *own, *c;
    exact_one *exact;
    double ulps; /* measured, and a little */
    double low, high;
    int from, to;
    uint64_t bits; /* FNV-1a of the values at `sample` */
} functions[] = {
#define ROW(name, ulps, low, high, from, to, bits)                                                           \
    {                                                                                                        \
#name, ph_##name, name, EXACT(name), ulps, low, high, from, to, bits                                 \
    }
    ROW(sin, 0.8, -7, 7, -60, 1023, 0x2da6cb8f1ff76e3a),
    ROW(cos, 0.8, -7, 7, -60, 1023, 0x69148272d529e160),
    {"sincos, s", sine_of_both, sin, EXACT(sin), 0.8, -7, 7, -60, 1023, 0xd628bf3ac28f567c},
    {"sincos, c", cosine_of_both, cos, EXACT(cos), 0.8, -7, 7, -60, 1023, 0x382fb8abbb411c9a},
    ROW(tan, 0.85, -7, 7, -60, 1023, 0x9a060bffb1d77fc0),
    ROW(asin, 0.52, -1, 1, -60, -1, 0x2a6e0f4fafd460a3),
    ROW(acos, 0.52, -1, 1, -60, -1, 0x4c7990ebd91c2ced),
    ROW(atan, 0.52, -2, 2, -1074, 1023, 0xd26f30ffba01b7cb),
    ROW(exp, 0.53, -745, 710, -60, 9, 0x9a2c968038805060),
    ROW(expm1, 0.6, -1, 1, -60, 9, 0xc29ed88b2b71f13d),
    ROW(log, 0.52, 0.5, 2, -1074, 1023, 0x8d32d15e794080ee),
    ROW(log1p, 0.52, -1, 1, -60, 60, 0xdb3f21ad479d26ed),
    ROW(log10, 0.52, 0.5, 2, -1074, 1023, 0x2bdffd0cedf1db70),
    ROW(sinh, 0.6, -1, 1, -30, 9, 0xfce548c80e1d679a),
    ROW(cosh, 0.6, -1, 1, -30, 9, 0xc79a3549688a0eb4),
    ROW(tanh, 0.6, -1, 1, -30, 6, 0x2552ae64c7da6003),
    ROW(asinh, 0.52, -1, 1, -40, 1023, 0x4dd9cd22b1971a21),
    ROW(atanh, 0.52, -1, 1, -40, -1, 0xc2a9ac9b295771e3),
    ROW(cbrt, 0.52, 0.5, 8, -1074, 1023, 0x1fb8999ecaf7149e),
#undef ROW
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static const struct {
    const char *name;
    two *own, *c;
    exact_two *exact;
    double ulps;
    uint64_t bits;
} pairs[] = {
#define ROW(name, ulps, bits)                                                                                \
    {                                                                                                        \
#name, ph_##name, name, EXACT(name), ulps, bits                                                      \
    }
    ROW(atan2, 0.52, 0x14a1ae46c82674fd),
    ROW(hypot, 1, 0x7bf0b658ab23f4ed), /* where the result is not normal it is rounded twice */
    ROW(pow, 0.65, 0x279001e041c76cf8),
#undef ROW
};
enum { PAIRS = sizeof pairs / sizeof pairs[0], POWER = 2 };

/* The k-th argument. Its numbers are whole ones and powers of two, with the same bits everywhere. */
static double sample(tk_random *r, int i, int k)
{
    if (k % 2)
        return tk_uniform(r, functions[i].low, functions[i].high);
    const double range = functions[i].to - functions[i].from;
    const int e =
        functions[i].from + (int)floor(tk_uniform(r, 0, range)); /* first, whatever order arguments have */
    const double size = ldexp(tk_uniform(r, 1, 2), e);
    return tk_uniform(r, -1, 1) < 0 ? -size : size;
}

/* Two of all sizes, or of like sizes; of a power, of all sizes or like 1, and seldom beyond the range. */
static void sample_two(tk_random *r, int i, int k, double *x, double *y)
{
    int e = (int)floor(tk_uniform(r, -1074, 1023));
    *x = ldexp(tk_uniform(r, 1, 2), e);
    if (i == POWER) {
        if (k % 4 < 2)
            *x = tk_uniform(r, 0, 4);
        frexp(*x, &e);
        *y = tk_uniform(r, -1060, 1060) / (abs(e) + 1);
        if (k % 2)
            *y = rint(*y);
    } else {
        e = k % 2 ? (int)floor(tk_uniform(r, -1074, 1023)) : 0;
        *y = k % 2 ? ldexp(tk_uniform(r, 1, 2), e) : *x * tk_uniform(r, -8, 8);
        if (tk_uniform(r, -1, 1) < 0)
            *x = -*x;
    }
}

static uint64_t mixed(uint64_t sum, double x)
{
    uint64_t bits;
    if (x != x)
        x = (double)NAN;
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 8; i++)
        sum = (sum ^ (x != x ? 0 : bits >> 8 * i & 255)) * 0x100000001b3u;
    return sum;
}

static int samples(void)
{
    return tk_short() ? 1000 : tk_thorough() ? 1000000 : 20000;
}

#ifdef HAVE_MPFR
enum { PRECISION = 200 };

/* Errors in units of the last place of the exact value. */
static double ulps_of(double got, const mpfr_t exact)
{
    const double nearest = mpfr_get_d(exact, MPFR_RNDN);
    if (nearest != nearest || !isfinite(nearest))
        return (nearest != nearest && got != got) || got == nearest ? 0 : INFINITY;
    int e;
    mpfr_t error;
    frexp(nearest, &e);
    e = nearest == 0 || e < -1021 ? -1021 : e;
    mpfr_init2(error, PRECISION);
    mpfr_sub_d(error, exact, got, MPFR_RNDN);
    mpfr_mul_2si(error, error, 53 - e, MPFR_RNDN);
    const double ulps = fabs(mpfr_get_d(error, MPFR_RNDN));
    mpfr_clear(error);
    return ulps;
}

TEST_EACH(of_one_is_within_an_ulp, FUNCTIONS)
{
    tk_random r = {1 + (uint64_t)_i};
    double worst = 0, at = 0;
    mpfr_t x, y;
    mpfr_init2(x, 53);
    mpfr_init2(y, PRECISION);
    for (int k = 0; k < samples(); k++) {
        const double given = sample(&r, _i, k);
        mpfr_set_d(x, given, MPFR_RNDN);
        functions[_i].exact(y, x, MPFR_RNDN);
        const double ulps = ulps_of(functions[_i].own(given), y);
        if (!(ulps <= worst)) {
            worst = ulps;
            at = given;
        }
    }
    mpfr_clears(x, y, NULL);
    ck_assert_msg(worst <= functions[_i].ulps, "%s is %g ulp off at %a", functions[_i].name, worst, at);
}

TEST_EACH(of_two_is_within_an_ulp, PAIRS)
{
    tk_random r = {100 + (uint64_t)_i};
    double worst = 0, at[2] = {0, 0};
    mpfr_t x, y, z;
    mpfr_init2(x, 53);
    mpfr_init2(y, 53);
    mpfr_init2(z, PRECISION);
    for (int k = 0; k < samples(); k++) {
        double given[2];
        sample_two(&r, _i, k, &given[0], &given[1]);
        mpfr_set_d(x, given[0], MPFR_RNDN);
        mpfr_set_d(y, given[1], MPFR_RNDN);
        pairs[_i].exact(z, x, y, MPFR_RNDN);
        const double ulps = ulps_of(pairs[_i].own(given[0], given[1]), z);
        if (!(ulps <= worst)) {
            worst = ulps;
            memcpy(at, given, sizeof at);
        }
    }
    mpfr_clears(x, y, z, NULL);
    ck_assert_msg(worst <= pairs[_i].ulps, "%s is %g ulp off at %a, %a", pairs[_i].name, worst, at[0], at[1]);
}
#endif

static const double special[] = {
    0,          -0.0,   1,       -1,         INFINITY,    -INFINITY, NAN,      0.5,     -0.5,     2,
    -2,         3,      -3,      1.5,        -1.5,        DBL_MAX,   -DBL_MAX, DBL_MIN, -DBL_MIN, 0x1p-1074,
    -0x1p-1074, 0x1p53, -0x1p53, 0x1p53 - 1, 1 - 0x1p-53, 1e22,      -1e22,    1000,    -1000};
enum { SPECIAL = sizeof special / sizeof special[0] };

/* The value, infinity or NaN that C's function has, and the sign, also of 0. */
static bool is_like(double own, double c)
{
    if (c != c)
        return own != own;
    return own == own && !signbit(own) == !signbit(c) &&
           (own == c || (isfinite(c) && fabs(own - c) <= 4 * DBL_EPSILON * fabs(c)));
}

TEST_EACH(of_one_ends_as_in_c, FUNCTIONS)
{
    for (int k = 0; k < SPECIAL; k++) {
        const double own = functions[_i].own(special[k]), c = functions[_i].c(special[k]);
        ck_assert_msg(is_like(own, c), "%s(%g): %g, not %g", functions[_i].name, special[k], own, c);
    }
}

TEST_EACH(of_two_ends_as_in_c, PAIRS)
{
    for (int k = 0; k < SPECIAL; k++)
        for (int l = 0; l < SPECIAL; l++) {
            const double own = pairs[_i].own(special[k], special[l]), c = pairs[_i].c(special[k], special[l]);
            ck_assert_msg(is_like(own, c), "%s(%g, %g): %g, not %g", pairs[_i].name, special[k], special[l],
                          own, c);
        }
}

TEST(powers_that_are_numbers_are_exact)
{
    for (int n = -22; n <= 22; n++)
        for (int x = 2; x <= 10; x++) {
            double power = 1;
            for (int i = 0; i < abs(n); i++)
                power *= x;
            const bool exact = power < 0x1p53;
            if (n < 0)
                power = 1 / power;
            if (exact && (n >= 0 || x == 2 || x == 4 || x == 8))
                ck_assert_msg(ph_pow(x, n) == power, "%d^%d is %a, not %a", x, n, ph_pow(x, n), power);
            if (x == 10 && n >= 0)
                ck_assert_msg(ph_log10(power) == n, "log10 of 1e%d is %a", n, ph_log10(power));
        }
    for (double x = -100; x <= 100; x++)
        ck_assert(ph_cbrt(x * x * x) == x);
    ck_assert(ph_hypot(0x3p600, -0x4p600) == 0x5p600 && ph_hypot(-0x5p-1070, 0xcp-1070) == 0xdp-1070);
}

/* Angles near multiples of pi/2 have all digits of what is left: these are of 60 digits, by mpmath. */
TEST(angles_keep_what_is_left_of_them)
{
    ck_assert(ph_sin(0x1.921fb54442d18p+1) == 0x1.1a62633145c07p-53);
    ck_assert(ph_cos(0x1.921fb54442d18p+0) == 0x1.1a62633145c07p-54);
    ck_assert(ph_cos(0x1.6ac5b262ca1ffp+849) == -0x1.14ae72e6ba22fp-61); /* the double nearest to one */
    ck_assert(ph_sin(1e22) == -0x1.b453ab76bf397p-1);
}

TEST_EACH(of_one_has_its_bits, FUNCTIONS)
{
    tk_random r = {1 + (uint64_t)_i};
    uint64_t sum = 0xcbf29ce484222325u;
    for (int k = 0; k < 2000; k++)
        sum = mixed(sum, functions[_i].own(sample(&r, _i, k)));
    ck_assert_msg(sum == functions[_i].bits, "%s: 0x%016llx", functions[_i].name, (unsigned long long)sum);
}

TEST_EACH(of_two_has_its_bits, PAIRS)
{
    tk_random r = {100 + (uint64_t)_i};
    uint64_t sum = 0xcbf29ce484222325u;
    for (int k = 0; k < 2000; k++) {
        double x, y;
        sample_two(&r, _i, k, &x, &y);
        sum = mixed(sum, pairs[_i].own(x, y));
    }
    ck_assert_msg(sum == pairs[_i].bits, "%s: 0x%016llx", pairs[_i].name, (unsigned long long)sum);
}

int main(void)
{
#ifndef HAVE_MPFR
    untried(NULL, "errors of elementary functions: there is no MPFR");
#endif
    return tk_run("elementary functions");
}
