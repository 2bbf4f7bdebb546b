/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity whose columns are looked at: two or three of them in a state that a test makes by hand. */
#ifndef TESTS_RUN_TRIPLE_H
#define TESTS_RUN_TRIPLE_H

#include "tests/kit/testkit.h"

enum { BODIES = 3, NZ = 9 + 18, NP = 9 + 6 };

/* Two ellipsoids, the second with axes that are not its principal ones, and a sphere that does not turn. */
typedef struct triple {
    ph_mass mass[BODIES];
    double R[9]; /* of the second body: from its principal axes to its frame */
    ph_system *system;
    ph_columns *columns;
    double z[NZ], p[NP], values[64];
    ph_state state;
} triple;

/* The first n of them, of order 2, with G below; by their distance alone? */
void triple_begin(triple *x, size_t n, bool relative);
void triple_end(triple *x);
/* x->columns <- by these words. */
ph_status triple_choose(triple *x, const char *const *words, size_t n, ph_error *err);
/* x->values <- of this word alone. */
const double *triple_see(triple *x, const char *word);
/* "orbit2_a[m]", or without the unit: static. */
const char *triple_heading(const triple *x, size_t i, bool unit);

static const double G = 6.6743e-11;

#endif
