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
 * Stages of a composition are steps h of several sizes. The velocity v is carried in place of the increment,
 *     D = h v + (h^2/2) G + c,
 *     v+ = v + h G + c / h,
 * with c that of the pulls: an increment would come from one of another step size by a quotient, and the
 * product of the quotients around a step is 1 but for rounding, the same rounding in every step. The pulls x
 * are guessed by those of the stages before (composition.c), and by what that guess lacked in this stage of
 * the steps before: as all stages go round, that varies smoothly from step to step, however odd the sizes of
 * stages are.
 *
 * Sources: as multipliers.c and composition.c. */
#if defined(__GNUC__) && !defined(__clang__) /* numbers gathered into a vector are late in the next step */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include <polhode/algebra.h>

#include "integrators/shared/few.h"
#include "variational.h"

#include <string.h>

enum { MOST_PASSES = 8, HISTORY = 4 };

/* Numbers of the links: of two in lanes 0 and 1, and again in 2 and 3; of a single one in all. */
typedef struct few_history {
    loose guess;       /* x of this step; ... */
    loose x, before;   /* of the last one and the one before it; ... */
    loose late, later; /* sums of those before, for the next guess and the one behind it */
    loose square;      /* what the correction of the guess adds to the residual by its square, ... */
    loose next;        /* in the next step, ... */
    loose y;           /* and what it was in the last one */
} few_history;

/* Of a stage in the steps before. */
typedef struct few_recollection {
    loose lacked;   /* x less its guess by other stages, in the last step; ... */
    loose change;   /* against the one before; ... */
    loose expected; /* and what it is expected to be in this one */
    loose y;        /* what the correction of the guess added to the residual by its square; ... */
    loose square;   /* and is expected to */
} few_recollection;

typedef struct few_carry {
    double stamp;   /* ph_stage_stamp; 0: there is no motion */
    double age;     /* stages since the last one without a guess */
    double drop, e; /* of steps of a single link on no cart: see there */
    loose excess;   /* what |q|^2 - 1 adds to the residual */
    union {
        few_history past; /* of steps of one size */
        loose x[HISTORY]; /* of the stages before, the latest first */
    } of;
    few_motion parts[]; /* links, and the cart; of stages their recollections behind */
} few_carry;

/* What does not change about a stage. */
typedef struct few_stage_sizes {
    double h, half; /* and h^2/2 */
} few_stage_sizes;

typedef struct few_scratch {
    ph_tension_plain plain;
    ph_few few;
    double count; /* of stages; 0: steps of one size */
    double h;
    vector fall, ride;  /* of such steps: gravity in c_1, and of the cart */
    double half_square; /* |fall|^2 / 2 */
    double reach;       /* of |d + fall|^2: see few_advance_single */
    few_stage_sizes stages[PH_MOST_STAGES];
} few_scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static few_carry *few_carry_of(const ph_state *state)
{
    return (few_carry *)(void *)state->carry;
}

INLINE few_recollection *few_recollections(few_carry *c, size_t parts)
{
    return (few_recollection *)(void *)(c->parts + parts);
}

static void few_lay(few_scratch *w, const ph_system *system, ph_lay *l)
{
    ph_lay_bytes(l, sizeof *w);
    ph_tension_plain_lay(&w->plain, system, l);
}

static ph_method_size few_size(const ph_system *system, const double *options)
{
    few_scratch w;
    ph_lay l = {NULL, 0};
    const ph_composition *of = ph_variational_composition_of(options);
    const size_t parts = ph_space_factors(ph_system_space(system)),
                 carried = sizeof(few_carry) + parts * sizeof(few_motion) +
                           (of ? of->stages * sizeof(few_recollection) : 0);
    few_lay(&w, system, &l);
    return (ph_method_size){.work = l.bytes, .carry = carried / sizeof(double)};
}

/* ---- What all steps share ----------------------------------------------------------------------- */

INLINE bool few_is_pair(int kind)
{
    return kind == PAIR || kind == RIDING_PAIR;
}

INLINE bool few_is_riding(int kind)
{
    return kind == RIDING || kind == RIDING_PAIR;
}

/* From x, with the square that is expected; s: of stages. */
INLINE few_pass few_iterate(bool staged, int kind, const few_scratch *w, const few_stage_sizes *s,
                            const few_carry *c, vector x, vector square)
{
    const few_motion *one = c->parts, *two = one + 1;
    vector free = staged ? s->h * one->d + s->half * w->few.gravity : one->d + w->fall, excess = c->excess;
    if (!few_is_pair(kind))
        return pass_riding(&w->few, one->q, free, excess, x, square);
    vector d2 = two->d;
    return pass_pair(kind == RIDING_PAIR, &w->few, one->q, two->q, free, staged ? s->h * d2 : d2, excess, x,
                     square);
}

/* The excess, e / 2, is e' / 2 less that of the step before but for rounding, and known in time by that. */
INLINE void few_keep_excess(int kind, few_carry *c)
{
    c->excess = 0.5 * excess_of_links(few_is_pair(kind), c->parts, c->parts + 1) - c->excess;
}

/* Steps return false, and change nothing, where the guess is no good. Rounding of a residual is 2^-54 |d|. */

/* ---- Steps of one size -------------------------------------------------------------------------- */

/* The end of the step, with the change of the increment. */
INLINE void few_leave_step(few_motion *m, vector change)
{
    vector d, dl, q, ql;
    two_sum(m->d, change, &d, &dl);
    two_sum(m->q, d + m->ql, &q, &ql);
    m->d = d, m->dl = dl;
    m->q = q, m->ql = ql;
}

/* The guess of x_k is the cubic through x_(k-2) ... x_(k-5), that of y the line through y_(k-2), y_(k-3). */
INLINE void few_remember_step(few_history *past, vector x, vector y)
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

/* A single link. With a = d + fall, the increment is a + x q, and
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
INLINE bool few_advance_single(const few_scratch *w, few_carry *c, int *passes)
{
    few_motion *link = c->parts;
    few_history *past = &c->of.past;
    vector g = past->guess, half = 0.5 * g, square = past->square, excess = c->excess;
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
    c->excess = (1.5 * e - c->e) - 2 * excess;
    c->e = e;
    c->drop = all[2] - w->half_square;
    few_leave_step(link, change);
    few_remember_step(past, x, y);
    return true;
}

/* Others: Newton's iteration, the matrix anew in each pass. With the x that a pass began with, and the y of the
 * first one. */
INLINE void few_finish_step(int kind, const few_scratch *w, few_carry *c, const few_pass *p, vector x,
                            vector y)
{
    few_motion *one = c->parts, *two = one + 1, *cart = kind == RIDING ? two : two + 1;
    few_keep_excess(kind, c);
    few_leave_step(one, ((w->fall + one->dl) + p->c1) + p->nu1);
    if (few_is_pair(kind))
        few_leave_step(two, (two->dl + p->c2) + p->nu2);
    if (few_is_riding(kind))
        few_leave_step(cart, (w->ride + cart->dl) + w->few.back * p->pull);
    few_remember_step(&c->of.past, x + p->by, y);
}

/* After a first pass that was not enough, but led to x. */
typedef bool (*few_continuing)(const few_scratch *w, few_carry *c, const vector *x, const vector *y,
                               int *passes);

INLINE bool few_continue(int kind, const few_scratch *w, few_carry *c, const vector *from, const vector *y,
                         int *passes)
{
    vector x = *from;
    for (*passes = 2; *passes <= MOST_PASSES; ++*passes) {
        few_pass p = few_iterate(false, kind, w, NULL, c, x, (vector){0});
        if (!p.sound)
            return false;
        if (p.settled) {
            few_finish_step(kind, w, c, &p, x, *y);
            return true;
        }
        x += p.by;
    }
    return false;
}

INLINE bool few_advance_step(int kind, const few_scratch *w, few_carry *c, int *passes,
                             few_continuing go_on_from)
{
    vector guess = c->of.past.guess;
    few_pass p = few_iterate(false, kind, w, NULL, c, guess, c->of.past.square);
    if (!p.sound)
        return false;
    if (__builtin_expect(!p.settled, 0)) {
        vector x = guess + p.by, y = p.y;
        return go_on_from(w, c, &x, &y, passes);
    }
    *passes = 1;
    few_finish_step(kind, w, c, &p, guess, p.y);
    return true;
}

/* ---- Stages ------------------------------------------------------------------------------------- */

/* The end of the stage: q + D, v + c / h + h G. What rounding leaves of a constant beside a
 * number of which the last place is larger is always the same: sums with G are kept whole, up to where the
 * low-order parts, which are different in each stage, decide what is rounded. */
INLINE void few_leave_stage(few_motion *m, const few_stage_sizes *s, vector c, vector gravity)
{
    vector q, ql, v, vl, at, lost, fall, rest, kick, more, all;
    two_sum(s->half * gravity, c, &fall, &rest);
    two_sum(m->q, s->h * m->d, &at, &lost);
    two_sum(at, fall + (lost + ((rest + s->h * m->dl) + m->ql)), &q, &ql);
    two_sum(s->h * gravity, c / s->h, &kick, &rest);
    two_sum(kick, m->dl, &all, &more);
    two_sum(m->d, all, &v, &vl);
    m->q = q, m->ql = ql;
    m->d = v, m->dl = vl + (rest + more);
}

/* guess: by the stages before alone; those of the first few stages are no measure for later ones. */
INLINE void few_remember_stage(few_carry *c, few_recollection *m, double stages, vector x, vector guess,
                               vector y)
{
    vector lacked = x - guess;
    if (c->age < HISTORY)
        lacked = (vector){0, 0, 0, 0};
    const bool first = c->age < stages + HISTORY, second = c->age < 2 * stages + HISTORY;
    vector change = lacked - m->lacked;
    m->expected = first ? lacked : second ? lacked + change : lacked + (change + (change - m->change));
    m->square = first ? y : y + (y - m->y);
    m->lacked = lacked;
    m->change = change;
    m->y = y;
    c->age++;
    for (size_t i = HISTORY - 1; i > 0; i--)
        c->of.x[i] = c->of.x[i - 1];
    c->of.x[0] = x;
}

INLINE void few_finish_stage(int kind, const few_scratch *w, const few_stage_sizes *s, few_carry *c,
                             const few_pass *p)
{
    const vector none = {0, 0, 0, 0};
    few_motion *one = c->parts, *two = one + 1, *cart = kind == RIDING ? two : two + 1;
    few_keep_excess(kind, c);
    few_leave_stage(one, s, p->c1 + p->nu1, w->few.gravity);
    if (few_is_pair(kind))
        few_leave_stage(two, s, p->c2 + p->nu2, none);
    if (few_is_riding(kind))
        few_leave_stage(cart, s, w->few.back * p->pull, w->few.ride);
}

INLINE bool few_advance_stage(int kind, const few_scratch *w, const ph_stage *of, few_carry *c, int *passes)
{
    const vector none = {0, 0, 0, 0};
    const few_stage_sizes *s = w->stages + of->index;
    const double *weights = of->tensions[c->age < HISTORY ? (size_t)c->age - 1 : HISTORY - 1];
    few_recollection *m =
        few_recollections(c, (size_t)1 + few_is_pair(kind) + few_is_riding(kind)) + of->index;
    vector guess = none;
    for (size_t i = HISTORY; i-- > 0;)
        guess += weights[i] * c->of.x[i];
    vector x = guess + m->expected;
    few_pass p = few_iterate(true, kind, w, s, c, x, m->square);
    vector y = p.y;
    for (*passes = 1; p.sound && !p.settled && *passes < MOST_PASSES; ++*passes) {
        x += p.by;
        p = few_iterate(true, kind, w, s, c, x, none);
    }
    if (!p.sound || !p.settled)
        return false;
    few_finish_stage(kind, w, s, c, &p);
    few_remember_stage(c, m, w->count, x + p.by, guess, y);
    return true;
}

/* ---- Without a guess: the plain form ------------------------------------------------------------ */

static void few_gather(few_scratch *w, const few_carry *c, const ph_state *state)
{
    ph_tension_motion *to = &w->plain.from;
    to->velocity = w->count > 0;
    to->h = to->velocity ? 1 : c->stamp; /* 1: there is a velocity */
    if (c->stamp != 0) {
        ph_few_gather(&w->few, c->parts, to);
    } else if (to->velocity) {
        memcpy(to->q, state->z, state->nz * sizeof *to->q);
        memset(to->q_low, 0, state->nz * sizeof *to->q_low);
        memset(to->low, 0, state->nz * sizeof *to->low);
        ph_tension_step_velocity(&w->plain.eq, state->z, state->p, to->delta);
    }
}

/* |q|^2 - 1 */
static double few_excess_now(const few_motion *m)
{
    vector squares, rest;
    split(m, &squares, &rest);
    return (((squares[0] - 1) + squares[1]) + squares[2]) + ((rest[0] + rest[1]) + rest[2]);
}

/* A history in which x has always been the same. */
static void few_begin_steps(const few_scratch *w, few_carry *c, vector x)
{
    const few_motion *m = c->parts;
    double turn = 0, drop = 0;
    c->of.past = (few_history){.guess = x, .x = x, .before = x, .late = -9 * x, .later = 11 * x};
    if (w->few.n > 1 || w->few.axes)
        return;
    for (size_t a = 0; a < AXES; a++) {
        turn += (m->q[a] - 0.5 * m->d[a]) * m->d[a]; /* (e - e') / 2 */
        drop += (m->q[a] - m->d[a]) * w->fall[a];
    }
    c->excess += turn;
    c->drop = drop - w->half_square;
    c->e = few_excess_now(m) - 2 * turn;
}

/* What stages have lacked is forgotten: it went with another history. */
static void few_begin_stages(const few_scratch *w, few_carry *c, vector x)
{
    for (size_t i = HISTORY - 1; i > 0; i--)
        c->of.x[i] = c->of.x[i - 1];
    c->of.x[0] = x;
    few_recollection *forgotten = few_recollections(c, w->plain.eq.n);
    memset(forgotten, 0, (size_t)w->count * sizeof *forgotten);
    c->age = 1;
}

static void few_begin(const few_scratch *w, few_carry *c)
{
    const ph_tension_step *eq = &w->plain.eq;
    vector x, excess;
    for (size_t i = 0; i < LANES; i++) {
        size_t k = i % w->few.n;
        x[i] = eq->lambda[eq->n - w->few.n + k] * w->few.by_lambda[k];
        excess[i] = 0.5 * few_excess_now(c->parts + k);
    }
    c->excess = excess;
    if (w->count > 0)
        few_begin_stages(w, c, x);
    else
        few_begin_steps(w, c, x);
}

/* A step, or this stage. */
static ph_status few_step_plain(few_scratch *w, const ph_stage *of, ph_context *context,
                                const ph_state *state)
{
    ph_tension_plain *plain = &w->plain;
    few_carry *c = few_carry_of(state);
    few_gather(w, c, state);
    ph_status status = ph_tension_plain_step(plain, context->h, context, state);
    if (status)
        return status;
    if (of) {
        plain->to.A = plain->A;
        ph_tension_step_kick(&plain->eq, context->h, &plain->from, plain->pulls, &plain->to);
    }
    ph_few_scatter(&w->few, &plain->to, c->parts);
    few_begin(w, c);
    c->stamp = ph_stage_stamp(of, context->h);
    return PH_OK;
}

static void few_synchronise(ph_variational *method, ph_state *state)
{
    few_scratch *w = method->work;
    few_gather(w, few_carry_of(state), state);
    ph_tension_plain_synchronise(&w->plain, state);
}

/* ---- The kernels: for steps and stages, each kind of system and of processor one ------------------- */

INLINE ph_status few_step(int kind, const ph_variational *method, ph_context *context, ph_state *state,
                          few_continuing go_on_from)
{
    few_scratch *w = method->work;
    few_carry *c = few_carry_of(state);
    int passes = 0;
    if (c->stamp != w->h || !(kind == SINGLE ? few_advance_single(w, c, &passes)
                                             : few_advance_step(kind, w, c, &passes, go_on_from)))
        return few_step_plain(w, NULL, context, state);
    context->statistics->newton_passes += passes;
    return PH_OK;
}

INLINE ph_status few_make_stage(int kind, const ph_variational *method, ph_context *context, ph_state *state)
{
    few_scratch *w = method->work;
    few_carry *c = few_carry_of(state);
    int passes = 0;
    if (c->stamp != method->stage->step || !few_advance_stage(kind, w, method->stage, c, &passes))
        return few_step_plain(w, method->stage, context, state);
    context->statistics->newton_passes += passes;
    return PH_OK;
}

/* A step or stage of a kind of system. */
#define KERNEL(name, ...)                                                                                    \
    PH_LANES_TWICE(PH_LANES_AVX, ph_status, name,                                                            \
                   (ph_variational * method, ph_context * context, ph_state * state), return __VA_ARGS__;)
/* Likewise, with the iterations after the first in a function of its own, which is seldom called. */
#define STEP(name, kind)                                                                                     \
    PH_LANES_TWICE(PH_LANES_AVX, __attribute__((noinline)) bool, name##_more,                                \
                   (const few_scratch *w, few_carry *c, const vector *x, const vector *y, int *passes),      \
                   return few_continue(kind, w, c, x, y, passes);)                                           \
    KERNEL(name, few_step(kind, method, context, state, wide ? name##_more_wide : name##_more_plain))

KERNEL(single, few_step(SINGLE, method, context, state, NULL))
STEP(pair, PAIR)
STEP(riding, RIDING)
STEP(riding_pair, RIDING_PAIR)
KERNEL(single_stage, few_make_stage(SINGLE, method, context, state))
KERNEL(pair_stage, few_make_stage(PAIR, method, context, state))
KERNEL(riding_stage, few_make_stage(RIDING, method, context, state))
KERNEL(riding_pair_stage, few_make_stage(RIDING_PAIR, method, context, state))

static const ph_variational_kernel *few_choose_kernel(const ph_few *few, bool staged)
{
/* clang-format off */
#define ENTRY(name) {.step = (name), .synchronise = few_synchronise}
#define COPIES(copy)                                                                                         \
    {{ENTRY(single##copy), ENTRY(pair##copy), ENTRY(riding##copy), ENTRY(riding_pair##copy)},                \
     {ENTRY(single_stage##copy), ENTRY(pair_stage##copy), ENTRY(riding_stage##copy),                         \
      ENTRY(riding_pair_stage##copy)}}
    /* clang-format on */
    static const ph_variational_kernel kernels[2][2][KINDS] = {COPIES(_plain), COPIES(_wide)};
    return &kernels[ph_lanes(PH_KERNEL_AVX)][staged][ph_few_kind(few)];
}

static void few_set_fall(few_scratch *w)
{
    const double h2 = w->h * w->h;
    w->fall = h2 * w->few.gravity;
    w->ride = h2 * w->few.ride;
    w->half_square = 0.5 * sum(w->fall * w->fall)[0];
    w->reach = w->half_square < 0.00125 ? 0.01 : 0; /* |fall| < 0.05, |d + fall| < 0.1 */
}

static void few_set_stages(few_scratch *w, const ph_composition *of)
{
    w->count = of ? (double)of->stages : 0;
    for (size_t i = 0; i < (size_t)w->count; i++) {
        const double h = ph_composition_gamma(of, i) * w->h;
        w->stages[i] = (few_stage_sizes){h, 0.5 * h * h};
    }
}

static ph_status few_init(ph_variational *method, ph_context *context)
{
    few_scratch *w = method->work;
    ph_lay l = {method->work, 0};
    const ph_composition *of = ph_variational_composition_of(context->options);
    few_lay(w, context->system, &l);
    w->h = context->h;
    ph_few_set(&w->few, context->system);
    few_set_fall(w);
    few_set_stages(w, of);
    method->kernel = few_choose_kernel(&w->few, of != NULL);
    return ph_tension_plain_init(&w->plain);
}

const ph_variational_kernel ph_variational_few = {.size = few_size, .init = few_init};
