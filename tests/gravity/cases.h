/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity and where they begin, for the suites of their motion; the barycentre rests in the origin. */
#ifndef POLHODE_TESTS_GRAVITY_CASES_H
#define POLHODE_TESTS_GRAVITY_CASES_H

#include "tests/kit/testkit.h"

enum { GC_BODIES = 5, GC_Z = 12 * GC_BODIES, GC_P = 6 * GC_BODIES };

typedef struct gc_body {
    ph_mass mass;
    double x[3], v[3], q[4],
        W[3];   /* place, velocity; attitude as a quaternion of any length; spin in its frame */
    bool point; /* has it no attitude? */
} gc_body;

typedef struct gc_case {
    size_t n, order;
    double G;
    bool relative;
    const ph_tide *tides; /* (n); NULL: none */
    gc_body body[GC_BODIES];
} gc_case;

/* A system and its state at the beginning. */
typedef struct gc_motion {
    ph_system *system;
    size_t places, nz, np;
    double z[GC_Z], p[GC_P];
} gc_motion;

/* Two ellipsoids, G = 1; two of asteroids; those and a point mass; a row of four, two of them turned in their frames. */
gc_case gc_worked(size_t order);
gc_case gc_ellipsoids(size_t order);
gc_case gc_triple(size_t order);
gc_case gc_four(size_t order);
/* A homogeneous octahedron with these half-axes [m]. */
ph_mass gc_octahedron(const double half_axes[3], double density);

/* The description; the system of it with the state; the same by callbacks alone, which no method knows as such. */
ph_gravitation *gc_description(const gc_case *c);
gc_motion gc_begin(const gc_case *c);
void gc_end(const gc_motion *m);
ph_system *gc_anonymous(const ph_system *system);

/* An integrator of `variational` of this order ("2", ...), and a state. */
void gc_start(const gc_motion *m, const ph_system *system, const char *order, double h, ph_integrator **it,
              ph_state **state);

/* Total linear momentum; total angular momentum about the origin. */
void gc_totals(const gc_motion *m, const ph_state *state, double p[3], double L[3]);
/* The largest entry of R^T R - I of all attitudes, as if formed with more digits. */
double gc_tilt(const gc_motion *m, const ph_state *state);

#endif
