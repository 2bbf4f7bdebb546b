/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse matrices whose pattern is symmetric and known beforehand: orders of elimination
 * (lib/algebra/ordering.c), LU without interchanges in a pattern that is found once (elimination.c), and as
 * its reference a banded LU with interchanges (band.c). The objects are const once created and may be
 * shared; numbers live in the caller's memory, so that a factorisation does not allocate. That is why the
 * numeric phase of KLU or another library is not used: it allocates at each factorisation, or keeps its
 * factors in an object that only one thread can use. */
#ifndef PH_INTERNAL_ELIMINATION_H
#define PH_INTERNAL_ELIMINATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/kit/elimination.h>

/* The symmetric pattern off the diagonal: row i has entries in the columns neighbour[start[i]] up to
 * neighbour[start[i + 1] - 1]. i itself is not among them; each pair is listed in both rows. */
typedef struct ph_graph {
    size_t n;
    const size_t *start;       /* (n + 1) */
    const uint32_t *neighbour; /* (start[n]) */
} ph_graph;

/* ---- Orders: order[k] (n) <- the unknown that is eliminated k-th. These functions allocate. ------ */

/* Reverse Cuthill-McKee: neighbours get places near one another, and the entries a narrow band. (Cuthill,
 * McKee 1969; from a start at the edge of the graph, George and Liu 1979.) PH_E_NO_MEMORY. */
ph_status ph_order_cuthill_mckee(const ph_graph *graph, uint32_t *order);
/* Approximate minimum degree, by SuiteSparse's AMD: little fill. PH_E_NO_MEMORY; PH_E_UNSUPPORTED where the
 * library was built without it. */
ph_status ph_order_minimum_degree(const ph_graph *graph, uint32_t *order);
/* Minimum degree where the library was built with AMD, else reverse Cuthill-McKee. */
ph_status ph_order_best(const ph_graph *graph, uint32_t *order);

/* swap (n) <- the order as interchanges: x[k] with x[swap[k]] for k = 0, 1, ... brings unknowns to their
 * places in place. scratch (2 n) */
void ph_order_swaps(size_t n, const uint32_t *order, uint32_t *swap, uint32_t *scratch);
/* x, n blocks of d numbers: from unknowns to places, and back. */
void ph_order_apply(size_t n, const uint32_t *swap, size_t d, double *x);
void ph_order_undo(size_t n, const uint32_t *swap, size_t d, double *x);

/* ---- LU without interchanges --------------------------------------------------------------------- */

/* The pattern of A = (I + L) D (I + U) in an order of elimination. Column k of L and row k of U have entries
 * with the same later places, those of list k, ascending. */
struct ph_elimination {
    size_t n, entries;  /* in all lists */
    size_t *start;      /* (n + 1) list k begins here */
    uint32_t *later;    /* (entries) */
    size_t *row_start;  /* (n + 1) which lists contain k, ... */
    uint32_t *row_from; /* (entries) numbers of these lists, ascending, ... */
    uint32_t *row_at;   /* (entries) and the position of k among all entries */
    uint32_t *place;    /* (n) of each unknown */
    uint32_t *order;    /* (n) the unknown at each place */
    uint32_t *swap;     /* (n) the same as interchanges */
};

/* One block; free() it. most: how many entries there may be; 0: as many as can be counted, 2^32.
 * PH_E_NO_MEMORY, PH_E_RANGE where there are more. */
ph_status ph_elimination_create(const ph_graph *graph, const uint32_t *order, size_t most,
                                ph_elimination **elimination);
/* Where in the lists the entry of these two places is, first < second. There must be one. */
size_t ph_elimination_entry(const ph_elimination *el, size_t first, size_t second);

/* Doubles of F, which holds the matrix and then its factors: */
static inline size_t ph_elimination_size(const ph_elimination *el)
{
    return 3 * el->n + 2 * el->entries;
}
/* (n) the diagonal by places; of the factors 1 / D. */
static inline double *ph_elimination_diagonal(double *F)
{
    return F;
}
/* (entries) pairs: for entry e of list k, which is j, A_jk and A_kj; once factored, L_jk and (D U)_kj. */
static inline double *ph_elimination_pairs(const ph_elimination *el, double *F)
{
    return F + el->n;
}

/* What an elimination has met. */
typedef struct ph_pivots {
    size_t negative;
    bool grown; /* has a pivot lost digits to numbers much larger than size[k]? Never where A is positive
                   definite */
} ph_pivots;

/* F <- its factors. size (n): the size of the diagonal at each place, against which growth is judged.
 * PH_E_SINGULAR where a pivot has no inverse. */
ph_status ph_elimination_factor(const ph_elimination *el, double *F, const double *size, ph_pivots *pivots);

/* For a symmetric matrix D and D U are enough, as L = U^T: */
typedef struct ph_symmetric_factors {
    double *pivot, *inverse; /* (n) D, 1 / D */
    double *up;              /* (entries) D U */
} ph_symmetric_factors;
/* x (n blocks of d) <- A^{-1} x, and A x, for each of the d numbers. */
void ph_symmetric_solve(const ph_elimination *el, const ph_symmetric_factors *f, size_t d, double *x);
void ph_symmetric_apply(const ph_elimination *el, const ph_symmetric_factors *f, size_t d, double *x);

/* ---- Banded LU with interchanges ----------------------------------------------------------------- */

/* In the order of Cuthill and McKee. */
typedef struct ph_band {
    size_t n, width;        /* entries are at most that far from the diagonal */
    uint32_t *place, *swap; /* (n) */
} ph_band;

/* One block; free() it. PH_E_NO_MEMORY */
ph_status ph_band_create(const ph_graph *graph, ph_band **band);
/* Doubles of B, which holds the matrix and then its factors. */
size_t ph_band_size(const ph_band *band);
/* Entry (i, j) of the matrix, by unknowns; zero B first. */
static inline double *ph_band_entry(const ph_band *band, double *B, size_t i, size_t j)
{
    size_t row = band->place[i], column = band->place[j];
    return B + row * (3 * band->width + 1) + band->width + column - row;
}
/* B <- its factors, *sign <- that of det A. PH_E_SINGULAR */
ph_status ph_band_factor(const ph_band *band, double *B, int *sign);
/* x (n, by unknowns) <- A^{-1} x */
void ph_band_solve(const ph_band *band, const double *B, double *x);

#endif
