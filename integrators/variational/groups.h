/* SPDX-License-Identifier: BSD-3-Clause */
/* Which links of a tree are computed side by side: subtrees of one shape, as many as a vector has lanes,
 * link by link a lane each, so that no lane needs another one's numbers. */
#ifndef PH_INTEGRATORS_VARIATIONAL_GROUPS_H
#define PH_INTEGRATORS_VARIATIONAL_GROUPS_H

#include "integrators/shared/lanes.h"

#include <stddef.h>

/* A block has a link in each of four lanes. Of a group they hang on the lanes of another block, or its last
 * ones on links that stand alone; these come in blocks behind the groups. Whatever hangs on something comes
 * before it. */
typedef struct ph_groups {
    size_t blocks, singles; /* of groups; links that stand alone */
    size_t *link;           /* (LANES x PH_GROUPS_MOST_BLOCKS) which is there; PH_NO_INDEX: an idle lane */
    size_t *above;          /* (PH_GROUPS_MOST_BLOCKS) which one of a group hangs on; PH_NO_INDEX: none */
    size_t *place;          /* (n) index of a link in `link` */
} ph_groups;

enum { PH_GROUPS_WORK = 6 };

/* Blocks in the longest case, groups of three and links that stand alone. */
#define PH_GROUPS_MOST_BLOCKS(n) ((n) / 3 + 1)

/* Find them. parent (n) of each, smaller than its own number, or PH_NO_INDEX; work (PH_GROUPS_WORK n). Takes
 * O(n log n). The same for the same tree. */
void ph_groups_find(ph_groups *g, size_t n, const size_t *parent, size_t *work);

#endif
