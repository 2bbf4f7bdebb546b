/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages of a composition by kernels that are written for steps of one size (variational-chain.c,
 * variational-tree.c). The same sweeps make both: of stages, what stands for the increment is the velocity u
 * in the middle of the last one, and what stands for mu the impulse mu / h, so that with A the acceleration
 * of gravity u+ = u + (1/2) (h_before + h) A + MM^{-1} (pulls),        q+ = q + h u+. An increment that is h
 * times the velocity cannot turn the momentum, however h and 1/h are rounded.
 *
 * Impulses are guessed by those of the stages before (variational-composition.c), and by what that guess
 * lacked in this stage of the steps before: as all stages go round, that varies smoothly from step to step,
 * however odd the sizes of stages are. */
#ifndef PH_INTEGRATORS_VARIATIONAL_STAGES_H
#define PH_INTEGRATORS_VARIATIONAL_STAGES_H

#include "variational-lanes.h"
#include "variational-tensions.h"

enum { PH_STAGE_LATEST = 3 }; /* of the stages before the last, whose impulses are kept */

/* Of four links and one stage. */
typedef struct ph_recollection {
    loose lacked; /* the impulse less its guess by other stages, in the last step; ... */
    loose change; /* against the one before */
    loose guess;  /* what is expected to be lacking in this one; of the latest stage its guess by others */
    loose square; /* |nu|^2 in the last step */
} ph_recollection;

/* What a stage takes for the unit of time of its increments, and what gravity adds to them. */
typedef struct ph_pace {
    bool staged;
    double h, per_h, kick; /* per_h: 1/h */
} ph_pace;

/* Of a stage in a step, or of steps of one size, whose increments are what is carried. */
INLINE ph_pace ph_pace_of(bool staged, const ph_composition *of, double step, size_t stage)
{
    if (!staged)
        return (ph_pace){false, 1, 1, step * step};
    const double h = ph_composition_gamma(of, stage) * step,
                 before = ph_composition_gamma(of, (stage ? stage : of->stages) - 1) * step;
    return (ph_pace){true, h, 1 / h, 0.5 * (before + h)};
}

/* From the latest stage to the next. */
typedef struct ph_forecast {
    double latest, earlier[PH_STAGE_LATEST]; /* weights of impulses; the earlier ones go round */
    size_t oldest;                           /* of these */
    double known[3]; /* 1: does what the guess lacks say something; its change; the change of that? */
    ph_recollection *made, *next;
} ph_forecast;

/* length: recollections of a stage. */
INLINE ph_forecast ph_forecast_of(bool staged, const ph_variational_head *head, const ph_composition *of,
                                  const ph_tension_carry *c, ph_recollection *recollections, size_t length)
{
    if (!staged)
        return (ph_forecast){.oldest = 0};
    const size_t most = PH_STAGE_LATEST + 1, count = (size_t)c->count, many = count < most ? count : most,
                 made = (size_t)c->stage, next = (made + 1) % of->stages, warm = most + 1;
    const double *weights = ph_variational_composition_stage(head, next)->tensions[many - 1];
    ph_forecast f = {.oldest = count % PH_STAGE_LATEST,
                     .known = {count >= warm, count >= warm + of->stages, count >= warm + 2 * of->stages},
                     .made = recollections + made * length,
                     .next = recollections + next * length};
    for (size_t back = 0; back < most; back++) { /* impulses are to multipliers as 1 to h */
        const size_t at = (made + of->stages - back) % of->stages;
        const double weight = weights[back] * (ph_composition_gamma(of, at) / ph_composition_gamma(of, next));
        if (back == 0)
            f.latest = weight;
        else
            f.earlier[(count + PH_STAGE_LATEST - back) % PH_STAGE_LATEST] = weight;
    }
    return f;
}

/* *impulse <- the guess of the next stage, *square <- its |nu|^2, both from those of the latest one; earlier:
 * impulses of those before that. */
INLINE void ph_forecast_take(const ph_forecast *f, size_t s, loose *impulse, loose *square, loose *earlier)
{
    ph_recollection *made = f->made + s, *next = f->next + s;
    const vector x = *impulse, lacked = f->known[0] * (x - made->guess), change = lacked - made->lacked,
                 guess = f->latest * x + (f->earlier[0] * earlier[0] +
                                          (f->earlier[1] * earlier[1] + f->earlier[2] * earlier[2]));
    made->guess = lacked + f->known[1] * (change + f->known[2] * (change - made->change));
    made->lacked = lacked;
    made->change = change;
    made->square = *square;
    earlier[f->oldest] = x;
    *impulse = guess + next->guess;
    *square = next->square;
    next->guess = guess;
}

#endif
