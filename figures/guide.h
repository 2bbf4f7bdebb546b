/* SPDX-License-Identifier: BSD-3-Clause */
/* Guides, broken lines y = scale x^power for the eye on logarithmic axes: what is seen of one, and where its name stands. */
#ifndef POLHODE_FIGURES_GUIDE_H
#define POLHODE_FIGURES_GUIDE_H

#include "axes.h"

typedef struct guide {
    double scale, power;
    double from, to, y_from, y_to; /* what is seen of it */
    double x, y;                   /* where its name stands, with fewer curves in its way than elsewhere: */
    bool above;                    /* to the left and above, else to the right and below */
} guide;

/* *g <- of the curve, from its first to its last point, within these axes. False: nothing is seen of it. */
bool guide_find(guide *g, const panel *p, const drawn *c, const range *x, const range *y);

#endif
