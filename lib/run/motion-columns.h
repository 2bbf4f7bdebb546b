/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns that a ph_motion gives: their names, units and values. */
#ifndef PH_RUN_MOTION_COLUMNS_H
#define PH_RUN_MOTION_COLUMNS_H

#include <stdbool.h>

#include <polhode/columns.h>
#include <polhode/motion.h>

typedef enum ph_motion_kind {
    PH_VELOCITY,
    PH_OMEGA,
    PH_QUATERNION,
    PH_POSITION,
    PH_TENSION,
    PH_REACTION,
    PH_REDUCED,
    PH_SHAPE,
    PH_SLIP,           /* how far the velocity is off velocity constraints */
    PH_POWER,          /* the rate at which the energy changes */
    PH_LEAST_DISTANCE, /* of all pairs of spins or vortices */
    PH_MOTION_KINDS
} ph_motion_kind;

/* How many columns of the kind the system has. */
size_t ph_motion_count(const ph_system *system, ph_motion_kind kind);
/* name (PH_COLUMN_NAME) <- of the one with the number `at`; result <- its unit. */
const char *ph_motion_name(const ph_system *system, ph_motion_kind kind, size_t at, char *name);
/* Does the word name columns of the kind: one, or all of a factor or point? *first, *count <- which. */
bool ph_motion_find(const ph_system *system, ph_motion_kind kind, const char *word, size_t *first,
                    size_t *count);
/* The state that was seen last, NULL: none. */
const ph_state *ph_motion_seen(const ph_motion *motion);
/* The tensions without that of a cart; only where there are some. */
const double *ph_motion_links(const ph_motion *motion);
/* The least distance of two spins in the state that was seen, which still exists; NaN: none was seen. */
double ph_motion_least_distance(const ph_motion *motion);
/* values (n) <- from number `at` on. */
void ph_motion_copy(const ph_motion *motion, ph_motion_kind kind, size_t at, size_t n, double *values);

#endif
