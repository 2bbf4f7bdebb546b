/* SPDX-License-Identifier: BSD-3-Clause */
/* A body with a fixed point that may not turn about one axis, on SO(3): L = (1/2) Omega . J Omega with one row on Rdot. */
#ifndef PH_MODELS_HELD_H
#define PH_MODELS_HELD_H

#include "body.h"

/* The rows of the table, with the numbers that a model has by default. */
enum { PH_HELD_INERTIA, PH_HELD_PRODUCTS, PH_HELD_PARAMETERS };
#define PH_HELD_ROWS(j1, j2, j3, yz, xz, xy)                                                                 \
    [PH_HELD_INERTIA] = PH_BODY_INERTIA(j1, j2, j3, 0, "entries Jxx, Jyy, Jzz of the inertia tensor"),       \
    [PH_HELD_PRODUCTS] = {                                                                                   \
        "products",                                                                                          \
        PH_PARAMETER_VECTOR,                                                                                 \
        "kg m^2",                                                                                            \
        -DBL_MAX,                                                                                            \
        DBL_MAX,                                                                                             \
        {yz, xz, xy},                                                                                        \
        "entries Jyz, Jxz, Jxy of the tensor, such as Jxy = -(integral of x y over the mass)"}

/* *system <- the body with the constraint row(R) . Rdot = 0, whose derivative is given, and these symmetries. */
ph_status ph_held_build(const ph_parameter_value *table, ph_velocity_constraint_fn row,
                        ph_velocity_constraint_along_fn along, const ph_symmetry *symmetries, size_t n,
                        ph_system **system, ph_error *err);

#endif
