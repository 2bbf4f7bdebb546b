/* SPDX-License-Identifier: BSD-3-Clause */
/* Multistep methods for rows of links under gravity alone, on a cart or not, of any length: the iteration of variational/chain.c
 * (shared/chain-elimination.h), with what is known of the increment in place of the latest one,
 *     D = d + b + c,      b = sum sigma a - sum d u over the points before the latest one,      c = h^2 sigma a,
 * c what the multipliers and gravity change. All is carried as increments: u = b + c, and a over the points as c, with the weights
 * sigma_j / sigma of the latest. A step goes along the chain twice, forwards, where the end of the step before is computed a few
 * blocks ahead of the elimination, and backwards. Multipliers are guessed by extrapolation.
 *
 * u and c, points and multipliers are in rings, whose places are found once in a step.
 *
 * Sources: as multistep.c and variational/chain.c. */
#if defined(__GNUC__) && !defined(__clang__) /* as in variational/chain.c */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "cable.h"

#include "integrators/shared/tensions.h"

#include <string.h>

enum { MOST_PASSES = 5 }; /* iterations */
enum { ROWS = PH_MULTISTEP_MOST - 1, HISTORY = PH_MULTISTEP_HISTORY };

/* ---- What is carried ----------------------------------------------------------------------------- */

typedef struct chain_motion {
    loose d[AXES];   /* what is known of the next increment, increment + b */
    loose low[AXES]; /* pairs: low-order parts of q and of the increment */
    loose increment[AXES], b[AXES];
    loose past[HISTORY]; /* the ring of multipliers */
} chain_motion;

/* u and c at a point. */
typedef struct chain_change {
    loose u[AXES], c[AXES];
} chain_change;

/* A point of the window. */
typedef struct chain_place {
    loose q[AXES], low[AXES]; /* low: pairs as above */
} chain_place;

/* The same of a cart. */
typedef struct chain_cart_change {
    double u[AXES], c[AXES];
} chain_cart_change;

typedef struct chain_cart_place {
    double q[AXES], ql[AXES];
} chain_cart_place;

/* The carry: this with `length` links, `length` motions, K - 1 changes of each block, and the K + 1 points of all blocks. */
typedef struct chain_carry {
    double h;     /* of its increments */
    double due;   /* 1: the multipliers mu of the last step are known, and its end is still to be computed */
    double begin; /* of the window in the ring of changes, ... */
    double first; /* ... and in that of points */
    double late;  /* the latest multiplier in its ring */
    double age;   /* multipliers that exist */
    chain_cart cart;
    double b[AXES]; /* of the cart */
    chain_cart_change changes[ROWS];
    chain_cart_place places[ROWS + 2];
    chain_multipliers links[];
} chain_carry;

typedef struct chain_scratch {
    chain c;
    const ph_multistep *of;
    bool (*step)(void *work, double *carry, int *passes);
    chain_body *body;                    /* that it hangs on; or NULL */
    double h, drop;                      /* h^2 sigma of the latest acceleration */
    double sigma[PH_MULTISTEP_MOST / 2]; /* sigma_j / sigma_1, j = 1 ... K / 2 */
    double weights[HISTORY][HISTORY];    /* of multipliers, by how many exist */
} chain_scratch;

static inline const chain_scratch *chain_scratch_of(const chain *w)
{
    return w->owner;
}

static inline chain_motion *chain_motions(const chain *w, chain_carry *c)
{
    return (chain_motion *)(void *)(c->links + w->length);
}

/* (K - 1) of block s. */
static inline chain_change *chain_changes(const chain *w, chain_carry *c, size_t s)
{
    chain_change *changes = (chain_change *)(void *)(chain_motions(w, c) + w->length);
    return changes + s * (chain_scratch_of(w)->of->K - 1);
}

/* (length) of a point. */
static inline chain_place *chain_places(const chain *w, chain_carry *c, size_t point)
{
    return (chain_place *)(void *)chain_changes(w, c, w->length) + point * w->length;
}

/* ---- The end of the last step -------------------------------------------------------------------- */

INLINE ph_step_sizes chain_latest_sizes(bool staged, const chain *w, const chain_carry *c)
{
    (void)staged;
    (void)c;
    return (ph_step_sizes){false, 1, 1, chain_scratch_of(w)->drop};
}

/* Where a window has its rows, the earliest first, where its latest multiplier and point are, and the weights of multipliers by
 * their places. */
typedef struct chain_forecast {
    size_t row[ROWS], late, place;
    double weights[HISTORY];
} chain_forecast;

static inline size_t chain_after(size_t at, size_t ring)
{
    return at + 1 == ring ? 0 : at + 1;
}

INLINE chain_forecast chain_window(const chain *w, size_t begin, size_t late, size_t place, size_t age)
{
    const chain_scratch *own = chain_scratch_of(w);
    const size_t K = own->of->K, history = ph_multistep_history(own->of);
    chain_forecast f = {.late = late, .place = place};
    for (size_t r = 0, at = begin; r < K - 1; r++, at = chain_after(at, K - 1))
        f.row[r] = at;
    for (size_t i = 0, at = late; i < history; i++, at = at ? at - 1 : history - 1)
        f.weights[at] = own->weights[age - 1][i];
    return f;
}

/* The window that the end of the last step makes. */
INLINE chain_forecast chain_forecast_of(bool staged, const chain *w, const chain_carry *c)
{
    const ph_multistep *of = chain_scratch_of(w)->of;
    const size_t history = ph_multistep_history(of), age = (size_t)(int)c->age;
    (void)staged;
    return chain_window(w, chain_after((size_t)(int)c->begin, of->K - 1),
                        chain_after((size_t)(int)c->late, history), (size_t)(int)c->first,
                        age < history ? age + 1 : history);
}

typedef struct chain_ending {
    chain_walk at;
    chain_multipliers last; /* the last block before it was changed */
    size_t next;            /* block */
} chain_ending;

/* b <- sum sigma a - sum d u over the rows before the latest point, with rows of equal weight added first. */
INLINE void chain_bracket(const chain *w, const chain_forecast *f, const chain_change *changes, vector *b)
{
    const chain_scratch *own = chain_scratch_of(w);
    const size_t K = own->of->K, half = K / 2;
    const chain_change *first = changes + f->row[1], *middle = changes + f->row[half];
    const double sigma = own->sigma[half - 1], d = own->of->d[half - 1];
    vector pushed[AXES], turned[AXES];
    for (int a = 0; a < AXES; a++) {
        pushed[a] = sigma * middle->c[a];
        turned[a] = d * middle->u[a];
    }
    for (size_t j = half - 1; j > 1; j--) {
        const chain_change *early = changes + f->row[j], *late = changes + f->row[K - j];
        for (int a = 0; a < AXES; a++) {
            pushed[a] += own->sigma[j - 1] * (early->c[a] + late->c[a]);
            turned[a] += own->of->d[j - 1] * (early->u[a] + late->u[a]);
        }
    }
    for (int a = 0; a < AXES; a++)
        b[a] = (pushed[a] + first->c[a]) - (turned[a] + first->u[a]);
}

/* mu <- the guess of the next multiplier. */
INLINE vector chain_guess(const chain *w, const chain_forecast *f, const chain_motion *own)
{
    const size_t history = ph_multistep_history(chain_scratch_of(w)->of);
    vector even = f->weights[0] * own->past[0], odd = f->weights[1] * own->past[1];
    for (size_t i = 2; i < history; i += 2) {
        even += f->weights[i] * own->past[i];
        odd += f->weights[i + 1] * own->past[i + 1];
    }
    return even + odd;
}

INLINE void chain_end_block(const chain_forecast *f, const chain *w, chain_carry *c, size_t s,
                            const vector *q0, const vector *change)
{
    chain_multipliers *at = c->links + s;
    chain_motion *own = chain_motions(w, c) + s;
    chain_change *changes = chain_changes(w, c, s),
                 *latest = changes + f->row[chain_scratch_of(w)->of->K - 2];
    chain_place *place = chain_places(w, c, f->place) + s;
    vector d[AXES], dl[AXES], b[AXES];
    for (int a = 0; a < AXES; a++) {
        vector q, ql, known = own->b[a];
        two_sum(own->increment[a], (known + second_of(own->low[a])) + change[a], &d[a], &dl[a]);
        two_sum(q0[a], d[a] + first_of(own->low[a]), &q, &ql);
        latest->u[a] = known + change[a];
        latest->c[a] = change[a];
        own->increment[a] = d[a];
        at->q[a] = place->q[a] = q;
        own->low[a] = place->low[a] = pair(ql, dl[a]);
    }
    chain_bracket(w, f, changes, b);
    for (int a = 0; a < AXES; a++) {
        own->b[a] = b[a];
        own->d[a] = d[a] + (b[a] + dl[a]);
    }
    own->past[f->late] = at->mu;
    at->mu = chain_guess(w, f, own);
}

/* The same of numbers whose rows are u (n), c (n). */
INLINE void chain_bracket_numbers(const chain_scratch *own, const size_t *row, const double *changes,
                                  const size_t n, double *b)
{
    const size_t K = own->of->K, half = K / 2;
    for (size_t k = 0; k < n; k++) {
        const double *u = changes + k, *c = u + n;
        double pushed = own->sigma[half - 1] * c[2 * n * row[half]],
               turned = own->of->d[half - 1] * u[2 * n * row[half]];
        for (size_t j = half - 1; j > 1; j--) {
            pushed += own->sigma[j - 1] * (c[2 * n * row[j]] + c[2 * n * row[K - j]]);
            turned += own->of->d[j - 1] * (u[2 * n * row[j]] + u[2 * n * row[K - j]]);
        }
        b[k] = (pushed + c[2 * n * row[1]]) - (turned + u[2 * n * row[1]]);
    }
}

void ph_multistep_chain_bracket_turn(const void *work, const size_t *row, const double *changes, double b[9])
{
    chain_bracket_numbers(work, row, changes, 9, b);
}

/* b of a cart. */
static void chain_bracket_cart(const chain *w, const chain_forecast *f, chain_carry *c)
{
    double b[AXES];
    chain_bracket_numbers(chain_scratch_of(w), f->row, (const double *)(const void *)c->changes, AXES, b);
    memcpy(c->b, b, w->axes * sizeof *b);
}

/* Adds X_0 and what is known to the increment of the cart, and that to its position. */
INLINE void chain_end_cart(const chain *w, const ph_step_sizes *sizes, const chain_forecast *f,
                           chain_carry *c, const chain_walk *at)
{
    chain_cart *cart = &c->cart;
    chain_cart_change *latest = c->changes + f->row[chain_scratch_of(w)->of->K - 2];
    for (size_t a = 0; a < w->axes; a++) {
        double change = at->X_before[a][0] + sizes->kick * w->gravity[a];
        latest->u[a] = c->b[a] + change;
        latest->c[a] = change;
        ph_two_sum(cart->d[a], (c->b[a] + cart->dl[a]) + change, &cart->d[a], &cart->dl[a]);
        ph_two_sum(cart->q[a], cart->d[a] + cart->ql[a], &cart->q[a], &cart->ql[a]);
        c->places[f->place].q[a] = cart->q[a];
        c->places[f->place].ql[a] = cart->ql[a];
    }
    if (w->axes)
        chain_bracket_cart(w, f, c);
}

INLINE void chain_end_last_block(const ph_step_sizes *sizes, const chain_forecast *forecast, chain_ending *f,
                                 const chain *w, chain_carry *c)
{
    const size_t K = chain_scratch_of(w)->of->K, history = ph_multistep_history(chain_scratch_of(w)->of);
    chain_multipliers end;
    vector q[AXES], change[AXES];
    walk_begin(&f->at, w, sizes->kick, c->links, &end);
    chain_end_cart(w, sizes, forecast, c, &f->at);
    f->last = c->links[w->length - 1];
    f->next = 0;
    chain_change_last(w, &f->at, c->links, &end, q, change);
    chain_end_block(forecast, w, c, w->length - 1, q, change);
    c->begin = (double)(int)forecast->row[0];
    c->first = (double)(int)chain_after(forecast->place, K + 1);
    c->late = (double)(int)forecast->late;
    c->age += c->age < (double)(int)history;
    c->due = 0;
}

/* Computes the end of the step for all blocks before `to`. */
INLINE void chain_end_blocks(const ph_step_sizes *sizes, const chain_forecast *forecast, chain_ending *f,
                             const chain *w, chain_carry *c, size_t to)
{
    vector change[AXES];
    (void)sizes;
    for (; f->next < to && f->next + 1 < w->length; f->next++) {
        size_t s = f->next;
        walk_advance(&f->at, chain_part_at(w, s), s + 2 < w->length ? c->links + s + 1 : &f->last, change);
        chain_end_block(forecast, w, c, s, f->at.q, change);
    }
}

#include "integrators/shared/chain-elimination.h"

/* ---- A step -------------------------------------------------------------------------------------- */

/* An iteration; false where it shows that the guess is not good enough. */
INLINE bool chain_iterate(chain_pass which, chain *w, chain_body *body, chain_carry *c, bool *settled)
{
    const ph_step_sizes sizes = chain_latest_sizes(false, w, c);
    vector y;
    if (which == AGAIN)
        y = chain_eliminate_again(&sizes, w, body);
    else if (!chain_eliminate(&sizes, w, body, c, which, &y))
        return false;
    chain_judgement of = chain_substitute(&sizes, w, body, c, which, y);
    *settled = !any(of.moved);
    return !any(of.large);
}

/* A step from the guess. False where that is not good enough: then only the end of the last step is done. */
INLINE bool chain_advance(const size_t blocks, const bool on_body, void *work, double *carry, int *passes)
{
    const bool many = blocks == MANY;
    chain known, *w = many ? work : chain_with_blocks(blocks, work, &known);
    chain_carry *c = (chain_carry *)(void *)carry;
    chain_body *body = on_body ? chain_scratch_of(w)->body : NULL;
    bool settled = false, good = chain_iterate(many ? FIRST : ALONE, w, body, c, &settled);
    *passes = 1;
    if (many && good && !settled) {
        good = chain_iterate(AGAIN, w, body, c, &settled);
        ++*passes;
    }
    for (; good && !settled && *passes < MOST_PASSES; ++*passes)
        good = chain_iterate(AFRESH, w, body, c, &settled);
    c->due = good && settled;
    return c->due > 0;
}

#define ADVANCE(name, blocks, on_body)                                                                       \
    PH_LANES_TWICE(PH_LANES_AVX2, bool, name, (void *work, double *carry, int *passes),                      \
                   return chain_advance(blocks, on_body, work, carry, passes);)
ADVANCE(chain_one, 1, false)
ADVANCE(chain_two, 2, false)
ADVANCE(chain_three, 3, false)
ADVANCE(chain_many, MANY, false)
ADVANCE(chain_one_on_body, 1, true)
ADVANCE(chain_two_on_body, 2, true)
ADVANCE(chain_three_on_body, 3, true)
ADVANCE(chain_many_on_body, MANY, true)

static bool chain_step(void *work, double *carry, int *passes)
{
    return ((chain_scratch *)work)->step(work, carry, passes);
}

/* The latest point of the first links <- with what their body's turn has added to it (chain_end_turn). */
static void chain_place_turned(const chain *w, chain_carry *c)
{
    const size_t K = chain_scratch_of(w)->of->K, first = (size_t)(int)c->first;
    chain_place *place = chain_places(w, c, first ? first - 1 : K);
    memcpy(place->q, c->links->q, sizeof place->q);
    memcpy(place->low, chain_motions(w, c)->low, sizeof place->low);
}

bool ph_multistep_chain_step(void *work, double *carry, int *passes, double pull[3])
{
    chain_carry *c = (chain_carry *)(void *)carry;
    const bool due = c->due > 0, good = chain_step(work, carry, passes);
    if (due)
        chain_place_turned(work, c);
    for (size_t a = 0; a < AXES && good; a++)
        pull[a] = c->links->mu[0] * c->links->q[a][0];
    return good;
}

/* ---- The window ---------------------------------------------------------------------------------- */

/* Computes the end of the last step, if it is due. */
static void chain_end_all(const chain *w, chain_carry *c)
{
    const ph_step_sizes latest = chain_latest_sizes(false, w, c);
    const chain_forecast forecast = chain_forecast_of(false, w, c);
    chain_ending f;
    if (c->due == 0)
        return;
    chain_end_last_block(&latest, &forecast, &f, w, c);
    chain_end_blocks(&latest, &forecast, &f, w, c, w->length);
    if (chain_scratch_of(w)->body) {
        chain_end_turn(w, chain_scratch_of(w)->body, c);
        chain_place_turned(w, c);
    }
}

/* What has one value for each number of z: number a of link i is in lane i / length of block i % length. */
#define EACH_NUMBER(w, i, s, lane, a, at)                                                                    \
    for (size_t i = 0, s = 0, lane = 0; i < (w)->n; i++, s = i % (w)->length, lane = i / (w)->length)        \
        for (size_t a = 0, at = (w)->axes + AXES * i; a < AXES; a++, at++)

void ph_multistep_chain_gather(void *work, double *carry, const ph_multistep_window *to)
{
    const chain_scratch *own = work;
    const chain *w = &own->c;
    chain_carry *c = (chain_carry *)(void *)carry;
    chain_end_all(w, c);
    const size_t K = own->of->K, nz = w->axes + AXES * w->n;
    const double over = 1 / c->h, twice = over * over / ph_multistep_sigma(own->of, 1);
    ph_multistep_divide(c->h, c->cart.d, c->cart.dl, w->axes, to->v, to->v_low);
    EACH_NUMBER(w, i, s, lane, a, at)
    {
        const chain_motion *m = chain_motions(w, c) + s;
        const double d = m->increment[a][lane], low = second_of(m->low[a])[lane];
        ph_multistep_divide(c->h, &d, &low, 1, to->v + at, to->v_low + at);
    }
    for (size_t j = 0; j <= K; j++) {
        const size_t point = ((size_t)c->first + j) % (K + 1);
        for (size_t a = 0; a < w->axes; a++) {
            to->q[j * nz + a] = c->places[point].q[a];
            to->low[j * nz + a] = c->places[point].ql[a];
        }
        EACH_NUMBER(w, i, s, lane, a, at)
        {
            const chain_place *place = chain_places(w, c, point) + s;
            to->q[j * nz + at] = place->q[a][lane];
            to->low[j * nz + at] = first_of(place->low[a])[lane];
        }
    }
    for (size_t j = 0; j < K - 1; j++) {
        const size_t row = ((size_t)c->begin + j) % (K - 1);
        for (size_t a = 0; a < w->axes; a++) {
            to->u[j * nz + a] = over * c->changes[row].u[a];
            to->a[j * nz + a] = twice * c->changes[row].c[a];
        }
        EACH_NUMBER(w, i, s, lane, a, at)
        {
            const chain_change *change = chain_changes(w, c, s) + row;
            to->u[j * nz + at] = over * change->u[a][lane];
            to->a[j * nz + at] = twice * change->c[a][lane];
        }
    }
}

/* past <- in place `at` the multipliers whose pulls make the changes in row `row` at the point q, from the last link on. */
static void chain_recall(const chain *w, chain_carry *c, size_t row, const double *q, size_t at)
{
    const double kick = chain_scratch_of(w)->drop;
    double moved[AXES], pull[AXES] = {0}; /* of the mass that a link leads to, of the link behind */
    for (size_t a = 0; a < AXES; a++)
        moved[a] = a < w->axes ? c->changes[row].c[a] - kick * w->gravity[a] : -kick * w->gravity[a];
    for (size_t i = 0; i < w->n; i++)
        for (size_t a = 0; a < AXES; a++) {
            const size_t s = i % w->length, lane = i / w->length;
            moved[a] += chain_changes(w, c, s)[row].c[a][lane] / w->parts[s].il[lane];
        }
    for (size_t i = w->n; i-- > 0;) {
        const size_t s = i % w->length, lane = i / w->length;
        const double *unit = q + AXES * i;
        double mu = 0;
        for (size_t a = 0; a < AXES; a++)
            mu += unit[a] * (moved[a] / w->parts[s].w[lane] + pull[a]);
        chain_motions(w, c)[s].past[at][lane] = mu;
        for (size_t a = 0; a < AXES; a++) {
            pull[a] = mu * unit[a];
            moved[a] -= chain_changes(w, c, s)[row].c[a][lane] / w->parts[s].il[lane];
        }
    }
}

static void chain_scatter_rows(const chain_scratch *own, const ph_multistep_window *from, chain_carry *c)
{
    const chain *w = &own->c;
    const vector zero = {0, 0, 0, 0};
    const size_t K = own->of->K, nz = w->axes + AXES * w->n;
    ph_multistep_multiply(own->h, from->v, from->v_low, w->axes, c->cart.d, c->cart.dl);
    for (size_t j = 0; j <= K; j++) {
        for (size_t a = 0; a < w->axes; a++) {
            c->cart.q[a] = c->places[j].q[a] = from->q[j * nz + a];
            c->cart.ql[a] = c->places[j].ql[a] = from->low[j * nz + a];
        }
        EACH_NUMBER(w, i, s, lane, a, at)
        {
            chain_motion *m = chain_motions(w, c) + s;
            chain_place *place = chain_places(w, c, j) + s;
            double d, low;
            ph_multistep_multiply(own->h, from->v + at, from->v_low + at, 1, &d, &low);
            m->increment[a][lane] = d;
            c->links[s].q[a][lane] = place->q[a][lane] = from->q[j * nz + at];
            m->low[a][lane] = place->low[a][lane] = pair(zero + from->low[j * nz + at], zero + low)[0];
        }
    }
    for (size_t j = 0; j < K - 1; j++) {
        for (size_t a = 0; a < w->axes; a++) {
            c->changes[j].u[a] = own->h * from->u[j * nz + a];
            c->changes[j].c[a] = own->drop * from->a[j * nz + a];
        }
        EACH_NUMBER(w, i, s, lane, a, at)
        {
            chain_change *change = chain_changes(w, c, s) + j;
            change->u[a][lane] = own->h * from->u[j * nz + at];
            change->c[a][lane] = own->drop * from->a[j * nz + at];
        }
    }
}

void ph_multistep_chain_scatter(void *work, const ph_multistep_window *from, double *carry)
{
    const chain_scratch *own = work;
    const chain *w = &own->c;
    chain_carry *c = (chain_carry *)(void *)carry;
    const size_t K = own->of->K, nz = w->axes + AXES * w->n;
    memset(c, 0, (size_t)((char *)(void *)chain_places(w, c, K + 1) - (char *)(void *)c));
    c->h = own->h;
    chain_scatter_rows(own, from, c);
    for (size_t j = 0; j < K - 1; j++)
        chain_recall(w, c, j, from->q + (j + 1) * nz + w->axes, j);
    c->late = (double)(K - 2);
    c->age = (double)(K - 1);
    const chain_forecast f = chain_window(w, 0, K - 2, 0, K - 1);
    if (w->axes)
        chain_bracket_cart(w, &f, c);
    for (size_t s = 0; s < w->length; s++) {
        chain_motion *m = chain_motions(w, c) + s;
        vector b[AXES];
        chain_bracket(w, &f, chain_changes(w, c, s), b);
        for (int a = 0; a < AXES; a++) {
            m->b[a] = b[a];
            m->d[a] = m->increment[a] + (b[a] + second_of(m->low[a]));
        }
        c->links[s].mu = chain_guess(w, &f, m);
    }
}

/* ---- The kernel ---------------------------------------------------------------------------------- */

static bool chain_takes(const ph_system *system)
{
    size_t links;
    return ph_is_row_of_links(system, &links);
}

size_t ph_multistep_chain_carry(const ph_system *system, const ph_multistep *m)
{
    chain w;
    ph_lay l = {NULL, 0};
    ph_chain_lay(&w, system, &l);
    return (sizeof(chain_carry) +
            w.length * (sizeof(chain_multipliers) + sizeof(chain_motion) + (m->K - 1) * sizeof(chain_change) +
                        (m->K + 1) * sizeof(chain_place))) /
           sizeof(double);
}

void *ph_multistep_chain_lay(const ph_system *system, ph_lay *l)
{
    chain_scratch counted, *place = ph_lay_line(l, sizeof counted), *w = place ? place : &counted;
    ph_chain_lay(&w->c, system, l);
    return place;
}

static void chain_lay(const ph_system *system, ph_lay *l)
{
    (void)ph_multistep_chain_lay(system, l);
}

const chain *ph_multistep_chain_init(void *work, const ph_system *system, const ph_multistep *m, double h,
                                     chain_body *body)
{
#define ROW(copy)                                                                                            \
    {                                                                                                        \
        chain_one##copy, chain_two##copy, chain_three##copy, chain_many##copy                                \
    }
    static bool (*const steps[2][2][4])(void *, double *, int *) = {
        {ROW(_plain), ROW(_wide)}, {ROW(_on_body_plain), ROW(_on_body_wide)}};
    chain_scratch *w = work;
    w->body = body;
    ph_chain_set(&w->c, system);
    w->c.owner = w;
    w->of = m;
    w->h = h;
    w->drop = h * h * ph_multistep_sigma(m, 1);
    for (size_t j = 1; j <= m->K / 2; j++)
        w->sigma[j - 1] = ph_multistep_sigma(m, j) / ph_multistep_sigma(m, 1);
    for (size_t n = 1; n <= ph_multistep_history(m); n++)
        ph_multistep_expect(m, n, w->weights[n - 1]);
    w->step = steps[body != NULL][ph_lanes(PH_KERNEL_AVX2)][chain_way(&w->c)];
    return &w->c;
}

static void chain_init(void *work, const ph_system *system, const ph_multistep *m, double h)
{
    (void)ph_multistep_chain_init(work, system, m, h, NULL);
}

const ph_multistep_kernel ph_multistep_chain = {.takes = chain_takes,
                                                .carry = ph_multistep_chain_carry,
                                                .lay = chain_lay,
                                                .init = chain_init,
                                                .step = chain_step,
                                                .gather = ph_multistep_chain_gather,
                                                .scatter = ph_multistep_chain_scatter};
