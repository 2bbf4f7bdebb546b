/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of bodies.c for eight systems of a single body at once (polhode/ensemble.h), in vectors across the systems: each body
 * has its inertia and its potential, but no force. */
#include <polhode/kit/algebra.h>

#include "bodies.h"
#include "integrators/shared/carry.h"
#include "lanes.h"

#include <string.h>

/* Potentials: none; one whose gradient is the same everywhere, as that of gravity; any other, by callbacks. */
enum { FREE, IN_FIELD, CALLED };
/* Up to here it is finite in the frame of the body, too. */
static const double largest_S = 1e300;

/* What is carried, eight numbers in the place of one: ph_carry, and R itself. */
typedef struct eight_motion {
    double h[EIGHT], count[EIGHT];
    double R[9 * EIGHT], low[9 * EIGHT], S[3 * EIGHT], S_low[3 * EIGHT];
    double y[9 * EIGHT]; /* increments, the latest first */
    double g[9 * EIGHT]; /* gradient, by callbacks */
} eight_motion;

typedef struct eight_body {
    double J2[9 * EIGHT];   /* twice the inertia */
    double push[9 * EIGHT]; /* the opposite of the gradient in a field */
    double dS[3 * EIGHT];   /* half kick at the beginning of a step */
    const struct eight_kind *kind;
    int potential; /* FREE, ... */
    bool even;     /* is it that in all lanes? */
    const ph_system *system[EIGHT];
} eight_body;

#define LANES_WIDTH 8
#include "integrators/shared/lanes-width.h"

#include "bodies-eight.h"
#define LANES_WIDTH 4
#include "integrators/shared/lanes-width.h"

#include "bodies-eight.h"
#define LANES_WIDTH 2
#include "integrators/shared/lanes-width.h"

#include "bodies-eight.h"
#define LANES_WIDTH 0
#include "integrators/shared/lanes-width.h"

typedef struct eight_kind {
    /* FREE and IN_FIELD */
    unsigned (*step[2])(const eight_body *, const eight_motion *, const ph_stage *, double h, eight_motion *);
    unsigned (*turn)(eight_body *, const eight_motion *, const ph_stage *, double h, eight_motion *);
    unsigned (*push)(const eight_body *, const eight_motion *, double h, eight_motion *);
} eight_kind;

#define KIND(width)                                                                                          \
    {                                                                                                        \
        {eight_##width##_step_free, eight_##width##_step_in_field}, eight_##width##_turn_all,                \
            eight_##width##_push_all                                                                         \
    }
static const eight_kind eight_wide8 = KIND(wide8), eight_wide4 = KIND(wide4), eight_plain = KIND(plain);

/* ---- Systems --------------------------------------------------------------------------------------------------- */

static size_t eight_numbers(const ph_system *system, const double *options)
{
    (void)system;
    (void)options;
    return sizeof(eight_motion) / sizeof(double);
}

static int potential_of(const ph_system *system)
{
    const bool gravity = ph_system_articulation(system) && !ph_system_has_further_potential(system);
    return !ph_system_has_potential(system) ? FREE : gravity ? IN_FIELD : CALLED;
}

static void eight_begin(void *own, const ph_context *context)
{
    eight_body *w = own;
    w->kind = ph_lanes(PH_KERNEL_AVX512) ? &eight_wide8
              : ph_lanes(PH_KERNEL_AVX2) ? &eight_wide4
                                         : &eight_plain;
    w->potential = potential_of(context->system);
    w->even = true;
}

static void eight_set(void *own, const ph_context *context, size_t lane, const ph_system *system)
{
    static const double anywhere[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    eight_body *w = own;
    const ph_body *body = ph_system_bodies(system);
    double g[9] = {0};
    (void)context;
    w->system[lane] = system;
    w->even = w->even && w->potential == potential_of(system) &&
              (w->potential != IN_FIELD || !ph_system_gradient(system, anywhere, g));
    for (size_t k = 0; k < 9; k++) {
        w->J2[EIGHT * k + lane] = 2 * body->J[k];
        w->push[EIGHT * k + lane] = 0 - g[k];
    }
}

/* ---- The step -------------------------------------------------------------------------------------------------- */

/* to->g in these lanes; returns those where there is one. */
static unsigned eight_gradient(const eight_body *w, unsigned lanes, eight_motion *to)
{
    unsigned good = lanes;
    for (size_t lane = 0; lane < EIGHT; lane++) {
        double z[9], g[9];
        if (!(lanes & 1u << lane))
            continue;
        for (size_t k = 0; k < 9; k++)
            z[k] = to->R[EIGHT * k + lane];
        if (ph_system_gradient(w->system[lane], z, g) || !ph_all_finite(g, 9))
            good &= ~(1u << lane);
        for (size_t k = 0; k < 9; k++)
            to->g[EIGHT * k + lane] = g[k];
    }
    return good;
}

static unsigned eight_advance(void *own, const ph_stage *stage, double h, const double *carry, double *more,
                              double *end)
{
    (void)more;
    eight_body *w = own;
    const eight_motion *from = (const eight_motion *)(const void *)carry;
    eight_motion *to = (eight_motion *)(void *)end;
    unsigned good;
    if (!w->even || from->h[0] != ph_stage_stamp(stage, h) || from->count[0] == 0)
        return 0;
    for (size_t lane = 0; lane < EIGHT; lane++) {
        to->h[lane] = from->h[lane];
        to->count[lane] = from->count[lane] < PH_CARRY_HISTORY ? from->count[lane] + 1 : PH_CARRY_HISTORY;
    }
    if (w->potential != CALLED)
        return w->kind->step[w->potential](w, from, stage, h, to);
    good = eight_gradient(w, w->kind->turn(w, from, stage, h, to), to);
    return good & w->kind->push(w, from, h, to);
}

/* ---- Single bodies --------------------------------------------------------------------------------------------- */

static void pick(const double *from, size_t n, size_t lane, double *to)
{
    for (size_t k = 0; k < n; k++)
        to[k] = from[EIGHT * k + lane];
}

static void put(const double *from, size_t n, size_t lane, double *to)
{
    for (size_t k = 0; k < n; k++)
        to[EIGHT * k + lane] = from[k];
}

static void eight_gather(const void *own, const double *carry, const double *more, size_t lane, ph_state *one)
{
    (void)more;
    const eight_body *w = own;
    const eight_motion *from = (const eight_motion *)(const void *)carry;
    const ph_carry c = ph_carry_at(one->carry, 3, 9);
    memset(one->carry, 0, one->ncarry * sizeof *one->carry);
    if (from->h[lane] == 0)
        return;
    *c.h = from->h[lane];
    *c.count = from->count[lane];
    pick(from->S, 3, lane, c.S);
    pick(from->S_low, 3, lane, c.low);
    pick(from->low, 9, lane, c.z_low);
    pick(from->y, 9, lane, c.y);
    const bool known = w->even && w->potential != CALLED;
    pick(known ? w->push : from->g, 9, lane, c.more);
    for (size_t k = 0; k < 9 && known; k++)
        c.more[k] = 0 - c.more[k];
    pick(from->R, 9, lane, one->z);
    ph_apply_transposed3(one->z, c.S, one->p);
}

static void eight_scatter(const void *own, const ph_state *one, size_t lane, double *more, double *end)
{
    (void)more;
    eight_motion *to = (eight_motion *)(void *)end;
    const ph_carry c = ph_carry_at(one->carry, 3, 9);
    (void)own;
    to->h[lane] = *c.h;
    to->count[lane] = *c.count;
    put(c.S, 3, lane, to->S);
    put(c.low, 3, lane, to->S_low);
    put(c.z_low, 9, lane, to->low);
    put(c.y, 9, lane, to->y);
    put(c.more, 9, lane, to->g);
    put(one->z, 9, lane, to->R);
}

static const lanes_form eight_form = {.single = &ph_variational_bodies,
                                      .bytes = sizeof(eight_body),
                                      .carry = eight_numbers,
                                      .begin = eight_begin,
                                      .set = eight_set,
                                      .advance = eight_advance,
                                      .gather = eight_gather,
                                      .scatter = eight_scatter};

static size_t eight_lay(const ph_system *system, const double *options, ph_lay *l)
{
    return ph_lanes_lay(&eight_form, system, options, l);
}

static ph_status eight_init(ph_variational *method, ph_context *context)
{
    return ph_lanes_init(&eight_form, method, context);
}

const ph_variational_kernel ph_variational_bodies_lanes = {.lay = eight_lay,
                                                           .init = eight_init,
                                                           .step = ph_lanes_step,
                                                           .synchronise = ph_lanes_synchronise,
                                                           .dense = true,
                                                           .lanes = EIGHT};
