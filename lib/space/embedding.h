/* SPDX-License-Identifier: BSD-3-Clause */
/* Embedded manifolds: functions for both those given by constraints and those given by their projection
 * (embedding.c); constraints at a point (constraints.c), on which the retraction (retraction.c) and the
 * nearest point (nearest.c) are built, and on all of these the manifold (constrained.c). */
#ifndef PH_INTERNAL_EMBEDDING_H
#define PH_INTERNAL_EMBEDDING_H

#include <stdbool.h>

#include "lib/algebra/orthogonal.h"
#include "lib/internal/space.h"
#include <polhode/space.h>

_Static_assert(PH_ORTHOGONAL_MOST == PH_EMBEDDING_MOST, "every Jacobian finds room");

/* Is the embedding valid as factor i of a space? PH_E_INVALID with the reason. */
ph_status ph_embedding_check(const ph_embedding *e, size_t i, ph_error *err);

/* For messages; never NULL. */
const char *ph_embedding_name(const ph_embedding *e);

/* out (count) <- derivative along v of the matrix that the callback gives at x, by differences of order 4:
 * its status, PH_E_NOT_FINITE. */
ph_status ph_embedding_difference(const ph_embedding *e, ph_projection_fn matrix, const double *x,
                                  const double *v, size_t count, double *out);

/* Is the flaw that of a tangent vector or momentum? Otherwise it is that of a point. */
static inline bool ph_embedding_is_vector(const ph_flaw *flaw)
{
    return flaw->fault != PH_FAULT_REMOTE && flaw->fault != PH_FAULT_POINT;
}
/* explain of a ph_manifold. off: of the point, its residual; of a vector, its normal part. */
void ph_embedding_explain(const ph_factor_place *f, const ph_flaw *flaw, double off, char *text, size_t size);

/* The result of a function without a status where a callback fails. */
void ph_embedding_fill_nan(double *out, size_t n);

/* to <- from: for the entries of the tables of operations for which w = v and mu = p. */
void ph_embedding_same(const ph_factor_place *f, const double *z, const double *from, double *to);

/* ---- Constraints at a point ----------------------------------------------------------------------- */

/* g and A with every row divided by a power of two, so that the constraints' units do not matter. */
typedef struct ph_constraints {
    size_t m, n;
    int exponent[PH_EMBEDDING_MOST];
    double g[PH_EMBEDDING_MOST];
    double rows[PH_EMBEDDING_MOST * PH_EMBEDDING_MOST]; /* A */
    ph_orthogonal A; /* its factors; the matrix itself before it is factored */
} ph_constraints;

/* Where a retraction arrives: z1, A there (rows as above), and the factors of A(z1) Q, Q the normal space of
 * z. */
typedef struct ph_landing {
    double z[PH_EMBEDDING_MOST], low[PH_EMBEDDING_MOST]; /* low: set where the start had a low-order part */
    double D[PH_EMBEDDING_MOST];                         /* z1 - z, to its own relative accuracy */
    double A[PH_EMBEDDING_MOST * PH_EMBEDDING_MOST], B[PH_EMBEDDING_MOST * PH_EMBEDDING_MOST];
    int pivot[PH_EMBEDDING_MOST];
} ph_landing;

/* g (nullable) and A at x, rows divided by 2^exponent; *what (nullable) <- which callback fails. */
ph_status ph_constraints_evaluate(const ph_factor_place *f, const double *x, double *g, double *A,
                                  int *exponent, const char **what);
/* *c <- A at x, factored, and g if `values`; *what (nullable) <- which callback fails. Fails as the next one. */
ph_status ph_constraints_factored_at(const ph_factor_place *f, const double *x, bool values,
                                     ph_constraints *c, const char **what);
/* *c <- the constraints at x, factored. A callback's status, PH_E_NOT_FINITE, PH_E_SINGULAR (rank < m). */
ph_status ph_constraints_at(const ph_factor_place *f, const double *x, ph_constraints *c);
/* *c <- the tangent space at x: as ph_constraints_at, but without g. */
ph_status ph_constraints_tangent_at(const ph_factor_place *f, const double *x, ph_constraints *c);
/* v <- its tangent part. */
void ph_constraints_make_tangent(const ph_constraints *c, double *v);
/* dA (m x n), rows as those of *c, <- derivative of A along v at x. */
ph_status ph_constraints_bend(const ph_factor_place *f, const ph_constraints *c, const double *x,
                              const double *v, double *dA);
/* to->z <- z + v + a normal vector at z, on the manifold; at_z: the constraints at z. PH_E_NO_SOLUTION where
 * there is none on the sheet of z; a callback's status, PH_E_NOT_FINITE. */
ph_status ph_constraints_retract(const ph_factor_place *f, const ph_constraints *at_z, const double *z,
                                 const double *low, const double *v, ph_landing *to);
/* The entries of the table of operations that the retraction is for: see ph_manifold. */
void ph_constraints_increment(const ph_factor_place *f, const double *z, const double *v, double *D);
void ph_constraints_increment_sum(const ph_factor_place *f, const double *z, const double *low,
                                  const double *v, double *D);
ph_status ph_constraints_log(const ph_factor_place *f, const double *z, const double *z1, double *v);
void ph_constraints_dexp(const ph_factor_place *f, const double *z, const double *v, const double *dv,
                         double *w);
/* x <- the nearest point of the manifold (nearest.c); unchanged on failure. PH_E_NOT_ON_MANIFOLD, or as
 * above. */
ph_status ph_constraints_nearest(const ph_factor_place *f, double *x);

#endif
