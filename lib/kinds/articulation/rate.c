/* SPDX-License-Identifier: BSD-3-Clause */
/* Hamilton's equations of a tree of rigid bodies in (R, Pi), in one way inwards and one outwards. All vectors are in space; body i hangs
 * on a joint with velocity v, c leads from there to its centre of mass, d to the joint of a child, S = R Pi is its momentum about its
 * joint, and what passes through that is A v + a. From the leaves, with sums over the children,
 *     Q = R J R^T - m S(c)^2 - sum S(d) A S(d),   K = m S(c) + sum S(d) A,   r = S - sum d x a,
 *     A <- m I + sum A - K^T Q^{-1} K,            a <- sum a + K^T Q^{-1} r,
 * and from the root
 *     omega = Q^{-1} (r - K v),      v <- v + omega x d,      Rdot = R S(R^T omega),
 *     Pidot = Pi x R^T omega + R^T {m (omega x c) x v + (R w) x g + sum (omega x d) x (A v + a)},
 * the last sum with A, v, a of the children; w is mass times lever of all that hangs on the body.
 * But for that in Rdot, all R are first corrected to rotations as far as one step of Newton's iteration does. Stages of explicit methods are off the
 * manifold by the square of a step, and much of their error is what the equations make of that: on chains of bodies it is 6 to 500 times smaller so at
 * order 4, and more at order 8, than with R as it is.
 *
 * Source: articulated bodies, Featherstone, Rigid Body Dynamics Algorithms, chapter 7, here from momenta. */
#include <polhode/kit/algebra.h>

#include "articulation.h"
#include "lib/system/structure.h"

#include <string.h>

/* Symmetric matrices have six numbers: 00 01 02 11 12 22. */
enum { XX, XY, XZ, YY, YZ, ZZ };

typedef struct joint {
    double A[6], a[3], K[9], Q[6],
        r[3];          /* sums over the children; then those of the body itself, Q its inverse */
    double c[3], d[3]; /* d: from the joint of its parent to its own */
    double v[3], omega[3];
    double R[9]; /* near the rotation */
} joint;

_Static_assert(sizeof(joint) <= PH_IN_MOMENTA_WORK * 9 * sizeof(double), "ph_structure.in_momenta has it");

static inline void apply6(const double S[6], const double x[3], double y[3])
{
    y[0] = S[XX] * x[0] + S[XY] * x[1] + S[XZ] * x[2];
    y[1] = S[XY] * x[0] + S[YY] * x[1] + S[YZ] * x[2];
    y[2] = S[XZ] * x[0] + S[YZ] * x[1] + S[ZZ] * x[2];
}

/* Q <- Q^{-1}; false where it is not positive definite. */
static inline bool invert6(double Q[6])
{
    const double xx = Q[YY] * Q[ZZ] - Q[YZ] * Q[YZ], xy = Q[XZ] * Q[YZ] - Q[XY] * Q[ZZ],
                 xz = Q[XY] * Q[YZ] - Q[XZ] * Q[YY], yy = Q[XX] * Q[ZZ] - Q[XZ] * Q[XZ],
                 yz = Q[XY] * Q[XZ] - Q[XX] * Q[YZ], zz = Q[XX] * Q[YY] - Q[XY] * Q[XY],
                 determinant = Q[XX] * xx + Q[XY] * xy + Q[XZ] * xz, over = 1 / determinant;
    if (!(Q[XX] > 0 && zz > 0 && determinant > 0))
        return false;
    Q[XX] = xx * over;
    Q[XY] = xy * over;
    Q[XZ] = xz * over;
    Q[YY] = yy * over;
    Q[YZ] = yz * over;
    Q[ZZ] = zz * over;
    return true;
}

/* S += sign A B^T, which is symmetric. */
static inline void add_product(double sign, const double A[9], const double B[9], double S[6])
{
    S[XX] += sign * ph_dot3(A, B);
    S[XY] += sign * ph_dot3(A, B + 3);
    S[XZ] += sign * ph_dot3(A, B + 6);
    S[YY] += sign * ph_dot3(A + 3, B + 3);
    S[YZ] += sign * ph_dot3(A + 3, B + 6);
    S[ZZ] += sign * ph_dot3(A + 6, B + 6);
}

/* R <- near the rotation that is nearest to `given`: given (3 I - given^T given) / 2. */
static inline void come_near(const double *given, double *R)
{
    double C[6] = {1.5, 0, 0, 1.5, 0, 1.5};
    for (int k = 0; k < 3; k++) {
        const double *u = given + 3 * k;
        C[XX] -= 0.5 * u[0] * u[0];
        C[XY] -= 0.5 * u[0] * u[1];
        C[XZ] -= 0.5 * u[0] * u[2];
        C[YY] -= 0.5 * u[1] * u[1];
        C[YZ] -= 0.5 * u[1] * u[2];
        C[ZZ] -= 0.5 * u[2] * u[2];
    }
    for (int row = 0; row < 9; row += 3)
        apply6(C, given + row, R + row);
}

/* The terms of the body itself are added to those of its children. */
static inline void add_own(double m, const double *J, const double *centre, const double *Pi, joint *b)
{
    double RJ[9], S[3], *c = b->c, *K = b->K;
    const double *R = b->R;
    ph_apply3(R, centre, c);
    ph_apply3(R, Pi, S);
    for (int row = 0; row < 9; row += 3)
        ph_apply3(J, R + row, RJ + row);
    add_product(1, RJ, R, b->Q);
    const double mx = m * c[0], my = m * c[1], mz = m * c[2], x = mx * c[0], y = my * c[1], z = mz * c[2];
    b->Q[XX] += y + z;
    b->Q[YY] += x + z;
    b->Q[ZZ] += x + y;
    b->Q[XY] -= mx * c[1];
    b->Q[XZ] -= mx * c[2];
    b->Q[YZ] -= my * c[2];
    K[1] -= mz, K[3] += mz;
    K[2] += my, K[6] -= my;
    K[5] -= mx, K[7] += mx;
    for (int k = 0; k < 3; k++)
        b->r[k] = S[k] - b->r[k];
    b->A[XX] += m;
    b->A[YY] += m;
    b->A[ZZ] += m;
}

/* Q, A, a of the body, all of whose terms are there. */
static inline bool eliminate(joint *b)
{
    double T[9], G[9], x[3]; /* rows: columns of K, of Q^{-1} K */
    if (!invert6(b->Q))
        return false;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            T[3 * i + k] = b->K[3 * k + i];
        apply6(b->Q, T + 3 * i, G + 3 * i);
    }
    add_product(-1, T, G, b->A);
    apply6(b->Q, b->r, x);
    for (int k = 0; k < 3; k++)
        b->a[k] += ph_dot3(T + 3 * k, x);
    return true;
}

static inline void add_to_parent(const joint *b, joint *parent)
{
    const double *A = b->A, *d = b->d,
                 full[9] = {A[XX], A[XY], A[XZ], A[XY], A[YY], A[YZ], A[XZ], A[YZ], A[ZZ]};
    double T[9], B[9], across[3], turned[3]; /* rows: columns of B = S(d) A, rows of it */
    for (int i = 0; i < 3; i++)
        ph_cross3(d, full + 3 * i, T + 3 * i);
    for (int i = 0; i < 9; i++) {
        B[i] = T[i % 3 * 3 + i / 3];
        parent->K[i] += B[i];
    }
    for (int i = 0; i < 3; i++) { /* rows of B S(d) */
        static const int first[3] = {XX, YY, ZZ};
        ph_cross3(B + 3 * i, d, across);
        for (int k = i; k < 3; k++)
            parent->Q[first[i] + k - i] -= across[k];
    }
    ph_cross3(d, b->a, turned);
    for (int k = 0; k < 3; k++) {
        parent->r[k] += turned[k];
        parent->a[k] += b->a[k];
    }
    for (int k = 0; k < 6; k++)
        parent->A[k] += A[k];
}

/* ydot of body i; parent: NULL for none; its Pidot gets what passes through the joint. */
static inline void turn(const ph_articulated *t, size_t i, const double *R, const double *Pi, joint *b,
                        const joint *parent, double *Rdot, double *Pidot, double *Pidot_parent)
{
    double x[3], y[3], Omega[3], tau[3], own[3];
    if (parent) {
        double P[3], moment[3];
        ph_cross3(parent->omega, b->d, x);
        for (int k = 0; k < 3; k++)
            b->v[k] = parent->v[k] + x[k];
        apply6(b->A, b->v, P);
        for (int k = 0; k < 3; k++)
            P[k] += b->a[k];
        ph_cross3(x, P, moment);
        ph_apply_transposed3(parent->R, moment, own);
        for (int k = 0; k < 3; k++)
            Pidot_parent[k] += own[k];
    }
    ph_apply3(b->K, b->v, x);
    for (int k = 0; k < 3; k++)
        x[k] = b->r[k] - x[k];
    apply6(b->Q, x, b->omega);
    ph_cross3(b->omega, b->c, x);
    ph_cross3(x, b->v, tau);
    ph_apply3(b->R, t->pull + 3 * i, x);
    ph_cross3(x, t->is.gravity, y);
    for (int k = 0; k < 3; k++)
        tau[k] = t->mass[i] * tau[k] + y[k];
    ph_apply_transposed3(b->R, b->omega, Omega);
    ph_apply_transposed3(b->R, tau, own);
    for (int row = 0; row < 9; row += 3)
        ph_cross3(R + row, Omega, Rdot + row);
    ph_cross3(Pi, Omega, Pidot);
    for (int k = 0; k < 3; k++)
        Pidot[k] += own[k];
}

ph_status ph_articulated_rate(const ph_articulated *t, const double *y, double *ydot, double *work)
{
    const size_t n = t->n;
    const double *R = y, *Pi = y + 9 * n;
    double *Rdot = ydot, *Pidot = ydot + 9 * n;
    joint *joints = (joint *)(void *)work;
    memset(joints, 0, n * sizeof *joints);
    for (size_t i = 0; i < n; i++)
        come_near(R + 9 * i, joints[i].R);
    for (size_t i = n; i-- > 0;) {
        joint *b = &joints[i];
        const size_t p = t->parent[i];
        add_own(t->mass[i], t->inertia + 9 * i, t->centre + 3 * i, Pi + 3 * i, b);
        if (!eliminate(b))
            return ph_all_finite(y, 12 * n) ? PH_E_DIVERGED : PH_E_NOT_FINITE;
        if (p == PH_NO_INDEX)
            continue;
        ph_apply3(joints[p].R, t->offset + 3 * i, b->d);
        add_to_parent(b, &joints[p]);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t p = t->parent[i];
        const bool hangs = p != PH_NO_INDEX;
        turn(t, i, R + 9 * i, Pi + 3 * i, &joints[i], hangs ? &joints[p] : NULL, Rdot + 9 * i, Pidot + 3 * i,
             hangs ? Pidot + 3 * p : NULL);
    }
    return PH_OK;
}
