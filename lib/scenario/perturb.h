/* SPDX-License-Identifier: BSD-3-Clause */
/* An initial state that is moved along the manifold. */
#ifndef PH_SCENARIO_PERTURB_H
#define PH_SCENARIO_PERTURB_H

#include <polhode/space.h>

/* z1 (nz), omega (np; untouched for spins, which have none) <- the state z, zdot (nz), moved by xi and eta
 * (ph_space_algebra each); work (nz). */
void ph_perturb(const ph_space *space, const double *z, const double *zdot, const double *xi,
                const double *eta, double *z1, double *omega, double *work);

#endif
