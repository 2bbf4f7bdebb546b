/* SPDX-License-Identifier: BSD-3-Clause */
/* Test problems for nonholonomic integrators: unit masses with one constraint and a number or two in their Lagrangian. */
#ifndef PH_MODELS_OSCILLATOR_H
#define PH_MODELS_OSCILLATOR_H

#include "parameters.h"

/* *system <- of these factors, from the rest of its definition; its callbacks get a copy of the numbers (1 or 2). */
ph_status ph_oscillator_build(const ph_factor *factors, size_t n, const double *numbers, size_t many,
                              ph_system_definition d, ph_system **system, ph_error *err);

#endif
