/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of short-chain.c for eight systems at once (polhode/ensemble.h): chains of one link or two without a cart, each with
 * masses, lengths and gravity of its own, in vectors across the systems. */
#include "lanes.h"
#include "short-chain-steps.h"

/* short_motion */
typedef struct eight_motion {
    double q[3][EIGHT], ql[3][EIGHT], d[3][EIGHT], dl[3][EIGHT];
} eight_motion;

/* A link as it is carried: with short_history, and the excess. */
typedef struct eight_link {
    eight_motion m;
    double excess[EIGHT], guess[EIGHT], x[EIGHT], before[EIGHT], late[EIGHT], later[EIGHT], square[EIGHT],
        next[EIGHT], y[EIGHT];
} eight_link;

/* What is carried: short_carry. */
typedef struct eight_carry {
    double stamp[EIGHT], drop[EIGHT], e[EIGHT];
    eight_link links[];
} eight_carry;

/* Of stages: a link, what is carried, and what is known of a stage of a link from the steps before (short_recollection), two for each
 * stage. */
typedef struct eight_staged_link {
    eight_motion m;
    double excess[EIGHT], x[HISTORY][EIGHT];
} eight_staged_link;

typedef struct eight_staged {
    double stamp[EIGHT], age[EIGHT];
    eight_staged_link links[MOST_LINKS];
} eight_staged;

typedef struct eight_recollection {
    double lacked[EIGHT], change[EIGHT], expected[EIGHT], y[EIGHT], square[EIGHT];
} eight_recollection;

/* The numbers of the systems: short_scratch. */
typedef struct eight_chain {
    double gravity[3][EIGHT];
    double fall[3][EIGHT], half_square[EIGHT], reach[EIGHT];
    double ratio[EIGHT], own[EIGHT], first[EIGHT], second[EIGHT], mixed[EIGHT]; /* of two links */
    const struct eight_kind *kind;
    size_t links;
    double stages; /* how many; 0: steps of one size */
    short_stage_sizes sizes[PH_MOST_STAGES];
} eight_chain;

/* What is behind the pointer is read again where it is used: it takes less time than to keep more numbers than there are
 * registers. */
#define READ_AGAIN(pointer) __asm__("" : "+r"(pointer))

#define LANES_WIDTH 8
#include "integrators/shared/lanes-width.h"

#include "short-chain-eight.h"
#define LANES_WIDTH 4
#include "integrators/shared/lanes-width.h"

#include "short-chain-eight.h"
#define LANES_WIDTH 2
#include "integrators/shared/lanes-width.h"

#include "short-chain-eight.h"
#define LANES_WIDTH 0
#include "integrators/shared/lanes-width.h"

typedef struct eight_kind {
    unsigned (*advance[MOST_LINKS])(const eight_chain *, const eight_carry *, eight_carry *);
    unsigned (*stage[MOST_LINKS])(const eight_chain *, const short_stage_sizes *, const double *weights,
                                  const eight_staged *, eight_recollection *, eight_staged *);
} eight_kind;

#define KIND(width)                                                                                          \
    {                                                                                                        \
        {eight_##width##_advance_single, eight_##width##_advance_pair},                                      \
        {                                                                                                    \
            eight_##width##_advance_stage_single, eight_##width##_advance_stage_pair                         \
        }                                                                                                    \
    }
static const eight_kind eight_wide8 = KIND(wide8), eight_wide4 = KIND(wide4), eight_plain = KIND(plain);

static size_t eight_numbers(const ph_system *system, const double *options)
{
    const size_t links = ph_space_factors(ph_system_space(system));
    return (ph_variational_composition_of(options) ? sizeof(eight_staged)
                                                   : sizeof(eight_carry) + links * sizeof(eight_link)) /
           sizeof(double);
}

static size_t eight_recollected(const ph_system *system, const double *options)
{
    const ph_composition *of = ph_variational_composition_of(options);
    (void)system;
    return of ? of->stages * MOST_LINKS * sizeof(eight_recollection) / sizeof(double) : 0;
}

static void eight_begin(void *own, const ph_context *context)
{
    eight_chain *w = own;
    const ph_composition *of = ph_variational_composition_of(context->options);
    w->kind = ph_lanes(PH_KERNEL_AVX512) ? &eight_wide8
              : ph_lanes(PH_KERNEL_AVX2) ? &eight_wide4
                                         : &eight_plain;
    w->links = ph_space_factors(ph_system_space(context->system));
    w->stages = of ? (double)of->stages : 0;
    for (size_t i = 0; of && i < of->stages; i++)
        w->sizes[i] = short_stage_size(of, i, context->h);
}

static void eight_set(void *own, const ph_context *context, size_t lane, const ph_system *system)
{
    eight_chain *w = own;
    short_scratch one;
    one.h = context->h;
    ph_short_chain_set(&one.chain, system);
    short_set_fall(&one);
    for (int k = 0; k < AXES; k++) {
        w->fall[k][lane] = one.fall[k];
        w->gravity[k][lane] = one.chain.gravity[k];
    }
    w->half_square[lane] = one.half_square;
    w->reach[lane] = one.reach;
    w->ratio[lane] = one.chain.ratio[1];
    w->own[lane] = one.chain.own[1];
    w->first[lane] = one.chain.first[1];
    w->second[lane] = one.chain.second[1];
    w->mixed[lane] = one.chain.mixed[1];
}

/* A stage: the guesses of those who have few stages behind them are by fewer. */
static unsigned eight_advance_stage(const eight_chain *w, const ph_stage *stage, const eight_staged *from,
                                    eight_recollection *memory, eight_staged *to)
{
    double weights[HISTORY][EIGHT];
    if (from->stamp[0] != stage->step)
        return 0;
    for (size_t lane = 0; lane < EIGHT; lane++) {
        const double age = from->age[lane],
                     *own = stage->tensions[age < HISTORY ? (size_t)age - 1 : HISTORY - 1];
        for (size_t k = 0; k < HISTORY; k++)
            weights[k][lane] = own[k];
    }
    memcpy(to->stamp, from->stamp, sizeof to->stamp);
    return w->kind->stage[w->links - 1](w, &w->sizes[stage->index], weights[0], from,
                                        memory + MOST_LINKS * stage->index, to);
}

static unsigned eight_advance(void *own, const ph_stage *stage, double h, const double *carry, double *more,
                              double *end)
{
    const eight_chain *w = own;
    const eight_carry *from = (const eight_carry *)(const void *)carry;
    eight_carry *to = (eight_carry *)(void *)end;
    if (stage)
        return eight_advance_stage(w, stage, (const eight_staged *)(const void *)carry,
                                   (eight_recollection *)(void *)more, (eight_staged *)(void *)end);
    if (from->stamp[0] != h)
        return 0;
    if (to->stamp[0] != h)
        memcpy(to->stamp, from->stamp, sizeof to->stamp);
    return w->kind->advance[w->links - 1](w, from, to);
}

/* Vectors of four have the numbers of two links twice, that of a single one four times. */
#define SPREAD(list, field)                                                                                  \
    (vector)                                                                                                 \
    {                                                                                                        \
        (list)[0].field[lane], (list)[last].field[lane], (list)[0].field[lane], (list)[last].field[lane]     \
    }

static short_motion eight_gather_motion(const eight_motion *from, size_t lane)
{
    short_motion m = {0};
    for (int k = 0; k < AXES; k++) {
        m.q[k] = from->q[k][lane];
        m.ql[k] = from->ql[k][lane];
        m.d[k] = from->d[k][lane];
        m.dl[k] = from->dl[k][lane];
    }
    return m;
}

static void eight_scatter_motion(const short_motion *m, size_t lane, eight_motion *to)
{
    for (int k = 0; k < AXES; k++) {
        to->q[k][lane] = m->q[k];
        to->ql[k][lane] = m->ql[k];
        to->d[k][lane] = m->d[k];
        to->dl[k][lane] = m->dl[k];
    }
}

static void eight_gather_staged(const eight_chain *w, const eight_staged *from,
                                const eight_recollection *memory, size_t lane, short_carry *c)
{
    const eight_staged_link *l = from->links;
    const size_t last = w->links - 1;
    short_recollection *known = short_recollections(c, w->links);
    c->stamp = from->stamp[lane];
    c->age = from->age[lane];
    c->excess = SPREAD(l, excess);
    for (size_t k = 0; k < HISTORY; k++)
        c->of.x[k] = SPREAD(l, x[k]);
    for (size_t i = 0; i < (size_t)w->stages; i++, memory += MOST_LINKS)
        known[i] = (short_recollection){.lacked = SPREAD(memory, lacked),
                                        .change = SPREAD(memory, change),
                                        .expected = SPREAD(memory, expected),
                                        .y = SPREAD(memory, y),
                                        .square = SPREAD(memory, square)};
    for (size_t i = 0; i < w->links; i++)
        c->parts[i] = eight_gather_motion(&l[i].m, lane);
}

static void eight_scatter_staged(const eight_chain *w, short_carry *c, size_t lane,
                                 eight_recollection *memory, eight_staged *to)
{
    const short_recollection *known = short_recollections(c, w->links);
    to->stamp[lane] = c->stamp;
    to->age[lane] = c->age;
    for (size_t i = 0; i < w->links; i++) {
        eight_staged_link *l = &to->links[i];
        l->excess[lane] = c->excess[i];
        for (size_t k = 0; k < HISTORY; k++)
            l->x[k][lane] = c->of.x[k][i];
        for (size_t k = 0; k < (size_t)w->stages; k++) {
            eight_recollection *r = &memory[MOST_LINKS * k + i];
            r->lacked[lane] = known[k].lacked[i];
            r->change[lane] = known[k].change[i];
            r->expected[lane] = known[k].expected[i];
            r->y[lane] = known[k].y[i];
            r->square[lane] = known[k].square[i];
        }
        eight_scatter_motion(&c->parts[i], lane, &l->m);
    }
}

static void eight_gather(const void *own, const double *carry, const double *more, size_t lane, ph_state *one)
{
    const eight_chain *w = own;
    if (w->stages > 0) {
        eight_gather_staged(w, (const eight_staged *)(const void *)carry,
                            (const eight_recollection *)(const void *)more, lane,
                            (short_carry *)(void *)one->carry);
        return;
    }
    const eight_carry *from = (const eight_carry *)(const void *)carry;
    const eight_link *l = from->links;
    const size_t last = w->links - 1;
    short_carry *c = (short_carry *)(void *)one->carry;
    c->stamp = from->stamp[lane];
    c->drop = from->drop[lane];
    c->e = from->e[lane];
    c->excess = SPREAD(l, excess);
    c->of.past = (short_history){.guess = SPREAD(l, guess),
                                 .x = SPREAD(l, x),
                                 .before = SPREAD(l, before),
                                 .late = SPREAD(l, late),
                                 .later = SPREAD(l, later),
                                 .square = SPREAD(l, square),
                                 .next = SPREAD(l, next),
                                 .y = SPREAD(l, y)};
    for (size_t i = 0; i < w->links; i++)
        c->parts[i] = eight_gather_motion(&l[i].m, lane);
}

static void eight_scatter(const void *own, const ph_state *one, size_t lane, double *more, double *end)
{
    const eight_chain *w = own;
    if (w->stages > 0) {
        eight_scatter_staged(w, (short_carry *)(void *)one->carry, lane, (eight_recollection *)(void *)more,
                             (eight_staged *)(void *)end);
        return;
    }
    const short_carry *c = (const short_carry *)(const void *)one->carry;
    const short_history *past = &c->of.past;
    eight_carry *to = (eight_carry *)(void *)end;
    to->stamp[lane] = c->stamp;
    to->drop[lane] = c->drop;
    to->e[lane] = c->e;
    for (size_t i = 0; i < w->links; i++) {
        eight_link *l = &to->links[i];
        l->excess[lane] = c->excess[i];
        l->guess[lane] = past->guess[i];
        l->x[lane] = past->x[i];
        l->before[lane] = past->before[i];
        l->late[lane] = past->late[i];
        l->later[lane] = past->later[i];
        l->square[lane] = past->square[i];
        l->next[lane] = past->next[i];
        l->y[lane] = past->y[i];
        eight_scatter_motion(&c->parts[i], lane, &l->m);
    }
}

static const lanes_form eight_form = {.single = &ph_variational_short_chain,
                                      .bytes = sizeof(eight_chain),
                                      .carry = eight_numbers,
                                      .more = eight_recollected,
                                      .begin = eight_begin,
                                      .set = eight_set,
                                      .advance = eight_advance,
                                      .gather = eight_gather,
                                      .scatter = eight_scatter};

static size_t eight_lay(const ph_system *system, const double *options, ph_lay *l)
{
    return ph_lanes_lay(&eight_form, system, options, l);
}

static ph_status eight_init(ph_variational *method, ph_context *context)
{
    return ph_lanes_init(&eight_form, method, context);
}

const ph_variational_kernel ph_variational_short_chain_lanes = {.lay = eight_lay,
                                                                .init = eight_init,
                                                                .step = ph_lanes_step,
                                                                .synchronise = ph_lanes_synchronise,
                                                                .lanes = EIGHT};
