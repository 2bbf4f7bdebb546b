/* SPDX-License-Identifier: BSD-3-Clause */
/* What a step of eight systems at once (gravitation-lanes.c) does in vectors: included once for each width of them
 * (lanes-width.h).
 * Arrays have eight numbers, one of each system, in place of each; a vector has WIDTH of them, and EIGHT / WIDTH
 * vectors follow each other. */
#include "gravitation-move.h"
#include "gravitation-turn.h"

INLINE void OF(read)(const double *from, size_t n, number *to)
{
    for (size_t k = 0; k < n; k++)
        to[k] = *(const loosely *)(const void *)(from + EIGHT * k);
}

INLINE void OF(write)(const number *from, size_t n, double *to)
{
    for (size_t k = 0; k < n; k++)
        *(loosely *)(void *)(to + EIGHT * k) = from[k];
}

/* Places of the systems in a part, and z1. */
INLINE void OF(move_part)(const eight_scratch *w, const double *z, const eight_motion *from, double kick,
                          double h, size_t at)
{
    for (size_t i = 0; i < w->places; i++) {
        const OF(moving) *m = (const void *)(from->places + i * EIGHT_MOVING + at);
        OF(moved) *to = (void *)(w->moved + i * EIGHT_MOVED + at / WIDTH * (sizeof *to / sizeof(double)));
        number x[3];
        OF(read)(z + 3 * EIGHT * i + at, 3, x);
        OF(move)(m, x, kick, h / *(const loosely *)(const void *)(w->inertia + EIGHT * i + at), to);
        OF(write)(to->x, 3, w->z1 + 3 * EIGHT * i + at);
    }
}

/* Attitudes likewise. Returns for which systems that failed. */
INLINE unsigned OF(turn_part)(eight_scratch *w, ph_context *context, const ph_state *state,
                              const eight_motion *from, double kick, const double *weights, size_t at,
                              ph_status *status)
{
    const bool due = from->is->round[0] >= GRAVITATION_ROUND - 1;
    unsigned failed = 0;
    ph_error aside; /* words are those of the first failure */
    ph_context later = *context;
    later.error = &aside;
    for (size_t i = 0; i < w->attitudes; i++) {
        const size_t attitude = EIGHT * (3 * w->places + 9 * i) + at;
        const OF(turning) *t = (const void *)(from->turning + i * EIGHT_TURNING + at);
        OF(turned) *to = (void *)(w->turned + i * EIGHT_TURNED + at / WIDTH * (sizeof *to / sizeof(double)));
        number R[9], g[3], f[3] = {{0}}, D[9], y[3];
        truth good = {0};
        OF(body) body;
        OF(read)(w->J2 + 6 * EIGHT * i + at, 6, body.J2);
        OF(read)(state->z + attitude, 9, R);
        OF(kick)(t, R, kick, context->h, g, to);
        if (weights) {
            OF(guess)(t, weights, f);
            OF(solve)(&body, g, f, &good, &context->statistics->newton_passes);
        }
        OF(turn)(R, f, y, D);
        if (!OF(all)(good)) {
            number own[9], pull[3], guess[3], turned[9], twist[3];
            for (size_t k = 0; k < 9; k++) {
                own[k] = R[k];
                turned[k] = D[k];
            }
            for (size_t k = 0; k < 3; k++) {
                pull[k] = g[k];
                twist[k] = y[k];
            }
            if (weights)
                OF(guess)(t, weights, guess);
            for (int lane = 0; lane < WIDTH; lane++) {
                if (good[lane])
                    continue;
                const ph_status found =
                    OF(by_root)(*status ? &later : context, state->t, w->J[EIGHT * i + at + (size_t)lane],
                                &w->newton, own, pull, t, weights ? guess : NULL, lane, twist, turned);
                if (found) {
                    *status = found;
                    failed |= 1u << (at + (size_t)lane);
                }
            }
            for (size_t k = 0; k < 9; k++)
                D[k] = turned[k];
            for (size_t k = 0; k < 3; k++)
                y[k] = twist[k];
        }
        for (size_t k = 0; k < 3; k++)
            to->y[k] = y[k];
        OF(advance)(t, due, R, D, to);
        if (!OF(none)(OF(exceeds)(y, GRAVITATION_SMALL)))
            OF(settle)(OF(exceeds)(y, GRAVITATION_SMALL), to);
        OF(write)(to->R, 9, w->z1 + attitude);
    }
    return failed;
}

static TARGET unsigned OF(go)(eight_scratch *w, ph_context *context, const ph_state *state,
                              const eight_motion *from, double kick, const double *weights, ph_status *status)
{
    unsigned failed = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH) {
        OF(move_part)(w, state->z, from, kick, context->h, at);
        failed |= OF(turn_part)(w, context, state, from, kick, weights, at, status);
    }
    return failed;
}

/* Which systems' forces and new state are not finite? */
static TARGET unsigned OF(unbounded)(const eight_scratch *w)
{
    unsigned failed = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH) {
        number sum = {0};
        for (size_t k = 0; k < 3 * (w->places + w->attitudes); k++)
            sum += 0 * *(const loosely *)(const void *)(w->force + EIGHT * k + at);
        for (size_t i = 0; i < w->places; i++) {
            const OF(moved) *m =
                (const void *)(w->moved + i * EIGHT_MOVED + at / WIDTH * (sizeof *m / sizeof(double)));
            sum += 0 * (m->p[0] + m->p[1] + m->p[2] + (m->x[0] + m->x[1] + m->x[2]));
        }
        for (size_t i = 0; i < w->attitudes; i++) {
            const OF(turned) *t =
                (const void *)(w->turned + i * EIGHT_TURNED + at / WIDTH * (sizeof *t / sizeof(double)));
            sum += 0 * (t->S[0] + t->S[1] + t->S[2]);
        }
        for (size_t lane = 0; lane < WIDTH; lane++)
            failed |= sum[lane] == 0 ? 0u : 1u << (at + lane);
    }
    return failed;
}

static TARGET void OF(keep_all)(const eight_scratch *w, ph_state *state, const eight_motion *to)
{
    for (size_t at = 0; at < EIGHT; at += WIDTH) {
        for (size_t i = 0; i < w->places; i++) {
            OF(moving) *m = (void *)(to->places + i * EIGHT_MOVING + at);
            const OF(moved) *found =
                (const void *)(w->moved + i * EIGHT_MOVED + at / WIDTH * (sizeof *found / sizeof(double)));
            number F[3];
            OF(read)(w->force + 3 * EIGHT * i + at, 3, F);
            OF(keep_moved)(found, F, m);
            OF(write)(found->x, 3, state->z + 3 * EIGHT * i + at);
        }
        for (size_t i = 0; i < w->attitudes; i++) {
            OF(turning) *t = (void *)(to->turning + i * EIGHT_TURNING + at);
            const OF(turned) *found =
                (const void *)(w->turned + i * EIGHT_TURNED + at / WIDTH * (sizeof *found / sizeof(double)));
            number T[3];
            OF(read)(w->force + 3 * EIGHT * (w->places + i) + at, 3, T);
            OF(keep)(found, T, t);
            OF(write)(found->R, 9, state->z + EIGHT * (3 * w->places + 9 * i) + at);
        }
    }
}
