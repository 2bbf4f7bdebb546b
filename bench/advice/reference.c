/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference: the motion by the method that is known best. Kinds of methods are tried one after the other until one is known
 * well enough and does not contradict another: `arkode`, whose doubt is what ten times the tolerance changes, and methods of
 * high order with fixed steps, which are halved until the last halving changes little. A kind that fails, or is too expensive,
 * is left out. */
#include "advisor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* [s of CPU] Parts of the default budget: the first run of the whole motion; each kind. */
static const double for_scout = 0.4, for_a_kind = 1;

/* What is required of a reference, as a part of the accuracy at the end of the span. */
static const double well = 0.01, enough = 0.1;

static const char *const adaptive[] = {"arkode", "arkode:rtol=1e-13:atol=1e-13"};
static const char *const ladders[] = {"variational:order=8",        "gauss", "kepler-rotor", "dla:order=8",
                                      "spherical-midpoint:order=8", "rk8"};
enum { LADDERS = sizeof ladders / sizeof ladders[0] };

/* A difference of configurations that may be rounding, however small the steps. */
static const double may_be_rounding = 1e-6;

/* ---- A run ---------------------------------------------------------------------------------------- */

/* Lengths are relative to the largest coordinate of vectors of R^d. */
static void weigh(advisor *w, const track *t)
{
    const ph_space *space = ph_system_space(w->system);
    double most = 0;
    for (int set = 0; set < 2; set++)
        for (size_t i = 0; i < ph_space_factors(space); i++) {
            const ph_factor_place *f = ph_space_factor(space, i);
            for (size_t k = f->z; f->kind == PH_FACTOR_R && k < f->z + f->nz; k++) {
                most = fmax(most, fabs(w->start.z[k]));
                for (size_t n = 0; n < w->parts; n++)
                    most = fmax(most, fabs(t->z[n * w->nz + k]));
                if (set)
                    w->weights[k] = most > 0 ? 1 / most : 1;
            }
        }
    w->a->length = most;
}

/* t <- the span by m steps a stretch. *through: it got there, for at most `bound` s. PH_E_INTERRUPTED; any other failure is
 * of this run alone: *why (nullable) <- what. */
static ph_status run_track(advisor *w, const char *label, int64_t m, double bound, track *t, bool *through,
                           ph_error *why, ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    ph_monitor *monitor = NULL;
    ph_summary summary;
    ph_measures measures = {.momenta = NULL};
    ph_error own;
    contender c;
    double took, momentum = 0;
    const double t0 = w->start.time, begin = advisor_now(w);
    size_t done = 0;
    ph_status stop = PH_OK;
    *through = false;
    snprintf(t->label, sizeof t->label, "%s", label);
    t->step = fabs(advisor_step(w, m));
    t->doubt = INFINITY;
    ph_status status = contender_parse(&c, label, &own);
    if (!status)
        status = contender_start(&c, &w->start, advisor_step(w, m), &it, &state, &own);
    if (!status)
        status = ph_monitor_create(w->diagnostics, t0, t0 + w->sign * w->a->span, &monitor, &own);
    if (!status)
        status = ph_monitor_see(monitor, state, &measures);
    /* energy is conserved: its first value is the most precise */
    const double energy = status ? NAN : measures.energy;
    momentum = status ? 0 : measures.momentum_size;
    for (; done < w->parts && !status && !stop && advisor_now(w) - begin <= bound; done++) {
        status = meter_steps(w->watch, it, state, m, &took);
        if (status)
            ph_fail(&own, status, "%s", ph_integrator_message(it));
        if (!status)
            status = ph_monitor_see(monitor, state, &measures);
        if (status)
            break;
        momentum = fmax(momentum, measures.momentum_size);
        memcpy(t->z + done * w->nz, state->z, w->nz * sizeof *t->z);
        t->energy[done] = w->a->forced ? measures.energy : energy;
        for (size_t k = 0; k < w->maps; k++)
            t->momenta[done * w->maps + k] = measures.momenta[k];
        stop = advisor_pause(w, "reference", 0.02 + 0.2 * (double)done / (double)w->parts, err);
    }
    *through = !status && !stop && done == w->parts;
    if (*through) {
        ph_monitor_summary(monitor, &summary);
        t->energy_scale = summary.energy_scale > 0 ? summary.energy_scale : 1;
        t->momentum_scale = momentum > 0 ? momentum : 1;
        for (size_t i = 0; i < w->parts * w->nz && *through; i++)
            *through = isfinite(t->z[i]);
    } else if (status && why)
        ph_fail(why, status, "the reference by %s: %.400s", label, own.message);
    ph_monitor_free(monitor);
    ph_state_free(state);
    ph_integrator_free(it);
    return stop ? stop : status == PH_E_NO_MEMORY ? ph_fail(err, status, "out of memory") : PH_OK;
}

/* Does this build have the method, and does it take the system? */
static bool takes(const advisor *w, const char *label)
{
    contender c;
    ph_error err;
    return !contender_parse(&c, label, &err) && advisor_takes(w, &c);
}

static void exchange(track *a, track *b)
{
    const track t = *a;
    *a = *b;
    *b = t;
}

/* ---- Before anything else is known ------------------------------------------------------------------- */

ph_status advisor_scout(advisor *w, bool *done, ph_error *err)
{
    const double begin = advisor_now(w);
    *done = false;
    if (!takes(w, adaptive[0]))
        return PH_OK;
    ph_status status =
        run_track(w, adaptive[0], 1, advisor_share(w, for_scout), &w->tracks[TRACK_FINE], done, NULL, err);
    w->scouted = *done ? advisor_now(w) - begin : 0;
    return status;
}

/* *ns <- the time of a step of the guide, after its first ones, not beyond the horizon. */
static ph_status time_step(advisor *w, double h, double *ns, ph_error *err)
{
    enum { FIRST = 4, MOST = 64 };
    ph_integrator *it;
    ph_state *state;
    const double most = floor(w->plan->horizon / fabs(h));
    int64_t left = (int64_t)fmin(FIRST + MOST, fmax(1, most));
    ph_status status = contender_start(&w->guide, &w->start, h, &it, &state, err);
    if (status)
        return status;
    double took = 0;
    if (left > 2 * FIRST && !(status = ph_integrator_step(it, state, FIRST)))
        left -= FIRST;
    if (!status)
        status = meter_steps(w->watch, it, state, left, &took);
    *ns = 1e9 * took / (double)left;
    if (status)
        ph_fail(err, status, "the reference by %s: %.400s", w->guide.label, ph_integrator_message(it));
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

ph_status advisor_find_guide(advisor *w, ph_error *err)
{
    enum { HALVINGS = 8 };
    ph_status status =
        ph_fail(err, PH_E_UNSUPPORTED, "no method that can compute a reference supports this system");
    for (size_t i = 0; i < LADDERS; i++) {
        if (!takes(w, ladders[i]) || contender_parse(&w->guide, ladders[i], err))
            continue;
        double h = w->sign * fmin(0.1 / w->a->rate, w->plan->horizon);
        for (int k = 0; k < HALVINGS; k++, h *= 0.5)
            if (!(status = time_step(w, h, &w->guide_ns, err)))
                return PH_OK;
    }
    return status;
}

/* ---- Kinds ------------------------------------------------------------------------------------------- */

/* best <- by steps that are halved until that changes it by little of the accuracy, or by rounding; other <- by steps twice
 * as large. The doubt is INFINITY where no two runs got through. */
static ph_status climb(advisor *w, const char *label, double wanted, track *best, track *other, ph_error *why,
                       ph_error *err)
{
    enum { LEVELS = 9 };
    /* at an order of 4 and more the next halving changes so many times less, where the change is small */
    static const double follows = 16, small = 1e-3;
    const double begin = advisor_now(w), bound = advisor_share(w, for_a_kind);
    int64_t m = (int64_t)ceil(fmax(1, w->stretch * w->a->rate / 0.2));
    double change = INFINITY;
    bool earlier = false;
    best->doubt = INFINITY;
    for (int k = 0; k < LEVELS; k++, m *= 2) {
        bool through;
        const double left = bound - (advisor_now(w) - begin);
        if (!(left > 0))
            return PH_OK;
        ph_status status = run_track(w, label, m, left, other, &through, why, err);
        if (status || (!through && earlier))
            return status;
        if (!through)
            continue; /* smaller steps may get through */
        exchange(best, other);
        if (!earlier) {
            if (!(w->a->length > 0))
                weigh(w, best);
            earlier = true;
            continue;
        }
        const double moved = advisor_distance(w, best->z, other->z, w->parts);
        const bool is_floor = !(moved < 0.9 * change) && change < may_be_rounding;
        const bool follows_order = moved * follows < change && moved < small;
        best->doubt = is_floor ? fmax(moved, change) : follows_order ? moved / follows : moved;
        change = moved;
        if (is_floor || best->doubt <= wanted)
            return PH_OK;
    }
    return PH_OK;
}

/* tracks FINE and COARSE <- by the adaptive method, and by it with ten times the tolerance. */
static ph_status refer_adaptively(advisor *w, bool scouted, ph_error *why, ph_error *err)
{
    track *fine = &w->tracks[TRACK_FINE], *coarse = &w->tracks[TRACK_COARSE];
    bool through = true;
    ph_status status = PH_OK;
    if (!scouted)
        status = run_track(w, adaptive[0], 1, advisor_share(w, for_a_kind), fine, &through, why, err);
    if (!status && through)
        status = run_track(w, adaptive[1], 1, advisor_share(w, for_a_kind), coarse, &through, why, err);
    fine->doubt = !status && through ? advisor_distance(w, fine->z, coarse->z, w->parts) : INFINITY;
    return status;
}

/* Are two kinds farther apart than their doubts explain? One that has not settled contradicts nobody. */
static bool contradict(const track *a, const track *b, double apart)
{
    static const double explained = 8, settled = 1e-3;
    return a->doubt < settled && b->doubt < settled && !(apart <= explained * (a->doubt + b->doubt));
}

/* w->reference <- the better of the two kinds, w->rival <- what it is compared with. Where they contradict each other, neither
 * is known better than they differ. */
static void choose_reference(advisor *w)
{
    track *fine = &w->tracks[TRACK_FINE], *steps = &w->tracks[TRACK_STEPS];
    const bool both = isfinite(fine->doubt) && isfinite(steps->doubt), is_fine = fine->doubt < steps->doubt;
    const double apart = both ? advisor_distance(w, fine->z, steps->z, w->parts) : 0;
    const bool against = both && contradict(fine, steps, apart);
    w->reference = is_fine ? fine : steps;
    w->rival = against ? (is_fine ? steps : fine) : &w->tracks[is_fine ? TRACK_COARSE : TRACK_HALF];
    w->a->uncertainty = against ? apart : w->reference->doubt;
    snprintf(w->a->second, sizeof w->a->second, "%s",
             strcmp(w->rival->label, w->reference->label) != 0 ? w->rival->label : "");
}

/* ---- The whole --------------------------------------------------------------------------------------- */

static ph_status fail_reference(const advisor *w, const ph_error *why, ph_error *err)
{
    if (why->status)
        return ph_fail(err, why->status, "%.700s; no other method that was tried gets to %g s", why->message,
                       w->a->span);
    return ph_fail(err, PH_E_RANGE,
                   "no method gets to %g s within the budget of %g s of CPU time; a larger one or a shorter "
                   "duration is needed",
                   w->a->span, w->a->budget);
}

/* The energy of a conservative system is known from the start: any run that gets through has its scale. */
static ph_status refer_for_energy(advisor *w, bool scouted, ph_error *err)
{
    ph_error why = {PH_OK, ""};
    ph_status status = PH_OK;
    bool through = scouted;
    w->reference = w->rival = &w->tracks[TRACK_FINE];
    for (size_t i = 0; i < LADDERS && !through && !status; i++) {
        int64_t m = (int64_t)ceil(fmax(1, w->stretch * w->a->rate / 0.2));
        for (int k = 0; takes(w, ladders[i]) && k < 4 && !through && !status; k++, m *= 2)
            status =
                run_track(w, ladders[i], m, advisor_share(w, for_a_kind), w->reference, &through, &why, err);
    }
    if (status || !through)
        return status ? status : fail_reference(w, &why, err);
    weigh(w, w->reference);
    return PH_OK;
}

/* Until the reference is known to `well` of the accuracy at the end of the span, or to `enough` of it by two kinds. */
static ph_status refer_to_trajectory(advisor *w, bool scouted, double end, ph_error *err)
{
    track *fine = &w->tracks[TRACK_FINE], *steps = &w->tracks[TRACK_STEPS], *half = &w->tracks[TRACK_HALF],
          *trial = &w->tracks[TRACK_TRIAL], *trial_half = &w->tracks[TRACK_TRIAL_HALF];
    ph_error why = {PH_OK, ""};
    bool adaptively = !takes(w, adaptive[0]);
    ph_status status = PH_OK;
    if (scouted)
        weigh(w, fine);
    steps->doubt = fine->doubt = INFINITY;
    for (size_t i = 0; i < LADDERS && !status; i++) {
        if (!takes(w, ladders[i]))
            continue;
        status = climb(w, ladders[i], well * end, trial, trial_half, &why, err);
        if (trial->doubt < steps->doubt) {
            exchange(trial, steps);
            exchange(trial_half, half);
        }
        choose_reference(w);
        const bool agree = !scouted || advisor_distance(w, fine->z, steps->z, w->parts) <= enough * end;
        if (status || (w->a->uncertainty <= well * end && (agree || isfinite(fine->doubt))))
            break;
        if (!adaptively)
            status = refer_adaptively(w, scouted, &why, err);
        adaptively = true;
        choose_reference(w);
        if (w->a->uncertainty <= enough * end)
            break;
    }
    if (!status && (!w->reference || !isfinite(w->a->uncertainty)))
        status = fail_reference(w, &why, err);
    return status;
}

ph_status advisor_refer(advisor *w, ph_error *err)
{
    advice *a = w->a;
    const bool scouted = a->span >= a->horizon && w->tracks[TRACK_FINE].energy_scale > 0;
    const bool hopeless = a->span < a->horizon && !(advisor_log_rounding(w, a->horizon) < log(a->accuracy));
    ph_status status = a->by_energy || hopeless
                           ? refer_for_energy(w, scouted, err)
                           : refer_to_trajectory(w, scouted, a->accuracy / advisor_growth(w, 1), err);
    if (status)
        return status;
    snprintf(a->reference, sizeof a->reference, "%s", w->reference->label);
    a->reference_step = w->reference->step;
    return PH_OK;
}
