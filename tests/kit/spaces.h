/* SPDX-License-Identifier: BSD-3-Clause */
/* The spaces on which every law is checked, and random samples of them at angles from 1e-16 to
 * pi - 1e-12. A new manifold is one row of the table in spaces.c; its factors get random points and
 * directions from the space's own projections, which are tested separately. */
#ifndef POLHODE_TESTS_SPACES_H
#define POLHODE_TESTS_SPACES_H

#include "testkit.h"

#include <stdbool.h>

#define R(size)                                                                                              \
    {                                                                                                        \
        .kind = PH_FACTOR_R, .d = size                                                                       \
    }
#define S2                                                                                                   \
    {                                                                                                        \
        .kind = PH_FACTOR_S2                                                                                 \
    }
#define S1                                                                                                   \
    {                                                                                                        \
        .kind = PH_FACTOR_S1                                                                                 \
    }
#define SO3                                                                                                  \
    {                                                                                                        \
        .kind = PH_FACTOR_SO3                                                                                \
    }
enum { MOST_FACTORS = 8, MOST_Z = 32 };

/* The table: make the i-th space, or fail the test. */
typedef struct space_row {
    const char *name;
    size_t n;
    ph_factor factors[MOST_FACTORS];
} space_row;
const space_row *space_at(int i);
int spaces(void);
ph_space *make_space(int i);

bool curved(const ph_factor_place *f); /* is it not R^d? */
/* Length of v in this factor; on SO(3) of the angular velocity, so that it is the angle of exp everywhere. */
double size_of(const ph_factor_place *f, const double *v);
void random_point(const ph_space *space, tk_random *r, double *z);
/* A random tangent vector whose part in every factor has the given length. */
void random_tangent(const ph_space *space, tk_random *r, const double *z, double length, double *v);

/* What a law gets: a space, a point, two tangent vectors of the given angle and of length 1. */
typedef struct sample {
    const ph_space *space;
    const char *name;
    size_t nz;
    double angle;
    double z[MOST_Z], v[MOST_Z], dv[MOST_Z];
} sample;

typedef void law(const sample *s, tk_random *r);

/* Check a law on 100 samples (5 in a short run) at each angle. */
void each_sample(int space_index, law *check);
/* exp at v + t dv in one factor, by its formula in long double. */
void long_exp(const ph_factor_place *f, const sample *s, long double t, long double *z1);
/* The largest coordinate on the way, which is what rounding on R^d is relative to. */
double reach(const sample *s);

#define LAW(test, check) LAW_IF(test, check, true)
#define LAW_IF(test, check, condition)                                                                       \
    TEST_EACH(test, (condition) ? spaces() : 0)                                                              \
    {                                                                                                        \
        each_sample(_i, check);                                                                              \
    }

/* x and y (nz) agree to a tolerance, and are numbers. */
#define near(s, x, y, tolerance)                                                                             \
    for (size_t near_i = 0; near_i < (s)->nz; near_i++)                                                      \
    ck_assert_msg(fabs((x)[near_i] - (y)[near_i]) <= (tolerance), "%s, angle %.17g: off by %g, allowed %g",  \
                  (s)->name, (s)->angle, fabs((x)[near_i] - (y)[near_i]), tolerance)

#endif
