/* SPDX-License-Identifier: BSD-3-Clause */
/* Rods and cables, for the suites on them: measures of rest and of frequencies, and errors at several numbers of
 * links. */
#ifndef POLHODE_TESTS_RODS_H
#define POLHODE_TESTS_RODS_H

#include "tests/kit/testkit.h"

#include <float.h>

static const double eps = DBL_EPSILON;

#define VALUES(...) (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)
#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { LINKS = 7 };

/* A rod as the test sees it, or a tree. */
typedef struct truth {
    size_t n;
    double l[LINKS], m[LINKS], k[LINKS], G[3], clamp[3], load[3], anchor[3], hold;
    int parent[LINKS]; /* -1: the fixed point */
} truth;

/* Moments at z, relative to the largest term of the gradient: what it is, or changes by where one link is
 * turned about (two stiff joints may all but balance). */
double unrest(const ph_system *system, const double *z);

/* K (n x n) <- second derivative of U at z, for motions along e2, to which all links are perpendicular. The
 * gradient is affine: its difference over a unit is its derivative. */
void stiffness(const ph_system *system, const double *z, double *K);

/* w2 (many) <- the lowest squared frequencies of such motions: the largest eigenvalues of M against K, which
 * LAPACK finds to rounding, where those of K against M lose the square of the number of links. */
void lowest(const ph_system *system, const double *z, size_t many, double *w2);

enum { SIZES = 4, MOST = 160 };
static const double sizes[SIZES] = {20, 40, 80, 160};

/* Errors at these sizes fall with order 2, down to the bound. */
void expect_order_two(const char *what, const double *error, double bound);

/* Place of the tip. */
void tip_of(size_t n, double length, const double *q, double x[3]);

#endif
