/* SPDX-License-Identifier: BSD-3-Clause */
/* What POLHODE_KERNELS says (polhode/kernels.h), for those who can refuse it. */
#ifndef PH_INTERNAL_KERNELS_H
#define PH_INTERNAL_KERNELS_H

#include <polhode/kernels.h>
#include <polhode/status.h>

/* PH_E_UNKNOWN for a word that means nothing. */
ph_status ph_kernels_check(ph_error *err);

#endif
