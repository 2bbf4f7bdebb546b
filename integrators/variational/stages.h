/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages of a composition by kernels that are written for steps of one size (chain.c,
 * tree.c). The same sweeps make both: of stages, what stands for the increment is the velocity u
 * in the middle of the last one, and what stands for mu the impulse mu / h, so that with A the acceleration
 * of gravity
 *     u+ = u + (1/2) (h_before + h) A + MM^{-1} (pulls),
 *     q+ = q + h u+.
 * An increment that is h times the velocity cannot turn the momentum, however h and 1/h are rounded.
 *
 * Impulses are guessed by those of the stages before (composition.c), and by what that guess
 * lacked in this stage of the steps before: as all stages go round, that varies smoothly from step to step,
 * however odd the sizes of stages are. */
#ifndef PH_INTEGRATORS_VARIATIONAL_STAGES_H
#define PH_INTEGRATORS_VARIATIONAL_STAGES_H

#include "integrators/shared/step-sizes.h"
#include "integrators/shared/tensions.h"
#include "variational.h"

enum { PH_STAGE_LATEST = 3 };      /* stages before the last one, whose impulses are kept */
enum { PH_STAGE_DIFFERENCES = 4 }; /* of what a guess has lacked: a quartic goes through the last five */

/* What is known of one stage of four links. */
typedef struct ph_recollection {
    loose lacked[PH_STAGE_DIFFERENCES / 2]; /* pairs: the impulse less its guess by other stages, in the last
                                             * step, and its backward differences from step to step */
    loose guess; /* what is expected to be lacking in this one; of the latest stage its guess by others */
} ph_recollection;

/* From the latest stage to the next. */
typedef struct ph_forecast {
    double latest, earlier[PH_STAGE_LATEST]; /* weights of impulses; the earlier ones go round */
    size_t oldest;                           /* of these */
    double known[PH_STAGE_DIFFERENCES + 1];  /* 1: is there something lacking; a difference of that; ... */
    ph_recollection *made, *next;
} ph_forecast;

/* length: recollections of a stage. */
INLINE ph_forecast ph_forecast_of(bool staged, const ph_variational *method, const ph_composition *of,
                                  const ph_tension_carry *c, ph_recollection *recollections, size_t length)
{
    if (!staged)
        return (ph_forecast){.oldest = 0};
    const size_t most = PH_STAGE_LATEST + 1, count = (size_t)c->count, many = count < most ? count : most,
                 made = (size_t)c->stage, next = (made + 1) % of->stages;
    const double *weights = ph_variational_composition_stage(method, next)->tensions[many - 1];
    ph_forecast f = {.oldest = count % PH_STAGE_LATEST,
                     .made = recollections + made * length,
                     .next = recollections + next * length};
    for (size_t i = 0; i <= PH_STAGE_DIFFERENCES; i++)
        f.known[i] = count > most + i * of->stages;
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

/* *impulse <- the guess of the next stage, from that of the latest one; earlier: those of stages before. */
INLINE void ph_forecast_take(const ph_forecast *f, size_t s, loose *impulse, loose *earlier)
{
    ph_recollection *made = f->made + s, *next = f->next + s;
    const vector x = *impulse,
                 by_others = f->latest * x + (f->earlier[0] * earlier[0] +
                                              (f->earlier[1] * earlier[1] + f->earlier[2] * earlier[2]));
    vector last = f->known[0] * (x - made->guess), expected = last;
    for (int i = 0; i < PH_STAGE_DIFFERENCES; i += 2) {
        const vector before = made->lacked[i / 2], first = f->known[i + 1] * (last - first_of(before)),
                     second = f->known[i + 2] * (first - second_of(before));
        made->lacked[i / 2] = pair(last, first);
        expected += first + second;
        last = second;
    }
    made->guess = expected;
    earlier[f->oldest] = x;
    *impulse = by_others + next->guess;
    next->guess = by_others;
}

#endif
