/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocities from momenta of a tree of rigid bodies, and Hamilton's equations in (R, Pi), in one way inwards and one outwards. All vectors are in space; body i hangs
 * on a joint with velocity v, c leads from there to its centre of mass, d to the joint of a child, S = R Pi is its momentum about its
 * joint, and what passes through that is A v + a. From the leaves, with sums over the children,
 *     Q = R J R^T - m S(c)^2 - sum S(d) A S(d),   K = m S(c) + sum S(d) A,   r = S - sum d x a,
 *     A <- m I + sum A - K^T Q^{-1} K,            a <- sum a + K^T Q^{-1} r,
 * and from the root
 *     omega = Q^{-1} (r - K v),      v <- v + omega x d,      Rdot = R S(R^T omega),
 *     Pidot = Pi x R^T omega + R^T {m (omega x c) x v + (R w) x g + sum (omega x d) x (A v + a)},
 * the last sum with A, v, a of the children; w is mass times lever of all that hangs on the body. Q is symmetric positive definite where
 * every turn moves mass.
 * But for that in Rdot, all R of Hamilton's equations are first corrected to rotations, up to the cube of what they are off. Stages of explicit methods
 * are off the manifold by the square of a step, and much of their error is what the equations make of that: on chains of 2 to 100 bodies it is 60 to
 * 3000 times smaller so at order 4 than with R as it is, and up to 70 times smaller than with a correction up to the square. Velocities are those of E^T MM E at the given R, also off the manifold (come_exactly).
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
    double R[9]; /* near the rotation; or T of come_exactly, ... */
    double over; /* ... whose factor this is */
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

/* R <- near the rotation that is nearest to `given`: given (I + E / 2 + 3 E^2 / 8), E = I - given^T given. */
static inline void come_near(const double *given, double *R)
{
    double E[9], C[6] = {1, 0, 0, 1, 0, 1};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++)
            E[3 * i + k] = E[3 * k + i] =
                (i == k) - (given[i] * given[k] + given[3 + i] * given[3 + k] + given[6 + i] * given[6 + k]);
    add_product(0.375, E, E, C);
    C[XX] += 0.5 * E[0], C[XY] += 0.5 * E[1], C[XZ] += 0.5 * E[2];
    C[YY] += 0.5 * E[4], C[YZ] += 0.5 * E[5], C[ZZ] += 0.5 * E[8];
    for (int row = 0; row < 9; row += 3)
        apply6(C, given + row, R + row);
}

/* R (Omega x c) = (T Omega) x (T c) for T = cof(R) / sqrt(det R), where Rdot = R S(Omega): at any R, levers and omega = T Omega in space
 * are as at a rotation, and Omega = R^T omega / sqrt(det R). */
static inline void come_exactly(const double *R, joint *b)
{
    for (int k = 0; k < 3; k++)
        ph_cross3(R + 3 * ((k + 1) % 3), R + 3 * ((k + 2) % 3), b->R + 3 * k);
    b->over = 1 / sqrt(ph_dot3(R, b->R));
    for (int k = 0; k < 9; k++)
        b->R[k] *= b->over;
}

/* J <- the tensor of tr(Rdot J_d Rdot^T) as a form in sqrt(det R) Omega, of J and what R^T R - I = D adds:
 *     (tr D tr J_d - tr(D J_d)) I - tr D J_d - tr J_d D + D J_d + J_d D. */
static inline void tensor_at(const double *R, const double *Jd, const double *J0, double over, double *J)
{
    double D[9], DJ[9];
    ph_transposed_multiply3(R, R, D);
    for (int k = 0; k < 9; k += 4)
        D[k] -= 1;
    ph_multiply3(D, Jd, DJ);
    const double trace = D[0] + D[4] + D[8], second = Jd[0] + Jd[4] + Jd[8],
                 both = trace * second - (DJ[0] + DJ[4] + DJ[8]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int at = 3 * i + k;
            J[at] = over * over *
                    (J0[at] +
                     (((i == k ? both : 0) - (trace * Jd[at] + second * D[at])) + (DJ[at] + DJ[3 * k + i])));
        }
}

/* The terms of the body itself are added to those of its children. */
static inline void add_own(double m, const double *R, const double *J, const double *centre, const double *Pi,
                           joint *b)
{
    double RJ[9], S[3], *c = b->c, *K = b->K;
    ph_apply3(b->R, centre, c);
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

/* The condition number of Q after scaling: rows and columns are divided by the square roots of the largest
 * entries of the rows, so that units do not matter. */
static double condition_number(const double Q[6])
{
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    double B[2][6], s[3] = {0},
                    sums[2][3] = {{0}}; /* Q and its inverse, scaled; sums of magnitudes in rows */
    for (int k = 0; k < 6; k++) {
        s[row[k]] = fmax(s[row[k]], fabs(Q[k]));
        s[column[k]] = fmax(s[column[k]], fabs(Q[k]));
    }
    for (int k = 0; k < 6; k++)
        B[0][k] = Q[k] / (sqrt(s[row[k]]) * sqrt(s[column[k]]));
    memcpy(B[1], B[0], sizeof B[1]);
    if (!invert6(B[1]))
        return INFINITY;
    for (int k = 0; k < 12; k++) {
        const double size = fabs(B[k / 6][k % 6]);
        sums[k / 6][row[k % 6]] += size;
        sums[k / 6][column[k % 6]] += row[k % 6] == column[k % 6] ? 0 : size;
    }
    return fmax(fmax(sums[0][0], sums[0][1]), sums[0][2]) * fmax(fmax(sums[1][0], sums[1][1]), sums[1][2]);
}

/* Inwards, at R and the body momenta Pi (3n), near R or exactly there. *condition, nullable <- the largest of Q. */
static inline ph_status eliminate_all(const ph_articulated *t, const double *R, const double *Pi,
                                      bool exactly, joint *joints, double *condition)
{
    memset(joints, 0, t->n * sizeof *joints);
    for (size_t i = 0; i < t->n; i++)
        if (exactly)
            come_exactly(R + 9 * i, &joints[i]);
        else
            come_near(R + 9 * i, joints[i].R);
    for (size_t i = t->n; i-- > 0;) {
        joint *b = &joints[i];
        const size_t p = t->parent[i];
        const double *own = t->inertia + 9 * i;
        double J[9], S[3];
        for (int k = 0; k < 3 && exactly; k++)
            S[k] = b->over * Pi[3 * i + k];
        if (exactly)
            tensor_at(R + 9 * i, t->second + 9 * i, own, b->over, J);
        add_own(t->mass[i], exactly ? R + 9 * i : b->R, exactly ? J : own, t->centre + 3 * i,
                exactly ? S : Pi + 3 * i, b);
        if (condition)
            *condition = fmax(*condition, condition_number(b->Q));
        if (!eliminate(b))
            return ph_all_finite(R, 9 * t->n) ? PH_E_SINGULAR : PH_E_NOT_FINITE;
        if (p == PH_NO_INDEX)
            continue;
        ph_apply3(joints[p].R, t->offset + 3 * i, b->d);
        add_to_parent(b, &joints[p]);
    }
    return PH_OK;
}

/* v and omega, in the frame of the body Omega = R^T omega. x <- omega_parent x d, where it hangs on a body. */
static inline void find_velocity(joint *b, const double *R, const joint *parent, double x[3], double Omega[3])
{
    double y[3];
    if (parent) {
        ph_cross3(parent->omega, b->d, x);
        for (int k = 0; k < 3; k++)
            b->v[k] = parent->v[k] + x[k];
    }
    ph_apply3(b->K, b->v, y);
    for (int k = 0; k < 3; k++)
        y[k] = b->r[k] - y[k];
    apply6(b->Q, y, b->omega);
    ph_apply_transposed3(R, b->omega, Omega);
}

static inline void turn(const double *R, const double *Omega, double *Rdot)
{
    for (int row = 0; row < 9; row += 3)
        ph_cross3(R + row, Omega, Rdot + row);
}

/* Pidot of body i, once Omega is known; that of its parent (NULL: none) gets what passes through the joint. */
static inline void push(const ph_articulated *t, size_t i, const double *Pi, const double *Omega,
                        const double *x, joint *b, const joint *parent, double *Pidot, double *Pidot_parent)
{
    double P[3], y[3], tau[3], own[3];
    if (parent) {
        apply6(b->A, b->v, P);
        for (int k = 0; k < 3; k++)
            P[k] += b->a[k];
        ph_cross3(x, P, y);
        ph_apply_transposed3(parent->R, y, own);
        for (int k = 0; k < 3; k++)
            Pidot_parent[k] += own[k];
    }
    ph_cross3(b->omega, b->c, P);
    ph_cross3(P, b->v, tau);
    ph_apply3(b->R, t->pull + 3 * i, P);
    ph_cross3(P, t->is.gravity, y);
    for (int k = 0; k < 3; k++)
        tau[k] = t->mass[i] * tau[k] + y[k];
    ph_apply_transposed3(b->R, tau, own);
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
    if (eliminate_all(t, R, Pi, false, joints, NULL))
        return ph_all_finite(y, 12 * n) ? PH_E_DIVERGED : PH_E_NOT_FINITE;
    for (size_t i = 0; i < n; i++) {
        const size_t p = t->parent[i];
        const joint *parent = p != PH_NO_INDEX ? &joints[p] : NULL;
        double x[3], Omega[3];
        find_velocity(&joints[i], joints[i].R, parent, x, Omega);
        turn(R + 9 * i, Omega, Rdot + 9 * i);
        push(t, i, Pi + 3 * i, Omega, x, &joints[i], parent, Pidot + 3 * i, parent ? Pidot + 3 * p : NULL);
    }
    return PH_OK;
}

size_t ph_articulated_work(size_t n)
{
    return n * sizeof(joint) / sizeof(double);
}

ph_status ph_articulated_velocity(const ph_articulated *t, const double *z, const double *p, double *zdot,
                                  double *work)
{
    joint *joints = (joint *)(void *)work;
    const ph_status status = eliminate_all(t, z, p, true, joints, NULL);
    for (size_t i = 0; i < t->n && !status; i++) {
        const size_t q = t->parent[i];
        double x[3], Omega[3];
        find_velocity(&joints[i], z + 9 * i, q != PH_NO_INDEX ? &joints[q] : NULL, x, Omega);
        for (int k = 0; k < 3; k++)
            Omega[k] *= joints[i].over;
        turn(z + 9 * i, Omega, zdot + 9 * i);
    }
    return status;
}

/* The matrices do not depend on momenta. */
ph_status ph_articulated_regular(const ph_articulated *t, const double *z, double *work, double *condition)
{
    *condition = 0;
    const ph_status status = eliminate_all(t, z, z, true, (joint *)(void *)work, condition);
    if (status == PH_E_SINGULAR)
        *condition = INFINITY;
    return status;
}
