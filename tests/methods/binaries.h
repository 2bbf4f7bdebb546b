/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary and triple asteroids whose motion is known to many digits: extrapolation of order 36 in 72 digits, which agrees
 * for two step sizes to 1e-41, and with an independent form of the force to 1e-11. */
#ifndef POLHODE_TESTS_BINARIES_H
#define POLHODE_TESTS_BINARIES_H

#include <polhode/gravitation.h>

#include "tests/kit/testkit.h"

enum { BINARY_BODIES = 3 };

/* A motion: bodies, orders, where they begin. */
typedef struct binary {
    const char *name;
    double G;
    size_t bodies;
    struct {
        double mass,
            axes[3]; /* mass 0: the primary of Didymos, by its moments; axes 0: a sphere of that radius[0] */
        double x[3], v[3], q[4], W[3];
    } body[BINARY_BODIES];
} binary;

/* Where it is at a time: places of the bodies after the first relative to it [m], unit quaternions. */
typedef struct binary_end {
    const binary *of;
    size_t order;
    double t, x[BINARY_BODIES - 1][3], q[2][4];
} binary_end;

enum { BINARY_ENDS = 16 };
extern const binary_end binary_ends[BINARY_ENDS];
/* By name, order and time. */
const binary_end *binary_end_of(const char *name, size_t order, double t);

/* The system, by the distance alone or as bodies in space whose barycentre rests in the origin, and where it begins. */
ph_system *binary_system(const binary *b, size_t order, bool relative);
void binary_start(const binary *b, const ph_system *system, double *z, double *zdot);

/* Largest error of a place [m], and of an entry of the first body's R, of the configuration z. */
void binary_errors(const binary_end *end, const ph_system *system, const double *z, double *x, double *R);

#endif
