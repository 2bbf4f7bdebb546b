/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of gravitation.c for eight systems at once (polhode/ensemble.h), with the same bodies or with bodies of their own.
 * z, p and the carry have eight numbers, one of each system, in place of each. Turns and moves are those of
 * gravitation-turn.h and gravitation-move.h in vectors across the systems, of eight, four or two numbers, as the processor
 * has them. What each system gets are the bits that it gets alone. */
#include <polhode/kit/rotation.h>

#include "gravitation.h"

#include <string.h>

enum { EIGHT = PH_METHOD_LANES };
_Static_assert(PH_METHOD_LANES == PH_GRAVITATION_LANES, "forces and steps are of as many systems");
/* Doubles of what is carried, and of what a step finds, of a place and of an attitude. */
enum {
    EIGHT_MOVING = 12 * EIGHT,
    EIGHT_TURNING = (18 + 3 * GRAVITATION_PAST) * EIGHT,
    EIGHT_MOVED = 12 * EIGHT,
    EIGHT_TURNED = 27 * EIGHT
};

/* At the beginning of the carry, the same for all; as in gravitation.c. */
typedef struct eight_carried {
    double stamp[EIGHT], count[EIGHT], round[EIGHT], half[EIGHT];
} eight_carried;

typedef struct eight_motion {
    eight_carried *is;
    double *places, *turning;
} eight_motion;

struct eight_kind;

typedef struct eight_scratch {
    const struct eight_kind *kind;
    const ph_gravitation *of[EIGHT];
    ph_gravitation_each *each; /* pairs that differ, evaluated at once; or NULL */
    bool same;                 /* have all the same bodies? */
    size_t places, attitudes;
    double *inertia;  /* (8 places) */
    const double **J; /* (8 attitudes) */
    double *J2;       /* (8 x 6 attitudes) */
    eight_carried none;
    double *begin;             /* a carry for states that have been set */
    double *moved, *turned;    /* what a step finds */
    double *z1, *force;        /* (8 nz), (8 np) at its end */
    double *one_z, *one_force; /* (nz), (np) of one system */
    ph_newton_work newton;
} eight_scratch;

/* ---- In vectors ------------------------------------------------------------------------------------------------ */

#define LANES_WIDTH 8
#include "integrators/shared/lanes-width.h"

#include "gravitation-eight.h"
#define LANES_WIDTH 4
#include "integrators/shared/lanes-width.h"

#include "gravitation-eight.h"
#define LANES_WIDTH 2
#include "integrators/shared/lanes-width.h"

#include "gravitation-eight.h"
#define LANES_WIDTH 0
#include "integrators/shared/lanes-width.h"

typedef struct eight_kind {
    unsigned (*go)(eight_scratch *, ph_context *, const ph_state *, const eight_motion *, double,
                   const double *, ph_status *);
    unsigned (*unbounded)(const eight_scratch *);
    void (*keep)(const eight_scratch *, ph_state *, const eight_motion *);
} eight_kind;

static const eight_kind eight_wide8 = {eight_wide8_go, eight_wide8_unbounded, eight_wide8_keep_all},
                        eight_wide4 = {eight_wide4_go, eight_wide4_unbounded, eight_wide4_keep_all},
                        eight_plain = {eight_plain_go, eight_plain_unbounded, eight_plain_keep_all};

static const eight_kind *eight_kind_here(void)
{
    return ph_lanes(PH_KERNEL_AVX512) ? &eight_wide8 : ph_lanes(PH_KERNEL_AVX2) ? &eight_wide4 : &eight_plain;
}

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

static size_t eight_carry(const ph_gravitation *g)
{
    return sizeof(eight_carried) / sizeof(double) + ph_gravitation_places(g) * EIGHT_MOVING +
           ph_gravitation_attitudes(g) * EIGHT_TURNING;
}

static size_t eight_lay(const ph_system *system, const double *options, ph_lay *l)
{
    eight_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t places = ph_gravitation_places(g), attitudes = ph_gravitation_attitudes(g),
                 nz = 3 * places + 9 * attitudes, np = 3 * (places + attitudes);
    (void)options;
    w->moved = ph_lay_line(l, places * EIGHT_MOVED * sizeof(double));
    w->turned = ph_lay_line(l, attitudes * EIGHT_TURNED * sizeof(double));
    w->z1 = ph_lay_line(l, EIGHT * nz * sizeof(double));
    w->force = ph_lay_line(l, EIGHT * np * sizeof(double));
    w->begin = ph_lay_line(l, eight_carry(g) * sizeof(double));
    w->each = ph_lay_line(l, ph_gravitation_each_size());
    w->inertia = ph_lay_line(l, EIGHT * places * sizeof *w->inertia);
    w->J2 = ph_lay_line(l, 6 * EIGHT * attitudes * sizeof *w->J2);
    w->J = ph_lay_bytes(l, EIGHT * attitudes * sizeof *w->J);
    w->one_z = ph_lay_doubles(l, nz);
    w->one_force = ph_lay_doubles(l, np);
    ph_newton_place(&w->newton, 3, l);
    return eight_carry(g);
}

static eight_motion eight_motion_of(const eight_scratch *w, double *carry)
{
    double *places = carry + sizeof(eight_carried) / sizeof(double);
    return (eight_motion){(eight_carried *)(void *)carry, places, places + w->places * EIGHT_MOVING};
}

/* The numbers of a system. */
static void eight_set(eight_scratch *w, size_t lane, const ph_gravitation *g)
{
    static const size_t entry[6] = {0, 1, 2, 4, 5, 8};
    w->of[lane] = g;
    w->same = w->same && g == w->of[0];
    for (size_t i = 0; i < w->places; i++)
        w->inertia[EIGHT * i + lane] = ph_gravitation_inertia(g)[i];
    for (size_t i = 0; i < ph_gravitation_bodies(g); i++) {
        const size_t at = ph_gravitation_attitude(g, i);
        if (at == PH_NO_INDEX)
            continue;
        w->J[EIGHT * at + lane] = ph_gravitation_mass(g, i)->J;
        for (size_t k = 0; k < 6; k++)
            w->J2[EIGHT * (6 * at + k) + lane] = 2 * ph_gravitation_mass(g, i)->J[entry[k]];
    }
}

static ph_status eight_init(ph_variational *method, ph_context *context)
{
    eight_scratch *w = method->work;
    const ph_gravitation *first = ph_system_gravitation(context->system);
    w->kind = eight_kind_here();
    w->places = ph_gravitation_places(first);
    w->attitudes = ph_gravitation_attitudes(first);
    w->same = true;
    for (size_t lane = 0; lane < EIGHT; lane++)
        eight_set(w, lane, context->systems ? ph_system_gravitation(context->systems[lane]) : first);
    w->each = w->same ? NULL : ph_gravitation_each_place(w->of, w->each);
    return PH_OK;
}

/* ---- The step -------------------------------------------------------------------------------------------------- */

/* force <- all forces and torques at z. */
static void eight_evaluate(const eight_scratch *w, double t, const double *z)
{
    const size_t nz = 3 * w->places + 9 * w->attitudes, np = 3 * (w->places + w->attitudes);
    double *torque = w->force + 3 * EIGHT * w->places;
    if (w->each) {
        ph_gravitation_each_forces(w->each, z, w->force, torque);
        return;
    }
    if (w->same && ph_gravitation_forces_lanes(w->of[0], EIGHT, PH_ATTRACT_ALL, t, z, w->force, torque, NULL))
        return;
    for (size_t lane = 0; lane < EIGHT; lane++) {
        for (size_t k = 0; k < nz; k++)
            w->one_z[k] = z[EIGHT * k + lane];
        ph_gravitation_forces(w->of[lane], PH_ATTRACT_ALL, t, w->one_z, w->one_force,
                              w->one_force + 3 * w->places, NULL);
        for (size_t k = 0; k < np; k++)
            w->force[EIGHT * k + lane] = w->one_force[k];
    }
}

/* What would be carried if a step had ended in the states that have been set. */
static eight_motion eight_begin(eight_scratch *w, const ph_state *state)
{
    const eight_motion from = eight_motion_of(w, w->begin);
    memset(w->begin, 0, eight_carry(w->of[0]) * sizeof *w->begin);
    eight_evaluate(w, state->t, state->z);
    for (size_t i = 0; i < w->places; i++) {
        double *m = from.places + i * EIGHT_MOVING; /* p, p_low, x_low, F */
        memcpy(m, state->p + 3 * EIGHT * i, 3 * EIGHT * sizeof *m);
        memcpy(m + 9 * EIGHT, w->force + 3 * EIGHT * i, 3 * EIGHT * sizeof *m);
    }
    for (size_t i = 0; i < w->attitudes; i++) {
        double *t = from.turning + i * EIGHT_TURNING; /* R_low, S, S_low, T, y */
        const double *R = state->z + EIGHT * (3 * w->places + 9 * i),
                     *Pi = state->p + 3 * EIGHT * (w->places + i);
        for (size_t lane = 0; lane < EIGHT; lane++)
            for (size_t k = 0; k < 3; k++)
                t[EIGHT * (9 + k) + lane] = R[EIGHT * (3 * k) + lane] * Pi[lane] +
                                            R[EIGHT * (3 * k + 1) + lane] * Pi[EIGHT + lane] +
                                            R[EIGHT * (3 * k + 2) + lane] * Pi[2 * EIGHT + lane];
        memcpy(t + EIGHT * 15, w->force + 3 * EIGHT * (w->places + i), 3 * EIGHT * sizeof *t);
    }
    return from;
}

/* The first of the systems that failed, for the message; all of them in context->failed. */
static ph_status eight_fail(ph_context *context, unsigned failed, ph_status status)
{
    if (context->failed)
        *context->failed |= failed;
    return status;
}

static ph_status eight_step(ph_variational *method, ph_context *context, ph_state *state)
{
    eight_scratch *w = method->work;
    const double h = context->h, t1 = state->t_base + (double)(state->k + 1 - state->k_base) * h,
                 stamp = ph_stage_stamp(method->stage, h);
    const eight_motion own = eight_motion_of(w, state->carry);
    eight_motion from = own.is->half[0] == 0 ? eight_begin(w, state) : own;
    const double count = from.is->stamp[0] == stamp ? from.is->count[0] : 0;
    const double round = from.is->round[0] < GRAVITATION_ROUND - 1 ? from.is->round[0] + 1 : 0;
    ph_status status = PH_OK;
    unsigned failed = w->kind->go(w, context, state, &from, from.is->half[0] + 0.5 * h,
                                  count > 0 ? ph_gravitation_weights(method->stage, count) : NULL, &status);
    if (failed)
        return eight_fail(context, failed, status);
    eight_evaluate(w, t1, w->z1);
    failed = w->kind->unbounded(w);
    if (failed)
        return eight_fail(context, failed,
                          ph_fail(context->error, PH_E_NOT_FINITE,
                                  "the gradient of the potential is not finite at t = %.10g s", t1));
    w->kind->keep(w, state, &own);
    for (size_t lane = 0; lane < EIGHT; lane++) {
        own.is->stamp[lane] = stamp;
        own.is->count[lane] = count < GRAVITATION_PAST ? count + 1 : GRAVITATION_PAST;
        own.is->round[lane] = round;
        own.is->half[lane] = 0.5 * h;
    }
    return PH_OK;
}

static void eight_synchronise(ph_variational *method, ph_state *state)
{
    const eight_scratch *w = method->work;
    const eight_motion own = eight_motion_of(w, state->carry);
    const double half = own.is->half[0];
    for (size_t i = 0; i < w->places; i++) {
        const double *m = own.places + i * EIGHT_MOVING;
        for (size_t k = 0; k < 3 * EIGHT; k++)
            state->p[3 * EIGHT * i + k] = m[k] + (m[3 * EIGHT + k] + half * m[9 * EIGHT + k]);
    }
    for (size_t i = 0; i < w->attitudes; i++)
        for (size_t at = 0; at < EIGHT; at += 2) {
            plain2 R[9], Pi[3];
            eight_plain_read(state->z + EIGHT * (3 * w->places + 9 * i) + at, 9, R);
            eight_plain_momentum((const void *)(own.turning + i * EIGHT_TURNING + at), R, half, Pi);
            eight_plain_write(Pi, 3, state->p + 3 * EIGHT * (w->places + i) + at);
        }
}

const ph_variational_kernel ph_variational_gravitation_lanes = {.lay = eight_lay,
                                                                .init = eight_init,
                                                                .step = eight_step,
                                                                .synchronise = eight_synchronise,
                                                                .lanes = EIGHT};
