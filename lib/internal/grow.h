/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists that grow: by doubling, so that n entries are moved O(n) times. (In a header: libpolhode-io needs it.) */
#ifndef PH_INTERNAL_GROW_H
#define PH_INTERNAL_GROW_H

#include <stddef.h>
#include <stdlib.h>

/* The list (n, with room for *room entries of `unit` bytes), with room for one more; NULL without memory, and the list stays
 * as it is. */
static inline void *ph_grow(void *list, size_t n, size_t *room, size_t unit)
{
    const size_t more = 2 * *room + 16;
    if (n < *room)
        return list;
    void *larger = realloc(list, more * unit);
    if (larger)
        *room = more;
    return larger;
}

#endif
