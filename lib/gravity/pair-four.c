/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of eight systems in vectors of four (pair-lanes.h). */
#include "pair-lanes.h"

#include "lib/internal/lanes.h"

#include <math.h>

typedef vector number;
typedef loose four_loose;

#define OF(name) four_##name
#define TARGET PH_LANES_AVX2
#define FORMS const ph_pair_forms ph_pair_forms_of_four

#include "pair-wide.h"
