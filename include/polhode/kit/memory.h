/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: several arrays in one block. The same calls add up their sizes and then hand out their places:
 *
 *     static void lay(scratch *w, size_t n, ph_lay *l)
 *     {
 *         ph_lay_bytes(l, sizeof *w);
 *         w->x = ph_lay_doubles(l, n);
 *         w->J = ph_lay_doubles(l, n * n);
 *     }
 *
 *     scratch counted;                         // in size of a ph_method: nothing is handed out
 *     ph_lay l = {NULL, 0};
 *     lay(&counted, n, &l);                    // l.bytes is what it takes
 *
 *     ph_lay l = {context->work, 0};           // in init: the struct and what is behind it
 *     lay(context->work, n, &l);
 *
 * Nothing here allocates; the block is the caller's. Thread-safe on disjoint data. */
#ifndef POLHODE_MEMORY_H
#define POLHODE_MEMORY_H

#include <stddef.h>

#include <polhode/export.h>

PH_BEGIN_DECLS

/** A block of memory, and how much of it is laid out. */
typedef struct ph_lay {
    /** Where it begins, aligned to 16 bytes (for ph_lay_line to 64); NULL: sizes are only added up. */
    unsigned char *base;
    size_t bytes; /**< laid out so far */
} ph_lay;

/** The next bytes of the block, at a multiple of 16 from its beginning; NULL while sizes are added up. */
static inline void *ph_lay_bytes(ph_lay *l, size_t bytes)
{
    void *place = l->base ? l->base + l->bytes : NULL;
    l->bytes += (bytes + 15) & ~(size_t)15;
    return place;
}

/** The next n doubles, likewise. */
static inline double *ph_lay_doubles(ph_lay *l, size_t n)
{
    return (double *)ph_lay_bytes(l, n * sizeof(double));
}

/** The next bytes, at a multiple of 64, the size of a cache line: for vectors and what is read often. */
static inline void *ph_lay_line(ph_lay *l, size_t bytes)
{
    l->bytes = (l->bytes + 63) & ~(size_t)63;
    return ph_lay_bytes(l, bytes);
}

PH_END_DECLS
#endif
