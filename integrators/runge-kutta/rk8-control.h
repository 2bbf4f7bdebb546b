/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of rk8 with error control, rtol > 0, and where its options are. */
#ifndef PH_INTEGRATORS_RUNGE_KUTTA_RK8_CONTROL_H
#define PH_INTEGRATORS_RUNGE_KUTTA_RK8_CONTROL_H

#include <polhode/method.h>

enum { PH_RK8_FORM, PH_RK8_RTOL, PH_RK8_ATOL, PH_RK8_BOUND };

ph_method_size ph_rk8_control_size(const ph_system *system, const double *options);
ph_status ph_rk8_control_init(ph_context *context);
ph_status ph_rk8_control_step(ph_context *context, ph_state *state);

#endif
