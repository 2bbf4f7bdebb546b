/* SPDX-License-Identifier: BSD-3-Clause */
/* The random systems of constrained.h as the library's systems, their Lagrangian given in any of the ways
 * that ph_system_definition has. */
#ifndef POLHODE_TESTS_LAGSYSTEM_H
#define POLHODE_TESTS_LAGSYSTEM_H

#include "constrained.h"

typedef enum lag_given {
    CS_GIVEN_CONSTANT_PAIRS,   /* inertia: of CS_QUADRATIC whose k_ij are 0 */
    CS_GIVEN_CONSTANT_AMBIENT, /* ambient_inertia: of CS_AMBIENT whose k is 0 */
    CS_GIVEN_PAIRS,            /* inertia_at: of CS_QUADRATIC */
    CS_GIVEN_AMBIENT,          /* ambient_inertia_at: of CS_QUADRATIC or CS_AMBIENT */
    CS_GIVEN_HESSIAN,          /* lagrangian with all its derivatives; these of any */
    CS_GIVEN_GRADIENT,
    CS_GIVEN_COMPLEX, /* lagrangian_complex alone */
    CS_GIVEN_VALUES   /* lagrangian alone */
} lag_given;

const char *lag_given_name(lag_given given);

/* The system, with its force. Sets that are no product of R^d, S^1, S^2, SO(3) are embedded manifolds, given
 * by their constraints or by their projection alone. s must stay as long as the system does. Free with
 * ph_system_free. */
ph_system *lag_create(const mult_system *s, lag_given given, bool by_projection);

#endif
