/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a body that rolls on a plane (polhode/kit/rolling.h) in (x, R, xdot, Omega), with the reaction eliminated: with
 * gammadot = gamma x Omega, nudot and adot along it, M = J + m a a^T, e the horizontal part of R (Omega x (Omega x nu + nudot)),
 *     xddot = (R (Omegadot x nu)) + e + carried xdot,
 *     M Omegadot = (M Omega) x Omega + l - Mdot Omega - nu x R^T (m xddot - pull) (+ gamma mu_3, gamma . Omegadot = 0). */
#include <polhode/kit/rolling.h>

#include "equations.h"

void ph_rolling_spin(const ph_rolling *r, const double *y, double *ydot)
{
    const double *R = y + 2, *up = R + 6, *xdot = y + 11, *Omega = y + 13;
    const double m = r->mass;
    double nu[3], a[3], H[9], rise[3], L[3], b[3], along[3], moved[3], move[3], off[2], back[3], lever[3],
        e[3];
    ydot[0] = xdot[0];
    ydot[1] = xdot[1];
    for (int i = 0; i < 3; i++)
        ph_cross3(R + 3 * i, Omega, ydot + 2 + 3 * i);
    const double *upward = ydot + 8;
    ph_apply3(r->J, Omega, L);
    if (r->radius > 0) {
        for (int k = 0; k < 3; k++) {
            nu[k] = r->radius * up[k];
            moved[k] = r->radius * upward[k];
        }
        ph_cross3(L, Omega, b);
    } else {
        double slope[3], l[3];
        ph_rolling_shape(r, up, nu, a, H);
        ph_rolling_lift(up, nu, H, Omega, slope);
        ph_apply3(H, upward, moved);
        ph_cross3(moved, up, rise);
        ph_cross3(nu, upward, along);
        const double speed = m * ph_dot3(a, Omega);
        for (int k = 0; k < 3; k++) {
            rise[k] += along[k]; /* adot */
            L[k] += speed * a[k];
            slope[k] = speed * slope[k] - r->weight * nu[k];
        }
        const double faster = m * ph_dot3(rise, Omega);
        ph_cross3(slope, up, l);
        ph_cross3(L, Omega, b);
        for (int k = 0; k < 3; k++)
            b[k] += l[k] - speed * rise[k] - faster * a[k];
    }
    ph_cross3(Omega, nu, move);
    for (int k = 0; k < 3; k++)
        move[k] += moved[k];
    ph_cross3(Omega, move, e);
    for (int i = 0; i < 2; i++) {
        off[i] = ph_dot3(R + 3 * i, e) + (r->carried[2 * i] * xdot[0] + r->carried[2 * i + 1] * xdot[1]);
        ydot[11 + i] = off[i];
        off[i] = m * off[i] - r->pull[i];
    }
    for (int k = 0; k < 3; k++)
        back[k] = R[k] * off[0] + R[3 + k] * off[1];
    ph_cross3(nu, back, lever);
    for (int k = 0; k < 3; k++)
        b[k] -= lever[k];
    ph_rolling_solve(r, up, nu, b, ydot + 13);
    ph_cross3(ydot + 13, nu, move);
    for (int i = 0; i < 2; i++)
        ydot[11 + i] += ph_dot3(R + 3 * i, move);
}
