/* SPDX-License-Identifier: BSD-3-Clause */
/* One link or two in registers: what steps of variational (short-chain.c there) and of multistep have in common. */
#ifndef PH_INTEGRATORS_SHARED_SHORT_CHAIN_H
#define PH_INTEGRATORS_SHARED_SHORT_CHAIN_H

#include "lanes.h"
#include "tensions.h"

#include <math.h>

enum { AXES = 3, MOST_LINKS = 2, MOST_MENDS = 3 };
/* Kinds of systems: one link or two, RIDING on a cart or not. */
enum { SINGLE, PAIR, RIDING, RIDING_PAIR, KINDS };

/* The parameters of a system, as the formulas of variational/short-chain.c need them. */
typedef struct ph_short_chain {
    size_t n, axes;               /* links; axes of the cart, 0 without one */
    double by_lambda[MOST_LINKS]; /* x_i / lambda_i */
    vector gravity, ride;         /* of the first link, and of the cart [1/s^2, m/s^2] */
    vector on;                    /* m_1 / m_0 along the axes of the cart, else 0 */
    vector head_on;               /* 1 + on */
    vector back;                  /* - l_1 on */
    vector ratio, own;            /* l_1 / l_2, and that times 1 + m_1 / m_2 */
    vector first, second, mixed;  /* (1, ratio^2) / 2, (1, own^2) / 2 and (1, ratio own), see form_pair */
} ph_short_chain;

INLINE void ph_short_chain_set(ph_short_chain *w, const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const ph_linkage *linkage = ph_system_linkage(system);
    const size_t first = ph_space_factor(space, 0)->kind == PH_FACTOR_R;
    const double *l = linkage->length + first, *m = linkage->mass + first;
    w->n = ph_space_factors(space) - first;
    w->axes = ph_space_ambient(space) - AXES * w->n;
    const double lever = w->n > 1 ? l[0] / l[1] : 1, share = w->n > 1 ? m[0] / m[1] : 0;
    double on[LANES] = {0}, ride[LANES] = {0}, gravity[LANES] = {0};
    for (size_t a = 0; a < AXES; a++)
        if (a < w->axes) {
            on[a] = m[0] / linkage->mass[0];
            ride[a] = linkage->gravity[a];
        } else {
            gravity[a] = linkage->gravity[a] / l[0];
        }
    w->gravity = load(gravity);
    w->ride = load(ride);
    w->on = load(on);
    w->head_on = 1 + w->on;
    w->back = -l[0] * w->on;
    w->ratio = (vector){0} + lever;
    w->own = (vector){0} + lever * (1 + share);
    const vector one = {1, 0, 1, 0}, other = {0, 1, 0, 1};
    w->first = 0.5 * (one + other * w->ratio * w->ratio);
    w->second = 0.5 * (one + other * w->own * w->own);
    w->mixed = one + other * w->ratio * w->own;
    for (size_t i = 0; i < w->n; i++)
        w->by_lambda[i] = 1 / (m[0] * l[0] * l[i]);
}

INLINE size_t ph_short_chain_kind(const ph_short_chain *w)
{
    return w->n - 1 + (w->axes ? RIDING : SINGLE);
}

/* The index of the first coordinate of part i in the system. Parts are the links and then the cart; in the
 * system the cart comes first. */
INLINE size_t short_place_of(const ph_short_chain *w, size_t i)
{
    return i < w->n ? w->axes + AXES * i : 0;
}

INLINE size_t short_axes_of(const ph_short_chain *w, size_t i)
{
    return i < w->n ? AXES : w->axes;
}

/* A part: unit vector of a link or position of the cart, its increment or velocity, and their low-order
 * parts. */
typedef struct short_motion {
    loose q, ql, d, dl;
} short_motion;

/* All parts into the plain form (tensions.h), and back. */
INLINE void ph_short_chain_gather(const ph_short_chain *w, const short_motion *parts, ph_tension_motion *to)
{
    for (size_t i = 0; i <= w->n; i++)
        for (size_t a = 0, at = short_place_of(w, i); a < short_axes_of(w, i); a++, at++) {
            to->q[at] = parts[i].q[a];
            to->q_low[at] = parts[i].ql[a];
            to->delta[at] = parts[i].d[a];
            to->low[at] = parts[i].dl[a];
        }
}

INLINE void ph_short_chain_scatter(const ph_short_chain *w, const ph_tension_motion *from,
                                   short_motion *parts)
{
    for (size_t i = 0; i <= w->n; i++)
        for (size_t a = 0, at = short_place_of(w, i); a < short_axes_of(w, i); a++, at++) {
            parts[i].q[a] = from->q[at];
            parts[i].ql[a] = from->q_low[at];
            parts[i].d[a] = from->delta[at];
            parts[i].dl[a] = from->low[at];
        }
}

#define SWAP_HALVES(v) HALVES(v, 1, 0)
#define FIRST(v) SHUFFLE(v, v, 0, 0, 2, 2)
#define SECOND(v) SHUFFLE(v, v, 1, 1, 3, 3)

/* The sum of the lanes of v, in all lanes. */
INLINE vector sum(vector v)
{
    vector pairs = v + SWAP_HALVES(v);
    return pairs + SHUFFLE(pairs, pairs, 1, 0, 3, 2);
}

/* The sums of a and of b, in lanes 0 and 1 and again in 2 and 3. */
INLINE vector sums_of_two(vector a, vector b)
{
    vector ab = SHUFFLE(a, b, 0, 4, 2, 6) + SHUFFLE(a, b, 1, 5, 3, 7);
    return ab + SWAP_HALVES(ab);
}

/* The sums of a, b, c and d. */
INLINE vector sums(vector a, vector b, vector c, vector d)
{
    vector ab = SHUFFLE(a, b, 0, 4, 2, 6) + SHUFFLE(a, b, 1, 5, 3, 7),
           cd = SHUFFLE(c, d, 0, 4, 2, 6) + SHUFFLE(c, d, 1, 5, 3, 7);
    return SHUFFLE(ab, cd, 0, 1, 4, 5) + SHUFFLE(ab, cd, 2, 3, 6, 7);
}

/* |q + ql|^2 is the sum of the lanes of *squares, which is exact, and of *rest. */
INLINE void split(const short_motion *m, vector *squares, vector *rest)
{
    const double splitter = 0x1.8p27; /* as in variational/chain.c */
    vector q = m->q, upper = (q + splitter) - splitter;
    *squares = upper * upper;
    *rest = (q + upper) * (q - upper) + (q + q) * m->ql;
}

/* |q + ql|^2 - 1 of a link in all lanes, or of two in lanes 0 and 1 and again in 2 and 3. For one link `sums`
 * would add the same numbers twice, at which the code generator of Clang 14 crashes (two equal pairs of
 * horizontal sums, for AVX). */
INLINE vector excess_of_links(bool two, const short_motion *one, const short_motion *other)
{
    vector squares1, squares2, rest1, rest2;
    split(one, &squares1, &rest1);
    if (!two) {
        vector both = sums_of_two(squares1, rest1) - (vector){1, 0, 1, 0};
        return both + SHUFFLE(both, both, 1, 0, 3, 2);
    }
    split(other, &squares2, &rest2);
    vector all = sums(squares1, squares2, rest1, rest2) - (vector){1, 1, 0, 0};
    return all + SWAP_HALVES(all);
}

/* The result of an iteration of Newton's method. The residual is R = (q + D / 2).D + excess = 0, with D =
 * free + c and excess = (|q|^2 - 1) / 2: D without the pulls, and what they change. A correction nu of D adds
 * |nu|^2 / 2 to R; in the first iteration that is extrapolated from the steps before, so that one iteration
 * is usually enough. */
typedef struct short_pass {
    vector c1, c2, nu1, nu2; /* changes by the pulls, and their corrections */
    vector by, y;            /* the correction of x; |nu|^2 / 2 of it */
    vector pull;             /* of the first link on a cart */
    bool sound, settled;     /* is nu small enough; is |nu|^2 / 2 what was assumed, but for rounding? */
} short_pass;

INLINE bool is_correction(double square)
{
    return square <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION;
}

/* An iteration for one link, on a cart or, with `on` 0, without one. square: |nu|^2 / 2 as it is assumed. */
INLINE short_pass pass_riding(const ph_short_chain *w, vector q, vector free, vector excess, vector x,
                              vector square)
{
    vector head = w->head_on * q, c1 = x * head;
    vector D = free + c1, slope = sum(((q + free) + c1) * head),
           R = sum(((q + 0.5 * free) + (0.5 * x) * head) * D) + (excess + square);
    short_pass p = {.by = -R / slope};
    vector nu = p.by * head, sizes = sums_of_two(nu * nu, D * D);
    p.pull = x * q + p.by * q;
    p.c1 = p.pull; /* rounded as for the cart, so that both change the momentum by the same numbers */
    p.nu1 = w->on * p.pull;
    p.y = 0.5 * FIRST(sizes);
    double miss = p.y[0] - square[0];
    p.sound = slope[0] > 0 && is_correction(sizes[0]);
    p.settled = miss * miss <= 0x1p-108 * sizes[1];
    return p;
}

/* c1, c2 <- what the pulls x change in the increments of two links; u1 <- the pull of the first one. */
INLINE void pull_pair(bool cart, const ph_short_chain *w, vector q1, vector q2, vector x, vector *u1,
                      vector *c1, vector *c2)
{
    *u1 = FIRST(x) * q1;
    *c1 = *u1 - SECOND(x) * q2;
    *c2 = SECOND(x) * (w->own * q2) - FIRST(x) * (w->ratio * q1);
    if (cart)
        *c1 += w->on * *u1;
}

/* |nu|^2 / 2 of a correction `by` of x as a quadratic form: (by1 own1 - by2 mixed) by1 + by2^2 own2. */
typedef struct short_form {
    vector own1, own2, mixed;
} short_form;

INLINE short_form form_pair(bool cart, const ph_short_chain *w, vector q1, vector q2)
{
    if (!cart)
        return (short_form){w->first, w->second, w->mixed * sum(q1 * q2)};
    vector head = w->head_on * q1, H = sums_of_two(head * head, head * q2), B = sum(q1 * q2);
    return (short_form){SHUFFLE(0.5 * H, w->first, 0, 5, 2, 7), w->second,
                        SHUFFLE(H, w->mixed * B, 1, 5, 3, 7)};
}

INLINE vector half_squares(const short_form *f, vector by)
{
    vector first = FIRST(by), second = SECOND(by);
    return first * (f->own1 * first - f->mixed * second) + (f->own2 * second) * second;
}

/* What that adds to the matrix dR/dx, whose rows are (T[0], -T[2]) and (-T[3], T[1]). */
INLINE vector slopes(const short_form *f, vector by)
{
    const vector of_first = (vector){2, 0, 0, -2} * f->own1 + (vector){0, -1, 1, 0} * f->mixed,
                 of_second = (vector){0, 2, -2, 0} * f->own2 + (vector){-1, 0, 0, 1} * f->mixed;
    return of_first * FIRST(by) + of_second * SECOND(by);
}

INLINE vector determinant(vector T)
{
    vector P = T * SHUFFLE(T, T, 1, 0, 3, 2);
    return HALVES(P, 0, 0) - HALVES(P, 1, 1);
}

/* Solves with that matrix by Cramer's rule; over: -1 / determinant. */
INLINE vector solve_pair(vector T, vector over, vector R)
{
    vector M = SHUFFLE(T, T, 1, 0, 2, 3) * SHUFFLE(R, R, 0, 1, 3, 2);
    return (M + SWAP_HALVES(M)) * over;
}

INLINE bool is_small(vector beyond)
{
    return beyond[0] <= 0 && beyond[1] <= 0;
}

/* An iteration for two links. If |nu|^2 / 2 of the first solution is not what was assumed, that difference
 * `miss` is corrected by Newton's iteration on the quadratic form alone, in which 1 / determinant is found by
 * iteration, too. */
INLINE short_pass pass_pair(bool cart, const ph_short_chain *w, vector q1, vector q2, vector free, vector d2,
                            vector excess, vector x, vector square)
{
    vector head = cart ? w->head_on * q1 : q1, near = w->ratio * q1, own = w->own * q2, u1, v1;
    short_pass p;
    pull_pair(cart, w, q1, q2, x, &u1, &p.c1, &p.c2);
    vector D1 = free + p.c1, D2 = d2 + p.c2, e1 = (q1 + free) + p.c1, e2 = (q2 + d2) + p.c2;
    vector T = sums(e1 * head, e2 * own, e1 * q2, e2 * near), over = -1 / determinant(T);
    vector R = sums_of_two((q1 + 0.5 * D1) * D1, (q2 + 0.5 * D2) * D2),
           bound = 0x1p-108 * sums_of_two(D1 * D1, D2 * D2);
    const short_form f = form_pair(cart, w, q1, q2);
    p.by = solve_pair(T, over, R + (excess + square));
    p.y = half_squares(&f, p.by);
    p.sound = T[1] > 0 && over[0] < 0 && is_correction(2 * (p.y[0] + p.y[1]));
    vector miss = p.y - square, latest = p.by;
    p.settled = is_small(miss * miss - bound);
    for (int mends = 0; !p.settled && mends < MOST_MENDS; mends++) {
        T += slopes(&f, latest);
        vector off = 1 + determinant(T) * over;
        over += over * off;
        latest = solve_pair(T, over, miss);
        p.by += latest;
        miss = off * off * miss + half_squares(&f, latest);
        p.settled = is_small(miss * miss - bound);
    }
    pull_pair(cart, w, q1, q2, p.by, &v1, &p.nu1, &p.nu2);
    p.pull = u1 + v1;
    return p;
}

#endif
