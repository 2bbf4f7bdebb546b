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
#define LAW(test, check) LAW_IF(test, check, true)
#define LAW_IF(test, check, condition) LAW_OF(test, check, EM_NO_BEND, condition)
#define LAW_ALL(test, check) LAW_OF(test, check, EM_WAYS - 1, true)
#define LAW_OF(test, check, last, condition)                                                                 \
    TEST_EACH(test, (condition) ? EM_MANIFOLDS : 0)                                                          \
    {                                                                                                        \
        for (int way = 0; way <= (last); way++)                                                              \
            check_samples(_i, (em_way)way, check);                                                           \
    }

#define close_to(n, a, b, tolerance, what)                                                                   \
    ck_assert_msg(tk_max_difference(a, b, n) <= (tolerance), "%s: off by %g, allowed %g", what,              \
                  tk_max_difference(a, b, n), tolerance)

#endif
