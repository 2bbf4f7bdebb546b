/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduced equation of a bundle by the Runge-Kutta-Munthe-Kaas method of order 4: x and h move by
 * exponentials of their algebras, xdot = omega . x and hdot = h zeta, the velocity omega by its derivative
 * in the moving frame.
 *     u' = dexp^{-1}(u) omega,  to the terms [u, .] and [u, [u, .]];      f' = T(f)^{-1} zeta.
 * Source: H. Munthe-Kaas, Appl. Numer. Math. 29 (1999) 115. */
#include <polhode/algebra.h>

#include "bundle-motion.h"

/* rate <- (dexp^{-1}(u) omega, omegadot, T(f)^{-1} zeta) at (u, omega, f) from s->from. */
static ph_status derive(ph_bundle_motion *m, double t, const double *at, double *rate)
{
    const ph_bundle *b = m->b;
    ph_bundle_scratch *s = &m->s;
    const size_t np = b->np;
    double *v = s->v, *a = s->v + b->na, *once = s->bracket, *twice = s->turned, zeta[PH_GROUP_MOST];
    ph_space_act(b->base, s->from->x, at, s->x1);
    ph_space_turn(b->base, s->x1, at + np, v);
    ph_status status = ph_bundle_acceleration(b, t, s->x1, v, a, NULL, s->work);
    if (!status)
        status = ph_bundle_group_velocity(b, s->x1, v, zeta, s->work);
    if (status)
        return status;
    /* xddot = omegadot . x + what turning v adds, which is normal to omegadot . x or symmetric: on S^1 and
     * S^2 along x and v, on SO(3) R S(omega)^2 */
    ph_space_spin(b->base, s->x1, a, rate + np);
    ph_space_bracket(b->base, at, at + np, once);
    ph_space_bracket(b->base, at, once, twice);
    for (size_t i = 0; i < np; i++)
        rate[i] = at[np + i] - once[i] / 2 + twice[i] / 12;
    ph_group_tangent(b->is.group, at + 2 * np, zeta, rate + 2 * np);
    return PH_OK;
}

ph_status ph_bundle_rk4_step(ph_bundle_motion *m, double h)
{
    static const double node[] = {0, 0.5, 0.5, 1}, part[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    const ph_bundle *b = m->b;
    ph_bundle_scratch *s = &m->s;
    ph_bundle_place *at = &m->next;
    const size_t np = b->np, n = 2 * np + b->g;
    double *sum = s->rate, *rate = s->rate + n, *first = s->rate + 2 * n, w[PH_GROUP_MOST];
    s->from = at;
    ph_status status = ph_bundle_velocity(b, at->x, at->y, s->v, s->work);
    memset(sum, 0, n * sizeof *sum);
    memset(first, 0, n * sizeof *first);
    if (!status)
        ph_space_spin(b->base, at->x, s->v, first + np);
    memset(rate, 0, n * sizeof *rate);
    for (int i = 0; i < 4 && !status; i++) {
        for (size_t k = 0; k < n; k++)
            s->stage[k] = first[k] + h * node[i] * rate[k];
        status = derive(m, at->t + node[i] * h, s->stage, rate);
        for (size_t k = 0; k < n; k++)
            sum[k] += h * part[i] * rate[k];
    }
    if (status)
        return ph_fail(&m->error, status, "step from t = %.10g s: %s", at->t, ph_status_text(status));
    for (size_t k = 0; k < n; k++)
        sum[k] += first[k];
    ph_bundle_advance(b->base, at->x, at->x_low, sum, s->v);
    ph_group_displacement(b->is.group, at->h, sum + 2 * np, w);
    ph_bundle_advance(b->fibre, at->h, at->h_low, w, s->hh);
    ph_space_turn(b->base, at->x, sum + np, s->v);
    status = ph_bundle_momentum(b, at->x, s->v, at->y, NULL, NULL, s->work);
    at->t += h;
    if (!status && !(ph_all_finite(at->y, np) && ph_all_finite(at->x, b->na) && ph_all_finite(at->h, b->nh)))
        status = PH_E_DIVERGED;
    if (status)
        return ph_fail(&m->error, status, "step to t = %.10g s: %s", at->t, ph_status_text(status));
    return PH_OK;
}
