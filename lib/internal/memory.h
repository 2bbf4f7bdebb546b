/* SPDX-License-Identifier: BSD-3-Clause */
/* Laying several arrays into one block: first add up their sizes, then hand out the places.
 *     ph_lay l = {0};                 first, sizes only: base is NULL, nothing is handed out
 *     ph_lay l = {.base = memory};    same calls again: each returns its array
 * Every array starts at a multiple of 16 bytes. */
#ifndef PH_INTERNAL_MEMORY_H
#define PH_INTERNAL_MEMORY_H

#include <stddef.h>

typedef struct ph_lay {
    unsigned char *base;
    size_t bytes;
} ph_lay;

static inline void *ph_lay_bytes(ph_lay *l, size_t bytes)
{
    void *place = l->base ? l->base + l->bytes : NULL;
    l->bytes += (bytes + 15) & ~(size_t)15;
    return place;
}

static inline double *ph_lay_doubles(ph_lay *l, size_t n)
{
    return (double *)ph_lay_bytes(l, n * sizeof(double));
}

#endif
