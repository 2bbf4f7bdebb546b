/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the checks of a system: a basis of the tangent space, vector by vector (frame.c); derivatives by
 * differences with an estimate of their error (differences.c); and the comparison of two tables of numbers,
 * which names the mistake that would explain the difference (mistake.c). */
#ifndef PH_INTERNAL_DERIVATIVE_H
#define PH_INTERNAL_DERIVATIVE_H

#include <stdbool.h>

#include <polhode/kit/memory.h>
#include <polhode/system.h>

/* A basis of the tangent space at z. Tangent coordinate i is that of the vector which is `row[i]` in the
 * factor `home[i]`, and 0 elsewhere. */
typedef struct ph_frame {
    const ph_space *space;
    double *E;                    /* ph_space_basis */
    const ph_factor_place **home; /* (m) */
    const double **row;           /* (m) */
    double *v;                    /* (nz) */
} ph_frame;

void ph_frame_lay(ph_frame *f, const ph_space *space, ph_lay *l);
void ph_frame_make(ph_frame *f, const double *z);
/* e (nz) <- vector i of the basis. */
void ph_frame_vector(const ph_frame *f, size_t i, double *e);
/* The component of a covector mu along vector i. */
double ph_frame_component(const ph_frame *f, const double *mu, size_t i);
/* z1 <- the point at s on a curve that leaves z along e: a geodesic (on an embedded manifold its retraction,
 * or, if it has none, the straight line, which is enough for first derivatives). */
void ph_frame_move(ph_frame *f, const double *z, const double *e, double s, double *z1);

/* values (n) <- a function along a line, at s. */
typedef ph_status (*ph_line_fn)(void *self, double s, double *values);

/* Doubles of work for n values. */
static inline size_t ph_differentiate_work(size_t n)
{
    return 4 * n;
}

/* d (n) <- df/ds at 0 by central differences of order 8 with a step of width/64. Where those of order 6
 * differ from them, other steps are tried, and the one for which the two agree best is used. Steps at which f
 * fails or is not finite are skipped; if all are, the status is that of the first. *floor <- the larger of
 * itself and the size below which a derivative may be rounding of f: a thousandth of |f| / width. */
ph_status ph_differentiate(ph_line_fn f, void *self, size_t n, double width, double *d, double *floor,
                           double *work);

/* Two tables (rows x columns) of derivatives. Of a matrix with `block` rows each row of the table is one
 * entry, row by row, and each column a coordinate; 0: the table itself is the matrix. */
typedef struct ph_comparison {
    size_t rows, columns, block;
    const double *given, *expected;
    double floor; /* errors are relative to at least this size */
} ph_comparison;

/* *entry <- the worst entry, its error relative to the largest of all and floor, and what mistake the entries
 * that are wrong have in common, or else the one that explains the worst entry. Returns false where a given
 * number is not finite; entry says which. */
bool ph_compare(const ph_comparison *c, ph_derivative_entry *entry);

/* A new entry of the report, all but its name empty. */
ph_derivative_entry *ph_report_add(ph_derivative_report *report, ph_derivative what);

/* The entries about embedded manifolds (manifold.c), at z. Failures of callbacks, PH_E_NOT_FINITE, with a
 * message. */
ph_status ph_check_manifold(const ph_space *space, const double *z, ph_derivative_report *report,
                            ph_error *err);

#endif
