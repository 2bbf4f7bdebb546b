/* SPDX-License-Identifier: BSD-3-Clause */
/* What an object writes into its own memory when it is first asked for it, by one of several threads, while the
 * others wait:
 *
 *     if (ph_once_begins(&object->once)) {
 *         ...
 *         ph_once_ends(&object->once);
 *     }
 *
 * Memory that was allocated and never written takes none of the machine's: so large tables that most users do
 * not need cost nothing. What is written must not be able to fail, and must depend on the object alone. */
#ifndef PH_INTERNAL_ONCE_H
#define PH_INTERNAL_ONCE_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Zeros: not yet written. */
typedef atomic_int ph_once;
enum { PH_ONCE_EMPTY, PH_ONCE_BEGUN, PH_ONCE_DONE };

/* Has the caller to write it? Where another thread does so, returns false when that is done. */
static inline bool ph_once_begins(ph_once *once)
{
    int state = atomic_load_explicit(once, memory_order_acquire);
    if (state == PH_ONCE_DONE)
        return false;
    state = PH_ONCE_EMPTY;
    if (atomic_compare_exchange_strong(once, &state, PH_ONCE_BEGUN))
        return true;
    while (atomic_load_explicit(once, memory_order_acquire) != PH_ONCE_DONE)
        sched_yield();
    return false;
}

static inline void ph_once_ends(ph_once *once)
{
    atomic_store_explicit(once, PH_ONCE_DONE, memory_order_release);
}

#endif
