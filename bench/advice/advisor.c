/* SPDX-License-Identifier: BSD-3-Clause */
/* The measured span of the motion, and what errors are relative to.
 *
 * The span is `parts` stretches of D = horizon/N, so that every step D/m divides the horizon, and all methods
 * reach the same times. */
#include "advisor.h"

#include <math.h>
#include <stdlib.h>

#include "bench/common/problem.h"

enum { PARTS_LEAST = 4 };

static const double for_reference =
    0.25; /* [s of CPU], of ADVICE_BUDGET: the first reference over a part of the motion */

/* ---- The motion ---------------------------------------------------------------------------------- */

/* The fastest rate; where it cannot be computed, from the scenario's step, which is taken to suit it, or, of a
 * motion at rest without a step, from the horizon. */
static ph_status find_rate(advisor *w, const ph_scenario *sc, ph_error *err)
{
    ph_status status = problem_rate(sc, &w->a->rate, err);
    if (status && status != PH_E_UNSUPPORTED)
        return status;
    const double h = fabs(ph_scenario_step_size(sc));
    if (status && !h)
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "the fastest rate of so large a system is not computed, and so no step can be chosen; "
                       "give a step that suits it");
    if (status || !(w->a->rate > 0))
        w->a->rate = h ? 0.2 / h : 100 / w->plan->horizon;
    return PH_OK;
}

/* The measured span and its stretches: the horizon divided by M. */
static void set_span(advisor *w, double M)
{
    static const size_t numbers[] = {PARTS_LEAST, 5,  8,           10,
                                     16,          20, ADVICE_PARTS}; /* so that steps have few digits */
    const double longest = 3.2 / w->a->rate;                         /* two steps a turn */
    w->a->span = w->plan->horizon / M;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        w->parts = numbers[i];
        if ((double)w->parts * longest >= w->a->span)
            break;
    }
    w->stretch = w->a->span / (double)w->parts;
    w->stretches = (int64_t)M * (int64_t)w->parts;
    w->coarsest = (int64_t)fmax(1, ceil(w->stretch / longest - 1e-9));
}

/* The whole horizon where there is time for it; else a part that leaves time for small steps. */
static void choose_span(advisor *w)
{
    enum { LEVELS = 7 }; /* 1 + 2 + 4 times the steps of the first reference */
    static const double part = 0.3;
    const double H = w->plan->horizon, longest = 3.2 / w->a->rate;
    const double most = advisor_share(w, for_reference) / (1e-9 * w->guide_ns) * 0.2 / w->a->rate / LEVELS;
    set_span(w, H <= most ? 1 : ceil(H / fmax(part * most, PARTS_LEAST * longest) - 1e-9));
}

/* ---- What can be reached ---------------------------------------------------------------------------- */

/* The time until which the accuracy could be shown: where references are known over the whole motion, until which two of them
 * agree; else by how nearby trajectories separate. */
static double find_predictable(const advisor *w)
{
    const advice *a = w->a;
    double low = 0, high = a->horizon;
    if (a->span >= a->horizon) {
        for (size_t i = 0; i < w->parts; i++) {
            if (!(advisor_distance(w, w->reference->z + i * w->nz, w->rival->z + i * w->nz, 1) < a->accuracy))
                return (double)i * w->stretch;
        }
        return a->horizon;
    }
    for (int k = 0; k < 60; k++) {
        const double t = 0.5 * (low + high);
        *(advisor_log_rounding(w, t) < log(a->accuracy) ? &low : &high) = t;
    }
    return low;
}

/* Can the accuracy be reached, and until when? No candidate can be judged more precisely than the reference
 * is known. */
static void judge_motion(advisor *w)
{
    advice *a = w->a;
    const double rounding = a->span < a->horizon ? exp(fmin(700, advisor_log_rounding(w, a->horizon))) : 0;
    a->attainable = fmax(a->uncertainty * advisor_growth(w, 1), rounding);
    a->reachable = a->by_energy || a->attainable < a->accuracy;
    a->predictable = a->reachable ? INFINITY : find_predictable(w);
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static ph_status allocate(advisor *w, ph_error *err)
{
    bool all = true;
    for (size_t i = 0; i < TRACKS; i++) {
        track *t = &w->tracks[i];
        *t = (track){.z = calloc(ADVICE_PARTS * w->nz + 1, sizeof *t->z),
                     .energy = calloc(ADVICE_PARTS, sizeof *t->energy),
                     .momenta = calloc(ADVICE_PARTS * w->maps + 1, sizeof *t->momenta),
                     .doubt = INFINITY};
        all = all && t->z && t->energy && t->momenta;
    }
    w->logs = calloc(ADVICE_DISTANCES + 1, sizeof *w->logs);
    w->weights = calloc(w->nz + 1, sizeof *w->weights);
    if (!all || !w->logs || !w->weights)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < w->nz; k++)
        w->weights[k] = 1;
    return ph_diagnostics_create(w->system, &w->diagnostics, err);
}

ph_status advisor_begin(advisor *w, const ph_scenario *sc, ph_error *err)
{
    bool whole = false;
    ph_status status = find_rate(w, sc, err);
    if (!status)
        status = allocate(w, err);
    if (status)
        return status;
    set_span(w, 1);
    status = advisor_scout(w, &whole, err);
    if (!status)
        status = advisor_find_guide(w, err);
    if (!status && !whole)
        choose_span(w);
    if (!status && w->a->span < w->a->horizon)
        status = advisor_watch_growth(w, w->guide_ns, err);
    if (!status)
        status = advisor_refer(w, err);
    if (!status)
        judge_motion(w);
    return status;
}

void advisor_end(advisor *w)
{
    ph_diagnostics_free(w->diagnostics);
    for (size_t i = 0; i < TRACKS; i++) {
        free(w->tracks[i].z);
        free(w->tracks[i].energy);
        free(w->tracks[i].momenta);
    }
    free(w->logs);
    free(w->weights);
}
