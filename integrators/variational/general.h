/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the step for any Lagrangian share (general.c): its scratch, its equations
 * (general-equations.c), and what embedded manifolds need besides (general-embedded.c). */
#ifndef PH_INTEGRATORS_VARIATIONAL_GENERAL_H
#define PH_INTEGRATORS_VARIATIONAL_GENERAL_H

#include "integrators/shared/carry.h"
#include "integrators/shared/discrete-lagrangian.h"
#include "variational.h"

#include <polhode/kit/solve.h>

/* Velocity constraints, general-constraints.c: nothing where m = 0. */
typedef struct general_constraints {
    size_t m;
    double unit;                       /* the inertia that the rows are scaled to */
    double *A, *b;                     /* (m x nz), (m) at the beginning of the step; at the end of it */
    double *points_A[2], *points_b[2]; /* likewise at the points; A itself where the first one is z */
    double *scale, *pull;              /* (m) c, (m x nx) c A E */
    double *noise, *rate, *impulse;    /* (m) */
    double *along, *push;              /* (nz) */
    double *E1, *pE1, *x1, *M1;        /* basis at z+; (nx) momentum and velocity; (nx x nx) inertia */
    bool uniform;                      /* is it the same everywhere, but for the unit of length? */
    double *E0;                        /* a basis like E1, of no particular configuration */
    double M1_length;                  /* the unit of length that M1 belongs to, where it stays; 0: none */
    double *T;                         /* (nx x nx) */
    double *X, *Q, *U, *S, *H;         /* (m x nx), (m x m): see where they are used */
    int *pivot;                        /* (m) */
    /* The rows a and C of the saddle, eliminated: general-reduced.c. */
    bool reduced;        /* are those of the latest Jacobian? */
    size_t k;            /* nx - m */
    double *Ba, *Bc;     /* (nx x m) factors of a and C */
    double *V, *K, *H1;  /* (k x nx) J Z by columns; (k x k) W^T J Z; 1 + Y^T X */
    double *Kf;          /* (k x k) its factors */
    double *full, *few;  /* (nx) */
    int *order, *Kpivot; /* (nx) columns, pivots first; (2 k) */
    int sign;            /* of det a_P det C_P */
    bool end_reduced;    /* is the saddle of the end of a step factored so? */
    ph_saddle end;       /* M1, pull */
    double *end_work;
} general_constraints;

typedef struct general_scratch {
    const ph_variational *method;
    ph_implicit_notes notes;
    const ph_system *system;
    const ph_context *context;
    const ph_space *space;
    size_t n, nz, np, nx;
    size_t unknowns; /* nx, and one for each velocity constraint */
    general_constraints c;
    bool forced, velocity, midpoint, exact; /* exact: are the second derivatives? */
    bool constant;                          /* is the inertia? */
    bool filled;                            /* do Lzz, Lvz, Lvv hold derivatives? */
    double t;
    const double *p; /* at the start of the step */
    ph_discrete d;
    ph_part *parts; /* (n) */
    double *E;      /* basis at z, its rows on R^d and embedded factors in units of the length */
    double *pE;     /* (nx) p.E */
    double *f, *f0; /* (nz) force; at the start of the step */
    double *noise;  /* (n) of this step */
    double *x, *y0; /* (unknowns); (nx) where their branch begins */
    double *reach;  /* (nx) of a fresh state: how far the first step goes at least */
    bool fresh;     /* is the noise of this step that of its own unknowns? */
    double *Lzz[2], *Lvz[2], *Lvv[2]; /* (nz x nz) second derivatives at the points, where they are exact; Lzz
                                         for midpoints only */
    double *dat[2], *dspeed[2];       /* (nz) the part of one factor */
    double *dLz[2], *dLv[2];          /* (nz) */
    double *J; /* (unknowns x unknowns) the latest Jacobian, at a fresh start (nx x nx) the inertia; ... */
    bool linearised; /* ... is it of this step? */
    bool embedded;   /* is any factor? */
    bool
        factored; /* is newton.J a Cholesky factor, of J or of its part at h = 0? With constraints: factors of J */
    double *column, *f1, *was[2]; /* (nz) */
    double *z1_low;               /* (nz) low-order part of where the step ends */
    double *below;                /* (nz) low-order part of where it begins, and of D */
    double *dfdv, *fwork;         /* (nz x nz), (3 nz): velocity-dependent forces only */
    double *dS, *S1, *low1, *p1;  /* (np) */
    double *S0;                   /* (np) S at the start of a fresh state */
    double *work;                 /* what the system's functions want */
    double length; /* [m] that goes with a turn of one rad: unit of y on R^d and embedded factors */
    double floor;  /* what is stagnation: ph_equations */
    ph_newton_work newton;
} general_scratch;

/* ---- The equations R(s, y), self a general_scratch: see ph_equations ----------------------------- */

/* The discrete Legendre transform p = -D_1 L_d - f_d^-, times h and in tangent coordinates, and the discrete constraint. */
ph_status general_residual(void *self, double s, const double *y, double *r, double *scale);
ph_status general_jacobian(void *self, double *J);
ph_status general_factor(void *self, int *sign); /* with velocity constraints */
/* dR/ds by a difference: it only predicts. The latest residual call is at s again when it returns. */
ph_status general_parameter_derivative(void *self, double *rs);
/* When the quadrature's point e is: an end of the step, or its middle. */
static inline double general_time(const general_scratch *w, size_t e)
{
    return w->t + (w->midpoint ? 0.5 : (double)e) * w->d.H;
}
/* The derivatives of L at the points. */
ph_status general_call_lagrangian(general_scratch *w);
/* noise <- magnitudes of the terms of J y, the most over a factor. An unknown counts for at least the
 * rounding of the largest one, which the linear solver leaves in all of them: equations of factors that rest
 * while another one moves have no other terms. */
void general_measure_noise(general_scratch *w, const double *y, size_t unknowns);

/* ---- Velocity constraints ------------------------------------------------------------------------ */

/* Doubles that the carry keeps for m of them. */
size_t general_constraints_carry(size_t m);
void general_lay_constraints(general_constraints *c, const ph_system *system, bool midpoint, ph_lay *l);
/* Rows at z; kept: those doubles of a warm carry, or NULL, where J is the inertia at z. */
ph_status general_begin_constraints(general_scratch *w, const double *kept);
/* eta (m) <- the last impulses extrapolated; kept <- those of this step. */
void general_guess_constraints(const general_scratch *w, const ph_carry *carry, double *eta);
void general_keep_constraints(const general_scratch *w, double *kept);
/* r, scale: the impulse in the equations of y, and the equations of the constraint. */
ph_status general_constraint_residual(general_scratch *w, const double *y, double *r, double *scale);
/* Their derivatives along y_b of a factor, from dat and dspeed, and by eta. */
ph_status general_constraint_column(general_scratch *w, const ph_part *own, size_t b, double *J);
void general_constraint_border(const general_scratch *w, double *J);
/* T (nx x nx) <- the matrix whose symmetric part is positive definite on the branch from h = 0; false where the
 * constraints are not on it. */
bool general_saddle(general_scratch *w, double *T);
/* The latest Jacobian J, w->J, is factored by elimination of the rows; false where these are nearly dependent. */
bool general_reduce(general_scratch *w);
/* r <- J^{-1} r, however J was factored. */
void general_solve_linear(void *self, double *r);
/* Where it was reduced, as general_saddle, with T (k x k). */
bool general_reduced_saddle(general_scratch *w, double *T);
/* f += the impulses at z as a force. */
void general_add_reactions(general_scratch *w, const double *eta);
/* p1, S1, low1, dS, f <- with the impulse at z+ that puts p1 on the constraint. */
ph_status general_end_on_constraint(general_scratch *w, ph_context *context, const ph_carry *carry,
                                    const double *p, double t1);

/* ---- Embedded factors ---------------------------------------------------------------------------- */

/* D <- D less what the latest residual makes of it; below <- z_low and what D has no digits for. */
void general_settle(general_scratch *w, const double *p, const double *z_low);
/* p1, S1, low1 <- from p and dS, and of embedded factors from the forces at both ends. */
void general_sum_momentum(general_scratch *w, const ph_carry *carry, const double *p);

#endif
