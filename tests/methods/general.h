/* SPDX-License-Identifier: BSD-3-Clause */
/* `variational` with every discrete Lagrangian, for the suites on Lagrangians that the user writes down: starts,
 * steps, and a system of two spheres with an inertia that depends on the configuration. */
#ifndef POLHODE_TESTS_GENERAL_H
#define POLHODE_TESTS_GENERAL_H

#include "tests/kit/testkit.h"

static const char *const rules[] = {"ends", "midpoint", "normalised-midpoint", "exponential",
                                    "exponential-midpoint"};
enum { RULES = sizeof rules / sizeof rules[0] };

void start_rule(const ph_system *system, const char *rule, double h, const double *z, const double *v,
                ph_integrator **it, ph_state **state);

/* The state at time T by small steps of a continuous method on the Euler-Lagrange equations. */
void follow_motion(const ph_system *system, double T, int64_t n, const double *z, const double *v, double *z1,
                   double *p1);

/* Drag, a push in time and a gyroscopic force. */
ph_status push_and_drag(void *user, double t, const double *z, const double *v, double *f);

/* Two unit vectors, m_ij(q) and U invariant under rotation about the third axis. */
ph_status turning_inertia(void *user, const double *q, double *m);

ph_status turning_inertia_dz(void *user, const double *q, double *dm);

ph_status turning_potential(void *user, const double *q, double *U);

ph_status turning_gradient(void *user, const double *q, double *dU);

static const ph_factor two_spheres[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}};
static const ph_symmetry about_e3 = {.name = "J3", .text = "", .unit = "", .axis = {0, 0, 1}};
static const double two_q[6] = {0.6, 0, 0.8, 0, -0.8, -0.6}, two_v[6] = {0.3, 0.8, -0.225, 0.5, -0.3, 0.4};

ph_system *turning_system(ph_space **space);

#endif
