/* SPDX-License-Identifier: BSD-3-Clause */
/* Solving: the one seam to dense linear algebra, Newton's iteration to stagnation, and the branch of
 * solutions followed from a known start.
 *
 * Nothing here allocates; scratch comes from the caller. Matrices are row-major, n x n.
 * All functions are thread-safe on disjoint data. */
#ifndef POLHODE_SOLVE_H
#define POLHODE_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/kit/memory.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/* ---- Dense linear algebra, with the same bits everywhere ---------------------------------------- */

/** Up to this n linear algebra takes one unknown after the other, above it panels of columns. */
#define PH_SMALL_LU 24

/** A <- its LU factors with row interchanges.
 *   A      (n x n)  overwritten
 *   pivot  (n)      row interchanges, for ph_lu_solve
 *   sign   nullable; receives the sign of det A: +1, -1, or 0
 * The factors are for ph_lu_solve.
 * PH_E_SINGULAR when a pivot is zero or not finite. */
PH_API ph_status ph_lu_factor(size_t n, double *A, int *pivot, int *sign);

/** b <- A^{-1} b with the factors of ph_lu_factor.  b (n). */
PH_API void ph_lu_solve(size_t n, const double *A, const int *pivot, double *b);

/** A <- its Cholesky factor; only the lower triangle is read. PH_E_SINGULAR when A is not positive
 * definite. */
PH_API ph_status ph_cholesky_factor(size_t n, double *A);

/** b <- A^{-1} b with the factor of ph_cholesky_factor.  b (n). */
PH_API void ph_cholesky_solve(size_t n, const double *A, double *b);

/* ---- Rows of full rank ---------------------------------------------------------------------------- */

/** m conditions a x = b on n unknowns: B (n x m), on entry a transposed, <- factors of m columns of a,
 * the pivots P, in its first m rows, and of each of the other columns, F, a row of Y^T, Y = a_P^{-1} a_F:
 *     x_P = a_P^{-1} b - Y x_F   for any x_F.
 *   order  (n)  on entry 0 ... n - 1; <- the columns, pivots first. NULL: the pivots are the first m columns
 *   size   (m)  scratch
 * The sign of det a_P with its columns in that order; 0: m > n, or a pivot is less than a thousandth of the
 * largest entry of its row of a, or not finite; then B and order are undefined. */
PH_API int ph_rows_factor(size_t m, size_t n, double *B, int *order, double *size);
/** x (m) <- a_P^{-1} x with the factors of ph_rows_factor. */
PH_API void ph_rows_solve(size_t m, const double *B, double *x);
/** y (m) <- a_P^{-T} y with them. */
PH_API void ph_rows_multipliers(size_t m, const double *B, double *y);

/** The equations M x - a^T y = f, a x = b of n unknowns x and m multipliers y, with a symmetric M, by
 * elimination of the rows of a: with W = [-Y; 1], a W = 0, W^T M W is factored, n - m numbers square. */
typedef struct ph_saddle {
    size_t m, n;     /**< rows, unknowns */
    const double *M; /**< (n x n) the caller's */
    double *B, *K;   /**< (n x m) by ph_rows_factor; (n - m)^2, the Cholesky factor of W^T M W */
    double *t, *u;   /**< (n), (n) scratch */
    int *order;      /**< (n) columns of a, pivots first */
} ph_saddle;

/** Doubles of its work. */
PH_API size_t ph_saddle_size(size_t m, size_t n);
/** *s <- the factors, in work, for rows a (m x n); M is kept by reference. false where rows are nearly
 * dependent (ph_rows_factor) or W^T M W is not positive definite. */
PH_API bool ph_saddle_factor(ph_saddle *s, size_t m, size_t n, const double *a, const double *M,
                             double *work);
/** x (n), y (m) <- the solution; y may be b (m). f (n) */
PH_API void ph_saddle_solve(const ph_saddle *s, const double *f, const double *b, double *x, double *y);

/* ---- Nonlinear equations R(x; s) = 0 ------------------------------------------------------------ */

/** A system of n equations with a parameter s in [0, 1]: s = 1 is the problem to be solved, s = 0 one
 * whose solution is known. For a time step, s h is the step size. */
typedef struct ph_equations {
    size_t n;    /**< number of unknowns */
    double size; /**< a change of an unknown by this much is a large one (angles: 1 rad) */
    /** A residual that no longer decreases is at rounding level below this, relative to its scale; 0 for
     * 1e-12. More where the residual itself is by differences. */
    double floor;
    int64_t most; /**< corrections after which ph_follow_branch gives up; 0: no such bound */
    void *self;   /**< handed to the functions */

    /** r <- R(x; s); scale_i <- sum of the magnitudes of the terms of r_i (positive), which says what
     * rounding alone can leave in r_i.   x, r, scale (n) */
    ph_status (*residual)(void *self, double s, const double *x, double *r, double *scale);

    /** J <- dR/dx (n x n) at the x and s of the latest residual call. */
    ph_status (*jacobian)(void *self, double *J);

    /** rs <- dR/ds (n) at the x and s of the latest residual call. Only ph_follow_branch needs it. */
    ph_status (*parameter_derivative)(void *self, double *rs);

    /** In place of jacobian where dR/dx is sparse, together with solve: factor it at the x and s
     * of the latest residual call. *sign <- 1 where det has the sign that it has on the branch
     * from s = 0, else -1. Where there is jacobian, too, ph_newton takes this and ph_follow_branch that. */
    ph_status (*factor)(void *self, int *sign);
    /** r (n) <- (dR/dx)^{-1} r with the latest factors. */
    void (*solve)(void *self, double *r);
} ph_equations;

/** Scratch for ph_newton and ph_follow_branch; every array belongs to the caller. */
typedef struct ph_newton_work {
    double *r, *scale, *dx, *best; /**< (n) each */
    double *x0, *tangent;          /**< (n) each; ph_follow_branch only */
    double *J, *J0;                /**< (n x n) each; J0: ph_follow_branch only */
    int *pivot, *pivot0;           /**< (n) each; pivot0 likewise */
} ph_newton_work;

/** What an iteration did. */
typedef struct ph_newton_report {
    int passes;   /**< corrections applied */
    int det_sign; /**< sign of det J at the last factorisation */
    /** Norm of the second correction over the first; 0 if there was only one, or the residual was at rounding
     * level before the second. */
    double contraction;
    double first;    /**< largest entry of the first correction */
    double residual; /**< largest |r_i| / scale_i at the result, in units of DBL_EPSILON */
    bool latest;     /**< the latest residual call was at the result */
} ph_newton_report;

/** How many corrections ph_newton may apply. */
#define PH_NEWTON_MAX_PASSES 30

/* What ph_newton decides by, for kernels that iterate several systems at once in the same way. */
/** What rounding leaves in a residual of a few terms, relative to its scale, a quarter of DBL_EPSILON; no
 * correction is better. */
#define PH_NEWTON_FLOOR 5.551115123125783e-17
/** A residual that no longer decreases is taken for stagnation at rounding level below this. Residuals
 * do not end here: they end where they stop decreasing. */
#define PH_NEWTON_LEVEL 1e-12
/** An iteration that reduces the residual by less than this factor is followed by a fresh Jacobian. */
#define PH_NEWTON_GAIN 1e-2
/** A part of the unknowns this small, relative to them, no longer matters: a hundredth of DBL_EPSILON. */
#define PH_NEWTON_NEGLIGIBLE 2.220446049250313e-18

/** Doubles (at *doubles) and ints (at *ints) that a ph_newton_work for n unknowns needs. */
PH_API void ph_newton_size(size_t n, size_t *doubles, size_t *ints);

/** The same for equations that have `factor`; no ints. */
PH_API size_t ph_newton_sparse_size(size_t n);
/** Lay the arrays of *w that these need into memory of that size. */
PH_API void ph_newton_sparse_lay(ph_newton_work *w, size_t n, double *doubles);

/** Lay the arrays of *w behind what is laid out already, for n unknowns; and those that equations that have
 * `factor` need. Only counted while l->base is NULL. */
PH_API void ph_newton_place(ph_newton_work *w, size_t n, ph_lay *l);
PH_API void ph_newton_sparse_place(ph_newton_work *w, size_t n, ph_lay *l); /**< The latter. */

/** Lay the arrays of *w into memory of that size. */
PH_API void ph_newton_lay(ph_newton_work *w, size_t n, double *doubles, int *ints);

/** Solve R(x; s) = 0 from the guess in x.
 * Corrections are applied until the residual stagnates: until it is within rounding of its terms, or
 * no further correction makes it smaller; and until nothing of the guess can be left, be it below rounding,
 * since that is on the same side in every step of a motion. The Jacobian is factored again only while that
 * pays.
 * On success x is the best iterate met.
 *   max_passes  at most so many corrections
 * PH_E_NO_CONVERGENCE when the residual neither stagnates at rounding level nor decreases,
 * PH_E_SINGULAR when the Jacobian is, PH_E_NOT_FINITE when residual, Jacobian or correction are not
 * finite; a failure of the callbacks is passed on. On failure x is undefined. */
PH_API ph_status ph_newton(const ph_equations *eq, double s, int max_passes, double *x, ph_newton_work *w,
                           ph_newton_report *report);

/** Follow the branch of solutions of R(x; s) = 0 from (x, s = 0), where x must be a solution, to
 * s = 1. Predictor along the tangent, Newton corrector. A step in s is accepted only where the corrector
 * contracts fast and the Jacobian has changed so little that none on the straight line between the two is
 * singular (|J0^{-1} J1 - I| < 1 in the 1-norm; of equations with `factor`: sign > 0 at both): a bound on the
 * step, not a proof, against joining another branch.
 * PH_E_NO_SOLUTION when the branch turns back (a fold: det J -> 0) before s = 1, or within about 1e-11 of
 * it; *reached (nullable) then says where. PH_E_NO_CONVERGENCE when it is lost otherwise. */
PH_API ph_status ph_follow_branch(const ph_equations *eq, double *x, ph_newton_work *w,
                                  ph_newton_report *report, double *reached);

PH_END_DECLS
#endif
