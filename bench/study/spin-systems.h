/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems on which methods for spheres as phase space are compared, a row each. */
#ifndef POLHODE_BENCH_STUDY_SPIN_SYSTEMS_H
#define POLHODE_BENCH_STUDY_SPIN_SYSTEMS_H

#include "study.h"

/* The class of a system: H is invariant under all rotations, or under those about e3 alone, and J_3 is conserved. */
enum { SPINS_ISOTROPIC, SPINS_AXIAL };
enum { N_SPIN_SYSTEMS = 3, N_VORTEX_SYSTEMS = 2 };
extern const study_case spin_systems[N_SPIN_SYSTEMS], vortex_systems[N_VORTEX_SYSTEMS];

#endif
