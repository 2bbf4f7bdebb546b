/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a train on wheels (polhode/kit/train.h) in (z, w) in the velocities that the wheels allow: with qddot_j = wdot_j u_j
 * + s_j q_j, s_j = -|qdot_j|^2, and what differentiating J q . Xdot = 0 leaves,
 *     J q_wheel . Xddot = w_wheel q_wheel . Xdot,
 * the forces less the covector of inertia vanish on these velocities. */
#include <polhode/kit/train.h>

#include "equations.h"

typedef struct places {
    ph_train_frame frame;
    double *f, *g, *F, *s, *V; /* (nz) twice: force, gradient; (np) of both, (factors), (nodes x 2) */
    double *sideways;          /* (nodes) */
} places;

static size_t lay(const ph_train *t, double *work, places *w)
{
    ph_lay l = {(unsigned char *)work, 0};
    ph_train_lay(t, &l, &w->frame);
    w->f = ph_lay_doubles(&l, 2 * t->factors);
    w->g = ph_lay_doubles(&l, 2 * t->factors);
    w->F = ph_lay_doubles(&l, t->factors + 1);
    w->s = ph_lay_doubles(&l, t->factors);
    w->V = ph_lay_doubles(&l, 2 * t->nodes);
    w->sideways = ph_lay_doubles(&l, t->nodes);
    return l.bytes / sizeof(double);
}

size_t ph_train_spin_work(const ph_train *t)
{
    places w;
    return lay(t, NULL, &w);
}

ph_status ph_train_spin(const ph_system *system, const ph_train *t, double time, const double *y,
                        double *ydot, bool *done, double *work)
{
    const double *w = y + 2 * t->factors;
    double *wdot = ydot + 2 * t->factors;
    places a;
    lay(t, work, &a);
    *done = ph_train_find_frame(t, y, &a.frame);
    if (!*done)
        return PH_OK;
    ph_space_turn(ph_system_space(system), y, w, ydot);
    ph_status status = ph_system_force(system, time, y, ydot, a.f);
    if (!status)
        status = ph_system_gradient(system, y, a.g);
    if (status)
        return status;
    for (size_t k = 0; k < 2 * t->factors; k++)
        a.f[k] -= a.g[k];
    a.F[0] = a.f[0];
    a.F[1] = a.f[1];
    for (size_t j = 1; j < t->factors; j++) {
        const double *q = y + 2 * j, *f = a.f + 2 * j, square = w[j + 1] * w[j + 1];
        a.F[j + 1] = ph_cross2(q, f);
        a.s[j] = -square * ph_dot2(q, q);
    }
    ph_train_spread(t, y, w, NULL, a.V);
    for (size_t i = 0; i < t->nodes; i++) {
        const ph_train_node *n = &t->node[i];
        const double *e = y + 2 * n->wheel, *V = a.V + 2 * i;
        if (n->wheel)
            a.sideways[i] = w[n->wheel + 1] * ph_dot2(e, V);
    }
    ph_train_solve(t, &a.frame, y, a.F, a.s, a.sideways, wdot);
    return ph_all_finite(wdot, t->factors + 1) ? PH_OK : PH_E_DIVERGED;
}
