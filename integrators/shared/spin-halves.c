/* SPDX-License-Identifier: BSD-3-Clause */
/* Two halves of spins: union and find with parities. */
#include "spin-halves.h"

/* parent (n), odd (n): a forest of connected spins, odd: is its half another one than its parent's? The root of i; *half
 * <- whether i is in another half than the root. */
static uint32_t root_of(uint32_t *parent, unsigned char *odd, uint32_t i, unsigned char *half)
{
    *half = 0;
    while (parent[i] != i) {
        const uint32_t up = parent[i];
        odd[i] ^= odd[up]; /* 0 at a root */
        parent[i] = parent[up];
        *half ^= odd[i];
        i = parent[i];
    }
    return i;
}

void ph_spin_halves(const ph_spins *is, bool axial, uint32_t *parent, unsigned char *room,
                    unsigned char *half)
{
    unsigned char *odd = room, *flip = room + is->n, own, other;
    bool halves = true;
    for (size_t i = 0; i < is->n; i++) {
        parent[i] = (uint32_t)i;
        odd[i] = 0;
        flip[i] = 2;
    }
    for (size_t g = 0; g < is->n_bonds; g++)
        halves = halves && !(is->bonds[g].all_pairs && (axial || is->bonds[g].kind != PH_BOND_AXIAL));
    for (size_t g = 0; g < is->n_bonds && halves; g++) {
        const ph_bonds *b = &is->bonds[g];
        for (size_t k = 0; k < b->n && (axial || b->kind != PH_BOND_AXIAL); k++) {
            const uint32_t i = root_of(parent, odd, b->first[k], &own),
                           j = root_of(parent, odd, b->second[k], &other);
            if (i != j) {
                parent[i] = j;
                odd[i] = (unsigned char)(own ^ other ^ 1);
            }
        }
    }
    for (size_t i = 0; i < is->n; i++) {
        const uint32_t root = root_of(parent, odd, (uint32_t)i, &own);
        if (flip[root] == 2)
            flip[root] = own;
        half[i] = own ^ flip[root];
    }
}
