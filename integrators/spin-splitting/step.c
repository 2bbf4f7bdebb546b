/* SPDX-License-Identifier: BSD-3-Clause */
/* A step by turns (spin-splitting.c): its stages, the elements of each on both sides of the last one, and when lengths are
 * corrected. */
#include <polhode/kit/vector.h>

#include "splitting.h"

#include "integrators/shared/compositions.h"

const ph_composition *ph_spin_splitting_composition(const double *values)
{
    int order;
    return ph_composition_chosen(values[PH_SPIN_SPLITTING_ORDER] + 1, 0, &order);
}

/* Lengths are corrected in every fourth stage at the least, counted from where the state was set, in each one where
 * there are 5 elements or more: until then they are off by what a few turns round, each by 1e-16 of its increment. */
static int64_t corrected_every(const ph_spin_splitting *w)
{
    return w->elements > 4 ? 1 : w->elements > 2 ? 2 : 4;
}

/* The element of this number by h. */
static void apply(ph_turning *x, size_t element, double h)
{
    const ph_spin_splitting *w = x->w;
    x->h = h;
    if (x->status)
        return;
    if (element < w->n_families) {
        ph_spin_splitting_turn_family(x, &w->families[element]);
        return;
    }
    element -= w->n_families;
    if (w->field && !element) {
        ph_spin_splitting_turn_field(x);
        return;
    }
    element -= w->field;
    const ph_sweep *sweep = w->sweeps;
    for (; element >= sweep->rounds; sweep++)
        element -= sweep->rounds;
    ph_spin_splitting_turn_pairs(x, sweep, element);
}

/* The elements from `first` on, symmetrically, by h; lengths: are they corrected? */
static void apply_stage(ph_turning *x, size_t first, double h, bool lengths)
{
    const ph_spin_splitting *w = x->w;
    const size_t last = w->elements - 1;
    if (lengths)
        ph_spin_splitting_correct(x);
    for (size_t e = first; e <= last; e++) {
        x->correct = lengths && e == w->correcting;
        apply(x, e, e == last ? h : 0.5 * h);
    }
    x->correct = false;
    for (size_t e = last; e-- > first;)
        apply(x, e, 0.5 * h);
}

ph_status ph_spin_splitting_advance(const ph_spin_splitting *w, const ph_context *context,
                                    const ph_state *state, double *numbers)
{
    const ph_composition *c = ph_spin_splitting_composition(context->options);
    const size_t stages = c ? c->stages : 1;
    const int64_t every = corrected_every(w);
    double at = 0, due = 0; /* in units of h */
    ph_turning x = {.context = context, .w = w, .s = ph_turned_at(numbers, w->n)};
    /* does the first element follow upon itself, and is it an exact motion? */
    const bool merged = w->elements > 1 && (w->n_families || (w->field && !w->is->control));
    for (size_t k = 0; k < stages && w->elements; k++) {
        const double gamma = c ? ph_composition_gamma(c, k) : 1;
        x.t = state->t + (at + 0.5 * gamma) * context->h;
        if (merged)
            apply(&x, 0, (due + 0.5 * gamma) * context->h);
        apply_stage(&x, merged, gamma * context->h, (state->k * (int64_t)stages + (int64_t)k) % every == 0);
        due = 0.5 * gamma;
        at += gamma;
    }
    if (merged)
        apply(&x, 0, due * context->h);
    if (w->fallible && !x.status && !ph_all_finite(numbers, 6 * ph_turned_stride(w->n)))
        x.status =
            ph_fail(context->error, PH_E_DIVERGED,
                    "the spins are not finite after t = %.10g s: the energy or a strength is too large "
                    "or too small for a step of %g s",
                    state->t, context->h);
    return x.status;
}
