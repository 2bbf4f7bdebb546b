/* SPDX-License-Identifier: BSD-3-Clause */
/* The motion that rotor-splitting.c follows: bodies, each with its momentum R Pi in space, which is constant during a drift,
 * and coordinates of R^d. */
#ifndef PH_INTEGRATORS_ROTOR_SPLITTING_BODIES_H
#define PH_INTEGRATORS_ROTOR_SPLITTING_BODIES_H

#include <polhode/kit/elementary.h>
#include <polhode/kit/memory.h>
#include <polhode/method.h>

#include "integrators/shared/rotor-turn.h"
#include "lib/internal/lanes.h"
#include "nystroem.h"

/* ---- What survives a step -------------------------------------------------------------------------- */

typedef struct rotor_motion {
    ph_free_turn turn;
    double torque[3]; /* in space, where it is; what follows from it kicks at both ends of a step */
} rotor_motion;

typedef struct rotor_coordinate {
    double x, x_low, p, p_low, force;
} rotor_coordinate;

/* In doubles: whether it is set, the bodies, the coordinates. */
typedef struct rotor_course {
    double *set;
    rotor_motion *body;
    rotor_coordinate *coordinate;
} rotor_course;

/* ---- The system ------------------------------------------------------------------------------------ */

typedef struct rotor_body {
    ph_free_rotor rotor;
    double across,
        excess;  /* half of 1/I of the equal moments, half of what 1/I of the axis has in addition */
    size_t z, p; /* first numbers in z and p */
} rotor_body;

typedef struct rotor_mass {
    double inverse;
    size_t z, p;
} rotor_mass;

/* A body with two equal moments on a fixed point in uniform gravity, whose centre of mass is on its axis. */
typedef struct rotor_top {
    int axis;         /* 0, 1, 2; -1: the system is another */
    double weight[3]; /* m l G: the torque is (R e_axis) x weight */
    /* Of a step, in the numbering of top.c: weights times kicks, drifts times 1/2I, and times what 1/2I_axis has in addition. */
    double push[PH_NYSTROEM_MOST + 1][3], turn[PH_NYSTROEM_MOST], own[PH_NYSTROEM_MOST];
    double most_push, most_turn, most_own; /* the sum of |push|, the largest of |turn| and of |own| */
} rotor_top;

typedef struct rotor_scratch {
    size_t n_bodies, n_coordinates, drifts;
    bool heavy, forced; /* is there a potential, a force? */
    double drift[PH_NYSTROEM_MOST], kick[PH_NYSTROEM_MOST + 1], at[PH_NYSTROEM_MOST]; /* [s] */
    rotor_top top;
    rotor_body *body;
    rotor_mass *mass;
    double *now;           /* of the carry */
    double *z, *g, *f, *v; /* (nz) */
} rotor_scratch;

/* PH_OK where the kinetic energy is that of free bodies and points. */
ph_status rotor_judge(const ph_system *system, ph_error *err);
/* *bodies, *coordinates <- how many. */
void rotor_count(const ph_system *system, size_t *bodies, size_t *coordinates);
/* w->body, mass, top <- of the system. */
void rotor_read(rotor_scratch *w, const ph_system *system);
/* Has it a body with three different moments? */
bool rotor_is_general(const ph_system *system);

rotor_course rotor_course_at(const rotor_scratch *w, double *from);
/* m <- of z and p, without forces. */
void rotor_enter(const rotor_scratch *w, const double *z, const double *p, rotor_course *m);
void rotor_leave(const rotor_scratch *w, const rotor_course *m, double *z, double *p);
/* False where a body turns too far. */
bool rotor_drift(const rotor_scratch *w, double tau, rotor_course *m, int64_t *iterations);
/* Torques and forces <- those at t. */
ph_status rotor_find_forces(ph_context *context, double t, rotor_course *m);
void rotor_kick(const rotor_scratch *w, double tau, rotor_course *m);

/* w->top <- what a step needs. */
void rotor_top_begin(rotor_scratch *w);
/* m <- a step of a top later (top.c); false, and m as it was, where that is not finite. */
bool rotor_top_step(const rotor_scratch *w, ph_free_turn *m);

/* What the length of q lacks <- corrected. */
INLINE void rotor_settle(ph_free_turn *m)
{
    const double *q = m->q, half = 0.5 * (((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])) - 1);
    for (int k = 0; k < 4; k++)
        m->q[k] = ph_rotor_add_low(m->q[k], m->low[k], -half * m->q[k], &m->low[k]);
}

/* ---- A free body with two or three equal moments --------------------------------------------------- */

/* r <- R e_k of the unit quaternion q. */
INLINE void rotor_axis(const int k, const double q[4], double r[3])
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double w = q[0], n = q[1 + k], a = q[1 + i], b = q[1 + j];
    r[k] = (w * w + n * n) - (a * a + b * b);
    r[i] = 2 * (a * n + w * b);
    r[j] = 2 * (b * n - w * a);
}

/* How large the angles t below are known to be: below 1/4 rad, below 1 rad, not at all. */
typedef enum rotor_reach { ROTOR_SMALL, ROTOR_BELOW_1, ROTOR_ANY } rotor_reach;

/* c <- cos t - 1, s <- sin t/t by x = t^2, from series as long as they need to be. */
INLINE void rotor_functions(const rotor_reach reach, double x, double *c, double *s)
{
    const double y = x * x;
    /* clang-format off */
    if (reach == ROTOR_SMALL) {
        const double c0 = -1. / 2 + x * (1. / 24), c2 = -1. / 720 + x * (1. / 40320),
                     c4 = -1. / 3628800 + x * (1. / 479001600),
                     s0 = -1. / 6 + x * (1. / 120), s2 = -1. / 5040 + x * (1. / 362880);
        *c = x * (c0 + y * (c2 + y * c4));
        *s = 1 + x * (s0 + y * (s2 - y * (1. / 39916800)));
    } else if (reach == ROTOR_BELOW_1 || x <= 1) {
        const double z = y * y;
        const double c0 = -1. / 2 + x * (1. / 24), c2 = -1. / 720 + x * (1. / 40320),
                     c4 = -1. / 3628800 + x * (1. / 479001600),
                     c6 = -1. / 87178291200. + x * (1. / 20922789888000.),
                     s0 = -1. / 6 + x * (1. / 120), s2 = -1. / 5040 + x * (1. / 362880),
                     s4 = -1. / 39916800 + x * (1. / 6227020800.),
                     s6 = -1. / 1307674368000. + x * (1. / 355687428096000.);
        *c = x * ((c0 + y * c2) + z * ((c4 + y * c6) - z * (1. / 6402373705728000.)));
        *s = 1 + x * ((s0 + y * s2) + z * (s4 + y * s6));
    } else {
        const double t = sqrt(x), half = ph_sin(0.5 * t);
        *c = -2 * half * half;
        *s = ph_sin(t) / t;
    }
    /* clang-format on */
}

/* d <- exp(u) q exp(v e_k) - q: of the angles v and |u| are known cos - 1, sin v and sin|u|/|u|. */
INLINE void rotor_increment(const int k, double cv, double sv, double cu, double su_over, const double u[3],
                            const double q[4], double d[4])
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double su[3] = {su_over * u[0], su_over * u[1], su_over * u[2]};
    double about[4], p[4];
    about[0] = cv * q[0] - sv * q[1 + k];
    about[1 + k] = cv * q[1 + k] + sv * q[0];
    about[1 + i] = cv * q[1 + i] + sv * q[1 + j];
    about[1 + j] = cv * q[1 + j] - sv * q[1 + i];
    for (int l = 0; l < 4; l++)
        p[l] = q[l] + about[l];
    d[0] = about[0] + ((cu * p[0] - su[0] * p[1]) - (su[1] * p[2] + su[2] * p[3]));
    d[1] = about[1] + ((cu * p[1] + su[0] * p[0]) + (su[1] * p[3] - su[2] * p[2]));
    d[2] = about[2] + ((cu * p[2] + su[1] * p[0]) + (su[2] * p[1] - su[0] * p[3]));
    d[3] = about[3] + ((cu * p[3] + su[2] * p[0]) + (su[0] * p[2] - su[1] * p[1]));
}

/* m <- after the time tau: with r = R e_k, by
 *     R exp(tau (1/I_k - 1/I) y_k e_k),  y_k = r . S,   then   exp(tau S/I) of that. */
INLINE void rotor_turn_axial(const int k, double across, double excess, double tau, const double r[3],
                             ph_free_turn *m)
{
    const double *S = m->S, factor = tau * across, u[3] = {factor * S[0], factor * S[1], factor * S[2]},
                 v = tau * excess * ph_dot3(r, S);
    double c, s, own_c, own_s, d[4];
    rotor_functions(ROTOR_ANY, v * v, &own_c, &own_s);
    rotor_functions(ROTOR_ANY, ph_dot3(u, u), &c, &s);
    rotor_increment(k, own_c, own_s * v, c, s, u, m->q, d);
    for (int l = 0; l < 4; l++)
        m->q[l] = ph_rotor_add_low(m->q[l], m->low[l], d[l], &m->low[l]);
}

#endif
