/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of embedded manifolds, for the suites on their laws. */
#ifndef POLHODE_TESTS_EMBEDDED_H
#define POLHODE_TESTS_EMBEDDED_H

#include "tests/kit/embeddings.h"

#include <float.h>

static const double eps = DBL_EPSILON;
enum { MOST = 32 };

double dot(size_t n, const double *a, const double *b);

double length(size_t n, const double *a);

void matvec(size_t n, const double *P, const double *v, double *out);

/* A point, tangent and normal vectors there of length 1, by the manifold's own formulas. */
typedef struct sample {
    const em_manifold *m;
    size_t n;
    double x[EM_N], v[EM_N], dv[EM_N], normal[EM_N], P[EM_N * EM_N];
    double size; /* what rounding is relative to */
} sample;

void normalise(size_t n, double *v);

void draw(const em_manifold *m, tk_random *r, sample *s);

enum { TRIALS = 100 };
typedef void law(const ph_space *space, const sample *s, tk_random *r);

void check_samples(int i, em_way way, law *check);

/* By constraints, with second derivatives and without; LAW_ALL: by P alone, too. */
#define LAW(test, check)                                                                                     \
    START_TEST(test)                                                                                         \
    {                                                                                                        \
        check_samples(_i, EM_BEND, check);                                                                   \
        check_samples(_i, EM_NO_BEND, check);                                                                \
    }                                                                                                        \
    END_TEST
#define LAW_ALL(test, check)                                                                                 \
    START_TEST(test)                                                                                         \
    {                                                                                                        \
        for (int way = 0; way < EM_WAYS; way++)                                                              \
            check_samples(_i, (em_way)way, check);                                                           \
    }                                                                                                        \
    END_TEST

#define close_to(n, a, b, tolerance, what)                                                                   \
    ck_assert_msg(tk_max_difference(a, b, n) <= (tolerance), "%s: off by %g, allowed %g", what,              \
                  tk_max_difference(a, b, n), tolerance)

#endif
