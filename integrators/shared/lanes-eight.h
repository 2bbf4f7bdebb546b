/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors across eight systems, with the names of lanes-width.h: loads, stores, comparisons. */
#include "lanes-space.h"

INLINE number OF(load)(const double *from)
{
    return *(const loosely *)(const void *)from;
}

INLINE void OF(store)(number v, double *to)
{
    *(loosely *)(void *)to = v;
}

/* A bit for each lane where it holds. */
INLINE unsigned OF(bits)(truth t)
{
#if WIDTH == 8 && PH_LANES_WIDE && !defined(__clang__)
    return __builtin_ia32_cvtq2mask512((long long __attribute__((vector_size(64))))t);
#elif WIDTH == 4 && PH_LANES_WIDE && !defined(__clang__)
    return (unsigned)__builtin_ia32_movmskpd256((number)t);
#elif WIDTH == 2 && defined(__SSE2__) && !defined(__clang__)
    return (unsigned)__builtin_ia32_movmskpd((number)t);
#else
    unsigned found = 0;
    for (unsigned i = 0; i < WIDTH; i++)
        found |= t[i] ? 1u << i : 0u;
    return found;
#endif
}
