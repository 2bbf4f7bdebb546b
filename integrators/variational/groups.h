/* SPDX-License-Identifier: BSD-3-Clause */
/* Which links of a tree share a vector. Subtrees of equal shape are grouped, as many as a vector has lanes:
 * each subtree has a lane, in which its links follow one another, so that no lane needs the numbers of
 * another. */
#ifndef PH_INTEGRATORS_VARIATIONAL_GROUPS_H
#define PH_INTEGRATORS_VARIATIONAL_GROUPS_H

#include "integrators/shared/lanes.h"

#include <stddef.h>

/* A block holds four links, one in each lane. The links of a block of a group hang on the links of another
 * block of that group, lane by lane; those of the group's last block are its roots and hang on single links,
 * which fill the blocks behind the groups. A link always stands before the link that it hangs on. */
typedef struct ph_groups {
    size_t blocks, singles; /* number of blocks that groups fill; number of links outside of groups */
    size_t *link;  /* (LANES x PH_GROUPS_MOST_BLOCKS) number of the link; PH_NO_INDEX: an idle lane */
    size_t *above; /* (PH_GROUPS_MOST_BLOCKS) block that a block of a group hangs on, or PH_NO_INDEX */
    size_t *place; /* (n) index of a link in `link` */
} ph_groups;

enum { PH_GROUPS_WORK = 6 };

/* The largest number of blocks: all groups have three subtrees, or there are none. */
#define PH_GROUPS_MOST_BLOCKS(n) ((n) / 3 + 1)

/* Finds the groups of a tree of n links in O(n log n); the result depends on the tree alone. parent (n): the
 * link that a link hangs on, a smaller number than its own, or PH_NO_INDEX; work: PH_GROUPS_WORK n
 * numbers. */
void ph_groups_find(ph_groups *g, size_t n, const size_t *parent, size_t *work);

#endif
