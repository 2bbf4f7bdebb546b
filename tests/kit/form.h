/* SPDX-License-Identifier: BSD-3-Clause */
/* The symplectic form before and after steps on a product of R^d, S^1, S^2 and SO(3), by differences; and
 * what it needs of momenta and bases by their definitions in space.h, written here once more. */
#ifndef POLHODE_TESTS_FORM_H
#define POLHODE_TESTS_FORM_H

#include "testkit.h"

enum { FM_NZ = 45, FM_NX = 20 };

void fm_covector(const ph_space *space, const double *z, const double *p, double *mu);
void fm_momentum(const ph_space *space, const double *z, const double *mu, double *p);
/* Rows (nx x nz): the basis of the tangent space, each row a whole vector. */
void fm_basis(const ph_space *space, const double *z, double *E);

/* Of the tangent coordinates: how far a variation of 1 goes in each, and in its momentum. */
typedef struct fm_units {
    double x[FM_NX], p[FM_NX];
} fm_units;

/* |DPhi^T Omega DPhi - Omega| / max(1, |DPhi|^2) in these units, its largest entry, Phi being this many steps
 * from the state taken as just set (which it is again afterwards), and |DPhi|^2 what the terms of an entry
 * amount to. DPhi is by differences of order 8 at 0.002 units: good to some 1e-12. */
double fm_form_error(ph_integrator *it, ph_state *state, int64_t steps, const fm_units *units);

/* The same along n random directions instead of all: an error of the form shows in nearly all its entries,
 * and n = 4 (six pairs) costs 32 runs for any dimension, instead of 16 nx. An error in a single entry counts
 * only a 2 nx-th. */
double fm_form_error_along(ph_integrator *it, ph_state *state, int64_t steps, const fm_units *units, size_t n,
                           tk_random *r);

#endif
