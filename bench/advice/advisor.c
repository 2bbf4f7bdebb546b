/* SPDX-License-Identifier: BSD-3-Clause */
/* The measured span of the motion, and the reference that candidates are compared with there.
 *
 * The span is `parts` stretches of D = horizon/N, so that every step D/m divides the horizon, and all methods
 * reach the same times. */
#include "advisor.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/numbers.h"
#include "bench/common/problem.h"

enum { PARTS = 25, PARTS_LEAST = 4 };

static const double for_reference = 0.25; /* [s of CPU], for small systems, of ADVICE_BUDGET */

double advisor_step(const advisor *w, int64_t m)
{
    return w->sign * w->stretch / (double)m;
}

/* ---- The motion ---------------------------------------------------------------------------------- */

bool advisor_takes(const advisor *w, const contender *c)
{
    ph_integrator *it;
    ph_state *state;
    ph_error err;
    if (contender_start(c, &w->start, 1e-3 * w->sign * w->plan->horizon, &it, &state, &err))
        return false;
    ph_state_free(state);
    ph_integrator_free(it);
    return true;
}

static ph_status choose_reference(advisor *w, ph_error *err)
{
    static const char *const words[] = {"variational:order=8", "dla:order=8", "arkode", "rk4-projected",
                                        "rk4"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!contender_parse(&w->reference, words[i], err) && advisor_takes(w, &w->reference))
            return PH_OK;
    return ph_fail(err, PH_E_UNSUPPORTED, "no method that can compute a reference supports this system");
}

/* *ns <- CPU time of a step of the reference, after its first ones. */
static ph_status time_step(const advisor *w, double h, double *ns, ph_error *err)
{
    enum { FIRST = 4, MOST = 4096 };
    ph_integrator *it;
    ph_state *state;
    ph_status status = contender_start(&w->reference, &w->start, h, &it, &state, err);
    if (status)
        return status;
    status = ph_integrator_step(it, state, FIRST);
    double spent = 0;
    int64_t taken = 0;
    for (int64_t n = 1; !status && n <= MOST && spent < 2e-3; n *= 2) {
        double took;
        status = meter_steps(w->plan->watch, it, state, n, &took);
        spent += took;
        taken += n;
    }
    *ns = 1e9 * spent / (double)taken;
    if (status)
        ph_fail(err, status, "the reference by %s: %s", w->reference.label, ph_integrator_message(it));
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

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

/* The measured span and its stretches: the whole horizon where there is time for it; else a part that leaves
 * time for small steps. */
static void choose_span(advisor *w, double ns)
{
    enum { LEVELS = 7 }; /* 1 + 2 + 4 times the steps of the first reference */
    static const size_t numbers[] = {PARTS_LEAST, 5,  8,    10,
                                     16,          20, PARTS}; /* so that steps have few digits */
    static const double part = 0.3;
    const double H = w->plan->horizon, longest = 3.2 / w->a->rate; /* two steps a turn */
    const double most = advisor_share(w, for_reference) / (1e-9 * ns) * 0.2 / w->a->rate / LEVELS;
    const double M = H <= most ? 1 : ceil(H / fmax(part * most, PARTS_LEAST * longest) - 1e-9);
    w->a->span = H / M;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        w->parts = numbers[i];
        if ((double)w->parts * longest >= w->a->span)
            break;
    }
    w->stretch = w->a->span / (double)w->parts;
    w->stretches = (int64_t)M * (int64_t)w->parts;
    w->coarsest = (int64_t)fmax(1, ceil(w->stretch / longest - 1e-9));
}

/* ---- The reference ------------------------------------------------------------------------------- */

/* The reference by m steps a stretch; its energies and momenta, and their scales. */
static ph_status run_reference(advisor *w, int64_t m, double *z, ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    ph_monitor *monitor = NULL;
    ph_summary summary;
    ph_measures measures;
    double took;
    const double t0 = w->start.time;
    ph_status status = contender_start(&w->reference, &w->start, advisor_step(w, m), &it, &state, err);
    if (status)
        return status;
    status = ph_monitor_create(w->diagnostics, t0, t0 + w->sign * w->a->span, &monitor, err);
    if (!status)
        status = ph_monitor_see(monitor, state, &measures);
    const double energy =
        status ? NAN : measures.energy; /* energy is conserved: its first value is the most precise */
    w->momentum_scale = status ? 1 : measures.momentum_size;
    for (size_t i = 0; i < w->parts && !status; i++) {
        status = meter_steps(w->plan->watch, it, state, m, &took);
        if (status) {
            ph_fail(err, status, "the reference by %s with %g s: %s", w->reference.label, advisor_step(w, m),
                    ph_integrator_message(it));
            break;
        }
        status = ph_monitor_see(monitor, state, &measures);
        memcpy(z + i * w->nz, state->z, w->nz * sizeof *z);
        w->energy[i] = w->a->forced ? measures.energy : energy;
        for (size_t k = 0; k < w->maps; k++)
            w->momenta[i * w->maps + k] = measures.momenta[k];
        w->momentum_scale = fmax(w->momentum_scale, measures.momentum_size);
        if (!status)
            status = advisor_pause(w, "reference", 0.15 + 0.1 * (double)i / (double)w->parts, err);
    }
    if (monitor)
        ph_monitor_summary(monitor, &summary);
    w->energy_scale = monitor && summary.energy_scale > 0 ? summary.energy_scale : 1;
    w->momentum_scale = w->momentum_scale > 0 ? w->momentum_scale : 1;
    ph_monitor_free(monitor);
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* The logarithm of the error at time t that rounding causes in the best trajectory, as nearby ones separate.
 * */
static double log_rounding(const advisor *w, double t)
{
    return log(2 * DBL_EPSILON) + advisor_log_growth(w, t);
}

/* Steps are halved until the last halving changes the reference by little of the accuracy, or by rounding.
 * Where no trajectory can be predicted, it only serves energy and momenta, and the first step is good enough.
 * */
static ph_status make_reference(advisor *w, ph_error *err)
{
    enum { LEVELS = 7 };
    const bool hopeless = !(log_rounding(w, w->a->horizon) < log(w->plan->accuracy));
    const double wanted = 0.01 * w->plan->accuracy / advisor_growth(w, 1), begin = advisor_now(w);
    int64_t m = (int64_t)ceil(w->stretch * w->a->rate / 0.2);
    double change = INFINITY;
    ph_status status = run_reference(w, m, hopeless ? w->z : w->other, err);
    w->a->reference_step = fabs(advisor_step(w, m));
    for (int k = 1; k <= LEVELS && !status && !hopeless; k++) {
        m *= 2;
        status = run_reference(w, m, w->z, err);
        if (status)
            break;
        const double moved = largest_difference(w->z, w->other, w->parts * w->nz);
        if (!(moved < 0.9 * change) && change < 1e-6)
            break; /* both are at the rounding floor */
        change = moved;
        w->a->reference_step = fabs(advisor_step(w, m));
        if (change < wanted || (k > 1 && advisor_now(w) - begin > 6 * advisor_share(w, for_reference)))
            break;
        memcpy(w->other, w->z, w->parts * w->nz * sizeof *w->z);
    }
    w->a->uncertainty = change;
    return status;
}

/* Can the accuracy be reached, and until when? No candidate can be judged more precisely than the reference
 * is known. */
static void judge_motion(advisor *w)
{
    advice *a = w->a;
    const double rounding = exp(fmin(700, log_rounding(w, a->horizon)));
    a->attainable =
        isfinite(a->uncertainty) ? fmax(a->uncertainty * advisor_growth(w, 1), rounding) : rounding;
    a->by_energy = !(a->attainable < a->accuracy);
    a->predictable = INFINITY;
    if (rounding < a->accuracy)
        return;
    double low = 0, high = a->horizon;
    for (int k = 0; k < 60; k++) {
        const double t = 0.5 * (low + high);
        *(log_rounding(w, t) < log(a->accuracy) ? &low : &high) = t;
    }
    a->predictable = low;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static ph_status allocate(advisor *w, ph_error *err)
{
    const size_t size = w->parts * w->nz + 1;
    w->z = calloc(size, sizeof *w->z);
    w->other = calloc(size, sizeof *w->other);
    w->energy = calloc(w->parts, sizeof *w->energy);
    w->momenta = calloc(w->parts * w->maps + 1, sizeof *w->momenta);
    w->logs = calloc(ADVICE_DISTANCES + 1, sizeof *w->logs);
    if (!w->z || !w->other || !w->energy || !w->momenta || !w->logs)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return ph_diagnostics_create(w->system, &w->diagnostics, err);
}

ph_status advisor_begin(advisor *w, const ph_scenario *sc, ph_error *err)
{
    double ns = 0;
    ph_status status = find_rate(w, sc, err);
    if (!status)
        status = choose_reference(w, err);
    if (!status)
        status = time_step(w, w->sign * 0.1 / w->a->rate, &ns, err);
    if (status)
        return status;
    choose_span(w, ns);
    status = allocate(w, err);
    if (!status)
        status = advisor_watch_growth(w, ns, err);
    if (!status)
        status = make_reference(w, err);
    if (status)
        return status;
    snprintf(w->a->reference, sizeof w->a->reference, "%s", w->reference.label);
    judge_motion(w);
    return PH_OK;
}

void advisor_end(advisor *w)
{
    ph_diagnostics_free(w->diagnostics);
    free(w->z);
    free(w->other);
    free(w->energy);
    free(w->momenta);
    free(w->logs);
}
