/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of columns, a table: how many a system has of each, their names and units. A kind is a single column, a list of columns
 * with names of their own, or groups: a group for each factor, point, body or pair, which is named by letters and a number
 * (q1, orbit2), as its columns are by an ending (q1x, orbit2_e). Their numbers are taken in columns.c. */
#ifndef PH_RUN_COLUMN_KINDS_H
#define PH_RUN_COLUMN_KINDS_H

#include <stdbool.h>

#include <polhode/columns.h>
#include <polhode/domain/gravitation.h>

#include "lib/internal/space.h"

typedef enum ph_column_kind {
    PH_OF_TIME,
    PH_OF_STEP,
    PH_OF_CONFIGURATION,
    PH_OF_MOMENTUM,
    PH_OF_ENERGY,
    PH_OF_ENERGY_ERROR,
    PH_OF_CONSTRAINT_ERROR,
    PH_OF_TANGENCY,
    PH_OF_MOMENTUM_MAP,
    PH_OF_PASSES,
    PH_OF_VELOCITY, /* from here on what a trajectory does not have by default, of a motion (polhode/motion.h) */
    PH_OF_OMEGA,
    PH_OF_QUATERNION,
    PH_OF_POSITION,
    PH_OF_TENSION,
    PH_OF_REACTION,
    PH_OF_REDUCED,
    PH_OF_SHAPE,
    PH_OF_SLIP,           /* how far the velocity is off velocity constraints */
    PH_OF_POWER,          /* the rate at which the energy changes */
    PH_OF_LEAST_DISTANCE, /* of all pairs of spins or vortices */
    PH_OF_OWN,            /* of the definition's own */
    PH_OF_ORBIT,          /* from here on of bodies under mutual gravity: osculating elements of each orbit */
    PH_OF_DISTANCE,       /* of each pair */
    PH_OF_EULER,          /* angles of each body that turns against the frame of its orbit */
    PH_OF_SPIN,           /* its angular velocity there */
    PH_OF_LIBRATION,      /* its long axis there */
    PH_OF_BINDING,        /* energy of each body against all others, by reduced mass */
    PH_OF_CLEARANCE,      /* least distance between circumscribed spheres */
    PH_OF_ESCAPE,         /* distance of an unbound body that recedes */
    PH_OF_ENERGIES,       /* energies by part */
    PH_OF_KINDS
} ph_column_kind;

typedef struct ph_column_item {
    const char *name, *unit;
} ph_column_item;

typedef struct ph_column_group {
    const char *letters, *more; /* more: behind the letters */
    size_t number;
    size_t first, count;         /* its columns among those of the kind */
    ph_index index;              /* how they are distinguished: of four with an axis the first is w */
    size_t from;                 /* the first of PH_INDEX_COUNT; 0: 1 */
    const ph_column_item *items; /* NULL: by index */
    const char *unit;
} ph_column_group;

typedef struct ph_column_row {
    const char *name,
        *unit;          /* of a single column; of all columns of the kind, and of each where it is the same */
    unsigned needs;     /* PH_COLUMN_... */
    const char *absent; /* why a system has none; NULL: it has no factor */
    /* How many groups, names, or of a single column 1. NULL: 1 */
    size_t (*many)(const ph_system *system);
    /* Where all groups have as many columns: how many, and the number of group i, NULL: i + 1. */
    const char *letters;
    size_t each;
    ph_index index;
    const ph_column_item *items;
    size_t (*number)(const ph_system *system, size_t i);
    /* Group i, where not. */
    void (*group)(const ph_system *system, size_t i, ph_column_group *group);
    /* The name of column `at` of a list, in room (PH_COLUMN_NAME) or not, and its unit. */
    const char *(*listed)(const ph_system *system, size_t at, char *room, const char **unit);
} ph_column_row;

extern const ph_column_row ph_column_rows[PH_OF_KINDS];

/* How many columns of the kind the system has. */
size_t ph_column_count(const ph_system *system, ph_column_kind kind);
/* The name of the one with the number `at`, in room (PH_COLUMN_NAME) or not, and its unit. room: NULL: the unit alone, of a
 * kind that is not listed. */
const char *ph_column_name(const ph_system *system, ph_column_kind kind, size_t at, char *room,
                           const char **unit);
/* names, units (n) <- of those from `at` on, a group after the other. room: (n x PH_COLUMN_NAME) */
void ph_column_names(const ph_system *system, ph_column_kind kind, size_t at, size_t n, char *room,
                     const char **names, const char **units);
/* Does the word name columns of the kind: one, or all of a group? *first, *count <- which. */
bool ph_column_find(const ph_system *system, ph_column_kind kind, const char *word, size_t *first,
                    size_t *count);

/* Likewise by what formulas call it, where the factors have names: q, q.x, qdot, omega(q), momentum(q). *kind <- which. */
bool ph_column_find_title(const ph_system *system, const char *word, ph_column_kind *kind, size_t *first,
                          size_t *count);

/* The group of factor i in the configuration, or in the momentum. */
ph_column_group ph_column_group_of(const ph_space *space, size_t i, bool momentum);
/* name (PH_COLUMN_NAME) <- of column k of the group; PH_NO_INDEX: of the group itself. */
void ph_column_group_name(const ph_column_group *group, size_t k, char *name);

/* How many numbers there are of one orbit or body. */
enum { PH_ORBIT_NUMBERS = 9, PH_EULER_NUMBERS = 3, PH_SPIN_NUMBERS = 5, PH_LIBRATION_NUMBERS = 2 };

/* The first body that has an orbit: about the barycentre of those before it, or about a central body. */
static inline size_t ph_companion_first_orbit(const ph_gravitation *g)
{
    return ph_gravitation_central(g) ? 0 : 1;
}

/* How many bodies make pairs. A central body is the first of them, and has the number 0 in names. */
static inline size_t ph_companion_members(const ph_gravitation *g)
{
    return ph_gravitation_bodies(g) + (ph_gravitation_central(g) != NULL);
}

#endif
