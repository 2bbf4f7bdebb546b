/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of variational-multipliers.c for one link in space under gravity alone, or two, the second on the
 * first, on a cart or without: the same equations, with all numbers in registers. With u_i = x_i q_i, x_i the
 * impulse along link i by m_1 l_1, the links change their increments by
 *     c_1 = u_1 - u_2 + (m_1 / m_0) u_1 + h^2 G / l_1,
 *     c_2 = (l_1 / l_2) ((1 + m_1 / m_2) u_2 - u_1),
 * of which a cart, m_0, has the second term along its axes alone, and h^2 G acts across them; its own change
 * is h^2 G - l_1 (m_1 / m_0) u_1. A link's three numbers, and a zero, are in a vector of four.
 *
 * What costs time is what has to wait for the end of the last step, and is kept short: the guess of x leaves
 * the last step's out, and what rounding has left of |q|^2 - 1 is found, exactly (variational-chain.c), while
 * the next step is under way, and made good in the one behind it.
 *
 * Sources: as variational-multipliers.c. */
#if defined(__GNUC__) && !defined(__clang__) /* numbers gathered into a vector are late in the next step */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include <polhode/algebra.h>

#include "variational-lanes.h"
#include "variational-tensions.h"

#include <math.h>

enum { MOST_PASSES = 8, AXES = 3, MOST_LINKS = 2 };
enum { SINGLE, PAIR, RIDING, RIDING_PAIR, KINDS }; /* riding: on a cart */

/* Unit vector or place, increment, and their low-order parts. */
typedef struct motion {
    loose q, ql, d, dl;
} motion;

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
    ph_variational_head head;
    ph_tension_plain plain;
    size_t n, axes;                  /* links; axes of the cart, 0 without */
    double h, by_lambda[MOST_LINKS]; /* x_i by lambda_i */
    vector fall;                     /* gravity in c_1 */
    vector on;                       /* m_1 / m_0 along the axes of the cart, ... */
    vector head_on;                  /* and 1 + that */
    vector back, ride;               /* - l_1 times that; gravity of the cart */
    vector ratio, own;               /* l_1 / l_2, and times 1 + m_1 / m_2 */
    double half_square;              /* |fall|^2 / 2 */
    double reach;                    /* of |d + fall|^2: see advance_single */
} scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static carry *carry_of(const ph_state *state)
{
    return (carry *)(void *)state->carry;
}

static size_t head_size(void)
{
    return (sizeof(scratch) + 63) & ~(size_t)63;
}

static ph_method_size size(const ph_system *system, const double *options)
{
    scratch w;
    size_t used = 0, carried = sizeof(carry) + ph_space_factors(ph_system_space(system)) * sizeof(motion);
    (void)options;
    ph_tension_plain_lay(&w.plain, system, NULL, &used);
    return (ph_method_size){.work = head_size() + used * sizeof(double), .carry = carried / sizeof(double)};
}

/* ---- What all steps share ----------------------------------------------------------------------- */

#define SWAP_HALVES(v) SHUFFLE(v, v, 2, 3, 0, 1)
#define FIRST(v) SHUFFLE(v, v, 0, 0, 2, 2)
#define SECOND(v) SHUFFLE(v, v, 1, 1, 3, 3)

/* The sum, in all lanes; */
INLINE vector sum(vector v)
{
    vector pairs = v + SWAP_HALVES(v);
    return pairs + SHUFFLE(pairs, pairs, 1, 0, 3, 2);
}

/* the sums of two, and again; */
INLINE vector sums_of_two(vector a, vector b)
{
    vector ab = SHUFFLE(a, b, 0, 4, 2, 6) + SHUFFLE(a, b, 1, 5, 3, 7);
    return ab + SWAP_HALVES(ab);
}

/* and those of four. */
INLINE vector sums(vector a, vector b, vector c, vector d)
{
    vector ab = SHUFFLE(a, b, 0, 4, 2, 6) + SHUFFLE(a, b, 1, 5, 3, 7),
           cd = SHUFFLE(c, d, 0, 4, 2, 6) + SHUFFLE(c, d, 1, 5, 3, 7);
    return SHUFFLE(ab, cd, 0, 1, 4, 5) + SHUFFLE(ab, cd, 2, 3, 6, 7);
}

/* |q + ql|^2, the sum of *squares, which is exact, and *rest. */
INLINE void split(const motion *m, vector *squares, vector *rest)
{
    const double splitter = 0x1.8p27; /* as in variational-chain.c */
    vector q = m->q, upper = (q + splitter) - splitter;
    *squares = upper * upper;
    *rest = (q + upper) * (q - upper) + (q + q) * m->ql;
}

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

/* A pass. R = (q + D / 2).D + excess, D = d + c, excess = e / 2, where e, but for rounding, is e' - 2 excess'
 * of the step before. A correction nu of D adds |nu|^2 / 2, which is extrapolated in the first pass. */
typedef struct pass {
    vector c1, c2, nu1, nu2; /* changes without the fall, and their corrections */
    vector by, y;            /* of x; |nu|^2 / 2 as it was found */
    vector pull;             /* of the first link on a cart */
    bool sound, settled;     /* is it a correction? but for rounding, with |nu|^2 / 2 as it was expected? */
} pass;

INLINE bool is_correction(double square)
{
    return square <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION;
}

/* One link on a cart. */
INLINE pass pass_riding(const scratch *w, const carry *c, vector x, vector square)
{
    const motion *link = c->parts;
    vector q = link->q, free = link->d + w->fall, head = w->head_on * q, c1 = x * head;
    vector D = free + c1, slope = sum(((q + free) + c1) * head),
           R = sum(((q + 0.5 * free) + (0.5 * x) * head) * D) + (c->past.excess + square);
    pass p = {.by = -R / slope};
    vector nu = p.by * head, sizes = sums_of_two(nu * nu, D * D);
    p.pull = x * q + p.by * q;
    p.c1 = p.pull; /* rounded as the cart feels it, so that momentum has no more of that */
    p.nu1 = w->on * p.pull;
    p.y = 0.5 * FIRST(sizes);
    double miss = p.y[0] - square[0];
    p.sound = slope[0] > 0 && is_correction(sizes[0]);
    p.settled = miss * miss <= 0x1p-108 * sizes[1];
    return p;
}

/* Two links, by the rule of Cramer. */
INLINE pass pass_pair(bool cart, const scratch *w, const carry *c, vector x, vector square)
{
    const motion *one = c->parts, *two = one + 1;
    vector q1 = one->q, q2 = two->q, d2 = two->d, free = one->d + w->fall, head = cart ? w->head_on * q1 : q1,
           near = w->ratio * q1, own = w->own * q2, u1 = FIRST(x) * q1;
    pass p = {.c1 = u1 - SECOND(x) * q2, .c2 = SECOND(x) * own - FIRST(x) * near};
    if (cart)
        p.c1 += w->on * u1;
    vector D1 = free + p.c1, D2 = d2 + p.c2, e1 = (q1 + free) + p.c1, e2 = (q2 + d2) + p.c2;
    vector T = sums(e1 * head, e2 * own, e1 * q2, e2 * near), P = T * SHUFFLE(T, T, 1, 0, 3, 2),
           over = -1 / (SHUFFLE(P, P, 0, 1, 0, 1) - SHUFFLE(P, P, 2, 3, 2, 3));
    vector R = sums_of_two((q1 + 0.5 * D1) * D1, (q2 + 0.5 * D2) * D2) + (c->past.excess + square),
           M = SHUFFLE(T, T, 1, 0, 2, 3) * SHUFFLE(R, R, 0, 1, 3, 2);
    p.by = (M + SWAP_HALVES(M)) * over;
    vector v1 = FIRST(p.by) * q1;
    p.nu1 = v1 - SECOND(p.by) * q2;
    p.nu2 = SECOND(p.by) * own - FIRST(p.by) * near;
    if (cart)
        p.nu1 += w->on * v1;
    p.pull = u1 + v1;
    vector sizes = sums(p.nu1 * p.nu1, p.nu2 * p.nu2, D1 * D1, D2 * D2);
    p.y = 0.5 * SHUFFLE(sizes, sizes, 0, 1, 0, 1);
    vector miss = p.y - square, beyond = miss * miss - 0x1p-108 * SWAP_HALVES(sizes);
    p.sound = T[1] > 0 && over[0] < 0 && is_correction(sizes[0] + sizes[1]);
    p.settled = beyond[0] <= 0 && beyond[1] <= 0;
    return p;
}

INLINE pass pass_of(int kind, const scratch *w, const carry *c, vector x, vector square)
{
    return kind == RIDING ? pass_riding(w, c, x, square) : pass_pair(kind == RIDING_PAIR, w, c, x, square);
}

/* With the x that a pass began with, and the y of the first one. */
INLINE void finish(int kind, const scratch *w, carry *c, const pass *p, vector x, vector y)
{
    motion *one = c->parts, *two = one + 1, *cart = kind == RIDING ? two : two + 1;
    history *past = &c->past;
    vector squares1, squares2, rest1, rest2;
    split(one, &squares1, &rest1);
    if (kind == RIDING)
        squares2 = squares1, rest2 = rest1; /* all lanes the same */
    else
        split(two, &squares2, &rest2);
    vector all = sums(squares1, squares2, rest1, rest2) - (vector){1, 1, 0, 0};
    past->excess = 0.5 * (all + SWAP_HALVES(all)) - past->excess;
    leave(one, ((w->fall + one->dl) + p->c1) + p->nu1);
    if (kind != RIDING)
        leave(two, (two->dl + p->c2) + p->nu2);
    if (kind != PAIR)
        leave(cart, (w->ride + cart->dl) + w->back * p->pull);
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

/* Where numbers of part i are among those of the system, in which the cart is first. */
static size_t place_of(const scratch *w, size_t i)
{
    return i < w->n ? w->axes + AXES * i : 0;
}

static size_t axes_of(const scratch *w, size_t i)
{
    return i < w->n ? AXES : w->axes;
}

static void gather_motion(scratch *w, const carry *c)
{
    ph_tension_motion *to = &w->plain.from;
    to->h = c->h;
    if (c->h == 0)
        return;
    for (size_t i = 0; i <= w->n; i++)
        for (size_t a = 0, at = place_of(w, i); a < axes_of(w, i); a++, at++) {
            const motion *m = c->parts + i;
            to->q[at] = m->q[a];
            to->q_low[at] = m->ql[a];
            to->delta[at] = m->d[a];
            to->low[at] = m->dl[a];
        }
}

/* A history in which x has always been the same. */
static void begin(const scratch *w, carry *c)
{
    bool single = w->n == 1 && !w->axes;
    c->past = (history){0};
    for (size_t i = 0; i < LANES; i++) {
        size_t k = i % w->n;
        const motion *m = c->parts + k;
        double x = w->plain.eq.lambda[w->plain.eq.n - w->n + k] * w->by_lambda[k], e = -1, low = 0, turn = 0,
               drop = 0;
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

static ph_status step_plain(scratch *w, ph_context *context, const ph_state *state, carry *c)
{
    const ph_tension_motion *to = &w->plain.to;
    gather_motion(w, c);
    ph_status status = ph_tension_plain_step(&w->plain, w->h, context, state);
    if (status)
        return status;
    for (size_t i = 0; i <= w->n; i++)
        for (size_t a = 0, at = place_of(w, i); a < axes_of(w, i); a++, at++) {
            motion *m = c->parts + i;
            m->q[a] = to->q[at];
            m->ql[a] = to->q_low[at];
            m->d[a] = to->delta[at];
            m->dl[a] = to->low[at];
        }
    begin(w, c);
    c->h = w->h;
    return PH_OK;
}

static void synchronise(ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    gather_motion(w, carry_of(state));
    ph_tension_plain_synchronise(&w->plain, state);
}

/* ---- The kernels: for each kind of system and of processor one ------------------------------------- */

INLINE ph_status step(int kind, ph_context *context, ph_state *state, more go_on_from)
{
    scratch *w = context->work;
    carry *c = carry_of(state);
    int passes = 0;
    if (c->h == w->h &&
        (kind == SINGLE ? advance_single(w, c, &passes) : advance(kind, w, c, &passes, go_on_from))) {
        context->statistics->newton_passes += passes;
        return PH_OK;
    }
    return step_plain(w, context, state, c);
}

static void plain(ph_context *context);

#define SINGLE_KERNEL(name, target)                                                                          \
    target static ph_status name(ph_context *context, ph_state *state)                                       \
    {                                                                                                        \
        return step(SINGLE, context, state, NULL);                                                           \
    }
#define KERNEL(name, kind, target)                                                                           \
    target __attribute__((noinline)) static bool name##_more(const scratch *w, carry *c, const vector *x,    \
                                                             const vector *y, int *passes)                   \
    {                                                                                                        \
        return go_on(kind, w, c, x, y, passes);                                                              \
    }                                                                                                        \
    target static ph_status name(ph_context *context, ph_state *state)                                       \
    {                                                                                                        \
        return step(kind, context, state, name##_more);                                                      \
    }
#define ROW(name)                                                                                            \
    {                                                                                                        \
        .step = (name), .synchronise = synchronise, .plain = plain                                           \
    }

SINGLE_KERNEL(plain_single, )
KERNEL(plain_pair, PAIR, )
KERNEL(plain_riding, RIDING, )
KERNEL(plain_riding_pair, RIDING_PAIR, )
static const ph_variational_kernel plain_kernels[KINDS] = {ROW(plain_single), ROW(plain_pair),
                                                           ROW(plain_riding), ROW(plain_riding_pair)};

#ifdef PH_LANES_AVX2
SINGLE_KERNEL(avx2_single, PH_LANES_AVX2)
KERNEL(avx2_pair, PAIR, PH_LANES_AVX2)
KERNEL(avx2_riding, RIDING, PH_LANES_AVX2)
KERNEL(avx2_riding_pair, RIDING_PAIR, PH_LANES_AVX2)
static const ph_variational_kernel avx2_kernels[KINDS] = {ROW(avx2_single), ROW(avx2_pair), ROW(avx2_riding),
                                                          ROW(avx2_riding_pair)};
#endif

static size_t kind_of(const scratch *w)
{
    return w->n - 1 + (w->axes ? RIDING : SINGLE);
}

static void plain(ph_context *context)
{
    scratch *w = context->work;
    w->head.kernel = plain_kernels + kind_of(w);
}

/* What does not change; first: the factors that are no links. */
static void set_constants(scratch *w, const ph_linkage *linkage, size_t first)
{
    const double *l = linkage->length + first, *m = linkage->mass + first;
    const double lever = w->n > 1 ? l[0] / l[1] : 1, share = w->n > 1 ? m[0] / m[1] : 0;
    double on[LANES] = {0}, ride[LANES] = {0}, fall[LANES] = {0};
    for (size_t a = 0; a < AXES; a++) {
        double fallen = w->h * w->h * linkage->gravity[a];
        if (a < w->axes) {
            on[a] = m[0] / linkage->mass[0];
            ride[a] = fallen;
        } else {
            fall[a] = fallen / l[0];
        }
    }
    w->fall = load(fall);
    w->on = load(on);
    w->head_on = 1 + w->on;
    w->back = -l[0] * w->on;
    w->ride = load(ride);
    w->ratio = (vector){0} + lever;
    w->own = (vector){0} + lever * (1 + share);
    for (size_t i = 0; i < w->n; i++)
        w->by_lambda[i] = 1 / (m[0] * l[0] * l[i]);
    w->half_square = 0.5 * ph_dot3(fall, fall);
    w->reach = w->half_square < 0.00125 ? 0.01 : 0; /* |fall| < 0.05, |d + fall| < 0.1 */
}

static ph_status init(ph_context *context)
{
    scratch *w = context->work;
    const ph_system *system = context->system;
    const ph_space *space = ph_system_space(system);
    double *memory = (double *)(void *)((char *)context->work + head_size());
    size_t used = 0, first = ph_space_factor(space, 0)->kind == PH_FACTOR_R;
    ph_tension_plain_lay(&w->plain, system, memory, &used);
    w->h = context->h;
    w->n = ph_space_factors(space) - first;
    w->axes = ph_space_ambient(space) - AXES * w->n;
    set_constants(w, ph_system_linkage(system), first);
    plain(context);
#ifdef PH_LANES_AVX2
    if (__builtin_cpu_supports("avx2"))
        w->head.kernel = avx2_kernels + kind_of(w);
#endif
    return ph_tension_plain_init(&w->plain);
}

const ph_variational_kernel ph_variational_few = {.size = size, .init = init};
