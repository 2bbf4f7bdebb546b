/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of variational-multipliers.c for chains in space under gravity alone, with a cart or without: the
 * same equations, written out for speed. Link i pulls on the masses at its ends along q_i with the impulse
 * mu_i = lambda_i / l_i, so that in a step mass i changes its increment by
 *     X_i = w_i (mu_i q_i - mu_(i+1) q_(i+1)) + h^2 G,      w = 1/m,
 * and link i by (X_i - X_(i-1)) / l_i: gravity cancels but where nothing falls, at the fixed point (or across
 * the axes of the cart). Rows of the Newton matrix are those of T times l_i l_j, with q1 = q + delta of the
 * guess tridiagonal:
 *     (w_i + w_(i-1)) q1_i.q_i,  - w_i q1_i.q_(i+1),  - w_(i-1) q1_i.q_(i-1).
 *
 * The carry has a block for every four links, a vector for each number that they have; z and p are written
 * when they are asked for. What is serial is the elimination (variational-tridiagonal.h). |q|^2 - 1 is found
 * exactly by splitting q in two (Dekker), which needs no fused multiply-add: plain and vector instructions
 * give the same bits. |nu|^2 of the last step is the first guess of this one's. Steps without a guess are
 * made in the plain form, variational-tensions.c.
 *
 * Sources: as variational-multipliers.c. */
#include <polhode/algebra.h>
#include <polhode/tensions.h>

#include "variational-lanes.h"
#include "variational-tensions.h"
#include "variational-tridiagonal.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST_PASSES = 8 };
enum { X, Y, Z, AXES };

/* What four links carry; behind the last block is one of zeros. */
typedef struct block {
    loose q[AXES], ql[AXES]; /* unit vectors, low-order parts */
    loose d[AXES], dl[AXES]; /* increments, low-order parts */
    loose guess;             /* mu of the next step */
    loose D0, D1, D2;        /* mu of the last step, its first and second backward difference */
    loose square;            /* |nu|^2 of the last step */
} block;

/* The place of a cart, its increment, and their low-order parts. */
typedef struct cart {
    double q[AXES], ql[AXES], d[AXES], dl[AXES];
} cart;

/* The carry: this, and the blocks behind it. */
typedef struct carry {
    double h, count; /* as in variational-multipliers.c */
    cart cart;
    block links[];
} carry;

/* What does not change about four links, and what is between the passes. */
typedef struct part {
    vector l, il, w;  /* lengths, their inverses, inverse masses */
    vector w_before;  /* of the link before */
    vector phi;       /* - residual, times l */
    vector tolerance; /* rounding of |nu|^2 */
    vector square;    /* |nu|^2 */
} part;

typedef struct chain {
    size_t n, blocks, axes; /* links; axes of the cart, 0 without */
    double root[AXES];      /* - h^2 G where nothing falls */
    double fall[AXES];      /* h^2 G where the cart does */
    double cart_w;          /* 1/m of the cart */
    part *parts;            /* (blocks) */
    ph_tridiagonal m;       /* (whole blocks; r has one of zeros behind) */
} chain;

typedef struct scratch {
    ph_variational_head head;
    ph_tension_plain plain;
    chain c;
    bool (*advance)(chain *w, carry *c, int *passes);
    double h;
} scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static size_t blocks_of(size_t n)
{
    return (n + LANES - 1) / LANES;
}

static carry *carry_of(const ph_state *state)
{
    return (carry *)(void *)state->carry;
}

static size_t links_of(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    return ph_space_factors(space) - (ph_space_factor(space, 0)->kind == PH_FACTOR_R);
}

static size_t lay_scratch(scratch *w, const ph_system *system, double *memory)
{
    size_t used = 0, n = links_of(system), blocks = blocks_of(n);
    double **arrays[] = {&w->c.m.a,   &w->c.m.b,     &w->c.m.diagonal, &w->c.m.inverse,
                         &w->c.m.own, &w->c.m.other, &w->c.m.r};
    w->c.n = w->c.m.n = n;
    w->c.blocks = blocks;
    double *parts = ph_take(memory, &used, blocks * sizeof(part) / sizeof(double)); /* first: aligned */
    w->c.parts = (part *)(void *)parts;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = ph_take(memory, &used, LANES * (blocks + 1));
    ph_tension_plain_lay(&w->plain, system, memory, &used);
    return used;
}

static size_t head_size(void)
{
    return (sizeof(scratch) + 63) & ~(size_t)63;
}

static ph_method_size size(const ph_system *system, const double *options)
{
    scratch w;
    size_t carried = sizeof(carry) + (blocks_of(links_of(system)) + 1) * sizeof(block);
    (void)options;
    return (ph_method_size){.work = head_size() + lay_scratch(&w, system, NULL) * sizeof(double),
                            .carry = carried / sizeof(double)};
}

/* ---- Vectors of four ---------------------------------------------------------------------------- */

/* The last lane of `before`, and all of `now` but its last. */
INLINE vector shift_in(vector before, vector now)
{
    return SHUFFLE(before, now, 3, 4, 5, 6);
}

/* All of `now` but its first lane, and the first of `next`. */
INLINE vector shift_out(vector now, vector next)
{
    return SHUFFLE(now, next, 1, 2, 3, 4);
}

INLINE vector dot(const vector *a, const vector *b)
{
    return a[X] * b[X] + a[Y] * b[Y] + a[Z] * b[Z];
}

/* |q + low|^2 - 1: squares of the upper halves of q are exact, and so is their sum. */
INLINE vector excess(const vector *q, const loose *low)
{
    const double splitter = 0x1.8p27; /* what is added to it keeps 25 bits behind the point */
    vector upper = {-1, -1, -1, -1}, rest = {0, 0, 0, 0};
    for (int a = 0; a < AXES; a++) {
        vector half = (q[a] + splitter) - splitter, lower = q[a] - half;
        upper += half * half;
        rest += (q[a] + half) * lower + (q[a] + q[a]) * low[a];
    }
    return upper + rest;
}

/* ---- The passes, four links at a time ------------------------------------------------------------ */

/* Going along the chain: unit vectors and pulls mu q of one block and the next, X of the last mass before. */
typedef struct walk {
    vector q[AXES], q_next[AXES], u[AXES], u_next[AXES], X_before[AXES];
} walk;

/* X_0 of what the chain hangs on, from the impulse of the first link. */
INLINE void begin(walk *at, const chain *w, const block *first, vector mu, bool heavy)
{
    for (int a = 0; a < AXES; a++) {
        at->q_next[a] = first->q[a];
        at->u_next[a] = mu * first->q[a];
        double root = (size_t)a < w->axes ? -w->cart_w * at->u_next[a][0] : heavy ? w->root[a] : 0;
        at->X_before[a] = (vector){0, 0, 0, root};
    }
}

/* To the next block, with mu of the one behind it: change <- (X_i - X_(i-1)) / l_i. */
INLINE void go_on(walk *at, const part *p, const block *behind, vector mu, vector *change)
{
    for (int a = 0; a < AXES; a++) {
        at->q[a] = at->q_next[a];
        at->u[a] = at->u_next[a];
        at->q_next[a] = behind->q[a];
        at->u_next[a] = mu * at->q_next[a];
        vector moved = p->w * (at->u[a] - shift_out(at->u[a], at->u_next[a]));
        change[a] = (moved - shift_in(at->X_before[a], moved)) * p->il;
        at->X_before[a] = moved;
    }
}

/* Four rows of the matrix and of the right side. */
typedef struct rows {
    vector a, b, d, r;
} rows;

/* The residual at the guess, the matrix there, and what rounding is. q_before: of the link before, in the
 * last lane. */
INLINE rows residual(walk *at, part *p, const block *own, vector *q_before)
{
    vector D[AXES], q1[AXES], before[AXES], behind[AXES];
    rows row;
    go_on(at, p, own + 1, own[1].guess, D);
    for (int a = 0; a < AXES; a++) {
        D[a] += own->d[a];
        q1[a] = at->q[a] + D[a];
        before[a] = shift_in(q_before[a], at->q[a]);
        behind[a] = shift_out(at->q[a], at->q_next[a]);
        q_before[a] = at->q[a];
    }
    p->phi = -p->l * (dot(at->q, D) + 0.5 * (dot(D, D) + excess(at->q, own->ql)));
    p->tolerance = 0.25 * DBL_EPSILON * (absolute(D[X]) + absolute(D[Y]) + absolute(D[Z]));
    p->square = own->square;
    row.r = p->phi - 0.5 * p->l * p->square;
    row.d = (p->w + p->w_before) * dot(q1, at->q);
    row.a = -p->w_before * dot(q1, before);
    row.b = -p->w * dot(q1, behind);
    return row;
}

/* What the mass of a cart adds to the diagonal of the first link: w q1.q along its axes. */
INLINE double cart_diagonal(const chain *w, const carry *c)
{
    const block *first = c->links;
    double sum = 0;
    for (size_t a = 0; a < w->axes; a++) {
        double q = first->q[a][0], mu = first->guess[0];
        double moved = w->parts->w[0] * (mu * q - first->guess[1] * first->q[a][1]);
        sum += (q + (first->d[a][0] + (moved + w->cart_w * (mu * q)) * w->parts->il[0])) * q;
    }
    return w->cart_w * sum;
}

/* p->square <- |nu|^2 of the correction r, r_next that of the block behind. moved: where it is not what it
 * was (square), but for rounding; large: where it is no correction. */
INLINE void settle(walk *at, part *p, const block *own, vector r_next, mask *moved, mask *large)
{
    vector nu[AXES];
    go_on(at, p, own + 1, r_next, nu);
    vector now = dot(nu, nu);
    *moved |= ~(absolute(now - p->square) <= p->tolerance);
    *large |= ~(now <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION);
    p->square = now;
}

/* The end of the step, with the mu that the guess became, and of the block behind. known: how many steps have
 * left theirs. */
INLINE void finish(walk *at, const part *p, block *own, vector mu, vector mu_next, const double *known)
{
    vector change[AXES];
    go_on(at, p, own + 1, mu_next, change);
    for (int a = 0; a < AXES; a++) {
        vector d, dl, q, ql;
        two_sum(own->d[a], change[a] + own->dl[a], &d, &dl);
        two_sum(at->q[a], d + own->ql[a], &q, &ql);
        own->d[a] = d, own->dl[a] = dl;
        own->q[a] = q, own->ql[a] = ql;
    }
    vector D1 = known[0] * (mu - own->D0), D2 = known[1] * (D1 - own->D1), D3 = known[2] * (D2 - own->D2);
    own->D0 = mu, own->D1 = D1, own->D2 = D2;
    own->guess = mu + (D1 + (D2 + D3));
    own->square = p->square;
}

/* X_0 into the increment of the cart. */
INLINE void finish_cart(const chain *w, cart *c, const walk *at)
{
    for (size_t a = 0; a < w->axes; a++) {
        double change = at->X_before[a][3] + w->fall[a];
        two_sum_of_one(c->d[a], change + c->dl[a], &c->d[a], &c->dl[a]);
        two_sum_of_one(c->q[a], c->d[a] + c->ql[a], &c->q[a], &c->ql[a]);
    }
}

/* ---- A step ------------------------------------------------------------------------------------- */

/* A step from the guess; false, and nothing is changed, where the guess is no good. */
INLINE bool advance_many(bool many, chain *w, carry *c, int *passes)
{
    double *restrict a = w->m.a, *restrict b = w->m.b, *restrict d = w->m.diagonal, *restrict r = w->m.r;
    const double known[3] = {c->count >= 1, c->count >= 2, c->count >= 3};
    vector q_before[AXES] = {{0}, {0}, {0}};
    mask moved = {0}, large = {0};
    size_t blocks = w->blocks;
    walk at;
    begin(&at, w, c->links, c->links->guess, true);
    double root = w->axes ? cart_diagonal(w, c) : 0;
    for (size_t k = 0; k < blocks; k++) {
        rows row = residual(&at, w->parts + k, c->links + k, q_before);
        store(a + LANES * k, row.a);
        store(b + LANES * k, row.b);
        store(d + LANES * k, row.d);
        store(r + LANES * k, row.r);
    }
    d[0] += root;
    if (!ph_tridiagonal_factor(&w->m, many))
        return false;
    for (*passes = 1;; ++*passes) {
        ph_tridiagonal_solve(&w->m, many);
        moved = large = (mask){0};
        begin(&at, w, c->links, load(r), false);
        for (size_t k = 0; k < blocks; k++) {
            part *p = w->parts + k;
            settle(&at, p, c->links + k, load(r + LANES * (k + 1)), &moved, &large);
        }
        if (any(large) || (any(moved) && *passes == MOST_PASSES))
            return false;
        if (!any(moved))
            break;
        for (size_t k = 0; k < blocks; k++)
            store(r + LANES * k, w->parts[k].phi - 0.5 * w->parts[k].l * w->parts[k].square);
    }
    vector mu = c->links->guess + load(r);
    begin(&at, w, c->links, mu, true);
    finish_cart(w, &c->cart, &at);
    for (size_t k = 0; k < blocks; k++) {
        vector mu_next = c->links[k + 1].guess + load(r + LANES * (k + 1));
        finish(&at, w->parts + k, c->links + k, mu, mu_next, known);
        mu = mu_next;
    }
    return true;
}

/* Elimination and solution for at most four links, in registers. */
typedef struct factors {
    double m1, m2, m3, i0, i1, i2, i3; /* multipliers, 1 / pivots */
    vector b;
} factors;

INLINE bool factor_one(size_t n, rows row, factors *f)
{
    bool positive = row.d[0] > 0;
    double d1, d2, d3;
    f->b = row.b;
    f->i0 = 1 / row.d[0];
    if (n > 1) {
        f->m1 = row.a[1] * f->i0;
        d1 = row.d[1] - f->m1 * row.b[0];
        f->i1 = 1 / d1;
        positive = positive && d1 > 0;
    }
    if (n > 2) {
        f->m2 = row.a[2] * f->i1;
        d2 = row.d[2] - f->m2 * row.b[1];
        f->i2 = 1 / d2;
        positive = positive && d2 > 0;
    }
    if (n > 3) {
        f->m3 = row.a[3] * f->i2;
        d3 = row.d[3] - f->m3 * row.b[2];
        f->i3 = 1 / d3;
        positive = positive && d3 > 0;
    }
    return positive;
}

INLINE vector solve_one(size_t n, const factors *f, vector r)
{
    double r0 = r[0], r1 = r[1], r2 = r[2], r3 = 0;
    if (n > 1)
        r1 -= f->m1 * r0;
    if (n > 2)
        r2 -= f->m2 * r1;
    if (n > 3)
        r3 = (r[3] - f->m3 * r2) * f->i3;
    r2 = n > 2 ? (r2 - f->b[2] * r3) * f->i2 : 0;
    r1 = n > 1 ? (r1 - f->b[1] * r2) * f->i1 : 0;
    r0 = (r0 - f->b[0] * r1) * f->i0;
    return (vector){r0, r1, r2, r3};
}

/* The same for at most four links. */
INLINE bool advance_one(size_t n, chain *w, carry *c, int *passes)
{
    const double known[3] = {c->count >= 1, c->count >= 2, c->count >= 3};
    vector q_before[AXES] = {{0}, {0}, {0}}, none = {0};
    block *own = c->links;
    part *p = w->parts;
    factors f;
    walk at;
    begin(&at, w, own, own->guess, true);
    rows row = residual(&at, p, own, q_before);
    if (w->axes)
        row.d[0] += cart_diagonal(w, c);
    if (!factor_one(n, row, &f))
        return false;
    for (*passes = 1;; ++*passes) {
        mask moved = {0}, large = {0};
        vector r = solve_one(n, &f, row.r);
        begin(&at, w, own, r, false);
        settle(&at, p, own, none, &moved, &large);
        if (any(large) || (any(moved) && *passes == MOST_PASSES))
            return false;
        if (!any(moved)) {
            vector mu = own->guess + r;
            begin(&at, w, own, mu, true);
            finish_cart(w, &c->cart, &at);
            finish(&at, p, own, mu, none, known);
            return true;
        }
        row.r = p->phi - 0.5 * p->l * p->square;
    }
}

INLINE bool advance(chain *w, carry *c, int *passes)
{
    switch (w->n) {
    case 1:
        return advance_one(1, w, c, passes);
    case 2:
        return advance_one(2, w, c, passes);
    case 3:
        return advance_one(3, w, c, passes);
    case 4:
        return advance_one(4, w, c, passes);
    default:
        return w->n < PH_MANY_ROWS ? advance_many(false, w, c, passes) : advance_many(true, w, c, passes);
    }
}

static bool advance_plain(chain *w, carry *c, int *passes)
{
    return advance(w, c, passes);
}

#ifdef PH_LANES_AVX2
PH_LANES_AVX2 static bool advance_avx2(chain *w, carry *c, int *passes)
{
    return advance(w, c, passes);
}
#endif

/* ---- The plain form ----------------------------------------------------------------------------- */

/* v (nz) <- numbers of the cart and of the links, of which `first` is that of the first block; and back. */
static void gather(const chain *w, const double *on, const loose *first, double *v)
{
    const size_t stride = sizeof(block) / sizeof(double);
    for (size_t a = 0; a < w->axes; a++)
        v[a] = on[a];
    for (size_t i = 0; i < w->n; i++)
        for (size_t a = 0; a < AXES; a++)
            v[w->axes + AXES * i + a] =
                ((const double *)(const void *)(first + a))[i / LANES * stride + i % LANES];
}

static void scatter(const chain *w, const double *v, double *on, loose *first)
{
    const size_t stride = sizeof(block) / sizeof(double);
    for (size_t a = 0; a < w->axes; a++)
        on[a] = v[a];
    for (size_t i = 0; i < w->n; i++)
        for (size_t a = 0; a < AXES; a++)
            ((double *)(void *)(first + a))[i / LANES * stride + i % LANES] = v[w->axes + AXES * i + a];
}

static void gather_motion(scratch *w, const carry *c)
{
    ph_tension_motion *to = &w->plain.from;
    to->h = c->h;
    if (c->h == 0)
        return;
    gather(&w->c, c->cart.q, c->links->q, to->q);
    gather(&w->c, c->cart.ql, c->links->ql, to->q_low);
    gather(&w->c, c->cart.d, c->links->d, to->delta);
    gather(&w->c, c->cart.dl, c->links->dl, to->low);
}

/* Without a guess. The multipliers begin a new history. */
static ph_status step_plain(scratch *w, ph_context *context, const ph_state *state, carry *c)
{
    const ph_tension_motion *to = &w->plain.to;
    size_t first = w->plain.eq.n - w->c.n;
    gather_motion(w, c);
    ph_status status = ph_tension_plain_step(&w->plain, w->h, context, state);
    if (status)
        return status;
    scatter(&w->c, to->q, c->cart.q, c->links->q);
    scatter(&w->c, to->q_low, c->cart.ql, c->links->ql);
    scatter(&w->c, to->delta, c->cart.d, c->links->d);
    scatter(&w->c, to->low, c->cart.dl, c->links->dl);
    for (size_t i = 0; i < w->c.n; i++) {
        block *own = c->links + i / LANES;
        size_t lane = i % LANES;
        double mu = w->plain.eq.lambda[first + i] * w->c.parts[i / LANES].il[lane];
        own->guess[lane] = own->D0[lane] = mu;
        own->D1[lane] = own->D2[lane] = own->square[lane] = 0;
    }
    return PH_OK;
}

/* ---- The kernel --------------------------------------------------------------------------------- */

static ph_status init(ph_context *context)
{
    scratch *w = context->work;
    const ph_linkage *linkage = ph_system_linkage(context->system);
    double *memory = (double *)(void *)((char *)context->work + head_size());
    size_t used = lay_scratch(w, context->system, NULL), first;
    memset(memory, 0, used * sizeof *memory); /* lanes that no link has stay so */
    lay_scratch(w, context->system, memory);
    w->head.kernel = &ph_variational_chain;
    w->h = context->h;
    first = w->plain.eq.n - w->c.n;
    w->c.axes = first ? w->plain.eq.nz - AXES * w->c.n : 0;
    w->c.cart_w = first ? 1 / linkage->mass[0] : 0;
    for (size_t a = 0; a < AXES; a++) {
        double fallen = w->h * w->h * linkage->gravity[a];
        w->c.root[a] = a < w->c.axes ? 0 : -fallen;
        w->c.fall[a] = a < w->c.axes ? fallen : 0;
    }
    for (size_t i = 0; i < w->c.n; i++) {
        part *p = w->c.parts + i / LANES;
        p->l[i % LANES] = linkage->length[first + i];
        p->il[i % LANES] = 1 / linkage->length[first + i];
        p->w[i % LANES] = 1 / linkage->mass[first + i];
        p->w_before[i % LANES] = i ? 1 / linkage->mass[first + i - 1] : 0; /* a cart's: cart_diagonal */
    }
    w->advance = advance_plain;
#ifdef PH_LANES_AVX2
    if (__builtin_cpu_supports("avx2"))
        w->advance = advance_avx2;
#endif
    return ph_tension_plain_init(&w->plain);
}

static void plain(ph_context *context)
{
    scratch *w = context->work;
    w->advance = advance_plain;
}

static ph_status step(ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    carry *c = carry_of(state);
    int passes = 0;
    if (c->h == w->h && w->advance(&w->c, c, &passes)) {
        c->count += c->count < 3;
    } else {
        ph_status status = step_plain(w, context, state, c);
        if (status)
            return status;
        c->count = 1;
        c->h = w->h;
    }
    context->statistics->newton_passes += passes;
    return PH_OK;
}

static void synchronise(ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    gather_motion(w, carry_of(state));
    ph_tension_plain_synchronise(&w->plain, state);
}

const ph_variational_kernel ph_variational_chain = {
    .size = size, .init = init, .step = step, .synchronise = synchronise, .plain = plain};
