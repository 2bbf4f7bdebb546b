/* SPDX-License-Identifier: BSD-3-Clause */
/* What a space is made of, for its creation (space.c) and its operations (operations.c). */
#ifndef PH_SPACE_PRODUCT_H
#define PH_SPACE_PRODUCT_H

#include "lib/internal/once.h"
#include "lib/internal/space.h"

/* A factor: where its numbers are, and its operations. */
typedef struct part {
    ph_factor_place at;
    const ph_manifold *is;
} part;

/* Where ph_space_factor's answers are, for spaces whose factors are alike: written when the first is asked for. */
typedef struct place_table {
    ph_once once;
    ph_factor_place at[];
} place_table;

/* One block of memory: the parts, then copies of the embeddings, then their names. A phase space has one part,
 * which stands for all: the others lie behind it, one after the other. */
struct ph_space {
    size_t n;          /* factors */
    size_t nz, np, nx; /* numbers in z, in p, and the dimension */
    size_t basis;      /* numbers in a tangent basis */
    bool retraction;   /* has every factor one? */
    /* NULL, or the places of factors that are alike: a lattice has 10^6, of which nobody asks for the places one
     * by one. */
    place_table *places;
    part parts[];
};

/* Factor i; `room` is written where it has no description of its own. */
static inline const part *space_part(const ph_space *space, size_t i, part *room)
{
    if (!space->places)
        return &space->parts[i];
    *room = space->parts[0];
    room->at.z = i * room->at.nz;
    room->at.p = i * room->at.np;
    room->at.x = i * room->at.nx;
    return room;
}

/* A loop over the factors f of the space. */
#define EACH_FACTOR(f, space)                                                                                \
    for (size_t f##_i = 0; f##_i < (space)->n; f##_i++)                                                      \
        for (part f##_room, *f##_once = &f##_room; f##_once; f##_once = NULL)                                \
            for (const part *f = space_part(space, f##_i, f##_once); f; f = NULL)

#endif
