/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of eight free bodies at once (polhode/ensemble.h), each with moments of its own, in vectors across the systems. A body leaves
 * for its first step and where its turn is not found fast; its step is then made by the method itself. */
#include "lib/internal/lanes.h"
#include "rigid.h"

#include <string.h>

enum { EIGHT = PH_METHOD_LANES, ALL = (1 << EIGHT) - 1 };

/* rigid_motion and rigid_leap, eight numbers in the place of one. */
typedef struct eight_motion {
    double q[4][EIGHT], low[4][EIGHT], S[3][EIGHT], S_low[3][EIGHT], moment[3][EIGHT], H[EIGHT], C[EIGHT],
        h[EIGHT], count[EIGHT], w[3][EIGHT], y[3][EIGHT], pull[EIGHT], u[HISTORY][3][EIGHT];
} eight_motion;
_Static_assert(sizeof(eight_motion) == EIGHT * sizeof(rigid_motion), "numbers in the same order");

typedef struct eight_leap {
    double q[4][EIGHT], low[4][EIGHT], y[3][EIGHT], u[3][EIGHT];
} eight_leap;

typedef struct eight {
    double unit[EIGHT], inverse[3][EIGHT]; /* ph_rotor_series */
    double weight[HISTORY][EIGHT];         /* of the guess */
    rigid bodies[EIGHT];
    eight_leap next;
    unsigned (*move)(const struct eight *, const eight_motion *, double h, eight_leap *to);
    ph_lanes_alone alone;
} eight;

#define LANES_WIDTH 8
#include "integrators/shared/lanes-width.h"

#include "eight.h"
#define LANES_WIDTH 4
#include "integrators/shared/lanes-width.h"

#include "eight.h"
#define LANES_WIDTH 2
#include "integrators/shared/lanes-width.h"

#include "eight.h"
#define LANES_WIDTH 0
#include "integrators/shared/lanes-width.h"

static void lay(eight *w, ph_method_size one, const ph_system *system, ph_lay *l)
{
    ph_lay_line(l, sizeof *w);
    ph_lanes_alone_lay(&w->alone, one, system, l);
}

ph_method_size ph_moser_veselov_eight_size(ph_method_size one, const ph_system *system)
{
    eight counted;
    ph_lay l = {NULL, 0};
    lay(&counted, one, system, &l);
    return (ph_method_size){.work = l.bytes, .carry = EIGHT * one.carry};
}

ph_status ph_moser_veselov_eight_init(ph_context *context, const ph_method *single, ph_method_size one)
{
    eight *w = context->work;
    ph_lay l = {context->work, 0};
    lay(w, one, context->system, &l);
    ph_lanes_alone_begin(&w->alone, single, context);
    w->move = ph_lanes(PH_KERNEL_AVX512) ? eight_wide8_move_all
              : ph_lanes(PH_KERNEL_AVX2) ? eight_wide4_move_all
                                         : eight_plain_move_all;
    for (size_t lane = 0; lane < EIGHT; lane++) {
        rigid *r = &w->bodies[lane];
        double I[3];
        ph_principal_axes(ph_system_bodies(w->alone.systems[lane])->J, r->axes, I);
        ph_rotor_begin(I, &r->series);
        w->unit[lane] = r->series.unit;
        for (size_t i = 0; i < 3; i++)
            w->inverse[i][lane] = r->series.inverse[i];
    }
    return PH_OK;
}

ph_status ph_moser_veselov_eight_step(ph_context *context, ph_state *state)
{
    eight *w = context->work;
    eight_motion *m = (eight_motion *)(void *)state->carry;
    unsigned left = 0;
    for (size_t lane = 0; lane < EIGHT; lane++)
        left |= m->h[lane] != context->h || m->count[lane] == 0 ? 1u << lane : 0;
    for (size_t lane = 0; lane < EIGHT; lane++)
        for (size_t k = 0; k < HISTORY; k++)
            w->weight[k][lane] = rigid_weight[(int)m->count[lane]][k];
    if (left != ALL)
        left |= ALL & ~w->move(w, m, context->h, &w->next);
    const ph_status status = left ? ph_lanes_alone_step(&w->alone, context, state, left) : PH_OK;
    if (status)
        return status;
    memcpy(m->q, w->next.q, sizeof m->q);
    memcpy(m->low, w->next.low, sizeof m->low);
    memcpy(m->y, w->next.y, sizeof m->y);
    memmove(m->u[1], m->u[0], (HISTORY - 1) * sizeof m->u[0]);
    memcpy(m->u[0], w->next.u, sizeof m->u[0]);
    for (size_t lane = 0; lane < EIGHT; lane++)
        m->count[lane] = m->count[lane] < HISTORY ? m->count[lane] + 1 : HISTORY;
    ph_lanes_alone_scatter(&w->alone, state, left);
    return PH_OK;
}

void ph_moser_veselov_eight_synchronise(ph_context *context, ph_state *state)
{
    const eight *w = context->work;
    const eight_motion *m = (const eight_motion *)(const void *)state->carry;
    for (size_t lane = 0; lane < EIGHT; lane++) {
        const double q[4] = {m->q[0][lane], m->q[1][lane], m->q[2][lane], m->q[3][lane]},
                     S[3] = {m->S[0][lane], m->S[1][lane], m->S[2][lane]};
        double R[9], p[3];
        rigid_orientation(&w->bodies[lane], q, R);
        ph_rotation_correct3(R);
        ph_apply_transposed3(R, S, p);
        for (size_t k = 0; k < 9; k++)
            state->z[EIGHT * k + lane] = R[k];
        for (size_t k = 0; k < 3; k++)
            state->p[EIGHT * k + lane] = p[k];
    }
}
