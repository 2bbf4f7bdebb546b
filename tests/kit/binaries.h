/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity whose motion is known to many digits: five problems with their end states. */
#ifndef POLHODE_TESTS_BINARIES_H
#define POLHODE_TESTS_BINARIES_H

#include "testkit.h"

typedef enum tk_binary {
    TK_ELLIPSOIDS, /* two triaxial ellipsoids, tilted, their spins far from the orbit's */
    TK_KW4,        /* like the pair 1999 KW4: equivalent ellipsoids, the smaller one bound to its orbit */
    TK_DIDYMOS,    /* GUBAS's example: a polyhedron and an ellipsoid, planar but for the polyhedron's shape */
    TK_OCTAHEDRA,  /* two octahedra that almost touch, in metres */
    TK_TRIPLE,     /* TK_ELLIPSOIDS and a sphere */
    TK_BINARIES
} tk_binary;

enum { TK_BINARY_BODIES = 3, TK_BINARY_NUMBERS = 18 * TK_BINARY_BODIES };

/* Where they are at the time t [s]. y: of each body x [m], p [kg m/s] (inertial, the barycentre rests in the origin), R (row-major,
 * body to space) and Pi [kg m^2/s] (body frame), one after the other. From a solution of 72 digits by extrapolation of order 36
 * with two step sizes that agree to 1e-41; here rounded to double. */
typedef struct tk_binary_end {
    tk_binary binary;
    size_t order; /* of the mutual potential */
    double t, y[TK_BINARY_NUMBERS];
} tk_binary_end;

enum { TK_BINARY_ENDS = 16 };
extern const tk_binary_end tk_binary_ends[TK_BINARY_ENDS];

const char *tk_binary_name(tk_binary which);
size_t tk_binary_bodies(tk_binary which);
double tk_binary_G(tk_binary which);
ph_mass tk_binary_mass(tk_binary which, size_t body);

/* The system, and its start at t = 0. relative: by the distance of the two bodies alone. */
ph_system *tk_binary_system(tk_binary which, size_t order, bool relative);
void tk_binary_start(const ph_system *system, tk_binary which, double *z, double *p);

/* y, as in tk_binary_end, <- from a state; the other way. */
void tk_binary_pack(const ph_system *system, const double *z, const double *p, double *y);
void tk_binary_unpack(const ph_system *system, const double *y, double *z, double *p);

/* The largest differences: of distances from body 0 (in units of the first of them), of velocities likewise, of the elements of
 * R, of angular momenta (in units of the body's own largest). */
typedef struct tk_binary_error {
    double x, v, R, Pi;
} tk_binary_error;
tk_binary_error tk_binary_compare(const ph_system *system, const double *y, const double *z, const double *p);
double tk_binary_largest(tk_binary_error e);

/* R (9) <- of a quaternion w, x, y, z of any length. */
void tk_attitude(const double q[4], double R[9]);
/* The description of this definition; the system of a description, which it takes over. */
ph_gravitation *tk_gravitation(ph_gravitation_definition d);
ph_system *tk_gravitating(ph_gravitation *g);

#endif
