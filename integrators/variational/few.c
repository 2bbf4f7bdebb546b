/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of multipliers.c for one link in space under gravity alone, or two, the second on the
 * first, on a cart or without: the same equations, with all numbers in registers. With u_i = x_i q_i, x_i the
 * impulse along link i by m_1 l_1, the links change their increments by
 *     c_1 = u_1 - u_2 + (m_1 / m_0) u_1 + h^2 G / l_1,
 *     c_2 = (l_1 / l_2) ((1 + m_1 / m_2) u_2 - u_1),
 * of which a cart, m_0, has the second term along its axes alone, and h^2 G acts across them; its own change
 * is h^2 G - l_1 (m_1 / m_0) u_1. A link's three numbers, and a zero, are in a vector of four.
 *
 * What costs time is what has to wait for the end of the last step, and is kept short: the guess of x leaves
 * the last step's out, and what rounding has left of |q|^2 - 1 is found, exactly (chain.c), while
 * the next step is under way, and made good in the one behind it.
 *
 * Sources: as multipliers.c. */
#if defined(__GNUC__) && !defined(__clang__) /* numbers gathered into a vector are late in the next step */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include <polhode/algebra.h>

#include "integrators/shared/few.h"
#include "variational.h"

enum { MOST_PASSES = 8 };

/* Numbers of the links: of two in lanes 0 and 1, and again in 2 and 3; of a single one in all. */
typedef struct history {
    loose guess;       /* x of this step; ... */
    loose x, before;   /* of the last one and the one before it; ... */
    loose late, later; /* sums of those before, for the next guess and the one behind it */
    loose square;      /* what the correction of the guess adds to the residual by its square, ... */
    loose next;        /* in the next step, ... */
    loose y;           /* and what it was in the last one */
    loose excess;      /* what |q|^2 - 1 adds to the residual */
} history;

typedef struct carry {
    double h;
    double drop, e; /* of a single link on no cart: see there */
    history past;
    motion parts[]; /* links, and the cart */
} carry;

typedef struct scratch {
    ph_tension_plain plain;
    ph_few few;
    double h;
    vector fall, ride;  /* gravity in c_1, and of the cart */
    double half_square; /* |fall|^2 / 2 */
    double reach;       /* of |d + fall|^2: see advance_single */
} scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static carry *carry_of(const ph_state *state)
{
    return (carry *)(void *)state->carry;
}

static void lay_scratch(scratch *w, const ph_system *system, ph_lay *l)
{
    ph_lay_bytes(l, sizeof *w);
    ph_tension_plain_lay(&w->plain, system, l);
}

static ph_method_size size(const ph_system *system, const double *options)
{
    scratch w;
    ph_lay l = {NULL, 0};
    const size_t carried = sizeof(carry) + ph_space_factors(ph_system_space(system)) * sizeof(motion);
    (void)options;
    lay_scratch(&w, system, &l);
    return (ph_method_size){.work = l.bytes, .carry = carried / sizeof(double)};
}

/* ---- What all steps share ----------------------------------------------------------------------- */

/* The end of the step, with the change of the increment. */
INLINE void leave(motion *m, vector change)
{
    vector d, dl, q, ql;
    two_sum(m->d, change, &d, &dl);
    two_sum(m->q, d + m->ql, &q, &ql);
    m->d = d, m->dl = dl;
    m->q = q, m->ql = ql;
}

/* The guess of x_k is the cubic through x_(k-2) ... x_(k-5), that of y the line through y_(k-2), y_(k-3). */
INLINE void remember(history *past, vector x, vector y)
{
    vector before = past->x;
    past->guess = 10 * before + past->late;
    past->late = past->later - 20 * before;
    past->later = 15 * before - 4 * past->before;
    past->before = before;
    past->x = x;
    past->square = past->next;
    past->next = 3 * y - 2 * past->y;
    past->y = y;
}

/* Steps return false, and change nothing, where the guess is no good. Rounding of a residual is 2^-54 |d|. */

/* ---- A single link ------------------------------------------------------------------------------ */

/* With a = d + fall, the increment is a + x q, and
 *     x + (t + x / 2) x + off = 0,      t = q.a,      off = q.a + (|a|^2 + e) / 2,      e = |q|^2 - 1,
 * but for e x. As q came about by d, q.d is (|d|^2 + e - e') / 2, with e' of the step before, and so
 *     t = |a|^2 / 2 + drop,     off = |a|^2 + drop + excess,
 *     drop = (q - d).fall - |fall|^2 / 2,      excess = e - e' / 2:
 * nothing but |a|^2 waits for the last step. From a guess g, x = - off - (t + g / 2) g lacks
 * y = (x - g) (t + (x + g) / 2), which is extrapolated. Where that is not enough Newton's iteration follows.
 *
 * e itself is not there in time, but known, if for rounding, by those that have been found, e' and e'' of the
 * two steps before, and by the excess' that was used: e = 2 e' - e'' - 2 excess'.
 *
 * |d| + |fall| < 1/4, of which `reach` makes sure, is enough for there to be two roots however small a part
 * of the step is taken, and that on the branch from h = 0 is where 1 + t + x > 0. */
INLINE bool advance_single(const scratch *w, carry *c, int *passes)
{
    motion *link = c->parts;
    history *past = &c->past;
    vector g = past->guess, half = 0.5 * g, square = past->square, excess = past->excess;
    vector q = link->q, a = link->d + w->fall, low = w->fall + link->dl, a2 = sum(a * a);
    vector start = (c->drop + (g * (c->drop + half) + square)) + excess, rate = 1 + half;
    vector t = c->drop + 0.5 * a2, x = -start - rate * a2, gap = x - g, y = gap * (t + (g + 0.5 * gap));
    vector change = (low - start * q) - a2 * (rate * q);
    double miss = y[0] - square[0];
    if (!(a2[0] < w->reach))
        return false;
    *passes = 1;
    if (__builtin_expect(!(miss * miss <= 0x1p-108 * a2[0]), 0)) {
        vector off = a2 + (c->drop + excess), by;
        do {
            if (++*passes > MOST_PASSES)
                return false;
            by = (off + x * ((1 + t) + 0.5 * x)) / ((1 + t) + x);
            x -= by;
        } while (!(by[0] * by[0] <= 0x1p-54 * fabs(x[0])));
        gap = x - g;
        y = gap * (t + (g + 0.5 * gap));
        change = low + x * q;
    }
    if (!(x[0] > -0.5))
        return false;
    vector squares, rest;
    split(link, &squares, &rest);
    vector all = sums(squares, rest, q * w->fall, q * w->fall);
    double e = (all[0] - 1) + all[1];
    past->excess = (1.5 * e - c->e) - 2 * excess;
    c->e = e;
    c->drop = all[2] - w->half_square;
    leave(link, change);
    remember(past, x, y);
    return true;
}

/* ---- Others: Newton's iteration, the matrix anew in each pass -------------------------------------- */

/* The excess, e / 2, is e' / 2 less that of the step before but for rounding, and known in time by that. */
INLINE pass pass_of(int kind, const scratch *w, const carry *c, vector x, vector square)
{
    const motion *one = c->parts, *two = one + 1;
    vector free = one->d + w->fall, excess = c->past.excess;
    return kind == RIDING
               ? pass_riding(&w->few, one->q, free, excess, x, square)
               : pass_pair(kind == RIDING_PAIR, &w->few, one->q, two->q, free, two->d, excess, x, square);
}

/* With the x that a pass began with, and the y of the first one. */
INLINE void finish(int kind, const scratch *w, carry *c, const pass *p, vector x, vector y)
{
    motion *one = c->parts, *two = one + 1, *cart = kind == RIDING ? two : two + 1;
    history *past = &c->past;
    past->excess = 0.5 * excess_of_links(kind != RIDING, one, two) - past->excess;
    leave(one, ((w->fall + one->dl) + p->c1) + p->nu1);
    if (kind != RIDING)
        leave(two, (two->dl + p->c2) + p->nu2);
    if (kind != PAIR)
        leave(cart, (w->ride + cart->dl) + w->few.back * p->pull);
    remember(past, x + p->by, y);
}

/* After a first pass that was not enough, but led to x. */
typedef bool (*more)(const scratch *w, carry *c, const vector *x, const vector *y, int *passes);

INLINE bool go_on(int kind, const scratch *w, carry *c, const vector *from, const vector *y, int *passes)
{
    vector x = *from;
    for (*passes = 2; *passes <= MOST_PASSES; ++*passes) {
        pass p = pass_of(kind, w, c, x, (vector){0});
        if (!p.sound)
            return false;
        if (p.settled) {
            finish(kind, w, c, &p, x, *y);
            return true;
        }
        x += p.by;
    }
    return false;
}

INLINE bool advance(int kind, const scratch *w, carry *c, int *passes, more go_on_from)
{
    vector guess = c->past.guess;
    pass p = pass_of(kind, w, c, guess, c->past.square);
    if (!p.sound)
        return false;
    if (__builtin_expect(!p.settled, 0)) {
        vector x = guess + p.by, y = p.y;
        return go_on_from(w, c, &x, &y, passes);
    }
    *passes = 1;
    finish(kind, w, c, &p, guess, p.y);
    return true;
}

/* ---- Without a guess: the plain form ------------------------------------------------------------ */

static void gather_motion(scratch *w, const carry *c)
{
    ph_tension_motion *to = &w->plain.from;
    to->h = c->h;
    if (c->h == 0)
        return;
    ph_few_gather(&w->few, c->parts, to);
}

/* A history in which x has always been the same. */
static void begin(const scratch *w, carry *c)
{
    bool single = w->few.n == 1 && !w->few.axes;
    c->past = (history){0};
    for (size_t i = 0; i < LANES; i++) {
        size_t k = i % w->few.n;
        const motion *m = c->parts + k;
        double x = w->plain.eq.lambda[w->plain.eq.n - w->few.n + k] * w->few.by_lambda[k], e = -1, low = 0,
               turn = 0, drop = 0;
        vector squares, rest;
        split(m, &squares, &rest);
        for (size_t a = 0; a < AXES; a++) {
            e += squares[a];
            low += rest[a];
            turn += (m->q[a] - 0.5 * m->d[a]) * m->d[a]; /* (e - e') / 2, of a single link */
            drop += (m->q[a] - m->d[a]) * w->fall[a];
        }
        e += low;
        c->past.guess[i] = c->past.x[i] = c->past.before[i] = x;
        c->past.late[i] = -9 * x;
        c->past.later[i] = 11 * x;
        c->past.excess[i] = 0.5 * e + (single ? turn : 0);
        c->drop = drop - w->half_square;
        c->e = e - 2 * turn;
    }
}

static ph_status step_plain(scratch *w, ph_context *context, const ph_state *state)
{
    carry *c = carry_of(state);
    gather_motion(w, c);
    ph_status status = ph_tension_plain_step(&w->plain, w->h, context, state);
    if (status)
        return status;
    ph_few_scatter(&w->few, &w->plain.to, c->parts);
    begin(w, c);
    c->h = w->h;
    return PH_OK;
}

static void synchronise(ph_variational *method, ph_state *state)
{
    scratch *w = method->work;
    gather_motion(w, carry_of(state));
    ph_tension_plain_synchronise(&w->plain, state);
}

/* ---- The kernels: for each kind of system and of processor one ------------------------------------- */

INLINE ph_status step(int kind, const ph_variational *method, ph_context *context, ph_state *state,
                      more go_on_from)
{
    scratch *w = method->work;
    carry *c = carry_of(state);
    int passes = 0;
    if (c->h == w->h &&
        (kind == SINGLE ? advance_single(w, c, &passes) : advance(kind, w, c, &passes, go_on_from))) {
        context->statistics->newton_passes += passes;
        return PH_OK;
    }
    return step_plain(w, context, state);
}

#define SINGLE_KERNEL(name, target)                                                                          \
    target static ph_status name(ph_variational *method, ph_context *context, ph_state *state)               \
    {                                                                                                        \
        return step(SINGLE, method, context, state, NULL);                                                   \
    }
#define KERNEL(name, kind, target)                                                                           \
    target __attribute__((noinline)) static bool name##_more(const scratch *w, carry *c, const vector *x,    \
                                                             const vector *y, int *passes)                   \
    {                                                                                                        \
        return go_on(kind, w, c, x, y, passes);                                                              \
    }                                                                                                        \
    target static ph_status name(ph_variational *method, ph_context *context, ph_state *state)               \
    {                                                                                                        \
        return step(kind, method, context, state, name##_more);                                              \
    }
#define ROW(name)                                                                                            \
    {                                                                                                        \
        .step = (name), .synchronise = synchronise                                                           \
    }

SINGLE_KERNEL(plain_single, )
KERNEL(plain_pair, PAIR, )
KERNEL(plain_riding, RIDING, )
KERNEL(plain_riding_pair, RIDING_PAIR, )
static const ph_variational_kernel plain_kernels[KINDS] = {ROW(plain_single), ROW(plain_pair),
                                                           ROW(plain_riding), ROW(plain_riding_pair)};

#ifdef PH_LANES_AVX
SINGLE_KERNEL(avx_single, PH_LANES_AVX)
KERNEL(avx_pair, PAIR, PH_LANES_AVX)
KERNEL(avx_riding, RIDING, PH_LANES_AVX)
KERNEL(avx_riding_pair, RIDING_PAIR, PH_LANES_AVX)
static const ph_variational_kernel avx_kernels[KINDS] = {ROW(avx_single), ROW(avx_pair), ROW(avx_riding),
                                                         ROW(avx_riding_pair)};
#endif

static void set_fall(scratch *w)
{
    const double h2 = w->h * w->h;
    w->fall = h2 * w->few.gravity;
    w->ride = h2 * w->few.ride;
    w->half_square = 0.5 * sum(w->fall * w->fall)[0];
    w->reach = w->half_square < 0.00125 ? 0.01 : 0; /* |fall| < 0.05, |d + fall| < 0.1 */
}

static ph_status init(ph_variational *method, ph_context *context)
{
    scratch *w = method->work;
    ph_lay l = {method->work, 0};
    lay_scratch(w, context->system, &l);
    w->h = context->h;
    ph_few_set(&w->few, context->system);
    set_fall(w);
    method->kernel = plain_kernels + ph_few_kind(&w->few);
#ifdef PH_LANES_AVX
    if (ph_kernels() & PH_KERNEL_AVX)
        method->kernel = avx_kernels + ph_few_kind(&w->few);
#endif
    return ph_tension_plain_init(&w->plain);
}

const ph_variational_kernel ph_variational_few = {.size = size, .init = init};
