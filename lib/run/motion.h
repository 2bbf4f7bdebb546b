/* SPDX-License-Identifier: BSD-3-Clause */
/* What columns take from a ph_motion besides its public numbers. */
#ifndef PH_RUN_MOTION_H
#define PH_RUN_MOTION_H

#include <polhode/motion.h>

/* The state that was seen last, NULL: none. */
const ph_state *ph_motion_seen(const ph_motion *motion);
/* The tensions without that of a cart; only where there are some. */
const double *ph_motion_links(const ph_motion *motion);
/* The columns of the definition's own, unlisted ones included. */
const double *ph_motion_own(const ph_motion *motion);
/* The least distance of two spins in the state that was seen, which still exists; NaN: none was seen. */
double ph_motion_least_distance(const ph_motion *motion);

#endif
