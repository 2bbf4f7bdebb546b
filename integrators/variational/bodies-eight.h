/* SPDX-License-Identifier: BSD-3-Clause */
/* What steps of eight bodies at once (bodies-lanes.c) do in vectors across the systems: the formulas of bodies.c, each number in the
 * order in which it is computed there. Included once for each width of vectors (lanes-width.h). */
#include "integrators/shared/lanes-eight.h"

#include "bodies-turn.h"

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

INLINE number OF(largest)(const number *v)
{
    return OF(larger)(OF(absolute)(v[0]), OF(larger)(OF(absolute)(v[1]), OF(absolute)(v[2])));
}

/* solve_body: returns in which lanes it is beyond doubt that this is the root. */
INLINE truth OF(solve_body)(const number *J2, const number *g, number *f)
{
    truth going, good = {0};
    number first = {0};
    going = first == first;
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        number C[9], d[3], e[3], square[3];
        const number inverse = OF(correction)(J2, g, f, C, d);
        OF(square)(C, inverse, g, d, square);
        for (int k = 0; k < 3; k++)
            e[k] = d[k] - square[k];
        const number step = OF(largest)(e), second = OF(largest)(square);
        number change = second;
        truth open = going & (change * second > least_rest * step);
        for (int term = 0; term < MOST_TERMS && OF(bits)(open); term++) {
            number changes[3];
            OF(square)(C, inverse, g, e, square);
            for (int k = 0; k < 3; k++) {
                const number better = OF(choose)(open, d[k] - square[k], e[k]);
                changes[k] = better - e[k];
                e[k] = better;
            }
            change = OF(choose)(open, OF(largest)(changes), change);
            open &= change * second > least_rest * step;
        }
        for (int k = 0; k < 3; k++)
            f[k] = OF(choose)(going, f[k] - e[k], f[k]);
        going &= (inverse > 0) & (step <= correction_wanted);
        if (pass == 0)
            first = step;
        if (pass == 1)
            going &= step <= contraction_wanted * first + 1e-14;
        good |= going & (change * second <= least_rest * step);
        going &= ~good;
        if (!OF(bits)(going))
            break;
    }
    return good & (OF(dot)(f, f) <= largest_f * largest_f);
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

/* turn_one and keep_turn: R1 and to->R, low, y; dS. */
INLINE unsigned OF(turn)(const int kind, const eight_body *restrict w, const eight_motion *restrict from,
                         const ph_stage *stage, double h, size_t at, number *R1, number *dS,
                         eight_motion *restrict to)
{
    number R[9], low[9], S[3], S_low[3], y[9], J2[9], g[3], f[3], low1[9];
    OF(read)(from->R + at, 9, R);
    OF(read)(from->low + at, 9, low);
    OF(read)(from->S + at, 3, S);
    OF(read)(from->S_low + at, 3, S_low);
    OF(read)(from->y + at, 9, y);
    OF(read)(w->J2 + at, 9, J2);
    OF(turned_back)(R, low, S, S_low, h, g);
    if (kind != FREE) {
        number push[9], moment[3];
        OF(find_push)(kind, w, from->g, at, push);
        OF(moment_at)(R, push, dS);
        OF(apply_transposed)(R, dS, moment);
        for (int k = 0; k < 3; k++) {
            g[k] += h * (0.5 * h * moment[k]);
            dS[k] *= 0.5 * h;
        }
    }
    OF(guess)(stage, from->count[0], y, f);
    const truth good = OF(solve_body)(J2, g, f);
    OF(turn_body)(R, low, f, R1, low1);
    OF(write)(R1, 9, to->R + at);
    OF(write)(low1, 9, to->low + at);
    OF(write)(y, 6, to->y + 3 * EIGHT + at);
    OF(increment)(f, y);
    OF(write)(y, 3, to->y + at);
    return OF(bits)(good);
}

/* new_momentum and the rest of commit: to->S, S_low. */
INLINE unsigned OF(push)(const int kind, const eight_body *restrict w, const eight_motion *restrict from,
                         double h, size_t at, const number *R1, const number *dS, eight_motion *restrict to)
{
    number S[3], S_low[3];
    OF(read)(from->S + at, 3, S);
    OF(read)(from->S_low + at, 3, S_low);
    if (kind != FREE) {
        number push[9], moment[3];
        OF(find_push)(kind, w, to->g, at, push);
        OF(moment_at)(R1, push, moment);
        OF(kick)(S, S_low, dS, moment, h, S, S_low);
    }
    OF(write)(S, 3, to->S + at);
    OF(write)(S_low, 3, to->S_low + at);
    return OF(bits)((OF(absolute)(S[0]) < largest_S) & (OF(absolute)(S[1]) < largest_S) &
                    (OF(absolute)(S[2]) < largest_S));
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
