/* SPDX-License-Identifier: BSD-3-Clause */
/* What ensembles need of states and integrators: how data from outside become those of a state, many of them with one
 * scratch (state.c), an integrator of another system (integrator.c), and whether systems are of one shape (shape.c). */
#ifndef PH_METHOD_MEMBERS_H
#define PH_METHOD_MEMBERS_H

#include <polhode/integrator.h>
#include <polhode/state.h>
#include <polhode/system.h>

/* Doubles of scratch for ph_admit. */
size_t ph_admission_work(const ph_system *system);
/* fresh (scratch, which begins with nz numbers of z), *momentum (np, in the scratch) <- z and w, a velocity (nz) or a
 * momentum (np), as they are admitted at t, which is finite. Errors of ph_state_set. */
ph_status ph_admit(const ph_system *system, double t, const double *z, const double *w, bool velocity,
                   ph_admission admission, double *fresh, const double **momentum, ph_error *err);
/* The clock of a state whose z and p have just been set, and an empty carry. */
void ph_state_begin(ph_state *state, double t);
/* *like <- one with the method, h and options of `from` for this system, which outlives it. */
ph_status ph_integrator_like(const ph_integrator *from, const ph_system *system, ph_integrator **like,
                             ph_error *err);
/* Is the system of member i of the same shape as `like`, that of the integrator? PH_E_INVALID, with what differs. */
ph_status ph_check_shape(const ph_system *like, const ph_system *s, size_t i, ph_error *err);

#endif
