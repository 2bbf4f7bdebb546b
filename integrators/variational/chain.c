/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of multipliers.c for chains in space under gravity alone, with a cart or without: the same
 * equations, written out for speed (chain.h, and shared/chain-elimination.h). Link i pulls on the masses at its ends
 * along q_i with the impulse mu_i = lambda_i / l_i, so that in a step mass i changes its increment by
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
 * without a guess are made in the plain form, shared/tensions.c. Stages of a composition go the same ways
 * (stages.h).
 *
 * Sources: as multipliers.c. */

/* GCC would gather scalars into vectors for single operations, which then wait for each other. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include <polhode/kit/tensions.h>

#include "chain.h"

#include "integrators/shared/chain-elimination.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 5 }; /* iterations */

typedef struct chain_scratch {
    ph_tension_plain plain;
    ph_tension_ways ways;
    chain_steps steps;
} chain_scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

size_t ph_chain_steps_lay(chain_steps *w, const ph_system *system, const double *options, ph_lay *l)
{
    const ph_composition *of = ph_variational_composition_of(options);
    ph_chain_lay(&w->c, system, l);
    return (sizeof(chain_carry) + w->c.length * (sizeof(chain_multipliers) + sizeof(chain_motion) +
                                                 (of ? of->stages * sizeof(ph_recollection) : 0))) /
           sizeof(double);
}

static size_t chain_lay(const ph_system *system, const double *options, ph_lay *l)
{
    chain_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    ph_tension_plain_lay(&w->plain, system, l);
    return ph_chain_steps_lay(&w->steps, system, options, l);
}

/* ---- A step ------------------------------------------------------------------------------------- */

/* An iteration; false where it shows that the guess is not good enough. */
INLINE bool chain_iterate(const ph_step_sizes *sizes, chain_pass which, chain *w, chain_body *body,
                          chain_carry *c, bool *settled)
{
    vector y;
    if (which == AGAIN)
        y = chain_eliminate_again(sizes, w, body);
    else if (!chain_eliminate(sizes, w, body, c, which, &y))
        return false;
    chain_judgement of = chain_substitute(sizes, w, body, c, which, y);
    *settled = !any(of.moved);
    return !any(of.large);
}

/* A step from the guess. False where the guess is not good enough: then only the end of the last step is
 * done. blocks: how many there are, or MANY; on_body: does the chain hang on one? */
INLINE bool chain_advance(const bool staged, const size_t blocks, const bool on_body, void *kernel,
                          ph_tension_carry *head, int *passes)
{
    const bool many = blocks == MANY;
    chain known, *w = many ? kernel : chain_with_blocks(blocks, kernel, &known);
    chain_carry *c = (chain_carry *)(void *)head;
    chain_body *body = on_body ? chain_steps_of(w)->body : NULL;
    const ph_step_sizes sizes = ph_step_sizes_of(staged, chain_steps_of(w)->of, head->h,
                                                 staged ? chain_steps_of(w)->method->stage->index : 0);
    bool settled = false, good = chain_iterate(&sizes, many ? FIRST : ALONE, w, body, c, &settled);
    *passes = 1;
    if (many && good && !settled) {
        good = chain_iterate(&sizes, AGAIN, w, body, c, &settled);
        ++*passes;
    }
    for (; good && !settled && *passes < MOST_PASSES; ++*passes)
        good = chain_iterate(&sizes, AFRESH, w, body, c, &settled);
    c->due = good && settled;
    if (c->due > 0) {
        head->count++;
        head->stage = staged ? (double)chain_steps_of(w)->method->stage->index : 0;
    }
    return c->due > 0;
}

#define ADVANCE(name, staged, blocks, on_body)                                                               \
    PH_LANES_TWICE(PH_LANES_AVX2, bool, name, (void *kernel, ph_tension_carry *c, int *passes),              \
                   return chain_advance(staged, blocks, on_body, kernel, c, passes);)
#define ADVANCE_EACH(name, staged, on_body)                                                                  \
    ADVANCE(chain_one##name, staged, 1, on_body)                                                             \
    ADVANCE(chain_two##name, staged, 2, on_body)                                                             \
    ADVANCE(chain_three##name, staged, 3, on_body)                                                           \
    ADVANCE(chain_many##name, staged, MANY, on_body)
ADVANCE_EACH(, false, false)
ADVANCE_EACH(_stages, true, false)
ADVANCE_EACH(_on_body, false, true)
ADVANCE_EACH(_stages_on_body, true, true)

chain_advancing *ph_chain_choose_advance(const chain_steps *w)
{
#define ROW(name, copy)                                                                                      \
    {                                                                                                        \
        chain_one##name##copy, chain_two##name##copy, chain_three##name##copy, chain_many##name##copy        \
    }
#define ROWS(copy)                                                                                           \
    {                                                                                                        \
        {ROW(, copy), ROW(_stages, copy)},                                                                   \
        {                                                                                                    \
            ROW(_on_body, copy), ROW(_stages_on_body, copy)                                                  \
        }                                                                                                    \
    }
    static chain_advancing *const ways[2][2][2][4] = {ROWS(_plain), ROWS(_wide)};
    return ways[ph_lanes(PH_KERNEL_AVX2)][w->body != NULL][w->of != NULL][chain_way(&w->c)];
}

/* ---- The plain form ----------------------------------------------------------------------------- */

INLINE void chain_end_all(const bool staged, const chain *w, chain_carry *c)
{
    const ph_step_sizes latest = chain_latest_sizes(staged, w, c);
    const ph_forecast forecast = chain_forecast_of(staged, w, c);
    chain_ending f;
    chain_end_last_block(&latest, &forecast, &f, w, c);
    chain_end_blocks(&latest, &forecast, &f, w, c, w->length);
    if (chain_steps_of(w)->body)
        chain_end_turn(w, chain_steps_of(w)->body, c);
}

PH_LANES_TWICE(PH_LANES_AVX2, void, chain_end, (const chain *w, chain_carry *c), chain_end_all(false, w, c);)
PH_LANES_TWICE(PH_LANES_AVX2, void, chain_end_stages, (const chain *w, chain_carry *c),
               chain_end_all(true, w, c);)

void ph_chain_end(const chain *w, ph_tension_carry *head)
{
    static void (*const ways[2][2])(const chain *, chain_carry *) = {
        {chain_end_plain, chain_end_stages_plain}, {chain_end_wide, chain_end_stages_wide}};
    chain_carry *c = (chain_carry *)(void *)head;
    if (c->due > 0)
        ways[ph_lanes(PH_KERNEL_AVX2)][chain_steps_of(w)->of != NULL](w, c);
}

void ph_chain_gather(void *kernel, ph_tension_carry *head, ph_tension_motion *to)
{
    const chain *w = kernel;
    chain_carry *c = (chain_carry *)(void *)head;
    ph_chain_end(w, head);
    for (size_t a = 0; a < w->axes; a++) {
        to->q[a] = c->cart.q[a], to->q_low[a] = c->cart.ql[a];
        to->delta[a] = c->cart.d[a], to->low[a] = c->cart.dl[a];
    }
    for (size_t s = 0; s < w->length; s++) {
        const chain_multipliers *now = c->links + s;
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

/* Guesses by the latest stage alone; the errors of earlier guesses belong to another history. */
static void chain_begin_stages(const chain *w, chain_carry *c)
{
    ph_recollection *recollections = chain_recollections(w, c);
    memset(recollections, 0, chain_steps_of(w)->of->stages * w->length * sizeof *recollections);
    const ph_forecast f = chain_forecast_of(true, w, c);
    for (size_t s = 0; s < w->length; s++)
        ph_forecast_take(&f, s, &c->links[s].mu, chain_motions(w, c)[s].past);
}

void ph_chain_scatter(void *kernel, const ph_tension_motion *from, const double *lambda,
                      ph_tension_carry *head)
{
    const chain *w = kernel;
    const vector zero = {0, 0, 0, 0};
    chain_carry *c = (chain_carry *)(void *)head;
    const double h = chain_latest_sizes(chain_steps_of(w)->of != NULL, w, c).h;
    for (size_t a = 0; a < w->axes; a++) {
        c->cart.q[a] = from->q[a], c->cart.ql[a] = from->q_low[a];
        c->cart.d[a] = from->delta[a], c->cart.dl[a] = from->low[a];
    }
    for (size_t i = 0; i < w->n; i++) {
        chain_multipliers *now = c->links + i % w->length;
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
    if (chain_steps_of(w)->of)
        chain_begin_stages(w, c);
}

/* ---- The kernel --------------------------------------------------------------------------------- */

void ph_chain_steps_set(chain_steps *w, const ph_system *system, chain_body *body,
                        const ph_variational *method, const double *options)
{
    ph_chain_set(&w->c, system);
    w->c.owner = w;
    w->method = method;
    w->of = ph_variational_composition_of(options);
    w->body = body;
}

static ph_status chain_init(ph_variational *method, ph_context *context)
{
    chain_scratch *w = method->work;
    ph_chain_steps_set(&w->steps, context->system, NULL, method, context->options);
    w->ways.of = w->steps.of;
    w->ways.gather = ph_chain_gather;
    w->ways.scatter = ph_chain_scatter;
    w->ways.advance = ph_chain_choose_advance(&w->steps);
    return ph_tension_plain_init(&w->plain);
}

static ph_status chain_step(ph_variational *method, ph_context *context, ph_state *state)
{
    chain_scratch *w = method->work;
    return ph_tension_ways_step(&w->plain, &w->ways, method->stage, &w->steps.c, context, state);
}

static void chain_synchronise(ph_variational *method, ph_state *state)
{
    chain_scratch *w = method->work;
    ph_tension_ways_synchronise(&w->plain, &w->ways, &w->steps.c, state);
}

const ph_variational_kernel ph_variational_chain = {
    .lay = chain_lay, .init = chain_init, .step = chain_step, .synchronise = chain_synchronise};
