/* SPDX-License-Identifier: BSD-3-Clause */
/* What steps of eight bodies at once (bodies-lanes.c) do in vectors across the systems: the formulas of bodies.c, each number in the
 * order in which it is computed there. Included once for each width of vectors (lanes-width.h). */
#include "integrators/shared/lanes-eight.h"

INLINE void OF(read)(const double *from, size_t n, number *to)
{
    for (size_t k = 0; k < n; k++)
        to[k] = OF(load)(from + EIGHT * k);
}

INLINE void OF(write)(const number *from, size_t n, double *to)
{
    for (size_t k = 0; k < n; k++)
        OF(store)(from[k], to + EIGHT * k);
}

/* y <- A^T x */
INLINE void OF(apply_transposed)(const number *A, const number *x, number *y)
{
    for (int i = 0; i < 3; i++)
        y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

/* C <- A B */
INLINE void OF(multiply)(const number *A, const number *B, number *C)
{
    for (int i = 0; i < 3; i++)
        OF(apply_transposed)(B, A + 3 * i, C + 3 * i);
}

/* moment_at; push: the opposite of the gradient */
INLINE void OF(moment_at)(const number *R, const number *push, number *moment)
{
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        moment[k] = OF(dot)(R + 3 * a, push + 3 * b) - OF(dot)(R + 3 * b, push + 3 * a);
    }
}

/* ph_rotation_correct_sum3 */
INLINE void OF(correct)(number *R, number *low)
{
    const double splitter = 201326592; /* ph_upper_half */
    number upper[9], rest[9], C[9], half[9];
    for (int k = 0; k < 9; k++) {
        upper[k] = (R[k] + splitter) - splitter;
        rest[k] = (R[k] - upper[k]) + low[k];
    }
    for (int i = 0; i < 3; i++) {
        number exact = {0}, more = {0};
        exact += -1;
        for (int k = i; k < 9; k += 3) {
            exact += upper[k] * upper[k];
            more += rest[k] * (upper[k] + R[k]);
        }
        C[4 * i] = exact + more;
        for (int j = 0; j < i; j++) {
            exact = more = (number){0};
            for (int k = 0; k < 9; k += 3) {
                exact += upper[k + i] * upper[k + j];
                more += upper[k + i] * rest[k + j] + rest[k + i] * R[k + j];
            }
            C[3 * i + j] = C[3 * j + i] = exact + more;
        }
    }
    OF(multiply)(R, C, half);
    for (int k = 0; k < 9; k++)
        OF(two_sum)(R[k], low[k] - 0.5 * half[k], &R[k], &low[k]);
}

/* solve_body: returns in which lanes it is beyond doubt that this is the root. */
INLINE truth OF(solve_body)(const number *J2, const number *g, number *f)
{
    truth going, good = {0};
    number first = {0};
    going = first == first;
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        number r[3], turn[3], c0[3], c1[3], c2[3];
        const number along = OF(dot)(g, f);
        OF(cross)(g, f, turn);
        for (int k = 0; k < 3; k++)
            r[k] = OF(dot)(J2 + 3 * k, f) - g[k] - turn[k] - along * f[k];
        const number K[9] = {
            J2[0] - along - f[0] * g[0], J2[3] - g[2] - f[1] * g[0],  J2[6] + g[1] - f[2] * g[0],
            J2[1] + g[2] - f[0] * g[1],  J2[4] - along - f[1] * g[1], J2[7] - g[0] - f[2] * g[1],
            J2[2] - g[1] - f[0] * g[2],  J2[5] + g[0] - f[1] * g[2],  J2[8] - along - f[2] * g[2]};
        OF(cross)(K + 3, K + 6, c0);
        OF(cross)(K + 6, K, c1);
        OF(cross)(K, K + 3, c2);
        const number inverse = 1 / OF(dot)(K, c0),
                     d[3] = {OF(dot)(c0, r) * inverse, OF(dot)(c1, r) * inverse, OF(dot)(c2, r) * inverse},
                     step =
                         OF(larger)(OF(absolute)(d[0]), OF(larger)(OF(absolute)(d[1]), OF(absolute)(d[2])));
        for (int k = 0; k < 3; k++)
            f[k] = OF(choose)(going, f[k] - d[k], f[k]);
        going &= (inverse > 0) & (step <= correction_wanted);
        if (pass == 0)
            first = step;
        if (pass == 1)
            going &= step <= contraction_wanted * first + 1e-14;
        good |= going & (step <= last_correction);
        going &= ~good;
        if (!OF(bits)(going))
            break;
    }
    return good;
}

/* turn_body */
INLINE void OF(turn_body)(const number *R, const number *low, const number *f, number *R1, number *low1)
{
    const number s = 2 / (1 + OF(dot)(f, f)), zero = {0};
    const number hat[9] = {zero, -f[2], f[1], f[2], zero, -f[0], -f[1], f[0], zero};
    number X[9], D[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            X[3 * i + j] = s * (hat[3 * i + j] + f[i] * f[j]);
    X[0] = -s * (f[1] * f[1] + f[2] * f[2]);
    X[4] = -s * (f[0] * f[0] + f[2] * f[2]);
    X[8] = -s * (f[0] * f[0] + f[1] * f[1]);
    OF(multiply)(R, X, D);
    for (int k = 0; k < 9; k++)
        OF(two_sum)(R[k], D[k] + low[k], &R1[k], &low1[k]);
    OF(correct)(R1, low1);
}

/* turned_back */
INLINE void OF(turned_back)(const number *R, const number *low, const number *S, const number *S_low,
                            double h, number *g)
{
    const double splitter = 0x1p27 + 1; /* Dekker's */
    number upper[3], rest[3];
    for (int k = 0; k < 3; k++) {
        const number s = h * S[k], t = splitter * s;
        upper[k] = t - (t - s);
        rest[k] = (s - upper[k]) + h * S_low[k];
    }
    for (int k = 0; k < 3; k++) {
        number more = {0};
        for (int i = 0; i < 3; i++)
            more += R[3 * i + k] * rest[i] + low[3 * i + k] * upper[i];
        g[k] = (R[k] * upper[0] + R[3 + k] * upper[1] + R[6 + k] * upper[2]) + more;
    }
}

/* ph_extrapolate */
INLINE number OF(extrapolate)(const ph_stage *stage, double count, number y1, number y2, number y3)
{
    if (stage) {
        const double *weights = stage->increments[(size_t)count - 1];
        return weights[0] * y1 + weights[1] * y2 + weights[2] * y3;
    }
    return count < 2 ? y1 : count < 3 ? 2 * y1 - y2 : 3 * (y1 - y2) + y3;
}

/* push <- the opposite of the gradient. */
INLINE void OF(find_push)(const int kind, const eight_body *w, const double *g, size_t at, number *push)
{
    if (kind == IN_FIELD) {
        OF(read)(w->push + at, 9, push);
        return;
    }
    OF(read)(g + at, 9, push);
    for (int k = 0; k < 9; k++)
        push[k] = 0.0 - push[k];
}

/* solve_all and half of commit: R1 and to->R, low, y; dS. */
INLINE unsigned OF(turn)(const int kind, const eight_body *restrict w, const eight_motion *restrict from,
                         const ph_stage *stage, double h, size_t at, number *R1, number *dS,
                         eight_motion *restrict to)
{
    number R[9], low[9], S[3], S_low[3], y[9], J2[9], g[3], f[3], moment[3] = {{0}, {0}, {0}}, low1[9],
                                                                  t2 = {0};
    OF(read)(from->R + at, 9, R);
    OF(read)(from->low + at, 9, low);
    OF(read)(from->S + at, 3, S);
    OF(read)(from->S_low + at, 3, S_low);
    OF(read)(from->y + at, 9, y);
    OF(read)(w->J2 + at, 9, J2);
    OF(turned_back)(R, low, S, S_low, h, g);
    dS[0] = dS[1] = dS[2] = (number){0};
    if (kind != FREE) {
        number push[9];
        OF(find_push)(kind, w, from->g, at, push);
        OF(moment_at)(R, push, dS);
        OF(apply_transposed)(R, dS, moment);
    }
    for (int k = 0; k < 3; k++) {
        f[k] = OF(extrapolate)(stage, from->count[0], y[k], y[3 + k], y[6 + k]);
        t2 += f[k] * f[k];
        g[k] += h * (0.5 * h * moment[k]);
        dS[k] *= 0.5 * h;
    }
    for (int k = 0; k < 3; k++)
        f[k] *= 0.5 + t2 * (1. / 24 + t2 * (1. / 240));
    truth good = OF(solve_body)(J2, g, f);
    const number f2 = OF(dot)(f, f), stretch = 2 - f2 * (2. / 3 - f2 * (2. / 5 - f2 * (2. / 7)));
    good &= f2 <= largest_f * largest_f;
    OF(turn_body)(R, low, f, R1, low1);
    OF(write)(R1, 9, to->R + at);
    OF(write)(low1, 9, to->low + at);
    OF(write)(y, 6, to->y + 3 * EIGHT + at);
    for (int k = 0; k < 3; k++)
        f[k] = stretch * f[k];
    OF(write)(f, 3, to->y + at);
    return OF(bits)(good);
}

/* new_momenta and the rest of commit: to->S, S_low. */
INLINE unsigned OF(push)(const int kind, const eight_body *restrict w, const eight_motion *restrict from,
                         double h, size_t at, const number *R1, const number *dS, eight_motion *restrict to)
{
    number S[3], S_low[3], moment[3] = {{0}, {0}, {0}}, S1[3], low1[3];
    OF(read)(from->S + at, 3, S);
    OF(read)(from->S_low + at, 3, S_low);
    if (kind != FREE) {
        number push[9];
        OF(find_push)(kind, w, to->g, at, push);
        OF(moment_at)(R1, push, moment);
    }
    for (int k = 0; k < 3; k++)
        OF(two_sum)(S[k], S_low[k] + (dS[k] + 0.5 * h * moment[k]), &S1[k], &low1[k]);
    OF(write)(S1, 3, to->S + at);
    OF(write)(low1, 3, to->S_low + at);
    return OF(bits)((OF(absolute)(S1[0]) < largest_S) & (OF(absolute)(S1[1]) < largest_S) &
                    (OF(absolute)(S1[2]) < largest_S));
}

/* A step where the gradient is known beforehand. */
INLINE unsigned OF(step)(const int kind, const eight_body *w, const eight_motion *from, const ph_stage *stage,
                         double h, eight_motion *to)
{
    unsigned good = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH) {
        number R1[9], dS[3];
        const unsigned turned = OF(turn)(kind, w, from, stage, h, at, R1, dS, to),
                       pushed = OF(push)(kind, w, from, h, at, R1, dS, to);
        good |= (turned & pushed) << at;
    }
    return good;
}

static TARGET unsigned OF(step_free)(const eight_body *w, const eight_motion *from, const ph_stage *stage,
                                     double h, eight_motion *to)
{
    return OF(step)(FREE, w, from, stage, h, to);
}

static TARGET unsigned OF(step_in_field)(const eight_body *w, const eight_motion *from, const ph_stage *stage,
                                         double h, eight_motion *to)
{
    return OF(step)(IN_FIELD, w, from, stage, h, to);
}

/* The two parts of one, between which the gradient is asked for at the end: to->g. */
static TARGET unsigned OF(turn_all)(eight_body *w, const eight_motion *from, const ph_stage *stage, double h,
                                    eight_motion *to)
{
    unsigned good = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH) {
        number R1[9], dS[3];
        good |= OF(turn)(CALLED, w, from, stage, h, at, R1, dS, to) << at;
        OF(write)(dS, 3, w->dS + at);
    }
    return good;
}

static TARGET unsigned OF(push_all)(const eight_body *w, const eight_motion *from, double h, eight_motion *to)
{
    unsigned good = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH) {
        number R1[9], dS[3];
        OF(read)(to->R + at, 9, R1);
        OF(read)(w->dS + at, 3, dS);
        good |= OF(push)(CALLED, w, from, h, at, R1, dS, to) << at;
    }
    return good;
}
