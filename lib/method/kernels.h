/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment variable POLHODE_KERNELS (polhode/kit/kernels.h): its words, and a check of it for callers that can report errors. */
#ifndef PH_METHOD_KERNELS_H
#define PH_METHOD_KERNELS_H

#include <polhode/kit/kernels.h>
#include <polhode/status.h>

/* Each fast path can be switched off. */
enum { PH_FAST_PATHS = 10 };

/* The word that switches off the path 1 << i. */
extern const char *const ph_fast_path_words[PH_FAST_PATHS];

/* An unknown word is refused. */
ph_status ph_kernels_check(ph_error *err);

#endif
