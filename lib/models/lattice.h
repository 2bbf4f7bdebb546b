/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph of a lattice: sites of a row, a rectangle or a block, each bound to its nearest neighbours, open or periodic
 * along each axis. Site (x, y, z) has the number x + side_x (y + side_y z). */
#ifndef PH_MODELS_LATTICE_H
#define PH_MODELS_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

typedef struct ph_lattice {
    size_t side[3]; /* sites along each axis, at least 1 */
    bool
        periodic[3]; /* is the last site of a line bound to its first? A side of 1 has no bonds in any case */
} ph_lattice;

/* The most sites: some 200 bytes each. */
enum { PH_MOST_SITES = 10000000 };

size_t ph_lattice_sites(const ph_lattice *lattice);
/* How many bonds there are along an axis. */
size_t ph_lattice_bonds(const ph_lattice *lattice, size_t axis);
/* first, second (ph_lattice_bonds) <- the bonds along an axis, from a site to the next one along it: those within lines in
 * the order of their first sites, so that a class of bonds without a common site is a few runs of equal strides, and behind
 * them those that close the lines. */
void ph_lattice_list(const ph_lattice *lattice, size_t axis, uint32_t *first, uint32_t *second);

/* PH_E_INVALID where a line of two sites is closed (its bond would be there twice), or a line of one (a bond of a site with
 * itself); PH_E_RANGE above PH_MOST_SITES. names (3): how messages call the sides. */
ph_status ph_lattice_check(const ph_lattice *lattice, const char *const names[3], ph_error *err);

#endif
