/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of bodies under mutual gravity (polhode/domain/gravitation.h): orbits, distances, attitudes against the orbit, energies by
 * part. Their names and units are in companion-columns.c, their numbers in companions.c. */
#ifndef PH_RUN_COMPANIONS_H
#define PH_RUN_COMPANIONS_H

#include <stdbool.h>

#include <polhode/columns.h>
#include <polhode/domain/gravitation.h>

typedef enum ph_companion_kind {
    PH_COMPANION_ORBIT,     /* osculating elements of each orbit */
    PH_COMPANION_DISTANCE,  /* of each pair */
    PH_COMPANION_EULER,     /* angles of each body that turns against the frame of its orbit */
    PH_COMPANION_SPIN,      /* its angular velocity there */
    PH_COMPANION_LIBRATION, /* its long axis there */
    PH_COMPANION_BINDING,   /* energy of each body against all others, by reduced mass */
    PH_COMPANION_CLEARANCE, /* least distance between circumscribed spheres */
    PH_COMPANION_ESCAPE,    /* distance of an unbound body that recedes */
    PH_COMPANION_ENERGY,    /* energies by part */
    PH_COMPANION_KINDS
} ph_companion_kind;

/* How many numbers a kind has of one orbit or body. */
enum { PH_ORBIT_NUMBERS = 9, PH_EULER_NUMBERS = 3, PH_SPIN_NUMBERS = 5, PH_LIBRATION_NUMBERS = 2 };

/* How many columns of the kind the system has; 0 where it has no description. */
size_t ph_companion_count(const ph_system *system, ph_companion_kind kind);
/* name (PH_COLUMN_NAME) <- of the one with the number `at`; result <- its unit. */
const char *ph_companion_name(const ph_system *system, ph_companion_kind kind, size_t at, char *name);
/* Does the word name columns of the kind: one, or all of one body? *first, *count <- which. */
bool ph_companion_find(const ph_system *system, ph_companion_kind kind, const char *word, size_t *first,
                       size_t *count);

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

/* What it takes to see states of one system so. */
typedef struct ph_companions ph_companions;

/* kinds: those that will be asked for, a bit 1 << kind for each. PH_E_NO_MEMORY. */
ph_status ph_companions_create(const ph_system *system, unsigned kinds, ph_companions **companions,
                               ph_error *err);
void ph_companions_free(ph_companions *companions);
/* Computes the kinds at a state; no allocation. */
void ph_companions_see(ph_companions *companions, const ph_state *state);
/* The state that was seen last, NULL: none. */
const ph_state *ph_companions_seen(const ph_companions *companions);
/* values (n) <- from number `at` of the kind on. */
void ph_companions_copy(const ph_companions *companions, ph_companion_kind kind, size_t at, size_t n,
                        double *values);

#endif
