/* SPDX-License-Identifier: BSD-3-Clause */
/* Test problems for nonholonomic integrators: unit masses with one constraint and one number in their potential. */
#ifndef PH_MODELS_OSCILLATOR_H
#define PH_MODELS_OSCILLATOR_H

#include "parameters.h"

/* *system <- of these factors, from the rest of its definition; its callbacks get a pointer to eps. */
ph_status ph_oscillator_build(const ph_factor *factors, size_t n, double eps, ph_system_definition d,
                              ph_system **system, ph_error *err);

#endif
