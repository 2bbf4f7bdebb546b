/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Lagrange equations in angular velocities (lib/equations/q-omega.c) of a row of links that a rigid body carries, under forces
 * on the body alone. Without pulls the body has
 *     m (xddot - G) = f,      J Omegadot_0 + Omega x J Omega = R^T S,
 * f the force on x, S the moment of that on R, and its hitch, at c = R hitch, the acceleration beyond gravity
 *     b = f / m + R (Omegadot_0 x hitch + Omega x (Omega x hitch)).
 * A pull u = p q of the first link moves it by -W u (carried.c): with Q = R^T q and g = J^{-1} (hitch x Q)
 *     W q = q / m + R (g x hitch),
 * so that the row is a chain on a cart with W in the place of an inverse mass (lib/equations/chain); with its p
 *     xddot = G + (f - p q) / m,      Omegadot = Omegadot_0 - p g,      omegadot_i = q_i x qddot_i.
 * Trees and other forces have the equations of any product. */
#include "carried.h"

#include "lib/equations/chain/accelerate.h"
#include "lib/equations/equations.h"
#include "lib/system/system.h"

#include <math.h>
#include <string.h>

enum { BODY = 12, SPIN = 6 }; /* from z to z of the first link, from w to its w */

static bool is_row(const ph_system *s, const ph_carried *c)
{
    return c->tree->chain && c->tree->ordinary && c->tree->n > 2 && !ph_system_has_further_potential(s);
}

size_t ph_carried_spin_work(const ph_system *s)
{
    const ph_carried *c = ph_system_own(s, ph_carried_free);
    const size_t here = is_row(s, c) ? ph_chain_accelerate_work(&c->tree->row) : 0,
                 there = ph_product_work(s);
    return here > there ? here : there;
}

/* f, S (3, zeros) <- on the body; *alone: is there no force on the links? zdot, all (nz): scratch. */
static ph_status push(const ph_system *s, double t, const double *z, const double *w, double *zdot,
                      double *all, double f[3], double S[3], bool *alone)
{
    const bool still = ph_system_force_ignores_velocity(s); /* which then may be any numbers */
    if (!still)
        ph_space_turn(s->space, z, w, zdot);
    const ph_status status = ph_system_force(s, t, z, still ? z : zdot, all);
    if (status)
        return status;
    memcpy(f, all, 3 * sizeof *f);
    ph_carried_moment(z + 3, all + 3, S);
    double on[3] = {0, 0, 0}; /* three sums, which do not wait for each other */
    for (size_t k = BODY; k < s->nz; k += 3) {
        on[0] += fabs(all[k]);
        on[1] += fabs(all[k + 1]);
        on[2] += fabs(all[k + 2]);
    }
    *alone = on[0] + on[1] + on[2] == 0;
    return PH_OK;
}

ph_status ph_carried_spin(const ph_system *s, double t, const double *y, double *ydot, double *work)
{
    const ph_carried *c = ph_system_own(s, ph_carried_free);
    if (!is_row(s, c))
        return ph_product_spin(s, t, y, ydot, work);
    const double *R = y + 3, *w = y + s->nz, *Omega = w + 3, *hitch = c->body.hitch, *q = y + BODY;
    double *wdot = ydot + s->nz, f[3] = {0}, S[3] = {0}, own[3], b[3], p[3], turn[3], once[3], Omegadot[3],
           g[3];
    const ph_link_row *row = &c->tree->row;
    const double w0 = c->tree->inverse_mass[0];
    ph_link_body body;
    const bool forced = ph_system_has_force(s);
    bool alone = true;
    const ph_status status = forced ? push(s, t, y, w, ydot, work, f, S, &alone) : PH_OK;
    if (status || !alone)
        return status ? status : ph_product_spin(s, t, y, ydot, work);
    ph_apply_transposed3(R, q, own);
    ph_cross3(hitch, own, turn);
    ph_apply3(c->inverse, turn, g);
    ph_cross3(g, hitch, turn);
    ph_apply3(R, turn, body.yields);
    ph_apply3(c->body.inertia, Omega, turn);
    ph_cross3(turn, Omega, b);
    if (forced) {
        ph_apply_transposed3(R, S, turn);
        for (size_t k = 0; k < 3; k++)
            b[k] += turn[k];
    }
    ph_apply3(c->inverse, b, Omegadot);
    ph_cross3(Omega, hitch, once);
    ph_cross3(Omega, once, b);
    ph_cross3(Omegadot, hitch, once);
    for (size_t k = 0; k < 3; k++)
        once[k] += b[k];
    ph_apply3(R, once, b);
    for (size_t k = 0; k < 3; k++)
        body.fall[k] = -(b[k] + w0 * f[k]);
    if (!ph_chain_spin(row, &body, q, w + SPIN, ydot + BODY, wdot + SPIN, p, work))
        return PH_E_DIVERGED;
    for (size_t k = 0; k < 3; k++) {
        ydot[k] = w[k];
        ph_cross3(R + 3 * k, Omega, ydot + 3 + 3 * k);
        wdot[k] = row->ride[k] + w0 * (f[k] - p[0] * q[k]);
        wdot[3 + k] = Omegadot[k] - p[0] * g[k];
    }
    return PH_OK;
}

ph_status ph_carried_spin_project(const ph_system *s, double *y, bool *done)
{
    const ph_carried *c = ph_system_own(s, ph_carried_free);
    *done = is_row(s, c) && ph_all_finite(y, 3) && ph_chain_is_near(&c->tree->row, y + BODY);
    const ph_status status = *done ? ph_space_factor_project(s->space, 1, y) : PH_OK;
    if (*done && !status)
        ph_chain_project(&c->tree->row, y + BODY, y + s->nz + SPIN);
    return status;
}
