/* SPDX-License-Identifier: BSD-3-Clause */
/* The turn of a body in a step of bodies.c, in vectors of four: of a matrix the rows, whose last number is 0. Of eight bodies at once
 * (bodies-eight.h) each number is computed in the same order. */
#ifndef PH_INTEGRATORS_VARIATIONAL_BODIES_ROWS_H
#define PH_INTEGRATORS_VARIATIONAL_BODIES_ROWS_H

#include "lib/internal/lanes.h"

/* Indices moved on by one, and by two. */
#define NEXT(v) SHUFFLE(v, v, 1, 2, 0, 3)
#define LAST(v) SHUFFLE(v, v, 2, 0, 1, 3)

INLINE vector load3(const double *from)
{
    return (vector){from[0], from[1], from[2], 0};
}

INLINE void store3(double *to, vector v)
{
    to[0] = v[0];
    to[1] = v[1];
    to[2] = v[2];
}

INLINE void load_rows(const double *from, vector rows[3])
{
    for (int i = 0; i < 3; i++)
        rows[i] = load3(from + 3 * i);
}

INLINE double dot3(vector a, vector b)
{
    const vector product = a * b;
    return product[0] + product[1] + product[2];
}

INLINE vector cross3(vector a, vector b)
{
    const vector c = a * NEXT(b) - NEXT(a) * b;
    return NEXT(c);
}

/* A^T x, A by its rows */
INLINE vector combine3(const vector A[3], vector x)
{
    return A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
}

INLINE void two_sum_lanes(vector a, vector b, vector *s, vector *e)
{
    const vector sum = a + b, added = sum - a;
    *e = (a - (sum - added)) + (b - added);
    *s = sum;
}

/* h R^T S, both with their low-order parts. R is multiplied by the upper half of h S, and by the rest:
 * where h or S is a simple fraction, the rounding of R h S would lean to one side, and so would f. */
INLINE vector turned_back(const vector R[3], const vector low[3], vector S, vector S_low, double h)
{
    const double splitter = 0x1p27 + 1; /* Dekker's */
    const vector s = h * S, t = splitter * s, upper = t - (t - s), rest = (s - upper) + h * S_low;
    vector more = R[0] * rest[0] + low[0] * upper[0];
    more += R[1] * rest[1] + low[1] * upper[1];
    more += R[2] * rest[2] + low[2] * upper[2];
    return combine3(R, upper) + more;
}

/* f as a guess, tan(t/2) n of the turn vector t n to which the latest increments y lead. */
INLINE vector guessed_turn(const ph_stage *stage, double count, vector y, vector y2, vector y3)
{
    vector f;
    if (stage) {
        const double *weights = stage->increments[(size_t)count - 1];
        f = weights[0] * y + weights[1] * y2 + weights[2] * y3;
    } else {
        f = count < 2 ? y : count < 3 ? 2 * y - y2 : 3 * (y - y2) + y3; /* ph_extrapolate */
    }
    const double t2 = dot3(f, f);
    return f * (0.5 + t2 * (1. / 24 + t2 * (1. / 240)));
}

/* d <- K^{-1} r with the residual r and the Jacobian K at f. C, 1/det K (returned) <- what (g.e) K^{-1} e needs. What f lacks is e with
 *     e = d - (g.e) K^{-1} e,
 * exactly, as the equation is quadratic. */
INLINE double turn_correction(const vector J2[3], vector g, vector f, vector C[3], vector *d)
{
    const double along = dot3(g, f);
    const vector r = combine3(J2, f) - g - cross3(g, f) - along * f;
    const vector K[3] = {J2[0] - f[0] * g - (vector){along, -g[2], g[1], 0},
                         J2[1] - f[1] * g - (vector){g[2], along, -g[0], 0},
                         J2[2] - f[2] * g - (vector){-g[1], g[0], along, 0}};
    C[0] = cross3(K[1], K[2]);
    C[1] = cross3(K[2], K[0]);
    C[2] = cross3(K[0], K[1]);
    const double inverse = 1 / dot3(K[0], C[0]);
    *d = combine3(C, r) * inverse;
    return inverse;
}

/* (g.e) K^{-1} e */
INLINE vector turn_square(const vector C[3], double inverse, vector g, vector e)
{
    return combine3(C, e) * (dot3(g, e) * inverse);
}

/* lacking <- -(1/2) R (R^T R - I) of R + low, what makes it a rotation again, as if it were formed with twice the digits
 * (polhode/kit/rotation.h). */
INLINE void lack(const vector R[3], const vector low[3], vector lacking[3])
{
    const double splitter = 201326592; /* ph_upper_half */
    const vector unit = {1, 1, 1, 0};
    vector exact = -unit, more = {0}, exact_off = {0}, more_off = {0};
    for (int i = 0; i < 3; i++) {
        const vector upper = (R[i] + splitter) - splitter, rest = (R[i] - upper) + low[i];
        exact += upper * upper;
        more += rest * (upper + R[i]);
        exact_off += upper * NEXT(upper);
        more_off += rest * NEXT(upper) + R[i] * NEXT(rest);
    }
    /* (R^T R - I)_jj, and that between j and the next one */
    const vector even = -0.5 * (exact + more), off = -0.5 * (exact_off + more_off), before = LAST(off);
    for (int i = 0; i < 3; i++)
        lacking[i] = R[i] * even + NEXT(R[i]) * off + LAST(R[i]) * before;
}

/* R1 + low1 <- (R + low) F, F - I = 2 (S(f) + S(f)^2) / (1 + f.f), and what R + low lacks: that needs no f. What R1 + low1
 * lacks is as large as the rounding of R F - R, and part of the next step. */
INLINE void turn_rows(const vector R[3], const vector low[3], vector f, double *R1, double *low1)
{
    const double s = 2 / (1 + dot3(f, f));
    vector lacking[3];
    lack(R, low, lacking);
    for (int i = 0; i < 3; i++) {
        const vector once = cross3(R[i], f), D = s * (once + cross3(once, f));
        vector sum, rest;
        two_sum_lanes(R[i], D + (low[i] + lacking[i]), &sum, &rest);
        store3(R1 + 3 * i, sum);
        store3(low1 + 3 * i, rest);
    }
}

#endif
