/* SPDX-License-Identifier: BSD-3-Clause */
/* Spheres as phase space as a kind of system: what its files share (the kernels are in lib/spins). */
#ifndef PH_KINDS_SPINS_H
#define PH_KINDS_SPINS_H

#include "lib/spins/spins.h"
#include "lib/system/system.h"

struct ph_checks;

/* The description; NULL of any other system. */
ph_spin_system *ph_own_spins(const ph_system *system);
/* ph_structure.release */
void ph_spins_release(void *own);

extern const ph_field ph_field_phase;

/* Doubles of work. */
static inline size_t ph_spins_along_work(size_t nz)
{
    return 4 * nz;
}

/* dX (3n) <- the covariant derivative of the vector field at t and z along the tangent vector u (3n): the tangent part
 * of its derivative along the geodesic that leaves z along u. g (3n): the gradient at t and z. work (ph_spins_along_work) */
ph_status ph_spins_flow_along(const ph_system *system, double t, const double *z, const double *g,
                              const double *u, double *dX, double *work);

/* a (3n) <- s'' at t and z along the motion, of which v (3n) is s' there. Exact for declared parts; what callbacks add is by
 * differences at times from t to t + span alone, of both signs, whose error is of order 6 in span. work
 * (ph_spins_along_work) */
ph_status ph_spins_bend(const ph_system *system, double t, const double *z, const double *v, double span,
                        double *a, double *work);

/* ph_system_fastest_rate of spins (rate.c). PH_E_NOT_FINITE, a callback's status, PH_E_NO_CONVERGENCE (of the eigenvalues of a small
 * matrix), PH_E_NO_MEMORY, with a message. */
ph_status ph_spins_fastest_rate(const ph_system *system, const double *z, double *rate, ph_error *err);

/* ph_system_check_derivatives (check.c) */
ph_status ph_spins_check_derivatives(struct ph_checks *c);

#endif
