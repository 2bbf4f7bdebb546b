/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems on spheres as phase space with many-digit answers, and random systems: shared by the suites of tests/spins and
 * by others. */
#ifndef POLHODE_TESTS_SPINKIT_H
#define POLHODE_TESTS_SPINKIT_H

#include "testkit.h"

enum { SK_MOST = 8 };

/* A problem whose end is known to 28 digits, by Taylor's series in two resolutions. */
typedef struct sk_problem {
    const char *name;
    size_t n;
    double T; /* [s] */
    double start[3 * SK_MOST], end[3 * SK_MOST];
    ph_system *(*create)(void);
} sk_problem;

enum {
    SK_VORTICES, /* four vortices, strengths 1, -1/2, 3/4, 5/4 */
    SK_RING,     /* Heisenberg ring of six */
    SK_CHAIN,    /* XXZ chain of five with field, anisotropy, strengths 1, 2, -1, 1, 1/2 */
    SK_DRIVEN,   /* Bloch sphere in a field that depends on time */
    SK_DAMPED,   /* one spin in a uniform field with damping */
    SK_PROBLEMS
};
extern const sk_problem sk_problems[SK_PROBLEMS];

/* n random spins with every kind of part (bonds of all kinds, field, anisotropies, strengths of both signs); `declared`: false
 * adds a potential by callback. control: with a field that depends on time. */
ph_system *sk_random(size_t n, bool declared, bool control, tk_random *r);
/* The same without functions, vortices and callbacks but the control; damped: each spin is. */
ph_system *sk_magnet(size_t n, bool control, bool damped, tk_random *r);
/* n spins of a ring, exchange c = 1, Gamma = 1. */
ph_system *sk_ring(size_t n);
/* z (3n) <- random unit vectors. */
void sk_random_spins(tk_random *r, size_t n, double *z);
/* Omega(u, v) = sum Gamma_i s_i . (u_i x v_i) */
double sk_omega(const ph_system *system, const double *z, const double *u, const double *v);
/* An integrator that must exist, and a state of it at t = 0. */
ph_integrator *sk_bind(const ph_system *system, const char *method, double h, const ph_setting *settings,
                       size_t n);
ph_state *sk_state(const ph_integrator *it, const double *z);
/* Steps a problem from its start to its end in `steps` steps; result: the largest error of a component. */
double sk_error(const sk_problem *p, const char *method, const ph_setting *settings, size_t n, int64_t steps);

/* A model with a preset and these parameters (n): the system, and z <- the initial condition. */
ph_system *sk_model(const char *model, const char *preset, const ph_parameter_value *values, size_t n,
                    double *z);
/* z <- the state after the time T from z at t = 0, in `steps` steps. */
void sk_move(const ph_system *system, const char *method, double T, int64_t steps, double *z);
/* s <- the vector s turned by `angle` about the unit vector `axis`. */
void sk_turn(const double *axis, double angle, double *s);

#endif
