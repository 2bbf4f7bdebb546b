/* SPDX-License-Identifier: BSD-3-Clause */
/* A state is moved along the manifold: q <- exp_q(xi q) with xi in the algebra of the group of motions, an angular velocity as
 * `omega` has it (on S^2 its part along q moves nothing; on SO(3) R exp(S(xi)), in the body frame), on an embedded manifold by
 * its retraction. The velocity goes with it: on S^2 it is turned by the same rotation, on the others omega stays, on an
 * embedded manifold it is projected; then omega <- omega + eta. */
#include "perturb.h"

#include <polhode/kit/rotation.h>

#include <string.h>

/* omega (of one factor) <- carried from q to where xi leads it. */
static void carry(const ph_factor_place *f, const double *q, const double *xi, double *omega)
{
    double turn[3], R[9], turned[3];
    if (f->kind != PH_FACTOR_S2)
        return;
    const double along = ph_dot3(q, xi);
    for (int i = 0; i < 3; i++)
        turn[i] = xi[i] - along * q[i];
    ph_exp3(turn, R);
    ph_apply3(R, omega, turned);
    memcpy(omega, turned, sizeof turned);
}

void ph_perturb(const ph_space *space, const double *z, const double *zdot, const double *xi,
                const double *eta, double *z1, double *omega, double *work)
{
    ph_space_turn(space, z, xi, work);
    ph_space_project_tangent(space, z, work);
    ph_space_exp(space, z, work, z1);
    ph_space_correct(space, z1);
    if (ph_space_is_phase_space(space))
        return;
    ph_space_spin(space, z, zdot, omega);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        carry(f, z + f->z, xi + f->p, omega + f->p);
    }
    for (size_t i = 0; i < ph_space_momenta(space); i++)
        omega[i] += eta[i];
    ph_space_turn(space, z1, omega, work);
    ph_space_project_tangent(space, z1, work);
    ph_space_spin(space, z1, work, omega);
}
