/* SPDX-License-Identifier: BSD-3-Clause */
/* An iteration of Newton's method for a chain (variational/chain.c): elimination down to the last links of the four
 * stretches, the system of these four, and substitution back, which also measures the correction.
 *
 * The file that includes it has defined how a step ends, for which there is room between the blocks: chain_carry, with `links` and
 * `due`; chain_motions with d, what is known of increments, and low; chain_forecast; and the functions chain_latest_sizes,
 * chain_forecast_of, chain_end_last_block and chain_end_blocks. */
#ifndef PH_INTEGRATORS_SHARED_CHAIN_ELIMINATION_H
#define PH_INTEGRATORS_SHARED_CHAIN_ELIMINATION_H

#include "chain.h"
#include "tensions.h"

#include <float.h>
#include <string.h>

enum {
    CHUNK = 16
}; /* blocks whose end is computed before they are used again: they stay in the first cache */
enum {
    MANY = 4
}; /* blocks from which on a matrix is kept for a second iteration: of fewer, another is made */

/* Which of the copies of a step, which know how many blocks there are: 1, 2, 3, MANY. */
static inline size_t chain_way(const chain *w)
{
    return (w->length < MANY ? w->length : MANY) - 1;
}

/* An iteration of Newton's method. ALONE starts from the guess. FIRST does, too, and keeps its matrix, with
 * which AGAIN continues. AFRESH makes a matrix where the iteration before it ended. */
typedef enum chain_pass { ALONE, FIRST, AGAIN, AFRESH } chain_pass;

/* ---- Elimination --------------------------------------------------------------------------------- */

/* A row of the matrix: its entries before, on and behind the diagonal; the right-hand side; and how much of
 * |nu|^2 is rounding. */
typedef struct chain_equation {
    vector before, own, next, r, tolerance;
} chain_equation;

/* The latest eliminated row, r, b and o as in chain_row, and what elimination has done so far to the row of
 * y, the last link of the stretch before. Relative to that row's first entry in this stretch: `entry` is its
 * entry with the row that comes next, `taken` and `taken_r` are to be subtracted from its diagonal and
 * right-hand side. `negative`: was a pivot not positive? */
typedef struct chain_eliminated {
    vector r, b, o;
    vector entry, taken, taken_r;
    mask negative;
} chain_eliminated;

/* What the motion of a body adds to the right-hand side of the first row. */
INLINE vector chain_body_lead(const ph_step_sizes *sizes, const chain_body *body)
{
    return ph_rate(sizes, (vector){ph_dot3(body->q1, body->lead), 0, 0, 0});
}

/* The residual at the guess, less (1/2) |nu|^2, what its correction will add to it, and the matrix there.
 * q_before, w_before belong to the links before; least: the part of |nu|^2 that is rounding at rest. */
INLINE chain_equation chain_residual(const ph_step_sizes *sizes, chain_walk *at, const chain_part *p,
                                     const chain_motion *own, const chain_multipliers *behind,
                                     vector *q_before, vector *w_before, vector square, vector least,
                                     chain_body *body)
{
    vector D[AXES], q1[AXES], low[AXES];
    chain_equation e;
    walk_advance(at, p, behind, D);
    for (int a = 0; a < AXES; a++) {
        low[a] = first_of(own->low[a]);
        D[a] = ph_increment(sizes, D[a] + own->d[a]);
        if (body)
            D[a] -= (vector){body->turned[a], 0, 0, 0};
        q1[a] = at->q[a] + D[a];
    }
    vector off = chain_dot(at->q, D) + 0.5 * (chain_dot(D, D) + excess_of(at->q, low)), near = p->w * p->il,
           far = *w_before * p->il;
    e.r = ph_rate(sizes, -off - 0.5 * square);
    e.tolerance = 0.25 * DBL_EPSILON * (absolute(D[X]) + absolute(D[Y]) + absolute(D[Z])) + least;
    e.own = (near + far) * chain_dot(q1, at->q);
    e.before = -far * chain_dot(q1, q_before);
    e.next = -near * chain_dot(q1, at->q_next);
    for (int a = 0; a < AXES; a++)
        q_before[a] = at->q[a];
    *w_before = p->w;
    if (body) {
        for (int a = 0; a < AXES; a++)
            body->q1[a] = q1[a][0];
        e.own += (vector){ph_dot3(body->q1, body->mobility), 0, 0, 0};
        e.r += chain_body_lead(sizes, body);
    }
    return e;
}

/* What the mass of a cart adds to the diagonal of the first link: w q1.q along its axes. */
INLINE double chain_cart_diagonal(const chain *w, const ph_step_sizes *sizes, chain_carry *c)
{
    const chain_multipliers *first = c->links, *second = w->length > 1 ? first + 1 : first;
    size_t lane = w->length > 1 ? 0 : 1;
    double sum = 0, il = w->parts->il[0];
    for (size_t a = 0; a < w->axes; a++) {
        double q = first->q[a][0], u = first->mu[0] * q,
               moved = w->parts->w[0] * (u - second->mu[lane] * second->q[a][lane]);
        sum += (q + sizes->h * ((moved + w->cart_w * u) * il + chain_motions(w, c)->d[a][0])) * q;
    }
    return w->cart_w * il * sum;
}

/* The end of the last step moves the first link's root by the turn of its body, too. */
INLINE void chain_end_turn(const chain *w, const chain_body *body, chain_carry *c)
{
    chain_motion *own = chain_motions(w, c);
    for (int a = 0; a < AXES; a++) {
        vector q, ql;
        two_sum(c->links->q[a], first_of(own->low[a]) - (vector){body->ended[a], 0, 0, 0}, &q, &ql);
        c->links->q[a] = q;
        own->low[a] = pair(ql, second_of(own->low[a]));
    }
}

/* The rows of block s. Lanes without a link have the row x = 0. */
INLINE chain_equation chain_form_row(const ph_step_sizes *sizes, const chain *w, chain_body *body,
                                     chain_carry *c, size_t s, chain_walk *at, const chain_multipliers *end,
                                     vector *q_before, vector *w_before, bool first, vector least)
{
    const vector zero = {0, 0, 0, 0}, square = c->links[s].square;
    const chain_multipliers *behind = s + 1 < w->length ? c->links + s + 1 : end;
    chain_equation e = chain_residual(sizes, at, chain_part_at(w, s), chain_motions(w, c) + s, behind,
                                      q_before, w_before, first ? square : zero, least, s ? NULL : body);
    if (s == 0 && w->axes && !body)
        e.own[0] += chain_cart_diagonal(w, sizes, c);
    if (s >= w->full) {
        const mask idle = (mask){0, 1, 2, 3} * (int64_t)w->length + (int64_t)s >= (int64_t)w->n;
        e.own = (vector)(((mask)e.own & ~idle) | ((mask)(zero + 1) & idle));
        e.r = (vector)((mask)e.r & ~idle);
    }
    return e;
}

/* Factors the system of the last links of the stretches. Are all
 * pivots positive? */
INLINE bool chain_factor_last(chain_last_rows *m, const chain_equation *last, const chain_eliminated *e)
{
    vector d = last->own - last->before * e->b - last->next * chain_shift_out(e->taken);
    vector low = -last->before * e->o, up = last->next * chain_shift_out(e->entry);
    double i0 = 1 / d[0], i3 = 1 / d[3], m1 = low[1] * i0, m2 = up[2] * i3;
    double d1 = d[1] - m1 * up[0], d2 = d[2] - m2 * low[3], determinant = d1 * d2 - up[1] * low[2];
    *m = (chain_last_rows){last->before, last->next, low[2], low[3], up[0], up[1],          d1,
                           d2,           m1,         m2,     i0,     i3,    1 / determinant};
    return d[0] > 0 && d[3] > 0 && d1 > 0 && determinant > 0;
}

/* Solves it. r_before: right-hand sides of the rows before; taken: sums over the stretches behind. */
INLINE vector chain_solve_last(const chain_last_rows *m, vector r, vector r_before, vector taken)
{
    r -= m->before * r_before + m->next * chain_shift_out(taken);
    double r1 = r[1] - m->m1 * r[0], r2 = r[2] - m->m2 * r[3];
    double y1 = (m->d2 * r1 - m->up1 * r2) * m->over, y2 = (m->d1 * r2 - m->low2 * r1) * m->over;
    return (vector){(r[0] - m->up0 * y1) * m->i0, y1, y2, (r[3] - m->low3 * y2) * m->i3};
}

/* |nu|^2 of a correction of a chain at rest. Its pulls cancel there but for rounding, so that a correction
 * is rounding, which further iterations do not make smaller; it does not matter compared with increments of
 * what moves. The factor 16 was measured: with 4, half of the steps of 100 hanging links take two iterations,
 * with 16 one in thirty. */
INLINE double chain_rounding(const chain *w, const ph_step_sizes *sizes)
{
    const double nu = 16 * DBL_EPSILON * sizes->h * sizes->kick * w->rest, most = 1e-24;
    return nu * nu < most ? nu * nu : most; /* where h is far too large the rest is not rounding */
}

/* Elimination; y <- the corrections of the last links. If the end of the last step is due it is computed on
 * the way, a few blocks ahead, while they are in the cache. Are all pivots positive? */
INLINE bool chain_eliminate(const ph_step_sizes *sizes, chain *w, chain_body *body, chain_carry *c,
                            chain_pass which, vector *y)
{
    const vector zero = {0, 0, 0, 0};
    const size_t length = w->length;
    const vector least = zero + chain_rounding(w, sizes);
    bool due = c->due > 0;
    chain_eliminated e = {
        .r = zero, .b = zero, .o = zero - 1, .entry = zero + 1, .taken = zero, .taken_r = zero};
    const ph_step_sizes latest = chain_latest_sizes(sizes->staged, w, c);
    const chain_forecast forecast = chain_forecast_of(sizes->staged, w, c);
    chain_ending f;
    chain_walk at;
    chain_multipliers end;
    vector q_before[AXES], w_before;
    if (due) {
        chain_end_last_block(&latest, &forecast, &f, w, c);
        chain_end_blocks(&latest, &forecast, &f, w, c, CHUNK + 1);
        if (body)
            chain_end_turn(w, body, c);
    }
    if (body) {
        const loose *q = c->links->q;
        body->meet(body, (const double[AXES]){q[X][0], q[Y][0], q[Z][0]}, c->links->mu[0], sizes->h,
                   which != AFRESH);
    }
    walk_begin(&at, w, sizes->kick, c->links, &end);
    for (int a = 0; a < AXES; a++)
        q_before[a] = chain_shift_in(0, c->links[length - 1].q[a]);
    w_before = chain_shift_in(0, chain_part_at(w, length - 1)->w);
    for (size_t s = 0; s + 1 < length; s++) {
        if (s % CHUNK == 0) {
            e.o = chain_flush(e.o);
            e.entry = chain_flush(e.entry);
            if (due && s > 0)
                chain_end_blocks(&latest, &forecast, &f, w, c, s + CHUNK + 1);
        }
        chain_equation own =
            chain_form_row(sizes, w, body, c, s, &at, &end, q_before, &w_before, which != AFRESH, least);
        vector pivot = own.own - own.before * e.b, inverse = 1 / pivot;
        e.negative |= ~(pivot > 0);
        e.r = (own.r - own.before * e.r) * inverse;
        e.o = -own.before * e.o * inverse;
        e.b = own.next * inverse;
        e.taken += e.entry * e.o;
        e.taken_r += e.entry * e.r;
        e.entry = -e.entry * e.b;
        chain_row *kept = w->rows + s;
        kept->r = e.r, kept->b = e.b, kept->o = e.o;
        kept->tolerance = own.tolerance;
        if (which == FIRST)
            kept->before = own.before, kept->inverse = inverse;
    }
    chain_equation last =
        chain_form_row(sizes, w, body, c, length - 1, &at, &end, q_before, &w_before, which != AFRESH, least);
    w->rows[length - 1].tolerance = last.tolerance;
    chain_last_rows m;
    bool positive = chain_factor_last(&m, &last, &e) && !any(e.negative) && (!body || body->positive);
    *y = chain_solve_last(&m, last.r, e.r, e.taken_r);
    if (which == FIRST)
        *w->last = m;
    return positive;
}

/* The last iteration's matrix with another right-hand side, which is in `r` of its rows. */
INLINE vector chain_eliminate_again(const ph_step_sizes *sizes, chain *w, const chain_body *body)
{
    vector r = {0, 0, 0, 0}, entry = r + 1, taken = r;
    if (body)
        w->rows->r += chain_body_lead(sizes, body);
    for (size_t s = 0; s + 1 < w->length; s++) {
        chain_row *own = w->rows + s;
        own->r = r = (own->r - own->before * r) * own->inverse;
        taken += entry * r;
        entry = -entry * own->b;
        if (s % CHUNK == 0)
            entry = chain_flush(entry);
    }
    return chain_solve_last(w->last, w->rows[w->length - 1].r, r, taken);
}

/* ---- Substitution -------------------------------------------------------------------------------- */

/* Is |nu|^2 of some correction not what was assumed (beyond rounding), or too large for a correction? */
typedef struct chain_judgement {
    mask moved, large;
} chain_judgement;

/* Compares |nu|^2 of a block with what was assumed of it: ALONE and FIRST, that of the last step; AGAIN, that
 * of the first correction nu_1, with |nu_1 + nu|^2 - |nu_1|^2 <= 2 |nu_1| |nu| + |nu|^2; AFRESH, zero. */
INLINE void chain_judge(const ph_step_sizes *sizes, chain_judgement *of, chain_multipliers *own,
                        chain_row *at, const vector *X_own, const vector *X_before, vector il,
                        chain_pass which)
{
    const vector by = ph_increment(sizes, il);
    vector nu[AXES];
    for (int a = 0; a < AXES; a++)
        nu[a] = (X_own[a] - X_before[a]) * by;
    vector now = chain_dot(nu, nu), taken = own->square, limit = at->tolerance;
    of->large |= ~(now <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION);
    if (which == ALONE || which == FIRST) {
        of->moved |= ~(absolute(now - taken) <= limit);
        own->square = now;
        if (which == FIRST)
            at->r = ph_rate(sizes, 0.5 * (taken - now));
    } else if (which == AGAIN) {
        of->moved |= ~(16 * taken * now <= limit * limit) | ~(2 * now <= limit);
    } else {
        of->moved |= ~(now <= limit);
    }
}

/* The corrections x of all multipliers, from those of the last links. */
INLINE chain_judgement chain_substitute(const ph_step_sizes *sizes, chain *w, chain_body *body,
                                        chain_carry *c, chain_pass which, vector y)
{
    const size_t length = w->length;
    const vector y_before = chain_shift_in(0, y), il_last = chain_part_at(w, length - 1)->il;
    chain_judgement of = {{0}, {0}};
    chain_multipliers *links = c->links;
    vector x = y, u[AXES], X_last[AXES], X_root[AXES];
    vector X_next[AXES] = {{0}, {0}, {0}},
           X_before[AXES] = {{0}, {0}, {0}}; /* of block s + 1; of the last block but one */
    for (int a = 0; a < AXES; a++)
        u[a] = x * links[length - 1].q[a];
    memcpy(X_last, u, sizeof u); /* what pulls on the other side is known in the end */
    links[length - 1].mu += x;
    for (size_t s = length - 1; s-- > 0;) {
        const chain_part *p = chain_part_at(w, s);
        vector X_own[AXES];
        x = w->rows[s].r - w->rows[s].b * x - w->rows[s].o * y_before;
        links[s].mu += x;
        for (int a = 0; a < AXES; a++) {
            vector pull = x * links[s].q[a];
            X_own[a] = p->w * (pull - u[a]);
            u[a] = pull;
        }
        if (s + 2 == length)
            memcpy(X_before, X_own, sizeof X_own);
        else
            chain_judge(sizes, &of, links + s + 1, w->rows + s + 1, X_next, X_own,
                        chain_part_at(w, s + 1)->il, which);
        memcpy(X_next, X_own, sizeof X_own);
    }
    for (size_t a = 0; a < AXES; a++) {
        X_last[a] = chain_part_at(w, length - 1)->w * (X_last[a] - chain_shift_out(u[a]));
        X_root[a] = chain_shift_in(a < w->axes ? -w->cart_w * u[a][0] : 0, X_last[a]);
    }
    if (body) {
        body->follow(body, (const double[AXES]){u[X][0], u[Y][0], u[Z][0]}, sizes->h);
        for (int a = 0; a < AXES; a++)
            X_root[a] += ph_rate(sizes, (vector){body->moves[a], 0, 0, 0});
        of.moved |= -(mask){body->moved, 0, 0, 0};
        of.large |= -(mask){body->large, 0, 0, 0};
    }
    if (length > 1)
        chain_judge(sizes, &of, links, w->rows, X_next, X_root, w->parts->il, which);
    chain_judge(sizes, &of, links + length - 1, w->rows + length - 1, X_last, length > 1 ? X_before : X_root,
                il_last, which);
    return of;
}

#endif
