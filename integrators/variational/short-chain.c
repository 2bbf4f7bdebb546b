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
/* GCC would gather scalars into vectors for single operations, which then wait for each other. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "short-chain-steps.h"

/* ---- Memory ------------------------------------------------------------------------------------- */

static short_carry *short_carry_of(const ph_state *state)
{
    return (short_carry *)(void *)state->carry;
}

static size_t short_lay(const ph_system *system, const double *options, ph_lay *l)
{
    short_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_composition *of = ph_variational_composition_of(options);
    const size_t parts = ph_space_factors(ph_system_space(system)),
                 carried = sizeof(short_carry) + parts * sizeof(short_motion) +
                           (of ? of->stages * sizeof(short_recollection) : 0);
    ph_tension_plain_lay(&w->plain, system, l);
    return carried / sizeof(double);
}

/* ---- Without a guess: the plain form ------------------------------------------------------------ */

static void short_gather(short_scratch *w, const short_carry *c, const ph_state *state)
{
    ph_tension_motion *to = &w->plain.from;
    to->velocity = w->count > 0;
    to->h = to->velocity ? 1 : c->stamp; /* 1: there is a velocity */
    if (c->stamp != 0) {
        ph_short_chain_gather(&w->chain, c->parts, to);
    } else if (to->velocity) {
        memcpy(to->q, state->z, state->nz * sizeof *to->q);
        memset(to->q_low, 0, state->nz * sizeof *to->q_low);
        memset(to->low, 0, state->nz * sizeof *to->low);
        ph_tension_step_velocity(&w->plain.eq, state->z, state->p, to->delta);
    }
}

/* |q|^2 - 1 */
static double short_excess_now(const short_motion *m)
{
    vector squares, rest;
    split(m, &squares, &rest);
    return (((squares[0] - 1) + squares[1]) + squares[2]) + ((rest[0] + rest[1]) + rest[2]);
}

/* Begins the history as if x had always been the same. */
static void short_begin_steps(const short_scratch *w, short_carry *c, vector x)
{
    const short_motion *m = c->parts;
    double turn = 0, drop = 0;
    c->of.past = (short_history){.guess = x, .x = x, .before = x, .late = -9 * x, .later = 11 * x};
    if (w->chain.n > 1 || w->chain.axes)
        return;
    for (size_t a = 0; a < AXES; a++) {
        turn += (m->q[a] - 0.5 * m->d[a]) * m->d[a]; /* (e - e') / 2 */
        drop += (m->q[a] - m->d[a]) * w->fall[a];
    }
    c->excess += turn;
    c->drop = drop - w->half_square;
    c->e = short_excess_now(m) - 2 * turn;
}

/* Begins the guesses of stages. The errors of earlier guesses belong to another history, and are
 * forgotten. */
static void short_begin_stages(const short_scratch *w, short_carry *c, vector x)
{
    for (size_t i = HISTORY - 1; i > 0; i--)
        c->of.x[i] = c->of.x[i - 1];
    c->of.x[0] = x;
    short_recollection *forgotten = short_recollections(c, w->plain.eq.n);
    memset(forgotten, 0, (size_t)w->count * sizeof *forgotten);
    c->age = 1;
}

static void short_begin(const short_scratch *w, short_carry *c)
{
    const ph_tension_step *eq = &w->plain.eq;
    vector x, excess;
    for (size_t i = 0; i < LANES; i++) {
        size_t k = i % w->chain.n;
        x[i] = eq->lambda[eq->n - w->chain.n + k] * w->chain.by_lambda[k];
        excess[i] = 0.5 * short_excess_now(c->parts + k);
    }
    c->excess = excess;
    if (w->count > 0)
        short_begin_stages(w, c, x);
    else
        short_begin_steps(w, c, x);
}

/* A step (of NULL) or a stage in the plain form. */
static ph_status short_step_plain(short_scratch *w, const ph_stage *of, ph_context *context,
                                  const ph_state *state)
{
    ph_tension_plain *plain = &w->plain;
    short_carry *c = short_carry_of(state);
    short_gather(w, c, state);
    ph_status status = ph_tension_plain_step(plain, context->h, context, state);
    if (status)
        return status;
    if (of) {
        plain->to.A = plain->A;
        ph_tension_step_kick(&plain->eq, context->h, &plain->from, plain->pulls, &plain->to);
    }
    ph_short_chain_scatter(&w->chain, &plain->to, c->parts);
    short_begin(w, c);
    c->stamp = ph_stage_stamp(of, context->h);
    return PH_OK;
}

static void short_synchronise(ph_variational *method, ph_state *state)
{
    short_scratch *w = method->work;
    short_gather(w, short_carry_of(state), state);
    ph_tension_plain_synchronise(&w->plain, state);
}

/* ---- The kernels: for steps and stages, each kind of system and of processor one ------------------- */

INLINE ph_status short_step(int kind, const ph_variational *method, ph_context *context, ph_state *state,
                            short_continuing go_on_from)
{
    short_scratch *w = method->work;
    short_carry *c = short_carry_of(state);
    int passes = 0;
    if (c->stamp != w->h || !(kind == SINGLE ? short_advance_single(w, c, &passes)
                                             : short_advance_step(kind, w, c, &passes, go_on_from)))
        return short_step_plain(w, NULL, context, state);
    context->statistics->newton_passes += passes;
    return PH_OK;
}

INLINE ph_status short_make_stage(int kind, const ph_variational *method, ph_context *context,
                                  ph_state *state)
{
    short_scratch *w = method->work;
    short_carry *c = short_carry_of(state);
    int passes = 0;
    if (c->stamp != method->stage->step || !short_advance_stage(kind, w, method->stage, c, &passes))
        return short_step_plain(w, method->stage, context, state);
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
                   (const short_scratch *w, short_carry *c, const vector *x, const vector *y, int *passes),  \
                   return short_continue(kind, w, c, x, y, passes);)                                         \
    KERNEL(name, short_step(kind, method, context, state, wide ? name##_more_wide : name##_more_plain))

KERNEL(single, short_step(SINGLE, method, context, state, NULL))
STEP(pair, PAIR)
STEP(riding, RIDING)
STEP(riding_pair, RIDING_PAIR)
KERNEL(single_stage, short_make_stage(SINGLE, method, context, state))
KERNEL(pair_stage, short_make_stage(PAIR, method, context, state))
KERNEL(riding_stage, short_make_stage(RIDING, method, context, state))
KERNEL(riding_pair_stage, short_make_stage(RIDING_PAIR, method, context, state))

static const ph_variational_kernel *short_choose_kernel(const ph_short_chain *chain, bool staged)
{
/* clang-format off */
#define ENTRY(name) {.step = (name), .synchronise = short_synchronise}
#define COPIES(copy)                                                                                         \
    {{ENTRY(single##copy), ENTRY(pair##copy), ENTRY(riding##copy), ENTRY(riding_pair##copy)},                \
     {ENTRY(single_stage##copy), ENTRY(pair_stage##copy), ENTRY(riding_stage##copy),                         \
      ENTRY(riding_pair_stage##copy)}}
    /* clang-format on */
    static const ph_variational_kernel kernels[2][2][KINDS] = {COPIES(_plain), COPIES(_wide)};
    return &kernels[ph_lanes(PH_KERNEL_AVX)][staged][ph_short_chain_kind(chain)];
}

static void short_set_stages(short_scratch *w, const ph_composition *of)
{
    w->count = of ? (double)of->stages : 0;
    for (size_t i = 0; i < (size_t)w->count; i++)
        w->stages[i] = short_stage_size(of, i, w->h);
}

static ph_status short_init(ph_variational *method, ph_context *context)
{
    short_scratch *w = method->work;
    const ph_composition *of = ph_variational_composition_of(context->options);
    w->h = context->h;
    ph_short_chain_set(&w->chain, context->system);
    short_set_fall(w);
    short_set_stages(w, of);
    method->kernel = short_choose_kernel(&w->chain, of != NULL);
    return ph_tension_plain_init(&w->plain);
}

const ph_variational_kernel ph_variational_short_chain = {.lay = short_lay, .init = short_init};
