/* SPDX-License-Identifier: BSD-3-Clause */
/* A long run of each method (spins.h): how the energy error grows from its first to its last tenth. A step of a composition of
 * s stages is s times as long as one of order 2; other methods take the steps of order 2. */
#include "measure.h"
#include "parts.h"

#include <math.h>

enum { SAMPLES = 2000, STEPS_LEAST = 20 };

static ph_status follow(const spins *s, spins_run *r, const motion *start, const spins_plan *plan,
                        ph_integrator *it, ph_state *state, ph_error *err)
{
    const int64_t samples = r->steps < SAMPLES ? r->steps : SAMPLES;
    spins_errors errors = {0, 0, 0, 0};
    ph_status status = PH_OK;
    int64_t done = 0;
    for (int64_t i = 1; i <= samples && !status; i++) {
        const int64_t until = (int64_t)((double)r->steps * (double)i / (double)samples);
        double energy = 0;
        status = steps_take(plan->watch, plan->progress, it, state, until - done, &r->cpu);
        done = until;
        if (!status)
            status = spins_measure(s, start, state, &errors, &energy);
        if (status)
            break;
        r->reached = state->t;
        curve_enter(&r->energies, state->t, energy);
        tenths_enter(&r->energy, i, samples, energy);
    }
    if (status == PH_E_INTERRUPTED)
        return ph_fail(err, status, "interrupted");
    r->status = status;
    r->momentum = errors.momentum;
    r->length = errors.length;
    return PH_OK;
}

static ph_status run_line(const spins *s, spins_line *l, const motion *start, const spins_plan *plan,
                          ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    const double steps = (double)s->steps / l->stages;
    spins_run *r = &l->run;
    *r = (spins_run){.h = l->stages * s->of->stage,
                     .steps = (int64_t)fmax(STEPS_LEAST, steps),
                     .status = PH_E_INTERRUPTED,
                     .energies = curve_start(10 * s->of->stage)};
    ph_status status = steps_start(l->label, start, r->h, &it, &state, err);
    if (!status)
        status = follow(s, r, start, plan, it, state, err);
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

ph_status spins_long(spins *s, const motion *start, const spins_plan *plan, ph_error *err)
{
    ph_status status = PH_OK;
    s->steps = (int64_t)fmax(1, (double)plan->steps * s->of->share);
    watch_stage(plan->progress, "%s: the long run", s->of->name);
    for (size_t i = 0; i < s->n && !status; i++) {
        watch_share(plan->progress, (double)i / (double)s->n);
        status = run_line(s, &s->lines[i], start, plan, err);
    }
    return status;
}
