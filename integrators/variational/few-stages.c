/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages of a composition for one link or two, on a cart or without: few.c in steps h of several
 * sizes. The velocity v is carried in place of the increment,
 *     D = h v + (h^2/2) G + c,
 *     v+ = v + h G + c / h,
 * with c that of the pulls: an increment would come from one of another step size by a quotient, and the
 * product of the quotients around a step is 1 but for rounding, the same rounding in every step.
 *
 * The pulls x are guessed by those of the stages before (composition.c), and by what that guess
 * lacked in this stage of the steps before: as all stages go round, that varies smoothly from step to step,
 * however odd the sizes of stages are.
 *
 * Sources: as multipliers.c and composition.c. */
#if defined(__GNUC__) && !defined(__clang__) /* numbers gathered into a vector are late in the next step */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "integrators/shared/few.h"
#include "variational.h"

#include <string.h>

enum { MOST_PASSES = 8, HISTORY = 4 };

/* Of this stage in the steps before. */
typedef struct recollection {
    loose lacked;   /* x less its guess by other stages, in the last step; ... */
    loose change;   /* against the one before; ... */
    loose expected; /* and what it is expected to be in this one */
    loose y;        /* what the correction of the guess added to the residual by its square; ... */
    loose square;   /* and is expected to */
} recollection;

typedef struct carry {
    double stamp;     /* ph_stage_stamp; 0: there is no motion */
    double age;       /* stages since the last one without a guess */
    loose x[HISTORY]; /* of the stages before, the latest first */
    loose excess;     /* (|q|^2 - 1) / 2 */
    motion parts[MOST_LINKS + 1];
    recollection stages[];
} carry;

/* What does not change about a stage. */
typedef struct stage {
    double h, half; /* and h^2/2 */
} stage;

typedef struct scratch {
    ph_tension_plain plain;
    ph_few few;
    double count; /* of stages */
    stage stages[PH_MOST_STAGES];
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
    const size_t carried =
        sizeof(carry) + ph_variational_composition_of(options)->stages * sizeof(recollection);
    lay_scratch(&w, system, &l);
    return (ph_method_size){.work = l.bytes, .carry = carried / sizeof(double)};
}

/* ---- A stage from a guess ------------------------------------------------------------------------ */

INLINE pass pass_of(int kind, const scratch *w, const stage *s, const carry *c, vector x, vector square)
{
    const motion *one = c->parts, *two = one + 1;
    vector free = s->h * one->d + s->half * w->few.gravity, excess = c->excess;
    if (kind == SINGLE || kind == RIDING)
        return pass_riding(&w->few, one->q, free, excess, x, square);
    return pass_pair(kind == RIDING_PAIR, &w->few, one->q, two->q, free, s->h * two->d, excess, x, square);
}

/* The end of the stage: q + D, v + c / h + h G. What rounding leaves of a constant beside a
 * number of which the last place is larger is always the same: sums with G are kept whole, up to where the
 * low-order parts, which are different in each stage, decide what is rounded. */
INLINE void leave(motion *m, const stage *s, vector c, vector gravity)
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
INLINE void remember(carry *c, recollection *m, double stages, vector x, vector guess, vector y)
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
        c->x[i] = c->x[i - 1];
    c->x[0] = x;
}

INLINE void finish(int kind, const scratch *w, const stage *s, carry *c, const pass *p)
{
    const vector none = {0, 0, 0, 0};
    motion *one = c->parts, *two = one + 1, *cart = kind == RIDING ? two : two + 1;
    c->excess = 0.5 * excess_of_links(kind == PAIR || kind == RIDING_PAIR, one, two) - c->excess;
    leave(one, s, p->c1 + p->nu1, w->few.gravity);
    if (kind == PAIR || kind == RIDING_PAIR)
        leave(two, s, p->c2 + p->nu2, none);
    if (kind == RIDING || kind == RIDING_PAIR)
        leave(cart, s, w->few.back * p->pull, w->few.ride);
}

/* False, and nothing is changed, where the guess is no good. */
INLINE bool advance(int kind, const scratch *w, const ph_stage *of, carry *c, int *passes)
{
    const vector none = {0, 0, 0, 0};
    const stage *s = w->stages + of->index;
    const double *weights = of->tensions[c->age < HISTORY ? (size_t)c->age - 1 : HISTORY - 1];
    recollection *m = c->stages + of->index;
    vector guess = none;
    for (size_t i = HISTORY; i-- > 0;)
        guess += weights[i] * c->x[i];
    vector x = guess + m->expected;
    pass p = pass_of(kind, w, s, c, x, m->square);
    vector y = p.y;
    for (*passes = 1; p.sound && !p.settled && *passes < MOST_PASSES; ++*passes) {
        x += p.by;
        p = pass_of(kind, w, s, c, x, none);
    }
    if (!p.sound || !p.settled)
        return false;
    finish(kind, w, s, c, &p);
    remember(c, m, w->count, x + p.by, guess, y);
    return true;
}

/* ---- Without a guess: the plain form ------------------------------------------------------------ */

static void gather_motion(scratch *w, const carry *c, const ph_state *state)
{
    ph_tension_motion *to = &w->plain.from;
    to->velocity = true;
    to->h = 1; /* there is a velocity */
    if (c->stamp != 0) {
        ph_few_gather(&w->few, c->parts, to);
        return;
    }
    memcpy(to->q, state->z, state->nz * sizeof *to->q);
    memset(to->q_low, 0, state->nz * sizeof *to->q_low);
    memset(to->low, 0, state->nz * sizeof *to->low);
    ph_tension_step_velocity(&w->plain.eq, state->z, state->p, to->delta);
}

static vector excess_now(const scratch *w, const carry *c)
{
    vector excess = {0, 0, 0, 0};
    for (size_t i = 0; i < LANES; i++) {
        vector squares, rest;
        split(&c->parts[i % w->few.n], &squares, &rest);
        excess[i] = 0.5 * ((((squares[0] - 1) + squares[1]) + squares[2]) + ((rest[0] + rest[1]) + rest[2]));
    }
    return excess;
}

/* What stages have lacked is forgotten: it went with another history. */
static void begin(const scratch *w, carry *c)
{
    const ph_tension_step *eq = &w->plain.eq;
    for (size_t i = HISTORY - 1; i > 0; i--)
        c->x[i] = c->x[i - 1];
    for (size_t i = 0; i < LANES; i++) {
        size_t k = i % w->few.n;
        c->x[0][i] = eq->lambda[eq->n - w->few.n + k] * w->few.by_lambda[k];
    }
    c->excess = excess_now(w, c);
    memset(c->stages, 0, (size_t)w->count * sizeof *c->stages);
    c->age = 1;
}

static ph_status step_plain(const ph_variational *method, ph_context *context, const ph_state *state)
{
    scratch *w = method->work;
    carry *c = carry_of(state);
    ph_tension_plain *plain = &w->plain;
    gather_motion(w, c, state);
    ph_status status = ph_tension_plain_step(plain, context->h, context, state);
    if (status)
        return status;
    plain->to.A = plain->A;
    ph_tension_step_kick(&plain->eq, context->h, &plain->from, plain->pulls, &plain->to);
    ph_few_scatter(&w->few, &plain->to, c->parts);
    begin(w, c);
    c->stamp = method->stage->step;
    return PH_OK;
}

static void synchronise(ph_variational *method, ph_state *state)
{
    scratch *w = method->work;
    gather_motion(w, carry_of(state), state);
    ph_tension_plain_synchronise(&w->plain, state);
}

/* ---- The kernels: for each kind of system and of processor one ------------------------------------- */

INLINE ph_status step(int kind, const ph_variational *method, ph_context *context, ph_state *state)
{
    scratch *w = method->work;
    carry *c = carry_of(state);
    int passes = 0;
    if (c->stamp != method->stage->step || !advance(kind, w, method->stage, c, &passes))
        return step_plain(method, context, state);
    context->statistics->newton_passes += passes;
    return PH_OK;
}

#define KERNEL(name, kind, target)                                                                           \
    target static ph_status name(ph_variational *method, ph_context *context, ph_state *state)               \
    {                                                                                                        \
        return step(kind, method, context, state);                                                           \
    }
#define ROW(name)                                                                                            \
    {                                                                                                        \
        .step = (name), .size = size, .synchronise = synchronise                                             \
    }

KERNEL(plain_single, SINGLE, )
KERNEL(plain_pair, PAIR, )
KERNEL(plain_riding, RIDING, )
KERNEL(plain_riding_pair, RIDING_PAIR, )
static const ph_variational_kernel plain_kernels[KINDS] = {ROW(plain_single), ROW(plain_pair),
                                                           ROW(plain_riding), ROW(plain_riding_pair)};

#ifdef PH_LANES_AVX
KERNEL(avx_single, SINGLE, PH_LANES_AVX)
KERNEL(avx_pair, PAIR, PH_LANES_AVX)
KERNEL(avx_riding, RIDING, PH_LANES_AVX)
KERNEL(avx_riding_pair, RIDING_PAIR, PH_LANES_AVX)
static const ph_variational_kernel avx_kernels[KINDS] = {ROW(avx_single), ROW(avx_pair), ROW(avx_riding),
                                                         ROW(avx_riding_pair)};
#endif

static ph_status init(ph_variational *method, ph_context *context)
{
    scratch *w = method->work;
    const ph_composition *of = ph_variational_composition_of(context->options);
    ph_lay l = {method->work, 0};
    lay_scratch(w, context->system, &l);
    ph_few_set(&w->few, context->system);
    w->count = (double)of->stages;
    for (size_t i = 0; i < of->stages; i++) {
        double h = ph_composition_gamma(of, i) * context->h;
        w->stages[i] = (stage){h, 0.5 * h * h};
    }
    method->kernel = plain_kernels + ph_few_kind(&w->few);
#ifdef PH_LANES_AVX
    if (ph_kernels() & PH_KERNEL_AVX)
        method->kernel = avx_kernels + ph_few_kind(&w->few);
#endif
    return ph_tension_plain_init(&w->plain);
}

const ph_variational_kernel ph_variational_few_stages = {.size = size, .init = init};
