/* SPDX-License-Identifier: BSD-3-Clause */
/* Compositions of variational steps. Stage i is a step of the kernel of size h_i = gamma_i h, at its own
 * time. A composition of maps that are symplectic, preserve the momentum maps and stay on the manifold does
 * so as well; since the sequence of the gammas and the stages themselves are symmetric, the composition is
 * symmetric.
 *
 * Increments of a stage are guessed by extrapolating velocities: the increment of stage j divided by h_j is
 * the velocity in its middle. Multipliers are guessed by extrapolating tensions: the multiplier of a stage of
 * size h_j that follows one of size h_i is -(1/2) h_j (h_i + h_j) times the tension at its start. Both hold
 * up to terms in h^2, so that an extrapolation through points too close to each other would amplify those
 * terms.
 *
 * Sources: Yoshida, Phys. Lett. A 150 (1990) 262; Hairer, Lubich, Wanner, Geometric Numerical Integration
 * (2006), V.3; and those of the compositions. */
#include "integrators/shared/extrapolation.h"
#include "variational.h"

#include <math.h>
#include <string.h>

typedef struct ph_variational_composition {
    const ph_composition *of;
    double h[PH_MOST_STAGES];     /* sizes of the stages */
    double begin[PH_MOST_STAGES]; /* where they begin, from the start of the step */
    ph_stage stages[PH_MOST_STAGES];
    double saved[]; /* z, p and carry at the start */
} composition;

const ph_composition *ph_variational_composition_of(const double *values)
{
    int order;
    return ph_composition_chosen(values[PH_VARIATIONAL_ORDER], values[PH_VARIATIONAL_COMPOSITION], &order);
}

/* ---- Memory -------------------------------------------------------------------------------------- */

size_t ph_variational_composition_size(const ph_system *system, size_t states, size_t carry)
{
    const ph_space *space = ph_system_space(system);
    return sizeof(composition) +
           (states * (ph_space_ambient(space) + ph_space_momenta(space)) + carry) * sizeof(double);
}

static void save(composition *w, const ph_state *state)
{
    double *to = w->saved;
    memcpy(to, state->z, state->nz * sizeof *to);
    memcpy(to + state->nz, state->p, state->np * sizeof *to);
    memcpy(to + state->nz + state->np, state->carry, state->ncarry * sizeof *to);
}

static void restore(const composition *w, ph_state *state)
{
    const double *from = w->saved;
    memcpy(state->z, from, state->nz * sizeof *from);
    memcpy(state->p, from + state->nz, state->np * sizeof *from);
    memcpy(state->carry, from + state->nz + state->np, state->ncarry * sizeof *from);
}

/* ---- Guesses ------------------------------------------------------------------------------------- */

static ph_sample tension_before(const composition *w, size_t stage, size_t back)
{
    static const double turn = PH_EXTRAPOLATION_TURN;
    double begin, earlier, gamma = ph_composition_gamma_before(w->of, stage, back, &begin),
                           before = ph_composition_gamma_before(w->of, stage, back + 1, &earlier);
    double size = fabs(gamma) + fabs(before);
    return (ph_sample){begin, gamma * (gamma + before),
                       turn * turn * size * size / 24 * size / fabs(gamma + before)};
}

static void guess_stage(const composition *w, size_t stage, ph_stage *own)
{
    ph_sample increments[PH_STAGE_HISTORY], tensions[PH_STAGE_HISTORY],
        increment = ph_increment_before(w->of, stage, 0), tension = tension_before(w, stage, 0);
    for (size_t j = 0; j < PH_STAGE_HISTORY; j++) {
        increments[j] = ph_increment_before(w->of, stage, j + 1);
        tensions[j] = tension_before(w, stage, j + 1);
    }
    for (size_t n = 1; n <= PH_STAGE_HISTORY; n++) {
        ph_extrapolation_weights(increments, n, &increment, own->increments[n - 1]);
        ph_extrapolation_weights(tensions, n, &tension, own->tensions[n - 1]);
    }
}

void ph_variational_composition_init(ph_variational *method, double h, const ph_composition *of, void *memory)
{
    composition *w = memory;
    double begin = 0;
    method->composition = w;
    w->of = of;
    for (size_t i = 0; i < of->stages; i++) {
        w->h[i] = ph_composition_gamma(of, i) * h;
        w->begin[i] = begin;
        begin += w->h[i];
        w->stages[i].step = h;
        w->stages[i].index = i;
        guess_stage(w, i, &w->stages[i]);
    }
}

const ph_stage *ph_variational_composition_stage(const ph_variational *method, size_t i)
{
    return &method->composition->stages[i];
}

/* ---- The step ------------------------------------------------------------------------------------ */

/* Makes stage i of a step that begins at t0. The kernel sees the time of its stage, of which it makes one
 * step. */
static ph_status make_stage(ph_variational *method, ph_context *own, ph_state *state, size_t i, double t0)
{
    const composition *w = method->composition;
    own->h = w->h[i];
    method->stage = &w->stages[i];
    state->t = state->t_base = t0 + w->begin[i];
    return method->kernel->step(method, own, state);
}

static ph_status explain(const ph_context *context, const composition *w, size_t i, ph_status status)
{
    const ph_error why = *context->error;
    return ph_fail(context->error, status, "stage %zu of %zu of %s, of %.4f h: %.380s", i + 1, w->of->stages,
                   w->of->name, ph_composition_gamma(w->of, i),
                   why.message[0] ? why.message : ph_status_text(status));
}

ph_status ph_variational_composition_step(ph_variational *method, ph_context *context, ph_state *state)
{
    composition *w = method->composition;
    const double t = state->t, t_base = state->t_base;
    const int64_t k_base = state->k_base;
    ph_context own = *context;
    ph_status status = PH_OK;
    size_t i = 0;
    save(w, state);
    state->k_base = state->k;
    for (; i < w->of->stages && !status; i++) {
        status = ph_context_allow(&own, t);
        if (!status)
            status = make_stage(method, &own, state, i, t);
    }
    state->t = t;
    state->t_base = t_base;
    state->k_base = k_base;
    if (!status)
        return PH_OK;
    restore(w, state);
    return explain(context, w, i - 1, status);
}
