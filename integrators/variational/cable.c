/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of carried.c for a row of links on a body, in the vectors of chain.c: the mass of the body is that of a
 * cart, so that increments of links are those of a chain on it, and what the turn of the body moves the hitch by is less in the first one,
 * q_1+ = q_1 + d_1 - (F - I) c / l_1. The turn is eliminated before the first row (shared/chain-body.h). Steps without a guess are those of
 * carried.c, by whose carry (U, M) the motion gets there and back. A force on the body alone kicks it and the first increment before a step.
 * Once a force has been seen to act on links, all steps are those of carried.c.
 *
 * Sources: as carried.c. */
#include "carried.h"

#include "integrators/shared/chain-body.h"

#include "chain.h"

typedef struct cable_scratch {
    chain_steps steps;
    ph_hitch hitch;
    chain_advancing *advance;
    ph_variational plain;    /* carried.c, with its scratch, */
    double *held;            /* its carry: where forces act, a part of the state's */
    ph_tension_motion links; /* what is known of the chain on its cart, and ... */
    double *lambda;          /* (n) ... pulls times lengths */
    const carried_step *eq;  /* masses and lengths */
    double G[3];
    bool forced;
    double *z1, *f, *still; /* (nz) */
    double *before;         /* the carry before a step, without that of carried.c */
    double *A1;             /* (3n) */
    size_t n;               /* factors of the links */
    size_t carried;         /* numbers of the chain's carry: the body's follow */
} cable_scratch;

/* The body's part of the carry, all doubles; where forces act that of carried.c follows. */
typedef struct cable_body {
    double one_by_one;       /* 1: it is that of carried.c which counts */
    double A[3], tau[3];     /* acceleration by forces, and their moment, at the configuration */
    double last;             /* the last step [s] */
    double R[9], R_low[9];   /* attitude */
    double M[3], M_low[3];   /* as in carried.c */
    double v[GUESSES * 3];   /* turns, the latest first; as many as head.count says, at most */
    double ended[3];         /* chain_body.ended of the last step */
    double rest[3], bent[3]; /* ph_hitch, in the last step; 0 for stages */
} cable_body;

static cable_body *cable_body_of(const cable_scratch *w, double *carry)
{
    return (cable_body *)(void *)(carry + w->carried);
}

static size_t cable_lay(const ph_system *system, const double *options, ph_lay *l)
{
    cable_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_system *links;
    const ph_method_size plain = ph_variational_measure(&ph_variational_carried, system, options);
    (void)ph_system_carrier(system, &links);
    w->n = ph_space_factors(ph_system_space(links));
    w->plain.work = ph_lay_line(l, plain.work);
    w->forced = ph_system_has_force(system);
    if (!w->forced)
        w->held = ph_lay_doubles(l, plain.carry);
    double **vectors[] = {&w->links.q, &w->links.q_low, &w->links.delta, &w->links.low};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, 3 * w->n);
    w->lambda = ph_lay_doubles(l, w->n);
    w->carried = ph_chain_steps_lay(&w->steps, links, options, l);
    const size_t carried = w->carried + sizeof(cable_body) / sizeof(double);
    if (!w->forced)
        return carried;
    double **ambient[] = {&w->z1, &w->f, &w->still};
    for (size_t i = 0; i < sizeof ambient / sizeof ambient[0]; i++)
        *ambient[i] = ph_lay_doubles(l, CARRIED_BODY + 3 * w->n);
    w->before = ph_lay_doubles(l, carried);
    w->A1 = ph_lay_doubles(l, 3 * w->n);
    return carried + plain.carry;
}

static ph_status cable_init(ph_variational *method, ph_context *context)
{
    cable_scratch *w = method->work;
    const ph_system *links;
    const ph_linkage_body *body = ph_system_carrier(context->system, &links);
    ph_chain_steps_set(&w->steps, links, &w->hitch.of, method, context->options);
    ph_hitch_set(&w->hitch, body, &w->steps.c);
    w->advance = ph_chain_choose_advance(&w->steps);
    memcpy(w->G, ph_system_linkage(links)->gravity, sizeof w->G);
    w->plain.kernel = &ph_variational_carried;
    w->eq = ph_carried_equations(w->plain.work);
    for (size_t k = 0; k < CARRIED_BODY + 3 * w->n && w->forced; k++)
        w->f[k] = w->still[k] = 0;
    return ph_variational_begin(&w->plain, context);
}

/* ---- From the guess ------------------------------------------------------------------------------- */

/* What the body has of a step by h, of the carry's guess. */
static void cable_begin(cable_scratch *w, const ph_stage *stage, double h, double count, const cable_body *of)
{
    ph_hitch *b = &w->hitch;
    ph_hitch_begin(b, of->R);
    carried_guess_turn(stage, count < GUESSES ? (size_t)count : GUESSES, of->v, b->b.v);
    for (size_t k = 0; k < 3; k++)
        b->b.load[k] = h * of->M[k] + h * of->M_low[k];
    memcpy(b->rest, of->rest, sizeof b->rest);
    memcpy(b->bent, of->bent, sizeof b->bent);
    memcpy(b->of.ended, of->ended, sizeof b->of.ended);
}

/* The end of the body's step: its attitude and moment of momentum. The pull of the first link is an impulse of stages, else h times one. */
static void cable_end(cable_scratch *w, const chain_carry *links, double h, cable_body *of)
{
    const ph_hitch *b = &w->hitch;
    const bool staged = w->steps.of != NULL;
    double on[3], turn[3];
    for (size_t a = 0; a < 3; a++)
        on[a] = -(links->links->mu[0] * links->links->q[a][0]);
    ph_cross3(b->b.c, on, turn);
    for (size_t k = 0; k < 3; k++) {
        const double kick = staged ? turn[k] : turn[k] / h;
        ph_two_sum(of->M[k], kick + of->M_low[k], &of->M[k], &of->M_low[k]);
        of->ended[k] = w->hitch.il * b->b.Dc[k];
        of->rest[k] = staged ? 0 : b->rest[k];
        of->bent[k] = staged ? 0 : b->bent[k];
    }
    carried_turn(b->b.v, b->b.q0, of->R, of->R_low, of->R, of->R_low);
    memmove(of->v + 3, of->v, (GUESSES - 1) * sizeof b->b.v);
    memcpy(of->v, b->b.v, sizeof b->b.v);
    of->last = h;
}

/* ---- Forces -------------------------------------------------------------------------------------- */

/* z <- at the end of the last step, which is not due. */
static void cable_place(const cable_scratch *w, double *carry, double *z)
{
    const chain *links = &w->steps.c;
    const chain_carry *c = (const chain_carry *)(const void *)carry;
    memcpy(z, c->cart.q, 3 * sizeof *z);
    memcpy(z + 3, cable_body_of(w, carry)->R, 9 * sizeof *z);
    for (size_t lane = 0, i = 0; i < links->n; lane++)
        for (size_t s = 0; s < links->length && i < links->n; s++, i++)
            for (size_t a = 0; a < 3; a++)
                z[12 + 3 * i + a] = c->links[s].q[a][lane];
}

/* of->A, tau <- at (t, z), and A1 all accelerations; do forces act on the body alone? */
static ph_status cable_accelerate(cable_scratch *w, const ph_context *context, double t, const double *z,
                                  cable_body *of, bool *alone)
{
    const size_t nz = CARRIED_BODY + 3 * w->n;
    const ph_status status = ph_context_judge(
        context, "the force", t, ph_system_force(context->system, t, z, w->still, w->f), w->f, nz);
    *alone = true;
    if (status)
        return status;
    for (size_t k = 12; k < nz; k++)
        *alone &= w->f[k] == 0;
    if (*alone) {
        for (size_t k = 0; k < 3; k++)
            of->A[k] = w->eq->w[0] * w->f[k];
        joints_spin(z + 3, w->f + 3, of->tau);
        return PH_OK;
    }
    ph_carried_accelerate(w->eq, z, w->f, w->A1, of->tau);
    for (size_t k = 0; k < 3 * w->n; k++)
        w->A1[k] += w->G[k % 3];
    return PH_OK;
}

/* What forces do to the motion of the body, and so to the first increment, until the middle of a step by h. */
static void cable_kick(const cable_scratch *w, double h, chain_carry *c, cable_body *of)
{
    const double time = 0.5 * (of->last + h), kick = w->steps.of ? time : h * time;
    loose *d = chain_motions(&w->steps.c, c)->d, *low = chain_motions(&w->steps.c, c)->low;
    for (size_t a = 0; a < 3; a++) {
        const vector less = {kick * of->A[a] * w->hitch.il, 0, 0, 0};
        vector sum, rest;
        ph_two_sum(of->M[a], time * of->tau[a] + of->M_low[a], &of->M[a], &of->M_low[a]);
        ph_two_sum(c->cart.d[a], kick * of->A[a] + c->cart.dl[a], &c->cart.d[a], &c->cart.dl[a]);
        two_sum(d[a], second_of(low[a]) - less, &sum, &rest);
        d[a] = sum;
        low[a] = pair(first_of(low[a]), rest);
    }
}

/* ---- Without ---------------------------------------------------------------------------------------- */

/* z and the carry of carried.c <- the motion. */
static void cable_gather(cable_scratch *w, const ph_state *state)
{
    const carried_carry to = carried_carry_of(w->n, w->held);
    const cable_body *of = cable_body_of(w, state->carry);
    ph_tension_carry *head = (ph_tension_carry *)(void *)state->carry;
    const ph_tension_motion *m = &w->links;
    const double per = w->steps.of ? 1 : 1 / of->last;
    memset(w->held, 0, carried_carry_size(w->n) * sizeof(double));
    if (head->h == 0)
        return;
    memcpy(w->hitch.of.ended, of->ended, sizeof w->hitch.of.ended);
    ph_chain_gather(&w->steps.c, head, &w->links);
    memcpy(state->z, m->q, 3 * sizeof(double));
    memcpy(state->z + 3, of->R, sizeof of->R);
    memcpy(state->z + 12, m->q + 3, 3 * (w->n - 1) * sizeof(double));
    memcpy(to.z_low, m->q_low, 3 * sizeof(double));
    memcpy(to.z_low + 3, of->R_low, sizeof of->R_low);
    memcpy(to.z_low + 12, m->q_low + 3, 3 * (w->n - 1) * sizeof(double));
    memcpy(to.M, of->M, sizeof of->M);
    memcpy(to.M_low, of->M_low, sizeof of->M_low);
    for (size_t k = 0; k < 3 * w->n; k++) {
        const double l = per * w->eq->l[k / 3], before = k < 3 ? 0 : to.U[k - 3],
                     low = k < 3 ? 0 : to.U_low[k - 3];
        ph_two_sum(before, l * m->delta[k] + (l * m->low[k] + low), &to.U[k], &to.U_low[k]);
        to.A[k] = w->G[k % 3] + (k < 3 ? of->A[k] : 0);
    }
    memcpy(to.tau, of->tau, sizeof of->tau);
    *to.h = NAN; /* no history */
    *to.last = of->last;
}

/* Back, with pulls and a turn that begin a new history. */
static void cable_scatter(cable_scratch *w, const ph_state *state)
{
    const carried_carry from = carried_carry_of(w->n, w->held);
    const double *z = state->z, h = *from.last;
    const ph_tension_motion *m = &w->links;
    cable_body *of = cable_body_of(w, state->carry);
    ph_tension_carry *head = (ph_tension_carry *)(void *)state->carry;
    memset(of, 0, sizeof *of);
    for (size_t k = 0; k < 3; k++) {
        of->A[k] = from.A[k] - w->G[k];
        of->tau[k] = from.tau[k];
    }
    memcpy(m->q, z, 3 * sizeof *z);
    memcpy(of->R, z + 3, sizeof of->R);
    memcpy(m->q + 3, z + 12, 3 * (w->n - 1) * sizeof *z);
    memcpy(m->q_low, from.z_low, 3 * sizeof *z);
    memcpy(of->R_low, from.z_low + 3, sizeof of->R_low);
    memcpy(m->q_low + 3, from.z_low + 12, 3 * (w->n - 1) * sizeof *z);
    memcpy(of->M, from.M, sizeof of->M);
    memcpy(of->M_low, from.M_low, sizeof of->M_low);
    memcpy(of->v, from.v, 3 * sizeof *z);
    of->last = h;
    for (size_t k = 0; k < 3 * w->n; k++) {
        const double over = (w->steps.of ? 1 : h) * w->eq->il[k / 3], before = k < 3 ? 0 : from.U[k - 3],
                     low = k < 3 ? 0 : from.U_low[k - 3];
        double d, rest;
        ph_two_sum(from.U[k], -before, &d, &rest);
        ph_two_sum(over * d, over * (rest + (from.U_low[k] - low)), &m->delta[k], &m->low[k]);
    }
    for (size_t i = 0; i < w->n; i++)
        w->lambda[i] = from.lambda[i] * w->eq->l[i];
    head->count = 1;
    ph_chain_scatter(&w->steps.c, m, w->lambda, head);
}

/* Do the accelerations in carried.c's carry come from forces on the body alone? */
static bool cable_is_alone(const cable_scratch *w)
{
    const carried_carry c = carried_carry_of(w->n, w->held);
    bool alone = true;
    for (size_t k = 3; k < 3 * w->n; k++)
        alone &= c.A[k] == w->G[k % 3];
    return alone;
}

/* A step of carried.c, from its carry. */
static ph_status cable_plain_step(cable_scratch *w, ph_variational *method, ph_context *context,
                                  ph_state *state)
{
    ph_state own = *state;
    own.carry = w->held;
    w->plain.stage = method->stage;
    return ph_variational_carried.step(&w->plain, context, &own);
}

/* ---- The kernel ------------------------------------------------------------------------------------- */

/* From the guess; *solved: false where that is not good enough, and the motion is as it was. PH_OK, or what the force says. */
static ph_status cable_guessed_step(cable_scratch *w, ph_variational *method, ph_context *context,
                                    ph_state *state, bool *solved)
{
    ph_tension_carry *head = (ph_tension_carry *)(void *)state->carry;
    chain_carry *c = (chain_carry *)(void *)state->carry;
    cable_body *of = cable_body_of(w, state->carry);
    const size_t all = w->carried * sizeof(double) + sizeof *of;
    const double h = context->h, t1 = state->t_base + (double)(state->k + 1 - state->k_base) * h;
    int passes = 0;
    if (w->forced) {
        memcpy(w->before, state->carry, all);
        cable_kick(w, h, c, of);
    }
    cable_begin(w, method->stage, h, head->count, of);
    *solved = w->advance(&w->steps.c, head, &passes);
    context->statistics->newton_passes += passes;
    if (*solved)
        cable_end(w, c, h, of);
    if (!w->forced)
        return PH_OK;
    ph_status status = PH_OK;
    bool alone = true;
    if (*solved) {
        memcpy(w->hitch.of.ended, of->ended, sizeof of->ended);
        ph_chain_end(&w->steps.c, head);
        cable_place(w, state->carry, w->z1);
        status = cable_accelerate(w, context, t1, w->z1, of, &alone);
    }
    if (status || !*solved) {
        memcpy(state->carry, w->before, all);
    } else if (!alone) {
        cable_gather(w, state);
        memcpy(carried_carry_of(w->n, w->held).A, w->A1, 3 * w->n * sizeof(double));
        of->one_by_one = 1;
    }
    return status;
}

static ph_status cable_step(ph_variational *method, ph_context *context, ph_state *state)
{
    cable_scratch *w = method->work;
    ph_tension_carry *head = (ph_tension_carry *)(void *)state->carry;
    cable_body *of = cable_body_of(w, state->carry);
    const double stamp = ph_stage_stamp(method->stage, context->h);
    const bool guessed = head->h == stamp && head->count > 0 && of->one_by_one == 0;
    bool solved = false;
    ph_status status = PH_OK;
    if (w->forced)
        w->held = (double *)(of + 1);
    if (guessed)
        status = cable_guessed_step(w, method, context, state, &solved);
    if (status || solved)
        return status;
    if (of->one_by_one == 0)
        cable_gather(w, state);
    status = cable_plain_step(w, method, context, state);
    if (status && guessed)
        head->count = 0; /* the guess was no good, and may be lost */
    if (status || of->one_by_one > 0)
        return status;
    head->h = stamp;
    head->stage = method->stage ? (double)method->stage->index : 0;
    if (cable_is_alone(w))
        cable_scatter(w, state);
    else
        of->one_by_one = 1;
    return PH_OK;
}

static void cable_synchronise(ph_variational *method, ph_state *state)
{
    cable_scratch *w = method->work;
    ph_state own = *state;
    const cable_body *of = cable_body_of(w, state->carry);
    if (((ph_tension_carry *)(void *)state->carry)->h == 0)
        return;
    if (w->forced)
        w->held = (double *)(uintptr_t)(of + 1);
    if (of->one_by_one == 0)
        cable_gather(w, state);
    own.carry = w->held;
    ph_variational_carried.synchronise(&w->plain, &own);
}

const ph_variational_kernel ph_variational_cable = {
    .lay = cable_lay, .init = cable_init, .step = cable_step, .synchronise = cable_synchronise};
