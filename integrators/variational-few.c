/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of variational-multipliers.c for one link in space under gravity alone, or two, the second on the
 * first: the same equations, with all numbers in registers. With the impulses mu_i = lambda_i / l_i along q_i
 * the links change their increments by
 *     c_1 = (w_1 (mu_1 q_1 - mu_2 q_2) + h^2 G) / l_1,      c_2 = (w_2 mu_2 q_2 - w_1 (mu_1 q_1 - mu_2 q_2))
 * / l_2, w = 1/m. A link's three numbers, and a zero, are in a vector of four.
 *
 * Sources: as variational-multipliers.c. */
#if defined(__GNUC__) && !defined(__clang__) /* numbers packed into a vector arrive late in the next step */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include <polhode/algebra.h>

#include "variational-lanes.h"
#include "variational-tensions.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PASSES = 8, AXES = 3, MOST_LINKS = 2 };

/* What a link carries: as in variational-chain.c. */
typedef struct link {
    loose q, ql, d, dl;
    double guess, D0, D1, D2, square, count;
} link;

/* What a single link carries beside that: x is its change of the increment along q, e = |q|^2 - 1. */
typedef struct history {
    double guess, x, before, late, later; /* of this step; x of the last one, sums of those before */
    double drop;                          /* fall.q at the last step's start, less |fall|^2 / 2 */
    double leaning, e;      /* e of this step less half that of the last, as far as known; latest e */
    double square, next, y; /* correction of the guess in this step and the next one; of the last step */
} history;

typedef struct carry {
    double h;
    history history;
    link links[];
} carry;

typedef struct scratch {
    ph_variational_head head;
    ph_tension_plain plain;
    size_t n;
    double h, l[MOST_LINKS], il[MOST_LINKS], w[MOST_LINKS];
    vector fall;        /* h^2 G / l_1 */
    double half_square; /* |fall|^2 / 2 */
    double reach;       /* |d + fall|^2 of a step of a single link whose root is known to be the one */
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
    size_t used = 0, carried = sizeof(carry) + ph_space_factors(ph_system_space(system)) * sizeof(link);
    (void)options;
    ph_tension_plain_lay(&w.plain, system, NULL, &used);
    return (ph_method_size){.work = head_size() + used * sizeof(double), .carry = carried / sizeof(double)};
}

/* ---- A step from a guess; false, and nothing is changed, where it is no good -------------------------- */

INLINE double sum(vector v)
{
    return v[0] + v[1] + v[2];
}

/* The sums of four. */
INLINE vector sums(vector a, vector b, vector c, vector d)
{
    vector ab = SHUFFLE(a, b, 0, 4, 2, 6) + SHUFFLE(a, b, 1, 5, 3, 7),
           cd = SHUFFLE(c, d, 0, 4, 2, 6) + SHUFFLE(c, d, 1, 5, 3, 7);
    return SHUFFLE(ab, cd, 0, 1, 4, 5) + SHUFFLE(ab, cd, 2, 3, 6, 7);
}

/* What a link has at the end of a step, by the change of its increment and its mu. */
INLINE void finish_one(link *own, vector change, double mu, double square, const double *known)
{
    double D1 = known[0] * (mu - own->D0), D2 = known[1] * (D1 - own->D1), D3 = known[2] * (D2 - own->D2);
    vector d, dl, q, ql;
    two_sum(own->d, change + own->dl, &d, &dl);
    two_sum(own->q, d + own->ql, &q, &ql);
    own->d = d, own->dl = dl;
    own->q = q, own->ql = ql;
    own->D0 = mu, own->D1 = D1, own->D2 = D2;
    own->guess = mu + (D1 + (D2 + D3));
    own->square = square;
}

/* A single link. */
INLINE bool advance_single(const scratch *w, carry *c, int *passes)
{
    const double splitter = 0x1.8p27;
    link *own = c->links;
    history *past = &c->history;
    const double g = past->guess, half = 0.5 * g, drop = past->drop;
    vector q = own->q, fall = w->fall, a = own->d + fall, aa = a * a, pair = aa + SHUFFLE(aa, aa, 2, 3, 0, 1),
           W = pair + SHUFFLE(pair, pair, 1, 0, 3, 2);
    double start = (drop + (g * (drop + half) + past->square)) + past->leaning, rate = 1 + half;
    double t = drop + 0.5 * W[0], x = -start - rate * W[0];
    double gap = x - g, y = gap * (t + g + 0.5 * gap), miss = y - past->square;
    vector change = ((fall + own->dl) - start * q) - W * (rate * q);
    if (!(W[0] < w->reach))
        return false;
    if (__builtin_expect(!(miss * miss <= 0x1p-108 * W[0]), 0)) {
        double off = W[0] + drop + past->leaning, by;
        do {
            if (++*passes == MOST_PASSES)
                return false;
            by = (off + x * ((1 + t) + 0.5 * x)) / ((1 + t) + x);
            x -= by;
        } while (!(by * by <= 0x1p-54 * fabs(x)));
        gap = x - g;
        y = gap * (t + g + 0.5 * gap);
        change = (fall + own->dl) + x * q;
    }
    ++*passes;
    if (!(x > -0.5))
        return false;
    vector upper = (q + splitter) - splitter, rest = (q + upper) * (q - upper) + (q + q) * own->ql;
    vector all = sums(upper * upper, rest, q * fall, q * fall), d, dl, q1, ql;
    double e = (all[0] - 1) + all[1];
    two_sum(own->d, change, &d, &dl);
    two_sum(q, d + own->ql, &q1, &ql);
    own->d = d, own->dl = dl;
    own->q = q1, own->ql = ql;
    double before = past->x;
    past->guess = 10 * before + past->late;
    past->late = past->later - 20 * before;
    past->later = 15 * before - 4 * past->before;
    past->before = before;
    past->x = x;
    past->leaning = 1.5 * e - past->e - 2 * past->leaning;
    past->e = e;
    past->drop = all[2] - w->half_square;
    past->square = past->next;
    past->next = 3 * y - 2 * past->y;
    past->y = y;
    return true;
}

/* Two links, the second on the first: the same passes without a loop, everything in registers. */
INLINE bool advance_pair(const scratch *w, carry *c, int *passes)
{
    const double splitter = 0x1.8p27;
    const double known[3] = {c->links->count >= 1, c->links->count >= 2, c->links->count >= 3};
    link *one = c->links, *two = one + 1;
    const double w1 = w->w[0], w2 = w->w[1], il1 = w->il[0], il2 = w->il[1];
    vector q1 = one->q, q2 = two->q, u1 = one->guess * q1, u2 = two->guess * q2;
    vector X1 = w1 * (u1 - u2), X2 = w2 * u2, c1 = X1 * il1 + w->fall, c2 = (X2 - X1) * il2;
    vector D1 = one->d + c1, D2 = two->d + c2, e1 = q1 + D1, e2 = q2 + D2;
    vector half1 = (q1 + splitter) - splitter, half2 = (q2 + splitter) - splitter;
    vector rest1 = (q1 + half1) * (q1 - half1) + (q1 + q1) * one->ql,
           rest2 = (q2 + half2) * (q2 - half2) + (q2 + q2) * two->ql;
    vector R = sums(q1 * D1 + 0.5 * (D1 * D1 + rest1), half1 * half1, q2 * D2 + 0.5 * (D2 * D2 + rest2),
                    half2 * half2);
    vector T = sums(e1 * q1, e2 * q2, e1 * q2, e2 * q1), size = sums(absolute(D1), absolute(D2), c1, c2);
    double phi1 = -w->l[0] * (R[0] + 0.5 * (R[1] - 1)), phi2 = -w->l[1] * (R[2] + 0.5 * (R[3] - 1));
    double d1 = w1 * T[0], d2 = (w2 + w1) * T[1], b = -w1 * T[2], a = -w1 * T[3];
    double determinant = d1 * d2 - a * b, over = 1 / determinant;
    double square1 = one->square, square2 = two->square;
    const double bound1 = 0.25 * DBL_EPSILON * size[0], bound2 = 0.25 * DBL_EPSILON * size[1];
    if (!(d2 > 0 && determinant > 0))
        return false;
    for (*passes = 1; *passes <= MOST_PASSES; ++*passes) {
        double r1 = phi1 - 0.5 * w->l[0] * square1, r2 = phi2 - 0.5 * w->l[1] * square2;
        double x1 = (d2 * r1 - b * r2) * over, x2 = (d1 * r2 - a * r1) * over;
        vector v1 = x1 * q1, v2 = x2 * q2, Y1 = w1 * (v1 - v2), nu1 = Y1 * il1, nu2 = (w2 * v2 - Y1) * il2;
        double now1 = sum(nu1 * nu1), now2 = sum(nu2 * nu2);
        bool settled = fabs(now1 - square1) <= bound1 && fabs(now2 - square2) <= bound2;
        square1 = now1;
        square2 = now2;
        if (!(now1 + now2 <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION))
            return false;
        if (!settled)
            continue;
        finish_one(one, c1 + nu1, one->guess + x1, square1, known);
        finish_one(two, c2 + nu2, two->guess + x2, square2, known);
        return true;
    }
    return false;
}

/* ---- Without a guess: the plain form ------------------------------------------------------------ */

static void gather_motion(scratch *w, const carry *c)
{
    ph_tension_motion *to = &w->plain.from;
    to->h = c->h;
    if (c->h == 0)
        return;
    for (size_t i = 0; i < w->n; i++)
        for (size_t a = 0; a < AXES; a++) {
            const link *own = c->links + i;
            to->q[AXES * i + a] = own->q[a];
            to->q_low[AXES * i + a] = own->ql[a];
            to->delta[AXES * i + a] = own->d[a];
            to->low[AXES * i + a] = own->dl[a];
        }
}

/* Of a single link: the history of a motion whose x has always been the same. */
static void begin(const scratch *w, carry *c)
{
    const double splitter = 0x1.8p27;
    const link *own = c->links;
    double x = own->D0 * w->w[0] * w->il[0], e = -1, low = 0, along = 0, drop = -w->half_square;
    for (size_t a = 0; a < AXES; a++) {
        double q = own->q[a], d = own->d[a], upper = (q + splitter) - splitter;
        e += upper * upper;
        low += (q + upper) * (q - upper) + 2 * q * own->ql[a];
        along += (q - 0.5 * d) * d;
        drop += (q - d) * w->fall[a];
    }
    e += low;
    c->history = (history){.guess = x,
                           .x = x,
                           .before = x,
                           .late = -9 * x,
                           .later = 11 * x,
                           .drop = drop,
                           .leaning = along + 0.5 * e,
                           .e = e - 2 * along};
}

/* The multipliers begin a new history. */
static ph_status step_plain(scratch *w, ph_context *context, const ph_state *state, carry *c)
{
    const ph_tension_motion *to = &w->plain.to;
    gather_motion(w, c);
    ph_status status = ph_tension_plain_step(&w->plain, w->h, context, state);
    if (status)
        return status;
    for (size_t i = 0; i < w->n; i++) {
        link *own = c->links + i;
        for (size_t a = 0; a < AXES; a++) {
            own->q[a] = to->q[AXES * i + a];
            own->ql[a] = to->q_low[AXES * i + a];
            own->d[a] = to->delta[AXES * i + a];
            own->dl[a] = to->low[AXES * i + a];
        }
        own->guess = own->D0 = w->plain.eq.lambda[i] * w->il[i];
        own->D1 = own->D2 = own->square = 0;
    }
    if (w->n == 1)
        begin(w, c);
    c->links->count = 1;
    c->h = w->h;
    return PH_OK;
}

/* ---- The kernels: what a step calls is known when it is compiled --------------------------------- */

INLINE ph_status step(size_t n, ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    carry *c = carry_of(state);
    int passes = 0;
    if (c->h != w->h || !(n == 1 ? advance_single(w, c, &passes) : advance_pair(w, c, &passes)))
        return step_plain(w, context, state, c);
    if (n == 2)
        c->links->count += c->links->count < 3;
    context->statistics->newton_passes += passes;
    return PH_OK;
}

static void synchronise(ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    gather_motion(w, carry_of(state));
    ph_tension_plain_synchronise(&w->plain, state);
}

static ph_status single_plain(ph_context *context, ph_state *state)
{
    return step(1, context, state);
}

static ph_status pair_plain(ph_context *context, ph_state *state)
{
    return step(2, context, state);
}

static const ph_variational_kernel plain_kernels[MOST_LINKS] = {
    {.step = single_plain, .synchronise = synchronise}, {.step = pair_plain, .synchronise = synchronise}};

#ifdef PH_LANES_AVX2
PH_LANES_AVX2 static ph_status single_avx2(ph_context *context, ph_state *state)
{
    return step(1, context, state);
}

PH_LANES_AVX2 static ph_status pair_avx2(ph_context *context, ph_state *state)
{
    return step(2, context, state);
}

static void plain(ph_context *context);

static const ph_variational_kernel avx2_kernels[MOST_LINKS] = {
    {.step = single_avx2, .synchronise = synchronise, .plain = plain},
    {.step = pair_avx2, .synchronise = synchronise, .plain = plain}};
#endif

static void plain(ph_context *context)
{
    scratch *w = context->work;
    w->head.kernel = plain_kernels + w->n - 1;
}

static ph_status init(ph_context *context)
{
    scratch *w = context->work;
    const ph_linkage *linkage = ph_system_linkage(context->system);
    double *memory = (double *)(void *)((char *)context->work + head_size());
    double fall[AXES];
    size_t used = 0;
    ph_tension_plain_lay(&w->plain, context->system, memory, &used);
    w->h = context->h;
    w->n = ph_space_factors(ph_system_space(context->system));
    for (size_t i = 0; i < w->n; i++) {
        w->l[i] = linkage->length[i];
        w->il[i] = 1 / linkage->length[i];
        w->w[i] = 1 / linkage->mass[i];
    }
    for (size_t a = 0; a < AXES; a++)
        fall[a] = w->h * w->h * linkage->gravity[a] * w->il[0];
    w->fall = (vector){fall[0], fall[1], fall[2], 0};
    w->half_square = 0.5 * ph_dot3(fall, fall);
    w->reach = w->half_square < 0.00125 ? 0.01 : 0;
    plain(context);
#ifdef PH_LANES_AVX2
    if (__builtin_cpu_supports("avx2"))
        w->head.kernel = avx2_kernels + w->n - 1;
#endif
    return ph_tension_plain_init(&w->plain);
}

const ph_variational_kernel ph_variational_few = {.size = size, .init = init};
