/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives with a common mistake, for the suites on their check: the mistakes, how a table is spoiled by them,
 * what the report must say, and systems on S^2 x R^3. */
#ifndef POLHODE_TESTS_MISTAKES_H
#define POLHODE_TESTS_MISTAKES_H

#include "tests/kit/testkit.h"

typedef enum mistake {
    RIGHT,
    SIGN,
    SIGN_OF_ONE,
    FACTOR,
    MISSING,
    MISSING_ONE,
    TRANSPOSED,
    SWAPPED,
    SHIFTED,
    MISTAKES
} mistake;

/* Which derivative is wrong, and how. */
typedef struct faults {
    ph_derivative of;
    mistake how;
    bool now; /* false while the system is made, which looks at some things, too */
} faults;

/* A table (rows x columns) spoiled in place; at: the one entry, where there is only one. */
void spoil(mistake how, size_t rows, size_t columns, size_t at, double *a);

/* Returns the one wrong entry of the report, with the expected name; all others are right to 1e-9. */
const ph_derivative_entry *judge_report(const ph_derivative_report *r, const faults *f);

/* The i-th mistake of something that has no transpose: a vector, or a symmetric matrix. */
int mistake_without_transpose(int i);

enum { NZ = 6 };
static const double z0[NZ] = {0.6, 0, 0.8, 0.3, -0.7, 1.1}, v0[NZ] = {0.8, 1, -0.6, 0.5, 0.2, -0.9};

/* K and C are symmetric and positive definite, G is neither; all entries differ. */
double K_(size_t i, size_t j);

double G_(size_t i, size_t j);

typedef double matrix_fn(size_t i, size_t j);

/* y <- A x; of = 1: the transpose's */
void apply_matrix(matrix_fn *A, int of, const double *x, double *y);

double apply_form(matrix_fn *A, const double *x, const double *y);

/* A system on S^2 x R^3, and what is found out about it at (z0, v0). */
ph_system *create_faulty(ph_system_definition *d, faults *f);

ph_derivative_report report_of(ph_system_definition *d, faults *f);

#endif
