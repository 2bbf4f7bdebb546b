/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of multipliers.c for chains in space under gravity alone, with a cart or without: the
 * same equations, written out for speed. Link i pulls on the masses at its ends along q_i with the impulse
 * mu_i = lambda_i / l_i, so that in a step mass i changes its increment by
 *     X_i = w_i (mu_i q_i - mu_(i+1) q_(i+1)) + h^2 G,      w = 1/m,
 * and link i by (X_i - X_(i-1)) / l_i: gravity cancels but where nothing falls, at the fixed point (or across
 * the axes of the cart). Rows of the Newton matrix are those of T times l_j, with q1 = q + delta of the guess
 * tridiagonal: over l_i
 *     (w_i + w_(i-1)) q1_i.q_i,  - w_i q1_i.q_(i+1),  - w_(i-1) q1_i.q_(i-1).
 *
 * The chain is cut into four stretches of like length, and a lane of each vector is a link of one of them:
 * all lanes do the same, and neighbours stand in the block before and behind. Each stretch is eliminated down
 * to its last link, which leaves a system of four rows. A step goes along the chain twice: forwards, where
 * each block first ends the last step (its increment, place and next guess), then has residual and row at the
 * guess, and is eliminated; and backwards, where the multipliers are found and |nu|^2 of their correction is
 * compared with what was assumed of it, that of the last step. If it is another, a second iteration follows,
 * with the rows of the first where there are many, and then further ones, with rows made where the one before
 * ended. z and p are written when they are asked for. |q|^2 - 1 is found exactly by splitting q in two
 * (Dekker), which needs no fused multiply-add: plain and vector instructions give the same bits. Steps
 * without a guess are made in the plain form, shared/tensions.c. Stages of a composition go the same
 * ways (stages.h).
 *
 * Sources: as multipliers.c. */
#if defined(__GNUC__) &&                                                                                     \
    !defined(__clang__) /* numbers gathered into a vector are late where they are wanted */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include <polhode/algebra.h>
#include <polhode/tensions.h>

#include "integrators/shared/lanes.h"
#include "integrators/shared/tensions.h"
#include "stages.h"
#include "variational.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST_PASSES = 5 };
enum { X, Y, Z, AXES };
enum { MANY = 4 };   /* blocks, of which a matrix is kept for a second pass: few are soon made anew */
enum { CHUNK = 16 }; /* blocks that are finished before they are used again: they stay in the first cache */

/* What four links carry, the same one of each stretch: first what a step looks at on both of its ways. mu is
 * that of the step that is due, or the guess for the next. Of stages it is the impulse mu / h. */
typedef struct chain_pulls {
    loose q[AXES], mu;
    loose square; /* |nu|^2 of the last step, of stages 0 */
} chain_pulls;

typedef struct chain_motion {
    loose d[AXES];               /* increments, of stages velocities */
    loose low[AXES];             /* pairs: low-order parts of q and of d */
    loose past[PH_STAGE_LATEST]; /* mu of the last step, its first and second backward difference; or of
                                    stages */
} chain_motion;

/* The place of a cart, its increment, and their low-order parts. */
typedef struct chain_cart {
    double q[AXES], ql[AXES], d[AXES], dl[AXES];
} chain_cart;

/* The carry: this, and as many motions behind; and then as many recollections of each stage. */
typedef struct chain_carry {
    ph_tension_carry head;
    double due; /* 1: the last step's mu are known, and nothing else of its end is done */
    chain_cart cart;
    chain_pulls links[];
} chain_carry;

/* What does not change about four links: inverse masses and lengths. */
typedef struct chain_part {
    vector w, il;
} chain_part;

/* Of an eliminated row: x = r - b x_next - o y, with y that of the last link of the stretch before; and what
 * a further right side needs. */
typedef struct chain_row {
    vector r, b, o;
    vector before, inverse; /* entry with the row before; 1 / pivot */
    vector tolerance;       /* rounding of |nu|^2 */
} chain_row;

/* The same of the last links: four rows beside each other. */
typedef struct chain_last_rows {
    vector before, next;         /* entries with the rows beside them */
    double low2, low3, up0, up1; /* with each other */
    double d1, d2, m1, m2, i0, i3, over;
} chain_last_rows;

typedef struct chain {
    const ph_variational *method;
    const ph_composition *of; /* steps are stages of it; or NULL */
    size_t n, length, axes;   /* links; blocks; axes of the cart, 0 without */
    size_t full, alike;       /* so many first blocks have four links; have parts[0] */
    double gravity[AXES];
    double cart_w;     /* 1/m of the cart */
    double rest;       /* [1/s^2] the most that a pull does to a link where nothing moves */
    chain_part *parts; /* (length) */
    chain_row *rows;   /* (length) */
    chain_last_rows last;
} chain;

typedef struct chain_scratch {
    ph_tension_plain plain;
    ph_tension_ways ways;
    chain c;
} chain_scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static size_t chain_count_blocks(size_t n)
{
    return (n + LANES - 1) / LANES;
}

static chain_motion *chain_motions(const chain *w, chain_carry *c)
{
    return (chain_motion *)(void *)(c->links + w->length);
}

static ph_recollection *chain_recollections(const chain *w, chain_carry *c)
{
    return (ph_recollection *)(void *)(chain_motions(w, c) + w->length);
}

static size_t chain_count_links(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    return ph_space_factors(space) - (ph_space_factor(space, 0)->kind == PH_FACTOR_R);
}

static void chain_lay(chain_scratch *w, const ph_system *system, ph_lay *l)
{
    ph_lay_bytes(l, sizeof *w);
    size_t n = chain_count_links(system), length = chain_count_blocks(n);
    w->c.n = n;
    w->c.length = length;
    w->c.parts = ph_lay_line(l, length * sizeof(chain_part));
    w->c.rows = ph_lay_line(l, length * sizeof(chain_row));
    ph_tension_plain_lay(&w->plain, system, l);
}

static ph_method_size chain_size(const ph_system *system, const double *options)
{
    chain_scratch w;
    ph_lay l = {NULL, 0};
    const ph_composition *of = ph_variational_composition_of(options);
    size_t recollections = of ? of->stages * sizeof(ph_recollection) : 0,
           carried = sizeof(chain_carry) + chain_count_blocks(chain_count_links(system)) *
                                               (sizeof(chain_pulls) + sizeof(chain_motion) + recollections);
    chain_lay(&w, system, &l);
    return (ph_method_size){.work = l.bytes, .carry = carried / sizeof(double)};
}

/* ---- Vectors of four ---------------------------------------------------------------------------- */

/* `first`, and all of v but its last lane: what stands before the first links of the stretches. */
INLINE vector chain_shift_in(double first, vector v)
{
    return SHUFFLE(((vector){first, 0, 0, 0}), v, 0, 4, 5, 6);
}

/* All of v but its first lane, and 0: what stands behind the last links. */
INLINE vector chain_shift_out(vector v)
{
    return SHUFFLE(v, ((vector){0, 0, 0, 0}), 1, 2, 3, 4);
}

/* Numbers that are too small to matter become 0: what decays along a chain shall not become subnormal. */
INLINE vector chain_flush(vector v)
{
    return (vector)((mask)v & (absolute(v) > 1e-100));
}

INLINE vector chain_dot(const vector *a, const vector *b)
{
    return a[X] * b[X] + a[Y] * b[Y] + a[Z] * b[Z];
}

/* ---- Along the chain, four links at a time ------------------------------------------------------- */

INLINE const chain_part *chain_part_at(const chain *w, size_t s)
{
    return w->parts + (s < w->alike ? 0 : s);
}

/* Unit vectors and pulls mu q of a block and the next, X of the one before. */
typedef struct chain_walk {
    vector q[AXES], q_next[AXES], u[AXES], u_next[AXES], X_before[AXES];
} chain_walk;

/* X_0 of what the chain hangs on, from the pull of the first link. */
INLINE double chain_root_change(const chain *w, double kick, size_t axis, double pull)
{
    return axis < w->axes ? -w->cart_w * pull : -(kick * w->gravity[axis]);
}

/* Before the first block. end <- what stands behind the last. */
INLINE void walk_begin(chain_walk *at, const chain *w, double kick, const chain_pulls *links,
                       chain_pulls *end)
{
    const chain_pulls *first = links, *last = links + w->length - 1;
    const chain_part *p = chain_part_at(w, w->length - 1);
    end->mu = chain_shift_out(first->mu);
    for (size_t a = 0; a < AXES; a++) {
        vector q = first->q[a], u = first->mu * q;
        end->q[a] = chain_shift_out(q);
        at->q_next[a] = q;
        at->u_next[a] = u;
        at->X_before[a] = chain_shift_in(chain_root_change(w, kick, a, u[0]),
                                         p->w * (last->mu * last->q[a] - chain_shift_out(u)));
    }
}

/* To the next block; change <- (X_i - X_(i-1)) / l_i. */
INLINE void walk_advance(chain_walk *at, const chain_part *p, const chain_pulls *behind, vector *change)
{
    for (int a = 0; a < AXES; a++) {
        at->q[a] = at->q_next[a];
        at->u[a] = at->u_next[a];
        at->q_next[a] = behind->q[a];
        at->u_next[a] = behind->mu * at->q_next[a];
        vector moved = p->w * (at->u[a] - at->u_next[a]);
        change[a] = (moved - at->X_before[a]) * p->il;
        at->X_before[a] = moved;
    }
}

/* ---- The end of the last step -------------------------------------------------------------------- */

INLINE ph_pace chain_latest_pace(bool staged, const chain *w, const chain_carry *c)
{
    return ph_pace_of(staged, w->of, c->head.h, (size_t)c->head.stage);
}

INLINE ph_forecast chain_forecast(bool staged, const chain *w, chain_carry *c)
{
    return ph_forecast_of(staged, w->method, w->of, &c->head, chain_recollections(w, c), w->length);
}

/* What is due is done up to a block; the last one's comes first, as the first one's neighbour. */
typedef struct chain_ending {
    chain_walk at;
    chain_pulls last; /* of the last block, as it was */
    size_t next;      /* block */
    double known[3];  /* 1 of the differences that there are */
} chain_ending;

/* The guess of the next step, by the cubic through the last four. */
INLINE void chain_forecast_step(const chain_ending *f, chain_pulls *at, chain_motion *own)
{
    vector mu = at->mu, D1 = f->known[0] * (mu - own->past[0]), D2 = f->known[1] * (D1 - own->past[1]),
           D3 = f->known[2] * (D2 - own->past[2]);
    own->past[0] = mu, own->past[1] = D1, own->past[2] = D2;
    at->mu = mu + (D1 + (D2 + D3));
}

INLINE void chain_end_block(const ph_pace *pace, const ph_forecast *forecast, const chain_ending *f, size_t s,
                            chain_pulls *at, chain_motion *own, const vector *q0, const vector *change)
{
    for (int a = 0; a < AXES; a++) {
        vector d, dl, q, ql;
        two_sum(own->d[a], change[a] + second_of(own->low[a]), &d, &dl);
        two_sum(q0[a], ph_increment(pace, d) + first_of(own->low[a]), &q, &ql);
        own->d[a] = d;
        at->q[a] = q;
        own->low[a] = pair(ql, dl);
    }
    if (pace->staged) {
        ph_forecast_take(forecast, s, &at->mu, own->past);
        at->square = (vector){0, 0, 0, 0};
    } else {
        chain_forecast_step(f, at, own);
    }
}

/* X_0 into the increment of the cart. */
INLINE void chain_end_cart(const chain *w, const ph_pace *pace, chain_cart *c, const chain_walk *at)
{
    for (size_t a = 0; a < w->axes; a++) {
        double change = at->X_before[a][0] + pace->kick * w->gravity[a];
        ph_two_sum(c->d[a], change + c->dl[a], &c->d[a], &c->dl[a]);
        ph_two_sum(c->q[a], pace->h * c->d[a] + c->ql[a], &c->q[a], &c->ql[a]);
    }
}

INLINE void chain_end_last_block(const ph_pace *pace, const ph_forecast *forecast, chain_ending *f,
                                 const chain *w, chain_carry *c)
{
    size_t length = w->length;
    chain_pulls *last = c->links + length - 1;
    const chain_part *p = chain_part_at(w, length - 1),
                     *p_before = chain_part_at(w, length > 1 ? length - 2 : 0);
    chain_pulls end;
    vector q[AXES], change[AXES];
    for (int i = 0; i < 3; i++)
        f->known[i] = c->head.count > i + 1;
    walk_begin(&f->at, w, pace->kick, c->links, &end);
    chain_end_cart(w, pace, &c->cart, &f->at);
    f->last = *last;
    f->next = 0;
    for (int a = 0; a < AXES; a++) {
        q[a] = last->q[a];
        vector u = last->mu * q[a], before = f->at.X_before[a];
        if (length > 1)
            before = p_before->w * (last[-1].mu * last[-1].q[a] - u);
        change[a] = (p->w * (u - end.mu * end.q[a]) - before) * p->il;
    }
    chain_end_block(pace, forecast, f, length - 1, last, chain_motions(w, c) + length - 1, q, change);
    c->due = 0;
}

/* Up to this block, or to the last. */
INLINE void chain_end_blocks(const ph_pace *pace, const ph_forecast *forecast, chain_ending *f,
                             const chain *w, chain_carry *c, size_t to)
{
    vector change[AXES];
    for (; f->next < to && f->next + 1 < w->length; f->next++) {
        size_t s = f->next;
        walk_advance(&f->at, chain_part_at(w, s), s + 2 < w->length ? c->links + s + 1 : &f->last, change);
        chain_end_block(pace, forecast, f, s, c->links + s, chain_motions(w, c) + s, f->at.q, change);
    }
}

/* A pass starts from a guess, and may keep its matrix, with which another goes on; or starts from where the
 * others ended. */
typedef enum chain_pass { ALONE, FIRST, AGAIN, AFRESH } chain_pass;

/* ---- Forth -------------------------------------------------------------------------------------- */

/* Rows of the matrix, the right side, and what rounding is. */
typedef struct chain_equation {
    vector before, own, next, r, tolerance;
} chain_equation;

/* What elimination knows of the rows behind it. The row y of the last link of the stretch before has this
 * entry with the row that comes next, over its first one; and these sums, over it too, are to be taken from
 * it. */
typedef struct chain_eliminated {
    vector r, b, o;
    vector entry, taken, taken_r;
    mask negative;
} chain_eliminated;

/* The residual at the guess less what its correction adds to it, (1/2) |nu|^2, and the matrix there.
 * q_before, w_before: of the links before; least: what |nu|^2 of rounding is where nothing moves. */
INLINE chain_equation chain_residual(const ph_pace *pace, chain_walk *at, const chain_part *p,
                                     const chain_motion *own, const chain_pulls *behind, vector *q_before,
                                     vector *w_before, vector square, vector least)
{
    vector D[AXES], q1[AXES], low[AXES];
    chain_equation e;
    walk_advance(at, p, behind, D);
    for (int a = 0; a < AXES; a++) {
        low[a] = first_of(own->low[a]);
        D[a] = ph_increment(pace, D[a] + own->d[a]);
        q1[a] = at->q[a] + D[a];
    }
    vector off = chain_dot(at->q, D) + 0.5 * (chain_dot(D, D) + excess_of(at->q, low)), near = p->w * p->il,
           far = *w_before * p->il;
    e.r = ph_rate(pace, -off - 0.5 * square);
    e.tolerance = 0.25 * DBL_EPSILON * (absolute(D[X]) + absolute(D[Y]) + absolute(D[Z])) + least;
    e.own = (near + far) * chain_dot(q1, at->q);
    e.before = -far * chain_dot(q1, q_before);
    e.next = -near * chain_dot(q1, at->q_next);
    for (int a = 0; a < AXES; a++)
        q_before[a] = at->q[a];
    *w_before = p->w;
    return e;
}

/* What the mass of a cart adds to the diagonal of the first link: w q1.q along its axes. */
INLINE double chain_cart_diagonal(const chain *w, const ph_pace *pace, chain_carry *c)
{
    const chain_pulls *first = c->links, *second = w->length > 1 ? first + 1 : first;
    size_t lane = w->length > 1 ? 0 : 1;
    double sum = 0, il = w->parts->il[0];
    for (size_t a = 0; a < w->axes; a++) {
        double q = first->q[a][0], u = first->mu[0] * q,
               moved = w->parts->w[0] * (u - second->mu[lane] * second->q[a][lane]);
        sum += (q + pace->h * ((moved + w->cart_w * u) * il + chain_motions(w, c)->d[a][0])) * q;
    }
    return w->cart_w * il * sum;
}

/* The equations of a block at s, with what is eliminated of them; lanes without a link have x = 0. */
INLINE chain_equation chain_form_row(const ph_pace *pace, const chain *w, chain_carry *c, size_t s,
                                     chain_walk *at, const chain_pulls *end, vector *q_before,
                                     vector *w_before, bool first, vector least)
{
    const vector zero = {0, 0, 0, 0}, square = c->links[s].square;
    const chain_pulls *behind = s + 1 < w->length ? c->links + s + 1 : end;
    chain_equation e = chain_residual(pace, at, chain_part_at(w, s), chain_motions(w, c) + s, behind,
                                      q_before, w_before, first ? square : zero, least);
    if (s == 0 && w->axes)
        e.own[0] += chain_cart_diagonal(w, pace, c);
    for (size_t lane = 0; s >= w->full && lane < LANES; lane++)
        if (lane * w->length + s >= w->n)
            e.own[lane] = 1, e.r[lane] = 0;
    return e;
}

/* The last links of the stretches, whose rows are left. Are all pivots positive? */
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

/* Their solution. r_before: of the rows before; taken: sums over the stretches behind. */
INLINE vector chain_solve_last(const chain_last_rows *m, vector r, vector r_before, vector taken)
{
    r -= m->before * r_before + m->next * chain_shift_out(taken);
    double r1 = r[1] - m->m1 * r[0], r2 = r[2] - m->m2 * r[3];
    double y1 = (m->d2 * r1 - m->up1 * r2) * m->over, y2 = (m->d1 * r2 - m->low2 * r1) * m->over;
    return (vector){(r[0] - m->up0 * y1) * m->i0, y1, y2, (r[3] - m->low3 * y2) * m->i3};
}

/* At rest increments are what rounding leaves of pulls that cancel, or nothing at all, and a correction
 * is rounding of these pulls: |nu|^2 of it is no smaller in a further pass, and is nothing beside an
 * increment of who moves. 16: with 4 half of the steps of 100 links that hang still take two passes, with
 * 16 one in thirty. */
INLINE double chain_rounding(const chain *w, const ph_pace *pace)
{
    const double nu = 16 * DBL_EPSILON * pace->h * pace->kick * w->rest, most = 1e-24;
    return nu * nu < most ? nu * nu : most; /* in steps far too long rounding is not what is left */
}

/* Elimination, which a second pass may want to have kept, on the way of which what is due is done; y <- the
 * multipliers of the last links. Are all pivots positive? */
INLINE bool chain_eliminate(const ph_pace *pace, chain *w, chain_carry *c, chain_pass which, vector *y)
{
    const vector zero = {0, 0, 0, 0};
    const size_t length = w->length;
    const vector least = zero + chain_rounding(w, pace);
    bool due = c->due > 0;
    chain_eliminated e = {
        .r = zero, .b = zero, .o = zero - 1, .entry = zero + 1, .taken = zero, .taken_r = zero};
    const ph_pace latest = chain_latest_pace(pace->staged, w, c);
    const ph_forecast forecast = chain_forecast(pace->staged, w, c);
    chain_ending f;
    chain_walk at;
    chain_pulls end;
    vector q_before[AXES], w_before;
    if (due) {
        chain_end_last_block(&latest, &forecast, &f, w, c);
        chain_end_blocks(&latest, &forecast, &f, w, c, CHUNK + 1);
    }
    walk_begin(&at, w, pace->kick, c->links, &end);
    for (int a = 0; a < AXES; a++)
        q_before[a] = chain_shift_in(0, c->links[length - 1].q[a]);
    w_before = chain_shift_in(0, chain_part_at(w, length - 1)->w);
    for (size_t s = 0; s + 1 < length; s++) {
        if (s % CHUNK == 0) {
            e.o = chain_flush(e.o);
            e.entry = chain_flush(e.entry);
            if (due)
                chain_end_blocks(&latest, &forecast, &f, w, c, s + CHUNK + 1);
        }
        chain_equation own =
            chain_form_row(pace, w, c, s, &at, &end, q_before, &w_before, which != AFRESH, least);
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
        chain_form_row(pace, w, c, length - 1, &at, &end, q_before, &w_before, which != AFRESH, least);
    w->rows[length - 1].tolerance = last.tolerance;
    chain_last_rows m;
    bool positive = chain_factor_last(&m, &last, &e) && !any(e.negative);
    *y = chain_solve_last(&m, last.r, e.r, e.taken_r);
    if (which == FIRST)
        w->last = m;
    return positive;
}

/* The same rows with another right side, which stands in them. */
INLINE vector chain_eliminate_again(chain *w)
{
    vector r = {0, 0, 0, 0}, entry = r + 1, taken = r;
    for (size_t s = 0; s + 1 < w->length; s++) {
        chain_row *own = w->rows + s;
        own->r = r = (own->r - own->before * r) * own->inverse;
        taken += entry * r;
        entry = -entry * own->b;
        if (s % CHUNK == 0)
            entry = chain_flush(entry);
    }
    return chain_solve_last(&w->last, w->rows[w->length - 1].r, r, taken);
}

/* ---- Back --------------------------------------------------------------------------------------- */

/* |nu|^2 of a correction: is it not what it was taken for, but for rounding; and is it none? */
typedef struct chain_judgement {
    mask moved, large;
} chain_judgement;

/* What was taken for it: that of the last step; in a second pass with a matrix the first one's correction has
 * to be added, |nu_1 + nu|^2 - |nu_1|^2 <= 2 |nu_1| |nu| + |nu|^2; in another pass nothing. */
INLINE void chain_judge(const ph_pace *pace, chain_judgement *of, chain_pulls *own, chain_row *at,
                        const vector *X_own, const vector *X_before, vector il, chain_pass which)
{
    const vector by = ph_increment(pace, il);
    vector nu[AXES];
    for (int a = 0; a < AXES; a++)
        nu[a] = (X_own[a] - X_before[a]) * by;
    vector now = chain_dot(nu, nu), taken = own->square, limit = at->tolerance;
    of->large |= ~(now <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION);
    if (which == ALONE || which == FIRST) {
        of->moved |= ~(absolute(now - taken) <= limit);
        own->square = now;
        if (which == FIRST)
            at->r = ph_rate(pace, 0.5 * (taken - now));
    } else if (which == AGAIN) {
        of->moved |= ~(16 * taken * now <= limit * limit) | ~(2 * now <= limit);
    } else {
        of->moved |= ~(now <= limit);
    }
}

/* The corrections x of all multipliers, from those of the last links. */
INLINE chain_judgement chain_substitute(const ph_pace *pace, chain *w, chain_carry *c, chain_pass which,
                                        vector y)
{
    const size_t length = w->length;
    const vector y_before = chain_shift_in(0, y), il_last = chain_part_at(w, length - 1)->il;
    chain_judgement of = {{0}, {0}};
    chain_pulls *links = c->links;
    vector x = y, u[AXES], X_last[AXES], X_root[AXES];
    vector X_next[AXES] = {{0}, {0}, {0}},
           X_before[AXES] = {{0}, {0}, {0}}; /* of s + 1; of the last but one */
    for (int a = 0; a < AXES; a++)
        u[a] = x * links[length - 1].q[a];
    memcpy(X_last, u, sizeof u); /* and what pulls behind is known in the end */
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
            chain_judge(pace, &of, links + s + 1, w->rows + s + 1, X_next, X_own, chain_part_at(w, s + 1)->il,
                        which);
        memcpy(X_next, X_own, sizeof X_own);
    }
    for (size_t a = 0; a < AXES; a++) {
        X_last[a] = chain_part_at(w, length - 1)->w * (X_last[a] - chain_shift_out(u[a]));
        X_root[a] = chain_shift_in(a < w->axes ? -w->cart_w * u[a][0] : 0, X_last[a]);
    }
    if (length > 1)
        chain_judge(pace, &of, links, w->rows, X_next, X_root, w->parts->il, which);
    chain_judge(pace, &of, links + length - 1, w->rows + length - 1, X_last, length > 1 ? X_before : X_root,
                il_last, which);
    return of;
}

/* ---- A step ------------------------------------------------------------------------------------- */

/* A pass; false where it says that the guess is no good. */
INLINE bool chain_iterate(const ph_pace *pace, chain_pass which, chain *w, chain_carry *c, bool *settled)
{
    vector y;
    if (which == AGAIN)
        y = chain_eliminate_again(w);
    else if (!chain_eliminate(pace, w, c, which, &y))
        return false;
    chain_judgement of = chain_substitute(pace, w, c, which, y);
    *settled = !any(of.moved);
    return !any(of.large);
}

/* A step from the guess; false where the guess is no good, and nothing but what was due is done. */
INLINE bool chain_advance(bool staged, bool many, void *kernel, ph_tension_carry *head, int *passes)
{
    chain *w = kernel;
    chain_carry *c = (chain_carry *)(void *)head;
    const ph_pace pace = ph_pace_of(staged, w->of, head->h, staged ? w->method->stage->index : 0);
    bool settled = false, good = chain_iterate(&pace, many ? FIRST : ALONE, w, c, &settled);
    *passes = 1;
    if (many && good && !settled) {
        good = chain_iterate(&pace, AGAIN, w, c, &settled);
        ++*passes;
    }
    for (; good && !settled && *passes < MOST_PASSES; ++*passes)
        good = chain_iterate(&pace, AFRESH, w, c, &settled);
    c->due = good && settled;
    if (c->due > 0) {
        head->count++;
        head->stage = staged ? (double)w->method->stage->index : 0;
    }
    return c->due > 0;
}

typedef bool chain_advancing(void *kernel, ph_tension_carry *c, int *passes);
#define ADVANCE(name, staged, many)                                                                          \
    PH_LANES_TWICE(PH_LANES_AVX2, bool, name, (void *kernel, ph_tension_carry *c, int *passes),              \
                   return chain_advance(staged, many, kernel, c, passes);)
ADVANCE(chain_few, false, false)
ADVANCE(chain_many, false, true)
ADVANCE(chain_few_stages, true, false)
ADVANCE(chain_many_stages, true, true)

static chain_advancing *chain_choose_advance(const chain *w)
{
    static chain_advancing *const ways[2][2][2] = {
        {{chain_few_plain, chain_many_plain}, {chain_few_stages_plain, chain_many_stages_plain}},
        {{chain_few_wide, chain_many_wide}, {chain_few_stages_wide, chain_many_stages_wide}},
    };
    return ways[ph_lanes(PH_KERNEL_AVX2)][w->of != NULL][w->length >= MANY];
}

/* ---- The plain form ----------------------------------------------------------------------------- */

/* What is due, and nothing else. */
static void chain_end_all(const chain *w, chain_carry *c)
{
    const ph_pace latest = chain_latest_pace(w->of != NULL, w, c);
    const ph_forecast forecast = chain_forecast(w->of != NULL, w, c);
    chain_ending f;
    if (c->due == 0)
        return;
    chain_end_last_block(&latest, &forecast, &f, w, c);
    chain_end_blocks(&latest, &forecast, &f, w, c, w->length);
}

static void chain_gather(void *kernel, ph_tension_carry *head, ph_tension_motion *to)
{
    const chain *w = kernel;
    chain_carry *c = (chain_carry *)(void *)head;
    chain_end_all(w, c);
    for (size_t a = 0; a < w->axes; a++) {
        to->q[a] = c->cart.q[a], to->q_low[a] = c->cart.ql[a];
        to->delta[a] = c->cart.d[a], to->low[a] = c->cart.dl[a];
    }
    for (size_t s = 0; s < w->length; s++) {
        const chain_pulls *now = c->links + s;
        const chain_motion *own = chain_motions(w, c) + s;
        for (size_t a = 0; a < AXES; a++) {
            const vector q_low = first_of(own->low[a]), low = second_of(own->low[a]);
            for (size_t lane = 0, i = s; lane < LANES && i < w->n; lane++, i += w->length) {
                const size_t at = w->axes + AXES * i + a;
                to->q[at] = now->q[a][lane], to->q_low[at] = q_low[lane];
                to->delta[at] = own->d[a][lane], to->low[at] = low[lane];
            }
        }
    }
}

/* Guesses by the latest stage alone. What stages have lacked is forgotten: it went with another history. */
static void chain_begin_stages(const chain *w, chain_carry *c)
{
    ph_recollection *recollections = chain_recollections(w, c);
    memset(recollections, 0, w->of->stages * w->length * sizeof *recollections);
    const ph_forecast f = chain_forecast(true, w, c);
    for (size_t s = 0; s < w->length; s++)
        ph_forecast_take(&f, s, &c->links[s].mu, chain_motions(w, c)[s].past);
}

static void chain_scatter(void *kernel, const ph_tension_motion *from, const double *lambda,
                          ph_tension_carry *head)
{
    const chain *w = kernel;
    const vector zero = {0, 0, 0, 0};
    chain_carry *c = (chain_carry *)(void *)head;
    const double h = chain_latest_pace(w->of != NULL, w, c).h;
    for (size_t a = 0; a < w->axes; a++) {
        c->cart.q[a] = from->q[a], c->cart.ql[a] = from->q_low[a];
        c->cart.d[a] = from->delta[a], c->cart.dl[a] = from->low[a];
    }
    for (size_t i = 0; i < w->n; i++) {
        chain_pulls *now = c->links + i % w->length;
        chain_motion *own = chain_motions(w, c) + i % w->length;
        size_t lane = i / w->length, at = w->axes + AXES * i;
        for (size_t a = 0; a < AXES; a++, at++) {
            now->q[a][lane] = from->q[at];
            own->d[a][lane] = from->delta[at];
            own->low[a][lane] = pair(zero + from->q_low[at], zero + from->low[at])[0];
        }
        now->mu[lane] = own->past[0][lane] =
            lambda[(w->axes > 0) + i] * chain_part_at(w, i % w->length)->il[lane] / h;
        own->past[1][lane] = own->past[2][lane] = now->square[lane] = 0;
    }
    if (w->of)
        chain_begin_stages(w, c);
}

/* ---- The kernel --------------------------------------------------------------------------------- */

/* So many first blocks have four links, and as many of those are like the first. */
static void chain_find_alike(chain *w)
{
    size_t last = (LANES - 1) * w->length;
    w->full = w->n > last ? w->n - last : 0;
    w->alike = 0;
    for (size_t s = 0; s < w->full; s++)
        for (size_t lane = 0; lane < LANES; lane++)
            if (w->parts[s].w[lane] != w->parts->w[0] || w->parts[s].il[lane] != w->parts->il[0])
                return;
    w->alike = w->full;
}

/* The pull of what hangs on a link and itself, in both masses at its ends. */
static double chain_find_rest(const chain *w)
{
    const double *g = w->gravity;
    double below = 0, largest = 0;
    for (size_t i = w->n; i-- > 0;) {
        const chain_part *p = w->parts + i % w->length, *before = i ? w->parts + (i - 1) % w->length : NULL;
        const double inverse = p->w[i / w->length],
                     other = before ? before->w[(i - 1) / w->length] : w->cart_w;
        below += 1 / inverse;
        largest = fmax(largest, below * (inverse + other) * p->il[i / w->length]);
    }
    return largest * sqrt(g[X] * g[X] + g[Y] * g[Y] + g[Z] * g[Z]);
}

static ph_status chain_init(ph_variational *method, ph_context *context)
{
    chain_scratch *w = method->work;
    const ph_linkage *linkage = ph_system_linkage(context->system);
    ph_lay l = {method->work, 0};
    size_t first;
    chain_lay(w, context->system, &l);
    memset(w->c.parts, 0, w->c.length * sizeof *w->c.parts); /* lanes that no link has stay so */
    memset(w->c.rows, 0, w->c.length * sizeof *w->c.rows);
    w->c.method = method;
    w->c.of = w->ways.of = ph_variational_composition_of(context->options);
    first = w->plain.eq.n - w->c.n;
    w->c.axes = first ? w->plain.eq.nz - AXES * w->c.n : 0;
    w->c.cart_w = first ? 1 / linkage->mass[0] : 0;
    for (size_t a = 0; a < AXES; a++)
        w->c.gravity[a] = linkage->gravity[a];
    for (size_t i = 0; i < w->c.n; i++) {
        chain_part *p = w->c.parts + i % w->c.length;
        p->il[i / w->c.length] = 1 / linkage->length[first + i];
        p->w[i / w->c.length] = 1 / linkage->mass[first + i];
    }
    chain_find_alike(&w->c);
    w->c.rest = chain_find_rest(&w->c);
    w->ways.gather = chain_gather;
    w->ways.scatter = chain_scatter;
    w->ways.advance = chain_choose_advance(&w->c);
    return ph_tension_plain_init(&w->plain);
}

static ph_status chain_step(ph_variational *method, ph_context *context, ph_state *state)
{
    chain_scratch *w = method->work;
    return ph_tension_ways_step(&w->plain, &w->ways, method->stage, &w->c, context, state);
}

static void chain_synchronise(ph_variational *method, ph_state *state)
{
    chain_scratch *w = method->work;
    ph_tension_ways_synchronise(&w->plain, &w->ways, &w->c, state);
}

const ph_variational_kernel ph_variational_chain = {
    .size = chain_size, .init = chain_init, .step = chain_step, .synchronise = chain_synchronise};
