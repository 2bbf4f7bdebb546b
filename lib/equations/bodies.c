/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler's equations of rigid bodies, each with its own kinetic energy (1/2) Omega . J Omega,
 *     Rdot = R S(Omega),   Pidot = Pi x Omega + M,   Pi = J Omega,
 *     M = -vee(R^T dU - dU^T R) + the moment of the forces;
 * what the equations on SO(3) come to (embedded manifolds paper, after eq. (3.8)). In Omega:
 *     J Omegadot = Pi x Omega + M. */
#include "equations.h"

#include <polhode/kit/algebra.h>

/* Gradient and force (9 each), and an angular velocity (3), for each body. */
size_t ph_bodies_work(const ph_system *system)
{
    size_t n = ph_space_factors(ph_system_space(system));
    return 2 * 9 * n + 3 * n;
}

/* Rdot = R S(w), a row each. */
static inline void turn(const double *R, const double *w, double *Rdot)
{
    ph_cross3(R, w, Rdot);
    ph_cross3(R + 3, w, Rdot + 3);
    ph_cross3(R + 6, w, Rdot + 6);
}

/* *push (nz) <- dU - f, at the head of the work; NULL where there is none. Where there is a force, Rdot is written. */
static ph_status push_bodies(const ph_system *system, double t, const double *R, const double *w,
                             double *Rdot, double *work, const double **push)
{
    const size_t n = ph_space_factors(ph_system_space(system));
    const bool forced = ph_system_has_force(system);
    double *g = work, *f = work + 9 * n;
    *push = NULL;
    if (!forced && !ph_system_has_potential(system))
        return PH_OK;
    *push = g;
    ph_status status = ph_system_gradient(system, R, g);
    if (status || !forced)
        return status;
    for (size_t i = 0; i < n; i++)
        turn(R + 9 * i, w + 3 * i, Rdot + 9 * i);
    status = ph_system_force(system, t, R, Rdot, f);
    for (size_t k = 0; k < 9 * n && !status; k++)
        g[k] -= f[k];
    return status;
}

/* moment <- L x w - vee(R^T push - push^T R), L the angular momentum; push NULL for none. */
static inline void add_up(const double *R, const double *L, const double *w, const double *push,
                          double *moment)
{
    double A[9];
    ph_cross3(L, w, moment);
    if (push) {
        ph_transposed_multiply3(R, push, A);
        moment[0] -= A[7] - A[5];
        moment[1] -= A[2] - A[6];
        moment[2] -= A[3] - A[1];
    }
}

/* Omegadot = J^{-1} (J Omega x Omega + M), ydot = (Rdot, Omegadot). */
ph_status ph_bodies_spin(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_body *body = ph_system_bodies(system);
    size_t n = ph_space_factors(ph_system_space(system)), nz = 9 * n;
    const double *push;
    ph_status status = push_bodies(system, t, y, y + nz, ydot, work, &push);
    for (size_t i = 0; i < n && !status; i++, body++) {
        const double *R = y + 9 * i, *w = y + nz + 3 * i;
        double L[3], moment[3];
        turn(R, w, ydot + 9 * i);
        ph_apply3(body->J, w, L);
        add_up(R, L, w, push ? push + 9 * i : NULL, moment);
        ph_apply3(body->inverse, moment, ydot + nz + 3 * i);
    }
    return status;
}

/* Pidot = Pi x J^{-1} Pi + M, ydot = (Rdot, Pidot). */
ph_status ph_bodies_momentum(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_body *body = ph_system_bodies(system);
    size_t n = ph_space_factors(ph_system_space(system)), nz = 9 * n;
    double *w = work + 2 * nz;
    const double *push;
    for (size_t i = 0; i < n; i++)
        ph_apply3(body[i].inverse, y + nz + 3 * i, w + 3 * i);
    ph_status status = push_bodies(system, t, y, w, ydot, work, &push);
    for (size_t i = 0; i < n && !status; i++) {
        const double *R = y + 9 * i;
        turn(R, w + 3 * i, ydot + 9 * i);
        add_up(R, y + nz + 3 * i, w + 3 * i, push ? push + 9 * i : NULL, ydot + nz + 3 * i);
    }
    return status;
}
