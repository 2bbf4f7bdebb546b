/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Lagrange equations of a linkage in (z, zdot), with the multipliers of |q_i| = 1 as unknowns, the
 * tensions tau_i of the links:
 *     zddot = a + MM^{-1} (tau q),
 *     T tau = -(|qdot_i|^2 + q_i.a_i),      T_ij = q_i.(MM^{-1})_ij q_j,
 * a the acceleration without them (tensions.h), which has every force in it. T is symmetric positive definite
 * and is eliminated along the links, in time and memory of O(n). The second line says
 *     q_i.qddot_i + |qdot_i|^2 = 0
 * whether |q_i| = 1 or not: off the manifold |q_i|^2 has no second derivative in time.
 * y = (z, zdot). Chains under gravity alone have a kernel, chain/accelerate.c, which finds the same to rounding. */
#include "arrays.h"
#include "equations.h"
#include "lib/equations/chain/accelerate.h"

#include <polhode/kit/tensions.h>

#include <math.h>
#include <string.h>

static ph_status supports(const ph_system *system, ph_error *err)
{
    if (ph_system_is_sparse(system))
        return PH_OK;
    return ph_fail(err, PH_E_UNSUPPORTED,
                   "it takes systems of links, chains and trees with or without a cart, "
                   "that were created from a linkage, or from an inverse_inertia; use another form");
}

/* The force or the acceleration by the tensions, the tensions, the factors; or what the Legendre transform
 * needs, if that is more. */
static size_t work_size(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const ph_link_row *row = ph_chain_row(system);
    size_t here = row ? ph_chain_accelerate_work(row)
                      : ph_space_ambient(space) + ph_space_factors(space) + ph_tension_size(system),
           there = ph_system_work(system);
    return here > there ? here : there;
}

/* tau_i <- -(|qdot_i|^2 + q_i.a_i) of n vectors of d numbers. */
static inline __attribute__((always_inline)) void drive(const size_t d, size_t n, const double *q,
                                                        const double *v, const double *a, double *tau)
{
    for (size_t i = 0; i < n; i++, q += d, v += d, a += d) {
        double sum = 0;
        for (size_t k = 0; k < d; k++)
            sum += v[k] * v[k] + q[k] * a[k];
        tau[i] = -sum;
    }
}

/* The same of all factors; that of a cart, which may have fewer numbers than the vectors behind it, is not used. */
static void drive_all(const ph_space *space, const double *q, const double *v, const double *a, double *tau)
{
    const size_t n = ph_space_factors(space), d = ph_space_factor(space, n - 1)->nz,
                 at = ph_space_factor(space, 0)->nz != d ? ph_space_factor(space, 0)->nz : 0, first = at > 0;
    tau[0] = 0;
    if (d == 3)
        drive(3, n - first, q + at, v + at, a + at, tau + first);
    else
        drive(d, n - first, q + at, v + at, a + at, tau + first);
}

/* a <- the acceleration without the constraints, tau <- the multipliers; f (nz), F (ph_tension_size): scratch. */
static ph_status find_multipliers(const ph_system *system, double t, const double *q, const double *v,
                                  double *a, double *tau, double *f, double *F)
{
    const bool forced = ph_system_has_force(system);
    ph_status status = forced ? ph_system_force(system, t, q, v, f) : PH_OK;
    if (!status)
        status = ph_system_free_acceleration(system, q, forced ? f : NULL, a);
    if (status)
        return status;
    if (ph_tension_factor(system, q, q, F, NULL))
        return PH_E_DIVERGED; /* on the manifold it is positive definite: y has left it */
    drive_all(ph_system_space(system), q, v, a, tau);
    ph_tension_solve(system, F, tau);
    return PH_OK;
}

/* ydot = (zdot, a + MM^{-1} (tau q)): a first, then T, its right-hand side, tau, and the pulls; O(n) each. */
static ph_status evaluate(const ph_system *system, double t, const double *y, double *ydot, double *work)
{
    const ph_link_row *row = ph_chain_row(system);
    if (row) /* on the manifold all is finite: y has left it */
        return ph_chain_accelerate(row, y, ydot, work) ? PH_OK : PH_E_DIVERGED;
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    const double *q = y, *v = y + nz;
    double *f = work, *tau = f + nz, *F = tau + ph_space_factors(space), *a = ydot + nz;
    ph_status status = find_multipliers(system, t, q, v, a, tau, f, F);
    if (status)
        return status;
    ph_tension_pull(system, q, tau, f);
    ph_array_add(nz, f, a);
    memcpy(ydot, v, nz * sizeof *ydot);
    return PH_OK;
}

/* ---- Forces along the links ------------------------------------------------------------------------ */

size_t ph_link_tensions_work(const ph_system *system)
{
    return 2 * ph_space_ambient(ph_system_space(system)) + ph_tension_size(system);
}

ph_status ph_link_tensions(const ph_system *system, double t, const double *z, const double *zdot,
                           double *tension, double *work)
{
    if (!system || !ph_system_has_tensions(system))
        return PH_E_INVALID;
    const ph_space *space = ph_system_space(system);
    const ph_linkage *linkage = ph_system_linkage(system);
    double *a = work, *f = a + ph_space_ambient(space), *F = f + ph_space_ambient(space);
    ph_status status = find_multipliers(system, t, z, zdot, a, tension, f, F);
    for (size_t i = 0; i < ph_space_factors(space); i++)
        tension[i] = status                                           ? NAN
                     : ph_space_factor(space, i)->kind == PH_FACTOR_R ? 0
                                                                      : -tension[i] / linkage->length[i];
    return status;
}

const ph_field ph_field_tensions = {
    .name = "tensions",
    .reference = "Lagrange's equations of the first kind; multipliers by elimination along the links",
    .supports = supports,
    .size = ph_field_pair_size,
    .work = work_size,
    .evaluate = evaluate,
    .from_momentum = ph_field_velocity_from_momentum,
    .to_momentum = ph_field_velocity_to_momentum,
    .project = ph_field_pair_project,
};
