/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies on spheres that are coupled by the potential only: each has its own inertia,
 *     L = (1/2) sum I_i |qdot_i|^2 - U(q),     on (S^2)^n. */
#ifndef PH_INTERNAL_APART_H
#define PH_INTERNAL_APART_H

#include "model.h"

/* *system <- the system of n such bodies; inertia: I_i, one for all or one for each. `rest` is the definition
 * without space, inertia and the parts, which are drawn and freed. Takes ownership of its user block, also on failure. A NULL user block means that
 * the caller had no memory for it: PH_E_NO_MEMORY, with a message that names the bodies ("dipoles"). */
ph_status ph_apart_build(size_t n, const ph_parameter_value *inertia, ph_part_list *parts,
                         ph_system_definition *rest, const char *bodies, ph_system **system, ph_error *err);

#endif
