/* SPDX-License-Identifier: BSD-3-Clause */
/* A body with a fixed point that may not turn about one axis k, on SO(3): L = (1/2) Omega . J Omega with one row on Rdot,
 *     k . Omega = (1/2) tr((R S(k))^T Rdot)     an axis of the body,
 *     k . omega = (1/2) tr((S(k) R)^T Rdot)     an axis of space,           k = e3. */
#ifndef PH_MODELS_HELD_H
#define PH_MODELS_HELD_H

#include "body.h"

/* The rows of the table, with the numbers that a model has by default. */
enum { PH_HELD_INERTIA, PH_HELD_PRODUCTS };
#define PH_HELD_TEXT "entries Jxx, Jyy, Jzz of the inertia tensor"
#define PH_HELD_ROWS(j1, j2, j3, yz, xz, xy)                                                                 \
    [PH_HELD_INERTIA] = PH_VECTOR("inertia", "kg m^2", PH_NOT_NEGATIVE, j1, j2, j3, PH_HELD_TEXT),           \
    [PH_HELD_PRODUCTS] = PH_PRODUCTS(yz, xz, xy)

/* The variants: whose axis k is. */
enum { PH_HELD_IN_BODY, PH_HELD_IN_SPACE };
ph_status ph_held_build(const ph_model_table *table, ph_system **system, ph_error *err);

#endif
