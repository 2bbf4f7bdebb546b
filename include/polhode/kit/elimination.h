/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse linear equations whose pattern is symmetric and known beforehand: LU without interchanges in an
 * order that keeps the fill small, for methods whose Jacobian is sparse (`factor` and `solve` of
 * ph_equations). Without interchanges this is stable where the symmetric part of the matrix is positive
 * definite.
 *
 *     ph_elimination_plan(n, pairs, row, column, most, &el, &err);   // once: order and fill
 *     F[ph_elimination_place(el, i, j)] = ...;                       // entry (i, j); F zeroed before
 *     ph_elimination_decompose(el, F, &negative);                    // F <- its factors
 *     ph_elimination_solve(el, F, x);                                // x <- A^{-1} x
 *
 * A plan is const once made and may be shared by threads; F is the caller's. Only the plan allocates.
 * Source: T. Davis, Direct Methods for Sparse Linear Systems, SIAM (2006), sections 4, 6 and 7. */
#ifndef POLHODE_ELIMINATION_H
#define POLHODE_ELIMINATION_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

PH_BEGIN_DECLS

/** The order of elimination of n unknowns and the places of the factors' entries. */
typedef struct ph_elimination ph_elimination;

/** *made <- the plan for matrices with a diagonal and with entries (row[k], column[k]) and (column[k],
 * row[k]).
 *   row, column  (pairs) row != column; a pair may be listed more than once
 *   most         how many entries a factor may have above the diagonal; 0: any number
 * PH_E_RANGE where there would be more, or an index is not below n; PH_E_NO_MEMORY. Free with
 * ph_elimination_free. */
PH_API ph_status ph_elimination_plan(size_t n, size_t pairs, const uint32_t *row, const uint32_t *column,
                                     size_t most, ph_elimination **made, ph_error *err);
PH_API void ph_elimination_free(ph_elimination *el); /**< Free; NULL is allowed. */

/** How many doubles F has. */
PH_API size_t ph_elimination_doubles(const ph_elimination *el);
/** Where in F entry (i, j) of the matrix is, which must be one of the pattern. In time log(entries of a
 * row). */
PH_API size_t ph_elimination_place(const ph_elimination *el, size_t i, size_t j);
/** F <- its factors. *negative (nullable) <- how many pivots are negative: 0 where A is symmetric and
 * positive definite, even where det A > 0. PH_E_SINGULAR where a pivot has no inverse; F is then undefined.
 * PH_E_INVALID without a plan. */
PH_API ph_status ph_elimination_decompose(const ph_elimination *el, double *F, size_t *negative);
/** x (n) <- A^{-1} x with these factors. */
PH_API void ph_elimination_solve(const ph_elimination *el, const double *F, double *x);

PH_END_DECLS
#endif
