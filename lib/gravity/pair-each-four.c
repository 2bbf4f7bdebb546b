/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of eight systems, each with bodies of its own, in vectors of four (pair-lanes.h). */
#include "pair-lanes.h"

#include "lib/internal/lanes.h"

#include <math.h>

typedef vector number;
typedef loose four_loose;

#define OF(name) four_##name
#define TARGET PH_LANES_AVX2
#define EACH
#define FORMS const ph_pair_forms_each ph_pair_forms_each_of_four

#include "pair-wide.h"
