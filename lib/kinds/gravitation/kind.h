/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity as a kind of system: what its files share (the attraction is in lib/gravity). */
#ifndef PH_KINDS_GRAVITATION_H
#define PH_KINDS_GRAVITATION_H

#include "lib/gravity/gravitation.h"
#include "lib/system/system.h"

struct ph_part_list;

/* ph_system_definition.user_free, by which a system is known as one of these. */
void ph_gravitation_release(void *user);

/* ph_structure.spin and .spin_work (equations.c), .add_parts (scene.c) */
ph_status ph_gravitating_spin(const ph_system *system, double t, const double *y, double *ydot, double *work);
size_t ph_gravitating_work(const ph_system *system);
bool ph_gravitating_parts(const ph_system *system, const double *down, struct ph_part_list *list);

#endif
