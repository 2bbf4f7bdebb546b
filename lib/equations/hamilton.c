/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of a Hamiltonian from those of its Lagrangian, for Hamilton's equations in any variables. With
 *     H(z, mu) = mu . P w - L(z, P w), stationary in w,
 * the terms that come from a change of w drop out, so that at v = P w
 *     dH/dmu = v,      dH/dz . d = (mu - L_v) . (dP[d] v) - L_z . d;
 * only the velocity has to be found, from P L_v(z, v) = P mu. (On S^2, dH/dq = (q . L_v) v - L_q.) H is
 * defined off the cotangent bundle, too; the equations do not depend on how (embedded manifolds paper,
 * eqs. (2.7), (2.8)). */
#include "equations.h"
#include "lib/system/evaluation.h"

size_t ph_hamilton_work(const ph_system *system)
{
    return 6 * ph_space_ambient(ph_system_space(system)) + ph_system_work(system);
}

/* The arrays of h in the order of its members, then scratch. A general Lagrangian may have no inverse
 * transform. */
ph_status ph_hamilton_derivatives(const ph_system *system, double t, const double *z, const double *mu,
                                  double *work, ph_hamilton *h)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    *h = (ph_hamilton){work, work + nz, work + 2 * nz, work + 3 * nz, work + 4 * nz};
    double *rest = work + 6 * nz;
    bool singular = false;
    ph_status status = ph_invert_transform(system, t, z, mu, h->v, rest, &singular);
    if (singular)
        status = ph_field_singular(system, status != PH_E_NOT_FINITE);
    if (!status)
        status = ph_system_lagrangian_gradient(system, t, z, h->v, h->Lz, h->Lv, rest);
    return status ? status : ph_system_force(system, t, z, h->v, h->f);
}
