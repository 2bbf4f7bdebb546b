/* SPDX-License-Identifier: BSD-3-Clause */
/* Are the positions and velocities of a scenario on the manifold? The message gives the nearest valid value. */
#include "parts.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>

/* Data this close to the manifold is accepted as a rounded point of it. */
static const double admitted = 1e-12;

/* Room for what a space writes about a flaw. */
enum { SENTENCE = 300 };

/* Data off the manifold: the fault, and v, n numbers that would be right, as `nearest` says. */
static ph_status fail_off(const ph_node *at, ph_status status, const char *fault, const char *nearest,
                          const double *v, size_t n, ph_error *err)
{
    ph_numbers shown;
    return ph_node_fail(at, err, status, "%s; %s%s: write that, or \"project: true\" under \"initial\"",
                        fault, nearest, ph_show_numbers(&shown, "[]", v, n));
}

ph_status ph_check_factor(const ph_node *at, const ph_space *space, size_t i, double *z, bool project,
                          ph_error *err)
{
    const ph_factor_place *f = ph_space_factor(space, i);
    const double off = ph_space_factor_residual(space, i, z);
    char fault[SENTENCE], nearest[60];
    if (off <= admitted && !project)
        return PH_OK;
    ph_space_factor_fault(space, i, PH_FAULT_POINT, z, NULL, fault, sizeof fault);
    ph_status status = ph_space_factor_project(space, i, z);
    if (status == PH_E_UNSUPPORTED && off <= admitted) /* given by P alone: points cannot be projected */
        return PH_OK;
    if (status) {
        ph_space_factor_fault(space, i, PH_FAULT_REMOTE, z, NULL, fault, sizeof fault);
        return ph_node_fail(at, err, status, "%s", fault);
    }
    if (project)
        return PH_OK;
    snprintf(nearest, sizeof nearest, "the nearest %s is ", ph_space_factor_words(space, i)->nearest);
    return fail_off(at, PH_E_NOT_ON_MANIFOLD, fault, nearest, z + f->z, f->nz, err);
}

ph_status ph_check_velocity(const ph_node *at, const ph_space *space, size_t i, ph_fault kind,
                            const double *z, double *v, double *turn, ph_error *err)
{
    const bool angular = kind != PH_FAULT_VELOCITY;
    const ph_factor_place *f = ph_space_factor(space, i);
    const size_t first = angular ? f->p : f->z, n = angular ? f->np : f->nz;
    /* what is asked of angular velocities is what is asked of momenta */
    const double off = angular ? ph_space_factor_momentum_tangency(space, i, z, v)
                               : ph_space_factor_tangency(space, i, z, v);
    char fault[SENTENCE];
    double largest = ph_max_norm(v + first, n), square = 0;
    for (size_t k = first; k < first + n && largest > 0; k++)
        square += v[k] / largest * (v[k] / largest); /* |v| / largest, squared, without overflow */
    if (off <= admitted * (1 + largest * sqrt(square)))
        return PH_OK;
    ph_space_factor_fault(space, i, kind, z, v, fault, sizeof fault);
    if (angular)
        ph_space_factor_project_momentum(space, i, z, v);
    else
        ph_space_project_tangent(space, z, v);
    if (angular || !ph_space_factor_words(space, i)->as_spin)
        return fail_off(at, PH_E_NOT_TANGENT, fault, "its projection is ", v + first, n, err);
    ph_space_spin(space, z, v, turn);
    return fail_off(at, PH_E_NOT_TANGENT, fault, "its projection is that of \"omega\" ", turn + f->p, f->np,
                    err);
}
