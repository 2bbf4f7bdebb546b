/* SPDX-License-Identifier: BSD-3-Clause */
/* What a space is made of, for its creation (space.c) and its operations (operations.c). */
#ifndef PH_SPACE_PRODUCT_H
#define PH_SPACE_PRODUCT_H

#include "lib/internal/space.h"

/* A factor: where its numbers are, and its operations. */
typedef struct part {
    ph_factor_place at;
    const ph_manifold *is;
} part;

/* One block of memory: the parts, then copies of the embeddings, then their names. */
struct ph_space {
    size_t n;          /* factors */
    size_t nz, np, nx; /* numbers in z, in p, and the dimension */
    size_t basis;      /* numbers in a tangent basis */
    bool retraction;   /* has every factor one? */
    part parts[];
};

/* A loop over the factors f of the space. */
#define EACH_FACTOR(f, space) for (const part *f = (space)->parts; f < (space)->parts + (space)->n; f++)

#endif
