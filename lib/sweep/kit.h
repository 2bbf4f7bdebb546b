/* SPDX-License-Identifier: BSD-3-Clause */
/* What steps and measures members of one kind: those with the same system, method, options and step. It is kept from one
 * member to the next as long as they are of its kind. */
#ifndef PH_SWEEP_KIT_H
#define PH_SWEEP_KIT_H

#include <polhode/dense.h>
#include <polhode/ensemble.h>

#include "parts.h"

/* Ensembles have 8, 16, ... members, up to as many. */
enum { PH_KIT_LEAST = 8, PH_KIT_MOST = 256, PH_KIT_SIZES = 6 };

typedef struct ph_kit {
    ph_scenario *scenario; /* the member that it was made for; NULL: none yet */
    ph_integrator *integrator;
    ph_state *state; /* of one member */
    ph_diagnostics *diagnostics;
    ph_columns *columns;
    ph_dense *dense;                     /* NULL until an output is between steps */
    ph_ensemble *ensemble[PH_KIT_SIZES]; /* of its system, or of others of the same shape */
    size_t lanes, most;                  /* at once; in an ensemble */
    size_t nz, np;
} ph_kit;

/* Is the member of the kit's kind? shared: members with one system are asked about. */
bool ph_kit_suits(const ph_kit *k, const ph_scenario *sc, bool shared);
/* k <- for this member, which it takes over, also where it fails; what it was before is freed. */
ph_status ph_kit_make(ph_kit *k, const ph_sweep *s, ph_scenario *sc, ph_error *err);
/* Are these columns of a member those of the archive? named: the scenario names them, and they are not all. */
ph_status ph_kit_check_columns(const ph_sweep *s, const ph_columns *columns, bool named, ph_error *err);
/* May a member whose system is another one go side by side with the kit's? */
bool ph_kit_joins(const ph_kit *k, const ph_scenario *sc);
/* The largest size of an ensemble that n members fill, or the least. */
size_t ph_kit_size(const ph_kit *k, size_t n);
/* *e <- an ensemble of such a size; systems: of its members, or NULL: the kit's. A kit is asked for one sort of them. */
ph_status ph_kit_ensemble(ph_kit *k, size_t size, const ph_system *const *systems, ph_ensemble **e,
                          ph_error *err);
/* Before members of an ensemble without lanes are freed, whose integrators have their systems. */
void ph_kit_drop_ensembles(ph_kit *k);
void ph_kit_free(ph_kit *k);

#endif
