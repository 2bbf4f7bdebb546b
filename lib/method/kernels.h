/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the environment variable POLHODE_KERNELS (polhode/kit/kernels.h), for callers that can report errors. */
#ifndef PH_INTERNAL_KERNELS_H
#define PH_INTERNAL_KERNELS_H

#include <polhode/kit/kernels.h>
#include <polhode/status.h>

/* PH_E_UNKNOWN where its value is not a known word. */
ph_status ph_kernels_check(ph_error *err);

#endif
