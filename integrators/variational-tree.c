/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of variational-multipliers.c for trees of links in space under gravity alone: the same equations,
 * written out for speed as in variational-chain.c, but one link at a time, its three numbers (and a zero) in
 * a vector of four. With the impulses mu_i = lambda_i / l_i along q_i mass i changes its increment by
 *     X_i = w_i (mu_i q_i - sum over the links c that hang on it of mu_c q_c) + h^2 G,      w = 1/m,
 * and link i by (X_i - X_parent(i)) / l_i. The Newton matrix, T times l_i l_j, has for the list of link i
 * (its parent p and the siblings s before it; tensions.h) beside its diagonal (w_i + w_p) q1_i.q_i
 *     - w_p q1_i.q_p,  - w_p q1_p.q_i,  w_p q1_i.q_s,  w_p q1_s.q_i,
 * and is eliminated from the last link to the first, which fills in nothing.
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
    double h, count;
    link links[];
} carry;

/* What does not change about a link, and what is between the passes. The first of all is the fixed point. */
typedef struct part {
    vector q, q1;        /* unit vector, and that at the end of the guess */
    vector X;            /* change of the increment of its mass */
    vector pulls;        /* mu q of the links on its mass; zero between the passes */
    struct part *above;  /* what it hangs on */
    struct part *beside; /* its first sibling, where its list has two entries */
    size_t start, many;  /* of its list */
    double l, il, w, w_above;
    double phi, tolerance, square, r, pivot, inverse;
    double unused[2];
} part;

typedef struct tree {
    size_t n;
    part *parts;                /* (n + 1) */
    vector root;                /* - h^2 G */
    const size_t *start, *list; /* the lists of all links */
    double *low, *up;           /* the matrix: columns and rows of the lists */
} tree;

typedef struct scratch {
    ph_variational_head head;
    ph_tension_plain plain;
    tree t;
    bool (*advance)(tree *w, carry *c, int *passes);
    double h;
} scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static carry *carry_of(const ph_state *state)
{
    return (carry *)(void *)state->carry;
}

static size_t lay_scratch(scratch *w, const ph_system *system, double *memory)
{
    const ph_space *space = ph_system_space(system);
    const size_t *start, *list;
    size_t used = 0, n = ph_space_factors(space);
    ph_tension_lists(system, &start, &list);
    w->t.n = n;
    w->t.list = list;
    w->t.start = start;
    double *parts = ph_take(memory, &used, (n + 1) * sizeof(part) / sizeof(double)); /* first: aligned */
    w->t.parts = (part *)(void *)parts;
    w->t.low = ph_take(memory, &used, start[n]);
    w->t.up = ph_take(memory, &used, start[n]);
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

/* ---- The passes --------------------------------------------------------------------------------- */

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

/* X of the masses for the impulses mu of the links: from the last, so that what hangs on a mass is known. */
INLINE void pull(part *p, double mu, vector q)
{
    vector u = mu * q;
    p->X = p->w * (u - p->pulls);
    p->pulls = (vector){0};
    p->above->pulls += u;
}

INLINE vector change_of(const part *p)
{
    return (p->X - p->above->X) * p->il;
}

/* The residual at the guess, the matrix there, and what rounding is. |q + low|^2 - 1 as in
 * variational-chain.c. */
INLINE void residual(tree *w, const carry *c)
{
    const double splitter = 0x1.8p27;
    const link *links = c->links;
    part *parts = w->parts + 1;
    const size_t *list = w->list;
    double *low = w->low, *up = w->up;
    for (size_t i = w->n; i-- > 0;)
        pull(parts + i, links[i].guess, links[i].q);
    w->parts->X = w->root;
    w->parts->pulls = (vector){0};
    for (size_t i = 0; i < w->n; i++) {
        part *p = parts + i;
        vector q = links[i].q, D = links[i].d + change_of(p), q1 = q + D;
        vector half = (q + splitter) - splitter, rest = (q + half) * (q - half) + (q + q) * links[i].ql;
        vector all = sums(q * D + 0.5 * (D * D + rest), half * half, q1 * q, absolute(D));
        p->q = q;
        p->q1 = q1;
        p->phi = -p->l * (all[0] + 0.5 * (all[1] - 1));
        p->tolerance = 0.25 * DBL_EPSILON * all[3];
        p->square = links[i].square;
        p->r = p->phi - 0.5 * p->l * p->square;
        p->pivot = (p->w + p->w_above) * all[2];
        if (p->many == 0)
            continue;
        if (p->many <= 2 && p->above != w->parts) {
            const part *above = p->above, *beside = p->many == 2 ? p->beside : above;
            vector entries = p->w_above * sums(above->q1 * q, q1 * above->q, beside->q1 * q, q1 * beside->q);
            low[p->start] = -entries[0];
            up[p->start] = -entries[1];
            if (p->many == 1)
                continue;
            low[p->start + 1] = entries[2];
            up[p->start + 1] = entries[3];
            continue;
        }
        for (size_t e = p->start; e < p->start + p->many; e++) {
            const part *other = parts + list[e];
            double number = other == p->above ? -p->w_above : p->w_above;
            low[e] = number * sum(other->q1 * q);
            up[e] = number * sum(q1 * other->q);
        }
    }
}

/* Eliminate a link whose list has any length. */
static void eliminate(part *parts, const size_t *list, double *low, double *up, const part *p)
{
    size_t start = p->start, many = p->many;
    for (size_t a = 0; a < many; a++) {
        part *row = parts + list[start + a];
        double m = low[start + a] * p->inverse;
        row->pivot -= m * up[start + a];
        low[start + a] = m;
        for (size_t b = 0; b < a; b++)
            up[row->start + b] -= m * up[start + b];
        for (size_t b = a + 1; b < many; b++)
            low[parts[list[start + b]].start + a] -= m * up[start + b];
    }
}

/* From the last link to the first, as in lib/system/tensions.c. Are all pivots positive? */
INLINE bool factor(tree *w)
{
    part *parts = w->parts + 1;
    double *low = w->low, *up = w->up;
    bool positive = true;
    for (size_t i = w->n; i-- > 0;) {
        part *p = parts + i;
        double *l = low + p->start, *u = up + p->start, inverse = 1 / p->pivot;
        positive &= p->pivot > 0;
        p->inverse = inverse;
        if (p->many == 1) {
            l[0] *= inverse;
            p->above->pivot -= l[0] * u[0];
        } else if (p->many == 2) {
            part *beside = p->beside;
            double first = l[0] * inverse, second = l[1] * inverse;
            p->above->pivot -= first * u[0];
            beside->pivot -= second * u[1];
            low[beside->start] -= first * u[1];
            up[beside->start] -= second * u[0];
            l[0] = first;
            l[1] = second;
        } else if (p->many > 2) {
            eliminate(parts, w->list, low, up, p);
        }
    }
    return positive;
}

/* r <- the solution. */
INLINE void solve(tree *w)
{
    part *parts = w->parts + 1;
    const size_t *list = w->list;
    const double *low = w->low, *up = w->up;
    for (size_t i = w->n; i-- > 0;) {
        part *p = parts + i;
        const double *l = low + p->start;
        if (p->many > 2) {
            for (size_t e = 0; e < p->many; e++)
                parts[list[p->start + e]].r -= l[e] * p->r;
        } else if (p->many > 0) {
            p->above->r -= l[0] * p->r;
            if (p->many == 2)
                p->beside->r -= l[1] * p->r;
        }
    }
    for (size_t i = 0; i < w->n; i++) {
        part *p = parts + i;
        const double *u = up + p->start;
        double r = p->r;
        if (p->many > 2) {
            for (size_t e = 0; e < p->many; e++)
                r -= u[e] * parts[list[p->start + e]].r;
        } else if (p->many > 0) {
            r -= u[0] * p->above->r;
            if (p->many == 2)
                r -= u[1] * p->beside->r;
        }
        p->r = r * p->inverse;
    }
}

/* |nu|^2 of the correction in r. *moved: is it not what it was, but for rounding? *large: is it no
 * correction? */
INLINE void settle(tree *w, bool *moved, bool *large)
{
    part *parts = w->parts + 1;
    double most = 0;
    bool more = false;
    for (size_t i = w->n; i-- > 0;)
        pull(parts + i, parts[i].r, parts[i].q);
    w->parts->X = w->parts->pulls = (vector){0};
    for (size_t i = 0; i < w->n; i++) {
        part *p = parts + i;
        vector nu = change_of(p);
        double now = sum(nu * nu);
        more |= !(fabs(now - p->square) <= p->tolerance);
        most = now <= most ? most : now; /* what is no number stays */
        p->square = now;
    }
    *moved = more;
    *large = !(most <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION);
}

/* The end of the step: everything in the carry. */
INLINE void finish(tree *w, carry *c)
{
    const double first = c->count >= 1, second = c->count >= 2, third = c->count >= 3;
    part *parts = w->parts + 1;
    for (size_t i = w->n; i-- > 0;) {
        link *own = c->links + i;
        double mu = own->guess + parts[i].r;
        double D1 = first * (mu - own->D0), D2 = second * (D1 - own->D1), D3 = third * (D2 - own->D2);
        pull(parts + i, mu, parts[i].q);
        own->D0 = mu, own->D1 = D1, own->D2 = D2;
        own->guess = mu + (D1 + (D2 + D3));
        own->square = parts[i].square;
    }
    w->parts->X = w->root;
    w->parts->pulls = (vector){0};
    for (size_t i = 0; i < w->n; i++) {
        link *own = c->links + i;
        vector d, dl, q, ql;
        two_sum(own->d, change_of(parts + i) + own->dl, &d, &dl);
        two_sum(parts[i].q, d + own->ql, &q, &ql);
        own->d = d, own->dl = dl;
        own->q = q, own->ql = ql;
    }
}

/* A step from the guess; false, and nothing is changed, where the guess is no good. */
INLINE bool advance(tree *w, carry *c, int *passes)
{
    residual(w, c);
    if (!factor(w))
        return false;
    for (*passes = 1;; ++*passes) {
        bool moved = false, large = false;
        solve(w);
        settle(w, &moved, &large);
        if (large || (moved && *passes == MOST_PASSES))
            return false;
        if (!moved)
            break;
        for (part *p = w->parts + 1; p <= w->parts + w->n; p++)
            p->r = p->phi - 0.5 * p->l * p->square;
    }
    finish(w, c);
    return true;
}

static bool advance_plain(tree *w, carry *c, int *passes)
{
    return advance(w, c, passes);
}

#ifdef PH_LANES_AVX2
PH_LANES_AVX2 static bool advance_avx2(tree *w, carry *c, int *passes)
{
    return advance(w, c, passes);
}
#endif

/* ---- The plain form ----------------------------------------------------------------------------- */

static void gather_motion(scratch *w, const carry *c)
{
    ph_tension_motion *to = &w->plain.from;
    to->h = c->h;
    if (c->h == 0)
        return;
    for (size_t i = 0; i < w->t.n; i++)
        for (size_t a = 0; a < AXES; a++) {
            const link *own = c->links + i;
            to->q[AXES * i + a] = own->q[a];
            to->q_low[AXES * i + a] = own->ql[a];
            to->delta[AXES * i + a] = own->d[a];
            to->low[AXES * i + a] = own->dl[a];
        }
}

/* Without a guess. The multipliers begin a new history. */
static ph_status step_plain(scratch *w, ph_context *context, const ph_state *state, carry *c)
{
    const ph_tension_motion *to = &w->plain.to;
    gather_motion(w, c);
    ph_status status = ph_tension_plain_step(&w->plain, w->h, context, state);
    if (status)
        return status;
    for (size_t i = 0; i < w->t.n; i++) {
        link *own = c->links + i;
        for (size_t a = 0; a < AXES; a++) {
            own->q[a] = to->q[AXES * i + a];
            own->ql[a] = to->q_low[AXES * i + a];
            own->d[a] = to->delta[AXES * i + a];
            own->dl[a] = to->low[AXES * i + a];
        }
        own->guess = own->D0 = w->plain.eq.lambda[i] * w->t.parts[i + 1].il;
        own->D1 = own->D2 = own->square = 0;
    }
    return PH_OK;
}

/* ---- The kernel --------------------------------------------------------------------------------- */

static void plain(ph_context *context)
{
    scratch *w = context->work;
    w->advance = advance_plain;
}

static ph_status init(ph_context *context)
{
    scratch *w = context->work;
    const ph_linkage *linkage = ph_system_linkage(context->system);
    double *memory = (double *)(void *)((char *)context->work + head_size());
    size_t used = lay_scratch(w, context->system, NULL);
    memset(memory, 0, used * sizeof *memory); /* fourth lanes and pulls begin as zeros */
    lay_scratch(w, context->system, memory);
    w->head.kernel = &ph_variational_tree;
    w->h = context->h;
    w->t.root = (vector){0};
    for (size_t a = 0; a < AXES; a++)
        w->t.root[a] = -w->h * w->h * linkage->gravity[a];
    for (size_t i = 0; i < w->t.n; i++) {
        part *p = w->t.parts + 1 + i;
        size_t parent = linkage->parent[i], start = w->t.start[i];
        p->l = linkage->length[i];
        p->il = 1 / linkage->length[i];
        p->w = 1 / linkage->mass[i];
        p->w_above = parent == PH_NO_INDEX ? 0 : 1 / linkage->mass[parent];
        p->above = parent == PH_NO_INDEX ? w->t.parts : w->t.parts + 1 + parent;
        p->start = start;
        p->many = w->t.start[i + 1] - start;
        p->beside = p->many == 2 ? w->t.parts + 1 + w->t.list[start + 1] : NULL;
    }
    plain(context);
#ifdef PH_LANES_AVX2
    if (__builtin_cpu_supports("avx2"))
        w->advance = advance_avx2;
#endif
    return ph_tension_plain_init(&w->plain);
}

static ph_status step(ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    carry *c = carry_of(state);
    int passes = 0;
    if (c->h == w->h && w->advance(&w->t, c, &passes)) {
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

const ph_variational_kernel ph_variational_tree = {
    .size = size, .init = init, .step = step, .synchronise = synchronise, .plain = plain};
