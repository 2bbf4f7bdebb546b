/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies on spheres that know of each other by the potential only: each has an inertia of its own,
 *     L = (1/2) sum I_i |qdot_i|^2 - U(q),     on (S^2)^n. */
#ifndef PH_INTERNAL_APART_H
#define PH_INTERNAL_APART_H

#include "parameters.h"

/* *system <- the system of n such bodies; inertia: I_i, one for all or one for each. The rest of the
 * definition is the caller's, but for space and inertia; without its user, the block that the callbacks are
 * to have, there was no memory: PH_E_NO_MEMORY, which names the bodies ("dipoles"). Takes user, also when it
 * fails. */
ph_status ph_apart_build(size_t n, const ph_parameter_value *inertia, const ph_system_definition *rest,
                         const char *bodies, ph_system **system, ph_error *err);

#endif
