/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of variational-multipliers.c for one link and two in space under gravity alone: the equations of
 * variational-forest.c, everything in registers, the three numbers of a vector (and a zero) in a vector of
 * four.
 *
 * Sources: as variational-multipliers.c. */
#include <polhode/algebra.h>
#include <polhode/tensions.h>

#include "variational-lanes.h"
#include "variational-tensions.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PASSES = 8, AXES = 3 };

/* What a link carries: as in variational-chain.c. */
typedef struct link {
    loose q, ql, d, dl;
    double guess, D0, D1, D2, square;
} link;

typedef struct carry {
    double h, count; /* as ph_tension_carry */
    link links[];
} carry;

/* What does not change about a link. */
typedef struct part {
    double l, il, w;
} part;

typedef struct tree {
    size_t n;
    part parts[3]; /* the first is the fixed point */
    vector root;   /* - h^2 G */
    bool light;    /* does gravity turn the first link by little in a step? */
} tree;

typedef struct scratch {
    ph_variational_head head;
    ph_tension_plain plain;
    ph_tension_ways ways;
    tree t;
    double h;
} scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static size_t lay_scratch(scratch *w, const ph_system *system, double *memory)
{
    size_t used = 0;
    w->t.n = ph_space_factors(ph_system_space(system));
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
    size_t carried = sizeof(carry) + ph_space_factors(ph_system_space(system)) * sizeof(link);
    (void)options;
    return (ph_method_size){.work = head_size() + lay_scratch(&w, system, NULL) * sizeof(double),
                            .carry = carried / sizeof(double)};
}

/* ---- The steps --------------------------------------------------------------------------------- */

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

/* A single link: with the increment a that it has without tension, that of the step is a + x q, and
 *     (1/2) |q|^2 x^2 + (q + a).q x + (q.a + (1/2) |a|^2 + (1/2) (|q|^2 - 1)) = 0
 * has one root with a positive derivative, q1.q > 0. It is the one on the branch as long as turns are small.
 */
INLINE bool advance_single(tree *w, carry *c, int *passes)
{
    const double splitter = 0x1.8p27;
    link *own = c->links;
    vector q = own->q, fall = -w->root * w->parts[1].il, a = own->d + fall, half = (q + splitter) - splitter;
    vector rest = (q + half) * (q - half) + (q + q) * own->ql;
    vector all = sums(q * a + 0.5 * (a * a + rest), half * half, q * q, q * a);
    double off = all[0] + 0.5 * (all[1] - 1), slope = all[2] + all[3],
           square = slope * slope - 2 * all[2] * off;
    (void)passes;
    if (!(fabs(off) < 0.005 && fabs(all[3]) < 0.05 && w->light))
        return false;
    double x = -2 * off / (slope + sqrt(square));
    vector d, dl, q1, ql;
    two_sum(own->d, (fall + x * q) + own->dl, &d, &dl);
    two_sum(q, d + own->ql, &q1, &ql);
    own->d = d, own->dl = dl;
    own->q = q1, own->ql = ql;
    return true;
}

/* Two links, the second on the first: the same passes without a loop, everything in registers. */
INLINE bool advance_pair(tree *w, carry *c, int *passes)
{
    const double splitter = 0x1.8p27;
    const double known[3] = {c->count >= 1, c->count >= 2, c->count >= 3};
    link *one = c->links, *two = one + 1;
    const part *p = w->parts + 1;
    const double w1 = p[0].w, w2 = p[1].w, il1 = p[0].il, il2 = p[1].il;
    vector q1 = one->q, q2 = two->q, u1 = one->guess * q1, u2 = two->guess * q2;
    vector X1 = w1 * (u1 - u2), X2 = w2 * u2, c1 = (X1 - w->root) * il1, c2 = (X2 - X1) * il2;
    vector D1 = one->d + c1, D2 = two->d + c2, e1 = q1 + D1, e2 = q2 + D2;
    vector half1 = (q1 + splitter) - splitter, half2 = (q2 + splitter) - splitter;
    vector rest1 = (q1 + half1) * (q1 - half1) + (q1 + q1) * one->ql,
           rest2 = (q2 + half2) * (q2 - half2) + (q2 + q2) * two->ql;
    vector R = sums(q1 * D1 + 0.5 * (D1 * D1 + rest1), half1 * half1, q2 * D2 + 0.5 * (D2 * D2 + rest2),
                    half2 * half2);
    vector T = sums(e1 * q1, e2 * q2, e1 * q2, e2 * q1), size = sums(absolute(D1), absolute(D2), c1, c2);
    double phi1 = -p[0].l * (R[0] + 0.5 * (R[1] - 1)), phi2 = -p[1].l * (R[2] + 0.5 * (R[3] - 1));
    double d1 = w1 * T[0], d2 = (w2 + w1) * T[1], b = -w1 * T[2], a = -w1 * T[3];
    double determinant = d1 * d2 - a * b, over = 1 / determinant;
    double square1 = one->square, square2 = two->square;
    const double bound1 = 0.25 * DBL_EPSILON * size[0], bound2 = 0.25 * DBL_EPSILON * size[1];
    if (!(d2 > 0 && determinant > 0))
        return false;
    for (*passes = 1; *passes <= MOST_PASSES; ++*passes) {
        double r1 = phi1 - 0.5 * p[0].l * square1, r2 = phi2 - 0.5 * p[1].l * square2;
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

static bool single_plain(void *kernel, ph_tension_carry *c, int *passes)
{
    return advance_single(kernel, (carry *)(void *)c, passes);
}

static bool pair_plain(void *kernel, ph_tension_carry *c, int *passes)
{
    return advance_pair(kernel, (carry *)(void *)c, passes);
}

#ifdef PH_LANES_AVX2
PH_LANES_AVX2 static bool single_avx2(void *kernel, ph_tension_carry *c, int *passes)
{
    return advance_single(kernel, (carry *)(void *)c, passes);
}

PH_LANES_AVX2 static bool pair_avx2(void *kernel, ph_tension_carry *c, int *passes)
{
    return advance_pair(kernel, (carry *)(void *)c, passes);
}
#endif

/* ---- The plain form ----------------------------------------------------------------------------- */

static void gather_motion(void *kernel, ph_tension_carry *head, ph_tension_motion *to)
{
    const tree *w = kernel;
    const carry *c = (const carry *)(const void *)head;
    for (size_t i = 0; i < w->n; i++)
        for (size_t a = 0; a < AXES; a++) {
            const link *own = c->links + i;
            to->q[AXES * i + a] = own->q[a];
            to->q_low[AXES * i + a] = own->ql[a];
            to->delta[AXES * i + a] = own->d[a];
            to->low[AXES * i + a] = own->dl[a];
        }
}

static void scatter_motion(void *kernel, const ph_tension_motion *from, const double *lambda,
                           ph_tension_carry *head)
{
    const tree *w = kernel;
    carry *c = (carry *)(void *)head;
    for (size_t i = 0; i < w->n; i++) {
        link *own = c->links + i;
        for (size_t a = 0; a < AXES; a++) {
            own->q[a] = from->q[AXES * i + a];
            own->ql[a] = from->q_low[AXES * i + a];
            own->d[a] = from->delta[AXES * i + a];
            own->dl[a] = from->low[AXES * i + a];
        }
        own->guess = own->D0 = lambda[i] * w->parts[i + 1].il;
        own->D1 = own->D2 = own->square = 0;
    }
}

/* ---- The kernel --------------------------------------------------------------------------------- */

static void plain(ph_context *context)
{
    scratch *w = context->work;
    w->ways.advance = w->t.n == 1 ? single_plain : pair_plain;
}

static ph_status init(ph_context *context)
{
    scratch *w = context->work;
    const ph_linkage *linkage = ph_system_linkage(context->system);
    double *memory = (double *)(void *)((char *)context->work + head_size());
    memset(memory, 0, lay_scratch(w, context->system, NULL) * sizeof *memory);
    lay_scratch(w, context->system, memory);
    w->head.kernel = &ph_variational_tree;
    w->h = context->h;
    w->ways.gather = gather_motion;
    w->ways.scatter = scatter_motion;
    w->t.root = (vector){0};
    for (size_t a = 0; a < AXES; a++)
        w->t.root[a] = -w->h * w->h * linkage->gravity[a];
    for (size_t i = 0; i < w->t.n; i++)
        w->t.parts[1 + i] = (part){linkage->length[i], 1 / linkage->length[i], 1 / linkage->mass[i]};
    w->t.light = w->h * w->h * ph_norm3(linkage->gravity) < 0.05 * linkage->length[0];
    plain(context);
#ifdef PH_LANES_AVX2
    if (__builtin_cpu_supports("avx2"))
        w->ways.advance = w->t.n == 1 ? single_avx2 : pair_avx2;
#endif
    return ph_tension_plain_init(&w->plain);
}

static ph_status step(ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    return ph_tension_ways_step(&w->plain, &w->ways, &w->t, w->h, context, state);
}

static void synchronise(ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    ph_tension_ways_synchronise(&w->plain, &w->ways, &w->t, state);
}

const ph_variational_kernel ph_variational_tree = {
    .size = size, .init = init, .step = step, .synchronise = synchronise, .plain = plain};
