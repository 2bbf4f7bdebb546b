/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that turn about one axis, fixed in them and in space: the usual portrait, of the momentum in the body frame, would be a line or a dot. */
#ifndef POLHODE_TOOLS_PLOT_TURNING_H
#define POLHODE_TOOLS_PLOT_TURNING_H

#include "figures/thin.h"
#include "pairs.h"

enum { TURN_AXES = 3 };

/* Of one body in one run: the angle and the momentum about each of its axes, and what is measured of them. */
typedef struct turning {
    bool known; /* are there the columns? */
    pair at[TURN_AXES];
    long along[TURN_AXES];     /* how far each axis points along that of space: Rxx, Ryy, Rzz */
    extent seen;               /* of t, the angles, Rxx, Ryy, Rzz */
    double largest[TURN_AXES]; /* |Pi| */
} turning;

/* *t <- those of the body to which the momentum of this name belongs, "Pi1x". */
void turning_find(turning *t, const ph_rows *rows, const char *momentum);
void turning_enter(turning *t, const double *row);
/* all (n): the same body in each run. Result: the axis about which it turns in all of them, or TURN_AXES. */
size_t turning_choose(const turning *const *all, size_t n);

#endif
