/* SPDX-License-Identifier: BSD-3-Clause */
/* Embedded manifolds for tests, each given by constraints with closed derivatives, by a separate formula for
 * its projection, and by a parametrisation: sphere, ellipsoids, torus, a closed curve in R^3, SO(3) in R^9, a
 * subspace of R^5. */
#ifndef POLHODE_TESTS_EMBEDDINGS_H
#define POLHODE_TESTS_EMBEDDINGS_H

#include "testkit.h"

#include <stdbool.h>

enum { EM_N = 9 }; /* the largest n */

typedef struct em_manifold {
    const char *name;
    size_t n, dimension;
    ph_constraint_fn constraint;
    ph_constraint_jacobian_fn jacobian;
    ph_constraint_bend_fn bend;
    ph_projection_fn projection;
    void (*point)(const void *user, tk_random *r, double *x); /* x <- a random point, by a parametrisation */
    double reach; /* a normal of this length leads to points whose nearest one is where it began */
    const void *user;
} em_manifold;

enum { EM_SPHERE, EM_SPHEROID, EM_ELLIPSOID, EM_TORUS, EM_CURVE, EM_SO3, EM_SUBSPACE, EM_MANIFOLDS };
const em_manifold *em_at(int i);

/* How the manifold is given to the library. */
typedef enum em_way { EM_BEND, EM_NO_BEND, EM_PROJECTION, EM_WAYS } em_way;
ph_embedding em_embedding(const em_manifold *m, em_way way);
/* A space with this factor alone, or a failed assertion. */
ph_space *em_space(int i, em_way way);

/* The half axes of the two ellipsoids. */
extern const double em_spheroid[3], em_ellipsoid[3];

#endif
