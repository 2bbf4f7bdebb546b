/* SPDX-License-Identifier: BSD-3-Clause */
/* Spheres as phase space by splitting. The energy is a sum of parts whose motions are known: pairs f(s_i . s_j), which
 * turn about the sum that they keep (pairs.c), parts along one axis, and fields (one-spin.c). A stage of h is
 *
 *     E_1(h/2) ... E_(L-1)(h/2) E_L(h) E_(L-1)(h/2) ... E_1(h/2)
 *
 * with the elements E: families of parts along an axis, the field, and the classes of bonds without a common spin,
 * in the order in which the system has them. It is symmetric and symplectic, and of order 2; compositions of such
 * stages have higher orders. A field that depends on time is taken at the middle of each stage. Where a stage
 * ends and the next one begins with the same family or static field, that turns once for both.
 *
 * Between steps spins are kept with their low-order parts, in structure of arrays; z is written when it is needed.
 * Sources: Krech, Bunker, Landau, Comput. Phys. Commun. 111 (1998) 1; McLachlan, Modin, Verdier, Phys. Rev. E 89
 * (2014) 061301 (the structure that is kept). That Cayley's map may take the place of a turn is shown in pairs.c. */
#include <polhode/kit/vector.h>

#include "splitting.h"

#include "integrators/shared/compositions.h"

#include <math.h>
#include <string.h>

enum { ORDER, OPTIONS };

static const ph_option options[OPTIONS] = {
    {.name = "order",
     .type = PH_OPTION_CHOICE,
     .initial = 0,
     .choices = "2 4 6 8",
     .text = "of convergence; beyond 2 by compositions of 5, 11 and 21 stages"},
};

static const ph_composition *composition_of(const double *values)
{
    int order;
    return ph_composition_chosen(values[ORDER] + 1, 0, &order);
}

static ph_method_size spin_splitting_size(const ph_system *system, const double *values)
{
    const ph_spins *is = ph_system_spins(system);
    ph_spin_splitting counted;
    ph_lay l = {NULL, 0};
    (void)values;
    ph_spin_splitting_lay(&counted, is, &l);
    return (ph_method_size){.work = l.bytes, .carry = 6 * is->n};
}

static ph_status spin_splitting_init(ph_context *context)
{
    const ph_spins *is = ph_system_spins(context->system);
    ph_spin_splitting *w = context->work;
    ph_lay l = {context->work, 0};
    ph_spin_splitting_lay(w, is, &l);
    w->fallible = ph_spin_splitting_is_fallible(is);
    if (!w->fallible && fabs(context->h) > 1e25)
        return ph_fail(context->error, PH_E_RANGE,
                       "the step size is %g s; spin-splitting takes at most 1e25 s", context->h);
    w->kernel = ph_lanes(PH_KERNEL_AVX512) ? EIGHT : ph_lanes(PH_KERNEL_AVX2) ? WIDE : PLAIN;
    ph_spin_splitting_plan(w, is, context->h);
    return PH_OK;
}

/* ---- A step --------------------------------------------------------------------------------------- */

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

/* The spins as they are kept, from z where the carry is empty. */
static void begin(const ph_spin_splitting *w, const ph_state *state, double *numbers)
{
    const ph_turned s = ph_turned_at(numbers, w->n);
    if (state->ncarry && state->carry[0] != 0) {
        if (numbers != state->carry)
            memcpy(numbers, state->carry, 6 * w->n * sizeof *numbers);
        return;
    }
    for (size_t i = 0; i < w->n; i++)
        for (size_t a = 0; a < 3; a++) {
            const double z = state->z[3 * w->site[i] + a], high = BIAS + z;
            s.high[a][i] = high;
            s.low[a][i] = z - (high - BIAS);
        }
}

static ph_status spin_splitting_step(ph_context *context, ph_state *state)
{
    ph_spin_splitting *w = context->work;
    const ph_composition *c = composition_of(context->options);
    const size_t stages = c ? c->stages : 1;
    const int64_t every = corrected_every(w);
    double *numbers = w->fallible ? w->copy : state->carry, at = 0, due = 0; /* in units of h */
    begin(w, state, numbers);
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
    if (!w->fallible)
        return PH_OK;
    if (!x.status && !ph_all_finite(numbers, 6 * w->n))
        x.status =
            ph_fail(context->error, PH_E_DIVERGED,
                    "the spins are not finite after t = %.10g s: the energy or a strength is too large "
                    "or too small for a step of %g s",
                    state->t, context->h);
    if (!x.status)
        memcpy(state->carry, numbers, 6 * w->n * sizeof *numbers);
    return x.status;
}

static void spin_splitting_synchronise(ph_context *context, ph_state *state)
{
    const ph_spin_splitting *w = context->work;
    const ph_turned s = ph_turned_at(state->carry, w->n);
    for (size_t i = 0; i < w->n; i++)
        for (size_t a = 0; a < 3; a++)
            state->z[3 * w->site[i] + a] = (s.high[a][i] - BIAS) + s.low[a][i];
}

/* ---- The method ----------------------------------------------------------------------------------- */

static ph_status spin_splitting_supports(const ph_system *system, ph_error *err)
{
    if (!ph_system_spins(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "spin-splitting takes spheres as phase space (polhode/domain/spins.h) and no others; use "
            "variational");
    if (!ph_spins_are_declared(system))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "spin-splitting takes energies that are declared by parts, and a part of this one is a "
            "callback, which cannot be split; use spherical-midpoint");
    if (ph_spins_are_damped(system))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "spin-splitting is made of turns that keep the energy of a part, which damping does "
                       "not; use spherical-midpoint");
    return PH_OK;
}

static int spin_splitting_order_for(const ph_system *system, const double *values)
{
    const ph_composition *c = composition_of(values);
    (void)system;
    return c ? c->order : 2;
}

/* Pairs keep all of J; what is along an axis a keeps a . J only, and twist does. A field is along every axis that
 * the rest is symmetric about, or there is no symmetry. */
static unsigned spin_splitting_claims_for(const ph_system *system, const double *values)
{
    const ph_spins *is = ph_system_spins(system);
    bool kept = true;
    (void)values;
    for (size_t m = 0; m < ph_system_symmetries(system); m++) {
        double e[3], a[3];
        ph_spin_splitting_axis(ph_system_symmetry(system, m)->axis, e);
        for (size_t g = 0; g < is->n_bonds; g++)
            if (is->bonds[g].kind == PH_BOND_AXIAL || is->bonds[g].kind == PH_BOND_TWIST) {
                ph_spin_splitting_axis(is->bonds[g].axis, a);
                kept = kept && ph_spin_splitting_parallel(a, e);
            }
        for (size_t g = 0; g < is->n_anisotropies; g++) {
            ph_spin_splitting_axis(is->anisotropies[g].axis, a);
            kept = kept && ph_spin_splitting_parallel(a, e);
        }
    }
    return kept ? PH_CLAIM_MOMENTUM : 0;
}

const ph_method ph_method_spin_splitting = {
    .name = "spin-splitting",
    .summary = "spheres as phase space: pairs of spins and parts along an axis turned one after the other; "
               "explicit, symmetric, symplectic",
    .reference = "Krech, Bunker, Landau, Comput. Phys. Commun. 111 (1998) 1; McLachlan, Modin, Verdier, "
                 "Phys. Rev. E 89 (2014) 061301",
    .order = 2,
    .order_for = spin_splitting_order_for,
    .claims = PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MANIFOLD,
    .claims_for = spin_splitting_claims_for,
    .options = options,
    .n_options = OPTIONS,
    .supports = spin_splitting_supports,
    .size = spin_splitting_size,
    .init = spin_splitting_init,
    .step = spin_splitting_step,
    .synchronise = spin_splitting_synchronise,
    .takes_spins = true,
};
