/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system of formulas hands to its callbacks: a tape for each of them. */
#ifndef PH_FORMULA_CALLBACKS_H
#define PH_FORMULA_CALLBACKS_H

#include "lib/expression/tape.h"

#include <polhode/definition.h>

enum { PH_FORMULA_SYMMETRIES = 8 };

/* The tapes; NULL: the system has none of it. */
typedef enum ph_formula_part {
    PH_PART_POTENTIAL,
    PH_PART_GRADIENT,     /* (nz) */
    PH_PART_IN_TIME,      /* U(t, z) */
    PH_PART_IN_TIME_DZ,   /* (nz) */
    PH_PART_RATE,         /* dU/dt */
    PH_PART_SPIN_HESSIAN, /* (9 n_hessian) */
    PH_PART_INERTIA,      /* (n x n) or (nz x nz) */
    PH_PART_INERTIA_DZ,   /* the same x nz */
    PH_PART_LAGRANGIAN,
    PH_PART_L_RATE,           /* dL/dt */
    PH_PART_LV_RATE,          /* (nz) of dL/dzdot */
    PH_PART_SLOPES,           /* (2 nz) L_z, L_v */
    PH_PART_CURVATURES,       /* (3 nz nz) L_zz, L_vz, L_vv */
    PH_PART_FORCE,            /* (nz) */
    PH_PART_FORCE_DV,         /* (nz x nz) */
    PH_PART_CONSTRAINT,       /* (m x nz) A */
    PH_PART_CONSTRAINT_RATE,  /* (m) b */
    PH_PART_CONSTRAINT_ALONG, /* (m) of A zdot - b along (dt, dz) */
    PH_PART_POINTS,           /* (n x 3) */
    PH_PART_COLUMNS,          /* (n) */
    PH_PART_GENERATOR,        /* (momenta) of each symmetry */
    PH_PARTS = PH_PART_GENERATOR + PH_FORMULA_SYMMETRIES
} ph_formula_part;

typedef struct ph_formula_user {
    ph_tape *part[PH_PARTS];
    ph_tape_compiled *compiled[PH_PARTS]; /* NULL: the tape is interpreted */
    void *library;                        /* that has them, or NULL */
    size_t nz;
} ph_formula_user;

void ph_formula_user_free(void *user);
/* How many arrays a part goes into. */
static inline size_t ph_formula_arrays(ph_formula_part part)
{
    return part == PH_PART_SLOPES ? 2 : part == PH_PART_CURVATURES ? 3 : 1;
}
/* Is it added to what is there? */
static inline bool ph_formula_adds(ph_formula_part part)
{
    return part == PH_PART_IN_TIME_DZ || part == PH_PART_FORCE || part == PH_PART_FORCE_DV;
}

/* definition <- callbacks for the tapes of its user, which it owns from then on. */
void ph_formula_give_callbacks(ph_formula_user *user, ph_system_definition *definition);
/* The generator of symmetry i. */
ph_generator_fn ph_formula_generator_of(size_t i);

#endif
