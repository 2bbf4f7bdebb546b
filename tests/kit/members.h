/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles against members that step alone: the same bits, the same failures, in the same steps. */
#ifndef POLHODE_TESTS_MEMBERS_H
#define POLHODE_TESTS_MEMBERS_H

#include "testkit.h"

#include <polhode/ensemble.h>

typedef struct tk_members {
    const char *name; /* for messages */
    const ph_method *method;
    ph_setting setting; /* of the method; without a value: none */
    double h;
    size_t members;
    const ph_system *system;         /* of the integrator */
    const ph_system *const *systems; /* (members); NULL: that one for all */
    const double *z, *p;             /* (nz x members), (np x members) where they begin */
    size_t lanes;                    /* how many are to step at once */
} tk_members;

/* Steps of the ensemble at once, in several calls, and of each member alone. Returns how many have failed. */
size_t tk_compare_members(const tk_members *m, int64_t steps);

#endif
