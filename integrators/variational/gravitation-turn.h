/* SPDX-License-Identifier: BSD-3-Clause */
/* The turn of bodies in a step of gravitation.c, several at once: one in each of the WIDTH lanes of a
 * vector `number`. Two bodies of a system, or as many as there are lanes, of as many systems (gravitation-lanes.c);
 * each lane computes the same, to the bit. Include once for each type, with
 *   number   a vector of doubles, and `loosely`, the same at any address that a double may have
 *   truth    whole numbers of its comparisons
 *   STRIDE   vectors from one number that is carried to the next: of eight systems in narrower vectors more than 1
 *   OF(name) how the names begin
 *
 * Momenta are those in the frame of the surroundings, S = R Pi, in the middle of a step, behind its first half
 * kick: that which ends a step and that which begins the next one are one,
 *     k = (h_before + h)/2 T,   S <- S + R k,   g = h R^T S + h k,
 * T the torque in the frame of the body. F = R^T R+ is the Cayley map of f, a root of
 *     2 J f - g - g x f - (g.f) f = 0,        Jacobian 2 J - S(g) - (g.f) I - f g^T,
 * found by an iteration of Newton's, a further one with the same matrix, and both again as long as it takes:
 * what a correction leaves is always on the same side, and would add up. */
#include "integrators/shared/lanes-space.h"

typedef struct OF(body) {
    number J2[6]; /* twice the tensor of inertia: xx, xy, xz, yy, yz, zz */
} OF(body);

/* What is carried of the bodies, except for R itself. */
typedef struct OF(turning) {
    loosely R_low[9 * STRIDE];
    loosely S[3 * STRIDE], S_low[3 * STRIDE];
    loosely T[3 * STRIDE];                   /* at the end of the step */
    loosely y[GRAVITATION_PAST][3 * STRIDE]; /* turn vectors of the latest steps, the latest first */
} OF(turning);

/* What a step makes of it. */
typedef struct OF(turned) {
    number R[9], R_low[9], S[3], S_low[3], y[3];
} OF(turned);

INLINE number OF(largest)(const number *v)
{
    return OF(larger)(OF(larger)(OF(absolute)(v[0]), OF(absolute)(v[1])), OF(absolute)(v[2]));
}

INLINE bool OF(all)(truth t)
{
    int64_t together = -1;
    for (int i = 0; i < WIDTH; i++)
        together &= t[i];
    return together;
}

INLINE bool OF(none)(truth t)
{
    int64_t together = 0;
    for (int i = 0; i < WIDTH; i++)
        together |= t[i];
    return !together;
}

/* g and S + S_low of the step by h, the kick being `kick` times the torque. R is multiplied by the upper half of
 * h S, and by the rest: where h or S is a simple fraction, the rounding of R h S would lean to one side, and so
 * would f. */
INLINE void OF(kick)(const OF(turning) *t, const number *R, double kick, double h, number *g, OF(turned) *out)
{
    const double splitter = 0x1p27 + 1; /* Dekker's */
    number k[3], upper[3], rest[3];
    for (int i = 0; i < 3; i++) {
        const number s = h * t->S[STRIDE * i], scaled = splitter * s;
        k[i] = kick * t->T[STRIDE * i];
        upper[i] = scaled - (scaled - s);
        rest[i] = (s - upper[i]) + h * t->S_low[STRIDE * i];
    }
    for (int i = 0; i < 3; i++) {
        number more = R[i] * rest[0] + R[3 + i] * rest[1] + R[6 + i] * rest[2];
        more += t->R_low[STRIDE * i] * upper[0] + t->R_low[STRIDE * (3 + i)] * upper[1] +
                t->R_low[STRIDE * (6 + i)] * upper[2];
        g[i] = ((R[i] * upper[0] + R[3 + i] * upper[1] + R[6 + i] * upper[2]) + more) + h * k[i];
        OF(two_sum)(t->S[STRIDE * i], t->S_low[STRIDE * i] + OF(dot)(R + 3 * i, k), &out->S[i],
                    &out->S_low[i]);
    }
}

/* r <- the residual at f; returns g.f. */
INLINE number OF(residual)(const OF(body) *body, const number *g, const number *f, number *r)
{
    const number *J = body->J2, along = OF(dot)(g, f);
    number across[3];
    OF(cross)(g, f, across);
    r[0] = ((J[0] - along) * f[0] + J[1] * f[1] + J[2] * f[2]) - g[0] - across[0];
    r[1] = (J[1] * f[0] + (J[3] - along) * f[1] + J[4] * f[2]) - g[1] - across[1];
    r[2] = (J[2] * f[0] + J[4] * f[1] + (J[5] - along) * f[2]) - g[2] - across[2];
    return along;
}

/* f from the guess in it; lanes <- where it is beyond doubt that it is the root. */
INLINE void OF(solve)(const OF(body) *body, const number *g, number *f, truth *lanes, int64_t *passes)
{
    const number *J = body->J2;
    truth good = J[0] == J[0], open = good; /* open: corrections are still to be made */
    for (int pass = 0; pass < GRAVITATION_PASSES; pass += 2) {
        number r[3], d[3], c0[3], c1[3], c2[3];
        const number along = OF(residual)(body, g, f, r);
        /* columns of the Jacobian */
        const number K[9] = {
            J[0] - along - f[0] * g[0], J[1] - g[2] - f[1] * g[0],  J[2] + g[1] - f[2] * g[0],
            J[1] + g[2] - f[0] * g[1],  J[3] - along - f[1] * g[1], J[4] - g[0] - f[2] * g[1],
            J[2] - g[1] - f[0] * g[2],  J[4] + g[0] - f[1] * g[2],  J[5] - along - f[2] * g[2]};
        OF(cross)(K + 3, K + 6, c0);
        OF(cross)(K + 6, K, c1);
        OF(cross)(K, K + 3, c2);
        const number inverse = 1 / OF(dot)(K, c0);
        d[0] = OF(dot)(c0, r) * inverse;
        d[1] = OF(dot)(c1, r) * inverse;
        d[2] = OF(dot)(c2, r) * inverse;
        for (int i = 0; i < 3; i++)
            f[i] -= (number)((truth)d[i] & open);
        const number first = OF(largest)(d);
        ++*passes;
        good &= ~open | ((inverse > 0) & (first <= GRAVITATION_CORRECTION));
        open &= good & (first * first > GRAVITATION_LEAST);
        if (OF(none)(open))
            break;
        OF(residual)(body, g, f, r);
        d[0] = OF(dot)(c0, r) * inverse;
        d[1] = OF(dot)(c1, r) * inverse;
        d[2] = OF(dot)(c2, r) * inverse;
        for (int i = 0; i < 3; i++)
            f[i] -= (number)((truth)d[i] & open);
        const number second = OF(largest)(d);
        ++*passes;
        good &= ~open | (second <= GRAVITATION_CONTRACTION * first + 1e-14);
        open &= good & (first * second > GRAVITATION_LEAST);
        if (OF(none)(open))
            break;
    }
    *lanes = good & ~open & (OF(dot)(f, f) <= GRAVITATION_LARGEST * GRAVITATION_LARGEST);
}

/* f <- tan(t/2) n, as far as a guess needs it, of the turn vector t n that the latest ones lead to. */
INLINE void OF(guess)(const OF(turning) *t, const double *weights, number *f)
{
    for (int i = 0; i < 3; i++) {
        f[i] = weights[0] * t->y[0][STRIDE * i];
        for (int j = 1; j < GRAVITATION_PAST; j++)
            f[i] += weights[j] * t->y[j][STRIDE * i];
    }
    const number square = OF(dot)(f, f), stretch = 0.5 + square * (1. / 24 + square * (1. / 240));
    for (int i = 0; i < 3; i++)
        f[i] *= stretch;
}

/* y <- t n, as far as a guess needs it; D <- R F - R = (2 / (1 + f.f)) (R S(f) + (R f) f^T - (f.f) R). */
INLINE void OF(turn)(const number *R, const number *f, number *y, number *D)
{
    const number square = OF(dot)(f, f), scale = 2 / (1 + square),
                 stretch = 2 - square * (2. / 3 - square * (2. / 5 - square * (2. / 7)));
    for (int i = 0; i < 3; i++) {
        const number *row = R + 3 * i, along = OF(dot)(row, f);
        number across[3];
        OF(cross)(row, f, across);
        for (int j = 0; j < 3; j++)
            D[3 * i + j] = scale * (across[j] + (along * f[j] - square * row[j]));
        y[i] = stretch * f[i];
    }
}

/* lacking <- -(1/2) R (R^T R - I) of R + low, what makes it a rotation again, as if it were formed with twice the
 * digits (polhode/kit/rotation.h). */
INLINE void OF(lack)(const number *R, const number *low, number *lacking)
{
    const double splitter = 201326592; /* 1.5 2^27, as ph_upper_half */
    number upper[9], rest[9], C[9];
    for (int k = 0; k < 9; k++) {
        upper[k] = (R[k] + splitter) - splitter;
        rest[k] = (R[k] - upper[k]) + low[k];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            number exact = upper[i] * upper[j] - (i == j ? 1. : 0.),
                   more = rest[i] * upper[j] + R[i] * rest[j];
            for (int k = 3; k < 9; k += 3) {
                exact += upper[k + i] * upper[k + j];
                more += rest[k + i] * upper[k + j] + R[k + i] * rest[k + j];
            }
            C[3 * i + j] = C[3 * j + i] = -0.5 * (exact + more);
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            lacking[3 * i + j] = R[3 * i] * C[j] + R[3 * i + 1] * C[3 + j] + R[3 * i + 2] * C[6 + j];
}

/* Which turns, of the vector y, are longer than `least`? */
INLINE truth OF(exceeds)(const number *y, double least)
{
    return OF(dot)(y, y) > least * least;
}

/* R1 + R1_low <- R + R_low + D, and in lanes that are due, behind a turn that was not small or once in so many
 * steps, what R + R_low lacks: that needs no f, and is found meanwhile. What is lacking then is as large as the rounding of
 * D. */
INLINE void OF(advance)(const OF(turning) *t, bool due, const number *R, const number *D, OF(turned) *out)
{
    number low[9], before[3];
    for (int i = 0; i < 3; i++)
        before[i] = t->y[0][STRIDE * i];
    for (int k = 0; k < 9; k++)
        low[k] = t->R_low[STRIDE * k];
    const truth turned = OF(exceeds)(before, GRAVITATION_SMALLER);
    if (due || !OF(none)(turned)) {
        number lacking[9];
        OF(lack)(R, low, lacking);
        for (int k = 0; k < 9; k++)
            low[k] += due ? lacking[k] : (number)((truth)lacking[k] & turned);
    }
    for (int k = 0; k < 9; k++)
        OF(two_sum)(R[k], D[k] + low[k], &out->R[k], &out->R_low[k]);
}

/* Behind a large turn, whose D is rounded like R itself; other lanes stay. */
INLINE void OF(settle)(truth large, OF(turned) *out)
{
    number lacking[9];
    OF(lack)(out->R, out->R_low, lacking);
    for (int k = 0; k < 9; k++)
        OF(two_sum)(out->R[k], out->R_low[k] + (number)((truth)lacking[k] & large), &out->R[k],
                    &out->R_low[k]);
}

/* What a step has found becomes what is carried; T (3): the torque at its end. */
INLINE void OF(keep)(const OF(turned) *found, const number *T, OF(turning) *t)
{
    for (int k = 0; k < 9; k++)
        t->R_low[STRIDE * k] = found->R_low[k];
    for (int j = GRAVITATION_PAST - 1; j > 0; j--)
        for (int i = 0; i < 3; i++)
            t->y[j][STRIDE * i] = t->y[j - 1][STRIDE * i];
    for (int i = 0; i < 3; i++) {
        t->S[STRIDE * i] = found->S[i];
        t->S_low[STRIDE * i] = found->S_low[i];
        t->T[STRIDE * i] = T[i];
        t->y[0][STRIDE * i] = found->y[i];
    }
}

/* Pi <- of the body frame at the end of the step; kick: half of h. */
INLINE void OF(momentum)(const OF(turning) *t, const number *R, double kick, number *Pi)
{
    for (int i = 0; i < 3; i++)
        Pi[i] = (R[i] * t->S[STRIDE * 0] + R[3 + i] * t->S[STRIDE * 1] + R[6 + i] * t->S[STRIDE * 2]) +
                (R[i] * t->S_low[STRIDE * 0] + R[3 + i] * t->S_low[STRIDE * 1] +
                 R[6 + i] * t->S_low[STRIDE * 2] + kick * t->T[STRIDE * i]);
}

/* The turn of one lane where the iteration above is in doubt: its y and D by ph_gravitation_root. half: half of h;
 * guess: f that the iteration began with, or NULL. */
INLINE ph_status OF(by_root)(ph_context *context, double t, const double J[9], ph_newton_work *newton,
                             const number *R, const number *g, const OF(turning) *from, const number *guess,
                             int lane, number *y, number *D)
{
    const double h = context->h;
    double b[3], c[3], x[3] = {0, 0, 0}, X[9], own[9], turned[9];
    for (int k = 0; k < 3; k++) {
        c[k] = h * (0.5 * h * from->T[STRIDE * k][lane]);
        b[k] = g[k][lane] - c[k];
        if (guess)
            x[k] = 2 * guess[k][lane];
    }
    const ph_status status = ph_gravitation_root(context, t, J, b, c, guess != NULL, newton, x);
    if (status)
        return status;
    ph_exp_increment3(x, X);
    for (int k = 0; k < 9; k++)
        own[k] = R[k][lane];
    ph_multiply3(own, X, turned);
    for (int k = 0; k < 9; k++)
        D[k][lane] = turned[k];
    for (int k = 0; k < 3; k++)
        y[k][lane] = x[k];
    return PH_OK;
}
