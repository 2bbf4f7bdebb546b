/* SPDX-License-Identifier: BSD-3-Clause */
/* Which links of a tree are computed beside each other: subtrees of one shape, as many as a vector has lanes,
 * link by link a lane each, so that no lane needs another one's numbers. */
#ifndef PH_INTEGRATORS_VARIATIONAL_GROUPS_H
#define PH_INTEGRATORS_VARIATIONAL_GROUPS_H

#include "variational-lanes.h"

#include <stddef.h>

/* A block has a link in each lane, and they hang on the lanes of another block, or each elsewhere (on links
 * that stand alone). Whatever hangs on something comes before it. */
typedef struct ph_groups {
    size_t blocks, singles; /* how many; links that stand alone */
    size_t *link;  /* (LANES blocks + singles) which is there; lanes that are not used repeat the first */
    size_t *above; /* (blocks) the block that it hangs on, PH_NO_INDEX: the lanes hang elsewhere */
    size_t *used;  /* (blocks) lanes */
    size_t *place; /* (n) index of a link in `link` */
} ph_groups;

/* The arrays of a tree of n links for the longest case, and PH_GROUPS_WORK n numbers of scratch, in memory
 * that is used (as doubles) for nothing else meanwhile. */
enum { PH_GROUPS_MOST = 2, PH_GROUPS_WORK = 6 };

/* Find them. parent (n) of each, smaller than its own number, or PH_NO_INDEX. Takes O(n log n). The same for
 * the same tree. */
void ph_groups_find(ph_groups *g, size_t n, const size_t *parent, size_t *work);

#endif
