/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a step of links that a rigid body carries (ph_system_carrier), in the pulls of the links and the turn F of the body,
 * R+ = F R: links as in tensions.h, the body as in joints.h. With c = R hitch, J the tensor, both in space, w = 1/m, the increments
 *     X = s a_1 + s^2 a_2 + w (lambda q - sum of lambda q of the links that hang on it)          of a mass, and of x likewise,
 *     Y = X_0 + (F - I) c                                                                        of the hitch,
 *     D_i = (X_i - X_parent) / l_i                                                               of q_i, with Y of what hangs on it,
 * the equations are
 *     R_i = q_i . D_i + (1/2) |D_i|^2 + (s/2) (|q_i|^2 - 1) = 0,
 *     R_0 = spin(F) + c x sum of lambda q on the hitch - s L_1 - s^2 L_2 = 0.
 * A small turn e of R+ changes spin by K e and (F - I) c by e x c+. So, once e is eliminated, a pull f on the hitch moves it by
 *     W f,    W = w I - S(c+) K^{-1} S(c),
 * and what is left is the matrix of tensions with W in the place of an inverse mass, eliminated from the leaves to the body in O(n). */
#ifndef PH_INTEGRATORS_SHARED_CARRIED_H
#define PH_INTEGRATORS_SHARED_CARRIED_H

#include "joints.h"

enum { CARRIED_BODY = 9 }; /* from z to z of the links on an R^3 */

typedef struct carried_step {
    const ph_system *links;
    const size_t *parent; /* (n) of factors of links: the first, the body, and links */
    size_t n;
    bool row;         /* does each link hang on the one before it? Then loops go over all numbers alike */
    double *w3, *il3; /* (3n) w, il of each number */
    double hitch[3], J[6];     /* in the body frame; J: xx yy zz yz xz xy */
    double *mass, *w, *l, *il; /* (n) of factors; inverses */
    const double *z;           /* of the system, at the start */
    const double *low;         /* (nz) its low-order part; or NULL */
    double *a1, *a2;           /* (3n) */
    double L1[3], L2[3];
    /* The unknowns, and what follows from them. */
    double *lambda, *X, *D, *q1; /* (n), (3n) ... */
    joints_node body;            /* c, J, v, q0, Dc; r: R_0; Q: K^{-1} */
    /* Between. */
    double K[9], W[9], c1[3];
    double *excess, *rest, *size; /* (n) */
    double *change, *square;      /* (n) */
    double *nu;                   /* (3n) */
    double *P;                    /* (3n + 3) pulls lambda q, none behind the last */
    double *F, *x;                /* factors; (n + 3) */
    double s;
    ph_newton_work newton;
} carried_step;

void ph_carried_lay(carried_step *w, const ph_system *system, ph_lay *l);
/* Once. */
void ph_carried_set(carried_step *w, const ph_system *system);
/* From z, low, a1, a2, L1, L2 and a guess in lambda and body.v: the solution there; false where the guess is not good enough. */
bool ph_carried_solve_fast(carried_step *w, int64_t *passes);
/* lambda <- a guess, by increments D (3n) of the links that are expected, and the turn in body.v. PH_E_SINGULAR. */
ph_status ph_carried_expect(carried_step *w, const double *D);
/* The same without a guess, by the general solver. */
ph_status ph_carried_solve_slowly(carried_step *w, ph_context *context, double t);
/* P <- pulls by so much over `over` along the links, and on (3) what they do to the hitch. */
INLINE void carried_pull(const carried_step *w, const double *by, double over, double on[3])
{
    const double *q = w->z + CARRIED_BODY;
    double *restrict P = w->P;
    for (size_t i = 1; i < w->n; i++) {
        const double strength = by[i] / over;
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            P[k] = strength * q[k];
    }
    for (size_t k = 0; k < 3; k++)
        on[k] = w->row ? -P[3 + k] : 0;
    for (size_t i = 1; i < w->n && !w->row; i++)
        for (size_t k = 0; k < 3 && !w->parent[i]; k++)
            on[k] -= P[3 * i + k];
}

/* v (3n) <- w times the pulls in P, of links; `add`: += */
INLINE void carried_add(const bool add, const carried_step *w, double *restrict v)
{
    const double *restrict P = w->P, *restrict w3 = w->w3;
    const size_t m = 3 * w->n;
    if (w->row) {
        for (size_t k = 3; k < m; k++)
            v[k] = (add ? v[k] : 0) + w3[k] * (P[k] - P[k + 3]);
        return;
    }
    for (size_t i = 1; i < w->n; i++)
        for (size_t k = 0; k < 3; k++) {
            v[3 * i + k] = (add ? v[3 * i + k] : 0) + w->w[i] * P[3 * i + k];
            if (w->parent[i])
                v[3 * w->parent[i] + k] -= w->w[w->parent[i]] * P[3 * i + k];
        }
}

/* D (3n) <- differences of X along the links, with Y of what they hang on. */
INLINE void carried_differ(const carried_step *w, const double *restrict X, const double Y[3],
                           double *restrict D)
{
    const double *restrict il = w->il3;
    const size_t m = 3 * w->n;
    if (w->row) {
        for (size_t k = 3; k < 6; k++)
            D[k] = (X[k] - Y[k - 3]) * il[k];
        for (size_t k = 6; k < m; k++)
            D[k] = (X[k] - X[k - 3]) * il[k];
        return;
    }
    for (size_t i = 1; i < w->n; i++) {
        const double *from = w->parent[i] ? X + 3 * w->parent[i] : Y;
        for (size_t k = 0; k < 3; k++)
            D[3 * i + k] = (X[3 * i + k] - from[k]) * il[3 * i + k];
    }
}

/* X and D at the solution. */
void ph_carried_move(carried_step *w);
/* R1 + low1 <- the attitude behind R + low and the turn v, q0. */
INLINE void carried_turn(const double v[3], double q0, const double *R, const double *low, double R1[9],
                         double low1[9])
{
    double X[9], D[9];
    turn_matrix(v, q0, X);
    ph_multiply3(X, R, D);
    for (size_t a = 0; a < 9; a++)
        ph_two_sum(R[a], D[a] + low[a], &R1[a], &low1[a]);
    ph_rotation_correct_sum3(R1, low1);
}
/* a (3n), L (3) <- (nz) the covector f as accelerations of x and the masses, and a moment on the body. */
void ph_carried_accelerate(const carried_step *w, const double *z, const double *f, double *a, double L[3]);
/* mu (nz) <- the covector of velocities U (3n) of x and the masses and the moment of momentum M (3) of the body: without the part of R,
 * whose moment goes to S. */
void ph_carried_momenta(const carried_step *w, const double *z, const double *U, const double M[3],
                        double *mu, double S[3]);

#endif
