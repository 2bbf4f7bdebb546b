/* SPDX-License-Identifier: BSD-3-Clause */
/* The turns of rigid bodies in a step, of a tree with ball joints or each by itself: what is kept of a body, its residual, and its
 * elimination and substitution. The formulas stand at the head of variational/articulated.c; a body by itself has its centre of mass
 * in its joint, and there no mass. All of it is inlined into the sweeps over the bodies (joints-solve.c). */
#ifndef PH_INTEGRATORS_SHARED_JOINTS_H
#define PH_INTEGRATORS_SHARED_JOINTS_H

#include "lib/internal/lanes.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/implicit.h>
#include <polhode/kit/memory.h>

#include <float.h>
#include <string.h>

enum { HISTORY = 5 }; /* turns from which a guess is extrapolated */
enum { NONE = -1 };

/* The parameters of a body. */
typedef struct joints_body {
    double mass, J[6], c[3], d[3], w[3]; /* in the body frame, d in the parent's; J: xx yy zz yz xz xy */
    ptrdiff_t parent, child, sibling;    /* or NONE; children are listed from the last to the first */
} joints_body;

/* A body in a step. Lengths and momenta are in space. */
typedef struct joints_node {
    double c[3], d[3], J[6], load[3]; /* at the start of the step; load: h S + (h^2/2) tau */
    double v[3], q0;                  /* the turn F as a quaternion (q0, v); v is the unknown */
    double Dy[3], Dc[3], Dd[3];       /* increments of joint, c and d */
    double d1[3];                     /* d+ as the matrices were made with it */
    double P[3], L[3], r[3];          /* m Dx, L and the residual */
    double inverse_size;              /* 1 / (sum of magnitudes of the residual's terms) */
    double reach, heft;               /* sums of magnitudes of the terms of Dy, and of L */
    double A[9], W[9], G[9], Q[9];    /* head of articulated.c; G = Q^{-1} T; Q^{-1} replaces Q */
    double beta[3], y[3];             /* y = Q^{-1} rho */
    double e[3], dy[3];               /* correction: turn and increment of the joint */
} joints_node;

typedef struct joints_scratch {
    size_t n;
    double h;
    joints_body *bodies; /* (n) */
    joints_node *nodes;  /* (n) */
    double *x;           /* (3n) unknowns of the general solver */
    double s;            /* the parameter of its latest residual */
    double floor, level; /* of |r| relative to its terms: rounding; what may be rounding */
    ph_newton_work newton;
} joints_scratch;

/* What the equations start from: momentum and torque, of which a body has the load h (S + (h/2) tau), and turns, the latest
 * first, from which a guess is extrapolated. */
typedef struct joints_start {
    const double *S, *tau; /* (3n) */
    size_t count;          /* of turns */
    const double *turns[HISTORY], *weights;
} joints_start;

/* Does the system have bodies alone, joined or not, with a constant inertia? */
bool ph_joints_take(const ph_system *system);
void ph_joints_lay(joints_scratch *w, const ph_system *system, ph_lay *l);
/* Once, but for h. */
void ph_joints_set(joints_scratch *w, const ph_system *system);

/* Solve the equations of a step from z for the turns, nodes[i].v and what follows from them. This one starts from the
 * extrapolated turns; false where it is not certain that the root is the one on the branch from h = 0. */
bool ph_joints_solve_fast(const joints_scratch *w, const double *z, const joints_start *start,
                          int64_t *passes);
/* By the general solver, which follows that branch if it has to. */
ph_status ph_joints_solve_slowly(joints_scratch *w, ph_context *context, double t, const double *z,
                                 const joints_start *start);
/* e of the nodes <- the turning of all bodies at z that the moments b (3n), in space, give to the inertia: their angular accelerations where
 * nothing moves. PH_E_SINGULAR. */
ph_status ph_joints_respond(const joints_scratch *w, const double *z, const double *b);

/* ---- Small algebra ------------------------------------------------------------------------------ */

INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

INLINE double sum_of_sizes(const double a[3])
{
    return fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
}

INLINE double largest_of(const double a[3])
{
    return larger(fabs(a[0]), larger(fabs(a[1]), fabs(a[2])));
}

/* y <- J x, J: xx yy zz yz xz xy */
INLINE void apply_symmetric(const double J[6], const double x[3], double y[3])
{
    y[0] = J[0] * x[0] + J[5] * x[1] + J[4] * x[2];
    y[1] = J[5] * x[0] + J[1] * x[1] + J[3] * x[2];
    y[2] = J[4] * x[0] + J[3] * x[1] + J[2] * x[2];
}

/* J1 <- R J R^T */
INLINE void turn_tensor(const double *R, const double J[6], double J1[6])
{
    double X[9];
    for (int i = 0; i < 3; i++)
        apply_symmetric(J, R + 3 * i, X + 3 * i);
    for (int k = 0; k < 3; k++)
        J1[k] = ph_dot3(X + 3 * k, R + 3 * k);
    J1[3] = ph_dot3(X + 3, R + 6);
    J1[4] = ph_dot3(X, R + 6);
    J1[5] = ph_dot3(X, R + 3);
}

/* u <- (F - I) a */
INLINE void turn_increment(const double v[3], double q0, const double a[3], double u[3])
{
    double w[3] = {2 * v[0], 2 * v[1], 2 * v[2]}, t[3];
    ph_cross3(w, a, t);
    ph_cross3(v, t, u);
    for (int k = 0; k < 3; k++)
        u[k] += q0 * t[k];
}

/* X <- F - I */
INLINE void turn_matrix(const double v[3], double q0, double X[9])
{
    const double u[3] = {2 * v[0], 2 * v[1], 2 * v[2]}, x[3] = {q0 * u[0], q0 * u[1], q0 * u[2]};
    const double D[9] = {
        -(v[1] * u[1] + v[2] * u[2]), v[0] * u[1] - x[2],           v[0] * u[2] + x[1],
        v[1] * u[0] + x[2],           -(v[0] * u[0] + v[2] * u[2]), v[1] * u[2] - x[0],
        v[2] * u[0] - x[1],           v[2] * u[1] + x[0],           -(v[0] * u[0] + v[1] * u[1])};
    memcpy(X, D, sizeof D);
}

/* The spin of a turn v, q0 = sqrt(1 - v.v). */
INLINE void spin_of_turn(const joints_node *b, const double v[3], double q0, double spin[3])
{
    const double twice[3] = {2 * v[0], 2 * v[1], 2 * v[2]};
    double Jw[3];
    apply_symmetric(b->J, twice, Jw);
    ph_cross3(v, Jw, spin);
    for (int k = 0; k < 3; k++)
        spin[k] += q0 * Jw[k];
}

/* a += b x c */
INLINE void joints_add_cross(double a[3], const double b[3], const double c[3])
{
    a[0] += b[1] * c[2] - b[2] * c[1];
    a[1] += b[2] * c[0] - b[0] * c[2];
    a[2] += b[0] * c[1] - b[1] * c[0];
}

/* spin <- sum over columns R_k x M_k */
INLINE void joints_spin(const double *R, const double *M, double spin[3])
{
    for (int k = 0; k < 3; k++) {
        const int a = 3 * ((k + 1) % 3), b = 3 * ((k + 2) % 3);
        spin[k] = ph_dot3(R + a, M + b) - ph_dot3(R + b, M + a);
    }
}

/* N <- R sym(R^T M) */
INLINE void joints_normal_part(const double *R, const double *M, double N[9])
{
    double A[9], B[9];
    ph_transposed_multiply3(R, M, A);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            B[3 * r + c] = 0.5 * (A[3 * r + c] + A[3 * c + r]);
    ph_multiply3(R, B, N);
}

/* The turn to where the last five points of a body lead by a quartic, for a guess: s = 2 sin t n = spin(R1) at R, v = sin(t/2) n, by
 * the series of 1 / cos(t/2) in sin t. */
INLINE void joints_expect(size_t nz, const double *latest, double v[3])
{
    double next[9], s[3];
    for (size_t k = 0; k < 9; k++) {
        const double *q = latest + k;
        const double d1 = q[0] - *(q - nz), d2 = *(q - nz) - *(q - 2 * nz),
                     d3 = *(q - 2 * nz) - *(q - 3 * nz), d4 = *(q - 3 * nz) - *(q - 4 * nz);
        next[k] = q[0] + (4 * (d1 + d3) - (6 * d2 + d4));
    }
    joints_spin(latest, next, s);
    const double x2 = 0.25 * ph_dot3(s, s),
                 over = 0.25 * (1 + x2 * (1. / 8 + x2 * (7. / 128 + x2 * (33. / 1024))));
    for (int k = 0; k < 3; k++)
        v[k] = over * s[k];
}

/* ---- One body in a step -------------------------------------------------------------------------- */

/* c, d and J of body i at the start of the step. */
INLINE void joints_place_body(const joints_scratch *w, const double *z, size_t i)
{
    const joints_body *b = &w->bodies[i];
    joints_node *k = &w->nodes[i];
    const double *R = z + 9 * i;
    ph_apply3(R, b->c, k->c);
    turn_tensor(R, b->J, k->J);
    if (b->parent != NONE)
        ph_apply3(z + 9 * b->parent, b->d, k->d);
}

/* From the turn of body i: its increments, m Dx, and the residual without its children. Parents come first.
 * measure: also the magnitudes that the residual is compared with. */
INLINE void joints_move_body(const joints_scratch *w, size_t i, bool measure)
{
    const joints_body *b = &w->bodies[i];
    joints_node *k = &w->nodes[i];
    const double *v = k->v;
    double twice[3] = {2 * v[0], 2 * v[1], 2 * v[2]}, Jw[3], turn[3], spin[3], reach = 0;
    k->q0 = sqrt(1 - ph_dot3(v, v));
    if (b->parent == NONE) {
        memset(k->Dy, 0, sizeof k->Dy);
    } else {
        const joints_node *p = &w->nodes[b->parent];
        turn_increment(p->v, p->q0, k->d, k->Dd);
        for (int a = 0; a < 3; a++)
            k->Dy[a] = p->Dy[a] + k->Dd[a];
        if (measure)
            reach = p->reach + sum_of_sizes(k->Dd);
    }
    turn_increment(v, k->q0, k->c, k->Dc);
    apply_symmetric(k->J, twice, Jw);
    ph_cross3(v, Jw, spin);
    for (int a = 0; a < 3; a++) {
        k->L[a] = k->P[a] = b->mass * (k->Dy[a] + k->Dc[a]);
        spin[a] += k->q0 * Jw[a];
    }
    ph_cross3(k->c, k->P, turn);
    for (int a = 0; a < 3; a++)
        k->r[a] = (spin[a] - k->load[a]) + turn[a];
    if (measure) {
        k->reach = reach;
        k->heft = b->mass * (reach + sum_of_sizes(k->Dc));
        k->inverse_size = sum_of_sizes(spin) + sum_of_sizes(k->load) +
                          sum_of_sizes(k->c) * k->heft; /* its reciprocal later */
    }
}

/* Adds the children of body i to L and to the residual. Children come first. */
INLINE void joints_gather_children(const joints_scratch *w, size_t i, bool measure)
{
    joints_node *k = &w->nodes[i];
    for (ptrdiff_t c = w->bodies[i].child; c != NONE; c = w->bodies[c].sibling) {
        const joints_node *from = &w->nodes[c];
        for (int a = 0; a < 3; a++)
            k->L[a] += from->L[a];
        joints_add_cross(k->r, from->d, from->L);
        if (measure) {
            k->heft += from->heft;
            k->inverse_size += sum_of_sizes(from->d) * from->heft;
        }
    }
    if (measure)
        k->inverse_size = 1 / (k->inverse_size + DBL_MIN);
}

/* Q <- its inverse; returns det Q. */
INLINE double joints_invert(double Q[9])
{
    double I[9];
    ph_cross3(Q + 3, Q + 6, I);
    ph_cross3(Q + 6, Q, I + 3);
    ph_cross3(Q, Q + 3, I + 6);
    double determinant = ph_dot3(Q, I), inverse = 1 / determinant;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            Q[3 * r + c] = inverse * I[3 * c + r];
    return determinant;
}

/* Is the symmetric part of Q positive definite? */
static inline bool joints_is_positive(const double Q[9])
{
    double a = Q[0], b = Q[4], c = Q[8], d = 0.5 * (Q[5] + Q[7]), e = 0.5 * (Q[2] + Q[6]),
           f = 0.5 * (Q[1] + Q[3]);
    double minor = a * b - f * f;
    return a > 0 && minor > 0 && c * minor - (a * d * d - 2 * d * e * f + b * e * e) > 0;
}

/* Q <- K - m S(c) S(c+), the part of the body itself. */
INLINE void joints_own_pivot(const joints_node *k, double mass, const double c1[3], double Q[9])
{
    const double *v = k->v, *J = k->J;
    double w[3] = {2 * v[0], 2 * v[1], 2 * v[2]}, x[3] = {k->q0 * w[0], k->q0 * w[1], k->q0 * w[2]}, B[9],
           mc[3];
    double square = 1 - ph_dot3(v, w), half = 0.5 * (J[0] + J[1] + J[2]);
    double F[9] = {square + v[0] * w[0], v[0] * w[1] - x[2],   v[0] * w[2] + x[1],
                   v[1] * w[0] + x[2],   square + v[1] * w[1], v[1] * w[2] - x[0],
                   v[2] * w[0] - x[1],   v[2] * w[1] + x[0],   square + v[2] * w[2]};
    double Jd[6] = {half - J[0], half - J[1], half - J[2], -J[3], -J[4], -J[5]};
    for (int r = 0; r < 3; r++) {
        apply_symmetric(Jd, F + 3 * r, B + 3 * r);
        mc[r] = mass * k->c[r];
    }
    double trace = B[0] + B[4] + B[8] + ph_dot3(mc, c1);
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            Q[3 * r + s] = (r == s ? trace : 0) - (B[3 * r + s] + c1[r] * mc[s]);
}

/* Eliminates body i, whose residual is complete. Children come first. *positive (nullable) is cleared if the
 * symmetric part of Q is not positive definite. Returns det Q. */
INLINE double joints_eliminate(const joints_scratch *w, size_t i, bool *positive)
{
    const joints_body *b = &w->bodies[i];
    joints_node *k = &w->nodes[i];
    double m = b->mass, c1[3], rho[3], T[9], WG[9];
    for (int a = 0; a < 3; a++) {
        c1[a] = k->c[a] + k->Dc[a];
        rho[a] = k->r[a];
        k->beta[a] = 0;
    }
    joints_own_pivot(k, m, c1, k->Q);
    double mc[3] = {m * k->c[0], m * k->c[1], m * k->c[2]}, mc1[3] = {m * c1[0], m * c1[1], m * c1[2]};
    const double A0[9] = {m, 0, 0, 0, m, 0, 0, 0, m};
    const double T0[9] = {0, -mc[2], mc[1], mc[2], 0, -mc[0], -mc[1], mc[0], 0};
    const double W0[9] = {0, mc1[2], -mc1[1], -mc1[2], 0, mc1[0], mc1[1], -mc1[0], 0};
    memcpy(k->A, A0, sizeof A0);
    memcpy(T, T0, sizeof T);
    memcpy(k->W, W0, sizeof W0);
    for (ptrdiff_t at = b->child; at != NONE; at = w->bodies[at].sibling) {
        joints_node *from = &w->nodes[at];
        const double *A = from->A, *d = from->d;
        double AS[9];
        for (int r = 0; r < 3; r++)
            from->d1[r] = d[r] + from->Dd[r];
        for (int r = 0; r < 3; r++)
            ph_cross3(A + 3 * r, from->d1, AS + 3 * r); /* A S(d+) */
        for (int s = 0; s < 9; s++) {
            k->A[s] += A[s];
            k->W[s] -= AS[s];
        }
        for (int s = 0; s < 3; s++) { /* S(d) X: columns d x X */
            T[s] += d[1] * A[6 + s] - d[2] * A[3 + s];
            T[3 + s] += d[2] * A[s] - d[0] * A[6 + s];
            T[6 + s] += d[0] * A[3 + s] - d[1] * A[s];
            k->Q[s] -= d[1] * AS[6 + s] - d[2] * AS[3 + s];
            k->Q[3 + s] -= d[2] * AS[s] - d[0] * AS[6 + s];
            k->Q[6 + s] -= d[0] * AS[3 + s] - d[1] * AS[s];
            k->beta[s] += from->beta[s];
        }
        joints_add_cross(rho, d, from->beta);
    }
    if (positive)
        *positive = *positive && joints_is_positive(k->Q);
    double determinant = joints_invert(k->Q);
    ph_multiply3(k->Q, T, k->G);
    ph_apply3(k->Q, rho, k->y);
    ph_multiply3(k->W, k->G, WG);
    for (int s = 0; s < 9; s++)
        k->A[s] -= WG[s];
    for (int a = 0; a < 3; a++)
        k->beta[a] -= ph_dot3(k->W + 3 * a, k->y);
    return determinant;
}

/* The same with the matrices as they are, for another right-hand side r. */
INLINE void joints_reduce(const joints_scratch *w, size_t i)
{
    joints_node *k = &w->nodes[i];
    double rho[3] = {k->r[0], k->r[1], k->r[2]}, beta[3] = {0, 0, 0};
    for (ptrdiff_t at = w->bodies[i].child; at != NONE; at = w->bodies[at].sibling) {
        const joints_node *from = &w->nodes[at];
        for (int a = 0; a < 3; a++)
            beta[a] += from->beta[a];
        joints_add_cross(rho, from->d, from->beta);
    }
    ph_apply3(k->Q, rho, k->y);
    for (int a = 0; a < 3; a++)
        k->beta[a] = beta[a] - ph_dot3(k->W + 3 * a, k->y);
}

/* e <- the correction of body i. Parents come first. */
INLINE void joints_substitute(const joints_scratch *w, size_t i)
{
    const joints_body *b = &w->bodies[i];
    joints_node *k = &w->nodes[i];
    if (b->parent == NONE) {
        memset(k->dy, 0, sizeof k->dy);
    } else {
        const joints_node *p = &w->nodes[b->parent];
        memcpy(k->dy, p->dy, sizeof k->dy);
        joints_add_cross(k->dy, p->e, k->d1);
    }
    for (int a = 0; a < 3; a++)
        k->e[a] = -(ph_dot3(k->G + 3 * a, k->dy) + k->y[a]);
}

/* dv <- the correction of v: the vector part of the product of (0, e/2) and the quaternion. */
INLINE void joints_correct(const joints_node *k, double dv[3])
{
    ph_cross3(k->e, k->v, dv);
    for (int a = 0; a < 3; a++)
        dv[a] = 0.5 * (k->q0 * k->e[a] + dv[a]);
}

#endif
