/* SPDX-License-Identifier: BSD-3-Clause */
/* The motion between two rows of an archive: cubic Hermite curves of their configurations and velocities (Hairer, Norsett, Wanner, Solving
 * Ordinary Differential Equations I, II.6), brought to the nearest point of the manifold, so that directions and attitudes stay such. */
#ifndef POLHODE_TOOLS_PLOT_BETWEEN_H
#define POLHODE_TOOLS_PLOT_BETWEEN_H

#include <stdbool.h>

#include <polhode/space.h>

/* Zero-initialise. */
typedef struct between {
    const ph_space *space;
    size_t nz;
    double *block;   /* of all numbers */
    double *ends[2]; /* (1 + 2 nz) t, z, zdot of the last two rows */
    double *z;       /* (nz) */
    int rows;        /* of them that there are */
} between;

/* False without memory. between_free also then. */
bool between_start(between *b, const ph_space *space);
void between_free(between *b);
/* The next row: t, z, zdot. Result: can the motion from the one before be interpolated? Not where something turns by more than some 2 rad
 * from one to the other, or a number is not finite. */
bool between_enter(between *b, const double *row);
/* b->z <- at the part theta of the way, from 0 to 1. False where it is too far from the manifold. */
bool between_at(between *b, double theta);

#endif
