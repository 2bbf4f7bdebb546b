/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of eight systems, each with bodies of its own, in vectors of eight (pair-lanes.h). */
#include "pair-lanes.h"

#include "lib/internal/lanes.h"

#include <math.h>

typedef double number __attribute__((vector_size(64)));
typedef double eight_loose __attribute__((vector_size(64), aligned(8), may_alias));

#define OF(name) eight_##name
#define TARGET PH_LANES_AVX512
#define EACH
#define FORMS const ph_pair_forms_each ph_pair_forms_each_of_eight

#include "pair-wide.h"
