/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of rotor-splitting for a symmetric top on a fixed point in uniform gravity, as one kernel. The torque is across the
 * axis r = R e_k, so that the momentum along it, y = r . S, is constant not only in drifts: the turns about the axis are known
 * at the beginning of a step, and of a stage nothing is needed but r,
 *     S <- S + r x (b h weight),      q <- exp(a h S/2I) q exp(a h (1/I_k - 1/I) y e_k/2).
 * Axes of space and of the body are renumbered alike, so that k is 0. The changes of a step are summed, and added with the
 * low-order parts. */

/* Vectors of two that GCC makes of neighbouring numbers wait for what was just stored one by one. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "bodies.h"

void rotor_top_begin(rotor_scratch *w)
{
    rotor_top *t = &w->top;
    const rotor_body *body = w->body;
    t->most_push = t->most_turn = t->most_own = 0;
    for (size_t i = 0; i <= w->drifts; i++) {
        for (int l = 0; l < 3; l++)
            t->push[i][l] = w->kick[i] * t->weight[(t->axis + l) % 3];
        t->most_push += ph_norm3(t->push[i]);
    }
    for (size_t i = 0; i < w->drifts; i++) {
        t->turn[i] = w->drift[i] * body->across;
        t->own[i] = w->drift[i] * body->excess;
        t->most_turn = fmax(t->most_turn, fabs(t->turn[i]));
        t->most_own = fmax(t->most_own, fabs(t->own[i]));
    }
}

/* The turns about the axis: cos - 1 and sin of half of them. */
typedef struct own_turns {
    double c[PH_NYSTROEM_MOST], s[PH_NYSTROEM_MOST];
} own_turns;

INLINE void find_turns(const rotor_reach reach, const rotor_scratch *w, double y, own_turns *own)
{
    const size_t last = w->drifts - 1;
    for (size_t i = 0; 2 * i <= last; i++) { /* the others are the same, mirrored */
        const double a = w->top.own[i] * y;
        double c, s;
        rotor_functions(reach, a * a, &c, &s);
        own->c[i] = own->c[last - i] = c;
        own->s[i] = own->s[last - i] = a * s;
    }
}

/* A motion in the numbering of the kernel: where the step begins, and what has been added, with the low-order parts. */
typedef struct course {
    double q0[4], S0[3], q[4], S[3], dq[4], dS[3], r[3];
} course;

INLINE void follow(const rotor_reach reach, const rotor_scratch *w, double y, course *m)
{
    own_turns own;
    find_turns(reach, w, y, &own);
    for (size_t i = 0;; i++) {
        double kick[3], d[4], c, s;
        ph_cross3(m->r, w->top.push[i], kick);
        for (int l = 0; l < 3; l++) {
            m->dS[l] += kick[l];
            m->S[l] = m->S0[l] + m->dS[l];
        }
        if (i == w->drifts)
            break;
        const double turn = w->top.turn[i], u[3] = {turn * m->S[0], turn * m->S[1], turn * m->S[2]};
        rotor_functions(reach, ph_dot3(u, u), &c, &s);
        rotor_increment(0, own.c[i], own.s[i], c, s, u, m->q, d);
        for (int l = 0; l < 4; l++) {
            m->dq[l] += d[l];
            m->q[l] = m->q0[l] + m->dq[l];
        }
        rotor_axis(0, m->q, m->r);
    }
}

PH_WITH_FMA bool rotor_top_step(const rotor_scratch *w, ph_free_turn *to)
{
    const rotor_top *t = &w->top;
    const int i = t->axis, j = (i + 1) % 3, k = (i + 2) % 3;
    course m = {.q0 = {to->q[0], to->q[1 + i], to->q[1 + j], to->q[1 + k]},
                .S0 = {to->S[i], to->S[j], to->S[k]},
                .dq = {to->low[0], to->low[1 + i], to->low[1 + j], to->low[1 + k]},
                .dS = {to->S_low[i], to->S_low[j], to->S_low[k]}};
    for (int l = 0; l < 4; l++)
        m.q[l] = m.q0[l];
    rotor_axis(0, m.q, m.r);
    /* |S| grows by at most the sum of the kicks */
    const double y = ph_dot3(m.r, m.S0),
                 most = fmax(t->most_turn * (ph_norm3(m.S0) + t->most_push), t->most_own * fabs(y));
    if (most <= 0.25)
        follow(ROTOR_SMALL, w, y, &m);
    else if (most <= 1)
        follow(ROTOR_BELOW_1, w, y, &m);
    else
        follow(ROTOR_ANY, w, y, &m);
    if (!ph_all_finite(m.q, 4) || !ph_all_finite(m.S, 3))
        return false;
    const double *q = m.q, half = 0.5 * (((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])) - 1);
    to->q[0] = ph_rotor_add_low(m.q0[0], m.dq[0], -half * q[0], &to->low[0]);
    for (int l = 0; l < 3; l++) {
        const int at = (i + l) % 3;
        to->q[1 + at] = ph_rotor_add_low(m.q0[1 + l], m.dq[1 + l], -half * q[1 + l], &to->low[1 + at]);
        to->S[at] = ph_rotor_add_low(m.S0[l], m.dS[l], 0, &to->S_low[at]);
    }
    return true;
}
