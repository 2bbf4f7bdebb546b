/* SPDX-License-Identifier: BSD-3-Clause */
/* The motion, as far as it is measured, and what it is measured by.
 *
 * The span is `parts` stretches of D = horizon/N, so that every step D/m fits the horizon a whole number of
 * times, and all methods pass the same times. */
#include "advisor.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/problem.h"

enum { PARTS = 25, PARTS_LEAST = 4, LOOKS = 1024 };

/* [s of CPU], of small systems, of ADVICE_BUDGET */
static const double for_reference = 0.25, for_growth = 0.5;

double advisor_now(const advisor *w)
{
    return meter_now(w->plan->watch);
}

double advisor_share(const advisor *w, double seconds)
{
    return seconds * w->a->budget / ADVICE_BUDGET;
}

ph_status advisor_pause(const advisor *w, const char *what, double fraction, ph_error *err)
{
    if (w->plan->progress)
        w->plan->progress(w->plan->self, what, fraction);
    if (w->plan->interrupt && *w->plan->interrupt)
        return ph_fail(err, PH_E_INTERRUPTED, "interrupted: %s", what);
    return PH_OK;
}

double advisor_difference(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        if (!(d <= most))
            most = d; /* a NaN stays */
    }
    return most;
}

double advisor_step(const advisor *w, int64_t m)
{
    return w->sign * w->stretch / (double)m;
}

/* ---- Passages ------------------------------------------------------------------------------------ */

static void compare(const advisor *w, const ph_state *state, const ph_measures *m, size_t i, passage *p)
{
    const size_t half = 2 * (i + 1) > w->parts;
    double momentum = 0;
    for (size_t k = 0; k < w->maps; k++)
        momentum = fmax(momentum, fabs(m->momenta[k] - w->momenta[i * w->maps + k]));
    const double error = advisor_difference(state->z, w->z + i * w->nz, w->nz);
    if (!(error <= p->error[half]))
        p->error[half] = error;
    for (size_t k = 0; k < w->nz; k++)
        p->total += fabs(state->z[k] - w->z[i * w->nz + k]);
    p->momentum[half] = fmax(p->momentum[half], momentum / w->momentum_scale);
    p->constraint = fmax(p->constraint, m->constraint_error);
}

/* Is there time for no more of it? What will take far longer is not waited for: a step so large that each
 * follows the branch from h = 0 is a hundred times as dear as one that is a little smaller. */
static bool is_too_dear(const advisor *w, const ph_state *state, int64_t m, double spent, double bound)
{
    enum { FIRST = 4 }; /* steps: the first of them is dearer than others */
    static const double enough = 0.2, far = 2;
    const double done = (double)state->k / ((double)m * (double)w->parts);
    return state->k >= FIRST && spent > enough * bound && spent > far * bound * done;
}

/* A stretch, and the energy on the way: where it is conserved, it is known there, too. */
static ph_status pass_stretch(const advisor *w, ph_integrator *it, ph_state *state, int64_t m, size_t i,
                              double bound, passage *p, double *spent)
{
    const int64_t looks = w->a->forced ? 1 : ADVICE_LOOKS, each = (m + looks - 1) / looks;
    ph_measures measures;
    ph_status status = PH_OK;
    for (int64_t left = m; left > 0 && !status; left -= each) {
        double took;
        status = meter_steps(w->plan->watch, it, state, left < each ? left : each, &took);
        *spent += took;
        if (!status)
            status = ph_diagnostics_measure(w->diagnostics, state, &measures);
        if (status)
            return status;
        double *most = &p->energy[2 * (i + 1) > w->parts];
        *most = fmax(*most, fabs(measures.energy - w->energy[i]) / w->energy_scale);
        p->cut = is_too_dear(w, state, m, *spent, bound);
        if (p->cut)
            return PH_OK;
    }
    compare(w, state, &measures, i, p);
    return status;
}

passage advisor_pass(const advisor *w, const contender *c, int64_t m, double bound)
{
    passage p = {PH_OK, .ns = NAN};
    ph_integrator *it;
    ph_state *state;
    ph_error err;
    double spent = 0;
    p.status = contender_start(c, &w->start, advisor_step(w, m), &it, &state, &err);
    if (p.status)
        return p;
    for (size_t i = 0; i < w->parts && !p.status && !p.cut; i++) {
        p.status = pass_stretch(w, it, state, m, i, bound, &p, &spent);
        p.cut = p.cut || (!p.status && spent > bound && i + 1 < w->parts);
    }
    if (state->k > 0)
        p.ns = 1e9 * spent / (double)state->k;
    if (!p.status && !p.cut && !(isfinite(p.error[0]) && isfinite(p.error[1])))
        p.status = PH_E_DIVERGED;
    ph_state_free(state);
    ph_integrator_free(it);
    return p;
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
    static const char *const words[] = {"variational:order=8", "arkode", "rk4-projected", "rk4"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!contender_parse(&w->reference, words[i], err) && advisor_takes(w, &w->reference))
            return PH_OK;
    return ph_fail(err, PH_E_UNSUPPORTED, "no method that could make a reference takes this system");
}

/* *ns <- of a step of the reference, once it is under way. */
static ph_status probe(const advisor *w, double h, double *ns, ph_error *err)
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

/* The fastest rate; where nobody seeks it, the scenario's own step is taken for one that suits. */
static ph_status find_rate(advisor *w, const ph_scenario *sc, ph_error *err)
{
    ph_status status = problem_rate(sc, &w->a->rate, err);
    if (status && status != PH_E_UNSUPPORTED)
        return status;
    if (status || !(w->a->rate > 0))
        w->a->rate = 0.2 / fabs(ph_scenario_step_size(sc));
    return PH_OK;
}

/* How much of the horizon is measured, and in what stretches: all of it where there is time for that; else a
 * part that leaves time for small steps. */
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

/* One of a pair: brought nearer to the other, to `size` of how far apart they are. */
static ph_status bring_near(const advisor *w, ph_integrator *it, ph_state *b, const ph_state *a, double size,
                            double *scratch)
{
    double *z = scratch, *p = scratch + a->nz;
    for (size_t i = 0; i < a->nz; i++)
        z[i] = a->z[i] + size * (b->z[i] - a->z[i]);
    for (size_t i = 0; i < a->np; i++)
        p[i] = a->p[i] + size * (b->p[i] - a->p[i]);
    return ph_state_set(it, b, w->start.time + (a->t - w->start.time), z, p, PH_PROJECT, NULL);
}

/* A neighbour some 1e-8 away; directions are random, the same every time. */
static ph_status set_beside(const advisor *w, ph_integrator *it, ph_state *b, double *scratch)
{
    uint64_t seed = 2027;
    double size = 1;
    for (size_t i = 0; i < w->nz; i++)
        size = fmax(size, fabs(w->start.z[i]));
    for (size_t i = 0; i < w->nz; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        scratch[i] = w->start.z[i] + 1e-8 * size * ((double)(int64_t)(seed >> 11) * 0x1p-52 - 1);
    }
    return ph_state_set(it, b, w->start.time, scratch, w->start.p, PH_PROJECT, NULL);
}

static ph_status follow_pair(advisor *w, ph_integrator *it, ph_state *a, ph_state *b, int64_t m,
                             double *scratch, ph_error *err)
{
    ph_status status = set_beside(w, it, b, scratch);
    double apart = advisor_difference(a->z, b->z, w->nz), begin = apart, log_scale = 0, took;
    w->logs[0] = 0;
    if (!(apart > 0))
        status = PH_E_SINGULAR;
    for (size_t k = 1; k <= LOOKS && !status; k++) {
        status = meter_steps(w->plan->watch, it, a, m, &took);
        if (!status)
            status = meter_steps(w->plan->watch, it, b, m, &took);
        apart = advisor_difference(a->z, b->z, w->nz);
        w->logs[k] = log_scale + log(fmax(apart, 1e-3 * begin) / begin);
        if (!status && apart > 1e3 * begin) {
            log_scale += log(apart / begin);
            status = bring_near(w, it, b, a, begin / apart, scratch);
        }
        if (!status && k % 32 == 0 &&
            advisor_pause(w, "nearby trajectories", 0.05 + 0.1 * (double)k / LOOKS, err))
            return PH_E_INTERRUPTED;
    }
    return status;
}

/* How fast nearby trajectories part: in a regular motion by t, so that the logarithm of their distance gains
 * log 2 in the second half; in a chaotic one by an exponential. What fails is told by nobody else but the
 * candidates; then nothing is known. */
static ph_status watch_growth(advisor *w, double ns, ph_error *err)
{
    static const double much = 4; /* in units of the logarithm; fluctuations are 1 or 2 */
    ph_integrator *it;
    ph_state *a, *b = NULL;
    advice *own = w->a;
    const double fine = 0.4 / own->rate, steps = advisor_share(w, for_growth) / (2e-9 * ns);
    const double most = fmax(own->span, fmin(w->plan->horizon, steps * fine));
    const int64_t m = (int64_t)fmax(1, ceil(most / LOOKS / fine));
    double *scratch = malloc((w->nz + ph_space_momenta(ph_system_space(w->system)) + 1) * sizeof *scratch);
    ph_status status = scratch ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    own->watched = most;
    if (!status)
        status = contender_start(&w->reference, &w->start, w->sign * most / LOOKS / (double)m, &it, &a, err);
    if (status) {
        free(scratch);
        return status;
    }
    status = ph_state_create(it, &b, err);
    if (!status) {
        ph_status followed = follow_pair(w, it, a, b, m, scratch, err);
        double first = 0, second = 0;
        for (size_t k = 1; k <= LOOKS; k++)
            *(2 * k <= LOOKS ? &first : &second) = fmax(2 * k <= LOOKS ? first : second, w->logs[k]);
        if (followed == PH_E_INTERRUPTED)
            status = followed;
        else if (followed)
            own->watched = 0;
        else if (second - first > much)
            own->exponent = (second - first) / (0.5 * own->watched);
    }
    ph_state_free(a);
    ph_state_free(b);
    ph_integrator_free(it);
    free(scratch);
    return status;
}

/* log of how far nearby trajectories have parted at time t, at most until then. */
static double log_growth(const advisor *w, double t)
{
    const advice *a = w->a;
    if (!(a->watched > 0))
        return log1p(t * a->rate);
    double most = 0;
    const double place = fmin(1, t / a->watched) * LOOKS;
    for (size_t k = 0; (double)k <= place + 1e-9; k++)
        most = fmax(most, w->logs[k]);
    if (t <= a->watched)
        return most;
    return most + (a->exponent > 0 ? a->exponent * (t - a->watched) : log(t / a->watched));
}

double advisor_growth(const advisor *w, double power)
{
    const advice *a = w->a;
    if (a->span >= a->horizon)
        return 1;
    const double parting = a->exponent > 0 ? log_growth(w, a->horizon) - log_growth(w, a->span) : 0;
    return exp(fmin(700, fmax(parting, power * log(a->horizon / a->span))));
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
        status ? NAN : measures.energy; /* what is conserved is known better than by a run */
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

/* Error that rounding makes of the best trajectory by time t, by how nearby ones part: its logarithm. */
static double log_rounding(const advisor *w, double t)
{
    return log(2 * DBL_EPSILON) + log_growth(w, t);
}

/* Steps halved until the last halving moves it by little of what is wanted, or rounding has taken over. Where
 * no trajectory can be had, it only serves energy and momenta, and the first will do. */
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
        const double moved = advisor_difference(w->z, w->other, w->parts * w->nz);
        if (!(moved < 0.9 * change) && change < 1e-6)
            break; /* both are as good as rounding lets them be */
        change = moved;
        w->a->reference_step = fabs(advisor_step(w, m));
        if (change < wanted || (k > 1 && advisor_now(w) - begin > 6 * advisor_share(w, for_reference)))
            break;
        memcpy(w->other, w->z, w->parts * w->nz * sizeof *w->z);
    }
    w->a->uncertainty = change;
    return status;
}

/* Can the accuracy be had, and until when? What the reference does not know nobody can be judged by. */
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

static ph_status make_room(advisor *w, ph_error *err)
{
    const size_t size = w->parts * w->nz + 1;
    w->z = calloc(size, sizeof *w->z);
    w->other = calloc(size, sizeof *w->other);
    w->energy = calloc(w->parts, sizeof *w->energy);
    w->momenta = calloc(w->parts * w->maps + 1, sizeof *w->momenta);
    w->logs = calloc(LOOKS + 1, sizeof *w->logs);
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
        status = probe(w, w->sign * 0.1 / w->a->rate, &ns, err);
    if (status)
        return status;
    choose_span(w, ns);
    status = make_room(w, err);
    if (!status)
        status = watch_growth(w, ns, err);
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
