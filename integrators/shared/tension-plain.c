/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of kernels that have a carry of their own, under gravity alone: by a guess where there is one
 * (ph_tension_ways), and otherwise without, by the equations of integrators/shared/tensions.h. Also the test for
 * a row of links. */
#include "tensions.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/tensions.h>

#include <string.h>

void ph_tension_plain_lay(ph_tension_plain *w, const ph_system *system, ph_lay *l)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    double **vectors[] = {&w->pulls,    &w->A,    &w->from.q,   &w->from.q_low, &w->from.delta,
                          &w->from.low, &w->to.q, &w->to.q_low, &w->to.delta,   &w->to.low};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, nz);
    w->from.A = w->A;
    ph_tension_step_lay(&w->eq, system, l);
}

ph_status ph_tension_plain_init(ph_tension_plain *w)
{
    ph_tension_step_init(&w->eq);
    return ph_system_free_acceleration(w->eq.system, w->from.q, NULL, w->A);
}

ph_status ph_tension_plain_step(ph_tension_plain *w, double h, ph_context *context, const ph_state *state)
{
    if (w->from.h == 0)
        memcpy(w->from.q, state->z, state->nz * sizeof *state->z);
    ph_tension_step_begin(&w->eq, h, &w->from, state->p);
    ph_status status = ph_tension_step_solve(&w->eq, context, state->t);
    if (status)
        return status;
    ph_tension_pull(w->eq.system, w->eq.q, w->eq.lambda, w->pulls);
    ph_tension_step_end(&w->eq, h, &w->from, w->pulls, &w->to);
    if (!ph_all_finite(w->to.q, w->eq.nz))
        return ph_fail(context->error, PH_E_DIVERGED, "the configuration is not finite after t = %.10g s",
                       state->t);
    return PH_OK;
}

void ph_tension_plain_synchronise(ph_tension_plain *w, ph_state *state)
{
    memcpy(state->z, w->from.q, state->nz * sizeof *state->z);
    ph_tension_step_momentum(&w->eq, &w->from, state->p);
}

/* w->from <- the kernel's motion. In a composition delta is the velocity at the end of the latest stage: that in
 * its middle plus half a kick of gravity. */
static void gather(ph_tension_plain *w, const ph_tension_ways *ways, void *kernel, const ph_state *state)
{
    ph_tension_carry *c = (ph_tension_carry *)(void *)state->carry;
    ph_tension_motion *from = &w->from;
    from->velocity = ways->of != NULL;
    from->h = c->h;
    if (c->h != 0)
        ways->gather(kernel, c, from);
    if (!from->velocity)
        return;
    if (c->h == 0) {
        memcpy(from->q, state->z, state->nz * sizeof *from->q);
        memset(from->q_low, 0, state->nz * sizeof *from->q_low);
        memset(from->low, 0, state->nz * sizeof *from->low);
        ph_tension_step_velocity(&w->eq, from->q, state->p, from->delta);
        from->h = 1; /* there is a velocity */
        return;
    }
    const double half = 0.5 * ph_composition_gamma(ways->of, (size_t)c->stage) * c->h;
    for (size_t k = 0; k < w->eq.nz; k++)
        ph_two_sum(from->delta[k], half * from->A[k] + from->low[k], &from->delta[k], &from->low[k]);
}

/* w->to.delta <- the velocity in the middle of a stage of h, from that at its start. */
static void enter(ph_tension_plain *w, double h)
{
    for (size_t k = 0; k < w->eq.nz; k++)
        ph_two_sum(w->from.delta[k], (0.5 * h * w->A[k] + w->pulls[k] / h) + w->from.low[k], &w->to.delta[k],
                   &w->to.low[k]);
}

ph_status ph_tension_ways_step(ph_tension_plain *w, const ph_tension_ways *ways, const ph_stage *stage,
                               void *kernel, ph_context *context, ph_state *state)
{
    const double h = context->h, stamp = ph_stage_stamp(stage, h);
    ph_tension_carry *c = (ph_tension_carry *)(void *)state->carry;
    int passes = 0;
    const bool guessed = c->h == stamp && c->count > 0;
    if (!guessed || !ways->advance(kernel, c, &passes)) {
        gather(w, ways, kernel, state);
        ph_status status = ph_tension_plain_step(w, h, context, state);
        if (status) {
            if (guessed)
                c->count = 0; /* the guess was no good, and may be lost */
            return status;
        }
        if (ways->of)
            enter(w, h);
        c->count = 1;
        c->h = stamp;
        c->stage = stage ? (double)stage->index : 0;
        ways->scatter(kernel, &w->to, w->eq.lambda, c);
    }
    context->statistics->newton_passes += passes;
    return PH_OK;
}

void ph_tension_ways_synchronise(ph_tension_plain *w, const ph_tension_ways *ways, void *kernel,
                                 ph_state *state)
{
    gather(w, ways, kernel, state);
    ph_tension_plain_synchronise(w, state);
}

bool ph_is_row_of_links(const ph_system *system, size_t *links)
{
    const ph_space *space = ph_system_space(system);
    const ph_linkage *linkage = ph_system_linkage(system);
    const size_t n = ph_space_factors(space);
    const bool cart = ph_space_factor(space, 0)->kind != PH_FACTOR_S2;
    *links = n - cart;
    bool row = linkage && !ph_system_has_force(system) && !ph_system_has_further_potential(system) &&
               ph_space_factor(space, n - 1)->kind == PH_FACTOR_S2;
    for (size_t i = 0; i < n && row; i++)
        row = linkage->parent[i] == (i ? i - 1 : PH_NO_INDEX);
    return row;
}
