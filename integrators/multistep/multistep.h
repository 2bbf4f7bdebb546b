/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric multistep methods, as data, and what their steps are made of. With K steps,
 *     rho(z) = (z - 1)^2 d(z),      d(z) = prod_i (z^2 + 2 a_i z + 1),
 * and sigma without its first and last coefficient, a method is
 *     sum_j d_j u_(n+1+j) = h sum_j sigma_j a_(n+j),
 *     v_(j+1/2) = (q_(j+1) - q_j) / h,      u_j = v_(j+1/2) - v_(j-1/2),
 * a the acceleration with that of the constraint. The multipliers of the latest point alone are unknown, and
 * found so that the next point is on the manifold: the equations of a step of order 2, whatever K. The
 * coefficients d are symmetric to the last bit, so that the roots of rho stay on the unit circle, and the
 * double one is 1. */
#ifndef PH_INTEGRATORS_MULTISTEP_H
#define PH_INTEGRATORS_MULTISTEP_H
#include <polhode/kit/implicit.h>

enum { PH_MULTISTEP_MOST = 8 };

typedef struct ph_multistep {
    int order;
    size_t K;
    double d[PH_MULTISTEP_MOST / 2];     /* d_j, j = 0 ... K/2 - 1; d_(K-2-j) is the same */
    double sigma[PH_MULTISTEP_MOST / 2]; /* sigma_j, j = 1 ... K/2; sigma_(K-j) is the same */
    /* The velocity in the middle: that after it less shares of the changes since, c_i u_i, i = 0 ... K - 2,
     * c_i = 1 - c_(K-2-i), and h sum_i e_i (a_(K-2-i) - a_i). The mean of velocities that the shares make has
     * the roots of d, so that parasitic modes are left out, and the accelerations make it of order K. */
    double share[PH_MULTISTEP_MOST / 2 - 1], bent[PH_MULTISTEP_MOST / 2 - 1];
} ph_multistep;

#define PH_MULTISTEP_ORDERS "4 6 8"
/* The method of an order, which is given by its position in PH_MULTISTEP_ORDERS. */
const ph_multistep *ph_multistep_of(double order);

static inline double ph_multistep_d(const ph_multistep *m, size_t j)
{
    return m->d[j < m->K - 2 - j ? j : m->K - 2 - j];
}

static inline double ph_multistep_sigma(const ph_multistep *m, size_t j)
{
    return m->sigma[(j < m->K - j ? j : m->K - j) - 1];
}

/* The points n ... n + K of a trajectory, the earliest first. Velocities and accelerations are those of the
 * ambient space, or times the inertia: covectors and forces. Vectors of nz numbers. */
typedef struct ph_multistep_window {
    double *q, *low;   /* (K + 1) points, and their low-order parts */
    double *v, *v_low; /* the velocity between the two latest points, and its low-order part */
    double *u;         /* (K - 1) its changes at the points between the first and the last ... */
    double *a;         /* (K - 1) ... and accelerations there */
} ph_multistep_window;

/* The data of a step from the latest point of the window, and its results. */
typedef struct ph_multistep_step {
    double h, t, sigma;    /* of the step; of the latest point; of its acceleration */
    double *q, *low;       /* the latest point; of q those before it lie in front */
    double *v, *v_low;     /* the velocity before it, with all that is known of its change */
    const double *earlier; /* acceleration at the point before it; those of two more lie in front */
    double *q1, *low1;     /* to be found: the next point, */
    double *v1, *v1_low;   /* the velocity between them, */
    double *u, *a;         /* the rest of the change, the acceleration at the latest point */
} ph_multistep_step;

/* A form of the equations of a step: tangent.c, bodies.c and tensions.c. */
typedef struct ph_multistep_form {
    /* Lays out its scratch, the struct at the beginning, which is `work` of the others; */
    void (*lay)(const ph_system *system, ph_lay *l);
    ph_status (*init)(void *work, ph_context *context); /* laid out */
    /* the next point; writes what belongs to the step only; */
    ph_status (*advance)(void *work, ph_context *context, const ph_state *state, const ph_multistep_step *s);
    /* the acceleration, in the ambient space, of the motion through z with velocity v; */
    ph_status (*acceleration)(void *work, ph_context *context, double t, const double *z, const double *v,
                              double *a);
    /* v <- what stands for the velocity or acceleration v of the ambient space; NULL: itself; */
    void (*represent)(void *work, double *v);
    /* p <- momentum of what stands for the velocity at z. */
    void (*momentum)(void *work, const double *z, const double *v, double *p);
} ph_multistep_form;

/* Multipliers that a guess extrapolates by a polynomial; with those for the modes of sigma, at most. */
enum { PH_MULTISTEP_SMOOTH = 6, PH_MULTISTEP_HISTORY = PH_MULTISTEP_SMOOTH + PH_MULTISTEP_MOST - 2 };

static inline size_t ph_multistep_history(const ph_multistep *m)
{
    return PH_MULTISTEP_SMOOTH + m->K - 2;
}

/* weights <- what the latest n multipliers, the latest first, have in the guess of the next one; n: 1 ... ph_multistep_history. */
void ph_multistep_expect(const ph_multistep *m, size_t n, double weights[PH_MULTISTEP_HISTORY]);

/* A kernel for rows of links under gravity alone, on a cart, a body or not, which keeps the window in its own layout in the carry. */
typedef struct ph_multistep_kernel {
    bool (*takes)(const ph_system *system);
    size_t (*carry)(const ph_system *system, const ph_multistep *m); /* doubles */
    /* Lays out its scratch, the struct at the beginning, which is `work` of the others. */
    void (*lay)(const ph_system *system, ph_lay *l);
    void (*init)(void *work, const ph_system *system, const ph_multistep *m, double h);
    /* As that of the form; NULL: that. */
    void (*acceleration)(const void *work, const double *q, const double *v, double *a);
    /* A step from a guess of the multipliers. Returns false, with the motion as it was, if the guess is not good
     * enough. */
    bool (*step)(void *work, double *carry, int *passes);
    /* The window of the carry, and back. */
    void (*gather)(void *work, double *carry, const ph_multistep_window *window);
    void (*scatter)(void *work, const ph_multistep_window *window, double *carry);
} ph_multistep_kernel;

extern const ph_multistep_form
    ph_multistep_tangent; /* dense inertia: in tangent coordinates; v and a as covectors */
extern const ph_multistep_form ph_multistep_bodies;   /* rigid bodies, joined or not; likewise */
extern const ph_multistep_form ph_multistep_tensions; /* sparse inverse inertia: by multipliers */

extern const ph_multistep_kernel ph_multistep_short_chain; /* one link or two, in registers */
extern const ph_multistep_kernel ph_multistep_chain;       /* any number, four links in a vector */
extern const ph_multistep_kernel ph_multistep_cable;       /* those on a rigid body */

/* Velocities v + vl from increments d + dl, and back; low-order parts make both directions exact enough. */
void ph_multistep_divide(double h, const double *d, const double *dl, size_t n, double *v, double *vl);
void ph_multistep_multiply(double h, const double *v, const double *vl, size_t n, double *d, double *dl);

/* ---- The points that it begins with: start.c ------------------------------------------- */

/* Weights of the sums and differences of accelerations at i and -i, i = 1 ... K/2, and of that in the middle
 * (V0, W0): V in the velocity, W in the position. */
typedef struct ph_multistep_integrals {
    double V0, V_sum[PH_MULTISTEP_MOST / 2], V_difference[PH_MULTISTEP_MOST / 2];
    double W0, W_sum[PH_MULTISTEP_MOST / 2], W_difference[PH_MULTISTEP_MOST / 2];
} ph_multistep_integrals;

typedef struct ph_multistep_start {
    size_t half, nz, row; /* K/2; numbers of z; of a row, nz rounded up to LANES */
    ph_multistep_integrals rows[PH_MULTISTEP_MOST / 2]; /* up to j = 1 ... K/2 */
    double *q, *D, *v, *a;    /* (K + 1) rows: points, less the middle one, velocities, accelerations */
    double *sum, *difference; /* (K/2) of accelerations */
    void (*move)(const struct ph_multistep_start *s, size_t j, double h); /* points at j and -j */
} ph_multistep_start;

typedef ph_status (*ph_multistep_acceleration)(ph_context *context, double t, const double *z,
                                               const double *v, double *a);

void ph_multistep_start_lay(ph_multistep_start *s, const ph_multistep *m, size_t nz, ph_lay *l);
/* Once. */
void ph_multistep_start_init(ph_multistep_start *s);
/* Points of the motion through state->z with the velocity in the middle of s->v, to q and low of the window;
 * *found: false where steps are too long for that. A failure is that of an acceleration. */
ph_status ph_multistep_collocate(const ph_multistep_start *s, ph_multistep_acceleration acceleration,
                                 ph_context *context, const ph_state *state, const ph_multistep_window *to,
                                 bool *found);

#endif
