/* SPDX-License-Identifier: BSD-3-Clause */
/* The motion of a case of GUBAS from moments that are known already. */
#ifndef PH_GUBAS_MOTION_H
#define PH_GUBAS_MOTION_H

#include "moments.h"

/* *motion <- at the start, with these moments of the degree of the case's order; what the case says of shapes
 * does not count. PH_E_NO_MEMORY, PH_E_NOT_FINITE. */
ph_status ph_gubas_motion_begin(const ph_gubas_case *of, const ph_gubas_moments *A, const ph_gubas_moments *B,
                                ph_gubas_motion **motion, ph_error *err);

#endif
