/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Lagrange equations of bodies under mutual gravity (polhode/domain/gravitation.h) in velocities and angular velocities, whatever
 * else acts on them:
 *     xdot = v,   m vdot = -dU/dx + f,   Rdot = R S(Omega),   J Omegadot = J Omega x Omega + M,
 *     M = -vee(R^T push - push^T R), push = dU/dR - f.
 * The general equations of product.c come to these, since the inertia has a block for each place and each attitude. */
#include "kind.h"

#include <polhode/kit/vector.h>

/* Gradient and force. */
size_t ph_gravitating_work(const ph_system *system)
{
    return 2 * ph_space_ambient(ph_system_space(system));
}

/* a <- J^-1 b of a symmetric matrix, by its adjugate. */
static void divide(const double *J, const double b[3], double a[3])
{
    const double xx = J[4] * J[8] - J[5] * J[5], xy = J[2] * J[5] - J[1] * J[8],
                 xz = J[1] * J[5] - J[2] * J[4], yy = J[0] * J[8] - J[2] * J[2],
                 yz = J[1] * J[2] - J[0] * J[5], zz = J[0] * J[4] - J[1] * J[1],
                 determinant = J[0] * xx + J[1] * xy + J[2] * xz;
    a[0] = (xx * b[0] + xy * b[1] + xz * b[2]) / determinant;
    a[1] = (xy * b[0] + yy * b[1] + yz * b[2]) / determinant;
    a[2] = (xz * b[0] + yz * b[1] + zz * b[2]) / determinant;
}

/* wdot <- of one body. */
static void turn(const double *J, const double *R, const double *w, const double *push, double *wdot)
{
    double A[9], L[3], moment[3];
    ph_apply3(J, w, L);
    ph_cross3(L, w, moment);
    ph_transposed_multiply3(R, push, A);
    moment[0] -= A[7] - A[5];
    moment[1] -= A[2] - A[6];
    moment[2] -= A[3] - A[1];
    divide(J, moment, wdot);
}

ph_status ph_gravitating_spin(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_gravitation *of = ph_system_gravitation(system);
    const size_t places = 3 * ph_gravitation_places(of), attitudes = ph_gravitation_attitudes(of),
                 nz = places + 9 * attitudes;
    const double *w = y + nz, *spin = w + places, *m = ph_gravitation_inertia(of);
    double *push = work, *f = push + nz, *wdot = ydot + nz;
    for (size_t k = 0; k < places; k++)
        ydot[k] = w[k];
    for (size_t i = 0; i < attitudes; i++)
        for (size_t row = places + 9 * i; row < places + 9 * i + 9; row += 3)
            ph_cross3(y + row, spin + 3 * i, ydot + row);
    const bool forced = ph_system_has_force(system);
    ph_status status = ph_system_gradient(system, y, push);
    if (!status && forced)
        status = ph_system_force(system, t, y, ydot, f);
    if (status)
        return status;
    for (size_t k = 0; k < nz && forced; k++)
        push[k] -= f[k];
    for (size_t k = 0; k < places; k++)
        wdot[k] = -push[k] / m[k / 3];
    for (size_t i = 0; i < ph_gravitation_bodies(of); i++) {
        const size_t at = ph_gravitation_attitude(of, i), place = places + 9 * at;
        if (at != PH_NO_INDEX)
            turn(ph_gravitation_mass(of, i)->J, y + place, spin + 3 * at, push + place,
                 wdot + places + 3 * at);
    }
    return PH_OK;
}
