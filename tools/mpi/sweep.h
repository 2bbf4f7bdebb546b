/* SPDX-License-Identifier: BSD-3-Clause */
/* The command of polhode-mpi. */
#ifndef POLHODE_TOOLS_MPI_SWEEP_H
#define POLHODE_TOOLS_MPI_SWEEP_H

#include "tools/mpi/job.h"

extern const command_row command_mpi_sweep;

#endif
