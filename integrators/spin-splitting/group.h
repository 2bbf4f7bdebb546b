/* SPDX-License-Identifier: BSD-3-Clause */
/* WIDTH spins at once, one in each lane, and arithmetic on them: included with WIDTH 4 or 8, once for each, and
 * OF(name) is what it defines for the width. */
#ifndef PH_INTEGRATORS_SPIN_GROUP_H
#define PH_INTEGRATORS_SPIN_GROUP_H
#include "splitting.h"

/* AddressSanitizer's build has functions in place of forms that have everything in them: for those GCC takes minutes there.
 * They return vector types, so they cannot be compiled for one processor only. */
#ifdef __SANITIZE_ADDRESS__
#undef INLINE
#define INLINE static __attribute__((noinline, unused))
#undef PH_LANES_AVX2
#define PH_LANES_AVX2
#undef PH_LANES_AVX512
#define PH_LANES_AVX512
#endif

#define OF_WIDTH(name, width) name##_##width
#define OF_THIS(name, width) OF_WIDTH(name, width)
#define OF(name) OF_THIS(name, WIDTH)
#endif

typedef double OF(number) __attribute__((vector_size(8 * WIDTH)));
typedef int64_t OF(truth) __attribute__((vector_size(8 * WIDTH))); /* -1 where a comparison holds, else 0 */
typedef double OF(anywhere) __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

typedef struct OF(group) {
    OF(number) high[3], low[3];
} OF(group);

INLINE OF(number) OF(all)(double x)
{
    return (OF(number)){0} + x;
}

INLINE OF(number) OF(load)(const double *from)
{
    return *(const OF(anywhere) *)(const void *)from;
}

INLINE bool OF(any)(OF(truth) m)
{
    int64_t some = 0;
    for (int k = 0; k < WIDTH; k++)
        some |= m[k];
    return some;
}

/* The lanes below `count`. */
INLINE OF(truth) OF(below)(size_t count)
{
    OF(truth) m;
    for (int k = 0; k < WIDTH; k++)
        m[k] = k < (int)count ? -1 : 0;
    return m;
}

/* x where m holds, else 0; and x or y. */
INLINE OF(number) OF(where)(OF(truth) m, OF(number) x)
{
    return (OF(number))((OF(truth))x & m);
}

INLINE OF(number) OF(choose)(OF(truth) m, OF(number) x, OF(number) y)
{
    return (OF(number))(((OF(truth))x & m) | ((OF(truth))y & ~m));
}

INLINE OF(group) OF(from)(const ph_turned *s, size_t i)
{
    OF(group) f;
    for (int a = 0; a < 3; a++) {
        f.high[a] = OF(load)(s->high[a] + i);
        f.low[a] = OF(load)(s->low[a] + i);
    }
    return f;
}

INLINE void OF(to)(const ph_turned *s, size_t i, const OF(group) *f)
{
    for (int a = 0; a < 3; a++) {
        *(OF(anywhere) *)(void *)(s->high[a] + i) = f->high[a];
        *(OF(anywhere) *)(void *)(s->low[a] + i) = f->low[a];
    }
}

/* The last lane first. */
INLINE OF(number) OF(reversed)(OF(number) v)
{
#if WIDTH == 4
    return SHUFFLE(v, v, 3, 2, 1, 0);
#elif defined(__clang__)
    return __builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0);
#else
    return __builtin_shuffle(v, (OF(truth)){7, 6, 5, 4, 3, 2, 1, 0});
#endif
}

/* Spins i, i - 1, ... */
INLINE OF(group) OF(back_from)(const ph_turned *s, size_t i)
{
    OF(group) f = OF(from)(s, i - (WIDTH - 1));
    for (int a = 0; a < 3; a++) {
        f.high[a] = OF(reversed)(f.high[a]);
        f.low[a] = OF(reversed)(f.low[a]);
    }
    return f;
}

INLINE void OF(back_to)(const ph_turned *s, size_t i, const OF(group) *f)
{
    OF(group) back;
    for (int a = 0; a < 3; a++) {
        back.high[a] = OF(reversed)(f->high[a]);
        back.low[a] = OF(reversed)(f->low[a]);
    }
    OF(to)(s, i - (WIDTH - 1), &back);
}

/* Numbers at up to WIDTH places; where there are fewer, the first is repeated. */
INLINE OF(number) OF(gathered)(const double *from, const uint32_t *at, size_t count)
{
    OF(number) v;
    for (size_t k = 0; k < WIDTH; k++)
        v[k] = from[at[k < count ? k : 0]];
    return v;
}

/* The first `count` numbers; then the first is repeated. */
INLINE OF(number) OF(first_of)(const double *from, size_t count)
{
    OF(number) v;
    for (size_t k = 0; k < WIDTH; k++)
        v[k] = from[k < count ? k : 0];
    return v;
}

INLINE OF(group) OF(group_gathered)(const ph_turned *s, const uint32_t *at, size_t count)
{
    OF(group) f;
    for (int a = 0; a < 3; a++) {
        f.high[a] = OF(gathered)(s->high[a], at, count);
        f.low[a] = OF(gathered)(s->low[a], at, count);
    }
    return f;
}

INLINE void OF(group_scattered)(const ph_turned *s, const uint32_t *at, size_t count, const OF(group) *f)
{
    for (int a = 0; a < 3; a++)
        for (size_t k = 0; k < count; k++) {
            s->high[a][at[k]] = f->high[a][k];
            s->low[a][at[k]] = f->low[a][k];
        }
}

/* s <- the spins themselves, in double precision. */
INLINE void OF(spins)(const OF(group) *f, OF(number) *s)
{
    for (int a = 0; a < 3; a++)
        s[a] = (f->high[a] - BIAS) + f->low[a];
}

/* Component a += d, exactly but for a rounding of low, which is 1e-32. */
INLINE void OF(add)(OF(group) *f, int a, OF(number) d)
{
    const OF(number) sum = f->high[a] + d;
    f->low[a] += d - (sum - f->high[a]);
    f->high[a] = sum;
}

/* What low has gathered goes to high. */
INLINE void OF(settle)(OF(group) *f)
{
    for (int a = 0; a < 3; a++) {
        const OF(number) sum = f->high[a] + f->low[a];
        f->low[a] -= sum - f->high[a];
        f->high[a] = sum;
    }
}

/* |s|^2 - 1 without cancellation: squares of the upper halves of high - 3 are exact, and so is their sum (Dekker). */
INLINE OF(number) OF(excess)(const OF(group) *f)
{
    const double splitter = 0x1.8p27; /* what is added to it keeps 25 bits behind the point */
    OF(number) upper = OF(all)(-1), rest = OF(all)(0);
    for (int a = 0; a < 3; a++) {
        const OF(number) q = f->high[a] - BIAS, half = (q + splitter) - splitter, lower = q - half;
        upper += half * half;
        rest += (q + half) * lower + (q + q) * f->low[a];
    }
    return upper + rest;
}

INLINE OF(number) OF(dot)(const OF(number) *a, const OF(number) *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE void OF(cross)(const OF(number) *a, const OF(number) *b, OF(number) *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}
