/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of `gauss` share: the tableau, lifted states, and what a lift is (gauss.c says what is lifted, and why).
 *
 * A lifted state y has N numbers q, factor after factor, and N numbers p that belong to them; of spins it has no p. Stages are lanes:
 * number d of the stage in lane l is [d * lanes + l]. Of s stages the first half is in the first half of the lanes, the mirrored
 * ones, s - 1, s - 2, ..., in the second; lanes without a stage have the weight 0. */
#ifndef PH_INTEGRATORS_GAUSS_H
#define PH_INTEGRATORS_GAUSS_H

#include <polhode/method.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/lanes.h>
#include <polhode/kit/memory.h>

enum { GAUSS_STAGES = 8, GAUSS_PAIRS = GAUSS_STAGES / 2 };
/* Places in a symmetric matrix of six numbers. */
enum { XX, XY, XZ, YY, YZ, ZZ };

/* Coefficients of s stages in 4 or 8 lanes, each rounded once. */
typedef struct gauss_tableau {
    size_t stages, lanes;
    bool used[GAUSS_STAGES];   /* has the lane a stage? */
    double node[GAUSS_STAGES]; /* c_i by lane; 0 in those without a stage */
    double weight[GAUSS_STAGES];
    double mu[GAUSS_STAGES][GAUSS_STAGES]; /* [j][i], by stages: a_ij / b_j, of which mu_ij + mu_ji = 1 */
    /* cross[j][i] = (mu_ij - mu_imj) / 2 of pairs of stages, mj the mirrored one of j: what differences in a pair do; what
     * sums do is -cross[i][j], so that mu_ij + mu_ji = 1 and the symmetry of time hold whatever the rounding. */
    double cross[GAUSS_PAIRS][GAUSS_PAIRS];
    /* [j][i], by lanes: the extrapolation of L of the step before, and mu after it. */
    double ahead[GAUSS_STAGES][GAUSS_STAGES], guess[GAUSS_STAGES][GAUSS_STAGES];
} gauss_tableau;

/* s stages: 2 to GAUSS_STAGES. */
void ph_gauss_tableau(gauss_tableau *t, size_t stages);

/* A factor in the lifted state. */
typedef struct gauss_part {
    ph_factor_place at; /* in z and in momenta */
    size_t q, n;        /* its numbers in q; those of p are N behind */
    bool turns;         /* is |q| = 1 kept? */
} gauss_part;

typedef struct gauss_scratch gauss_scratch;

/* Systems of one form, and their lifted field. */
typedef struct gauss_lift {
    bool always;                                                    /* whatever the option lift says? */
    bool (*takes)(const ph_system *system);                         /* NULL: every one */
    void *(*lay)(const ph_system *system, size_t lanes, ph_lay *l); /* memory of its own */
    ph_status (*init)(void *own, const ph_system *system, size_t lanes);
    /* Before the first field of a step from y at t. NULL: nothing to do. */
    ph_status (*begin)(gauss_scratch *w, double t, const double *y);
    /* F <- y' at the stages Y of a step by h from t; lanes without a stage may be left out, if F is finite there. */
    ph_status (*field)(gauss_scratch *w, double t, double h, const double *Y, double *F);
    /* Numbers in the carry that are the lift's, 0 at the beginning: after a step by h from y; and what they change in z and p. */
    size_t kept;
    void (*advance)(const gauss_scratch *w, double h, const double *y, double *kept);
    void (*leave)(const gauss_scratch *w, const double *kept, double *z, double *p);
} gauss_lift;

extern const gauss_lift ph_gauss_points; /* any system, stage by stage */
extern const gauss_lift ph_gauss_joints; /* rigid bodies on ball joints in lanes */
extern const gauss_lift
    ph_gauss_top; /* a symmetric body on a fixed point, without its turns about the axis */
extern const gauss_lift ph_gauss_links;   /* rows of links in lanes */
extern const gauss_lift ph_gauss_uniform; /* any system with the same inertia everywhere in lanes */

struct gauss_scratch {
    gauss_tableau tableau;
    const ph_system *system;
    const gauss_lift *lift;
    void *own; /* the lift's */
    gauss_part *parts;
    size_t n, N, D; /* parts, numbers of q, of y */
    bool spins;
    /* Are velocities of a general Lagrangian to be found at each stage, not corrected by sweeps? */
    bool exact;
    const char *failing; /* which callback has failed; NULL: none */
    double failed_at;    /* [s] when it was called */
    double *L;           /* (D lanes) h b_j f(Y_j) of this step */
    double *Y, *F;       /* (D lanes) */
    double *parted;      /* (D lanes) of L, sums and differences of mirrored stages */
    double least;        /* the square of what sweeps may leave */
    double *scale;       /* (D) the unit of each number, inverse */
    size_t kept;         /* the most differences that an accelerated iteration combines, ... */
    double *change[2];   /* (kept x D lanes) ... those of what it is to make 0, and of L */
    /* (D lanes) the latest L after and before a sweep, their difference; a point of the branch; the best L */
    double *at[5];
    double *y0, *low0, *y1, *low1; /* (D) the beginning of the first step; the end of a step */
    /* L, Y <- of the field F at the stages of this step; returns the square of the difference from the L before, *moved <- that of q alone. */
    double (*fold)(struct gauss_scratch *w, double h, const double *y, const double *low, double *moved);
    /* Y <- the stages that follow from L, or as guessed by those of the step before. */
    void (*combine)(struct gauss_scratch *w, const double *y, const double *low);
    void (*extrapolate)(struct gauss_scratch *w, const double *L, const double *y, const double *low);
    /* The square of the difference of w->L from what L of the step before let expect. */
    double (*miss)(const struct gauss_scratch *w, const double *L);
};

/* ---- The lift of factors (lift.c) --------------------------------------------------------------------- */

/* parts (factors) <- of the space; returns N. parts may be NULL. */
size_t ph_gauss_parts(const ph_space *space, gauss_part *parts);
/* y <- of the state (z, p), ... */
void ph_gauss_enter(const gauss_scratch *w, const double *z, const double *p, double *y);
/* ... and back. */
void ph_gauss_leave(const gauss_scratch *w, const double *y, double *z, double *p);
/* What rounding has changed of |q| = 1 goes into the low-order part of y, and the gauge p.q is set, of y, its low-order part and the stages L: to 0,
 * or behind a step from y0 to minus half of what it has changed by, so that the next one has 0 in its middle. */
void ph_gauss_settle(const gauss_scratch *w, const double *y0, double *y, double *low, double *L);
/* Quaternions x: R <- the rotation of x/|x|; m <- (1/2) Im(conj(x) y); y <- f x (0, m). */
void ph_gauss_rotation(const double x[4], double R[9]);
void ph_gauss_moment(const double x[4], const double y[4], double m[3]);
void ph_gauss_times(double f, const double x[4], const double m[3], double y[4]);
/* What is compiled for the widest vectors that so many lanes fill. */
#define GAUSS_KIND(lanes, name)                                                                              \
    ((lanes) == 8 && ph_lanes(PH_KERNEL_AVX512) ? &eight_wide8_##name                                        \
     : ph_lanes(PH_KERNEL_AVX2)                 ? &eight_wide4_##name                                        \
                                                : &eight_plain_##name)

/* The sum over the lanes of stages, mirrored pairs first, and what its rounding has lost: that has a sign in momenta, -4e-20 of that of a top. */
static inline double gauss_sum(const double *l, size_t lanes, double *lost)
{
    const size_t half = lanes / 2;
    double sum[4] = {0}, rest[4] = {0}, ends[2], more[3], whole;
    for (size_t k = 0; k < half; k++)
        ph_two_sum(l[k], l[half + k], &sum[k], &rest[k]);
    ph_two_sum(sum[0], sum[1], &ends[0], &more[0]);
    if (half == 2) {
        *lost = more[0] + (rest[0] + rest[1]);
        return ends[0];
    }
    ph_two_sum(sum[2], sum[3], &ends[1], &more[1]);
    ph_two_sum(ends[0], ends[1], &whole, &more[2]);
    *lost = more[2] + ((more[0] + more[1]) + ((rest[0] + rest[1]) + (rest[2] + rest[3])));
    return whole;
}

/* How many differences are kept for so many numbers in L. */
size_t ph_gauss_kept(size_t numbers);
/* w->L <- the stages of the step from y + low at t; guess: those of the step before, or NULL (solve.c). */
ph_status ph_gauss_solve(gauss_scratch *w, ph_context *context, double t, const double *y, const double *low,
                         const double *guess);
/* The functions that are compiled for vectors (fold.c). */
void ph_gauss_choose(gauss_scratch *w);

/* ---- Callbacks at the stages (push.c) ---------------------------------------------------------------------- */

/* Gradients and forces: number k of the stage in lane l is [GAUSS_STAGES k + l]. */
typedef struct gauss_push {
    ph_lanes_systems of;
    bool has_gradient, has_force;
    bool still;                 /* do forces ignore velocities, which then may be any numbers? */
    double *z, *zdot;           /* (8 nz) where */
    double *push, *force;       /* (8 nz) the gradient less forces; these */
    double *one, *velocity, *f; /* (nz) of one stage */
    double *work;
} gauss_push;

void ph_gauss_push_lay(gauss_push *p, const ph_system *system, ph_lay *l);
/* For these lanes. */
void ph_gauss_push_init(gauss_push *p, const ph_system *system, size_t lanes, bool has_gradient,
                        bool has_force);
/* push <- at z, zdot of the stages of a step by h from t; of what it has not 0. */
ph_status ph_gauss_push(gauss_scratch *w, gauss_push *p, double t, double h);
/* Numbers of one stage from those of all, and back. */
void ph_gauss_take_stage(const double *from, size_t n, size_t lane, double *to);
void ph_gauss_give_stage(const double *from, size_t n, size_t lane, double *to);
/* A name for the callback that fails at t, or writes to v (n) what is not finite there. */
ph_status ph_gauss_note(gauss_scratch *w, double t, const char *what, ph_status status, const double *v,
                        size_t n);

#endif
