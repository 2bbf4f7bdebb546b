/* SPDX-License-Identifier: BSD-3-Clause */
/* Members whose initial state is moved by tangent vectors: it is read as the other keys give it, moved (perturb.h), and put
 * into the document as lists, in the place of `initial`. */
#ifndef PH_SCENARIO_ENSEMBLE_MOVE_H
#define PH_SCENARIO_ENSEMBLE_MOVE_H

#include "ensemble.h"
#include "parts.h"

typedef struct ph_moves ph_moves;

/* *moves <- for the keys of e that move the state; base: a member as the other keys give it. Their numbers of columns are
 * checked and completed; nodes are added to the document. */
ph_status ph_moves_create(ph_ensemble_text *e, const ph_scenario *base, ph_moves **moves, ph_error *err);
void ph_moves_free(ph_moves *m); /* NULL is allowed */
/* The lists are written: the state of base, moved by the values (e->columns). */
ph_status ph_moves_write(ph_moves *m, const ph_scenario *base, const double *values, ph_error *err);
/* Do the lists stand in the document, or what the other keys give? */
void ph_moves_show(ph_moves *m, bool shown);
/* They as YAML on one line (malloc); NULL without memory. */
char *ph_moves_text(const ph_moves *m);

#endif
