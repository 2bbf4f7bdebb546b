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

static const ph_option options[PH_SPIN_SPLITTING_OPTIONS] = {
    {.name = "order",
     .type = PH_OPTION_CHOICE,
     .initial = 0,
     .choices = "2 4 6 8",
     .text = "of convergence; beyond 2 by compositions of 5, 11 and 21 stages"},
};

static ph_method_size spin_splitting_size(const ph_system *system, const double *values)
{
    const ph_spins *is = ph_system_spins(system);
    const ph_spin_sizes sizes = ph_spin_splitting_sizes(is);
    ph_spin_splitting counted;
    ph_lay l = {NULL, 0};
    (void)values;
    ph_spin_splitting_lay(&counted, &sizes, &l);
    return (ph_method_size){.work = l.bytes, .carry = 6 * ph_turned_stride(is->n)};
}

static ph_status spin_splitting_init(ph_context *context)
{
    const ph_spins *is = ph_system_spins(context->system);
    const ph_spin_sizes sizes = ph_spin_splitting_sizes(is);
    ph_spin_splitting *w = context->work;
    ph_lay l = {context->work, 0};
    ph_spin_splitting_lay(w, &sizes, &l);
    return ph_spin_splitting_prepare(w, is, NULL, context);
}

/* ---- A step --------------------------------------------------------------------------------------- */

/* The spins as they are kept, from z where the carry is empty. */
static void begin(const ph_spin_splitting *w, const ph_state *state, double *numbers)
{
    const ph_turned s = ph_turned_at(numbers, w->n);
    if (state->ncarry && state->carry[0] != 0) {
        if (numbers != state->carry)
            memcpy(numbers, state->carry, state->ncarry * sizeof *numbers);
        return;
    }
    memset(numbers, 0, 6 * ph_turned_stride(w->n) * sizeof *numbers);
    for (size_t i = 0; i < w->n; i++)
        for (size_t a = 0; a < 3; a++)
            ph_turned_split(state->z[3 * w->site[i] + a], &s.high[a][i], &s.low[a][i]);
}

static ph_status spin_splitting_step(ph_context *context, ph_state *state)
{
    const ph_spin_splitting *w = context->work;
    double *numbers = w->fallible ? w->copy : state->carry;
    begin(w, state, numbers);
    const ph_status status = ph_spin_splitting_advance(w, context, state, numbers);
    if (!status && numbers != state->carry)
        memcpy(state->carry, numbers, state->ncarry * sizeof *numbers);
    return status;
}

static void spin_splitting_synchronise(ph_context *context, ph_state *state)
{
    const ph_spin_splitting *w = context->work;
    const ph_turned s = ph_turned_at(state->carry, w->n);
    for (size_t i = 0; i < w->n; i++)
        for (size_t a = 0; a < 3; a++)
            state->z[3 * w->site[i] + a] = ph_turned_value(s.high[a][i], s.low[a][i]);
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
    const ph_composition *c = ph_spin_splitting_composition(values);
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
    .n_options = PH_SPIN_SPLITTING_OPTIONS,
    .supports = spin_splitting_supports,
    .size = spin_splitting_size,
    .init = spin_splitting_init,
    .step = spin_splitting_step,
    .synchronise = spin_splitting_synchronise,
    .takes_spins = true,
    .lanes = ph_spin_splitting_eight,
};
