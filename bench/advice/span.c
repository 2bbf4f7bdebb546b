/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs through the measured span: a contender at a step size, compared with the reference at the end of each
 * stretch. */
#include "advisor.h"

#include <math.h>

/* The differences from the reference at the end of stretch i. */
static void compare_state(const advisor *w, const ph_state *state, const ph_measures *m, size_t i,
                          span_run *r)
{
    const size_t half = 2 * (i + 1) > w->parts;
    const double *z = w->reference->z + i * w->nz;
    double momentum = 0;
    for (size_t k = 0; k < w->maps; k++)
        momentum = fmax(momentum, fabs(m->momenta[k] - w->reference->momenta[i * w->maps + k]));
    const double error = advisor_distance(w, state->z, z, 1);
    if (!(error <= r->error[half]))
        r->error[half] = error;
    for (size_t k = 0; k < w->nz; k++)
        r->total += fabs(state->z[k] - z[k]);
    r->momentum[half] = fmax(r->momentum[half], momentum / w->reference->momentum_scale);
    r->constraint = fmax(r->constraint, m->constraint_error);
}

/* Will the rest take far longer than the bound? A step so large that the solver has to follow the branch of
 * solutions from h = 0 costs a hundred times as much as one that is slightly smaller. */
static bool is_too_expensive(const advisor *w, const ph_state *state, int64_t m, double spent, double bound)
{
    enum { FIRST = 4 }; /* steps: the first ones cost more than others */
    static const double enough = 0.2, far = 2;
    const double done = (double)state->k / ((double)m * (double)w->parts);
    return state->k >= FIRST && spent > enough * bound && spent > far * bound * done;
}

/* One stretch, with the energy error on the way, where energy is conserved and so known there, too. */
static ph_status run_stretch(const advisor *w, ph_integrator *it, ph_state *state, int64_t m, size_t i,
                             double bound, span_run *r, growth_blocks *energy, double *spent)
{
    const int64_t looks = w->a->forced ? 1 : ADVICE_LOOKS, each = (m + looks - 1) / looks;
    ph_measures measures;
    ph_status status = PH_OK;
    for (int64_t left = m; left > 0 && !status; left -= each) {
        double took;
        status = meter_steps(w->watch, it, state, left < each ? left : each, &took);
        *spent += took;
        if (!status)
            status = ph_diagnostics_measure(w->diagnostics, state, &measures);
        if (status)
            return status;
        const double error = fabs(measures.energy - w->reference->energy[i]) / w->reference->energy_scale;
        double *most = &r->energy[2 * (i + 1) > w->parts];
        *most = fmax(*most, error);
        growth_enter(energy, error);
        r->cut = is_too_expensive(w, state, m, *spent, bound);
        if (r->cut)
            return PH_OK;
    }
    compare_state(w, state, &measures, i, r);
    return status;
}

bool advisor_energy_grows(const growth_blocks *energy)
{
    const growth_law law = growth_find_law(energy).law;
    return law == LAW_LINEAR || law == LAW_POWER || law == LAW_GROWS;
}

span_run advisor_run_span(const advisor *w, const contender *c, int64_t m, double bound)
{
    growth_blocks energy = {.n = 0};
    span_run r = {PH_OK, .ns = NAN};
    ph_integrator *it;
    ph_state *state;
    ph_error err;
    double spent = 0;
    r.status = contender_start(c, &w->start, advisor_step(w, m), &it, &state, &err);
    if (r.status)
        return r;
    for (size_t i = 0; i < w->parts && !r.status && !r.cut; i++) {
        r.status = run_stretch(w, it, state, m, i, bound, &r, &energy, &spent);
        r.cut = r.cut || (!r.status && spent > bound && i + 1 < w->parts);
    }
    r.grows = advisor_energy_grows(&energy);
    if (state->k > 0)
        r.ns = 1e9 * spent / (double)state->k;
    if (!r.status && !r.cut && !(isfinite(r.error[0]) && isfinite(r.error[1])))
        r.status = PH_E_DIVERGED;
    ph_state_free(state);
    ph_integrator_free(it);
    return r;
}
