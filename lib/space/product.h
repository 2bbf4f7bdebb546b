/* SPDX-License-Identifier: BSD-3-Clause */
/* What a space is made of, for its creation (space.c) and its operations (operations.c). */
#ifndef PH_SPACE_PRODUCT_H
#define PH_SPACE_PRODUCT_H

#include "lib/internal/once.h"
#include "lib/internal/space.h"

/* A factor: where its numbers are, and its operations. */
typedef struct part {
    ph_factor_place at;
    size_t w; /* the first number of its angular velocity */
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
    size_t nw;         /* numbers in an angular velocity */
    size_t basis;      /* numbers in a tangent basis */
    bool retraction;   /* has every factor one? */
    /* NULL, or the places of factors that are alike: a lattice has 10^6, of which nobody asks for the places one
     * by one. */
    place_table *places;
    const part *last; /* of the parts */
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
    room->w = room->at.z;
    return room;
}

/* The factors one after the other; NULL behind the last. */
static inline const part *first_part(const ph_space *space, part *room)
{
    return space_part(space, 0, room);
}
static inline const part *next_part(const ph_space *space, const part *f, part *room)
{
    if (!space->places)
        return f == space->last ? NULL : f + 1;
    room->at.z += room->at.nz;
    room->at.p += room->at.np;
    room->at.x += room->at.nx;
    room->w = room->at.z;
    return room->at.z < space->nz ? room : NULL;
}

/* A loop over the factors f of the space. */
#define EACH_FACTOR(f, space)                                                                                \
    for (part f##_room, *f##_once = &f##_room; f##_once; f##_once = NULL)                                    \
        for (const part *f = first_part(space, f##_once); f; f = next_part(space, f, &f##_room))

#endif
